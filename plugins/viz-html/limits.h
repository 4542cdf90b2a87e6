/* SPDX-License-Identifier: Apache-2.0 */
#ifndef VIZ_HTML_LIMITS_H
#define VIZ_HTML_LIMITS_H

/*
 * Limits of a page, so that it stays below 20 MB: the parts below, and 0.4 MB of code. Each
 * part that did not fit is listed on the page.
 */

#define PAGE_TEXT_BYTES 2048u             /* a name or a cell; longer ones are cut */
#define PAGE_NAMES_BYTES (1u << 20)       /* of all names together */
#define PAGE_TABLES 128u                  /* tables */
#define PAGE_TABLE_BYTES (3u << 19)       /* rows of a table … */
#define PAGE_TABLES_BYTES (4u << 20)      /* … and of all tables, beyond which … */
#define PAGE_TABLE_LEAST_BYTES (1u << 14) /* … each still gets this much */
#define PAGE_GRID_CELLS 8192u             /* of a table's heat map: at most some 1.5 MiB */
#define PAGE_HELD_BYTES (32u << 20)       /* rows kept until the page is written */
#define PAGE_PIECE_BYTES (1u << 14)       /* rows of a table in memory */
#define PAGE_SOURCES_BYTES (1u << 20)     /* texts of source files */
#define PAGE_COMPARISON_BYTES (2u << 20)  /* a comparison with another run */
#define PAGE_SOURCE_BYTES (1u << 18)      /* of a single file */

#define PAGE_ARGUMENTS_BYTES (3u << 20) /* of spans, as text */
/* all levels of spans, before they become text of 4/3 the size */
#define PAGE_SPANS_BYTES (4u << 20)
#define PAGE_LANES 4096u         /* lanes of timelines */
#define PAGE_ARROWS 32768u       /* arrows; of more, every second, fourth, … is kept, */
#define PAGE_ARROW_ENDS 131072u  /* … also of more tails and heads, until paired */
#define PAGE_CURVES 256u         /* curves … */
#define PAGE_CURVE_SAMPLES 2048u /* … and samples of one, beyond which pairs are joined, … */
#define PAGE_SAMPLES 32768u      /* … and of all */
#define PAGE_OPEN 65536u         /* begins of spans that wait for their end */

#endif
