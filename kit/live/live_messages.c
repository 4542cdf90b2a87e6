/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Messages of programs, checked and taken apart: what may follow what, and how long each may be.
 * Tested by tests/refchip/test_injection.sh and fuzz/fuzz_live.c.
 */
#include "kit/live/live_server.h"

#include <opprof/require.h>
#include <string.h>

#define MOST_GREETING 4096u /* of other versions, too */

static OpprofStatus refuse(const char *why, const char **ret_why)
{
    *ret_why = why;
    return OPPROF_E_DATA;
}

static OpprofStatus take_launch(OpprofLiveServer *server, OpprofLiveClient *client,
                                const uint8_t *body, size_t size, const char **ret_why)
{
    OpprofLiveLaunch launch;
    OpprofLiveVerdict verdict = { OPPROF_LIVE_NEVER, 0 };

    if (size < sizeof launch || size > sizeof launch + OPPROF_LIVE_MOST_NAME) {
        return refuse("a launch has a wrong length", ret_why);
    }
    memcpy(&launch, body, sizeof launch);
    if (!server->is_ending && server->events.launch != NULL) {
        verdict = server->events.launch(server->events.context, client, &launch,
                                        (const char *) body + sizeof launch, size - sizeof launch);
    }
    OpprofLiveClientAnswer(client, OPPROF_LIVE_VERDICT, &verdict, sizeof verdict);
    return OPPROF_OK;
}

static OpprofStatus take_kernel(OpprofLiveServer *server, OpprofLiveClient *client,
                                const uint8_t *body, size_t size, const char **ret_why)
{
    OpprofLiveKernel kernel;

    if (size < sizeof kernel) {
        return refuse("a piece of a kernel has a wrong length", ret_why);
    }
    memcpy(&kernel, body, sizeof kernel);
    if (server->events.kernel != NULL) {
        server->events.kernel(server->events.context, client, &kernel, body + sizeof kernel,
                              size - sizeof kernel);
    }
    return OPPROF_OK;
}

static OpprofStatus take_logs(OpprofLiveServer *server, OpprofLiveClient *client,
                              const uint8_t *body, size_t size, const char **ret_why)
{
    OpprofLiveLogs logs;
    size_t at = sizeof logs, record = 1;
    uint32_t count = 0;

    if (size < sizeof logs) {
        return refuse("a batch of logs has a wrong length", ret_why);
    }
    memcpy(&logs, body, sizeof logs);
    if (logs.log >= OPPROF_LIVE_LOGS_OF_CORE || logs.sub_core > 2) {
        return refuse("a batch of logs is of an unknown log", ret_why);
    }
    while (count < logs.count && record > 0) {
        record = OpprofLiveRecordBytes(logs.log, body + at, size - at);
        at += record;
        count += record > 0;
    }
    logs.count = count;
    if (count > 0 && server->events.logs != NULL) {
        server->events.logs(server->events.context, client, &logs, body + sizeof logs,
                            at - sizeof logs);
    }
    if (record == 0) {
        return refuse("a log record is cut, or has a wrong kind, slot or length", ret_why);
    }
    return at == size ? OPPROF_OK : refuse("a batch of logs has too many bytes", ret_why);
}

static OpprofStatus take_finish(OpprofLiveServer *server, OpprofLiveClient *client,
                                const uint8_t *body, size_t size, const char **ret_why)
{
    OpprofLiveFinish finish;

    if (size != sizeof finish) {
        return refuse("the end of an operator has a wrong length", ret_why);
    }
    memcpy(&finish, body, sizeof finish);
    if (server->events.finish != NULL) {
        server->events.finish(server->events.context, client, &finish);
    }
    const OpprofLiveFinished finished = { finish.operator_id, 0 };

    OpprofLiveClientAnswer(client, OPPROF_LIVE_FINISHED, &finished, sizeof finished);
    return OPPROF_OK;
}

static OpprofStatus take_note(OpprofLiveServer *server, OpprofLiveClient *client,
                              const uint8_t *body, size_t size, const char **ret_why)
{
    OpprofLiveNote note;
    char text[OPPROF_LIVE_MOST_NOTE];
    size_t used = 0;

    if (size < sizeof note) {
        return refuse("a sentence has a wrong length", ret_why);
    }
    memcpy(&note, body, sizeof note);
    for (; used < size - sizeof note && used < sizeof text - 1; used++) {
        const unsigned char c = body[sizeof note + used];

        text[used] = c < ' ' || c == 127 ? '?' : (char) c;
    }
    text[used] = '\0';
    if (note.severity == OPPROF_LIVE_UNPROFILED || note.severity == OPPROF_LIVE_RECORDED) {
        LiveTallyAdd(&server->tally, text, note.severity == OPPROF_LIVE_RECORDED);
    } else if (server->events.note != NULL) {
        server->events.note(server->events.context, client, &note, text);
    }
    return OPPROF_OK;
}

OpprofStatus LiveServerTake(OpprofLiveServer *server, OpprofLiveClient *client,
                            const OpprofLiveHead *head, const uint8_t *body, const char **ret_why)
{
    OPPROF_REQUIRE("live-server-given", server != NULL, "The server is given");
    OPPROF_REQUIRE("live-client-given", client != NULL, "The client is given");
    OPPROF_REQUIRE("live-message-given", head != NULL && ret_why != NULL, "The message is given");
    if (head->type == OPPROF_LIVE_HELLO) {
        return LiveDoorGreet(server, client, body, head->length, ret_why);
    }
    if (!client->is_greeted) {
        return refuse(NULL, ret_why); /* it does not know the protocol */
    }
    if (head->type == OPPROF_LIVE_ASK_PLAN && client->has_asked_plan) {
        return refuse("it asks for the plan a second time", ret_why);
    }
    client->has_asked_plan = client->has_asked_plan || head->type == OPPROF_LIVE_ASK_PLAN;
    switch (head->type) {
    case OPPROF_LIVE_LAUNCH:
        return take_launch(server, client, body, head->length, ret_why);
    case OPPROF_LIVE_KERNEL:
        return take_kernel(server, client, body, head->length, ret_why);
    case OPPROF_LIVE_LOGS:
        return take_logs(server, client, body, head->length, ret_why);
    case OPPROF_LIVE_FINISH:
        return take_finish(server, client, body, head->length, ret_why);
    case OPPROF_LIVE_NOTE:
        return take_note(server, client, body, head->length, ret_why);
    default:
        if (server->events.other != NULL) {
            return server->events.other(server->events.context, client, head, body, ret_why);
        }
        return refuse("it sends a message of an unknown kind", ret_why);
    }
}

/* All whole messages of the buffer; *ret_count of them were taken. */
OpprofStatus LiveMessagesTake(OpprofLiveServer *server, OpprofLiveClient *client,
                              unsigned *ret_count, const char **ret_why)
{
    OpprofStatus status = OPPROF_OK;
    size_t at = 0;

    *ret_count = 0;
    while (status == OPPROF_OK && client->used - at >= sizeof(OpprofLiveHead)) {
        OpprofLiveHead head;

        memcpy(&head, client->buffer + at, sizeof head);
        if (head.length > (client->is_greeted ? OPPROF_LIVE_MOST_BYTES : MOST_GREETING)) {
            return refuse("it sends a message that is too long", ret_why);
        }
        if (client->used - at - sizeof head < head.length) {
            break;
        }
        at += sizeof head;
        status = LiveServerTake(server, client, &head, client->buffer + at, ret_why);
        at += head.length;
        (*ret_count)++;
    }
    memmove(client->buffer, client->buffer + at, client->used - at);
    client->used -= at;
    return status;
}
