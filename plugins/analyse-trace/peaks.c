/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Peaks of devices by the names of their models; they are data, see device_peaks.json.
 * Tested by tests/plugins/analyse-trace/test_efficiency.sh.
 */
#include "peaks.h"

#include <jansson.h>
#include <math.h>
#include <opprof/json.h>
#include <stdbool.h>
#include <string.h>

#define FORMAT_KEY "opprof_device_peaks"
#define FORMAT_VERSION "1.0"

static bool is_positive(const json_t *number)
{
    return json_is_number(number) && json_number_value(number) > 0;
}

static bool is_good_device(const json_t *device)
{
    const json_t *operations = json_object_get(device, "operations");
    const char *type;
    const json_t *peak;

    json_object_foreach((json_t *) (uintptr_t) operations, type, peak)
    {
        if (!is_positive(peak)) {
            return false;
        }
    }
    return json_is_string(json_object_get(device, "contains")) && json_is_object(operations) &&
           is_positive(json_object_get(device, "bandwidth"));
}

static OpprofStatus check(const char *path, const json_t *document, OpprofError **error)
{
    const char *version = json_string_value(json_object_get(document, FORMAT_KEY));
    const json_t *list = json_object_get(document, "devices");

    if (version == NULL || strcmp(version, FORMAT_VERSION) != 0 || !json_is_array(list)) {
        return OpprofErrorSet(error, OPPROF_E_DATA,
                              "Cannot use device peaks '%s': '" FORMAT_KEY "' is not \"%s\", or "
                              "there is no list 'devices'",
                              path, FORMAT_VERSION);
    }
    for (size_t i = 0; i < json_array_size(list); i++) {
        if (!is_good_device(json_array_get(list, i))) {
            return OpprofErrorSet(error, OPPROF_E_DATA,
                                  "Cannot use device peaks '%s': device %zu lacks the text "
                                  "'contains', or 'bandwidth' or one of its 'operations' is not "
                                  "above 0",
                                  path, i + 1);
        }
    }
    return OPPROF_OK;
}

OpprofStatus DevicePeaksLoad(const char *path, DevicePeaks *ret_peaks, OpprofError **error)
{
    OpprofStatus status;

    ret_peaks->document = NULL;
    if (path == NULL) {
        path = "device_peaks.json";
        status = OpprofJsonParse(path, device_peaks_text, strlen(device_peaks_text),
                                 &ret_peaks->document, error);
    } else {
        status = OpprofJsonLoad(path, &ret_peaks->document, error);
    }
    return status == OPPROF_OK ? check(path, ret_peaks->document, error) : status;
}

void DevicePeaksFinish(DevicePeaks *peaks)
{
    json_decref(peaks->document);
    peaks->document = NULL;
}

static double peak_of_type(const json_t *device, const char *type)
{
    json_t *operations = json_object_get(device, "operations");
    const char *part;
    json_t *peak;

    json_object_foreach(operations, part, peak)
    {
        if (type != NULL && strstr(type, part) != NULL) {
            return json_number_value(peak) * 1e12;
        }
    }
    return (double) NAN;
}

DevicePeak DevicePeaksFind(const DevicePeaks *peaks, const char *device, const char *type)
{
    const json_t *list = json_object_get(peaks->document, "devices");

    for (size_t i = 0; device != NULL && i < json_array_size(list); i++) {
        const json_t *entry = json_array_get(list, i);

        if (strstr(device, json_string_value(json_object_get(entry, "contains"))) != NULL) {
            return (DevicePeak){ peak_of_type(entry, type),
                                 json_number_value(json_object_get(entry, "bandwidth")) * 1e9,
                                 json_string_value(json_object_get(entry, "source")) };
        }
    }
    return (DevicePeak){ (double) NAN, (double) NAN, NULL };
}
