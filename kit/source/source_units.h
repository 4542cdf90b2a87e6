/* SPDX-License-Identifier: Apache-2.0 */
#ifndef KIT_SOURCE_SOURCE_UNITS_H
#define KIT_SOURCE_SOURCE_UNITS_H

#include "kit/source/source_elf.h"
#include "kit/source/source_spans.h"

/* A call that was inlined. */
typedef struct SourceInline {
    uint32_t outer; /* index of the inlined call around it, or SPAN_NONE */
    uint32_t file;  /* of the call, in the unit's table of files */
    uint32_t line;
} SourceInline;

/* A compilation unit. Its lines and inlined calls are read when the first address of it is looked
 * up. */
typedef struct SourceUnit {
    Dwarf_Die die;
    Dwarf_Lines *lines;
    size_t line_count;
    Dwarf_Files *files;
    SourceInline *inlines;
    uint32_t inline_count;
    uint32_t inline_capacity;
    SourceSpans calls; /* values: inlines */
    bool is_read;
} SourceUnit;

/* All compilation units. One thread at a time. */
typedef struct SourceUnits {
    SourceUnit *units;
    uint32_t count;
    uint32_t capacity;
    SourceSpans spans; /* values: units */
    const SourceElf *file;
    uint64_t budget;     /* budget left for reading, so that no input takes for ever */
    const char *problem; /* first thing that was wrong, or NULL */
    uint64_t problem_at; /* offset of it in .debug_info */
} SourceUnits;

/* A place in the source. `directory` is NULL, or stands before a relative `file`. */
typedef struct SourceFrame {
    const char *directory;
    const char *file; /* NULL: unknown */
    uint32_t line;    /* 0: unknown */
} SourceFrame;

#define SOURCE_FRAMES_MAX 256u

/* Find the units of a file, which stays open. False without memory. Zeroed memory has none. */
bool SourceUnitsOpen(SourceUnits *units, const SourceElf *file);

/*
 * Frames of an address, innermost first; at most SOURCE_FRAMES_MAX, of which the innermost ones are
 * given. False without memory.
 */
bool SourceUnitsFrames(SourceUnits *units, uint64_t address, SourceFrame *frames,
                       uint32_t *ret_count);

void SourceUnitsClose(SourceUnits *units);

#endif
