/* SPDX-License-Identifier: Apache-2.0 */
#ifndef OPPROF_RECORD_H
#define OPPROF_RECORD_H

/**
 * @file
 * Record types: what flows on streams. A record is a plain C struct of fixed size; its field table
 * lets `csv`, `--tap` and a debugger show any record of any plugin. Experimental. [any thread]
 *
 * Absent is not zero: every kind has one NA value (below), and the field table may say why a value
 * can be absent.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Kind of a field: its C type and how it is shown. */
typedef enum OpprofFieldKind {
    OPPROF_FIELD_U32 = 1,    /**< uint32_t */
    OPPROF_FIELD_I32 = 2,    /**< int32_t */
    OPPROF_FIELD_U64 = 3,    /**< uint64_t */
    OPPROF_FIELD_I64 = 4,    /**< int64_t */
    OPPROF_FIELD_F64 = 5,    /**< double */
    OPPROF_FIELD_HEX = 6,    /**< uint64_t shown as 0x… (addresses) */
    OPPROF_FIELD_TICK = 7,   /**< uint64_t ticks of the batch's clock */
    OPPROF_FIELD_STRING = 8, /**< uint32_t id of an interned string */
    OPPROF_FIELD_TEXT = 9,   /**< OpprofText in the batch's blob */
    OPPROF_FIELD_TRACK = 10, /**< uint32_t id of a declared track */
    OPPROF_FIELD_I16 = 11    /**< int16_t: small ids that count from 0 */
} OpprofFieldKind;

#define OPPROF_NA_I16 (-1)       /**< Absent int16_t. */
#define OPPROF_NA_U32 UINT32_MAX /**< Absent uint32_t; also for tracks. */
#define OPPROF_NA_I32 INT32_MIN  /**< Absent int32_t. */
#define OPPROF_NA_U64 UINT64_MAX /**< Absent uint64_t; also for addresses and ticks. */
#define OPPROF_NA_I64 INT64_MIN  /**< Absent int64_t. */
#define OPPROF_NA_STRING 0u      /**< Absent string id. The empty string has an id of its own. */
#define OPPROF_NA_F64_BITS UINT64_C(0x7ff80000000a0a0a) /**< Bits of the absent double, a NaN. */

/** Text of a record, in the blob of its batch. Absent: offset OPPROF_NA_U32. Not NUL-terminated. */
typedef struct OpprofText {
    uint32_t offset; /**< Bytes from the start of the blob. */
    uint32_t length; /**< Bytes. */
} OpprofText;

/** The absent double. */
static inline double OpprofNaF64(void)
{
    const uint64_t bits = OPPROF_NA_F64_BITS;
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

/** True for the absent double only, not for other NaNs. */
static inline bool OpprofIsNaF64(double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits == OPPROF_NA_F64_BITS;
}

/** A uint32_t at any address. */
static inline uint32_t OpprofLoadU32(const void *at)
{
    uint32_t value;
    memcpy(&value, at, sizeof value);
    return value;
}

/** A uint64_t at any address. */
static inline uint64_t OpprofLoadU64(const void *at)
{
    uint64_t value;
    memcpy(&value, at, sizeof value);
    return value;
}

/** An int16_t at any address. */
static inline int16_t OpprofLoadI16(const void *at)
{
    int16_t value;
    memcpy(&value, at, sizeof value);
    return value;
}

/** A double at any address. */
static inline double OpprofLoadF64(const void *at)
{
    double value;
    memcpy(&value, at, sizeof value);
    return value;
}

/**
 * How values of several rows become one, such as those of all cores, ranks or launches. A row that
 * is of a member (OPPROF_FIELD_MEMBER) runs side by side with the rows of other members that have
 * the same other keys.
 */
typedef enum OpprofCombine {
    /** Not stated, as in results of older versions: nothing is added up. */
    OPPROF_COMBINE_UNKNOWN = 0,
    OPPROF_COMBINE_SUM = 1, /**< Added up over all rows: bytes, calls, times one after the other. */
    /**
     * Times that pass side by side: of the rows of several members the longest counts; rows with
     * different other keys are added up.
     */
    OPPROF_COMBINE_LONGEST = 2,
    OPPROF_COMBINE_MEAN = 3, /**< The mean of the rows, such as of shares and rates. */
    OPPROF_COMBINE_NONE = 4  /**< Only of its own row, such as a median or a maximum. */
} OpprofCombine;

/** One field of a record. */
typedef struct OpprofField {
    const char *name;    /**< snake_case; the column heading unless `heading` is given. */
    uint32_t kind;       /**< OpprofFieldKind. */
    uint32_t offset;     /**< Bytes from the start of the record: offsetof(). */
    const char *unit;    /**< "tick", "byte", "us", "1" …; NULL where a unit makes no sense. */
    const char *meaning; /**< One sentence. */
    const char *absent;  /**< Why a value can be absent; NULL: it never is. */
    const char *heading; /**< Column heading in exports; NULL: name. */
    uint32_t decimals;   /**< For F64: digits after the point plus 1; 0: shortest exact text. */
    uint32_t flags;      /**< OPPROF_FIELD_* flags. */
    uint32_t combine;    /**< OpprofCombine, of a number. */
} OpprofField;

/** True if the field's value, which lies at `at` (any alignment), is absent. */
static inline bool OpprofFieldIsNa(const OpprofField *field, const void *at)
{
    switch (field->kind) {
    case OPPROF_FIELD_I16:
        return OpprofLoadI16(at) == OPPROF_NA_I16;
    case OPPROF_FIELD_U32:
    case OPPROF_FIELD_TRACK:
    case OPPROF_FIELD_TEXT: /* its offset */
        return OpprofLoadU32(at) == OPPROF_NA_U32;
    case OPPROF_FIELD_I32:
        return OpprofLoadU32(at) == UINT32_C(0x80000000);
    case OPPROF_FIELD_STRING:
        return OpprofLoadU32(at) == OPPROF_NA_STRING;
    case OPPROF_FIELD_I64:
        return OpprofLoadU64(at) == UINT64_C(1) << 63;
    case OPPROF_FIELD_F64:
        return OpprofLoadU64(at) == OPPROF_NA_F64_BITS;
    default:
        return OpprofLoadU64(at) == OPPROF_NA_U64;
    }
}

#define OPPROF_FIELD_HIDDEN 1u /**< Not a column of exports (routing, bookkeeping). */
#define OPPROF_FIELD_KEY 2u    /**< Part of the table's key. */
#define OPPROF_FIELD_QUOTED 4u /**< CSV: always in double quotes. */
/** Weight of a row, such as its time: reports show the heaviest rows with their shares of the sum,
 * and differences compare it. At most one field per type. Without it the first number whose unit is
 * a time is taken. */
#define OPPROF_FIELD_WEIGHT 8u
/** A part of the row's weight: reports show all parts as shares of it. */
#define OPPROF_FIELD_PART 16u
/** A share ("%" or "ratio") of what the hardware can do: its speed of light. */
#define OPPROF_FIELD_PEAK 32u
#define OPPROF_FIELD_MORE_IS_BETTER 64u /**< Of two runs the one with the larger value is better. */
/** Place in a source, FILE:LINE: reports show it even if it is hidden. */
#define OPPROF_FIELD_PLACE 128u
/** A point in time, not an amount of it: nothing compares it or adds it up. */
#define OPPROF_FIELD_MOMENT 256u
/** A key that says which of several members a row is of that did the same, such as a rank: reports
 * of the heaviest rows add up over all of them. Where rows have the member "all", which is all of
 * them together, only these count. */
#define OPPROF_FIELD_MEMBER 512u
/** Of its row alone, such as a mean, a maximum or time that rows share: never added up over rows. A
 * text of its row alone, such as the longest of several things or a process id, is nothing that
 * rows are added up by, nor do differences name it. */
#define OPPROF_FIELD_ALONE 1024u
/**
 * How long the run took, on its own clock: the longest core, the duration of the task, the first to
 * the last work of a device. It decides whether a run is slower than another one. With
 * OPPROF_FIELD_ALONE it is the time of one of several that its heading names, such as a step.
 */
#define OPPROF_FIELD_RUN_TIME 2048u
/**
 * Time of waiting, in the weight or a part of it. It can move to another row, such as one of
 * another pipe, without a difference to the whole.
 */
#define OPPROF_FIELD_STALL 4096u
/**
 * Key: an address in code, which moves when the code changes. Between runs a row is found by its
 * place in the source (OPPROF_FIELD_PLACE) and its other keys instead, if its place is known.
 */
#define OPPROF_FIELD_ADDRESS 8192u
/**
 * Key: a label that the system gives, such as the number of a device or a stream. Between two runs,
 * labels that only one of them has and that are equal except for digits are matched in their order.
 */
#define OPPROF_FIELD_LABEL 16384u
/**
 * A text that says where something passes: a pipe, a stream. Rows of different lanes run side by
 * side, so times that combine as the longest are added up within a lane only.
 */
#define OPPROF_FIELD_LANE 32768u
/** A number that is not 0 for rows that are labels around work, such as user marks: their time is
 * that of other rows, so reports do not rank them. */
#define OPPROF_FIELD_IS_LABEL 65536u
/** What the weights of its member's rows are parts of: reports show these as shares of it. */
#define OPPROF_FIELD_WHOLE 262144u
/** With OPPROF_FIELD_HIDDEN: pages that show whole tables show it; files and reports do not. */
#define OPPROF_FIELD_DETAIL 131072u

/** The type is a finding for people: exporters of tables take it. A record whose fields are all
 * absent, but for hidden ones, is not a row; it makes the file of a table without rows. */
#define OPPROF_RECORD_TABLE 1u
/** A table of few rows that people want to see at the end of the run as well. */
#define OPPROF_RECORD_SUMMARY 4u
/** The rows are members that did the same: reports compare their weights with the median. */
#define OPPROF_RECORD_PEERS 8u
/** Rows of the member "all" are sums over the members: they repeat what these say. */
#define OPPROF_RECORD_ALL_REPEATS 16u
/** CSV: a comma also after the last field, as the readers of these tables expect. */
#define OPPROF_RECORD_END_COMMA 2u

/** Elements of an array that lies in the blob of a batch, in a TEXT field: structures one after the
 * other, without alignment. Each number of a string or track of the run in an element must be a
 * field here, so that a recording can name it. */
typedef struct OpprofElements {
    const char *field;         /**< Name of the TEXT field; NULL ends a list. */
    uint32_t size;             /**< Bytes of an element. */
    uint32_t field_count;      /**< Entries of fields. */
    const OpprofField *fields; /**< Offsets are from the start of an element. None is a TEXT. */
} OpprofElements;

/** A record type. Static for built-in types; a plugin may build one at Configure when its columns
 * depend on parameters. Must outlive the run. Identity is name and version. */
typedef struct OpprofRecordType {
    uint32_t struct_size; /**< sizeof(OpprofRecordType) as compiled. */
    uint32_t version;     /**< Grows when a field changes meaning; links need equal versions. */
    const char *name;     /**< Dotted, such as "sim.instruction"; vendors use reverse DNS. */
    const char *summary;  /**< One sentence. */
    uint32_t size;        /**< sizeof the record in bytes, a multiple of 8. */
    uint32_t flags;       /**< OPPROF_RECORD_* flags. */
    const OpprofField *fields; /**< field_count entries, in column order. */
    uint32_t field_count;      /**< Entries of fields. */
    const char *title;         /**< Tables: heading for people. */
    /** Tables: path of the file to make, relative to the output directory, without suffix. "<name>"
     * is replaced by the value of that field (a STRING), one file per value; if that is absent,
     * "<name>/" is left out. The empty text: no file of its own. */
    const char *file_hint;
    /** Arrays in the blob, ended by one without a field; NULL: none. */
    const OpprofElements *elements;
} OpprofRecordType;

/** Number of entries of a table, as the count members want it. */
#define OPPROF_COUNT(table) ((uint32_t) (sizeof(table) / sizeof((table)[0])))

/** An entry of a field table, with the other members as designated initialisers. C only. */
#define OPPROF_FIELD(type, member, field_kind, ...)                                                \
    {                                                                                              \
        .name = #member, .kind = (field_kind), .offset = (uint32_t) offsetof(type, member),        \
        __VA_ARGS__                                                                                \
    }

/** An entry of a field table in a header, C and C++. `kind` is what follows OPPROF_FIELD_, unset
 * texts are NULL. */
#define OPPROF_RECORD_FIELD(type, member, kind, flags, unit, meaning, absent)                      \
    {                                                                                              \
#member, OPPROF_FIELD_##kind, (uint32_t) offsetof(type, member), unit, meaning, absent,    \
            NULL, 0, flags, OPPROF_COMBINE_UNKNOWN                                                 \
    }

/** The same of a number that says how rows combine: `rule` is what follows OPPROF_COMBINE_. */
#define OPPROF_RECORD_NUMBER(type, member, kind, rule, flags, unit, meaning, absent)               \
    {                                                                                              \
#member, OPPROF_FIELD_##kind, (uint32_t) offsetof(type, member), unit, meaning, absent,    \
            NULL, 0, flags, OPPROF_COMBINE_##rule                                                  \
    }

/** A record type in a header, C and C++. `title` and `file_hint` are for tables, NULL elsewhere. */
#define OPPROF_RECORD_TYPE(record, version, name, summary, flags, fields, title, file_hint)        \
    {                                                                                              \
        sizeof(OpprofRecordType), version, name, summary, sizeof(record), flags, fields,           \
            OPPROF_COUNT(fields), title, file_hint, NULL                                           \
    }

/** The same for records with arrays in the blob: `elements` is a list of OpprofElements. */
#define OPPROF_RECORD_TYPE_WITH_ELEMENTS(record, version, name, summary, flags, fields, elements)  \
    {                                                                                              \
        sizeof(OpprofRecordType), version, name, summary, sizeof(record), flags, fields,           \
            OPPROF_COUNT(fields), NULL, NULL, elements                                             \
    }

/** An entry of a list of OpprofElements. */
#define OPPROF_RECORD_ELEMENTS(field, element, fields)                                             \
    {                                                                                              \
#field, (uint32_t) sizeof(element), OPPROF_COUNT(fields), fields                           \
    }

#ifdef __cplusplus
}
#endif

#endif
