"""``tamis train``: train extractors on labelled pages, or on the pages of a site."""

from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import click

from tamis.cli.options import Argument, Option, make_command
from tamis.errors import CorpusError, OptionError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tamis.lab.evaluate.corpora import BrokenPage, LabelledPage
    from tamis.lab.evaluate.corpora import Corpus as LabelledPages
    from tamis.lab.training.ridge import RidgeConfig, Sample
    from tamis.sift.network import Parameters

# ruff: noqa: PLC0415 (numpy and scikit-learn load in the commands, not for --help)

_RIDGE_FOLDS = 4  # "four-fold cross validation is employed for training" (Bing 2008, section 4)
Output = Annotated[Path, Option("--output", "-o", help="Output path: a file for the weights (JSON).")]


def _ridge(
    output: Output,
    corpora: Annotated[list[Path] | None, Argument(help="Folders of labelled pages.")] = None,
    site: Annotated[
        Path | None, Option("--site", help="Train on one site: a folder with CATEGORY/x.html and x.txt.")
    ] = None,
    sweep: Annotated[bool, Option("--sweep", help="Print figures 3 and 4 of the paper as tables.")] = False,
    plot: Annotated[Path | None, Option("--plot", help="Plot these figures (.png, .svg, .pdf).")] = None,
    ridges: Annotated[int, Option("--ridges", min=10, help="Train on at most this many ridges.")] = 3000,
    seed: Annotated[int, Option("--seed", min=0, help="Random seed: the same seed samples the same ridges.")] = 0,
    note: Annotated[str | None, Option("--note", help="Title and license of the data, for the card.")] = None,
) -> None:
    """Train the Mountain Model's classifier (Bing 2008), cross-validated by site."""
    from tamis.extractors.weights import save_weights
    from tamis.lab.training.ridge import RidgeConfig, read_samples, train

    if bool(corpora) == (site is not None):
        raise OptionError("give either folders of labelled pages, or --site with the folder of a site")
    folders = [site] if site is not None else corpora or []
    samples, left_out = read_samples(_pages(folders, by_page=site is not None))
    click.echo(f"{len(samples)} pages, {left_out} left out (broken, without gold text, or too long to align)")
    if not samples:
        raise CorpusError("there are no pages to train on")
    groups = len({sample.group for sample in samples})
    config = RidgeConfig(max_ridges=ridges, seed=seed, folds=min(_RIDGE_FOLDS, groups), word_weights=site is None)
    card = _card(folders, note)
    if config.folds > 1:
        card["cross-validation"] = _cross_validate(samples, config)
    if sweep or plot is not None:
        _sweep(samples, config, plot)
    weights = train(samples, config, card)
    save_weights(output, weights)
    click.echo(f"{output}: {weights.card['support vectors']} support vectors, {output.stat().st_size // 1000} kB")


def _sst(
    pages: Annotated[Path, Argument(help="A folder of pages of one site.")],
    output: Output,
    threshold: Annotated[
        float, Option("--threshold", min=0, max=1, help="Nodes below this importance are noise.")
    ] = 0.2,
) -> None:
    """Build the style tree of a site (Yi 2003) and save its noisy nodes."""
    from tamis.extractors.weights import Weights, save_weights
    from tamis.page import parse_page
    from tamis.papers.baselines.sst import StyleTree
    from tamis.sources import open_pages

    tree = StyleTree()
    for source in open_pages([str(pages)]):
        markup, _, encoding = source.read()
        tree.add(parse_page(markup, encoding=encoding))
    if tree.pages < 2:  # noqa: PLR2004 (nothing repeats on one page)
        raise CorpusError(f"{pages} has {tree.pages} pages; a style tree needs several pages of one site")
    weights = tree.to_weights(threshold)
    save_weights(output, Weights(weights.method, weights.values, {**weights.card, **_card([pages], None)}))
    click.echo(f"{output}: {len(weights.values['noisy'])} noisy nodes from {tree.pages} pages")


def _pages(folders: list[Path], *, by_page: bool) -> "Iterator[LabelledPage | BrokenPage]":
    """Yield the pages of all corpora. With `by_page`, URLs are removed, so that each page is a group of its own."""
    from dataclasses import replace

    from tamis.lab.evaluate.corpora import LabelledPage, open_corpora

    for folder in folders:
        for corpus in open_corpora(folder):
            for page in corpus:
                yield replace(page, url=None) if by_page and isinstance(page, LabelledPage) else page


def _cross_validate(samples: "list[Sample]", config: "RidgeConfig") -> dict[str, float]:
    from tamis.lab.training.ridge import cross_validate

    scores = cross_validate(samples, config).as_card()
    click.echo(f"{config.folds}-fold cross-validation:")
    for name, value in scores.items():
        click.echo(f"  {name:<28}{value:>8g}")
    return scores


def _sweep(samples: "list[Sample]", config: "RidgeConfig", plot: Path | None) -> None:
    from tamis.lab.training.ridge import sweep

    sweeps = sweep(samples, config)
    for figure in sweeps:
        click.echo(f"\n{figure.as_table()}\n")
    if plot is not None:
        from tamis.lab.training.ridge import plot_sweeps

        plot_sweeps(sweeps, plot)


def _card(folders: list[Path], note: str | None) -> dict[str, object]:
    """Return a card with the data, the date and the note."""
    paths = [folder.resolve() for folder in folders]
    card: dict[str, object] = {
        "data": [f"{path.parent.name}/{path.name}" if path.parent.name else path.name for path in paths],
        "date": datetime.now(UTC).date().isoformat(),
    }
    return {**card, "note": note} if note else card


def _sift(  # noqa: PLR0917 (each is an option of the command line)
    corpora: Annotated[
        list[str],
        Argument(
            help="Folders of labelled pages. The first is cross-validated; of the others, the weight of a page may "
            "follow: wcxb/dev dragnet=0.7"
        ),
    ],
    output: Output,
    by_site: Annotated[
        list[str] | None,
        Option("--sites-of", help="A corpus that is held out site by site, as the first one; others, as a whole."),
    ] = None,
    measure: Annotated[
        list[Path] | None, Option("--measure", help="A corpus that is not learned from, to be scored with the rest.")
    ] = None,
    first_output: Annotated[
        Path | None, Option("--first-output", help="A second file: weights of the first corpus alone (JSON).")
    ] = None,
    folds: Annotated[int, Option("--folds", min=2, help="Cross-validation folds, by site.")] = 5,
    held_out_folds: Annotated[
        int | None, Option("--held-out-folds", min=1, help="Hold out and score only this many of the folds.")
    ] = None,
    networks: Annotated[
        Path | None,
        Option("--networks", help="A folder that keeps trained networks: an interrupted run continues there."),
    ] = None,
    epochs: Annotated[int | None, Option("--epochs", min=1, help="Passes over the pages.")] = None,
    width: Annotated[
        int | None, Option("--width", min=2, help="Units of the residual layers of all networks.")
    ] = None,
    jobs: Annotated[int, Option("--jobs", "-j", min=1, help="Number of parallel jobs: worker processes.")] = 2,
    seed: Annotated[int, Option("--seed", min=0, help="Random seed: the same seed gives the same weights.")] = 0,
    results: Annotated[
        Path | None, Option("--results", help="Write the held-out score of each page (JSONL).")
    ] = None,
    notes: Annotated[
        list[str] | None,
        Option("--note", help="Title and license of the data, for the card: of the first corpus, then of others."),
    ] = None,
) -> None:
    """Train sift, the learned extractor, cross-validated by site."""
    from dataclasses import asdict, replace

    from tamis.extractors.weights import Weights, save_weights
    from tamis.lab.training.samples import Corpus, make_corpus, make_samples
    from tamis.lab.training.sift import MEMBERS, summarize, train_sift, write_results

    weighted = [_split_weight(argument) for argument in corpora]
    unknown = sorted(set(by_site or ()) - {folder.name for folder, _ in weighted})
    if unknown:
        raise OptionError(f"--sites-of names {', '.join(unknown)}, which is not among the corpora")
    read: list[Corpus] = []
    for folder, weight in weighted:
        source, pages = _labelled_pages(folder)
        folded = folder.name in (by_site or ())
        corpus = make_corpus(source.name, pages, weight, jobs, other_scripts=not read, by_site=folded)
        read.append(replace(corpus, source=source))
        usable = sum(sample.is_trainable for sample in read[-1].samples)
        click.echo(f"{folder}: {len(pages)} pages, {usable} to train on")
    first = read[0]
    if len({sample.site for sample in first.samples}) < folds:
        raise CorpusError(f"cross-validation needs pages of at least {folds} sites")
    to_measure = [_labelled_pages(path) for path in measure or ()]
    measured = [Corpus(source.name, list(make_samples(pages, jobs)), source=source) for source, pages in to_measure]
    changes = {name: value for name, value in (("epochs", epochs), ("width", width)) if value is not None}
    members = [replace(member, config=replace(member.config, **changes)) for member in MEMBERS]
    if networks is not None:
        networks.mkdir(parents=True, exist_ok=True)
    fitted: dict[tuple[object, ...], Parameters] = {}
    for file, used in ((output, read), (first_output, read[:1])):
        if file is None:
            continue
        # Nothing that depends on the day or the machine: the same pages and seed give the same file.
        card: dict[str, object] = {"data": [corpus.name for corpus in used]}
        if notes:
            card["note"] = "; ".join(notes[: len(used)])
        trained = train_sift(
            used,
            folds=folds,
            jobs=jobs,
            seed=seed,
            card=card,
            report=click.echo,
            members=members,
            measured=[*read[len(used) :], *measured],
            fitted=fitted,
            held_out_folds=held_out_folds,
            folder=networks,
        )
        summary = summarize(trained)
        click.echo(summary.table)
        weights = trained.model.to_weights()
        card |= {
            "weights of pages": [weight for _, weight in weighted[: len(used)]],
            "members": [asdict(member) for member in members if len(used) > 1 or member.corpora == "first"],
            "folds": folds,
            "folds held out": held_out_folds or folds,
            "seed": seed,
            "cross-validation": summary.card,
        }
        save_weights(file, Weights(weights.method, weights.values, card))
        click.echo(f"wrote {file}")
        if results is not None and file is output:
            write_results(results, trained)


def _labelled_pages(folder: Path) -> "tuple[LabelledPages, list[LabelledPage]]":
    """Return a corpus, and its usable pages."""
    from tamis.lab.evaluate.corpora import BrokenPage, open_corpus

    corpus = open_corpus(folder)
    return corpus, [page for page in corpus if not isinstance(page, BrokenPage)]


def _split_weight(argument: str) -> tuple[Path, float]:
    """Return the folder and the weight in ``folder`` or ``folder=0.7``."""
    folder, equals, weight = argument.rpartition("=")
    if not equals or Path(argument).exists():
        return Path(argument), 1.0
    try:
        value = float(weight)
    except ValueError:
        value = 0.0
    if not 0 < value <= 1:
        raise OptionError(f"the weight in {argument!r} must be a number above 0 and at most 1")
    return Path(folder), value


_EXAMPLES = {
    "ridge": ("tamis train ridge labelled/ -o ridge.json", "tamis train ridge --site site/ -o ridge.json"),
    "sst": ("tamis train sst crawl/ -o sst.json", "tamis page.html --profile sst.json"),
    "sift": ("tamis train sift labelled/ -o sift.json", "tamis train sift a/ b/ -o sift.json --folds 5"),
}
group = click.Group(
    "train",
    no_args_is_help=True,
    help="Train an extractor on labelled pages.",
    epilog="\b\nExamples:\n  tamis train sift labelled/ -o sift.json\n  tamis train sst crawl/ -o sst.json",
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 80},
    commands=[
        make_command(function, name, examples=_EXAMPLES[name])
        for name, function in (("ridge", _ridge), ("sst", _sst), ("sift", _sift))
    ],
)
