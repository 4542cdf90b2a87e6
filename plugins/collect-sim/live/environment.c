/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The environment of a program that runs on a simulator: the libraries that replace those of a
 * device.
 * Tested by tests/plugins/collect-sim/test_environment.c.
 */
#include "collect-sim/live/environment.h"

#include <opprof/kit/chip.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void add(SimEnvironment *environment, const char *name, const char *value, bool is_list)
{
    environment->variables[environment->count++] =
        (OpprofLiveVariable){ .name = name, .value = value, .is_list = is_list };
}

/* Facts about the chip for the program, if the chip file has them; false without memory. */
static bool describe_chip(SimEnvironment *environment, const OpprofChip *chip, const char *soc)
{
    double cores = 0, vector_cores = 0;

    if (chip == NULL || !OpprofChipNumber(chip, "simulator.cores", &cores) ||
        !OpprofChipNumber(chip, "simulator.vector_cores", &vector_cores)) {
        return true;
    }
    if (asprintf(&environment->chip, "%s %u %u", soc, (unsigned) cores, (unsigned) vector_cores) <
        0) {
        environment->chip = NULL;
    }
    return environment->chip != NULL;
}

/* Folder of the simulator's libraries in the toolkit; false without memory. */
static bool find_folder(SimEnvironment *environment, const char *home, const char *soc)
{
    OpprofChip *chip = NULL;
    OpprofError *ignored = NULL; /* an unknown SoC has no folder with another name */
    const char *name = OpprofChipLoad(soc, &chip, &ignored) == OPPROF_OK
                           ? OpprofChipText(chip, "simulator.folder")
                           : NULL;
    const bool is_described = describe_chip(environment, chip, soc);

    OpprofErrorDestroy(ignored);
    if (asprintf(&environment->folder, "%s/tools/simulator/%s/lib", home,
                 name == NULL ? soc : name) < 0) {
        environment->folder = NULL;
    }
    OpprofChipFree(chip);
    if (environment->folder == NULL ||
        asprintf(&environment->runtime, "%s/libruntime_camodel.so", environment->folder) < 0) {
        environment->runtime = NULL;
    }
    return is_described && environment->runtime != NULL;
}

/* The toolkit's simulator of a SoC, if it is installed: its libraries come first. */
static OpprofStatus add_simulator(SimEnvironment *environment, const char *soc, OpprofError **error)
{
    const char *home = secure_getenv("ASCEND_HOME_PATH");

    if (soc == NULL || home == NULL) {
        return OPPROF_OK;
    }
    if (!find_folder(environment, home, soc)) {
        return OpprofErrorNoMemory(error, "look for the simulator of '%s'", soc);
    }
    if (access(environment->runtime, R_OK) == 0) {
        add(environment, "LD_LIBRARY_PATH", environment->folder, true);
        add(environment, "LD_PRELOAD", environment->runtime, true);
        add(environment, "CAMODEL_SOC_VERSION", soc, false);
        if (environment->chip != NULL) {
            add(environment, OPPROF_LIVE_CHIP, environment->chip, false);
        }
        environment->has_simulator = true;
    }
    return OPPROF_OK;
}

OpprofStatus SimEnvironmentMake(SimEnvironment *environment, const char *soc, const char *log_path,
                                OpprofError **error)
{
    *environment = (SimEnvironment){ .count = 0 };
    add(environment, "ASCEND_RT_VISIBLE_DEVICES", NULL, false); /* a simulator has one device */
    add(environment, "GE_INIT_DISABLE", "1", false);
    add(environment, "TASK_QUEUE_ENABLE", "0", false); /* launch in the thread that asks */
    if (log_path != NULL) {
        add(environment, "CAMODEL_LOG_PATH", log_path, false);
    }
    return add_simulator(environment, soc, error);
}

void SimEnvironmentFinish(SimEnvironment *environment)
{
    free(environment->folder);
    free(environment->runtime);
    free(environment->chip);
    *environment = (SimEnvironment){ .count = 0 };
}
