/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The largest values of a table over ranks and places, in cells whose number is bounded. Tested by
 * tests/plugins/viz-html/test_grid.
 */
#include "grid.h"

#include "limits.h"

#include <opprof/grow.h>
#include <opprof/intern.h>
#include <opprof/print.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOST_CYCLES 64u /* recordings of a rank with columns of their own */
#define CYCLE_MARK "-cycle"

/* The largest value of a metric in a cell, and the row it is from. */
typedef struct Peak {
    double value;
    uint32_t place;
    uint32_t rank; /* interned id + 1; 0: no value */
} Peak;

/* A column: neighbouring places of one recording. */
typedef struct Column {
    uint32_t cycle;
    uint64_t bin; /* place >> column_shift */
} Column;

struct Grid {
    OpprofStage *stage;
    const OpprofRecordType *type;
    const OpprofField *rank;
    const OpprofField *place;
    const OpprofField *metrics[GRID_METRICS];
    uint32_t metric_count;
    OpprofMap numbers; /* of ranks, by their names' hash */
    uint32_t *ranks;   /* interned names, in the order of arrival */
    uint32_t rank_count;
    uint32_t rank_capacity;
    Column columns[GRID_SIDE]; /* in the order of arrival */
    uint32_t column_count;
    uint32_t line_count;
    uint32_t line_shift; /* a line has 2^line_shift ranks */
    uint32_t column_shift;
    uint32_t link; /* of the producer */
    uint32_t last_place;
    bool has_rows;
    bool is_mixed;          /* rows of several producers */
    Peak *lines[GRID_SIDE]; /* by column and metric; NULL: not used yet */
};

/* The field of that name and kind; NULL: the type has none. */
static const OpprofField *find_field(const OpprofRecordType *type, const char *name, uint32_t kind)
{
    const OpprofField *field = OpprofFieldFind(type, name, strlen(name));

    return field != NULL && field->kind == kind ? field : NULL;
}

static bool is_metric(const OpprofField *field)
{
    const bool is_number = field->kind == OPPROF_FIELD_F64 || field->kind == OPPROF_FIELD_U64 ||
                           field->kind == OPPROF_FIELD_U32;

    return is_number &&
           (field->flags & (OPPROF_FIELD_HIDDEN | OPPROF_FIELD_KEY | OPPROF_FIELD_MOMENT)) == 0;
}

bool GridFits(const OpprofRecordType *type)
{
    return find_field(type, "rank", OPPROF_FIELD_STRING) != NULL &&
           find_field(type, "place", OPPROF_FIELD_U32) != NULL;
}

Grid *GridCreate(OpprofStage *stage, const OpprofRecordType *type)
{
    Grid *self = calloc(1, sizeof *self);

    if (self == NULL) {
        return NULL;
    }
    self->stage = stage;
    self->type = type;
    self->rank = find_field(type, "rank", OPPROF_FIELD_STRING);
    self->place = find_field(type, "place", OPPROF_FIELD_U32);
    for (uint32_t i = 0; i < type->field_count && self->metric_count < GRID_METRICS; i++) {
        if (is_metric(&type->fields[i])) {
            self->metrics[self->metric_count++] = &type->fields[i];
        }
    }
    return self;
}

static Peak *peaks_at(const Grid *self, uint32_t line, uint32_t column)
{
    return self->lines[line] + (size_t) column * self->metric_count;
}

/* ---- putting neighbours together ---- */

static void raise_peak(Peak *peak, double value, uint32_t rank, uint32_t place)
{
    if (rank != 0 && (peak->rank == 0 || value > peak->value)) {
        *peak = (Peak){ .value = value, .place = place, .rank = rank };
    }
}

/* Move a cell onto another one, which comes before it or is the same. */
static void move_cell(Grid *self, const Peak *from, Peak *to)
{
    for (uint32_t i = 0; from != to && i < self->metric_count; i++) {
        raise_peak(&to[i], from[i].value, from[i].rank, from[i].place);
    }
}

static void empty_cell(Grid *self, Peak *cell)
{
    memset(cell, 0, self->metric_count * sizeof *cell);
}

static void halve_lines(Grid *self)
{
    for (uint32_t line = 1; line < self->line_count; line++) {
        for (uint32_t column = 0; column < self->column_count; column++) {
            move_cell(self, peaks_at(self, line, column), peaks_at(self, line / 2, column));
            empty_cell(self, peaks_at(self, line, column));
        }
    }
    self->line_count = (self->line_count + 1) / 2;
    self->line_shift++;
}

/* GRID_SIDE if no column has this place. */
static uint32_t find_column(const Grid *self, uint32_t cycle, uint64_t bin)
{
    for (uint32_t i = 0; i < self->column_count; i++) {
        if (self->columns[i].cycle == cycle && self->columns[i].bin == bin) {
            return i;
        }
    }
    return GRID_SIDE;
}

static void halve_columns(Grid *self)
{
    const uint32_t before = self->column_count;

    self->column_count = 0;
    self->column_shift++;
    for (uint32_t i = 0; i < before; i++) {
        const Column column = { self->columns[i].cycle, self->columns[i].bin / 2 };
        uint32_t to = find_column(self, column.cycle, column.bin);

        if (to == GRID_SIDE) {
            to = self->column_count++;
            self->columns[to] = column;
        }
        for (uint32_t line = 0; to != i && line < self->line_count; line++) {
            move_cell(self, peaks_at(self, line, i), peaks_at(self, line, to));
            empty_cell(self, peaks_at(self, line, i));
        }
    }
}

/* Make room for a grid of so many lines and columns, one more than there are of one of them. */
static void shrink(Grid *self, uint32_t lines, uint32_t columns)
{
    const uint32_t before = self->column_count;

    if (columns > lines) {
        halve_columns(self);
    }
    if (columns <= lines || self->column_count == before) {
        halve_lines(self);
    }
}

static bool has_room(uint32_t lines, uint32_t columns)
{
    return lines <= GRID_SIDE && columns <= GRID_SIDE && lines * columns <= PAGE_GRID_CELLS;
}

/* ---- adding ---- */

/* Number of the recording in the name of a rank, from 1, and the length of the name without it. */
static uint32_t cycle_of(const char *name, size_t *ret_length)
{
    const char *mark = strstr(name, CYCLE_MARK);
    char *end = NULL;
    unsigned long cycle = 1;

    *ret_length = strlen(name);
    if (mark != NULL && mark[strlen(CYCLE_MARK)] >= '0' && mark[strlen(CYCLE_MARK)] <= '9') {
        cycle = strtoul(mark + strlen(CYCLE_MARK), &end, 10);
    }
    if (end != NULL && *end == '\0') {
        *ret_length = (size_t) (mark - name);
        return cycle < MOST_CYCLES ? (uint32_t) cycle : MOST_CYCLES;
    }
    return 1;
}

/* Number of a rank, in the order of arrival; OPPROF_MAP_NONE without memory. */
static uint32_t number_of(Grid *self, uint32_t id, const char *name, size_t length)
{
    const uint64_t hash = OpprofInternHash(0, name, length);
    const uint32_t number = OpprofMapFind(&self->numbers, hash);

    if (number != OPPROF_MAP_NONE) {
        return number;
    }
    if (!OpprofGrow32(&self->ranks, &self->rank_capacity, (size_t) self->rank_count + 1,
                      sizeof *self->ranks) ||
        !OpprofMapPut(&self->numbers, hash, self->rank_count)) {
        return OPPROF_MAP_NONE;
    }
    self->ranks[self->rank_count] = id;
    return self->rank_count++;
}

/* Room for a line. False without memory. */
static bool make_line(Grid *self, uint32_t line)
{
    if (self->lines[line] == NULL) {
        self->lines[line] = calloc((size_t) GRID_SIDE * (self->metric_count + 1), sizeof(Peak));
    }
    return self->lines[line] != NULL;
}

/* The cell of a rank and a place. The grid is coarsened until it has one. NULL without memory. */
static Peak *cell_of(Grid *self, uint32_t number, uint32_t cycle, uint32_t place)
{
    for (;;) {
        const uint32_t line = number >> self->line_shift;
        const uint64_t bin = (uint64_t) place >> self->column_shift;
        const uint32_t column = find_column(self, cycle, bin);
        const uint32_t lines = line < self->line_count ? self->line_count : line + 1;
        const uint32_t columns = self->column_count + (column == GRID_SIDE);

        if (has_room(lines, columns)) {
            while (self->line_count < lines) {
                if (!make_line(self, self->line_count)) {
                    return NULL;
                }
                self->line_count++;
            }
            if (column == GRID_SIDE) {
                self->columns[self->column_count++] = (Column){ cycle, bin };
            }
            return peaks_at(self, line, column == GRID_SIDE ? self->column_count - 1 : column);
        }
        shrink(self, lines, columns);
    }
}

bool GridAdd(Grid *self, uint32_t link, const char *record)
{
    const uint32_t id = OpprofLoadU32(record + self->rank->offset);
    const uint32_t place = OpprofLoadU32(record + self->place->offset);

    self->is_mixed = self->is_mixed || (self->has_rows && link != self->link);
    self->has_rows = true;
    self->link = link;
    if (OpprofFieldIsNa(self->rank, record + self->rank->offset) ||
        OpprofFieldIsNa(self->place, record + self->place->offset)) {
        return true;
    }

    const char *name = OpprofStageString(self->stage, id);
    size_t length;
    const uint32_t cycle = cycle_of(name, &length);
    const uint32_t number = number_of(self, id, name, length);

    if (number == OPPROF_MAP_NONE) {
        return false;
    }

    Peak *cell = cell_of(self, number, cycle, place);

    if (cell == NULL) {
        return false;
    }
    self->last_place = place > self->last_place ? place : self->last_place;
    for (uint32_t i = 0; i < self->metric_count; i++) {
        double value;

        if (OpprofFieldNumber(self->metrics[i], record, &value)) {
            raise_peak(&cell[i], value, id + 1, place);
        }
    }
    return true;
}

/* ---- the page's part ---- */

static void put_number(OpprofJsonOut *json, const char *before, double value)
{
    char text[OPPROF_TEXT_NUMBER];

    OpprofJsonPutRaw(json, before);
    snprintf(text, sizeof text, "%.6g", value);
    OpprofJsonPutRaw(json, text);
}

/* First and last rank of each line. */
static void put_lines(const Grid *self, Names *names, OpprofJsonOut *json)
{
    for (uint32_t line = 0; line < self->line_count; line++) {
        const uint32_t first = line << self->line_shift;
        const uint32_t end = (line + 1) << self->line_shift;
        const uint32_t last = (end < self->rank_count ? end : self->rank_count) - 1;

        OpprofJsonPutRaw(json, line == 0 ? "[" : ",[");
        OpprofJsonPutU64(json, NamesNumber(names, self->ranks[first]));
        OpprofJsonPutRaw(json, ",");
        OpprofJsonPutU64(json, NamesNumber(names, self->ranks[last]));
        OpprofJsonPutRaw(json, "]");
    }
}

/* Recording and first place of each column. */
static void put_columns(const Grid *self, OpprofJsonOut *json)
{
    for (uint32_t i = 0; i < self->column_count; i++) {
        OpprofJsonPutRaw(json, i == 0 ? "[" : ",[");
        OpprofJsonPutU64(json, self->columns[i].cycle);
        OpprofJsonPutRaw(json, ",");
        OpprofJsonPutU64(json, self->columns[i].bin << self->column_shift);
        OpprofJsonPutRaw(json, "]");
    }
}

static void put_metrics(const Grid *self, OpprofJsonOut *json)
{
    for (uint32_t i = 0; i < self->metric_count; i++) {
        OpprofJsonPutRaw(json, i == 0 ? "" : ",");
        TextJson(json, self->metrics[i]->name, strlen(self->metrics[i]->name));
    }
}

/* Value, rank and place of each metric; [] for a cell without rows. */
static void put_cell(const Grid *self, const Peak *cell, Names *names, OpprofJsonOut *json)
{
    const char *before = "[";
    uint32_t count = 0;

    for (uint32_t i = 0; i < self->metric_count; i++) {
        count += cell[i].rank != 0;
    }
    for (uint32_t i = 0; count > 0 && i < self->metric_count; i++) {
        if (cell[i].rank == 0) {
            OpprofJsonPutRaw(json, before);
            OpprofJsonPutRaw(json, "null,0,0");
        } else {
            put_number(json, before, cell[i].value);
            OpprofJsonPutRaw(json, ",");
            OpprofJsonPutU64(json, NamesNumber(names, cell[i].rank - 1));
            OpprofJsonPutRaw(json, ",");
            OpprofJsonPutU64(json, cell[i].place);
        }
        before = ",";
    }
    OpprofJsonPutRaw(json, count > 0 ? "]" : "[]");
}

static void put_cells(const Grid *self, Names *names, OpprofJsonOut *json)
{
    for (uint32_t line = 0; line < self->line_count; line++) {
        for (uint32_t column = 0; column < self->column_count; column++) {
            OpprofJsonPutRaw(json, line + column == 0 ? "" : column == 0 ? ",\n" : ",");
            put_cell(self, peaks_at(self, line, column), names, json);
        }
    }
}

void GridPut(const Grid *self, bool is_cut, Names *names, OpprofJsonOut *json)
{
    const bool is_coarse = self->line_shift > 0 || self->column_shift > 0;

    if (self->is_mixed || self->line_count == 0 || !(is_cut || is_coarse)) {
        return;
    }
    OpprofJsonPutRaw(json, ",\"grid\":{");
    TextMemberNumber(json, "ranks", self->rank_count);
    TextMemberNumber(json, "places", (uint64_t) self->last_place + 1);
    TextMemberNumber(json, "ranks_together", UINT64_C(1) << self->line_shift);
    TextMemberNumber(json, "places_together", UINT64_C(1) << self->column_shift);
    OpprofJsonPutRaw(json, ",\"lines\":[");
    put_lines(self, names, json);
    OpprofJsonPutRaw(json, "],\"columns\":[");
    put_columns(self, json);
    OpprofJsonPutRaw(json, "],\"metrics\":[");
    put_metrics(self, json);
    OpprofJsonPutRaw(json, "],\"cells\":[");
    put_cells(self, names, json);
    OpprofJsonPutRaw(json, "]}");
}

void GridDestroy(Grid *self)
{
    if (self != NULL) {
        OpprofMapFinish(&self->numbers);
        free(self->ranks);
        for (uint32_t i = 0; i < GRID_SIDE; i++) {
            free(self->lines[i]);
        }
        free(self);
    }
}
