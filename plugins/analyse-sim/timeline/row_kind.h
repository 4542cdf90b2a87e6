/* SPDX-License-Identifier: Apache-2.0 */
#ifndef SIM_TIMELINE_ROW_KIND_H
#define SIM_TIMELINE_ROW_KIND_H

/* How a row is drawn. */
typedef enum RowKind {
    ROW_PLAIN = 0, /* from start to end */
    ROW_BAR = 1,   /* a barrier: only its last tick */
    /* a flag is set: only its last tick is drawn, but its sub-lane is occupied
     * for the whole time */
    ROW_SET = 2,
    ROW_WAIT = 3 /* a flag is waited for: from the end of what came before in its lane */
} RowKind;

#endif
