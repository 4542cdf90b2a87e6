-- SPDX-License-Identifier: Apache-2.0
-- title: Pipes that waited for flags, and for whom
SELECT pipe AS waits, detail, sum(calls) AS waits_done, sum(running_us) AS us
FROM sim_instr_exe WHERE name = 'WAIT_FLAG' GROUP BY pipe, detail ORDER BY us DESC;
