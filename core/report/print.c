/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The text of one field of one record. Needs only what a stage knows of strings and tracks.
 * Tested by tests/core/run/test_append.
 */
#include <opprof/print.h>

#include <math.h>
#include <opprof/require.h>
#include <string.h>

bool OpprofFieldIsText(const OpprofField *field)
{
    OPPROF_REQUIRE("field-given", field != NULL, "The field is given");
    return field->kind == OPPROF_FIELD_STRING || field->kind == OPPROF_FIELD_TEXT ||
           field->kind == OPPROF_FIELD_TRACK;
}

const char *OpprofFieldHeading(const OpprofField *field)
{
    OPPROF_REQUIRE("field-given", field != NULL, "The field is given");
    return field->heading != NULL ? field->heading : field->name;
}

double OpprofUnitTime(const char *unit)
{
    static const struct {
        const char *name;
        double us;
    } units[] = { { "ns", 1e-3 }, { "us", 1 },     { "ms", 1e3 },   { "s", 1e6 },
                  { "tick", -1 }, { "cycle", -1 }, { "cycles", -1 } };

    for (size_t i = 0; unit != NULL && i < OPPROF_COUNT(units); i++) {
        if (strcmp(unit, units[i].name) == 0) {
            return units[i].us;
        }
    }
    return 0;
}

static bool are_same_fields(const OpprofField *a, const OpprofField *b)
{
    return a->kind == b->kind && strcmp(a->name, b->name) == 0 &&
           strcmp(OpprofFieldHeading(a), OpprofFieldHeading(b)) == 0;
}

bool OpprofRecordTypeIsSame(const OpprofRecordType *type, const OpprofRecordType *other)
{
    OPPROF_REQUIRE("record-types-given", type != NULL && other != NULL,
                   "Both record types are given");
    if (type == other) {
        return true;
    }

    const OpprofRecordType *longer = type->field_count > other->field_count ? type : other;
    const uint32_t both = longer == type ? other->field_count : type->field_count;
    bool are_same = strcmp(type->name, other->name) == 0;

    for (uint32_t f = 0; are_same && f < both; f++) {
        are_same = are_same_fields(&type->fields[f], &other->fields[f]);
    }
    for (uint32_t f = both; are_same && f < longer->field_count; f++) {
        are_same = (longer->fields[f].flags & OPPROF_FIELD_HIDDEN) != 0;
    }
    return are_same;
}

bool OpprofFieldNumber(const OpprofField *field, const void *record, double *ret_number)
{
    OPPROF_REQUIRE("field-number-given", field != NULL && record != NULL && ret_number != NULL,
                   "The field, the record and the room for the number are given");

    const char *at = (const char *) record + field->offset;

    if (OpprofFieldIsNa(field, at) ||
        (field->kind == OPPROF_FIELD_F64 && !isfinite(OpprofLoadF64(at)))) {
        return false;
    }
    switch (field->kind) {
    case OPPROF_FIELD_F64:
        *ret_number = OpprofLoadF64(at);
        break;
    case OPPROF_FIELD_I16:
        *ret_number = OpprofLoadI16(at);
        break;
    case OPPROF_FIELD_I32:
        *ret_number = (int32_t) OpprofLoadU32(at);
        break;
    case OPPROF_FIELD_U32:
        *ret_number = OpprofLoadU32(at);
        break;
    case OPPROF_FIELD_I64:
        *ret_number = (double) (int64_t) OpprofLoadU64(at);
        break;
    default:
        *ret_number = (double) OpprofLoadU64(at);
        break;
    }
    return true;
}

const OpprofField *OpprofFieldFind(const OpprofRecordType *type, const char *name, size_t length)
{
    OPPROF_REQUIRE("field-type-given", type != NULL && (name != NULL || length == 0),
                   "The record type and the name are given");
    for (uint32_t i = 0; i < type->field_count; i++) {
        const OpprofField *field = &type->fields[i];

        if (strlen(field->name) == length && memcmp(field->name, name, length) == 0) {
            return field;
        }
    }
    return NULL;
}

static char *put_real(char *out, const OpprofField *field, double value)
{
    return field->decimals == 0 ? OpprofTextPutF64(out, value)
                                : OpprofTextPutFixed(out, value, field->decimals - 1);
}

/* A number that is not absent; returns its end. */
static char *put_number(char *out, const OpprofField *field, const void *at)
{
    switch (field->kind) {
    case OPPROF_FIELD_U32:
        return OpprofTextPutU64(out, OpprofLoadU32(at));
    case OPPROF_FIELD_I32:
        return OpprofTextPutI64(out, (int32_t) OpprofLoadU32(at));
    case OPPROF_FIELD_I16:
        return OpprofTextPutI64(out, OpprofLoadI16(at));
    case OPPROF_FIELD_I64:
        return OpprofTextPutI64(out, (int64_t) OpprofLoadU64(at));
    case OPPROF_FIELD_HEX:
        return OpprofTextPutHex(out, OpprofLoadU64(at));
    case OPPROF_FIELD_F64:
        return put_real(out, field, OpprofLoadF64(at));
    default:
        return OpprofTextPutU64(out, OpprofLoadU64(at));
    }
}

static const char *find_text(const OpprofStage *stage, const OpprofBatch *batch,
                             const OpprofField *field, const void *at, size_t *ret_length)
{
    OpprofText place;
    const char *label;

    if (field->kind == OPPROF_FIELD_STRING) {
        return OpprofStageStringLength(stage, OpprofLoadU32(at), ret_length);
    }
    if (field->kind == OPPROF_FIELD_TRACK) {
        label = OpprofStageTrackLabel(stage, OpprofLoadU32(at));
        *ret_length = label == NULL ? 0 : strlen(label);
        return label;
    }
    memcpy(&place, at, sizeof place);
    *ret_length = place.length;
    return OpprofBatchText(batch, place);
}

const char *OpprofFieldPrint(const OpprofStage *stage, const OpprofBatch *batch,
                             const OpprofField *field, const void *record, char *number,
                             size_t *ret_length)
{
    OPPROF_REQUIRE("field-given", field != NULL, "The field is given");
    OPPROF_REQUIRE("field-record-given",
                   batch != NULL && record != NULL && number != NULL && ret_length != NULL,
                   "The record, its batch and the room for its text are given");

    const void *at = (const char *) record + field->offset;

    *ret_length = 0;
    if (OpprofFieldIsNa(field, at) ||
        (field->kind == OPPROF_FIELD_F64 && !isfinite(OpprofLoadF64(at)))) {
        return NULL;
    }
    if (OpprofFieldIsText(field)) {
        return find_text(stage, batch, field, at, ret_length);
    }
    *ret_length = (size_t) (put_number(number, field, at) - number);
    return number;
}
