#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# What `make installcheck` runs: tests of the installed opprof, as somebody outside of its tree sees
# it. The makefile gives the directories: BINDIR LIBDIR INCLUDEDIR PLUGINDIR CHIPSDIR FACTSDIR
# PIPELINESDIR MANDIR DOCDIR, each after DESTDIR.
set -euo pipefail

here=$(cd -P -- "$(dirname -- "${BASH_SOURCE[0]}")" && pwd)
unset OPPROF_PLUGIN_PATH OPPROF_CHIP_PATH OPPROF_SYSTEM_CHIP_PATH OPPROF_PIPELINE_PATH
export PATH=$BINDIR:$PATH OPPROF_RUN=$BINDIR/opprof-run
export OPPROF_PLUGIN_NEW=$BINDIR/opprof-plugin-new OPPROF_SDK=$PKGDATADIR/sdk
export OPPROF_INCLUDE=$INCLUDEDIR OPPROF_DOCS=$DOCDIR # guides and examples as installed
export PKG_CONFIG_PATH=$LIBDIR/pkgconfig${PKG_CONFIG_PATH:+:$PKG_CONFIG_PATH}
export OPPROF_SYSTEM_PLUGIN_PATH=$PLUGINDIR
if [ -n "${DESTDIR:-}" ]; then # a staged tree is not where its programs look
    export PKG_CONFIG_SYSROOT_DIR=$DESTDIR
    export LD_LIBRARY_PATH=$LIBDIR${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
    export OPPROF_SYSTEM_CHIP_PATH=$CHIPSDIR:$FACTSDIR OPPROF_PIPELINE_PATH=$PIPELINESDIR
fi

passed=0
failed=0
skipped=0
for name in headers man_examples example_plugin plugin_guide device_pool bring_up own_logs sdk; do
    code=0
    script=$here/test_$name.sh
    # an invented chip, on dumps of the tests
    [ -f "$script" ] || script=$here/../plugins/collect-sim/test_$name.sh
    bash "$script" || code=$?
    case $code in
    0) printf 'PASS: installed %s\n' "$name" && passed=$((passed + 1)) ;;
    77) printf 'SKIP: installed %s\n' "$name" && skipped=$((skipped + 1)) ;;
    *) printf 'FAIL: installed %s\n' "$name" && failed=$((failed + 1)) ;;
    esac
done
# Each installed plugin has its manual page, where pages could be made.
pages=0
for module in "$PLUGINDIR"/*.so; do
    name=${module##*/}
    name=${name%.so}
    if grep -qx "\.Nm opprof-plugin-$name" "$MANDIR/man7/opprof-plugin-$name.7" 2>/dev/null; then
        pages=$((pages + 1))
    elif [ -d "$MANDIR/man7" ]; then
        printf 'FAIL: no manual page of plugin %s\n' "$name" && failed=$((failed + 1))
    fi
done
printf 'PASS: %d manual pages of plugins\n' "$pages" && passed=$((passed + 1))
# What an installed document links to is installed, too.
documents=0
while IFS= read -r document; do
    documents=$((documents + 1))
    while IFS= read -r link; do
        [ -e "${document%/*}/$link" ] || {
            printf 'FAIL: %s links to %s\n' "$document" "$link" && failed=$((failed + 1))
        }
    done < <(grep -oE '\]\([^)]+\)' "$document" | sed 's/^](//; s/)$//; s/#.*//' |
        grep -vE '^(https?:|$)')
done < <(find "$DOCDIR" -name '*.md')
printf 'PASS: %d documents\n' "$documents" && passed=$((passed + 1))
# The texts of all licences that files name are installed.
while IFS= read -r licence; do
    [ -s "$DOCDIR/LICENSES/$licence.txt" ] || {
        printf 'FAIL: there is no text of the licence %s\n' "$licence" && failed=$((failed + 1))
    }
done < <(grep -rhoE 'SPDX-License-Identifier: [-A-Za-z0-9.]+' "$here/../.." --include='*.[ch]' \
    --include='*.sh' --include='*.py' --include='*.md' |
    cut -d' ' -f2 | sort -u)
if [ -n "${FORTIFY:-}" ] && command -v readelf >/dev/null; then
    for file in "$LIBDIR"/libopprof.so "$LIBDIR"/libopprof-kit.so \
        "$LIBDIR"/opprof/libopprof-inject.so; do
        readelf --dyn-syms -W "$file" | grep '_chk@' >/dev/null || {
            printf 'FAIL: %s has no checked calls\n' "$file" && failed=$((failed + 1))
        }
    done
    printf 'PASS: checked calls\n' && passed=$((passed + 1))
fi
# Where the loader looks by itself, nothing installed says where to look: a run path would come
# before what the user says.
own=${LIBDIR#"${DESTDIR:-}"}
if ldconfig -v 2>/dev/null | grep -x "\(/usr\)\?${own#/usr}:.*" >/dev/null && command -v readelf \
    >/dev/null; then
    while IFS= read -r file; do
        if readelf -d "$file" 2>/dev/null | grep -E 'RPATH|RUNPATH'; then
            printf 'FAIL: %s has a run path\n' "$file" && failed=$((failed + 1))
        fi
    done < <(find "$BINDIR" "$LIBDIR" -type f \( -name '*.so*' -o -perm -100 \) -path '*opprof*')
    printf 'PASS: no run paths\n' && passed=$((passed + 1))
fi
printf '# PASS: %d\n# SKIP: %d\n# FAIL: %d\n' "$passed" "$skipped" "$failed"
[ "$failed" -eq 0 ]
