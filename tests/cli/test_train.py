"""``tamis train``, on small corpora written by the tests."""

import json

import pytest

from tamis.extractors.weights import from_json
from tamis.sites.rules import load_profile

WORDS = ["tea", "water", "kettle", "leaf", "cup", "morning", "garden", "rain", "bread", "baker", "oven", "flour"]
MENU = "<ul>" + "<li><a href=/somewhere/else>menu</a></li>" * 25 + "</ul>"
SCRIPT = f"<script>{'x' * 3000}</script>"
NOTICE = "<p>All rights are reserved. Nothing may be copied. Ask the publisher. Terms apply to all of it.</p>" * 2


def article(number):
    sentences = [
        f"The {WORDS[(number + k) % 12]} of {WORDS[(number * k + 5) % 12]} is number {number} and {k}. It is good."
        for k in range(12)
    ]
    html = "".join(f"<p>{sentence}</p>" for sentence in sentences)
    return f"<body>{MENU}{html}{SCRIPT}{MENU}{NOTICE}</body>", "\n\n".join(sentences)


def write_corpus(folder, count=12, **meta):
    folder.mkdir(parents=True)
    for number in range(count):
        html, gold = article(number)
        (folder / f"{number}.html").write_text(html)
        (folder / f"{number}.txt").write_text(gold)
        if meta:
            record = {key: value.format(number) for key, value in meta.items()}
            (folder / f"{number}.json").write_text(json.dumps(record))
    return folder


@pytest.mark.slow
def test_ridge_is_trained_and_cross_validated_and_its_profile_extracts(run_tamis, tmp_path):
    corpus = write_corpus(tmp_path / "corpus", url="https://site{}.example/a")
    done = run_tamis("train", "ridge", corpus, "-o", tmp_path / "m.json", "--note", "made up", "--seed", 3)
    assert done.returncode == 0, done.stderr
    assert "4-fold" in done.stdout
    card = from_json((tmp_path / "m.json").read_text()).card
    assert card["note"] == "made up"
    assert card["pages"] == 12
    assert card["word weights"] is True
    assert card["cross-validation"]["mean F1 over aligned words"] > 0.9
    (tmp_path / "page.html").write_text(article(99)[0])
    extracted = run_tamis(tmp_path / "page.html", "--profile", tmp_path / "m.json")
    assert "number 99" in extracted.stdout
    assert "reserved" not in extracted.stdout


@pytest.mark.slow
def test_ridge_training_is_deterministic(run_tamis, tmp_path):
    corpus = write_corpus(tmp_path / "corpus")
    for name in ("a.json", "b.json"):
        assert run_tamis("train", "ridge", corpus, "-o", tmp_path / name).returncode == 0
    first, second = (from_json((tmp_path / name).read_text()).values for name in ("a.json", "b.json"))
    assert first == second


@pytest.mark.slow
def test_sweep_prints_and_plots_the_figures_of_the_paper(run_tamis, tmp_path):
    corpus = write_corpus(tmp_path / "corpus", count=8)
    done = run_tamis("train", "ridge", corpus, "-o", tmp_path / "m.json", "--sweep", "--plot", tmp_path / "f.png")
    assert done.returncode == 0, done.stderr
    assert "smoothing window \\ source per blank cell | 50 |" in done.stdout
    assert "span window \\ peak factor | 1 |" in done.stdout
    assert (tmp_path / "f.png").read_bytes().startswith(b"\x89PNG")


@pytest.mark.slow
def test_site_option_trains_on_folders_by_category(run_tamis, tmp_path):
    for category in ("news", "sports"):
        write_corpus(tmp_path / "site" / category, count=5, url="https://one.example/{}")
    done = run_tamis("train", "ridge", "--site", tmp_path / "site", "-o", tmp_path / "site.json")
    assert done.returncode == 0, done.stderr
    assert "10 pages" in done.stdout
    assert (tmp_path / "site.json").stat().st_size < 100_000
    assert load_profile(tmp_path / "site.json").name == "ridge"
    assert from_json((tmp_path / "site.json").read_text()).card["word weights"] is False  # a site has few ridges


def test_style_tree_is_trained_and_its_profile_extracts(run_tamis, tmp_path):
    write_corpus(tmp_path / "pages", count=5)
    done = run_tamis("train", "sst", tmp_path / "pages", "-o", tmp_path / "site.json")
    assert done.returncode == 0, done.stderr
    assert "5 pages" in done.stdout
    (tmp_path / "page.html").write_text(article(99)[0])
    extracted = run_tamis(tmp_path / "page.html", "--profile", tmp_path / "site.json", "-f", "json")
    assert "number 99" in extracted.stdout
    assert "reserved" not in extracted.stdout


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (["ridge"], "give either folders"),
        (["ridge", "corpus", "--site", "corpus"], "give either folders"),
        (["ridge", "nowhere"], "no such folder"),
        pytest.param(["ridge", "one"], "both classes", marks=pytest.mark.slow),  # imports scikit-learn
        (["sst", "one"], "needs several pages"),
    ],
)
def test_unusable_training_data_is_one_line_and_writes_no_file(run_tamis, tmp_path, args, message):
    write_corpus(tmp_path / "corpus", count=2)
    (tmp_path / "one").mkdir()
    (tmp_path / "one" / "a.html").write_text("<p>Only this.</p>")
    (tmp_path / "one" / "a.txt").write_text("Only this.")
    paths = [tmp_path / arg if arg in {"corpus", "nowhere", "one"} else arg for arg in args]
    done = run_tamis("train", *paths, "-o", tmp_path / "m.json")
    assert done.returncode == 2
    assert message in done.stderr
    assert not (tmp_path / "m.json").exists()


def test_profile_and_extractor_exclude_each_other(run_tamis, tmp_path):
    write_corpus(tmp_path / "pages", count=3)
    run_tamis("train", "sst", tmp_path / "pages", "-o", tmp_path / "site.json")
    done = run_tamis(tmp_path / "pages" / "0.html", "--profile", tmp_path / "site.json", "-e", "cetd")
    assert done.returncode == 2
    assert "is a profile of sst, not of cetd" in done.stderr


def test_broken_profile_is_one_line(run_tamis, tmp_path):
    (tmp_path / "site.json").write_text("{}")
    (tmp_path / "page.html").write_text("<p>x")
    done = run_tamis(tmp_path / "page.html", "--profile", tmp_path / "site.json")
    assert done.returncode == 2
    assert len(done.stderr.splitlines()) == 1


@pytest.mark.slow
def test_sift_is_trained_deterministically_from_labelled_pages(run_tamis, tmp_path):
    corpus = tmp_path / "corpus"
    corpus.mkdir()
    for number in range(8):
        body = " ".join(f"Sentence {k} of story {number}, which goes on." for k in range(12))
        menu = "".join(f"<li><a href=/{k}>Menu {k}</a></li>" for k in range(9))
        (corpus / f"p{number}.html").write_text(f"<nav><ul>{menu}</ul></nav><main><p>{body}</p></main>")
        (corpus / f"p{number}.txt").write_text(body)
    more = write_corpus(tmp_path / "more", count=3)
    small = ["--folds", 2, "--epochs", 8, "--width", 8, "-j", 1, "--note", "made up"]
    weights = []
    files = ["--first-output", tmp_path / "first.json", "--results", tmp_path / "results.jsonl"]
    # The second run reads no network of the first: the bytes are those of one command.
    for name, kept in (("a.json", ["--networks", tmp_path / "networks"]), ("b.json", [])):
        done = run_tamis("train", "sift", corpus, f"{more}=0.5", "-o", tmp_path / name, *small, *files, *kept)
        assert done.returncode == 0, done.stderr
        assert "mean of corpora" in done.stdout
        weights.append(json.loads((tmp_path / name).read_text()))
    assert (tmp_path / "a.json").read_bytes() == (tmp_path / "b.json").read_bytes()
    assert weights[0]["method"] == "sift"
    assert weights[0]["card"]["note"] == "made up"
    assert weights[0]["card"]["members"][1]["config"]["width"] == 8
    assert len(weights[0]["values"]["networks"]) == 2
    assert weights[0]["card"]["weights of pages"] == [1.0, 0.5]
    results = [json.loads(line) for line in (tmp_path / "results.jsonl").read_text().splitlines()]
    assert [sum(page["corpus"] == name for page in results) for name in ("corpus", "more")] == [8, 3]
    first = json.loads((tmp_path / "first.json").read_text())
    assert first["card"]["weights of pages"] == [1.0]
    assert first["values"]["networks"][0]["dense1"] == weights[0]["values"]["networks"][0]["dense1"]
    assert len(first["values"]["networks"]) == 1


@pytest.mark.slow
def test_corpus_that_is_held_out_by_site_must_be_one_of_them(run_tamis, tmp_path):
    done = run_tamis("train", "sift", tmp_path, "--sites-of", "elsewhere", "-o", tmp_path / "a.json")
    assert done.returncode == 2
    assert "--sites-of names elsewhere" in done.stderr


@pytest.mark.slow  # the command imports PyTorch
@pytest.mark.parametrize("weight", ["0", "-1", "2", "much", ""])
def test_invalid_weight_of_a_corpus_is_one_line(run_tamis, tmp_path, weight):
    done = run_tamis("train", "sift", f"{tmp_path}/corpus={weight}", "-o", tmp_path / "a.json")
    assert done.returncode == 2
    assert "must be a number above 0 and at most 1" in done.stderr
