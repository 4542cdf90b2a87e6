# SPDX-License-Identifier: Apache-2.0
"""Runs and comparisons through opprof-run."""

import gzip
import io
import os
import pathlib
import signal
import sys
import threading
import time

import opprof
import pytest
from opprof import _command


def test_a_run_returns_its_results_and_shows_what_opprof_says(trace, tmp_path, capsys):
    run = opprof.run("kineto", trace, output=tmp_path, formats=["spans"], without=["html"])
    assert run.complete and run.path.parent == tmp_path
    assert len(run.spans(frame=False)) > 5
    assert not (run.path / "report.html").exists()
    shown = capsys.readouterr().err
    assert "Advice" in shown and "\x1b" not in shown


def test_a_quiet_run_shows_nothing(trace, tmp_path, capfd):
    opprof.run("kineto", trace, output=tmp_path, quiet=True, settings={"report.rows": 2})
    assert capfd.readouterr() == ("", "")


def test_without_a_pipeline_the_input_is_recognised(trace, tmp_path):
    run = opprof.run(None, trace, output=tmp_path, quiet=True)
    assert "trace_steps" in run.tables


def test_a_failed_run_raises_with_messages_and_exit_code(tmp_path):
    with pytest.raises(opprof.RunError, match="No such file") as error:
        opprof.run("kineto", tmp_path / "nothing", output=tmp_path, quiet=True)
    assert error.value.exit_code == 1
    assert any("nothing" in line for line in error.value.messages)
    with pytest.raises(opprof.RunError, match="Did you mean 'formats'") as error:
        opprof.run("kineto", tmp_path, output=tmp_path, quiet=True, formatz="all")
    assert error.value.exit_code == 2


def test_incomplete_results_are_a_warning_or_an_error(trace, tmp_path):
    cut = tmp_path / "cut.json"
    whole = gzip.decompress(trace.read_bytes())
    cut.write_bytes(whole[: len(whole) * 3 // 4])
    with pytest.warns(opprof.IncompleteWarning):
        run = opprof.run("kineto", cut, output=tmp_path, quiet=True)
    assert not run.complete and run.missing
    with pytest.raises(opprof.RunError) as error:
        opprof.run("kineto", cut, output=tmp_path, quiet=True, strict=True)
    assert error.value.exit_code == 4


def test_opprof_run_is_found_by_the_variable_then_by_path(tmp_path, monkeypatch):
    program = tmp_path / "opprof-run"
    program.write_text("#!/bin/sh\nexit 3\n")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.delenv("OPPROF_RUN", raising=False)
    assert _command.find() == str(program)
    monkeypatch.setenv("OPPROF_RUN", str(tmp_path / "other"))
    with pytest.raises(opprof.OpprofError, match="OPPROF_RUN"):
        _command.find()
    monkeypatch.delenv("OPPROF_RUN")
    monkeypatch.setenv("PATH", "/nonexistent")
    with pytest.raises(opprof.OpprofError, match="install opprof"):
        opprof.run("kineto", tmp_path)


STAND_IN = """#!{python}
import signal, sys, time
signals = []
signal.signal(signal.SIGINT, lambda *_: signals.append(1))
sys.stderr.write("\\r\\x1b[K10 % of it"); sys.stderr.flush()
open({started!r}, "w").close()
while not signals:
    time.sleep(0.01)
sys.stderr.write("\\r\\x1b[K\\x1b[1mstopped\\x1b[0m\\n")
sys.exit(130)
"""


def test_an_interrupt_stops_the_run_which_then_ends_by_itself(tmp_path, monkeypatch, capsys):
    started = tmp_path / "started"
    program = tmp_path / "opprof-run"
    program.write_text(STAND_IN.format(python=sys.executable, started=str(started)))
    program.chmod(0o755)
    monkeypatch.setenv("OPPROF_RUN", str(program))

    def interrupt():
        while not started.exists():
            time.sleep(0.01)
        os.kill(os.getpid(), signal.SIGINT)

    thread = threading.Thread(target=interrupt)
    thread.start()
    with pytest.raises(opprof.RunError) as error:
        opprof.run("kineto", "input")
    thread.join()
    assert error.value.exit_code == 130
    assert error.value.messages == ["stopped"]
    assert capsys.readouterr().err.endswith("stopped\n")


def test_a_notebook_sees_progress_and_lines_without_the_terminal_s_escapes():
    shown = io.StringIO()
    screen = _command._Screen(shown)
    screen.take("a warning\n\r\x1b[K10 % of")
    screen.take(" it\r\x1b[K20 %\r\x1b[K\x1b[1mdone")
    screen.take("\x1b[0m\nlast")
    screen.end()
    assert screen.lines == ["a warning", "done", "last"]
    drawn = [part.rstrip() for part in shown.getvalue().split("\r")]
    assert drawn == ["a warning", "10 % of", "done", "", "done\nlast"]


def test_a_program_gets_its_arguments():
    arguments = _command.run_arguments(
        "sim-live", None, ["./app", "--set", "x"], "out", 1.5, ["html", "trace"],
        {"chip": "A", "launches": [1, 2], "mstx": True, "dump": pathlib.Path("d")},
    )
    assert arguments == [
        "sim-live", "--output", "out", "--timeout", "1.5", "--without", "html,trace",
        "--set", "chip=A", "--set", "launches=1,2", "--set", "mstx=true", "--set", "dump=d",
        "--", "./app", "--set", "x",
    ]


def test_a_difference_is_that_of_the_command(plain, with_spans):
    same = opprof.diff(plain, opprof.open(with_spans))
    assert same.equal and not same.regression
    assert "No differences" in str(same) and same.run_time["kind"] == "same"
    assert "No differences" in same._repr_html_()
    broken = opprof.diff(plain, with_spans, fail_if=["time(us) < +5%"])
    assert broken.regression
    with pytest.raises(opprof.RunError) as error:
        opprof.diff(plain, plain / "nothing")
    assert error.value.exit_code == 2
