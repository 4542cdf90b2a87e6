-- SPDX-License-Identifier: Apache-2.0
-- title: The clock is below its rate
-- topic: clock
-- todo: Look at power and cooling, and at other work on the device; times compare only at the same clock
-- reason: The same cycles take longer. At the rated clock the launch would take the share of the clocks, if the memory does not bound it.
--   From 5 % below the rate on it is mentioned.
-- source: the clocks that the data states; MindStudio's tools use the same limit
WITH load AS (
  SELECT *, row_number() OVER (PARTITION BY device, kernel, "order" ORDER BY longest_us DESC, kind) AS place FROM pmu_loads)
SELECT kernel AS subject,
       printf('The clock is %g MHz, its rate is %g MHz', clock_mhz, rated_mhz) AS sentence,
       sum(coalesce(launch_us, longest_us) * (1 - clock_mhz / rated_mhz)) OVER (PARTITION BY kernel) AS gain_us,
       (SELECT sum(coalesce(launch_us, longest_us)) FROM load WHERE place = 1) AS whole_us,
       clock_mhz AS value, 'MHz' AS unit, 'pmu_loads' AS from_table, 'clock_mhz' AS from_column
FROM load WHERE place = 1 AND clock_mhz <= 0.95 * rated_mhz;
