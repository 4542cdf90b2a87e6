#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Write traces on which cutting a text between events is hard: names that look like events, and odd
things among events.

usage: make_odd_texts.py FOLDER. Python 3 standard library only.
"""
import json
import os
import random
import sys

random.seed(14)
NAMES = ['a', 'b\\', '"', '}, {"ph":"X","name":"no"}', '},{\\"ph\\":\\"X\\"',
         '\\\\"},{"ph":"X","ts":1,"dur":1}', '[{]}', ']}', 'é\u2028', 'void f<g<{}>>(h)', '\\"}]',
         '},\n{"ph":"X","cat":"kernel","name":"x"', 'x' * 700]


def event(i):
    kind = random.choice(["kernel", "kernel", "cuda_runtime", "cpu_op", "user_annotation",
                          "python_function", "odd", "ac2g"])
    args = {"correlation": i // 2, "device": 0, "stream": 7 + i % 3,
            "nested": [{"a": ["}"]}, NAMES[i % len(NAMES)]]}
    name = random.choice(NAMES)
    if kind == "cuda_runtime":
        name = "cudaLaunchKernel"
    if kind == "user_annotation" and i % 3 == 0:
        name = "ProfilerStep#%d" % i
    phase = "X" if kind != "ac2g" else "s"
    result = {"ph": phase, "cat": kind, "name": name, "pid": 1, "tid": i % 2, "ts": 10 * i,
              "dur": 5 + i % 9, "args": args}
    if i % 11 == 0:
        keys = list(result)
        random.shuffle(keys)
        result = {key: result[key] for key in keys}
    return result


def dump(events, separator=","):
    return separator.join(json.dumps(e, ensure_ascii=i % 2 == 0) for i, e in enumerate(events))


def main(folder):
    events = [event(i) for i in range(600)]
    pairs = []
    for i in range(60):
        pairs.append({"ph": "B", "cat": "cpu_op", "name": "o%d" % i, "pid": 1, "tid": 5,
                      "ts": 100 * i})
        pairs.append({"ph": "E", "pid": 1, "tid": 5, "ts": 100 * i + 70})
    text = dump(events)
    half = dump(events[:300])
    rest = dump(events[300:])
    texts = {
        "strings": '{"traceEvents":[%s],"baseTimeNanoseconds":5}' % text,
        "array": "[%s]" % dump(events, ",\n  "),
        "unclosed": "[%s,\n" % text,
        "empty": '{"traceEvents":[]}',
        "pairs": '{"traceEvents":[%s,%s]}' % (dump(pairs), text),
        "broken": '{"traceEvents":[%s,{"ph":"X","cat":"kernel","name":"a"b","ts":1,"dur":2},%s]}' %
        (half, rest),
        "brackets": '{"traceEvents":[%s,{"ph":"X","args":{"x":[1,2}},{"ph":"X","name":,'
                    '"ts":3},%s]}' % (half, rest),
        "strangers": '{"traceEvents":[%s,[1,{"ph":"X"}],"x",7,%s]}' % (half, rest),
        "zeros": '{"traceEvents":[%s,{"ph":"X","cat":"kernel","name":"a%sb","ts":1,"dur":2},%s]}' %
        (half, chr(0) * 5000, rest),
        "commas": '{"traceEvents":[%s,,%s]}' % (half, rest),
        "no-comma": '{"traceEvents":[%s %s]}' % (half, rest),
        "long": '{"traceEvents":[%s,{"ph":"X","cat":"kernel","name":"%s","ts":1,"dur":1},%s]}' %
        (half, "y" * 1100000, rest),
        "cut": ('{"traceEvents":[%s' % text)[:-37],
        "more": '{"traceEvents":[%s]} and more' % text,
        "blanks": '{"traceEvents":[%s]}' % dump(events, " \n,\n\t "),
        "two": '{"traceEvents":[%s],"x":{"y":"%s"},"traceEvents":[%s]}' % (half, "z" * 5000, rest),
    }
    for name, content in texts.items():
        with open(os.path.join(folder, name + ".json"), "w", encoding="utf-8") as file:
            file.write(content)


main(sys.argv[1])
