-- SPDX-License-Identifier: Apache-2.0
-- title: Communication moves small packets
-- topic: communication
-- todo: Fewer, larger transfers: larger buckets of gradients, fused collectives, more data for each step
-- optional: ascend_steps(rank, computing_us, exposed_communication_us, free_us)
-- reason: A transport reaches its bandwidth with packets from 16 MB (SDMA) or 1 MB (RDMA) on. What small packets take beyond
--   the time that the larger ones need for as much data is the most that can be saved; where all are small, that is unknown, and
--   it is said only if they are over 100.
-- source: the thresholds of MindStudio's analyser
WITH packets AS (
    SELECT rank, transport, packet_mb * count AS mb, count, time_us,
           packet_mb < CASE transport WHEN 'SDMA' THEN 16 ELSE 1 END AS is_small
    FROM ascend_packets WHERE transport IN ('SDMA', 'RDMA') AND packet_mb > 0 AND count > 0 AND time_us > 0
), sums AS (
    SELECT rank, transport, sum(count * is_small) AS small, sum(count) AS count, sum(mb * is_small) AS small_mb,
           sum(time_us * is_small) AS small_us,
           sum(time_us * (NOT is_small)) / nullif(sum(mb * (NOT is_small)), 0) AS large_us_a_mb
    FROM packets GROUP BY rank, transport
), ranks AS (
    SELECT rank, sum(computing_us + coalesce(exposed_communication_us, 0) + free_us) AS us FROM ascend_steps GROUP BY rank
)
SELECT 'rank ' || sums.rank AS subject,
       printf('%.0f %% of the packets over %s are small, %.3g MB on average, below %d MB', 100.0 * small / count, transport,
              small_mb / small, CASE transport WHEN 'SDMA' THEN 16 ELSE 1 END) AS sentence,
       max(small_us - small_mb * large_us_a_mb, 0) AS gain_us,
       CASE WHEN large_us_a_mb IS NOT NULL THEN coalesce(ranks.us, small_us) END AS whole_us,
       small_us AS value, 'us' AS unit, 'ascend_packets' AS from_table, 'time_us' AS from_column
FROM sums LEFT JOIN ranks ON ranks.rank = sums.rank
WHERE small >= 0.2 * count AND (large_us_a_mb IS NOT NULL OR small > 100)
ORDER BY small_us DESC;
