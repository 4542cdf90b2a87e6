/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The tree of a unit is walked once, into a flat table of inlined calls. libdw's own search of
 * scopes follows the tree as deep as it goes, for every address; files from outside must not decide
 * how deep.
 * Tested by tests/kit/source/test_source_lines.
 */
#include "kit/source/source_units.h"

#include <opprof/grow.h>

#include <dwarf.h>
#include <stdlib.h>
#include <string.h>

#define DEPTH_MAX 256u     /* of the tree that is looked at */
#define BUDGET_FACTOR 256u /* each level may look at all bytes below it again */
#define BUDGET_MIN (UINT64_C(1) << 20)
#define BUDGET_MAX (UINT64_C(1) << 32)
#define RANGE_COST 16u /* bytes of a range */

/* A walk over a unit's tree. */
typedef struct Walk {
    SourceUnits *units;
    SourceUnit *unit;
    uint32_t index;       /* of the unit */
    unsigned functions;   /* around the entry */
    bool finds_functions; /* the ranges of functions are the unit's ranges */
    bool out_of_memory;
} Walk;

static void note_problem(SourceUnits *units, const char *problem, uint64_t at)
{
    if (units->problem == NULL) {
        units->problem = problem;
        units->problem_at = at;
    }
}

/* False when the budget is spent. */
static bool spend(SourceUnits *units, uint64_t cost, uint64_t at)
{
    if (cost > units->budget) {
        units->budget = 0;
        note_problem(units, "reading takes too long", at);
        return false;
    }
    units->budget -= cost;
    return true;
}

/* Adds all ranges of an entry. Returns how many, or -1 without memory. */
static int add_ranges(SourceUnits *units, Dwarf_Die *die, SourceSpans *spans, uint32_t value)
{
    const uint64_t at = libdw.dwarf_dieoffset(die);
    Dwarf_Addr base = 0;
    Dwarf_Addr low;
    Dwarf_Addr high;
    ptrdiff_t place = 0;
    int count = 0;

    while ((place = libdw.dwarf_ranges(die, place, &base, &low, &high)) > 0) {
        if (!spend(units, RANGE_COST, at)) {
            return count;
        }
        if (!SourceSpansAdd(spans, low, high, value)) {
            return -1;
        }
        count += low < high;
    }
    if (place < 0) {
        note_problem(units, "ranges of addresses cannot be read", at);
    }
    return count;
}

/* A small number of an entry, 0 where it has none. */
static uint32_t number_of(Dwarf_Die *die, unsigned name)
{
    Dwarf_Attribute attribute;
    Dwarf_Word value = 0;

    if (libdw.dwarf_attr(die, name, &attribute) == NULL ||
        libdw.dwarf_formudata(&attribute, &value) != 0 || value > UINT32_MAX) {
        return 0;
    }
    return (uint32_t) value;
}

/* Returns the new call's index, or SPAN_NONE without memory. */
static uint32_t add_inline(SourceUnit *unit, Dwarf_Die *die, uint32_t outer)
{
    if (unit->inline_count >= INT32_MAX ||
        !OpprofGrow32(&unit->inlines, &unit->inline_capacity, (size_t) unit->inline_count + 1,
                      sizeof *unit->inlines)) {
        return SPAN_NONE;
    }
    unit->inlines[unit->inline_count] = (SourceInline){
        .outer = outer,
        .file = number_of(die, DW_AT_call_file),
        .line = number_of(die, DW_AT_call_line),
    };
    return unit->inline_count++;
}

static bool walk_children(Walk *walk, Dwarf_Die *parent, uint32_t call, unsigned depth);

static bool walk_inlined(Walk *walk, Dwarf_Die *die, uint32_t outer, unsigned depth)
{
    const uint32_t call = add_inline(walk->unit, die, outer);

    if (call == SPAN_NONE || add_ranges(walk->units, die, &walk->unit->calls, call) < 0) {
        walk->out_of_memory = true;
        return false;
    }
    return walk_children(walk, die, call, depth);
}

static bool walk_function(Walk *walk, Dwarf_Die *die, unsigned depth)
{
    if (!walk->finds_functions) {
        walk->functions++;
        const bool goes_on = walk_children(walk, die, SPAN_NONE, depth);
        walk->functions--;
        return goes_on;
    }
    if (add_ranges(walk->units, die, &walk->units->spans, walk->index) < 0) {
        walk->out_of_memory = true;
        return false;
    }
    return true;
}

/* False ends the walk. `call`: innermost inlined call around the entry. */
static bool walk_entry(Walk *walk, Dwarf_Die *die, uint32_t call, unsigned depth)
{
    switch (libdw.dwarf_tag(die)) {
    case DW_TAG_inlined_subroutine:
        return walk_inlined(walk, die, call, depth);
    case DW_TAG_subprogram:
        return walk_function(walk, die, depth);
    case DW_TAG_lexical_block:
    case DW_TAG_try_block:
    case DW_TAG_catch_block:
    case DW_TAG_namespace:
    case DW_TAG_module:
        return walk_children(walk, die, call, depth);
    case DW_TAG_structure_type:
    case DW_TAG_class_type:
    case DW_TAG_union_type:
        /*
         * Member functions are outside of their types, except for types inside a function
         * (lambdas).
         */
        return walk->functions == 0 || walk_children(walk, die, SPAN_NONE, depth);
    default:
        return true;
    }
}

static bool walk_children(Walk *walk, Dwarf_Die *parent, uint32_t call, unsigned depth)
{
    uint64_t last = libdw.dwarf_dieoffset(parent);
    Dwarf_Die die;
    int found;

    if (depth == DEPTH_MAX) {
        note_problem(walk->units, "entries are nested too deeply", last);
        return true;
    }
    found = libdw.dwarf_child(parent, &die);
    while (found == 0) {
        const uint64_t at = libdw.dwarf_dieoffset(&die);

        /* A sibling placed before its elder would loop for ever. */
        if (at <= last || !spend(walk->units, at - last, at)) {
            note_problem(walk->units, "entries are out of order", at);
            return false;
        }
        last = at;
        if (!walk_entry(walk, &die, call, depth + 1)) {
            return false;
        }
        found = libdw.dwarf_siblingof(&die, &die);
    }
    if (found < 0) {
        note_problem(walk->units, "an entry cannot be read", last);
    }
    return true;
}

/* ---- units ---- */

static bool add_unit(SourceUnits *units, const Dwarf_Die *die)
{
    if (units->count >= INT32_MAX ||
        !OpprofGrow32(&units->units, &units->capacity, (size_t) units->count + 1,
                      sizeof *units->units)) {
        return false;
    }
    units->units[units->count++] = (SourceUnit){ .die = *die };
    return true;
}

/* Where a unit does not state its ranges, its functions do. */
static bool place_unit(SourceUnits *units, uint32_t index)
{
    SourceUnit *unit = &units->units[index];
    Walk walk = { .units = units, .unit = unit, .index = index, .finds_functions = true };
    const int count = add_ranges(units, &unit->die, &units->spans, index);

    if (count == 0) {
        walk_children(&walk, &unit->die, SPAN_NONE, 0);
    }
    return count >= 0 && !walk.out_of_memory;
}

static uint64_t budget_for(uint64_t bytes)
{
    if (bytes > BUDGET_MAX / BUDGET_FACTOR) {
        return BUDGET_MAX;
    }
    return BUDGET_MIN + bytes * BUDGET_FACTOR;
}

bool SourceUnitsOpen(SourceUnits *units, const SourceElf *file)
{
    Dwarf_CU *at = NULL;
    Dwarf_Die die;
    uint8_t type;
    int found;

    units->file = file;
    units->budget = budget_for(file->debug_size);
    while ((found = libdw.dwarf_get_units(file->dwarf, at, &at, NULL, &type, &die, NULL)) == 0) {
        if ((type == DW_UT_compile || type == DW_UT_skeleton) && !add_unit(units, &die)) {
            return false;
        }
    }
    if (found < 0) {
        note_problem(units, "a unit cannot be read", 0);
    }
    for (uint32_t i = 0; i < units->count; i++) {
        if (!place_unit(units, i)) {
            return false;
        }
    }
    return SourceSpansClose(&units->spans);
}

/* libdw reads the unit's directory to its end, wherever that is. */
static bool has_sound_directory(const SourceUnits *units, SourceUnit *unit)
{
    Dwarf_Attribute attribute;

    return libdw.dwarf_attr(&unit->die, DW_AT_comp_dir, &attribute) == NULL ||
           libdw.dwarf_whatform(&attribute) != DW_FORM_string ||
           SourceElfHasEnd(units->file, attribute.valp);
}

/* Lines and inlined calls of a unit. False without memory. */
static bool read_unit(SourceUnits *units, uint32_t index)
{
    SourceUnit *unit = &units->units[index];
    Walk walk = { .units = units, .unit = unit, .index = index };
    const uint64_t at = libdw.dwarf_dieoffset(&unit->die);
    size_t file_count;

    unit->is_read = true;
    if (units->budget == 0) {
        return true;
    }
    if (!has_sound_directory(units, unit)) {
        note_problem(units, "a text has no end", at);
        return true;
    }
    if (libdw.dwarf_getsrclines(&unit->die, &unit->lines, &unit->line_count) != 0) {
        note_problem(units, "lines cannot be read", at);
        unit->lines = NULL;
        unit->line_count = 0;
    }
    if (!spend(units, unit->line_count, at)) {
        return true;
    }
    if (libdw.dwarf_getsrcfiles(&unit->die, &unit->files, &file_count) != 0) {
        unit->files = NULL;
    }
    walk_children(&walk, &unit->die, SPAN_NONE, 0);
    return !walk.out_of_memory && SourceSpansClose(&unit->calls);
}

/* ---- frames ---- */

static const char *directory_of(SourceUnit *unit)
{
    Dwarf_Attribute attribute;

    return libdw.dwarf_attr(&unit->die, DW_AT_comp_dir, &attribute) == NULL
               ? NULL
               : libdw.dwarf_formstring(&attribute);
}

static SourceFrame make_frame(SourceUnit *unit, const char *file, uint32_t line)
{
    return (SourceFrame){ .directory = file != NULL && file[0] != '/' ? directory_of(unit) : NULL,
                          .file = file,
                          .line = line };
}

/* Number of lines at or before the address; lines are sorted by it. */
static size_t lines_up_to(const SourceUnit *unit, uint64_t address)
{
    size_t low = 0;
    size_t high = unit->line_count;

    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        Dwarf_Addr at = 0;

        libdw.dwarf_lineaddr(libdw.dwarf_onesrcline(unit->lines, middle), &at);
        if (at <= address) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

/* The line that holds at an address. Code of the unit is there, so the ends of other sequences do
 * not count. */
static SourceFrame line_frame(SourceUnit *unit, uint64_t address)
{
    for (size_t i = lines_up_to(unit, address); i > 0; i--) {
        Dwarf_Line *line = libdw.dwarf_onesrcline(unit->lines, i - 1);
        bool is_end = false;
        int number = 0;

        if (line == NULL || libdw.dwarf_lineendsequence(line, &is_end) != 0 || is_end) {
            continue;
        }
        libdw.dwarf_lineno(line, &number);
        return make_frame(unit, libdw.dwarf_linesrc(line, NULL, NULL),
                          number > 0 ? (uint32_t) number : 0);
    }
    return (SourceFrame){ .file = NULL };
}

bool SourceUnitsFrames(SourceUnits *units, uint64_t address, SourceFrame *frames,
                       uint32_t *ret_count)
{
    const uint32_t index = SourceSpansFind(&units->spans, address);
    SourceUnit *unit;
    uint32_t call;

    *ret_count = 0;
    if (index == SPAN_NONE) {
        return true;
    }
    unit = &units->units[index];
    if (!unit->is_read && !read_unit(units, index)) {
        return false;
    }
    frames[(*ret_count)++] = line_frame(unit, address);
    call = SourceSpansFind(&unit->calls, address);
    while (call != SPAN_NONE && *ret_count < SOURCE_FRAMES_MAX) {
        const SourceInline *inlined = &unit->inlines[call];
        const char *file = unit->files == NULL
                               ? NULL
                               : libdw.dwarf_filesrc(unit->files, inlined->file, NULL, NULL);

        frames[(*ret_count)++] = make_frame(unit, file, inlined->line);
        call = inlined->outer;
    }
    return true;
}

void SourceUnitsClose(SourceUnits *units)
{
    for (uint32_t i = 0; i < units->count; i++) {
        free(units->units[i].inlines);
        SourceSpansFinish(&units->units[i].calls);
    }
    free(units->units);
    SourceSpansFinish(&units->spans);
    *units = (SourceUnits){ 0 };
}
