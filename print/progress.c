/* SPDX-License-Identifier: Apache-2.0 */
/* How far a run is, in a line as wide as the terminal. Tested by tests/cli/test_progress. */
#include "progress.h"

#include <opprof/text.h>

#include <stdio.h>
#include <string.h>

#define BAR_MOST 30u
#define BAR_LEAST 10u
#define LEFT_AFTER_NS 1000000000u /* before that a rate means little */

/* Pieces of a line, in the order in which they stand. */
typedef struct Pieces {
    char percent[16];
    char amounts[112];
    char rate[48];
    char left[48];
    char stage[64];
} Pieces;

static bool is_bytes(const char *unit)
{
    return strcmp(unit, "bytes") == 0 || strcmp(unit, "byte") == 0;
}

/* Letters at the end of a unit that one of it lacks: "operators", "batches", but "rec/s". */
static int plural_of(const char *unit)
{
    const size_t length = strlen(unit);

    if (length < 2 || unit[length - 1] != 's' || unit[length - 2] == '/') {
        return 0;
    }
    return length > 4 && strcmp(unit + length - 4, "ches") == 0 ? 2 : 1;
}

void ProgressAmount(char *out, size_t size, uint64_t value, const char *unit)
{
    static const char *const prefixes[] = { "", "k", "M", "G", "T", "P", "E" };
    const size_t length = strlen(unit) - (value == 1 ? (size_t) plural_of(unit) : 0);
    double scaled = (double) value;
    size_t prefix = 0;

    while (scaled >= 999.95 && prefix + 1 < sizeof prefixes / sizeof prefixes[0]) {
        scaled /= 1000;
        prefix++;
    }
    snprintf(out, size, prefix == 0 ? "%.0f %s%s%.*s" : "%.1f %s%s%.*s", scaled, prefixes[prefix],
             is_bytes(unit) || prefix == 0 ? "" : " ", is_bytes(unit) ? 1 : (int) length,
             is_bytes(unit) ? "B" : unit);
}

/* "0:42 left", "3:05:00 left". */
static void put_left(char *out, size_t size, double seconds)
{
    const uint64_t whole = seconds < 3.6e6 ? (uint64_t) (seconds + 0.5) : 3600000;

    if (whole >= 3600) {
        snprintf(out, size, "%u:%02u:%02u left", (unsigned) (whole / 3600),
                 (unsigned) (whole / 60 % 60), (unsigned) (whole % 60));
    } else {
        snprintf(out, size, "%u:%02u left", (unsigned) (whole / 60), (unsigned) (whole % 60));
    }
}

static void make_pieces(const OpprofProgress *progress, uint64_t elapsed_ns, Pieces *pieces)
{
    const double seconds = (double) elapsed_ns / 1e9;
    const char *unit = progress->unit != NULL ? progress->unit : "";
    char done[48];

    *pieces = (Pieces){ .percent = "" };
    ProgressAmount(done, sizeof done, progress->done, unit);
    if (progress->share >= 0) {
        snprintf(pieces->percent, sizeof pieces->percent, "%2u %%",
                 (unsigned) (progress->share < 1 ? progress->share * 100 : 99));
    }
    if (progress->share >= 0 && progress->total > 0) {
        char total[48];
        ProgressAmount(total, sizeof total, progress->total, unit);
        snprintf(pieces->amounts, sizeof pieces->amounts, "%s of %s", done, total);
    } else if (progress->share < 0) {
        snprintf(pieces->amounts, sizeof pieces->amounts, "%s", done);
    }
    if (elapsed_ns >= LEFT_AFTER_NS && pieces->amounts[0] != '\0') {
        ProgressAmount(done, sizeof done - 2, (uint64_t) ((double) progress->done / seconds), unit);
        snprintf(pieces->rate, sizeof pieces->rate, "%.40s/s", done);
        if (progress->share > 0.005) {
            put_left(pieces->left, sizeof pieces->left,
                     seconds * (1 - progress->share) / progress->share);
        } else if (progress->share < 0) {
            snprintf(pieces->left, sizeof pieces->left, "%.0f s", seconds);
        }
    }
    snprintf(pieces->stage, sizeof pieces->stage, "%.60s",
             progress->stage_id != NULL ? progress->stage_id : "");
    OpprofTextTame(pieces->stage, false);
}

/*
 * Take the piece if it and two blanks fit; else it is empty. Empties all further ones, too, unless
 * they fit.
 */
static unsigned fit(char *piece, unsigned room)
{
    const unsigned width = (unsigned) strlen(piece);

    if (width == 0 || width + 2 > room) {
        *piece = '\0';
        return room;
    }
    return room - width - 2;
}

static char *put_piece(char *at, const char *piece)
{
    return *piece == '\0' ? at : stpcpy(stpcpy(at, "  "), piece);
}

static char *put_bar(char *at, double share, unsigned width)
{
    const unsigned filled = (unsigned) (share * width);

    at = stpcpy(at, "  [");
    for (unsigned i = 0; i < width; i++) {
        *at++ = i < filled ? '=' : ' ';
    }
    return stpcpy(at, "]");
}

void ProgressLine(const OpprofProgress *progress, uint64_t elapsed_ns, unsigned columns,
                  char line[PROGRESS_LINE])
{
    unsigned room = columns < PROGRESS_LINE - 1 ? columns : PROGRESS_LINE - 1;
    unsigned bar = 0;
    Pieces pieces;
    char *at;

    make_pieces(progress, elapsed_ns, &pieces);
    room -= room < strlen(pieces.percent) ? room : (unsigned) strlen(pieces.percent);
    room = fit(pieces.left, room);
    room = fit(pieces.amounts, room);
    if (progress->share >= 0 && room >= BAR_LEAST + 4) {
        bar = room / 2 < BAR_LEAST ? BAR_LEAST : room / 2 < BAR_MOST ? room / 2 : BAR_MOST;
        room -= bar + 4;
    }
    room = fit(pieces.rate, room);
    fit(pieces.stage, room);
    at = stpcpy(line, pieces.percent);
    at = bar > 0 ? put_bar(at, progress->share, bar) : at;
    at = put_piece(at, pieces.amounts);
    at = put_piece(at, pieces.rate);
    at = put_piece(at, pieces.left);
    put_piece(at, pieces.stage);
    if (*pieces.percent == '\0') {
        memmove(line, line + strspn(line, " "), strlen(line) - strspn(line, " ") + 1);
    }
    line[columns < PROGRESS_LINE ? columns : PROGRESS_LINE - 1] = '\0';
}

void ProgressSentence(const OpprofProgress *progress, uint64_t elapsed_ns, char line[PROGRESS_LINE])
{
    Pieces pieces;

    make_pieces(progress, elapsed_ns, &pieces);
    snprintf(line, PROGRESS_LINE, "%s%s%s%s%s%s%s", pieces.percent + strspn(pieces.percent, " "),
             *pieces.percent != '\0' ? ", " : "", pieces.amounts, *pieces.rate != '\0' ? ", " : "",
             pieces.rate, *pieces.left != '\0' ? ", " : "", pieces.left);
}
