-- SPDX-License-Identifier: Apache-2.0
-- title: Collectives of one group are slower than those of another
-- topic: communication
-- todo: Look at the links of these ranks, and at the algorithm that the library chooses for them
-- instead-of: small-messages, late-rank, critical-path, overlap, collectives, late-card, path-on-one-rank
-- reason: The transfer begins when the last rank has come, so a slow one is a matter of the links. With the bandwidth of the best
--   group it would take that much less, as far as computation does not hide it. Bandwidth depends on the size and on the number of ranks, so only groups of as many ranks
--   are compared, and messages of the same class of which the slow ones are not the smaller ones by more than a half.
-- source: bus bandwidth as nccl-tests defines it; inputs with this cause and a known gain in tests/causes
WITH best AS (
    SELECT name, size, ranks, bytes, bus_bandwidth, row_number() OVER (PARTITION BY name, size, ranks ORDER BY bus_bandwidth DESC) AS number
    FROM trace_collective_sizes WHERE bus_bandwidth > 0 AND count > 1
)
SELECT NULL AS subject,
       'Collectives ' || slow.name || ' of group ' || coalesce(slow."group", '?') || ' (' || slow.size || ') move '
           || printf('%.1f', slow.bus_bandwidth) || ' GB/s, those of another group '
           || printf('%.1f', best.bus_bandwidth) AS sentence,
       min(sum(slow.total_us * (1 - slow.bus_bandwidth / best.bus_bandwidth)),
           (SELECT max(length_us) FROM trace_critical_path) - (SELECT max(compute_us) FROM trace_temporal_breakdown WHERE rank <> 'all')) AS gain_us,
       (SELECT max(length_us) FROM trace_critical_path) AS whole_us,
       slow.bus_bandwidth AS value, 'GB/s' AS unit, 'trace_collective_sizes' AS from_table, 'bus_bandwidth' AS from_column
FROM trace_collective_sizes AS slow JOIN best
     ON best.name = slow.name AND best.size = slow.size AND best.ranks = slow.ranks AND best.number = 1
WHERE slow.bus_bandwidth < 0.6 * best.bus_bandwidth AND slow.bytes > 0.5 * best.bytes AND slow.count > 1
GROUP BY slow."group", slow.name
ORDER BY gain_us DESC LIMIT 1;
