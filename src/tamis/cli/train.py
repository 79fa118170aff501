"""``tamis train``: learn from labelled pages, or from the pages of a site."""

from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from tamis.errors import CorpusError, OptionError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tamis.evaluate.corpora import BrokenPage, LabelledPage
    from tamis.training.ridge_samples import Sample
    from tamis.training.train_ridge import Training

# ruff: noqa: PLC0415 (numpy and scikit-learn load in the commands, not for --help)

app = typer.Typer(no_args_is_help=True, rich_markup_mode=None, help="Learn what is content from labelled pages.")

_MOST_FOLDS = 4  # "four-fold cross validation is employed for training" (Bing 2008, section 4)
Output = Annotated[Path, typer.Option("--output", "-o", help="Where the weights go, a JSON file.")]


@app.command("ridge")
def ridge(
    output: Output,
    corpora: Annotated[list[Path] | None, typer.Argument(help="Folders of labelled pages.")] = None,
    site: Annotated[
        Path | None, typer.Option("--site", help="A folder CATEGORY/x.html beside x.txt: learn this site alone.")
    ] = None,
    sweep: Annotated[bool, typer.Option("--sweep", help="Print the paper's figures 3 and 4 as tables.")] = False,
    plot: Annotated[Path | None, typer.Option("--plot", help="Draw them too, into x.png, x.svg …")] = None,
    ridges: Annotated[int, typer.Option("--ridges", min=10, help="Learn from at most so many ridges.")] = 3000,
    seed: Annotated[int, typer.Option("--seed", min=0, help="Draws those ridges.")] = 0,
    note: Annotated[str | None, typer.Option("--note", help="For the card: the data's title and terms.")] = None,
) -> None:
    """Train the Mountain Model's classifier (Bing 2008), cross-validated by site."""
    from tamis.model.weights import save_weights
    from tamis.training.ridge_samples import read_samples
    from tamis.training.train_ridge import Training, train

    if bool(corpora) == (site is not None):
        raise OptionError("give folders of labelled pages, or --site and the folder of a site")
    folders = [site] if site is not None else corpora or []
    samples, left_out = read_samples(_pages(folders, by_page=site is not None))
    typer.echo(f"{len(samples)} pages, {left_out} left out (broken, without gold text, or too long to align)")
    if not samples:
        raise CorpusError("there is no page to learn from")
    groups = len({sample.group for sample in samples})
    training = Training(ridges=ridges, seed=seed, folds=min(_MOST_FOLDS, groups))
    card: dict[str, object] = {"data": [_name(folder) for folder in folders], "date": _today()}
    if note:
        card["note"] = note
    if training.folds > 1:
        card["cross-validation"] = _validate(samples, training)
    if sweep or plot is not None:
        _sweep(samples, training, plot)
    weights = train(samples, training, card)
    save_weights(output, weights)
    typer.echo(f"{output}: {weights.card['support vectors']} support vectors, {output.stat().st_size // 1000} kB")


@app.command("sst")
def sst(
    pages: Annotated[Path, typer.Argument(help="A folder of pages of one site.")],
    output: Output,
    threshold: Annotated[
        float, typer.Option("--threshold", min=0, max=1, help="Nodes less important than this are noise.")
    ] = 0.2,
) -> None:
    """Grow the style tree of a site (Yi 2003) and keep what is noise in it."""
    from tamis.extractors.baselines.sst import StyleTree
    from tamis.model.weights import Weights, save_weights
    from tamis.page import parse_page
    from tamis.sources import open_pages

    tree = StyleTree()
    for source in open_pages([str(pages)]):
        markup, _, charset = source.read()
        tree.add(parse_page(markup, encoding=charset))
    if tree.pages < 2:  # noqa: PLR2004 (nothing repeats on one page)
        raise CorpusError(f"{pages} has {tree.pages} pages; a style tree needs several of one site")
    weights = tree.to_weights(threshold)
    card = {**weights.card, "data": [_name(pages)], "date": _today()}
    save_weights(output, Weights(weights.method, weights.values, card))
    typer.echo(f"{output}: {len(weights.values['noisy'])} noisy nodes from {tree.pages} pages")


def _pages(folders: list[Path], *, by_page: bool) -> "Iterator[LabelledPage | BrokenPage]":
    """Give the pages of all corpora. Of one site every page is a group of its own, so its address is left off."""
    from dataclasses import replace

    from tamis.evaluate.corpora import LabelledPage, open_corpora

    for folder in folders:
        for corpus in open_corpora(folder):
            for page in corpus:
                yield replace(page, url=None) if by_page and isinstance(page, LabelledPage) else page


def _validate(samples: "list[Sample]", training: "Training") -> dict[str, float]:
    from tamis.training.train_ridge import cross_validate

    scores = cross_validate(samples, training).as_card()
    typer.echo(f"{training.folds}-fold cross-validation:")
    for name, value in scores.items():
        typer.echo(f"  {name:<28}{value:>8g}")
    return scores


def _sweep(samples: "list[Sample]", training: "Training", picture: Path | None) -> None:
    from tamis.training.train_ridge import sweep

    sweeps = sweep(samples, training)
    for table in sweeps:
        typer.echo(f"\n{table.as_table()}\n")
    if picture is not None:
        from tamis.training.sweep_plot import plot

        plot(sweeps, picture)


def _name(folder: Path) -> str:
    whole = folder.resolve()
    return f"{whole.parent.name}/{whole.name}" if whole.parent.name else whole.name


def _today() -> str:
    return datetime.now(UTC).date().isoformat()


@app.command("sift")
def sift(  # noqa: PLR0917 (typer passes options by name)
    corpora: Annotated[list[Path], typer.Argument(help="Folders of labelled pages.")],
    output: Output,
    teachers: Annotated[int, typer.Option("--teachers", min=0, help="Wide networks that teach the small.")] = 2,
    folds: Annotated[int, typer.Option("--folds", min=2, help="Parts for cross-validation, by site.")] = 5,
    epochs: Annotated[int | None, typer.Option("--epochs", min=1, help="Times that each page is seen.")] = None,
    width: Annotated[int | None, typer.Option("--width", min=2, help="The width of all networks.")] = None,
    jobs: Annotated[int, typer.Option("--jobs", "-j", min=1, help="Processes.")] = 2,
    seed: Annotated[int, typer.Option("--seed", min=0, help="Same seed, same weights.")] = 0,
    results: Annotated[Path | None, typer.Option("--results", help="Held-out scores of all pages, JSONL.")] = None,
    note: Annotated[str | None, typer.Option("--note", help="For the card: the data's title and terms.")] = None,
) -> None:
    """Train the learned extractor, cross-validated by site."""
    from dataclasses import replace

    from tamis.evaluate.corpora import BrokenPage, open_corpus
    from tamis.extractors.sift import to_weights
    from tamis.model.weights import Weights, save_weights
    from tamis.training.sift_report import summary, write_results
    from tamis.training.sift_samples import make_samples
    from tamis.training.train_sift import STUDENTS, TEACHER, train_sift

    pages = [page for folder in corpora for page in open_corpus(folder) if not isinstance(page, BrokenPage)]
    samples = list(make_samples(pages, jobs))
    if len({sample.site for sample in samples}) < folds:
        raise CorpusError(f"cross-validation needs pages of at least {folds} sites")
    typer.echo(f"{len(samples)} pages, {sum(sample.teaches for sample in samples)} to learn from")
    asked = {name: value for name, value in (("epochs", epochs), ("width", width)) if value is not None}
    teacher = replace(TEACHER, **asked)
    students = [replace(student, recipe=replace(student.recipe, **asked)) for student in STUDENTS]
    card: dict[str, object] = {"data": [_name(folder) for folder in corpora], "date": _today()}
    if note:
        card["note"] = note
    trained = train_sift(
        samples,
        teachers=teachers,
        folds=folds,
        jobs=jobs,
        seed=seed,
        card=card,
        say=typer.echo,
        teacher=teacher,
        students=students,
    )
    told = summary(samples, trained)
    typer.echo(told.table)
    weights = to_weights(trained.model)
    card |= {
        "teachers": [teachers, repr(teacher)],
        "students": [repr(student) for student in students],
        "folds": folds,
        "seed": seed,
        "cross-validation": told.card,
    }
    save_weights(output, Weights(weights.method, weights.values, card))
    if results is not None:
        write_results(results, samples, trained)
    typer.echo(f"wrote {output}")
