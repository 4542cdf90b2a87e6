#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# What streams and calls wait for in databases of Nsight Systems: with a table of recorded events,
# without one, and none at all.
# shellcheck source=tests/e2e/lib.sh
. "$(dirname -- "${BASH_SOURCE[0]}")/../../e2e/lib.sh"
cd "$WORK" || exit 99
command -v python3 >/dev/null 2>&1 || exit 77

# Stream 7 works from 10 to 110 us. Then its event 3 is recorded (call 2), and stream 9 waits for
# that (call 4) and works from 115 to
# 165. Before that the same number was that of an event of stream 13, which works from 11 to 21 and
# on from 150 to 190, launched last. The host waits for the event of stream 9 (call 7), recorded by
# call 6, until 170.
cat >make.py <<'PY'
import sqlite3, sys
marks, syncs = sys.argv[2] == "marks", sys.argv[2] != "none"
db = sqlite3.connect(sys.argv[1])
pid = 10 << 24
names = ["cudaLaunchKernel", "cudaEventRecord", "cudaStreamWaitEvent", "cudaEventSynchronize", "k"]
db.executescript("""
    CREATE TABLE StringIds (id INTEGER PRIMARY KEY, value TEXT NOT NULL);
    CREATE TABLE CUPTI_ACTIVITY_KIND_KERNEL (start INT, end INT, deviceId INT, streamId INT, correlationId INT, globalPid INT,
        demangledName INT, shortName INT);
    CREATE TABLE CUPTI_ACTIVITY_KIND_RUNTIME (start INT, end INT, eventClass INT, globalTid INT, correlationId INT, nameId INT);
""")
db.executemany("INSERT INTO StringIds VALUES (?, ?)", enumerate(names))
def call(n, name, start, end): db.execute("INSERT INTO CUPTI_ACTIVITY_KIND_RUNTIME VALUES "
                                          "(?,?,0,?,?,?)", (start * 1000, end * 1000, pid | 11, n,
                                                            names.index(name)))
def work(n, stream, start, end): db.execute("INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL VALUES "
                                            "(?,?,0,?,?,?,4,0)", (start * 1000, end * 1000, stream,
                                                                  n, pid))
call(20, "cudaLaunchKernel", 0, 1); work(20, 13, 11, 21)
call(21, "cudaEventRecord", 1, 2)
call(22, "cudaLaunchKernel", 2, 3); work(22, 7, 10, 110)
call(23, "cudaEventRecord", 3, 4)
call(24, "cudaStreamWaitEvent", 4, 5)
call(25, "cudaLaunchKernel", 5, 6); work(25, 9, 115, 165)
call(26, "cudaEventRecord", 6, 7)
call(27, "cudaLaunchKernel", 7, 8); work(27, 13, 150, 167)
call(28, "cudaEventSynchronize", 8, 170)
if syncs:
    db.execute("CREATE TABLE CUPTI_ACTIVITY_KIND_SYNCHRONIZATION (start INT, end INT, deviceId "
               "INT, contextId INT, streamId INT, correlationId INT, globalPid INT, syncType INT, "
               "eventId INT)")
    db.execute("INSERT INTO CUPTI_ACTIVITY_KIND_SYNCHRONIZATION VALUES (8000, 170000, 0, 1, "
               "4294967295, 28, ?, 1, 5)", (pid,))
    db.execute("INSERT INTO CUPTI_ACTIVITY_KIND_SYNCHRONIZATION VALUES (0, 0, 0, 1, 9, "
               "24, ?, 2, 3)", (pid,))
if marks:
    db.execute("CREATE TABLE CUPTI_ACTIVITY_KIND_CUDA_EVENT (timestamp INT, deviceId INT, "
               "contextId INT, greenContextId INT, streamId INT, correlationId INT, globalPid INT, "
               "eventId INT, eventSyncId INT)")
    for stream, n, event in ((9, 26, 5), (13, 21, 3), (7, 23, 3)):
        db.execute("INSERT INTO CUPTI_ACTIVITY_KIND_CUDA_EVENT VALUES (0, 0, 1, NULL, ?, ?, "
                   "?, ?, 77)", (stream, n, pid, event))
db.commit()
PY

# The path of a trace: part and time, in the order of the table; then the gain if computation took
# no time.
path() {
    rm -rf out t.sqlite
    python3 make.py t.sqlite "$1" || exit 99
    opprof --pipeline kineto --set input=t.sqlite --output out --flat
    expect 0
    python3 -c 'import csv
for row in csv.DictReader(open("out/critical_path.csv")): print(row["part"], float(row["time(us)"]),
                                                                row["gain_if_none(us)"])'
}

# 2 us of the host until call 22, 8 to its work of 100, 5 to that of stream 9, 50, and 5 until the
# host goes on. Without computation stream 9 begins at 10 at the earliest, and the host has to look
# for its event from 8 on.
path marks >marks.txt
holds grep -qx 'computation 150.0 [0-9.]*' marks.txt
holds grep -qx 'kernel_gap 5.0 [0-9.]*' marks.txt
holds grep -qx 'launch_delay 8.0 [0-9.]*' marks.txt
# Without the records it is unknown what stream 9 waited for, and so are the gains; so it is without
# any waits.
path syncs >syncs.txt
holds grep -qx 'computation [0-9.]* NA' syncs.txt
path none >none.txt
holds grep -qx 'computation [0-9.]* NA' none.txt
finish
