#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The layout of the public structures, as the C compiler sees it: a line for each structure and
member.

  abi.py INCLUDE-DIRECTORY…                 print it
  abi.py --check FIXTURES INCLUDE-DIR…      compare it with FIXTURES/<major>.<minor>.txt of these
                                            headers' ABI, which must be equal, and with the previous
                                            one, of which nothing may have moved
"""
import os
import re
import subprocess
import sys
import tempfile

HEADERS = ("opprof.h",)


def structures(text):
    """(name, members) of each typedef struct with a body."""
    text = re.sub(r"/\*.*?\*/", "", text, flags=re.S)
    for match in re.finditer(r"typedef struct (\w+) \{(.*?)^\} \1;", text, flags=re.S | re.M):
        body = re.sub(r"union \{.*?\} (\w+);", r"int \1;", match[2], flags=re.S)
        members = []
        for statement in body.split(";"):
            statement = " ".join(statement.split())
            if not statement:
                continue
            pointer = re.search(r"\(\*(\w+)\)", statement)
            if pointer:
                members.append(pointer[1])
                continue
            for part in statement.split(","):
                members.append(re.search(r"(\w+)(?:\[[^\]]*\])?$", part.strip())[1])
        yield match[1], members


def layout(directories):
    lines = []
    for directory in directories:
        folder = os.path.join(directory, "opprof")
        for name in sorted(os.listdir(folder)):
            if name.endswith(".h"):
                with open(os.path.join(folder, name), encoding="utf-8") as file:
                    for struct, members in structures(file.read()):
                        lines.append((struct, None))
                        lines.extend((struct, member) for member in members)
    code = ("#include <opprof/opprof.h>\n#include <stddef.h>\n#include <stdio.h>\nint "
            "main(void)\n{\n")
    code += 'printf("abi %d.%d\\n", OPPROF_ABI_MAJOR, OPPROF_ABI_MINOR);\n'
    for struct, member in lines:
        if member is None:
            code += f'printf("{struct} %zu\\n", sizeof({struct}));\n'
        else:
            code += (f'printf("{struct}.{member} %zu %zu\\n", offsetof({struct}, {member}), '
                     f"sizeof((({struct} *) 0)->{member}));\n")
    with tempfile.TemporaryDirectory() as work:
        source, program = os.path.join(work, "layout.c"), os.path.join(work, "layout")
        with open(source, "w", encoding="utf-8") as file:
            file.write(code + "return 0;\n}\n")
        subprocess.run([*os.environ.get("CC", "cc").split(), "-std=gnu11",
                        *(f"-I{d}" for d in directories), "-o", program, source],
                       check=True)
        emulator = os.environ.get("EMULATOR", "").split()
        return subprocess.run([*emulator, program], check=True, capture_output=True,
                              text=True).stdout.splitlines()


def check(fixtures, now):
    version = now[0].split()[1]
    major, minor = (int(part) for part in version.split("."))
    problems = []
    with open(os.path.join(fixtures, version + ".txt"), encoding="utf-8") as file:
        stated = file.read().splitlines()
    for line in stated + now:
        if (line in stated) != (line in now):
            problems.append(f"ABI {version}: '{line}' is {'gone' if line in stated else 'new'}: a "
                            "change needs another minor number")
    before = os.path.join(fixtures, f"{major}.{minor - 1}.txt")
    if os.path.exists(before):
        places = dict(line.rsplit(" ", 2)[0:2] for line in now if "." in line.split()[0])
        with open(before, encoding="utf-8") as file:
            for line in file.read().splitlines():
                if "." in line.split()[0] and not line.startswith("abi"):
                    member, offset, _ = line.rsplit(" ", 2)
                    if places.get(member) != offset:
                        problems.append(f"'{member}' was at {offset} in {major}.{minor - 1}, and "
                                        f"is at {places.get(member)}")
    return problems


def main():
    arguments = sys.argv[1:]
    if arguments and arguments[0] == "--check":
        problems = check(arguments[1], layout(arguments[2:]))
        print("\n".join(problems) if problems else "the layout is as it was")
        return 1 if problems else 0
    print("\n".join(layout(arguments)))
    return 0


sys.exit(main())
