# SPDX-License-Identifier: Apache-2.0
"""Talks to the collector in random ways, with several connections at a time, and says the shortest
way that breaks it.

socket_fuzz.py FOLDER SECONDS [SEED]: runs of opprof-run over random programs of steps, until they
have taken so much CPU time. Each must end with exit code 0 or 4 and a whole run.json, without a word
of a sanitizer. A program that breaks this is made shorter for as long as it still does, and written
to FOLDER/broken.json.
socket_fuzz.py replay FILE: one run over such a program. socket_fuzz.py talk FILE: what opprof-run
starts: carries the program out."""
import contextlib, glob, itertools, json, os, random, resource, shutil, signal, socket, struct
import subprocess, sys, time
from concurrent.futures import ThreadPoolExecutor
import talk
import walk

# Of one run: seconds of CPU time, and seconds in which all of it waits. A run that is kept from
# working by others waits for a processor, which does not count.
CPU_LIMIT = 120
IDLE_LIMIT = 120
STEPS = 60
PLACES = 4
SERIES = (b'', b'Ascend910B1', b'Ascend950PR_9599', b'\xff' * 64, b'a\nb', b'Ascend310P')
AT_A_TIME = 6
KINDS = ('hello', 'launch', 'kernel', 'logs', 'plan', 'other plan', 'raw', 'raw in pieces', 'note',
         'outcome', 'instrumented', 'slot', 'range', 'loaded', 'finish', 'unknown', 'cut', 'opencl')
# Bytes of the records of <opprof/kit/live_opencl.h>, from the first kind on.
OPENCL_BYTES = (24, 16, 32, 24, 24, 48, 144, 56, 24, 32, 40, 32, 16)
WAYS = (('onboard-live', ['metrics=BasicInfo']),
        ('onboard-live', ['chip=Ascend910B1', 'metrics=Default,Source,MemoryDetail']),
        ('onboard-live', ['chip=Ascend950PR_9599', 'metrics=PipeTimeline']), ('sim-live', []),
        ('sim-live', ['mstx=on']), ('opencl-live', []))


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


def opencl(number):
    """Records of the layer for OpenCL. Their numbers are small, so that they often mean something."""
    choose = random.Random(number)
    records = b''
    for _ in range(1 + number % 5):
        kind = choose.randrange(len(OPENCL_BYTES))
        size = OPENCL_BYTES[kind] + choose.choice((0, 0, 8, 4))
        words = [choose.choice((0, 0, 1, 1, 2, 3, 0xffffffff)) for _ in range((size - 1) // 8 * 2)]
        records += struct.pack(f'<HHI{len(words)}I', kind + 1, 0, size, *words)
    return talk.message(64, records)


class Talker:
    """Carries steps out. Those that make no sense where they stand do nothing."""

    def __init__(self):
        self.peers = [None] * PLACES
        self.begun = [b''] * PLACES  # of each connection: the message that is not yet whole
        self.operators = [0, 1]

    def connect(self, at):
        self.close(at)
        peer = socket.socket(socket.AF_UNIX)
        peer.settimeout(20)
        peer.connect('\0' + os.environ['OPPROF_LIVE_SOCKET'])
        self.peers[at] = peer
        self.begun[at] = b''

    def send(self, at, data):
        self.peers[at].sendall(data)
        said, end = self.begun[at] + data, 0
        while len(said) >= end + 8 and len(said) >= end + walk.length_of(said, end):
            end += walk.length_of(said, end)
        self.begun[at] = said[end:]

    def close(self, at):
        if self.peers[at] is not None:
            self.peers[at].close()
            self.peers[at] = None

    def message(self, kind, number, which):
        operator = {0: 0, 1: 1, 2: 0xffffffff}.get(which, self.operators[number %
                                                                         len(self.operators)])
        return bytearray(opencl(number) if kind == 'opencl' else walk.messages(operator)[kind])

    def mangled(self, kind, number, which):
        """A message some bytes of which are others; the head, if it is the one that is hit, says
        another kind or length."""
        data = self.message(kind, number, which)
        choose = random.Random(number)
        for _ in range(1 + number % 4):
            at = choose.randrange(len(data))
            data[at] = choose.choice((0, 1, 0x7f, 0x80, 0xff, choose.randrange(256)))
        return bytes(data)

    def ask(self, at):
        """A launch, until its answer; what else was answered before goes by. Within another message
        it gets none."""
        peer = self.peers[at]
        self.send(at, walk.messages(0)['launch'])
        for _ in range(0 if self.begun[at] else 100):
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
                self.send(at, talk.hello(soc=SERIES[which]))
        elif what == 'greet':
            self.send(at, talk.hello(soc=SERIES[which]))
        elif what == 'launch':
            self.ask(at)
        elif what == 'say':
            self.send(at, bytes(self.message(kind, number, which)))
        elif what == 'mangled':
            self.send(at, self.mangled(kind, number, which))
        elif what == 'part':
            data = self.message(kind, number, which)
            self.send(at, bytes(data[:number % len(data)]))
        elif what == 'flood':
            self.send(at, bytes(self.message(kind, number, which)) * (number % 3000))
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

def work_of(session):
    """Of the threads of a session: the time that they have worked, and whether one wants to."""
    ticks, wants = 0, False
    for path in glob.glob('/proc/[0-9]*/task/[0-9]*/stat'):
        with contextlib.suppress(OSError), open(path, encoding='utf-8', errors='replace') as file:
            fields = file.read().rpartition(')')[2].split()
            if int(fields[3]) == session:
                ticks += int(fields[11]) + int(fields[12])
                wants = wants or fields[0] in 'RD'
    return ticks / os.sysconf('SC_CLK_TCK'), wants


def wait_for(process):
    """What it said; None: it does not end."""
    before, idle = -1, 0
    while idle < IDLE_LIMIT and before < CPU_LIMIT:
        try:
            return process.communicate(timeout=1)[0]
        except subprocess.TimeoutExpired:
            worked, wants = work_of(process.pid)
            idle = 0 if wants or worked != before else idle + 1
            before = worked
    os.killpg(process.pid, signal.SIGKILL)
    return None


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
                          stderr=subprocess.STDOUT, text=True, errors='replace',
                          start_new_session=True) as process:
        said = wait_for(process)
    if said is None:
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


def cpu_seconds():
    """Of all runs that have ended."""
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


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
    """Several at a time, for they also wait: each of these places takes the next program when its
    own has ended."""
    seeds = itertools.count(seed)
    broken = []
    runs = itertools.count()

    def work(place):
        while not broken and cpu_seconds() < seconds:
            number = next(seeds)
            program = make_program(number)
            why = run(program, f'{folder}/run{place}')
            if why is not None:
                broken.append((number, program, why))
            next(runs)

    with ThreadPoolExecutor(AT_A_TIME) as pool:
        for _ in pool.map(work, range(AT_A_TIME)):
            pass
    print(f'{next(runs)} runs, {cpu_seconds():.0f} s of CPU time')
    return report(*broken[0], folder) if broken else 0


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
