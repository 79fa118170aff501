import pytest

from tamis.page import parse_page


@pytest.mark.parametrize("template", ["<template>", "<div><template shadowrootmode=open>"])
def test_panel_in_a_template_is_read(template):
    """Found by fuzzing: the parent of the panel is a fragment, which has no attributes."""
    page = parse_page(f"{template}<p class=faq-answer hidden>Yes, three minutes.</p>")
    assert "Yes, three minutes." in page.text
