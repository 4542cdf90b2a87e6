/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Names the ranks of an Ascend profiler's directories.
 * Tested by tests/plugins/collect-kineto/test_ascend_tables.sh.
 */
#include "collect-kineto/tables/folder_ranks.h"

#include "collect-kineto/formats/files.h"
#include "collect-kineto/rank/file_rank.h"

#include <inttypes.h>
#include <opprof/grow.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool FolderRanksTake(FolderRanks *ranks, const OpprofBatch *batch)
{
    for (uint32_t i = 0; i < batch->count; i++) {
        const OpprofRankFile *file = OpprofBatchRecord(batch, i);

        if (!OpprofGrow(&ranks->seats, &ranks->seat_room, ranks->seat_count + 1,
                        sizeof *ranks->seats)) {
            return false;
        }
        ranks->seats[ranks->seat_count++] = (Seat){ *file, batch->clock };
    }
    return true;
}

/* ---- directories whose trace was read ---- */

/* Whether a file is in a directory: both begin as the input does. */
static bool is_in(const char *file, const char *folder)
{
    const size_t length = strlen(folder);

    return strncmp(file, folder, length) == 0 && file[length] == '/' &&
           strchr(file + length + 1, '/') == NULL;
}

static const Seat *find_seat(const FolderRanks *ranks, const OpprofStage *stage, const char *folder)
{
    for (size_t i = 0; i < ranks->seat_count; i++) {
        if (is_in(OpprofStageString(stage, ranks->seats[i].file.file), folder)) {
            return &ranks->seats[i];
        }
    }
    return NULL;
}

/* ---- the others ---- */

/* The number that the files or names around a directory give; false if none. */
static bool find_number(const char *folder, int64_t *ret_number)
{
    char *trace = NULL; /* as the one that may lie there */
    const bool is_found =
        asprintf(&trace, "%s/" ASCEND_TRACE, folder) >= 0 && FileRankFind(trace, ret_number);

    free(trace);
    return is_found;
}

/* The same; the path that was given may not say where the directory is. */
static void find_real_number(const char *folder, int64_t *ret_number)
{
    char *real = find_number(folder, ret_number) ? NULL : realpath(folder, NULL);

    if (real != NULL) {
        (void) find_number(real, ret_number);
    }
    free(real);
}

static bool is_taken(const FolderRanks *ranks, size_t folders, uint32_t name)
{
    bool result = false;

    for (size_t i = 0; !result && i < ranks->seat_count; i++) {
        result = ranks->seats[i].file.rank == name;
    }
    for (size_t i = 0; !result && i < folders; i++) {
        result = ranks->of[i].name == name;
    }
    return result;
}

/* The first free name of a directory's rank; OPPROF_NA_STRING without memory. */
static uint32_t make_name(const FolderRanks *ranks, OpprofStage *stage, const char *folder,
                          size_t place)
{
    int64_t number = (int64_t) place;
    uint32_t name = OPPROF_NA_STRING;

    find_real_number(folder, &number);
    for (unsigned again = 1; again == 1 || is_taken(ranks, place, name); again++) {
        char text[48];
        int length = snprintf(text, sizeof text, "%" PRId64, number);

        if (again > 1) {
            length += snprintf(text + length, sizeof text - (size_t) length, "#%u", again);
        }
        name = OpprofStageIntern(stage, text, (size_t) length);
        if (name == OPPROF_NA_STRING) {
            break;
        }
    }
    return name;
}

bool FolderRanksName(FolderRanks *ranks, OpprofStage *stage, const AscendFolders *folders)
{
    bool is_good = true;

    ranks->of = calloc(folders->count + 1, sizeof *ranks->of);
    for (size_t i = 0; ranks->of != NULL && is_good && i < folders->count; i++) {
        const Seat *seat = find_seat(ranks, stage, folders->paths[i]);

        ranks->of[i].seat = seat;
        ranks->of[i].name =
            seat != NULL ? seat->file.rank : make_name(ranks, stage, folders->paths[i], i);
        is_good = ranks->of[i].name != OPPROF_NA_STRING;
    }
    return ranks->of != NULL && is_good;
}

void FolderRanksFinish(FolderRanks *ranks)
{
    free(ranks->seats);
    free(ranks->of);
    *ranks = (FolderRanks){ .seats = NULL };
}
