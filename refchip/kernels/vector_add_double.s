; SPDX-License-Identifier: Apache-2.0
; c = a + b with two buffers: while one tile is added and stored, the next one is loaded.
;
; Arguments: as in vector_add.s; the number of tiles is even.
.kernel vector_add_double vector
.equ UB_A, 0x0
.equ UB_B, 0x8000
.equ UB_C, 0x10000
.equ UB_HALF, 0x4000

    MOV_XD_SPR X0, PARA_BASE
    MOV_XD_SPR X1, BLOCKID
    MOV_XD_SPR X2, SUBBLOCKID
    LD_XD_XN_IMM X10, X0, 0
    LD_XD_XN_IMM X11, X0, 8
    LD_XD_XN_IMM X12, X0, 16
    LD_XD_XN_IMM X13, X0, 24
    LD_XD_XN_IMM X14, X0, 32
    LD_XD_XN_IMM X15, X0, 40
    LD_XD_XN_IMM X16, X0, 48
    MUL_IMM X1, X1, 2
    ADD X1, X1, X2
    MUL X3, X13, X14
    MUL X3, X3, X1
    ADD X10, X10, X3
    ADD X11, X11, X3
    ADD X12, X12, X3
    LI X4, UB_A
    LI X5, UB_B
    LI X6, UB_C
    LI X17, UB_HALF
    ADD X18, X4, X17
    ADD X19, X5, X17
    ADD X20, X6, X17
    LI X7, 0xffffffffffffffff
    MOVEMASK X7, 0
    LI X21, 1
    SHR X13, X13, X21               ; pairs of tiles
    SET_FLAG VEC, MTE2, 0           ; both inputs are free
    SET_FLAG VEC, MTE2, 1
    SET_FLAG MTE3, VEC, 0           ; both outputs are free
    SET_FLAG MTE3, VEC, 1
    JUMPZ X13, done
pair:
    WAIT_FLAG VEC, MTE2, 0
    MOV_OUT_TO_UB X4, X10, X15
    MOV_OUT_TO_UB X5, X11, X15
    SET_FLAG MTE2, VEC, 0
    ADD X10, X10, X14
    ADD X11, X11, X14
    WAIT_FLAG VEC, MTE2, 1
    MOV_OUT_TO_UB X18, X10, X15
    MOV_OUT_TO_UB X19, X11, X15
    SET_FLAG MTE2, VEC, 1
    ADD X10, X10, X14
    ADD X11, X11, X14
    WAIT_FLAG MTE2, VEC, 0
    WAIT_FLAG MTE3, VEC, 0
    VADD X6, X4, X5, X16, F32
    SET_FLAG VEC, MTE2, 0
    SET_FLAG VEC, MTE3, 0
    WAIT_FLAG VEC, MTE3, 0
    MOV_UB_TO_OUT X12, X6, X15
    SET_FLAG MTE3, VEC, 0
    ADD X12, X12, X14
    WAIT_FLAG MTE2, VEC, 1
    WAIT_FLAG MTE3, VEC, 1
    VADD X20, X18, X19, X16, F32
    SET_FLAG VEC, MTE2, 1
    SET_FLAG VEC, MTE3, 1
    WAIT_FLAG VEC, MTE3, 1
    MOV_UB_TO_OUT X12, X20, X15
    SET_FLAG MTE3, VEC, 1
    ADD X12, X12, X14
    SUB_IMM X13, X13, 1
    JUMPNZ X13, pair
done:
    BAR ALL
    END
