/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Data of a running program: a stream of messages, cut anywhere. Every record that is let
 * through is whole, its line is one line, and taken apart it is what the line is.
 */
#include "fuzz/fuzz.h"
#include "plugins/collect-sim/lines/line.h"
#include "plugins/collect-sim/lines/record_line.h"
#include "tests/plugins/collect-sim/forms.h"
#include "kit/live/live_parts.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const SimRecordForms forms = { .miss = CAMODEL_MISS_A2,
                                      .fetch = CAMODEL_FETCH,
                                      .issue = CAMODEL_ISSUE };
static OpprofLiveMemory memories[3][OPPROF_LIVE_LOGS_OF_CORE];

static void on_hello(void *context, OpprofLiveClient *client, const OpprofLiveHello *hello)
{
    (void) context;
    (void) client;
    FUZZ_REQUIRE(memchr(hello->soc, '\0', sizeof hello->soc) != NULL);
    FUZZ_REQUIRE(memchr(hello->program, '\0', sizeof hello->program) != NULL);
}

static OpprofLiveVerdict on_launch(void *context, OpprofLiveClient *client,
                                   const OpprofLiveLaunch *launch, const char *name, size_t length)
{
    char text[OPPROF_LIVE_MOST_NAME + 1];
    OpprofLiveFilter filter = { .names = "mat*|vector_add", .launch_count = 1 };

    (void) context;
    FUZZ_REQUIRE(length <= OPPROF_LIVE_MOST_NAME);
    memcpy(text, name, length);
    text[length] = '\0';
    FUZZ_REQUIRE(OpprofLiveFilterAsk(&filter, OpprofLiveClientId(client), launch->device, text) <=
                 OPPROF_LIVE_NEVER);
    OpprofLiveFilterFinish(&filter);
    return (OpprofLiveVerdict){ OPPROF_LIVE_COLLECT, 1 };
}

static void on_kernel(void *context, OpprofLiveClient *client, const OpprofLiveKernel *kernel,
                      const void *data, size_t size)
{
    static volatile uint8_t sum; /* so that the bytes are looked at */

    (void) context;
    (void) client;
    (void) kernel;
    for (size_t i = 0; i < size; i++) {
        sum = (uint8_t) (sum ^ ((const uint8_t *) data)[i]);
    }
}

static bool is_same_text(const char *left, size_t left_length, const char *right,
                         size_t right_length)
{
    return left_length == right_length && memcmp(left, right, left_length) == 0;
}

/* The kind of a record, and its line. */
static void compare(const SimEntry *entry, const char *line, size_t length)
{
    char scratch[OPPROF_LIVE_MOST_TEXT + OPPROF_LIVE_AFTER];
    const char *rest = SimRecordText(entry, scratch);
    SimLine whole, parsed;
    const bool is_whole = SimLineParse(line, length, &sim_watch_popped, &whole);

    FUZZ_REQUIRE(SimRestParse(entry->time, rest, entry->length, &sim_watch_popped, &parsed) ==
                 is_whole);
    FUZZ_REQUIRE(
        !is_whole ||
        (whole.tick == parsed.tick && whole.pc == parsed.pc && whole.id == parsed.id &&
         whole.poped_from_queue == parsed.poped_from_queue &&
         is_same_text(whole.pipe, whole.pipe_length, parsed.pipe, parsed.pipe_length) &&
         is_same_text(whole.name, whole.name_length, parsed.name, parsed.name_length) &&
         is_same_text(whole.detail, whole.detail_length, parsed.detail, parsed.detail_length)));
}

static void on_logs(void *context, OpprofLiveClient *client, const OpprofLiveLogs *logs,
                    const uint8_t *records, size_t size)
{
    static char line[SIM_RECORD_LINE];
    OpprofLiveMemory *memory = &memories[logs->sub_core][logs->log];
    SimEntry entry;
    size_t bytes;

    (void) context;
    (void) client;
    for (uint32_t i = 0; i < logs->count; i++, records += bytes, size -= bytes) {
        bytes = SimEntryRead(memory, logs->log, records, size, &entry);
        FUZZ_REQUIRE(bytes > 0);
        const size_t length = SimRecordLine(&forms, &entry, line, sizeof line - OPPROF_LIVE_AFTER);

        FUZZ_REQUIRE(length > 0 && line[length - 1] == '\n');
        FUZZ_REQUIRE(memchr(line, '\n', length) == line + length - 1);
        if (entry.kind == OPPROF_LIVE_INSTRUCTION) {
            compare(&entry, line, length - 1);
        }
    }
    FUZZ_REQUIRE(size == 0);
}

static void on_finish(void *context, OpprofLiveClient *client, const OpprofLiveFinish *finish)
{
    (void) context;
    (void) client;
    (void) finish;
}

static void on_gone(void *context, OpprofLiveClient *client, const char *why)
{
    (void) context;
    (void) client;
    (void) why;
}

static OpprofLiveServer *make_server(void)
{
    static OpprofLiveServer *server;
    const OpprofLiveWelcome welcome = { .magic = OPPROF_LIVE_MAGIC };
    const OpprofLiveEvents events = { .hello = on_hello,
                                      .launch = on_launch,
                                      .kernel = on_kernel,
                                      .logs = on_logs,
                                      .finish = on_finish,
                                      .gone = on_gone };

    if (server == NULL) {
        FUZZ_REQUIRE(LiveServerCreate(&welcome, &events, &server, NULL) == OPPROF_OK);
    }
    return server;
}

/* Inputs have 0 where the version and the token are, of which the first changes with the protocol
 * and the other one each time. */
static void complete_greeting(const OpprofLiveServer *server, uint8_t *body)
{
    OpprofLiveHello hello;

    memcpy(&hello, body, sizeof hello);
    hello.version = hello.version == 0 ? OPPROF_LIVE_VERSION : hello.version;
    for (size_t i = 0; i < OPPROF_LIVE_TOKEN_BYTES; i++) {
        unsigned byte = 0;

        FUZZ_REQUIRE(sscanf(LiveServerToken(server) + 2 * i, "%2x", &byte) == 1);
        hello.token[i] ^= (uint8_t) byte;
    }
    memcpy(body, &hello, sizeof hello);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    OpprofLiveServer *server = make_server();
    OpprofLiveClient *client = LiveClientCreate(-1, 0);
    const char *why = NULL;
    OpprofStatus status = OPPROF_OK;
    OpprofLiveHead head;
    uint8_t *body;

    memset(memories, 0, sizeof memories);
    FUZZ_REQUIRE(client != NULL);
    while (status == OPPROF_OK && size >= sizeof head) {
        memcpy(&head, data, sizeof head);
        data += sizeof head;
        size -= sizeof head;
        if (head.length > OPPROF_LIVE_MOST_BYTES || head.length > size) {
            break;
        }
        body = calloc(1, head.length + (size_t) OPPROF_LIVE_AFTER); /* reading past that shows */
        FUZZ_REQUIRE(body != NULL);
        memcpy(body, data, head.length);
        if (head.type == OPPROF_LIVE_HELLO && head.length == sizeof(OpprofLiveHello)) {
            complete_greeting(server, body);
        }
        status = LiveServerTake(server, client, &head, body, &why);
        free(body);
        data += head.length;
        size -= head.length;
    }
    LiveClientDestroy(client);
    return 0;
}
