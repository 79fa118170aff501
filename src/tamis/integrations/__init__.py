"""Loaders for frameworks that feed pages to language models, each by the framework's own conventions.

``tamis.integrations.langchain``, ``llama_index`` and ``haystack`` need the package of their framework.
docs/guides/retrieval.md shows them.
"""
