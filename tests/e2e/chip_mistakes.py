# SPDX-License-Identifier: Apache-2.0
"""chip_mistakes.py [OUT [MISTAKE...]]: write the file of an invented chip with the mistakes of
those names; without arguments, print the table: name, JSON Pointer, text that the message holds.
With --kinds HEADER, check that every kind of fact that the header declares has a mistake."""
import json
import re
import sys


def chip():
    return {
        "opprof_chip": "1.0", "series": "Tiler", "uses": ["onboard", "simulated"],
        "socs": {"Tiler1": {}}, "clocks": {"core": 1000}, "cores": {"count": 2},
        "peaks": {"family": "all", "families": {"all": {"default": {"HBM_TO_SPM": 40}}}},
        "pmu": {
            "operator": {"type": "tile"},
            "kinds": [{"name": "tile", "label": "tile"}],
            "defaults": {"rated_freq": 1000, "scheduler_khz": 1000},
            "records": {
                "counters": {"size": 32,
                             "fields": {"block": {"at": 0, "bits": 16},
                                        "cycles": {"at": 8, "bits": 64}},
                             "counters": {"at": 16, "count": 2}},
                "task_log": {"size": 16,
                             "fields": {"function": {"at": 0, "bits": 8},
                                        "time": {"at": 8, "bits": 64}},
                             "start": 1, "end": 2}},
            "events": {"16": {"name": "busy", "meaning": "busy cycles"},
                       "17": {"name": "words", "meaning": "words"}},
            "rounds": {"tile": [[16, 17]]},
            "groups": {"Use": {"tile": [16]}, "Pipes": {"tile": [17]}}},
        "metrics": {
            "choices": {"Use": {"groups": ["Use"]}, "Pipes": {"groups": ["Pipes"]}},
            "operator": {"core_time": {"is": "e(busy) / freq", "unit": "us"}},
            "tables": {
                "Use": {"columns": [{"name": "block", "shows": "block"},
                                    {"name": "busy(%)", "is": "100 * e(busy) / total_cycles",
                                     "of": "tile", "unit": "%"}]},
                "Pipes": {"columns": [{"name": "share(%)", "is": "e(words) / peak(HBM_TO_SPM)",
                                       "unit": "%"}]}},
            "compute_load": {"tile": [{"name": "busy", "is": "e(busy)", "share": True}]}},
        "simulator": {"operands": "a2", "flags": "WAIT_FLAG"}}


def rename(member, old, new):
    member[new] = member.pop(old)


# name: (change, pointer, what the message says)
MISTAKES = {
    "feilds": (lambda c: rename(c["pmu"]["records"]["counters"], "fields", "feilds"),
               "/pmu/records/counters/feilds", "Did you mean 'fields'?"),
    "bloc": (lambda c: rename(c["pmu"]["records"]["counters"]["fields"], "block", "bloc"),
             "/pmu/records/counters/fields/bloc", "Did you mean 'block'?"),
    "rounds.tle": (lambda c: rename(c["pmu"]["rounds"], "tile", "tle"), "/pmu/rounds/tle",
                   "Did you mean 'tile'?"),
    "group-tiel": (lambda c: rename(c["pmu"]["groups"]["Use"], "tile", "tiel"),
                   "/pmu/groups/Use/tiel", "Did you mean 'tile'?"),
    "of-tiel": (lambda c: c["metrics"]["tables"]["Use"]["columns"][1].update(of="tiel"),
                "/metrics/tables/Use/columns/1/of", "Did you mean 'tile'?"),
    "column": (lambda c: rename(c["metrics"]["tables"]["Use"], "columns", "column"),
               "/metrics/tables/Use/column", "Did you mean 'columns'?"),
    "tabels": (lambda c: rename(c["metrics"], "tables", "tabels"), "/metrics/tabels",
               "Did you mean 'tables'?"),
    "table-Pips": (lambda c: rename(c["metrics"]["tables"], "Pipes", "Pips"),
                   "/metrics/tables/Pips", "Did you mean 'Pipes'?"),
    "peak": (lambda c: c["metrics"]["tables"]["Pipes"]["columns"][0].update(
                 {"is": "e(words) / peak(HBM_TO_SPAM)"}),
             "/metrics/tables/Pipes/columns/0/is", "Did you mean 'HBM_TO_SPM'?"),
    "columns-none": (lambda c: c["metrics"]["tables"]["Use"].update(columns=[]),
                     "/metrics/tables/Use/columns", "the array is empty"),
    "columns-empty": (lambda c: c["metrics"]["tables"]["Use"]["columns"][1].pop("is"),
                      "/metrics/tables/Use/columns/1", "the member 'is' or 'shows' is missing"),
    "columns-both":
    (lambda c: c["metrics"]["tables"]["Use"]["columns"][0].update({"is": "e(busy)"}),
     "/metrics/tables/Use/columns/0",
                     "only one of the members 'is' or 'shows' is allowed"),
    "columns-twice": (lambda c: c["metrics"]["tables"]["Use"]["columns"][1].update(name="Block"),
                      "/metrics/tables/Use/columns/1", "the name 'Block' is that of element 0"),
    "columns-shows": (lambda c: c["metrics"]["tables"]["Use"]["columns"][0].update(shows="pid"),
                      "/metrics/tables/Use/columns/0/shows", "there is no 'pid'"),
    "columns-operator":
    (lambda c: c["metrics"]["tables"].update(OpBasicInfo={"columns":
                                                          [{"name": "x", "is": "e(busy)"}]}),
                         "/metrics/tables/OpBasicInfo/columns/0", "the member 'shows' is missing"),
    "compute_load.tiel": (lambda c: rename(c["metrics"]["compute_load"], "tile", "tiel"),
                          "/metrics/compute_load/tiel", "Did you mean 'tile'?"),
    "operator.advice": (lambda c: c["metrics"]["operator"].update(advice={}),
                        "/metrics/operator/advice", "there is no member 'advice'"),
    "operator.core_time": (lambda c: c["metrics"]["operator"].update(core_time="e(busy)"),
                           "/metrics/operator/core_time", "expected an object, found a text"),
    "operator.type": (lambda c: c["pmu"]["operator"].update(type={}), "/pmu/operator/type",
                      "expected a text, found an object"),
    "simulator.flgs": (lambda c: rename(c["simulator"], "flags", "flgs"), "/simulator/flgs",
                       "Did you mean 'flags'?"),
    "operands": (lambda c: c["simulator"].update(operands="foo"), "/simulator/operands",
                 "there is no 'foo'"),
    # sections of other owners
    "dbi.global": (lambda c: c.update(dbi={"global": "GMM"}), "/dbi/global", "Did you mean 'GM'?"),
    "dbi.rule":
    (lambda c: c.update(dbi={"records": {"MINE": {"type": 20, "size": 8, "rule": "brsts"}}}),
                 "/dbi/records/MINE/rule", "Did you mean 'bursts'?"),
    "dbi.rules":
    (lambda c: c.update(dbi={"rules": {"mine": {"runs": [{"count": "repeat", "src_bites": 8}]}}}),
                  "/dbi/rules/mine/runs/0/src_bites", "Did you mean 'src_bytes'?"),
    "dbi.let":
    (lambda c: c.update(dbi={"rules": {"mine": {"fields": ["turns"], "let": {"all": "turns * 2"},
                                                          "runs": [{"count": "alll"}]}}}),
                "/dbi/rules/mine/runs/0/count", "there is no 'alll'. Did you mean 'all'?"),
    "dbi.count":
    (lambda c: c.update(dbi={"rules": {"mine": {"fields": ["turns"],
                                                "runs": [{"count": "turns +"}]}}}),
                  "/dbi/rules/mine/runs/0/count", "Formula 'count', column 8: expected a number, a "
                                                  "name or '(', found the end"),
    "dbi.loops": (lambda c: c.update(dbi={"rules": {"mine": {"loops": [{"index": "k", "count": 4}],
                                                            "runs": [{"count": 1,
                                                                      "src": "src + l * 4"}]}}}),
                  "/dbi/rules/mine/runs/0/src", "there is no 'l'"),
    "dbi.fixed": (lambda c: c.update(dbi={"records": {"LOAD_2D": {"fixed": {"strct": 1}}}}),
                  "/dbi/records/LOAD_2D/fixed/strct", "Did you mean 'strict'?"),
    "dbi.as": (lambda c: c.update(dbi={"records": {"LOAD_2D": {"as": {"L0D": "L1"}}}}),
               "/dbi/records/LOAD_2D/as/L0D", "Did you mean 'L0"),
    "dbi.chart": (lambda c: c.update(dbi={"chart": {"size": 4}}), "/dbi/chart/size",
                  "4 is out of range (8..256 bytes)"),
    "dbi.fields":
    (lambda c: c.update(dbi={"records": {"LOAD_2D": {"fields": {"dsst": {"at": 0, "bits": 64}}}}}),
                   "/dbi/records/LOAD_2D/fields/dsst", "Did you mean 'dst'?"),
    "dbi.place": (lambda c: c.update(dbi={"records": {"LOAD_2D": {"fields": {"dst": [0, 8]}}}}),
                  "/dbi/records/LOAD_2D/fields/dst", "expected an object, found an array"),
    "dbi.reach":
    (lambda c: c.update(dbi={"records": {"LOAD_2D": {"fields": {"dst": {"at": 40, "bits": 64}}}}}),
                  "/dbi/records/LOAD_2D/fields/dst", "the field reaches beyond the record"),
    "dbi.type": (lambda c: c.update(dbi={"records": {"LOAD_2D": {"type": 1}}}),
                 "/dbi/records/LOAD_2D/type", "1 is the type of '"),
    "dbi.area": (lambda c: c.update(dbi={"area": {"bytes": 180}}), "/dbi/area/bytes",
                 "a slot has no room for its header and a record"),
    "dbi.runs": (lambda c: c.update(dbi={"rules": {"mine": {"runs": []}}}), "/dbi/rules/mine/runs",
                 "the array is empty"),
    "dbi.always": (lambda c: c.update(dbi={"live": {"always": ["warp"]}}), "/dbi/live/always/0",
                   "Did you mean 'warps'?"),
    "dbi.memories": (lambda c: c.update(dbi={"memories": [""]}), "/dbi/memories/0",
                     "the text is empty"),
    "dbi.type_bits": (lambda c: c.update(dbi={"type_bits": [0]}), "/dbi/type_bits/0",
                      "0 is out of range (1..1024 bits)"),
    "dbi.sets":
    (lambda c: c.update(dbi={"operand_instructions": {"A": [1, "vektor", "S32", 1, "simt"]}}),
                 "/dbi/operand_instructions/A/1", "Did you mean 'vector'?"),
    "dbi.path": (lambda c: c.update(dbi={"instructions": {"COPY_GM_TO_UBUF": {"path": "GM>UP"}}}),
                 "/dbi/instructions/COPY_GM_TO_UBUF/path", "there is no 'UP'. Did you mean 'UB'?"),
    "dbi.recrds": (lambda c: c.update(dbi={"recrds": {}}), "/dbi/recrds",
                   "Did you mean 'records'?"),
    "channels.tsks": (lambda c: c.update(channels={"tsks": {"channel": 1, "data": []}}),
                      "/channels/tsks", "Did you mean 'tasks'?"),
    "channels.data": (lambda c: c.update(channels={"tasks": {"channel": 1, "data": ["tga"]}}),
                      "/channels/tasks/data/0", "Did you mean 'tag'?"),
    "perfmon.registers":
    (lambda c: c.update(perfmon={"registers": {"wptr": {"offset": 4, "bits": 32}}}),
                          "/perfmon/registers/wptr", "there is no member 'wptr'"),
    "perfmon.unit": (lambda c: c.update(perfmon={"pointer_unit": 33}), "/perfmon/pointer_unit",
                     "33 is out of range (1..32)"),
    "perfmon.dies": (lambda c: c.update(perfmon={"mode": "ring"}), "/perfmon", "the member 'dies' "
                     "is missing"),
    "perfmon.offset":
    (lambda c: c.update(perfmon={"registers": {"global_en": {"offset": 6, "bits": 1}}}),
                       "/perfmon/registers/global_en/offset", "6 is not a multiple of 4 bytes"),
    "channels.command": (lambda c: c.update(channels={"command": -1}), "/channels/command",
                         "-1 is out of range (0..)"),
    "perfmon.mode": (lambda c: c.update(perfmon={"mode": "rng"}), "/perfmon/mode",
                     "Did you mean 'ring'?"),
    "simulator.pipe": (lambda c: c.update(pipes={"known": {"TILE": {"prnted": ["TL"]}}}),
                       "/pipes/known/TILE/prnted", "Did you mean 'printed'?"),
    "simulator.flags": (lambda c: c.update(flags={"wiat": ["AWAIT"]}), "/flags/wiat",
                        "Did you mean 'wait'?"),
    "simulator.moves":
    (lambda c: c.update(instructions={"own": {"moves": [{"names": ["A"], "needs": ["xq"]}]}}),
                        "/instructions/own/moves/0/needs/0", "there is no 'xq'"),
    "simulator.between_cores": (lambda c: c.update(flags={"between_cores": {
        "set": "A", "wait": "B", "hub": "m", "spoke": "l", "spokes": 4, "ids": 0, "pipe": "P:",
        "id": "I:"}}),
                                "/flags/between_cores/ids", "0 is out of range (1..65536)"),
    "simulator.bytes": (lambda c: c.update(instructions={"own": {
        "operands": {"values": {"size": "S:<hex>"}},
        "moves": [{"names": ["A"], "bytes": "bits(szie, 0, 8) * 32"}]}}),
                        "/instructions/own/moves/0/bytes", "there is no 'szie'. Did you "
                                                           "mean 'size'?"),
    "simulator.bits": (lambda c: c.update(instructions={"own": {
        "operands": {"values": {"size": "S:<hex>"}},
        "moves": [{"names": ["A"], "bytes": "bits(size, 64, 8)"}]}}),
                       "/instructions/own/moves/0/bytes", "bits() takes a first bit of 0 to 63"),
    "simulator.let": (lambda c: c.update(instructions={"own": {"moves": [
        {"names": ["A"], "let": {"a": "b + 1", "b": 2}, "bytes": "a"}]}}),
                      "/instructions/own/moves/0/let/a", "'b' is computed later"),
    "simulator.value":
    (lambda c: c.update(instructions={"own": {"operands": {"values": {"size": "S:<hexx>"}}}}),
                        "/instructions/own/operands/values/size", "Did you mean '<hex>'?"),
    "simulator.register":
    (lambda c: c.update(instructions={"own": {"operands": {"registers": ["X<registr>"]}}}),
                           "/instructions/own/operands/registers/0", "Did you mean '<register>'?"),
    "simulator.means":
    (lambda c: c.update(
         instructions={"own": {"operands":
                               {"values": {"to": {"form": "T:<word>", "means": {"L1": "x"}}}}}}),
                        "/instructions/own/operands/values/to/means/L1", "expected an integer, "
     "found a text"),
    "simulator.sources":
    (lambda c: c.update(instructions={"own": {"vector": [{"names": ["A"], "blocks": {
        "destination": {"address": 0, "stride": 1}, "source": []}}]}}),
                          "/instructions/own/vector/0/blocks/source", "Did you mean 'sources'?"),
    "simulator.state":
    (lambda c: c.update(instructions={"own": {"state": [{"names": ["A"], "maks": 1}]}}),
                        "/instructions/own/state/0/maks", "Did you mean 'mask'?"),
    "simulator.writes":
    (lambda c: c.update(instructions={"own": {"writes": [{"names": ["A"], "palces": [0]}]}}),
                         "/instructions/own/writes/0/palces", "Did you mean 'places'?"),
    # forms of lines and names
    "simulator.icache_miss":
    (lambda c: c["simulator"].update(icache_miss="<tikc>: <pc>, <detail>x"),
     "/simulator/icache_miss",
                              "Did you mean '<tick>'?"),
    "simulator.fetches": (lambda c: c["simulator"].update(fetches=["<tick> <pc>", "<tick> <cp>"]),
                          "/simulator/fetches/1", "has an unknown field '<cp>'"),
    "simulator.forms": (lambda c: c["simulator"].update(fetches=["<tick> <pc>"] * 5),
                        "/simulator/fetches", "expected 0 to 4 elements, found 5"),
    "simulator.many_keys": (lambda c: c["simulator"].update(requests={
        "line": "<tick>", "reads": ["R"], "writes": ["W"], "units": {"B": "B"},
        "keys": {"size": list("abcde")}}),
                            "/simulator/requests/keys/size", "expected 0 to 4 elements, found 5"),
    "simulator.many_sources":
    (lambda c: c.update(instructions={"own": {"vector": [{"names": ["A"], "blocks": {
        "destination": {"address": 0, "stride": 1},
        "sources": [{"address": 0, "stride": 1}] * 4}}]}}),
                               "/instructions/own/vector/0/blocks/sources",
     "expected 0 to 3 elements, found 4"),
    "simulator.issues": (lambda c: c["simulator"].update(issues="<tick> go"), "/simulator/issues",
                         "lacks '<pc>'"),
    "simulator.pair_by": (lambda c: c["simulator"].update(pair_by="idd"), "/simulator/pair_by",
                          "Did you mean 'id'?"),
    "simulator.poped":
    (lambda c: c["simulator"].update(logs={"poped": "a<core>", "instr": "b<core>"}),
     "/simulator/logs/poped",
                        "Did you mean 'popped'?"),
    "simulator.core":
    (lambda c: c["simulator"].update(logs={"popped": "a<cor>", "instr": "b<core>"}),
     "/simulator/logs/popped",
                       "Did you mean '<core>'?"),
    "simulator.line":
    (lambda c: c["simulator"].update(logs={"popped": "a<core>", "instr": "b<core>",
                                           "line": "<tick> <pc> <pipe><name>"}),
                       "/simulator/logs/line", "has nothing between '<pipe>' and '<name>'"),
    "simulator.mte": (lambda c: c["simulator"].update(logs={"popped": "a<core>", "instr": "b<core>",
                                                            "mte": "c<core><sub>"}),
                      "/simulator/logs/mte", "has an unknown field '<sub>'"),
    "simulator.ccu_file": (lambda c: c["simulator"].update(ccu_file=""), "/simulator/ccu_file",
                           "the text is empty"),
    "simulator.metrics": (lambda c: c["simulator"].update(metrics=["Overhed"]),
                          "/simulator/metrics/0", "Did you mean 'Overhead'?"),
    "simulator.guess": (lambda c: c["simulator"].update(guess={"sub_core": True}),
                        "/simulator/guess/sub_core", "Did you mean 'sub_cores'?"),
    # marks, cores and requests
    "simulator.registrs":
    (lambda c: c["simulator"].update(marks={"registrs": ["N"], "start": "<digit>",
                                            "stop": "x<digit>"}),
                           "/simulator/marks/registrs", "Did you mean 'registers'?"),
    "simulator.start":
    (lambda c: c["simulator"].update(marks={"registers": ["N"], "start": "8<digt>",
                                            "stop": "x<digit>"}),
                        "/simulator/marks/start", "Did you mean '<digit>'?"),
    "simulator.edge":
    (lambda c: c["simulator"].update(marks={"registers": ["N"], "start": "8<digit>",
                                            "stop": "x<digit>", "edge": 3}),
                       "/simulator/marks/edge", "expected a text, found a number"),
    "simulator.logical_core":
    (lambda c: c["simulator"].update(logical_core={"name": "MOV", "blok": ",B"}),
     "/simulator/logical_core/blok",
                               "Did you mean 'block'?"),
    "simulator.kernel": (lambda c: c["simulator"].update(kernel={"flie": "a.elf"}),
                         "/simulator/kernel/flie", "Did you mean 'file'?"),
    "simulator.threads": (lambda c: c["simulator"].update(threads={"warp": "[w:<wrap>]",
                                                                   "scheduler": "[s:<scheduler>]"}),
                          "/simulator/threads/warp", "Did you mean '<warp>'?"),
    "simulator.requests": (lambda c: c["simulator"].update(requests={
        "line": "<tick> <interfce>", "reads": ["R"], "writes": ["W"], "units": {"B": "B"}}),
                           "/simulator/requests/line", "Did you mean '<interface>'?"),
    "simulator.keys": (lambda c: c["simulator"].update(requests={
        "line": "<tick>", "reads": ["R"], "writes": ["W"], "units": {"B": "B"},
        "keys": {"instructon": ["i"]}}),
                       "/simulator/requests/keys/instructon", "Did you mean 'instruction'?"),
    "simulator.units": (lambda c: c["simulator"].update(requests={"line": "<tick>", "reads": ["R"],
                                                                  "writes": ["W"],
                                                                  "units": {"B": 5}}),
                        "/simulator/requests/units/B", "expected a text, found a number"),
    "simulator.ways": (lambda c: c["simulator"].update(requests={"line": "<tick>", "reads": ["R"],
                                                                 "units": {"B": "B"}}),
                       "/simulator/requests", "the member 'writes' is missing"),
    # words of timelines
    "simulator.scalr": (lambda c: c.update(pipes={"scalr": "SCALAR"}), "/pipes/scalr",
                        "Did you mean 'scalar'?"),
    "simulator.of_names": (lambda c: c.update(pipes={"of_names": {"ld": "SCALER"}}),
                           "/pipes/of_names/ld", "Did you mean 'SCALAR'?"),
    "simulator.user_mark": (lambda c: c.update(pipes={"user_mark": "USERMRK"}), "/pipes/user_mark",
                            "Did you mean 'USERMARK'?"),
    "simulator.load_store":
    (lambda c: c.update(pipes={"load_store": {"pipe": "SCALARLDST", "hold": "XD:"}}),
     "/pipes/load_store/hold",
                             "Did you mean 'holds'?"),
    "simulator.other_rank": (lambda c: c.update(pipes={"other_rank": -1}), "/pipes/other_rank",
                             "-1 is out of range (0.."),
    "simulator.lane": (lambda c: c.update(warps={"lane": "x"}), "/warps/lane",
                       "expected an integer, found a text"),
    "raw.files": (lambda c: c.update(raw={"files": {"conters": "c<k>"}}), "/raw/files/conters",
                  "Did you mean 'counters'?"),
    "raw.info": (lambda c: c.update(raw={"info": {"sco": "Chip"}}), "/raw/info/sco",
                 "Did you mean 'soc'?"),
    "raw.separator": (lambda c: c.update(raw={"info": {"separator": ": "}}), "/raw/info/separator",
                      "': ' is longer than 1 byte"),
    "simulator.lets": (lambda c: c.update(instructions={"own": {"moves": [
                           {"names": ["A"], "bytes": 1, "let": {f"a{i}": i for i in range(17)}}]}}),
                       "/instructions/own/moves/0/let", "it has 17 members, more than 16"),
    "simulator.values": (lambda c: c.update(instructions={"own": {"operands": {
                             "values": {f"v{i}": f"V{i}:<hex>" for i in range(33)}}}}),
                         "/instructions/own/operands/values", "it has 33 members, more than 32"),
    "dbi.lets": (lambda c: c.update(dbi={"rules": {"mine": {
                     "let": {f"a{i}": i for i in range(33)}, "runs": [{"count": 1}]}}}),
                 "/dbi/rules/mine/let", "it has 33 members, more than 32"),
    "cores.vectrs": (lambda c: c["cores"].update(vectrs=2), "/cores/vectrs",
                     "Did you mean 'vectors'?"),
    # and some of their kind
    "event": (lambda c: c["pmu"]["rounds"].update(tile=[[16, 18]]), "/pmu/rounds/tile/0/1",
              "there is no '18'"),
    "size": (lambda c: c["pmu"]["records"]["counters"].update(size=5000),
             "/pmu/records/counters/size", "5000 is out of range (8..4096 bytes)"),
    "missing": (lambda c: c["pmu"]["records"]["counters"]["counters"].pop("count"),
                "/pmu/records/counters/counters", "the member 'count' is missing"),
    "formula": (lambda c: c["metrics"]["operator"]["core_time"].update({"is": "e(busy) / / freq"}),
                "/metrics/operator/core_time/is", "column"),
    "fact": (lambda c: c["metrics"]["tables"]["Use"]["columns"][1].update(
                 {"is": "e(busy) / total_cycels"}),
             "/metrics/tables/Use/columns/1/is", "Did you mean 'total_cycles'?"),
    "number": (lambda c: c["metrics"]["tables"]["Use"]["columns"][1].update({"is": 100}),
               "/metrics/tables/Use/columns/1/is", "expected a formula, found a number"),
    "view": (lambda c: c["metrics"]["choices"].update(Roofline={"groups": ["Use"],
                                                                "view": "rooflin"}),
             "/metrics/choices/Roofline/view", "Did you mean 'roofline'?"),
    "fraction": (lambda c: c["pmu"]["rounds"].update(tile=[[16, 17.5]]), "/pmu/rounds/tile/0/1",
                 "there is no '17.5'"),
    # caches and bandwidths
    "dbi.line": (lambda c: c.update(caches={"l2": {"line": 96}}), "/caches/l2/line",
                 "96 is not a power of two"),
    "dbi.policy": (lambda c: c.update(caches={"l2": {"policy": "lur"}}), "/caches/l2/policy",
                   "Did you mean 'lru'?"),
    "dbi.ways": (lambda c: c.update(caches={"l2": {"ways": 65}}), "/caches/l2/ways",
                 "65 is out of range (1..64)"),
    "peaks.family": (lambda c: c["peaks"].update(family="al"), "/peaks/family",
                     "Did you mean 'all'?"),
    "peaks.number": (lambda c: c["peaks"]["families"]["all"]["default"].update(HBM_TO_SPM=-1),
                     "/peaks/families/all/default/HBM_TO_SPM", "-1 is out of range (0.. GB/s)"),
    # metrics and their views
    "choices.flag": (lambda c: c["metrics"]["choices"]["Use"].update(flag=1),
                     "/metrics/choices/Use/flag", "expected a text, found a number"),
    "choices.unknown": (lambda c: c["metrics"]["choices"]["Use"].update(flag="sorce"),
                        "/metrics/choices/Use/flag", "Did you mean 'source'?"),
    "choices.excludes": (lambda c: c["metrics"]["choices"]["Use"].update(excludes="Pips"),
                         "/metrics/choices/Use/excludes", "Did you mean 'Pipes'?"),
    "choices.both": (lambda c: c["metrics"]["choices"]["Use"].update(excludes=["Pipes"]),
                     "/metrics/choices/Use/excludes", "expected a text, found an array"),
    "choices.alone": (lambda c: c["metrics"]["choices"]["Use"].update(alone="al"),
                      "/metrics/choices/Use/alone", "Did you mean 'all'?"),
    "storage.shown":
    (lambda c: c["metrics"].update(storage={"rows": {"r": [{"name": "R", "shown": ["Use"]}]}}),
                      "/metrics/storage/rows/r/0/shown", "expected a formula or a number, "
                                                         "found an array"),
    "storage.columns": (lambda c: c["metrics"].update(storage={"shapes": {"s": {"columns": []}}}),
                        "/metrics/storage/shapes/s/columns", "the array is empty"),
    "storage.units": (lambda c: c["metrics"].update(storage={"map": {"units": [{"name": "U"}]}}),
                      "/metrics/storage/map/units/0", "the member 'is' is missing"),
    "choices.null": (lambda c: c["metrics"]["choices"].update(Use=5), "/metrics/choices/Use",
                     "expected null or an object, found a number"),
    "choices.groups": (lambda c: c["metrics"]["choices"]["Use"].update(groups="al"),
                       "/metrics/choices/Use/groups", "Did you mean 'all'?"),
    "facts.kind": (lambda c: c["metrics"].update(facts={"width": {"kind": "reel"}}),
                   "/metrics/facts/width/kind", "Did you mean 'real'?"),
    "storage.shape":
    (lambda c: c["metrics"].update(storage={"tables": [{"name": "T", "shape": "piep", "rows": "r"}],
                                            "rows": {"r": []}}),
                      "/metrics/storage/tables/0/shape", "Did you mean 'pipe'?"),
    "storage.row":
    (lambda c: c["metrics"].update(
         storage={"rows": {"r": [{"name": "R", "requests": "e(busy) +"}]}}),
                    "/metrics/storage/rows/r/0/requests", "column"),
    "storage.class":
    (lambda c: c["metrics"].update(storage={"rows": {"r": [{"name": "R", "class": "mvoe"}]}}),
                      "/metrics/storage/rows/r/0/class", "Did you mean 'move'?"),
    "storage.path": (lambda c: c["metrics"].update(storage={"map": {"paths": [{"path": True}]}}),
                     "/metrics/storage/map/paths/0/path", "expected an integer or a text, found "
                                                          "true or false"),
    "occupancy": (lambda c: c["metrics"].update(occupancy={"hit_rat": {"is": "e(busy)"}}),
                  "/metrics/occupancy/hit_rat", "Did you mean 'hit_rate'?"),
    "roofline":
    (lambda c: c["metrics"].update(roofline={"graphs":
                                             [{"title": "t", "compute": [{"of": ["w"]}]}]}),
                 "/metrics/roofline/graphs/0/compute/0/of/0", "there is no 'w'"),
    # records of launches
    "accept": (lambda c: c["pmu"]["records"]["counters"].update(accept=[100]),
               "/pmu/records/counters/accept/0", "100 is out of range (0..63)"),
    "known": (lambda c: c["pmu"]["records"]["counters"].update(known={"040": "tasks"}),
              "/pmu/records/counters/known/040", "'040' is not a whole number from 0 to 63 without "
                                                 "zeros before it"),
    "task_types": (lambda c: c["pmu"]["records"]["task_log"].update(task_types=[64]),
                   "/pmu/records/task_log/task_types/0", "64 is out of range (0..63)"),
    "start": (lambda c: c["pmu"]["records"]["task_log"].update(start=-1),
              "/pmu/records/task_log/start", "-1 is out of range"),
    "pair": (lambda c: c["pmu"]["records"]["counters"]["fields"].update(block=[0, 2]),
             "/pmu/records/counters/fields/block", "expected an object, found an array"),
    "bits": (lambda c: c["pmu"]["records"]["counters"]["counters"].update(bits=12),
             "/pmu/records/counters/counters/bits", "counters have 8, 16, 24"),
    "order": (lambda c: c["pmu"]["records"]["counters"].update(byte_order="bgi"),
              "/pmu/records/counters/byte_order", "Did you mean 'big'?"),
    "kinds.none": (lambda c: c["pmu"].update(kinds=[]), "/pmu/kinds", "the array is empty"),
    "kinds.type": (lambda c: c["pmu"]["kinds"].append({"name": "spare", "type": 1}), "/pmu/kinds",
                   "but 'tile' has none"),
    "kinds.twice": (lambda c: c["pmu"].update(kinds=[{"name": "tile", "type": 0},
                                                     {"name": "tile", "type": 1}]), "/pmu/kinds/1",
                    "the name 'tile' is that of element 0"),
    "scheduler": (lambda c: c["pmu"]["defaults"].update(scheduler_khz=0),
                  "/pmu/defaults/scheduler_khz", "0 is out of range (1..1000000000 kHz)"),
    "rounds": (lambda c: c["pmu"]["rounds"].update(tile=[[16]] * 65), "/pmu/rounds/tile",
               "expected 0 to 64 elements, found 65"),
    "max_rounds": (lambda c: c["pmu"].update(max_rounds=65), "/pmu/max_rounds",
                   "65 is out of range (1..64)"),
    "moves_by": (lambda c: c["pmu"].update(moves_by="cores"), "/pmu/moves_by",
                 "Did you mean 'core'?"),
    "threads": (lambda c: c["pmu"].update(operand_threads=65537), "/pmu/operand_threads",
                "65537 is out of range (1..65536)"),
    "l2.events": (lambda c: c["pmu"]["records"].update(l2_cache={"size": 64, "events": [18]}),
                  "/pmu/records/l2_cache/events/0", "there is no '18'"),
    "l2.size": (lambda c: c["pmu"]["records"].update(l2_cache={"size": 16, "at": 8, "events":
                                                               [16, 17]}), "/pmu/records/l2_cache",
                "2 counters of 8 bytes from byte 8 on reach beyond the 16 bytes of a record"),
    "l2.group": (lambda c: c["pmu"]["records"].update(l2_cache={"size": 64, "group": "Ues"}),
                 "/pmu/records/l2_cache/group", "Did you mean 'Use'?"),
    "operand_record.gap": (lambda c: c["pmu"]["records"].update(operands={"gap": 12}),
                           "/pmu/records/operands/gap", "12 is not a multiple of 8 bytes"),
    "operand_record.entry": (lambda c: c["pmu"]["records"].update(operands={"entry": 8}),
                             "/pmu/records/operands/entry", "the counts of a type lie beyond "
                                                            "its 8 bytes"),
    # timelines
    "mc2.cube_cores": (lambda c: c.update(mc2={"cube_cores": [[5, 3]]}), "/mc2/cube_cores",
                       "range 1 begins after its end"),
    "mc2.range": (lambda c: c.update(mc2={"cube_cores": [[5]]}), "/mc2/cube_cores/0",
                  "expected 2 elements, found 1"),
    "mc2.uncertain": (lambda c: c.update(mc2={"cube_cores": [[3, 5]], "uncertain_task_types": 1}),
                      "/mc2/uncertain_task_types", "expected true or false, found a number"),
    "mc2.none": (lambda c: c.update(mc2={"uncertain_task_types": True}), "/mc2",
                 "the member 'cube_cores' is missing"),
    "biu.groups": (lambda c: c.update(biu={"groups": 257}), "/biu/groups",
                   "257 is out of range (1..256)"),
    "biu.controls": (lambda c: c.update(biu={"words": {
        "pipes": list("ABCDEFG"), "short_pipes": list("abcdefg"), "controls": ["A"] * 15 +
        ["tiem"]}}), "/biu/words/controls/15",
                     "Did you mean 'time'?"),
    "biu.pipes": (lambda c: c.update(biu={"words": {
        "pipes": list("ABCDEF"), "short_pipes": list("abcdefg"), "controls": ["A"] * 16}}),
                  "/biu/words/pipes", "expected 7 elements, found 6"),
    "biu.cycles":
    (lambda c: c.update(biu={"monitor": {kind: {"size": 64, "cycles": [32, 40, 48, 60]}
                                         for kind in ("cube", "vector")}}),
                   "/biu/monitor/cube/cycles", "8 bytes from byte 60 on reach beyond the record"),
    # what a schema cannot say
    "event-text": (lambda c: c["pmu"]["rounds"].update(tile=[["16", 17]]), "/pmu/rounds/tile/0/0",
                   "expected a number, found a text"),
    "slots": (lambda c: c["pmu"]["rounds"].update(tile=[[16, 17, 16]]), "/pmu/rounds",
              "replay 1 of 'tile' has 3 events, but a record 2 counters"),
    "event-id": (lambda c: c["pmu"]["events"].update({"0x20": {"name": "stalls"}}),
                 "/pmu/events/0x20", "'0x20' is not a whole number from 0 to 65535"),
    "event-zero": (lambda c: c["pmu"]["events"].update({"016": {"name": "stalls"}}),
                   "/pmu/events/016", "'016' is not a whole number from 0 to 65535 without zeros "
                                      "before it"),
    "event-name": (lambda c: c["pmu"]["events"].update({"18": {"name": "busy"}}), "/pmu/events/18",
                   "the name 'busy' is that of another event"),
    "reach": (lambda c: c["pmu"]["records"]["counters"].update(size=31),
              "/pmu/records/counters/counters", "2 counters of 8 bytes from byte 16 on reach "
                                                "beyond the 31 bytes of a record"),
    "field": (lambda c: c["pmu"]["records"]["counters"]["fields"]["cycles"].update(at=28),
              "/pmu/records/counters/fields/cycles", "the field reaches beyond the record"),
    "task_log": (lambda c: c["pmu"]["records"].pop("task_log"), "/pmu/records",
                 "the member 'task_log' is missing"),
}


# Of each kind of fact a mistake: one in the value itself where the kind allows any.
KINDS = {
    "ANY": "feilds", "NULL": "choices.null", "TEXT": "dbi.memories", "BOOL": "mc2.uncertain",
    "WHOLE": "max_rounds", "REAL": "scheduler", "NAME": "dbi.rule", "CHOICE": "order",
    "ID": "l2.events", "PAIR": "dbi.path", "FORM": "simulator.issues", "FORMULA": "peak",
    "COUNT": "dbi.count", "BITS": "dbi.reach", "SET": "accept", "OBJECT": "operator.core_time",
    "TUPLE": "mc2.range", "CONSTANT": "storage.shown", "LIST": "rounds", "MAP": "rounds.tle",
}


def check_kinds(header):
    with open(header, encoding="utf-8") as file:
        kinds = set(re.findall(r"\bOPPROF_FACT_IS_(\w+) = ", file.read())) - {"END"}
    wrong = sorted(kinds ^ set(KINDS)) + sorted(set(KINDS.values()) - set(MISTAKES))
    print("\n".join(wrong))
    sys.exit(1 if wrong else 0)


def main():
    if sys.argv[1:2] == ["--kinds"]:
        check_kinds(sys.argv[2])
    if len(sys.argv) == 1:
        for name, (_, pointer, text) in MISTAKES.items():
            print(name, pointer, text, sep="\t")
        return
    content = chip()
    for name in sys.argv[2:]:
        MISTAKES[name][0](content)
    with open(sys.argv[1], "w", encoding="utf-8") as file:
        json.dump(content, file)


main()
