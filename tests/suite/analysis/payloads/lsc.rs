//! Messages to the load-store cache (LSC_UNTYPED.md and LSC_TYPED.md, Semantics).

use super::{Case, by_register, case};

pub const CASES: &[Case] = &[
    // LOAD: DstData[v].elems[n], and Src0Addrs[n].
    case("lsc_load.ugm (M1, 16) d0:d32 flat[q1]:a64", "d0 w 0..64 /4x16, q1 r 0..128 /8x16"),
    by_register(
        "lsc_load.ugm (M1, 16) d0:d32x3 flat[d1]:a32",
        "d0 w 0..192 /4x16, d1 r 0..64 /4x16",
        "d0 w 0..192 /4x16, d1 r 0..64 /4x16",
    ),
    case("lsc_load.slm (M1, 32) q0:d64x2 flat[w1]:a16", "q0 w 0..512 /8x32, w1 r 0..64 /2x32"),
    // Elements of 8 and 16 bits have 32 in registers, or 8 and 16.
    case("lsc_load.ugm (M1, 16) d0:d8u32 flat[q1]:a64", "d0 w 0..64 /4x16, q1 r 0..128 /8x16"),
    case("lsc_store.ugm (M1, 16) flat[q1]:a64 w0:d16", "q1 r 0..128 /8x16, w0 r 0..32 /2x16"),
    // The fewest lanes of a message: 8 on DG2, 16 on PVC.
    by_register(
        "lsc_load.ugm (M1, 8) d0:d32x2 flat[q1]:a64",
        "d0 w 0..64 /4x8, q1 r 0..64 /8x8",
        "d0 w 0..32 64..96 /4x8, q1 r 0..64 /8x8",
    ),
    by_register(
        "lsc_load.ugm (M1, 8) q0:d64x2 flat[q1]:a64",
        "q0 w 0..128 /8x8, q1 r 0..64 /8x8",
        "q0 w 0..64 128..192 /8x8, q1 r 0..64 /8x8",
    ),
    // DataOrder transposed: DstData[n].elems[v], with execution size 1.
    case("lsc_load.ugm (M1_NM, 1) d0:d32x16t flat[q1]:a64", "d0 w 0..64, q1 r 0..8 /8x1"),
    case("lsc_store.ugm (M1_NM, 1) flat[q1]:a64 q0:d64x4t", "q1 r 0..8 /8x1, q0 r 0..32"),
    // LOAD_QUAD: DstData[m].elems[n], for each channel.
    case(
        "lsc_load_quad.ugm (M1, 16) d0:d32.xzw flat[d1]:a32",
        "d0 w 0..192 /4x16, d1 r 0..64 /4x16",
    ),
    // Atomics: Src1Data and Src2Data have an element per lane.
    case(
        "lsc_atomic_icas.ugm (M1, 16) d0:d32 flat[q1]:a64 d2 d3",
        "d0 w 0..64 /4x16, q1 r 0..128 /8x16, d2 r 0..64 /4x16, d3 r 0..64 /4x16",
    ),
    case("lsc_atomic_iinc.slm (M1, 16) %null:d32 flat[d1]:a32 %null %null", "d1 r 0..64 /4x16"),
    // LOAD_STATUS: bits of a register.
    by_register(
        "lsc_load_status.ugm (M1, 16) d0:d32 flat[q1]:a64",
        "d0 w? 0..32, q1 r 0..128 /8x16",
        "d0 w? 0..64, q1 r 0..128 /8x16",
    ),
    // LOAD_STRIDED: one address.
    case("lsc_load_strided.ugm (M1, 16) d0:d32 flat[q1, 0x20]:a64", "d0 w 0..64 /4x16, q1 r 0..8"),
    // LOAD_BLOCK2D: grf_row_pitch and grf_block_pitch. 12 columns of 2 bytes, 3 rows, 2 blocks.
    by_register(
        "lsc_load_block2d.ugm (M1, 1) w0:d16.2x12x3nn flat[q1,d1,d2,d3,d4,d5]",
        "w0 w 0..192, q1 r 0..8, d1 r 0..4, d2 r 0..4, d3 r 0..4, d4 r 0..4, d5 r 0..4",
        "w0 w 0..96 128..224, q1 r 0..8, d1 r 0..4, d2 r 0..4, d3 r 0..4, d4 r 0..4, d5 r 0..4",
    ),
    // Transposed: 8 rows of 3 elements; a row takes the space of 4.
    case(
        "lsc_load_block2d.ugm (M1, 1) d0:d32.8x3tn flat[q1,d1,d2,d3,d4,d5]",
        "d0 w 0..128, q1 r 0..8, d1 r 0..4, d2 r 0..4, d3 r 0..4, d4 r 0..4, d5 r 0..4",
    ),
    case(
        "lsc_store_block2d.ugm (M1, 1) flat[q1,d1,d2,d3,d4,d5] b0:d8.16x4nn",
        "q1 r 0..8, d1 r 0..4, d2 r 0..4, d3 r 0..4, d4 r 0..4, d5 r 0..4, b0 r 0..64",
    ),
    // Append counters: dest[0].data_size[n].
    case(
        "lsc_apndctr_atomic_add.ugm (M1, 16) d0:d32 bti(0x1)[%null] d1 %null",
        "d0 w 0..64 /4x16, d1 r 0..64 /4x16",
    ),
    // Cache control: an address per lane.
    case("lsc_extended_cache_ctrl.ugm.reset.64B (M1, 16) flat[q1]:a64", "q1 r 0..128 /8x16"),
    // LSC_TYPED.md: coordinates per lane.
    by_register(
        "lsc_load_quad.tgm (M1, 8) d0:d32.xy bti(0x1)[d1,d2]:a32",
        "d0 w 0..64 /4x8, d1 r 0..32 /4x8, d2 r 0..32 /4x8",
        "d0 w 0..32 64..96 /4x8, d1 r 0..32 /4x8, d2 r 0..32 /4x8",
    ),
    case(
        "lsc_store_quad.tgm (M1, 16) bti(0x1)[d1,d2]:a32 d0:d32.xyzw",
        "d1 r 0..64 /4x16, d2 r 0..64 /4x16, d0 r 0..256 /4x16",
    ),
    // READ_STATE_INFO: 64 bytes, with a register as address.
    by_register(
        "lsc_read_state_info.tgm d0 bti(0x1)[d1.0]",
        "d0 w? 0..64, d1 r? 0..32",
        "d0 w? 0..64, d1 r? 0..64",
    ),
    // A block of a typed surface: rows of a power of two, at least 4 bytes.
    case("lsc_load_block2d.tgm d0:12x2 bti(0x1)[0x0,0x0]", "d0 w 0..12 16..28"),
];
