/* SPDX-License-Identifier: Apache-2.0 */
#ifndef VIZ_INSIGHT_VIEW_ENCODE_H
#define VIZ_INSIGHT_VIEW_ENCODE_H

#include <opprof/kit/json_out.h>
#include "view_cells.h"

/* Turns the cells of a view into the content of a block of the viewer. */
typedef void ViewEncode(const ViewCells *view, OpprofJsonOut *json);

ViewEncode EncodeOperator;  /* 0x05 */
ViewEncode EncodeOccupancy; /* 0x0c */
ViewEncode EncodeRoofline;  /* 0x0d */

/* Of the cells of a group: elements of an array within the content. */
ViewEncode EncodeLoadFigure;   /* 0x06: the shares */
ViewEncode EncodeLoadTable;    /* 0x07: all but the shares */
ViewEncode EncodeStorageMap;   /* 0x08 */
ViewEncode EncodeStorageTable; /* 0x09 */

#endif
