"""LangChain: pages become documents, or chunks of a size that a model can read.

    pip install tamis langchain-core
    python examples/langchain_loader.py crawl/ --max-tokens 300

LangChain's own tools take it from there: ``InMemoryVectorStore.from_documents(TamisLoader("crawl/").load(), …)``.
"""

import argparse

from tamis.integrations.langchain import TamisLoader

parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
parser.add_argument("sources", nargs="+")
parser.add_argument("--max-tokens", type=int)
options = parser.parse_args()
for document in TamisLoader(options.sources, max_tokens=options.max_tokens).lazy_load():
    print(document.model_dump_json())
