#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Puts the page together, but for its data, and writes it to standard output as C. The policy in the
# page allows just these scripts and this style, by their hashes.
#
#   embed.sh TEMPLATE STYLE CHART_LIBRARY SCRIPT...     CHART_LIBRARY may be empty: then there are
#                                                       no charts
set -eu
LC_ALL=C
export LC_ALL

template=$1 style=$2 chart=$3
shift 3
work=$(mktemp -d "${TMPDIR:-/tmp}/opprof-embed-XXXXXX")
trap 'rm -rf "$work"' EXIT

# sha256 FILE: its hash in base64, as a policy wants it
sha256() {
    octal=$(sha256sum "$1" | cut -c 1-64 | sed 's/../& /g' | tr ' ' '\n' | sed '/^$/d' |
        while read -r byte; do printf '\\%03o' "0x$byte"; done)
    # shellcheck disable=SC2059 # the format is the bytes
    printf "$octal" | base64
}

# as_c NAME FILE: an array and its length
as_c() {
    printf 'const char %s[] = {\n' "$1"
    od -An -v -tu1 "$2" | sed 's/[0-9][0-9]*/(char) &,/g'
    printf '0 };\nconst size_t %s_length = sizeof %s - 1;\n' "$1" "$1"
}

cat -- "$@" >"$work/script"
: >"$work/chart"
[ -z "$chart" ] || cat -- "$chart" >"$work/chart"
if grep -qi '</script\|<!--' "$work/script" "$work/chart" || grep -qi '</style' "$style"; then
    echo "embed.sh: a file ends the element that it is to be in" >&2
    exit 1
fi
policy="default-src 'none'; img-src data: blob:; base-uri 'none'; form-action 'none'"
policy="$policy; script-src 'sha256-$(sha256 "$work/chart")' 'sha256-$(sha256 "$work/script")'"
policy="$policy; style-src 'sha256-$(sha256 "$style")'"

part=$work/head
while IFS= read -r line; do
    case $line in
    *'<!--policy-->'*)
        printf '<meta http-equiv="Content-Security-Policy" content="%s">\n' "$policy"
        ;;
    *'<!--style-->'*) printf '<style>' && cat "$style" && printf '</style>\n' ;;
    *'<!--data-->'*)
        part=$work/tail
        continue
        ;;
    *'<!--scripts-->'*)
        printf '<script>' && cat "$work/chart" && printf '</script>\n'
        printf '<script>' && cat "$work/script" && printf '</script>\n'
        ;;
    *) printf '%s\n' "$line" ;;
    esac >>"$part"
done <"$template"

printf '/* Made by embed.sh. */\n#include "page_assets.h"\n\n'
as_c page_head "$work/head"
as_c page_tail "$work/tail"
