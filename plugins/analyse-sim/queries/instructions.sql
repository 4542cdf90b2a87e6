-- SPDX-License-Identifier: Apache-2.0
-- title: Instructions that took longest, over all cores; top=10
SELECT name, pipe, printf('0x%x', pc) AS address, sum(calls) AS calls, sum(running_us) AS us
FROM sim_instr_exe GROUP BY name, pipe, pc ORDER BY us DESC LIMIT coalesce(:top, 10);
