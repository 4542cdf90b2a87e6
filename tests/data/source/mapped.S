/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The source lines of the dump a2_synthetic (pc_to_code.txt there) as debug information: CUSTOM and TOOLKIT
 * are paths of its source files. Addresses between the ranges have no lines.
 */
    .file 1 CUSTOM
    .file 2 TOOLKIT
    .text
.Ltext:
    .loc 1 12
    nop
    .org 0x14
    .loc 1 20
    nop
    .org 0x1c
    .loc 1 21
    nop
    .org 0x20
    .loc 2 99
    nop
    .org 0x28
    .loc 1 25
    nop
    .org 0x40
.Lend:

    .section .debug_info,"",%progbits
    .long .Linfo_end - .Linfo
.Linfo:
    .short 4                 /* DWARF version */
    .long .Labbrev
    .byte 8                  /* bytes of an address */
    .uleb128 1               /* the unit */
    .long .Lline
    .long .Lranges
    .quad .Ltext
    .uleb128 2               /* the kernel */
    .quad .Ltext
    .long .Lend - .Ltext
    .uleb128 3               /* a call inlined at line 9 */
    .quad .Ltext + 0x20
    .long 4
    .byte 1, 9
    .byte 0                  /* end of the kernel's entries */
    .byte 0                  /* end of the unit's entries */
.Linfo_end:

    .section .debug_abbrev,"",%progbits
.Labbrev:
    .uleb128 1
    .uleb128 0x11            /* DW_TAG_compile_unit */
    .byte 1
    .uleb128 0x10, 0x17      /* DW_AT_stmt_list, DW_FORM_sec_offset */
    .uleb128 0x55, 0x17      /* DW_AT_ranges, DW_FORM_sec_offset */
    .uleb128 0x11, 0x01      /* DW_AT_low_pc, DW_FORM_addr */
    .byte 0, 0
    .uleb128 2
    .uleb128 0x2e            /* DW_TAG_subprogram */
    .byte 1
    .uleb128 0x11, 0x01      /* DW_AT_low_pc, DW_FORM_addr */
    .uleb128 0x12, 0x06      /* DW_AT_high_pc, DW_FORM_data4 */
    .byte 0, 0
    .uleb128 3
    .uleb128 0x1d            /* DW_TAG_inlined_subroutine */
    .byte 0
    .uleb128 0x11, 0x01      /* DW_AT_low_pc, DW_FORM_addr */
    .uleb128 0x12, 0x06      /* DW_AT_high_pc, DW_FORM_data4 */
    .uleb128 0x58, 0x0b      /* DW_AT_call_file, DW_FORM_data1 */
    .uleb128 0x59, 0x0b      /* DW_AT_call_line, DW_FORM_data1 */
    .byte 0, 0
    .byte 0

    .section .debug_ranges,"",%progbits
.Lranges:
    .quad 0, 4
    .quad 0x14, 0x20
    .quad 0x20, 0x24
    .quad 0x28, 0x2c
    .quad 0, 0

    .section .debug_line,"",%progbits
.Lline:

    .section .note.GNU-stack,"",%progbits
