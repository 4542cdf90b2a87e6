/* SPDX-License-Identifier: Apache-2.0 */
#ifndef VIZ_HTML_PACKED_H
#define VIZ_HTML_PACKED_H

#include "text.h"

#define PACK_NUMBER_MAX 10u /* bytes of a number */

/* Put a number at `out`, which has room for PACK_NUMBER_MAX. Returns its end. */
char *PackPut(char *out, uint64_t number);

/* Append a number in as many bytes as it needs: seven bits a byte, the lowest first, the top bit
 * set in all but the last. */
void PackNumber(OpprofJsonOut *bytes, uint64_t number);

/* Append a signed number: small ones of both signs are short. */
void PackSigned(OpprofJsonOut *bytes, int64_t number);

/* Append bytes as text: base64 with padding. */
void PackText(OpprofJsonOut *text, const char *bytes, size_t length);

#endif
