-- SPDX-License-Identifier: Apache-2.0
-- title: What a column means; column=NAME, table=NAME
SELECT table_name, name, heading, unit, meaning, absent FROM opprof_columns
WHERE name = coalesce(:column, name) AND table_name = coalesce(:table, table_name) ORDER BY table_name, position;
