#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compare what a library's version script lists, one symbol per line, with what its public headers declare and with what
the linker made of it.

  symbols.py MAP LIBRARY HEADERS…     prints each difference and fails if there is one
  symbols.py --update MAP HEADERS…    writes the list anew from the headers
"""
import re
import subprocess
import sys


def declared(headers):
    """Functions and objects that headers declare, without inline ones."""
    names = set()
    for path in headers:
        with open(path, encoding="utf-8") as file:
            text = re.sub(r"/\*.*?\*/", "", file.read(), flags=re.S)
        text = re.sub(r"^\s*#(?:.*\\\n)*.*", "", text, flags=re.M)
        text = text.replace("extern \"C\" {", "")
        while re.search(r"\{[^{}]*\}", text):  # bodies of structures and of inline functions
            text = re.sub(r"\{[^{}]*\}", "@", text)
        text = re.sub(r"static inline[^;@]*@", "", text)
        for statement in text.split(";"):
            statement = statement.strip()
            if "@" in statement or re.match(r"(static|typedef)\b", statement):
                continue
            match = re.search(r"\b([A-Z]\w+)\s*\(", statement)
            if match:
                names.add(match.group(1))
            match = re.search(r"extern const \w+ (\w+)$", statement)
            if match:
                names.add(match.group(1))
    return names


def listed(path):
    with open(path, encoding="utf-8") as file:
        text = re.sub(r"/\*.*?\*/", "", file.read(), flags=re.S)
    return [name.strip() for name in text[text.index("global:") + 7:text.index("local:")].split(";") if name.strip()]


def exported(library):
    lines = subprocess.run(["nm", "-D", "--defined-only", library], check=True, capture_output=True, text=True).stdout
    return {line.split()[2].split("@")[0] for line in lines.splitlines() if line.split()[1] in "TDRBV"}


def update(path, headers):
    with open(path, encoding="utf-8") as file:
        text = file.read()
    start, end = text.index("global:") + 7, text.index("    local:")
    body = "".join("        %s;\n" % name for name in sorted(declared(headers)))
    with open(path, "w", encoding="utf-8") as file:
        file.write(text[:start] + "\n" + body + text[end:])


def main(arguments):
    if arguments[:1] == ["--update"]:
        update(arguments[1], arguments[2:])
        return 0
    names, headers, made = listed(arguments[0]), declared(arguments[2:]), exported(arguments[1])
    wrong = ["%s: '%s' is a pattern" % (arguments[0], name) for name in names if not re.fullmatch(r"\w+", name)]
    wrong += ["%s: '%s' is not in its place" % (arguments[0], b) for a, b in zip(names, names[1:]) if a >= b]
    wrong += ["%s lists '%s', which no public header declares" % (arguments[0], name) for name in set(names) - headers]
    wrong += ["%s does not list '%s'" % (arguments[0], name) for name in headers - set(names)]
    wrong += ["%s lacks '%s'" % (arguments[1], name) for name in set(names) - made]
    wrong += ["%s exports '%s', which is not listed" % (arguments[1], name) for name in made - set(names)]
    print("\n".join(sorted(wrong) + ["%d symbols, %d differences" % (len(names), len(wrong))]))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
