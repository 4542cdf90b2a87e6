# SPDX-License-Identifier: Apache-2.0
"""Starts opprof-run."""

from __future__ import annotations

import codecs
import fcntl
import json
import os
import pathlib
import re
import shutil
import signal
import struct
import subprocess
import sys
import termios
from typing import Any, Dict, List, Mapping, Optional, Sequence, TextIO, Tuple, Union

from ._database import Value
from ._errors import OpprofError, RunError

INCOMPLETE = 4  # exit code
DIFFERENCE = 5
COLUMNS = 100  # of the terminal that opprof-run sees where there is none
_ESCAPES = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")

Setting = Union[str, int, float, bool, "os.PathLike[str]", Sequence[Union[str, int, float]]]
"""A list is given as its values with commas between them, a bool as `true` or `false`."""


def find() -> str:
    """The path of opprof-run: `OPPROF_RUN`, else the first on PATH."""
    named = os.environ.get("OPPROF_RUN")
    found = named or shutil.which("opprof-run")
    if not found:
        raise OpprofError(
            "opprof-run was not found: install opprof, or set OPPROF_RUN to the path of opprof-run"
        )
    if shutil.which(found) is None:
        raise OpprofError(f"'{found}', which OPPROF_RUN names, is no program that can be run")
    return found


def setting(value: Setting) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (str, int, float)):
        return str(value)
    if isinstance(value, os.PathLike):
        return os.fspath(value)
    return ",".join(str(each) for each in value)


class _Screen:
    """What opprof-run prints: shown as it comes, and its lines kept for an error."""

    def __init__(self, shown: Optional[TextIO]) -> None:
        self.shown = shown
        self.is_terminal = shown is not None and shown.isatty()
        self.lines: List[str] = []
        self._rest = ""
        self._drawn = 0

    def take(self, text: str) -> None:
        if self.is_terminal and self.shown is not None:
            self.shown.write(text)
            self.shown.flush()
        *whole, self._rest = (self._rest + text).split("\n")
        for line in whole:
            self._line(line)
        if not self.is_terminal:
            self._progress()

    def end(self) -> None:
        if self._rest:
            self._line(self._rest)
            self._rest = ""

    def _line(self, line: str) -> None:
        """A line overwrites the progress that was drawn before it."""
        plain = _ESCAPES.sub("", line).rstrip("\r").rpartition("\r")[2]
        self.lines.append(plain)
        if self.shown is not None and not self.is_terminal:
            blank = "\r" + " " * self._drawn + "\r" if self._drawn else ""
            self.shown.write(f"{blank}{plain}\n")
            self.shown.flush()
            self._drawn = 0

    def _progress(self) -> None:
        """A notebook has no cursor but knows a carriage return."""
        _, overwrites, last = self._rest.rpartition("\r")
        if not overwrites or self.shown is None:
            return
        plain = _ESCAPES.sub("", last)
        self.shown.write("\r" + plain.ljust(self._drawn))
        self.shown.flush()
        self._drawn = len(plain)


def _open_terminal() -> Tuple[int, int]:
    """Both ends of a terminal of its own: with one, opprof-run draws its progress."""
    ours, theirs = os.openpty()
    columns = shutil.get_terminal_size((COLUMNS, 50)).columns
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 50, columns, 0, 0))
    return ours, theirs


def _read_all(ours: int, screen: _Screen, process: subprocess.Popen[bytes]) -> None:
    """Until opprof-run has closed the terminal. An interrupt is passed on: the first one stops the
    run, which then writes what it has, the second one aborts it."""
    decoder = codecs.getincrementaldecoder("utf-8")("replace")
    while True:
        try:
            data = os.read(ours, 65536)
        except KeyboardInterrupt:
            process.send_signal(signal.SIGINT)
            continue
        except OSError:  # EIO: the other end is closed
            return
        if not data:
            return
        screen.take(decoder.decode(data).replace("\r\n", "\n"))


def start(arguments: Sequence[str], shown: Optional[TextIO]) -> Tuple[int, str, List[str]]:
    """Runs opprof-run to its end: exit code, last line of standard output, lines of the screen."""
    command = [find(), *arguments]
    screen = _Screen(shown)
    ours, theirs = _open_terminal()
    try:
        try:
            # In a session of its own an interrupt reaches it once, by _read_all.
            process = subprocess.Popen(
                command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=theirs,
                start_new_session=True,
            )
        except OSError as error:
            raise OpprofError(f"Cannot run '{command[0]}': {error.strerror}") from None
        finally:
            os.close(theirs)
        _read_all(ours, screen, process)
    finally:
        os.close(ours)
    output: bytes = process.communicate()[0]
    screen.end()
    printed = output.decode("utf-8", "surrogateescape").splitlines()
    return process.returncode, printed[-1] if printed else "", screen.lines


def answer(arguments: Sequence[str], fine: Sequence[int] = (0,)) -> str:
    """What opprof-run prints to standard output."""
    command = [find(), *arguments]
    try:
        done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, check=False)
    except OSError as error:
        raise OpprofError(f"Cannot run '{command[0]}': {error.strerror}") from None
    if done.returncode not in fine:
        lines = done.stderr.decode("utf-8", "replace").splitlines()
        raise RunError(done.returncode, lines, command)
    return done.stdout.decode("utf-8", "replace")


def ask(
    question: str, results: pathlib.Path, parameters: Mapping[str, Value]
) -> Tuple[List[str], List[Tuple[Value, ...]]]:
    """The answer to an installed question."""
    given = [f"{name}={value!s}" for name, value in parameters.items()]
    text = answer(["--query", question, str(results), *given, "--format", "json"])
    found: Dict[str, Any] = json.loads(text)
    return [column["name"] for column in found["columns"]], [tuple(row) for row in found["rows"]]


def run_arguments(
    pipeline: str, given: Optional[str], program: Optional[Sequence[str]], output: str,
    timeout: Optional[float], without: Sequence[str], settings: Mapping[str, Setting],
) -> List[str]:
    arguments = [pipeline] if pipeline else []
    arguments += [given] if given is not None else []
    arguments += ["--output", output]
    arguments += ["--timeout", str(timeout)] if timeout is not None else []
    arguments += ["--without", ",".join(without)] if without else []
    for name, value in settings.items():
        arguments += ["--set", f"{name}={setting(value)}"]
    return arguments + (["--", *program] if program is not None else [])


def screen_of(quiet: bool) -> Optional[TextIO]:
    return None if quiet else sys.stderr
