import json
import math
from dataclasses import replace
from itertools import permutations

import numpy as np
import pytest

import tamis
from tamis.explain import explain as explain_module
from tamis.explain.words import GROUP_COLUMNS, OWN_GROUPS, describe, group_of
from tamis.extractors import registry
from tamis.sift.choice import choose_blocks, sigmoid
from tamis.sift.contributions import group_values
from tamis.sift.extractor import Sift, shipped
from tamis.sift.features import NAMES, Features, measure
from tamis.sift.network import Network, init_params
from tests.conftest import golden_pages
from tests.sampling import sampled

GROUP_NAMES = [group.name for group in OWN_GROUPS]


@pytest.fixture(scope="module", params=sampled(golden_pages(), 4), ids=lambda golden: golden.slug)
def explained(request):
    extraction = tamis.extract(request.param.html)
    return extraction, extraction.explain()


def judged_blocks(explanation):
    """Return the blocks that the network has scored; the others are evident boilerplate."""
    return [block for block in explanation.blocks if block.reason != "evident boilerplate"]


LINKS = "<a href=/>Home</a> <a href=/tea>Tea</a> <a href=/jam>Jam</a>"


@pytest.mark.parametrize(
    ("markup", "words"),
    [
        (f"<ul class='x menu-1'>{LINKS}</ul>", "a menu in an element called “menu-1”"),
        (f"<nav>{LINKS}</nav>", "a <nav> of short links"),
        (
            f"<div id=cookie-bar>We use cookies. {LINKS}</div>",
            "a notice about cookies in an element called “cookie-bar”",
        ),
        ("<footer>© 2026 The Mill. Write to us.</footer>", "a <footer> with little text"),
        ("<div class=end>© 2026 The Mill</div>", "a last line of the page that names its owner"),
        ("<ul>" + "".join(f"<li><a href=/{k}>Mill {k}</a>" for k in range(8)) + "</ul>", "a list of short links"),
    ],
)
def test_evident_boilerplate_is_told_by_what_it_is(markup, words):
    explanation = tamis.extract(f"<p>{'Boil the water, and wait. ' * 9}</p>{markup}").explain()
    text, *links = explanation.blocks
    assert text.kept
    assert text.contributions
    assert links
    for block in links:
        assert (block.reason, block.probability, block.contributions) == ("evident boilerplate", None, ())
        assert block.words == f"Dropped: evident boilerplate, {words}. The network does not see it."


@pytest.mark.slow
def test_contributions_add_up_to_the_logit(explained):
    extraction, explanation = explained
    logits = Sift().block_logits(extraction.page)
    blocks = judged_blocks(explanation)
    bases = {round(block.base, 4) for block in blocks}
    assert len(bases) == 1  # the rest of the logit is not hidden in it
    for block in blocks:
        total = math.fsum([block.base, *(each.logits for each in block.contributions)])
        assert total == pytest.approx(block.logit, abs=1e-9)
        assert block.logit == pytest.approx(logits[block.number], abs=1e-9)
        assert block.probability == pytest.approx(1 / (1 + math.exp(-block.logit)))
        assert block.probability == block.score


@pytest.mark.slow
def test_removing_the_strongest_group_lowers_the_probability_of_a_kept_block(explained):
    """Where it is a group of the block's own features, the whole network runs again, with their means instead."""
    extraction, explanation = explained
    pruned = extraction.selection.scores.page
    number_of = {row: number for number, row in enumerate(pruned.blocks.start.tolist())}
    model, features = shipped(), measure(pruned)
    mean = np.mean([network.parameters["mean"] for network in model.networks], axis=0)
    strongest_of = {
        block: max(block.contributions, key=lambda each: each.logits) for block in explanation.blocks if block.kept
    }
    own = [each for each in strongest_of.values() if each.group in GROUP_NAMES]
    assert own
    # A Shapley value is a mean over all sets of groups, so that leaving one out may differ: 1 of 392 blocks.
    lower = {block for block, each in strongest_of.items() if each.probability_without < block.probability}
    assert len(lower) >= 0.95 * len(strongest_of)
    for block, strongest in strongest_of.items():
        if strongest not in own or block not in lower:
            continue
        columns = list(GROUP_COLUMNS[GROUP_NAMES.index(strongest.group)])
        matrix = features.matrix.copy()
        number = number_of[block.row]
        matrix[number, columns] = mean[columns]
        logits, _ = model.predict(Features(matrix, features.size))
        assert sigmoid(logits)[number] < block.probability


def test_the_threshold_divides_what_the_network_keeps(explained):
    extraction, explanation = explained
    probs = np.array([block.probability for block in judged_blocks(explanation)])
    chosen, _ = choose_blocks(probs, measure(extraction.selection.scores.page).size)
    assert ((probs >= explanation.threshold) == chosen).all()


def test_a_flip_is_on_the_other_side_of_the_threshold(explained):
    _, explanation = explained
    flips = [block for block in explanation.blocks if block.flip]
    assert flips
    for block in flips:
        assert (block.flip.probability < explanation.threshold) == block.kept
        assert ("dropped" if block.kept else "kept") in block.flip.words


@pytest.mark.slow
def test_explanations_name_every_block_and_are_json():
    extraction = tamis.extract(golden_pages()[2].html)
    explanation = extraction.explain()
    kept_rows = {block.row for block in extraction.blocks}
    block_of = extraction.page.blocks.block_of
    assert {block.number for block in explanation.blocks if block.kept} == {int(block_of[row]) for row in kept_rows}
    values = json.loads(explanation.json)
    assert [each["row"] for each in values["blocks"]] == [block.row for block in explanation.blocks]
    assert {each["name"] for each in values["agreement"]["extractors"]} >= {"sift", "cetd", "ridge"}
    assert len(values["figures"]) == 5
    assert all(block.words for block in explanation.blocks)


def test_words_say_what_a_person_sees():
    page = tamis.parse_page(
        "<article><h1>Tea</h1><p>" + "Boil the water, and wait for a minute. " * 30 + "</p></article>"
        "<div class='teasers relatedPosts'><ul><li><a href=/a>Coffee</a></li><li><a href=/b>Milk</a></li></ul></div>"
    )
    explanation = tamis.extract(page).explain()
    milk = explanation.blocks[-1]
    words = {each.group: each.words for each in milk.contributions}
    assert not milk.kept
    assert "link" in words["links"]
    assert "stands in an element called “relatedPosts”" in words["names"]
    assert explanation.blocks[1].kept
    assert explanation.blocks[1].words.startswith("Kept: the probability to be content is")


def test_every_feature_is_in_one_group_and_has_words_or_says_nothing():
    columns = [column for group in GROUP_COLUMNS for column in group]
    assert sorted(columns) == list(range(len(NAMES)))
    page = tamis.parse_page("<p>Tea.")
    for name in NAMES:
        assert group_of(name) in GROUP_NAMES
        for value in (0.0, 0.3, 1.0, 2.0):
            words = describe(name, value, page, 0)
            assert words is None or "{" not in words


def shapley_by_permutations(value, players):
    """Return the Shapley values of a game by their definition: the mean of what a player adds, over all orders."""
    totals, orders = [0.0] * players, list(permutations(range(players)))
    for order in orders:
        coalition = 0
        for player in order:
            totals[player] += value[coalition | 1 << player] - value[coalition]
            coalition |= 1 << player
    return [total / len(orders) for total in totals]


def test_values_are_shapley_values_for_any_number_of_networks():
    networks = [Network(init_params(6, 2, hidden=8, width=8, seed=seed)) for seed in (1, 2, 3)]
    rng = np.random.default_rng(7)
    matrix, size = rng.standard_normal((12, 6)).astype(np.float32), rng.uniform(1, 9, 12)
    groups = [[0, 1], [2], [3, 4, 5]]
    for count in (1, 3):
        values = group_values(networks[:count], matrix, size, groups, np.arange(12))
        logits = np.mean([network.forward(matrix, size)[0] for network in networks[:count]], axis=0)
        assert np.allclose(values.base + values.shapley.sum(axis=1), logits, atol=1e-5)
        # The value of coalitions of one network less one and two players is in the result; check them as a game.
        assert np.allclose(values.without_two[:, 0, 1], values.without_two[:, 1, 0])
        assert np.allclose(values.without_two[:, 2, 2], values.without[:, 2])
    one = group_values(networks[:1], matrix, size, [[0, 1, 2, 3, 4, 5]], np.array([4]))
    full = float(one.base[0] + one.shapley[0].sum())
    game = [float(one.base[0]), float(one.without[0, 1]), float(one.without[0, 0]), full]
    assert one.shapley[0].tolist() == pytest.approx(shapley_by_permutations(game, 2), abs=1e-5)


def test_slopes_are_first_order_effects():
    params = init_params(5, 2, hidden=16, width=16, seed=3)
    for layer in range(4):  # a block that its neighbours and the page do not see, so that nothing comes back
        params[f"neighbour{layer}"][:16] = params[f"neighbour{layer}"][32:] = params[f"context{layer}"][:] = 0
    network = Network(params)
    matrix, size = np.random.default_rng(1).standard_normal((9, 5)).astype(np.float32), np.ones(9)
    values = group_values([network], matrix, size, [[0, 1, 2, 3, 4]], np.arange(9))
    for feature in range(5):
        smaller = matrix.copy()
        smaller[:, feature] *= 0.99
        change = network.forward(matrix, size)[0] - network.forward(smaller, size)[0]
        # Exact but for the few blocks where a unit of the network changes sign.
        assert np.isclose(change, 0.01 * values.slopes[:, feature], rtol=0.02, atol=1e-5).sum() >= 7


@pytest.mark.parametrize("name", ["cetd", "ridge", "body", "coreex"])
def test_extractors_without_a_network_explain_with_their_scores(name):
    explanation = tamis.extract(golden_pages()[0].html, extractor=name).explain()
    assert explanation.method == "scores"
    assert explanation.threshold is None
    assert any(block.kept for block in explanation.blocks)
    for block in explanation.blocks:
        assert block.contributions == ()
        assert block.probability is block.logit is block.flip is None
        assert block.reason in block.words


def test_a_site_is_a_contribution_of_its_own():
    html = "<h1>{0}</h1><p>{0} came late this year, and nobody had expected {0} before the second week of it.</p>"
    html += "<p>Write to the mill.</p><p>We answer within a week.</p><p>This magazine is written by its readers.</p>"
    pages = [tamis.SitePage(html.format(word)) for word in ("Snow", "Hay", "Plums", "Wool")]
    profile = tamis.learn_site(pages, host="valley.example", date="2026-11-17")
    explanation = tamis.extract(html.format("Rain"), profile=profile).explain()
    last = explanation.blocks[-1]
    site = next(each for each in last.contributions if each.group == "site")
    assert site.logits < 0
    assert "boilerplate" in site.words
    assert math.fsum([last.base, *(each.logits for each in last.contributions)]) == pytest.approx(last.logit)


MENU = "<nav><ul>" + "".join(f"<li class=item><a href=/{k}>Mill {k}</a></li>" for k in range(6)) + "</ul></nav>"
PROSE = "<p>The mill stands by the river, and its wheel has turned since the bridge was built. It is old.</p>"


def marked_profile(html, **marks):
    """Return the profile of a page whose blocks with some texts are marked."""
    listed = [{"text": text, "content": content} for text, content in marks.items()]
    page = tamis.SitePage(html, marks=json.dumps({"format": "tamis marks 1", "marks": listed}))
    return tamis.learn_site([page], host="valley.example", date="2026-11-17")


def test_only_blocks_that_a_profile_knows_have_evidence_of_the_site():
    """Boilerplate that the network does not see must not change what the network is said to think of the others."""
    html = f"{MENU}<h1>Mills</h1>{PROSE * 4}<div class=tip>Bring a coat, and boots.</div>"
    plain = tamis.extract(html).explain()
    tip = plain.blocks[-1]
    explanation = tamis.extract(html, profile=marked_profile(html, **{tip.text: not tip.kept})).explain()
    assert explanation.blocks[-1].kept != tip.kept
    for before, after in zip(plain.blocks, explanation.blocks, strict=True):
        groups = {each.group: each.logits for each in after.contributions}
        assert ("site" in groups) == (after.number == tip.number)
        own = {each.group: each.logits for each in before.contributions}
        assert {name: logits for name, logits in groups.items() if name != "site"} == pytest.approx(own)
        if after.contributions:
            total = math.fsum([after.base, *groups.values()])
            assert total == pytest.approx(after.logit, abs=1e-9)
            assert after.base == pytest.approx(before.base)
    last = explanation.blocks[-1]
    site = next(each for each in last.contributions if each.group == "site")
    assert site.probability_without == pytest.approx(tip.probability)
    outcome = "dropped" if last.kept else "kept"
    assert last.flip.words == f"It would be {outcome} without the profile of the site ({tip.probability:.2f})."


def test_boilerplate_that_a_profile_calls_content_says_both():
    html = f"{MENU}<h1>Mills</h1>{PROSE * 4}"
    explanation = tamis.extract(html, profile=marked_profile(html, **{"Mill 2": True})).explain()
    menu = next(block for block in explanation.blocks if block.text == "Mill 2")
    assert menu.kept
    assert menu.words.startswith("Kept: evident boilerplate, a <nav> of short links.")
    assert "The profile of the site knows it as content: the probability is" in menu.words
    assert [each.group for each in menu.contributions] == ["site"]
    assert menu.base + menu.contributions[0].logits == pytest.approx(menu.logit)
    assert menu.contributions[0].probability_without < explanation.threshold < menu.probability


def test_a_profile_that_steps_aside_is_in_the_note():
    html = f"{MENU}<h1>Mills</h1>{PROSE * 4}"
    profile = marked_profile(html, **{"Mill 2": True})
    explanation = tamis.extract(html, "https://other.example/", profile=profile).explain()
    assert "the page is of other.example" in explanation.note
    assert not any(each.group == "site" for block in explanation.blocks for each in block.contributions)


def all_words(html):
    """Return the words of all contributions of a page, by the number of the block and the group."""
    explanation = tamis.extract(html).explain()
    return {(b.number, each.group): each.words for b in explanation.blocks for each in b.contributions}


def test_words_are_true_of_the_markup(explained):
    """Words that depend on several features: a page without an h1 has nothing above it."""
    extraction, explanation = explained
    page = extraction.selection.scores.page
    containers = [page.tag_name(row) for row in page.blocks.container.tolist()]
    number_of = {row: number for number, row in enumerate(page.blocks.start.tolist())}
    for block in explanation.blocks:
        words = " ".join(each.words for each in block.contributions)
        if "h1" not in containers:
            assert "above the h1" not in words
        elif "above the h1" in words:
            assert number_of[block.row] < containers.index("h1")
        if block.tag in {"h1", "h2", "h3", "h4", "h5", "h6"}:
            assert "heading above" not in words
            assert "its heading" not in words
            assert f"inside <{block.tag}>" not in words
        if block.text.upper() == block.text.lower():
            assert "capital" not in words
        if page.removed:
            assert "the page has no" not in words.replace("the page has no h1", "")
        assert "has 0 " not in words
        assert "most of the page is a large part" not in words


def test_names_of_inline_elements_are_found():
    page = tamis.parse_page("<div>Read <a class='x more-button' href=/>on</a></div><div><b id=tocEntry>Tea</b></div>")
    assert describe("near:button", 1.0, page, 0) == "has an element called “more-button”"
    assert describe("near:toc", 1.0, page, 1) == "has an element called “tocEntry”"


def test_words_of_a_page_without_headings_and_in_other_scripts():
    chinese = all_words("<p>" + "把水烧开，等一会儿，然后倒进杯子里。" * 4 + "</p>" * 3)
    for words in chinese.values():
        assert "one word" not in words
        assert "words are long" not in words
        assert "capital" not in words
        assert "headline" not in words
        assert "heading above" not in words


def test_a_page_without_content_says_so_of_its_likely_blocks():
    explanation = tamis.extract("<nav><a href=/>Home</a> <a href=/b>B</a></nav>").explain()
    assert "a rule leaves it out" not in explanation.blocks[0].words
    assert "the page as a whole has no main content" in explanation.blocks[0].words


@pytest.mark.slow
def test_favor_moves_the_threshold():
    html = golden_pages()[0].html
    plain, strict = (tamis.extract(html, favor=favor).explain() for favor in (None, "precision"))
    assert strict.threshold > plain.threshold
    assert [block.logit for block in strict.blocks] == [block.logit for block in plain.blocks]


@pytest.mark.slow
def test_pages_without_blocks_and_pages_of_many(monkeypatch):
    empty = tamis.extract("").explain()
    assert (empty.blocks, empty.note) == ((), "the page is empty")
    assert json.loads(empty.json)["blocks"] == []
    monkeypatch.setattr(explain_module, "MAX_BLOCKS", 25)
    many = tamis.extract(golden_pages()[0].html).explain()
    assert sum(bool(block.contributions) for block in many.blocks) == 25
    assert all(block.contributions for block in many.blocks if block.kept)
    assert "25 of" in many.note


@pytest.mark.slow
def test_a_model_of_the_caller_is_explained():
    model = replace(shipped(), networks=shipped().networks[:1])
    explanation = tamis.extract(golden_pages()[0].html, extractor=Sift(model=model)).explain()
    for block in judged_blocks(explanation):
        assert math.fsum([block.base, *(each.logits for each in block.contributions)]) == pytest.approx(block.logit)


def test_agreement_is_the_words_f1_of_each_two():
    page = tamis.parse_page("<nav><a href=/>Home</a></nav><p>Boil the water, and wait. Then pour.</p>")
    body = registry.get("body").select(page)
    agreement = tamis.extract(page, extractor="body").explain().agreement
    names = [result.name for result in agreement.results]
    assert names[0] == "body"
    assert {*names, *(each.name for each in agreement.failures)} == set(registry.names())
    assert np.allclose(agreement.matrix, agreement.matrix.T)
    assert np.allclose(np.diag(agreement.matrix), 1)
    other = registry.get("coreex").select(page)
    both = page.words[body.mask & other.mask].sum()
    f1 = 2 * both / (page.words[body.mask].sum() + page.words[other.mask].sum())
    assert agreement.matrix[0, names.index("coreex")] == pytest.approx(f1)
    assert {each.name for each in agreement.failures} == {"cehtd", "vips-leaf"}
