//.kernel divide_by_length
//.platform XE2
//.thread_config numGRF=128, numAcc=4, numSWSB=16
//.instCount 103
//.RA type	LOCAL_ROUND_ROBIN_BC_RA
//.git-hash


// .inputs
// +----------+----------+--------+----------+------------------+
// | id       | type     |  bytes | at       | from             |
// +----------+----------+--------+----------+------------------+
// | V0040    | :w x 32  |   0x40 | r1       | pti[tid]+0x0     |
// | V0038    | :d x 3   |    0xC | r2       | inline+0x0       |
// | V0039    | :d x 3   |    0xC | r2+0xC   | inline+0xC       |
// | V0034    | :uq      |    0x8 | r2+0x18  | inline+0x18      |
// | V0035    | :uq      |    0x8 | r3       | cti+0x20         |
// +----------+----------+--------+----------+------------------+


// B000: Preds:{},  Succs:{B001}
per_thread_prolog:
(W)     mov (16|M0)              r127.0<1>:ud  0x0:ud  //  ALU pipe: int;
(W)     and (1|M0)               r127.2<1>:ud  r0.0<0;1,0>:ud    0xFFFFFFC0:ud  //  ALU pipe: int;
(W)     and (1|M0)               r127.0<1>:uw  r0.4<0;1,0>:uw    0xFF:uw  //  ALU pipe: int;
(W)     add (1|M0)               r127.2<1>:ud  r127.2<0;1,0>:ud  0x20:ud              {I@2}  //  ALU pipe: int;
(W)     add (1|M0)               r127.2<1>:ud  r127.2<0;1,0>:ud  0x0:ud              {I@1}  //  R_SYM_ADDR_32: __INTEL_PATCH_CROSS_THREAD_OFFSET_OFF_R0; ALU pipe: int;
(W)     mad (1|M0)               r127.0<1>:ud  r127.2<0;0>:ud    r127.0<0;0>:uw    0x40:uw              {I@1} //  ALU pipe: int;
(W)     mov (8|M0)               r2.0<1>:ud    r1.0<1;1,0>:ud  //  ALU pipe: int;
(W)     load.ugm.d32x16t.a32.ca.cc (1|M0)  r1:1 bti[255][r127:1]   {A@1,$0} // ex_desc:0xFF000000; desc:0x6219D500 //
// B001: Preds:{B000},  Succs:{B002}
// cross_thread_prolog:
(W)     and (1|M0)               r127.0<1>:ud  r0.0<0;1,0>:ud    0xFFFFFFC0:ud              {$0.src} //  ALU pipe: int;
(W)     add (1|M0)               r127.0<1>:ud  r127.0<0;1,0>:ud  0x0:ud              {I@1}  //  R_SYM_ADDR_32: __INTEL_PATCH_CROSS_THREAD_OFFSET_OFF_R0; ALU pipe: int;
(W)     load.ugm.d32x8t.a32.ca.cc (1|M0)  r3:1  bti[255][r127:1]   {I@1,$1} // ex_desc:0xFF000000; desc:0x6219C500 //
// B002: Preds:{B001},  Succs:{B003, B004}
// _main:
(W)     mov (16|M0)              r5.0<1>:ud    r0.0<1;1,0>:ud                   {Compacted}  //  ALU pipe: int; $1
(W)     mov (16|M0)              r50.0<1>:f    0x3F800000:f                               {Compacted} //  ALU pipe: float; $1
(W)     mov (16|M0)              r33.0<1>:f    0x3F000000:f                               {Compacted} //  ALU pipe: float; $1
(W)     mov (16|M0)              r32.0<1>:f    0x0:f                               {Compacted}  //  ALU pipe: float; $1
(W)     or (1|M0)                cr0.0<1>:ud   cr0.0<0;1,0>:ud   0x400004C0:ud              {A@1}  // $1
(W)     mul (1|M0)               acc0.0<1>:d   r2.3<0;1,0>:d     r5.2<0;1,0>:uw   {A@1}  //  ALU pipe: int; $2
(W)     macl (1|M0)              r4.0<1>:d     r2.3<0;1,0>:d     r5.1<0;1,0>:d  //  ALU pipe: int; $4
        add3 (32|M0)             r6.0<1>:d     r4.0<0;0>:d       r1.0<1;0>:uw      r2.0<0>:d        {@1,$0.dst} //  ALU pipe: int; $4
        mov (16|M0)              r52.0<2>:ud   r6.0<1;1,0>:ud                   {Compacted,I@1}  //  ALU pipe: int; $6
        mov (16|M16)             r54.0<2>:ud   r7.0<1;1,0>:ud                   {Compacted}  //  ALU pipe: int; $6
        shl (16|M0)              r57.0<1>:q    r52.0<2;1,0>:ud   2:w               {I@2}  //  ALU pipe: int; $6
        shl (16|M16)             r59.0<1>:q    r54.0<2;1,0>:ud   2:w               {I@2}  //  ALU pipe: int; $6
        add (16|M0)              r8.0<1>:q     r57.0<1;1,0>:q    r2.3<0;1,0>:q    {Compacted,I@2}  //  ALU pipe: int; $7
        add (16|M0)              r14.0<1>:q    r57.0<1;1,0>:q    r3.0<0;1,0>:q    {Compacted,$1.dst} //  ALU pipe: int; $9
        add (16|M16)             r10.0<1>:q    r59.0<1;1,0>:q    r2.3<0;1,0>:q    {Compacted,I@3}  //  ALU pipe: int; $7
        add (16|M16)             r16.0<1>:q    r59.0<1;1,0>:q    r3.0<0;1,0>:q    {Compacted}  //  ALU pipe: int; $9
        load.ugm.d32.a64 (32|M0)  r12:2         [r8:4]             {I@2,$2} // ex_desc:0x0; desc:0x8200580 // $8
        load.ugm.d32.a64 (32|M0)  r18:2         [r14:4]            {I@1,$3} // ex_desc:0x0; desc:0x8200580 // $10
(W)     mov (1|M0)               r2.8<1>:ud    cr0.0<0;1,0>:ud                  {A@1}  //  ALU pipe: int; $11
(W)     or (1|M0)                r2.9<1>:ud    r2.8<0;1,0>:ud    0xC0:ud              {A@1}  //  ALU pipe: int; $11
(W)     and (1|M0)               cr0.0<1>:ud   r2.9<0;1,0>:ud    0xFFFFFFCF:ud              {A@1}  //  ALU pipe: int; $11
(W)     mov (1|M0)               f1.0<1>:ud    0xFFFFFFFF:ud                              {A@1}  //  ALU pipe: int; $11
        sync.nop                             null                             {I@1}  // $11
        math.rsqtm (16|M0) (eo)f1.0  r24.mme0:f  r18.nomme<1;1,0>:f             {$3.dst}  //  ALU pipe: math; $11
(f1.0)  goto (32|M0)                         _divide_by_length_k0_0_macro  _divide_by_length_k0_0_macro //  ALU pipe: int; $11
// B003: [inDivergent],  Preds:{B002},  Succs:{B004}
_divide_by_length_k0_4_:
        madm (16|M0)             r26.mme1:f    r32.nomme:f       r33.nomme:f       r24.mme0:f       {A@1} //  ALU pipe: float; $11
        madm (16|M0)             r30.mme2:f    r32.nomme:f       r18.nomme:f       r24.mme0:f  //  ALU pipe: float; $11
        madm (16|M0)             r28.mme3:f    r33.nomme:f       -r30.mme2:f       r26.mme1:f       {F@1} //  ALU pipe: float; $11
        madm (16|M0)             r26.mme4:f    r26.mme1:f        r28.mme3:f        r26.mme1:f       {F@1} //  ALU pipe: float; $11
        madm (16|M0)             r24.mme5:f    r30.mme2:f        r28.mme3:f        r30.mme2:f  //  ALU pipe: float; $11
        madm (16|M0)             r28.mme6:f    r18.nomme:f       -r24.mme5:f       r24.mme5:f       {F@1} //  ALU pipe: float; $11
(W)     mov (1|M0)               cr0.0<1>:ud   r2.9<0;1,0>:ud                   {Compacted,A@1}  //  ALU pipe: int; $11
        madm (16|M0)             r24.nomme:f   r24.mme5:f        r26.mme4:f        r28.mme6:f       {A@1} //  ALU pipe: float; $11 R{} IR{}{E:4,E:5,E:6,},  {BC=1}
// B004: Preds:{B003, B002},  Succs:{B005, B006}
_divide_by_length_k0_0_macro:
        join (32|M0)                         L632  //
L632:
(W)     mov (1|M0)               cr0.0<1>:ud   r2.8<0;1,0>:ud                   {Compacted,A@1}  //  ALU pipe: int; $11
(W)     mov (1|M0)               r2.8<1>:ud    cr0.0<0;1,0>:ud                  {A@1}  //  ALU pipe: int; $11
(W)     or (1|M0)                r2.9<1>:ud    r2.8<0;1,0>:ud    0xC0:ud              {A@1}  //  ALU pipe: int; $11
(W)     and (1|M0)               cr0.0<1>:ud   r2.9<0;1,0>:ud    0xFFFFFFCF:ud              {A@1}  //  ALU pipe: int; $11
(W)     mov (1|M0)               f1.0<1>:ud    0xFFFFFFFF:ud                              {A@1}  //  ALU pipe: int; $11
        math.rsqtm (16|M16) (eo)f1.0  r25.mme0:f  r19.nomme<1;1,0>:f            {I@1}  //  ALU pipe: math; $11
(f1.0)  goto (32|M0)                         _divide_by_length_k0_1_macro  _divide_by_length_k0_1_macro //  ALU pipe: int; $11
// B005: [inDivergent],  Preds:{B004},  Succs:{B006}
_divide_by_length_k0_5_:
        madm (16|M16)            r27.mme1:f    r32.nomme:f       r33.nomme:f       r25.mme0:f       {M@1} //  ALU pipe: float; $11
        madm (16|M16)            r31.mme2:f    r32.nomme:f       r19.nomme:f       r25.mme0:f  //  ALU pipe: float; $11
        madm (16|M16)            r29.mme3:f    r33.nomme:f       -r31.mme2:f       r27.mme1:f       {F@1} //  ALU pipe: float; $11 R{} IR{}{O:0,O:7,O:5,},  {BC=1}
        madm (16|M16)            r27.mme4:f    r27.mme1:f        r29.mme3:f        r27.mme1:f       {F@1} //  ALU pipe: float; $11
        madm (16|M16)            r25.mme5:f    r31.mme2:f        r29.mme3:f        r31.mme2:f  //  ALU pipe: float; $11
        madm (16|M16)            r29.mme6:f    r19.nomme:f       -r25.mme5:f       r25.mme5:f       {F@1} //  ALU pipe: float; $11
(W)     mov (1|M0)               cr0.0<1>:ud   r2.9<0;1,0>:ud                   {Compacted,A@1}  //  ALU pipe: int; $11
        madm (16|M16)            r25.nomme:f   r25.mme5:f        r27.mme4:f        r29.mme6:f       {A@1} //  ALU pipe: float; $11 R{} IR{}{O:4,O:5,O:6,},  {BC=1}
// B006: Preds:{B005, B004},  Succs:{B007, B008}
_divide_by_length_k0_1_macro:
        join (32|M0)                         L872  //
L872:
(W)     mov (1|M0)               cr0.0<1>:ud   r2.8<0;1,0>:ud                   {Compacted,A@1}  //  ALU pipe: int; $11
        mul (32|M0)              r20.0<1>:f    r24.0<1;1,0>:f    0x3F800000:f               {A@1}  //  ALU pipe: float; $11
(W)     mov (1|M0)               r2.10<1>:ud   cr0.0<0;1,0>:ud                  {A@1}  //  ALU pipe: int; $12
(W)     or (1|M0)                r2.11<1>:ud   r2.10<0;1,0>:ud   0xC0:ud              {A@1}  //  ALU pipe: int; $12
(W)     and (1|M0)               cr0.0<1>:ud   r2.11<0;1,0>:ud   0xFFFFFFCF:ud              {A@1}  //  ALU pipe: int; $12
(W)     mov (1|M0)               f0.0<1>:ud    0xFFFFFFFF:ud                              {A@1}  //  ALU pipe: int; $12
        math.invm (16|M0) (eo)f0.0  r42.mme0:f  r12.nomme<1;1,0>:f  r20.nomme<1;1,0>:f {A@1,$2.dst}  //  ALU pipe: math; $12
(f0.0)  goto (32|M0)                         _divide_by_length_k0_2_macro  _divide_by_length_k0_2_macro //  ALU pipe: int; $12
// B007: [inDivergent],  Preds:{B006},  Succs:{B008}
_divide_by_length_k0_6_:
        madm (16|M0)             r44.mme1:f    r32.nomme:f       r12.nomme:f       r42.mme0:f       {M@1} //  ALU pipe: float; $12 R{} IR{}{E:0,E:6,E:5,},  {BC=1}
        madm (16|M0)             r46.mme2:f    r50.nomme:f       -r20.nomme:f      r42.mme0:f  //  ALU pipe: float; $12
        madm (16|M0)             r36.mme3:f    r42.mme0:f        r46.mme2:f        r42.mme0:f       {F@1} //  ALU pipe: float; $12
        madm (16|M0)             r48.mme4:f    r12.nomme:f       -r20.nomme:f      r44.mme1:f  //  ALU pipe: float; $12 R{} IR{}{E:6,E:2,E:6,},  {BC=1}
        madm (16|M0)             r44.mme5:f    r44.mme1:f        r48.mme4:f        r36.mme3:f       {F@1} //  ALU pipe: float; $12 R{} IR{}{E:6,E:0,E:2,},  {BC=1}
        madm (16|M0)             r40.mme6:f    r12.nomme:f       -r20.nomme:f      r44.mme5:f       {F@1} //  ALU pipe: float; $12 R{} IR{}{E:6,E:2,E:6,},  {BC=1}
(W)     mov (1|M0)               cr0.0<1>:ud   r2.11<0;1,0>:ud                  {Compacted,A@1}  //  ALU pipe: int; $12
        madm (16|M0)             r42.nomme:f   r44.mme5:f        r40.mme6:f        r36.mme3:f       {A@1} //  ALU pipe: float; $12 R{} IR{}{E:6,E:4,E:2,},  {BC=1}
// B008: Preds:{B007, B006},  Succs:{B009, B010}
_divide_by_length_k0_2_macro:
        join (32|M0)                         L1128  //
L1128:
(W)     mov (1|M0)               cr0.0<1>:ud   r2.10<0;1,0>:ud                  {Compacted,A@1}  //  ALU pipe: int; $12
(W)     mov (1|M0)               r2.10<1>:ud   cr0.0<0;1,0>:ud                  {A@1}  //  ALU pipe: int; $12
(W)     or (1|M0)                r2.11<1>:ud   r2.10<0;1,0>:ud   0xC0:ud              {A@1}  //  ALU pipe: int; $12
(W)     and (1|M0)               cr0.0<1>:ud   r2.11<0;1,0>:ud   0xFFFFFFCF:ud              {A@1}  //  ALU pipe: int; $12
(W)     mov (1|M0)               f0.0<1>:ud    0xFFFFFFFF:ud                              {A@1}  //  ALU pipe: int; $12
        math.invm (16|M16) (eo)f0.0  r43.mme0:f  r13.nomme<1;1,0>:f  r21.nomme<1;1,0>:f {I@1}  //  ALU pipe: math; $12
(f0.0)  goto (32|M0)                         _divide_by_length_k0_3_macro  _divide_by_length_k0_3_macro //  ALU pipe: int; $12
// B009: [inDivergent],  Preds:{B008},  Succs:{B010}
_divide_by_length_k0_7_:
        madm (16|M16)            r45.mme1:f    r32.nomme:f       r13.nomme:f       r43.mme0:f       {M@1} //  ALU pipe: float; $12
        madm (16|M16)            r47.mme2:f    r50.nomme:f       -r21.nomme:f      r43.mme0:f  //  ALU pipe: float; $12
        madm (16|M16)            r37.mme3:f    r43.mme0:f        r47.mme2:f        r43.mme0:f       {F@1} //  ALU pipe: float; $12
        madm (16|M16)            r49.mme4:f    r13.nomme:f       -r21.nomme:f      r45.mme1:f  //  ALU pipe: float; $12 R{} IR{}{O:6,O:2,O:6,},  {BC=1}
        madm (16|M16)            r45.mme5:f    r45.mme1:f        r49.mme4:f        r37.mme3:f       {F@1} //  ALU pipe: float; $12 R{} IR{}{O:6,O:0,O:2,},  {BC=1}
        madm (16|M16)            r41.mme6:f    r13.nomme:f       -r21.nomme:f      r45.mme5:f       {F@1} //  ALU pipe: float; $12 R{} IR{}{O:6,O:2,O:6,},  {BC=1}
(W)     mov (1|M0)               cr0.0<1>:ud   r2.11<0;1,0>:ud                  {A@1}  //  ALU pipe: int; $12
        madm (16|M16)            r43.nomme:f   r45.mme5:f        r41.mme6:f        r37.mme3:f       {A@1} //  ALU pipe: float; $12 R{} IR{}{O:6,O:4,O:2,},  {BC=1}
// B010: Preds:{B009, B008},  Succs:{}
_divide_by_length_k0_3_macro:
        join (32|M0)                         L1376  //
L1376:
(W)     mov (1|M0)               cr0.0<1>:ud   r2.10<0;1,0>:ud                  {Compacted,A@1}  //  ALU pipe: int; $12
        mul (32|M0)              r34.0<1>:f    r42.0<1;1,0>:f    0x3F800000:f               {Compacted,A@1} //  ALU pipe: float; $12
        store.ugm.d32.a64 (32|M0)  [r8:4]       r34:2              {F@1,$4} // ex_desc:0x0; desc:0x8000584 // $13
(W)     mov (16|M0)              r127.0<1>:f   r5.0<1;1,0>:f  //  ALU pipe: float; $14
(W)     send.gtwy (1|M0)         null     r127  null:0  0x0            0x02000010           {EOT,F@1,$5} // wr:1+0, rd:0; end of thread // $14
L1440:
(W)     mov (16|M0)              null<1>:ud    0x9106C42D:ud  //
(W)     mov (16|M0)              null<1>:ud    0xF19616EE:ud  //
(W)     mov (16|M0)              null<1>:ud    0x0:ud  //
(W)     mov (16|M0)              null<1>:ud    0x1:ud  //


//.BankConflicts: 12
//.ByteRMWs: 0
//


//.numALUInst: 89
//.accSubDef: 0
//.accSubUse: 0
//.accSubCandidateDef: 0
//.accSubCandidateUse: 0
//
//
//.singlePipeAtOneDistNum: 27
//.allAtOneDistNum: 35
//.syncInstCount: 1
//.tokenReuseCount: 0
//.AfterWriteTokenDepCount: 4
//.AfterReadTokenDepCount: 1
