# SPDX-License-Identifier: Apache-2.0
"""Prints sources that do not compile unless opprof's declarations agree with public headers.

facts.py asserts LAYOUTS                C: sizes, offsets and values
facts.py types SIGNATURES PREPROCESSED  C++: functions by the sizes of what they take and return;
                                        each that the preprocessed headers declare needs a row"""
import csv
import re
import sys

HEADERS = ['abi.h', 'hal_abi.h', 'hccl_abi.h', 'host_abi.h', 'mstx_abi.h']
BYTES = {'void': 0, 'bool': 1, 'uint16_t': 2, 'int32_t': 4, 'uint32_t': 4, 'int': 4,
         'unsigned int': 4, 'int64_t': 8, 'uint64_t': 8, 'struct:12': 12}
# A pointer and an address as a number travel alike.
SAME = '''
template <class T> struct Size { static const int is = sizeof(T); };
template <> struct Size<void> { static const int is = 0; };
template <int... list> struct List;
template <class T> struct Sizes;
template <class R, class... A> struct Sizes<R(A...)> {
    typedef List<Size<R>::is, Size<A>::is...> is;
};
template <class A, class B> struct IsSame { static const bool is = false; };
template <class A> struct IsSame<A, A> { static const bool is = true; };
'''


def include():
    print(''.join(f'#include "refchip/{name}"\n' for name in HEADERS) + '#include <stddef.h>')


def asserts(path):
    include()
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


def size(text):
    return 8 if '*' in text else BYTES[text.strip()]


def types(path, preprocessed):
    text = open(preprocessed, encoding='utf-8').read()
    declared = set(re.findall(r'visibility\("default"\)\)\)[^();]*?(\w+)\s*\(', text))
    declared |= set(re.findall(r'\btypedef [^();]*?(Mstx\w+)\s*\(', text))
    facts = {row['function']: row['type'] for row in csv.DictReader(open(path, encoding='utf-8'))}
    unknown = sorted(name for name in declared
                     if name not in facts and name.removesuffix('Impl') not in facts)
    if len(declared) < 200 or unknown:
        sys.exit(f'{len(declared)} functions are declared; there is no row for: {", ".join(unknown)}')
    include()
    print(SAME)
    for name in sorted(declared):
        fact = facts.get(name) or facts[name.removesuffix('Impl')]
        match = re.match(r'(.*?)\((.*)\)$', fact)
        parts = [match[1]] + [part for part in match[2].split(',') if part.strip()]
        what = name if name.startswith('Mstx') else f'decltype({name})'
        sizes = ', '.join(str(size(part)) for part in parts)
        print(f'static_assert(IsSame<Sizes<{what}>::is, List<{sizes}>>::is, "{name}: {fact}");')


asserts(sys.argv[2]) if sys.argv[1] == 'asserts' else types(*sys.argv[2:])
