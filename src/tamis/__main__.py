"""``python -m tamis``."""

from tamis.cli import program

if __name__ == "__main__":
    program()
