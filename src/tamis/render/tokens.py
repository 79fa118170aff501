"""The size of a text in tokens of a language model, estimated."""

from typing import Final

#: Rule of thumb of the makers of language models: a token is about four characters of English. Bytes instead of
#: characters, because scripts with more bytes per character have more tokens per character.
BYTES_PER_TOKEN: Final = 4


def estimate_tokens(text: str) -> int:
    """Return about how many tokens a language model reads.

    >>> estimate_tokens("Boil the water."), estimate_tokens("")
    (4, 0)
    """
    return -(-len(text.encode("utf-8", "replace")) // BYTES_PER_TOKEN)
