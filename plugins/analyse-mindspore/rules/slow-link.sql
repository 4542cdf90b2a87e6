-- SPDX-License-Identifier: Apache-2.0
-- title: A link between ranks is slow
-- topic: slow link
-- todo: Look at this link: cables, optical modules, the topology, other traffic
-- subjects: all
-- reason: The bandwidth is more than 20 % below the mean of the links of its type; of each type the slowest counts. Links of a rank to
--   itself are none. For means of all steps, and only if all ranks have the file.
-- source: the thresholds of MindInsight's proposals
WITH means AS (
    SELECT * FROM mindspore_links WHERE step IS NULL AND src <> dst AND bandwidth_kbs IS NOT NULL
), types AS (
    SELECT type, avg(bandwidth_kbs) AS mean, min(bandwidth_kbs) AS least FROM means GROUP BY type
)
SELECT src || '-' || dst || ' ' || type AS subject,
       printf('%.1f GB/s, %.2f %% less than the mean of the links of its type', bandwidth_kbs / 1e6, 100 * (mean - least) / mean) AS sentence,
       bandwidth_kbs AS value, 'KB/s' AS unit, 'mindspore_links' AS from_table, 'bandwidth_kbs' AS from_column
FROM means JOIN types USING (type)
WHERE bandwidth_kbs = least AND least < 0.8 * mean
  AND (SELECT count(DISTINCT rank) FROM mindspore_links WHERE step IS NULL) = (SELECT count(*) FROM mindspore_ranks)
GROUP BY type
ORDER BY type;
