"""The extractors of the papers, one paper per file; `baselines` has those that the papers compare themselves with."""
