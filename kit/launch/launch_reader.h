/* SPDX-License-Identifier: Apache-2.0 */
#ifndef KIT_LAUNCH_LAUNCH_READER_H
#define KIT_LAUNCH_LAUNCH_READER_H

#include <opprof/kit/cutter.h>
#include <opprof/kit/launch_reader.h>
#include <opprof/kit/raw_names.h>
#include <opprof/records/onboard.h>

/* The reader's part of a launch, and the functions that its files call in one another. */

#define LAUNCH_INFO_MAX (UINT64_C(1) << 20)
#define LAUNCH_START_MAX 4096u

/* Bytes that are gathered. */
typedef struct LaunchText {
    char *bytes;
    size_t length;
    size_t capacity;
} LaunchText;

/* Kind of the current file. */
typedef enum LaunchFileKind {
    LAUNCH_FILE_NONE, /* no file, or one that is not read */
    LAUNCH_FILE_INFO,
    LAUNCH_FILE_START,
    LAUNCH_FILE_OF_PARSER
} LaunchFileKind;

struct OpprofLaunchOwn {
    LaunchFileKind kind;
    const OpprofRoleReader *role;
    OpprofCutter cutter;
    LaunchText whole;           /* the current file, if it is read as a whole */
    const unsigned char *piece; /* what `take` is given; it begins at file.at */
    OpprofStatus status;        /* of `take` */
    OpprofError *error;
    uint64_t bytes;      /* of the current file that arrived */
    bool is_stopped;     /* the parser took no more of it when the run was stopped */
    uint64_t after_stop; /* bytes that were read after the run was stopped */
    uint32_t seen;       /* bit k: a file of the parser's role k came */
    uint32_t filled;     /* bit k: one that is not empty */
    LaunchText info;
    OpprofRawForm form;
    bool has_info;     /* a file of the role came, perhaps an empty one */
    bool is_info_cut;  /* by a stop */
    bool is_info_long; /* its end is left out */
    bool is_info_used;
    LaunchText start;
    bool has_start;
    bool is_start_reported;
    bool has_clock;
    uint64_t clock;
};

/* A piece of a file, or the end of the launch. OPPROF_OK or a failure. */
OpprofStatus LaunchFilesFeed(OpprofLaunch *launch, const OpprofOnboardChunk *chunk,
                             const char *bytes, OpprofError **error);
/* Ends the current file, if any. OPPROF_OK or a failure. */
OpprofStatus LaunchFilesClose(OpprofLaunch *launch, OpprofError **error);
/* Free what was derived from chips. */
void LaunchModelsFree(const OpprofLaunchParser *parser, struct OpprofLaunchModel *models);

/* ---- raw_names.c ---- */

/*
 * Why a text of facts is not one whole file, as far as it shows.
 *
 * @param text  `length` bytes; may be NULL when `length` is 0. Borrowed.
 * @return "ends within a line, which is left out" or the like, to follow the file's name in a
 *         message; NULL: nothing, or the text is empty.
 */
const char *RawTextFault(const char *text, size_t length);

#endif
