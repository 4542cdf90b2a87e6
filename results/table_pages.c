/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Checks the tree of pages of a table without reading its rows (https://sqlite.org/fileformat.html,
 * "B-tree Pages"). Tested by tests/results/test_conditions.
 */
#include "table_pages.h"

#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#define FILE_HEADER 100u /* bytes before the tree of the first page */
#define PAGE_INNER 0x05  /* of a table: cells lead to other pages */
#define PAGE_ROWS 0x0d   /* of a table: cells are rows */
#define INNER_HEADER 12u
#define DEPTH_MOST 20u /* as SQLite has it */

/* What is known of a table's pages. */
typedef struct Pages {
    int file;
    uint32_t size; /* of a page */
    uint32_t count;
    uint8_t *seen;    /* a bit for each page */
    unsigned bottom;  /* depth of the pages with rows; 0: not known yet */
    uint32_t damaged; /* number of a page that cannot be */
    bool is_table;    /* its root is of a table with row numbers */
} Pages;

typedef enum Walk { WALK_ON, WALK_DAMAGE, WALK_NO_MEMORY } Walk;

static uint32_t load16(const uint8_t *at)
{
    return (uint32_t) at[0] << 8 | at[1];
}

static uint32_t load32(const uint8_t *at)
{
    return load16(at) << 16 | load16(at + 2);
}

static Walk damage(Pages *pages, uint32_t page)
{
    pages->damaged = page;
    return WALK_DAMAGE;
}

/* Notes a page; false: there is no such page, or it came before. */
static bool note(Pages *pages, uint32_t page)
{
    if (page == 0 || page > pages->count || (pages->seen[page / 8] >> page % 8 & 1) != 0) {
        return false;
    }
    pages->seen[page / 8] |= (uint8_t) (1u << page % 8);
    return true;
}

/* A row's number, in up to nine bytes. False: it ends behind the page. */
static bool read_key(const uint8_t *at, const uint8_t *end, int64_t *ret_key)
{
    uint64_t key = 0;

    for (unsigned i = 0; i < 9 && at < end; i++, at++) {
        if (i == 8) {
            *ret_key = (int64_t) (key << 8 | *at);
            return true;
        }
        key = key << 7 | (*at & 0x7f);
        if ((*at & 0x80) == 0) {
            *ret_key = (int64_t) key;
            return true;
        }
    }
    return false;
}

static Walk walk(Pages *pages, uint32_t page, unsigned depth);

/* Goes on with all pages below one, whose keys ascend. */
static Walk walk_cells(Pages *pages, uint32_t page, const uint8_t *bytes, unsigned depth)
{
    const uint8_t *head = bytes + (page == 1 ? FILE_HEADER : 0);
    const uint8_t *end = bytes + pages->size;
    const uint32_t cells = load16(head + 3);
    int64_t before = INT64_MIN;
    Walk result = WALK_ON;

    if (head + INNER_HEADER + 2 * (size_t) cells > end) {
        return damage(pages, page);
    }
    for (uint32_t i = 0; result == WALK_ON && i < cells; i++) {
        const uint32_t at = load16(head + INNER_HEADER + 2 * (size_t) i);
        int64_t key;

        if (at + 4 >= pages->size || !read_key(bytes + at + 4, end, &key) ||
            (i > 0 && key <= before)) {
            return damage(pages, page);
        }
        before = key;
        result = walk(pages, load32(bytes + at), depth + 1);
    }
    return result == WALK_ON ? walk(pages, load32(head + 8), depth + 1) : result;
}

/* A page whose kind is not known yet, or one that leads to others. */
static Walk read_page(Pages *pages, uint32_t page, unsigned depth)
{
    uint8_t *bytes = malloc(pages->size);
    Walk result = WALK_ON;
    uint8_t kind;

    if (bytes == NULL) {
        return WALK_NO_MEMORY;
    }
    if (pread(pages->file, bytes, pages->size, (off_t) (page - 1) * pages->size) !=
        (ssize_t) pages->size) {
        free(bytes);
        return damage(pages, page);
    }
    kind = bytes[page == 1 ? FILE_HEADER : 0];
    pages->is_table |= kind == PAGE_ROWS || kind == PAGE_INNER;
    if (kind == PAGE_ROWS && pages->bottom == 0) {
        pages->bottom = depth;
    } else if (kind == PAGE_INNER) {
        result = walk_cells(pages, page, bytes, depth);
    } else {
        result = damage(pages, page);
    }
    free(bytes);
    return result;
}

/* All pages with rows are at one depth, so that only the first of them is read. */
static Walk walk(Pages *pages, uint32_t page, unsigned depth)
{
    if (depth > DEPTH_MOST || !note(pages, page)) {
        return damage(pages, page);
    }
    return pages->bottom == depth ? WALK_ON : read_page(pages, page, depth);
}

/* The page where a table begins; 0: it has none. */
static OpprofStatus find_root(OpprofResults *results, const char *table, uint32_t *ret_root,
                              OpprofError **error)
{
    char *sql = sqlite.mprintf("SELECT rootpage FROM sqlite_schema WHERE name = %Q COLLATE NOCASE"
                               " AND type = 'table'",
                               table);
    OpprofResultsRows *rows;
    OpprofStatus status = ResultsQueryPrinted(results, sql, &rows, error);
    int64_t root = 0;

    if (status == OPPROF_OK) {
        status = OpprofResultsNext(rows, error);
    }
    if (status == OPPROF_OK) {
        OpprofResultsWhole(rows, 0, &root);
    }
    OpprofResultsRowsFree(rows);
    *ret_root = root > 0 && root <= UINT32_MAX ? (uint32_t) root : 0;
    return status == OPPROF_END ? OPPROF_OK : status;
}

/* The size of the pages and their number; false: the file cannot be read. */
static bool measure(Pages *pages)
{
    uint8_t header[FILE_HEADER];
    const off_t bytes = lseek(pages->file, 0, SEEK_END);

    if (pread(pages->file, header, sizeof header, 0) != (ssize_t) sizeof header) {
        return false;
    }
    pages->size = load16(header + 16);
    pages->size = pages->size == 1 ? 65536 : pages->size;
    if (pages->size < 512 || bytes < (off_t) pages->size ||
        bytes / pages->size >= (off_t) UINT32_MAX) {
        return false;
    }
    pages->count = (uint32_t) (bytes / pages->size);
    return true;
}

OpprofStatus TablePagesCheck(OpprofResults *results, const char *table, OpprofError **error)
{
    Pages pages = { .file = open(results->path, O_RDONLY | O_CLOEXEC) };
    uint32_t root = 0;
    OpprofStatus status = find_root(results, table, &root, error);
    Walk result = WALK_DAMAGE;

    if (status == OPPROF_OK && pages.file >= 0 && measure(&pages)) {
        pages.seen = calloc(pages.count / 8 + 1, 1);
        result = pages.seen == NULL ? WALK_NO_MEMORY : walk(&pages, root, 1);
    }
    if (pages.file >= 0) {
        close(pages.file);
    }
    free(pages.seen);
    if (status != OPPROF_OK || result == WALK_ON) {
        return status;
    }
    return result == WALK_NO_MEMORY ? ResultsNoMemory(results, error)
           : pages.is_table         ? ResultsRefuseDamage(results, table, pages.damaged, error)
                                    : OpprofResultsCheck(results, table, error);
}
