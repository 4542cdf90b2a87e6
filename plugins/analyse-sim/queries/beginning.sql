-- SPDX-License-Identifier: Apache-2.0
-- title: Work of the first microseconds; us=1
SELECT process, thread, name, start_us, duration_us, args ->> '$.pc_addr' AS address
FROM spans WHERE start_us < (SELECT min(start_us) + coalesce(:us, 1) FROM spans) AND kind = 'slice' ORDER BY start_us;
