/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One line of a simulator log: the short parse agrees with the full one, and nothing is read
 * outside of the line.
 */
#include "fuzz/fuzz.h"
#include "plugins/collect-sim/lines/charset.h"
#include "tests/plugins/collect-sim/forms.h"
#include "plugins/collect-sim/lines/line.h"
#include "plugins/collect-sim/lines/pipes.h"
#include "plugins/collect-sim/pairing/marks.h"
#include "plugins/collect-sim/pairing/overhead.h"
#include "plugins/collect-sim/lines/simt.h"
#include <stdlib.h>

#define PAD 64u /* bytes after a line that may be read */

static const SimLineWatch popped_core = {
    .byte = 'I', .after = { 'Q', 'Q' }, .name = "MOV_XD_SPR", .name_length = 10
};

static void try_brief(const char *line, size_t length, const SimLineWatch *watch,
                      const SimLine *full)
{
    SimLine brief;

    FUZZ_REQUIRE(SimLineParseBrief(line, length, watch, &brief) == (full != NULL));
    if (full != NULL) {
        FUZZ_REQUIRE(brief.tick == full->tick && brief.pc == full->pc && brief.id == full->id);
        FUZZ_REQUIRE(brief.name == full->name && brief.name_length == full->name_length);
        FUZZ_REQUIRE(watch == &camodel_marks()->watch ||
                     brief.poped_from_queue == full->poped_from_queue);
        FUZZ_REQUIRE(watch != &camodel_marks()->watch ||
                     SimMarkFactsHasRegister(camodel_marks(), &brief) ==
                         SimMarkFactsHasRegister(camodel_marks(), full));
    }
}

static void try_texts(const SimLine *line)
{
    const char *end = line->detail + line->detail_length;
    char *copy = malloc((size_t) line->detail_length + PAD);
    int16_t warp, scheduler;
    bool is_start;

    FUZZ_REQUIRE(copy != NULL);
    end = CharsetCopyWithoutBlanks(copy, line->detail, end);
    FUZZ_REQUIRE(memchr(copy, ' ', (size_t) (end - copy)) == NULL);
    SimtReadWarp(camodel_threads(), copy, end, &warp, &scheduler);
    FUZZ_REQUIRE(warp >= -1 && warp < 100 && scheduler >= -1 && scheduler < 4);
    FUZZ_REQUIRE(SimtReadThreads(camodel_threads(), copy, end) <= 32);
    const SimPipes pipes = { .other = "ALL" };
    size_t length = 0;
    FUZZ_REQUIRE(SimPipesFind(&pipes, line, &length) != NULL && length == 3);
    FUZZ_REQUIRE(SimMarkFactsDigit(camodel_marks(), line, &is_start) < 10);
    free(copy);
}

/* Lines of the other logs. */
static void try_other_logs(const char *line, size_t length)
{
    static SimForms misses, fetches, issues;
    uint64_t tick, pc;
    SimMiss miss;

    if (misses.count == 0) {
        misses = forms_of(&sim_form_misses, CAMODEL_MISS_A2, CAMODEL_MISS);
        fetches = fetch_forms();
        issues = issue_forms();
    }
    SimFormsFindEvent(&fetches, line, length, &tick, &pc);
    SimFormsFindEvent(&issues, line, length, &tick, &pc);
    if (SimFormsParseMiss(&misses, line, length, &miss)) {
        FUZZ_REQUIRE(miss.address >= line && miss.detail + miss.detail_length == line + length);
    }
}

/* A form, a line feed, and the line: what a form finds lies within the line. */
static void try_form(const char *text, size_t length)
{
    const char *newline = memchr(text, '\n', length);
    char *form = newline == NULL ? NULL : strndup(text, (size_t) (newline - text));
    SimForms forms = { .count = 0 };
    SimLine line;

    if (form != NULL && SimFormsAdd(&forms, &sim_form_lines, form, NULL) == OPPROF_OK &&
        SimFormsParse(&forms, newline + 1, (size_t) (text + length - newline - 1), &line)) {
        FUZZ_REQUIRE(line.pipe > newline && line.pipe + line.pipe_length <= text + length);
        FUZZ_REQUIRE(line.name > newline && line.name + line.name_length <= text + length);
        FUZZ_REQUIRE(line.detail > newline && line.detail + line.detail_length <= text + length);
    }
    SimFormsFinish(&forms);
    free(form);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *line = malloc(size + PAD);
    SimLine full;
    bool is_record;

    FUZZ_REQUIRE(line != NULL);
    memcpy(line, data, size);
    memset(line + size, size % 2 == 0 ? '\r' : 'L', PAD);
    is_record = SimLineParse(line, size, &camodel_marks()->watch, &full);
    try_brief(line, size, &sim_watch_popped, is_record ? &full : NULL);
    try_brief(line, size, &popped_core, is_record ? &full : NULL);
    try_brief(line, size, &camodel_marks()->watch, is_record ? &full : NULL);
    if (is_record) {
        try_texts(&full);
    }
    try_other_logs(line, size);
    try_form(line, size);
    free(line);
    return 0;
}
