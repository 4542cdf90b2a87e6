# SPDX-License-Identifier: Apache-2.0
"""Errors and warnings of the module."""

from __future__ import annotations

from typing import Sequence


class OpprofError(Exception):
    """Something that opprof or this module cannot do; the text says what, where and what to do."""


class ResultsError(OpprofError):
    """Results that cannot be read: there are none, or they are damaged or of a newer format."""


class NoTimelinesError(ResultsError):
    """Spans or curves of results that were made without them."""


class UnknownNameError(OpprofError, KeyError):
    """A table that the results do not have; the text has the nearest name."""

    def __str__(self) -> str:
        return str(self.args[0])  # KeyError would print it in quotes


class RunError(OpprofError):
    """A run of opprof-run that failed.

    Attributes:
        exit_code: of opprof-run, as opprof-run(1) lists them; negative: the signal that ended it
        messages: the lines that it printed to standard error
        command: what was run
    """

    def __init__(self, exit_code: int, messages: Sequence[str], command: Sequence[str]) -> None:
        self.exit_code = exit_code
        self.messages = list(messages)
        self.command = list(command)
        how = f"exit code {exit_code}" if exit_code >= 0 else f"signal {-exit_code}"
        said = [line for line in self.messages if line.strip()]
        super().__init__("\n".join([f"opprof-run failed with {how}"] + said[-20:]))


class IncompleteWarning(UserWarning):
    """The results are well-formed, but lack data; `Run.missing` says which."""
