/* SPDX-License-Identifier: Apache-2.0 */
#ifndef VIZ_HTML_PAGE_ASSETS_H
#define VIZ_HTML_PAGE_ASSETS_H

#include <stddef.h>

/* The page around its data, made from the files of page/ by embed.sh. */
extern const char page_head[];
extern const size_t page_head_length;
extern const char page_tail[];
extern const size_t page_tail_length;

#endif
