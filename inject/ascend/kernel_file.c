/* SPDX-License-Identifier: Apache-2.0 */
/* Reads documents that describe a kernel and its arguments. Tested by
 * tests/inject/ascend/test_kernel_file.c. */
#include "inject/ascend/kernel_file.h"
#include "refchip/abi.h"
#include <errno.h>
#include <jansson.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define MOST_FILE_BYTES (10u << 20)
#define MOST_ARGUMENT_BYTES (UINT64_C(1) << 36)

/* Keep the first sentence; always false. */
__attribute__((format(printf, 2, 3))) static bool refuse(KernelFile *file, const char *format, ...)
{
    va_list list;

    if (file->why[0] == '\0') {
        va_start(list, format);
        vsnprintf(file->why, sizeof file->why, format, list);
        va_end(list);
    }
    return false;
}

/* ---- members ---- */

/* NULL: it is missing or not a text. */
static const char *text_of(KernelFile *file, const json_t *object, const char *name)
{
    const char *text = json_string_value(json_object_get(object, name));

    if (text == NULL || *text == '\0') {
        refuse(file, "'%s' is missing, or not a text", name);
        return NULL;
    }
    return text;
}

static bool read_number(KernelFile *file, const json_t *object, const char *name, int64_t least,
                        int64_t most, int64_t *value)
{
    const json_t *member = json_object_get(object, name);

    if (member == NULL) {
        return true;
    }
    *value = json_integer_value(member);
    return (json_is_integer(member) && *value >= least && *value <= most) ||
           refuse(file, "'%s' is not a number from %lld to %lld", name, (long long) least,
                  (long long) most);
}

/* Relative to the folder of the document. */
static char *join(const char *document, const char *path)
{
    const char *slash = strrchr(document, '/');
    char *joined = NULL;

    if (*path == '/' || slash == NULL) {
        return strdup(path);
    }
    return asprintf(&joined, "%.*s/%s", (int) (slash - document), document, path) < 0 ? NULL
                                                                                      : joined;
}

/* A path that the document has; the file must be there. */
static bool read_path(KernelFile *file, const char *document, const char *path, char **ret_path)
{
    struct stat about;

    *ret_path = join(document, path);
    if (*ret_path == NULL) {
        return refuse(file, "out of memory");
    }
    if (stat(*ret_path, &about) != 0) {
        return refuse(file, "'%s': %s", *ret_path, strerror(errno));
    }
    return S_ISREG(about.st_mode) || refuse(file, "'%s' is not a regular file", *ret_path);
}

/* ---- arguments ---- */

static uint32_t bytes_of_type(const char *type)
{
    static const struct {
        const char *name;
        uint32_t bytes;
    } types[] = { { "float16", 2 },    { "bfloat16", 2 }, { "float32", 4 }, { "float", 4 },
                  { "float64", 8 },    { "double", 8 },   { "int8", 1 },    { "uint8", 1 },
                  { "bool", 1 },       { "int16", 2 },    { "uint16", 2 },  { "int32", 4 },
                  { "uint32", 4 },     { "int64", 8 },    { "uint64", 8 },  { "complex64", 8 },
                  { "complex128", 16 } };

    for (size_t i = 0; i < sizeof types / sizeof types[0]; i++) {
        if (strcmp(types[i].name, type) == 0) {
            return types[i].bytes;
        }
    }
    return 0;
}

/* The bytes of a tensor, from its type and shape. */
static bool read_tensor(KernelFile *file, const json_t *object, KernelArgument *argument)
{
    const char *type = text_of(file, object, "type");
    const json_t *shape = json_object_get(object, "shape");
    const json_t *side;
    size_t i;

    if (type == NULL) {
        return false;
    }
    argument->bytes = bytes_of_type(type);
    if (argument->bytes == 0) {
        return refuse(file, "the type '%s' is unknown", type);
    }
    if (!json_is_array(shape) || json_array_size(shape) == 0) {
        return refuse(file, "'shape' is not a list of numbers");
    }
    json_array_foreach(shape, i, side)
    {
        if (json_integer_value(side) < 1 ||
            __builtin_mul_overflow(argument->bytes, (uint64_t) json_integer_value(side),
                                   &argument->bytes) ||
            argument->bytes > MOST_ARGUMENT_BYTES) {
            return refuse(file, "'shape' has a side that is not a number above 0, or is too large");
        }
    }
    return true;
}

static bool read_size(KernelFile *file, const json_t *object, const char *name,
                      KernelArgument *argument)
{
    int64_t bytes = 0;

    if (!read_number(file, object, name, 1, (int64_t) MOST_ARGUMENT_BYTES, &bytes)) {
        return false;
    }
    argument->bytes = (uint64_t) bytes;
    return bytes > 0 || refuse(file, "'%s' is missing", name);
}

static bool read_data(KernelFile *file, const char *document, const json_t *object,
                      const char *name, KernelArgument *argument)
{
    const char *path = json_string_value(json_object_get(object, name));
    struct stat about;

    if (path == NULL) {
        return true;
    }
    if (!read_path(file, document, path, &argument->data_path)) {
        return false;
    }
    return (stat(argument->data_path, &about) == 0 &&
            (uint64_t) about.st_size == argument->bytes) ||
           refuse(file, "'%s' does not have the %llu bytes of its argument", argument->data_path,
                  (unsigned long long) argument->bytes);
}

static bool read_argument(KernelFile *file, const char *document, const json_t *object)
{
    KernelArgument *argument = &file->arguments[file->argument_count];
    const char *kind = text_of(file, object, "param_type");
    const char *name = json_string_value(json_object_get(object, "name"));

    if (kind == NULL) {
        return false;
    }
    file->argument_count++;
    argument->name = name == NULL ? NULL : strdup(name);
    if (strcmp(kind, "input") == 0) {
        argument->kind = KERNEL_INPUT;
        return read_tensor(file, object, argument) &&
               read_data(file, document, object, "data_path", argument);
    }
    if (strcmp(kind, "output") == 0) {
        argument->kind = KERNEL_OUTPUT;
        return read_tensor(file, object, argument);
    }
    if (strcmp(kind, "workspace") == 0) {
        argument->kind = KERNEL_WORKSPACE;
        return read_size(file, object, "user_workspace_size", argument);
    }
    if (strcmp(kind, "tiling") == 0) {
        argument->kind = KERNEL_TILING;
        return read_size(file, object, "tiling_data_size", argument) &&
               read_data(file, document, object, "tiling_data_path", argument);
    }
    return refuse(file, "'param_type' is '%s', not input, output, workspace or tiling", kind);
}

static bool read_arguments(KernelFile *file, const char *document, const json_t *root)
{
    const json_t *cases = json_object_get(root, "test_cases");
    const json_t *list = json_object_get(json_array_get(cases, 0), "param_desc");
    const json_t *object;
    size_t i;

    if (json_array_size(cases) != 1) {
        return refuse(file, "'test_cases' is not a list of one case");
    }
    if (!json_is_array(list) || json_array_size(list) == 0 ||
        json_array_size(list) > KERNEL_FILE_MOST_ARGUMENTS) {
        return refuse(file, "'param_desc' is not a list of 1 to %u arguments",
                      KERNEL_FILE_MOST_ARGUMENTS);
    }
    json_array_foreach(list, i, object)
    {
        if (!read_argument(file, document, object)) {
            char inner[sizeof file->why];

            memcpy(inner, file->why, sizeof inner);
            file->why[0] = '\0';
            return refuse(file, "argument %zu: %.480s", i + 1, inner);
        }
    }
    return true;
}

/* ---- the document ---- */

static bool read_magic(KernelFile *file, const json_t *root)
{
    static const struct {
        const char *name;
        uint32_t magic;
    } magics[] = { { "RT_DEV_BINARY_MAGIC_ELF", RT_MAGIC_MIX },
                   { "RT_DEV_BINARY_MAGIC_ELF_AIVEC", RT_MAGIC_VECTOR },
                   { "RT_DEV_BINARY_MAGIC_ELF_AICUBE", RT_MAGIC_CUBE } };
    const char *name = text_of(file, root, "magic");

    for (size_t i = 0; name != NULL && i < sizeof magics / sizeof magics[0]; i++) {
        if (strcmp(name, magics[i].name) == 0) {
            file->magic = magics[i].magic;
            return true;
        }
    }
    return refuse(file, "'magic' is '%s', not RT_DEV_BINARY_MAGIC_ELF, …_AIVEC or …_AICUBE",
                  name == NULL ? "" : name);
}

static bool read_root(KernelFile *file, const char *document, const json_t *root)
{
    const char *name = text_of(file, root, "kernel_name");
    const char *path = text_of(file, root, "kernel_path");
    const char *mode = text_of(file, root, "mode");
    int64_t blocks = 1, device = 0, key = 0;

    if (name == NULL || path == NULL || mode == NULL) {
        return false;
    }
    if (strcmp(mode, "ca") != 0 && strcmp(mode, "onboard") != 0) {
        return refuse(file, "'mode' is '%s', not ca or onboard", mode);
    }
    if (!read_number(file, root, "blockdim", 1, 65535, &blocks) ||
        !read_number(file, root, "device_id", 0, 63, &device) ||
        !read_number(file, root, "tiling_key", 0, INT64_MAX, &key) || !read_magic(file, root)) {
        return false;
    }
    file->kernel_name = strdup(name);
    file->is_on_device = strcmp(mode, "onboard") == 0;
    file->blocks = (uint32_t) blocks;
    file->device = (int32_t) device;
    file->key = (uint64_t) key;
    file->has_key = json_object_get(root, "tiling_key") != NULL;
    return (file->kernel_name != NULL || refuse(file, "out of memory")) &&
           read_path(file, document, path, &file->kernel_path) &&
           read_arguments(file, document, root);
}

bool KernelFileRead(KernelFile *file, const char *path)
{
    json_error_t error = { .line = 0 };
    struct stat about;
    json_t *root;
    bool is_good;

    *file = (KernelFile){ .blocks = 1 };
    if (stat(path, &about) != 0) {
        return refuse(file, "%s", strerror(errno));
    }
    if (!S_ISREG(about.st_mode) || about.st_size > (off_t) MOST_FILE_BYTES) {
        return refuse(file, "it is not a regular file of at most 10 MiB");
    }
    root = json_load_file(path, JSON_REJECT_DUPLICATES, &error);
    if (!json_is_object(root)) {
        json_decref(root);
        return error.text[0] == '\0' ? refuse(file, "it is not a JSON object")
                                     : refuse(file, "line %d: %s", error.line, error.text);
    }
    is_good = read_root(file, path, root);
    json_decref(root);
    return is_good;
}

void KernelFileFinish(KernelFile *file)
{
    for (uint32_t i = 0; i < file->argument_count; i++) {
        free(file->arguments[i].data_path);
        free(file->arguments[i].name);
    }
    free(file->kernel_name);
    free(file->kernel_path);
    *file = (KernelFile){ .blocks = 0 };
}
