-- SPDX-License-Identifier: Apache-2.0
-- title: Tables of the run, with their numbers of rows
SELECT name, title, row_count AS "rows", file FROM opprof_tables ORDER BY name;
