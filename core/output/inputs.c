/* SPDX-License-Identifier: Apache-2.0 */
/* Keeps a run from writing over what it reads. Tested by tests/e2e/output_errors.sh. */
#include "output/inputs.h"

#include "base/files.h"

#include <fcntl.h>
#include <jansson.h>
#include <opprof/grow.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

bool InputsMayReplace(Inputs *inputs, const char *relative)
{
    const size_t length = strlen(relative);

    return OpprofTextMapFind(&inputs->ours, relative, length) != OPPROF_MAP_NONE ||
           OpprofTextMapPut(&inputs->ours, relative, length, 0, NULL);
}

/* The files that a run's record lists; without a record there are none. False without memory. */
static bool read_record(Inputs *inputs, int directory)
{
    const int fd = openat(directory, "run.json", O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
    json_t *record = fd < 0 ? NULL : json_loadfd(fd, 0, NULL);
    bool is_good = true;
    json_t *file;
    size_t i;

    json_array_foreach(json_object_get(record, "files"), i, file)
    {
        const char *path = json_string_value(json_object_get(file, "path"));

        is_good = is_good && (path == NULL || InputsMayReplace(inputs, path));
    }
    json_decref(record);
    CloseOpened(fd);
    return is_good;
}

bool InputsAdd(Inputs *inputs, int directory, const char *path)
{
    struct stat info, own;

    if (stat(path, &info) != 0) {
        return true;
    }
    if (S_ISREG(info.st_mode)) {
        if (!OpprofGrow(&inputs->files, &inputs->capacity, inputs->count + 1,
                        sizeof *inputs->files)) {
            return false;
        }
        inputs->files[inputs->count++] = (InputId){ info.st_dev, info.st_ino };
        return true;
    }
    if (!S_ISDIR(info.st_mode) || inputs->holds_input || fstat(directory, &own) != 0 ||
        !IsSameFile(&own, &info)) {
        return true;
    }
    inputs->holds_input = true;
    return read_record(inputs, directory);
}

bool InputsHave(const Inputs *inputs, const struct stat *file)
{
    for (size_t i = 0; i < inputs->count; i++) {
        if (inputs->files[i].device == file->st_dev && inputs->files[i].inode == file->st_ino) {
            return true;
        }
    }
    return false;
}

const char *InputsFault(const Inputs *inputs, const struct stat *file, const char *relative)
{
    if (InputsHave(inputs, file)) {
        return "the run reads it";
    }
    return inputs->holds_input &&
                   OpprofTextMapFind(&inputs->ours, relative, strlen(relative)) == OPPROF_MAP_NONE
               ? "the input has a file of this name"
               : NULL;
}

void InputsFinish(Inputs *inputs)
{
    free(inputs->files);
    OpprofTextMapFinish(&inputs->ours);
    *inputs = (Inputs){ .files = NULL };
}
