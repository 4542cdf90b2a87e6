-- SPDX-License-Identifier: Apache-2.0
-- title: A buffer is used again after more data than the L2 cache holds
-- topic: L2 cache
-- severity: hint
-- todo: Smaller tiles or another loop order reuse its lines earlier
-- reason: A capacity miss is a line that was accessed before, with more other lines in between than the cache holds. Above
--   5 % of all accesses of lines the buffer with most of them is named.
-- source: the usual classes of cache misses (compulsory, capacity, conflict); the size of the L2 cache in the chip file
WITH misses AS (
  SELECT buffer.*, 100.0 * buffer.capacity / (cache.hits + cache.misses) AS share,
         row_number() OVER (PARTITION BY buffer.device, buffer.kernel, buffer."order" ORDER BY buffer.capacity DESC, buffer."first") AS place
  FROM dbi_cache_buffer AS buffer JOIN dbi_cache AS cache
    ON cache.device IS buffer.device AND cache.kernel IS buffer.kernel AND cache."order" IS buffer."order")
SELECT trim(coalesce(device, '') || '/' || coalesce(kernel, '') || '/' || coalesce("order", ''), '/') AS subject,
       printf('Buffer ''%s'' loses %.1f%% of all L2 accesses because more data is accessed between two uses of its lines than the cache holds',
              name, share) AS sentence,
       capacity AS value, 'dbi_cache_buffer' AS from_table, 'capacity' AS from_column,
       printf('misses=%d', capacity) AS numbers
FROM misses
WHERE place = 1 AND share > 5;
