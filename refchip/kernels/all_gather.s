; SPDX-License-Identifier: Apache-2.0
; What the cores of all-gather compute while the AI CPU communicates: c = a + b, one tile after the other.
;
; Arguments: a, b, c, tiles of each core, bytes of a tile (2048 at most 32768), move, vector.
.kernel all_gather vector
.equ UB_A, 0x0
.equ UB_B, 0x8000
.equ UB_C, 0x10000

    MOV_XD_SPR X0, PARA_BASE
    MOV_XD_SPR X1, BLOCKID
    MOV_XD_SPR X2, SUBBLOCKID
    LD_XD_XN_IMM X10, X0, 0         ; a
    LD_XD_XN_IMM X11, X0, 8         ; b
    LD_XD_XN_IMM X12, X0, 16        ; c
    LD_XD_XN_IMM X13, X0, 24        ; tiles
    LD_XD_XN_IMM X14, X0, 32        ; bytes of a tile
    LD_XD_XN_IMM X15, X0, 40        ; shape of a move
    LD_XD_XN_IMM X16, X0, 48        ; shape of an addition
    MUL_IMM X1, X1, 2
    ADD X1, X1, X2                  ; number of this core
    MUL X3, X13, X14
    MUL X3, X3, X1                  ; where its part begins
    ADD X10, X10, X3
    ADD X11, X11, X3
    ADD X12, X12, X3
    LI X4, UB_A
    LI X5, UB_B
    LI X6, UB_C
    LI X7, 0xffffffffffffffff
    MOVEMASK X7, 0
    JUMPZ X13, done
tile:
    MOV_OUT_TO_UB X4, X10, X15
    MOV_OUT_TO_UB X5, X11, X15
    SET_FLAG MTE2, VEC, 0
    WAIT_FLAG MTE2, VEC, 0
    VADD X6, X4, X5, X16, F32
    SET_FLAG VEC, MTE3, 0
    WAIT_FLAG VEC, MTE3, 0
    MOV_UB_TO_OUT X12, X6, X15
    SET_FLAG MTE3, MTE2, 0          ; the next loads wait for this store
    WAIT_FLAG MTE3, MTE2, 0
    ADD X10, X10, X14
    ADD X11, X11, X14
    ADD X12, X12, X14
    SUB_IMM X13, X13, 1
    JUMPNZ X13, tile
done:
    BAR ALL
    END
