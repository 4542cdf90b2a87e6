# SPDX-License-Identifier: Apache-2.0
"""Speaks the protocol of <opprof/kit/live.h> badly on purpose: as a program (client WAY), or as a
collector of another version that starts a program (server COMMAND...)."""
import os, signal, socket, struct, subprocess, sys

MAGIC, VERSION = 0x564C504F, 7
HELLO, WELCOME, REFUSED, LAUNCH, VERDICT, KERNEL, LOGS, FINISH, FINISHED = range(1, 10)


def message(kind, body, length=None):
    return struct.pack('<II', kind, len(body) if length is None else length) + body


def hello(version=VERSION, soc=b'Ascend910B1', token=None):
    token = bytes.fromhex(os.environ['OPPROF_LIVE_TOKEN']) if token is None else token
    return message(HELLO, struct.pack('<IIII64s64s16s', MAGIC, version, os.getpid(), 1, soc,
                                      b'talk', token))


def receive(peer):
    head = b''
    while len(head) < 8:
        got = peer.recv(8 - len(head))
        if not got:
            return None, b''
        head += got
    kind, length = struct.unpack('<II', head)
    body = b''
    while len(body) < length:
        body += peer.recv(length - len(body))
    return kind, body


def ask(peer, name=b'kernel'):
    peer.sendall(message(LAUNCH, struct.pack('<II', 0, 1) + name))
    kind, body = receive(peer)
    assert kind == VERDICT, kind
    return struct.unpack('<II', body)


POPPED, INSTR, PIECE = 0, 1, 16


def record(first=b'(PC: 0x00000010) SCALAR   : (Binary: 0x00000001) ADD', second=b'  dtype:S64',
           slot=4, kind=0, pieces=None):
    """A record that brings all of its text."""
    text = first + second
    whole = text + b' ' * (-len(text) % PIECE)
    if pieces is None:
        pieces = (1 << len(whole) // PIECE) - 1
    return struct.pack('<QHHHBB', 5, slot, len(text), pieces, kind, 0) + whole


def logs(operator, log, records, count=None, core=0, sub=1):
    return message(LOGS, struct.pack('<IIIBBH', operator, len(records) if count is None else count,
                                     core, log, sub, 0) +
                   b''.join(records))


def both(operator):
    """A batch of each of the two logs of instructions."""
    return logs(operator, POPPED, [record()]) + logs(operator, INSTR, [record()])


def stop_collector(peer):
    """Ctrl+C for the collector at this point; then it ends this program."""
    os.kill(os.getppid(), signal.SIGINT)
    try:
        while peer.recv(4096):
            pass
    except KeyboardInterrupt:
        sys.exit(0)
    sys.exit(1)


def stopped(phase):
    """A program that is connected, greeted, asks, has sent logs, or waits for the end of its
    operator, when Ctrl+C comes."""
    peer = socket.socket(socket.AF_UNIX)
    peer.connect('\0' + os.environ['OPPROF_LIVE_SOCKET'])
    if phase == 'connected':
        stop_collector(peer)
    peer.sendall(hello())
    assert receive(peer)[0] == WELCOME
    if phase == 'greeted':
        stop_collector(peer)
    if phase == 'asking':
        peer.sendall(message(LAUNCH, struct.pack('<II', 0, 1) + b'kernel')[:12])
        stop_collector(peer)
    _, operator = ask(peer)
    if phase == 'started':
        stop_collector(peer)
    peer.sendall(both(operator))
    if phase == 'logging':
        stop_collector(peer)
    peer.sendall(message(FINISH, struct.pack('<IIiI', operator, 0, 0, 0)))
    if phase == 'finishing':
        stop_collector(peer)
    assert receive(peer)[0] == FINISHED
    stop_collector(peer)


def other_user():
    """A user who is not the collector's is let go of at once."""
    os.setgroups([])
    os.setgid(65534)
    os.setuid(65534)
    peer = socket.socket(socket.AF_UNIX)
    peer.connect('\0' + os.environ['OPPROF_LIVE_SOCKET'])
    try:
        peer.sendall(hello())
        assert peer.recv(1) == b''
    except ConnectionError:
        pass
    print('let go')


def visits():
    """Strangers come one after the other while a program is profiled: none of them says anything
    that the collector understands, and each is let go of."""
    for way in ('noise', 'no-hello', 'unknown-type', 'too-long', 'finish', 'cut-message',
                'hello-again'):
        peer = socket.socket(socket.AF_UNIX)
        peer.settimeout(600)
        peer.connect('\0' + os.environ['OPPROF_LIVE_SOCKET'])
        if way == 'noise':
            peer.sendall(b'\xff' * 64)
        elif way == 'no-hello':
            peer.sendall(message(LAUNCH, bytes(8)))
        else:
            for byte in hello():  # in pieces
                peer.sendall(bytes([byte]))
            assert receive(peer)[0] == WELCOME
            peer.sendall({'unknown-type': message(77, b''), 'too-long': message(LOGS, b'', 1 << 30),
                          'finish': message(FINISH, b'x'),
                          'cut-message': message(FINISH, bytes(16))[:12],
                          'hello-again': hello()}[way])
            if way == 'cut-message':
                peer.shutdown(socket.SHUT_WR)
        try:
            assert peer.recv(1) == b'', way
        except ConnectionError:
            pass
    if os.getuid() == 0 and os.fork() == 0:
        other_user()
        os._exit(0)
    assert os.getuid() != 0 or os.wait()[1] == 0


def client(way):
    peer = socket.socket(socket.AF_UNIX)
    peer.connect('\0' + os.environ['OPPROF_LIVE_SOCKET'])
    if way == 'version':
        peer.sendall(hello(VERSION + 1))
        kind, body = receive(peer)
        assert kind == REFUSED and struct.unpack('<II', body) == (MAGIC, VERSION)
        return
    if way == 'no-hello':
        peer.sendall(message(LAUNCH, bytes(8)))
        return
    if way == 'fragments':
        for byte in hello():
            peer.sendall(bytes([byte]))
    else:
        peer.sendall(hello())
    assert receive(peer)[0] == WELCOME
    decision, operator = ask(peer, b'../../etc/passwd' if way == 'name' else b'kernel')
    assert decision == 1, decision
    good = [record(), record()]
    bad = {
        'unknown-type': message(77, b''),
        'too-long': message(LOGS, b'', 1 << 30),
        'short-logs': message(LOGS, b'abc'),
        'cut-record': logs(operator, POPPED, [record()[:20]], 1),
        'count': logs(operator, POPPED, good, 9),
        'kind': logs(operator, POPPED, [record(kind=99)]),
        'slot': logs(operator, POPPED, [record(slot=1024)]),
        'pieces': logs(operator, POPPED, [record(first=b'ADD', second=b'', pieces=3)]),
        'log': logs(operator, 5, good),
        'sub-core': logs(operator, POPPED, good, sub=3),
        'cut-message': logs(operator, POPPED, good)[:30],
        'finish': message(FINISH, b'x'),
    }
    peer.sendall(both(operator))
    if way in bad:
        peer.sendall(bad[way])
        return
    if way == 'core':
        peer.sendall(logs(operator, POPPED, [record()], core=4000000000))
    if way == 'other':
        peer.sendall(both(operator + 5) + message(KERNEL, struct.pack('<IIQ', 99, 0, 0) + b'x'))
    if way == 'newline':
        peer.sendall(logs(operator, POPPED, [record(b'a\n[info] b', b'\r\n')]) + logs(
                         operator, INSTR, [record(b'\x1b[31m', b'')]))
    if way == 'gone':
        return
    peer.sendall(message(FINISH, struct.pack('<IIiI', operator, 0, 0, 0)))
    assert receive(peer)[0] == FINISHED


def crowd():
    """Connections of 257 processes, the last of which is not served."""
    peers = [socket.socket(socket.AF_UNIX) for _ in range(257)]
    for peer in peers:
        peer.connect('\0' + os.environ['OPPROF_LIVE_SOCKET'])
        peer.sendall(hello())
    assert [receive(peer)[0] for peer in peers] == [WELCOME] * 256 + [None]


def server(command):
    listener = socket.socket(socket.AF_UNIX)
    name = 'opprof-test.%d' % os.getpid()
    listener.bind('\0' + name)
    listener.listen()
    child = subprocess.Popen(command, env=dict(os.environ, OPPROF_LIVE_SOCKET=name,
                                               LD_PRELOAD=os.environ['OPPROF_INJECT_LIBRARY']))
    peer, _ = listener.accept()
    kind, _ = receive(peer)
    assert kind == HELLO
    if os.environ.get('TALK_SILENT'):
        sys.exit(child.wait())
    peer.sendall(message(REFUSED, struct.pack('<II', MAGIC, 9)))
    peer.close()
    sys.exit(child.wait())


if __name__ == '__main__':
    if sys.argv[1] == 'client':
        client(sys.argv[2])
    elif sys.argv[1] == 'stopped':
        stopped(sys.argv[2])
    elif sys.argv[1] == 'visits':
        visits()
    elif sys.argv[1] == 'crowd':
        crowd()
    elif sys.argv[1] == 'other-user':
        other_user()
    else:
        server(sys.argv[2:])
