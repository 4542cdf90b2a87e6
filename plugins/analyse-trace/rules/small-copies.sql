-- SPDX-License-Identifier: Apache-2.0
-- title: Many copies of few bytes
-- topic: copies
-- todo: Pack them into one buffer and copy it once, or keep the data on the device
-- instead-of: copies, pageable-copies, host-bound, host-activity, critical-path
-- optional: trace_host_calls(rank, kind, total_us)
-- reason: A copy of a few kilobytes takes as long as its latency, on the device and in the call that launches it. In one copy
--   nearly all of that vanishes. Speaks from 100 copies of at most 64 KiB on.
-- source: CUDA C++ best practices: batch small copies; inputs with this cause and a known gain in tests/causes
WITH small AS (
    SELECT rank, sum(up_to_4_kib + up_to_64_kib) AS few, sum(count) AS count, sum(bytes) AS bytes, sum(total_us) AS us
    FROM trace_copies WHERE direction <> 'fill' AND up_to_4_kib + up_to_64_kib > 0.5 * count GROUP BY rank
), host AS (
    SELECT rank, sum(total_us) AS us FROM trace_host_calls WHERE kind = 'copy' GROUP BY rank
)
SELECT 'rank ' || small.rank AS subject,
       small.few || ' of ' || small.count || ' copies move at most 64 KiB each and take ' || printf('%.1f', 100 * small.us / (SELECT max(length_us) FROM trace_critical_path))
           || ' % of the time' AS sentence,
       small.us + min(coalesce(host.us, 0), (SELECT max(length_us) FROM trace_critical_path) - own.compute_us - own.non_compute_us) AS gain_us,
       (SELECT max(length_us) FROM trace_critical_path) AS whole_us,
       small.us AS value, 'us' AS unit, 'trace_copies' AS from_table, 'total_us' AS from_column
FROM small LEFT JOIN host ON host.rank = small.rank JOIN trace_temporal_breakdown AS own ON own.rank = small.rank
WHERE small.few > 100 AND small.us >= 0.01 * (SELECT max(length_us) FROM trace_critical_path);
