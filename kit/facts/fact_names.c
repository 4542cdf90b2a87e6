/* SPDX-License-Identifier: Apache-2.0 */
/* The names that a fact may have: those that other facts of the chip state. Tested by
 * tests/kit/facts/test_facts. */
#include "kit/facts/fact_location.h"

#include <opprof/json.h>

#include <stdio.h>
#include <string.h>

/* A part of a reference: a path, or a fixed name in quotes. */
typedef struct Part {
    const char *at;
    size_t length;
} Part;

/* The next part of a reference; false at its end. */
static bool next_part(const char **reference, Part *ret_part)
{
    const char *at = *reference;

    if (at == NULL || *at == '\0' || *at == '>') {
        return false;
    }
    *ret_part = (Part){ .at = at, .length = strcspn(at, ",>") };
    at += ret_part->length;
    *reference = at + (*at == ',');
    return true;
}

void FactNamesAdd(FactNames *names, const char *name)
{
    if (name != NULL && names->count < FACT_MAX_NAMES) {
        names->names[names->count++] = name;
    }
}

static void add_literal(FactNames *names, Part part)
{
    const size_t length = part.length - 2; /* without its quotes */
    char *copy = names->literals + names->used;

    if (part.length > 2 && names->used + length < sizeof names->literals) {
        memcpy(copy, part.at + 1, length);
        copy[length] = '\0';
        names->used += length + 1;
        FactNamesAdd(names, copy);
    }
}

/* Use of the names that a path leads to: they are collected, or one is sought. */
typedef struct Search {
    FactNames *names;   /* NULL: `wanted` is sought */
    const char *wanted; /* NULL: all are collected */
} Search;

/* True ends the search. */
static bool visit(const Search *search, const char *name)
{
    if (search->names == NULL) {
        return strcmp(name, search->wanted) == 0;
    }
    FactNamesAdd(search->names, name);
    return false;
}

static bool follow(const OpprofFact *fact, Part path, const Search *search);

/* Into every member and element, or to the names of all members, where the path ends. */
static bool follow_all(const OpprofFact *fact, Part rest, bool is_last, const Search *search)
{
    bool is_done = false;
    const char *name;
    const OpprofFact *member;
    OpprofFactWalk walk = { 0 };

    for (size_t i = 0; !is_done && i < OpprofFactCount(fact); i++) {
        is_done = follow(OpprofFactAt(fact, i), rest, search);
    }
    while (!is_done && OpprofFactGetKind(fact) == OPPROF_FACT_OBJECT &&
           OpprofFactNext(fact, &walk, &name, &member)) {
        is_done = is_last ? visit(search, name) : follow(member, rest, search);
    }
    return is_done;
}

/* Names that a path leads to: keys of an object, texts of an array, or a text. "*" stands for every
 * member and element. */
static bool follow(const OpprofFact *fact, Part path, const Search *search)
{
    const char *dot = memchr(path.at, '.', path.length);
    const size_t length = dot == NULL ? path.length : (size_t) (dot - path.at);
    const size_t taken = length + (dot != NULL);
    const Part rest = { path.at + taken, path.length - taken };
    char step[FACT_MAX_PLACE];

    if (path.length == 0 && OpprofFactText(fact) != NULL) {
        return visit(search, OpprofFactText(fact));
    }
    if (path.length == 0 && search->names == NULL &&
        OpprofFactGetKind(fact) == OPPROF_FACT_OBJECT) { /* many names, of which one is sought */
        return !OpprofJsonIsComment(search->wanted) &&
               OpprofFactMember(fact, search->wanted) != NULL;
    }
    if (path.length == 0 || (length == 1 && *path.at == '*')) {
        return follow_all(fact, rest, path.length == 0, search);
    }
    snprintf(step, sizeof step, "%.*s", (int) length, path.at);
    fact = OpprofFactMember(fact, step);
    return fact != NULL && follow(fact, rest, search);
}

/* From the chip's facts; a path that begins with a dot from all objects around the value. */
static bool follow_from(const FactChecker *checker, const FactLocation *location, Part path,
                        const Search *search)
{
    const Part inner = { path.at + 1, path.length - 1 };
    bool is_done = false;

    if (*path.at != '.') {
        return follow(OpprofChipFact(checker->chip, ""), path, search);
    }
    for (const OpprofMetricScope *scope = location->scope; !is_done && scope != NULL;
         scope = scope->outer) {
        is_done = follow(scope->members, inner, search);
    }
    return is_done;
}

void FactNamesOf(const FactChecker *checker, const FactLocation *location, const char *from,
                 FactNames *names)
{
    const Search search = { .names = names };
    Part part;

    while (next_part(&from, &part)) {
        if (*part.at == '\'') {
            add_literal(names, part);
        } else {
            follow_from(checker, location, part, &search);
        }
    }
}

bool FactNamesHave(const FactChecker *checker, const FactLocation *location, const char *from,
                   const char *wanted)
{
    const Search search = { .wanted = wanted };
    const size_t length = strlen(wanted);
    bool is_it = false;
    Part part;

    while (!is_it && next_part(&from, &part)) {
        is_it = *part.at == '\''
                    ? part.length == length + 2 && strncmp(part.at + 1, wanted, length) == 0
                    : follow_from(checker, location, part, &search);
    }
    return is_it;
}

void FactNamesRefuse(FactChecker *checker, const FactLocation *location, const char *from,
                     const char *name)
{
    FactNames names;

    names.count = 0;
    names.used = 0;
    FactNamesOf(checker, location, from, &names);
    FactLocationRefuseName(checker, location, "there is no", name, &names);
}
