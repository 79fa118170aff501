"""The schema: unique names, and columns that the loops, the training and the weights find by name."""

import numpy as np
import pytest

from tamis._core.features import LEVELS
from tamis._core.loader import core
from tamis.page import parse_page
from tamis.sift.features import COLUMN, NAMES, measure
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
    page = parse_page("<h1>Tea</h1><p>Boil water, and wait.</p>")
    level = np.array([1, 0], dtype=np.uint8)
    moved = {name: len(NAMES) - 1 - column for name, column in COLUMN.items()}
    outputs = []
    for column in (COLUMN, moved):
        out = np.zeros((len(NAMES), 2), dtype=np.float32)
        size = measure(page).size.astype(np.float32)
        core.fill_positions(out, core.PositionColumns(column), size, level, np.zeros(2, dtype=np.float32), 60)
        outputs.append(out)
    assert outputs[0].any()
    assert np.array_equal(outputs[0], outputs[1][::-1])


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
