/* SPDX-License-Identifier: Apache-2.0 */
/* Reads the container of the viewer block by block, for tests. */
#include "tests/tools/container_reader.h"

#include <opprof/kit/bytes.h>
#include <string.h>

#define PATH_BYTES 4096u
#define SIGNATURE 0x5au
#define TYPE_SOURCE 1u
#define TYPE_LAST 15u

static OpprofStatus bad(size_t at, const char *what, OpprofError **error)
{
    return OpprofErrorSet(error, OPPROF_E_DATA, "block at byte %zu: %s", at, what);
}

static OpprofStatus read_path(OpprofByteReader *reader, size_t at, FoundBlock *block,
                              OpprofError **error)
{
    const unsigned char *path = OpprofByteReaderTake(reader, PATH_BYTES);

    if (path == NULL) {
        return bad(at, "its path is cut short", error);
    }
    if (path[0] == 0 || memchr(path, 0, PATH_BYTES) == NULL) {
        return bad(at, "its path is empty or not terminated", error);
    }
    block->path = (const char *) path;
    return OPPROF_OK;
}

static OpprofStatus read_content(OpprofByteReader *reader, size_t at, FoundBlock *block,
                                 uint64_t content_size, unsigned padding, OpprofError **error)
{
    if (content_size > OpprofByteReaderLeft(reader)) {
        return bad(at, "its content is cut short", error);
    }
    if (content_size % 4 != 0 || padding > 3 || padding > content_size) {
        return bad(at, "its size or padding is wrong", error);
    }
    block->content = OpprofByteReaderTake(reader, (size_t) content_size);
    block->length = content_size - padding;
    for (unsigned i = 0; i < padding; i++) {
        if (block->content[block->length + i] != 0) {
            return bad(at, "its padding is not zero", error);
        }
    }
    if (block->length == 0 && block->path == NULL) {
        return bad(at, "it is empty", error);
    }
    return OPPROF_OK;
}

static OpprofStatus read_block(OpprofByteReader *reader, FoundBlock *block, OpprofError **error)
{
    size_t at = reader->position;
    uint64_t content_size = OpprofByteReaderU64(reader);
    unsigned padding;
    OpprofStatus status = OPPROF_OK;

    *block = (FoundBlock){ .type = OpprofByteReaderU8(reader) };
    padding = OpprofByteReaderU8(reader);
    block->version = OpprofByteReaderU8(reader);
    if (OpprofByteReaderU8(reader) != SIGNATURE || !OpprofByteReaderOk(reader)) {
        return bad(at, "its header is cut short or lacks the signature", error);
    }
    if (block->type == 0 || block->type > TYPE_LAST) {
        return bad(at, "its type does not exist", error);
    }
    if (at == 0 && block->version != SIGNATURE) {
        return bad(at, "the first block lacks the signature in its version", error);
    }
    if (block->type == TYPE_SOURCE) {
        status = read_path(reader, at, block, error);
    }
    return status == OPPROF_OK ? read_content(reader, at, block, content_size, padding, error)
                               : status;
}

OpprofStatus ContainerRead(const void *bytes, size_t size, FoundBlock *found, size_t max,
                           size_t *ret_count, OpprofError **error)
{
    OpprofByteReader reader = OpprofByteReaderInit(bytes, size);

    *ret_count = 0;
    while (OpprofByteReaderLeft(&reader) > 0) {
        OpprofStatus status;

        if (*ret_count == max) {
            return OpprofErrorSet(error, OPPROF_E_LIMIT, "there are more than %zu blocks", max);
        }
        status = read_block(&reader, &found[*ret_count], error);
        if (status != OPPROF_OK) {
            return status;
        }
        (*ret_count)++;
    }
    return OPPROF_OK;
}
