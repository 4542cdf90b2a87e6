-- SPDX-License-Identifier: Apache-2.0
-- title: Lines of a buffer push each other out of the L2 cache
-- topic: L2 cache
-- severity: hint
-- todo: Pad the rows of the buffer by a line or more, or tile it otherwise, so that its lines use more sets
-- reason: A conflict miss is a line that the cache had room for, but not its set. Above 5 % of all accesses of lines the
--   buffer with most of them is named. A stride determines the sets only where the set comes from the address alone.
-- source: the usual classes of cache misses (compulsory, capacity, conflict); the sets of the L2 cache in the chip file
WITH misses AS (
  SELECT buffer.*, cache.line, cache.sets, 100.0 * buffer.conflict / (cache.hits + cache.misses) AS share,
         row_number() OVER (PARTITION BY buffer.device, buffer.kernel, buffer."order" ORDER BY buffer.conflict DESC, buffer."first") AS place
  FROM dbi_cache_buffer AS buffer JOIN dbi_cache AS cache
    ON cache.device IS buffer.device AND cache.kernel IS buffer.kernel AND cache."order" IS buffer."order")
SELECT trim(coalesce(device, '') || '/' || coalesce(kernel, '') || '/' || coalesce("order", ''), '/') AS subject,
       printf('Buffer ''%s'' loses %.1f%% of all L2 accesses to conflicts: ', name, share) ||
         CASE WHEN sets_used IS NULL THEN 'more of its lines than a set has ways are in use at once'
              ELSE printf('it is accessed every %d bytes, which uses %d of %d sets', stride, sets_used, sets) END AS sentence,
       CASE WHEN sets_used IS NULL THEN 'Change how the buffer is tiled or padded'
            ELSE printf('Pad its rows by a line of %d bytes or more', line) END AS todo,
       conflict AS value, 'dbi_cache_buffer' AS from_table, 'conflict' AS from_column,
       printf('misses=%d', conflict) || CASE WHEN stride IS NULL THEN '' ELSE printf(', stride=%d byte', stride) END AS numbers
FROM misses
WHERE place = 1 AND share > 5;
