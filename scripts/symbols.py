#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compare what a library's version script lists, one symbol per line, with what its public headers
declare and with what the linker made of it.

  symbols.py MAP LIBRARY HEADERS…     prints each difference and fails if there is one
  symbols.py --update MAP HEADERS…    writes the list anew from the headers
  symbols.py --used ROOT              prints each name that no code outside its library uses, and
                                      fails if there is one that docs/plugins/abi.md does not list
                                      with a reason
"""
import os
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
            match = re.search(r"extern const \w+ (\w+)(?:\[\w+\])?$", statement)
            if match:
                names.add(match.group(1))
    return names


def listed(path):
    with open(path, encoding="utf-8") as file:
        text = re.sub(r"/\*.*?\*/", "", file.read(), flags=re.S)
    return [name.strip() for name in text[text.index("global:") + 7:text.index("local:")].split(";")
            if name.strip()]


def exported(library):
    lines = subprocess.run(["nm", "-D", "--defined-only", library], check=True, capture_output=True,
                           text=True).stdout
    return {line.split()[2].split("@")[0] for line in lines.splitlines() if line.split()[1]
            in "TDRBV"}


def update(path, headers):
    with open(path, encoding="utf-8") as file:
        text = file.read()
    start, end = text.index("global:") + 7, text.index("    local:")
    body = "".join("        %s;\n" % name for name in sorted(declared(headers)))
    with open(path, "w", encoding="utf-8") as file:
        file.write(text[:start] + "\n" + body + text[end:])


# The libraries whose names somebody outside should need, each with its folder; the harness is for
# tests.
LIBRARIES = {"core": "core/libopprof.map", "kit": "kit/libopprof-kit.map",
             "results": "results/libopprof-results.map"}
USERS = ("kit", "results", "print", "compare", "cli", "plugins", "harness", "sdk", "examples",
         "docs/plugins/guide.md")
ABI_PAGE = "docs/plugins/abi.md"


def words_of(path):
    """{word: how often}, without comments of C."""
    with open(path, encoding="utf-8", errors="replace") as file:
        text = file.read()
    words = {}
    for word in re.findall(r"\w+", re.sub(r"/\*.*?\*/", "", text, flags=re.S)
                           if path.endswith((".c", ".h")) else text):
        words[word] = words.get(word, 0) + 1
    return words


def files_below(path):
    if os.path.isfile(path):
        yield path
    for folder, _, names in os.walk(path):
        yield from (os.path.join(folder, name) for name in names
                    if not name.endswith((".map", ".o", ".so", ".a", ".md")))


def unused(root):
    """Names that no code outside uses: neither another folder, nor a macro or an inline function of
    the own headers."""
    words = {folder: [words_of(file) for file in files_below(os.path.join(root, folder))]
             for folder in USERS}
    for folder, path in LIBRARIES.items():
        headers = [words_of(file) for file in files_below(os.path.join(root, folder, "include"))]
        for name in listed(os.path.join(root, path)):
            if not any(name in file for user in USERS if user != folder
                       for file in words[user]) and \
                    sum(file.get(name, 0) for file in headers) < 2:
                yield name


def check_used(root):
    with open(os.path.join(root, ABI_PAGE), encoding="utf-8") as file:
        rows = re.findall(r"^\| (`[A-Z].*?`) \| \S.*\|$", file.read(), re.MULTILINE)
    reasons = set(re.findall(r"`(\w+)`", " ".join(rows)))
    found = set(unused(root))
    known = {name for path in LIBRARIES.values() for name in listed(os.path.join(root, path))}
    wrong = ["nobody outside uses %s: make it private, or give a reason in %s" % (name, ABI_PAGE)
             for name in found - reasons]
    stale = ["note: %s gives a reason for %s, which is not exported" % (ABI_PAGE, name)
             for name in reasons - known]
    print("\n".join(sorted(wrong) + sorted(stale) + ["%d names are exported for a reason, "
                                                     "%d are not" %
                                                     (len(reasons & found), len(found - reasons))]))
    return 1 if wrong else 0


def main(arguments):
    if arguments[:1] == ["--used"]:
        return check_used(arguments[1])
    if arguments[:1] == ["--update"]:
        update(arguments[1], arguments[2:])
        return 0
    names, headers, made = listed(arguments[0]), declared(arguments[2:]), exported(arguments[1])
    wrong = ["%s: '%s' is a pattern" % (arguments[0], name) for name in names
             if not re.fullmatch(r"\w+", name)]
    wrong += ["%s: '%s' is not in its place" % (arguments[0], b) for a, b in zip(names, names[1:])
              if a >= b]
    wrong += ["%s lists '%s', which no public header declares" % (arguments[0], name)
              for name in set(names) - headers]
    wrong += ["%s does not list '%s'" % (arguments[0], name) for name in headers - set(names)]
    wrong += ["%s lacks '%s'" % (arguments[1], name) for name in set(names) - made]
    wrong += ["%s exports '%s', which is not listed" % (arguments[1], name) for name in made -
              set(names)]
    print("\n".join(sorted(wrong) + ["%d symbols, %d differences" % (len(names), len(wrong))]))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
