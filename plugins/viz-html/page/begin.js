/* SPDX-License-Identifier: Apache-2.0 */
/* The one name that the scripts of the page share; each file adds a member. */
'use strict';

const opprof = {};
