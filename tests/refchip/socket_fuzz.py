# SPDX-License-Identifier: Apache-2.0
"""Talks to the collector in random ways, with several connections at a time, and says the shortest
way that breaks it.

socket_fuzz.py FOLDER SECONDS [SEED]: runs of opprof-run over random programs of steps. Each must
end in time with exit code 0 or 4 and a whole run.json, without a word of a sanitizer. A program
that breaks this is made shorter for as long as it still does, and written to FOLDER/broken.json.
socket_fuzz.py replay FILE: one run over such a program. socket_fuzz.py talk FILE: what opprof-run
starts: carries the program out."""
import contextlib, json, os, random, shutil, socket, struct, subprocess, sys, time
from concurrent.futures import ThreadPoolExecutor
import talk
import walk

LIMIT = 120  # seconds of one run: a minute of patience here and there, but no end of it
STEPS = 60
PLACES = 4
SERIES = (b'', b'Ascend910B1', b'Ascend950PR_9599', b'\xff' * 64, b'a\nb', b'Ascend310P')
AT_A_TIME = 6
KINDS = ('hello', 'launch', 'kernel', 'logs', 'plan', 'other plan', 'raw', 'raw in pieces', 'note',
         'outcome', 'instrumented', 'slot', 'range', 'loaded', 'finish', 'unknown', 'cut')
WAYS = (('onboard-live', ['metrics=BasicInfo']),
        ('onboard-live', ['chip=Ascend910B1', 'metrics=Default,Source,MemoryDetail']),
        ('onboard-live', ['chip=Ascend950PR_9599', 'metrics=PipeTimeline']), ('sim-live', []),
        ('sim-live', ['mstx=on']))


# ---- programs: lists of steps, each of which can be left out ----

def step(choose):
    """A connection and what happens on it; the numbers decide what exactly, and mean something
    whatever came before."""
    what = choose.choices(('connect', 'greet', 'launch', 'say', 'mangled', 'part', 'close', 'shut',
                           'read', 'deaf', 'fork', 'flood'),
                          (3, 1, 9, 60, 8, 2, 3, 1, 5, 1, 1, 1))[0]
    return [what, choose.randrange(PLACES), choose.choice(KINDS), choose.randrange(1 << 16),
            choose.randrange(6)]


def make_program(seed):
    choose = random.Random(seed)
    return {'way': choose.randrange(len(WAYS)),
            'steps': [step(choose) for _ in range(choose.randrange(1, STEPS))]}


class Talker:
    """Carries steps out. Those that make no sense where they stand do nothing."""

    def __init__(self):
        self.peers = [None] * PLACES
        self.operators = [0, 1]

    def connect(self, at):
        self.close(at)
        peer = socket.socket(socket.AF_UNIX)
        peer.settimeout(20)
        peer.connect('\0' + os.environ['OPPROF_LIVE_SOCKET'])
        self.peers[at] = peer

    def close(self, at):
        if self.peers[at] is not None:
            self.peers[at].close()
            self.peers[at] = None

    def message(self, kind, number, which):
        operator = {0: 0, 1: 1, 2: 0xffffffff}.get(which, self.operators[number %
                                                                         len(self.operators)])
        return bytearray(walk.messages(operator)[kind])

    def mangled(self, kind, number, which):
        """A message some bytes of which are others; the head, if it is the one that is hit, says
        another kind or length."""
        data = self.message(kind, number, which)
        choose = random.Random(number)
        for _ in range(1 + number % 4):
            at = choose.randrange(len(data))
            data[at] = choose.choice((0, 1, 0x7f, 0x80, 0xff, choose.randrange(256)))
        return bytes(data)

    def ask(self, peer):
        """A launch, until its answer; what else was answered before goes by."""
        peer.sendall(walk.messages(0)['launch'])
        for _ in range(100):
            kind, body = talk.receive(peer)
            if kind is None:
                return
            if kind == talk.VERDICT:
                self.operators.append(struct.unpack('<II', body)[1])
                return

    def carry_out(self, what, at, kind, number, which):
        peer = self.peers[at]
        if what == 'connect' or peer is None:
            self.connect(at)
            if number % 8 > 0:  # most know what to say first
                self.peers[at].sendall(talk.hello(soc=SERIES[which]))
        elif what == 'greet':
            peer.sendall(talk.hello(soc=SERIES[which]))
        elif what == 'launch':
            self.ask(peer)
        elif what == 'say':
            peer.sendall(bytes(self.message(kind, number, which)))
        elif what == 'mangled':
            peer.sendall(self.mangled(kind, number, which))
        elif what == 'part':
            data = self.message(kind, number, which)
            peer.sendall(bytes(data[:number % len(data)]))
        elif what == 'flood':
            peer.sendall(bytes(self.message(kind, number, which)) * (number % 3000))
        elif what == 'close':
            self.close(at)
        elif what == 'shut':
            peer.shutdown(socket.SHUT_WR)
        elif what == 'read':
            peer.settimeout(0.01)
            with contextlib.suppress(TimeoutError):
                peer.recv(65536)
            peer.settimeout(20)
        elif what == 'deaf':
            peer.settimeout(0.2)
            with contextlib.suppress(TimeoutError):
                peer.sendall(walk.messages(1)['launch'] * 20000)
            self.close(at)
        elif what == 'fork' and os.fork() == 0:  # it has copies of all connections for a while
            time.sleep(0.1 * which)
            os._exit(0)


def carry_out(path):
    with open(path, encoding='utf-8') as file:
        program = json.load(file)
    talker = Talker()
    for one in program['steps']:
        try:
            talker.carry_out(*one)
        except OSError:  # the collector let go of it
            talker.close(one[1])


# ---- runs ----

def run(program, folder):
    """Why a run over the program is not as it should be; None: it is."""
    shutil.rmtree(folder, ignore_errors=True)
    os.mkdir(folder)
    with open(folder + '/program.json', 'w', encoding='utf-8') as file:
        json.dump(program, file)
    pipeline, settings = WAYS[program['way']]
    words = [os.environ['OPPROF_RUN'], '-q', '--output', folder + '/results', '--flat', '--set',
             'launch_count=5000']
    for setting in settings:
        words += ['--set', setting]
    words += [pipeline, '--', sys.executable, '-B', os.path.abspath(__file__), 'talk', folder +
              '/program.json']
    with subprocess.Popen(words, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, text=True, errors='replace') as process:
        try:
            said = process.communicate(timeout=LIMIT)[0]
        except subprocess.TimeoutExpired:
            process.kill()
            return 'it does not end'
    if process.returncode not in (0, 4):
        return f'exit code {process.returncode}: {said[-3000:]}'
    for word in ('Sanitizer', 'runtime error:', 'broken contract'):
        if word in said:
            return said[-3000:]
    try:
        with open(folder + '/results/run.json', encoding='utf-8') as file:
            return None if json.load(file)['outcome'] == ('incomplete' if process.returncode == 4
                                                          else 'complete') else 'run.json says something else'
    except (OSError, ValueError, KeyError) as error:
        return f'run.json: {error!r}'


def shorten(program, folder):
    """Leave out as many steps as can be while a run over the rest is still broken: halves, quarters
    and so on to single ones."""
    size = (len(program['steps']) + 1) // 2
    while size > 0:
        at = 0
        while at < len(program['steps']):
            shorter = {**program, 'steps': program['steps'][:at] + program['steps'][at + size:]}
            if run(shorter, folder) is not None:
                program = shorter
            else:
                at += size
        size //= 2
    return program


def fuzz(folder, seconds, seed):
    """Several at a time, for they wait more than they work."""
    end = time.monotonic() + seconds
    count = 0
    with ThreadPoolExecutor(AT_A_TIME) as pool:
        while count == 0 or time.monotonic() < end:
            programs = [make_program(seed + count + i) for i in range(AT_A_TIME)]
            for i, why in enumerate(pool.map(run, programs,
                                             [f'{folder}/run{i}' for i in range(AT_A_TIME)])):
                if why is not None:
                    return report(seed + count + i, programs[i], why, folder)
            count += AT_A_TIME
    print(f'{count} runs')
    return 0


def report(seed, program, why, folder):
    shorter = shorten(program, folder + '/run')
    with open(folder + '/broken.json', 'w', encoding='utf-8') as file:
        json.dump(shorter, file)
    print(f'seed {seed}: {why}\nof {len(program["steps"])} steps these {len(shorter["steps"])} '
          f'still break it:\n{json.dumps(shorter)}')
    return 1


def main():
    if sys.argv[1] == 'talk':
        carry_out(sys.argv[2])
        return 0
    if sys.argv[1] == 'replay':
        with open(sys.argv[2], encoding='utf-8') as file:
            why = run(json.load(file), sys.argv[2] + '.run')
        print('whole' if why is None else why)
        return why is not None
    return fuzz(sys.argv[1], float(sys.argv[2]), int(sys.argv[3]) if len(sys.argv) > 3 else 1)


if __name__ == '__main__':
    sys.exit(main())
