-- SPDX-License-Identifier: Apache-2.0
-- title: The device waits for the host
-- topic: host
-- todo: Do that work on another thread, ahead of time, or less often; look at the timeline for what surrounds it
-- instead-of: critical-path
-- reason: Work was launched only after the device had become idle, so the host is the cause. Where no rule knows what the host does
--   then, its name has to do. Speaks from 5 % on; at most that time can be saved with the
--   short gaps around it, and what is before the first work and after the last; what the device computes takes as long.
-- source: what the host did while the device had nothing to do
WITH run AS (SELECT max(length_us) AS us FROM trace_critical_path),
sums AS (
    SELECT rank, activity AS name, max(idle_us) AS us, longest_start_us AS start, device, sum(idle_us) AS total
    FROM trace_host_activities GROUP BY rank
)
SELECT 'rank ' || sums.rank AS subject,
       printf('The device waits for the host for %.1f %% of the time; the host is mostly in %s (%.1f %%)',
              100 * total / run.us, name, 100 * sums.us / run.us) AS sentence,
       min(1.01 * total + run.us - own.kernel_us,
           run.us - own.compute_us - (SELECT CASE count(*) WHEN 1 THEN max(non_compute_us) ELSE 0 END FROM trace_temporal_breakdown WHERE rank <> 'all')) AS gain_us, run.us AS whole_us,
       sums.us AS value, 'us' AS unit, 'trace_host_activities' AS from_table, 'idle_us' AS from_column,
       start AS start_us, device AS track
FROM sums JOIN trace_temporal_breakdown AS own ON own.rank = sums.rank JOIN run
WHERE total >= 0.05 * run.us;
