/* SPDX-License-Identifier: Apache-2.0 */
#ifndef CLI_OPTIONS_H
#define CLI_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Exit codes. */
enum {
    EXIT_DONE = 0,
    EXIT_FAILED = 1,
    EXIT_INVALID = 2,
    EXIT_NO_PLUGIN = 3,
    EXIT_INCOMPLETE = 4,
    EXIT_REGRESSION = 5,
    EXIT_SIGNAL = 128
};

/* The command's options. */
typedef enum OptionsAction {
    ACTION_RUN = 0,
    ACTION_VALIDATE,
    ACTION_GRAPH,
    ACTION_LIST,
    ACTION_INSPECT,
    ACTION_EXPLAIN,
    ACTION_DIFF,
    ACTION_QUERY,
    ACTION_COMPLETE,
    ACTION_HELP,
    ACTION_VERSION
} OptionsAction;

/* A text option that may be given several times. Texts are borrowed from argv. */
typedef struct OptionsTexts {
    const char **texts;
    size_t count;
    size_t capacity;
} OptionsTexts;

typedef struct Options {
    OptionsAction action;
    const char *pipeline; /* NULL in a run: recognise the input */
    const char *input;    /* NULL: not given as a word */
    bool input_is_name;   /* it names a pipeline and is not an input */
    char **words;         /* that are no options, of which these two are the first */
    int word_count;       /* 0: none, or they are for another action */
    char *recognised;     /* name of the pipeline that fits the input; owned */
    const char *inspect;
    const char *explain;
    const char *diff[2]; /* two results */
    const char *query;   /* a question or a table */
    const char *asked;   /* the results that it is about */
    OptionsTexts values; /* of its parameters, NAME=VALUE */
    OptionsTexts where;  /* rules for its rows */
    OptionsTexts sorts;  /* COLUMN[:asc|:desc] */
    const char *columns; /* names with commas between them; NULL: all */
    uint64_t limit;      /* rows of a page; 0: all */
    uint64_t page;       /* from 1; 0: not given */
    const char *format;  /* of the differences; NULL: text */
    const char *complete;
    const char *output;
    const char *stats;
    OptionsTexts settings;
    OptionsTexts additions;
    OptionsTexts without; /* STAGE[,STAGE] */
    OptionsTexts taps;
    OptionsTexts recordings; /* STAGE.PORT=FILE */
    OptionsTexts replays;    /* [STAGE.PORT=]FILE */
    OptionsTexts rules;      /* thresholds of differences */
    OptionsTexts plugin_paths;
    char *app; /* "app=" and the command line after "--", quoted; owned */
    double timeout_s;
    bool shows; /* a finished run; nothing is written */
    bool flat;
    bool json;
    bool allow_writable;
    bool quiet;
    int verbose;
} Options;

/* Read the command line. On a mistake prints one line to stderr and returns false. */
bool OptionsParse(Options *options, int argc, char **argv);
void OptionsFinish(Options *options);
void OptionsPrintHelp(void);

#endif
