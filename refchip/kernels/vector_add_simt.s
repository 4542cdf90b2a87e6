; SPDX-License-Identifier: Apache-2.0
; c = a + b by threads of SIMT code: a tile has an element for each of them.
;
; Arguments: a, b, c, tiles of each core, bytes of a tile, threads.
.kernel vector_add_simt vector

    MOV_XD_SPR X0, PARA_BASE
    MOV_XD_SPR X1, BLOCKID
    MOV_XD_SPR X2, SUBBLOCKID
    LD_XD_XN_IMM X10, X0, 0         ; a
    LD_XD_XN_IMM X11, X0, 8         ; b
    LD_XD_XN_IMM X12, X0, 16        ; c
    LD_XD_XN_IMM X13, X0, 24        ; tiles
    LD_XD_XN_IMM X14, X0, 32        ; bytes of a tile
    LD_XD_XN_IMM X15, X0, 40        ; threads
    MUL_IMM X1, X1, 2
    ADD X1, X1, X2                  ; number of this core
    MUL X3, X13, X14
    MUL X3, X3, X1                  ; where its part begins
    ADD X10, X10, X3
    ADD X11, X11, X3
    ADD X12, X12, X3
    LI X16, 4                       ; bytes of an element
    JUMPZ X13, done
tile:
    SIMT_CALL X15, add
    ADD X10, X10, X14
    ADD X11, X11, X14
    ADD X12, X12, X14
    SUB_IMM X13, X13, 1
    JUMPNZ X13, tile
done:
    BAR ALL
    END

add:
    SIMT_TID X0
    SIMT_PARAM X1, X16
    SIMT_PARAM X2, X10
    SIMT_PARAM X3, X11
    SIMT_PARAM X4, X12
    IMAD_U32 X5, X0, X1, X2
    IMAD_U32 X6, X0, X1, X3
    IMAD_U32 X7, X0, X1, X4
    SIMT_LDG_B32 X8, X5, 0
    SIMT_LDG_B32 X9, X6, 0
    FADD_FP32 X8, X8, X9
    SIMT_STG_B32 X8, X7, 0
    SIMT_END
