/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ANALYSE_DBI_ROW_FOLDER_H
#define ANALYSE_DBI_ROW_FOLDER_H

#include <opprof/record.h>
#include <stdint.h>

/* The results folder that a table's row goes to: its members, how to set them, and their fields. */
#define ROW_FOLDER                                                                                 \
    uint32_t device;                                                                               \
    uint32_t kernel;                                                                               \
    uint32_t order
#define SET_FOLDER(row, place)                                                                     \
    ((row).device = (place)->device, (row).kernel = (place)->kernel, (row).order = (place)->order)
#define FOLDER(record)                                                                             \
    OPPROF_RECORD_FIELD(record, device, STRING, OPPROF_FIELD_HIDDEN, NULL,                         \
                        "First part of the results' folder.", "it has no such part"),              \
        OPPROF_RECORD_FIELD(record, kernel, STRING, OPPROF_FIELD_HIDDEN, NULL,                     \
                            "Second part of the results' folder.", "it has no such part"),         \
        OPPROF_RECORD_FIELD(record, order, STRING, OPPROF_FIELD_HIDDEN, NULL,                      \
                            "Third part of the results' folder.", "it has no such part")

#endif
