/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Writes visualize_data.bin, the container of MindStudio Insight. Tested by
 * tests/plugins/viz-insight/test_insight.
 */
#include "container.h"
#include "nameless.h"

#include <opprof/grow.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/*
 * Order of the types in the file. A block of instructions comes last: with version 0 it must not be
 * the first block, since the viewer recognises its files by the first header.
 */
static const unsigned char type_order[] = {
    OPPROF_BLOCK_BASE_INFO,     OPPROF_BLOCK_LOAD_FIGURE,   OPPROF_BLOCK_LOAD_TABLE,
    OPPROF_BLOCK_STORAGE_MAP,   OPPROF_BLOCK_STORAGE_TABLE, OPPROF_BLOCK_OCCUPANCY,
    OPPROF_BLOCK_ROOFLINE,      OPPROF_BLOCK_TRACE,         OPPROF_BLOCK_CACHELINES,
    OPPROF_BLOCK_STALL_REASONS, OPPROF_BLOCK_SOURCE,        OPPROF_BLOCK_FILES,
    OPPROF_BLOCK_INSTRUCTIONS,
};

#define UNKNOWN_RANK (sizeof type_order)
#define COPY_BYTES (UINT64_C(16) << 20) /* between two looks at how far it is */

static size_t rank_of(uint32_t type)
{
    size_t rank = 0;

    while (rank < sizeof type_order && type_order[rank] != type) {
        rank++;
    }
    return rank;
}

static bool may_repeat(uint32_t type)
{
    return type == OPPROF_BLOCK_SOURCE || type == OPPROF_BLOCK_TRACE;
}

static unsigned padding_of(uint64_t length)
{
    return (unsigned) (-length & 3);
}

void ContainerPutHeader(unsigned char header[BLOCK_HEADER_BYTES], uint32_t type, uint32_t version,
                        uint64_t length)
{
    uint64_t content = length + padding_of(length);

    for (int i = 0; i < 8; i++) {
        header[i] = (unsigned char) (content >> (8 * i));
    }
    header[8] = (unsigned char) type;
    header[9] = (unsigned char) padding_of(length);
    header[10] = (unsigned char) version;
    header[11] = BLOCK_RESERVED;
}

/* ---- keeping ---- */

/* NUL-terminated copy of a text of the batch; NULL without memory. */
static char *copy_text(const OpprofBatch *batch, OpprofText text)
{
    const char *bytes = OpprofBatchText(batch, text);

    return bytes == NULL ? strdup("") : strndup(bytes, text.length);
}

#define TOO_LONG "the viewer reads at most 100 MiB of it"

/* The reason why the viewer would refuse a block; NULL: it would not. */
static const char *refusal(const OpprofBatch *batch, const OpprofBlock *block, uint64_t length)
{
    const char *path = OpprofBatchText(batch, block->path);

    if (rank_of(block->block_type) == UNKNOWN_RANK) {
        return "its type is unknown";
    }
    if (block->version != OPPROF_BLOCK_VERSION &&
        (block->version != 0 || block->block_type != OPPROF_BLOCK_INSTRUCTIONS)) {
        return "its version is unknown";
    }
    if (block->block_type == OPPROF_BLOCK_SOURCE &&
        (path == NULL || block->path.length == 0 || block->path.length >= BLOCK_PATH_BYTES ||
         memchr(path, 0, block->path.length) != NULL)) {
        return "its source path is empty, longer than 4095 bytes or holds a NUL";
    }
    if (block->block_type != OPPROF_BLOCK_TRACE && length > BLOCK_BODY_MAX) {
        return TOO_LONG;
    }
    return NULL;
}

/* The viewer may stop at one of these two if it is not an object. */
static bool is_broken(const OpprofBlock *block, const char *bytes, uint64_t length)
{
    return (block->block_type == OPPROF_BLOCK_FILES ||
            block->block_type == OPPROF_BLOCK_INSTRUCTIONS) &&
           bytes != NULL && (bytes[0] != '{' || bytes[length - 1] != '}');
}

static bool make_room(Container *container)
{
    return OpprofGrow32(&container->blocks, &container->capacity, (size_t) container->count + 1,
                        sizeof *container->blocks);
}

static void free_block(HeldBlock *block)
{
    free(block->path);
    free(block->file);
    free(block->pieces);
}

static OpprofStatus no_memory(OpprofError **error)
{
    return OpprofErrorNoMemory(error, "keep a block for the viewer");
}

/* Puts bytes into the spool, unless the viewer would not read the block. */
static OpprofStatus add_piece(Container *container, HeldBlock *held, const char *bytes,
                              uint32_t length, OpprofError **error)
{
    OpprofStatus status = OPPROF_OK;
    Piece piece = { .length = length };

    held->length += length;
    if (held->type != OPPROF_BLOCK_TRACE && held->length > BLOCK_BODY_MAX) {
        held->piece_count = 0;
        return OPPROF_OK;
    }
    status = OpprofSpoolAppend(&container->spool, OpprofStageOutput(container->stage), bytes,
                               length, &piece.offset, error);
    if (status != OPPROF_OK) {
        return status;
    }
    Piece *last = held->piece_count == 0 ? NULL : &held->pieces[held->piece_count - 1];
    if (last != NULL && last->offset + last->length == piece.offset) {
        last->length += piece.length;
        return OPPROF_OK;
    }
    if (!OpprofGrow(&held->pieces, &held->piece_capacity, held->piece_count + 1,
                    sizeof *held->pieces)) {
        return no_memory(error);
    }
    held->pieces[held->piece_count++] = piece;
    return OPPROF_OK;
}

/* `bytes` NULL: the content is in a file. */
static OpprofStatus keep(Container *container, const OpprofBatch *batch, const OpprofBlock *block,
                         const char *bytes, OpprofError **error)
{
    HeldBlock held = { .type = block->block_type,
                       .version = block->version,
                       .order = container->count,
                       .folder = block->folder,
                       .nameless = (block->flags & OPPROF_BLOCK_NAMELESS) != 0,
                       .is_open = bytes != NULL && (block->flags & OPPROF_BLOCK_MORE) != 0 };
    OpprofStatus status = OPPROF_OK;

    if (block->block_type == OPPROF_BLOCK_SOURCE) {
        held.path = copy_text(batch, block->path);
    }
    if (bytes == NULL) {
        held.file = copy_text(batch, block->file);
        held.offset = block->file_offset;
        held.length = block->file_length;
    } else {
        status = add_piece(container, &held, bytes, block->bytes.length, error);
    }
    if (status == OPPROF_OK &&
        (!make_room(container) || (held.path == NULL && held.type == OPPROF_BLOCK_SOURCE) ||
         (held.file == NULL && bytes == NULL))) {
        status = no_memory(error);
    }
    if (status != OPPROF_OK) {
        free_block(&held);
        return status;
    }
    container->blocks[container->count++] = held;
    return OPPROF_OK;
}

static void report_left_out(const Container *container, uint32_t type, uint64_t length,
                            const char *why)
{
    OpprofStageIncomplete(container->stage,
                          "Block of type 0x%02x with %" PRIu64
                          " bytes left out of the viewer's file: %s",
                          type, length, why);
}

/* The block whose next piece this is; NULL: it is a new one. */
static HeldBlock *find_open(const Container *container, const OpprofBlock *block)
{
    for (uint32_t i = container->count; i-- > 0;) {
        HeldBlock *held = &container->blocks[i];

        if (held->is_open && held->type == block->block_type && held->folder == block->folder) {
            return held;
        }
    }
    return NULL;
}

static OpprofStatus continue_block(Container *container, HeldBlock *held, const OpprofBlock *block,
                                   const char *bytes, OpprofError **error)
{
    held->is_open = (block->flags & OPPROF_BLOCK_MORE) != 0;
    return add_piece(container, held, bytes, block->bytes.length, error);
}

OpprofStatus ContainerAdd(Container *container, const OpprofBatch *batch, const OpprofBlock *block,
                          OpprofError **error)
{
    const char *bytes = OpprofBatchText(batch, block->bytes);
    const uint64_t length = bytes != NULL ? block->bytes.length : block->file_length;
    HeldBlock *open = bytes == NULL ? NULL : find_open(container, block);

    if (open != NULL) {
        return continue_block(container, open, block, bytes, error);
    }
    const char *why = refusal(batch, block, length);
    if (why == NULL && length == 0 && block->block_type != OPPROF_BLOCK_SOURCE) {
        return OPPROF_OK; /* the viewer takes no empty blocks: they are left out */
    }
    if (why == NULL && is_broken(block, bytes, length)) {
        why = "its content is not a JSON object";
    }
    if (why != NULL) {
        report_left_out(container, block->block_type, length, why);
        return OPPROF_OK;
    }
    return keep(container, batch, block, bytes, error);
}

/* Leaves out contents of pieces that became too long, or whose end did not come. */
static void drop_bad(Container *container)
{
    uint32_t kept = 0;

    for (uint32_t i = 0; i < container->count; i++) {
        HeldBlock *block = &container->blocks[i];
        const char *why = block->is_open ? "its end is missing"
                          : block->file == NULL && block->length > BLOCK_BODY_MAX &&
                                  block->type != OPPROF_BLOCK_TRACE
                              ? TOO_LONG
                              : NULL;

        if (why == NULL) {
            container->blocks[kept++] = *block;
        } else {
            report_left_out(container, block->type, block->length, why);
            free_block(block);
        }
    }
    container->count = kept;
}

/* ---- writing ---- */

/* By folder, then type, then path, then arrival. */
static int compare_blocks(const void *a, const void *b)
{
    const HeldBlock *x = a;
    const HeldBlock *y = b;
    size_t rank_x = rank_of(x->type);
    size_t rank_y = rank_of(y->type);
    int paths;

    if (x->folder != y->folder) {
        return x->folder < y->folder ? -1 : 1;
    }
    if (rank_x != rank_y) {
        return rank_x < rank_y ? -1 : 1;
    }
    paths = x->path != NULL && y->path != NULL ? strcmp(x->path, y->path) : 0;
    if (paths != 0) {
        return paths;
    }
    return x->order < y->order ? -1 : x->order > y->order;
}

/* If the viewer reads only one of several blocks, the first stays; of a source, the last. */
static bool is_superseded(const Container *container, uint32_t i)
{
    const HeldBlock *block = &container->blocks[i];
    const HeldBlock *before = i == 0 ? NULL : block - 1;
    const HeldBlock *after = i + 1 == container->count ? NULL : block + 1;

    if (block->type == OPPROF_BLOCK_SOURCE) {
        return after != NULL && after->folder == block->folder &&
               after->type == OPPROF_BLOCK_SOURCE && strcmp(after->path, block->path) == 0;
    }
    return !may_repeat(block->type) && before != NULL && before->folder == block->folder &&
           before->type == block->type;
}

static void drop_superseded(Container *container)
{
    uint32_t kept = 0;

    /* Decides for all before any block moves. */
    for (uint32_t i = 0; i < container->count; i++) {
        if (is_superseded(container, i)) {
            container->blocks[i].order = UINT32_MAX;
        }
    }
    for (uint32_t i = 0; i < container->count; i++) {
        HeldBlock *block = &container->blocks[i];

        if (block->order != UINT32_MAX) {
            container->blocks[kept++] = *block;
            continue;
        }
        OpprofStageWarn(
            container->stage, "More than one block of type 0x%02x for the viewer%s%s, using one",
            block->type, block->path == NULL ? "" : ": ", block->path == NULL ? "" : block->path);
        free_block(block);
    }
    container->count = kept;
}

/* Blocks of one folder: [first, end) of the container's. */
typedef struct Folder {
    uint32_t first;
    uint32_t end;
} Folder;

static bool has_type(const Container *container, Folder folder, uint32_t type)
{
    for (uint32_t i = folder.first; i < folder.end; i++) {
        if (container->blocks[i].type == type) {
            return true;
        }
    }
    return false;
}

static void warn_about_dependencies(const Container *container, Folder folder)
{
    const struct {
        uint32_t type;
        uint32_t needs;
        uint32_t or ;
        const char *shown;
        const char *beside;
    } rules[] = {
        { OPPROF_BLOCK_ROOFLINE, OPPROF_BLOCK_BASE_INFO, OPPROF_BLOCK_BASE_INFO, "rooflines",
          "facts of the operator" },
        { OPPROF_BLOCK_STORAGE_MAP, OPPROF_BLOCK_LOAD_FIGURE, OPPROF_BLOCK_LOAD_TABLE,
          "the map of the memories", "the compute load" },
        { OPPROF_BLOCK_STORAGE_TABLE, OPPROF_BLOCK_LOAD_FIGURE, OPPROF_BLOCK_LOAD_TABLE,
          "tables of the memories", "the compute load" },
        { OPPROF_BLOCK_FILES, OPPROF_BLOCK_INSTRUCTIONS, OPPROF_BLOCK_INSTRUCTIONS,
          "hot spots of source files", "instructions" },
        { OPPROF_BLOCK_FILES, OPPROF_BLOCK_SOURCE, OPPROF_BLOCK_SOURCE, "hot spots of source files",
          "the source" },
    };

    for (size_t i = 0; i < sizeof rules / sizeof rules[0]; i++) {
        if (has_type(container, folder, rules[i].type) &&
            !has_type(container, folder, rules[i].needs) &&
            !has_type(container, folder, rules[i].or)) {
            OpprofStageWarn(container->stage,
                            "The results lack %s (block 0x%02x), without which MindStudio Insight "
                            "does not show "
                            "%s (block 0x%02x)",
                            rules[i].beside, rules[i].needs, rules[i].shown, rules[i].type);
        }
    }
}

static uint64_t bytes_in_file(const HeldBlock *block)
{
    return BLOCK_HEADER_BYTES + (block->type == OPPROF_BLOCK_SOURCE ? BLOCK_PATH_BYTES : 0) +
           block->length + padding_of(block->length);
}

/* Appends the range, and says how far it is. */
static OpprofStatus copy_range(const NamelessSource *source, OpprofOutputFile *file,
                               OpprofError **error)
{
    OpprofStatus status = OPPROF_OK;

    for (uint64_t done = 0; status == OPPROF_OK && done < source->length; done += COPY_BYTES) {
        const uint64_t left = source->length - done;

        OpprofStageProgress(source->stage, source->written + done, source->all, "bytes");
        status = OpprofOutputFileCopy(file, source->path, source->offset + done,
                                      left < COPY_BYTES ? left : COPY_BYTES, error);
    }
    return status;
}

/* The content of a block; *ret_length is its final length. */
static OpprofStatus write_content(const Container *container, const HeldBlock *block,
                                  OpprofOutputFile *file, uint64_t *ret_length, OpprofError **error)
{
    OpprofStatus status = OPPROF_OK;

    *ret_length = block->length;
    for (size_t i = 0; status == OPPROF_OK && i < block->piece_count; i++) {
        status = OpprofSpoolCopy(&container->spool, block->pieces[i].offset,
                                 block->pieces[i].length, file, error);
    }
    if (block->length == 0 || block->file == NULL) {
        return status;
    }
    const NamelessSource source = { block->file,      block->offset,      block->length,
                                    container->stage, container->written, container->bytes };

    return block->nameless ? NamelessCopy(&source, file, ret_length, error)
                           : copy_range(&source, file, error);
}

static OpprofStatus write_block(const Container *container, const HeldBlock *block,
                                OpprofOutputFile *file, OpprofError **error)
{
    static const char zeros[BLOCK_PATH_BYTES];
    const uint64_t start = OpprofOutputFileOffset(file);
    const uint32_t version = start == 0 ? OPPROF_BLOCK_VERSION : block->version;
    unsigned char header[BLOCK_HEADER_BYTES];
    uint64_t length = block->length;
    OpprofStatus status;

    ContainerPutHeader(header, block->type, version, length);
    status = OpprofOutputFileWrite(file, header, sizeof header, error);
    if (status == OPPROF_OK && block->type == OPPROF_BLOCK_SOURCE) {
        size_t path_length = strlen(block->path);

        status = OpprofOutputFileWrite(file, block->path, path_length, error);
        if (status == OPPROF_OK) {
            status = OpprofOutputFileWrite(file, zeros, BLOCK_PATH_BYTES - path_length, error);
        }
    }
    if (status == OPPROF_OK) {
        status = write_content(container, block, file, &length, error);
    }
    if (status == OPPROF_OK && length != block->length) {
        ContainerPutHeader(header, block->type, version, length);
        status = OpprofOutputFilePatch(file, start, header, sizeof header, error);
    }
    return status == OPPROF_OK ? OpprofOutputFileWrite(file, zeros, padding_of(length), error)
                               : status;
}

static OpprofStatus write_blocks(Container *container, Folder folder, OpprofOutputFile *file,
                                 OpprofError **error)
{
    OpprofStatus status = OPPROF_OK;

    for (uint32_t i = folder.first; status == OPPROF_OK && i < folder.end; i++) {
        const HeldBlock *block = &container->blocks[i];

        if (bytes_in_file(block) > CONTAINER_MAX - OpprofOutputFileOffset(file)) {
            OpprofStageIncomplete(
                container->stage,
                "Block of type 0x%02x with %" PRIu64
                " bytes left out of the viewer's file: the viewer takes at most 10 GiB",
                block->type, block->length);
            continue;
        }
        OpprofStageProgress(container->stage, container->written, container->bytes, "bytes");
        status = write_block(container, block, file, error);
        container->written += bytes_in_file(block);
    }
    return status;
}

/* "folder/name", or "name"; free with free(). NULL without memory. */
static char *path_in_folder(const Container *container, uint32_t folder, const char *name)
{
    char *path = NULL;

    if (folder == OPPROF_NA_STRING) {
        return strdup(name);
    }
    return asprintf(&path, "%s/%s", OpprofStageString(container->stage, folder), name) < 0 ? NULL
                                                                                           : path;
}

static OpprofStatus write_folder(Container *container, Folder folder, const char *name,
                                 OpprofError **error)
{
    char *path = path_in_folder(container, container->blocks[folder.first].folder, name);
    OpprofOutputFile *file;
    OpprofStatus status;

    if (path == NULL) {
        return no_memory(error);
    }
    warn_about_dependencies(container, folder);
    status = OpprofOutputFileCreate(OpprofStageOutput(container->stage), path, &file, error);
    free(path);
    if (status != OPPROF_OK) {
        return status;
    }
    status = write_blocks(container, folder, file, error);
    if (status != OPPROF_OK || OpprofOutputFileOffset(file) == 0) {
        OpprofOutputFileDiscard(file);
        return status;
    }
    return OpprofOutputFileFinish(file, error);
}

OpprofStatus ContainerWrite(Container *container, const char *name, OpprofError **error)
{
    OpprofStatus status = OPPROF_OK;
    Folder folder = { 0, 0 };

    drop_bad(container);
    if (container->count == 0) {
        return OPPROF_OK;
    }
    qsort(container->blocks, container->count, sizeof *container->blocks, compare_blocks);
    drop_superseded(container);
    for (uint32_t i = 0; i < container->count; i++) {
        container->bytes += bytes_in_file(&container->blocks[i]);
    }
    while (status == OPPROF_OK && folder.end < container->count) {
        folder.first = folder.end;
        while (folder.end < container->count &&
               container->blocks[folder.end].folder == container->blocks[folder.first].folder) {
            folder.end++;
        }
        status = write_folder(container, folder, name, error);
    }
    return status;
}

void ContainerFinish(Container *container)
{
    for (uint32_t i = 0; i < container->count; i++) {
        free_block(&container->blocks[i]);
    }
    free(container->blocks);
    OpprofSpoolFinish(&container->spool);
    *container = (Container){ .stage = container->stage };
}
