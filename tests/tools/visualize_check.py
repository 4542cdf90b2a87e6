#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# Written for this project after the rules by which the viewer reads these files.
"""Independent checker for visualize_data.bin (and chrome-style trace.json).

usage: visualize_check.py [--strict] [--no-trace-deep] FILE [FILE...]

A FILE whose name ends in .json is checked as a stand-alone trace.json, any
other FILE as a visualize_data.bin container.  One summary line is printed per
block, one line per finding, and a verdict per file.  Exit status: 0 when no
file has an error, 1 otherwise (2 for bad usage).  --strict turns warnings
into errors.  Python 3 standard library only.
"""
import json
import os
import re
import struct
import sys

HEADER = struct.Struct("<QBBBB")  # content size, type, padding, version, reserved
RESERVED = 0x5A
PATH_LEN = 4096
MIB = 1024 * 1024
MAX_FILE = 10 * 1024 * MIB        # viewer refuses larger imports
MAX_JSON = 100 * MIB              # viewer refuses larger single JSON bodies
SLICE = 50 * MIB                  # viewer cuts trace bodies at this size
WINDOW = MIB                      # viewer searches keys in windows of this size
GAP = 1024                        # viewer looks for the next '{' this far
I32 = (-2 ** 31, 2 ** 31 - 1)
I64 = (-2 ** 63, 2 ** 63 - 1)
FLT_MAX = 3.4028234663852886e38

NAMES = {
    0x01: "code", 0x02: "trace", 0x03: "file_api", 0x04: "instr_api",
    0x05: "op_basic_info", 0x06: "compute_load_figure", 0x07: "compute_load_table",
    0x08: "storage_heat_map", 0x09: "storage_table", 0x0C: "occupancy",
    0x0D: "roofline", 0x0E: "cacheline_heat_map", 0x0F: "top_stall_reason",
}
REPEATABLE = {0x01, 0x02}
D_SKIP, D_INT, D_FLOAT, D_STR, D_PERCENT, D_JSON, D_DETAIL = 0, 1, 2, 3, 4, 5, 100
DTYPES = {D_SKIP, D_INT, D_FLOAT, D_STR, D_PERCENT, D_JSON, D_DETAIL}
META = {"process_name", "thread_name", "process_labels", "process_sort_index", "thread_sort_index"}
FLAG_NAMES = {"SET_FLAG": "set", "set_event": "set", "WAIT_FLAG": "wait", "wait_event": "wait"}
MEMORY_PATHS = set(range(0, 26)) | set(range(35, 56))
HEX = re.compile(r"^0[xX][0-9a-fA-F]{1,16}$")
MAX_REPEAT = 8                    # identical findings printed per block


class Report:
    def __init__(self, name, strict):
        self.name, self.strict = name, strict
        self.errors = self.warnings = 0
        self.where = ""
        self.seen = {}
        self.lines = []

    def _add(self, level, msg, key):
        k = (self.where, level, key or msg)
        self.seen[k] = self.seen.get(k, 0) + 1
        if self.seen[k] <= MAX_REPEAT:
            self.lines.append("  %s %s: %s" % (level, self.where, msg))

    def err(self, msg, key=None):
        self.errors += 1
        self._add("ERROR", msg, key)

    def warn(self, msg, key=None):
        if self.strict:
            self.err(msg, key)
        else:
            self.warnings += 1
            self._add("warn ", msg, key)

    def flush(self):
        for line in self.lines:
            print(line)
        for (where, level, key), n in self.seen.items():
            if n > MAX_REPEAT:
                print("  %s %s: ... %d more like: %s" % (level, where, n - MAX_REPEAT, key))
        self.lines, self.seen = [], {}


# ---------------------------------------------------------------- JSON helpers

def is_int(v):
    return isinstance(v, int) and not isinstance(v, bool)


def is_num(v):
    return isinstance(v, (int, float)) and not isinstance(v, bool)


def is_scalar(v):
    """Value that the viewer can show as text: a string or a number."""
    return isinstance(v, str) or is_num(v)


def as_number(v):
    """Number, or text holding one; None otherwise."""
    if is_num(v):
        return float(v)
    if isinstance(v, str):
        try:
            return float(v)
        except ValueError:
            return None
    return None


def strict_json(raw, rep, what="body"):
    try:
        text = raw.decode("utf-8")
    except UnicodeDecodeError as e:
        rep.err("%s is not UTF-8 (%s)" % (what, e))
        return None

    def refuse(token):
        raise ValueError("constant %s is not JSON" % token)

    try:
        return json.loads(text, parse_constant=refuse)
    except (ValueError, RecursionError) as e:
        rep.err("%s is not valid JSON: %s" % (what, e))
        return None


def want_object(v, rep, what):
    if isinstance(v, dict):
        return True
    rep.err("%s must be an object" % what, what)
    return False


def want_array(obj, key, rep, what, required=True):
    if key not in obj:
        if required:
            rep.err("%s: array \"%s\" is missing" % (what, key), what + key)
        return None
    if not isinstance(obj[key], list):
        rep.err("%s: \"%s\" must be an array" % (what, key), what + key)
        return None
    return obj[key]


def want_scalar(obj, key, rep, what, required=True, nonempty=False):
    if key not in obj:
        if required:
            rep.err("%s: \"%s\" is missing" % (what, key), what + key)
        return None
    if not is_scalar(obj[key]):
        rep.err("%s: \"%s\" must be a string or a number" % (what, key), what + key)
        return None
    if nonempty and obj[key] == "":
        rep.err("%s: \"%s\" is empty" % (what, key), what + key)
    return obj[key]


def want_number(obj, key, rep, what, required=True, allow_na=False):
    v = want_scalar(obj, key, rep, what, required)
    if v is None:
        return None
    if allow_na and v == "NA":
        return None
    n = as_number(v)
    if n is None or n != n or n in (float("inf"), float("-inf")):
        rep.err("%s: \"%s\" is not a number: %r" % (what, key, v), what + key)
        return None
    return n


def text_array(obj, key, rep, what, required=False):
    arr = want_array(obj, key, rep, what, required)
    if arr is not None and not all(is_scalar(x) for x in arr):
        rep.err("%s: \"%s\" must hold strings" % (what, key), what + key)
    return arr


def address_ranges(v, rep, what):
    if not isinstance(v, list):
        rep.err("%s: \"Address Range\" must be an array" % what, what + "ar")
        return 0
    for pair in v:
        if not (isinstance(pair, list) and len(pair) == 2
                and all(isinstance(x, str) for x in pair)):
            rep.err("%s: address range %r is not a pair of strings" % (what, pair), what + "pair")
        elif not all(HEX.match(x) for x in pair):
            rep.err("%s: address range %r is not hexadecimal text" % (what, pair), what + "hex")
        elif int(pair[0], 16) > int(pair[1], 16):
            rep.err("%s: address range %r runs backwards" % (what, pair), what + "back")
    return len(v)


# ------------------------------------------------------------ dynamic columns

def read_dtypes(doc, outer, inner, rep):
    """Column name -> dtype, or None when the legacy layout is used."""
    if outer not in doc:
        return None
    if not want_object(doc[outer], rep, "\"%s\"" % outer):
        return {}
    table = doc[outer].get(inner)
    if not isinstance(table, dict):
        rep.err("\"%s\".\"%s\" must be an object" % (outer, inner))
        return {}
    out = {}
    for name, code in table.items():
        if not is_int(code) or code not in DTYPES:
            rep.err("column \"%s\" has unknown dtype %r" % (name, code))
        else:
            out[name] = code
    return out


def check_cell(value, code, rep, what, ncores, in_files):
    if code == D_SKIP:
        return
    if code == D_JSON:
        if in_files:
            rep.err("%s: dtype 5 is not read for source lines" % what, what)
        return
    if code == D_DETAIL:
        if not isinstance(value, dict):
            rep.err("%s: dtype 100 needs an object" % what, what)
            return
        pct = value.get("Percent")
        if isinstance(pct, str):
            if as_number(pct) is None:
                rep.err("%s: Percent %r is not a number" % (what, pct), what)
        elif is_int(pct):
            if pct != 0:
                rep.err("%s: integer Percent %r is read as 0, write a decimal point" % (what, pct),
                        what + "pct")
        elif not isinstance(pct, float):
            rep.err("%s: Percent is missing or not a number" % what, what)
        det = value.get("Details")
        if not isinstance(det, dict):
            rep.err("%s: Details must be an object" % what, what)
            return
        for k, v in det.items():
            if not is_int(v) or not I32[0] <= v <= I32[1]:
                rep.err("%s: Details[%r] is not a 32-bit integer" % (what, k), what + "det")
        return
    items = value if isinstance(value, list) else [value]
    if isinstance(value, list) and ncores is not None and len(value) not in (1, ncores):
        rep.err("%s: %d values for %d cores" % (what, len(value), ncores), what + "len")
    if isinstance(value, list) and not value:
        rep.err("%s: empty array" % what, what + "len")
    for v in items:
        if code == D_INT:
            if not is_int(v):
                rep.err("%s: %r is read as 0, an integer is needed" % (what, v), what)
            elif not I32[0] <= v <= I32[1]:
                rep.err("%s: %r does not fit 32 bits and is read as 0" % (what, v), what)
        elif code in (D_FLOAT, D_PERCENT):
            if is_int(v):
                if v != 0:
                    rep.err("%s: integer %r is read as 0, write a decimal point" % (what, v), what)
            elif not isinstance(v, float) or abs(v) > FLT_MAX:
                rep.err("%s: %r is not a single-precision number" % (what, v), what)
        elif code == D_STR and not isinstance(v, str):
            rep.err("%s: %r is not a string" % (what, v), what)


# --------------------------------------------------------------- block checks

def check_file_api(doc, ctx, rep):
    if not want_object(doc, rep, "root"):
        return "unreadable"
    ncores = ctx.get("ncores")
    dtypes = read_dtypes(doc, "Files Dtype", "Lines", rep)
    files = want_array(doc, "Files", rep, "root") or []
    nlines = 0
    for f in files:
        if not want_object(f, rep, "file entry"):
            continue
        src = f.get("Source")
        if not isinstance(src, str) or not src:
            rep.err("file entry without a \"Source\" string", "src")
            continue
        ctx.setdefault("api_sources", []).append(src)
        for line in want_array(f, "Lines", rep, "file entry") or []:
            nlines += 1
            if not want_object(line, rep, "line entry"):
                continue
            num = line.get("Line")
            if not is_int(num) or not 1 <= num <= I32[1]:
                rep.err("%s: bad line number %r" % (src, num), "linenum")
            if "Address Range" not in line:
                rep.err("%s:%s has no \"Address Range\"" % (src, num), "norange")
            else:
                address_ranges(line["Address Range"], rep, "line")
            if dtypes is None:
                for key in ("Cycles", "Instructions Executed"):
                    arr = line.get(key)
                    if not isinstance(arr, list) or not all(is_num(x) for x in arr):
                        rep.err("legacy line needs numeric array \"%s\"" % key, key)
                continue
            for name, code in dtypes.items():
                if name in line and name != "Address Range":
                    check_cell(line[name], code, rep, "Lines.\"%s\"" % name, ncores, True)
    if dtypes is not None:
        if dtypes.get("Line") != D_INT:
            rep.err("column \"Line\" must be declared with dtype 1")
        if dtypes.get("Address Range", D_SKIP) != D_SKIP:
            rep.err("column \"Address Range\" must be declared with dtype 0")
    return "files=%d lines=%d columns=%s" % (len(files), nlines, "legacy" if dtypes is None
                                             else len(dtypes))


def check_gpr(value, rep):
    if not isinstance(value, list):
        return
    for g in value:
        if not isinstance(g, dict) or not isinstance(g.get("regIndex"), str):
            rep.err("GPR Status entry needs a string regIndex", "gpr1")
        elif not is_int(g.get("survivalTime")) or not is_int(g.get("regStatus")):
            rep.err("GPR Status entry needs integer survivalTime and regStatus", "gpr2")
        elif not 0 <= g["regStatus"] <= 4:
            rep.err("GPR Status regStatus %r is outside 0..4" % g["regStatus"], "gpr3")


def instr_cores(doc, rep):
    cores = doc.get("Cores") if isinstance(doc, dict) else None
    if not isinstance(cores, list) or not cores:
        rep.err("\"Cores\" must be a non-empty array")
        return None
    if not all(isinstance(c, str) and c for c in cores):
        rep.err("\"Cores\" must hold non-empty strings")
    if len(set(map(str, cores))) != len(cores):
        rep.err("\"Cores\" holds duplicates")
    return len(cores)


def check_instr_api(doc, ctx, rep):
    if not want_object(doc, rep, "root"):
        return "unreadable"
    ncores = instr_cores(doc, rep)
    dtypes = read_dtypes(doc, "Instructions Dtype", "Instructions", rep)
    instrs = want_array(doc, "Instructions", rep, "root") or []
    if not instrs:
        rep.warn("no instructions")
    last, ordered, inner = -1, True, 0
    for ins in instrs:
        if not want_object(ins, rep, "instruction"):
            continue
        addr = ins.get("Address")
        if not isinstance(addr, str) or not HEX.match(addr):
            rep.err("Address %r is not hexadecimal text" % (addr,), "addr")
        else:
            n = int(addr, 16)
            ordered, last = ordered and n >= last, n
        code_ref = ins.get("AscendC Inner Code", "")
        if isinstance(code_ref, str) and code_ref:
            inner += 1
            if ctx["version"] == 0 and not re.match(r"^[^:]+:\d+$", code_ref):
                rep.err("\"AscendC Inner Code\" %r is not path:line with one colon" % code_ref,
                        "inner")
        if "GPR Status" in ins:
            check_gpr(ins["GPR Status"], rep)
        if dtypes is None:
            for key in ("Source", "Pipe"):
                if not isinstance(ins.get(key), str):
                    rep.err("legacy instruction needs string \"%s\"" % key, key)
            for key in ("Cycles", "Instructions Executed"):
                if not isinstance(ins.get(key), list) or not all(is_int(x) for x in ins[key]):
                    rep.err("legacy instruction needs integer array \"%s\"" % key, key)
            continue
        for name, code in dtypes.items():
            if name in ins:
                check_cell(ins[name], code, rep, "Instructions.\"%s\"" % name, ncores, False)
            elif name in ("Address", "Source", "Pipe"):
                rep.err("instruction without \"%s\"" % name, name)
    if dtypes is not None:
        for name in ("Address", "Source", "Pipe"):
            if dtypes.get(name) != D_STR:
                rep.err("column \"%s\" must be declared with dtype 3" % name)
    if not ordered and dtypes is None:
        rep.warn("instructions are not in ascending address order")
    return "cores=%s instructions=%d columns=%s inner_code=%d version=0x%02x" % (
        ncores, len(instrs), "legacy" if dtypes is None else len(dtypes), inner, ctx["version"])


def check_base_info(doc, ctx, rep):
    if not want_object(doc, rep, "root"):
        return "unreadable"
    for key in ("name", "soc", "op_type", "block_dim"):
        want_scalar(doc, key, rep, "root", nonempty=True)
    want_number(doc, "duration", rep, "root")
    for key in ("device_id", "pid", "mix_block_dim"):
        want_scalar(doc, key, rep, "root", required=(key != "mix_block_dim"))
    text_array(doc, "advice", rep, "root")
    op = doc.get("op_type")
    has_mix, has_plain = "mix_block_detail" in doc, "block_detail" in doc
    rows = 0
    if has_mix or has_plain:
        pick = "mix_block_detail" if op == "mix" and has_mix else "block_detail"
        if pick not in doc:
            rep.err("op_type %r needs \"block_detail\", only the mix variant is present" % (op,))
        elif want_object(doc[pick], rep, pick):
            det = doc[pick]
            head = text_array(det, "head_name", rep, pick, required=True) or []
            if "size" in det:
                size = text_array(det, "size", rep, pick)
                if size is not None and len(size) != 2:
                    rep.err("%s: size needs two entries" % pick)
            for row in want_array(det, "row", rep, pick) or []:
                rows += 1
                if want_object(row, rep, pick + " row"):
                    vals = text_array(row, "value", rep, pick + " row", required=True)
                    if vals is not None and len(vals) != len(head):
                        rep.err("%s: row has %d values for %d headings" %
                                (pick, len(vals), len(head)), "rowlen")
    else:
        rep.warn("no block_detail table")
    return "name=%s op_type=%s soc=%s rows=%d" % (str(doc.get("name"))[:40], op, doc.get("soc"),
                                                  rows)


def check_load(doc, ctx, rep):
    if not want_object(doc, rep, "root"):
        return "unreadable"
    text_array(doc, "advice", rep, "root")
    items = want_array(doc, "subblock_detail", rep, "root") or []
    if not items:
        rep.warn("subblock_detail is empty")
    blocks = ctx.setdefault("blocks", set())
    for it in items:
        if not want_object(it, rep, "subblock"):
            continue
        bid = want_scalar(it, "block_id", rep, "subblock", nonempty=True)
        if bid is not None:
            blocks.add(str(bid))
        want_scalar(it, "block_type", rep, "subblock", nonempty=True)
        want_scalar(it, "name", rep, "subblock", nonempty=True)
        unit = want_number(it, "unit", rep, "subblock")
        if unit is not None and unit not in (0, 1, 2, 3):
            rep.err("unit %r is outside 0..3" % it["unit"], "unit")
        want_number(it, "value", rep, "subblock", allow_na=True)
        want_number(it, "origin_value", rep, "subblock", required=False, allow_na=True)
    return "entries=%d blocks=%d" % (len(items), len(blocks))


def check_heat_map(doc, ctx, rep):
    if not want_object(doc, rep, "root"):
        return "unreadable"
    cores = want_array(doc, "core_memory_map", rep, "root") or []
    ids, units = [], 0
    for c in cores:
        if not want_object(c, rep, "core"):
            continue
        ids.append(str(want_scalar(c, "core_no", rep, "core", nonempty=True)))
        op = want_scalar(c, "op_type", rep, "core", nonempty=True)
        soc = str(want_scalar(c, "soc", rep, "core", nonempty=True))
        if "910" not in soc and "310" not in soc:
            rep.err("soc %r selects no picture (needs 910 or 310 in it)" % soc, "soc")
        elif "910" in soc and op not in ("cube", "vector", "mix"):
            rep.err("op_type %r selects no picture" % (op,), "op")
        text_array(c, "advice", rep, "core")
        for u in want_array(c, "memory_unit", rep, "core") or []:
            units += 1
            if not want_object(u, rep, "memory_unit"):
                continue
            path = want_number(u, "memory_path", rep, "memory_unit")
            if path is not None and path not in MEMORY_PATHS:
                rep.err("memory_path %r is unknown" % u["memory_path"], "path")
            for key in ("request", "bandwidth", "peak_ratio"):
                want_number(u, key, rep, "memory_unit", allow_na=True)
            shown = want_number(u, "display", rep, "memory_unit")
            if shown is not None and shown not in (0, 1):
                rep.err("display %r is not 0 or 1" % u["display"], "disp")
        if "L2cache" in c and want_object(c["L2cache"], rep, "L2cache"):
            for key in ("hit", "miss", "total_request", "hit_ratio"):
                want_number(c["L2cache"], key, rep, "L2cache", allow_na=True)
        for unit in ("Vector", "Vector1", "Cube"):
            if unit in c and want_object(c[unit], rep, unit):
                for key in ("cycle", "ratio", "total_cycles"):
                    want_number(c[unit], key, rep, unit, allow_na=True)
    if len(set(ids)) != len(ids):
        rep.err("core_no values repeat: %s" % ids)
    ctx["heat_ids"] = set(ids)
    return "cores=%d memory_units=%d" % (len(cores), units)


def check_mem_table(doc, ctx, rep):
    if not want_object(doc, rep, "root"):
        return "unreadable"
    blocks = want_array(doc, "table_per_block", rep, "root") or []
    ids, tables = [], 0
    for b in blocks:
        if not want_object(b, rep, "block"):
            continue
        ids.append(str(want_scalar(b, "block_id", rep, "block", nonempty=True)))
        want_scalar(b, "table_op_type", rep, "block", nonempty=True)
        text_array(b, "advice", rep, "block")
        for t in want_array(b, "table_detail", rep, "block") or []:
            tables += 1
            if not want_object(t, rep, "table"):
                continue
            want_scalar(t, "table_name", rep, "table", nonempty=True)
            head = text_array(t, "header_name", rep, "table", required=True) or []
            size = text_array(t, "size", rep, "table")
            if size is not None and len(size) != 2:
                rep.err("table size needs two entries", "tsize")
            rows = want_array(t, "row", rep, "table") or []
            if size is not None and len(size) == 2 and str(size[0]) != str(len(rows)):
                rep.err("table %r: size says %s rows, %d present" %
                        (t.get("table_name"), size[0], len(rows)), "trows")
            for r in rows:
                if want_object(r, rep, "row"):
                    want_scalar(r, "name", rep, "row", nonempty=True)
                    vals = text_array(r, "value", rep, "row", required=True)
                    if vals is not None and len(vals) != len(head) - 1:
                        rep.err("table %r: %d values under %d headings" %
                                (t.get("table_name"), len(vals), len(head)), "tlen")
    if len(set(ids)) != len(ids):
        rep.err("block_id values repeat: %s" % ids)
    ctx["table_ids"] = set(ids)
    return "blocks=%d tables=%d" % (len(blocks), tables)


def check_occupancy(doc, ctx, rep):
    if not want_object(doc, rep, "root"):
        return "unreadable"
    for key in ("soc", "op_type", "advice"):
        if not isinstance(doc.get(key), str):
            rep.err("\"%s\" must be a string" % key)
    if doc.get("op_type") not in ("cube", "vector", "mix"):
        rep.warn("op_type %r is not cube, vector or mix" % (doc.get("op_type"),))
    ops, subs, seen = want_array(doc, "op_detail", rep, "root") or [], 0, set()
    for op in ops:
        if not want_object(op, rep, "core"):
            continue
        cid = want_number(op, "core_id", rep, "core")
        if cid is not None:
            if cid != int(cid) or not 0 <= cid <= 255:
                rep.err("core_id %r does not fit 8 bits" % op["core_id"], "cid")
            if cid in seen:
                rep.err("core_id %r repeats" % op["core_id"], "ciddup")
            seen.add(cid)
        for s in want_array(op, "core_detail", rep, "core") or []:
            subs += 1
            if not want_object(s, rep, "sub-core"):
                continue
            sid = want_number(s, "subcore_id", rep, "sub-core")
            if sid is not None and sid not in (0, 1):
                rep.err("subcore_id %r is not 0 or 1" % s["subcore_id"], "sid")
            if s.get("subcore_type") not in ("cube", "vector"):
                rep.err("subcore_type %r is not cube or vector" % (s.get("subcore_type"),), "stype")
            for key in ("cycles", "throughput", "L2cache_hit_rate"):
                n = want_number(s, key, rep, "sub-core")
                if n is not None and n < 0:
                    rep.err("%s %r is negative" % (key, s[key]), key)
            simt = s.get("simt_vf_instructions")
            if simt is not None and want_object(simt, rep, "simt_vf_instructions"):
                want_number(simt, "instructions", rep, "simt")
                want_number(simt, "instruction_per_cycle", rep, "simt")
    return "cores=%d sub_cores=%d" % (len(ops), subs)


def check_roofline(doc, ctx, rep):
    if not want_object(doc, rep, "root"):
        return "unreadable"
    want_scalar(doc, "advice", rep, "root", required=False)
    graphs, lines = want_array(doc, "multiple_rooflines", rep, "root") or [], 0
    for g in graphs:
        if not want_object(g, rep, "graph"):
            continue
        want_scalar(g, "title", rep, "graph", nonempty=True)
        for r in want_array(g, "rooflines", rep, "graph") or []:
            lines += 1
            if not want_object(r, rep, "roofline"):
                continue
            want_scalar(r, "bw_name", rep, "roofline", nonempty=True)
            want_scalar(r, "computility_name", rep, "roofline", nonempty=True)
            for key in ("bw", "computility"):
                n = want_number(r, key, rep, "roofline")
                if n is not None and n <= 0:
                    rep.err("%s %r cannot be drawn on a logarithmic axis" % (key, r[key]), key)
            ratio = want_number(r, "ratio", rep, "roofline", allow_na=True)
            if ratio is not None and not 0 <= ratio <= 1:
                rep.err("ratio %r is not within 0..1" % (r["ratio"],), "ratio")
            pt = want_array(r, "point", rep, "roofline")
            if pt is not None:
                if len(pt) != 2:
                    rep.err("point has %d coordinates, exactly 2 are read" % len(pt), "pt")
                elif any(as_number(x) is None for x in pt):
                    rep.err("point %r is not numeric" % (pt,), "ptn")
                elif any(as_number(x) <= 0 for x in pt):
                    rep.warn("point %r lies off a logarithmic axis" % (pt,), "ptlog")
    return "graphs=%d rooflines=%d" % (len(graphs), lines)


def check_cacheline(doc, ctx, rep):
    if not want_object(doc, rep, "root"):
        return "unreadable"
    recs = want_array(doc, "Cacheline Records", rep, "root") or []
    ids = set()
    for r in recs:
        if not want_object(r, rep, "record"):
            continue
        cid = r.get("Cacheline Id")
        if not is_int(cid) or cid < 0:
            rep.err("\"Cacheline Id\" %r is not a whole number" % (cid,), "cid")
        elif cid in ids:
            rep.err("\"Cacheline Id\" %d repeats" % cid, "ciddup")
        else:
            ids.add(cid)
        for kind in ("Hit", "Miss"):
            ev = r.get(kind)
            if not want_object(ev, rep, "\"%s\"" % kind):
                continue
            val = ev.get("Value")
            if not isinstance(val, list) or len(val) != 2 or not all(is_num(x) and x >= 0
                                                                     for x in val):
                rep.err("%s.Value must be [count, ratio]" % kind, kind)
            elif val[1] > 1:
                rep.err("%s.Value ratio %r is above 1" % (kind, val[1]), kind + "r")
            address_ranges(ev.get("Address Range"), rep, kind)
    return "records=%d" % len(recs)


def check_stall(doc, ctx, rep):
    if not want_object(doc, rep, "root"):
        return "unreadable"
    tab = doc.get("top_stall_reason_table")
    if not want_object(tab, rep, "\"top_stall_reason_table\""):
        return "unreadable"
    if not tab:
        rep.err("top_stall_reason_table is empty")
    for k, v in tab.items():
        if not is_int(v) or not I64[0] <= v <= I64[1]:
            rep.err("%s: %r is not a 64-bit integer and is skipped" % (k, v), "v")
    return "reasons=%d" % len(tab)


# ---------------------------------------------------------------------- trace

def end_of_event(buf, base, last):
    """Offset of the '}' that ends the event holding the first/last "ph"."""
    at = buf.rfind(b'"ph"') if last else buf.find(b'"ph"')
    if at < 0:
        return None
    depth = 0
    for i in range(at, len(buf)):
        if buf[i] == 0x7B:
            depth += 1
        elif buf[i] == 0x7D:
            if depth == 0:
                return base + i
            depth -= 1
    return None


def viewer_slices(data, start, end):
    """The byte ranges that the viewer would hand to its event parser.

    Returns (list of (first, last) inclusive, None) or (None, reason).
    """
    head = data.find(b'"traceEvents"', start, start + WINDOW)
    if head < 0:
        return None, "\"traceEvents\" is not within the first MiB"
    if end - start <= SLICE:
        m = re.compile(rb"\[\s*\{").search(data, head, head + WINDOW)
        if not m:
            return None, "no \"[{\" follows \"traceEvents\" within a MiB"
        tail = start if end - start < WINDOW else end - WINDOW
        stop = end_of_event(data[tail:end], tail, True)
        if stop is None:
            return None, "the last event cannot be located from its \"ph\" key"
        return [(m.start() + 1, stop)], None
    out, pos = [], head
    while True:
        pos = data.find(b"{", pos, pos + GAP)
        if pos < 0:
            break
        first, final = pos, pos + SLICE >= end - start
        seek = end - WINDOW if final else pos + SLICE
        stop = end_of_event(data[seek:seek + WINDOW], seek, final)
        if stop is None:
            return None, "no event boundary found near byte %d" % seek
        out.append((first, stop))
        if final:
            return out, None
        pos = stop
    return None, "slicing stops early: no '{' within %d bytes of byte %d" % (GAP, pos)


def check_events(events, rep):
    kinds, flags, flows, tracks = {}, {}, {}, set()
    for e in events:
        if not want_object(e, rep, "event"):
            continue
        ph = e.get("ph")
        if not isinstance(ph, str) or not ph:
            rep.err("event without a \"ph\" string is dropped", "ph")
            continue
        kinds[ph] = kinds.get(ph, 0) + 1
        what = "event ph=%s" % ph
        if ph == "M":
            if e.get("name") not in META:
                rep.err("metadata name %r is not understood" % (e.get("name"),), "meta")
                continue
            want_scalar(e, "pid", rep, what, nonempty=True)
            if e["name"].startswith("thread"):
                want_scalar(e, "tid", rep, what, nonempty=True)
            args = e.get("args")
            if not want_object(args, rep, what + " args"):
                continue
            if e["name"].endswith("sort_index"):
                if not is_int(args.get("sort_index")) or not 0 <= args["sort_index"] < 2 ** 32:
                    rep.err("%s needs an unsigned integer args.sort_index" % e["name"], "sort")
            elif e["name"] == "process_labels":
                if not isinstance(args.get("labels"), str):
                    rep.err("process_labels needs string args.labels", "lab")
            elif not isinstance(args.get("name"), str):
                rep.err("%s needs string args.name" % e["name"], "mname")
            continue
        if ph not in ("X", "B", "E", "C", "s", "t"):
            rep.err("ph %r is ignored by the viewer for operator traces" % ph, "ph" + ph)
            continue
        ts = want_number(e, "ts", rep, what)
        if ts is not None and ts < 0:
            rep.err("%s: ts %r is negative" % (what, e["ts"]), what + "ts")
        if not isinstance(e.get("name"), str) or not e["name"]:
            rep.err("%s: \"name\" must be a non-empty string" % what, what + "name")
        if "args" in e and not isinstance(e["args"], dict):
            rep.err("%s: \"args\" must be an object" % what, what + "args")
        if ph == "E":
            pass
        elif ph == "C":
            want_scalar(e, "pid", rep, what, nonempty=True)
            if ts == 0:
                rep.err("counter sample at ts 0 is dropped by the viewer", "c0")
            args = e.get("args")
            if not isinstance(args, dict) or not args:
                rep.err("counter needs a non-empty args object", "cargs")
            else:
                for k in args:
                    want_number(args, k, rep, "counter args")
        else:
            pid = want_scalar(e, "pid", rep, what, nonempty=True)
            tid = want_scalar(e, "tid", rep, what, nonempty=True)
            tracks.add((pid, tid))
        if ph == "X":
            dur = want_number(e, "dur", rep, what)
            if dur is not None and dur < 0:
                rep.err("dur %r is negative" % e["dur"], "dur")
            if "cname" not in e:
                rep.warn("slice without cname: all such slices share one colour", "cn")
            elif not isinstance(e["cname"], str):
                rep.err("cname must be a string", "cnt")
        elif ph in ("B", "E"):
            kind = FLAG_NAMES.get(e.get("name"))
            if kind is None:
                rep.err("ph %s named %r is dropped by the viewer (only set/wait flags are paired; "
                        "write a slice)" % (ph, e.get("name")), "be")
            elif want_scalar(e, "id", rep, what, nonempty=True) is not None:
                flags.setdefault((kind, str(e["id"])), []).append((ph, ts))
        elif ph in ("s", "t"):
            if want_scalar(e, "id", rep, what, nonempty=True) is not None:
                flows.setdefault(str(e["id"]), []).append((ph, ts))
            want_scalar(e, "cat", rep, what, nonempty=True)
    for (kind, fid), lst in flags.items():
        phs = sorted(p for p, _ in lst)
        if phs != ["B", "E"] * 1:
            rep.err("%s flag id %r has events %s, one B and one E are paired" % (kind, fid, phs),
                    "flagpair")
        else:
            t = dict(lst)
            if t["B"] is not None and t["E"] is not None and t["E"] < t["B"]:
                rep.err("%s flag id %r ends before it begins" % (kind, fid), "flagneg")
    for fid, lst in flows.items():
        phs = [p for p, _ in lst]
        if phs.count("s") != 1 or phs.count("t") != 1:
            rep.err("flow id %r has events %s, exactly one s and one t make an arrow" % (fid, phs),
                    "flowpair")
    if not any(k in kinds for k in ("X", "B", "C")):
        rep.err("no slice or counter event: nothing would be drawn")
    return kinds, len(tracks)


def check_trace(data, start, end, rep, standalone, deep=True):
    doc = strict_json(data[start:end], rep, "trace")
    if doc is None:
        return "unreadable"
    if isinstance(doc, list):
        rep.err("trace must be an object with \"traceEvents\", a bare array is not sliced")
        return "array"
    if not want_object(doc, rep, "trace"):
        return "unreadable"
    events = want_array(doc, "traceEvents", rep, "trace")
    if events is None:
        return "no events"
    if not events:
        rep.err("traceEvents is empty")
        return "events=0"
    if standalone:
        opening = data[start:end].split(b"[", 1)[0]
        if b"profilingType" not in opening or b"op" not in opening:
            rep.warn("without \"profilingType\":\"op\" before the first '[' the file is taken as a general trace (right for framework traces, coloured by name)")
    elif doc.get("profilingType") != "op":
        rep.warn("\"profilingType\" is not \"op\"")
    slices, why = viewer_slices(data, start, end)
    if slices is None:
        rep.err("the viewer cannot slice the trace: " + why)
    elif deep:
        total = 0
        for a, b in slices:
            part = strict_json(b"[" + data[a:b + 1] + b"]", rep, "trace slice at byte %d" % a)
            total += len(part) if isinstance(part, list) else 0
        if total != len(events):
            rep.err("viewer slicing yields %d of %d events" % (total, len(events)))
    kinds, tracks = check_events(events, rep)
    return "events=%d %s tracks=%d slices=%d" % (
        len(events), " ".join("%s=%d" % kv for kv in sorted(kinds.items())), tracks,
        len(slices or ()))


# ------------------------------------------------------------------ container

JSON_CHECKS = {
    0x03: check_file_api, 0x04: check_instr_api, 0x05: check_base_info,
    0x06: check_load, 0x07: check_load, 0x08: check_heat_map, 0x09: check_mem_table,
    0x0C: check_occupancy, 0x0D: check_roofline, 0x0E: check_cacheline, 0x0F: check_stall,
}


def split_blocks(data, rep):
    blocks, off, n = [], 0, len(data)
    while off < n:
        rep.where = "@0x%x" % off
        if n - off < HEADER.size:
            rep.err("%d trailing byte(s) after the last block" % (n - off))
            break
        size, typ, pad, version, reserved = HEADER.unpack_from(data, off)
        extra = PATH_LEN if typ == 0x01 else 0
        body = off + HEADER.size
        if size > n:
            rep.err("block size %d is larger than the whole file (%d)" % (size, n))
            break
        if body + extra + size > n:
            rep.err("block of %d bytes runs %d byte(s) past the end of the file" %
                    (size + extra, body + extra + size - n))
            break
        if pad >= size + extra:
            rep.err("padding %d leaves no content in %d bytes" % (pad, size))
            break
        if typ not in NAMES:
            rep.err("unknown block type 0x%02x is never shown" % typ)
        if typ == 0x04:
            if version not in (0x00, RESERVED):
                rep.err("instruction version 0x%02x is neither 0x00 nor 0x5a" % version)
        elif version != RESERVED:
            rep.err("version byte 0x%02x, expected 0x5a" % version)
        if reserved != RESERVED:
            rep.err("reserved byte 0x%02x, expected 0x5a" % reserved)
        if pad > 3:
            rep.err("padding %d, at most 3 is ever needed" % pad)
        if size % 4:
            rep.err("content size %d (padding included) is not a multiple of 4" % size)
        end = body + extra + size
        if any(data[end - pad:end]):
            rep.err("padding bytes are not zero")
        blocks.append((off, typ, version, body, end - pad))
        off = end
    return blocks


def check_bin(path, rep, deep):
    total = os.path.getsize(path)
    rep.where = "file"
    if not path.endswith(".bin"):
        rep.err("the viewer only takes names ending in .bin")
    if total > MAX_FILE:
        rep.err("file of %d bytes exceeds the 10 GiB import limit" % total)
        return
    with open(path, "rb") as fh:
        data = fh.read()
    if total < HEADER.size:
        rep.err("file of %d bytes cannot hold one block header" % total)
        return
    size0, typ0 = struct.unpack_from("<QB", data, 0)
    if size0 == 0:
        rep.err("first block has size 0: not recognised as operator data")
    if data[10:12] != b"\x5a\x5a":
        rep.err("bytes 10..11 are %s, not 5a5a: not recognised as operator data%s" % (
            data[10:12].hex(), " (an instr_api block of version 0 may not come first)" if typ0 ==
            0x04 else ""))
    blocks = split_blocks(data, rep)
    rep.flush()
    ctx, counts, codes = {"version": RESERVED}, {}, {}
    for off, typ, version, body, end in blocks:      # cores are declared by the instruction block
        if typ == 0x04 and "ncores" not in ctx:
            quiet = Report("", False)
            doc = strict_json(data[body:end], quiet)
            if isinstance(doc, dict) and isinstance(doc.get("Cores"), list) and doc["Cores"]:
                ctx["ncores"] = len(doc["Cores"])
            ctx["version"] = version
    for off, typ, version, body, end in blocks:
        rep.where = "@0x%x" % off
        counts[typ] = counts.get(typ, 0) + 1
        if typ not in REPEATABLE and counts[typ] > 1:
            rep.err("second %s block: only the first is read" % NAMES.get(typ, "unknown"))
        if typ == 0x01:
            raw = data[body:body + PATH_LEN]
            name = raw.split(b"\0", 1)[0]
            if b"\0" not in raw:
                rep.err("source path is not NUL-terminated within 4096 bytes")
            elif any(raw[len(name):]):
                rep.warn("bytes after the source path are not zero")
            try:
                shown = name.decode("utf-8")
            except UnicodeDecodeError:
                shown = repr(name)
                rep.err("source path is not UTF-8")
            if not name:
                rep.err("source path is empty")
            if ":" in shown:
                rep.err("source path holds ':' and cannot be linked from instructions")
            text = data[body + PATH_LEN:end]
            if len(text) > MAX_JSON:
                rep.err("source text of %d bytes exceeds 100 MiB" % len(text))
            try:
                lines = text.decode("utf-8").count("\n") + 1
            except UnicodeDecodeError:
                lines = text.count(b"\n") + 1
                rep.err("source text is not UTF-8")
            if b"\0" in text:
                rep.err("source text holds NUL bytes")
            if lines > 10000:
                rep.warn("only 10000 of %d source lines are shown" % lines)
            if shown in codes and codes[shown] != text:
                rep.err("source path %r appears twice with different text" % shown)
            codes[shown] = text
            info = "path=%s lines=%d" % (shown, lines)
        elif typ == 0x02:
            info = check_trace(data, body, end, rep, False, deep)
        elif typ in JSON_CHECKS:
            if end - body > MAX_JSON:
                rep.err("JSON of %d bytes exceeds 100 MiB and is not read" % (end - body))
            doc = strict_json(data[body:end], rep)
            info = "unreadable" if doc is None else JSON_CHECKS[typ](doc, ctx, rep)
        else:
            info = "not checked"
        print("block @0x%08x type=0x%02x %-19s bytes=%d %s" % (off, typ, NAMES.get(typ, "?"),
                                                               end - body, info))
        rep.flush()
    rep.where = "file"
    if 0x0D in counts and 0x05 not in counts:
        rep.err("a roofline block is shown only when op_basic_info is present")
    if 0x04 in counts and 0x03 not in counts:
        pass  # a simulator file without kernel: the source page shows the instructions alone
    if 0x03 in counts and 0x04 not in counts:
        rep.err("file_api without instr_api: the core list comes from instr_api")
    for src in ctx.get("api_sources", ()):
        if src not in codes:
            rep.warn("file_api names %r, which has no code block" % src, "nocode")
    if (0x08 in counts or 0x09 in counts) and not (0x06 in counts or 0x07 in counts):
        rep.err("storage blocks are selected by the block ids of a compute load block, which "
                "is missing")
    for key, label in (("heat_ids", "core_no"), ("table_ids", "block_id")):
        if ctx.get("blocks") and key in ctx and not ctx[key] & ctx["blocks"]:
            rep.err("%s values %s match no compute load block id %s" %
                    (label, sorted(ctx[key]), sorted(ctx["blocks"])))
        elif ctx.get("blocks") and key in ctx and ctx["blocks"] - ctx[key]:
            rep.warn("no %s for block(s) %s" % (label, sorted(ctx["blocks"] - ctx[key])))


def main(argv):
    strict = "--strict" in argv
    deep = "--no-trace-deep" not in argv
    files = [a for a in argv if not a.startswith("--")]
    bad = [a for a in argv if a.startswith("--") and a not in ("--strict", "--no-trace-deep")]
    if bad or not files:
        sys.stderr.write(__doc__)
        return 2
    failed = False
    for path in files:
        rep = Report(path, strict)
        try:
            if path.endswith(".json"):
                with open(path, "rb") as fh:
                    data = fh.read()
                rep.where = "trace"
                if len(data) > MAX_FILE:
                    rep.err("file exceeds the 10 GiB import limit")
                print("trace %s" % check_trace(data, 0, len(data), rep, True, deep))
            else:
                check_bin(path, rep, deep)
        except OSError as e:
            rep.where = "file"
            rep.err(str(e))
        rep.flush()
        verdict = "FAIL" if rep.errors else "PASS"
        print("%s %s errors=%d warnings=%d" % (verdict, path, rep.errors, rep.warnings))
        failed = failed or bool(rep.errors)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
