"""The measuring instrument: metrics, corpora, peers, and the run that brings them together.

Names are imported from their modules: `metrics`, `statistics`, `corpora`, `tools`, `peers`, `run`, `table`,
`report`, `compare`.
"""
