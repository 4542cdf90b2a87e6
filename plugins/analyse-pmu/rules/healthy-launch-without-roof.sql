-- SPDX-License-Identifier: Apache-2.0
-- title: Nothing is wrong
-- topic: summary
-- severity: note
-- when: silent
-- instead-of: healthy-cache, healthy-communication
-- todo: Less work for that pipe; --set metrics=All also shows how close the launch is to the device's peak
-- reason: Speaks only where no other rule does, of the longest launch, if its roofs are unknown.
-- source: the duration of the task and the counters of its pipes
WITH pipe AS (
  SELECT *, row_number() OVER (ORDER BY coalesce(launch_us, core_us) DESC, device, kernel, "order", core_us DESC, block, kind, sub_block, busy_percent DESC, pipe) AS place
  FROM pmu_pipes WHERE busy_percent IS NOT NULL AND core_us > 0)
SELECT NULL AS subject,
       printf('No cause above 2 %% was found: %s, the busiest pipe, is busy %.0f %% of the time', pipe, busy_percent) AS sentence,
       NULL AS gain_us, NULL AS whole_us, busy_percent AS value, '%' AS unit, 'pmu_pipes' AS from_table, 'busy_percent' AS from_column,
       printf('core=%.2f us, busy=%.1f %%', core_us, busy_percent) AS numbers
FROM pipe WHERE place = 1;
