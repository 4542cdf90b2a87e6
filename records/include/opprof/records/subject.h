/* SPDX-License-Identifier: Apache-2.0 */
#ifndef OPPROF_RECORDS_SUBJECT_H
#define OPPROF_RECORDS_SUBJECT_H

/**
 * @file
 * What a run profiled: its operators, the chip, and how they ran. Reports begin with it.
 * Experimental.
 */

#include <assert.h>
#include <opprof/record.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Name of the type, by which readers know the table of a finished run. */
#define OPPROF_SUBJECT_TABLE "run.subject"

/** Record of `opprof_subject_type`, "run.subject": a launch. Texts are interned. */
typedef struct OpprofSubject {
    uint32_t device; /**< Part of the results' folder; OPPROF_NA_STRING: it has none. */
    uint32_t kernel; /**< As `device`. */
    uint32_t order;  /**< As `device`. */
    uint32_t name;   /**< Of the operator; OPPROF_NA_STRING: unknown. */
    uint32_t chip;   /**< SoC; OPPROF_NA_STRING: unknown. */
    uint32_t way;    /**< How it ran: "simulated", "on a device". */
    uint32_t blocks; /**< OPPROF_NA_U32: unknown. */
    uint32_t cores;  /**< That were seen; OPPROF_NA_U32: unknown. */
    uint64_t cycles; /**< Of the longest core; OPPROF_NA_U64: unknown. */
} OpprofSubject;

static_assert(sizeof(OpprofSubject) == 40, "no padding");
static const OpprofField opprof_subject_fields[] = {
    OPPROF_RECORD_FIELD(OpprofSubject, device, STRING, OPPROF_FIELD_KEY | OPPROF_FIELD_HIDDEN, NULL,
                        "Part of the results' folder.", "it has no such part"),
    OPPROF_RECORD_FIELD(OpprofSubject, kernel, STRING, OPPROF_FIELD_KEY | OPPROF_FIELD_HIDDEN, NULL,
                        "Part of the results' folder.", "it has no such part"),
    OPPROF_RECORD_FIELD(OpprofSubject, order, STRING, OPPROF_FIELD_KEY | OPPROF_FIELD_HIDDEN, NULL,
                        "Part of the results' folder.", "it has no such part"),
    OPPROF_RECORD_FIELD(OpprofSubject, name, STRING, 0, NULL, "Name of the operator.",
                        "the input does not say"),
    OPPROF_RECORD_FIELD(OpprofSubject, chip, STRING, 0, NULL, "SoC.", "the input does not say"),
    OPPROF_RECORD_FIELD(OpprofSubject, way, STRING, 0, NULL,
                        "How it ran: simulated, or on a device.", NULL),
    OPPROF_RECORD_NUMBER(OpprofSubject, blocks, U32, NONE, OPPROF_FIELD_ALONE, "1",
                         "Blocks of the launch.", "the input does not say"),
    OPPROF_RECORD_NUMBER(OpprofSubject, cores, U32, NONE, OPPROF_FIELD_ALONE, "1",
                         "Cores that were seen.", "the input does not say"),
    OPPROF_RECORD_NUMBER(OpprofSubject, cycles, U64, NONE, OPPROF_FIELD_ALONE | OPPROF_FIELD_HIDDEN,
                         "cycle", "Of the longest core.", "the input does not say"),
};
static const OpprofRecordType opprof_subject_type = OPPROF_RECORD_TYPE(
    OpprofSubject, 1, OPPROF_SUBJECT_TABLE, "What ran: operators, chip, and how.",
    OPPROF_RECORD_TABLE, opprof_subject_fields, "What ran", "");

#ifdef __cplusplus
}
#endif

#endif
