-- SPDX-License-Identifier: Apache-2.0
-- title: Kernels that took longest
SELECT "Op Name" AS kernel, count(*) AS launches, sum("Task Duration(us)") AS us, avg("Task Duration(us)") AS mean_us,
       round(100 * sum("Task Duration(us)") / (SELECT sum("Task Duration(us)") FROM OpBasicInfo), 1) AS percent
FROM OpBasicInfo GROUP BY kernel ORDER BY us DESC;
