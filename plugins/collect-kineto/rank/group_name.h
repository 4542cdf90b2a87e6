/* SPDX-License-Identifier: Apache-2.0 */
#ifndef COLLECT_KINETO_RANK_GROUP_NAME_H
#define COLLECT_KINETO_RANK_GROUP_NAME_H

#include "collect-kineto/text/json_text.h"

/*
 * Writes what identifies a process group, as the text of a JSON string: its name and its
 * ranks, since all parts of a group that was split may have one name. Three or more ranks at equal
 * distances are shortened: "3 [0-7]", "3 [0-56 by 8]".
 *
 * ranks:  a list, such as "[0, 1]"; anything else is left out. Frameworks shorten long ones: "[0,
 * 1, ..., 255]" Returns the length, at most `room`; what does not fit is cut off.
 */
size_t GroupName(JsonText name, JsonText ranks, char *out, size_t room);

#endif
