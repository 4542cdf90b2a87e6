-- SPDX-License-Identifier: Apache-2.0
-- title: The host determines how long the run takes
-- topic: critical path
-- todo: See critical_path_names.csv for what the host does; launch less, fuse, compile, or use graphs
-- reason: Only time of the host on the critical path can be a cause by itself: computation on it is what the run is
--   for. The gain is how much shorter the path would be without that part, also before the first work of a device.
-- source: the graph of calls, launches, work and waits of the run; simulated programs in tests/tools/path_programs.py
SELECT CASE rank WHEN 'all' THEN NULL ELSE 'rank ' || rank END AS subject,
       printf('%.1f %% of the critical path is %s', percent,
              CASE part WHEN 'host' THEN 'time of operators and calls on the host'
                        WHEN 'data_loading' THEN 'time of the data loader'
                        WHEN 'outside_operators' THEN 'time of the host outside of operators'
                        ELSE 'delay from the launch to the start of the work' END) AS sentence,
       CASE part WHEN 'data_loading' THEN 'More workers, prefetch and pinned memory; or profile more than one iteration, if this is only its first batch' END AS todo,
       whole_gain_us AS gain_us,
       length_us AS whole_us,
       time_us AS value, 'us' AS unit, 'trace_critical_path' AS from_table, 'time_us' AS from_column,
       printf('path=%.3f us, %s=%.3f us', length_us, part, time_us) AS numbers
FROM trace_critical_path
WHERE part IN ('host', 'data_loading', 'outside_operators', 'launch_delay') AND whole_gain_us IS NOT NULL;
