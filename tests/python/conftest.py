# SPDX-License-Identifier: Apache-2.0
"""Results that tests read: test_python.sh makes them, and names their folders in the
environment."""

import os
import pathlib
import sys

import pytest

if os.environ.get("OPPROF_TEST_PANDAS") == "no":
    sys.modules["pandas"] = None  # importing it fails, as where it is not installed


def _folder(name):
    return pathlib.Path(os.environ["OPPROF_TEST_RESULTS"], name)


@pytest.fixture(scope="session")
def plain():
    """Results of a trace, without timelines in the database."""
    return _folder("plain")


@pytest.fixture(scope="session")
def with_spans():
    return _folder("spans")


@pytest.fixture(scope="session")
def trace():
    return pathlib.Path(os.environ["OPPROF_TEST_TRACE"])
