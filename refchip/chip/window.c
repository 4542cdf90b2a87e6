/* SPDX-License-Identifier: Apache-2.0 */
/* Mapped registers and the monitors that they program. Tested by tests/refchip/test_monitors.sh. */
#include "window.h"
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#define WORD 4u
#define MOST_CYCLES 0xffffu /* between two words */
#define STATE (15u << 28)
#define STAMP (14u << 28)

typedef struct Window {
    unsigned char *bytes; /* NULL: never mapped */
    uint32_t maps;
    uint64_t positions[WINDOW_SUB_CORES]; /* in the buffers, in bytes */
} Window;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* guards all but registers */
static Window windows[REFCHIP_MOST_DEVICES][REFCHIP_MOST_CORES];

static Window *window_of(uint32_t device, uint32_t core)
{
    const RefchipConfig *config = RefchipConfigGet();

    return device < config->devices && core < config->windows && core < REFCHIP_MOST_CORES
               ? &windows[device][core]
               : NULL;
}

void *RefchipWindowMap(uint32_t device, uint32_t core)
{
    Window *window = window_of(device, core);
    void *bytes = NULL;

    if (window == NULL || RefchipConfigGet()->fail_map == core + 1) {
        return NULL;
    }
    pthread_mutex_lock(&lock);
    if (window->bytes == NULL) {
        bytes = mmap(NULL, WINDOW_BYTES, PROT_READ | PROT_WRITE,
                     MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        window->bytes = bytes == MAP_FAILED ? NULL : bytes;
    }
    bytes = window->bytes;
    window->maps += bytes != NULL;
    pthread_mutex_unlock(&lock);
    return bytes;
}

bool RefchipWindowUnmap(uint32_t device, uint32_t core)
{
    Window *window = window_of(device, core);
    bool is_good = false;

    if (window != NULL) {
        pthread_mutex_lock(&lock);
        is_good = window->maps > 0;
        window->maps -= is_good;
        pthread_mutex_unlock(&lock);
    }
    return is_good;
}

/* ---- registers ---- */

static _Atomic uint32_t *register_at(const Window *window, uint32_t sub_core, uint32_t offset)
{
    return (_Atomic uint32_t *) (void *) (window->bytes + (size_t) sub_core * WINDOW_STRIDE +
                                          offset);
}

static uint32_t load(const Window *window, uint32_t sub_core, uint32_t offset)
{
    return atomic_load_explicit(register_at(window, sub_core, offset), memory_order_acquire);
}

static void store(const Window *window, uint32_t sub_core, uint32_t offset, uint32_t value)
{
    atomic_store_explicit(register_at(window, sub_core, offset), value, memory_order_release);
}

bool WindowIsOn(uint32_t device, uint32_t core, uint32_t sub_core)
{
    const Window *window = window_of(device, core);
    bool is_on = false;

    if (window != NULL && sub_core < WINDOW_SUB_CORES) {
        pthread_mutex_lock(&lock);
        is_on = window->bytes != NULL && (load(window, sub_core, WINDOW_ENABLE) & 1) != 0;
        pthread_mutex_unlock(&lock);
    }
    return is_on && RefchipConfigGet()->silent_monitor != core + 1;
}

/* ---- words ---- */

/* A monitor while it writes. */
typedef struct Writer {
    Window *window;
    uint32_t sub_core;
    unsigned char *buffer; /* NULL: it is not in the device's memory */
    uint64_t length;
    bool is_stuck;    /* its pointer stands still */
    WindowList *list; /* instead of a window; NULL: none */
} Writer;

static void append(WindowList *list, uint32_t word)
{
    if (list->count == list->room) {
        const size_t room = list->room == 0 ? 1024 : 2 * list->room;
        uint32_t *words = reallocarray(list->words, room, sizeof *words);

        if (words == NULL) {
            return;
        }
        list->words = words;
        list->room = room;
    }
    list->words[list->count++] = word;
}

static Writer begin(Window *window, const RefchipLaunch *launch, uint32_t core, uint32_t sub_core)
{
    const uint64_t address = (uint64_t) load(window, sub_core, WINDOW_BASE_HIGH) << 32 |
                             load(window, sub_core, WINDOW_BASE_LOW);
    Writer writer = { .window = window,
                      .sub_core = sub_core,
                      .length = load(window, sub_core, WINDOW_LENGTH) / WORD * WORD,
                      .is_stuck = RefchipConfigGet()->stuck_monitor == core + 1 };

    if (writer.length > 0 && launch->is_valid(launch->context, address, writer.length)) {
        writer.buffer = (unsigned char *) (uintptr_t) address;
    }
    if ((load(window, sub_core, WINDOW_CLEAR) & 1) != 0) {
        store(window, sub_core, WINDOW_CLEAR, 0);
        store(window, sub_core, WINDOW_POINTER, 0);
        window->positions[sub_core] = 0;
    }
    return writer;
}

/* Readers that see the pointer see the word. */
static void put(Writer *writer, uint32_t word)
{
    uint64_t *position;

    if (writer->list != NULL) {
        append(writer->list, word);
    }
    if (writer->buffer == NULL) {
        return;
    }
    position = &writer->window->positions[writer->sub_core];
    __atomic_store_n((uint32_t *) (void *) (writer->buffer + *position), word, __ATOMIC_RELEASE);
    *position = (*position + WORD) % writer->length;
    if (!writer->is_stuck) {
        store(writer->window, writer->sub_core, WINDOW_POINTER, (uint32_t) (*position / WORD));
    }
    store(writer->window, writer->sub_core, WINDOW_COUNT,
          load(writer->window, writer->sub_core, WINDOW_COUNT) + 1);
}

static void put_stamp(Writer *writer, uint64_t tick, uint32_t block)
{
    for (uint32_t i = 0; i < 4; i++) {
        const uint32_t part = i == 0 ? block & 0xff : i == 1 ? block >> 8 & 0xff : 0;

        put(writer, STAMP | i << 24 | part << 16 | (uint32_t) (tick >> 16 * i & 0xffff));
    }
}

/* A word this many cycles after the one before; longer waits take several that say the same. */
static void put_after(Writer *writer, uint64_t cycles, uint32_t mask, uint32_t word)
{
    for (; cycles > MOST_CYCLES; cycles -= MOST_CYCLES) {
        put(writer, STATE | mask << 16 | MOST_CYCLES);
    }
    put(writer, word | (uint32_t) cycles);
}

/* Of marks on a pipe. */
static uint32_t control_of(uint32_t pipe)
{
    return pipe == 6 ? 10 : pipe;
}

static int by_time(const void *left, const void *right)
{
    const WindowEvent *a = left;
    const WindowEvent *b = right;

    return (a->time > b->time) - (a->time < b->time);
}

/* Events of one cycle make one state word, if anything is different after
 * them; marks come first. */
static void put_events(Writer *writer, const WindowTrace *trace, uint64_t start)
{
    uint32_t busy[7] = { 0 };
    uint32_t mask = 0;
    uint64_t last = start;

    for (size_t i = 0, end; i < trace->count; i = end) {
        const uint64_t time = trace->events[i].time;
        uint32_t now = 0;

        for (end = i; end < trace->count && trace->events[end].time == time; end++) {
            const WindowEvent *event = &trace->events[end];

            if (event->mark != 0) {
                put_after(writer, time - last, mask,
                          control_of(event->pipe) << 28 | (uint32_t) event->mark << 16);
                last = time;
            } else {
                busy[event->pipe] += event->is_end ? UINT32_MAX : 1;
            }
        }
        for (uint32_t pipe = 0; pipe < 7; pipe++) {
            now |= (uint32_t) (busy[pipe] > 0) << pipe;
        }
        if (now != mask) {
            put_after(writer, time - last, mask, STATE | now << 16);
            last = time;
            mask = now;
        }
    }
}

void WindowNote(WindowTrace *trace, const WindowEvent *event)
{
    if (trace->count == trace->room) {
        const size_t room = trace->room == 0 ? 1024 : 2 * trace->room;
        WindowEvent *events = reallocarray(trace->events, room, sizeof *events);

        if (events == NULL) {
            return;
        }
        trace->events = events;
        trace->room = room;
    }
    trace->events[trace->count++] = *event;
}

static void put_block(Writer *writer, WindowTrace *trace, uint32_t block, uint64_t start)
{
    const RefchipConfig *config = RefchipConfigGet();

    qsort(trace->events, trace->count, sizeof *trace->events, by_time);
    put_stamp(writer, trace->tick + start * config->tick_khz / 1000 / config->mhz, block);
    put_events(writer, trace, start);
}

void WindowListWords(WindowTrace *trace, uint32_t block, uint64_t start, WindowList *list)
{
    Writer writer = { .list = list };

    put_block(&writer, trace, block, start);
}

void WindowWrite(WindowTrace *trace, const RefchipLaunch *launch, uint32_t core, uint32_t sub_core,
                 uint32_t block, uint64_t start)
{
    Window *window = window_of(launch->device, core);
    Writer writer;

    pthread_mutex_lock(&lock);
    writer = begin(window, launch, core, sub_core);
    put_block(&writer, trace, block, start);
    pthread_mutex_unlock(&lock);
}
