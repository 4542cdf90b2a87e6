# SPDX-License-Identifier: Apache-2.0
"""phase_faults.py TABLE: faults of the reference chip at each phase of a launch that is profiled on
a device.

A plain run is traced first, so that a phase is found by what the library calls in it and not by
numbers that go stale. Then each cell of the table is a run with one fault at one phase. It ends in
time, with the exit code and a sentence; the program's own memory is what it would be without
opprof; what is missing makes the run incomplete; no process is left.
"""
import contextlib, ctypes, itertools, json, os, re, signal, subprocess, sys, threading, zlib
from concurrent.futures import ThreadPoolExecutor

RUN, CHIP = os.environ['OPPROF_RUN'], os.environ['OPPROF_REFCHIP_COMMAND']
DRIVER = os.environ['REFCHIP_BOARD_DRIVER']
STEP = int(os.environ.get('OPPROF_PHASE_STEP', '8'))  # one cell in so many, always the same ones
PR_SET_CHILD_SUBREAPER = 36
LIMIT = 1800  # s; a machine may be slow, nobody waits longer for what hangs
PASSES = 6    # with counters, on the newest series
# The deadline is a second or more, and longer still where the program's own launch took long on a
# busy machine.
ENDLESS = r'does not end within \d{4,} ms'

# Counters, monitors of cores and instrumented kernels: one launch with every phase. Two cores are
# mapped. The deadline is far away, so that a slow machine is not a fault.
BOARD = ['--set', 'warm_up=1', '--set', 'metrics=BasicInfo,PipeTimeline,Source', '--set',
         'provisional=on', '--set', 'monitor_buffer=64']
PROGRAM = [CHIP, '--chip', 'Ascend950PR_9599', DRIVER]
RANKS = [CHIP, '--devices', '3', 'all-gather']
numbers = itertools.count(1)  # of runs
failed = []


def fail(cell, why, said='', warned=''):
    print(said, warned, f'FAIL: {cell}: {why}', sep='\n', file=sys.stderr)
    failed.append(cell)


def adopt():
    """Processes whose parents have ended become children of this one, so that it can wait for their
    end."""
    if ctypes.CDLL(None, use_errno=True).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) != 0:
        raise OSError(ctypes.get_errno(), 'prctl')


def is_left(group):
    """Whether a process of the group does not end after its first one has ended. The limit only
    ends tests that hang."""
    hung = threading.Event()

    def stop():
        hung.set()
        with contextlib.suppress(ProcessLookupError):
            os.killpg(group, signal.SIGKILL)

    limit = threading.Timer(LIMIT, stop)
    limit.start()
    with contextlib.suppress(ChildProcessError):
        while True:
            os.waitpid(-group, 0)
    limit.cancel()
    with contextlib.suppress(ProcessLookupError):  # one whose parent goes on in another group
        os.killpg(group, signal.SIGKILL)
        hung.set()
    return hung.is_set()


def run(cell, faults, options, command, most=None, pipeline='onboard-live'):
    """One run; exit code, standard output, standard error, run.json or None."""
    folder = f'cell{next(numbers)}'
    words = [RUN, '--output', folder, '--flat', *options, pipeline, '--', *command]
    if most is not None:
        words = ['sh', '-c', f'ulimit -f {most}; exec "$@"', 'sh', *words]
    with subprocess.Popen(words, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, text=True, errors='replace',
                          start_new_session=True,
                          env={**os.environ, 'OPPROF_REFCHIP': 'windows=2 ' + faults}) as process:
        try:
            said, warned = process.communicate(timeout=LIMIT)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            fail(cell, 'it hangs')
            said, warned = process.communicate()
        if is_left(process.pid):
            fail(cell, 'a process is left', said, warned)
    try:
        with open(folder + '/run.json', encoding='utf-8') as file:
            record = json.load(file)
    except (OSError, ValueError):
        record = None
    return process.returncode, said, warned, record


def check(cell, faults, wanted, word, options=(), command=None, verified=1, most=None,
          pipeline='onboard-live', lost=''):
    """One cell. `wanted`: exit codes; `verified`: how many programs say so, None: those that get so
    far. A run that fails as a whole ends the program. `most`: blocks that files may have, 0: of
    those there is no account. `lost`: what is missing is only this."""
    if zlib.crc32(cell.encode()) % STEP != 0:
        return
    code, said, warned, record = run(cell, faults, options, command, most or None, pipeline)
    missing = [text for stage in (record or {'stages': []})['stages']
               for text in stage.get('incomplete', [])]
    flat = ' '.join(warned.split())
    if code not in wanted:
        fail(cell, f'exit code {code}, not {wanted}', said, warned)
    elif word and not re.search(word, flat):
        fail(cell, f'not reported: {word}', said, warned)
    elif 'wrong' in said.split() and verified == 1:
        fail(cell, "the program's memory is not exact", said, warned)
    elif verified is not None and code != 1 and said.split().count('verified') != verified:
        fail(cell, "the program's memory is not exact", said, warned)
    elif lost and not all(re.search(lost, text) for text in missing):
        fail(cell, f'more is missing: {missing}', said, warned)
    elif most != 0 and code >= 0 and (record is None
                                      or (record['outcome'] == 'incomplete') != (
                                          code == 4)) and not (code == 1 and most is not None):
        fail(cell, f'run.json says {record and record["outcome"]}', said, warned)


# ---- where phases are ----

@contextlib.contextmanager
def together():
    """Four runs at a time, which wait more than they work."""
    going = []
    with ThreadPoolExecutor(4) as pool:
        yield lambda *words, **settings: going.append(pool.submit(*words, **settings))
    for one in going:
        one.result()


class Trace:
    """Calls of a plain run, in their order; those whose order is up to threads are left out."""

    def __init__(self, options, command, only='', pipeline='onboard-live'):
        run('trace', f'trace={os.getcwd()}/trace {only}', options, command, pipeline=pipeline)
        with open('trace', encoding='utf-8') as file:
            calls = [line.split() for line in file]
        os.unlink('trace')
        self.calls = [(place, int(number)) for place, number, _ in calls
                      if place not in ('poll', 'read', 'wait')]

    def count(self, place):
        return max((number for name, number in self.calls if name == place), default=0)

    def after(self, mark, number, place, skip=0):
        """The number of the first call of a place after the `number`-th of another one."""
        rest = self.calls[self.calls.index((mark, number)) + 1:]
        return [at for name, at in rest if name == place][skip]


def board_phases(options):
    """Phase -> place -> number of the call."""
    trace = Trace(options, [*PROGRAM, 'inplace', '1'])
    runs = trace.count('run')
    # A warm-up, the passes, monitors, four kinds of instrumentation, the program's own launch.
    assert runs == 1 + PASSES + 1 + 4 + 1, (runs, trace.calls)
    monitors, blocks, memory, operands, warps = range(PASSES + 2, PASSES + 7)
    return {
        'open': {'wait': 1},  # for earlier work
        'backup': {'malloc': 3, 'copy': 3},  # after two of the program's own
        'hash': {'copy': 4},
        'warm-up': {'run': 1, 'wait': 2},
        'first pass': {'start': 1, 'run': 2, 'wait': 3, 'stop': 1},
        'restore': {'copy': trace.after('run', 2, 'copy')},
        'middle pass': {'start': 3, 'run': 4, 'wait': 5, 'stop': 3},
        'last pass': {'start': PASSES + 1, 'run': PASSES + 1, 'wait': PASSES + 2, 'stop': PASSES +
                      1},
        'perfmon': {'map': 1, 'malloc': trace.after('map', 1, 'malloc'), 'run': monitors,
                    'wait': monitors + 1, 'unmap': 1},
        'drain': {'copy': trace.after('run', monitors, 'copy')},
        'counted blocks': {'load': 2, 'malloc': trace.after('load', 2, 'malloc'),
                           'copy': trace.after('load', 2, 'copy'), 'run': blocks},
        'told moves': {'load': 3, 'malloc': trace.after('load', 3, 'malloc'), 'run': memory,
                       'wait': memory + 1},
        'area': {'copy': trace.after('run', memory, 'copy'),
                 'free': trace.after('run', memory, 'free')},
        'counted operations': {'load': 4, 'copy': trace.after('run', operands, 'copy'),
                               'run': operands},
        'warps': {'load': 5, 'run': warps},
        'end': {'copy': trace.after('free', trace.after('run', warps, 'free'), 'copy'),
                'free': trace.count('free')},
    }


# Passes with traces and an instrumented kernel at once: samples after a stub, and marks.
TRACED = ['--set', 'warm_up=1', '--set', 'metrics=BasicInfo,PcSampling,InstrTimeline']


def traced_phases(options):
    """The same of passes with traces: the program's kernel is the first that is loaded, then come
    theirs."""
    trace = Trace(options, [*PROGRAM, 'inplace', '1'])
    samples, marks = PASSES + 2, PASSES + 3
    assert trace.count('run') == 1 + PASSES + 2 + 3 + 1, trace.calls
    return {
        'samples': {'load': 2, 'start': trace.after('run', samples - 1, 'start'), 'run': samples,
                    'wait': samples + 1, 'stop': trace.after('run', samples, 'stop')},
        'marks': {'load': 3, 'start': trace.after('run', marks - 1, 'start'), 'run': marks,
                  'stop': trace.after('run', marks, 'stop')},
    }


# ---- tables ----

def errors():
    """Each call fails once. What is said, by phase and place. That earlier work of its own failed,
    the program hears."""
    said = {
        'open wait': 'earlier work of the device failed with',
        'backup malloc': 'cannot be saved: the device has not enough free memory',
        'backup copy': 'cannot be saved: copying it failed',
        'hash copy': 'cannot be saved: copying it failed', 'start': r'The driver does not start '
                                                                    r'channel \d+',
        'stop': r'Channel \d+ does not stop in pass', 'run': 'The operator failed with',
        'wait': 'The operator failed with', 'perfmon map': '35 of 36 cores have no monitor.*no '
                                                           'stream of a core names block 0',
        'perfmon malloc': 'not enough free memory for their buffers',
        'load': 'The runtime refuses the instrumented kernel',
        'counted blocks malloc': 'MiB free for its record area', 'told moves malloc':
        'MiB free for its record area',
        'counted blocks copy': 'pass 8 is not run: its record area cannot be cleared',
        'drain copy': 'cannot be copied from the device',
        'area copy': 'The records of the instrumented kernel of pass 9 cannot be read',
        'counted operations copy': 'The records of the instrumented kernel of pass 10 '
                                   'cannot be read',
    }
    # Copies that go through the host then; what is not freed is only lost.
    complete = ('perfmon unmap', 'restore copy', 'end copy', 'area free', 'end free')
    with together() as start:
        for phase, places in traced_phases(TRACED).items():
            for place, number in places.items():
                start(check, f'error, {phase} {place}', f'error_{place}={number}', (4,),
                      said[place], TRACED + ['--set', 'deadline=600'], [*PROGRAM, 'inplace', '1'])
        for phase, places in board_phases(BOARD).items():
            for place, number in places.items():
                cell = f'{phase} {place}'
                start(check, 'error, ' + cell, f'error_{place}={number}', (0,) if cell in complete
                      else (4,), said.get(cell, said.get(place)),
                      BOARD + ['--set', 'deadline=600'], [*PROGRAM, 'inplace', '1'], verified=0
                      if cell == 'open wait' else 1)


def hangs():
    """A kernel does not end: it is aborted at the deadline, and the program goes on."""
    for options, phases in ((BOARD, board_phases(BOARD)), (TRACED, traced_phases(TRACED))):
        for phase, places in phases.items():
            if 'run' in places:
                check('hang, ' + phase, f'hang_run={places["run"]}', (4,), ENDLESS, options +
                      ['--set', 'deadline=1'],
                      [*PROGRAM, 'inplace', '1'])


def ends():
    """Ctrl+C, a crash and the collector's death at each phase. A program that handles its signals
    goes on, and so does one whose collector has died."""
    options = BOARD + ['--set', 'deadline=600']
    with together() as start:
        for phase, places in board_phases(BOARD).items():
            place, number = next(iter(places.items()))
            if phase in ('first pass', 'middle pass', 'last pass'):
                place, number = 'run', places['run']
            at = f'{place}={number}'
            start(check, f'interrupt, {phase}', f'interrupt_{at}', (4,), 'was ended by signal 2',
                  options, [*PROGRAM, 'inplace', '1'], verified=None)
            start(check, f'interrupt of a program with a handler, {phase}', f'interrupt_{at}', (0,),
                  '', options, [*PROGRAM, 'handled', '1'])
            start(check, f'crash, {phase}', f'crash_{at}', (4,), 'was ended by signal 11', options,
                  [*PROGRAM, 'inplace', '1'], verified=0)
            start(check, f'dead collector, {phase}', f'orphan_{at}', (-signal.SIGKILL,), '',
                  options, [*PROGRAM, 'inplace', '1'])
        # Before it is connected, and while it asks for its first launch: the program itself is
        # interrupted.
        start(check, 'interrupt, connect', '', (4,), 'signal 2', options,
              ['sh', '-c', 'kill -INT $$'], verified=None)
        start(check, 'interrupt, asking', f'interrupt_malloc=1', (4,), 'was ended by signal 2',
              options, [*PROGRAM, 'inplace', '1'], verified=None)


def channels():
    """Each fault of a channel, in each pass that has it: 53 in all of them, 50 in the last one,
    whatever the series."""
    options = BOARD + ['--set', 'deadline=600']
    program = [*PROGRAM, 'inplace', '1']
    with together() as start:
        for channel in (50, 53):
            for fault, word in (('fail_start', f'does not start channel {channel}'),
                                ('fail_read', f'Reading channel {channel} failed'),
                                ('fail_poll', 'Waiting for the profiling channels failed'),
                                ('lose_stop', f'Channel {channel} lost records'),
                                ('silent', f'Channel {channel} gave no records')):
                start(check, f'{fault}, channel {channel}', f'{fault}={channel}', (4,), word,
                      options, program)
            start(check, f'late, channel {channel}', f'late={channel}', (0,), '', options, program)
        for size in (1, 7, 63, 64, 65, 100):
            start(check, f'reads of {size} bytes', f'short_read={size}', (0,), '', options, program)
        for fault, word in (('fail_map=1', '35 of 36 cores have no monitor'),
                            ('silent_monitor=1', 'No monitor of a core wrote a word|'),
                            ('stuck_monitor=1', 'The write pointers of 1 monitors stand still|')):
            start(check, fault, fault, (0, 4), word, options, program)
        # No room for what a phase writes: the kernel, raw files, results.
        for blocks in (16, 32, 64, 128):
            start(check, f'{blocks} blocks of disk', '', (1, 4), 'File too large', options, program,
                  most=blocks)


def ranks():
    """Operators that communicate: one of three ranks fails, hangs, is interrupted or dies in each
    phase. The others do not wait longer than a deadline says."""
    options = ['--set', 'deadline=1', '--set', 'metrics=BasicInfo']
    # A joint warm-up, and a pass; the program's own launch is among them.
    phases = {'warm-up': 1, 'pass': 2}
    lost = (r'Not all ranks came|' + ENDLESS + r'|The operator failed with|ended while|ended by '
                                               r'signal|does not start|gave no records')
    with together() as start:
        for phase, number in phases.items():
            for place in ('barrier', 'gather', 'run'):
                for effect in ('error', 'hang', 'interrupt', 'crash'):
                    start(check, f'{effect}, {place} of a rank in its {phase}',
                          f'{effect}_{place}={number} only=2 meeting=2000', (4,), lost, options,
                          [*RANKS, '--processes'], verified=None)
                # Ranks that have not asked yet are not profiled; the others wait for them at the
                # barrier, and then go on without it.
                start(check, f'dead collector, {place} of a rank in its {phase}',
                      f'orphan_{place}={number} only=2 meeting=600000', (-signal.SIGKILL,), '',
                      options + ['--set', 'deadline=10'], RANKS)
        # A launch that nobody made is no success for the program.
        for effect in ('error', 'hang'):
            for place in ('gather', 'run'):
                start(check, f'{effect}, {place} of all ranks', f'{effect}_{place}=1 meeting=2000',
                      (4,), 'ended with exit code 1', options, [*RANKS[:2], '1', *RANKS[3:]],
                      verified=0)
        for place, number in (('start', 1), ('start', 3), ('stop', 1), ('wait', 1)):
            start(check, f'error, {place} {number} of a rank', f'error_{place}={number} only=2 '
                                                               'meeting=2000', (4,), '', options,
                  [*RANKS, '--processes'], verified=None)


def check_outliving():
    """The program ends before its child. That is waited for as long as it profiles, and then for a
    while without a word."""
    for cell, faults, wanted, word in (
            ('a silent child', '', 4, r"1 process still runs after the end of '.*' and sent "
                                      r"nothing for 2000 ms"),
            ('a child whose launch hangs', 'hang_run=2', 4, ENDLESS)):
        held = os.path.abspath('held')
        os.mkfifo(held)
        os.environ['BOARD_HELD'] = held
        with subprocess.Popen([RUN, '--output', cell.replace(' ', '-'), '--flat', *BOARD, '--set',
                               'deadline=3', 'onboard-live', '--', *PROGRAM, 'outlive', '1'],
                              stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, text=True, start_new_session=True,
                              env={**os.environ, 'OPPROF_REFCHIP': 'windows=2 ' +
                                   faults}) as process:
            said, warned = process.communicate(timeout=LIMIT)
        try:
            os.close(os.open(held, os.O_WRONLY | os.O_NONBLOCK))
        except OSError:
            fail(cell, 'the child is gone', said, warned)
        os.unlink(held)
        flat = ' '.join(warned.split())
        if process.returncode != wanted or not re.search(
            word, flat) or 'verified' not in said.split() or 'was stopped before' in flat:
            fail(cell, f'exit code {process.returncode}', said, warned)
        if is_left(process.pid):
            fail(cell, 'the child is left')


def check_halted(cell, faults, options):
    """The collector stands still at this point: the program goes on after its patience, and the
    collector when it may."""
    with subprocess.Popen([RUN, '--output', cell, '--flat', *options, 'onboard-live', '--',
                           *PROGRAM, 'inplace', '1'], stdin=subprocess.DEVNULL,
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                          start_new_session=True,
                          env={**os.environ, 'OPPROF_REFCHIP': 'windows=2 ' + faults,
                               'OPPROF_LIVE_PATIENCE': '1'}) as process:
        word = process.stdout.readline()
        process.send_signal(signal.SIGCONT)
        said, warned = process.communicate(timeout=LIMIT)
    if word != 'verified\n' or process.returncode not in (0, 4) or is_left(process.pid):
        fail(cell, f'{word}, exit code {process.returncode}', said, warned)


def hide(names):
    """Libraries in front whose functions of these names have other names."""
    with open(os.path.join(os.environ['REFCHIP_LIBRARIES'], 'libruntime.so'), 'rb') as file:
        data = file.read()
    for name in names:
        data = data.replace(b'\0' + name + b'\0', b'\0_' + name[1:] + b'\0')
    os.makedirs('hidden', exist_ok=True)
    with open('hidden/libruntime.so', 'wb') as file:
        file.write(data)
    os.environ['OPPROF_REFCHIP_LIBRARIES'] = os.path.abspath('hidden')


def waits():
    """Every wait that no other table reaches the end of: of ranges, for a stream, for a channel
    that does not get empty, for what is aborted, for processes that go on, for a collector that
    stands still."""
    soon, one = ['--set', 'deadline=1'], [*PROGRAM, 'inplace', '1']
    ranges = ['--set', 'warm_up=1', '--set', 'mstx=on', '--set', 'replay_mode=range', '--set',
              'launch_count=20', *soon]
    driver = [CHIP, os.environ['REFCHIP_RANGE_DRIVER']]
    # One launch before the range, three in it; a warm-up of it and ten passes.
    for number, phase in ((2, 'warm-up'), (6, 'first pass'), (21, 'a middle pass'),
                          (34, 'last pass')):
        check(f'range, {phase}', f'hang_run={number}', (4,), ENDLESS, ranges, [*driver, 'one'])
    check('range, earlier work', 'hang_run=1', (4,), 'earlier work of the device does not end, '
                                                     'or failed', ranges, [*driver, 'busy'])
    check('range, earlier error', 'error_wait=1', (4,), 'earlier work of the device does not end, '
                                                        'or failed', ranges, [*driver, 'one'],
          verified=0)
    for channel in (50, 53):
        check(f'endless channel {channel}', f'endless={channel}', (4,), r'did not become empty '
              r'within \d{4,} ms', BOARD + soon, one)
    for number in (1, 2, PASSES + 1, PASSES + 2, PASSES + 3):
        check(f'run {number} never ends', f'stuck_run={number}', (4,), ENDLESS, BOARD + soon,
              [*PROGRAM, 'limited'], verified=None)
    check_outliving()
    with together() as start:
        for phase, places in board_phases(BOARD).items():
            place, number = next(iter(places.items()))
            start(check_halted, f'halt, {phase}', f'halt_{place}={number}',
                  BOARD + ['--set', 'deadline=600'])
    behind = ['--set', 'launch_skip=1', '--set', 'launch_count=3', *soon]
    check('earlier work of the device', 'hang_run=1', (4,), 'earlier work of the device ' + ENDLESS,
          BOARD + behind, [*PROGRAM, 'behind', '2'])
    # Without the function that waits for a device, the launch's own stream is waited for.
    hide([b'rtDeviceSynchronizeWithTimeout', b'aclrtSynchronizeDeviceWithTimeoutImpl'])
    check('earlier work of the stream', 'hang_run=1', (4,), 'earlier work of the device ' + ENDLESS,
          BOARD + behind, [*PROGRAM, 'behind', '2'])


def check_guests(phase, at, options, command, pipeline):
    """Guests and noise on the connection, and no room from there on."""
    check(f'guests, {phase}', f'visit_{at}', (4,), 'The connection to process [0-9]+ was dropped',
          options, command, pipeline=pipeline, lost='The connection to process|did not use the '
                                                    'runtime|runs as user 65534')
    check(f'noise, {phase}', f'garble_{at}', (4,), 'The connection to process [0-9]+ was dropped',
          options, command, pipeline=pipeline)
    check(f'full disk, {phase}', f'full_{at}', (1, 4), 'File too large', options, command, most=0,
          pipeline=pipeline)


def guests():
    """Other users, clients that say what nobody understands, noise on the program's own connection,
    and a disk that gets full, at each phase on a device and on a simulator. A simulator whose
    entries make no sense, whose functions leave something behind."""
    os.environ['REFCHIP_VISITOR'] = ('unset LD_PRELOAD; exec python3 -B '
                                     f'"{os.environ["TALK"]}" visits')
    options, program = BOARD + ['--set', 'deadline=600'], [*PROGRAM, 'inplace', '1']
    operator = [CHIP, 'vector-add', '--size', '8192', '--blocks', '2']
    entries = Trace([], operator, pipeline='sim-live').count('log')
    simulated = {'load': 'load=1', 'start': 'run=1', 'first entry': 'log=1',
                 'middle entry': f'log={entries // 2}', 'last entry': f'log={entries}',
                 'end': 'free=1'}
    with together() as start:
        for phase, places in board_phases(BOARD).items():
            place, number = next(iter(places.items()))
            start(check_guests, phase, f'{place}={number}', options, program, 'onboard-live')
        for phase, at in simulated.items():
            start(check_guests, 'simulated ' + phase, at, [], operator, 'sim-live')
        for number in (1, 2, entries // 3, entries // 2, entries):
            start(check, f'garbage before entry {number}', f'garbage_log={number}', (4,),
                  'lost in the program', [], operator, pipeline='sim-live')
        for value in (1, 100000, 0xffffffffffffffff):
            start(check, f'{value} left over', f'left_over={value}', (0,), '', [], operator,
                  pipeline='sim-live')


if __name__ == '__main__':
    adopt()
    os.mkdir(sys.argv[1])
    os.chdir(sys.argv[1])
    {'errors': errors, 'hangs': hangs, 'ends': ends, 'channels': channels, 'guests': guests,
     'ranks': ranks, 'waits': waits}[sys.argv[1]]()
    print(next(numbers) - 1, 'runs,', len(failed), 'failed')
    sys.exit(1 if failed else 0)
