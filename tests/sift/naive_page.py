"""A page as a plain tree, for the naive features: every number is counted again by walking the tree."""

import re
from functools import cache, cached_property
from itertools import pairwise

import numpy as np

from tamis.html import characters
from tamis.page import parse_page
from tamis.sift.schema import CATEGORY_OF, NAME_CATEGORIES


class NaivePage:
    """The tree of a page: rows in document order, and their blocks. Only the cut into blocks is taken as given."""

    def __init__(self, html):
        self.page = page = parse_page(html)
        self.nodes = [page.document, *page.document.descendants]  # with the code of scripts
        assert len(self.nodes) == len(page)
        self.parent = page.parent.tolist()
        self.children = [[] for _ in self.nodes]
        for row, parent in enumerate(self.parent):
            if parent >= 0:
                self.children[parent].append(row)
        self.tags = [page.tag_name(row) if page.is_element[row] else "" for row in range(len(page))]
        self.body = page.body
        edges = [*page.blocks.first.tolist(), len(page.blocks.rows)]
        self.blocks = [
            NaiveBlock(self, index, page.blocks.rows[first:last].tolist())
            for index, (first, last) in enumerate(pairwise(edges))
        ]
        self._blocks_in = {}
        self._remembered = {}

    def remember(self, name, compute):
        """Return a value of the page, computed once."""
        if name not in self._remembered:
            self._remembered[name] = compute(self)
        return self._remembered[name]

    def tag(self, row):
        return self.tags[row]

    def own_text(self, row):
        return self.page.text[self.page.offset[row] : self.page.offset[row + 1]]

    def ancestors(self, row):
        """The rows above a row, from its parent to the document."""
        while (row := self.parent[row]) >= 0:
            yield row

    def descendants(self, row):
        """The rows of a subtree, its root first."""
        stack = [row]
        while stack:
            row = stack.pop()
            yield row
            stack += self.children[row]

    def blocks_in(self, row):
        """The blocks that begin in a subtree."""
        if row not in self._blocks_in:
            rows = set(self.descendants(row))
            self._blocks_in[row] = [block for block in self.blocks if block.rows[0] in rows]
        return self._blocks_in[row]

    def elements_in(self, row):
        """How many elements of a subtree draw something."""
        nothing = {"script", "style", "template", "link", "meta", "base"}
        return sum(
            bool(self.page.is_element[each]) and self.tag(each) not in nothing for each in self.descendants(row)
        )

    @cached_property
    def root(self):
        """The innermost element, the body at most, that contains all blocks."""
        container = self.blocks[0].container
        above = (container, *self.ancestors(container))
        return next(row for row in above if row <= self.body or len(self.blocks_in(row)) == len(self.blocks))

    def count(self, tag):
        return self.tags.count(tag)

    def is_branch_point(self, row):
        """Whether a row is the root, or an element in it with fewer blocks than its parent."""
        if row <= self.root or not self.page.is_element[row]:
            return row == self.root
        return 0 < len(self.blocks_in(row)) < len(self.blocks_in(self.parent[row]))

    def branch_point(self, row):
        """The innermost branch point at or above a row."""
        return next((each for each in (row, *self.ancestors(row)) if self.is_branch_point(each)), self.root)

    def signature(self, row):
        """The class and the tag of an element."""
        if row < 0 or not self.page.is_element[row]:
            return None, 0
        return self.nodes[row].attr("class"), int(self.page.tag[row])

    def categories(self, row):
        """The categories of an element's names; each of its attributes counts by itself."""
        return [
            category
            for attribute in ("class", "id", "role", "itemprop")
            for category in categories_of_name(self.nodes[row].attr(attribute) or "")
        ]

    @cached_property
    def total(self):
        return max(sum(block.size for block in self.blocks), 1)

    @cached_property
    def metadata(self):
        """The texts of at least 32 characters in meta elements and JSON-LD."""
        texts = []
        for tag in ("meta", "script"):
            for row, node in enumerate(self.nodes):
                if self.tag(row) != tag:
                    continue
                if tag == "meta":
                    texts.append(node.attr("content") or "")
                elif node.attr("type") == "application/ld+json":
                    texts += [self.nodes[child].data for child in self.children[row]]
        return "\n".join(text for text in texts if len(text) >= 32)

    @cached_property
    def title(self):
        titles = [row for row in range(len(self.nodes)) if self.tag(row) == "title"]
        return self.page.row_text(titles[0]) if titles else ""

    @cached_property
    def title_block(self):
        """The block that matches the title best, the first of equals; None where none does."""
        best = max(self.blocks, key=lambda block: block.title_match)
        return best if best.title_match > 0 else None

    @cached_property
    def first_h1(self):
        return next((block for block in self.blocks if block.heading_level == 1), None)

    @cached_property
    def main(self):
        """The element with the most prose: the first of equals, among the ancestors at levels 1 and 2."""
        scores = {}
        for block in self.blocks:
            for level, weight in ((1, 1), (2, 0.5)):
                scores[block.levels[level]] = scores.get(block.levels[level], 0) + weight * block.prose
        return max(scores, key=lambda row: (scores[row], -row))


class NaiveBlock:
    """A block: its text rows, and what is counted in them."""

    def __init__(self, page, index, rows):
        self.page, self.index, self.rows = page, index, rows
        self.container = int(page.page.blocks.container[index])
        self.stop = int(page.page.blocks.stop[index])
        offset = page.page.offset
        self.text = page.page.text[offset[rows[0]] : offset[self.stop]]
        self.texts = [page.own_text(row) for row in rows]
        self.classes = [char_class(char) for text in self.texts for char in text if not char.isspace()]
        self.nonspace = len(self.classes)
        wide = self.classes.count(characters.WIDE)
        # In single precision, as the page has it: the order of nearly equal scores may depend on it.
        self.size = float(np.float32((self.nonspace - wide) / 5 + wide / 1.7))
        self.stops = self.classes.count(characters.STOP)
        self.linked = sum(nonspace(page.own_text(row)) for row in rows if page.page.link[row])
        tag = page.tag(self.container)
        self.heading_level = int(tag[1]) if re.fullmatch("h[1-6]", tag) else 0

    def share(self, char_class):
        return self.classes.count(char_class) / self.nonspace

    def elements(self, *tags):
        """How many elements with these tags are in the block, the one that opens right before its text included."""
        return sum(self.page.tag(row) in tags for row in range(max(self.rows[0] - 1, 0), self.stop))

    @property
    def is_label(self):
        return len(self.text) <= 60

    @property
    def quotes(self):
        """The first and the last 32 characters."""
        return self.text[:96].lstrip()[:32], self.text[-96:].rstrip()[-32:]

    @property
    def prose(self):
        return self.size * (1 - float(np.float32(self.linked / self.nonspace))) if self.stops else 0

    @cached_property
    def levels(self):
        """The branch points above the block, from the innermost outwards."""
        rows = [self.page.branch_point(self.container)]
        while len(rows) < 5:
            rows.append(self.page.branch_point(max(self.page.root, self.page.parent[rows[-1]])))
        return rows

    @cached_property
    def template(self):
        parent = self.page.parent[self.container]
        grandparent = self.page.parent[parent] if parent >= 0 else -1
        return tuple(map(self.page.signature, (self.container, parent, grandparent)))

    @cached_property
    def title_match(self):
        """Twice the common words of block and title, over all words of both."""
        title = set(self.page.title.casefold().split())
        long_words = [word for word in title if len(word) > 3] or title
        lengths = range(len(self.page.title) // 4, len(self.page.title) + 41)
        if len(self.text) not in lengths or not any(word in self.text.casefold() for word in long_words):
            return 0
        words = set(self.text.casefold().split())
        return 2 * len(words & title) / (len(words) + len(title))


def nonspace(text):
    return sum(not char.isspace() for char in text)


@cache
def char_class(char):
    return int(characters.classify(np.array([ord(char)], dtype=np.uint32))[0])


@cache
def categories_of_name(name):
    """The categories of the words of a name, which is split at camelCase and at what is no letter or digit."""
    parts = re.findall(r"[A-Za-z0-9\x80-\U0010ffff]+", name)
    words = [word for part in parts for word in re.split("(?<=[a-z])(?=[A-Z])", part)]
    lowercase = [re.sub("[A-Z]", lambda letter: letter[0].lower(), word) for word in words]
    return {NAME_CATEGORIES[CATEGORY_OF[word]] for word in lowercase if word in CATEGORY_OF}
