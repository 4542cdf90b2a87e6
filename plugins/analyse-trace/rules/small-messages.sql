-- SPDX-License-Identifier: Apache-2.0
-- title: Collectives of few bytes
-- topic: communication
-- todo: Larger buckets; reduce several tensors in one collective (coalescing, flat buffers)
-- instead-of: critical-path, overlap
-- reason: Below a megabyte a collective takes about the same time whatever its size, so that many small ones are mostly latency.
--   In a few large ones nearly all of that time and of the gaps between them vanishes. Large ones of the same group do not count.
--   A collective is one of each rank of its group; counted is the mean of the ranks.
-- source: latency and bandwidth of collectives by size, as nccl-tests measures them; inputs with this cause and a known gain in tests/causes
WITH all_ranks AS (SELECT count(*) AS count FROM overlap_cards),
     small AS (
    SELECT (sum(count * ranks + alone) / (SELECT count FROM all_ranks)) AS count,
           sum((count * ranks + alone) * transfer_us) / (SELECT count FROM all_ranks) AS us, max(name) AS name,
           sum(bytes * (count + alone)) / sum(count + alone) AS bytes
    FROM trace_collective_sizes WHERE size IN ('up to 64 KiB', 'up to 1 MiB')
      AND NOT (lower(name) LIKE '%send%' OR lower(name) LIKE '%recv%')
)
SELECT 'rank ' || card AS subject,
       small.count || ' collectives of a rank (' || small.name || ') move ' || printf('%.0f', small.bytes) || ' bytes each on average' AS sentence,
       min(small.us, communication_us) + idle_us AS gain_us,
       (SELECT max(length_us) FROM trace_critical_path) AS whole_us,
       small.us AS value, 'us' AS unit, 'trace_collective_sizes' AS from_table, 'transfer_us' AS from_column
FROM overlap_cards, small
WHERE small.count > 100 AND min(small.us, communication_us) >= 0.02 * (SELECT max(length_us) FROM trace_critical_path);
