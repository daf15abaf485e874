//.kernel scale
//.platform DG2
//.thread_config numGRF=128, numAcc=4, numSWSB=16
//.options_string "-platform DG2 -output -emitLocation "
//.full_options "-emitLocation -output -platform DG2 "
//.instCount 25
//.RA type	LOCAL_ROUND_ROBIN_RA
//.git-hash 


// .inputs
// +----------+----------+--------+----------+------------------+
// | id       | type     |  bytes | at       | from             |
// +----------+----------+--------+----------+------------------+
// | offset   | :ud x 16 |   0x40 | r2       | cti+0x20         |
// | x        | :uq      |    0x8 | r4       | cti+0x60         |
// | y        | :uq      |    0x8 | r4+0x8   | cti+0x68         |
// | factor   | :f       |    0x4 | r4+0x10  | cti+0x70         |
// +----------+----------+--------+----------+------------------+


// B000: Preds:{},  Succs:{B001}
cross_thread_prolog:
(W)     mov (8|M0)               r127.0<1>:ud  0x0:ud                                                //  ALU pipe: int; 
(W)     and (1|M0)               r127.2<1>:ud  r0.0<0;1,0>:ud    0xFFFFFFC0:ud                       //  ALU pipe: int; 

// File: /build/kernels/scale.cl

// Line 7
(W)     send.dc0 (8|M0)          r2       r127    null:0  0x0            0x022843FD           {A@1,$0} // wr:1h+0, rd:2; oword aligned block read x4 // 
(W)     add (1|M0)               r127.2<1>:ud  r127.2<0;1,0>:ud  0x40:uw              {$0.src}       //  ALU pipe: int; 

// File: /build/kernels/scale.cl

// Line 7
(W)     send.dc0 (8|M0)          r4       r127    null:0  0x0            0x021842FD           {A@1,$1} // wr:1h+0, rd:1; oword aligned block read x2 // 
// B001: Preds:{B000},  Succs:{B002, B003}
// _scale_k0_0_:

// Line 3
        mov (8|M0)               r9.0<2>:ud    r2.0<1;1,0>:ud                   {$0.dst}             //  ALU pipe: int; $2
        mov (8|M8)               r11.0<2>:ud   r3.0<1;1,0>:ud                                        //  ALU pipe: int; $2
        mov (8|M0)               r13.0<2>:ud   r9.0<2;1,0>:ud                   {I@2}                //  ALU pipe: int; $2
        mov (8|M0)               r13.1<2>:ud   0.0:f                                                 //  ALU pipe: int; $2
        mov (8|M8)               r15.0<2>:ud   r11.0<2;1,0>:ud                  {I@3}                //  ALU pipe: int; $2
        mov (8|M8)               r15.1<2>:ud   0.0:f                                                 //  ALU pipe: int; $2

// Line 4
        sync.nop                             null                             {Compacted,$1.dst}     // $4
        add (8|M0)               r5.0<1>:uq    r13.0<1;1,0>:uq   r4.0<0;1,0>:uq   {A@3}              //  ALU pipe: long; $4
        add (8|M8)               r7.0<1>:uq    r15.0<1;1,0>:uq   r4.0<0;1,0>:uq   {A@1}              //  ALU pipe: long; $4
        load.ugm.d32.a64 (16|M0)  r0:2          [r5:4]             {A@1,$2} // ex_desc:0x0; desc:0x8200580 // $5

// Line 5
        cmp (16|M0)   (gt)f0.0   null<1>:f     r0.0<1;1,0>:f     0.0:f               {Compacted,$2.dst} //  ALU pipe: float; $7
(~f0.0) goto (16|M0)                         done              done                                  //  ALU pipe: int; $8
// B002: [inDivergent],  Preds:{B001},  Succs:{B003}
_scale_k0_1_:

// Line 6
(W)     mov (1|M0)               r4.5<1>:ud    0x3F800000:ud                                         //  ALU pipe: int; $10
        add (8|M0)               r5.0<1>:uq    r13.0<1;1,0>:uq   r4.1<0;1,0>:uq                      //  ALU pipe: long; $11
        add (8|M8)               r7.0<1>:uq    r15.0<1;1,0>:uq   r4.1<0;1,0>:uq                      //  ALU pipe: long; $11
        mad (16|M0)              r0.0<1>:f     r4.5<0;0>:f       r0.0<1;0>:f       r4.4<0>:f        {Compacted,I@1} //  ALU pipe: float; $10
        store.ugm.d32.a64 (16|M0)  [r5:4]       r0:2               {A@1,$3} // ex_desc:0x0; desc:0x8000584 // $12
// B003: Preds:{B002, B001},  Succs:{}
done:
        join (16|M0)                         L344                                                    // 
L344:

// Line 7
        sync.nop                             null                             {Compacted,$3.src}     // $15
        ret (16|M0)                          r4.6                             {A@1}                  //  ALU pipe: int; $15


//.BankConflicts: 0
//.ByteRMWs: 0
//


//.numALUInst: 18
//.accSubDef: 0
//.accSubUse: 0
//.accSubCandidateDef: 0
//.accSubCandidateUse: 0
//
//
//.singlePipeAtOneDistNum: 1
//.allAtOneDistNum: 6
//.syncInstCount: 2
//.tokenReuseCount: 0
//.AfterWriteTokenDepCount: 3
//.AfterReadTokenDepCount: 2
