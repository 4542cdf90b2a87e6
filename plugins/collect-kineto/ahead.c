/* SPDX-License-Identifier: Apache-2.0 */
/* Reads the events of one text with several threads. Tested by
 * tests/plugins/collect-kineto/test_ahead.sh. */
#include "ahead.h"

#include "known_text.h"
#include "resume.h"
#include "scan.h"
#include "text_window.h"

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

struct Ahead {
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
    bool is_active; /* between AheadBegin and the stop */
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
static size_t read_more(Ahead *ahead, Piece *piece, bool *ret_is_over)
{
    const size_t before = piece->length;

    while (!*ret_is_over && piece->length < ahead->piece_bytes) {
        const size_t got = SourceRead(ahead->source, piece->text + piece->length,
                                      ahead->piece_bytes - piece->length);

        *ret_is_over = got == 0;
        piece->length += got;
    }
    return piece->length - before;
}

/* Reads more text into a piece that nobody else uses; what follows its cut is carried. False
 * without memory. */
static bool fill(Ahead *ahead, Piece *piece, bool *ret_is_over)
{
    const size_t left = ahead->carry_length - ahead->carry_at;
    size_t more;
    size_t cut;
    size_t tail;

    if (piece->text == NULL) {
        piece->text = calloc(1, ahead->piece_bytes + SCAN_PADDING);
    }
    if (piece->text == NULL) {
        return false;
    }
    piece->length = left < ahead->piece_bytes ? left : ahead->piece_bytes;
    memcpy(piece->text, ahead->carry + ahead->carry_at, piece->length);
    ahead->carry_at += piece->length;
    piece->offset = ahead->carry_offset;
    more = read_more(ahead, piece, ret_is_over);
    cut = *ret_is_over ? piece->length : cut_of(piece->text, piece->length);
    piece->is_cut = cut != 0;
    tail = cut == 0 ? 0 : piece->length - cut;
    if (more == 0) {
        ahead->carry_at -= tail;
    } else {
        memcpy(ahead->carry, piece->text + cut, tail);
        ahead->carry_at = 0;
        ahead->carry_length = tail;
    }
    piece->length -= tail;
    ahead->carry_offset = piece->offset + piece->length;
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
        if (result == EVENT_READ || event->use == USE_UNKNOWN) {
            event->phase = result == EVENT_READ ? event->phase : AHEAD_PASSED;
            piece->used += EventBytes(event);
        }
        piece->elements++;
        at = (size_t) (after - piece->text);
        piece->read_to = at;
    }
}

/* ---- threads ---- */

static Piece *piece_at(const Ahead *ahead, uint64_t number)
{
    return &ahead->pieces[number % ahead->piece_count];
}

/* With the lock held: fill the next piece, releasing the lock meanwhile. False if nothing is to be
 * filled now. */
static bool fill_one(Ahead *ahead)
{
    Piece *piece = piece_at(ahead, ahead->next_fill);
    bool is_over = false;
    bool is_good;

    if (ahead->is_filling || ahead->is_over ||
        ahead->next_fill - ahead->next_take == ahead->piece_count) {
        return false;
    }
    ahead->is_filling = true;
    pthread_mutex_unlock(&ahead->lock);
    is_good = fill(ahead, piece, &is_over);
    pthread_mutex_lock(&ahead->lock);
    ahead->is_filling = false;
    ahead->is_over = is_over || !is_good;
    ahead->done = SourceDone(ahead->source);
    if (is_good) {
        piece->state = PIECE_FILLED;
        ahead->next_fill++;
    }
    pthread_cond_broadcast(&ahead->moved);
    return true;
}

/* With the lock held: read the first piece that nobody has read. False if none. */
static bool read_one(Ahead *ahead)
{
    uint64_t number = ahead->next_take;
    Piece *piece;

    while (number < ahead->next_fill && piece_at(ahead, number)->state != PIECE_FILLED) {
        number++;
    }
    if (number == ahead->next_fill) {
        return false;
    }
    piece = piece_at(ahead, number);
    piece->state = PIECE_BEING_READ;
    pthread_mutex_unlock(&ahead->lock);
    read_piece(ahead->vocabulary, piece);
    pthread_mutex_lock(&ahead->lock);
    piece->state = PIECE_READ;
    pthread_cond_broadcast(&ahead->moved);
    return true;
}

/*
 * With the lock held: begin on another processor than the caller. A thread that is woken up stays
 * on its waker's for up to a tenth of a second, whether or not another is idle. It may be moved
 * again at once.
 */
static void leave_processor(const Ahead *ahead)
{
    cpu_set_t allowed;
    cpu_set_t one;
    int processor = ahead->processor;

    if (processor < 0 || sched_getaffinity(0, sizeof allowed, &allowed) != 0 ||
        CPU_COUNT(&allowed) < 2) {
        return;
    }
    for (unsigned steps = 0; steps < ahead->begun;) {
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
    Ahead *ahead = context;
    uint64_t last = 0;

    pthread_mutex_lock(&ahead->lock);
    while (!ahead->is_leaving) {
        bool has_worked = false;

        if (ahead->is_active && last != ahead->texts) {
            last = ahead->texts;
            ahead->begun++;
            leave_processor(ahead);
        }
        if (ahead->is_active) {
            ahead->busy++;
            has_worked = read_one(ahead) || fill_one(ahead);
            ahead->busy--;
        }
        if (!ahead->is_active) {
            pthread_cond_broadcast(&ahead->moved); /* somebody waits for idle helpers */
        }
        if (!has_worked && !ahead->is_leaving) {
            pthread_cond_wait(&ahead->moved, &ahead->lock);
        }
    }
    pthread_mutex_unlock(&ahead->lock);
    return NULL;
}

Ahead *AheadCreate(Source *source, const Vocabulary *vocabulary, unsigned helpers,
                   size_t piece_bytes)
{
    Ahead *ahead = calloc(1, sizeof *ahead);

    if (ahead == NULL) {
        return NULL;
    }
    helpers = helpers < AHEAD_HELPERS_MAX ? helpers : AHEAD_HELPERS_MAX;
    ahead->source = source;
    ahead->vocabulary = vocabulary;
    ahead->piece_bytes = piece_bytes;
    ahead->carry_room = piece_bytes > TEXT_WINDOW_BYTES ? piece_bytes : TEXT_WINDOW_BYTES;
    ahead->piece_count = 2 * helpers + 2;
    ahead->pieces = calloc(ahead->piece_count, sizeof *ahead->pieces);
    ahead->carry = malloc(ahead->carry_room);
    ahead->helpers = calloc(helpers, sizeof *ahead->helpers);
    pthread_mutex_init(&ahead->lock, NULL);
    pthread_cond_init(&ahead->moved, NULL);
    if (ahead->pieces == NULL || ahead->carry == NULL || ahead->helpers == NULL) {
        AheadDestroy(ahead);
        return NULL;
    }
    /* It also works with fewer threads than wanted, or none. */
    while (ahead->helper_count < helpers &&
           pthread_create(&ahead->helpers[ahead->helper_count], NULL, help, ahead) == 0) {
        ahead->helper_count++;
    }
    return ahead;
}

void AheadDestroy(Ahead *ahead)
{
    if (ahead == NULL) {
        return;
    }
    pthread_mutex_lock(&ahead->lock);
    ahead->is_leaving = true;
    ahead->is_active = false;
    pthread_cond_broadcast(&ahead->moved);
    pthread_mutex_unlock(&ahead->lock);
    for (unsigned i = 0; i < ahead->helper_count; i++) {
        pthread_join(ahead->helpers[i], NULL);
    }
    for (uint32_t i = 0; ahead->pieces != NULL && i < ahead->piece_count; i++) {
        free(ahead->pieces[i].text);
        free(ahead->pieces[i].events);
    }
    pthread_cond_destroy(&ahead->moved);
    pthread_mutex_destroy(&ahead->lock);
    free(ahead->helpers);
    free(ahead->pieces);
    free(ahead->carry);
    free(ahead);
}

/* ---- the caller's side ---- */

bool AheadBegin(Ahead *ahead, const char *text, size_t length, uint64_t offset)
{
    if (length > ahead->carry_room || AheadHasText(ahead)) {
        return false;
    }
    pthread_mutex_lock(&ahead->lock);
    memcpy(ahead->carry, text, length);
    ahead->carry_length = length;
    ahead->carry_at = 0;
    ahead->carry_offset = offset;
    ahead->elements = 0;
    ahead->is_over = false;
    ahead->texts++;
    ahead->processor = sched_getcpu();
    ahead->begun = 0;
    ahead->is_active = true;
    pthread_cond_broadcast(&ahead->moved);
    pthread_mutex_unlock(&ahead->lock);
    return true;
}

/* With the lock held: after this only the caller is working. */
static void settle(Ahead *ahead)
{
    ahead->is_active = false;
    while (ahead->busy > 0) {
        pthread_cond_wait(&ahead->moved, &ahead->lock);
    }
}

/* With the lock held: wait until the next piece is read, helping meanwhile. False if none. */
static bool await_piece(Ahead *ahead)
{
    for (;;) {
        const Piece *piece = piece_at(ahead, ahead->next_take);

        if (ahead->next_take < ahead->next_fill && piece->state == PIECE_READ) {
            return true;
        }
        if (read_one(ahead) || fill_one(ahead)) {
            continue;
        }
        if (ahead->next_take == ahead->next_fill && ahead->is_over && !ahead->is_filling) {
            return false;
        }
        pthread_cond_wait(&ahead->moved, &ahead->lock);
    }
}

/* With the lock held: the current piece is used up. False if what follows is not for threads. */
static bool leave_piece(Ahead *ahead)
{
    Piece *piece = ahead->in_hand;

    if (piece == NULL) {
        return true;
    }
    if (!piece->is_whole) {
        return false;
    }
    ahead->elements += piece->elements;
    ahead->in_hand = NULL;
    piece->state = PIECE_FREE;
    ahead->next_take++;
    pthread_cond_broadcast(&ahead->moved);
    return true;
}

/* With the lock held: what the pieces hold beyond this becomes text again. */
static void stop(Ahead *ahead)
{
    settle(ahead);
    for (uint64_t i = ahead->next_take; i < ahead->next_fill; i++) {
        Piece *piece = piece_at(ahead, i);

        if (piece == ahead->in_hand) {
            ahead->elements += piece->elements;
        } else {
            piece->read_to = 0;
        }
    }
    ahead->in_hand = NULL;
}

AheadResult AheadNext(Ahead *ahead, const TraceEvent **ret_event)
{
    Piece *piece = ahead->in_hand;
    AheadResult result = AHEAD_EVENT;

    if (piece == NULL || piece->taken == piece->used) {
        pthread_mutex_lock(&ahead->lock);
        do {
            const bool is_failed = ahead->in_hand != NULL && ahead->in_hand->is_failed;

            if (!leave_piece(ahead) || !await_piece(ahead)) {
                result = is_failed ? AHEAD_NO_MEMORY : AHEAD_STOPPED;
                stop(ahead);
                break;
            }
            piece = piece_at(ahead, ahead->next_take);
            ahead->in_hand = piece;
        } while (piece->used == 0);
        pthread_mutex_unlock(&ahead->lock);
    }
    if (result == AHEAD_EVENT) {
        *ret_event = (const TraceEvent *) (const void *) (piece->events + piece->taken);
        piece->taken += EventBytes(*ret_event);
    }
    return result;
}

void AheadStop(Ahead *ahead)
{
    pthread_mutex_lock(&ahead->lock);
    stop(ahead);
    pthread_mutex_unlock(&ahead->lock);
}

uint64_t AheadOffset(const Ahead *ahead)
{
    const Piece *piece = piece_at(ahead, ahead->next_take);

    return ahead->next_take < ahead->next_fill ? piece->offset + piece->read_to
                                               : ahead->carry_offset;
}

uint64_t AheadElements(const Ahead *ahead)
{
    return ahead->elements;
}

bool AheadHasText(const Ahead *ahead)
{
    return ahead->next_take < ahead->next_fill || ahead->carry_at < ahead->carry_length;
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

size_t AheadRead(Ahead *ahead, char *out, size_t size)
{
    size_t got = 0;

    while (got < size && ahead->next_take < ahead->next_fill) {
        Piece *piece = piece_at(ahead, ahead->next_take);

        got += give(out + got, size - got, piece->text, piece->length, &piece->read_to);
        if (piece->read_to == piece->length) {
            piece->state = PIECE_FREE;
            ahead->next_take++;
        }
    }
    if (got < size && ahead->carry_at < ahead->carry_length) {
        const size_t more =
            give(out + got, size - got, ahead->carry, ahead->carry_length, &ahead->carry_at);

        ahead->carry_offset += more;
        got += more;
    }
    return got > 0 ? got : SourceRead(ahead->source, out, size);
}

uint64_t AheadDone(Ahead *ahead)
{
    uint64_t done;

    pthread_mutex_lock(&ahead->lock);
    done = ahead->is_active ? ahead->done : SourceDone(ahead->source);
    pthread_mutex_unlock(&ahead->lock);
    return done;
}
