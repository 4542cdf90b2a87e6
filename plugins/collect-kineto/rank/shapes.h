/* SPDX-License-Identifier: Apache-2.0 */
#ifndef COLLECT_KINETO_RANK_SHAPES_H
#define COLLECT_KINETO_RANK_SHAPES_H

#include "collect-kineto/formats/event.h"

/* Work of an operator, if it follows from the shapes of its inputs. */
typedef struct Amount {
    double flops; /* a multiplication and an addition are two */
    double bytes; /* minimum: each input is read once, the result is written once */
} Amount;

/*
 * Arithmetic of an operator from its arguments `Input Dims`, `Input type` and, for convolutions,
 * `Concrete Inputs`:
 *
 *   product      [.., m, k] x [.., k, n]: 2 m n k for each of the leading dimensions
 *   attention    [.., q, d], [.., k, d], [.., k, v]: 2 q k (d + v); masks are
 *                not known, so all of it counts, unless it is causal: then half
 *   convolution  [b, i, spatial..], [o, i / groups, kernel..]: 2 b o result (i / groups) kernel
 *   transposed   [b, i, spatial..], [i, o / groups, kernel..]: 2 b i spatial (o / groups) kernel
 *
 * text:  the shapes as people write them, "4096x1024 1024x512"; at most `room` bytes with the NUL
 * False if the arguments are not there or do not fit the operator.
 */
bool ShapesRead(ShapeKind kind, const TraceEvent *event, Amount *ret_amount, char *text,
                size_t room);

/* Whether an input of an operator says that its attention is causal. Below 0: none. */
bool ShapesIsCausal(const TraceEvent *event, int input);

#endif
