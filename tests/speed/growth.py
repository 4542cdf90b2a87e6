#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""growth.py [PIPELINE [DIMENSION]]: how the work of a pipeline grows with one dimension of its
input, in instructions counted by callgrind, which a busy machine does not change. For n, 2n and 4n,
the second step costs about twice the first where the work is in proportion, and four times where it
is quadratic; nothing may cost more than MOST times. Without arguments all dimensions are measured,
with GROWTH=first the first one of each pipeline."""
import json, os, re, sqlite3, struct, subprocess, sys, tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
TOOLS = os.environ['TEST_TOOLS']
sys.path.insert(0, os.path.join(ROOT, 'tests', 'tools'))
import dbi_raw
import make_ranks
import mc2_raw

# A logarithm, caches that fill and sorting leave the first step cheaper than half of the second.
MOST = 3


# ---- inputs ----

def trace(path, rank, events):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, 'w', encoding='utf-8') as out:
        json.dump({'distributedInfo': {'rank': rank}, 'traceEvents': events}, out)
    return path


def work(number, name, stream=7, device=0, cat='kernel'):
    """A call of the host and the work that it launches."""
    return [{'ph': 'X', 'cat': 'cuda_runtime', 'name': 'cudaLaunchKernel', 'pid': 5, 'tid': 5,
             'ts': 10 * number + 0.5, 'dur': 2.25, 'args': {'correlation': number}},
            {'ph': 'X', 'cat': cat, 'name': name, 'pid': device, 'tid': stream, 'ts': 10 * number +
             4.5, 'dur': 8.25,
             'args': {'device': device, 'stream': stream, 'correlation': number}}]


def host(number, name, tid=5, dur=4.25):
    return {'ph': 'X', 'cat': 'cpu_op', 'name': name, 'pid': 5, 'tid': tid, 'ts': 10 * number +
            0.25, 'dur': dur, 'args': {}}


def kineto(make):
    """A trace of what `make` gives for each of n numbers."""
    return lambda n, folder: (trace(folder + '/trace.json', 0,
                                    [event for i in range(n) for event in make(i + 1)]), [])


def ranks(n, folder):
    make_ranks.main(folder, n, steps=4)
    return folder, []


def tool(program, *options):
    """What a program of tests/tools writes, with n for N."""
    def make(n, folder):
        words = [str(n) if word == 'N' else word for word in options]
        subprocess.run([os.path.join(TOOLS, program), *words, folder], check=True,
                       stdout=subprocess.DEVNULL)
        return folder, ['chip=Ascend910B1'] if program == 'gen_dump' else []
    return make


def mc2(option):
    def make(n, folder):
        values = {'--cards': '1', '--blocks': '2', '--steps': '4', option: str(n)}
        subprocess.run([sys.executable, os.path.join(ROOT, 'tests/tools/mc2_raw.py'),
                        *[word for pair in values.items() for word in pair], folder],
                       check=True, stdout=subprocess.DEVNULL)
        os.unlink(folder + '/truth.json')
        return folder, []
    return make


def biu(cores, count):
    def make(n, folder):
        mc2_raw.put(folder, 'op_basic_info.txt', mc2_raw.info('950', 'plain',
                                                              'Current Freq=1000\n'))
        words = b''.join(mc2_raw.word(10 + 7 * i, (0xF008, 0xF000, 0xF010, 0x1000 + i)[i % 4])
                         for i in range(count or n))
        for core in range(cores or n):
            mc2_raw.put(folder, f'perfmon.core{core}.aiv0',
                        mc2_raw.stamp(1000 + core, core) + words + mc2_raw.word(1, 0xF000))
        return folder, []
    return make


def mindspore(executions=0, operators=100, steps=1, slices=1):
    """Logs of MindSpore's older profiler; 0 stands for n."""
    def make(n, folder):
        os.makedirs(folder)
        tasks = operators or n
        log = b''.join(struct.pack('<BBHHHQI44x', i & 1 | (i & 15) << 4, 0, 0x6bd3, 0,
                                   i // 2 % tasks, 100 * i, i // 2 % tasks % 8)
                       for i in range(2 * (executions or n)))
        for k in range(slices or n):
            parts = slices or n
            with open(f'{folder}/hwts.log.data.45.dev.profiler_default_tag.0.slice_{k}',
                      'wb') as out:
                out.write(log[len(log) * k // parts:len(log) * (k + 1) // parts])
        with open(folder + '/Framework.host.vm.task_desc_info.0.slice_0', 'w',
                  encoding='utf-8') as out:
            out.writelines(f'Default/net/Op-op{i} 8 {i} {i % 8}\n' for i in range(tasks))
        with open(folder + '/training_trace.46.dev.profiler_default_tag.0.slice_0', 'wb') as out:
            out.writelines(struct.pack('<QHHQ', tag, 0, 9, 1000 * i + place)
                           for i in range(steps or n)
                           for place, tag in enumerate((1, 3, 4, 5, 6, 2, 255)))
        return folder, []
    return make


def dbi(slots, count, same_place):
    def make(n, folder):
        os.makedirs(folder, exist_ok=True)
        with open(folder + '/op_basic_info.txt', 'w', encoding='ascii') as out:
            out.write('Run Soc Version=Ascend910B1\n')
        dbi_raw.write_packets(folder + '/DbiPackets.bin',
                              {slot: [dbi_raw.dma_mov(0, 0x100000 * slot +
                                                      (0x1000 * (i % 50) if same_place else 0x1000 *
                                                       i), 0x40 + 4 * (i % 9), 8, 9,
                                                      i % 3, 0, 'GM>L1') for i in range(count or n)]
                               for slot in range(slots or n)})
        return folder, []
    return make


def results(pipeline, make):
    """The database of a run, to be shown."""
    def run(n, folder):
        source, settings = make(n, folder + '-input')
        opprof(pipeline, source, settings, folder)
        return folder, []
    return run


def put_table(database, name, columns):
    """A table with two rows, of a record type of its own."""
    database.execute('CREATE TABLE "%s" (%s)' %
                     (name, ', '.join(f'c{i} INTEGER' for i in range(columns))))
    for row in range(2):
        database.execute('INSERT INTO "%s" VALUES (%s)' %
                         (name, ', '.join(str(row * i) for i in range(columns))))
    database.execute('INSERT INTO opprof_tables VALUES (?, ?, 1, ?, ?, ?, 5, 2)',
                     (name, 'made-up.' + name, name, 'Made up.', name))
    for i in range(columns):
        database.execute("INSERT INTO opprof_columns VALUES (?, ?, ?, ?, 'u64', NULL, 'Made up.', "
                         "NULL, 0, 0, 0, NULL)", (name, i + 1, f'c{i}', f'c{i}'))


def tables(count, columns):
    def make(n, folder):
        results('kineto', KERNELS)(10, folder)
        with sqlite3.connect(folder + '/results.sqlite') as database:
            for i in range(count or n):
                put_table(database, f'made_up_{i}', columns or n)
        database.close()
        return folder, []
    return make


KERNELS = kineto(lambda i: work(i, 'gemm'))
NAMES = kineto(lambda i: work(i, f'kernel_{i}_of_its_own'))
STREAMS = kineto(lambda i: work(i, 'gemm', stream=100 + i))
THREADS = kineto(lambda i: [host(i, 'aten::add', tid=1000 + i), *work(i, 'gemm')])
NESTED = kineto(lambda i: [host(0, f'aten::level{i % 7}', dur=2000000 - i), *work(i, 'gemm')])
STEPS = kineto(lambda i: [{'ph': 'X', 'cat': 'user_annotation', 'name': f'ProfilerStep#{i}',
                           'pid': 5, 'tid': 5, 'ts': 10 * i, 'dur': 9.5},
                          *work(i, 'gemm')])

# Pipeline, dimension, what makes the input, and the smallest n. The first of each pipeline is
# measured in continuous integration.
DIMENSIONS = (
    ('kineto', 'names', NAMES, 500),
    ('kineto', 'kernels', KERNELS, 2000),
    ('kineto', 'streams', STREAMS, 500),
    ('kineto', 'threads', THREADS, 500),
    ('kineto', 'nested calls', NESTED, 500),
    ('kineto', 'steps', STEPS, 500),
    ('kineto', 'ranks', ranks, 8),
    ('sim-dump', 'instructions', tool('gen_dump', '--instructions', 'N'), 2000),
    ('sim-dump', 'program', tool('gen_dump', '--instructions', '20000', '--pcs', 'N'), 1000),
    ('sim-dump', 'cores', tool('gen_dump', '--instructions', '500', '--cores', 'N'), 4),
    ('onboard-dump', 'launches', tool('gen_onboard', '--launches', 'N'), 4),
    ('onboard-dump', 'blocks', tool('gen_onboard', '--blocks', 'N'), 6),
    ('onboard-dump', 'devices', tool('gen_onboard', '--devices', 'N'), 2),
    ('mc2-dump', 'steps', mc2('--steps'), 100),
    ('mc2-dump', 'blocks', mc2('--blocks'), 8),
    ('mc2-dump', 'cards', mc2('--cards'), 2),
    ('biu-dump', 'words', biu(4, 0), 1000),
    ('biu-dump', 'cores', biu(0, 200), 8),
    ('mindspore-dump', 'executions', mindspore(), 2000),
    ('mindspore-dump', 'operators', mindspore(executions=4000, operators=0), 200),
    ('mindspore-dump', 'steps', mindspore(executions=10, steps=0), 200),
    ('mindspore-dump', 'slices', mindspore(executions=2000, slices=0), 200),
    ('dbi-dump', 'moves', dbi(2, 0, True), 2000),
    ('dbi-dump', 'addresses', dbi(2, 0, False), 200),
    ('dbi-dump', 'cores', dbi(0, 500, True), 8),
    ('show', 'streams', results('kineto', STREAMS), 500),
    ('show', 'names', results('kineto', NAMES), 1000),
    ('show', 'ranks', results('kineto', ranks), 8),
    ('show', 'program', results('sim-dump', tool('gen_dump', '--instructions', '20000', '--pcs',
                                                 'N')), 500),
    ('show', 'launches', results('onboard-dump', tool('gen_onboard', '--launches', 'N')), 8),
    ('show', 'tables', tables(0, 4), 50),
    ('show', 'columns', tables(1, 0), 100),
)


# ---- counting ----

def opprof(pipeline, source, settings, output, before=()):
    run = os.environ['OPPROF_RUN']
    words = [*before, run, '--show',
             source] if pipeline == 'show' else [*before, run, '-q', '--output', output, '--flat',
                                                 '--pipeline', pipeline]
    for setting in ([] if pipeline == 'show' else ['input=' + source, *settings]):
        words += ['--set', setting]
    said = subprocess.run(words, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                          stderr=subprocess.PIPE, text=True, errors='replace', check=False)
    if said.returncode not in (0, 4):
        sys.exit(f'FAIL: {pipeline} of {source} ends with {said.returncode}:\n{said.stderr}')
    return said.stderr


def count(pipeline, make, n):
    with tempfile.TemporaryDirectory() as folder:
        source, settings = make(n, folder + '/input')
        said = opprof(pipeline, source, settings, folder + '/output',
                      ('valgrind', '--tool=callgrind', '--callgrind-out-file=/dev/null'))
        return int(re.search(r'Collected : ([0-9]+)', said).group(1))


def main():
    wanted, failed = sys.argv[1:], 0
    seen = set()
    for pipeline, dimension, make, n in DIMENSIONS:
        if wanted[:2] not in ([], [pipeline],
                              [pipeline, dimension]) or (os.environ.get('GROWTH') == 'first'
                                                         and pipeline in seen):
            continue
        seen.add(pipeline)
        counts = [count(pipeline, make, n * times) for times in (1, 2, 4)]
        first, second = counts[1] - counts[0], counts[2] - counts[1]
        # What is lost among the rest of the run does not grow.
        growth = second / first if first > counts[0] / 200 else second / (counts[0] / 200)
        line = f'{pipeline}, {dimension}: {n}, {2 * n}, {4 * n} cost ' + ', '.join(
            f'{c / 1e6:.0f}' for c in counts) + f' million instructions: {growth:.2f}'
        is_bad = growth > MOST
        failed += is_bad
        print(('FAIL: ' if is_bad else '') + line + (f', more than {MOST}' if is_bad else ''),
              flush=True)
    sys.exit(1 if failed or not seen else 0)


if __name__ == '__main__':
    main()
