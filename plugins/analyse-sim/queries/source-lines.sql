-- SPDX-License-Identifier: Apache-2.0
-- title: Source lines that took longest; top=10
SELECT code, sum(calls) AS calls, sum(running_us) AS us
FROM sim_code_exe GROUP BY code ORDER BY us DESC LIMIT coalesce(:top, 10);
