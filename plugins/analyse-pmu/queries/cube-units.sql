-- SPDX-License-Identifier: Apache-2.0
-- title: How busy each unit of the cube cores was on average
SELECT round(100 * avg(aic_cube_ratio), 1) AS cube, round(100 * avg(aic_mte1_ratio), 1) AS mte1,
       round(100 * avg(aic_mte2_ratio), 1) AS mte2, round(100 * avg(aic_scalar_ratio), 1) AS scalar
FROM PipeUtilization WHERE sub_block_id LIKE 'cube%';
