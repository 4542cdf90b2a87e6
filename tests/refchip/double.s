; SPDX-License-Identifier: Apache-2.0
; Twice each of the words of the first argument goes to the second one; the third one, a tiling, says how many.
.kernel double vector
    MOV_XD_SPR X0, PARA_BASE
    LD_XD_XN_IMM X1, X0, 0
    LD_XD_XN_IMM X2, X0, 8
    LD_XD_XN_IMM X3, X0, 16
    LD_XD_XN_IMM X4, X3, 0
loop:
    LD_XD_XN_IMM X5, X1, 0
    ADD X5, X5, X5
    ST_XD_XN_IMM X5, X2, 0
    ADD_IMM X1, X1, 8
    ADD_IMM X2, X2, 8
    SUB_IMM X4, X4, 1
    JUMPNZ X4, loop
    END
