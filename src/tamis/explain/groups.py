"""Groups of features: the evidence about a block, in the parts that a person would name."""

from dataclasses import dataclass
from typing import Final

from tamis.features.schema import NAMES


@dataclass(frozen=True, slots=True)
class Group:
    """A group of features.

    Attributes:
        name: the name in data.
        title: what it is called on pages.
        description: what is in it.
        subject: what it is called in a sentence about a block.
    """

    name: str
    title: str
    description: str
    subject: str


#: The groups of a block's own features, in the order of the players (see `tamis.model.coalitions`).
OWN_GROUPS: Final = (
    Group("length", "Length", "how many words the block has, and how long they are", "its length"),
    Group("links", "Links", "how much of the block is links", "its links"),
    Group(
        "sentences",
        "Sentences",
        "punctuation, capitals, digits, bold text; how the block begins and ends",
        "its sentences",
    ),
    Group("repetition", "Repetition", "whether its text or its template is there several times", "its repetition"),
    Group(
        "elements", "Elements", "the tags that the block is in, and what is beside its text", "the elements around it"
    ),
    Group("names", "Names", "what class, id, role and itemprop of the elements around it say", "the names around it"),
    Group(
        "part",
        "Part of the page",
        "how much prose, and how many links, the parts of the page around it have",
        "the parts of the page around it",
    ),
    Group(
        "place",
        "Place",
        "where the block is, seen from the title, the headings and the start of the page",
        "its place",
    ),
    Group("page", "Page", "what the page as a whole has, and what it declares about itself", "the page as a whole"),
)
AROUND: Final = Group(
    "around", "Neighbours", "how likely the blocks before and after it, and the rest, look", "its neighbours"
)
SITE: Final = Group("site", "Site", "what was learned about the site (see docs/sites.md)", "the profile of the site")
GROUPS: Final = (*OWN_GROUPS, AROUND, SITE)

_MEMBERS: Final = {
    "length": "size words text_nodes word_length is_short ideograph_share",
    "links": "links link_share all_links template_link_share",
    "sentences": "stop_rate comma_rate punctuation_share digit_share uppercase_share symbol_share starts_uppercase "
    "starts_digit starts_punctuation ends_stop ends_punctuation bold_share line_breaks",
    "repetition": "repeats quotes_earlier in_metadata template_blocks template_size",
    "elements": "images form_fields in_panel depth",
    "part": "blocks_before_prose blocks_after_prose in_prose levels_to_prose prose_share article_share "
    "article_number",
    "place": "size_since_heading size_since_title block_position text_position heading_level has_h1 after_h1 "
    "h1_distance title_match best_title_match after_title title_distance heading_title_match heading_link_share",
}
_PREFIXES: Final = {
    "container": "elements",
    "ancestor": "elements",
    "near": "names",
    "far": "names",
    "declares": "page",
    "path": "page",
}
_GROUP_OF: Final = {feature: group for group, features in _MEMBERS.items() for feature in features.split()}


def group_of(feature: str) -> str:
    """Return the name of the group of a feature.

    >>> group_of("link_share"), group_of("near:related"), group_of("density@2"), group_of("page_h2")
    ('links', 'names', 'part', 'page')
    """
    if feature in _GROUP_OF:
        return _GROUP_OF[feature]
    if "@" in feature:
        return "part"
    prefix = feature.partition(":")[0].partition("_")[0]
    return "page" if prefix == "page" else _PREFIXES[prefix]


#: The columns of each group of own features, in the order of `OWN_GROUPS`.
GROUP_COLUMNS: Final = tuple(
    tuple(column for column, name in enumerate(NAMES) if group_of(name) == group.name) for group in OWN_GROUPS
)
