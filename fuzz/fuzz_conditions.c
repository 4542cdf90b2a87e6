/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Conditions from outside: the first line holds the columns, the second one the order, all others
 * are rules. They choose among the rows of a small table, of which no more can come than are
 * counted, or are refused with a reason.
 */
#include "fuzz/fuzz.h"
#include "results/results.h"

#include <opprof/results.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LINES_MOST 16

typedef struct Row {
    uint32_t rank;
    uint32_t reserved;
    double idle_us;
    uint64_t pc;
} Row;

static const OpprofField fields[] = {
    OPPROF_FIELD(Row, rank, OPPROF_FIELD_STRING, .heading = "Rank id"),
    OPPROF_FIELD(Row, idle_us, OPPROF_FIELD_F64, .heading = "Idle(us)"),
    OPPROF_FIELD(Row, pc, OPPROF_FIELD_HEX),
};
static const OpprofRecordType type = { .struct_size = sizeof(OpprofRecordType),
                                       .version = 1,
                                       .name = "trace.idle",
                                       .size = sizeof(Row),
                                       .flags = OPPROF_RECORD_TABLE,
                                       .fields = fields,
                                       .field_count = OPPROF_COUNT(fields) };

static const char rows_sql[] = "INSERT INTO trace_idle VALUES('0',1.5,1),('1',NULL,2),(NULL,7,-1),"
                               "('MatMul|Add',0,NULL),('0',1.5,1)";

/* Rows of an answer; below 0: it is refused. */
static int64_t count_rows(OpprofResults *tables, const OpprofResultsQuestion *question,
                          int64_t *ret_first)
{
    OpprofResultsRows *rows;
    OpprofError *error = NULL;
    int64_t count = -1;

    if (OpprofResultsAsk(tables, question, &rows, &error) == OPPROF_OK) {
        for (count = 0; OpprofResultsNext(rows, &error) == OPPROF_OK; count++) {
            OpprofResultsWhole(rows, 0, ret_first);
        }
    } else {
        FUZZ_REQUIRE(OpprofErrorMessage(error)[0] != '\0');
    }
    OpprofResultsRowsFree(rows);
    OpprofErrorDestroy(error);
    return count;
}

static void ask(OpprofResults *tables, OpprofResultsQuestion question)
{
    OpprofResultsConditions conditions = *question.conditions;
    int64_t all = -1;
    int64_t unused;
    const int64_t count = count_rows(tables, &question, &unused);

    conditions.counts = true;
    question.conditions = &conditions;
    FUZZ_REQUIRE(count < 0 || count_rows(tables, &question, &all) == 1);
    FUZZ_REQUIRE(count < 0 || all == count);
    conditions.counts = false;
    conditions.limit = 2;
    FUZZ_REQUIRE(count < 0 || count_rows(tables, &question, &unused) == (count < 2 ? count : 2));
}

static OpprofResults *make_tables(void)
{
    static const OpprofRecordType *const types[] = { &type };
    OpprofResults *tables;

    FUZZ_REQUIRE(ResultsSketch(types, 1, &tables, NULL) == OPPROF_OK);
    FUZZ_REQUIRE(sqlite.exec(tables->database, rows_sql, NULL, NULL, NULL) == SQLITE_OK);
    return tables;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *text = strndup((const char *) data, size);
    const char *lines[LINES_MOST] = { NULL };
    OpprofResults *tables = make_tables();
    char *rest = text;
    size_t count = 0;

    FUZZ_REQUIRE(text != NULL);
    while (rest != NULL && count < LINES_MOST) {
        lines[count++] = strsep(&rest, "\n");
    }
    const OpprofResultsConditions conditions = {
        .columns = lines[0][0] == '\0' ? NULL : lines[0],
        .sorts = &lines[1],
        .sort_count = count > 1 && lines[1][0] != '\0' ? 1 : 0,
        .rules = &lines[2],
        .rule_count = count > 2 ? count - 2 : 0,
    };
    OpprofResultsQuestion question = { .table = &OpprofResultsAbout(tables)->tables[0],
                                       .conditions = &conditions };
    ask(tables, question);
    question.table = NULL;
    question.sql = "SELECT rank, idle_us AS idle, pc FROM trace_idle ORDER BY pc; -- end";
    ask(tables, question);
    OpprofResultsClose(tables);
    free(text);
    return 0;
}
