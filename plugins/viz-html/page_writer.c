/* SPDX-License-Identifier: Apache-2.0 */
/* Writes the page: its frame, and the data in elements that no browser runs. Tested by tests/plugins/viz-html/test_html. */
#include "page_writer.h"

#include "page_assets.h"

#include <opprof/version.h>

#include <string.h>

/* A page being written; after a failure nothing more is. */
typedef struct Page {
    OpprofOutputFile *file;
    OpprofStatus status;
    OpprofError **error;
} Page;

static void put(Page *page, const char *bytes, size_t length)
{
    if (page->status == OPPROF_OK && length > 0) {
        page->status = OpprofOutputFileWrite(page->file, bytes, length, page->error);
    }
}

static void put_string(Page *page, const char *string)
{
    put(page, string, strlen(string));
}

static void put_text(Page *page, const Text *text)
{
    if (text->has_failed && page->status == OPPROF_OK) {
        page->status = OpprofErrorNoMemory(page->error, "write a page");
    }
    put(page, text->bytes, text->length);
}

static void begin_data(Page *page, const char *name)
{
    put_string(page, "<script type=\"application/json\" id=\"data-");
    put_string(page, name);
    put_string(page, "\">");
}

static void end_data(Page *page)
{
    put_string(page, "</script>\n");
}

static void put_run(Page *page, const PageParts *parts)
{
    Text json = { 0 };

    TextRaw(&json, "{", 1);
    TextMember(&json, "version", OpprofVersion());
    TextMember(&json, "title", parts->title);
    TextMember(&json, "folder", parts->folder);
    TextMemberNumber(&json, "stopped", parts->was_stopped);
    TextMemberNumber(&json, "names_left_out", parts->names->left_out);
    TextMemberNumber(&json, "tables_left_out", parts->tables->left_out);
    TextMemberNumber(&json, "sources_left_out", parts->sources->left_out);
    TextMemberNumber(&json, "sources_cut", parts->sources->cut);
    TextRaw(&json, "}", 1);
    begin_data(page, "run");
    put_text(page, &json);
    end_data(page);
    TextFinish(&json);
}

static void put_array(Page *page, const char *name, const Text *members)
{
    begin_data(page, name);
    put_string(page, "[");
    put_text(page, members);
    put_string(page, "]");
    end_data(page);
}

static void put_tables(Page *page, const Tables *tables)
{
    Text json = { 0 };

    TablesPut(tables, &json);
    put_array(page, "tables", &json);
    TextFinish(&json);
}

static OpprofStatus put_page(Page *page, const PageParts *parts)
{
    put(page, page_head, page_head_length);
    put_run(page, parts);
    put_array(page, "names", &parts->names->json);
    put_tables(page, parts->tables);
    put_array(page, "sources", &parts->sources->json);
    put(page, page_tail, page_tail_length);
    return page->status;
}

OpprofStatus PageWrite(OpprofOutputDirectory *directory, const char *file, const PageParts *parts,
                       OpprofError **error)
{
    Page page = { .error = error };

    page.status = OpprofOutputFileCreate(directory, file, &page.file, error);
    if (page.status != OPPROF_OK) {
        return page.status;
    }
    if (put_page(&page, parts) != OPPROF_OK) {
        OpprofOutputFileDiscard(page.file);
        return page.status;
    }
    return OpprofOutputFileFinish(page.file, error);
}
