//! Odd arguments of the types of the library.

use super::*;

/// Returns the instructions of a routine, or any.
pub fn instructions(o: &mut Draw) -> Vec<Instruction> {
    if o.any() { analysis(o).instructions } else { o.few(Draw::any) }
}

/// Returns the analysis of a routine.
pub fn analysis(o: &mut Draw) -> Analysis {
    loop {
        if let Ok(analysis) = Analysis::new(&o.any(), o.any()) {
            return analysis;
        }
    }
}

/// Returns the analysis of a routine with a few blocks, rather than one without any.
pub fn long_analysis(o: &mut Draw) -> Analysis {
    let mut analyses = (0..20).map(|_| analysis(o));
    let found = analyses.find(|analysis| analysis.cfg.blocks().len() > 3);
    found.unwrap_or_else(|| analysis(o))
}

/// Returns the loops of a graph, often one that has some.
pub fn loops(o: &mut Draw) -> Loops {
    let mut loops = (0..20).map(|_| {
        let cfg = analysis(o).cfg;
        cfg.loops(&cfg.dominators())
    });
    let found = loops.find(|loops| !loops.loops().is_empty());
    found.unwrap_or_else(|| Cfg::new(&[]).loops(&Cfg::new(&[]).dominators()))
}

/// Returns a block of a graph.
pub fn block(o: &mut Draw) -> Block {
    loop {
        let cfg = analysis(o).cfg;
        if !cfg.blocks().is_empty() {
            return cfg.blocks()[o.rng.below(cfg.blocks().len())].clone();
        }
    }
}

pub fn statistics(o: &mut Draw) -> Statistics {
    loop {
        let routine = o.any();
        if let Ok(analysis) = Analysis::new(&routine, o.any()) {
            return Statistics::new(&routine, &analysis);
        }
    }
}

pub fn body(o: &mut Draw) -> &'static Body<'static> {
    o.any::<Routine<'_, '_>>().body
}

/// Handles of a builder, or of another one.
pub struct Handles {
    pub vars: [VarHandle; 2],
    pub address: AddressHandle,
    pub predicate: PredicateHandle,
    pub sampler: SamplerHandle,
    pub surface: SurfaceHandle,
    pub label: LabelHandle,
}

pub fn builder(o: &mut Draw) -> (Builder, Handles) {
    let mut k = Builder::new(o.any(), o.any());
    let mut other = Builder::new("other", o.any());
    let vars = [&mut k, &mut other].map(|k| k.add_variable(o.any(), o.any(), o.any(), o.any()));
    let owner = if o.any() { &mut k } else { &mut other };
    let address = owner.add_address(o.any(), o.any());
    let predicate = owner.add_predicate(o.any(), o.any());
    let (sampler, surface) = (owner.add_sampler(o.any()), owner.add_surface(o.any()));
    let label = owner.add_label(o.any());
    for _ in 0..o.rng.below(3) {
        k.push(o.any::<Instruction>());
    }
    (k, Handles { vars, address, predicate, sampler, surface, label })
}

pub fn var(handles: &Handles, o: &mut Draw) -> VarHandle {
    o.pick(&handles.vars)
}

pub fn vector(handles: &Handles, o: &mut Draw) -> Operand<Vector> {
    let var = var(handles, o);
    match o.rng.below(5) {
        0 => var.into(),
        1 => var.region(o.any(), o.any(), o.any()),
        2 => o.any::<VarId>().into(),
        3 => o.any::<f32>().into(),
        _ => handles.predicate.into(),
    }
}

pub fn raw(handles: &Handles, o: &mut Draw) -> Operand<Raw> {
    if o.any() { var(handles, o).raw(o.any()) } else { o.any::<VarId>().into() }
}

pub fn pred(handles: &Handles, o: &mut Draw) -> Operand<Pred> {
    if o.any() { handles.predicate.into() } else { o.any::<Pred>().into() }
}

pub fn surface(handles: &Handles, o: &mut Draw) -> Operand<Surface> {
    match o.rng.below(3) {
        0 => handles.surface.into(),
        1 => var(handles, o).state(o.any()).into(),
        _ => o.any::<SurfaceId>().into(),
    }
}

pub fn sampler(handles: &Handles, o: &mut Draw) -> Operand<Sampler> {
    match o.rng.below(3) {
        0 => handles.sampler.into(),
        1 => var(handles, o).state(o.any()).into(),
        _ => o.any::<SamplerId>().into(),
    }
}

pub fn lanes(o: &mut Draw) -> Lanes {
    Lanes::from(o.any::<Exec>())
}

pub fn lifetime(handles: &Handles, o: &mut Draw) -> LifetimeVariable {
    if o.any() { var(handles, o).into() } else { handles.predicate.into() }
}

pub fn media_block(o: &mut Draw) -> MediaBlock {
    MediaBlock::new(o.any(), o.any())
}

pub fn texel(handles: &Handles, o: &mut Draw) -> TexelArgs {
    let mut args =
        TexelArgs::new().channels(o.any()).flags(o.any()).offsets(o.any(), o.any(), o.any());
    for _ in 0..o.rng.below(5) {
        args = args.param(o.any(), raw(handles, o));
    }
    args
}

pub fn rt_write(handles: &Handles, o: &mut Draw) -> RtWriteArgs {
    RtWriteArgs::new().flags(o.any()).header(raw(handles, o)).rgba([raw(handles, o); 4])
}

pub fn labels(o: &mut Draw) -> Vec<LabelId> {
    vec![o.any(); o.pick(&[0, 1, 32, 33, 70_000])]
}

pub fn sample_3d(o: &mut Draw) -> Sample3d {
    Sample3d::strategy(o.any()).new_tree(&mut o.runner).expect("an instruction").current()
}

/// Returns a module whose first routine can be edited.
pub fn editable(o: &mut Draw) -> Module<'static> {
    loop {
        let mut module: Module<'_> = o.any();
        if module.routines().count() > 0 && module.edit(0).is_ok() {
            return module;
        }
    }
}

pub fn editor<'m>(module: &'m mut Module<'static>, o: &mut Draw) -> RoutineEditor<'m, 'static> {
    let mut editor = module.edit(0).expect("a routine");
    if o.any() {
        editor.instructions.extend(o.few(Draw::any::<Instruction>));
    }
    editor
}

/// Returns a text, often one with a few mistakes.
pub fn source(o: &mut Draw) -> &'static [u8] {
    static TEXTS: LazyLock<Vec<Vec<u8>>> = LazyLock::new(|| {
        let names = ["collatz", "dot", "plain", "undefined"];
        let path = |name: &str| repository(&format!("tests/data/{name}.visaasm"));
        let texts = names.iter().map(|name| std::fs::read(path(name)).expect("a text"));
        texts.chain([MISALIGNED.into()]).collect()
    });
    if o.any() { o.any() } else { &TEXTS[o.rng.below(TEXTS.len())] }
}

pub fn line(o: &mut Draw) -> &'static [u8] {
    let lines: Vec<_> = source(o).split(|byte| *byte == b'\n').collect();
    lines[o.rng.below(lines.len())].trim_ascii()
}

pub fn parse_options(o: &mut Draw) -> ParseOptions {
    let options = ParseOptions::new().with_dialect(o.any::<Option<Dialect>>());
    options.with_version(o.any::<Option<Version>>()).with_binary_form(o.any())
}

/// Returns a text that was parsed, often one that has instructions.
pub fn document(o: &mut Draw) -> Document {
    let mut documents = (0..20).map(|_| Document::parse(source(o), parse_options(o)));
    let found = documents.find(|document| document.module.routines().next().is_some());
    found.unwrap_or_else(|| Document::parse("", ParseOptions::new()))
}

pub fn recorded(o: &mut Draw) -> Recorded {
    loop {
        let recorded = Recorded::parse(source(o), parse_options(o));
        if !recorded.instructions.is_empty() {
            return recorded;
        }
    }
}

pub fn field(o: &mut Draw) -> &'static str {
    o.pick(&["dst", "src0", "addr_offset", "", "\0"])
}

pub fn source_map(o: &mut Draw) -> SourceMap {
    document(o).source_map
}

pub fn errors(o: &mut Draw) -> Diagnostics {
    loop {
        if let Err(errors) = text::parse(source(o), o.any::<Format>()) {
            return errors;
        }
    }
}

pub fn file_listing(o: &mut Draw) -> FileListing<'static, 'static> {
    FileListing::new(o.any()).with_style(o.any())
}

pub fn listing(o: &mut Draw) -> Listing<'static, 'static> {
    Listing::new(o.any()).with_style(o.any())
}

pub fn names(o: &mut Draw) -> LineNames<'static> {
    LineNames::new(body(o), o.any())
}

pub fn printer<'n>(names: &'n LineNames<'n>, o: &mut Draw) -> LinePrinter<'n> {
    LinePrinter::new(names, o.any())
}

/// Returns an item of the tables of a routine.
pub fn item<T: Clone>(o: &mut Draw, table: fn(Routine<'static, 'static>) -> &'static [T]) -> T {
    loop {
        let items = table(o.any());
        if !items.is_empty() {
            return items[o.rng.below(items.len())].clone();
        }
    }
}

pub fn any_attribute(o: &mut Draw) -> Attribute {
    item(o, |routine| &routine.body.attributes)
}

pub fn any_input(o: &mut Draw) -> Input {
    item(o, |routine| routine.inputs)
}

pub fn any_label(o: &mut Draw) -> LabelInfo {
    item(o, |routine| &routine.body.labels)
}

pub fn any_simple(o: &mut Draw) -> SimpleVariable {
    item(o, |routine| &routine.body.predicates)
}

pub fn any_variable(o: &mut Draw) -> Variable {
    item(o, |routine| &routine.body.variables)
}

pub fn reformatter(o: &mut Draw) -> Reformatter {
    Reformatter::default().with_dialect(o.any::<Dialect>()).with_numbers(o.any())
}

pub fn verifier(o: &mut Draw) -> Verifier {
    Verifier::new().with_platform(o.any()).with_groups(o.few(Draw::any))
}

/// A text with a finding about an alignment, which an edit mends.
const MISALIGNED: &str = "\
.version 3.6
.kernel \"k\"
.decl a v_type=G type=ub num_elts=8 align=byte
.decl b v_type=G type=uq num_elts=1 align=byte alias=<a, 0>
    ret (M1, 1)
";

pub fn finding(o: &mut Draw) -> Finding {
    loop {
        let findings = if o.any() {
            let module = text::parse(MISALIGNED, Format::default()).expect("a correct text");
            verifier(o).check_module(&module)
        } else {
            verifier(o).check_module(o.any())
        };
        if !findings.is_empty() {
            return findings[o.rng.below(findings.len())].clone();
        }
    }
}

pub fn traced_field(o: &mut Draw) -> TracedField {
    let mut recorder = FieldRecorder::default();
    let bytes = o.any::<Instruction>().to_bytes(Format::default()).unwrap_or_default();
    let mut reader = Reader::traced(&bytes, o.any(), o.any(), &mut recorder);
    // An error leaves the fields before it.
    let _ = Instruction::decode(&mut reader);
    recorder.take().pop().unwrap_or_default()
}
