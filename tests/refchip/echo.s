; SPDX-License-Identifier: Apache-2.0
; Copies the block of its arguments to where the first one points: as many words as the second one says, and then the
; address of the block.
.kernel echo vector
    MOV_XD_SPR X0, PARA_BASE
    MOV_XD_XN X5, X0
    LD_XD_XN_IMM X1, X0, 0
    LD_XD_XN_IMM X2, X0, 8
loop:
    LD_XD_XN_IMM X3, X0, 0
    ST_XD_XN_IMM X3, X1, 0
    ADD_IMM X0, X0, 8
    ADD_IMM X1, X1, 8
    SUB_IMM X2, X2, 1
    JUMPNZ X2, loop
    ST_XD_XN_IMM X5, X1, 0
    END
