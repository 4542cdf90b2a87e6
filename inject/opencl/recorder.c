/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The way to the collector: records gather here, until they are sent.
 * Tested by tests/plugins/collect-opencl/test_opencl.sh.
 */
#include "inject/opencl/opencl.h"

#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#define MESSAGE_BYTES (512u << 10) /* as many records go into a message */
#define NAME_ROOM 1024u            /* different addresses of names, to begin with */

typedef struct Bytes {
    char *data;
    size_t used;
    size_t room;
} Bytes;

typedef struct NameEntry {
    char *text; /* owned */
    uint64_t hash;
    uint32_t id;
} NameEntry;

pthread_mutex_t recorder_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t sending = PTHREAD_MUTEX_INITIALIZER; /* guards the order of messages */
static Bytes bytes;
static Bytes spare; /* empty, with room */
static NameEntry *names;
static uint32_t name_room, name_count;
static uint64_t lost; /* records */
static bool has_begun;
static atomic_bool has_opened;
static atomic_ullong numbers;
static _Thread_local uint32_t thread_number __attribute__((tls_model("initial-exec")));

uint64_t Now(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC_RAW, &now);
    return (uint64_t) now.tv_sec * 1000000000u + (uint64_t) now.tv_nsec;
}

uint32_t ThreadNumber(void)
{
    if (thread_number == 0) {
        thread_number = (uint32_t) syscall(SYS_gettid);
    }
    return thread_number;
}

uint64_t NextNumber(void)
{
    return atomic_fetch_add_explicit(&numbers, 1, memory_order_relaxed) + 1;
}

void RecorderLock(void)
{
    pthread_mutex_lock(&recorder_lock);
}

void RecorderUnlock(void)
{
    pthread_mutex_unlock(&recorder_lock);
}

/* ---- records ---- */

static bool make_room(size_t more)
{
    size_t size = bytes.room == 0 ? MESSAGE_BYTES : bytes.room;
    char *data;

    while (size - bytes.used < more) {
        size *= 2;
    }
    if (size == bytes.room) {
        return true;
    }
    data = realloc(bytes.data, size);
    if (data == NULL) {
        return false;
    }
    bytes.data = data;
    bytes.room = size;
    return true;
}

static void put_begin(void)
{
    struct timespec wall;
    OpprofOpenclBegin begin = { .host = Now() };

    clock_gettime(CLOCK_REALTIME, &wall);
    begin.wall = (int64_t) wall.tv_sec * 1000000000 + wall.tv_nsec;
    has_begun = true;
    RecorderPut(&begin, OPPROF_OPENCL_BEGIN, sizeof begin, NULL, 0);
}

void RecorderPut(void *record, uint16_t kind, size_t size, const char *text, size_t length)
{
    const size_t padded = OpprofOpenclPadded(size + length);
    const OpprofOpenclHead head = { .kind = kind, .size = (uint32_t) (size + length) };

    if (!has_begun) {
        put_begin();
    }
    if (!make_room(padded)) {
        lost++;
        return;
    }
    memcpy(record, &head, sizeof head);
    memcpy(bytes.data + bytes.used, record, size);
    memset(bytes.data + bytes.used + size, 0, padded - size);
    if (length > 0) {
        memcpy(bytes.data + bytes.used + size, text, length);
    }
    bytes.used += padded;
}

/* ---- names ---- */

static uint64_t hash_of(const char *text)
{
    uint64_t hash = UINT64_C(14695981039346656037);

    for (; *text != '\0'; text++) {
        hash = (hash ^ (unsigned char) *text) * UINT64_C(1099511628211);
    }
    return hash;
}

static NameEntry *place_of(NameEntry *list, uint32_t size, const char *text, uint64_t hash)
{
    uint32_t i = (uint32_t) hash & (size - 1);

    while (list[i].text != NULL && (list[i].hash != hash || strcmp(list[i].text, text) != 0)) {
        i = (i + 1) & (size - 1);
    }
    return &list[i];
}

static bool grow_names(void)
{
    const uint32_t size = name_room == 0 ? NAME_ROOM : name_room * 2;
    NameEntry *list = calloc(size, sizeof *list);

    if (list == NULL) {
        return false;
    }
    for (uint32_t i = 0; i < name_room; i++) {
        if (names[i].text != NULL) {
            *place_of(list, size, names[i].text, names[i].hash) = names[i];
        }
    }
    free(names);
    names = list;
    name_room = size;
    return true;
}

uint32_t RecorderName(const char *text)
{
    const uint64_t hash = hash_of(text);
    NameEntry *entry;

    if ((name_count + 1) * 2 > name_room && !grow_names()) {
        return 0;
    }
    entry = place_of(names, name_room, text, hash);
    if (entry->text == NULL) {
        OpprofOpenclName name = { .id = name_count + 1 };

        entry->text = strdup(text);
        if (entry->text == NULL) {
            return 0;
        }
        entry->hash = hash;
        entry->id = ++name_count;
        RecorderPut(&name, OPPROF_OPENCL_NAME, sizeof name, text,
                    strnlen(text, OPPROF_LIVE_MOST_NAME));
    }
    return entry->id;
}

/* ---- sending ---- */

/* Whole records, as many as go into a message. */
static size_t piece_of(const Bytes *all, size_t at)
{
    size_t end = at;

    while (end < all->used) {
        OpprofOpenclHead head;
        size_t size;

        memcpy(&head, all->data + end, sizeof head);
        size = OpprofOpenclPadded(head.size);
        if (end > at && end - at + size > MESSAGE_BYTES) {
            break;
        }
        end += size;
    }
    return end - at;
}

void RecorderSend(void)
{
    Bytes taken;

    pthread_mutex_lock(&sending);
    RecorderLock();
    taken = bytes;
    bytes = spare;
    spare = (Bytes){ .data = NULL };
    RecorderUnlock();
    for (size_t at = 0; at < taken.used;) {
        const size_t size = piece_of(&taken, at);

        if (!LinkSend(OPPROF_LIVE_OPENCL, taken.data + at, size, NULL, 0)) {
            break;
        }
        at += size;
    }
    taken.used = 0;
    RecorderLock();
    spare = taken;
    RecorderUnlock();
    pthread_mutex_unlock(&sending);
}

size_t RecorderBytes(void)
{
    return bytes.used;
}

uint64_t RecorderLost(void)
{
    return lost;
}

/* ---- life ---- */

bool RecorderHasOpened(void)
{
    return atomic_load(&has_opened) && LinkIsWanted();
}

bool RecorderIsOn(void)
{
    const OpprofLiveWelcome *welcome;

    if (!LinkIsWanted()) {
        return false;
    }
    /* Once it is open, nobody waits for a message that is being sent. */
    if (!atomic_load_explicit(&has_opened, memory_order_relaxed)) {
        atomic_store(&has_opened, LinkOpen(NULL, false, &welcome));
    }
    return atomic_load_explicit(&has_opened, memory_order_relaxed);
}

/* A copy of the process begins anew: the parent sends what was its own. */
static void forget(void)
{
    const pthread_mutex_t fresh = PTHREAD_MUTEX_INITIALIZER;

    memcpy(&recorder_lock, &fresh, sizeof recorder_lock);
    memcpy(&sending, &fresh, sizeof sending);
    bytes = spare = (Bytes){ .data = NULL };
    names = NULL;
    name_room = name_count = 0;
    lost = 0;
    has_begun = false;
    atomic_store(&has_opened, false);
    thread_number = 0;
}
ON_FORK(forget)
