-- SPDX-License-Identifier: Apache-2.0
-- title: Nothing is wrong
-- topic: summary
-- severity: note
-- when: silent
-- todo: Fewer bytes; time is not in these records, so profile the launch on the device or in the simulator for the rest
-- reason: Speaks only where no other rule does, of the launch with most accesses.
-- source: the model of the L2 cache in the chip file
SELECT NULL AS subject,
       printf('No cause was found in the accesses of memory: %.0f %% of lines hit the L2 cache, and %.0f %% of the misses are first accesses', hit_rate,
              100.0 * compulsory / max(misses, 1)) AS sentence,
       hit_rate AS value, '%' AS unit, 'dbi_cache' AS from_table, 'hit_rate' AS from_column
FROM dbi_cache WHERE hits + misses > 0 ORDER BY hits + misses DESC, device, kernel, "order" LIMIT 1;
