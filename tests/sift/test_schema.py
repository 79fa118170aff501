"""The schema: unique names, and columns that the loops, the training and the weights find by name."""

import numpy as np
import pytest

from tamis._core.levels import LEVELS
from tamis._core.loader import core
from tamis.page import parse_page
from tamis.sift import features
from tamis.sift.features import COLUMN, NAMES, read_element_names
from tamis.sift.schema import LOG_RANGES, SCHEMA


def test_names_are_unique():
    assert len(set(NAMES)) == len(NAMES) == len(SCHEMA) == 301
    assert [COLUMN[name] for name in NAMES] == list(range(301))


def test_every_feature_is_described():
    assert all(feature.description for feature in SCHEMA)


@pytest.mark.parametrize("columns", [core.TextColumns, core.PositionColumns, core.ProseColumns])
def test_loops_read_the_column_of_the_name_they_fill(columns):
    columns = columns(COLUMN)
    names = [name for name in dir(columns) if name in COLUMN]
    assert len(names) > 4
    assert {name: getattr(columns, name) for name in names} == {name: COLUMN[name] for name in names}


def test_columns_of_levels_follow_each_other():
    columns = core.LevelColumns(COLUMN)
    names = [name for name in dir(columns) if f"{name}@0" in COLUMN]
    assert len(names) == 10
    for name in names:
        expected = [getattr(columns, name) + level for level in range(LEVELS)]
        assert [COLUMN[f"{name}@{level}"] for level in range(LEVELS)] == expected


def test_loops_follow_the_schema_when_columns_move():
    page = parse_page("<nav class=menu><a href=/>Home</a></nav><article><h1>Tea</h1><p>Boil water. Then pour.")
    names, match, outputs = read_element_names(page).names, core.title_overlap(page.columns, page.text, "Tea"), []
    last = 2 * len(NAMES) - 1
    moved = {name: k if "@" in name else last - k for name, k in COLUMN.items()}  # levels stay together
    for column in (COLUMN, moved):
        out = np.zeros((2 * len(NAMES), len(page.blocks)), dtype=np.float32)
        columns = features.feature_columns(column)
        core.measure_blocks(out, columns, page.columns, names, match, page.text, "", page.panels)
        outputs.append(out[[column[name] for name in NAMES]])
    assert outputs[0].any(axis=1).sum() > 60
    assert np.array_equal(*outputs)


def test_log_ranges_are_the_columns_of_logarithms():
    logarithms = [column for first, last in LOG_RANGES for column in range(first, last)]
    assert logarithms == [column for column, feature in enumerate(SCHEMA) if feature.log]


@pytest.mark.slow
def test_feature_groups_do_not_overlap():
    from tamis.lab.training.sift import feature_groups  # noqa: PLC0415 (imports PyTorch)

    groups = [[NAMES[column] for column in group] for group in feature_groups()]
    assert all(groups)
    names = [name for group in groups for name in group]
    assert len(set(names)) == len(names)
    assert "share_of_page@0" not in names  # page features are the same for all blocks
