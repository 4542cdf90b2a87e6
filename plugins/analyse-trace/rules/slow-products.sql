-- SPDX-License-Identifier: Apache-2.0
-- title: Matrix products, attention or convolutions far from the device's peak
-- topic: efficiency
-- todo: 16 bit types, shapes that are multiples of 64 (128 for the last one), larger batches, another layout or library
-- instead-of: critical-path
-- reason: Speaks below 40 % of the roof that their intensity allows. At most the time beyond that roof can be saved.
-- source: the roofline model; peaks in the facts about devices; inputs with this cause and a known gain in tests/causes
WITH slow AS (
    SELECT rank, sum(device_us) AS us, sum(device_us * (1 - min(percent, 100) / 100)) AS gain, max(name) AS name,
           sum(device_us * percent) / sum(device_us) AS percent, max(shape) AS shape, max(type) AS type
    FROM trace_efficiency WHERE percent < 40 GROUP BY rank
)
SELECT 'rank ' || rank AS subject,
       name || ' of ' || shape || coalesce(' (' || type || ')', '') || ' reaches ' || printf('%.0f', percent)
           || ' % of what the device can do' AS sentence,
       gain AS gain_us, (SELECT max(length_us) FROM trace_critical_path) AS whole_us,
       percent AS value, '%' AS unit, 'trace_efficiency' AS from_table, 'percent' AS from_column
FROM slow;
