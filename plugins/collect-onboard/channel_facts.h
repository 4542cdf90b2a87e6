/* SPDX-License-Identifier: Apache-2.0 */
#ifndef COLLECT_ONBOARD_CHANNEL_FACTS_H
#define COLLECT_ONBOARD_CHANNEL_FACTS_H

#include <opprof/kit/facts.h>

#define CHANNEL_MOST_EVENTS 64u

/* A word of a channel's user data. */
typedef enum ChannelWordName {
    CHANNEL_CUBE16, /* events of the round, in 16 bits each */
    CHANNEL_VECTOR16,
    CHANNEL_CORE32, /* in 32 bits each */
    CHANNEL_L2,
    CHANNEL_TAG,
    CHANNEL_MODE = CHANNEL_CUBE16, /* the words of a trace have their own names */
    CHANNEL_LOSS = CHANNEL_VECTOR16,
    CHANNEL_NUMBER = UINT8_MAX /* `number` itself */
} ChannelWordName;

typedef struct ChannelWord {
    uint32_t number;
    uint8_t name; /* ChannelWordName */
} ChannelWord;

/* How a profiling channel is programmed. */
typedef struct ChannelFacts {
    const OpprofFact *fact; /* NULL: the chip file does not state it */
    uint32_t channel;
    uint32_t kind;
    uint32_t period;
    uint32_t slots; /* events in its form */
    uint32_t kernel_scale_tag;
    uint32_t *events;
    uint32_t event_count;
    ChannelWord *words;
    uint32_t word_count;
    bool is_joint;
    bool has_own_pass;
} ChannelFacts;

/* Channels that trace the pipes of some cores. */
typedef struct TraceFacts {
    const OpprofFact *fact; /* NULL: as above */
    uint32_t channel;       /* the first one */
    uint32_t count;
    uint32_t loss_since; /* version of the interface that reports lost data */
    uint32_t chunk;      /* bytes */
    ChannelWord *words;
    uint32_t word_count;
} TraceFacts;

typedef struct ChannelsFacts {
    ChannelFacts counters;
    ChannelFacts tasks;
    ChannelFacts aicpu;
    ChannelFacts l2;
    TraceFacts trace;
    uint64_t command;
    uint64_t clear_bytes; /* of the cache; 0: unknown */
} ChannelsFacts;

extern const OpprofFactTable channels_table; /* ChannelsFacts: channels */

/* What the chip file may state of devices: `channels` and `perfmon`. */
extern const OpprofChipTable onboard_chip_tables[];

#endif
