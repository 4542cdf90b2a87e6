# SPDX-License-Identifier: Apache-2.0
"""whole_files.py FOLDER: every file of results below the folder is whole: it ends as its kind does,
and no other file is there."""
import json
import os
import sqlite3
import struct
import sys


def is_json(path):
    with open(path, encoding="utf-8") as file:
        json.load(file)
    return True


def is_database(path):
    base = sqlite3.connect(f"file:{path}?mode=ro", uri=True)
    try:
        return base.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    finally:
        base.close()


def is_container(data):
    """Blocks up to the end: 12 bytes with the size of the content and the type, of type 1 a path,
    the content."""
    at = 0
    while at < len(data):
        if len(data) - at < 12:
            return False
        size, kind = struct.unpack_from("<QB", data, at)
        at += 12 + size + (4096 if kind == 1 else 0)
    return at == len(data)


def is_protobuf(data):
    """Packets of a trace: a key of one byte, a length, so many bytes."""
    at = 0
    while at < len(data):
        at += 1
        size = shift = 0
        while at < len(data):
            byte = data[at]
            at += 1
            size |= (byte & 127) << shift
            shift += 7
            if byte < 128:
                break
        at += size
    return at == len(data)


def is_whole(path):
    kind = os.path.splitext(path)[1]
    if kind == ".json":
        return is_json(path)
    if kind == ".sqlite":
        return is_database(path)
    with open(path, "rb") as file:
        data = file.read()
    if kind == ".pftrace":
        return is_protobuf(data)
    if kind == ".bin":
        return is_container(data)
    if kind == ".html":
        return data.rstrip().endswith(b"</html>")
    return kind in (".csv", ".txt") and (data == b"" or data.endswith(b"\n"))


def main():
    wrong = []
    for folder, _, files in os.walk(sys.argv[1]):
        for path in (os.path.join(folder, file) for file in files):
            try:
                good = is_whole(path)
            except (ValueError, sqlite3.Error) as reason:
                print(path, reason, file=sys.stderr)
                good = False
            if not good:
                wrong.append(path)
    for path in wrong:
        print("not whole:", path, os.path.getsize(path), file=sys.stderr)
    sys.exit(bool(wrong))


main()
