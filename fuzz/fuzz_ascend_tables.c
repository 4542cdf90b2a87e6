/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Tables of Ascend profilers: the input as rows of CSV, and as communication.json. Rows end, cells
 * end with a NUL; the rows made of a document have as many cells as their heading.
 */
#include "fuzz/fuzz.h"
#include "plugins/collect-kineto/tables/communication.h"

#include <opprof/kit/csv.h>
#include <stdlib.h>
#include <string.h>

static Source *source_of(const void *bytes, size_t size)
{
    Source *source = SourceOpenMemory(bytes, size);

    FUZZ_REQUIRE(source != NULL);
    return source;
}

static size_t read_source(void *context, char *out, size_t size)
{
    return SourceRead(context, out, size);
}

/* Line feeds of the row that begins at a byte, and where the next one begins, byte by byte. */
static uint64_t lines_of_row(const uint8_t *data, size_t size, size_t *at)
{
    bool is_quoted = false, is_cell_quoted = false, is_first = true;
    uint64_t lines = 0;

    while (*at < size) {
        const uint8_t byte = data[(*at)++];

        lines += byte == '\n';
        if (byte == '\n' && !is_quoted) {
            return lines;
        }
        if (byte == '"' && (is_first || is_cell_quoted)) {
            is_quoted = !is_quoted;
            is_cell_quoted = true;
        } else if (byte == ',' && !is_quoted) {
            is_cell_quoted = false;
        }
        is_first = !is_quoted && (byte == ',' || (is_first && (byte == ' ' || byte == '\t')));
    }
    return lines;
}

/* Rows end where they do when they are read byte by byte, up to the first that cannot be read. */
static void compare_ends(const uint8_t *data, size_t size)
{
    static OpprofCsv rows;
    Source *source = source_of(data, size);
    const bool is_plain = !SourceIsPacked(source);
    size_t at = 0;

    OpprofCsvBegin(&rows, read_source, source);
    while (is_plain && OpprofCsvNext(&rows) == OPPROF_CSV_ROW) {
        FUZZ_REQUIRE(rows.lines + 1 - rows.line == lines_of_row(data, size, &at));
    }
    OpprofCsvFinish(&rows);
    SourceClose(source);
}

/* `cells`: that each row must have; 0: any. */
static void read_rows(Source *source, size_t cells)
{
    static OpprofCsv rows;
    OpprofCsvResult result;
    uint64_t line = 0;

    OpprofCsvBegin(&rows, read_source, source);
    while ((result = OpprofCsvNext(&rows)) == OPPROF_CSV_ROW || result == OPPROF_CSV_BROKEN) {
        FUZZ_REQUIRE(rows.line > line && rows.lines >= rows.line);
        line = rows.line;
        FUZZ_REQUIRE(result == OPPROF_CSV_ROW || cells == 0);
        for (size_t i = 0; result == OPPROF_CSV_ROW && i < rows.count; i++) {
            FUZZ_REQUIRE(rows.cells[i].text[rows.cells[i].length] == '\0');
        }
        FUZZ_REQUIRE(result != OPPROF_CSV_ROW || cells == 0 || rows.count == cells);
    }
    FUZZ_REQUIRE(result == OPPROF_CSV_END || (result == OPPROF_CSV_CUT && cells == 0));
    OpprofCsvFinish(&rows);
    SourceClose(source);
}

static void read_document(const uint8_t *data, size_t size, TableForm form)
{
    Source *source = source_of(data, size);
    CommunicationText text = CommunicationRead(source, form);

    SourceClose(source);
    FUZZ_REQUIRE(text.csv != NULL);
    read_rows(source_of(text.csv, text.length), form == TABLE_OPERATORS ? 11 : 8);
    free(text.csv);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    read_rows(source_of(data, size), 0);
    compare_ends(data, size);
    read_document(data, size, TABLE_OPERATORS);
    read_document(data, size, TABLE_LINKS);
    read_document(data, size, TABLE_PACKETS);
    return 0;
}
