# SPDX-License-Identifier: Apache-2.0
"""on_terminal.py COLUMNS COMMAND...: runs a command with a pseudo-terminal of that width as its
standard error, and prints what came out of that; its standard output is dropped."""
import fcntl
import os
import pty
import struct
import sys
import termios

columns, command = int(sys.argv[1]), sys.argv[2:]
terminal, other = pty.openpty()
fcntl.ioctl(other, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
child = os.fork()
if child == 0:
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    os.dup2(other, 2)
    os.environ["TERM"] = "xterm"
    os.execvp(command[0], command)
os.close(other)
while True:
    try:
        data = os.read(terminal, 65536)
    except OSError:
        break
    if not data:
        break
    sys.stdout.buffer.write(data)
sys.exit(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
