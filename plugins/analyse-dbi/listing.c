/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Runs a disassembler and keeps its text for each address.
 * Tested by tests/plugins/parse-dbi/test_hot_spots.sh.
 */
#include "listing.h"

#include <opprof/grow.h>
#include <opprof/kit/tool.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOST_BYTES (256u << 20)
#define BLANKS " \t"

/* ---- the tool ---- */

static OpprofStatus take_text(void *context, const char *text, size_t length, OpprofError **error)
{
    Listing *listing = context;

    if (length > MOST_BYTES - listing->length) {
        return OpprofErrorSet(error, OPPROF_E_DATA, "it prints more than %u MiB", MOST_BYTES >> 20);
    }
    if (!OpprofGrow(&listing->text, &listing->text_capacity, listing->length + length + 1, 1)) {
        return OpprofErrorNoMemory(error, "disassemble a kernel");
    }
    memcpy(listing->text + listing->length, text, length);
    listing->length += length;
    listing->text[listing->length] = '\0';
    return OPPROF_OK;
}

/* ---- its text ---- */

/* "  1c:  NAME  OPERANDS"; other lines do not belong to an address. */
static bool read_line(const char *text, ListingLine *line)
{
    char *end = NULL;

    text += strspn(text, BLANKS);
    line->pc = strtoull(text, &end, 16);
    if (end == text || *text == '-' || *text == '+' || *end != ':') {
        return false;
    }
    line->name = end + 1 + strspn(end + 1, BLANKS);
    line->name_length = (uint32_t) strcspn(line->name, BLANKS);
    line->detail = line->name + line->name_length;
    line->detail += strspn(line->detail, BLANKS);
    line->detail_length = (uint32_t) strlen(line->detail);
    return line->name_length > 0;
}

static int by_pc(const void *a, const void *b)
{
    const ListingLine *x = a;
    const ListingLine *y = b;

    return (x->pc > y->pc) - (x->pc < y->pc);
}

static bool read_lines(Listing *listing)
{
    char *rest = listing->text;

    for (char *text = strsep(&rest, "\n"); text != NULL; text = strsep(&rest, "\n")) {
        ListingLine line;
        if (!read_line(text, &line)) {
            continue;
        }
        if (!OpprofGrow(&listing->lines, &listing->capacity, listing->count + 1, sizeof line)) {
            return false;
        }
        listing->lines[listing->count++] = line;
    }
    if (listing->count > 0) {
        qsort(listing->lines, listing->count, sizeof *listing->lines, by_pc);
    }
    return true;
}

OpprofStatus ListingRun(Listing *listing, const OpprofStage *stage, const ListingKernel *kernel,
                        OpprofError **error)
{
    char file[32];
    const char *const words[] = { kernel->tool,
                                  "-d",
                                  "-j",
                                  ".text",
                                  "--no-show-raw-insn",
                                  kernel->fd >= 0 ? file : kernel->path,
                                  NULL };
    OpprofToolCall call = {
        .words = words, .file = kernel->fd, .take = take_text, .context = listing
    };
    OpprofStatus status;

    snprintf(file, sizeof file, "/proc/self/fd/%d", OPPROF_TOOL_FILE);
    status = OpprofToolRun(stage, &call, error);
    if (status == OPPROF_OK && listing->text != NULL && !read_lines(listing)) {
        return OpprofErrorNoMemory(error, "disassemble a kernel");
    }
    if (status == OPPROF_OK && listing->count == 0) {
        status = OpprofErrorSet(error, OPPROF_E_DATA, "it names no instruction");
    }
    if (status != OPPROF_OK && status != OPPROF_E_MEMORY) {
        OpprofErrorSet(error, status, "'%s' does not disassemble the kernel (parameter objdump)",
                       kernel->tool);
    }
    return status;
}

const ListingLine *ListingFind(const Listing *listing, uint64_t pc)
{
    const ListingLine wanted = { .pc = pc };

    return listing->count == 0
               ? NULL
               : bsearch(&wanted, listing->lines, listing->count, sizeof wanted, by_pc);
}

void ListingFinish(Listing *listing)
{
    free(listing->text);
    free(listing->lines);
    *listing = (Listing){ .text = NULL };
}
