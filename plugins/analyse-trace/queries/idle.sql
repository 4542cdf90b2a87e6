-- SPDX-License-Identifier: Apache-2.0
-- title: Why the device was idle
SELECT rank, cause, sum(idle_us) AS us, sum(count) AS gaps
FROM trace_idle_breakdown GROUP BY rank, cause ORDER BY us DESC;
