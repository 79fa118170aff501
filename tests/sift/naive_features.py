"""Every feature of the schema, computed naively for one block: a function from a `NaiveBlock` to a number."""

import math
import re
from dataclasses import dataclass

from tamis.html import characters
from tamis.sift import features
from tamis.sift.schema import ANCESTORS, CONTAINERS, LEVELS, SCHEMA
from tests.sift.naive_page import NaiveBlock, nonspace

FIELDS = ("input", "button", "select", "textarea", "label", "option")
PARAGRAPHS = ("p", "blockquote", "pre")
MARKS = {characters.STOP, characters.COMMA, characters.PUNCTUATION, characters.SYMBOL}


def repeats(block):
    if not block.is_label:
        return 0
    return sum(other.is_label and other.text.strip() == block.text.strip() for other in block.page.blocks) - 1


def bold(block):
    page = block.page
    return sum(nonspace(page.own_text(row)) for row in block.rows if page.tag(page.parent[row]) in {"b", "strong"})


def in_metadata(block):
    metadata = block.page.metadata
    return not block.is_label and metadata != "" and block.quotes[0] in metadata


def quotes_earlier(block):
    earlier = {quote for other in block.page.blocks[: block.index] if not other.is_label for quote in other.quotes}
    return not block.is_label and bool(earlier & set(block.quotes))


TEXT = {
    "size": lambda block: block.size,
    "words": lambda block: sum(len(text.split()) for text in block.texts),
    "text_nodes": lambda block: len(block.rows),
    "links": lambda block: block.elements("a"),
    "line_breaks": lambda block: block.elements("br"),
    "images": lambda block: block.elements("img"),
    "form_fields": lambda block: block.elements(*FIELDS),
    "repeats": repeats,
    "link_share": lambda block: block.linked / block.nonspace,
    "stop_rate": lambda block: block.stops / (block.size + 1),
    "comma_rate": lambda block: block.classes.count(characters.COMMA) / (block.size + 1),
    "punctuation_share": lambda block: block.share(characters.PUNCTUATION),
    "digit_share": lambda block: block.share(characters.DIGIT),
    "uppercase_share": lambda block: block.share(characters.UPPER),
    "symbol_share": lambda block: block.share(characters.SYMBOL),
    "ideograph_share": lambda block: block.share(characters.WIDE),
    "word_length": lambda block: min(block.nonspace / sum(len(text.split()) for text in block.texts), 30),
    "starts_uppercase": lambda block: block.classes[0] == characters.UPPER,
    "starts_digit": lambda block: block.classes[0] == characters.DIGIT,
    "starts_punctuation": lambda block: block.classes[0] in MARKS,
    "ends_stop": lambda block: block.classes[-1] == characters.STOP,
    "ends_punctuation": lambda block: block.classes[-1] in MARKS - {characters.STOP},
    "all_links": lambda block: block.linked >= 0.9 * block.nonspace,
    "is_short": lambda block: block.size < 4,
    "bold_share": lambda block: bold(block) / block.nonspace,
    "in_metadata": in_metadata,
    "quotes_earlier": quotes_earlier,
    "in_panel": lambda block: any(
        re.search("accordion|faq", block.page.nodes[row].attr("class") or "") is not None
        and block.page.nodes[row].attr("hidden") is not None
        for row in block.page.ancestors(block.rows[0])
        if block.page.page.is_element[row]
    ),
}


def ancestors_with_tag(tag):
    return lambda block: min(sum(block.page.tag(row) == tag for row in block.page.ancestors(block.rows[0])), 2)


def ancestors_with_name(category, *, near):
    def count(block):
        page = block.page
        return min(
            sum(
                page.categories(row).count(category)
                for row in page.ancestors(block.rows[0])
                if page.page.is_element[row] and (len(page.blocks_in(row)) <= 4) == near
            ),
            2,
        )

    return count


def container_in(tags):
    def tag(block):
        """The tag of the container; a div with all blocks counts as the body."""
        name = block.page.tag(block.container)
        return "body" if name == "div" and block.container == block.page.root else name

    return lambda block: tag(block) in tags


def total(blocks, attribute):
    return sum(getattr(block, attribute) for block in blocks)


def similar_siblings(page, row):
    return sum(
        page.is_branch_point(sibling) and page.signature(sibling) == page.signature(row)
        for sibling in page.children[page.parent[row]]
        if sibling != row
    )


@dataclass
class Level:
    """A branch point above a block, and the blocks in it."""

    block: NaiveBlock
    row: int

    def __post_init__(self):
        self.page = self.block.page
        self.blocks = self.page.blocks_in(self.row)
        self.size, self.nonspace = total(self.blocks, "size"), total(self.blocks, "nonspace")


def position(level):
    blocks_before = sum(other.rows[0] < level.row for other in level.page.blocks)
    return (level.block.index - blocks_before) / max(len(level.blocks), 1)


def paragraph_share(level):
    paragraphs = [block for block in level.blocks if level.page.tag(block.container) in PARAGRAPHS]
    return total(paragraphs, "size") / max(level.size, 1)


LEVEL = {
    "size": lambda level: level.size,
    "blocks": lambda level: max(len(level.blocks), 1),
    "mean_size": lambda level: level.size / max(len(level.blocks), 1),
    "density": lambda level: level.nonspace / max(level.page.elements_in(level.row), 1),
    "similar_siblings": lambda level: similar_siblings(level.page, level.row),
    "share_of_page": lambda level: level.size / level.page.total,
    "link_share": lambda level: total(level.blocks, "linked") / max(level.nonspace, 1),
    "stop_rate": lambda level: total(level.blocks, "stops") / (level.size + 1),
    "position": position,
    "paragraph_share": paragraph_share,
}


def same_template(block):
    return [other for other in block.page.blocks if other.template == block.template]


def main_blocks(block):
    """The indices of the first block in the element with the most prose, and of the first after it."""
    page = block.page
    first = sum(other.rows[0] < page.main for other in page.blocks)
    return first, first + len(page.blocks_in(page.main))


def levels_to_prose(block):
    page = block.page
    containing = {page.main, *page.ancestors(page.main)}
    return next((level for level in range(LEVELS) if block.levels[level] in containing), LEVELS)


STRUCTURE = {
    "template_blocks": lambda block: len(same_template(block)),
    "template_size": lambda block: total(same_template(block), "size") / len(same_template(block)),
    "template_link_share": lambda block: (
        total(same_template(block), "linked") / total(same_template(block), "nonspace")
    ),
    "blocks_before_prose": lambda block: max(main_blocks(block)[0] - block.index, 0),
    "blocks_after_prose": lambda block: max(block.index - main_blocks(block)[1] + 1, 0),
    "in_prose": lambda block: block in block.page.blocks_in(block.page.main),
    "levels_to_prose": levels_to_prose,
    "prose_share": lambda block: (
        total(block.page.blocks_in(block.page.main), "prose") / max(total(block.page.blocks, "prose"), 1)
    ),
    "depth": lambda block: (
        len(list(block.page.ancestors(block.container))) - len(list(block.page.ancestors(block.page.root))) + 2
    ),
    "article_share": lambda block: article_size(block.page, article(block)) / largest_article(block.page),
    "article_number": lambda block: articles(block.page).index(article(block)) + 1 if article(block) else 0,
}


def articles(page):
    return [row for row in range(len(page.nodes)) if page.tag(row) == "article"]


def article(block):
    """The innermost article element around a block."""
    return next((row for row in block.page.ancestors(block.rows[0]) if block.page.tag(row) == "article"), None)


def article_size(page, row):
    return total(page.blocks_in(row), "size") if row else 0


def largest_article(page):
    return max([1, *(article_size(page, row) for row in articles(page))])


def headings_so_far(block):
    return [other for other in block.page.blocks[: block.index + 1] if other.heading_level]


def size_between(block, first):
    return total(block.page.blocks[first : block.index], "size")


def distance(block, other):
    return max(min(block.index - other.index, 60), -60) if other else 0


def is_after(block, other):
    return other is not None and block.index > other.index


def size_since_title(block):
    title = block.page.title_block
    return size_between(block, title.index if title else 0)


POSITION = {
    "size_since_heading": lambda block: size_between(
        block, headings_so_far(block)[-1].index if headings_so_far(block) else 0
    ),
    "size_since_title": size_since_title,
    "block_position": lambda block: block.index / len(block.page.blocks),
    "text_position": lambda block: size_between(block, 0) / block.page.total,
    "heading_level": lambda block: headings_so_far(block)[-1].heading_level if headings_so_far(block) else 0,
    "has_h1": lambda block: block.page.first_h1 is not None,
    "after_h1": lambda block: is_after(block, block.page.first_h1),
    "h1_distance": lambda block: distance(block, block.page.first_h1),
    "title_match": lambda block: block.title_match,
    "best_title_match": lambda block: max(other.title_match for other in block.page.blocks),
    "after_title": lambda block: is_after(block, block.page.title_block),
    "title_distance": lambda block: distance(block, block.page.title_block),
    "heading_title_match": lambda block: headings_so_far(block)[-1].title_match if headings_so_far(block) else 0,
    "heading_link_share": lambda block: (
        headings_so_far(block)[-1].linked / headings_so_far(block)[-1].nonspace if headings_so_far(block) else 0
    ),
}


def share_of_size(page, condition):
    return sum(block.size for block in page.blocks if condition(block)) / page.total


def declared_words(page):
    """The types and the generator that a page declares, in lower case."""
    for row, node in enumerate(page.nodes):
        if not page.page.is_element[row]:
            continue
        if page.tag(row) == "meta" and (node.attr("property") or node.attr("name")) in {"og:type", "generator"}:
            yield from re.findall("[a-z0-9]+", (node.attr("content") or "").lower())
        if node.attr("itemtype"):
            yield node.attr("itemtype").split("/")[-1].strip().lower()
        if page.tag(row) == "script" and node.attr("type") == "application/ld+json" and page.children[row]:
            text = page.nodes[page.children[row][0]].data
            for part in text.split('"@type"')[1:]:
                value = part.lstrip(" :[")
                yield value.split('"')[1].split("/")[-1].lower() if value.startswith('"') else ""


def canonical_path(page):
    urls = [
        node.attr("href")
        for row, node in enumerate(page.nodes)
        if page.tag(row) == "link" and node.attr("rel") in ("canonical", ["canonical"]) and node.attr("href")
    ]
    urls += [
        node.attr("content")
        for row, node in enumerate(page.nodes)
        if page.tag(row) == "meta" and node.attr("property") == "og:url" and node.attr("content")
    ]
    return re.split("[?#]", re.sub("^https?://[^/]*", "", urls[0]))[0].lower() if urls else None


def segments(page):
    return [segment for segment in (canonical_path(page) or "").split("/") if segment]


def declares(page_type):
    words = features.DECLARED_WORDS[page_type]
    return lambda block: not words.isdisjoint(block.page.remember("declared", lambda page: set(declared_words(page))))


def path_speaks_for(page_type):
    words = features.PATH_WORDS[page_type]
    return lambda block: not words.isdisjoint(block.page.remember("path", path_words))


def path_words(page):
    return set(re.findall("[a-z0-9]+", canonical_path(page) or ""))


#: The same for all blocks: functions of the page.
PAGE = {
    "page_blocks": lambda page: len(page.blocks),
    "page_size": lambda page: page.total,
    "page_h2": lambda page: page.count("h2"),
    "page_images": lambda page: page.count("img"),
    "page_forms": lambda page: page.count("form"),
    "page_list_items": lambda page: page.count("li"),
    "page_cells": lambda page: page.count("td"),
    "page_h3": lambda page: page.count("h3"),
    "page_articles": lambda page: page.count("article"),
    "page_times": lambda page: page.count("time"),
    "page_code": lambda page: page.count("pre"),
    "page_linked_headings": lambda page: sum(
        block.heading_level > 0 and block.linked >= 0.9 * block.nonspace for block in page.blocks
    ),
    "page_prices": lambda page: sum(char in "$€£¥₹" for char in page.page.text),
    "page_h1": lambda page: min(page.count("h1"), 3),
    "page_link_share": lambda page: total(page.blocks, "linked") / total(page.blocks, "nonspace"),
    "page_paragraph_share": lambda page: share_of_size(page, lambda block: page.tag(block.container) == "p"),
    "page_stop_rate": lambda page: total(page.blocks, "stops") / page.total,
    "page_long_share": lambda page: share_of_size(page, lambda block: block.size > 30),
    "page_template_share": lambda page: share_of_size(page, lambda block: len(same_template(block)) >= 5),
    "path_known": lambda page: canonical_path(page) is not None,
    "path_segments": lambda page: len(segments(page)),
    "path_date": lambda page: re.search(r"/(19|20)[0-9][0-9][/-]", (canonical_path(page) or "") + "/") is not None,
    "path_slug": lambda page: len(re.findall("[a-z0-9]+", segments(page)[-1])) if segments(page) else 0,
}


def near(category):
    return ancestors_with_name(category, near=True)


def far(category):
    return ancestors_with_name(category, near=False)


def naive_feature(name):
    """The function that computes a feature by its name."""
    family, _, member = name.partition(":")
    if member and family == "container":
        return container_in(next(tags.split() for tags in CONTAINERS if tags.split()[0] == member))
    if member and family == "ancestor":
        assert member in ANCESTORS
        return ancestors_with_tag(member)
    if member:
        families = {"near": near, "far": far, "declares": declares, "path": path_speaks_for}
        return families[family](member)
    base, _, level = name.partition("@")
    if level:
        return lambda block: LEVEL[base](Level(block, block.levels[int(level)]))
    if name in PAGE:
        return lambda block: block.page.remember(name, PAGE[name])
    return {**TEXT, **STRUCTURE, **POSITION}[name]


def with_log(feature):
    compute = naive_feature(feature.name)
    return (lambda block: math.log1p(compute(block))) if feature.log else compute


FEATURES = {feature.name: with_log(feature) for feature in SCHEMA}
