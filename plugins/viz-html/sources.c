/* SPDX-License-Identifier: Apache-2.0 */
/* Texts of source files, taken from the blocks of viewers. Tested by
 * tests/plugins/viz-html/test_html. */
#include "sources.h"

#include "limits.h"

#include <string.h>

/* Whole lines of a text, at most `limit` bytes. */
static size_t whole_lines(const char *text, size_t length, size_t limit)
{
    const char *last = length <= limit ? NULL : memrchr(text, '\n', limit);

    if (length <= limit) {
        return length;
    }
    return last == NULL ? 0 : (size_t) (last - text) + 1;
}

static void put_source(Sources *self, const char *path, size_t path_length, const char *text,
                       size_t length)
{
    const size_t shown = whole_lines(text, length, PAGE_SOURCE_BYTES);

    self->cut += shown < length;
    OpprofJsonPutRaw(&self->json, self->json.length == 0 ? "{\"path\":" : ",\n{\"path\":");
    TextJson(&self->json, path, path_length);
    OpprofJsonPutRaw(&self->json, ",\"text\":");
    TextJson(&self->json, text, shown);
    OpprofJsonPutRaw(&self->json, shown < length ? ",\"cut\":1}" : "}");
}

bool SourcesTake(Sources *self, const OpprofBatch *batch, const OpprofBlock *block)
{
    const char *path = OpprofBatchText(batch, block->path);
    const char *text = OpprofBatchText(batch, block->bytes);

    if (block->block_type != OPPROF_BLOCK_SOURCE || path == NULL || text == NULL ||
        OpprofTextMapFind(&self->paths, path, block->path.length) != OPPROF_MAP_NONE) {
        return true;
    }
    if (self->json.length >= PAGE_SOURCES_BYTES) {
        self->left_out++;
        return true;
    }
    if (!OpprofTextMapPut(&self->paths, path, block->path.length, 0, NULL)) {
        return false;
    }
    put_source(self, path, block->path.length, text, block->bytes.length);
    return !self->json.is_short;
}

void SourcesFinish(Sources *self)
{
    OpprofTextMapFinish(&self->paths);
    OpprofJsonOutFinish(&self->json);
}
