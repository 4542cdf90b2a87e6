-- SPDX-License-Identifier: Apache-2.0
-- title: The cores of a device run at a low clock
-- topic: clock
-- todo: Look at the power limit and the cooling of this device, and at what else runs there
-- reason: Cycles over time of the kernels that have both (chosen metrics): the rate of the cores while they worked. The fastest
--   device of the run is what the others are compared with, since the tables do not state the rate that they should have; devices of
--   one run are of one kind. What 5 % or more of the clock costs is that share of the time of these kernels at most.
-- source: the threshold of MindStudio's analyser
WITH ranks AS (
    SELECT rank, sum(aic_total_cycles) / sum(aicore_time_us) AS mhz, sum(duration_us) AS us
    FROM ascend_kernels WHERE aicore_time_us > 0 AND aic_total_cycles > 0 GROUP BY rank
), clocks AS (
    SELECT * FROM ranks WHERE mhz BETWEEN 100 AND 10000
), fastest AS (
    SELECT max(mhz) AS mhz FROM clocks
)
SELECT 'rank ' || rank AS subject,
       printf('The cores run at %.0f MHz, %.1f %% below the fastest device', clocks.mhz, 100 * (1 - clocks.mhz / fastest.mhz)) AS sentence,
       us * (1 - clocks.mhz / fastest.mhz) AS gain_us, us AS whole_us, clocks.mhz AS value, 'MHz' AS unit,
       'ascend_kernels' AS from_table, 'aic_total_cycles' AS from_column
FROM clocks, fastest
WHERE clocks.mhz <= 0.95 * fastest.mhz
ORDER BY clocks.mhz;
