/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Tables of Ascend profilers: the input as rows of CSV, and as communication.json. Rows end, cells
 * end with a NUL; the rows made of a document have as many cells as their heading.
 */
#include "fuzz/fuzz.h"
#include "plugins/collect-kineto/tables/communication.h"
#include "plugins/collect-kineto/tables/csv_rows.h"

#include <stdlib.h>
#include <string.h>

static Source *source_of(const void *bytes, size_t size)
{
    Source *source = SourceOpenMemory(bytes, size);

    FUZZ_REQUIRE(source != NULL);
    return source;
}

/* Returns the number of lines. `cells`: that each row must have; 0: any. */
static void read_rows(Source *source, size_t cells)
{
    static CsvRows rows;
    CsvResult result;
    uint64_t line = 0;

    CsvRowsInit(&rows, source);
    while ((result = CsvRowsNext(&rows)) == CSV_ROW || result == CSV_BROKEN) {
        FUZZ_REQUIRE(rows.line > line && rows.lines >= rows.line);
        line = rows.line;
        FUZZ_REQUIRE(result == CSV_ROW || cells == 0);
        for (size_t i = 0; result == CSV_ROW && i < rows.count; i++) {
            FUZZ_REQUIRE(rows.cells[i].text[rows.cells[i].length] == '\0');
        }
        FUZZ_REQUIRE(result != CSV_ROW || cells == 0 || rows.count == cells);
    }
    FUZZ_REQUIRE(result == CSV_END || (result == CSV_CUT && cells == 0));
    CsvRowsFinish(&rows);
}

static void read_document(const uint8_t *data, size_t size, bool links)
{
    Source *source = source_of(data, size);
    CommunicationText text = CommunicationRead(source, links);

    SourceClose(source);
    FUZZ_REQUIRE(text.csv != NULL);
    read_rows(source_of(text.csv, text.length), links ? 8 : 11);
    free(text.csv);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    read_rows(source_of(data, size), 0);
    read_document(data, size, false);
    read_document(data, size, true);
    return 0;
}
