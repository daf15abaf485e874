//! Constants, modifiers and alignments mean what they say, or are rejected.

use super::*;

#[test]
fn rejects_modifiers_of_other_operands_than_variables() {
    check_rejected(&[
        (
            "mov (M1, 8) D(0,0)<1> (-)0x2a:d",
            "expected a variable after the modifier `(-)`, found `0x2a`",
        ),
        (
            "mov (M1, 8) F(0,0)<1> (abs)-1.5:f",
            "expected a variable after the modifier `(abs)`, found `-`",
        ),
        (
            "and (M1, 8) D(0,0)<1> D(0,0)<1;1,0> (~)(1+2):d",
            "expected a variable after the modifier `(~)`, found `(`",
        ),
        (
            "mov (M1, 8) D(0,0)<1> (-)P",
            "expected an operand that takes a modifier, found predicate `P`",
        ),
        (
            "mov (M1, 8) AD(0)<1> (-)AD(0)<1>",
            "expected an operand that takes a modifier, found address variable `AD`",
        ),
        (
            "movs (M1, 1) T6(0) (-)S0(0)",
            "expected an operand that takes a modifier, found sampler `S0`",
        ),
        ("addr_add (M1, 1) AD(0)<1> (-)&D 0x0:uw", "expected an operand, found `&`"),
        ("mov (M1, 8) (-)D(0,0)<1> 0x0:d", "expected a destination, found `(`"),
        (
            "dpas.s8.s8.8.8 (M1, 8) D.0 %null.0 D.0 (-)D(0,0)",
            "expected a general variable, found `(`",
        ),
    ]);
    check_accepted(&[(
        "mov (M1, 8) D(0,0)<1> (-) D(0,0)<0;1,0>",
        "mov (M1, 8) D(0,0)<1> (-)D(0,0)<0;1,0>",
    )]);
}

#[test]
fn builder_negates_constants() {
    let format = formats()[0];
    let mut k = Builder::new("k", format);
    let x = k.add_variable("x", DataType::F, 16, Align::GRF);
    let of = |value: Operand<Vector>| value;
    k.mov(ExecSize::S8, x, -of(42i32.into()));
    k.mov(ExecSize::S8, x, -of(1.5f32.into()));
    k.mov(ExecSize::S8, x, -of(Imm::hf(0x3c00).into()));
    k.mov(ExecSize::S8, x, of((-3i8).into()).abs());
    k.mov(ExecSize::S8, x, -x.scalar().abs());
    k.mov(ExecSize::S8, x, -(-x.scalar()));
    let kernel = k.into_kernel().expect("a kernel without errors");
    let decoded = kernel.body.code.instructions(format);
    let sources: Vec<String> = decoded
        .map(|item| item.expect("legal code").1.to_string())
        .map(|text| text.rsplit(' ').next().unwrap_or_default().to_owned())
        .collect();
    let expected = [
        "0xffffffd6:d",
        "0xbfc00000:f",
        "0xbc00:hf",
        "0x3:b",
        "(-abs)V32(0,0)<0;1,0>",
        "V32(0,0)<0;1,0>",
    ];
    assert_eq!(sources, expected);
    let faults: [fn(&mut Builder) -> Operand<Vector>; 6] = [
        |_| -Operand::from(42u32),
        |_| -Operand::from(i32::MIN),
        |_| Operand::from(1i32).with_modifier(Modifier::NEG),
        |k| -Operand::from(k.add_predicate("p", 8)),
        |k| -k.add_address("a", 1).elements(0, AddrWidth::W1),
        |k| -k.add_variable("y", DataType::D, 8, Align::GRF).scalar().with_modifier(Modifier::NOT),
    ];
    for (at, fault) in faults.into_iter().enumerate() {
        let mut k = Builder::new("k", format);
        let x = k.add_variable("x", DataType::D, 16, Align::GRF);
        let source = fault(&mut k);
        k.mov(ExecSize::S8, x, source);
        let errors = k.into_kernel().expect_err("a fault");
        let kind = &errors.iter().next().expect("an error").kind;
        assert!(matches!(kind, ErrorKind::Operand { .. }), "{at}: {kind:?}");
    }
}

#[test]
fn numeric_alignments_are_bytes() {
    let align = |text: &str| {
        let line = format!(".decl V v_type=G type=d num_elts=8 align={text}");
        parsed(&line, formats()[0])
            .map(|module| module.kernels[0].body.variables.last().expect("a variable").align)
            .map_err(|found| found[0].to_string())
    };
    let expected = [
        (1, Align::BYTE),
        (2, Align::WORD),
        (4, Align::DWORD),
        (8, Align::QWORD),
        (16, Align::OWORD),
        (32, Align::HWORD),
        (64, Align::WORDX32),
        (128, Align::WORDX64),
    ];
    for (bytes, code) in expected {
        assert_eq!(align(&bytes.to_string()), Ok(code));
    }
    assert_eq!(align("0x10"), Ok(Align::OWORD));
    assert_eq!(align("(8*4)"), Ok(Align::HWORD));
    assert_eq!(align("8*4"), Ok(Align::HWORD));
    assert_eq!(align("2GRF"), Ok(Align::GRFX2));
    for bytes in [0, 3, 10, 256] {
        let message = format!("expected 1, 2, 4, 8, 16, 32, 64 or 128 bytes, found `{bytes}`");
        assert_eq!(align(&bytes.to_string()), Err(message));
    }
    assert_eq!(align("4word"), Err("expected the end of the line, found `word`".to_owned()));
    assert_eq!(align("dwrod"), Err("expected an alignment, found `dwrod`".to_owned()));
}

/// An alignment without a name survives text.
#[test]
fn unnamed_alignments_are_annotated() {
    for bits in 10..16 {
        let mut module = Module::new(formats()[0]);
        let mut kernel = Kernel::new("k");
        let align = Align::from_bits(bits).expect("four bits");
        kernel.body.add_variable("v", DataType::D, 8, align);
        module.kernels.push(kernel);
        let text = printed(&module);
        assert!(text.contains(&format!(" num_elts=8 //@ align={bits}\n")), "{text}");
        assert_eq!(parse(&text, module.format).as_ref(), Ok(&module), "{text}");
    }
}

#[test]
fn integers_of_float_types_are_bits() {
    let read = |number: &str| reprint(&format!("mov (M1, 8) F(0,0)<1> {number}"), formats()[0]);
    for (number, expected) in [
        ("1:f", "0x1:f"),
        ("0x1:f", "0x1:f"),
        ("-1:f", "0x80000001:f"),
        ("-0x1:f", "0x80000001:f"),
        ("- 0x80000001:f", "0x1:f"),
        ("-0:f", "0x80000000:f"),
        ("1.0:f", "0x3f800000:f"),
        ("-1.5:f", "0xbfc00000:f"),
        ("1e-3:f", "0x3a83126f:f"),
        ("1:df", "0x1:df"),
        ("-1:df", "0x8000000000000001:df"),
        ("1.5:df", "0x3ff8000000000000:df"),
        ("0x3c00:hf", "0x3c00:hf"),
    ] {
        assert_eq!(read(number), format!("mov (M1, 8) F(0,0)<1> {expected}"), "{number}");
    }
    let hf = "expected hexadecimal bits of type `hf`, such as `0x3c00:hf`";
    for (number, expected) in [
        ("1:hf", format!("{hf}, found `1`")),
        ("-0x3c00:hf", format!("{hf}, found `-`")),
        ("0x3c000:hf", "`0x3c000` is out of range for type `hf`".into()),
        ("1.5:hf", "expected type `f` or `df` after a fraction, found `hf`".into()),
        ("1.5:d", "expected type `f` or `df` after a fraction, found `d`".into()),
        ("1.5e3:f", "expected a type, such as `:f`, found `e3`".into()),
        ("(1-2):f", "expected an integer type after an expression, found `f`".into()),
        ("~1:df", "expected an integer type after an expression, found `df`".into()),
        ("0x100000000:f", "`0x100000000` is out of range for type `f`".into()),
        ("4294967296:f", "`4294967296` is out of range for type `f`".into()),
    ] {
        check_rejected(&[(&format!("mov (M1, 8) F(0,0)<1> {number}"), &expected)]);
    }
}

#[test]
fn rejects_integers_out_of_the_range_of_their_width() {
    let read = |number: &str| reprint(&format!("mov (M1, 8) D(0,0)<1> {number}"), formats()[0]);
    for (number, expected) in [
        ("-1:ud", "0xffffffff:ud"),
        ("4294967295:d", "0xffffffff:d"),
        ("-2147483648:ud", "0x80000000:ud"),
        ("65535:w", "0xffff:w"),
        ("-1:w", "0xffffffff:w"),
        ("-1:uw", "0xffffffff:uw"),
        ("255:b", "0xff:b"),
        ("-128:b", "0xffffff80:b"),
        ("-1:uq", "0xffffffffffffffff:uq"),
        ("0xffffffff:w", "0xffffffff:w"),
        ("0xffffff80:b", "0xffffff80:b"),
        ("0xffff:w", "0xffff:w"),
        ("0xffffffff:bf", "0xffffffff:bf"),
        ("0xffffffff:bool", "0xffffffff:bool"),
        ("-5:uv", "0xfffffffb:uv"),
    ] {
        assert_eq!(read(number), format!("mov (M1, 8) D(0,0)<1> {expected}"), "{number}");
    }
    for (number, ty) in [
        ("0x107", "ub"),
        ("0x1ff", "ub"),
        ("0x10000", "uw"),
        ("0xffff7fff", "w"),
        ("0xffff0000", "w"),
        ("0xffffff7f", "b"),
        ("65536", "w"),
        ("-32769", "w"),
        ("256", "ub"),
        ("300", "ub"),
        ("4294967296", "ud"),
        ("-2147483649", "d"),
        ("0x100000000", "d"),
        ("-0x8000000000000001", "q"),
    ] {
        let expected = format!("`{number}` is out of range for type `{ty}`");
        check_rejected(&[(&format!("mov (M1, 8) D(0,0)<1> {number}:{ty}"), &expected)]);
    }
}
