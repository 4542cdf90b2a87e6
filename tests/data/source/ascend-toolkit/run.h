/* SPDX-License-Identifier: Apache-2.0 */
/* A function of the toolkit that is not inlined. */
NEVER void toolkit_run(void);
NEVER void toolkit_run(void)
{
    AT(6);          /* @run */
    middle(7);      /* @calls */
    toolkit_add(8); /* @adds */
}
