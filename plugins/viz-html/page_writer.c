/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Writes the page: its frame, and the data in elements that no browser executes.
 * Tested by tests/plugins/viz-html/test_html.
 */
#include "page_writer.h"

#include "packed.h"
#include "page_assets.h"
#include "timeline_writer.h"

#include <opprof/version.h>

#include <stdio.h>
#include <string.h>

/* A page being written; after a failure nothing more is written. */
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

static void put_text(Page *page, const OpprofJsonOut *text)
{
    if (text->is_short && page->status == OPPROF_OK) {
        page->status = OpprofErrorNoMemory(page->error, "write a page");
    }
    put(page, text->text, text->length);
}

static void begin_data(Page *page, const char *name, const char *type)
{
    put_string(page, "<script type=\"");
    put_string(page, type);
    put_string(page, "\" id=\"data-");
    put_string(page, name);
    put_string(page, "\">");
}

static void end_data(Page *page)
{
    put_string(page, "</script>\n");
}

static void put_run(Page *page, const PageParts *parts)
{
    OpprofJsonOut json = { 0 };

    OpprofJsonPutBytes(&json, "{", 1);
    TextMember(&json, "version", OpprofVersion());
    TextMember(&json, "title", parts->title);
    TextMemberNumber(&json, "stopped", parts->was_stopped);
    TextMember(&json, "missing", parts->missing);
    TextMemberNumber(&json, "names_left_out", parts->names->left_out);
    TextMemberNumber(&json, "tables_left_out", parts->tables->left_out);
    TextMemberNumber(&json, "sources_left_out", parts->sources->left_out);
    TextMemberNumber(&json, "sources_cut", parts->sources->cut);
    OpprofJsonPutBytes(&json, "}", 1);
    begin_data(page, "run", "application/json");
    put_text(page, &json);
    end_data(page);
    OpprofJsonOutFinish(&json);
}

static void put_array(Page *page, const char *name, const OpprofJsonOut *members)
{
    begin_data(page, name, "application/json");
    put_string(page, "[");
    put_text(page, members);
    put_string(page, "]");
    end_data(page);
}

static void put_tables(Page *page, Tables *tables)
{
    OpprofJsonOut json = { 0 };

    if (page->status == OPPROF_OK) {
        page->status = TablesPut(tables, &json, page->error);
    }
    put_array(page, "tables", &json);
    OpprofJsonOutFinish(&json);
}

/* Bytes as text in an element of their own. */
static void put_packed(Page *page, const char *name, const OpprofJsonOut *bytes)
{
    OpprofJsonOut text = { 0 };

    PackText(&text, bytes->text, bytes->length);
    begin_data(page, name, "text/plain");
    put_text(page, &text);
    end_data(page);
    OpprofJsonOutFinish(&text);
}

static void put_arrows(Page *page, Timeline *timeline, const Levels *levels)
{
    OpprofJsonOut text = { 0 };

    TimelinePutArrows(timeline, levels, &text);
    begin_data(page, "arrows", "text/plain");
    put_text(page, &text);
    end_data(page);
    OpprofJsonOutFinish(&text);
}

static void put_levels(Page *page, Timeline *timeline, const Levels *levels)
{
    OpprofJsonOut facts = { 0 };
    OpprofJsonOut arguments = { 0 };
    char name[24];

    for (uint32_t i = 0; i < levels->count; i++) {
        snprintf(name, sizeof name, "level-%u", i);
        put_packed(page, name, &levels->bytes[i]);
    }
    put_arrows(page, timeline, levels);
    ArgumentsPut(&timeline->arguments, timeline->names, &arguments);
    put_array(page, "arguments", &arguments);
    TimelinePutFacts(timeline, levels, &facts);
    begin_data(page, "timeline", "application/json");
    put_text(page, &facts);
    end_data(page);
    OpprofJsonOutFinish(&facts);
    OpprofJsonOutFinish(&arguments);
}

static void put_timeline(Page *page, Timeline *timeline)
{
    Levels levels = { 0 };

    if (timeline->lanes.count == 0) {
        return;
    }
    if (TimelineSettle(timeline) && LevelsMake(&levels, timeline)) {
        put_levels(page, timeline, &levels);
    } else if (page->status == OPPROF_OK) {
        page->status = OpprofErrorNoMemory(page->error, "write a page");
    }
    LevelsFinish(&levels);
}

static void put_comparison(Page *page, const OpprofJsonOut *comparison)
{
    if (comparison->length > 0) {
        begin_data(page, "comparison", "application/json");
        put_text(page, comparison);
        end_data(page);
    }
}

/* Names come last, since all other parts may assign numbers to names. */
static OpprofStatus put_page(Page *page, const PageParts *parts)
{
    put(page, page_head, page_head_length);
    put_timeline(page, parts->timeline);
    put_comparison(page, parts->comparison);
    put_tables(page, parts->tables);
    put_array(page, "sources", &parts->sources->json);
    put_array(page, "names", &parts->names->json);
    put_run(page, parts);
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
