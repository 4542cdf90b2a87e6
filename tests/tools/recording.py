# SPDX-License-Identifier: Apache-2.0
"""Recordings as docs/using/recordings.md has them: taken apart and put together again, without any
code of opprof."""
import struct
import zlib

HEAD = 16


def chunks(data):
    """[kind, payload] of a whole recording."""
    found, at = [], HEAD
    while at < len(data):
        kind, crc, length = struct.unpack_from("<4sIQ", data, at)
        payload = data[at + 16:at + 16 + length]
        assert len(payload) == length, "cut"
        assert crc == zlib.crc32(payload, zlib.crc32(struct.pack("<Q", length),
                                                     zlib.crc32(kind))), kind
        found.append([kind, payload])
        at += 16 + length
    return found


def chunk(kind, payload):
    length = struct.pack("<Q", len(payload))
    crc = zlib.crc32(payload, zlib.crc32(length, zlib.crc32(kind)))
    return kind + struct.pack("<I", crc) + length + payload


def whole(parts, major=1, minor=0):
    return b"OPPROFR\x1a" + struct.pack("<HHI", major, minor, 0) + b"".join(chunk(*part)
                                                                            for part in parts)


def text(payload, at):
    """A text and where it ends; None: absent."""
    (length,) = struct.unpack_from("<I", payload, at)
    if length == 0xFFFFFFFF:
        return None, at + 4
    return payload[at + 4:at + 4 + length], at + 4 + length


def end_of_fields(payload):
    """Where the part of a TYPE on elements begins."""
    at = 16
    for _ in range(4):
        _, at = text(payload, at)
    (count,) = struct.unpack_from("<I", payload, at)
    at += 4
    for _ in range(count):
        (size,) = struct.unpack_from("<I", payload, at)
        at += 4 + size
    return at


def older(data):
    """As a writer would have made it that knew no elements."""
    return whole([[kind, payload[:end_of_fields(payload)] if kind == b"TYPE" else payload] for kind,
                  payload in chunks(data)])


def longer_fields(payload):
    """Each field of a TYPE with something after what is known today."""
    at = 16
    for _ in range(4):
        _, at = text(payload, at)
    (count,) = struct.unpack_from("<I", payload, at)
    at += 4
    out = payload[:at]
    for _ in range(count):
        (size,) = struct.unpack_from("<I", payload, at)
        out += struct.pack("<I", size + 8) + payload[at + 4:at + 4 + size] + b"\x07" * 8
        at += 4 + size
    return out + payload[at:]


def newer(data):
    """As a later minor version may make it: more at the end of everything, and unknown kinds of
    chunks."""
    made = [[b"note", b"of a kind that may be passed over"]]
    for kind, payload in chunks(data):
        if kind == b"BATC":
            (size,) = struct.unpack_from("<I", payload)
            payload = struct.pack("<I", size + 8) + payload[4:4 + size] + b"\x09" * 8 + payload[
                4 + size:]
        elif kind == b"TYPE":
            payload = longer_fields(payload) + b"more"
        elif kind != b"STRS":
            payload += b"more"
        made += [[b"mark", b""], [kind, payload]]
    return whole(made, minor=9)
