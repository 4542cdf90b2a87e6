/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Runs a disassembler and keeps its text for each address.
 * Tested by tests/plugins/parse-dbi/test_hot_spots.sh.
 */
#include "listing.h"

#include <opprof/grow.h>

#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define KERNEL_FD 3 /* in the tool */
#define NOT_RUN 127 /* exit code when the tool could not be started or linked */
#define READ_BYTES (64u << 10)
#define MOST_BYTES (256u << 20)
#define BLANKS " \t"

/* ---- the tool ---- */

static int start(const char *tool, int fd, const char *path, int output, pid_t *ret_pid)
{
    char kernel[32];
    const char *const words[] = {
        tool, "-d", "-j", ".text", "--no-show-raw-insn", fd >= 0 ? kernel : path, NULL
    };
    posix_spawn_file_actions_t actions;
    int failure = posix_spawn_file_actions_init(&actions);

    snprintf(kernel, sizeof kernel, "/proc/self/fd/%d", KERNEL_FD);
    if (failure != 0) {
        return failure;
    }
    /* The output first: its descriptor may have the kernel's number, and a copy keeps it. */
    if (posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO) != 0 ||
        (fd >= 0 && posix_spawn_file_actions_adddup2(&actions, fd, KERNEL_FD) != 0) ||
        posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0) != 0 ||
        posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0) != 0) {
        failure = ENOMEM;
    } else {
        failure =
            posix_spawnp(ret_pid, tool, &actions, NULL, (char *const *) (uintptr_t) words, environ);
    }
    posix_spawn_file_actions_destroy(&actions);
    return failure;
}

/* All that the tool writes. 0, or an errno value. */
static int read_all(Listing *listing, int fd)
{
    for (;;) {
        if (listing->length > MOST_BYTES) {
            return EFBIG;
        }
        if (!OpprofGrow(&listing->text, &listing->text_capacity, listing->length + READ_BYTES + 1,
                        1)) {
            return ENOMEM;
        }
        const ssize_t got = read(fd, listing->text + listing->length, READ_BYTES);
        if (got < 0 && errno != EINTR) {
            return errno;
        }
        if (got == 0) {
            listing->text[listing->length] = '\0';
            return 0;
        }
        listing->length += got > 0 ? (size_t) got : 0;
    }
}

static int wait_for(pid_t pid)
{
    int status = -1;

    while (waitpid(pid, &status, 0) < 0 && errno == EINTR) {
    }
    return status;
}

/* ---- its text ---- */

/* "  1c:  NAME  OPERANDS"; other lines do not belong to an address. */
static bool read_line(const char *text, ListingLine *line)
{
    char *end = NULL;

    text += strspn(text, BLANKS);
    line->pc = strtoull(text, &end, 16);
    if (end == text || *text == '-' || *text == '+' || *end != ':') {
        return false;
    }
    line->name = end + 1 + strspn(end + 1, BLANKS);
    line->name_length = (uint32_t) strcspn(line->name, BLANKS);
    line->detail = line->name + line->name_length;
    line->detail += strspn(line->detail, BLANKS);
    line->detail_length = (uint32_t) strlen(line->detail);
    return line->name_length > 0;
}

static int by_pc(const void *a, const void *b)
{
    const ListingLine *x = a;
    const ListingLine *y = b;

    return (x->pc > y->pc) - (x->pc < y->pc);
}

static bool read_lines(Listing *listing)
{
    char *rest = listing->text;

    for (char *text = strsep(&rest, "\n"); text != NULL; text = strsep(&rest, "\n")) {
        ListingLine line;
        if (!read_line(text, &line)) {
            continue;
        }
        if (!OpprofGrow(&listing->lines, &listing->capacity, listing->count + 1, sizeof line)) {
            return false;
        }
        listing->lines[listing->count++] = line;
    }
    if (listing->count > 0) {
        qsort(listing->lines, listing->count, sizeof *listing->lines, by_pc);
    }
    return true;
}

OpprofStatus ListingRun(Listing *listing, const char *tool, int fd, const char *path,
                        OpprofError **error)
{
    int ends[2];
    int failure;
    pid_t pid;

    if (pipe2(ends, O_CLOEXEC) != 0) {
        return OpprofErrorSet(error, OPPROF_E_IO, "Cannot run '%s': %m", tool);
    }
    failure = start(tool, fd, path, ends[1], &pid);
    close(ends[1]);
    if (failure != 0) {
        close(ends[0]);
        return OpprofErrorSet(error, OPPROF_E_IO, "Cannot run '%s': %s (parameter objdump)", tool,
                              strerror(failure));
    }
    failure = read_all(listing, ends[0]);
    close(ends[0]);
    const int status = wait_for(pid);
    if (failure == ENOMEM || (failure == 0 && status == 0 && !read_lines(listing))) {
        return OpprofErrorNoMemory(error, "disassemble a kernel");
    }
    if (failure == 0 && WIFEXITED(status) && WEXITSTATUS(status) == NOT_RUN) {
        return OpprofErrorSet(error, OPPROF_E_IO,
                              "Cannot run '%s': No such file or directory, or a library that it "
                              "needs is missing (parameter objdump)",
                              tool);
    }
    if (failure != 0 || status != 0 || listing->count == 0) {
        return OpprofErrorSet(error, OPPROF_E_DATA,
                              "'%s' does not disassemble the kernel: %s (parameter objdump)", tool,
                              failure != 0  ? strerror(failure)
                              : status != 0 ? "it failed"
                                            : "it names no instruction");
    }
    return OPPROF_OK;
}

const ListingLine *ListingFind(const Listing *listing, uint64_t pc)
{
    const ListingLine wanted = { .pc = pc };

    return listing->count == 0
               ? NULL
               : bsearch(&wanted, listing->lines, listing->count, sizeof wanted, by_pc);
}

void ListingFinish(Listing *listing)
{
    free(listing->text);
    free(listing->lines);
    *listing = (Listing){ .text = NULL };
}
