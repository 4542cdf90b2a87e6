/* SPDX-License-Identifier: Apache-2.0 */
/* Reads communication.json. Tested by tests/plugins/collect-kineto/test_ascend_tables.sh. */
#include "collect-kineto/tables/communication.h"

#include <ctype.h>
#include <jansson.h>
#include <opprof/grow.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define START "\"Start Timestamp(us)\""
#define OPERATOR_DEPTH 3u /* step, kind, operator */
#define DEPTH_MOST 64u
#define PIECE 65536u

/* Text that grows. */
typedef struct Text {
    char *bytes;
    size_t length;
    size_t room;
    bool is_bad; /* there was no memory */
} Text;

static void put(Text *text, const char *bytes, size_t length)
{
    if (text->is_bad || !OpprofGrow(&text->bytes, &text->room, text->length + length + 1, 1)) {
        text->is_bad = true;
        return;
    }
    memcpy(text->bytes + text->length, bytes, length);
    text->length += length;
    text->bytes[text->length] = '\0';
}

static void put_string(Text *text, const char *string)
{
    put(text, string, strlen(string));
}

/* ---- the document ---- */

static Text read_all(Source *source)
{
    Text text = { .length = 0 };
    size_t got = 1;

    put(&text, "", 0);
    while (!text.is_bad && got > 0) {
        if (!OpprofGrow(&text.bytes, &text.room, text.length + PIECE + 1, 1)) {
            text.is_bad = true;
            break;
        }
        got = SourceRead(source, text.bytes + text.length, PIECE);
        text.length += got;
        text.bytes[text.length] = '\0';
    }
    return text;
}

/* A double does not hold all digits of a time since 1970: as a text they stay. */
static Text quote_times(const Text *from)
{
    Text text = { .length = 0 };
    const char *at = from->bytes;
    const char *found;

    while ((found = strstr(at, START)) != NULL) {
        const char *number = found + strlen(START);
        size_t length;

        number += strspn(number, " \t\r\n:");
        length = strspn(number, "+-.0123456789eE");
        put(&text, at, (size_t) (number - at));
        put(&text, "\"", length > 0);
        put(&text, number, length);
        put(&text, "\"", length > 0);
        at = number + length;
    }
    put(&text, at, (size_t) (from->bytes + from->length - at));
    return text;
}

/* Closes a document that is not whole after its last whole operator. */
static void close_document(Text *text, size_t end)
{
    bool is_string = false;
    size_t depth = 0;
    size_t whole = 0; /* what ends with a whole operator */
    size_t whole_depth = 0;

    for (size_t i = 0; i < end && depth < DEPTH_MOST; i++) {
        const char byte = text->bytes[i];

        if (is_string) {
            i += byte == '\\';
            is_string = byte != '"';
        } else if (byte == '"') {
            is_string = true;
        } else if (byte == '{') {
            depth++;
        } else if (byte == '}' && depth > 0) {
            depth--;
            if (depth <= OPERATOR_DEPTH) {
                whole = i + 1;
                whole_depth = depth;
            }
        }
    }
    text->length = whole;
    while (whole_depth-- > 0) {
        put_string(text, "}");
    }
}

/* NULL: nothing of it can be read. */
static json_t *parse(Text *text, char *problem, size_t room)
{
    json_error_t why;
    json_t *root = json_loadb(text->bytes, text->length, JSON_REJECT_DUPLICATES, &why);

    if (root == NULL) {
        root = json_loadb(text->bytes, text->length, 0, &why);
    }
    if (root == NULL) {
        snprintf(problem, room,
                 "it is damaged at byte %d of its text (%s): what is there before is "
                 "read",
                 why.position, why.text);
        close_document(text, why.position > 0 ? (size_t) why.position : 0);
        root = text->is_bad ? NULL : json_loadb(text->bytes, text->length, 0, &why);
    }
    return root;
}

/* ---- rows ---- */

static void put_quoted(Text *csv, const char *string, size_t length)
{
    put_string(csv, "\"");
    for (size_t i = 0; i < length; i++) {
        put(csv, "\"\"", string[i] == '"' ? 2 : 0);
        put(csv, string + i, string[i] != '"');
    }
    put_string(csv, "\",");
}

/* A number of the document in another unit; a text stays, for its reader to say what it is. */
static void put_number(Text *csv, const json_t *value, double factor)
{
    char text[40];

    if (json_is_string(value)) {
        put_quoted(csv, json_string_value(value), json_string_length(value));
        return;
    }
    if (json_is_number(value)) {
        put(csv, text,
            (size_t) snprintf(text, sizeof text, "%.17g", json_number_value(value) * factor));
    } else if (value != NULL && !json_is_null(value)) {
        put_string(csv, "?");
    }
    put_string(csv, ",");
}

/* "step12": 12. */
static void put_step(Text *csv, const char *step)
{
    step += strcspn(step, "0123456789");
    put_quoted(csv, step, strlen(step));
}

/* "name@group" */
static void put_name(Text *csv, const char *name)
{
    const char *group = strrchr(name, '@');

    put_quoted(csv, name, group == NULL ? strlen(name) : (size_t) (group - name));
    put_quoted(csv, group == NULL ? "" : group + 1, group == NULL ? 0 : strlen(group + 1));
}

static void put_operator(Text *csv, const char *step, const char *kind, const char *name,
                         const json_t *operation)
{
    static const char *const times[] = { "Elapse Time(ms)", "Transit Time(ms)", "Wait Time(ms)",
                                         "Synchronization Time(ms)", "Idle Time(ms)" };
    const json_t *facts = json_object_get(operation, "Communication Time Info");

    if (facts == NULL) {
        return;
    }
    put_step(csv, step);
    put_name(csv, name);
    put_quoted(csv, kind, strlen(kind));
    put_number(csv, json_object_get(facts, "Start Timestamp(us)"), 1);
    for (size_t i = 0; i < sizeof times / sizeof times[0]; i++) {
        put_number(csv, json_object_get(facts, times[i]), 1000);
    }
    put_string(csv, "\n");
}

static void put_link_head(Text *csv, const char *step, const char *name, const char *transport)
{
    put_step(csv, step);
    put_name(csv, name);
    put_quoted(csv, transport, strlen(transport));
}

/* One transport, if it moved something. */
static void put_link(Text *csv, const char *step, const char *name, const char *transport,
                     json_t *link)
{
    const json_t *size = json_object_get(link, "Transit Size(MB)");

    if (json_is_number(size) && !(json_number_value(size) > 0)) {
        return;
    }
    put_link_head(csv, step, name, transport);
    put_number(csv, size, 1);
    put_number(csv, json_object_get(link, "Transit Time(ms)"), 1000);
    put_number(csv, json_object_get(link, "Bandwidth(GB/s)"), 1);
    put_string(csv, "\n");
}

/* Its packets by size: "16.5": [ how many, ms of all ]. */
static void put_packets(Text *csv, const char *step, const char *name, const char *transport,
                        json_t *link)
{
    const char *size;
    json_t *packets;

    json_object_foreach(json_object_get(link, "Size Distribution"), size, packets)
    {
        put_link_head(csv, step, name, transport);
        put_quoted(csv, size, strlen(size));
        put_number(csv, json_array_get(packets, 0), 1);
        put_number(csv, json_array_get(packets, 1), 1000);
        put_string(csv, "\n");
    }
}

static void put_rows_of(Text *csv, TableForm form, const char *step, const char *kind,
                        const char *name, const json_t *operation)
{
    const char *transport;
    json_t *link;

    if (form == TABLE_OPERATORS) {
        put_operator(csv, step, kind, name, operation);
        return;
    }
    json_object_foreach(json_object_get(operation, "Communication Bandwidth Info"), transport, link)
    {
        if (form == TABLE_LINKS) {
            put_link(csv, step, name, transport, link);
        } else {
            put_packets(csv, step, name, transport, link);
        }
    }
}

static void put_rows(Text *csv, json_t *root, TableForm form)
{
    const char *step, *kind, *name;
    json_t *kinds, *operations, *operation;

    json_object_foreach(root, step, kinds)
    {
        json_object_foreach(kinds, kind, operations)
        {
            json_object_foreach(operations, name, operation)
            {
                if (strncmp(name, "Total Op Info", 13) != 0) { /* a sum of the others */
                    put_rows_of(csv, form, step, kind, name, operation);
                }
            }
        }
    }
}

static const char *const headings[] = {
    [TABLE_OPERATORS] = "step,name,group,kind,start_us,elapsed_us,transit_us,wait_us,"
                        "synchronization_us,idle_us,\n",
    [TABLE_LINKS] = "step,name,group,transport,size_mb,time_us,bandwidth_gbs,\n",
    [TABLE_PACKETS] = "step,name,group,transport,packet_mb,count,time_us,\n",
};

CommunicationText CommunicationRead(Source *source, TableForm form)
{
    CommunicationText result = { .csv = NULL };
    Text text = read_all(source);
    Text quoted = { .length = 0 };
    Text csv = { .length = 0 };
    json_t *root = NULL;

    if (!text.is_bad) {
        quoted = quote_times(&text);
    }
    if (!text.is_bad && !quoted.is_bad) {
        root = parse(&quoted, result.problem, sizeof result.problem);
        put_string(&csv, headings[form]);
        if (root != NULL && !json_is_object(root)) {
            snprintf(result.problem, sizeof result.problem, "it is another document");
        }
        put_rows(&csv, root, form);
    }
    json_decref(root);
    free(text.bytes);
    if (quoted.is_bad || csv.is_bad || text.is_bad) {
        free(csv.bytes);
        csv.bytes = NULL;
    }
    free(quoted.bytes);
    result.csv = csv.bytes;
    result.length = csv.length;
    return result;
}
