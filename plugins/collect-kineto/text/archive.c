/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Files in zip archives, by libzip. Tested by tests/plugins/collect-kineto/test_inputs.sh.
 */
#include "collect-kineto/text/archive.h"

#include <opprof/kit/bytes.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <zip.h>

#define END_SIZE 22 /* of the record at the end of an archive, without its comment */

struct Archive {
    zip_t *zip;
    zip_file_t *file;
};

bool ArchiveIs(const char *path)
{
    struct stat facts;
    /* opening a pipe would wait for its writer */
    FILE *file = stat(path, &facts) == 0 && S_ISREG(facts.st_mode) ? fopen(path, "rbe") : NULL;
    char head[4];
    bool is_zip;

    if (file == NULL) {
        return false;
    }
    is_zip = fread(head, 1, sizeof head, file) == sizeof head &&
             (memcmp(head, "PK\3\4", 4) == 0 || memcmp(head, "PK\5\6", 4) == 0); /* full, empty */
    fclose(file);
    return is_zip;
}

/*
 * Bytes before the archive, such as another archive, which would be ignored. The record at the end
 * says how long the directory is and where it begins (APPNOTE.TXT, 4.3.16); archives of more than 4
 * GiB say so elsewhere, and count as 0.
 */
static uint64_t bytes_before(const char *path, zip_t *zip)
{
    unsigned char end[END_SIZE];
    uint64_t size, place;
    struct stat facts;
    int comment = 0;
    FILE *file = fopen(path, "rbe");
    bool is_read;

    if (file == NULL) {
        return 0;
    }
    zip_get_archive_comment(zip, &comment, ZIP_FL_ENC_RAW);
    is_read = fstat(fileno(file), &facts) == 0 && facts.st_size >= END_SIZE + comment &&
              fseeko(file, facts.st_size - comment - END_SIZE, SEEK_SET) == 0 &&
              fread(end, 1, sizeof end, file) == sizeof end && memcmp(end, "PK\5\6", 4) == 0;
    fclose(file);
    if (!is_read) {
        return 0;
    }
    size = OpprofLoadLe32(end + 12);
    place = OpprofLoadLe32(end + 16);
    if (size == UINT32_MAX || place == UINT32_MAX ||
        size + place > (uint64_t) (facts.st_size - comment - END_SIZE)) {
        return 0;
    }
    return (uint64_t) (facts.st_size - comment - END_SIZE) - size - place;
}

static OpprofStatus open_zip(const char *path, zip_t **ret_zip, OpprofError **error)
{
    int code = 0;
    zip_error_t reason;
    uint64_t before;

    *ret_zip = zip_open(path, ZIP_RDONLY, &code);
    if (*ret_zip != NULL) {
        before = bytes_before(path, *ret_zip);
        if (before == 0) {
            return OPPROF_OK;
        }
        zip_discard(*ret_zip);
        *ret_zip = NULL;
        return OpprofErrorSet(error, OPPROF_E_DATA,
                              "Archive '%s' is not whole: %" PRIu64 " bytes stand before it", path,
                              before);
    }
    zip_error_init_with_code(&reason, code);
    OpprofErrorSet(error, OPPROF_E_DATA, "Cannot read the directory of archive '%s': %s", path,
                   zip_error_strerror(&reason));
    zip_error_fini(&reason);
    return OPPROF_E_DATA;
}

OpprofStatus ArchiveList(const char *path, ArchiveVisit *visit, void *context, OpprofError **error)
{
    zip_t *zip;
    OpprofStatus status = open_zip(path, &zip, error);
    zip_int64_t count;

    if (status != OPPROF_OK) {
        return status;
    }
    count = zip_get_num_entries(zip, 0);
    for (zip_int64_t i = 0; status == OPPROF_OK && i < count; i++) {
        const char *name = zip_get_name(zip, (zip_uint64_t) i, 0);
        char *member = NULL;

        if (name == NULL || name[0] == '\0' || name[strlen(name) - 1] == '/') {
            continue;
        }
        if (asprintf(&member, "%s/%s", path, name) < 0 || !visit(context, member)) {
            status = OpprofErrorNoMemory(error, "list archive '%s'", path);
        }
        free(member);
    }
    zip_discard(zip);
    return status;
}

/* The length of the prefix of the path that is a file; 0 if none. */
static size_t archive_length(const char *path, char *room)
{
    struct stat facts;

    for (const char *slash = strchr(path + (path[0] == '/'), '/'); slash != NULL;
         slash = strchr(slash + 1, '/')) {
        const size_t length = (size_t) (slash - path);

        memcpy(room, path, length);
        room[length] = '\0';
        if (stat(room, &facts) == 0 && S_ISREG(facts.st_mode) && ArchiveIs(room)) {
            return length;
        }
    }
    return 0;
}

char *ArchiveOf(const char *path)
{
    char *room = malloc(strlen(path) + 1);

    if (room != NULL && archive_length(path, room) == 0) {
        free(room);
        return NULL;
    }
    return room;
}

static OpprofStatus open_member(Archive *archive, const char *path, const char *name,
                                uint64_t *ret_size, OpprofError **error)
{
    zip_stat_t facts;

    archive->file = zip_fopen(archive->zip, name, 0);
    if (archive->file == NULL || zip_stat(archive->zip, name, 0, &facts) != 0) {
        return OpprofErrorSet(error, OPPROF_E_DATA, "Cannot open '%s' in its archive: %s", path,
                              zip_strerror(archive->zip));
    }
    *ret_size = (facts.valid & ZIP_STAT_SIZE) != 0 ? facts.size : 0;
    return OPPROF_OK;
}

OpprofStatus ArchiveOpen(const char *path, Archive **ret_archive, uint64_t *ret_size,
                         OpprofError **error)
{
    char *room = malloc(strlen(path) + 1);
    Archive *archive = calloc(1, sizeof *archive);
    const size_t length = room == NULL ? 0 : archive_length(path, room);
    OpprofStatus status;

    if (room == NULL || archive == NULL) {
        status = OpprofErrorNoMemory(error, "open trace '%s'", path);
    } else if (length == 0) {
        status = OPPROF_E_NOT_FOUND;
    } else {
        status = open_zip(room, &archive->zip, error);
    }
    if (status == OPPROF_OK) {
        status = open_member(archive, path, path + length + 1, ret_size, error);
    }
    free(room);
    if (status != OPPROF_OK) {
        ArchiveClose(archive);
        return status;
    }
    *ret_archive = archive;
    return OPPROF_OK;
}

ssize_t ArchiveRead(Archive *archive, void *out, size_t size)
{
    return (ssize_t) zip_fread(archive->file, out, size);
}

const char *ArchiveProblem(Archive *archive)
{
    return zip_file_strerror(archive->file);
}

void ArchiveClose(Archive *archive)
{
    if (archive == NULL) {
        return;
    }
    if (archive->file != NULL) {
        zip_fclose(archive->file);
    }
    if (archive->zip != NULL) {
        zip_discard(archive->zip);
    }
    free(archive);
}
