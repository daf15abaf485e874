//! Inline assembly in SPIR-V.

use genvisa_inline::source::{Block, Content, Language, Source, find};
use genvisa_inline::{AddressSpace, Element, Lanes, Path, Type};
use proptest::collection::vec;
use proptest::prelude::{ProptestConfig, any};
use proptest::sample::Index;
use proptest::{prop_assert, proptest};

use super::{only_block, statement, template};

/// An assembler of SPIR-V modules.
#[derive(Clone)]
struct Module {
    words: Vec<u32>,
}

/// An operand of an instruction.
enum Word<'a> {
    Number(u32),
    Text(&'a str),
}

impl From<u32> for Word<'_> {
    fn from(number: u32) -> Self {
        Word::Number(number)
    }
}

impl<'a> From<&'a str> for Word<'a> {
    fn from(text: &'a str) -> Self {
        Word::Text(text)
    }
}

/// Adds an instruction: its opcode and its operands.
macro_rules! add {
    ($module:expr, $opcode:expr $(, $operand:expr)* $(,)?) => {
        $module.add($opcode, &[$(Word::from($operand)),*])
    };
}

impl Module {
    fn new() -> Module {
        Module { words: vec![0x0723_0203, 0x0001_0400, 0, 100, 0] }
    }

    fn add(&mut self, opcode: u32, operands: &[Word<'_>]) {
        let start = self.words.len();
        self.words.push(0);
        for operand in operands {
            match operand {
                Word::Number(number) => self.words.push(*number),
                Word::Text(text) => {
                    let mut bytes = text.as_bytes().to_vec();
                    bytes.resize(bytes.len() / 4 * 4 + 4, 0);
                    let words = bytes.chunks(4).map(|four| four.try_into().expect("four bytes"));
                    self.words.extend(words.map(u32::from_le_bytes));
                }
            }
        }
        let count = (self.words.len() - start) as u32;
        self.words[start] = count << 16 | opcode;
    }

    fn little_endian(&self) -> Vec<u8> {
        self.words.iter().flat_map(|word| word.to_le_bytes()).collect()
    }

    fn big_endian(&self) -> Vec<u8> {
        self.words.iter().flat_map(|word| word.to_be_bytes()).collect()
    }

    fn find(&self) -> Source {
        find(&self.little_endian(), Language::Spirv)
    }
}

const NAME: u32 = 5;
const ENTRY_POINT: u32 = 15;
const EXECUTION_MODE: u32 = 16;
const FUNCTION: u32 = 54;
const FUNCTION_END: u32 = 56;
const CALL: u32 = 57;
const DECORATE: u32 = 71;
const ASM_TARGET: u32 = 5609;
const ASM: u32 = 5610;
const ASM_CALL: u32 = 5611;

// Ids of `module`.
const VOID: u32 = 1;
const INT: u32 = 2;
const FLOAT: u32 = 3;
const HALF: u32 = 4;
const POINTER: u32 = 6;
const PAIR: u32 = 7;
const TARGET: u32 = 8;
const MINUS_FIVE: u32 = 9;
const FUNCTION_TYPE: u32 = 10;
const FIRST_FREE: u32 = 20;

/// Returns a module with types and a target.
fn module() -> Module {
    let mut module = Module::new();
    add!(module, 19, VOID);
    add!(module, 21, INT, 32, 0);
    add!(module, 22, FLOAT, 32);
    add!(module, 22, HALF, 16);
    add!(module, 32, POINTER, 5, INT);
    add!(module, 30, PAIR, FLOAT, INT);
    add!(module, 43, INT, MINUS_FIVE, -5_i32 as u32);
    add!(module, 33, FUNCTION_TYPE, VOID);
    add!(module, ASM_TARGET, TARGET, "spir64");
    module
}

/// Adds a function with one call of a template.
fn add_function(module: &mut Module, function: u32, call: &[u32]) {
    add!(module, FUNCTION, VOID, function, 0, FUNCTION_TYPE);
    let operands: Vec<Word<'_>> = [VOID, 99].iter().chain(call).map(|id| Word::from(*id)).collect();
    module.add(ASM_CALL, &operands);
    add!(module, FUNCTION_END);
}

fn scalar(element: Element) -> Option<Type> {
    Some(Type { element, components: 1 })
}

#[test]
fn reads_statements() {
    let [function_type, asm, function] = [FIRST_FREE, FIRST_FREE + 1, FIRST_FREE + 2];
    let mut module = module();
    add!(module, NAME, function, "kernel");
    add!(module, 33, function_type, PAIR, POINTER, INT, INT, FLOAT);
    let start = module.words.len() * 4;
    let (text, constraints) = ("mov (M1, 16) $0(0,0)<1> $2\n", "=rw,=rw,rw,P,1,rw,~{memory}");
    add!(module, ASM, PAIR, asm, function_type, TARGET, text, constraints);
    let end = module.words.len() * 4;
    add_function(&mut module, function, &[asm, 90, MINUS_FIVE, 91, 92]);
    for bytes in [module.little_endian(), module.big_endian()] {
        let source = find(&bytes, Language::Spirv);
        let block = only_block(&source);
        assert_eq!(template(block), text);
        assert_eq!(block.span, start..end);
        assert_eq!(block.function.as_deref(), Some("kernel"));
        assert_eq!((block.lanes, block.path), (None, None));
        let statement = statement(block);
        assert_eq!(statement.clobbers, ["memory"]);
        let found: Vec<_> = (statement.operands.iter())
            .map(|one| (&one.constraint[..], one.is_output, one.ty, one.value))
            .collect();
        let int = scalar(Element::I32);
        let pointer = scalar(Element::Pointer(AddressSpace::Global));
        let expected = [
            ("=rw", true, scalar(Element::Float), None),
            ("=rw", true, int, None),
            ("rw", false, pointer, None),
            ("P", false, int, Some(0xffff_fffb)),
            ("1", false, int, None),
            ("rw", false, scalar(Element::Float), None),
        ];
        assert_eq!(found, expected);
    }
}

/// Returns a module with one input of a type, which is declared by an instruction without its
/// result, and the operand that is read.
fn input(opcode: u32, operands: &[u32]) -> Option<Type> {
    let [ty, function_type, asm] = [FIRST_FREE, FIRST_FREE + 1, FIRST_FREE + 2];
    let mut module = module();
    let operands: Vec<Word<'_>> = [ty].iter().chain(operands).map(|it| Word::from(*it)).collect();
    module.add(opcode, &operands);
    add!(module, 33, function_type, VOID, ty);
    add!(module, ASM, VOID, asm, function_type, TARGET, "nop", "rw");
    add_function(&mut module, 40, &[asm, 50]);
    statement(only_block(&module.find())).operands[0].ty
}

#[test]
fn reads_types() {
    for (width, element) in
        [(8, Element::I8), (16, Element::I16), (32, Element::I32), (64, Element::I64)]
    {
        assert_eq!(input(21, &[width, 0]), scalar(element));
    }
    assert_eq!(input(21, &[128, 0]), None);
    assert_eq!(input(20, &[]), scalar(Element::I1));
    for (width, element) in [(16, Element::Half), (32, Element::Float), (64, Element::Double)] {
        assert_eq!(input(22, &[width]), scalar(element));
    }
    assert_eq!(input(22, &[16, 0]), scalar(Element::BFloat));
    assert_eq!(input(23, &[HALF, 8]), Some(Type { element: Element::Half, components: 8 }));
    let spaces = [
        (0, AddressSpace::Constant),
        (4, AddressSpace::Local),
        (5, AddressSpace::Global),
        (7, AddressSpace::Private),
        (8, AddressSpace::Generic),
    ];
    for (class, space) in spaces {
        assert_eq!(input(32, &[class, INT]), scalar(Element::Pointer(space)));
        assert_eq!(input(4417, &[class]), scalar(Element::Pointer(space)));
    }
    assert_eq!(input(30, &[INT, INT]), None);
    assert_eq!(input(28, &[INT, MINUS_FIVE]), None);
}

#[test]
fn reads_constants() {
    let value = |ty: &[u32], opcode: u32, words: &[u32]| {
        let [id, function_type, asm, constant] =
            [FIRST_FREE, FIRST_FREE + 1, FIRST_FREE + 2, FIRST_FREE + 3];
        let mut module = module();
        let operands: Vec<Word<'_>> =
            [id].iter().chain(&ty[1..]).map(|it| Word::from(*it)).collect();
        module.add(ty[0], &operands);
        let operands: Vec<Word<'_>> =
            [id, constant].iter().chain(words).map(|it| Word::from(*it)).collect();
        module.add(opcode, &operands);
        add!(module, 33, function_type, VOID, id);
        add!(module, ASM, VOID, asm, function_type, TARGET, "nop", "P");
        add_function(&mut module, 40, &[asm, constant]);
        statement(only_block(&module.find())).operands[0].value
    };
    assert_eq!(value(&[21, 8, 1], 43, &[-56_i32 as u32]), Some(200));
    assert_eq!(value(&[21, 16, 0], 43, &[7]), Some(7));
    assert_eq!(value(&[21, 64, 0], 43, &[1, 2]), Some(0x2_0000_0001));
    assert_eq!(value(&[22, 16], 43, &[0x3c00]), Some(0x3c00));
    assert_eq!(value(&[22, 64], 43, &[0, 0x3ff8_0000]), Some(0x3ff8_0000_0000_0000));
    assert_eq!(value(&[20], 41, &[]), Some(1));
    assert_eq!(value(&[20], 42, &[]), Some(0));
    assert_eq!(value(&[22, 32], 46, &[]), Some(0));
    // The value of a specialization constant is not known.
    assert_eq!(value(&[21, 32, 0], 50, &[7]), None);
}

/// Returns the block of a function that entry points with these subgroup sizes call.
fn called_from(sizes: &[Option<u32>]) -> Block {
    let (asm, function) = (FIRST_FREE, FIRST_FREE + 1);
    let mut module = module();
    let entries = 60..60 + sizes.len() as u32;
    for (entry, size) in entries.clone().zip(sizes) {
        add!(module, ENTRY_POINT, 6, entry, "entry");
        if let Some(size) = *size {
            add!(module, EXECUTION_MODE, entry, 35, size);
        }
    }
    add!(module, ASM, VOID, asm, FUNCTION_TYPE, TARGET, "nop", "");
    add_function(&mut module, function, &[asm]);
    for entry in entries {
        add!(module, FUNCTION, VOID, entry, 0, FUNCTION_TYPE);
        add!(module, CALL, VOID, 98, function);
        // A recursive call.
        add!(module, CALL, VOID, 98, entry);
        add!(module, FUNCTION_END);
    }
    only_block(&module.find()).clone()
}

#[test]
fn lanes_are_known_if_all_entry_points_agree() {
    assert_eq!(called_from(&[Some(16)]).lanes, Some(Lanes::L16));
    assert_eq!(called_from(&[Some(32), Some(32)]).lanes, Some(Lanes::L32));
    assert_eq!(called_from(&[Some(16), Some(32)]).lanes, None);
    assert_eq!(called_from(&[Some(16), None]).lanes, None);
    assert_eq!(called_from(&[Some(12)]).lanes, None);
    assert_eq!(called_from(&[]).lanes, None);
}

#[test]
fn reads_vector_compute_functions() {
    let mut module = module();
    add!(module, DECORATE, 40, 5626);
    add!(module, ASM, VOID, FIRST_FREE, FUNCTION_TYPE, TARGET, "nop", "");
    add_function(&mut module, 40, &[FIRST_FREE]);
    assert_eq!(only_block(&module.find()).path, Some(Path::Vc));
}

#[test]
fn has_one_block_for_each_call() {
    let (unused, asm) = (FIRST_FREE, FIRST_FREE + 1);
    let mut module = module();
    add!(module, ASM, VOID, asm, FUNCTION_TYPE, TARGET, "asm", "");
    add!(module, ASM, VOID, unused, FUNCTION_TYPE, TARGET, "unused", "");
    add_function(&mut module, 40, &[asm]);
    add_function(&mut module, 41, &[asm]);
    let source = module.find();
    let templates: Vec<&str> = source.blocks.iter().map(template).collect();
    assert_eq!(templates, ["asm", "asm", "unused"]);
    // A call of a template that is not defined.
    add_function(&mut module, 42, &[97]);
    let source = module.find();
    let unreadable = |block: &&Block| matches!(block.content, Content::Unreadable(_));
    assert_eq!(source.blocks.iter().filter(unreadable).count(), 1);
}

#[test]
fn bounds_the_size_of_repeated_templates() {
    let mut module = module();
    let text = "a".repeat(100_000);
    add!(module, ASM, VOID, FIRST_FREE, FUNCTION_TYPE, TARGET, &text[..], "");
    for function in 0..1000 {
        add_function(&mut module, 200 + function, &[FIRST_FREE]);
    }
    let source = module.find();
    assert_eq!(
        source.error.expect("an error").message,
        "templates are used too often to check all uses"
    );
    assert!(source.blocks.len() < 100);
}

#[test]
fn reports_malformed_files() {
    let mut module = module();
    add!(module, ASM, VOID, FIRST_FREE, FUNCTION_TYPE, TARGET, "a template", "rw");
    add_function(&mut module, 40, &[FIRST_FREE, 50]);
    let whole = module.little_endian();
    let error = |bytes: &[u8]| find(bytes, Language::Spirv).error.expect("an error").to_string();
    assert_eq!(error(b""), "the file is not SPIR-V: it has another magic number (offset 0x0)");
    assert_eq!(error(&whole[..10]), "the file ends inside the header (offset 0xa)");
    let cut = format!("the file ends inside an instruction (offset {:#x})", whole.len() - 4);
    assert_eq!(error(&whole[..whole.len() - 1]), cut);
    let mut empty = whole.clone();
    empty[22] = 0;
    assert_eq!(error(&empty), "an instruction has no words (offset 0x14)");
    // Blocks before an error are found.
    let end = whole.len() - 4;
    let source = find(&[&whole[..end], &[0; 4]].concat(), Language::Spirv);
    assert_eq!(source.error.expect("an error").offset, end);
    assert_eq!(source.blocks.len(), 1);
    // A string that does not end, and an instruction without operands.
    let mut module = Module::new();
    add!(module, ASM_TARGET, TARGET, u32::from_le_bytes(*b"spir"));
    let unclosed = "an operand of an instruction is missing (offset 0x14)";
    assert_eq!(error(&module.little_endian()), unclosed);
    let mut module = Module::new();
    add!(module, ASM);
    assert_eq!(error(&module.little_endian()), unclosed);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(256))]

    #[test]
    fn accepts_any_words(words in vec(any::<u32>(), 0..50)) {
        let mut module = module();
        module.words.extend(words);
        module.find();
        find(&module.big_endian(), Language::Spirv);
    }

    #[test]
    fn accepts_damaged_files(edits in vec((any::<Index>(), any::<u8>()), 1..8), end: Index) {
        let mut module = module();
        add!(module, ENTRY_POINT, 6, 40, "k");
        add!(module, EXECUTION_MODE, 40, 35, 16);
        add!(module, ASM, PAIR, FIRST_FREE, FUNCTION_TYPE, TARGET, "$0", "=rw,=rw,rw");
        add_function(&mut module, 40, &[FIRST_FREE, MINUS_FIVE]);
        let mut bytes = module.little_endian();
        for (index, byte) in edits {
            let at = index.index(bytes.len());
            bytes[at] = byte;
        }
        bytes.truncate(end.index(bytes.len() + 1));
        for block in find(&bytes, Language::Spirv).blocks {
            prop_assert!(block.span.end <= bytes.len());
        }
    }
}

#[test]
fn values_that_differ_between_lanes_are_known() {
    const VARIABLE: u32 = 60;
    const LOADED: u32 = 61;
    const VALUE: u32 = 62;
    const SUM: u32 = 63;
    // The decoration `BuiltIn`, and the instructions that compute the input of the template.
    let is_varying = |built_in: u32, code: &[(u32, &[u32])]| {
        let [function_type, asm] = [FIRST_FREE, FIRST_FREE + 1];
        let mut module = module();
        add!(module, DECORATE, VARIABLE, 11, built_in);
        add!(module, 33, function_type, VOID, INT);
        add!(module, ASM, VOID, asm, function_type, TARGET, "barrier", "rw.u");
        add!(module, FUNCTION, VOID, 40, 0, FUNCTION_TYPE);
        for (opcode, operands) in code {
            let operands: Vec<Word<'_>> = operands.iter().map(|it| Word::from(*it)).collect();
            module.add(*opcode, &operands);
        }
        let [.., (_, last)] = code else { panic!("no code") };
        add!(module, ASM_CALL, VOID, 99, asm, last[1]);
        add!(module, FUNCTION_END);
        let source = module.find();
        statement(only_block(&source)).operands[0].is_varying
    };
    // OpLoad with an alignment, OpCompositeExtract, OpUConvert, OpIAdd.
    let load: (u32, &[u32]) = (61, &[INT, LOADED, VARIABLE, 2, 4]);
    let extract: (u32, &[u32]) = (81, &[INT, VALUE, LOADED, 0]);
    let convert: (u32, &[u32]) = (113, &[INT, VALUE, LOADED]);
    let sum: (u32, &[u32]) = (128, &[INT, SUM, VALUE, MINUS_FIVE]);
    assert!(is_varying(41, &[load]));
    assert!(is_varying(41, &[load, convert, sum]));
    assert!(is_varying(27, &[load, extract, sum]));
    // A subgroup's number, dimension 1, a difference, and a number that looks like an id.
    assert!(!is_varying(40, &[load]));
    assert!(!is_varying(27, &[load, (81, &[INT, VALUE, LOADED, 1])]));
    assert!(!is_varying(27, &[load, convert]));
    assert!(!is_varying(41, &[load, convert, (130, &[INT, SUM, VALUE, VALUE])]));
    assert!(!is_varying(41, &[(61, &[INT, LOADED, 59, 2, VARIABLE])]));
}

#[test]
fn outputs_that_nothing_uses_are_known() {
    const RESULT: u32 = 99;
    let [function_type, asm, function] = [FIRST_FREE, FIRST_FREE + 1, FIRST_FREE + 2];
    // OpCompositeExtract, OpCompositeInsert and OpReturnValue.
    type Uses<'a> = &'a [(u32, &'a [u32])];
    let cases: [(Uses<'_>, [bool; 2]); 5] = [
        (&[], [true; 2]),
        (&[(81, &[INT, 70, RESULT, 1])], [true, false]),
        (&[(81, &[FLOAT, 70, RESULT, 0]), (81, &[INT, 71, RESULT, 1])], [false; 2]),
        (&[(82, &[PAIR, 70, 60, RESULT, 0])], [false; 2]),
        (&[(254, &[RESULT])], [false; 2]),
    ];
    for (uses, expected) in cases {
        let mut module = module();
        add!(module, 33, function_type, PAIR);
        add!(module, ASM, PAIR, asm, function_type, TARGET, "nop", "=rw,=rw");
        add!(module, FUNCTION, VOID, function, 0, FUNCTION_TYPE);
        add!(module, ASM_CALL, PAIR, RESULT, asm);
        for (opcode, operands) in uses {
            module.add(*opcode, &operands.iter().map(|word| Word::from(*word)).collect::<Vec<_>>());
        }
        add!(module, FUNCTION_END);
        let source = module.find();
        let operands = &statement(only_block(&source)).operands;
        let found = operands.iter().map(|operand| operand.is_unused).collect::<Vec<_>>();
        assert_eq!(found, expected, "{uses:?}");
        // Uses may follow what can be read.
        let mut bytes = module.little_endian();
        bytes.pop();
        let source = find(&bytes, Language::Spirv);
        assert!(source.error.is_some());
        let operands = &statement(&source.blocks[0]).operands;
        assert!(operands.iter().all(|operand| !operand.is_unused));
    }
}
