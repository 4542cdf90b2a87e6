#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# What `make installcheck` runs: tests of the installed opprof, as somebody outside of its tree sees it. The makefile gives
# the directories: BINDIR LIBDIR INCLUDEDIR PLUGINDIR CHIPSDIR FACTSDIR PIPELINESDIR MANDIR DOCDIR, each after DESTDIR.
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
    [ -f "$script" ] || script=$here/../plugins/collect-sim/test_$name.sh # an invented chip, on dumps of the tests
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
        [ -e "${document%/*}/$link" ] || { printf 'FAIL: %s links to %s\n' "$document" "$link" && failed=$((failed + 1)); }
    done < <(grep -oE '\]\([^)]+\)' "$document" | sed 's/^](//; s/)$//; s/#.*//' | grep -vE '^(https?:|$)')
done < <(find "$DOCDIR" -name '*.md')
printf 'PASS: %d documents\n' "$documents" && passed=$((passed + 1))
printf '# PASS: %d\n# SKIP: %d\n# FAIL: %d\n' "$passed" "$skipped" "$failed"
[ "$failed" -eq 0 ]
