-- SPDX-License-Identifier: Apache-2.0
-- title: Copies between pageable memory and the device
-- topic: copies
-- todo: Pin the host's memory (pin_memory) and copy asynchronously (non_blocking) in a stream of its own
-- instead-of: copies, data-loading, synchronisation, host-activity, critical-path
-- optional: trace_host_calls(rank, kind, total_us)
-- reason: A copy of pageable memory goes through a buffer of the driver, holds the host up, and overlaps with nothing. At most its
--   time on the device and the idle time that follows from the waiting host can be saved.
-- source: CUDA C++ best practices: pinned memory; inputs with this cause and a known gain in tests/causes
WITH copies AS (
    SELECT rank, max(direction) AS name, sum(total_us) AS us, sum(count) AS count FROM trace_copies
    WHERE memory = 'pageable' GROUP BY rank
), host AS (
    SELECT rank, sum(total_us) AS us FROM trace_host_calls WHERE kind = 'copy' GROUP BY rank
)
SELECT 'rank ' || copies.rank AS subject,
       copies.count || ' copies of pageable memory (' || copies.name || ') take '
           || printf('%.1f', 100 * copies.us / (SELECT max(length_us) FROM trace_critical_path)) || ' % of the time' AS sentence,
       copies.us + min(coalesce(host.us, 0), (SELECT max(length_us) FROM trace_critical_path) - device.compute_us - device.non_compute_us) AS gain_us,
       (SELECT max(length_us) FROM trace_critical_path) AS whole_us,
       copies.us AS value, 'us' AS unit, 'trace_copies' AS from_table, 'total_us' AS from_column
FROM copies LEFT JOIN host ON host.rank = copies.rank JOIN trace_temporal_breakdown AS device ON device.rank = copies.rank
WHERE copies.us >= 0.01 * (SELECT max(length_us) FROM trace_critical_path);
