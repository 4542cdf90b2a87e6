-- SPDX-License-Identifier: Apache-2.0
-- title: Nothing is wrong
-- topic: summary
-- severity: note
-- when: silent
-- todo: Less work for that pipe: fewer bytes to move, or fewer products
-- reason: Speaks only where no other rule does, of the longest core, and says which pipe bounds it and how much of the time it works; at 100 %
--   it is at its peak. Where the busiest pipe works less than 70 % of the time, nothing is known to bound the core but latencies.
-- source: the busy cycles of each pipe against those of the longest core
WITH pipe AS (
  SELECT *, row_number() OVER (ORDER BY duration_us DESC, core, worked_us DESC, pipe) AS place FROM sim_pipes WHERE worked_us IS NOT NULL)
SELECT NULL AS subject,
       'No cause above 2 % was found: ' || CASE WHEN worked_us < 0.02 * duration_us OR duration_us = 0
         THEN 'the logs show hardly any work'
         WHEN worked_us >= 0.7 * duration_us
         THEN printf('%s, the busiest pipe, works %.0f %% of the time', pipe, 100 * worked_us / duration_us)
         ELSE printf('latencies bound the operator, since %s, the busiest pipe, works only %.0f %% of the time', pipe, 100 * worked_us / duration_us) END AS sentence,
       CASE WHEN worked_us < 0.02 * duration_us OR duration_us = 0 THEN 'Look whether the logs are whole' WHEN worked_us >= 0.7 * duration_us THEN NULL ELSE 'Larger tiles and more work for each core hide latencies' END AS todo,
       NULL AS gain_us, NULL AS whole_us, worked_us AS value, 'us' AS unit, 'sim_pipes' AS from_table, 'worked_us' AS from_column,
       printf('duration=%.2f us, worked=%.2f us, waited=%.2f us', duration_us, worked_us, waited_us) AS numbers
FROM pipe WHERE place = 1;
