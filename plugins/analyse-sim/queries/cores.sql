-- SPDX-License-Identifier: Apache-2.0
-- title: How long each core took, and how much of that it was busy
SELECT core, duration_us, running_us, round(100 * running_us / duration_us, 1) AS busy_percent
FROM sim_core_summary ORDER BY duration_us DESC;
