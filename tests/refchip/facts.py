# SPDX-License-Identifier: Apache-2.0
"""Compares declarations with facts of public headers.

facts.py asserts LAYOUTS          prints C that does not compile unless they agree
facts.py types SIGNATURES DECLARED  compares functions with the prototypes of gcc's -aux-info"""
import csv, re, sys

BITS = {'void': 0, 'bool': 8, '_Bool': 8, 'int32_t': 32, 'uint32_t': 32, 'int': 32, 'unsigned': 32,
        'unsigned int': 32, 'int64_t': 64, 'uint64_t': 64, 'size_t': 64, 'uint16_t': 16,
        'AbiError': 32, 'long unsigned int': 64, 'short unsigned int': 16, 'HcclResult': 32,
        'struct:12': 96, 'AbiDim3': 96, 'struct AbiDim3': 96}
POINTERS = {'AbiStream', 'HcclComm'}


def asserts(path):
    print('#include "refchip/abi.h"\n#include "refchip/hal_abi.h"\n#include "refchip/hccl_abi.h"\n'
          '#include "refchip/host_abi.h"\n#include <stddef.h>')
    for row in csv.DictReader(open(path, encoding='utf-8')):
        for fact in {row['today'], row['cann_8_1']} - {''}:
            name, member = row['name'], row['member']
            text = f'{name} {member}: {fact}'
            if row['kind'] == 'struct':
                print(f'_Static_assert(sizeof({name}) == {fact}, "{text}");')
            elif row['kind'] == 'field':
                at, size = fact.split('+')
                print(f'_Static_assert(offsetof({name}, {member}) == {at} && '
                      f'sizeof((({name} *) 0)->{member}) == {size}, "{text}");')
            elif row['kind'] == 'bit':
                print(f'_Static_assert((({name}) & {fact}) == {fact}, "{text}");')
            else:
                print(f'_Static_assert(({name}) == {fact}, "{text}");')


def kind(text):
    """'pointer' or a number of bits."""
    text = re.sub(r'\b(?:const|enum)\b', '', text).strip()
    if '*' in text or text in POINTERS or 'fn' in text:
        return 'pointer'
    return BITS.get(text, text)


def parts(text):
    """Parameters of a list, without commas of inner ones."""
    depth, found = 0, ['']
    for c in text:
        depth += (c == '(') - (c == ')')
        found = found + [''] if c == ',' and depth == 0 else found[:-1] + [found[-1] + c]
    return [] if text.strip() in ('', 'void') else [kind(part) for part in found]


def types(path, declared):
    ours = {}
    for line in open(declared, encoding='utf-8'):
        match = re.match(r'/\*.*?\*/ extern (.*?)(\w+) \((.*)\);', line)
        if match:
            ours[match[2]] = (kind(match[1]), parts(match[3]))
    known = wrong = 0
    for row in csv.DictReader(open(path, encoding='utf-8')):
        match = re.match(r'(.*?)\((.*)\)$', row['type'])
        fact = (kind(match[1]), parts(match[2]))
        if row['function'] in ours:
            known += 1
            # A pointer and an address as a number travel alike.
            same = [[64 if part == 'pointer' else part for part in [form[0]] + form[1]]
                    for form in (fact, ours[row['function']])]
            if same[0] != same[1]:
                wrong += 1
                print(f'{row["function"]}: {ours[row["function"]]}, not {fact}', file=sys.stderr)
    print(known, 'functions')
    sys.exit(wrong > 0 or known < 150)


asserts(sys.argv[2]) if sys.argv[1] == 'asserts' else types(*sys.argv[2:])
