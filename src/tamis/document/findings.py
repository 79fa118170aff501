"""Findings: what the detectors found in a page, before the document is built from it."""

import numpy as np
import numpy.typing as npt

from tamis.document.detect.anchors import without_anchors
from tamis.document.detect.callouts import find_callouts
from tamis.document.detect.captions import find_captioned_boxes, find_unselected_captions
from tamis.document.detect.code_blocks import find_code_blocks
from tamis.document.detect.dismiss_buttons import hide_dismiss_buttons
from tamis.document.detect.formulas.content import content_formulas
from tamis.document.detect.images import find_images
from tamis.document.detect.media import find_media
from tamis.document.detect.notes.find import find_notes
from tamis.document.detect.posts import PostFacts, find_posts
from tamis.document.detect.protected_emails import protected_emails
from tamis.document.detect.word_gaps import rows_after_gap
from tamis.document.frames import FrameFactory
from tamis.document.inserts import formula_inserts, note_inserts
from tamis.html import tags
from tamis.page import Page
from tamis.page.base_url import base_url
from tamis.page.sums import Bools, prefix_sums


class Findings:
    """What was found in a page, by row.

    Attributes:
        base: the URL that links are relative to.
        mask: the selected rows, and those of notes that they refer to.
        hidden: what browsers do not show, without the notes that they show on demand.
        notes, formulas, images, media, code: what the detectors return.
        inserts: formulas, references and marks in text rows.
        covered: rows inside of formulas that go over several.
        after_gap: text rows before which a space is missing.
        unselected_notes: notes that are there because selected text refers to them.
        marked: labels of notes whose reference is an element.
        frames: opens the containers.
        stop: the row after the last that is wanted.
    """

    def __init__(self, page: Page, mask: Bools, url: str | None, posts: dict[int, PostFacts] | None) -> None:
        self.page, self.base = page, base_url(page, url)
        self.emails = protected_emails(page)
        mask = without_anchors(page, mask)
        self.notes = find_notes(page, mask, self.base)
        self.unselected_notes = self.notes.unselected(page, mask)
        # Comments keep no notes: those belong to the content.
        self.mask = self.notes.kept_with(page, mask) if posts is None else mask
        self.hidden = self._shown_notes()
        formulas = content_formulas(page, self.mask)
        captioned_boxes = find_captioned_boxes(page)
        images = find_images(page, self.mask, self.base, captioned_boxes)
        self.formulas = formulas.elements
        self.images = {row: image for row, image in images.items() if row not in self.formulas}
        captions = find_unselected_captions(page, self.mask, self.images, captioned_boxes)
        self._add_captions(captions)
        self.media = find_media(page, self.mask, self.base, url, captioned_boxes)
        self.inserts, self.covered = formula_inserts(page, formulas.delimited)
        note_inserts(self.inserts, self.notes)
        self.marked = frozenset(self.notes.references.values())  # labels of notes whose reference is an element
        posts = find_posts(page) if posts is None else posts
        callouts = find_callouts(page, self.mask)
        boxes = frozenset(box for box in captioned_boxes if any(box < row < page.end[box] for row in self.images))
        self.frames = FrameFactory(page, self.base, posts, boxes, callouts, captions)
        self.code = find_code_blocks(page, self.mask)
        self.after_gap = rows_after_gap(page, self.mask)
        self.hidden = hide_dismiss_buttons(page, self.hidden)
        visible = self.hidden == 0
        self.text_count = prefix_sums(page.is_text & visible & (page.offset[1:] > page.offset[:-1]))
        self.shown_count = prefix_sums(page.shown)
        self.block_count = prefix_sums(tags.BLOCK[page.tag] & visible)
        self.break_count = prefix_sums((page.tag == tags.IDS["br"]) & visible)
        wanted = self.mask.copy()
        wanted[[*self.images, *self.formulas, *self.media, *self.inserts]] = True
        first, self.stop = int(np.argmax(wanted)), len(wanted) - int(np.argmax(wanted[::-1]))
        rules = page.rows_of("hr")
        wanted[rules[(rules > first) & (rules < self.stop)]] = True
        wanted[list(self.notes.rules)] = False
        self.wanted_count = prefix_sums(wanted)

    def _add_captions(self, captions: frozenset[int]) -> None:
        """Add captions to the mask: a picture that is shown is shown with its caption."""
        if captions:
            self.mask = self.mask.copy()
        for row in captions:
            rows = slice(row, int(self.page.end[row]))
            self.mask[rows] |= self.page.shown[rows]

    def _shown_notes(self) -> npt.NDArray[np.uint8]:
        """Add the notes inside the text to the mask, and return what stays hidden: they may be, until one asks."""
        if not self.notes.embedded:
            return self.page.hidden
        hidden, self.mask = self.page.hidden.copy(), self.mask.copy()
        for row in self.notes.embedded:
            end = int(self.page.end[row])
            hidden[row:end] = 0
            self.mask[row:end] |= self.page.is_text[row:end] & (self.page.nonspace[row:end] > 0)
        return hidden
