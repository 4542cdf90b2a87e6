/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reads the user's display configuration.
 * Tested by tests/plugins/mc2/test_marks.c.
 */
#include "display.h"

#include <jansson.h>
#include <opprof/json.h>
#include <stdlib.h>
#include <string.h>

#define MAX_ID 0xffffffffull

/* A decimal number, or a hexadecimal one after 0x. */
static bool read_id(const char *text, uint32_t *ret_id)
{
    const bool is_hex = text[0] == '0' && (text[1] == 'x' || text[1] == 'X');
    const char *digits = is_hex ? text + 2 : text;
    const char *allowed = is_hex ? "0123456789abcdefABCDEF" : "0123456789";
    const size_t length = strspn(digits, allowed);

    if (length == 0 || digits[length] != '\0' || length > 10) {
        return false;
    }
    const unsigned long long value = strtoull(digits, NULL, is_hex ? 16 : 10);
    *ret_id = (uint32_t) value;
    return value <= MAX_ID;
}

static bool is_good_text(const char *text)
{
    const size_t length = strlen(text);

    return length > 0 && length <= DISPLAY_MAX_TEXT &&
           strspn(text, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_ ") ==
               length;
}

static bool read_names(json_t *names, Display *display)
{
    const size_t count = json_object_size(names);
    const char *key;
    json_t *value;

    if (count > DISPLAY_MAX_NAMES) {
        display->is_over = true;
        return true;
    }
    display->names = calloc(count + 1, sizeof *display->names);
    if (display->names == NULL) {
        return false;
    }
    json_object_foreach(names, key, value)
    {
        DisplayName *name = &display->names[display->count];
        const char *text = json_string_value(value);
        if (text == NULL || !is_good_text(text) || !read_id(key, &name->id)) {
            display->skipped++;
            continue;
        }
        memcpy(name->text, text, strlen(text) + 1);
        display->count++;
    }
    return true;
}

static OpprofStatus take_config(const json_t *root, Display *ret_display, OpprofError **error)
{
    const json_t *config = json_object_get(root, "mc2_trace_config");

    ret_display->hides_blocks = json_is_false(json_object_get(config, "enable_block_time"));
    return read_names(json_object_get(config, "descid_display"), ret_display)
               ? OPPROF_OK
               : OpprofErrorNoMemory(error, "read the display configuration");
}

OpprofStatus DisplayRead(const char *text, size_t length, Display *ret_display, OpprofError **error)
{
    json_t *root = NULL;
    OpprofStatus status = OpprofJsonParse("display configuration", text, length, &root, error);

    *ret_display = (Display){ .count = 0 };
    if (status == OPPROF_OK) {
        status = take_config(root, ret_display, error);
        json_decref(root);
    }
    return status;
}

OpprofStatus DisplayLoad(const char *path, Display *ret_display, OpprofError **error)
{
    json_t *root = NULL;
    OpprofStatus status = OpprofJsonLoad(path, &root, error);

    *ret_display = (Display){ .count = 0 };
    if (status != OPPROF_OK) {
        OpprofErrorWrap(error, "Cannot read the display configuration");
        return status;
    }
    status = take_config(root, ret_display, error);
    json_decref(root);
    return status;
}

const char *DisplayFind(const Display *display, uint32_t id)
{
    for (size_t i = 0; i < display->count; i++) {
        if (display->names[i].id == id) {
            return display->names[i].text;
        }
    }
    return NULL;
}

void DisplayFinish(Display *display)
{
    free(display->names);
    *display = (Display){ .count = 0 };
}
