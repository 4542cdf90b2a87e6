/* SPDX-License-Identifier: Apache-2.0 */
/* report: one screen with the findings of a run, for the terminal and as report.txt. */
#include "fitting.h"
#include "words.h"

#include <opprof/kit/source.h>
#include <opprof/plugin.h>
#include <opprof/present.h>
#include <opprof/text.h>
#include <stdlib.h>
#include <string.h>

#define FILE_NAME "report.txt"
#define FILE_WIDTH 80u

#define NARROW_COLUMNS 80u

typedef struct Report {
    OpprofStage *stage;
    ReportContent content;
    ReportLimits limits;
    const OpprofParams *params;
    unsigned width; /* 0: the terminal's */
    const char *colour;
} Report;

static OpprofStatus create(OpprofStage *stage, void **ret_self, OpprofError **error)
{
    Report *self = calloc(1, sizeof *self);

    if (self == NULL) {
        return OpprofErrorNoMemory(error, "make a report");
    }
    self->stage = stage;
    self->content.stage = stage;
    *ret_self = self;
    return OPPROF_OK;
}

static OpprofStatus configure(void *context, const OpprofParams *params, OpprofError **error)
{
    Report *self = context;

    (void) error;
    self->params = params;
    self->limits = (ReportLimits){ .lines = (unsigned) OpprofParamsInt(params, "lines"),
                                   .rows = (unsigned) OpprofParamsInt(params, "rows") };
    self->width = (unsigned) OpprofParamsInt(params, "width");
    self->colour = OpprofParamsString(params, "colour");
    return OPPROF_OK;
}

static OpprofStatus process(void *context, uint32_t port, const OpprofBatch *batch,
                            OpprofError **error)
{
    Report *self = context;
    ReportContent *content = &self->content;
    bool is_good;

    (void) port;
    if (LaneTablesHave(batch->type)) {
        is_good = LaneTablesTake(&content->lanes, self->stage, batch);
    } else if (SubjectsHave(batch->type)) {
        is_good = SubjectsTake(&content->subjects, self->stage, batch);
    } else if (batch->type == &opprof_advice_type) {
        is_good = NotesTake(&content->notes, self->stage, batch);
    } else {
        return FindingsTake(&content->findings, self->stage, batch, error);
    }
    return is_good ? OPPROF_OK : OpprofErrorNoMemory(error, "make a report");
}

/* Where texts take more lines there are more of them. */
static ReportLimits limits_of(const Report *self, const PageStyle *style)
{
    const unsigned missing = style->width < NARROW_COLUMNS ? NARROW_COLUMNS - style->width : 0;
    ReportLimits limits = self->limits;

    limits.lines += limits.lines * missing / (2 * NARROW_COLUMNS);
    return limits;
}

/* The report as text, for free(); NULL without memory. */
static char *print(Report *self, const PageStyle *style, size_t *ret_size)
{
    char *text = NULL;
    FILE *out = OpprofTextOpen(&text, ret_size);
    bool is_good;

    if (out == NULL) {
        return NULL;
    }
    const char *title = OpprofStageTitle(self->stage);
    const ReportLimits limits = limits_of(self, style);
    is_good = ReportPrint(out, style, &limits, title == NULL ? "" : title, &self->content);
    if (fclose(out) == 0 && !is_good) {
        free(text);
        return NULL;
    }
    return text;
}

static PageStyle style_of(const Report *self)
{
    PageStyle style = PageStyleOfTerminal();

    style.sources = self->params;
    style.width = self->width > 0 ? self->width : style.width;
    if (strcmp(self->colour, "auto") != 0) {
        style.has_colours = strcmp(self->colour, "always") == 0;
    }
    return style;
}

static OpprofStatus write_file(Report *self, OpprofError **error)
{
    const PageStyle style = { .width = FILE_WIDTH, .sources = self->params };
    OpprofOutputFile *file = NULL;
    size_t size = 0;
    char *text = print(self, &style, &size);
    OpprofStatus status = text == NULL ? OpprofErrorNoMemory(error, "make a report") : OPPROF_OK;

    if (status == OPPROF_OK) {
        status = OpprofOutputFileCreate(OpprofStageOutput(self->stage), FILE_NAME, &file, error);
    }
    if (status == OPPROF_OK) {
        status = OpprofOutputFileWrite(file, text, size, error);
        if (status == OPPROF_OK) {
            status = OpprofOutputFileFinish(file, error);
        } else {
            OpprofOutputFileDiscard(file);
        }
    }
    free(text);
    return status;
}

static OpprofStatus flush(void *context, OpprofError **error)
{
    Report *self = context;
    const PageStyle style = style_of(self);
    OpprofStatus status = FindingsSettle(&self->content.findings, self->limits.rows, error);
    size_t size = 0;
    char *text;

    if (status != OPPROF_OK) {
        return status;
    }
    text = print(self, &style, &size);
    status = text == NULL ? OPPROF_E_MEMORY : OpprofStageShow(self->stage, text, size);
    free(text);
    if (status != OPPROF_OK) {
        return OpprofErrorNoMemory(error, "make a report");
    }
    return OpprofStageOutput(self->stage) == NULL ? OPPROF_OK : write_file(self, error);
}

static void destroy(void *context)
{
    Report *self = context;

    FindingsFree(&self->content.findings);
    LaneTablesFree(&self->content.lanes);
    NotesFree(&self->content.notes);
    SubjectsFree(&self->content.subjects);
    free(self);
}

static const char *const colours[] = { "auto", "always", "never", NULL };

static const OpprofParam params[] = {
    OPPROF_SOURCE_FILE_PARAMS,
    { .name = "width",
      .type = OPPROF_PARAM_INT,
      .default_value = "0",
      .min = 0,
      .max = 240,
      .summary = "Columns; 0: as many as the terminal has, or 80." },
    { .name = "lines",
      .type = OPPROF_PARAM_INT,
      .default_value = "50",
      .min = 0,
      .max = 1000000,
      .summary = "Lines of the whole report, a quarter more at 40 columns; 0: no limit." },
    { .name = "rows",
      .type = OPPROF_PARAM_INT,
      .default_value = "5",
      .min = 1,
      .max = 1000000,
      .summary = "Rows of a section." },
    { .name = "colour",
      .type = OPPROF_PARAM_CHOICE,
      .default_value = "auto",
      .choices = colours,
      .summary = "Colours: on a terminal unless NO_COLOR is set or TERM is dumb, always, never." },
};

static const OpprofPort inputs[] = {
    { .name = "tables",
      .type = OPPROF_ANY_TABLE,
      .flags = OPPROF_PORT_MANY | OPPROF_PORT_OPTIONAL,
      .summary = "Tables of any kind." },
};

static const OpprofPluginOps ops = {
    .struct_size = sizeof(OpprofPluginOps),
    .create = create,
    .configure = configure,
    .process = process,
    .flush = flush,
    .destroy = destroy,
    .explain = WordsExplain,
};

OPPROF_PLUGIN_DEFINE(
        .name = "report", .version = "1.0", .license = "Apache-2.0",
        .summary = "Shows the findings of a run on one screen.",
        .help = "Shown when its tables are done, while files are still written, and kept as "
                "report.txt. The flags and units of the "
                "fields show what is a share, a time, a part of a whole or a share of a peak; the "
                "most informative tables come first, and those that do not fit are named.",
        .kind = OPPROF_EXPORTER, .inputs = inputs, .input_count = OPPROF_COUNT(inputs),
        .params = params, .param_count = OPPROF_COUNT(params), .ops = &ops);
