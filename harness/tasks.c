/* SPDX-License-Identifier: Apache-2.0 */
/* Looks at the threads of this process. Tested by tests/harness/check.sh. */
#include "harness/tasks.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

const char *TaskStat(const char *thread, char text[TASK_STAT_BYTES])
{
    char path[64];
    FILE *file;

    snprintf(path, sizeof path, "/proc/self/task/%.20s/stat", thread);
    file = fopen(path, "re");
    if (file == NULL) {
        return errno == ENOENT || errno == ESRCH ? NULL : "";
    }
    text[fread(text, 1, TASK_STAT_BYTES - 1, file)] = '\0';
    fclose(file);
    return strrchr(text, ')'); /* the name may hold anything */
}

static bool is_asleep(const char *thread)
{
    char text[TASK_STAT_BYTES], state = '\0';
    const char *stat = TaskStat(thread, text);

    return stat == NULL || (sscanf(stat, ") %c", &state) == 1 && strchr("SZX", state) != NULL);
}

bool TasksOthersAreAsleep(void)
{
    DIR *threads = opendir("/proc/self/task");
    const struct dirent *entry;
    bool all = threads != NULL;

    while (all && (entry = readdir(threads)) != NULL) {
        all = entry->d_name[0] == '.' || strtol(entry->d_name, NULL, 10) == gettid() ||
              is_asleep(entry->d_name);
    }
    if (threads != NULL) {
        closedir(threads);
    }
    return all;
}
