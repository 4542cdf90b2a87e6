/* SPDX-License-Identifier: Apache-2.0 */
#ifndef RUN_MESSAGES_H
#define RUN_MESSAGES_H

#include <opprof/map.h>
#include <stdbool.h>
#include <stdint.h>

#define STAGE_MAX_MESSAGES 1000u

/* A text, and how many others are made of the same format: they are of one kind. */
typedef struct StageMessage {
    const char *text; /* of `texts` below */
    uint32_t first;   /* index of the first of its kind */
    uint64_t more;    /* of the first: others of its kind */
    uint64_t dropped; /* of these, not kept */
} StageMessage;

/* Messages of a stage that go into the run record. Zeroed memory holds none. */
typedef struct StageMessages {
    StageMessage *list;
    uint32_t count;
    uint32_t capacity;
    uint64_t dropped;      /* not kept: too many, or no memory */
    OpprofTextMap texts;   /* text: index */
    OpprofTextMap formats; /* format: index of the first of its kind */
} StageMessages;

/* Keep one copy of each text. Returns true for the first of its kind. */
bool MessagesKeep(StageMessages *messages, const char *format, const char *text);

/* How many others of its kind there are after message `index`, the first; 0 for others. */
uint64_t MessagesAlike(const StageMessages *messages, uint32_t index);

/* True if the message is not the first of its kind, whose MessagesAlike counts it. */
bool MessagesAreCounted(const StageMessages *messages, uint32_t index);

/*
 * A message with the number of others of its kind and how these differ from it: "Cannot read 'a'
 * (and 2 more like this): 'b'; 'c'". For free(). NULL without memory.
 */
char *MessagesLine(const StageMessages *messages, uint32_t index);

/* Those that were neither kept nor counted by MessagesAlike. */
uint64_t MessagesLost(const StageMessages *messages);

/* Put them in the order of their texts, whichever thread was first. Nothing
 * may be kept afterwards. */
void MessagesSort(StageMessages *messages);

void MessagesFinish(StageMessages *messages);

#endif
