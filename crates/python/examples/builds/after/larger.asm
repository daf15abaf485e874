//.kernel larger
//.platform XE2
//.thread_config numGRF=128, numAcc=4, numSWSB=16
//.instCount 33
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
// B002: Preds:{B001},  Succs:{}
// _main:
(W)     mov (16|M0)              r4.0<1>:ud    r0.0<1;1,0>:ud  //  ALU pipe: int; $1
(W)     or (1|M0)                cr0.0<1>:ud   cr0.0<0;1,0>:ud   0x400004C0:ud              {A@1}  // $1
(W)     mul (1|M0)               acc0.0<1>:d   r2.3<0;1,0>:d     r4.2<0;1,0>:uw   {A@1}  //  ALU pipe: int; $2
(W)     macl (1|M0)              r5.0<1>:d     r2.3<0;1,0>:d     r4.1<0;1,0>:d    {Compacted}  //  ALU pipe: int; $4
(W)     mov (16|M0)              r127.0<1>:ud  r4.0<1;1,0>:ud                   {Compacted,$1.src}  //  ALU pipe: int; $12
        add3 (32|M0)             r6.0<1>:d     r5.0<0;0>:d       r1.0<1;0>:uw      r2.0<0>:d        {@2,$0.dst} //  ALU pipe: int; $4
        mov (16|M0)              r22.0<2>:ud   r6.0<1;1,0>:ud                   {Compacted,I@1}  //  ALU pipe: int; $6
        mov (16|M16)             r24.0<2>:ud   r7.0<1;1,0>:ud                   {Compacted}  //  ALU pipe: int; $6
        shl (16|M0)              r27.0<1>:q    r22.0<2;1,0>:ud   2:w               {I@2}  //  ALU pipe: int; $6
        shl (16|M16)             r29.0<1>:q    r24.0<2;1,0>:ud   2:w               {I@2}  //  ALU pipe: int; $6
        add (16|M0)              r8.0<1>:q     r27.0<1;1,0>:q    r2.3<0;1,0>:q    {Compacted,I@2}  //  ALU pipe: int; $7
        add (16|M16)             r10.0<1>:q    r29.0<1;1,0>:q    r2.3<0;1,0>:q    {Compacted,I@2}  //  ALU pipe: int; $7
        load.ugm.d32x2.a64 (32|M0)  r12:4       [r8:4]             {I@1,$2} // ex_desc:0x0; desc:0x8401580 // $8
        add (16|M0)              r18.0<1>:q    r27.0<1;1,0>:q    r3.0<0;1,0>:q    {Compacted,$1.dst} //  ALU pipe: int; $10
        add (16|M16)             r20.0<1>:q    r29.0<1;1,0>:q    r3.0<0;1,0>:q    {Compacted}  //  ALU pipe: int; $10
        sel (32|M0)   (ge)f0.0   r16.0<1>:f    r12.0<1;1,0>:f    r14.0<1;1,0>:f   {$2.dst}  //  ALU pipe: float; $9
        store.ugm.d32.a64 (32|M0)  [r18:4]      r16:2              {A@1,$3} // ex_desc:0x0; desc:0x8000584 // $11
(W)     send.gtwy (1|M0)         null     r127  null:0  0x0            0x02000010           {EOT,$4} // wr:1+0, rd:0; end of thread // $12
L400:
(W)     mov (16|M0)              null<1>:ud    0x9106C42D:ud  //
(W)     mov (16|M0)              null<1>:ud    0xF19616EE:ud  //
(W)     mov (16|M0)              null<1>:ud    0x0:ud  //
(W)     mov (16|M0)              null<1>:ud    0x2:ud  //


//.BankConflicts: 0
//.ByteRMWs: 0
//


//.numALUInst: 28
//.accSubDef: 0
//.accSubUse: 0
//.accSubCandidateDef: 0
//.accSubCandidateUse: 0
//
//
//.singlePipeAtOneDistNum: 6
//.allAtOneDistNum: 4
//.syncInstCount: 0
//.tokenReuseCount: 0
//.AfterWriteTokenDepCount: 3
//.AfterReadTokenDepCount: 2
