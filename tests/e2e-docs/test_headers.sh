#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Every public header compiles alone, as C11, C++17 and C++20, without a warning, and so do its
# macros for errors; opprof.h and kit.h have all of their library in them, and the makefiles install
# them all.
# OPPROF_INCLUDE names other directories than those of the sources, separated by colons.
. "$(dirname -- "${BASH_SOURCE[0]}")/lib.sh"

build=${OPPROF_BUILD_DIR:-.}
sources=$root/core/include:$build/core/include:$root/kit/include:$root/results/include
sources=$sources:$root/records/include:$root/harness/include
IFS=: read -ra directories <<<"${OPPROF_INCLUDE:-$sources}"
read -ra cc <<<"${CC:-cc}"
read -ra cxx <<<"${CXX:-g++}"
flags=(-Wall -Wextra -Wpedantic -Wshadow -Werror -fsyntax-only)
headers=()
for directory in "${directories[@]}"; do
    flags+=(-I "$directory")
    while IFS= read -r header; do
        headers+=("${header#"$directory/"}")
    done < <(find "$directory/opprof" -name '*.h' | sort)
done
[ "${#headers[@]}" -ge 28 ] || fail "found only ${#headers[@]} headers"

compile() {
    local header=$1
    shift
    printf '#include <%s>\nextern int alone;\n%s\n' "$header" "$body" >"$scratch/alone"
    "$@" "${flags[@]}" "$scratch/alone" || fail "$header does not compile alone: $*"
}

# in_umbrella HEADER: the header of its library that includes all others includes it
in_umbrella() {
    local umbrella
    case $1 in
    opprof/opprof.h | opprof/harness.h | opprof/results.h | opprof/kit/kit.h | opprof/records/*)
        return 0
        ;;
    opprof/kit/*) umbrella=opprof/kit/kit.h ;;
    opprof/questions.h) umbrella=opprof/results.h ;;
    *) umbrella=opprof/opprof.h ;;
    esac
    for directory in "${directories[@]}"; do
        if [ -f "$directory/$umbrella" ]; then
            grep -qxF "#include <$1>" "$directory/$umbrella" || fail "$umbrella does not include $1"
        fi
    done
}

body=
for header in "${headers[@]}"; do
    [ "$header" != opprof/error.h ] || body='
        static inline OpprofStatus plain(OpprofError **error) { return OpprofErrorNoMemory(error, "read"); }
        static inline OpprofStatus with(OpprofError **error) { return OpprofErrorNoMemory(error, "read %d", 1); }
        static inline OpprofStatus set(OpprofError **error) { return OpprofErrorSet(error, OPPROF_E_IO, "Cannot read"); }
        static inline OpprofStatus wrap(OpprofError **error) { return OpprofErrorWrap(error, "Cannot read"); }'
    compile "$header" "${cc[@]}" -std=c11 -x c
    if command -v "${cxx[0]}" >/dev/null 2>&1; then
        compile "$header" "${cxx[@]}" -std=c++17 -x c++
        compile "$header" "${cxx[@]}" -std=c++20 -x c++
    fi
    body=
    in_umbrella "$header"
done

for library in core kit results records; do
    while IFS= read -r header; do
        grep -qE "(^|[[:space:]])${header#"$root/"}([[:space:]]|\$)" "$root/$library/module.mk" ||
            fail "$library/module.mk does not install ${header#"$root/"}"
    done < <(find "$root/$library/include" -name '*.h')
done
