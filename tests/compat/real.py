"""The real packages, imported and called without the warnings that they emit themselves."""

import contextlib
import logging
import warnings

import pytest


@contextlib.contextmanager
def quiet():
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        logging.disable(logging.CRITICAL)
        try:
            yield
        finally:
            logging.disable(logging.NOTSET)


def load(name):
    with quiet():
        return pytest.importorskip(name, reason=f"needs {name}: pip install 'tamis[third-party]'")


def outcome(call, *arguments, **keywords):
    """Return what a call returns, or the type of what it raises."""
    with quiet():
        try:
            return call(*arguments, **keywords)
        except Exception as error:  # noqa: BLE001 (compared with that of the other package)
            return type(error)
