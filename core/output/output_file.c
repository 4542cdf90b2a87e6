/* SPDX-License-Identifier: Apache-2.0 */
/* Files of a run's results, which get their names when they are complete. Tested by
 * tests/core/output/test_output. */
#include "output/run_directory.h"

#include "base/files.h"
#include "output/directories.h"
#include "output/leftovers.h"

#include <opprof/grow.h>
#include <opprof/intern.h>
#include <opprof/require.h>
#include <opprof/log.h>
#include <opprof/map.h>
#include <opprof/text.h>

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <unistd.h>

#define BUFFER_BYTES (256u << 10)
#define MANY_FILES 12u /* more that are open at once have smaller buffers */
#define SMALL_BUFFER (32u << 10)
#define MAX_RESERVE (1u << 20)
#define SMALL_COPY (64u << 10) /* shorter ranges go through the buffer */
#define COPY_STEP (64u << 20)  /* bytes a system call, so that a signal is noticed */

struct OpprofOutputFile {
    OpprofOutputDirectory *directory; /* the root */
    OpprofOutputDirectory *view;      /* the one it was made through */
    OpprofOutputFile **list;          /* the directory's list that it is in */
    OpprofOutputFile *previous;
    OpprofOutputFile *next;
    char *path;
    char *listed;     /* path below the directory, for the list of finished files */
    OutputLine *line; /* room for what signal handlers read of it once it is finished */
    const char *name; /* last component of path */
    char temporary[NAME_MAX + 1];
    int directory_fd;
    int fd;
    char *buffer;
    size_t capacity;
    size_t used;
    size_t reserved;
    uint64_t flushed; /* bytes of the file before those in the buffer */
    bool is_foreign;  /* a library writes it: its size is known at the end */
    OpprofStatus failed;
    int failed_errno;
    uint64_t failed_at;
};

/* ---- beginning a file ---- */

/* C0, DEL, or C1 as a terminal may take it; other bytes that are not UTF-8 may be letters of
 * another encoding. */
static bool holds_control(const char *text)
{
    size_t left = strlen(text);

    while (left > 0) {
        bool plain;
        const size_t taken = OpprofTextNext(text, left, &plain);
        const unsigned char byte = (unsigned char) text[0];

        if (!plain && (taken > 1 || byte < 0xa0)) {
            return true;
        }
        text += taken;
        left -= taken;
    }
    return false;
}

/* The mistake in a relative path, or NULL. */
static const char *fault_of_path(const char *relative)
{
    if (relative[0] == '/') {
        return "it starts with '/'";
    }
    if (holds_control(relative)) {
        return "it contains a control character";
    }
    for (const char *at = relative;; at++) {
        const size_t length = strcspn(at, "/");
        if (length == 0) {
            return "it contains an empty name";
        }
        if ((length == 1 && at[0] == '.') || (length == 2 && strncmp(at, "..", 2) == 0)) {
            return "it contains '.' or '..'";
        }
        if (length > NAME_MAX) {
            return "one of its names is over 255 bytes";
        }
        at += length;
        if (*at == '\0') {
            return NULL;
        }
    }
}

static char *path_below(const char *directory, const char *relative)
{
    char *path = NULL;
    const char *slash = strcmp(directory, "/") == 0 ? "" : "/";
    return asprintf(&path, "%s%s%s", directory, slash, relative) < 0 ? NULL : path;
}

/* Only a regular file may be replaced. */
static OpprofStatus check_place(const OpprofOutputFile *file, OpprofError **error)
{
    const char *fault = NULL;
    struct stat info;

    if (fstatat(file->directory_fd, file->name, &info, AT_SYMLINK_NOFOLLOW) != 0) {
        return errno == ENOENT
                   ? OPPROF_OK
                   : OpprofErrorSet(error, OPPROF_E_IO, "Cannot make '%s': %m", file->path);
    }
    if (S_ISREG(info.st_mode) && file->view->owner != NULL) {
        fault = InputsFault(&file->directory->inputs, &info, file->listed);
    }
    if (fault != NULL) {
        OpprofErrorSet(error, OPPROF_E_ARGUMENT, "Cannot replace '%s': %s", file->path, fault);
        OpprofErrorHint(error, "Choose another output directory");
        return OPPROF_E_ARGUMENT;
    }
    if (S_ISREG(info.st_mode)) {
        return OPPROF_OK;
    }
    OpprofErrorSet(error, OPPROF_E_IO, "Cannot make '%s': %s is in the way", file->path,
                   S_ISLNK(info.st_mode)   ? "a symbolic link"
                   : S_ISDIR(info.st_mode) ? "a directory"
                                           : "something that is not a regular file");
    OpprofErrorHint(error, "Remove it or choose another output directory");
    return OPPROF_E_IO;
}

static OpprofStatus create_temporary(OpprofOutputFile *file, OpprofError **error)
{
    char letters[LEFTOVER_LETTERS + 1];

    for (int i = 0; file->fd < 0 && i < MAX_TRIES; i++) {
        if (!RandomLetters(letters, sizeof letters)) {
            break;
        }
        LeftoverName(file->temporary, sizeof file->temporary, file->name, letters);
        file->fd = openat(file->directory_fd, file->temporary,
                          O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, FILE_MODE);
        if (file->fd < 0 && errno != EEXIST) {
            break;
        }
        if (file->fd >= 0 && !LeftoverClaim(file->fd)) {
            close(file->fd);
            file->fd = -1;
            errno = EAGAIN;
        }
    }
    if (file->fd < 0 || fchmod(file->fd, FILE_MODE) != 0) { /* the umask may have taken bits */
        OpprofErrorSet(error, OPPROF_E_IO, "Cannot make '%s': %m", file->path);
        return OPPROF_E_IO;
    }
    return OPPROF_OK;
}

/* Once per directory. False without memory. */
static bool remove_leftovers(const OpprofOutputFile *file, const char *above)
{
    OpprofOutputDirectory *directory = file->directory;
    const size_t length = strlen(above);

    if (OpprofTextMapFind(&directory->cleaned, above, length) != OPPROF_MAP_NONE) {
        return true;
    }
    LeftoversRemove(file->directory_fd);
    return OpprofTextMapPut(&directory->cleaned, above, length, 0, NULL);
}

static OpprofStatus open_parent(OpprofOutputFile *file, const char *relative, OpprofError **error)
{
    const OpprofOutputDirectory *directory = file->directory;
    const char *slash = strrchr(relative, '/');
    char *above = strndup(relative, slash == NULL ? 0 : (size_t) (slash - relative));
    char *shown = path_below(directory->path, "");
    OpprofStatus status = OPPROF_E_MEMORY;
    unsigned made = 0;

    if (above == NULL || shown == NULL) {
        OpprofErrorNoMemory(error, "make the file '%s'", file->path);
    } else {
        status =
            DirectoryOpen(&(DirectoryPlace){ directory->fd, shown, above, DIRECTORY_LINKS_NONE },
                          &file->directory_fd, &made, error);
    }
    if (status == OPPROF_OK && directory->flat && made == 0 && !remove_leftovers(file, above)) {
        status = OpprofErrorNoMemory(error, "make the file '%s'", file->path);
    }
    free(above);
    free(shown);
    return status;
}

/* The list of open files for a path. */
static OpprofOutputFile **list_of(OpprofOutputDirectory *directory, const char *path)
{
    return &directory->files[OpprofInternHash(0, path, strlen(path)) % FILE_LISTS];
}

/* Under the directory's lock. */
static OpprofStatus check_unique(const OpprofOutputFile *file, OpprofError **error)
{
    for (const OpprofOutputFile *other = *file->list; other != NULL; other = other->next) {
        if (strcmp(other->path, file->path) == 0) {
            OpprofErrorSet(error, OPPROF_E_ARGUMENT,
                           "Cannot make '%s': the run is writing it already", file->path);
            OpprofErrorHint(error, "Let only one stage of the pipeline make this file");
            return OPPROF_E_ARGUMENT;
        }
    }
    return OPPROF_OK;
}

/* Under the directory's lock: room in the list for all files that are open, and one more. */
static OpprofStatus list_room(OpprofOutputFile *file, OpprofError **error)
{
    OpprofOutputDirectory *directory = file->directory;
    const size_t wanted = directory->finished_count + directory->open_count + 1;

    return OpprofGrow(&directory->finished, &directory->finished_capacity, wanted,
                      sizeof *directory->finished)
               ? OPPROF_OK
               : OpprofErrorNoMemory(error, "make the file '%s'", file->path);
}

/* Under the directory's lock. */
static OpprofStatus open_file(OpprofOutputFile *file, const char *relative, OpprofError **error)
{
    OpprofStatus status = check_unique(file, error);

    if (status == OPPROF_OK) {
        status = list_room(file, error);
    }
    if (status == OPPROF_OK) {
        status = open_parent(file, relative, error);
    }
    if (status == OPPROF_OK) {
        status = check_place(file, error);
    }
    if (status == OPPROF_OK) {
        status = create_temporary(file, error);
    }
    if (status == OPPROF_OK) {
        file->next = *file->list;
        if (file->next != NULL) {
            file->next->previous = file;
        }
        *file->list = file;
        file->directory->open_count++;
    }
    return status;
}

/* All of the file but its place in the list of open files. */
static void free_file(OpprofOutputFile *file)
{
    if (file->fd >= 0) {
        close(file->fd);
        (void) unlinkat(file->directory_fd, file->temporary, 0);
    }
    CloseOpened(file->directory_fd);
    free(file->buffer);
    free(file->line);
    free(file->listed);
    free(file->path);
    free(file);
}

static OutputLine *allocate_line(const OpprofOutputDirectory *view, const char *relative)
{
    const char *owner = view->owner != NULL ? view->owner : "";

    return malloc(sizeof(OutputLine) + OPPROF_TEXT_JSON_ROOM(strlen(relative)) +
                  OPPROF_TEXT_JSON_ROOM(strlen(owner)) + 128);
}

/* Bytes for the buffer of one more file. */
static size_t buffer_of(OpprofOutputDirectory *directory)
{
    size_t open;

    pthread_mutex_lock(&directory->lock);
    open = directory->open_count;
    pthread_mutex_unlock(&directory->lock);
    return open < MANY_FILES ? BUFFER_BYTES : SMALL_BUFFER;
}

static OpprofOutputFile *allocate_file(OpprofOutputDirectory *view, const char *relative)
{
    OpprofOutputDirectory *directory = view->root;
    OpprofOutputFile *file = calloc(1, sizeof *file);

    if (file == NULL) {
        return NULL;
    }
    file->directory = directory;
    file->view = view;
    file->directory_fd = -1;
    file->fd = -1;
    file->capacity = buffer_of(directory);
    file->buffer = malloc(file->capacity);
    file->path = path_below(directory->path, relative);
    file->listed = strdup(relative);
    file->line = allocate_line(view, relative);
    if (file->buffer == NULL || file->path == NULL || file->listed == NULL || file->line == NULL) {
        free_file(file);
        return NULL;
    }
    file->name = strrchr(file->path, '/') + 1;
    file->list = list_of(directory, file->path);
    return file;
}

OpprofStatus OpprofOutputFileCreate(OpprofOutputDirectory *view, const char *relative,
                                    OpprofOutputFile **ret_file, OpprofError **error)
{
    OPPROF_REQUIRE("output-given", view != NULL,
                   "The output directory is available from the start call onwards");
    OPPROF_REQUIRE("output-name-given", relative != NULL, "The file has a name");

    OpprofOutputDirectory *directory = view->root;
    const char *fault = fault_of_path(relative);

    *ret_file = NULL;
    if (fault == NULL && strlen(directory->path) + strlen(relative) + 2 > PATH_MAX) {
        fault = "with the output directory it is over 4095 bytes";
    }
    if (fault != NULL) {
        return OpprofErrorSet(error, OPPROF_E_ARGUMENT, "Cannot make the file '%s': %s", relative,
                              fault);
    }
    OpprofOutputFile *file = allocate_file(view, relative);
    if (file == NULL) {
        return OpprofErrorNoMemory(error, "make the file '%s'", relative);
    }
    pthread_mutex_lock(&directory->lock);
    const OpprofStatus status = open_file(file, relative, error);
    pthread_mutex_unlock(&directory->lock);
    if (status != OPPROF_OK) {
        free_file(file);
        return status;
    }
    *ret_file = file;
    return OPPROF_OK;
}

/* ---- failures ---- */

static void hint_at_space(OpprofError **error, int reason)
{
    if (reason == ENOSPC) {
        OpprofErrorHint(error, "Free space on that file system or choose another output directory");
    } else if (reason == EDQUOT) {
        OpprofErrorHint(error, "Free space in your disk quota or choose another output directory");
    } else if (reason == EFBIG) {
        OpprofErrorHint(error,
                        "Raise the limit of file sizes (ulimit -f), or write to a file system that "
                        "takes larger files");
    }
}

static OpprofStatus report(const OpprofOutputFile *file, OpprofError **error)
{
    if (file->failed == OPPROF_CLOSED) {
        return OpprofErrorSet(error, OPPROF_CLOSED, "Cannot write '%s': the run was aborted",
                              file->path);
    }
    if (file->failed != OPPROF_E_IO) {
        return OpprofErrorSet(
            error, file->failed, "Cannot write '%s' at byte %" PRIu64 ": %s", file->path,
            file->failed_at,
            file->failed == OPPROF_E_MEMORY
                ? "out of memory"
                : "more was committed than reserved, or more reserved than 1 MiB");
    }
    errno = file->failed_errno;
    OpprofErrorSet(error, OPPROF_E_IO, "Cannot write '%s' at byte %" PRIu64 ": %m", file->path,
                   file->failed_at);
    hint_at_space(error, file->failed_errno);
    return OPPROF_E_IO;
}

/* From here on the file is good for discarding only. */
static OpprofStatus fail(OpprofOutputFile *file, OpprofStatus status, uint64_t at)
{
    file->failed = status;
    file->failed_errno = errno;
    file->failed_at = at;
    return status;
}

/* Files of an aborted run may be incomplete; files of the run itself belong to no stage. */
static bool has_failed(OpprofOutputFile *file)
{
    if (file->failed == OPPROF_OK && file->view->owner != NULL &&
        atomic_load_explicit(&file->directory->is_abandoned, memory_order_relaxed)) {
        fail(file, OPPROF_CLOSED, OpprofOutputFileOffset(file));
    }
    return file->failed != OPPROF_OK;
}

/* ---- writing ---- */

static void count_written(OpprofOutputFile *file, uint64_t bytes)
{
    file->flushed += bytes;
    atomic_fetch_add_explicit(&file->view->written, bytes, memory_order_relaxed);
}

static OpprofStatus write_through(OpprofOutputFile *file, const char *data, size_t size)
{
    while (size > 0) {
        const ssize_t done = write(file->fd, data, size);
        if (done > 0) {
            data += done;
            size -= (size_t) done;
            count_written(file, (uint64_t) done);
        } else if (done == 0 || errno != EINTR) {
            errno = done == 0 ? EIO : errno;
            return fail(file, OPPROF_E_IO, file->flushed);
        }
    }
    return OPPROF_OK;
}

static OpprofStatus flush(OpprofOutputFile *file)
{
    const size_t size = file->used;

    file->used = 0;
    return write_through(file, file->buffer, size);
}

/* The buffer is empty. */
static void grow_buffer(OpprofOutputFile *file, size_t needed)
{
    const size_t size = needed <= SMALL_BUFFER ? SMALL_BUFFER : MAX_RESERVE;
    char *buffer = malloc(size);

    if (buffer == NULL) {
        fail(file, OPPROF_E_MEMORY, OpprofOutputFileOffset(file));
        return;
    }
    free(file->buffer);
    file->buffer = buffer;
    file->capacity = size;
}

OpprofStatus OpprofOutputFileWrite(OpprofOutputFile *file, const void *data, size_t size,
                                   OpprofError **error)
{
    OPPROF_REQUIRE("file-given", file != NULL, "The file is given");
    OPPROF_REQUIRE("file-data-given", data != NULL || size == 0,
                   "The data is NULL only if its size is 0");
    file->reserved = 0;
    if (!has_failed(file) && size > file->capacity - file->used) {
        flush(file);
    }
    if (file->failed == OPPROF_OK && file->buffer == NULL && size < SMALL_BUFFER) {
        grow_buffer(file, SMALL_BUFFER);
    }
    if (file->failed != OPPROF_OK) {
        return report(file, error);
    }
    if (size >= file->capacity) {
        return write_through(file, data, size) == OPPROF_OK ? OPPROF_OK : report(file, error);
    }
    if (size > 0) {
        memcpy(file->buffer + file->used, data, size);
        file->used += size;
    }
    return OPPROF_OK;
}

char *OpprofOutputFileReserve(OpprofOutputFile *file, size_t size)
{
    OPPROF_REQUIRE("file-given", file != NULL, "The file is given");
    if (!has_failed(file) && size > MAX_RESERVE) {
        fail(file, OPPROF_E_CONTRACT, OpprofOutputFileOffset(file));
    }
    if (file->failed == OPPROF_OK && size > file->capacity - file->used) {
        flush(file);
    }
    if (file->failed == OPPROF_OK && (size > file->capacity || file->buffer == NULL)) {
        grow_buffer(file, size);
    }
    if (file->failed != OPPROF_OK) {
        file->reserved = 0;
        return NULL;
    }
    file->reserved = size;
    return file->buffer + file->used;
}

void OpprofOutputFileCommit(OpprofOutputFile *file, size_t size)
{
    OPPROF_REQUIRE("file-given", file != NULL, "The file is given");
    OPPROF_REQUIRE("file-commit-size", size <= file->reserved,
                   "No more is committed than was reserved");
    file->used += size;
    file->reserved = 0;
}

OpprofStatus OpprofOutputFileRest(OpprofOutputFile *file, OpprofError **error)
{
    OPPROF_REQUIRE("file-given", file != NULL, "The file is given");
    file->reserved = 0;
    if (has_failed(file) || flush(file) != OPPROF_OK) {
        return report(file, error);
    }
    free(file->buffer);
    file->buffer = NULL;
    file->capacity = 0;
    return OPPROF_OK;
}

OpprofStatus OpprofOutputFilePatch(OpprofOutputFile *file, uint64_t offset, const void *data,
                                   size_t size, OpprofError **error)
{
    OPPROF_REQUIRE("file-given", file != NULL, "The file is given");

    const uint64_t end = OpprofOutputFileOffset(file);
    const char *from = data;

    if (has_failed(file)) {
        return report(file, error);
    }
    OPPROF_REQUIRE("file-patch-range", offset <= end && size <= end - offset,
                   "Only bytes that were appended before are overwritten");
    while (size > 0 && offset < file->flushed) {
        const uint64_t before = file->flushed - offset;
        const size_t step = before < size ? (size_t) before : size;
        const ssize_t done = pwrite(file->fd, from, step, (off_t) offset);
        if (done > 0) {
            from += done;
            offset += (uint64_t) done;
            size -= (size_t) done;
        } else if (done == 0 || errno != EINTR) {
            errno = done == 0 ? EIO : errno;
            fail(file, OPPROF_E_IO, offset);
            return report(file, error);
        }
    }
    if (size > 0) {
        memcpy(file->buffer + (offset - file->flushed), from, size);
    }
    return OPPROF_OK;
}

uint64_t OpprofOutputFileOffset(const OpprofOutputFile *file)
{
    OPPROF_REQUIRE("file-given", file != NULL, "The file is given");
    return file->flushed + file->used;
}

const char *OpprofOutputFilePath(const OpprofOutputFile *file)
{
    OPPROF_REQUIRE("file-given", file != NULL, "The file is given");
    return file->path;
}

/* ---- copying ---- */

/* The rest to copy. */
typedef struct Range {
    const char *path;
    int fd;
    off_t offset;
    uint64_t left;
} Range;

typedef ssize_t Mover(int to, Range *range, size_t count);

static ssize_t move_by_copying(int to, Range *range, size_t count)
{
    return copy_file_range(range->fd, &range->offset, to, NULL, count, 0);
}

static ssize_t move_by_sending(int to, Range *range, size_t count)
{
    return sendfile(to, range->fd, &range->offset, count);
}

static bool is_write_error(int reason)
{
    return reason == ENOSPC || reason == EDQUOT || reason == EFBIG;
}

/* Moves what the kernel is willing to move; the rest is left in the range. */
static OpprofStatus move_in_kernel(OpprofOutputFile *file, Range *range, Mover *mover)
{
    while (range->left > 0 && !has_failed(file)) {
        const size_t step = range->left < COPY_STEP ? (size_t) range->left : COPY_STEP;
        const ssize_t done = mover(file->fd, range, step);
        if (done > 0) {
            count_written(file, (uint64_t) done);
            range->left -= (uint64_t) done;
        } else if (done < 0 && is_write_error(errno)) {
            return fail(file, OPPROF_E_IO, file->flushed);
        } else if (done == 0 || errno != EINTR) {
            return OPPROF_OK; /* not between these two: reading and writing says what is wrong */
        }
    }
    return file->failed;
}

static OpprofStatus move_by_reading(OpprofOutputFile *file, Range *range, OpprofError **error)
{
    while (range->left > 0) {
        const size_t step = range->left < BUFFER_BYTES ? (size_t) range->left : BUFFER_BYTES;
        char *room = OpprofOutputFileReserve(file, step);
        if (room == NULL) {
            return report(file, error);
        }
        const ssize_t done = pread(range->fd, room, step, range->offset);
        if (done == 0 || (done < 0 && errno != EINTR)) {
            errno = done == 0 ? ENODATA : errno;
            fail(file, OPPROF_E_IO, OpprofOutputFileOffset(file));
            return OpprofErrorSet(error, OPPROF_E_IO,
                                  "Cannot copy '%s' to '%s': cannot read byte %" PRIu64 ": %m",
                                  range->path, file->path, (uint64_t) range->offset);
        }
        if (done > 0) {
            OpprofOutputFileCommit(file, (size_t) done);
            range->offset += done;
            range->left -= (uint64_t) done;
        }
    }
    return OPPROF_OK;
}

static OpprofStatus copy_range(OpprofOutputFile *file, Range *range, OpprofError **error)
{
    if (range->left > SMALL_COPY) {
        OpprofStatus status = flush(file);
        if (status == OPPROF_OK) {
            status = move_in_kernel(file, range, move_by_copying);
        }
        if (status == OPPROF_OK) {
            status = move_in_kernel(file, range, move_by_sending);
        }
        if (status != OPPROF_OK) {
            return report(file, error);
        }
    }
    return move_by_reading(file, range, error);
}

static OpprofStatus check_range(const OpprofOutputFile *file, const Range *range,
                                OpprofError **error)
{
    struct stat info;
    const uint64_t offset = (uint64_t) range->offset;

    if (fstat(range->fd, &info) != 0) {
        return OpprofErrorSet(error, OPPROF_E_IO, "Cannot copy '%s' to '%s': %m", range->path,
                              file->path);
    }
    if (!S_ISREG(info.st_mode)) {
        return OpprofErrorSet(error, OPPROF_E_IO,
                              "Cannot copy '%s' to '%s': it is not a regular file", range->path,
                              file->path);
    }
    if (range->offset < 0 || offset > (uint64_t) info.st_size ||
        range->left > (uint64_t) info.st_size - offset) {
        return OpprofErrorSet(error, OPPROF_E_IO,
                              "Cannot copy %" PRIu64 " bytes from byte %" PRIu64
                              " of '%s' to '%s': it has only %" PRIu64 " bytes",
                              range->left, offset, range->path, file->path,
                              (uint64_t) info.st_size);
    }
    return OPPROF_OK;
}

OpprofStatus OpprofOutputFileCopyOpen(OpprofOutputFile *file, int source, const char *source_name,
                                      uint64_t offset, uint64_t length, OpprofError **error)
{
    OPPROF_REQUIRE("file-given", file != NULL, "The file is given");
    OPPROF_REQUIRE("file-source-open", source >= 0 && source_name != NULL,
                   "The other file is open and has a name");

    Range range = { .path = source_name, .fd = source, .offset = (off_t) offset, .left = length };

    file->reserved = 0;
    if (has_failed(file)) {
        return report(file, error);
    }
    const OpprofStatus status = check_range(file, &range, error);
    return status == OPPROF_OK ? copy_range(file, &range, error) : status;
}

OpprofStatus OpprofOutputFileCopy(OpprofOutputFile *file, const char *source_path, uint64_t offset,
                                  uint64_t length, OpprofError **error)
{
    OPPROF_REQUIRE("file-given", file != NULL, "The file is given");

    file->reserved = 0;
    if (has_failed(file)) {
        return report(file, error);
    }
    const int fd = open(source_path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    if (fd < 0) {
        return OpprofErrorSet(error, errno == ENOENT ? OPPROF_E_NOT_FOUND : OPPROF_E_IO,
                              "Cannot copy '%s' to '%s': %m", source_path, file->path);
    }
    const OpprofStatus status =
        OpprofOutputFileCopyOpen(file, fd, source_path, offset, length, error);
    close(fd);
    return status;
}

/* ---- the end ---- */

static void forget(OpprofOutputFile *file)
{
    OpprofOutputDirectory *directory = file->directory;

    pthread_mutex_lock(&directory->lock);
    if (file->previous != NULL) {
        file->previous->next = file->next;
    } else {
        *file->list = file->next;
    }
    if (file->next != NULL) {
        file->next->previous = file->previous;
    }
    directory->open_count--;
    pthread_mutex_unlock(&directory->lock);
}

void OpprofOutputFileDiscard(OpprofOutputFile *file)
{
    if (file != NULL) {
        forget(file);
        free_file(file);
    }
}

char *OpprofOutputFileTemporary(OpprofOutputFile *file)
{
    OPPROF_REQUIRE("file-given", file != NULL, "The file is given");

    const char *slash = strrchr(file->path, '/');
    char *path;

    file->is_foreign = true;
    return asprintf(&path, "%.*s/%s", slash == NULL ? 1 : (int) (slash - file->path),
                    slash == NULL ? "." : file->path, file->temporary) < 0
               ? NULL
               : path;
}

/* Of a file that a library wrote. */
static void take_size(OpprofOutputFile *file)
{
    struct stat info;

    if (file->is_foreign && fstat(file->fd, &info) == 0) {
        count_written(file, (uint64_t) info.st_size);
    }
}

/* Closing may report a failed write (NFS), so it comes before the name. */
static OpprofStatus close_and_name(OpprofOutputFile *file, OpprofError **error)
{
    OpprofStatus status = check_place(file, error);

    if (status != OPPROF_OK) {
        return status;
    }
    const int held = dup(file->fd); /* keeps the lock until the file has its name */
    const int closed = close(file->fd);
    file->fd = -1;
    if (closed != 0) {
        fail(file, OPPROF_E_IO, file->flushed);
        status = report(file, error);
    } else if (renameat(file->directory_fd, file->temporary, file->directory_fd, file->name) != 0) {
        status = OpprofErrorSet(error, OPPROF_E_IO, "Cannot give '%s' its name: %m", file->path);
    }
    if (status != OPPROF_OK) {
        (void) unlinkat(file->directory_fd, file->temporary, 0);
    }
    CloseOpened(held);
    return status;
}

/* The room is there: no writer that may need memory. */
static void fill_line(OutputLine *line, const OpprofOutputFile *file)
{
    const char *owner = file->view->owner != NULL ? file->view->owner : "";
    char *end = stpcpy(line->json, "{\"path\": ");

    end = OpprofTextPutJson(end, file->listed, strlen(file->listed));
    end += sprintf(end, ", \"bytes\": %" PRIu64 ", \"stage\": ", file->flushed);
    end = OpprofTextPutJson(end, owner, strlen(owner));
    strcpy(end, ", \"partial\": true}");
}

/* Takes the room that list_room made, so that it cannot fail once the file has its name. */
static void list_finished(OpprofOutputFile *file)
{
    OpprofOutputDirectory *directory = file->directory;

    fill_line(file->line, file);
    pthread_mutex_lock(&directory->lock);
    file->line->next = atomic_load(&directory->lines);
    atomic_store(&directory->lines, file->line);
    file->line = NULL;
    directory->finished[directory->finished_count] =
        (OutputRecord){ file->listed, file->flushed, file->view->owner, directory->finished_count };
    directory->finished_count++;
    if (directory->inputs.holds_input) {
        (void) InputsMayReplace(&directory->inputs, file->listed); /* else it is kept as it is */
    }
    pthread_mutex_unlock(&directory->lock);
    file->listed = NULL;
}

OpprofStatus OpprofOutputFileFinish(OpprofOutputFile *file, OpprofError **error)
{
    OPPROF_REQUIRE("file-given", file != NULL, "The file is given");
    if (!has_failed(file)) {
        flush(file);
    }
    take_size(file);
    const OpprofStatus status =
        file->failed == OPPROF_OK ? close_and_name(file, error) : report(file, error);
    if (status == OPPROF_OK) {
        OpprofLog(OPPROF_LOG_INFO, file->view->owner != NULL ? file->view->owner : "output",
                  "Wrote '%s': bytes=%" PRIu64, file->path, file->flushed);
        list_finished(file);
    }
    forget(file);
    free_file(file);
    return status;
}

OpprofStatus OutputDirectoryWrite(OpprofOutputDirectory *directory, const char *name,
                                  const char *text, OpprofError **error)
{
    OpprofOutputFile *file = NULL;
    OpprofStatus status = OpprofOutputFileCreate(directory, name, &file, error);

    if (status == OPPROF_OK) {
        status = OpprofOutputFileWrite(file, text, strlen(text), error);
    }
    if (status == OPPROF_OK) {
        status = OpprofOutputFileWrite(file, "\n", 1, error);
    }
    if (status != OPPROF_OK) {
        OpprofOutputFileDiscard(file);
        return status;
    }
    return OpprofOutputFileFinish(file, error);
}
