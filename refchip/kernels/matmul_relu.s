; SPDX-License-Identifier: Apache-2.0
; C = relu(A * B) in tiles of 64 x 64: cube cores multiply, as matmul.s does, and tell their two vector cores of each tile
; that lies in memory; each of these sets the negative numbers of its half to 0.
;
; Arguments: see the loads below. Matrices are row-major, of 32-bit floats.
.kernel matmul_relu mix
.equ TILE_BYTES, 0x4000

.part cube

    MOV_XD_SPR X0, PARA_BASE
    MOV_XD_SPR X1, BLOCKID
    MOV_XD_SPR X2, BLOCKDIM
    LD_XD_XN_IMM X10, X0, 0         ; a
    LD_XD_XN_IMM X11, X0, 8         ; b
    LD_XD_XN_IMM X12, X0, 16        ; c
    LD_XD_XN_IMM X13, X0, 24        ; tiles of a row
    LD_XD_XN_IMM X14, X0, 32        ; shape of a move: 64 bursts, with the gap between rows
    LD_XD_XN_IMM X15, X0, 40        ; shape of the first product of a tile, which overwrites
    LD_XD_XN_IMM X16, X0, 48        ; shape of a store, and its details
    LD_XD_XN_IMM X17, X0, 56
    LD_XD_XN_IMM X18, X0, 64        ; bytes of a tile's row
    LD_XD_XN_IMM X19, X0, 72        ; bytes of a row of tiles
    LD_XD_XN_IMM X20, X0, 80        ; shape of a flat move: one tile
    LD_XD_XN_IMM X28, X0, 88        ; shape of the other products, which add
    LI X4, 0                        ; L1 and L0: A first, B after it
    LI X5, TILE_BYTES
    ADD X6, X5, X5
    ADD X7, X6, X5
    LI X3, 0
    MUL X21, X13, X13               ; tiles of all
    SUB X23, X21, X1                ; above 0: this core has a tile
    MAX X23, X23, X3
    JUMPZ X23, done
tile:                               ; X1: number of the tile, row * X13 + column
    LI X24, 0                       ; row of tiles
    MOV_XD_XN X25, X1               ; becomes the column
row:
    SUB X26, X25, X13
    MIN X27, X26, X3                ; below 0: the column is found
    JUMPNZ X27, found
    MOV_XD_XN X25, X26
    ADD_IMM X24, X24, 1
    JUMP row
found:
    MUL X24, X24, X19
    ADD X26, X10, X24               ; A: first tile of the row
    MUL X25, X25, X18
    ADD X27, X11, X25               ; B: first tile of the column
    ADD X22, X12, X24
    ADD X22, X22, X25               ; C: the tile
    MOV_XD_XN X24, X13
    MOV_XD_XN X8, X15
inner:
    MOV_OUT_TO_L1 X4, X26, X14
    MOV_OUT_TO_L1 X6, X27, X14
    SET_FLAG MTE2, MTE1, 0
    WAIT_FLAG MTE2, MTE1, 0
    LOAD_L1_TO_L0A X4, X4, X20
    LOAD_L1_TO_L0B X4, X6, X20
    SET_FLAG MTE1, CUBE, 0
    WAIT_FLAG MTE1, CUBE, 0
    MMAD X4, X4, X4, X8
    SET_FLAG CUBE, MTE2, 0          ; the next loads wait for the product
    WAIT_FLAG CUBE, MTE2, 0
    MOV_XD_XN X8, X28
    ADD X26, X26, X18
    ADD X27, X27, X19
    SUB_IMM X24, X24, 1
    JUMPNZ X24, inner
    SET_FLAG CUBE, FIXP, 0
    WAIT_FLAG CUBE, FIXP, 0
    FIX_L0C_TO_DST X22, X4, X16, X17
    FFTS_CROSS_CORE_SYNC FIXP, 0    ; the tile is there
    SET_FLAG FIXP, CUBE, 0
    WAIT_FLAG FIXP, CUBE, 0
    ADD X1, X1, X2                  ; the next tile of this core
    SUB X23, X21, X1
    MAX X23, X23, X3
    JUMPNZ X23, tile
done:
    BAR ALL
    END

.part vector
    MOV_XD_SPR X0, PARA_BASE
    MOV_XD_SPR X1, BLOCKID
    MOV_XD_SPR X2, BLOCKDIM
    MOV_XD_SPR X9, SUBBLOCKID
    LD_XD_XN_IMM X12, X0, 16        ; c
    LD_XD_XN_IMM X13, X0, 24        ; tiles of a row
    LD_XD_XN_IMM X18, X0, 64        ; bytes of a tile's row
    LD_XD_XN_IMM X19, X0, 72        ; bytes of a row of tiles
    LD_XD_XN_IMM X14, X0, 96        ; shapes: half a tile from memory, and back
    LD_XD_XN_IMM X15, X0, 104
    LD_XD_XN_IMM X16, X0, 112       ; of the vectors
    LI X4, 0
    LI X5, TILE_BYTES
    LI X3, 0
    LI X7, 0xffffffffffffffff
    MOVEMASK X7, 0
    MUL X21, X13, X13               ; tiles of all
    LI X6, 1
    SHR X20, X19, X6                ; half a row of tiles
    MUL X20, X20, X9                ; where this core's half of a tile begins
    ADD X12, X12, X20
    SUB X23, X21, X1
    MAX X23, X23, X3
    JUMPZ X23, vector_done
vector_tile:
    LI X24, 0
    MOV_XD_XN X25, X1
vector_row:
    SUB X26, X25, X13
    MIN X27, X26, X3
    JUMPNZ X27, vector_found
    MOV_XD_XN X25, X26
    ADD_IMM X24, X24, 1
    JUMP vector_row
vector_found:
    MUL X24, X24, X19
    MUL X25, X25, X18
    ADD X22, X12, X24
    ADD X22, X22, X25
    WAIT_FLAG_DEV 0
    MOV_OUT_TO_UB X4, X22, X14
    SET_FLAG MTE2, VEC, 0
    WAIT_FLAG MTE2, VEC, 0
    VRELU X5, X4, X16, F32
    SET_FLAG VEC, MTE3, 0
    WAIT_FLAG VEC, MTE3, 0
    MOV_UB_TO_OUT X22, X5, X15
    SET_FLAG MTE3, MTE2, 0          ; the next load waits for this store
    WAIT_FLAG MTE3, MTE2, 0
    ADD X1, X1, X2
    SUB X23, X21, X1
    MAX X23, X23, X3
    JUMPNZ X23, vector_tile
vector_done:
    BAR ALL
    END
