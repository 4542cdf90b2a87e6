-- SPDX-License-Identifier: Apache-2.0
-- title: The clock is below its rate
-- topic: clock
-- todo: Look at power and cooling, and at other work on the device; times compare only at the same clock
-- optional: pmu_roofline(device, kernel, order, share)
-- reason: The same cycles take longer. At the rated clock the launch would take the share of the clocks, if the memory does not bound it.
--   From 5 % below the rate on it is mentioned.
--   It cannot be faster than its nearest roof, either, unless that is evidently stated too low.
-- source: the clocks that the data states; MindStudio's tools use the same limit
WITH load AS (
  SELECT loads.*, row_number() OVER (PARTITION BY loads.device, loads.kernel, loads."order" ORDER BY longest_us DESC, kind) AS place,
         CASE WHEN share <= 1.2 THEN max(1 - share, 0) * coalesce(loads.launch_us, longest_us) ELSE coalesce(loads.launch_us, longest_us) END AS most_us
  FROM pmu_loads AS loads LEFT JOIN pmu_roofline AS roof ON roof.device IS loads.device AND roof.kernel IS loads.kernel AND roof."order" IS loads."order")
SELECT kernel AS subject,
       printf('The clock is %g MHz, its rate is %g MHz', clock_mhz, rated_mhz) AS sentence,
       sum(min(most_us, coalesce(launch_us, longest_us) * (1 - clock_mhz / rated_mhz))) OVER (PARTITION BY kernel) AS gain_us,
       (SELECT sum(coalesce(launch_us, longest_us)) FROM load WHERE place = 1) AS whole_us,
       clock_mhz AS value, 'MHz' AS unit, 'pmu_loads' AS from_table, 'clock_mhz' AS from_column
FROM load WHERE place = 1 AND clock_mhz <= 0.95 * rated_mhz;
