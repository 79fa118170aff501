"""Scripts that an engine starts by their path. Each lies apart from modules whose names an engine imports."""
