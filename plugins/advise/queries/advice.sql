-- SPDX-License-Identifier: Apache-2.0
-- title: The advice of the run, the largest gain first, and what it is based on
SELECT subject, sentence, gain AS percent_to_save, gain_us, todo, rule, value, "column", file
FROM advice ORDER BY gain DESC, gain_us DESC, rule, subject;
