# SPDX-License-Identifier: Apache-2.0
"""Drives zsh on a pseudo-terminal: zsh_completion.py DIRECTORY_OF_COMPLETION
DIRECTORY_OF_COMMAND"""
import os
import pty
import re
import select
import sys


class Shell:
    def __init__(self, completion, command):
        self.pid, self.fd = pty.fork()
        if self.pid == 0:
            os.environ.update(PATH=command + ":" + os.environ["PATH"], TERM="dumb", PS1="ready> ",
                              HOME=command, ZDOTDIR=command)
            os.execlp("zsh", "zsh", "-f", "-i")
        self.send("unsetopt zle_bracketed_paste prompt_cr prompt_sp; fpath=(%s $fpath); autoload "
                  "-Uz compinit; "
                  "compinit -u -D; print set''-up\n" % completion)
        self.wait("set-up")

    def send(self, text):
        os.write(self.fd, text.encode())

    def wait(self, text):
        """Reads until the text is there; what was read."""
        got = ""
        while text not in re.sub(r"\x1b\[[0-9;?]*[a-zA-Z]|\r|\n", "", got):
            # the limit only ends a test that hangs
            ready, _, _ = select.select([self.fd], [], [], 600)
            if not ready:
                sys.exit("zsh did not show %r but %r" % (text, got))
            try:
                got += os.read(self.fd, 65536).decode("utf-8", "replace")
            except OSError:
                sys.exit("zsh ended; it showed %r" % got)
        return got

    def completes(self, line, rest):
        """A tab after the line adds the rest."""
        self.send("\x15" + line + "\t")
        self.wait(line + rest)


def main(completion, command):
    shell = Shell(completion, command)
    shell.completes("opprof-run --pipel", "ine ")
    shell.completes("opprof-run --pipeline acme", "-dump ")
    shell.completes("opprof-run --pipeline acme-dump --set spe", "ed=")
    shell.completes("opprof-run --pipeline acme-dump --set speed=f", "ast ")
    shell.completes("opprof-run made --query ascend_st", "eps ")
    shell.completes("opprof-run --query ascend_steps made --where exposed_comm", "unication_us ")
    shell.completes("opprof-run --query ascend_steps made/results.sqlite --sort compu", "ting_us ")
    shell.send("\x15exit\n")
    os.waitpid(shell.pid, 0)


main(*sys.argv[1:])
