#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Rules that the text of the source tree must obey.

usage: rules.py [--root DIR] [RULE...]      without a name all rules; exits with 1 if one is broken

  includes   go one way: base, stream, plugin, output, run, report, document and others, pipeline,
             cli; the kit and results see public headers of the core; a family sees public headers
             and itself; no cycle anywhere
  calls      between files that are linked together form no circle; in the core they go the same way
             as includes
  words      the core names no vendor, no chip, no file format of a profiler; no message of a
             library names an option
  families   nothing outside a family's folder and its tests refers to its files, or to variables of
             its makefiles
  design     docs/design.md names the folders that there are
  spdx       every file states its licence
  purpose    every .c begins with what it is for
  tests      every .c has a test file of its name at its place in tests/, or its first comment names
             its test; a makefile names each test
  copies     arrays grow by opprof/grow.h, and nothing has a private out-of-memory error, hash,
             writer of JSON strings, way to print a text or to run a program; advice comes from
             rules in SQL, each with a name of its own
  heads      a rule of advice has a title, a topic, a reason and the source of that
  depth      a batch on its way through sim-timeline passes at most eight files, each below the one
             before
  sections   a heading between functions is a line "/* ---- what follows ---- */"
  guards     the guard of a header is its path, or the end of it
  headers    every public header says whether it is stable, and of every function where it may be
             called and what it returns
  params     every parameter of a public function is described, but for the first one, which is what
             the sentence is about, and `error`
  contracts  docs/plugins/contracts.md lists every contract of core and kit with its sentence, and
             each has one sentence
  columns    C, Python and shell end at column 100, in tests but for texts; no declaration is torn
             by the comment behind it, and nothing is called `operator`, which clang-format takes
             for C++
  prose      comments, messages and pages do without turns of phrase that readers stumble over
  share      the core is below a quarter of core, kit and plugins
"""
import functools
import os
import re
import shutil
import subprocess
import sys

# Folders of the core from the bottom up; those of one layer do not see each other.
CORE_LAYERS = (("base",), ("stream",), ("plugin",), ("output",), ("run",), ("report",),
               ("document", "recording", "guard"), ("pipeline",))
# Where a public header of the core belongs; a new one is of the topmost layer until it is listed
# here.
PUBLIC_LAYERS = {
    "base": ("clock", "compiler", "error", "grow", "intern", "json", "library", "log", "map",
             "require", "status", "text", "version"),
    "stream": ("batch", "data_stream", "present", "record"),
    "plugin": ("params", "plugin", "probe"),
    "output": ("output",),
    "run": ("opprof", "pipeline", "print", "stage"),
}
VENDOR_WORDS = re.compile(
    r"ascend|aicore|camodel|popped_log|instr_log|\bmte\d?\b|veccore|cubecore|\bcann\b|mindstudio|"
    r"\bnpu\b|msprof|msopprof|huawei|davinci|"
    r"\b310[bp]?\b|\b910(a|b|_93)?\b|\b950\b|\b61[05]\b|deviceprof|kineto|pytorch|\bcuda\b|nvidia|"
    r"\brocm\b|\bamd\b|"
    r"\binsight\b|perfetto|\bnsys\b|rocprof|\bh?ccl\b|nccl", re.IGNORECASE)
# Programs in folders of libraries: they have options.
COMMANDS = ("harness/check/",)
STRING = re.compile(r'"((?:[^"\\\n]|\\.)*)"')
OPTION = re.compile(r"(?<![\w-])--[a-z][a-z-]+")
INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*([<"])([^>"]+)[>"]', re.MULTILINE)
MAKE_VARIABLE = re.compile(r"^([A-Za-z_]\w*)[ \t]*\+?=", re.MULTILINE)
# Files whose form has no place for a comment, and what others made.
NO_SPDX = re.compile(r"^LICENSES/|^debian/(changelog$|source/)|/corpus/|"
                     r"\.(gz|svg|png|dump|bin|csv|txt|tsv|json|o)$|"
                     r"^tests/data/|^fuzz/corpus/|(^|/)\.gitignore$")
# All folders with C in them.
SOURCES = ("core", "cli", "kit", "results", "print", "compare", "harness", "inject", "records",
           "plugins", "refchip", "sdk", "bench", "fuzz", "tests", "examples")
MADE = ("autom4te.cache", "build-aux", "build", "fuzz-build", ".git", "__pycache__", "_build",
        "_inst", ".mypy_cache", ".pytest_cache", "configure")


class Tree:
    """The source tree: its files, and what they include."""

    def __init__(self, root):
        self.root = root
        self.files = sorted(self.walk())
        self.known = set(self.files)
        self.texts = {}
        self.included = {}

    def walk(self):
        """What is under version control, so that a tree that was built in place passes; else
        everything but builds."""
        if shutil.which("git") and os.path.exists(os.path.join(self.root, ".git")):
            made = subprocess.run(["git", "-C", self.root, "ls-files", "-z"], capture_output=True,
                                  text=True, check=False)
            if made.returncode == 0:
                yield from (f for f in made.stdout.split("\0") if f
                            and os.path.exists(os.path.join(self.root, f)))
                return
        for path, folders, names in os.walk(self.root):
            folders[:] = [f for f in folders if f not in MADE and not f.startswith("build")]
            for name in sorted(set(names) - set(MADE)):
                yield os.path.relpath(os.path.join(path, name), self.root)

    def text(self, name):
        if name not in self.texts:
            with open(os.path.join(self.root, name), encoding="utf-8", errors="replace") as file:
                self.texts[name] = file.read()
        return self.texts[name]

    def sources(self, *folders, ends=(".c", ".h", ".h.in")):
        return [f for f in self.files if f.endswith(ends)
                and f.startswith(tuple(d + "/" for d in folders))]

    def makefiles(self):
        return [f for f in self.files if f.endswith(".mk") or f == "Makefile.am"]

    def includes(self, name):
        """(line, text between the quotes, file of the tree or None)"""
        if name not in self.included:
            text = self.text(name)
            self.included[name] = [(text.count("\n", 0, match.start()) + 1, match[2],
                                    self.resolve(name, match[1], match[2]))
                                   for match in INCLUDE.finditer(text)]
        return self.included[name]

    def resolve(self, name, quote, wanted):
        roots = ["core/include", "kit/include", "results/include", "records/include",
                 "harness/include", "plugins", "core", ""]
        if quote == '"':
            roots.insert(0, os.path.dirname(name))
        for root in roots:
            for ending in ("", ".in"):
                path = os.path.normpath(os.path.join(root, wanted)) + ending
                if path in self.known:
                    return path
        return None


def family_of(name):
    parts = name.split("/")
    return parts[1] if parts[0] == "plugins" and len(parts) > 2 else None


def core_folder(name):
    """The folder that a file of the core is in or, if it is a public header, belongs to."""
    parts = name.split("/")
    if parts[1] != "include":
        return parts[1]
    stem = parts[-1].split(".")[0]
    return next((folder for folder, stems in PUBLIC_LAYERS.items() if stem in stems),
                CORE_LAYERS[-1][0])


def core_layer(folder):
    return next(i for i, layer in enumerate(CORE_LAYERS) if folder in layer)


def may_see(folder, other):
    """Whether files of a folder of the core may include those of another and call them."""
    return folder == other or core_layer(other) < core_layer(folder)


def is_public(name):
    return "/include/opprof/" in name


def may_include(name, target):
    """None, or why a file must not include the other."""
    place, other = name.split("/")[0], target.split("/")[0]
    if place == "core":
        if other != "core":
            return "the core includes only itself"
        if not may_see(core_folder(name), core_folder(target)):
            return f"{core_folder(name)} lies below or beside {core_folder(target)}"
    elif place == "cli":
        if other not in ("cli", "compare", "print") and not (is_public(target)
                                                             and other in ("core", "results")):
            return ("the command sees comparisons, what prints, and the public headers of core "
                    "and results")
    elif place == "compare":
        if other not in ("compare", "print") and not (is_public(target)
                                                      and other in ("core", "results")):
            return "comparisons see what prints, and the public headers of core and results"
    elif place == "print":
        if other != "print" and not (is_public(target) and other in ("core", "results")):
            return "what prints sees the public headers of core and results"
    elif place == "kit":
        if other != "kit" and not (is_public(target) and other in ("core", "records")):
            return "the kit sees the core's public headers, and record types"
    elif place == "results":
        if other != "results" and not (is_public(target) and other == "core"):
            return "the library of results sees the core's public headers"
    elif place == "harness":
        if other != "harness" and not (is_public(target) and other == "core"):
            return "the harness sees the core's public headers"
    elif place == "records":
        if other != "records" and not (is_public(target) and other == "core"):
            return "record types see the core's public headers"
    elif place == "inject":
        if name.startswith("inject/link/") and not (target.startswith("inject/link/")
                                                    or is_public(target)):
            return "what the injection library shares knows no runtime"
        if other not in ("inject", "refchip") and not (is_public(target) and other == "kit"):
            return "the injection library sees itself, the vendor's interface and the kit's layouts"
    elif place in ("sdk", "examples"):
        if os.path.dirname(target) != os.path.dirname(name) and not is_public(target):
            return "it sees what an installed opprof has"
    elif name.startswith("tests/core/"):
        if other != "core" and not target.startswith("tests/core/"):
            return "tests of the core need nothing else"
    elif place == "plugins":
        if not is_public(target) and family_of(target) != family_of(name):
            return "a family sees public headers and itself"
    return None


def rule_includes(tree):
    edges = {}
    for name in tree.sources(*SOURCES):
        edges[name] = []
        for line, wanted, target in tree.includes(name):
            if target is None:
                if wanted.startswith("opprof/"):
                    yield f"{name}:{line}: no header '{wanted}'"
                continue
            edges[name].append(target)
            why = may_include(name, target)
            if why:
                yield f"{name}:{line}: includes '{wanted}', but {why}"
    for circle in circles(edges):
        yield "includes form a cycle: " + " -> ".join(circle)


NO_CODE = re.compile(r'/\*.*?\*/|"(?:[^"\\\n]|\\.)*"', re.DOTALL)
# A function or an object that other files see, from the start of its line to its body or value.
DEFINED = re.compile(r"^(?!static\b|extern\b|typedef\b|struct \w+ \{|return\b|else\b|#|\s|\}|"
                     r"[A-Z_]+\()[A-Za-z_][\w \*\n]*?\b(\w+)"
                     r"(?:\([^;{}]*\)\s*\{|(?:\[\w*\])*\s*=)", re.MULTILINE)
# Folders whose files are linked together, and so are the modules of a family.
CALLERS = ("core", "kit", "results", "print", "compare", "inject", "refchip", "harness", "cli")


def calls(tree):
    """{file: {other file: name that it uses}} of the .c files of each folder of CALLERS and of each
    family."""
    edges = {}
    families = sorted({family_of(file) for file in tree.files} - {None})
    for folder in (*CALLERS, *(f"plugins/{family}" for family in families)):
        names, homes = {}, {}
        for file in tree.sources(folder, ends=(".c",)):
            text = NO_CODE.sub(" ", tree.text(file))
            names[file] = set(re.findall(r"\w+", text))
            for match in DEFINED.finditer(text):
                if not FOREIGN.match(match[1]):
                    homes.setdefault(match[1], set()).add(file)
        for file, used in names.items():
            edges[file] = {next(iter(homes[name])): name for name in sorted(used & set(homes))
                           if len(homes[name]) == 1 and file not in homes[name]}
    return edges


def rule_calls(tree):
    edges = calls(tree)
    for name, others in edges.items():
        for other, used in others.items():
            if name.startswith("core/") and not may_see(core_folder(name), core_folder(other)):
                yield (f"{name}: uses {used}, but {core_folder(name)} lies below or beside "
                       f"{core_folder(other)}")
    for circle in circles(edges):
        yield "calls form a circle: " + ", ".join(f"{a} uses {edges[a][b]} of {b}" for a,
                                                  b in zip(circle, circle[1:]))


def circles(edges):
    """Each file on a cycle of includes is reported once, in the first cycle found through it."""
    state = {}

    def visit(name, path):
        state[name] = "open"
        for target in edges.get(name, ()):
            if state.get(target) == "open":
                yield path[path.index(target):] + [target]
            elif target not in state:
                yield from visit(target, path + [target])
        state[name] = "done"

    for start in edges:
        if start not in state:
            yield from visit(start, [start])


@functools.cache
def is_vendor_word(word):
    """Most words are in many files, and the search takes long."""
    return VENDOR_WORDS.search(word) is not None


def rule_words(tree):
    for name in tree.sources("core", ends=(".c", ".h", ".h.in", ".mk", ".in", ".map")):
        if not any(map(is_vendor_word, set(re.findall(r"\w+", tree.text(name))))):
            continue
        for number, line in enumerate(tree.text(name).splitlines(), 1):
            found = VENDOR_WORDS.search(line)
            if found:
                yield f"{name}:{number}: the core says '{found[0]}'"
    for name in tree.sources("core", "kit", "results", "print", "compare", "harness", ends=(".c",)):
        for number, line in enumerate(tree.text(name).splitlines() if not name.startswith(COMMANDS)
                                      else (), 1):
            for text in STRING.findall(line):
                found = OPTION.search(text)
                if found:
                    yield f"{name}:{number}: a message of a library names the option '{found[0]}'"


def variables(text):
    return set(MAKE_VARIABLE.findall(text))


def rule_families(tree):
    families = sorted({family_of(f) for f in tree.files} - {None})
    makefiles = tree.makefiles()
    for family in families:
        own = (f"plugins/{family}/", f"tests/plugins/{family}/")
        inside = [f for f in makefiles if f.startswith(own)]
        outside = [f for f in makefiles if not f.startswith(own)]
        theirs = set().union(*(variables(tree.text(f)) for f in outside))
        private = set().union(*(variables(tree.text(f)) for f in inside)) - theirs
        for name in outside:
            yield from refers_to(tree, name, own, private)
        for name in tree.sources("core", "cli", "kit", "results", "print", "compare", "records",
                                 "plugins", "bench", "fuzz", "tests"):
            if name.startswith(own):
                continue
            for line, wanted, target in tree.includes(name):
                if target and target.startswith(own) and not is_of(tree, name, inside):
                    yield f"{name}:{line}: includes '{wanted}' of the family {family}"


def is_of(tree, name, makefiles):
    """A file that only the family's makefiles name is the family's, wherever it lies (a fuzz
    target, a bench)."""
    return any(name in tree.text(f) for f in makefiles) and not any(
        name in tree.text(f) for f in tree.makefiles() if f not in makefiles)


def refers_to(tree, name, own, private):
    for number, line in enumerate(tree.text(name).splitlines(), 1):
        if line.startswith("#") or re.fullmatch(rf"include {own[0]}\S+\.mk", line):
            continue
        for folder in own:
            if re.search(rf"(?<![\w/]){re.escape(folder)}", line):
                yield f"{name}:{number}: refers to {folder}"
        for used in re.findall(r"\$\((\w+)\)", line):
            if used in private:
                yield f"{name}:{number}: uses $({used}), which only {own[0]} sets"


DESIGN = "docs/design.md"


def rule_design(tree):
    """The tables of the page: folders in the first cells, families of plugins as their names
    alone."""
    named = set(name for row in re.findall(r"^\| (`[^|]*) \|", tree.text(DESIGN), re.MULTILINE)
                for name in re.findall(r"`([\w/-]+)`", row))
    there = {name.split("/")[0] for name in tree.files if "/" in name
             and name.endswith((".c", ".h"))}
    there |= {"/".join(name.split("/")[:2]) for name in tree.files
              if name.startswith(("core/", "kit/")) and name.count("/") > 1}
    there |= {family_of(name) for name in tree.files} - {None}
    for name in sorted(there - named):
        yield f"{DESIGN}: does not name the folder '{name}'"
    for name in sorted(named):
        if not any(f.startswith((f"{name}/", f"plugins/{name}/")) for f in tree.files):
            yield f"{DESIGN}: names the folder '{name}', which is not there"


def rule_spdx(tree):
    for name in tree.files:
        if NO_SPDX.search(name) or name in ("configure", "config.h.in", "Makefile.in",
                                            "aclocal.m4") or \
                re.match(r"m4/(lt|libtool)", name) or name.endswith("~"):
            continue
        if "SPDX-License-Identifier:" not in tree.text(name)[:600]:
            yield f"{name}:1: no SPDX line"


def first_comment(text):
    """The comment after the SPDX line."""
    match = re.match(r"/\* SPDX[^\n]*\*/\s*/\*(.*?)\*/", text, re.DOTALL)
    return " ".join(re.sub(r"^\s*\* ?", "", line)
                    for line in match[1].splitlines()).strip() if match else ""


def rule_purpose(tree):
    for name in tree.sources(*SOURCES, ends=(".c",)):
        if not name.startswith("tests/data/") and not first_comment(tree.text(name)):
            yield f"{name}:2: no sentence on what it is for"


def rule_tests(tree):
    for name in tree.sources("core", "cli", "kit", "results", "print", "compare", "harness",
                             "inject", "plugins", "refchip", ends=(".c",)):
        folder, base = os.path.split(name)
        if f"tests/{folder}/test_{base}" in tree.known:
            continue
        comment = first_comment(tree.text(name))
        named = re.findall(r"tests/[\w/.-]*\w", comment)
        for missing in (n for n in named if not {n, n + ".c", n + ".sh"} & tree.known):
            yield f"{name}:2: the first comment names '{missing}', which is not there"
        if not named:
            yield f"{name}:2: no tests/{folder}/test_{base}, and the first comment names no test"
    made = " ".join(tree.text(f) for f in tree.makefiles())
    for name in tree.sources("tests", ends=(".c",)):
        if os.path.basename(name).startswith("test_") and name[:-2] not in made:
            yield f"{name}: no makefile names it, so it is not run"


HEADING = re.compile(r"/\* ---- \S.* ---- \*/")
RULED = re.compile(r"/\* ?[-=*#_]{3}")
# A comment alone between two empty lines: a heading, unless it is a sentence.
ALONE = re.compile(r"(?<=\n\n)/\* ([^*\n]+[^*\n.]) \*/(?=\n\n)")


def rule_sections(tree):
    for name in tree.sources(*SOURCES, ends=(".c", ".h", ".h.in", ".cc")):
        text = "" if name.startswith("tests/data/") else tree.text(name)
        for number, line in enumerate(text.splitlines(), 1):
            if RULED.match(line) and not HEADING.fullmatch(line):
                yield f"{name}:{number}: a heading is '/* ---- what follows ---- */'"
        for match in ALONE.finditer(text):
            if not RULED.match(match[0]) and not first_comment(text).startswith(match[1]):
                yield (f"{name}:{text.count(chr(10), 0, match.start()) + 1}: a heading is '/* ---- "
                       "what follows ---- */'")


def rule_guards(tree):
    for name in tree.sources(*SOURCES, ends=(".h", ".h.in")):
        if name.startswith("tests/data/"):
            continue
        path = "_" + re.sub(r"\W", "_", name.removesuffix(".in")).upper()
        guard = re.search(r"^#ifndef (\w+)\n#define \1\n", tree.text(name), re.MULTILINE)
        if not guard or not path.endswith("_" + guard[1]):
            yield f"{name}:2: its guard '{guard[1] if guard else ''}' is not its path"


# A function of a public header, from the start of its line.
DECLARED = re.compile(r"^(?!typedef|#|extern| |\}|/|\*|@)((?:static inline )?[A-Za-z_][\w "
                      r"\*]*?\b\**\s*)(?!OPPROF_)([A-Z]\w+)\(([^;{]*?)\)"
                      r"\s*[^;{]*[;{]", re.MULTILINE)
TAG = re.compile(r"\[(?!out\])[a-z][^\]\n]*\]")


def public_headers(tree):
    """(name, text, comment of the file)"""
    for name in (f for f in tree.sources("core", "kit", "results", "harness", "records",
                                         ends=(".h", ".h.in")) if is_public(f)):
        text = tree.text(name)
        about = re.search(r"/\*\*\n \* @file\n(.*?)\*/", text, re.DOTALL)
        yield name, text, " ".join(about[1].replace("\n * ", " ").split()) if about else ""


def comment_before(text, at):
    before = text[:at].rstrip()
    return before[before.rfind("/*"):] if before.endswith("*/") else ""


def rule_headers(tree):
    for name, text, about in public_headers(tree):
        if not re.search(r"\bExperimental\.|Stable since", about):
            yield f"{name}:1: says neither 'Stable since' nor 'Experimental.'"
        for match in DECLARED.finditer(text):
            place = f"{name}:{text.count(chr(10), 0, match.start()) + 1}: {match[2]}"
            said = comment_before(text, match.start())
            if not said.startswith("/**"):
                yield f"{place} is not described"
                continue
            if not TAG.search(said) and not TAG.search(about):
                yield f"{place} does not say who may call it"
            kind = match[1].replace("static inline", "").strip()
            if kind == "OpprofStatus" and not re.search(r"OPPROF_|`status`|\b[Aa]s \w|"
                                                        r"Returns|@return", said):
                yield f"{place} does not say what it returns"
            if kind.endswith("*") and not re.search(r"@return|NULL|[Bb]orrowed|[Rr]eturns",
                                                    said + about):
                yield f"{place} does not say who owns it or whether it may be NULL"
            if kind not in ("void", "OpprofStatus") and not kind.endswith("*") and not GIVES.search(
                said):
                yield f"{place} does not say what comes back"


# How the description of a function that returns a number, a truth value or a structure may begin,
# or say what comes back.
GIVES = re.compile(r"@return|Returns|\b(?:True|False|false|0:)\b|/\*\*[\s*]*(?:Whether|(?:The|An?|"
                   r"All|Some) |Number|Kind|Status|Ticks|Place|Slot|Byte|Bits|Bytes|"
                   r"Id |Count|Current|How|Room|Read|[A-Z]\w* of )")
# The first parameter of a function is what its sentence is about; errors are described once for all
# functions in error.h.
SELF_EVIDENT = ("error",)


def parameters(declared):
    """Names of the parameters in the brackets of a declaration, but for the first."""
    flat = re.sub(r"\(\*\s*(\w+)\)\([^()]*\)?", r"\1", declared)
    for one in flat.split(",")[1:]:
        found = re.search(r"(\w+)\s*(?:\[[^\]]*\])*\s*$", one)
        if found and found[1] not in SELF_EVIDENT:
            yield found[1]


def described(comment):
    names = re.findall(r"@param(?:\[\w+\])?\s+((?:\w+, )*\w+)", comment)
    return set(", ".join(names).split(", ")) | set(re.findall(r"`(\w+)`", comment))


def rule_params(tree):
    for name, text, about in public_headers(tree):
        for match in DECLARED.finditer(text):
            known = described(comment_before(text, match.start())) | described(about)
            for parameter in parameters(match[3]):
                if parameter not in known:
                    yield (f"{name}:{text.count(chr(10), 0, match.start()) + 1}: {match[2]} does "
                           f"not describe '{parameter}'")


CONTRACT = re.compile(r'(?:OPPROF_REQUIRE|OpprofRequireFailed)\(\s*"([a-z0-9-]+)",(?:[^;"]|'
                      r'"(?!\s*\)))*?"((?:[^"\\]|"\s+")*)"\s*\)', re.DOTALL)
CONTRACT_PAGE = "docs/plugins/contracts.md"


def rule_contracts(tree):
    page = tree.text(CONTRACT_PAGE) if CONTRACT_PAGE in tree.known else ""
    rows = dict(re.findall(r"^\| `([a-z0-9-]+)` \| (.*) \|$", page, re.MULTILINE))
    found = {}
    for name in tree.sources("core", "kit"):
        for match in CONTRACT.finditer(tree.text(name)):
            identity, sentence = match[1], re.sub(r'"\s+"', "", match[2])
            place = f"{name}:{tree.text(name).count(chr(10), 0, match.start()) + 1}"
            if found.setdefault(identity, sentence) != sentence:
                yield f"{place}: '{identity}' has two sentences: '{found[identity]}', '{sentence}'"
            elif rows.get(identity) != sentence:
                yield f"{place}: {CONTRACT_PAGE} lacks | `{identity}` | {sentence} |"
    for identity in sorted(set(rows) - set(found)):
        yield f"{CONTRACT_PAGE}: nothing in core and kit requires '{identity}'"


# What exists only once, and where: recognised by its code.
COPIES = (
    (re.compile(r"\b(?:realloc|reallocarray)\((?!NULL)"), "grows an array by itself: opprof/grow.h",
     ("core/base/grow.c", "core/stream/batch.c")),
    (re.compile(r"OpprofErrorSet\([^;]*OPPROF_E_MEMORY,[^;]*(?:no|out of) memory", re.IGNORECASE),
     "words its own lack of memory: OpprofErrorNoMemory", ("core/include/opprof/error.h",)),
    (re.compile(r"0x100000001b3|1099511628211|16777619"), "hashes by itself: opprof/map.h, "
                                                          "OpprofInternHash", ()),
    (re.compile(r"\bOpprofErrorMessage\("), "leaves out why: OpprofErrorLine has the whole chain",
     ("core/base/error.c", "core/include/opprof/error.h", "core/pipeline/load.c",
      "core/run/reasons.c", "cli/run.c", "cli/inspect.c")),
    (re.compile(r"\ble(?:16|32|64)toh\("), "loads numbers by itself: opprof/kit/bytes.h",
     ("plugins/collect-sim/read/lines.c",)),
    (re.compile(r"\bOpprofAdviceText\b"), "gives advice by itself: a rule in the family's "
                                          "folder `rules`",
     ("core/include/opprof/stage.h", "core/run/append.c", "results/include/opprof/results.h",
      "results/parts.c", "compare/load.c", "plugins/advise/findings.c",
      "plugins/collect-results/collect_results.c")),
    (re.compile(r"\bposix_spawnp?\(|\bpopen\(|\bsystem\("), "runs another program by itself: "
                                                            "opprof/kit/tool.h",
     ("kit/io/tool.c", "kit/live/live_app.c")),
    (re.compile(r"\bopen_memstream\("), "prints a text that may lack pieces: OpprofTextOpen", ()),
)


def rule_copies(tree):
    for name in tree.sources("core", "cli", "kit", "results", "print", "compare", "plugins"):
        for pattern, why, home in COPIES:
            for match in pattern.finditer(tree.text(name)) if name not in home else ():
                yield f"{name}:{tree.text(name).count(chr(10), 0, match.start()) + 1}: {why}"
    # Of rules and queries with one name only the first is asked.
    first = {}
    for name in tree.sources("plugins", ends=(".sql",)):
        key = tuple(name.split("/")[-2:])
        if first.setdefault(key, name) != name:
            yield f"{name}: has the name of {first[key]}, which takes its place"


# What a rule of advice says in its head, beside its SQL.
HEADS = ("title", "topic", "reason", "source")


def rule_heads(tree):
    for name in tree.sources("plugins", ends=(".sql",)):
        for head in HEADS if name.split("/")[-2] == "rules" else ():
            if f"\n-- {head}: " not in tree.text(name):
                yield f"{name}: its head does not have '{head}'"


# Six are already many; those that another library declares have what they have.
MOST_PARAMETERS = 6
FOREIGN = re.compile(r"(?:rts?|acl\w*?|Hccl|hook_cl)[A-Z]")
FUNCTION = re.compile(r"^(?!typedef|#|\s|\}|return|else)[A-Za-z_][\w "
                      r"\*\n]*?\b(\w+)\(([^;{}()]*(?:\([^()]*\)[^;{}()]*)*)\)\s*[{;]", re.MULTILINE)
COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)


def rule_arity(tree):
    for name in tree.sources("core", "cli", "kit", "results", "print", "compare", "harness",
                             "records", "inject", "plugins", "refchip", ends=(".c", ".h", ".h.in")):
        text = COMMENT.sub(lambda match: re.sub(r"[^\n]", " ", match[0]), tree.text(name))
        for match in FUNCTION.finditer(text) if not name.endswith((".pb-c.c", ".pb-c.h")) else ():
            count = len(re.split(r",(?![^(]*\))", match[2]))
            if count > MOST_PARAMETERS and not FOREIGN.match(match[1]):
                yield (f"{name}:{text.count(chr(10), 0, match.start()) + 1}: {match[1]} has "
                       f"{count} parameters, "
                       f"and {MOST_PARAMETERS} are the most: give it a structure, or split it")


DEEP = "plugins/analyse-sim/timeline"
DEEPEST = 8


def longest_way(below, name, above=()):
    """Names from this one down, as many as there are; the cycle, if there is one."""
    if name in above:
        return above[above.index(name):] + (name,)
    ways = [longest_way(below, other, above + (name,)) for other in sorted(below[name])]
    return max(ways, key=len, default=above + (name,))


def rule_depth(tree):
    """A .c and its .h are one file here; what it includes lies below it."""
    below = {}
    for name in tree.sources(DEEP):
        stem = os.path.splitext(name)[0]
        below.setdefault(stem, set())
        below[stem].update(os.path.splitext(target)[0] for _, _, target in tree.includes(name)
                           if target and os.path.dirname(target) == DEEP
                           and os.path.splitext(target)[0] != stem)
    way = max((longest_way(below, name) for name in sorted(below)), key=len, default=())
    if len(set(way)) < len(way):
        yield f"{DEEP}: a cycle: " + " > ".join(os.path.basename(name) for name in way)
    elif len(way) > DEEPEST:
        yield f"{DEEP}: {len(way)} files deep: " + " > ".join(os.path.basename(name)
                                                              for name in way)


COLUMNS = 100
# clang-format breaks before the name if the comment after it is too long.
TORN = re.compile(r"^ +(?:(?:const|struct|enum|unsigned) )*\w+(?: \*+)?\n "
                  r"+\**\w+(?:\[[^\]]*\])*(?: : \d+)?;(?= +/\*)", re.MULTILINE)
OPERATOR = re.compile(r"\boperator\b")
QUOTED = re.compile(r'/\*.*?\*/|"(?:[^"\\\n]|\\.)*"', re.DOTALL)
# Comments, and texts of several lines or with spaces, which a script cannot break without changing
# them.
SCRIPT_TEXT = re.compile(
    r"(?<!\S)#[^\n]*|\'\'\'.*?\'\'\'|\"\"\".*?\"\"\"|'[^']*'|\"(?:\\.|[^\"\\])*\"|"
    r"<<-?[\"']?(\w+)[^\n]*\n.*?\n\1(?=\n)", re.DOTALL)


def scripts_of(tree):
    for name in tree.files:
        if not name.startswith(("tests/data/", "fuzz/corpus/")) and \
                (name.endswith((".py", ".sh")) or "." not in os.path.basename(name)
                 and re.match(r"#!.*\b(?:sh|bash|python3)\n", tree.text(name))):
            yield name


def rule_columns(tree):
    for name in scripts_of(tree):
        text = code = tree.text(name)
        if name.startswith("tests/"):
            code = SCRIPT_TEXT.sub(lambda match: match[0] if match[0][0] == "#" else
                                   re.sub(r"[^\n]", "\0", match[0]), text)
        for number, (line, bare) in enumerate(zip(text.split("\n"), code.split("\n")), 1):
            if len(line) > COLUMNS and bare[COLUMNS] != "\0":
                yield f"{name}:{number}: has {len(line)} columns, {COLUMNS} are the most"
    for name in tree.sources(*SOURCES, ends=(".c", ".h")):
        if name.startswith(("tests/data/", "fuzz/corpus/")):
            continue
        text = tree.text(name)
        for number, line in enumerate(text.splitlines(), 1):
            if len(line) > COLUMNS:
                yield f"{name}:{number}: has {len(line)} columns, {COLUMNS} are the most"
        for match in TORN.finditer(text):
            yield (f"{name}:{text.count(chr(10), 0, match.start()) + 1}: put the comment before "
                   "the member, which it tears")
        if "operator" in text:
            code = QUOTED.sub(lambda match: re.sub(r"[^\n]", " ", match[0]), text)
            for match in OPERATOR.finditer(code):
                yield (f"{name}:{code.count(chr(10), 0, match.start()) + 1}: 'operator' is a word "
                       "of C++: choose another name")


# What to write instead is in docs/glossary.md.
PROSE = re.compile(
    r"\bnobody (?:knows|cares|asks for|wants)\b|\bas a rule\b|\blikewise\b|\bbe it now\b|"
    r"\bwhoever\b|\b(?:can ?not|must not|could not) be had\b|"
    r"\bhas no say\b|\bno matter of\b|\bbears\b|\b(?:that|which|what) (?:is|are) none\b|\b(?:that|"
    r"which|what) is no (?!longer|such|more)\w+|"
    r"\bare none of\b|\bis told\b|\btells? of\b|\bso says\b|\ba second time worked out\b",
    re.IGNORECASE)


def rule_prose(tree):
    for name in tree.files:
        if name.startswith(("tests/data/", "fuzz/corpus/", "LICENSES/")) or not name.endswith(
            (".c", ".h", ".h.in", ".md", ".py", ".sh", ".js", ".1", ".5")) or \
                name in ("NEWS.md", "docs/glossary.md", "scripts/rules.py",
                         "tests/tree/test_rules.sh"):
            continue
        text = tree.text(name)
        for match in PROSE.finditer(text):
            yield (f"{name}:{text.count(chr(10), 0, match.start()) + 1}: '{match[0]}': write it as "
                   "docs/glossary.md says")


def lines_of(tree, *folders):
    return sum(tree.text(f).count("\n") for f in tree.sources(*folders))


def rule_share(tree):
    core, rest = lines_of(tree, "core"), lines_of(tree, "kit", "plugins")
    share = core / max(1, core + rest)
    print(f"core has {core} of {core + rest} lines of core, kit and plugins: {100 * share:.1f} %")
    if share >= 0.25:
        yield "core is not below a quarter"


RULES = {name[5:]: rule for name, rule in list(globals().items()) if name.startswith("rule_")}


def main(arguments):
    root = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..")
    if arguments[:1] == ["--root"]:
        root, arguments = arguments[1], arguments[2:]
    unknown = set(arguments) - set(RULES)
    if unknown:
        sys.exit(f"rules.py: no rule '{min(unknown)}'; there are {', '.join(RULES)}")
    tree = Tree(os.path.normpath(root))
    broken = 0
    for name in arguments or RULES:
        found = list(RULES[name](tree))
        broken += len(found)
        for said in found:
            print(said)
    print(f"{broken} broken")
    return 1 if broken else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
