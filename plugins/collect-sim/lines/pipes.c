/* SPDX-License-Identifier: Apache-2.0 */
/* Finds the pipe that a printed text means. Tested by tests/plugins/collect-sim/test_line.c. */
#include "pipes.h"

#include "charset.h"

#include <string.h>

SimPipes SimPipesOf(const OpprofChip *chip)
{
    if (chip == NULL) {
        return (SimPipes){ .known = NULL };
    }
    return (SimPipes){ .known = OpprofChipFact(chip, "pipes.known"),
                       .of_names = OpprofChipFact(chip, "pipes.of_names"),
                       .user_mark = OpprofChipText(chip, "pipes.user_mark"),
                       .other = OpprofChipText(chip, "pipes.other") };
}

static bool is_printed(const OpprofFact *pipe, const SimLine *line)
{
    const OpprofFact *printed = OpprofFactMember(pipe, "printed");

    for (size_t i = 0; i < OpprofFactCount(printed); i++) {
        const char *text = OpprofFactText(OpprofFactAt(printed, i));
        if (text != NULL && strlen(text) == line->pipe_length &&
            memcmp(text, line->pipe, line->pipe_length) == 0) {
            return true;
        }
    }
    return false;
}

static const char *known_pipe(const SimPipes *pipes, const SimLine *line)
{
    OpprofFactWalk walk = { 0 };
    const char *name;
    const OpprofFact *fact;

    while (pipes->known != NULL && OpprofFactNext(pipes->known, &walk, &name, &fact)) {
        if (is_printed(fact, line)) {
            return name;
        }
    }
    return NULL;
}

static const char *pipe_of_name(const SimPipes *pipes, const SimLine *line)
{
    const char *end = line->name + line->name_length;
    OpprofFactWalk walk = { 0 };
    const char *part;
    const OpprofFact *fact;

    while (pipes->of_names != NULL && OpprofFactNext(pipes->of_names, &walk, &part, &fact)) {
        if (CharsetFind(line->name, end, part, strlen(part)) != NULL) {
            return OpprofFactText(fact);
        }
    }
    return NULL;
}

const char *SimPipesFind(const SimPipes *pipes, const SimLine *line, size_t *ret_length)
{
    const char *pipe = known_pipe(pipes, line);

    pipe = pipe == NULL ? pipe_of_name(pipes, line) : pipe;
    pipe = pipe == NULL ? pipes->other : pipe;
    *ret_length = pipe == NULL ? line->pipe_length : strlen(pipe);
    return pipe == NULL ? line->pipe : pipe;
}
