/* SPDX-License-Identifier: Apache-2.0 */
/* Reads pipeline documents and settings, and reports every mistake with its place. */
#include "document/config.h"

#include <opprof/json.h>
#include "base/chunks.h"
#include "base/names.h"
#include "document/config_find.h"
#include "document/config_parser.h"
#include "plugin/params.h"
#include "run/nodes.h"

#include <ctype.h>
#include <opprof/log.h>
#include <opprof/plugin.h>
#include <stdlib.h>
#include <string.h>

#define TAG "core/config"
#define MAX_PLUGIN_PATHS 64
#define MAX_KINDS 64
#define TEXT_CHUNK 1024

static const char *const stage_members[] = { "id", "use", "params", "critical", "when" };
static const char *const link_members[] = { "from", "to" };

static const OpprofParam queue_members[] = {
    { .name = "items",
      .type = OPPROF_PARAM_INT,
      .default_value = "64",
      .min = 1,
      .max = CONFIG_MAX_QUEUE_ITEMS },
    { .name = "bytes",
      .type = OPPROF_PARAM_SIZE,
      .default_value = "16MiB",
      .min = 1 << 12,
      .max = 0x1p40 },
    { .name = "budget",
      .type = OPPROF_PARAM_SIZE,
      .default_value = "64MiB",
      .min = 1 << 12,
      .max = 0x1p40 },
};
/* ---- stages ---- */

/* Copies that last as long as the document, and note when memory runs out; NULL for NULL. */
static const char *copy_text(ConfigParser *parser, const char *text)
{
    const size_t size = text != NULL ? strlen(text) + 1 : 0;
    char *copy = text != NULL ? ChunksTake(&parser->config->texts, size, TEXT_CHUNK) : NULL;

    parser->problems->no_memory |= text != NULL && copy == NULL;
    return copy != NULL ? memcpy(copy, text, size) : NULL;
}

static void resolve_param(ConfigParser *parser, ConfigStage *stage, const char *name, json_t *value)
{
    const bool is_from_command = stage->pointer[0] != '/'; /* which has nothing but texts */
    const size_t looked_up = parser->looked_up;
    Problems *problems = parser->problems;
    const char *base = ProblemsPointer(problems, stage->pointer, "params");
    json_t *resolved = ConfigResolve(
        parser,
        ProblemsText(problems, "%s (stage '%s')", ProblemsPointer(problems, base, name), stage->id),
        value);

    if (resolved == NULL) {
        ConfigSet(parser, stage->origins, name, json_null());
        return;
    }
    ConfigSet(parser, stage->params, name, resolved);
    if (parser->looked_up != looked_up && json_is_string(value)) {
        ConfigSet(parser, stage->origins, name, json_incref(value));
    } else if (is_from_command && json_is_string(value)) {
        ConfigSet(parser, stage->origins, name, json_string(stage->pointer));
    }
}

static void read_params(ConfigParser *parser, ConfigStage *stage, json_t *object)
{
    json_t *params = json_object_get(object, "params");
    const char *name;
    json_t *value;

    if (params != NULL && !json_is_object(params)) {
        ConfigReportType(parser, stage->pointer, "params", "an object", params);
        return;
    }
    json_object_foreach(params, name, value)
    {
        const char *setting = ProblemsText(parser->problems, "%s.%s", stage->id, name);

        if (!OpprofJsonIsComment(name) && ConfigSettingOf(parser, setting) == NULL) {
            resolve_param(parser, stage, name, value);
        }
    }
}

static void report_twice(ConfigParser *parser, const ConfigStage *stage)
{
    for (const ConfigStage *other = parser->config->stages; other < stage; other++) {
        if (strcmp(other->id, stage->id) == 0) {
            ProblemsAdd(parser->problems, stage->pointer, "stage '%s' is repeated: see %s.",
                        stage->id, other->pointer);
            return;
        }
    }
}

/*
 * Ids are never NULL, so that the rest of the stage can be checked; what is wrong with them is
 * reported.
 */
static void read_id(ConfigParser *parser, ConfigStage *stage, json_t *object)
{
    const char *id = ConfigTextMember(parser, object, stage->pointer, "id", true);

    stage->id = copy_text(parser, id != NULL ? id : "");
    if (id == NULL || stage->id == NULL) {
        return;
    }
    if (!StageIdIsGood(id)) {
        ProblemsAdd(parser->problems, stage->pointer,
                    "'%s' is not an id for a stage: up to %d letters, digits, '_' and '-'.", id,
                    CONFIG_MAX_ID);
        return;
    }
    report_twice(parser, stage);
}

static void finish_stage(ConfigStage *stage)
{
    json_decref(stage->params);
    json_decref(stage->origins);
    *stage = (ConfigStage){ 0 };
}

static void read_stage(ConfigParser *parser, ConfigStage *stage, json_t *object)
{
    json_t *critical = json_object_get(object, "critical");

    ConfigCheckMembers(parser, object, stage->pointer, stage_members, OPPROF_COUNT(stage_members));
    read_id(parser, stage, object);
    stage->use = copy_text(parser, ConfigTextMember(parser, object, stage->pointer, "use", true));
    stage->params = json_object();
    stage->origins = json_object();
    if (stage->id == NULL || stage->params == NULL || stage->origins == NULL) {
        parser->problems->no_memory = true;
        return;
    }
    if (ConfigTruthMember(parser, object, stage->pointer, "critical")) {
        stage->critical = CONFIG_CRITICAL_YES;
    } else {
        stage->critical = critical != NULL ? CONFIG_CRITICAL_NO : CONFIG_CRITICAL_DEFAULT;
    }
    stage->is_appended = json_is_true(json_object_get(object, CONFIG_APPENDED));
    stage->is_idle = NamesHave(&parser->request->idle, stage->id);
    if (ConfigLeaveOut(parser, stage, object)) {
        finish_stage(stage);
        parser->config->stage_count--;
    } else if (!stage->is_idle) {
        read_params(parser, stage, object);
    }
}

/* Where an element of an array is in the document that it comes from. */
static const char *index_pointer(ConfigParser *parser, const json_t *element, const char *array,
                                 size_t index)
{
    const char *place = json_string_value(json_object_get(element, CONFIG_PLACE));

    return copy_text(
        parser, place != NULL ? place : ProblemsText(parser->problems, "/%s/%zu", array, index));
}

/*
 * The array member `key` when it has at most `limit` elements, all of them objects or texts as
 * `type` says; else NULL, and the reason is reported.
 */
static json_t *array_member(ConfigParser *parser, json_t *root, const char *key, size_t limit,
                            json_type type)
{
    const char *wanted = type == JSON_OBJECT ? "an array of objects" : "an array of texts";
    json_t *array = json_object_get(root, key);
    const char *location = ProblemsPointer(parser->problems, "", key);

    if (array == NULL) {
        return NULL;
    }
    if (!json_is_array(array)) {
        ConfigReportType(parser, "", key, wanted, array);
        return NULL;
    }
    if (json_array_size(array) > limit) {
        ProblemsAdd(parser->problems, location, "%zu are too many: at most %zu.",
                    json_array_size(array), limit);
        array = NULL;
    }
    for (size_t i = 0; i < json_array_size(array); i++) {
        if (json_typeof(json_array_get(array, i)) != type) {
            ProblemsAdd(parser->problems, location, "element %zu: wrong type: expected %s, got %s.",
                        i, type == JSON_OBJECT ? "an object" : "a text",
                        ProblemJsonKind(json_array_get(array, i)));
        }
    }
    return array;
}

static void read_stages(ConfigParser *parser, json_t *root)
{
    json_t *stages = array_member(parser, root, "stages", CONFIG_MAX_STAGES, JSON_OBJECT);
    PipelineConfig *config = parser->config;

    if (json_object_get(root, "stages") == NULL) {
        ConfigReportType(parser, "", "stages", "an array of one or more objects", NULL);
    } else if (stages != NULL && json_array_size(stages) == 0) {
        ProblemsAdd(parser->problems, "/stages", "there are no stages.");
    }
    config->stages = calloc(json_array_size(stages) + 1, sizeof *config->stages);
    if (config->stages == NULL) {
        parser->problems->no_memory = true;
        return;
    }
    for (size_t i = 0; i < json_array_size(stages) && !parser->problems->no_memory; i++) {
        ConfigStage *stage = &config->stages[config->stage_count];

        if (!json_is_object(json_array_get(stages, i))) {
            continue;
        }
        stage->pointer = index_pointer(parser, json_array_get(stages, i), "stages", i);
        if (stage->pointer != NULL) {
            config->stage_count++;
            read_stage(parser, stage, json_array_get(stages, i));
        }
    }
}

static bool has_end_left_out(const PipelineConfig *config, const ConfigLink *link)
{
    return (link->from != NULL && ConfigFindLeftOut(config, link->from) != NULL) ||
           (link->to != NULL && ConfigFindLeftOut(config, link->to) != NULL);
}

static void read_links(ConfigParser *parser, json_t *root)
{
    json_t *links = array_member(parser, root, "links", CONFIG_MAX_LINKS, JSON_OBJECT);
    PipelineConfig *config = parser->config;

    config->links = calloc(json_array_size(links) + 1, sizeof *config->links);
    if (config->links == NULL) {
        parser->problems->no_memory = true;
        return;
    }
    for (size_t i = 0; i < json_array_size(links) && !parser->problems->no_memory; i++) {
        json_t *object = json_array_get(links, i);
        ConfigLink *link = &config->links[config->link_count];

        link->pointer = index_pointer(parser, object, "links", i);
        if (link->pointer == NULL || !json_is_object(object)) {
            continue;
        }
        config->link_count++;
        ConfigCheckMembers(parser, object, link->pointer, link_members, OPPROF_COUNT(link_members));
        link->from =
            copy_text(parser, ConfigTextMember(parser, object, link->pointer, "from", true));
        link->to = copy_text(parser, ConfigTextMember(parser, object, link->pointer, "to", true));
        config->link_count -= has_end_left_out(config, link) ? 1 : 0;
    }
}

static void read_plugin_paths(ConfigParser *parser, json_t *root)
{
    json_t *paths = array_member(parser, root, "plugin_path", MAX_PLUGIN_PATHS, JSON_STRING);

    for (size_t i = 0; i < json_array_size(paths); i++) {
        const char *path = json_string_value(json_array_get(paths, i));

        if (path != NULL && *path == '\0') {
            ProblemsAdd(parser->problems, "/plugin_path", "element %zu is empty.", i);
        } else if (path != NULL) {
            char *whole =
                *path == '/' ? strdup(path) : ProblemText("%s/%s", parser->directory, path);

            parser->problems->no_memory |= !NamesAdd(&parser->config->plugin_paths, whole);
        }
    }
}

static void read_queue(ConfigParser *parser, json_t *root)
{
    json_t *queue = json_object_get(root, "queue");
    const ParamInput input = { .given = queue, .pointer = "/queue" };
    PipelineConfig *config = parser->config;
    OpprofParams *params;

    if (queue != NULL && !json_is_object(queue)) {
        ConfigReportType(parser, "", "queue", "an object", queue);
        return;
    }
    params = ParamBuild(queue_members, OPPROF_COUNT(queue_members), &input, parser->problems);
    if (params != NULL) {
        config->queue_items = (uint32_t) OpprofParamsInt(params, "items");
        config->queue_bytes = (uint64_t) OpprofParamsInt(params, "bytes");
        config->queue_budget = (uint64_t) OpprofParamsInt(params, "budget");
    }
    ParamDestroy(params);
}

/* ---- --set ---- */

static ConfigStage *find_stage(const PipelineConfig *config, const char *id, size_t length)
{
    for (size_t i = 0; i < config->stage_count; i++) {
        if (strlen(config->stages[i].id) == length &&
            memcmp(config->stages[i].id, id, length) == 0) {
            return &config->stages[i];
        }
    }
    return NULL;
}

static void report_stage(ConfigParser *parser, const char *location, const char *setting,
                         size_t length)
{
    const PipelineConfig *config = parser->config;
    Problems *problems = parser->problems;
    const char *addition =
        json_string_value(json_object_get(ConfigFindLeftOut(config, setting), "set"));
    const char **ids = calloc(config->stage_count + 1, sizeof *ids);
    const char *id = ProblemsText(problems, "%.*s", (int) length, setting);
    size_t count = 0;

    for (size_t i = 0; ids != NULL && i < config->stage_count; i++) {
        ids[count] = config->stages[i].id;
        count += ids[count][0] != '\0'; /* one without an id is a mistake of its own */
    }
    problems->no_memory |= ids == NULL;
    if (addition != NULL) {
        ProblemsAdd(problems, location, "stage '%s' is left out: set %s to add it.", id, addition);
        free(ids);
        return;
    }
    ProblemsAddName(problems, location, ProblemsText(problems, "no stage '%s'", id), id,
                    &(NameList){ "Stages", ids, count });
    free(ids);
}

static void apply_to_stage(ConfigParser *parser, const char *location, const ConfigSetting *setting)
{
    size_t length = strcspn(setting->name, ".");
    const char *name = setting->name + length + 1;
    ConfigStage *stage = find_stage(parser->config, setting->name, length);
    json_t *value;

    if (stage == NULL) {
        report_stage(parser, location, setting->name, length);
        return;
    }
    if (*name == '\0') {
        ProblemsAdd(parser->problems, location, "no parameter is named for stage '%s'.", stage->id);
        return;
    }
    value = ProblemsJsonText(parser->problems, location, "the value", setting->value);
    if (value == NULL) {
        return;
    }
    ConfigSet(parser, stage->params, name, value);
    ConfigSet(parser, stage->origins, name, json_string(location));
}

static void apply_settings(ConfigParser *parser)
{
    for (size_t i = 0; i < parser->request->setting_count; i++) {
        const ConfigSetting *setting = &parser->request->settings[i];
        const char *location = ProblemsText(parser->problems, "setting %s", setting->name);

        if (strchr(setting->name, '.') != NULL) {
            apply_to_stage(parser, location, setting);
        } else if (json_object_get(parser->config->vars, setting->name) == NULL &&
                   strcmp(setting->name, "title") != 0) {
            ConfigReportVar(parser, location, setting->name);
        }
    }
    for (size_t i = 0; i < parser->request->without.count; i++) {
        const char *id = parser->request->without.names[i];

        if (ConfigFindLeftOut(parser->config, id) == NULL) {
            report_stage(parser, "stages to leave out", id, strlen(id));
        }
    }
}

/* ---- documents ---- */

/* One whose variable has no value is none. */
static void read_title(ConfigParser *parser, json_t *root)
{
    const char *stated = ConfigTextMember(parser, root, "", "title", false);
    json_t *title = stated == NULL || ConfigSettingOf(parser, "title") != NULL
                        ? NULL
                        : ConfigResolve(parser, "/title", json_object_get(root, "title"));

    parser->config->title = copy_text(parser, json_string_value(title));
    json_decref(title);
}

static void read_document(ConfigParser *parser, json_t *root)
{
    parser->config->description =
        copy_text(parser, ConfigTextMember(parser, root, "", "description", false));
    array_member(parser, root, "accepts", MAX_KINDS, JSON_STRING); /* recognition reads them */
    ConfigReadVars(parser, root);
    read_title(parser, root);
    read_plugin_paths(parser, root);
    read_queue(parser, root);
    read_stages(parser, root);
    read_links(parser, root);
    if (!parser->problems->no_memory) { /* else stages may lack their ids */
        apply_settings(parser);
    }
}

/* Check the document, lay it over what it extends, and add what is to be added. */
static OpprofStatus complete_root(ConfigParser *parser, const char *path, json_t *added,
                                  json_t **root, OpprofError **error)
{
    OpprofStatus status = OPPROF_END;

    if (ConfigCheckDocument(parser, *root, "")) {
        status = ConfigExtend(parser, path, root, error);
    }
    if (status == OPPROF_OK && !ConfigAppend(*root, added)) {
        parser->problems->no_memory = true;
        status = OPPROF_END;
    }
    return status;
}

OpprofStatus ConfigParse(const ConfigOrigin *origin, json_t *root, const ConfigRequest *request,
                         PipelineConfig *ret_config, Problems *problems, OpprofError **error)
{
    ConfigParser parser = {
        .config = ret_config,
        .request = request,
        .directory = origin->directory,
        .problems = problems,
        .unset = json_object(),
    };
    OpprofStatus status = OPPROF_OK;

    *ret_config = (PipelineConfig){ .name = NULL };
    ret_config->name = copy_text(&parser, origin->name);
    ret_config->path = copy_text(&parser, origin->path);
    ret_config->vars = json_object();
    ret_config->left_out = json_array();
    if (parser.unset != NULL && ret_config->left_out != NULL && ret_config->name != NULL &&
        ret_config->vars != NULL) {
        status = complete_root(&parser, origin->path, request->added, &root, error);
        if (status == OPPROF_OK) {
            read_document(&parser, root);
        }
    } else {
        problems->no_memory = true;
    }
    json_decref(parser.unset);
    json_decref(root);
    if (problems->no_memory) {
        ConfigFinish(ret_config);
        return OpprofErrorNoMemory(error, "read pipeline '%s'", origin->name);
    }
    if (OpprofFailed(status)) {
        ConfigFinish(ret_config);
        return status;
    }
    return OPPROF_OK;
}

static OpprofStatus load_path(const char *name, const char *path, const ConfigRequest *request,
                              PipelineConfig *ret_config, Problems *problems, OpprofError **error)
{
    char *directory = NameDirectory(path);
    json_t *root = NULL;
    OpprofStatus status;

    if (directory == NULL) {
        return OpprofErrorNoMemory(error, "read pipeline '%s'", name);
    }
    status = OpprofJsonLoad(path, &root, error);
    if (OpprofFailed(status)) {
        /* a document that is not JSON is a mistake of its author, like any other in it */
        status = OpprofErrorSet(error, status == OPPROF_E_DATA ? OPPROF_E_ARGUMENT : status,
                                "Cannot read pipeline '%s'", name);
    } else {
        const ConfigOrigin origin = { .name = name, .path = path, .directory = directory };

        status = ConfigParse(&origin, root, request, ret_config, problems, error);
    }
    free(directory);
    return status;
}

OpprofStatus ConfigLoad(const char *file_or_name, const ConfigRequest *request,
                        PipelineConfig *ret_config, Problems *problems, OpprofError **error)
{
    char *path = NULL;
    OpprofStatus status = ConfigFind(file_or_name, &path, error);

    *ret_config = (PipelineConfig){ 0 };
    if (status == OPPROF_OK) {
        status = load_path(file_or_name, path, request, ret_config, problems, error);
    }
    free(path);
    return status;
}

/* A document that is shown has each of its stages looked up. */
static void check_sizes(ConfigParser *parser, json_t *root)
{
    array_member(parser, root, "stages", CONFIG_MAX_STAGES, JSON_OBJECT);
    array_member(parser, root, "links", CONFIG_MAX_LINKS, JSON_OBJECT);
}

OpprofStatus ConfigReadDocument(const char *file_or_name, json_t **ret_root, OpprofError **error)
{
    PipelineConfig config = { .name = file_or_name };
    Problems problems = { 0 };
    char *path = NULL;
    OpprofStatus status = ConfigFind(file_or_name, &path, error);
    char *directory = path != NULL ? NameDirectory(path) : NULL;
    ConfigParser parser = { .config = &config, .directory = directory, .problems = &problems };

    *ret_root = NULL;
    if (status == OPPROF_OK && directory == NULL) {
        status = OpprofErrorNoMemory(error, "read pipeline '%s'", file_or_name);
    }
    if (status == OPPROF_OK) {
        status = OpprofJsonLoad(path, ret_root, error);
    }
    if (status == OPPROF_OK) {
        status = complete_root(&parser, path, NULL, ret_root, error);
    }
    if (status == OPPROF_OK) {
        check_sizes(&parser, *ret_root);
    }
    if (!OpprofFailed(status)) {
        status = ProblemsToError(&problems, ProblemsText(&problems, "Pipeline '%s'", file_or_name),
                                 error);
    }
    if (status != OPPROF_OK) {
        json_decref(*ret_root);
        *ret_root = NULL;
    }
    ProblemsFinish(&problems);
    free(directory);
    free(path);
    return status;
}

void ConfigFinish(PipelineConfig *config)
{
    for (size_t i = 0; i < config->stage_count; i++) {
        finish_stage(&config->stages[i]);
    }
    free(config->stages);
    free(config->links);
    NamesFree(&config->plugin_paths);
    ChunksFree(&config->texts);
    json_decref(config->vars);
    json_decref(config->left_out);
    *config = (PipelineConfig){ 0 };
}
