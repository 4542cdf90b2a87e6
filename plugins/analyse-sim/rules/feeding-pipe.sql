-- SPDX-License-Identifier: Apache-2.0
-- title: A pipe that only moves data inside the core bounds it
-- topic: pipes
-- todo: Keep tiles in L0 longer, so that more products use each of them, or add up in L0C and move the result out once
-- reason: MTE1 feeds the cube unit from L1, and FIXP takes its results out. Where one of them works longest, more products for each tile
--   that it moves would help. Without its work the longest core would still take as long as its next pipe works. It is mentioned where
--   it works at least 70 % of the core's time.
-- source: the structure of the cube core: GM to L1 (MTE2), L1 to L0 (MTE1), L0C to GM (FIXP)
WITH pipe AS (
  SELECT *, row_number() OVER (PARTITION BY device, kernel, "order" ORDER BY duration_us DESC, core, worked_us DESC, pipe) AS place,
         lead(worked_us) OVER (PARTITION BY device, kernel, "order" ORDER BY duration_us DESC, core, worked_us DESC, pipe) AS next_us
  FROM sim_pipes WHERE worked_us IS NOT NULL)
SELECT coalesce(kernel, 'core ' || core) AS subject,
       printf('%s, which only moves tiles inside the core, works %.0f %% of the time, longer than any other pipe', pipe, 100 * worked_us / duration_us) AS sentence,
       sum(min(worked_us, duration_us - next_us)) OVER (PARTITION BY kernel) AS gain_us,
       (SELECT sum(duration_us) FROM pipe WHERE place = 1) AS whole_us,
       worked_us AS value, 'us' AS unit, 'sim_pipes' AS from_table, 'worked_us' AS from_column,
       printf('duration=%.2f us, worked=%.2f us, next pipe=%.2f us', duration_us, worked_us, next_us) AS numbers,
       start_us AS start_us, core AS track
FROM pipe WHERE place = 1 AND pipe IN ('MTE1', 'FIXP') AND worked_us >= 0.7 * duration_us AND next_us IS NOT NULL;
