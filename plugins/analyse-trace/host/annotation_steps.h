/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ANALYSE_TRACE_HOST_ANNOTATION_STEPS_H
#define ANALYSE_TRACE_HOST_ANNOTATION_STEPS_H

#include "analyse-trace/common/item_map.h"

#include <stdbool.h>

/* The device work that is launched in each annotation, by iteration. */

/* An annotation that began on a thread. */
typedef struct OpenedAnnotation {
    uint64_t start;
    uint64_t end;
    uint32_t name;
    uint32_t parent; /* number plus 1 of what is around it; 0: nothing */
    uint32_t kernels;
    bool is_recursive; /* inside one of its name */
    uint64_t device;   /* ticks */
} OpenedAnnotation;

/* Those of a thread, by start. Zeroed memory: none. */
typedef struct OpenedAnnotations {
    OpenedAnnotation *list;
    uint32_t count;
    uint32_t capacity;
} OpenedAnnotations;

/* An annotation began. False without memory. */
bool OpenedAnnotationsBegin(OpenedAnnotations *annotations, uint32_t name, uint64_t start,
                            uint64_t end);

/* Work was launched at a moment: it belongs to all annotations that were open then. */
void OpenedAnnotationsWork(const OpenedAnnotations *annotations, uint64_t launched, uint64_t ticks);

void OpenedAnnotationsFinish(OpenedAnnotations *annotations);

/* Annotations of one name in one iteration. */
typedef struct AnnotationSum {
    uint64_t count;
    uint64_t host; /* ticks; those inside another of the name are not counted again */
    uint64_t device;
    uint64_t kernels;
} AnnotationSum;

static inline uint64_t AnnotationKey(uint32_t name, uint32_t step)
{
    return (uint64_t) name << 32 | step;
}

/* Tells the number of the iteration in which a moment lies; UINT32_MAX: none. */
typedef uint32_t AnnotationStepOf(const void *context, uint64_t time);

/* Add up those that begin in an iteration: an AnnotationSum for each AnnotationKey. False without
 * memory. */
bool OpenedAnnotationsSum(const OpenedAnnotations *annotations, AnnotationStepOf *step_of,
                          const void *context, ItemMap *sums);

#endif
