"""Attributes that are found while a page is read: those that name, hide or describe an element or its text."""

from typing import Final

#: Attributes that have the TeX of an element.
TEX_ATTRIBUTES: Final = ("data-tex", "data-latex", "data-math", "data-katex", "data-formula", "data-equation")
#: Attributes with the text of a note.
NOTE_TEXT_ATTRIBUTES: Final = (
    "data-footnote-content", "data-footnote-text", "data-footnote", "data-note-text", "data-note", "data-sidenote",
    "data-fn-text",
)  # fmt: skip
NOTE_ID_ATTRIBUTE: Final = "data-definition"  #: has the id of a hidden note
EMAIL_ATTRIBUTE: Final = "data-cfemail"  #: has an address that is hidden from harvesters
#: All attributes that are listed for a page, by kind: an index into this tuple. An id is the first for scan.c.
LISTED: Final = (
    "id", "hidden", "aria-hidden", "style", "role", "itemprop", "itemtype", "aria-controls",
    "datetime", "data-time", "typeof", "data-callout", "data-type", "data-testid", "author", "data-author",
    "data-message-author-role", "data-message-id",
    EMAIL_ATTRIBUTE, *TEX_ATTRIBUTES, "data-math-style", *NOTE_TEXT_ATTRIBUTES, NOTE_ID_ATTRIBUTE,
)  # fmt: skip
#: Of these only the values that may hide an element, or say that its text is preformatted.
LISTED_IN_PART: Final = frozenset({"aria-hidden", "style"})
KINDS: Final = {name: kind for kind, name in enumerate(LISTED)}
#: Attributes whose value is a list of words: white space in it does not count.
TOKEN_LISTS: Final = frozenset({
    "class", "rel", "rev", "accept-charset", "headers", "accesskey", "dropzone", "archive", "sizes", "sandbox",
})  # fmt: skip
