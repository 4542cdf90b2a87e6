/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a running program may send: a stream of messages, cut anywhere. Every record that is let through is
 * whole, and its line is one line.
 */
#include "fuzz/fuzz.h"
#include "plugins/collect-sim/live/line.h"
#include "tests/plugins/collect-sim/forms.h"
#include <opprof/kit/live_host.h>
#include <stdlib.h>
#include <string.h>

static SimFacts facts;

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

static void on_record(void *context, OpprofLiveClient *client, uint32_t operator_id,
                      const OpprofLiveRecord *record, const char *first, const char *second)
{
    static char line[2 * OPPROF_LIVE_MOST_TEXT + 256];
    const size_t length = LiveLine(&facts, record, first, second, line, sizeof line);

    (void) context;
    (void) client;
    (void) operator_id;
    FUZZ_REQUIRE(length > 0 && length < sizeof line && line[length - 1] == '\n');
    FUZZ_REQUIRE(memchr(line, '\n', length) == line + length - 1);
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
                                      .record = on_record,
                                      .finish = on_finish,
                                      .gone = on_gone };

    if (server == NULL) {
        FUZZ_REQUIRE(OpprofLiveServerCreate(&welcome, &events, &server, NULL) == OPPROF_OK);
    }
    return server;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    OpprofLiveServer *server = make_server();
    OpprofLiveClient *client = OpprofLiveClientCreate(-1, 0);
    const char *why = NULL;
    OpprofStatus status = OPPROF_OK;
    OpprofLiveHead head;
    uint8_t *body;

    if (facts.misses.count == 0) {
        facts = facts_of(CAMODEL_MISS_A2, false);
    }
    FUZZ_REQUIRE(client != NULL);
    while (status == OPPROF_OK && size >= sizeof head) {
        memcpy(&head, data, sizeof head);
        data += sizeof head;
        size -= sizeof head;
        if (head.length > OPPROF_LIVE_MOST_BYTES || head.length > size) {
            break;
        }
        body = malloc(head.length == 0 ? 1 : head.length); /* so that reading past it shows */
        FUZZ_REQUIRE(body != NULL);
        memcpy(body, data, head.length);
        status = OpprofLiveServerTake(server, client, &head, body, &why);
        FUZZ_REQUIRE(status == OPPROF_OK || why != NULL);
        free(body);
        data += head.length;
        size -= head.length;
    }
    OpprofLiveClientDestroy(client);
    return 0;
}
