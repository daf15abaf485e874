//! The instruction table: one row per opcode, in ascending order.
//!
//! A row is similar to the Format section of the page of the instruction. It contains:
//!
//! - `#[page = ".."]`, a file with more documentation, if there is one;
//! - the opcode; `[manual]` if dialect `Manual` also has the instruction, or `[igc2026]` if only
//!   dialect `Igc2026` has it;
//! - the name of the struct; the mnemonic in quotes, if it is not the name of the method; and the
//!   name of the method in `build`;
//! - the fields in the order of their bytes: names, types, and conditions in brackets (see
//!   `record/mod.rs`). The type determines the role of an operand: `Dst`, `CmpDst` and `RawDst` are
//!   destinations, the other operands are sources, and a `Scalar` has one element. An opcode with
//!   `(family)` instead of fields is a family: the next byte selects the layout, and the layouts
//!   are in a separate table;
//! - `is` and the [`Kind`], followed by the name of the signature in parentheses if the verifier
//!   defines one;
//! - `on [..]`: the platforms, if not all have the instruction: the methods of `verify::Availability`;
//! - `moves [..]`: the bytes that a message reads and writes through its raw operands: a field, or `_`
//!   for the other fields, and a method of `payload::Sizes` with the fields that determine its result.
//!   `moves (Type)` names a type that computes them;
//! - `as [..]`: the text, if it is not `(pred) mnemonic (exec) operands` in the order of the bytes.
//!
//! The items of the text are:
//!
//! | Item | Text |
//! |---|---|
//! | `pred` | the predicate in parentheses and a space, or nothing |
//! | `@` | the mnemonic |
//! | `!` | nothing: blanks cannot separate the mnemonic from its suffix |
//! | `sat` | `.sat`, if `dst` saturates |
//! | `field` | a space and the field |
//! | `.field` | a dot and the field |
//! | `(field)` | the field, without a space |
//! | `"text"` | the text; as the first item, or after `pred`, it replaces the mnemonic |
//! | `{Name field}` | the item `Name` of `text::items`, applied to a field |
//! | `{Name}` | the item `Name`, applied to the whole instruction |
//! | `{@Name field}`, `{@Name}` | an item that replaces the mnemonic |
//!
//! `manual [..]` is the text in dialect `Manual`, if it differs: the Text section of the page. It
//! has no `@`, so a text or an item replaces the mnemonic.

use super::rows::instructions;
use super::{Kind, Spec, unknown_opcode};
use crate::error::Result;
use crate::operand::lsc::{LscFenceOp, LscScope, LscSfid};
use crate::operand::va::{AvsExecMode, OutputFormat};
use crate::operand::*;
use crate::wire::{Reader, Trace, Wire, Writer};

use super::gather4_typed::{ExecOf8, Inverted};
use super::info::InfoOp;
use super::list::{CountOf, Labels, Params};
use super::rt_write::{RtWriteFlags, RtWriteMode};
use super::sampler::{OpWord, SampleFlags, SampleOp, SamplerOp};

pub use super::lsc::{LscTyped, LscUntyped};
pub use super::svm::Svm;
pub use super::va::Va;
pub use super::va_skl_plus::VaSklPlus;

/// Passes all rows to a macro, in the normal form of [`normalize_rows`]. `isa` defines types, codecs
/// and the bytes of messages, `text` printers and parsers, `build` methods, and `verify` the
/// signatures of arithmetic and the platforms.
#[rustfmt::skip]
macro_rules! instruction_table { ($callback:ident) => { $crate::isa::normalize_rows! { $callback
    /// Addition.
    0x01 Add add { exec: Exec, pred: Pred, dst: Dst, src0: Vector, src1: Vector } is Arith(ADD)
    /// Average of integers.
    0x02 Avg avg { exec: Exec, pred: Pred, dst: Dst, src0: Vector, src1: Vector } is Arith(AVG)
    /// Division.
    0x03 Div div { exec: Exec, pred: Pred, dst: Dst, src0: Vector, src1: Vector } is Arith(DIV)
    /// Dot product of groups of two.
    0x04 Dp2 dp2 { exec: Exec, pred: Pred, dst: Dst, src0: Vector, src1: Vector } is Arith(DOT)
        on [garbled_from(Tgllp)]
    /// Dot product of groups of three.
    0x05 Dp3 dp3 { exec: Exec, pred: Pred, dst: Dst, src0: Vector, src1: Vector } is Arith(DOT)
        on [garbled_from(Tgllp)]
    /// Dot product of groups of four.
    0x06 Dp4 dp4 { exec: Exec, pred: Pred, dst: Dst, src0: Vector, src1: Vector } is Arith(DOT)
        on [garbled_from(Tgllp)]
    /// Homogeneous dot product.
    0x07 Dph dph { exec: Exec, pred: Pred, dst: Dst, src0: Vector, src1: Vector } is Arith(DOT)
        on [garbled_from(Tgllp)]
    /// Two to the power of the source.
    0x08 Exp exp { exec: Exec, pred: Pred, dst: Dst, src0: Vector } is Arith(FUNCTION)
    /// Fractional part.
    0x09 Frc frc { exec: Exec, pred: Pred, dst: Dst, src0: Vector } is Arith(FRC)
    /// Line equation.
    0x0a Line line { exec: Exec, pred: Pred, dst: Dst, src0: Vector, src1: Vector } is Arith(LINE)
        on [garbled_from(Tgllp)]
    /// Binary logarithm.
    0x0b Log log { exec: Exec, pred: Pred, dst: Dst, src0: Vector } is Arith(FUNCTION)
    /// Multiplication of the first two sources, plus the third.
    0x0c Mad mad { exec: Exec, pred: Pred, dst: Dst, src0: Vector, src1: Vector, src2: Vector }
        is Arith(MAD)
    /// High half of a product.
    0x0d Mulh mulh { exec: Exec, pred: Pred, dst: Dst, src0: Vector, src1: Vector } is Arith(MULH)
    /// Linear interpolation.
    0x0e Lrp lrp { exec: Exec, pred: Pred, dst: Dst, src0: Vector, src1: Vector, src2: Vector }
        is Arith(LRP)
        on [listed_until(Icllp) garbled_from(Tgllp)]
    /// Remainder.
    0x0f Mod "mod" mod_ { exec: Exec, pred: Pred, dst: Dst, src0: Vector, src1: Vector }
        is Arith(MOD)
    /// Multiplication.
    0x10 Mul mul { exec: Exec, pred: Pred, dst: Dst, src0: Vector, src1: Vector } is Arith(MUL)
    /// Power.
    0x11 Pow pow { exec: Exec, pred: Pred, dst: Dst, src0: Vector, src1: Vector } is Arith(FUNCTION)
    /// Rounding down.
    0x12 Rndd rndd { exec: Exec, pred: Pred, dst: Dst, src0: Vector } is Arith(ROUND)
    /// Rounding up.
    0x13 Rndu rndu { exec: Exec, pred: Pred, dst: Dst, src0: Vector } is Arith(ROUND)
    /// Rounding to even.
    0x14 Rnde rnde { exec: Exec, pred: Pred, dst: Dst, src0: Vector } is Arith(ROUND)
    /// Rounding to zero.
    0x15 Rndz rndz { exec: Exec, pred: Pred, dst: Dst, src0: Vector } is Arith(ROUND)
    /// Sum of absolute differences of groups of two.
    0x16 Sad2 sad2 { exec: Exec, pred: Pred, dst: Dst, src0: Vector, src1: Vector } is Arith(SAD)
        on [unlisted(Icllp, Tgllp)]
    /// Sine.
    0x17 Sin sin { exec: Exec, pred: Pred, dst: Dst, src0: Vector } is Arith(FUNCTION)
    /// Cosine.
    0x18 Cos cos { exec: Exec, pred: Pred, dst: Dst, src0: Vector } is Arith(FUNCTION)
    /// Square root.
    0x19 Sqrt sqrt { exec: Exec, pred: Pred, dst: Dst, src0: Vector } is Arith(SQRT)
    /// Reciprocal square root.
    0x1a Rsqrt rsqrt { exec: Exec, pred: Pred, dst: Dst, src0: Vector } is Arith(RSQRT)
    /// Reciprocal.
    0x1b Inv inv { exec: Exec, pred: Pred, dst: Dst, src0: Vector } is Arith(INV)
    /// Systolic dot product over a pair of fused threads. `w` is the precision of `src1`, `a` the
    /// precision of `src2`.
    0x1c Dpasw dpasw { exec: Exec, pred: Pred [igc2026], dst: RawDst, src0: Raw, src1: Raw,
                         src2: Vector, w: Precision, a: Precision, systolic_depth: u8,
                         repeat_count: u8 } is Misc
        on [from(XeHpSdv)]
        moves (Systolic)
        as [pred @! {DpasPrecision w} {DpasPrecision a} .systolic_depth .repeat_count exec dst src0 src1
            {DpasSource src2}]
    /// Conversion from and to 8-bit floats.
    0x1d Fcvt fcvt { exec: Exec, dst: Dst, src0: Vector } is Mov(FCVT)
        on [from(PvcSdv)]
    /// Stochastic rounding.
    0x1e Srnd srnd { exec: Exec, dst: Dst, src0: Vector, src1: Vector } is Arith(SRND)
        on [from(PvcXt)]
    /// Number of leading zeros.
    0x1f Lzd lzd { exec: Exec, pred: Pred, dst: Dst, src0: Vector } is Arith(LZD)
    /// Bitwise and.
    0x20 And and { exec: Exec, pred: Pred, dst: Dst, src0: Vector, src1: Vector } is Logic(LOGIC)
    /// Bitwise or.
    0x21 Or or { exec: Exec, pred: Pred, dst: Dst, src0: Vector, src1: Vector } is Logic(LOGIC)
    /// Bitwise exclusive or.
    0x22 Xor xor { exec: Exec, pred: Pred, dst: Dst, src0: Vector, src1: Vector } is Logic(LOGIC)
    /// Bitwise complement.
    0x23 Not not { exec: Exec, pred: Pred, dst: Dst, src0: Vector } is Logic(LOGIC)
    /// Left shift.
    0x24 Shl shl { exec: Exec, pred: Pred, dst: Dst, src0: Vector, src1: Vector } is Logic(SHL)
    /// Logical right shift.
    0x25 Shr shr { exec: Exec, pred: Pred, dst: Dst, src0: Vector, src1: Vector } is Logic(SHR)
    /// Arithmetic right shift.
    0x26 Asr asr { exec: Exec, pred: Pred, dst: Dst, src0: Vector, src1: Vector } is Logic(ASR)
    /// Number of bits that are set.
    0x27 Cbit cbit { exec: Exec, pred: Pred, dst: Dst, src0: Vector } is Logic(CBIT)
    /// Address of a variable plus an offset.
    0x28 AddrAdd addr_add { exec: Exec, dst: Dst, src0: AddressOf, src1: Vector }
        is Address(ADDR_ADD)
    /// Move.
    0x29 Mov mov { exec: Exec, pred: Pred, dst: Dst, src0: Vector } is Mov(MOV)
    /// Selection of one of two sources by the predicate.
    0x2a Sel sel { exec: Exec, pred: Pred, dst: Dst, src0: Vector, src1: Vector } is Mov(SEL)
    /// Move into a predicate.
    0x2b Setp setp { exec: Exec, dst: Dst, src0: Vector } is Mov(SETP)
    /// Comparison.
    0x2c Cmp cmp { exec: Exec, rel_op: Relation, dst: CmpDst, src0: Vector, src1: Vector }
        is Compare(CMP)
        as [@ {CmpRelation rel_op} sat exec dst src0 src1]
    /// Move of surface and sampler states.
    0x2d Movs movs { exec: Exec, dst: Dst, src0: Vector } is Mov(MOVS)
    /// First bit set from the low end.
    0x2e Fbl fbl { exec: Exec, pred: Pred, dst: Dst, src0: Vector } is Logic(FBL)
    /// First bit set from the high end.
    0x2f Fbh fbh { exec: Exec, pred: Pred, dst: Dst, src0: Vector } is Logic(FBH)
    /// Start of a subroutine.
    0x30 Subroutine func { label: LabelId } is Flow
        as [{SubroutineLines label}]
    /// Label: the target of jumps.
    0x31 Label label { label: LabelId } is Flow
        as [{LabelLine label}]
    /// Jump.
    0x32 Jmp jmp { exec: Exec, pred: Pred, label: LabelId } is Flow
        as [pred @ {JumpExec exec} label]
    /// Call of a subroutine; FCCALL if the label's kind is FC.
    0x33 Call call { exec: Exec, pred: Pred, label: LabelId } is Flow
        as [pred {@CallWord label} exec {Callee label}]
    /// Return from a subroutine, or from the kernel.
    0x34 Ret ret { exec: Exec, pred: Pred } is Flow
    /// Aligned block read of owords.
    0x35 OwordLd oword_ld { size: OwordNum, is_modified: u8, surface: SurfaceId, offset: Scalar,
                              dst: RawDst } is DataPort
        moves [_: owords(size)]
        as [@ {Modified is_modified} " (" (size) ")" surface offset dst]
    /// Block write of owords.
    0x36 OwordSt oword_st { size: OwordNum, surface: SurfaceId, offset: Scalar, src: Raw }
        is DataPort
        moves [_: owords(size)]
        as [@ " (" (size) ")" surface offset src]
    /// MEDIA_LD: reads a rectangle of a 2D surface.
    ///
    /// There is neither an execution size nor a predicate. The layout is the same in every dialect
    /// and version.
    ///
    /// The width of a block determines its maximum height and the pitch of its rows in `dst`:
    ///
    /// | `block_width` | maximum `block_height` | pitch |
    /// |---|---|---|
    /// | 1 to 4 bytes | 64 rows | 4 bytes |
    /// | 5 to 8 bytes | 32 rows | 8 bytes |
    /// | 9 to 16 bytes | 16 rows | 16 bytes |
    /// | 17 to 32 bytes | 8 rows | 32 bytes |
    /// | 33 to 64 bytes | 4 rows | 64 bytes |
    ///
    /// Source: MEDIA_LD.md; docs/format.md, 4.2 for the modifiers that MEDIA_LD.md does not list.
    #[page = "../../docs/isa/media_ld.md"]
    0x37 [manual] MediaLd media_ld {
        /// One byte, bits 3 to 7 zero: 0 none, 2 top field, 3 bottom field. Readers also support 1,
        /// 4 and 5.
        modifiers: MediaModifier,
        /// One byte: a 2D surface, not T0 (SLM) or T5 (stateless).
        surface: SurfaceId,
        /// One byte: the plane of a planar format, 0 to 3.
        plane: u8,
        /// One byte: the width in bytes, 1 to 64.
        block_width: u8,
        /// One byte: the height in rows, 1 to 64; less for wide blocks.
        block_height: u8,
        /// The left edge in bytes. Type UD.
        x_offset: Scalar,
        /// The upper edge in rows (MEDIA_LD.md: in bytes). Type UD.
        y_offset: Scalar,
        /// The block. Each row starts at a multiple of the pitch.
        dst: RawDst,
    } is DataPort
        moves [_: rows(block_width, block_height)]
        as [@ {MediaModifiers modifiers}
           " (" {BlockDimension block_width} "," {BlockDimension block_height} ")" surface
           {MediaPlane plane} x_offset y_offset dst]
        manual ["MEDIA_LD" {MediaModifierBits modifiers}
               " (" {BlockDimension block_width} ", " {BlockDimension block_height} ")"
               surface plane x_offset y_offset dst]
    /// Write of a rectangle of a 2D surface.
    0x38 MediaSt media_st { modifiers: MediaModifier, surface: SurfaceId, plane: u8,
                              block_width: u8, block_height: u8, x_offset: Scalar,
                              y_offset: Scalar, src: Raw } is DataPort
        moves [_: rows(block_width, block_height)]
        as [@ .modifiers
           " (" {BlockDimension block_width} "," {BlockDimension block_height} ")" surface
           {MediaPlane plane} x_offset y_offset src]
    /// Scattered read.
    0x39 Gather gather { elt_size: ElementSize, is_modified: u8, num_elts: NumElts,
                           surface: SurfaceId, global_offset: Scalar, element_offset: Raw,
                           dst: RawDst } is DataPort
        moves [_: dword_elements(num_elts)]
        as [@ .elt_size num_elts {Modified is_modified} surface global_offset element_offset dst]
    /// Scattered write.
    0x3a Scatter scatter { elt_size: ElementSize, num_elts: NumElts, surface: SurfaceId,
                             global_offset: Scalar, element_offset: Raw, src: Raw } is DataPort
        moves [_: dword_elements(num_elts)]
        as [@ .elt_size num_elts surface global_offset element_offset src]
    /// Unaligned block read of owords.
    0x3c OwordLdUnaligned oword_ld_unaligned { size: OwordNum, is_modified: u8,
                                                 surface: SurfaceId, offset: Scalar, dst: RawDst }
        is DataPort
        moves [_: owords(size)]
        as [@ {Modified is_modified} " (" (size) ")" surface offset dst]
    /// Sampling (older form).
    0x40 Sample sample { channels: ChannelsMode, sampler: SamplerId, surface: SurfaceId, u: Raw,
                           v: Raw, r: Raw, dst: RawDst } is Sampler
        moves [dst: older_texels(channels), _: older_coordinates(channels)]
        as [@ {ChannelsSimd channels} sampler surface u v r dst]
    /// Sampling of a UNORM surface.
    0x41 SampleUnorm sample_unorm { channels: ChannelsMode, sampler: SamplerId,
                                      surface: SurfaceId, u_offset: Scalar, v_offset: Scalar,
                                      delta_u: Scalar, delta_v: Scalar, dst: RawDst } is Sampler
        moves [_: unorm_texels(channels)]
        as [@ {ChannelsOutput channels} sampler surface u_offset v_offset delta_u delta_v dst]
    /// Load through the sampler (older form).
    0x42 Load load { channels: ChannelsMode, surface: SurfaceId, u: Raw, v: Raw, r: Raw,
                       dst: RawDst } is Sampler
        moves [dst: older_texels(channels), _: older_coordinates(channels)]
        as [@ {ChannelsSimd channels} surface u v r dst]
    /// Adaptive video scaling.
    0x43 Avs avs { channels: ChannelMask, sampler: SamplerId, surface: SurfaceId,
                     u_offset: Scalar, v_offset: Scalar, delta_u: Scalar, delta_v: Scalar,
                     u2d: Scalar, group_id: Scalar, vertical_block_number: Scalar,
                     cntrl: OutputFormat, v2d: Scalar, exec_mode: AvsExecMode,
                     ief_bypass: Scalar, dst: RawDst } is Sampler
        on [listed_until(Tgllp)]
        moves [_: scaled_pixels(exec_mode, cntrl, channels)]
        as [@ {Letters channels} surface sampler u_offset v_offset delta_u delta_v u2d group_id
           vertical_block_number cntrl v2d exec_mode ief_bypass dst]
    /// Video analytics.
    0x44 Va va (family) is Sampler
    /// Minimum or maximum.
    0x45 Fminmax fminmax { exec: Exec, op: MinMaxOp, dst: Dst, src0: Vector, src1: Vector }
        is Mov(FMINMAX)
        as [{@MinMaxWord op} sat exec dst src0 src1]
    /// Bit field extraction.
    0x46 Bfe bfe { exec: Exec, pred: Pred, dst: Dst, src0: Vector, src1: Vector, src2: Vector }
        is Logic(BFE)
    /// Bit field insertion.
    0x47 Bfi bfi { exec: Exec, pred: Pred, dst: Dst, src0: Vector, src1: Vector, src2: Vector,
                     src3: Vector } is Logic(BFI)
    /// Bit reversal.
    0x48 Bfrev bfrev { exec: Exec, pred: Pred, dst: Dst, src0: Vector } is Logic(BFREV)
    /// Addition with the carry as a second result.
    0x49 Addc addc { exec: Exec, pred: Pred, dst: Dst, carry: Dst, src0: Vector, src1: Vector }
        is Arith(ADDC)
        as [pred @ {CarrySat dst} exec dst carry src0 src1]
    /// Subtraction with the borrow as a second result.
    0x4a Subb subb { exec: Exec, pred: Pred, dst: Dst, borrow: Dst, src0: Vector, src1: Vector }
        is Arith(SUBB)
        as [pred @ {CarrySat dst} exec dst borrow src0 src1]
    /// GATHER4_TYPED: reads up to four channels per lane from a typed surface.
    ///
    /// Dialect `Manual` has the layout of GATHER4_TYPED.md and, since 3.2, so do the Igc
    /// dialects. Files of 3.0 and 3.1 have a shorter layout:
    ///
    /// | | `Manual`, Igc since 3.2 | Igc before 3.2 |
    /// |---|---|---|
    /// | order | `exec`, `pred`, `channels` | `channels`, `exec` |
    /// | `channels` | a set bit enables | a set bit disables |
    /// | `exec` | size and mask | the mask alone, 8 lanes |
    /// | `pred` | two bytes | absent: no predicate |
    /// | `lod` | a raw operand | absent: null |
    ///
    /// Source: GATHER4_TYPED.md; docs/format.md, 4.4 for the layout before 3.2.
    #[page = "../../docs/isa/gather4_typed.md"]
    0x4b [manual] Gather4Typed gather4_typed {
        /// Igc dialects before 3.2. One byte: bits 0 to 3 are R, G, B, A; a set bit disables.
        channels: (Inverted => channels) [before V3_2],
        /// Igc dialects before 3.2. One byte: bits 0 to 3 zero, which means 8 lanes; 4 to 7 the
        /// mask.
        exec: (ExecOf8 => exec) [before V3_2],
        /// One byte: bits 0 to 3 the size, which must be 8 lanes; 4 to 7 the mask.
        exec: Exec [since V3_2, else as ExecOf8],
        /// Two bytes: bits 0 to 11 the variable, 13 and 14 the control, 15 inverts.
        pred: Pred [since V3_2, else NONE],
        /// One byte: bits 0 to 3 are R, G, B, A; at least one is set.
        channels: ChannelMask [since V3_2, else as Inverted],
        /// One byte: a 1D, 2D or 3D surface, not T0 (SLM) or T5 (stateless).
        surface: SurfaceId,
        /// The U offsets. Type UD.
        u: Raw,
        /// The V offsets, null for 1D surfaces. Type UD.
        v: Raw,
        /// The R offsets, null for 1D and 2D surfaces. Type UD.
        r: Raw,
        /// The level of detail. Type UD.
        lod: Raw [since V3_2, else NULL],
        /// The channels. Each starts in a new register. Type UD, D or F.
        dst: RawDst,
    } is DataPort
        moves [dst: channels(exec, channels), _: dwords(exec)]
        as [{TypedPred pred} @ .channels exec surface u v r lod dst]
        manual [pred "GATHER4_TYPED" .channels {ManualExec exec} surface u v r lod dst]
    /// SCATTER4_TYPED: writes up to four channels per lane to a typed surface. It has the layouts of
    /// GATHER4_TYPED (docs/format.md, 4.4).
    0x4c Scatter4Typed scatter4_typed {
        /// One byte: bits 0 to 3 are R, G, B, A; a set bit disables.
        channels: (Inverted => channels) [before V3_2],
        /// One byte: bits 0 to 3 zero, which means 8 lanes; 4 to 7 the mask.
        exec: (ExecOf8 => exec) [before V3_2],
        /// One byte: bits 0 to 3 the size, which must be 8 lanes; 4 to 7 the mask.
        exec: Exec [since V3_2, else as ExecOf8],
        /// Two bytes: bits 0 to 11 the variable, 13 and 14 the control, 15 inverts.
        pred: Pred [since V3_2, else NONE],
        /// One byte: bits 0 to 3 are R, G, B, A; at least one is set.
        channels: ChannelMask [since V3_2, else as Inverted],
        /// One byte: a 1D, 2D or 3D surface, not T0 (SLM) or T5 (stateless).
        surface: SurfaceId,
        /// The U offsets. Type UD.
        u: Raw,
        /// The V offsets, null for 1D surfaces. Type UD.
        v: Raw,
        /// The R offsets, null for 1D and 2D surfaces. Type UD.
        r: Raw,
        /// The level of detail. Type UD.
        lod: Raw [since V3_2, else NULL],
        /// The channels to write. Each starts in a new register.
        src: Raw,
    } is DataPort
        moves [src: channels(exec, channels), _: dwords(exec)]
        as [{TypedPred pred} @ .channels exec surface u v r lod src]
    /// Video analytics since Skylake.
    0x4d VaSklPlus va_skl_plus (family) is Sampler
    /// Shared virtual memory.
    0x4e Svm svm (family) is Svm
    /// Call through an address.
    0x4f Ifcall ifcall { exec: Exec, pred: Pred, modifiers: IfcallFlags [igc2026],
                           func_addr: Scalar, arg_size: u8, return_size: u8 } is Flow
        as [pred @ {IfcallSuffixes modifiers} exec func_addr arg_size return_size]
    /// Address of a function.
    0x50 Faddr faddr { func_id: ShortStringId, dst: Dst } is Flow
        as [@ func_id dst]
    /// Source file of the following instructions.
    0x51 File file { file_name: StringId } is Misc
        as ["FILE" file_name]
    /// Source line of the following instructions.
    0x52 Loc loc { line_number: u32 } is Misc
        as ["LOC" line_number]
    /// Motion estimation: integer search.
    0x54 VmeIme vme_ime { stream_mode: u8, search_ctrl: u8, uni_input: Raw, ime_input: Raw,
                            surface: SurfaceId, ref0: Raw, ref1: Raw, cost_center: Raw,
                            output: RawDst } is Misc
        on [listed_until(Tgllp)]
        moves [uni_input: block(128), ime_input: ime_input(stream_mode, search_ctrl),
               output: ime_output(stream_mode, search_ctrl), cost_center: block(32), _: block(4)]
        as [@ "(" (stream_mode) "," (search_ctrl) ")" {VmeSurface surface} uni_input ime_input ref0 ref1
           cost_center output]
    /// Motion estimation: skip and intra check.
    0x55 VmeSic vme_sic { uni_input: Raw, sic_input: Raw, surface: SurfaceId, output: RawDst }
        is Misc
        on [listed_until(Tgllp)]
        moves [output: block(224), _: block(128)]
        as [@ {VmeSurface surface} uni_input sic_input output]
    /// Motion estimation: fractional and bidirectional refinement.
    0x56 VmeFbr vme_fbr { uni_input: Raw, fbr_input: Raw, surface: SurfaceId,
                            fbr_mb_mode: Scalar, fbr_sub_mb_shape: Scalar,
                            fbr_sub_pred_mode: Scalar, output: RawDst } is Misc
        on [listed_until(Tgllp)]
        moves [output: block(224), _: block(128)]
        as [@ " (" fbr_mb_mode "," fbr_sub_mb_shape "," fbr_sub_pred_mode ")" {VmeSurface surface}
           uni_input fbr_input output]
    /// Motion estimation: integer distortion mesh.
    0x57 VmeIdm vme_idm { uni_input: Raw, idm_input: Raw, surface: SurfaceId, output: RawDst }
        is Misc
        on [from(Skl) listed_until(Tgllp)]
        moves [uni_input: block(128), output: block(512), _: block(32)]
        as [{@IdmWord} {VmeSurface surface} uni_input idm_input output]
    /// Barrier of the thread group.
    0x59 Barrier barrier {} is Sync
    /// Flush of the sampler cache.
    0x5a SamplerCacheFlush sampler_cache_flush {} is Sync
    /// Wait for a notification.
    0x5b Wait wait { mask: Scalar [since V3_1] } is Sync
        as [@ {WaitMask mask}]
    /// Memory fence.
    0x5c Fence fence { mask: FenceFlags } is Sync
        as [{@FenceWord mask} {FenceOptions mask}]
    /// Raw message.
    0x5d RawSend raw_send { modifiers: SendFlags, exec: Exec, pred: Pred, ex_msg_desc: u32,
                              num_src: u8, num_dst: u8, desc: Scalar, src: Raw, dst: RawDst }
        is Misc
        moves [dst: registers(num_dst), _: registers(num_src)]
        as [pred {@SendWord modifiers} exec {Descriptor ex_msg_desc} num_src num_dst " " desc src
           dst]
    /// A hint that another thread may run.
    0x5f Yield "yield" yield_ {} is Sync
    /// Named barrier.
    0x60 Nbarrier nbarrier { mode: BarrierMode, id: Scalar, barrier_type: Scalar [igc2026],
                               num_producers: Scalar, num_consumers: Scalar [igc2026] } is Sync
        on [from(PvcSdv)]
        as [@! {BarrierSuffix mode} id {BarrierThreads}]
    /// Call of a function by name.
    0x67 Fcall fcall { exec: Exec, pred: Pred, func_id: ShortStringId, arg_size: u8,
                         return_size: u8 } is Flow
        as [pred @ exec {FunctionName func_id} arg_size return_size]
    /// Return from a function.
    0x68 Fret fret { exec: Exec, pred: Pred } is Flow
    /// SWITCHJMP: jumps to one of up to 32 labels (docs/format.md, 5.3).
    0x69 SwitchJmp switchjmp {
        /// One byte: bits 0 to 3 the size, 4 to 7 the mask.
        exec: Exec,
        /// One byte: the number of labels, 1 to 32.
        num_labels: (CountOf<Labels>),
        /// The index of the label to jump to, from 0.
        index: Scalar,
        /// The labels, two bytes each.
        labels: Labels [times num_labels],
    } is Flow
        as [@ {JumpExec exec} index {SwitchLabels labels}]
    /// Sum of absolute differences of groups of two, accumulated.
    0x6a Sad2add sad2add { exec: Exec, pred: Pred, dst: Dst, src0: Vector, src1: Vector,
                             src2: Vector } is Arith(SAD)
        on [unlisted(Icllp, Tgllp)]
    /// Plane equation.
    0x6b Plane plane { exec: Exec, pred: Pred, dst: Dst, src0: Vector, src1: Vector }
        is Arith(PLANE)
        on [until(Xe3pCri) listed_until(Icllp)]
    /// Jump of the active lanes.
    0x6c Goto goto { exec: Exec, pred: Pred, label: LabelId } is Flow
        as [pred @ exec {RawLabel label}]
    /// 3D_SAMPLE: samples a surface.
    ///
    /// The operation determines the meaning and the order of the parameters
    /// ([`SampleOp::params`](crate::isa::SampleOp::params)). Trailing parameters may be missing;
    /// they count as zero. [`Sample3d::param`] returns a parameter by its name.
    ///
    /// Dialect `Manual` has the layout of 3D_SAMPLE.md. Readers decode other layouts, which
    /// depend on the version:
    ///
    /// | | `Manual` | Igc |
    /// |---|---|---|
    /// | `op` | one byte | one byte in 3.x, two in 4.x |
    /// | `aoffimmi` | a scalar operand | a scalar operand since 3.4, two bytes before |
    /// | `paired_surface` | absent | in `Igc2026` since 3.8, between `dst` and `num_params` |
    /// | `num_params` | 1 to 15 | 0 to 15 |
    ///
    /// Source: 3D_SAMPLE.md for `Manual`; docs/format.md, 4.5 for the readers.
    #[page = "../../docs/isa/sample_3d.md"]
    0x6d [manual] Sample3d sample_3d {
        /// `Manual`, and Igc dialects in 3.x: one byte, bits 0 to 4 the operation, 5 to 7 the
        /// flags. Igc dialects in 4.x: two bytes, bits 0 to 7 the operation, 8 to 10 the flags, 11
        /// to 15 zero.
        op: (OpWord<SampleOp> =>
            /// The operation, which determines the parameters.
            op: SampleOp,
            /// The flags: pixel null mask, CPS LOD compensation, non-uniform sampler.
            flags: SampleFlags,
        ),
        /// One byte: bits 0 to 3 the size, which must be 8 or 16 lanes; 4 to 7 the mask.
        exec: Exec,
        /// Two bytes: bits 0 to 11 the variable, 13 and 14 the control, 15 inverts.
        pred: Pred,
        /// One byte: bits 0 to 3 are R, G, B, A; at least one is set.
        channels: ChannelMask,
        /// The texel offsets, -8 to 7 each: a scalar of type UW; two bytes in Igc dialects before
        /// 3.4.
        aoffimmi: Aoffimmi,
        /// One byte: an id of the sampler table, or 31 for the bindless sampler. 4.2: also the
        /// address of a state.
        sampler: Sampler,
        /// One byte: an id of the surface table. 4.2: also the address of a state.
        surface: Surface,
        /// The samples. Each channel starts in a new register. Type HF, F, W, UW, D or UD.
        dst: RawDst,
        /// The surface that is paired with `surface`, usually null.
        paired_surface: Raw [igc2026 since V3_8],
        /// One byte: the number of parameters, 1 to 15 in `Manual`, 0 to 15 in Igc dialects.
        num_params: (CountOf<Params>),
        /// The parameters in their order. All have type F, or all have type HF.
        params: Params [times num_params named op],
    } is Sampler
        on [unlisted(PvcSdv, Xe2)]
        moves [dst: texels_and_mask(exec, channels, flags), paired_surface: block(4),
               _: coordinates(exec, op)]
        as [pred {@SampleWord op} {SampleSuffixes flags} {Letters channels} exec " " aoffimmi sampler
           surface dst {PairedSurface paired_surface} {Parameters}]
        manual [pred {@ManualSampleWord op} {SampleSuffixes flags} .channels {ManualExec exec} aoffimmi
               sampler surface dst {Parameters}]
    /// 3D_LOAD: loads texels without a sampler (docs/format.md, 4.5).
    0x6e Load3d load_3d {
        /// One or two bytes, as in 3D_SAMPLE.
        op: (OpWord<SamplerOp> =>
            /// The operation.
            op: SamplerOp,
            /// The flags, as in 3D_SAMPLE.
            flags: SampleFlags,
        ),
        /// One byte: bits 0 to 3 the size, 4 to 7 the mask.
        exec: Exec,
        /// Two bytes: bits 0 to 11 the variable, 13 and 14 the control, 15 inverts.
        pred: Pred,
        /// One byte: bits 0 to 3 are R, G, B, A.
        channels: ChannelMask,
        /// The texel offsets: a scalar of type UW; two bytes before 3.4.
        aoffimmi: Aoffimmi,
        /// One byte: an id of the surface table. 4.2: also the address of a state.
        surface: Surface,
        /// The texels.
        dst: RawDst,
        /// The surface that is paired with `surface`, usually null.
        paired_surface: Raw [igc2026 since V3_8],
        /// One byte: the number of parameters, 0 to 15.
        num_params: (CountOf<Params>),
        /// The parameters in their order.
        params: Params [times num_params named op],
    } is Sampler
        on [unlisted(PvcSdv, Xe2)]
        moves [dst: texels_and_mask(exec, channels, flags), paired_surface: block(4),
               _: coordinates(exec, op)]
        as [pred {@LoadWord op} {LoadSuffixes flags} {Letters channels} exec " " aoffimmi surface
           dst {PairedSurface paired_surface} {Parameters}]
    /// 3D_GATHER4, called 3D_SAMPLE4 in the documents: gathers one channel of four texels
    /// (docs/format.md, 4.5).
    0x6f Gather4 gather4_3d {
        /// One or two bytes, as in 3D_SAMPLE.
        op: (OpWord<SamplerOp> =>
            /// The operation.
            op: SamplerOp,
            /// The flags, as in 3D_SAMPLE.
            flags: SampleFlags,
        ),
        /// One byte: bits 0 to 3 the size, 4 to 7 the mask.
        exec: Exec,
        /// Two bytes: bits 0 to 11 the variable, 13 and 14 the control, 15 inverts.
        pred: Pred,
        /// One byte: the channel to gather, 0 to 3 for R, G, B and A.
        channel: u8,
        /// The texel offsets: a scalar of type UW; two bytes before 3.4.
        aoffimmi: Aoffimmi,
        /// One byte: an id of the sampler table, or 31 for the bindless sampler. 4.2: also the
        /// address of a state.
        sampler: Sampler,
        /// One byte: an id of the surface table. 4.2: also the address of a state.
        surface: Surface,
        /// The texels.
        dst: RawDst,
        /// The surface that is paired with `surface`, usually null.
        paired_surface: Raw [igc2026 since V3_8],
        /// One byte: the number of parameters, 0 to 15.
        num_params: (CountOf<Params>),
        /// The parameters in their order.
        params: Params [times num_params named op],
    } is Sampler
        on [unlisted(PvcSdv, Xe2)]
        moves [dst: four_texels_and_mask(exec, flags), paired_surface: block(4),
               _: coordinates(exec, op)]
        as [pred {@GatherWord op} {LoadSuffixes flags} {OneChannel channel} exec aoffimmi sampler
           surface dst {PairedSurface paired_surface} {Parameters}]
    /// INFO: returns information about a surface. The operation is resinfo if there is a LOD, and
    /// sampleinfo otherwise ([`Info::op`]).
    ///
    /// There is no predicate. Dialect `Manual` has the layout of INFO.md. All readers decode
    /// another layout, with an operation of one byte, and a channel mask that INFO.md does not
    /// have:
    ///
    /// | | `Manual` | Igc |
    /// |---|---|---|
    /// | `op` | two bytes | one byte |
    /// | `channels` | absent; all four channels | one byte, between `exec` and `surface` |
    ///
    /// Source: INFO.md for `Manual`; docs/format.md, 4.1 for the readers.
    #[page = "../../docs/isa/info.md"]
    0x70 [manual] Info info_3d {
        /// `Manual`: two bytes, bits 0 to 7 the operation, 8 to 15 zero. Igc dialects: one byte.
        /// 0x0a is resinfo, 0x0b is sampleinfo.
        op: (InfoOp),
        /// One byte: bits 0 to 3 the size, which must be 8, 16 or 32 lanes; 4 to 7 the mask.
        exec: Exec,
        /// Igc dialects. One byte: bits 0 to 3 are R, G, B, A.
        channels: ChannelMask [not manual, else RGBA],
        /// One byte: an id of the surface table. 4.2: also the address of a state.
        surface: Surface,
        /// The level of detail. Type UD.
        lod: Raw [if op is ResInfo],
        /// The result: `exec.size` elements per channel. Type UD.
        dst: RawDst,
    } is Sampler
        on [unlisted(PvcSdv, Xe2)]
        moves [dst: channels(exec, channels), _: dwords(exec)]
        as [{@InfoWord} {InfoChannels channels} exec " " surface lod dst]
        manual [{@ManualInfoWord} {NoInfoChannels channels} {ManualExec exec} surface lod dst]
    /// RT_WRITE: writes colors, depth and stencil to a render target.
    ///
    /// The mode word is computed ([`RtWrite::mode`]): it has a bit for each optional operand that
    /// is `Some`; the other bits are the flags. The layout is the same in every version.
    ///
    /// The dialects differ in NumParams: `Manual` has it between `rt_index` and `s0a`, as in
    /// RT_WRITE.md. Readers do not support it, so the Igc dialects do not have it.
    ///
    /// Source: RT_WRITE.md for `Manual`; docs/format.md, 4.3 for the readers.
    #[page = "../../docs/isa/rt_write.md"]
    0x71 [manual] RtWrite rt_write_3d {
        /// One byte: bits 0 to 3 the size, which must be 8 or 16 lanes; 4 to 7 the mask.
        exec: Exec,
        /// Two bytes: bits 0 to 11 the variable, 13 and 14 the control, 15 inverts.
        pred: Pred,
        /// Two bytes, bits 0, 1 and 13 to 15 zero: the operands that are present, and the flags.
        mode: (RtWriteMode =>
            /// The flags: the bits LRTW, PS, CM and NULL_RT of the mode.
            flags: RtWriteFlags,
        ),
        /// One byte: an id of the surface table. 4.2: also the address of a state.
        surface: Surface,
        /// The header of the message; may be null.
        header: Raw,
        /// The sample index.
        sample_index: Vector [if mode has SI],
        /// The counter of coarse pixel shading.
        cps_counter: Vector [if mode has CPS],
        /// The index of the render target, 0 to 7; 0 if absent. Type UB.
        rt_index: Scalar [if mode has RTI],
        /// `Manual`. One byte: the number of raw operands that follow, 4 to 8.
        num_params: (u8 = mode.num_params()) [manual],
        /// The alpha of source 0. Type HF or F.
        s0a: Raw [if mode has S0A],
        /// The sample mask. Type UW.
        omask: Raw [if mode has OMASK],
        /// The red channel. All four channels have type HF, or all have type F.
        r: Raw,
        /// The green channel.
        g: Raw,
        /// The blue channel.
        b: Raw,
        /// The alpha channel.
        a: Raw,
        /// The source depth. Type F.
        depth: Raw [if mode has Z],
        /// The stencil values. Type UB.
        stencil: Raw [if mode has STENCIL],
    } is DataPort
        on [unlisted(PvcSdv, Xe2)]
        moves [header: part_of(32), omask: words(exec), depth: dwords(exec), stencil: stencil(exec),
               _: colors(exec)]
        as [pred @ {RtWriteModes} exec {SurfaceName surface} header sample_index cps_counter rt_index s0a omask r g b
           a depth stencil]
        manual [pred "RT_WRITE" {ManualRtWriteModes} {ManualExec exec} surface {RtWriteHeader}
               sample_index cps_counter rt_index s0a omask r g b a depth stencil]
    /// Write to the unified return buffer.
    0x72 UrbWrite urb_write_3d { exec: Exec, pred: Pred, num_out: u8, channel_mask: Raw,
                                   global_offset: u16, urb_handle: Raw, per_slot_offset: Raw,
                                   vertex_data: Raw } is Misc
        on [unlisted(PvcSdv, Xe2)]
        moves [vertex_data: vertices(num_out), _: block(32)]
        as [pred @ exec num_out global_offset channel_mask urb_handle per_slot_offset vertex_data]
    /// Atomic on a typed surface.
    0x73 TypedAtomic typed_atomic { op: Atomic, exec: Exec, pred: Pred, surface: SurfaceId,
                                      u: Raw, v: Raw, r: Raw, lod: Raw, src0: Raw, src1: Raw,
                                      dst: RawDst } is DataPort
        on [unlisted(PvcSdv, Xe2)]
        moves [dst: atomic(exec, op), src0: atomic(exec, op), src1: atomic(exec, op), _: dwords(exec)]
        as [pred @ {DataPortAtomic op} exec surface u v r lod src0 src1 dst]
    /// Scattered read of up to four channels.
    0x74 Gather4Scaled gather4_scaled { exec: Exec, pred: Pred, channels: ChannelMask,
                                          scale: u16, surface: SurfaceId, offset: Scalar,
                                          element_offset: Raw, dst: RawDst } is DataPort
        moves [dst: channels(exec, channels), _: dwords(exec)]
        as [pred @ .channels exec surface offset element_offset dst {Zero scale}]
    /// Scattered write of up to four channels.
    0x75 Scatter4Scaled scatter4_scaled { exec: Exec, pred: Pred, channels: ChannelMask,
                                            scale: u16, surface: SurfaceId, offset: Scalar,
                                            element_offset: Raw, src: Raw } is DataPort
        moves [src: channels(exec, channels), _: dwords(exec)]
        as [pred @ .channels exec surface offset element_offset src {Zero scale}]
    /// Scattered read of bytes.
    0x78 GatherScaled gather_scaled { exec: Exec, pred: Pred, block_size: u8,
                                        num_blocks: BlockNum, scale: u16, surface: SurfaceId,
                                        offset: Scalar, element_offset: Raw, dst: RawDst }
        is DataPort
        moves [_: dwords(exec)]
        as [pred @ .num_blocks exec surface offset element_offset dst {Zero block_size} {Zero scale}]
    /// Scattered write of bytes.
    0x79 ScatterScaled scatter_scaled { exec: Exec, pred: Pred, block_size: u8,
                                          num_blocks: BlockNum, scale: u16, surface: SurfaceId,
                                          offset: Scalar, element_offset: Raw, src: Raw }
        is DataPort
        moves [_: dwords(exec)]
        as [pred @ .num_blocks exec surface offset element_offset src {Zero block_size} {Zero scale}]
    /// Raw message with two sources. The lengths come first, unlike in RAW_SENDS.md.
    0x7a RawSends raw_sends { modifiers: SendFlags, exec: Exec, pred: Pred, num_src0: u8,
                                num_src1: u8, num_dst: u8, sfid: u8 [since V3_6],
                                ex_msg_desc: Scalar, desc: Scalar, src0: Raw, src1: Raw,
                                dst: RawDst } is Misc
        moves [dst: registers(num_dst), src0: registers(num_src0), _: registers(num_src1)]
        as [pred {@SendsWord modifiers} {SendsLengths} exec " " ex_msg_desc desc src0 src1 dst]
    /// Start or end of the lifetime of a variable.
    0x7b Lifetime lifetime { properties: LifetimeProperties, variable: VarId } is Misc
        as [@! {LifetimeEnd}]
    /// Split barrier.
    0x7c Sbarrier sbarrier { mode: BarrierMode } is Sync
        as [@! .mode]
    /// Atomic on dwords.
    0x7d DwordAtomic dword_atomic { op: Atomic, exec: Exec, pred: Pred, surface: SurfaceId,
                                      element_offset: Raw, src0: Raw, src1: Raw, dst: RawDst }
        is DataPort
        moves [element_offset: dwords(exec), _: atomic(exec, op)]
        as [pred @ {DataPortAtomic op} exec surface element_offset src0 src1 dst]
    /// IEEE square root.
    0x7e Sqrtm sqrtm { exec: Exec, pred: Pred, dst: Dst, src0: Vector } is Arith(IEEE)
    /// IEEE division.
    0x7f Divm divm { exec: Exec, pred: Pred, dst: Dst, src0: Vector, src1: Vector } is Arith(IEEE)
    /// Left rotation.
    0x80 Rol rol { exec: Exec, pred: Pred, dst: Dst, src0: Vector, src1: Vector } is Logic(ROTATE)
        on [from(Icllp)]
    /// Right rotation.
    0x81 Ror ror { exec: Exec, pred: Pred, dst: Dst, src0: Vector, src1: Vector } is Logic(ROTATE)
        on [from(Icllp)]
    /// Dot product of groups of four bytes, accumulated.
    0x82 Dp4a dp4a { exec: Exec, pred: Pred, dst: Dst, src0: Vector, src1: Vector, src2: Vector }
        is Arith(DP4A)
        on [from(Tgllp)]
    /// Systolic dot product. `w` is the precision of `src1`, `a` the precision of `src2`.
    0x83 Dpas dpas { exec: Exec, pred: Pred [igc2026], dst: RawDst, src0: Raw, src1: Raw,
                       src2: Vector, w: Precision, a: Precision, systolic_depth: u8,
                       repeat_count: u8 } is Misc
        on [from(XeHpSdv)]
        moves (Systolic)
        as [pred @! {DpasPrecision w} {DpasPrecision a} .systolic_depth .repeat_count exec dst src0 src1
            {DpasSource src2}]
    /// Addition of three sources.
    0x84 Add3 add3 { exec: Exec, pred: Pred, dst: Dst, src0: Vector, src1: Vector, src2: Vector }
        is Arith(ADD3)
        on [listed_from(XeHpSdv) garbled_until(XeHpSdv)]
    /// Boolean function of three sources, specified by its truth table.
    0x85 Bfn bfn { exec: Exec, pred: Pred, dst: Dst, src0: Vector, src1: Vector, src2: Vector,
                     boolean_func_ctrl: u8 } is Logic(BFN)
        on [listed_from(XeHpSdv) garbled_until(XeHpSdv)]
        as [pred @! {TruthTable boolean_func_ctrl} sat exec dst src0 src1 src2]
    /// Scattered read of qwords.
    0x86 QwGather qw_gather { exec: Exec, pred: Pred, num_blocks: BlockNum, surface: SurfaceId,
                                offset: Raw, dst: RawDst } is DataPort
        on [from(XeHpSdv)]
        moves [offset: dwords(exec), _: qword_blocks(exec, num_blocks)]
        as [pred @ .num_blocks exec surface offset dst]
    /// Scattered write of qwords.
    0x87 QwScatter qw_scatter { exec: Exec, pred: Pred, num_blocks: BlockNum, surface: SurfaceId,
                                  offset: Raw, src: Raw } is DataPort
        on [from(XeHpSdv)]
        moves [offset: dwords(exec), _: qword_blocks(exec, num_blocks)]
        as [pred @ .num_blocks exec surface offset src]
    /// Load, store or atomic through the load-store cache.
    0x89 LscUntyped lsc_untyped (family) is Lsc
        on [from(Dg2)]
    /// Load, store or atomic on a typed surface through the load-store cache.
    0x8a LscTyped lsc_typed (family) is Lsc
        on [from(Dg2)]
    /// Fence of the load-store cache.
    0x8b LscFence lsc_fence { exec: Exec, pred: Pred, sfid: LscSfid, op: LscFenceOp,
                                scope: LscScope } is Lsc
        on [from(Dg2)]
        as [{NoPred pred} {OneLane exec} @ {FenceSuffix sfid} {FenceSuffix op}
            {FenceSuffix scope}]
    /// Multiplication of the first two sources, plus the third, in double width.
    0x91 Madw madw { exec: Exec, pred: Pred, dst: Dst, src0: Vector, src1: Vector, src2: Vector }
        is Arith(MADW)
    /// Addition of three sources with an overflow flag.
    0x92 Add3o "add3.o" add3_o { exec: Exec, pred: Pred, dst: Dst, src0: Vector, src1: Vector,
                          src2: Vector } is Arith(ADD3O)
        on [listed_from(XeHpSdv)]
    /// Raw message with lengths in bytes.
    0x93 [igc2026] RawSendg raw_sendg { modifiers: SendFlags, exec: Exec, sfid: u32, pred: Pred,
                                          dst: RawDst, dst_len: u32, src0: Raw, src0_len: u32,
                                          src1: Raw, src1_len: u32, ind0: Scalar, ind1: Scalar,
                                          desc_low: u32, desc_high: u32 } is Misc
        moves [dst: bytes(dst_len), src0: bytes(src0_len), _: bytes(src1_len)]
        as [pred {@SendgWord modifiers} {SendgSfid sfid} exec dst "/" (dst_len) src0 "/" (src0_len) src1 "/"
           (src1_len) ind0 ind1 {WideDescriptor}]
    /// A stop for the debugger.
    0x94 [igc2026 since V4_2] Breakpoint breakpoint {} is Misc
    /// Table look-up by 4-bit indices.
    0x95 [igc2026 since V4_2] ShflIdx4 shfl_idx4 { exec: Exec, pred: Pred, dst: RawDst,
                                                   src0: Vector, src1: Vector } is Misc
        on [from(Xe3pCri)]
        moves [_: dwords(exec)]
    /// Hyperbolic tangent.
    0x96 [igc2026] Tanh tanh { exec: Exec, pred: Pred, dst: Dst, src0: Vector } is Arith(FUNCTION)
        on [from(Xe3pCri)]
    /// Sigmoid.
    0x97 [igc2026] Sigm sigm { exec: Exec, pred: Pred, dst: Dst, src0: Vector } is Arith(FUNCTION)
        on [from(Xe3pCri)]
    /// Linear feedback shift: the next value of each pseudorandom sequence.
    0x98 [igc2026 since V4_2] Lfsr lfsr { op: LfsrOp, exec: Exec, pred: Pred, dst: Dst,
                                          src0: Vector, src1: Vector } is Misc
        on [from(Xe3pCri)]
        as [pred @! .op exec dst src0 src1]
    /// Systolic dot product with scales per block. `w` is the precision of `src1`, `a` the precision
    /// of `src2`; `src3` scales `src1`, and `src4` scales `src2`.
    0x99 [igc2026 since V4_2] Bdpas bdpas { exec: Exec, pred: Pred, dst: RawDst, src0: Raw,
                                            src1: Raw, src2: Raw, src3: Vector, src4: Vector,
                                            w: Precision, a: Precision, systolic_depth: u8,
                                            repeat_count: u8 } is Misc
        on [from(Xe3pCri)]
        moves (Systolic)
        as [pred @! .w .a .systolic_depth .repeat_count exec dst src0 src1 src2 {DpasSource src3}
           {DpasSource src4}]
    /// Conversion of 16-bit numbers to 4 bits, packed into dwords. `bias` are random numbers for
    /// stochastic rounding.
    0x9a [igc2026 since V4_2] Dnscl dnscl { conversion: DnsclConversion, mode: DnsclMode,
                                            rounding: DnsclRounding, exec: Exec, pred: Pred,
                                            dst: RawDst, src0: Raw, src1: Raw, bias: Raw } is Misc
        on [from(Xe3pCri)]
        moves [dst: part_of_dwords(exec), _: dwords(exec)]
        as [pred @! .conversion .mode .rounding exec dst src0 src1 bias]
    /// Macro for the reciprocal. `early_out` is the predicate of the lanes whose result is final.
    0x9b [igc2026 since V4_2] Invm invm { exec: Exec, pred: Pred, dst: Dst, early_out: Dst,
                                          src0: Vector, src1: Vector } is Arith(MACRO)
    /// Macro for the reciprocal square root. `early_out` is as in INVM.
    0x9c [igc2026 since V4_2] Rsqtm rsqtm { exec: Exec, pred: Pred, dst: Dst, early_out: Dst,
                                            src0: Vector } is Arith(MACRO)
} } }

#[cfg(any(feature = "analysis", feature = "build", feature = "text", feature = "verify"))]
pub(crate) use instruction_table;

instruction_table!(instructions);
