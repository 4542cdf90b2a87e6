/* SPDX-License-Identifier: Apache-2.0 */
/* Rules and queries from a file, asked of empty tables. */
#include "fuzz/fuzz.h"
#include "results/results.h"

#include <opprof/results.h>
#include <stddef.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include <stdio.h>

typedef struct Row {
    uint32_t rank;
    uint32_t reserved;
    double idle_us;
} Row;

static const OpprofField fields[] = {
    OPPROF_FIELD(Row, rank, OPPROF_FIELD_STRING),
    OPPROF_FIELD(Row, idle_us, OPPROF_FIELD_F64, .unit = "us"),
};
static const OpprofRecordType type = { .struct_size = sizeof(OpprofRecordType),
                                       .version = 1,
                                       .name = "trace.idle",
                                       .size = sizeof(Row),
                                       .flags = OPPROF_RECORD_TABLE,
                                       .fields = fields,
                                       .field_count = OPPROF_COUNT(fields) };

static void read_rows(OpprofResultsRows *rows)
{
    OpprofError *error = NULL;

    for (unsigned i = 0; i < 100 && OpprofResultsNext(rows, &error) == OPPROF_OK; i++) {
        for (int c = 0; c < OpprofResultsColumnCount(rows); c++) {
            OpprofResultsText(rows, c, NULL);
        }
    }
    OpprofErrorDestroy(error);
}

static void ask(const OpprofQuestion *question)
{
    static const OpprofRecordType *const types[] = { &type };
    const OpprofResultsParameter parameter = { .name = "top", .value = "3" };
    const OpprofResultsQuestion asked = { .sql = question->sql,
                                          .parameters = &parameter,
                                          .parameter_count =
                                              OpprofQuestionNames(question, "top") ? 1 : 0,
                                          .most_steps = 200000 };
    OpprofResults *tables;
    OpprofResultsRows *rows;
    OpprofError *error = NULL;

    if (ResultsSketch(types, 1, &tables, &error) == OPPROF_OK) {
        if (OpprofResultsAsk(tables, &asked, &rows, &error) == OPPROF_OK) {
            read_rows(rows);
            OpprofResultsRowsFree(rows);
        }
        OpprofResultsClose(tables);
    }
    OpprofErrorDestroy(error);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const OpprofQuestionKind *const kinds[] = { &opprof_rules, &opprof_queries };
    OpprofQuestions questions = { .count = 0 };
    OpprofError *error = NULL;
    char path[40];
    const int fd = memfd_create("question", MFD_CLOEXEC);

    if (fd < 0 || write(fd, data, size) != (ssize_t) size) {
        abort();
    }
    snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    for (size_t i = 0; i < OPPROF_COUNT(kinds); i++) {
        OpprofQuestionsRead(kinds[i], path, &questions, &error);
        OpprofErrorDestroy(error);
        error = NULL;
    }
    for (size_t i = 0; i < questions.count; i++) {
        OpprofQuestionHead(&questions.list[i], "todo");
        ask(&questions.list[i]);
    }
    OpprofQuestionsFree(&questions);
    close(fd);
    return 0;
}
