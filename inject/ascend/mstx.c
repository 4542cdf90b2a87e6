/* SPDX-License-Identifier: Apache-2.0 */
/* mstx ranges: which ones are open on a thread. Tested by tests/refchip/test_injection.sh. */
#include "inject/ascend/range.h"
#include "refchip/mstx_abi.h"
#include <ctype.h>
#include <stdatomic.h>
#include <string.h>

#define MOST_OPEN 64u
#define MOST_MESSAGE 1024u
#define TOOL_ID 0x1001u

typedef struct Range {
    uint64_t id; /* 0: free */
    char message[MOST_MESSAGE];
} Range;

/* The open ranges of a thread. */
typedef struct Ranges {
    Range list[MOST_OPEN];
    uint32_t open;
} Ranges;

static atomic_ullong next_id = 1;

static bool is_message(const char *message)
{
    size_t length = message == NULL ? 0 : strnlen(message, MOST_MESSAGE);

    if (length == 0 || length == MOST_MESSAGE) {
        return false;
    }
    while (length > 0) {
        const unsigned char c = (unsigned char) message[--length];

        if (!isalnum(c) && c != '_') {
            return false;
        }
    }
    return true;
}

static uint64_t start_range(const char *message, void *stream)
{
    Ranges *ranges = is_message(message) ? CallRoom(CALL_RANGES, sizeof *ranges) : NULL;

    (void) stream;
    for (uint32_t i = 0; ranges != NULL && i < MOST_OPEN; i++) {
        Range *range = &ranges->list[i];

        if (range->id == 0) {
            range->id = atomic_fetch_add(&next_id, 1);
            memcpy(range->message, message, strlen(message) + 1);
            ranges->open++;
            return range->id;
        }
    }
    return 0;
}

static void end_range(uint64_t id)
{
    Ranges *mine = CallRoomIfThere(CALL_RANGES);

    for (uint32_t i = 0; mine != NULL && i < MOST_OPEN && id != 0; i++) {
        if (mine->list[i].id == id) {
            mine->list[i].id = 0;
            mine->open--;
            RangeEnd(id);
            return;
        }
    }
}

static void tool_id(uint64_t *id)
{
    *id = TOOL_ID;
}

/* ---- domains: their ranges count as all others ---- */

static void *create_domain(const char *name)
{
    static char domain;

    return name == NULL ? NULL : &domain;
}

static void destroy_domain(void *domain)
{
    (void) domain;
}

static uint64_t start_in_domain(void *domain, const char *message, void *stream)
{
    (void) domain;
    return start_range(message, stream);
}

static void end_in_domain(void *domain, uint64_t id)
{
    (void) domain;
    end_range(id);
}

/* Whether the list, with '|' between, has the message. */
static bool has_message(const char *list, const char *message)
{
    const size_t length = strlen(message);

    while (*list != '\0') {
        const size_t entry = strcspn(list, "|");

        if (entry == length && memcmp(list, message, length) == 0) {
            return true;
        }
        list += entry + (list[entry] == '|');
    }
    return false;
}

bool MstxIsOpen(const char *include)
{
    const Ranges *mine = CallRoomIfThere(CALL_RANGES);

    if (mine == NULL || mine->open == 0 || *include == '\0') {
        return mine != NULL && mine->open > 0;
    }
    for (uint32_t i = 0; i < MOST_OPEN; i++) {
        if (mine->list[i].id != 0 && has_message(include, mine->list[i].message)) {
            return true;
        }
    }
    return false;
}

uint64_t MstxFirst(const char *include)
{
    const Ranges *mine = CallRoomIfThere(CALL_RANGES);
    uint64_t first = 0;

    for (uint32_t i = 0; mine != NULL && i < MOST_OPEN; i++) {
        const Range *range = &mine->list[i];

        if (range->id != 0 && (first == 0 || range->id < first) &&
            (*include == '\0' || has_message(include, range->message))) {
            first = range->id;
        }
    }
    return first;
}

static void fill_domains(MstxGetTable *get_table)
{
    void **table = NULL;
    unsigned size = 0;

    if (get_table(MSTX_DOMAIN, &table, &size) == 0 && table != NULL && size > DOMAIN_END) {
        *(MstxDomainCreate **) table[DOMAIN_CREATE] = create_domain;
        *(MstxDomainDestroy **) table[DOMAIN_DESTROY] = destroy_domain;
        *(MstxDomainStart **) table[DOMAIN_START] = start_in_domain;
        *(MstxDomainEnd **) table[DOMAIN_END] = end_in_domain;
    }
}

int InitInjectionMstx(MstxGetTable *get_table)
{
    void **table = NULL;
    unsigned size = 0;

    if (get_table == NULL || get_table(MSTX_CORE, &table, &size) != 0 || table == NULL ||
        size <= MSTX_END) {
        return 1;
    }
    *(MstxStart **) table[MSTX_START] = start_range;
    *(MstxEnd **) table[MSTX_END] = end_range;
    if (size == MSTX_CORE_SIZE) {
        *(MstxTool **) table[MSTX_TOOL] = tool_id;
    }
    fill_domains(get_table);
    return 0;
}
