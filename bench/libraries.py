"""Libraries that use a package, with `tamis.compat` in its place: what each gets of a page.

    python bench/libraries.py

Prints a line for each library: the first words that it got, what is wrong, or that it is not installed (``pip install
datatrove minet haystack-ai langchain-community llama-index-readers-web``). Nothing is downloaded: where a library
downloads a page, it is given one.
"""

import importlib
import warnings
from collections.abc import Callable

from tamis import compat

SENTENCE = "Boil soft water, wait, and pour it over leaves."
PAGE = (
    "<html><head><title>Tea</title></head><body><nav><a href=/>Home</a></nav><article><h1>Tea</h1>"
    + f"<p>{SENTENCE}</p>" * 6
    + "</article></body></html>"
)
URL = "https://example.org/tea"


def datatrove() -> str:
    from datatrove.pipeline.extractors import Trafilatura

    return Trafilatura().extract(PAGE)


def minet() -> str:
    from minet.extraction import extract

    return extract(PAGE).content


def haystack() -> str:
    from haystack.components.converters import HTMLToDocument
    from haystack.dataclasses import ByteStream

    return HTMLToDocument().run([ByteStream(PAGE.encode())])["documents"][0].content


def langchain_transformer() -> str:
    from langchain_community.document_transformers import Html2TextTransformer
    from langchain_core.documents import Document

    return Html2TextTransformer().transform_documents([Document(PAGE)])[0].page_content


def langchain_loader() -> str:
    from langchain_community.document_loaders import NewsURLLoader

    return NewsURLLoader([URL], nlp=True).load()[0].page_content


def llama_index_trafilatura() -> str:
    from llama_index.readers.web import TrafilaturaWebReader

    return TrafilaturaWebReader().load_data([URL])[0].text


def llama_index_newspaper() -> str:
    from llama_index.readers.web import NewsArticleReader

    return NewsArticleReader(use_nlp=False).load_data([URL])[0].text


LIBRARIES: tuple[Callable[[], str], ...] = (
    datatrove, minet, haystack, langchain_transformer, langchain_loader, llama_index_trafilatura,
    llama_index_newspaper,
)  # fmt: skip


def give_page() -> None:
    """Let the two functions by which these libraries download return the page."""
    newspaper, trafilatura = map(importlib.import_module, ("newspaper", "trafilatura"))
    download = newspaper.Article.download
    newspaper.Article.download = lambda article, *_args, **_options: download(article, input_html=PAGE)
    trafilatura.fetch_url = lambda *_args, **_options: PAGE


def main() -> None:
    warnings.simplefilter("ignore")
    compat.install("trafilatura", "newspaper", "html2text")
    give_page()
    for library in LIBRARIES:
        try:
            text = " ".join(library().split())
        except ModuleNotFoundError as error:
            print(f"{library.__name__:24} not installed: {error.name}")
        except Exception as error:  # noqa: BLE001 (whatever a library raises is its answer)
            print(f"{library.__name__:24} FAILS: {type(error).__name__}: {error}")
        else:
            print(f"{library.__name__:24} {text[:60] if SENTENCE in text else f'LOST THE TEXT: {text[:60]}'}")


if __name__ == "__main__":
    main()
