-- SPDX-License-Identifier: Apache-2.0
-- title: The same data is moved again and again
-- topic: memory
-- severity: hint
-- todo: Keep tiles on the core while they are needed: larger tiles, another loop order, or one core that loads for all
-- instead-of: healthy-cache
-- reason: Each access of a line beyond its first moves bytes that were moved before, from the L2 cache at best. Products of matrices need some, so
--   that a buffer is named from eight accesses of each of its lines on, if it has half of all accesses. Where an access takes less than half of
--   a line, the line is accessed often for its parts, and nothing is loaded again.
-- source: Ascend C, best practices: reuse data in L1 and the unified buffer; traffic against the least
WITH buffer AS (
  SELECT own.*, 1.0 * (own.hits + own.misses) / own.compulsory AS times, 1.0 * (own.hits + own.misses) / (cache.hits + cache.misses) AS share,
         row_number() OVER (PARTITION BY own.device, own.kernel, own."order" ORDER BY own.hits + own.misses DESC, own."first") AS place
  FROM dbi_cache_buffer AS own JOIN dbi_cache AS cache ON cache.device IS own.device AND cache.kernel IS own.kernel AND cache."order" IS own."order"
  WHERE own.compulsory > 0 AND
        (SELECT sum(pc.bytes) FROM dbi_pc AS pc WHERE pc.device IS own.device AND pc.kernel IS own.kernel AND pc."order" IS own."order")
        >= 0.5 * cache.line * (cache.hits + cache.misses))
SELECT trim(coalesce(device, '') || '/' || coalesce(kernel, '') || '/' || coalesce("order", ''), '/') AS subject,
       printf('Lines of buffer ''%s'' are accessed %.0f times each, with %.0f %% of all accesses', name, times, 100 * share) AS sentence,
       times AS value, '1' AS unit, 'dbi_cache_buffer' AS from_table, 'hits' AS from_column,
       printf('accesses=%d, lines=%d', hits + misses, compulsory) AS numbers
FROM buffer WHERE place = 1 AND times >= 8 AND share >= 0.5;
