//! The syntax of items for readers: names of fields, with optional parts in brackets. `{}` is the names of the item's
//! fields, joined by `+`.

use super::*;

macro_rules! syntax {
    ($($item:ident $text:literal,)*) => {$(
        impl $item {
            pub(in crate::text) const SYNTAX: &'static str = $text;
        }
    )*};
}

syntax! {
    BarrierSuffix ".mode",
    Block2dAddress "surface_base, surface_width, surface_height, surface_pitch, x+x_offset, y+y_offset",
    BarrierThreads "[ barrier_type num_producers num_consumers]",
    BlockDimension "{}",
    Callee " label",
    CarrySat "[.sat]",
    ChannelsOutput ".channels.output_format",
    ChannelsSimd ".channels (exec)",
    CmpRelation ".rel_op",
    Connectivity " neighbors",
    ConvolveProperties " mode size",
    Coordinate2d "{}",
    Coordinates "[u+u_offset, v+v_offset, r+r_offset, lod]:addr_size",
    CounterSource " src:data_size",
    DataPortAtomic ".op[.64]",
    Descriptor " ex_msg_desc",
    DpasPrecision ".{}",
    DpasSource " {}",
    FenceOptions ".options",
    FenceSuffix ".{}",
    FilterMode " mode",
    FunctionName " name",
    HdcConvolveProperties " format size",
    IfcallSuffixes "[.uniform][.noreturn]",
    InfoChannels ".channels",
    JumpExec " (exec)",
    LabelLine "label:",
    Letters ".channels",
    LifetimeEnd ".start variable",
    LineMode " mode",
    LscAddrSizeText ":addr_size",
    LscCaches "[.l1.l3]",
    LscDst "[ dst:data_size]",
    LscExec " (exec)",
    LscOffset "+addr_offset",
    LscPitch ", addr_pitch",
    LscRegister "{}",
    LscScale "addr_scale*",
    LscSizeOf ":addr_size",
    LscSrc1 "[ src1:data_size]",
    LscSrc2 "[ src2]",
    LscSuffix "[.flags]",
    LscSurface " addr_type(surface)",
    LscUntypedSfid ".sfid",
    ManualExec " (exec)",
    ManualRtWriteModes "[.mode]",
    MediaModifierBits ".modifiers",
    MediaModifiers "[.modifiers]",
    MediaPlane " plane",
    MinMaxMode " mode",
    Modified "[.mod]",
    NoInfoChannels "",
    NoPred "",
    OneChannel ".channel",
    OneLane "",
    Parameters " params",
    PairedSurface " paired_surface",
    RawLabel " label",
    RtWriteHeader " [header]",
    RtWriteModes "[.mode]",
    SendgSfid ".sfid",
    SendsLengths ".sfid.src0_len.src1_len.dst_len",
    SubroutineLines ".function label",
    SurfaceName " surface",
    SvmSize ".alignment (block)",
    SwitchLabels " (labels)",
    TruthTable ".boolean_func_ctrl",
    TypedPred "[(pred)] ",
    VmeSurface " surface",
    WaitMask " mask",
    WideDescriptor " descriptor",
    Zero "",
}

impl<const HAS_CPS: bool> Flags<HAS_CPS> {
    pub(in crate::text) const SYNTAX: &'static str = "[.flags]";
}
