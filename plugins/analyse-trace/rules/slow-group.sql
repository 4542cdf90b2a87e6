-- SPDX-License-Identifier: Apache-2.0
-- title: Collectives of one group are slower than those of another
-- topic: communication
-- todo: Look at the links of these ranks, and at the algorithm that the library chooses for them
-- instead-of: small-messages, late-rank, critical-path, overlap, collectives, late-card, path-on-one-rank
-- reason: The transfer begins when the last rank has come, so a slow one is a matter of the links. With the bandwidth of the best
--   group for as much data it would take that much less.
WITH best AS (
    SELECT name, max(bus_bandwidth) AS bandwidth FROM trace_collectives WHERE bus_bandwidth > 0 GROUP BY name
)
SELECT NULL AS subject,
       'Collectives ' || slow.name || ' of group ' || coalesce(slow."group", '?') || ' move '
           || printf('%.1f', slow.bus_bandwidth) || ' GB/s, those of another group '
           || printf('%.1f', best.bandwidth) AS sentence,
       slow.count * slow.transfer_us * (1 - slow.bus_bandwidth / best.bandwidth) AS gain_us,
       (SELECT max(length_us) FROM trace_critical_path) AS whole_us,
       slow.bus_bandwidth AS value, 'GB/s' AS unit, 'trace_collectives' AS from_table, 'bus_bandwidth' AS from_column
FROM trace_collectives AS slow JOIN best ON best.name = slow.name
WHERE slow.bus_bandwidth < 0.6 * best.bandwidth AND slow.count > 1
ORDER BY gain_us DESC LIMIT 1;
