//! Feature `serde`: values round-trip, have the documented form, and are checked when deserialized.

use std::fmt::Debug;

use genvisa::build::Builder;
use genvisa::isa::{
    Add, Barrier, Cmp, Info, Labels, Param, Params, RtWriteFlags, RtWriteMode, Sample3d,
    SampleFlags, SampleOp, SwitchJmp, Wait,
};
use genvisa::object::Align;
use genvisa::operand::{
    AddrId, Aoffimmi, Atomic, AtomicOp, ChannelMask, DataType, Dst, Exec, ExecMask, ExecSize,
    FenceFlags, Imm, LabelId, Modifier, OwordNum, Pred, PredId, Raw, Region, RelOp, Relation,
    SamplerId, Stride, SurfaceId, SvmBlock, TypeByte, VarId, Vector,
};
use genvisa::strategy::rows;
use genvisa::verify::{Severity, Verifier};
use genvisa::{Boundaries, Dialect, Format, Instruction, Module, Version};
use genvisa_test_support::formats;
use genvisa_test_support::random::{cases, runner};
use proptest::prelude::*;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, from_str, from_value, json, to_string, to_value};

#[test]
fn every_row_round_trips_in_json_and_binary() {
    for (salt, format) in formats::all().into_iter().enumerate() {
        for (opcode, strategy) in rows(format) {
            runner(cases(12) as u32, salt)
                .run(&strategy, |instruction| {
                    let text = to_string(&instruction).expect("an instruction has a text");
                    let read: Instruction =
                        from_str(&text).map_err(|e| TestCaseError::fail(format!("{e}: {text}")))?;
                    prop_assert_eq!(read, instruction, "{}", text);

                    let bytes = postcard::to_allocvec(&instruction).expect("and bytes");
                    let read: Instruction = postcard::from_bytes(&bytes)
                        .map_err(|e| TestCaseError::fail(format!("{e}: {bytes:02x?}")))?;
                    prop_assert_eq!(read, instruction, "{:02x?}", bytes);
                    Ok(())
                })
                .unwrap_or_else(|error| panic!("opcode {opcode:#04x} in {format}: {error}"));
        }
    }
}

/// Asserts that a value serializes to JSON, and deserializes from it.
fn assert_json<T: Serialize + DeserializeOwned + PartialEq + Debug>(value: T, json: Value) {
    assert_eq!(to_value(&value).unwrap(), json);
    assert_eq!(from_value::<T>(json).unwrap(), value);
}

#[test]
fn instructions_serialize_as_their_fields() {
    let add = Add {
        exec: Exec::new(ExecSize::S16, ExecMask::M1_NM),
        pred: Pred::new(PredId(1)).unwrap().inverted(),
        dst: Dst(Dst::new(VarId(32)).0.with_modifier(Modifier::SAT)),
        src0: Vector::general_at(VarId(33), 1, 2, Region::new(Stride::S8, Stride::S8, Stride::S1)),
        src1: Imm::w(-1).into(),
    };
    let expected = json!({
        "Add": {
            "exec": { "size": 16, "mask": "M1_NM" },
            "pred": 0x8001,
            "dst": {
                "modifier": "sat",
                "kind": { "General": { "var": 32, "row": 0, "col": 0, "region": 0x200 } },
            },
            "src0": {
                "modifier": "none",
                "kind": { "General": { "var": 33, "row": 1, "col": 2, "region": 0x255 } },
            },
            "src1": {
                "modifier": "none",
                "kind": { "Immediate": { "ty": "w", "bits": 0xffff_ffffu32 } },
            },
        },
    });
    assert_json(Instruction::from(add), expected);
}

#[test]
fn sample_3d_serializes_as_its_fields() {
    let sample = Sample3d {
        op: SampleOp::SAMPLE_L,
        flags: SampleFlags::PIXEL_NULL_MASK | SampleFlags::CPS,
        exec: ExecSize::S8.into(),
        pred: Pred::NONE,
        channels: ChannelMask::R | ChannelMask::G | ChannelMask::B,
        aoffimmi: Aoffimmi::new(-8, 7, -1).unwrap(),
        sampler: SamplerId::BINDLESS.into(),
        surface: SurfaceId(6).into(),
        dst: Raw::new(VarId(34), 64),
        paired_surface: None,
        params: Params::new(&[Raw::new(VarId(35), 0), Raw::new(VarId(36), 32)]).unwrap(),
    };
    let expected = json!({
        "Sample3d": {
            "op": "sample_l",
            "flags": "PIXEL_NULL_MASK | CPS",
            "exec": { "size": 8, "mask": "M1" },
            "pred": 0,
            "channels": "RGB",
            "aoffimmi": {
                "modifier": "none",
                "kind": { "Immediate": { "ty": "uw", "bits": 0x087f } },
            },
            "sampler": 31,
            "surface": 6,
            "dst": { "var": 34, "offset": 64 },
            "paired_surface": null,
            "params": [{ "var": 35, "offset": 0 }, { "var": 36, "offset": 32 }],
        },
    });
    assert_json(Instruction::from(sample), expected);
}

#[test]
fn small_instructions_serialize_as_their_fields() {
    assert_json(Instruction::from(Barrier {}), json!({ "Barrier": {} }));
    assert_json(Instruction::from(Wait { mask: None }), json!({ "Wait": { "mask": null } }));
    let info = Info { lod: Some(Raw::NULL), ..Info::default() };
    let expected = json!({
        "Info": {
            "exec": { "size": 1, "mask": "M1" },
            "channels": "RGBA",
            "surface": 0,
            "lod": { "var": 0, "offset": 0 },
            "dst": { "var": 0, "offset": 0 },
        },
    });
    assert_json(Instruction::from(info), expected);
    let switch = SwitchJmp {
        index: Vector::indirect(AddrId(1), 2, -3, DataType::UB, Region::SCALAR),
        labels: Labels::new(&[LabelId(4), LabelId(5)]).unwrap(),
        ..SwitchJmp::default()
    };
    let index = json!({ "Indirect": {
        "addr": 1, "addr_offset": 2, "offset": -3, "ty": "ub", "region": 0x121,
    } });
    let expected = json!({
        "SwitchJmp": {
            "exec": { "size": 1, "mask": "M1" },
            "index": { "modifier": "none", "kind": index },
            "labels": [4, 5],
        },
    });
    assert_json(Instruction::from(switch), expected);
}

#[test]
fn coded_values_serialize_as_names_or_numbers() {
    assert_json(RelOp::GE, json!("ge"));
    assert_json(RelOp::from_bits(7).unwrap(), json!(7));
    assert_eq!(from_str::<RelOp>("3").unwrap(), RelOp::GE);

    assert_json(Relation::from(RelOp::LT), json!("lt"));
    assert_json(Relation::from_bits(0x84), json!(0x84));
    assert_json(Atomic::new(AtomicOp::IMAX, 64).unwrap(), json!("maxsint.64"));
    assert_json(Atomic::from_bits(0x60), json!(0x60));
    assert_json(TypeByte::from(DataType::HF), json!("hf"));
    assert_json(TypeByte::from_bits(0x17), json!(0x17));
    assert_json(SvmBlock::new(OwordNum::N4, true), json!(0x0a));
    assert_json(ChannelMask::empty(), json!("0000"));
    assert_eq!(from_str::<ChannelMask>("5").unwrap(), ChannelMask::R | ChannelMask::B);
    assert_json(FenceFlags::COMMIT | FenceFlags::L1, json!("COMMIT | L1"));
    assert_json(FenceFlags::empty(), json!(""));
    assert_eq!(from_str::<RtWriteFlags>("4224").unwrap().bits(), 0x1080);
    assert_json(RtWriteMode::Z | RtWriteMode::SI, json!("Z | SI"));
    // The encodings of M1 in vISA 3.0 are distinct.
    assert_json(ExecMask::legacy(9).unwrap(), json!(25));

    for op in (0..=RelOp::MAX_BITS).filter_map(RelOp::from_bits) {
        assert_eq!(postcard::to_allocvec(&op).unwrap(), [op.bits()]);
    }
    assert_eq!(postcard::to_allocvec(&ExecSize::S32).unwrap(), [32]);
    assert_eq!(postcard::to_allocvec(&ChannelMask::RGBA).unwrap(), [15]);
}

/// This also shows that names are unique.
#[test]
fn every_coded_value_round_trips_in_json() {
    fn assert_round_trips<T>(values: impl IntoIterator<Item = T>)
    where
        T: Serialize + DeserializeOwned + PartialEq + Debug,
    {
        for value in values {
            let text = to_string(&value).unwrap();
            assert_eq!(from_str::<T>(&text).unwrap(), value, "{text}");
        }
    }
    macro_rules! codes {
        ($($module:ident: $($name:ident)*;)*) => {$($(
            assert_round_trips((0..=u8::MAX).filter_map(genvisa::$module::$name::from_bits));
        )*)*};
    }
    codes! {
        operand: AddrWidth AtomicOp BarrierMode BlockNum BlockType ChannelMask DataType ElementSize
            ExecMask ExecSize FenceFlags IfcallFlags LifetimeClass MediaModifier MinMaxOp Modifier
            NumEltsCount OwordNum PredControl Precision RelOp SampleMode SendFlags StateClass Stride;
        isa: SampleFlags SampleOp SamplerOp;
        object: AliasScope Align InputClass LabelKind;
    }
    macro_rules! coded {
        ($($module:ident: $($name:ident)*;)*) => {$($(
            assert_round_trips((0..=u8::MAX).filter_map(genvisa::operand::$module::$name::from_bits));
        )*)*};
    }
    coded! {
        lsc: LscOp LscSfid LscCache LscCacheOp LscCacheSize LscAddrType LscAddrSize LscDataSize
            LscDataOrder LscDataElems LscFenceOp LscScope;
        va: OutputFormat AvsExecMode FilterExecMode ErodeDilateMode MinMaxEnable LbpMode
            HdcPixelSize;
    }
    assert_round_trips((0..=u8::MAX).map(Atomic::from_bits));
    assert_round_trips((0..=u8::MAX).map(Relation::from_bits));
    assert_round_trips((0..=u8::MAX).map(SvmBlock::from_bits));
    assert_round_trips((0..=u8::MAX).map(TypeByte::from_bits));
    assert_round_trips((0..=15).filter_map(ExecMask::legacy));
    assert_round_trips((0..=u16::MAX).filter_map(RtWriteFlags::from_bits));
    assert_round_trips((0..=u16::MAX).filter_map(RtWriteMode::from_bits));
    assert_round_trips(Param::ALL);
}

#[test]
fn formats_serialize_as_names() {
    assert_json(Format::igc2022(Version::V3_6), json!({ "dialect": "igc2022", "version": "3.6" }));
    for dialect in Dialect::ALL {
        assert_json(dialect, json!(dialect.name()));
    }
    for version in Version::BINARY {
        assert_json(*version, json!(version.to_string()));
    }
    for param in Param::ALL {
        assert_json(param, json!(param.name()));
    }
    for format in formats::all() {
        let bytes = postcard::to_allocvec(&format).unwrap();
        assert_eq!(postcard::from_bytes::<Format>(&bytes).unwrap(), format);
    }
}

#[track_caller]
fn assert_rejected<T: DeserializeOwned + Debug>(json: Value, expected: &str) {
    let error = from_str::<T>(&json.to_string()).expect_err("an error").to_string();
    assert!(error.starts_with(expected), "{error}");
}

#[test]
fn rejects_invalid_values_in_json() {
    assert_rejected::<Region>(
        json!(0x1121),
        "invalid value: integer `4385`, expected a region word, whose bits 12 to 15 are zero",
    );
    assert_rejected::<Region>(json!(0x1_0121), "invalid value: integer `65825`");
    assert_rejected::<Pred>(
        json!(0x1001),
        "invalid value: integer `4097`, expected a predicate word, whose bit 12 is zero",
    );
    assert_rejected::<ExecSize>(
        json!(64),
        "invalid value: integer `64`, expected 1, 2, 4, 8, 16 or 32 lanes",
    );
    assert_rejected::<ExecSize>(json!(3), "invalid value: integer `3`");
    assert_rejected::<ExecSize>(json!("16"), "invalid value: string \"16\", expected 1, 2,");
    assert_rejected::<ExecMask>(json!(16), "invalid value: integer `16`, expected M1, M2,");
    assert_rejected::<ExecMask>(json!(32), "invalid value: integer `32`");
    assert_rejected::<RelOp>(
        json!("gte"),
        "invalid value: string \"gte\", expected eq, ne, gt, ge, lt, le or a number up to 7",
    );
    assert_rejected::<RelOp>(json!(8), "invalid value: integer `8`");
    assert_rejected::<RelOp>(json!(-1), "invalid value: integer `-1`");
    assert_rejected::<RelOp>(json!(256), "invalid value: integer `256`");
    assert_rejected::<RelOp>(json!(null), "invalid type: null, expected eq, ne,");
    assert_rejected::<ChannelMask>(
        json!(16),
        "invalid value: integer `16`, expected 0000, R, G, RG,",
    );
    assert_rejected::<ChannelMask>(json!("BGR"), "invalid value: string \"BGR\"");
    assert_rejected::<SampleFlags>(
        json!("CPS | 0x1"),
        "invalid value: string \"CPS | 0x1\", expected flags out of PIXEL_NULL_MASK CPS",
    );
    assert_rejected::<SampleFlags>(json!(1), "invalid value: integer `1`");
    assert_rejected::<RtWriteFlags>(json!(4), "invalid value: integer `4`");
    assert_rejected::<RtWriteMode>(json!(1), "invalid value: integer `1`");
    assert_rejected::<Imm>(
        json!({ "ty": "ud", "bits": 0x1_0000_0000u64 }),
        "invalid value: integer `4294967296`, expected bits that fit the type",
    );
    assert_rejected::<Params>(
        json!(vec![Raw::NULL; 16]),
        "invalid length 16, expected at most 15 parameters",
    );
    assert_rejected::<Labels>(json!([]), "invalid length 0, expected 1 to 32 labels");
    assert_rejected::<Labels>(json!(vec![0; 33]), "invalid length 33, expected 1 to 32 labels");
    assert_rejected::<Labels>(json!(vec![0; 300]), "invalid length 300");
    assert_rejected::<Version>(json!("4.3"), "expected a version: 3.0 to 3.8, 4.0 to 4.2 or 4.8");
    assert_rejected::<Version>(json!("new"), "expected a version: 3.0 to 3.8");
    assert_rejected::<Dialect>(
        json!("igc2023"),
        "unknown variant `igc2023`, expected one of `manual`",
    );
}

#[test]
fn rejects_invalid_values_in_binary() {
    assert!(postcard::from_bytes::<ExecSize>(&[64]).is_err());
    assert!(postcard::from_bytes::<ExecMask>(&[16]).is_err());
    assert!(postcard::from_bytes::<RelOp>(&[8]).is_err());
    assert!(postcard::from_bytes::<ChannelMask>(&[16]).is_err());
    // 0x1000 in LEB128
    assert!(postcard::from_bytes::<Region>(&[0x80, 0x20]).is_err());
    assert!(postcard::from_bytes::<Pred>(&[0x80, 0x20]).is_err());
    assert!(postcard::from_bytes::<Labels>(&[0]).is_err());
    // A `ud` of 2 to the power of 32
    assert!(postcard::from_bytes::<Imm>(&[0, 0x80, 0x80, 0x80, 0x80, 0x10]).is_err());
}

/// Without this, a misspelt optional field would be `None`.
#[test]
fn rejects_unknown_fields_and_instructions() {
    assert_rejected::<Instruction>(
        json!({ "Wait": { "maks": null } }),
        "unknown field `maks`, expected `mask`",
    );
    assert_rejected::<Instruction>(json!({ "Barrier": { "mask": 0 } }), "unknown field `mask`");
    assert_rejected::<Instruction>(
        json!({ "Nop": {} }),
        "unknown variant `Nop`, expected one of `Add`",
    );
    let mut cmp = to_value(Instruction::from(Cmp::default())).unwrap();
    cmp["Cmp"]["src0"]["kind"]["General"]["region"] = json!(0xffff);
    assert_rejected::<Instruction>(cmp, "invalid value: integer `65535`, expected a region word");
}

#[test]
fn findings_and_boundaries_serialize() {
    let mut k = Builder::new("k", Format::default());
    let dst = k.add_variable("dst", DataType::D, 32, Align::GRF);
    k.sampleinfo(ExecSize::S8, ChannelMask::RGBA, SurfaceId(1), dst);
    let mut module = Module::new(k.format());
    module.kernels.push(k.into_kernel().unwrap());
    let verifier = Verifier::new().deny("info-dst-type").unwrap();
    let findings = verifier.check_module(&module);
    let expected = json!([{
        "rule": "info-dst-type",
        "severity": "error",
        "routine": 0,
        "path": ["kernel `k`", "instruction 0 info_3d", "dst"],
        "instruction": 0,
        "offset": 0,
        "name": null,
        "message": "expected ud, found d",
        "found": "d",
        "expected": "ud",
    }]);
    assert_eq!(to_value(findings).unwrap(), expected);
    assert_eq!(to_value(Severity::Warning).unwrap(), json!(Severity::Warning.to_string()));

    let boundary = Boundaries::new(&[0x52, 7, 0, 0, 0], Format::default()).next().unwrap().unwrap();
    assert_eq!(to_value(boundary).unwrap(), json!({ "offset": 0, "len": 5, "opcode": 0x52 }));
}
