//! The documentation of fields whose row has none: one text per name and type.

/// The documentation of a field of a struct, unless the row has one.
macro_rules! field_doc {
    ($field:ident: $ty:ident [$($text:literal)+]) => { "" };
    ($field:ident: $ty:ident []) => { $crate::isa::record::default_field_doc!($field: $ty) };
}

/// The documentation of a part of the layout.
#[cfg(feature = "text")]
#[rustfmt::skip]
macro_rules! part_doc {
    ($part:ident: $coding:tt [$($text:literal)+]) => { concat!($($text),+) };
    ($part:ident: ($($coding:tt)*) []) => { "" };
    ($part:ident: $ty:tt []) => { $crate::isa::record::default_field_doc!($part: $ty) };
}

/// The documentation of a field by its name and type.
#[rustfmt::skip]
macro_rules! default_field_doc {
    (exec: Exec) => { "The execution size and mask." };
    (pred: Pred) => { "The predicate, which selects the lanes that run." };
    (dst: CmpDst) => { "The destination: a predicate, or elements of a general variable." };
    (dst: Dst) => { "The destination." };
    (dst: RawDst) => { "The destination of the data that the instruction returns." };
    (carry: Dst) => { "The destination of the carry." };
    (borrow: Dst) => { "The destination of the borrow." };
    (src0: AddressOf) => { "The variable, surface or sampler whose address is taken." };
    (src0: $ty:ident) => { "The first source." };
    (src1: $ty:ident) => { "The second source." };
    (src2: $ty:ident) => { "The third source." };
    (src3: $ty:ident) => { "The fourth source." };
    (src: Raw) => { "The data to send." };
    (rel_op: Relation) => { "The relation to test." };
    (boolean_func_ctrl: u8) => { "The truth table of the function." };
    (conversion: DnsclConversion) => { "The types to convert from and to." };
    (mode: DnsclMode) => { "The positions of the results in a dword." };
    (rounding: DnsclRounding) => { "The rounding." };
    (bias: Raw) => { "The random numbers for stochastic rounding; null otherwise." };
    (early_out: Dst) => { "The predicate of the lanes whose result is final." };
    (w: Precision) => { "The precision of `src1`." };
    (a: Precision) => { "The precision of `src2`." };
    (systolic_depth: u8) => { "The systolic depth." };
    (repeat_count: u8) => { "The repeat count." };
    (op: $ty:ident) => { "The operation." };

    (label: LabelId) => { "The label." };
    (func_id: ShortStringId) => { "The name of the function." };
    (func_addr: Scalar) => { "The address of the function." };
    (arg_size: u8) => { "The size of the arguments, in registers." };
    (return_size: u8) => { "The size of the return value, in registers." };
    (file_name: StringId) => { "The name of the file." };
    (line_number: u32) => { "The number of the line." };
    (properties: LifetimeProperties) => { "The kind of the variable, and whether its lifetime ends." };
    (variable: VarId) => { "The id of the variable, in the table that `properties` specifies." };

    (surface: $ty:ident) => { "The surface." };
    (surface_index: u32) => { "The index of the surface." };
    (dst_surface: SurfaceId) => { "The surface that is written." };
    (sampler: $ty:ident) => { "The sampler." };
    (channels: ChannelMask) => { "The channels." };
    (channels: ChannelsMode) => { "The channels and the mode." };
    (modifiers: $ty:ident) => { "The modifiers." };
    (is_modified: u8) => { "1 if the surface may have been modified, otherwise 0." };
    (plane: u8) => { "The plane of a planar format, 0 to 3." };
    (block_width: $ty:ident) => { "The width of the block." };
    (block_height: $ty:ident) => { "The height of the block." };
    (size: OwordNum) => { "The number of owords." };
    (block: SvmBlock) => { "The size of the block, and whether its address is unaligned." };
    (block_size: BlockType) => { "The size of a block." };
    (block_size: u8) => { "Should be zero; readers ignore it." };
    (scale: u16) => { "Should be zero; readers ignore it." };
    (num_blocks: BlockNum) => { "The number of blocks per lane." };
    (elt_size: ElementSize) => { "The size of an element." };
    (num_elts: NumElts) => { "The number of elements, and the mask." };
    (offset: Raw) => { "The offset of each lane." };
    (offset: Scalar) => { "The offset into the surface." };
    (global_offset: $ty:ident) => { "The offset that is added to those of all elements." };
    (element_offset: Raw) => { "The offset of each element." };
    (offsets: Raw) => { "The offset of each element." };
    (address: Scalar) => { "The address." };
    (addresses: Raw) => { "The address of each lane." };
    (x_offset: Scalar) => { "The X offset." };
    (y_offset: Scalar) => { "The Y offset." };
    (u: Raw) => { "The U coordinates." };
    (v: Raw) => { "The V coordinates." };
    (r: Raw) => { "The R coordinates." };
    (lod: Raw) => { "The level of detail." };
    (u_offset: Scalar) => { "The U coordinate of the first pixel." };
    (v_offset: Scalar) => { "The V coordinate of the first pixel." };
    (delta_u: Scalar) => { "The distance between pixels in the direction of U." };
    (delta_v: Scalar) => { "The distance between pixels in the direction of V." };
    (mode: $ty:ident) => { "The mode." };
    (exec_mode: $ty:ident) => { "The size of the block to process." };
    (cntrl: OutputFormat) => { "The format of the output." };
    (pixel_size: HdcPixelSize) => { "The size of the pixels that are written." };

    (sfid: $ty:ident) => { "The shared function that receives the message." };
    (desc: Scalar) => { "The message descriptor." };
    (ex_msg_desc: $ty:ident) => { "The extended message descriptor." };
    (desc_low: u32) => { "The low half of the message descriptor." };
    (desc_high: u32) => { "The high half of the message descriptor." };
    (num_src: u8) => { "The size of `src`, in registers." };
    (num_src0: u8) => { "The size of `src0`, in registers." };
    (num_src1: u8) => { "The size of `src1`, in registers." };
    (num_dst: u8) => { "The size of `dst`, in registers." };
    (dst_len: u32) => { "The size of `dst`, in bytes." };
    (src0_len: u32) => { "The size of `src0`, in bytes." };
    (src1_len: u32) => { "The size of `src1`, in bytes." };
    (ind0: Scalar) => { "The first indirect descriptor." };
    (ind1: Scalar) => { "The second indirect descriptor." };

    (mask: FenceFlags) => { "The modifiers." };
    (mask: Scalar) => { "The mask of notifications to wait for." };
    (id: Scalar) => { "The id of the barrier." };
    (barrier_type: Scalar) => { "The type of the barrier." };
    (num_producers: Scalar) => { "The number of producers." };
    (num_consumers: Scalar) => { "The number of consumers." };

    (l1: LscCache) => { "The policy of the L1 cache." };
    (l2: LscCache) => { "The policy of the L2 cache, with efficient 64-bit addressing." };
    (flags: LscFlags) => { "The modifiers." };
    (cache_op: LscCacheOp) => { "The change." };
    (cache_size: LscCacheSize) => { "The number of bytes per lane." };
    (payload: Scalar) => { "Eight dwords with base, width, height, pitch, X and Y of the block, instead of the operands for these; may be null." };
    (x_offset: i32) => { "The offset that is added to `x`." };
    (y_offset: i32) => { "The offset that is added to `y`." };
    (l3: LscCache) => { "The policy of the L3 cache." };
    (addr_type: LscAddrType) => { "The base of the addresses." };
    (addr_scale: u16) => { "The factor that addresses are multiplied by." };
    (addr_offset: i32) => { "The offset that is added to addresses." };
    (addr_size: LscAddrSize) => { "The size of an address." };
    (data_size: LscDataSize) => { "The size of a data element." };
    (data_order: LscDataOrder) => { "Whether the data is transposed." };
    (data_elems: LscDataElems) => { "The number of data elements per address." };
    (addrs: Raw) => { "The address of each lane." };
    (addr_base: Raw) => { "The base address." };
    (addr_pitch: Scalar) => { "The distance between the addresses of lanes." };
    (u_offset: i32) => { "The offset that is added to `u`." };
    (v_offset: i32) => { "The offset that is added to `v`." };
    (r_offset: i32) => { "The offset that is added to `r`." };
    (blocks: u8) => { "The number of blocks." };
    (vnni: u8) => { "1 for the VNNI layout, otherwise 0." };
    (surface_base: Scalar) => { "The base address of the surface." };
    (surface_width: Scalar) => { "The width of the surface." };
    (surface_height: Scalar) => { "The height of the surface." };
    (surface_pitch: Scalar) => { "The pitch of the surface." };
    (x: Scalar) => { "The X coordinate of the block." };
    (y: Scalar) => { "The Y coordinate of the block." };
    (scope: LscScope) => { "The scope." };

    (uni_input: Raw) => { "The input that all operations have." };
    (output: RawDst) => { "The destination of the result." };
    (num_out: u8) => { "The number of outputs, 1 to 8." };
    (urb_handle: Raw) => { "The URB handles." };
    (per_slot_offset: Raw) => { "The offset of each slot; may be null." };
    (channel_mask: Raw) => { "The channel masks; may be null." };
    (vertex_data: Raw) => { "The data to write." };
    ($field:ident: $ty:ident) => {
        concat!("The field `", stringify!($field), "`.")
    };
}

#[cfg(feature = "text")]
pub(in crate::isa) use part_doc;
pub(in crate::isa) use {default_field_doc, field_doc};
