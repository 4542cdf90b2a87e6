/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The device work that is launched in annotations.
 * Tested by tests/plugins/analyse-trace/test_host.
 */
#include "analyse-trace/host/annotation_steps.h"

#include <opprof/grow.h>
#include <stdlib.h>

/* The innermost of an annotation and those around it that is open at a moment; numbers plus 1. */
static uint32_t open_at(const OpenedAnnotations *annotations, uint32_t from, uint64_t time)
{
    while (from != 0 && annotations->list[from - 1].end <= time) {
        from = annotations->list[from - 1].parent;
    }
    return from;
}

bool OpenedAnnotationsBegin(OpenedAnnotations *annotations, uint32_t name, uint64_t start,
                            uint64_t end)
{
    OpenedAnnotation added = { .start = start, .end = end, .name = name };

    added.parent = open_at(annotations, annotations->count, start);
    for (uint32_t i = added.parent; i != 0; i = annotations->list[i - 1].parent) {
        added.is_recursive |= annotations->list[i - 1].name == name;
    }
    if (!OpprofGrow32(&annotations->list, &annotations->capacity, (size_t) annotations->count + 1,
                      sizeof *annotations->list)) {
        return false;
    }
    annotations->list[annotations->count++] = added;
    return true;
}

void OpenedAnnotationsWork(const OpenedAnnotations *annotations, uint64_t launched, uint64_t ticks)
{
    uint32_t low = 0;
    uint32_t high = annotations->count;

    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;

        if (annotations->list[middle].start <= launched) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    for (uint32_t i = open_at(annotations, low, launched); i != 0;
         i = annotations->list[i - 1].parent) {
        annotations->list[i - 1].kernels++;
        annotations->list[i - 1].device += ticks;
    }
}

bool OpenedAnnotationsSum(const OpenedAnnotations *annotations, AnnotationStepOf *step_of,
                          const void *context, ItemMap *sums)
{
    for (uint32_t i = 0; i < annotations->count; i++) {
        const OpenedAnnotation *opened = &annotations->list[i];
        const uint32_t step = step_of(context, opened->start);
        AnnotationSum *sum;

        if (step == UINT32_MAX) {
            continue;
        }
        sum = ItemMapGet(sums, AnnotationKey(opened->name, step), sizeof *sum);
        if (sum == NULL) {
            return false;
        }
        sum->count++;
        if (!opened->is_recursive) {
            sum->host += opened->end - opened->start;
            sum->device += opened->device;
            sum->kernels += opened->kernels;
        }
    }
    return true;
}

void OpenedAnnotationsFinish(OpenedAnnotations *annotations)
{
    free(annotations->list);
    *annotations = (OpenedAnnotations){ .list = NULL };
}
