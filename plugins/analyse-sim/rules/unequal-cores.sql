-- SPDX-License-Identifier: Apache-2.0
-- title: One core takes longer than the others
-- topic: cores
-- todo: Split the work evenly: a number of blocks that is a multiple of the number of cores, and tails shared among all of them
-- reason: A launch takes as long as its longest core. If the cores of its kind shared the work evenly, each would take their mean. Cores of
--   another kind (cube, vector) have work of their own.
-- source: the definition of the mean
WITH core AS (
  SELECT DISTINCT device, kernel, "order", core, duration_us, start_us, substr(core, instr(core, '.') + 1, 3) AS kind FROM sim_pipes),
kind AS (
  SELECT *, avg(duration_us) OVER (PARTITION BY device, kernel, "order", kind) AS mean_us,
         count(*) OVER (PARTITION BY device, kernel, "order", kind) AS cores,
         row_number() OVER (PARTITION BY device, kernel, "order" ORDER BY duration_us DESC, core) AS place
  FROM core)
SELECT coalesce(kernel, 'core ' || core) AS subject,
       printf('%s takes %.2f us, the mean of the %d cores of its kind is %.2f us', core, duration_us, cores, mean_us) AS sentence,
       sum(duration_us - mean_us) OVER (PARTITION BY kernel) AS gain_us, (SELECT sum(duration_us) FROM kind WHERE place = 1) AS whole_us,
       duration_us AS value, 'us' AS unit, 'sim_pipes' AS from_table, 'duration_us' AS from_column,
       start_us AS start_us, core AS track
FROM kind WHERE place = 1 AND cores > 1;
