/* SPDX-License-Identifier: Apache-2.0 */
/* The one rule by which the chip of some data is chosen. */
#include <opprof/kit/chip.h>

#include <opprof/kit/raw_names.h>
#include <opprof/require.h>
#include <string.h>
#include <strings.h>

bool OpprofChipIsAuto(const char *asked)
{
    return asked == NULL || strcasecmp(asked, "auto") == 0;
}

static OpprofStatus ask_for_chip(OpprofStatus status, OpprofError **error)
{
    OpprofErrorHint(error, "Name the chip, such as chip=Ascend910B1");
    return status;
}

static OpprofStatus refuse_nameless(OpprofError **error)
{
    const OpprofRawForm form = OpprofRawFormOf("auto", NULL, 0);
    const char *key = OpprofRawKey(&form, "soc");
    char info[128];

    OpprofRawFileName("auto", "info", 0, info, sizeof info);
    return ask_for_chip(OpprofErrorSet(error, OPPROF_E_DATA,
                                       "The data does not name its SoC: '%s' is missing, "
                                       "unreadable, cut, or without '%s'",
                                       info, key == NULL ? "soc" : key),
                        error);
}

/* A chip of the series that was asked for gives way to the data's SoC if that is of the series,
 * too. */
static void prefer_soc_of_data(const char *asked, const char *soc, OpprofChip **chip)
{
    OpprofChip *of_data = NULL;

    if (strcasecmp(asked, OpprofChipSoc(*chip)) == 0 ||
        OpprofChipLoad(soc, &of_data, NULL) != OPPROF_OK) {
        return;
    }
    const bool is_same = strcmp(OpprofChipSeries(of_data), OpprofChipSeries(*chip)) == 0;
    OpprofChipFree(is_same ? *chip : of_data);
    *chip = is_same ? of_data : *chip;
}

OpprofStatus OpprofChipChoose(const char *asked, const char *soc, OpprofChip **ret_chip,
                              bool *ret_is_substitute, OpprofError **error)
{
    OPPROF_REQUIRE("chip-result-given", ret_chip != NULL, "The result pointer is given");

    const bool is_auto = OpprofChipIsAuto(asked);
    const bool is_named = soc != NULL && soc[0] != '\0';

    if (ret_is_substitute != NULL) {
        *ret_is_substitute = false;
    }
    if (is_auto && !is_named) {
        return refuse_nameless(error);
    }
    const OpprofStatus status = OpprofChipLoad(is_auto ? soc : asked, ret_chip, error);
    if (status != OPPROF_OK) {
        return is_auto && status == OPPROF_E_NOT_FOUND ? ask_for_chip(status, error) : status;
    }
    if (!is_auto && is_named) {
        prefer_soc_of_data(asked, soc, ret_chip);
        if (ret_is_substitute != NULL) {
            *ret_is_substitute = strcasecmp(OpprofChipSoc(*ret_chip), soc) != 0;
        }
    }
    return OPPROF_OK;
}
