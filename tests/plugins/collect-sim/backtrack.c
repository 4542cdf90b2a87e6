/* SPDX-License-Identifier: Apache-2.0 */
/* Matches forms of lines in the plainest way, by trying everything: what the compiled forms are
 * compared with. */
#include "tests/plugins/collect-sim/backtrack.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef enum NodeKind {
    NODE_SET,   /* one byte of a set */
    NODE_GROUP, /* alternatives */
    NODE_END    /* everything has matched */
} NodeKind;

/* One item of a sequence, with how often it may come. */
typedef struct Node {
    NodeKind kind;
    int least;
    int most;
    int capture; /* -1: none */
    bool set[256];
    struct Node *options[8]; /* heads of sequences */
    int option_count;
    struct Node *next;
} Node;

struct Backtrack {
    Node *all[256];
    int count;
    int captures;
    Node *start;
    const char *at;
};

static void fail(const char *what)
{
    fprintf(stderr, "bad expression: %s\n", what);
    abort();
}

static Node *new_node(Backtrack *self, NodeKind kind)
{
    Node *node = calloc(1, sizeof *node);

    if (node == NULL || self->count == 256) {
        fail("too large");
    }
    node->kind = kind;
    node->least = node->most = 1;
    node->capture = -1;
    self->all[self->count++] = node;
    return node;
}

static void add_escape(Node *node, char byte)
{
    if (byte == 's') {
        for (const char *space = " \t\n\v\f\r"; *space != '\0'; space++) {
            node->set[(unsigned char) *space] = true;
        }
    } else if (byte == 'd') {
        for (int digit = '0'; digit <= '9'; digit++) {
            node->set[digit] = true;
        }
    } else {
        node->set[(unsigned char) byte] = true;
    }
}

static void parse_class(Backtrack *self, Node *node)
{
    for (self->at++; *self->at != ']'; self->at++) {
        if (*self->at == '\0') {
            fail("class without end");
        }
        if (*self->at == '\\') {
            add_escape(node, *++self->at);
        } else if (self->at[1] == '-' && self->at[2] != ']') {
            for (int byte = self->at[0]; byte <= self->at[2]; byte++) {
                node->set[byte] = true;
            }
            self->at += 2;
        } else {
            node->set[(unsigned char) *self->at] = true;
        }
    }
    self->at++;
}

static Node *parse_sequence(Backtrack *self);

static Node *parse_group(Backtrack *self)
{
    Node *node = new_node(self, NODE_GROUP);

    self->at++;
    if (strncmp(self->at, "?:", 2) == 0) {
        self->at += 2;
    } else {
        node->capture = self->captures++;
    }
    for (;;) {
        if (node->option_count == 8) {
            fail("too many alternatives");
        }
        node->options[node->option_count++] = parse_sequence(self);
        if (*self->at != '|') {
            break;
        }
        self->at++;
    }
    if (*self->at++ != ')') {
        fail("group without end");
    }
    return node;
}

static Node *parse_item(Backtrack *self)
{
    Node *node;

    if (*self->at == '(') {
        return parse_group(self);
    }
    node = new_node(self, NODE_SET);
    if (*self->at == '[') {
        parse_class(self, node);
    } else if (*self->at == '.') {
        memset(node->set, true, sizeof node->set);
        node->set['\n'] = node->set['\r'] = false;
        self->at++;
    } else if (*self->at == '\\') {
        add_escape(node, self->at[1]);
        self->at += 2;
    } else {
        node->set[(unsigned char) *self->at++] = true;
    }
    return node;
}

static void parse_repeat(Backtrack *self, Node *node)
{
    int used = 0;

    if (*self->at == '?') {
        node->least = 0;
        self->at++;
    } else if (*self->at == '*' || *self->at == '+') {
        node->least = *self->at == '+';
        node->most = 1 << 30;
        self->at++;
    } else if (*self->at == '{') {
        if (sscanf(self->at, "{%d,%d}%n", &node->least, &node->most, &used) != 2 || used == 0) {
            fail("repeat");
        }
        self->at += used;
    }
}

static Node *parse_sequence(Backtrack *self)
{
    Node *first = NULL;
    Node **link = &first;

    while (*self->at != '\0' && *self->at != '|' && *self->at != ')') {
        *link = parse_item(self);
        parse_repeat(self, *link);
        link = &(*link)->next;
    }
    *link = new_node(self, NODE_END);
    return first;
}

Backtrack *BacktrackCompile(const char *expression)
{
    Backtrack *self = calloc(1, sizeof *self);

    if (self == NULL) {
        fail("no memory");
    }
    self->at = expression;
    self->start = parse_sequence(self);
    if (*self->at != '\0') {
        fail(self->at);
    }
    return self;
}

void BacktrackFree(Backtrack *expression)
{
    for (int i = 0; expression != NULL && i < expression->count; i++) {
        free(expression->all[i]);
    }
    free(expression);
}

/* What comes after a group: its next repetition, or what follows it. */
typedef struct After {
    const Node *group;
    int done; /* repetitions so far, with the one that runs */
    const char *from;
    const struct After *outer;
} After;

typedef struct Run {
    const char *end;
    BacktrackMatch *match;
} Run;

static bool match_node(Run *run, const Node *node, const char *at, const After *after);

static bool match_group(Run *run, const Node *node, const char *at, int done, const After *after)
{
    if (done < node->most) {
        const After inner = { .group = node, .done = done + 1, .from = at, .outer = after };

        for (int i = 0; i < node->option_count; i++) {
            const BacktrackMatch saved = *run->match;

            if (match_node(run, node->options[i], at, &inner)) {
                return true;
            }
            *run->match = saved;
        }
    }
    return done >= node->least && match_node(run, node->next, at, after);
}

static bool match_end(Run *run, const char *at, const After *after)
{
    if (after == NULL) {
        return at == run->end;
    }
    if (after->group->capture >= 0) {
        run->match->from[after->group->capture] = after->from;
        run->match->to[after->group->capture] = at;
    }
    return match_group(run, after->group, at, after->done, after->outer);
}

static bool match_node(Run *run, const Node *node, const char *at, const After *after)
{
    int count = 0;

    if (node->kind == NODE_END) {
        return match_end(run, at, after);
    }
    if (node->kind == NODE_GROUP) {
        return match_group(run, node, at, 0, after);
    }
    while (count < node->most && at + count < run->end && node->set[(unsigned char) at[count]]) {
        count++;
    }
    for (; count >= node->least; count--) {
        if (match_node(run, node->next, at + count, after)) {
            return true;
        }
    }
    return false;
}

bool BacktrackMatches(const Backtrack *expression, const char *text, size_t length,
                      BacktrackMatch *ret_match)
{
    Run run = { .end = text + length, .match = ret_match };

    memset(ret_match, 0, sizeof *ret_match);
    return match_node(&run, expression->start, text, NULL);
}
