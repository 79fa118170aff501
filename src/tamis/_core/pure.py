"""The core as plain Python: all of its functions, where they are not compiled."""

from tamis._core.blocks import Columns, block_columns, block_ranges, count_characters
from tamis._core.columns import (
    ancestors_with_tag,
    attr_column,
    attr_values,
    class_ids,
    fragment_links,
    remove_rows,
    rows_among,
    walk,
)
from tamis._core.completion import complete_groups, fill_rows, find_headings, find_labels, find_repeated_pairs
from tamis._core.features import (
    FeatureColumns,
    LevelColumns,
    PositionColumns,
    ProseColumns,
    TextColumns,
    count_similar_siblings,
    fill_ancestors,
    fill_articles,
    fill_levels,
    fill_page,
    fill_positions,
    fill_prose,
    fill_templates,
    fill_text,
    find_branch_points,
    find_repeats,
    measure_blocks,
)
from tamis._core.names import boilerplate_ranges, categorize, clue_rows, read_names, title_overlap
from tamis._core.text import join_blocks, selected_blocks, separator
from tamis._core.visibility import declares, large_hidden, propagate_down, visibility_bits

__all__ = [
    "Columns", "FeatureColumns", "LevelColumns", "PositionColumns", "ProseColumns", "TextColumns",
    "ancestors_with_tag", "attr_column", "attr_values", "block_columns", "block_ranges", "boilerplate_ranges",
    "categorize", "class_ids", "clue_rows", "complete_groups", "count_characters", "count_similar_siblings",
    "declares", "fill_ancestors", "fill_articles", "fill_levels", "fill_page", "fill_positions", "fill_prose",
    "fill_rows", "fill_templates", "fill_text", "find_branch_points", "find_headings", "find_labels",
    "find_repeated_pairs", "find_repeats", "fragment_links", "join_blocks", "large_hidden", "measure_blocks",
    "propagate_down", "read_names", "remove_rows", "rows_among", "selected_blocks", "separator", "title_overlap",
    "visibility_bits", "walk",
]  # fmt: skip
