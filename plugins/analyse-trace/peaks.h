/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ANALYSE_TRACE_PEAKS_H
#define ANALYSE_TRACE_PEAKS_H

#include <opprof/error.h>

struct json_t;

/* Peaks of devices, see device_peaks.json. */
typedef struct DevicePeaks {
    struct json_t *document;
} DevicePeaks;

/* Peaks of one device and type of elements. NaN, NULL: unknown. */
typedef struct DevicePeak {
    double flops_a_second;
    double bytes_a_second;
    const char *source; /* borrowed from the peaks */
} DevicePeak;

/*
 * The peaks of a file; NULL: those that come with the module.
 *
 * Returns OPPROF_OK, OPPROF_E_IO, OPPROF_E_DATA, OPPROF_E_MEMORY. Call DevicePeaksFinish in any
 * case.
 */
OpprofStatus DevicePeaksLoad(const char *path, DevicePeaks *ret_peaks, OpprofError **error);

/* A zeroed one is allowed. */
void DevicePeaksFinish(DevicePeaks *peaks);

/* Either text may be NULL. */
DevicePeak DevicePeaksFind(const DevicePeaks *peaks, const char *device, const char *type);

/* The text of device_peaks.json. */
extern const char device_peaks_text[];

#endif
