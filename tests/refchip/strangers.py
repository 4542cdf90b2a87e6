# SPDX-License-Identifier: Apache-2.0
"""Strangers at the door of a run: processes that its program did not start, which find the socket's
name where everybody can."""
import os, re, resource, socket, subprocess, sys, time
import talk

# A right greeting is answered; a stranger's connection is closed, or the greeting finds it closed.
ANSWERED, CLOSED = 'answered', 'closed'


def sockets():
    with open('/proc/net/unix', encoding='ascii', errors='replace') as file:
        return re.findall(r'@(opprof\.[0-9a-f]{32})\n', file.read())


def environment(process):
    with open(f'/proc/{process}/environ', 'rb') as file:
        return dict(entry.split(b'=', 1) for entry in file.read().split(b'\0') if b'=' in entry)


def knock(name, token):
    """What a greeting gets."""
    peer = socket.socket(socket.AF_UNIX)
    peer.settimeout(60)
    try:
        peer.connect('\0' + name)
        peer.sendall(talk.hello(token=token))
        return ANSWERED if talk.receive(peer)[0] == talk.WELCOME else CLOSED
    except ConnectionError:
        return CLOSED


def knock_from(words, name, token):
    """The same from elsewhere; None: this machine does not let a process go there."""
    here = [sys.executable, '-B', __file__, 'knock', name, token.hex()]
    if subprocess.run([*words, 'true'], stdin=subprocess.DEVNULL, capture_output=True,
                      check=False).returncode != 0:
        return None
    return subprocess.run([*words, *here], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          text=True, check=False).stdout.strip()


ELSEWHERE = {
    'another user': ['setpriv', '--reuid', '65534', '--regid', '65534', '--clear-groups'],
    'another user namespace': ['unshare', '--user'],
    'another pid namespace': ['unshare', '--pid', '--fork'],
    'another mount namespace': ['unshare', '--mount'],
}


def silent(name):
    """As many connections as there are places, which say nothing."""
    peers = []
    resource.setrlimit(resource.RLIMIT_NOFILE,
                       (1024, resource.getrlimit(resource.RLIMIT_NOFILE)[1]))
    for _ in range(300):
        peer = socket.socket(socket.AF_UNIX)
        peer.setblocking(False)
        try:
            peer.connect('\0' + name)
        except BlockingIOError:
            pass
        peers.append(peer)
    return peers


def orphan(place):
    """The program's own process comes from elsewhere, when none of its parents can say any more
    whose it is: the token does."""
    there, here = os.pipe()
    parent = os.fork()
    if parent > 0:
        os.close(here)
        os.waitpid(parent, 0)
        answer = os.read(there, 100).decode()
        print('left out' if answer == 'None' else answer)
        return
    middle = os.getpid()
    if os.fork() > 0:
        os._exit(0)
    while os.getppid() == middle:
        time.sleep(0.01)
    answer = knock_from(ELSEWHERE[place], os.environ['OPPROF_LIVE_SOCKET'],
                        bytes.fromhex(os.environ['OPPROF_LIVE_TOKEN']))
    os.write(here, str(answer).encode())
    os._exit(0)


def main():
    program = int(sys.argv[1])
    variables = environment(program)
    name, token = variables[b'OPPROF_LIVE_SOCKET'].decode(), bytes.fromhex(
        variables[b'OPPROF_LIVE_TOKEN'].decode())
    assert name in sockets(), 'the name of the socket cannot be seen'
    assert token.hex() not in open('/proc/net/unix', encoding='ascii', errors='replace').read()
    # Who may read the program's environment counts as the user.
    almost = token[:-1] + bytes([token[-1] ^ 1])
    answers = {'the user': knock(name, token), 'no token': knock(name, bytes(16)),
               'another token': knock(name, bytes(15) + b'x'),
               'almost the token': knock(name, almost)}
    for place, words in ELSEWHERE.items():
        answers[place] = knock_from(words, name, almost)
    for place, answer in answers.items():
        if answer is None:
            print(f'left out: this process may not run as or in {place}', file=sys.stderr)
        elif answer != (ANSWERED if place == 'the user' else CLOSED):
            sys.exit(f'{place}: {answer}')
    held = silent(name)
    # Until the run has ended, other users come again and again.
    print('done', flush=True)
    flood = 'import socket\nwhile True: socket.socket(socket.AF_UNIX).connect("\\0%s")' % name
    subprocess.run(ELSEWHERE['another user'] + [sys.executable, '-c', flood],
                   stderr=subprocess.DEVNULL, check=False)
    del held


if __name__ == '__main__':
    if sys.argv[1] == 'knock':
        print(knock(sys.argv[2], bytes.fromhex(sys.argv[3])))
    elif sys.argv[1] == 'orphan':
        orphan(sys.argv[2])
    else:
        main()
