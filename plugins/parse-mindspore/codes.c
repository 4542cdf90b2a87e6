/* SPDX-License-Identifier: Apache-2.0 */
/* Codes of data types and formats. Tested by tests/plugins/collect-mindspore/test_raw.sh. */
#include "parse-mindspore/codes.h"

#include <opprof/record.h>

#define NUMBER(name) "NUMBER_TYPE_" name
#define OWN_FROM 200u

static const char *name_of(const char *const *names, uint64_t count, uint64_t first, uint64_t code)
{
    return code >= first && code - first < count ? names[code - first] : "UNKNOWN";
}

const char *CodeTypeA(uint64_t code)
{
    static const char *const names[] = {
        NUMBER("BOOL"),   NUMBER("INT"),   NUMBER("INT8"),    NUMBER("INT16"),   NUMBER("INT32"),
        NUMBER("INT64"),  NUMBER("UINT"),  NUMBER("UINT8"),   NUMBER("UINT16"),  NUMBER("UINT32"),
        NUMBER("UINT64"), NUMBER("FLOAT"), NUMBER("FLOAT16"), NUMBER("FLOAT32"), NUMBER("FLOAT64"),
    };

    return name_of(names, OPPROF_COUNT(names), 27, code);
}

const char *CodeGeType(uint64_t code)
{
    static const char *const names[] = { "FLOAT",   "FLOAT16", "INT8",   "INT32",  "UINT8",
                                         "UNKNOWN", "INT16",   "UINT16", "UINT32", "INT64",
                                         "UINT64",  "DOUBLE",  "BOOL",   "STRING" };

    return name_of(names, OPPROF_COUNT(names), 0, code);
}

const char *CodeGeFormat(uint64_t code)
{
    static const char *const names[] = { "NCHW", "NHWC", "ND", "NC1HWC0", "FRACTAL_Z" };

    return code == 29 ? "FRACTAL_NZ" : name_of(names, OPPROF_COUNT(names), 0, code);
}

const char *CodeTypeB(uint64_t code)
{
    static const char *const names[] = {
        NUMBER("BOOL"),    NUMBER("INT"),     NUMBER("INT8"),    NUMBER("INT16"),
        NUMBER("INT32"),   NUMBER("INT64"),   NUMBER("UINT"),    NUMBER("UINT8"),
        NUMBER("UINT16"),  NUMBER("UINT32"),  NUMBER("UINT64"),  NUMBER("FLOAT"),
        NUMBER("FLOAT16"), NUMBER("FLOAT32"), NUMBER("FLOAT64"), NUMBER("COMPLEX"),
    };

    return name_of(names, OPPROF_COUNT(names), 30, code >= OWN_FROM ? code - OWN_FROM : code);
}

const char *CodeFormatB(uint64_t code)
{
    static const char *const names[] = {
        "UNKNOWN",        "DEFAULT",     "NC1KHKWHWC0",   "ND",     "NCHW",
        "NHWC",           "HWCN",        "NC1HWC0",       "FRAC_Z", "C1HWNCOC0",
        "FRAC_NZ",        "NC1HWC0_C04", "FRACTAL_Z_C04", "NDHWC",  "FRACTAL_ZN_LSTM",
        "FRACTAL_ZN_RNN", "ND_RNN_BIAS", "NDC1HWC0",      "NCDHW",  "FRACTAL_Z_3D",
        "DHWNC",          "DHWCN",
    };

    return name_of(names, OPPROF_COUNT(names), 0, code >= OWN_FROM ? code - OWN_FROM : code);
}
