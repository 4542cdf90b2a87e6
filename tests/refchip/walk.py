# SPDX-License-Identifier: Apache-2.0
"""Speaks the protocol of <opprof/kit/live.h> in every order of two messages (pairs), does not read
what it is answered (deaf), or slowly (slow), or says a greeting (drip) or data (drip-greeted) byte
by byte for as long as it is listened to."""
import os, signal, socket, struct, sys, time
import talk
from talk import LAUNCH, KERNEL, LOGS, FINISH, message, receive

NOTE, ASK_PLAN, RAW, OUTCOME, ASK_INSTRUMENTED, SLOT, RANGE, LOADED = 19, 16, 18, 20, 21, 23, 24, 25
PATIENCE = 600  # seconds, to end a test that hangs
MOST_TAKEN = 30  # answers, by a process that takes them slowly, until it is let go of


def connect():
    peer = socket.socket(socket.AF_UNIX)
    peer.settimeout(PATIENCE)
    peer.connect('\0' + os.environ['OPPROF_LIVE_SOCKET'])
    return peer


def length_of(said, at):
    """Of the message that begins there, with its head."""
    return 8 + struct.unpack_from('<I', said, at + 4)[0]


def messages(operator):
    """One of each kind, about an operator, and a few that are cut."""
    return {
        'hello': talk.hello(),
        'launch': message(LAUNCH, struct.pack('<II', 0, 2) + b'kernel'),
        'kernel': message(KERNEL, struct.pack('<IIQ', operator, 0, 0x1000) + b'\x7fELF'),
        'logs': message(LOGS, struct.pack('<IIIBBH', operator, 0, 0, 0, 1, 0)),
        'plan': message(ASK_PLAN, struct.pack('<iI', 0x71905, 5)),
        'other plan': message(ASK_PLAN, struct.pack('<iI', 1, 5)),
        'raw': message(RAW, struct.pack('<IHH', operator, 0, 44) + b'x' * 100),
        'raw in pieces': message(RAW, struct.pack('<IHH', operator, 0, 12) + b'x' * 5000),
        'note': message(NOTE, struct.pack('<II', operator, 0) + b'a sentence'),
        'outcome': message(OUTCOME, struct.pack('<IIIIQQQQQQ', operator, 1, 1850, 1850, 0, 0, 0, 0,
                                                0, 0)),
        'instrumented': message(ASK_INSTRUMENTED, struct.pack('<IIIIQ', operator, 3, 0, 0, 0)),
        'slot': message(SLOT, struct.pack('<IHHQ', operator, 3, 0, 0) + bytes(64)),
        'range': message(RANGE, struct.pack('<IIIII', operator, 0, 1, 0, operator)),
        'loaded': message(LOADED, struct.pack('<IIQ', operator, 3, 0x1000)),
        'finish': message(FINISH, struct.pack('<IIiI', operator, 0, 0, 0)),
        'unknown': message(99, b'x'),
        'cut': message(RAW, b'x'),
    }


def drain(peer):
    """All answers; the collector may let go of the peer."""
    try:
        peer.shutdown(socket.SHUT_WR)
        while peer.recv(65536):
            pass
    except ConnectionError:
        pass


def pairs():
    """Before and after a launch that is profiled, with a chip and without."""
    for soc in (b'', b'Ascend910B1'):
        for has_launch in (False, True):
            for first in messages(0):
                for second in messages(0):
                    peer = connect()
                    peer.sendall(talk.hello(soc=soc))
                    assert receive(peer)[0] == talk.WELCOME
                    operator = talk.ask(peer)[1] if has_launch else 1
                    said = messages(operator)
                    try:
                        peer.sendall(said[first])
                        peer.sendall(said[second])
                    except ConnectionError:
                        pass
                    drain(peer)
    # It still listens.
    peer = connect()
    peer.sendall(talk.hello())
    assert receive(peer)[0] == talk.WELCOME
    print('walked')


def deaf():
    """Asks until no more questions are taken; then another process is served all the same."""
    peer = connect()
    peer.sendall(talk.hello())
    peer.settimeout(1)
    try:
        while True:
            peer.sendall(messages(1)['launch'] * 1000)
    except (TimeoutError, ConnectionError):
        pass
    other = connect()
    other.sendall(talk.hello())
    assert receive(other)[0] == talk.WELCOME
    print('served')


def ask_without_end(peer, full):
    """Until the collector lets go; says when no more questions are taken."""
    questions = left = messages(1)['launch'] * 1000
    wait = socket.MSG_DONTWAIT
    try:
        while True:
            try:
                left = left[peer.send(left, wait):] or questions
            except BlockingIOError:
                os.write(full, b'x')
                wait = 0
    except ConnectionError:
        pass


def read_slowly(peer):
    """Takes answers, each long after the one before."""
    for _ in range(MOST_TAKEN):
        peer.recv(16)
        time.sleep(1)


def slow():
    """Takes an answer now and then, of more than there is room for; another process waits for its
    own."""
    peer = connect()
    peer.settimeout(None)
    peer.sendall(talk.hello())
    assert receive(peer)[0] == talk.WELCOME
    there, full = os.pipe()
    children = []
    for part, arguments in (ask_without_end, (peer, full)), (read_slowly, (peer,)):
        children.append(os.fork())
        if children[-1] == 0:
            part(*arguments)
            os._exit(0)
    peer.close()
    os.read(there, 1)
    for _ in range(20):
        other = connect()
        other.sendall(talk.hello())
        assert receive(other)[0] == talk.WELCOME
        talk.ask(other)
        other.close()
    assert os.waitpid(children[0], 0)[1] == 0
    os.kill(children[1], signal.SIGKILL)
    # it had not yet taken all that it takes
    assert os.waitpid(children[1], 0)[1] == signal.SIGKILL
    print('served')


def drip(is_greeted):
    """In the background: the program that started it ends once it is connected."""
    there, here = os.pipe()
    if os.fork() > 0:
        os.close(here)
        os.read(there, 1)
        return
    peer = connect()
    if is_greeted:
        peer.sendall(talk.hello())
        assert receive(peer)[0] == talk.WELCOME
    os.close(here)
    try:
        for byte in messages(1)['raw in pieces'] if is_greeted else talk.hello():
            peer.sendall(bytes([byte]))
            time.sleep(0.05)
    except ConnectionError:
        pass
    os._exit(0)


if __name__ == '__main__':
    {'pairs': pairs, 'deaf': deaf, 'slow': slow, 'drip': lambda: drip(False),
     'drip-greeted': lambda: drip(True)}[sys.argv[1]]()
