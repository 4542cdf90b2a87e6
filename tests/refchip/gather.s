; SPDX-License-Identifier: Apache-2.0
; Brings the parts of all devices together by one core of each, without the AI CPU: a device counts its launches in its area, waits until
; each other has come as far, and takes its part.
;
; Arguments: areas of all devices, how many, this device's own, where all parts go, bytes of a part, move of a part. An area begins with
; the count; the part lies 64 bytes behind that.
.kernel gather vector
.equ UB, 0x0

    MOV_XD_SPR X0, PARA_BASE
    LD_XD_XN_IMM X1, X0, 0          ; areas
    LD_XD_XN_IMM X2, X0, 8          ; devices
    LD_XD_XN_IMM X3, X0, 16         ; its own area
    LD_XD_XN_IMM X4, X0, 24         ; all parts
    LD_XD_XN_IMM X5, X0, 32         ; bytes of a part
    LD_XD_XN_IMM X6, X0, 40         ; move of a part
    LI X7, UB
    LI X11, 63
    LD_XD_XN_IMM X8, X3, 0
    ADD_IMM X8, X8, 1
    ST_XD_XN_IMM X8, X3, 0          ; here it is
peer:
    LD_XD_XN_IMM X9, X1, 0
wait:
    LD_XD_XN_IMM X10, X9, 0
    SUB X10, X10, X8
    SHR X10, X10, X11
    JUMPNZ X10, wait                ; negative: it has not come as far
    ADD_IMM X12, X9, 64
    MOV_OUT_TO_UB X7, X12, X6
    SET_FLAG MTE2, MTE3, 0
    WAIT_FLAG MTE2, MTE3, 0
    MOV_UB_TO_OUT X4, X7, X6
    SET_FLAG MTE3, MTE2, 0
    WAIT_FLAG MTE3, MTE2, 0
    ADD X4, X4, X5
    ADD_IMM X1, X1, 8
    SUB_IMM X2, X2, 1
    JUMPNZ X2, peer
    BAR ALL
    END
