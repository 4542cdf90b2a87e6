/* SPDX-License-Identifier: Apache-2.0 */
/* Reads the events of one text with several threads. Tested by
 * tests/plugins/collect-kineto/test_parallel_reader.sh. */
#include "collect-kineto/formats/parallel_reader.h"

#include "collect-kineto/formats/known_text.h"
#include "collect-kineto/text/resume.h"
#include "collect-kineto/text/scan.h"
#include "collect-kineto/formats/text_window.h"

#include <opprof/grow.h>

#include <pthread.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>

#define TAIL_BYTES ((size_t) 32 << 10) /* a place to cut is searched in these last bytes first */

typedef enum PieceState { PIECE_FREE, PIECE_FILLED, PIECE_BEING_READ, PIECE_READ } PieceState;

/* Text from the start of an element, or what seems to be one, and the events read from it. */
typedef struct Piece {
    char *text; /* room for a piece and SCAN_PADDING */
    size_t length;
    uint64_t offset; /* in the text */
    PieceState state;
    char *events;    /* one after the other, EventBytes of each */
    size_t capacity; /* bytes for them */
    size_t used;
    size_t taken;      /* bytes of those that the caller had */
    uint64_t elements; /* all events read, including those that do not matter */
    size_t read_to;    /* after the last of them */
    bool is_cut;       /* where to end it is decided */
    bool is_whole;     /* only blanks and a comma follow the last element */
    bool is_failed;    /* no memory */
    KnownTexts known;
} Piece;

struct ParallelReader {
    Source *source;
    const Vocabulary *vocabulary;
    size_t piece_bytes;
    Piece *in_hand;       /* of the caller */
    pthread_mutex_t lock; /* guards all below except the contents of pieces in use */
    pthread_cond_t moved;
    pthread_t *helpers;
    unsigned helper_count;
    Piece *pieces; /* a ring */
    uint32_t piece_count;
    uint64_t next_fill; /* numbers of pieces; i is at i % piece_count */
    uint64_t next_take;
    char *carry; /* text after the last piece that was filled */
    size_t carry_room;
    size_t carry_length;
    size_t carry_at;       /* how much of it was handed out */
    uint64_t carry_offset; /* of its first byte that was not handed out, in the text */
    bool is_filling;
    bool is_over;   /* the source has no more */
    bool is_active; /* between ParallelReaderBegin and the stop */
    bool is_leaving;
    unsigned busy;  /* helpers that are working */
    uint64_t texts; /* begun so far */
    int processor;  /* of the caller when it began; -1: unknown */
    unsigned begun; /* helpers that have seen the text */
    uint64_t elements;
    uint64_t done; /* of the source's file */
};

/* ---- cutting ---- */

/* Where the last element of the text may begin: only what follows it goes to the next piece. 0:
 * nowhere. */
static size_t find_cut(const char *text, size_t length, size_t from)
{
    const char *at = text + from;
    const char *found = NULL;

    while (ResumeFind(&at, text + length, false) == RESUME_HERE && *at == '{') {
        found = at;
        at++;
    }
    return found == NULL ? 0 : (size_t) (found - text);
}

static size_t cut_of(const char *text, size_t length)
{
    const size_t from = length > TAIL_BYTES ? length - TAIL_BYTES : 1;
    const size_t cut = length < 2 ? 0 : find_cut(text, length, from);

    return cut != 0 || from == 1 ? cut : find_cut(text, length, 1);
}

/* Text of the source after the carried text. Returns how much. */
static size_t read_more(ParallelReader *parallel, Piece *piece, bool *ret_is_over)
{
    const size_t before = piece->length;

    while (!*ret_is_over && piece->length < parallel->piece_bytes) {
        const size_t got = SourceRead(parallel->source, piece->text + piece->length,
                                      parallel->piece_bytes - piece->length);

        *ret_is_over = got == 0;
        piece->length += got;
    }
    return piece->length - before;
}

/* Reads more text into a piece that no other thread uses; what follows its cut is carried. False
 * without memory. */
static bool fill(ParallelReader *parallel, Piece *piece, bool *ret_is_over)
{
    const size_t left = parallel->carry_length - parallel->carry_at;
    size_t more;
    size_t cut;
    size_t tail;

    if (piece->text == NULL) {
        piece->text = calloc(1, parallel->piece_bytes + SCAN_PADDING);
    }
    if (piece->text == NULL) {
        return false;
    }
    piece->length = left < parallel->piece_bytes ? left : parallel->piece_bytes;
    memcpy(piece->text, parallel->carry + parallel->carry_at, piece->length);
    parallel->carry_at += piece->length;
    piece->offset = parallel->carry_offset;
    more = read_more(parallel, piece, ret_is_over);
    cut = *ret_is_over ? piece->length : cut_of(piece->text, piece->length);
    piece->is_cut = cut != 0;
    tail = cut == 0 ? 0 : piece->length - cut;
    if (more == 0) {
        parallel->carry_at -= tail;
    } else {
        memcpy(parallel->carry, piece->text + cut, tail);
        parallel->carry_at = 0;
        parallel->carry_length = tail;
    }
    piece->length -= tail;
    parallel->carry_offset = piece->offset + piece->length;
    memset(piece->text + piece->length, 0, SCAN_PADDING);
    return true;
}

/* ---- reading ---- */

/* After an element: true if another event follows in the piece. */
static bool find_event(Piece *piece, size_t *at)
{
    const char *end = piece->text + piece->length;
    const char *here = ScanBlanks(piece->text + *at, end);

    if (here < end && *here == ',') {
        here = ScanBlanks(here + 1, end);
    }
    piece->is_whole = here == end && piece->is_cut;
    *at = (size_t) (here - piece->text);
    return here < end && *here == '{';
}

/* Where the next wanted event is read to, so that it need not be copied. NULL without memory. */
static TraceEvent *next_event(Piece *piece)
{
    return OpprofGrow(&piece->events, &piece->capacity, piece->used + sizeof(TraceEvent), 1)
               ? (TraceEvent *) (void *) (piece->events + piece->used)
               : NULL;
}

/* Reads plain events, up to the first thing that is not one. */
static void read_piece(const Vocabulary *vocabulary, Piece *piece)
{
    const char *end = piece->text + piece->length;
    size_t at = 0;

    piece->used = 0;
    piece->taken = 0;
    piece->elements = 0;
    piece->read_to = 0;
    piece->is_failed = false;
    while (find_event(piece, &at)) {
        TraceEvent *event = next_event(piece);
        EventResult result;
        const char *after;

        if (event == NULL) {
            piece->is_failed = true;
            return;
        }
        result = EventRead(vocabulary, &piece->known, piece->text + at + 1, end, event, &after);
        if (result != EVENT_READ && result != EVENT_PASSED) {
            return;
        }
        event->at = piece->offset + at;
        if (result == EVENT_READ || event->use == USE_UNKNOWN || event->use == USE_UNEVALUATED) {
            event->phase = result == EVENT_READ ? event->phase : AHEAD_PASSED;
            piece->used += EventBytes(event);
        }
        piece->elements++;
        at = (size_t) (after - piece->text);
        piece->read_to = at;
    }
}

/* ---- threads ---- */

static Piece *piece_at(const ParallelReader *parallel, uint64_t number)
{
    return &parallel->pieces[number % parallel->piece_count];
}

/* With the lock held: fill the next piece, releasing the lock meanwhile. False if nothing is to be
 * filled now. */
static bool fill_one(ParallelReader *parallel)
{
    Piece *piece = piece_at(parallel, parallel->next_fill);
    bool is_over = false;
    bool is_good;

    if (parallel->is_filling || parallel->is_over ||
        parallel->next_fill - parallel->next_take == parallel->piece_count) {
        return false;
    }
    parallel->is_filling = true;
    pthread_mutex_unlock(&parallel->lock);
    is_good = fill(parallel, piece, &is_over);
    pthread_mutex_lock(&parallel->lock);
    parallel->is_filling = false;
    parallel->is_over = is_over || !is_good;
    parallel->done = SourceDone(parallel->source);
    if (is_good) {
        piece->state = PIECE_FILLED;
        parallel->next_fill++;
    }
    pthread_cond_broadcast(&parallel->moved);
    return true;
}

/* With the lock held: read the first unread piece. False if none. */
static bool read_one(ParallelReader *parallel)
{
    uint64_t number = parallel->next_take;
    Piece *piece;

    while (number < parallel->next_fill && piece_at(parallel, number)->state != PIECE_FILLED) {
        number++;
    }
    if (number == parallel->next_fill) {
        return false;
    }
    piece = piece_at(parallel, number);
    piece->state = PIECE_BEING_READ;
    pthread_mutex_unlock(&parallel->lock);
    read_piece(parallel->vocabulary, piece);
    pthread_mutex_lock(&parallel->lock);
    piece->state = PIECE_READ;
    pthread_cond_broadcast(&parallel->moved);
    return true;
}

/*
 * With the lock held: begin on another processor than the caller. A thread that is woken up stays
 * on its waker's for up to a tenth of a second, whether or not another is idle. It may be moved
 * again at once.
 */
static void leave_processor(const ParallelReader *parallel)
{
    cpu_set_t allowed;
    cpu_set_t one;
    int processor = parallel->processor;

    if (processor < 0 || sched_getaffinity(0, sizeof allowed, &allowed) != 0 ||
        CPU_COUNT(&allowed) < 2) {
        return;
    }
    for (unsigned steps = 0; steps < parallel->begun;) {
        processor = (processor + 1) % CPU_SETSIZE;
        steps += CPU_ISSET(processor, &allowed) ? 1 : 0;
    }
    CPU_ZERO(&one);
    CPU_SET(processor, &one);
    if (sched_setaffinity(0, sizeof one, &one) == 0) {
        sched_setaffinity(0, sizeof allowed, &allowed);
    }
}

static void *help(void *context)
{
    ParallelReader *parallel = context;
    uint64_t last = 0;

    pthread_mutex_lock(&parallel->lock);
    while (!parallel->is_leaving) {
        bool has_worked = false;

        if (parallel->is_active && last != parallel->texts) {
            last = parallel->texts;
            parallel->begun++;
            leave_processor(parallel);
        }
        if (parallel->is_active) {
            parallel->busy++;
            has_worked = read_one(parallel) || fill_one(parallel);
            parallel->busy--;
        }
        if (!parallel->is_active) {
            pthread_cond_broadcast(&parallel->moved); /* a thread may wait for idle helpers */
        }
        if (!has_worked && !parallel->is_leaving) {
            pthread_cond_wait(&parallel->moved, &parallel->lock);
        }
    }
    pthread_mutex_unlock(&parallel->lock);
    return NULL;
}

ParallelReader *ParallelReaderCreate(Source *source, const Vocabulary *vocabulary, unsigned helpers,
                                     size_t piece_bytes)
{
    ParallelReader *parallel = calloc(1, sizeof *parallel);

    if (parallel == NULL) {
        return NULL;
    }
    helpers = helpers < AHEAD_HELPERS_MAX ? helpers : AHEAD_HELPERS_MAX;
    parallel->source = source;
    parallel->vocabulary = vocabulary;
    parallel->piece_bytes = piece_bytes;
    parallel->carry_room = piece_bytes > TEXT_WINDOW_BYTES ? piece_bytes : TEXT_WINDOW_BYTES;
    parallel->piece_count = 2 * helpers + 2;
    parallel->pieces = calloc(parallel->piece_count, sizeof *parallel->pieces);
    parallel->carry = malloc(parallel->carry_room);
    parallel->helpers = calloc(helpers, sizeof *parallel->helpers);
    pthread_mutex_init(&parallel->lock, NULL);
    pthread_cond_init(&parallel->moved, NULL);
    if (parallel->pieces == NULL || parallel->carry == NULL || parallel->helpers == NULL) {
        ParallelReaderDestroy(parallel);
        return NULL;
    }
    /* It also works with fewer threads than wanted, or none. */
    while (parallel->helper_count < helpers &&
           pthread_create(&parallel->helpers[parallel->helper_count], NULL, help, parallel) == 0) {
        parallel->helper_count++;
    }
    return parallel;
}

void ParallelReaderDestroy(ParallelReader *parallel)
{
    if (parallel == NULL) {
        return;
    }
    pthread_mutex_lock(&parallel->lock);
    parallel->is_leaving = true;
    parallel->is_active = false;
    pthread_cond_broadcast(&parallel->moved);
    pthread_mutex_unlock(&parallel->lock);
    for (unsigned i = 0; i < parallel->helper_count; i++) {
        pthread_join(parallel->helpers[i], NULL);
    }
    for (uint32_t i = 0; parallel->pieces != NULL && i < parallel->piece_count; i++) {
        free(parallel->pieces[i].text);
        free(parallel->pieces[i].events);
    }
    pthread_cond_destroy(&parallel->moved);
    pthread_mutex_destroy(&parallel->lock);
    free(parallel->helpers);
    free(parallel->pieces);
    free(parallel->carry);
    free(parallel);
}

/* ---- the caller's side ---- */

bool ParallelReaderBegin(ParallelReader *parallel, const char *text, size_t length, uint64_t offset)
{
    if (length > parallel->carry_room || ParallelReaderHasText(parallel)) {
        return false;
    }
    pthread_mutex_lock(&parallel->lock);
    memcpy(parallel->carry, text, length);
    parallel->carry_length = length;
    parallel->carry_at = 0;
    parallel->carry_offset = offset;
    parallel->elements = 0;
    parallel->is_over = false;
    parallel->texts++;
    parallel->processor = sched_getcpu();
    parallel->begun = 0;
    parallel->is_active = true;
    pthread_cond_broadcast(&parallel->moved);
    pthread_mutex_unlock(&parallel->lock);
    return true;
}

/* With the lock held: after this only the caller is working. */
static void settle(ParallelReader *parallel)
{
    parallel->is_active = false;
    while (parallel->busy > 0) {
        pthread_cond_wait(&parallel->moved, &parallel->lock);
    }
}

/* With the lock held: wait until the next piece is read, helping meanwhile. False if none. */
static bool await_piece(ParallelReader *parallel)
{
    for (;;) {
        const Piece *piece = piece_at(parallel, parallel->next_take);

        if (parallel->next_take < parallel->next_fill && piece->state == PIECE_READ) {
            return true;
        }
        if (read_one(parallel) || fill_one(parallel)) {
            continue;
        }
        if (parallel->next_take == parallel->next_fill && parallel->is_over &&
            !parallel->is_filling) {
            return false;
        }
        pthread_cond_wait(&parallel->moved, &parallel->lock);
    }
}

/* With the lock held: the current piece is used up. False if what follows is not for threads. */
static bool leave_piece(ParallelReader *parallel)
{
    Piece *piece = parallel->in_hand;

    if (piece == NULL) {
        return true;
    }
    if (!piece->is_whole) {
        return false;
    }
    parallel->elements += piece->elements;
    parallel->in_hand = NULL;
    piece->state = PIECE_FREE;
    parallel->next_take++;
    pthread_cond_broadcast(&parallel->moved);
    return true;
}

/* With the lock held: what the pieces hold beyond this becomes text again. */
static void stop(ParallelReader *parallel)
{
    settle(parallel);
    for (uint64_t i = parallel->next_take; i < parallel->next_fill; i++) {
        Piece *piece = piece_at(parallel, i);

        if (piece == parallel->in_hand) {
            parallel->elements += piece->elements;
        } else {
            piece->read_to = 0;
        }
    }
    parallel->in_hand = NULL;
}

ParallelReaderResult ParallelReaderNext(ParallelReader *parallel, const TraceEvent **ret_event)
{
    Piece *piece = parallel->in_hand;
    ParallelReaderResult result = AHEAD_EVENT;

    if (piece == NULL || piece->taken == piece->used) {
        pthread_mutex_lock(&parallel->lock);
        do {
            const bool is_failed = parallel->in_hand != NULL && parallel->in_hand->is_failed;

            if (!leave_piece(parallel) || !await_piece(parallel)) {
                result = is_failed ? AHEAD_NO_MEMORY : AHEAD_STOPPED;
                stop(parallel);
                break;
            }
            piece = piece_at(parallel, parallel->next_take);
            parallel->in_hand = piece;
        } while (piece->used == 0);
        pthread_mutex_unlock(&parallel->lock);
    }
    if (result == AHEAD_EVENT) {
        *ret_event = (const TraceEvent *) (const void *) (piece->events + piece->taken);
        piece->taken += EventBytes(*ret_event);
    }
    return result;
}

void ParallelReaderStop(ParallelReader *parallel)
{
    pthread_mutex_lock(&parallel->lock);
    stop(parallel);
    pthread_mutex_unlock(&parallel->lock);
}

uint64_t ParallelReaderOffset(const ParallelReader *parallel)
{
    const Piece *piece = piece_at(parallel, parallel->next_take);

    return parallel->next_take < parallel->next_fill ? piece->offset + piece->read_to
                                                     : parallel->carry_offset;
}

uint64_t ParallelReaderElements(const ParallelReader *parallel)
{
    return parallel->elements;
}

bool ParallelReaderHasText(const ParallelReader *parallel)
{
    return parallel->next_take < parallel->next_fill || parallel->carry_at < parallel->carry_length;
}

/* Up to `size` bytes of a text that was handed out in part. */
static size_t give(char *out, size_t size, const char *text, size_t length, size_t *at)
{
    const size_t left = length - *at;

    size = size < left ? size : left;
    memcpy(out, text + *at, size);
    *at += size;
    return size;
}

size_t ParallelReaderRead(ParallelReader *parallel, char *out, size_t size)
{
    size_t got = 0;

    while (got < size && parallel->next_take < parallel->next_fill) {
        Piece *piece = piece_at(parallel, parallel->next_take);

        got += give(out + got, size - got, piece->text, piece->length, &piece->read_to);
        if (piece->read_to == piece->length) {
            piece->state = PIECE_FREE;
            parallel->next_take++;
        }
    }
    if (got < size && parallel->carry_at < parallel->carry_length) {
        const size_t more = give(out + got, size - got, parallel->carry, parallel->carry_length,
                                 &parallel->carry_at);

        parallel->carry_offset += more;
        got += more;
    }
    return got > 0 ? got : SourceRead(parallel->source, out, size);
}

uint64_t ParallelReaderDone(ParallelReader *parallel)
{
    uint64_t done;

    pthread_mutex_lock(&parallel->lock);
    done = parallel->is_active ? parallel->done : SourceDone(parallel->source);
    pthread_mutex_unlock(&parallel->lock);
    return done;
}
