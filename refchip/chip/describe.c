/* SPDX-License-Identifier: Apache-2.0 */
/* The text of an instruction's operands, as logs have it. Tested by
 * tests/refchip/test_operators.sh. */
#include "core.h"
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static int put_register(char *at, size_t room, const char *role, const Core *core, uint32_t number)
{
    const uint64_t value = core->x[number];

    return snprintf(at, room, value == 0 ? "%s:X%u=0, " : "%s:X%u=0x%" PRIx64 ", ", role,
                    (unsigned) number, value);
}

static const char *name_or(const char *name)
{
    return name == NULL ? "?" : name;
}

/* One operand; the number of characters, as snprintf. */
static int put_operand(char *at, size_t room, char letter, const Core *core, uint32_t word)
{
    switch (letter) {
    case 'd':
        return put_register(at, room, "XD", core, IsaD(word));
    case 'n':
        return put_register(at, room, "XN", core, IsaN(word));
    case 'm':
        return put_register(at, room, "XM", core, IsaM(word));
    case 't':
        return put_register(at, room, "XT", core, IsaT(word));
    case 'w':
        return snprintf(at, room, "IMM:%#x, ", (unsigned) (word & 0xffffu));
    case 'h':
        return snprintf(at, room, "UIMM:%#x, ", (unsigned) (word >> 16 & 3u));
    case 'i':
        return snprintf(at, room, "IMM:%#x, ", (unsigned) (word & 0x3fffu));
    case 's':
        return snprintf(at, room, "SPR:%s, ", name_or(IsaSprName(IsaN(word))));
    case 'S':
        return snprintf(at, room, "SPR:%s, ", name_or(IsaSprName(IsaD(word))));
    case 'j':
        return snprintf(at, room, "TARGET:0x%" PRIx64 ", ",
                        core->launch->load_pc +
                            4 * (uint64_t) ((int64_t) core->pc + IsaJump(word)));
    case 'p':
        return snprintf(at, room, "PIPE:%s, ", name_or(IsaPipeName(IsaD(word))));
    case 'q':
        return snprintf(at, room, "TRIGGER PIPE:%s, ", name_or(IsaPipeName(IsaN(word))));
    case 'f':
        return snprintf(at, room, "FLAG ID:%u,", (unsigned) (word & 15u));
    case 'r':
        return snprintf(at, room, "KIND:%u, ", (unsigned) IsaD(word));
    case 'a':
        return snprintf(at, room, "NUMBER:%u, ", (unsigned) (word & 0x7ffffu));
    case 'y':
        return snprintf(at, room, "Dtype:F32, ");
    default:
        return snprintf(at, room, "Pos:%u, ", (unsigned) (word & 1u));
    }
}

void CoreDescribe(const Core *core, uint32_t word, char *text, size_t size)
{
    const IsaOp *op = IsaFind(IsaCodeOf(word));
    size_t at;

    if (core->config->is_310p) {
        CoreDescribe310p(core, word, text, size);
        return;
    }
    at = (size_t) snprintf(text, size, "%s", op->prefix);
    for (const char *letter = op->operands; *letter != '\0' && at < size; letter++) {
        at += (size_t) put_operand(text + at, size - at, *letter, core, word);
    }
}
