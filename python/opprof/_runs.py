# SPDX-License-Identifier: Apache-2.0
"""Runs and comparisons."""

from __future__ import annotations

import json
import os
import warnings
from typing import Any, Dict, List, Mapping, Optional, Sequence, Union

from . import _command, _notebook
from ._errors import IncompleteWarning, RunError
from ._results import Run

Input = Union[str, "os.PathLike[str]", Sequence[str]]


def open(results: Union[str, os.PathLike[str]]) -> Run:
    """Opens the results of a run: their folder, or `results.sqlite` alone.

    Raises:
        ResultsError: there are none, they are damaged, or of a format that is not known
    """
    return Run(results)


def run(
    pipeline: Optional[str], input: Optional[Input] = None, /, *,
    output: Union[str, os.PathLike[str]] = ".", timeout: Optional[float] = None,
    without: Sequence[str] = (), quiet: bool = False, strict: bool = False,
    settings: Optional[Mapping[str, _command.Setting]] = None, **variables: _command.Setting,
) -> Run:
    """Runs a pipeline and returns its results, as `opprof-run PIPELINE INPUT` does::

        run = opprof.run("kineto", "traces/", formats="spans")
        run = opprof.run("sim-live", ["./app", "--size", "4096"], chip="Ascend910B1")

    An interrupt stops the run, and what it read until then is returned as incomplete; a second one
    aborts it.

    Args:
        pipeline: name of a pipeline (`opprof-run --list`), path of a document, or None: opprof
            recognises the input
        input: file or folder; for `sim-live` and `onboard-live` the program and its arguments as a
            list
        output: folder that gets the folder of the results
        timeout: seconds after which collecting stops
        without: stages to leave out, such as `["html"]`
        quiet: show neither progress nor the report
        strict: raise if the results are incomplete; otherwise this is a warning
        settings: variables or parameters of stages whose names are no names of Python, such as
            `{"report.rows": 20}`
        variables: variables of the pipeline (`opprof-run --inspect PIPELINE`)

    Raises:
        RunError: the run failed; has the messages and the exit code
        OpprofError: opprof-run was not found
    """
    is_program = input is not None and not isinstance(input, (str, os.PathLike))
    is_document = pipeline is not None and os.sep in pipeline
    arguments = _command.run_arguments(
        "" if pipeline is None or is_document else pipeline,
        None if input is None or is_program else os.fspath(input),  # type: ignore[arg-type]
        list(input) if is_program else None,  # type: ignore[arg-type]
        os.fspath(output), timeout, without, {**(settings or {}), **variables},
    )
    if is_document and pipeline is not None:
        arguments = ["--pipeline", pipeline, *arguments]
    code, path, lines = _command.start(arguments, _command.screen_of(quiet))
    is_incomplete = code == _command.INCOMPLETE and path != ""
    if code != 0 and (strict or not is_incomplete):
        raise RunError(code, lines, [_command.find(), *arguments])
    result = Run(path)
    if is_incomplete:
        warnings.warn(
            f"The results in '{path}' are incomplete: {result.missing}", IncompleteWarning,
            stacklevel=2,
        )
    return result


class Difference:
    """What differs between two results, as `opprof-run --diff A B` says; made by `opprof.diff`.

    Attributes:
        data: all of it, as docs/using/results.md describes (`--format json`); times in
            microseconds where a change has the unit `us`
        equal: no row differs in a number or a text, nor the advice
        regression: a rule of `fail_if` is broken
        run_time: how long the runs took, before and after; None: no column says it
        causes: changes in the same direction as the run's, the largest first
        text: the comparison as the terminal shows it
    """

    def __init__(self, data: Dict[str, Any], text: str) -> None:
        self.data = data
        self.text = text
        self.equal: bool = data["equal"]
        self.regression: bool = data["regression"]
        self.run_time: Optional[Dict[str, Any]] = data["run_time"]
        self.causes: List[Dict[str, Any]] = data["causes"]

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        return f"<opprof.Difference: {self.text.splitlines()[0] if self.text else ''}>"

    def _repr_html_(self) -> str:
        return f"<pre>{_notebook.escape(self.text)}</pre>"


Results = Union[str, "os.PathLike[str]", Run]


def _path(results: Results) -> str:
    return os.fspath(results.path if isinstance(results, Run) else results)


def diff(before: Results, after: Results, *, fail_if: Sequence[str] = ()) -> Difference:
    """Compares two results: folders, databases or runs; a folder of several results counts as
    repetitions.

    Args:
        fail_if: thresholds such as `"Task Duration(us) > +5%"`; `regression` says whether one is
            broken

    Raises:
        RunError: results that cannot be compared, or a rule that names no column
    """
    arguments = ["--diff", _path(before), _path(after)]
    for rule in fail_if:
        arguments += ["--fail-if", rule]
    fine = (0, _command.INCOMPLETE, _command.DIFFERENCE)
    data: Dict[str, Any] = json.loads(_command.answer([*arguments, "--format", "json"], fine))
    return Difference(data, _command.answer(arguments, fine))
