//! Every public function with odd arguments: a result or an error, but no panic that is not documented.

mod arguments;

use std::sync::LazyLock;

use arguments::*;
use genvisa::analysis::{Analysis, Block, Cfg, Loops, Statistics};
use genvisa::build::{
    AddressHandle, Builder, LabelHandle, Lanes, LifetimeVariable, MediaBlock, Operand,
    PredicateHandle, RtWriteArgs, SamplerHandle, SurfaceHandle, TexelArgs, VarHandle,
};
use genvisa::isa::{Id, Kind, Labels, Sample3d};
use genvisa::object::{
    Attribute, Body, Input, LabelInfo, Routine, RoutineEditor, SimpleVariable, StringPool, Variable,
};
use genvisa::operand::{
    Dst, Exec, LabelId, Pred, PredId, Raw, Sampler, SamplerId, Surface, SurfaceId, VarId, Vector,
};
use genvisa::strategy::Generate;
use genvisa::text::{
    self, Diagnostics, Document, FileListing, LineIndex, LineNames, LinePrinter, Listing,
    ParseOptions, Recorded, Reformatter, RowText, SourceMap,
};
use genvisa::verify::{Finding, Response, Rule, Verifier, rules};
use genvisa::wire::{FieldRecorder, Reader, TracedField, Wire, Writer};
use genvisa::{Dialect, Format, Instruction, Instructions, Module, Version};
use genvisa_test_support::odd::{self, Call, Draw};
use genvisa_test_support::{odd_calls, repository};
use proptest::strategy::{Strategy, ValueTree};

const SOURCES: &str = "src";

const CALLS: &[Call] = odd_calls! { genvisa, o =>
    Boundaries::new(o.any(), o.any()).count();
    Boundaries::with_base(o.any(), o.any(), o.any()).count();
    Error::new(o.any(), o.any());
    Error::within(genvisa::Error::new(o.any(), o.any()), o.any());
    Format::igc2022(o.any());
    Format::igc2026(o.any());
    Format::new(o.any(), o.any());
    Format::since(o.any(), o.any());
    Instruction::display(&o.any(), o.any()).to_string();
    Instruction::from_bytes(o.any(), o.any());
    Instruction::reads(&o.any(), o.any());
    Instruction::replace_ids(&mut o.any(), |_| o.any());
    Instruction::spec_of(o.any());
    Instruction::to_bytes(&o.any(), o.any());
    Instruction::visit_accesses(&o.any(), |_| ());
    Instruction::visit_ids(&o.any(), |_| ());
    Instruction::writes(&o.any(), o.any());
    Instructions::new(o.any(), o.any()).count();
    Instructions::next_into(&mut Instructions::new(o.any(), o.any()), &mut o.any());
    Instructions::with_base(o.any(), o.any(), o.any()).count();
    Module::assumed_register_size(&o.any::<Module<'_>>(), o.any());
    Module::edit(&mut o.any(), o.any());
    Module::from_bytes(o.any(), o.any());
    Module::from_bytes_traced(o.any(), o.any(), &mut FieldRecorder::default());
    Module::from_prefix(o.any(), o.any());
    Module::new(o.any());
    Module::routine(&o.any::<Module<'_>>(), o.any());
    Module::with_gen_binaries_of(o.any(), o.any());
    Version::new(o.any(), o.any());
    Platform::from_igc_name(o.any());
    RegisterSize::from_bytes(o.any());

    analysis::AddressTargets::new(&instructions(o), &analysis(o).storage);
    analysis::AddressTargets::of(&analysis(o).targets, o.any()).count();
    analysis::Analysis::new(&o.any(), o.any());
    analysis::Analysis::of_instructions(&o.any(), instructions(o), o.any());
    analysis::Analysis::overwrites(&analysis(o), &o.few(arguments::any_input));
    analysis::Block::last(&block(o), &instructions(o));
    analysis::Cfg::block_of(&analysis(o).cfg, o.any());
    analysis::Cfg::block_of_label(&analysis(o).cfg, o.any());
    analysis::Cfg::is_reachable(&analysis(o).cfg, o.any());
    analysis::Cfg::loops(&analysis(o).cfg, &analysis(o).cfg.dominators());
    analysis::Cfg::may_end(&analysis(o).cfg, o.any(), &instructions(o));
    analysis::Cfg::new(&instructions(o));
    analysis::Cfg::predecessors(&analysis(o).cfg, o.any());
    analysis::Cfg::successors(&analysis(o).cfg, o.any());
    analysis::Chains::definitions(&analysis(o).chains(), o.any(), o.any::<Id>());
    analysis::Chains::uses(&analysis(o).chains(), o.any(), o.any::<Id>());
    analysis::Counts::get(&statistics(o).kinds, &Kind::Arith);
    analysis::Divergence::is_divergent(&analysis(o).divergence, o.any());
    analysis::Divergence::new(&analysis(o).cfg, &instructions(o), o.any());
    analysis::Dominators::dominates(&analysis(o).cfg.dominators(), o.any(), o.any());
    analysis::Dominators::immediate_dominator(&analysis(o).cfg.dominators(), o.any());
    analysis::Dominators::is_reachable(&analysis(o).cfg.dominators(), o.any());
    analysis::Footprint::contiguous(o.any(), o.any());
    analysis::Footprint::strided(o.any(), o.any(), o.any(), o.any());
    analysis::LineStatistics::new(&analysis(o));
    analysis::Liveness::live_at(&analysis(o).liveness, o.any()).count();
    analysis::Liveness::live_units(&analysis(o).liveness, o.any::<Id>(), o.any());
    analysis::Liveness::new(&o.any(), &a.instructions, &b.storage, &a.cfg, &c.divergence, &b.targets)
        where [a, b, c] = [(); 3].map(|()| long_analysis(o));
    analysis::Liveness::ranges(&analysis(o).liveness, o.any::<Id>());
    analysis::Loops::back_edges(&loops(o), o.any());
    analysis::Loops::blocks(&loops(o), o.any());
    analysis::Loops::contains(&loops(o), o.any(), o.any());
    analysis::Loops::depth(&loops(o), o.any());
    analysis::Loops::innermost(&loops(o), o.any());
    analysis::Message::of(&o.any());
    analysis::Operation::of(&o.any());
    analysis::SourceLine::of_instructions(&instructions(o));
    analysis::Statistics::changes(&statistics(o), &statistics(o));
    analysis::Statistics::new(&o.any(), &analysis(o));
    analysis::Storage::location(&analysis(o).storage, o.any::<Id>());
    analysis::Storage::new(&o.any(), o.any());
    analysis::Storage::visit_accesses(&analysis(o).storage, &o.any(), |_| ());
    analysis::Target::of(&o.any());

    build::AddressHandle::elements(builder(o).1.address, o.any(), o.any());
    build::AddressHandle::indirect(builder(o).1.address, o.any(), o.any(), o.any(), (o.any(), o.any(), o.any()));
    build::AddressHandle::indirect_dst(builder(o).1.address, o.any(), o.any(), o.any(), o.any());
    build::Builder::add_address(&mut builder(o).0, o.any(), o.any());
    build::Builder::add_alias(&mut k, o.any(), o.any(), o.any(), var(&b, o), o.any())
        where (mut k, b) = builder(o);
    build::Builder::add_attribute(&mut builder(o).0, o.any(), o.any::<&str>());
    build::Builder::add_input(&mut k, var(&b, o), o.any()) where (mut k, b) = builder(o);
    build::Builder::add_label(&mut builder(o).0, o.any());
    build::Builder::add_predicate(&mut builder(o).0, o.any(), o.any());
    build::Builder::add_sampler(&mut builder(o).0, o.any());
    build::Builder::add_subroutine(&mut builder(o).0, o.any());
    build::Builder::add_surface(&mut builder(o).0, o.any());
    build::Builder::add_variable(&mut builder(o).0, o.any(), o.any(), o.any(), o.any());
    build::Builder::add_variable_attribute(&mut k, var(&b, o), o.any(), o.any::<i32>())
        where (mut k, b) = builder(o);
    build::Builder::find<VarId>(&builder(o).0, o.any());
    build::Builder::gather4_3d(&mut k, lanes(o), o.any(), sampler(&b, o), surface(&b, o), raw(&b, o), texel(&b, o))
        where (mut k, b) = builder(o);
    build::Builder::handle<PredId>(&builder(o).0, o.any());
    build::Builder::into_function(builder(o).0, o.any(), o.any());
    build::Builder::lifetime_end(&mut k, lifetime(&b, o)) where (mut k, b) = builder(o);
    build::Builder::lifetime_start(&mut k, lifetime(&b, o)) where (mut k, b) = builder(o);
    build::Builder::load_3d(&mut k, lanes(o), o.any(), surface(&b, o), raw(&b, o), texel(&b, o))
        where (mut k, b) = builder(o);
    build::Builder::new(o.any(), o.any());
    build::Builder::operand<Vector>(&mut k, vector(&b, o)) where (mut k, b) = builder(o);
    build::Builder::push(&mut builder(o).0, o.any::<Instruction>());
    build::Builder::resinfo(&mut k, o.any::<Exec>(), o.any(), surface(&b, o), raw(&b, o), raw(&b, o))
        where (mut k, b) = builder(o);
    build::Builder::rt_write_3d(&mut k, lanes(o), surface(&b, o), rt_write(&b, o)) where (mut k, b) = builder(o);
    build::Builder::sample_3d(&mut k, lanes(o), o.any(), sampler(&b, o), surface(&b, o), raw(&b, o), texel(&b, o))
        where (mut k, b) = builder(o);
    build::Builder::sampleinfo(&mut k, o.any::<Exec>(), o.any(), surface(&b, o), raw(&b, o))
        where (mut k, b) = builder(o);
    build::Builder::set_efficient_64bit(&mut builder(o).0, o.any());
    build::Builder::set_position(&mut builder(o).0, o.any());
    build::Builder::switchjmp(&mut k, o.any::<Exec>(), vector(&b, o), &vec![b.label; o.any::<u8>().into()])
        where (mut k, b) = builder(o);
    build::Lanes::new(o.any());
    build::Lanes::when(lanes(o), pred(&builder(o).1, o));
    build::Lanes::with_mask(lanes(o), o.any());
    build::MediaBlock::at(media_block(o), vector(&b, o), vector(&b, o)) where (_, b) = builder(o);
    build::MediaBlock::modifier(media_block(o), o.any());
    build::MediaBlock::new(o.any(), o.any());
    build::MediaBlock::plane(media_block(o), o.any());
    build::Operand<Dst>::at(var(&builder(o).1, o).dst(o.any()), o.any(), o.any());
    build::Operand<Vector>::at(vector(&builder(o).1, o), o.any(), o.any());
    build::Operand<Vector>::with_modifier(vector(&builder(o).1, o), o.any());
    build::RtWriteArgs::flags(RtWriteArgs::new(), o.any());
    build::RtWriteArgs::header(RtWriteArgs::new(), raw(&builder(o).1, o));
    build::RtWriteArgs::rgba(RtWriteArgs::new(), [raw(&builder(o).1, o); 4]);
    build::TexelArgs::aoffimmi(TexelArgs::new(), vector(&builder(o).1, o));
    build::TexelArgs::channels(TexelArgs::new(), o.any());
    build::TexelArgs::flags(TexelArgs::new(), o.any());
    build::TexelArgs::in_order(TexelArgs::new(), vec![raw(&builder(o).1, o); o.any::<u8>().into()]);
    build::TexelArgs::offsets(TexelArgs::new(), o.any(), o.any(), o.any());
    build::TexelArgs::param(TexelArgs::new(), o.any(), raw(&builder(o).1, o));
    build::VarHandle::address_at(var(&builder(o).1, o), o.any(), o.any(), o.any());
    build::VarHandle::dst(var(&builder(o).1, o), o.any());
    build::VarHandle::raw(var(&builder(o).1, o), o.any());
    build::VarHandle::region(var(&builder(o).1, o), o.any(), o.any(), o.any());
    build::VarHandle::state(var(&builder(o).1, o), o.any());

    isa::FieldSpec::is_in(&Instruction::spec_of(0x4b).expect("a row").fields[0], o.any());
    isa::Spec::layout(Instruction::spec_of(0x89).expect("a row"), o.any(), o.any());
    isa::Dialects::includes(Instruction::spec_of(1).expect("a row").dialects, o.any());
    isa::IdClass::from_name(o.any());
    isa::IdClass::from_letter(o.any());
    isa::List::new(&labels(o)).map(|labels: Labels| labels);
    isa::Sample3d::param(&sample_3d(o), o.any());

    object::Attribute::flag(o.any());
    object::Attribute::integer(o.any(), o.any());
    object::Attribute::string(o.any(), o.any());
    object::AttributeKind::of(o.any());
    object::Body::register_size(body(o), o.any());
    object::Body::add_address(&mut body(o).clone(), o.any(), o.any());
    object::Body::add_label(&mut body(o).clone(), o.any(), o.any());
    object::Body::add_predicate(&mut body(o).clone(), o.any(), o.any());
    object::Body::add_sampler(&mut body(o).clone(), o.any());
    object::Body::add_surface(&mut body(o).clone(), o.any());
    object::Body::add_variable(&mut body(o).clone(), o.any(), o.any(), o.any(), o.any());
    object::Body::declares(body(o), o.any::<Id>());
    object::Body::find(body(o), o.any(), o.any());
    object::Body::ids(body(o), o.any()).count();
    object::Body::intern(&mut body(o).clone(), o.any());
    object::Body::name_of(body(o), o.any::<Id>());
    object::Body::new(o.any());
    object::Code::boundaries(&body(o).code, o.any()).count();
    object::Code::from_instructions(&instructions(o), o.any());
    object::Code::instructions(&body(o).code, o.any()).count();
    object::Function::new(o.any());
    object::GenBinary::new(o.any(), o.any::<&[u8]>());
    object::InputKind::explicit(o.any());
    object::InputKind::from_bits(o.any());
    object::Kernel::new(o.any());
    object::Renumbering::get(&editor(&mut module, o).retain_used(), o.any::<Id>()) where mut module = editable(o);
    object::RoutineEditor::build(&mut editor(&mut module, o), |k| { k.push(o.any::<Instruction>()); })
        where mut module = editable(o);
    object::RoutineEditor::import(&mut editor(&mut module, o), body(o), &instructions(o))
        where mut module = editable(o);
    object::RoutineEditor::remove(&mut editor(&mut module, o), o.any::<Id>()) where mut module = editable(o);
    object::RoutineEditor::rename(&mut editor(&mut module, o), o.any::<Id>(), o.any())
        where mut module = editable(o);
    object::RoutineEditor::replace_ids(&mut editor(&mut module, o), |_| o.any()) where mut module = editable(o);
    object::RoutineEditor::rewrite(&mut editor(&mut module, o), |_, out| out.extend(o.few(Draw::any::<Instruction>)))
        where mut module = editable(o);
    object::RoutineEditor::uses(&editor(&mut module, o), o.any::<Id>()) where mut module = editable(o);
    object::StringPool::add(&mut StringPool::default(), o.any::<&str>());
    object::StringPool::intern(&mut StringPool::default(), o.any::<&str>());

    operand::AddressOf::at_offset(o.any(), o.any(), o.any(), o.any(), o.any());
    operand::AddressOf::offset(&o.any(), o.any(), o.any(), o.any());
    operand::Aoffimmi::from_bits(o.any());
    operand::Aoffimmi::new(o.any(), o.any(), o.any());
    operand::Atomic::new(o.any(), o.any());
    operand::Dst::new(o.any());
    operand::Exec::new(o.any(), o.any());
    operand::ExecMask::from_bits(o.any());
    operand::ExecMask::from_code(o.any());
    operand::ExecMask::legacy(o.any());
    operand::ExecSize::from_bits(o.any());
    operand::ExecSize::when(o.any(), pred(&builder(o).1, o));
    operand::Imm::b(o.any());
    operand::Imm::bf(o.any());
    operand::Imm::bool(o.any());
    operand::Imm::d(o.any());
    operand::Imm::df(o.any());
    operand::Imm::f(o.any());
    operand::Imm::hf(o.any());
    operand::Imm::new(o.any(), o.any());
    operand::Imm::q(o.any());
    operand::Imm::ub(o.any());
    operand::Imm::ud(o.any());
    operand::Imm::uq(o.any());
    operand::Imm::uv(o.any());
    operand::Imm::uw(o.any());
    operand::Imm::v(o.any());
    operand::Imm::vf(o.any());
    operand::Imm::w(o.any());
    operand::Imm::with_type_byte(o.any(), o.any());
    operand::Pred::from_bits(o.any());
    operand::Pred::new(o.any());
    operand::Pred::with_control(o.any(), o.any());
    operand::Raw::new(o.any(), o.any());
    operand::Region::dst(o.any());
    operand::Region::from_bits(o.any());
    operand::Region::new(o.any(), o.any(), o.any());
    operand::Stride::from_elements(o.any());
    operand::SvmBlock::new(o.any(), o.any());
    operand::TypeByte::from_bits(o.any());
    operand::Vector::address(o.any(), o.any(), o.any());
    operand::Vector::general(o.any(), o.any());
    operand::Vector::general_at(o.any(), o.any(), o.any(), o.any());
    operand::Vector::imm(o.any());
    operand::Vector::indirect(o.any(), o.any(), o.any(), o.any(), o.any());
    operand::Vector::predicate(o.any());
    operand::Vector::sampler(o.any(), o.any());
    operand::Vector::scalar(o.any());
    operand::Vector::surface(o.any(), o.any());
    operand::Vector::with_modifier(o.any(), o.any());
    operand::lsc::LscDataSize::name_in(o.any(), o.any());
    operand::lsc::LscFlags::of(o.any(), o.any());

    strategy::legal(o.any(), o.any::<Option<_>>());
    strategy::rows(o.any());

    text::Diagnostic::new(o.any(), o.any::<&str>());
    text::Diagnostics::with_source(errors(o), o.any::<&[u8]>()).to_string();
    text::Document::assumed_register_size(&document(o), o.any());
    text::Document::parse(source(o), parse_options(o)).newer_version_warning();
    text::FileListing::new(o.any()).to_text();
    text::RowText::syntax(row_text(), o.any::<&str>());
    text::FileListing::with_numbers(file_listing(o), o.any()).to_text();
    text::FileListing::with_offsets(file_listing(o), o.any()).to_text();
    text::FileListing::with_style(file_listing(o), o.any()).to_text();
    text::FileListing::with_text_version(file_listing(o), o.any(), o.any()).to_text();
    text::FileListing::write_head_to(&file_listing(o), &mut String::new());
    text::FileListing::write_to(&file_listing(o), &mut String::new());
    text::Formats::choose(&parse_options(o).formats([source(o)]), |_| o.any(), |count: &usize| *count);
    text::LineIndex::line_and_column(&LineIndex::new(o.any()), o.any());
    text::LineIndex::new(o.any());
    text::LineNames::new(body(o), o.any());
    text::LinePrinter::attribute(&mut printer(&names, o), &any_attribute(o)) where names = names(o);
    text::LinePrinter::input(&mut printer(&names, o), &any_input(o), body(o)) where names = names(o);
    text::LinePrinter::instruction(&mut printer(&names, o), &o.any(), o.any()) where names = names(o);
    text::LinePrinter::label(&mut printer(&names, o), o.any()) where names = names(o);
    text::LinePrinter::label_properties(&mut printer(&names, o), o.any(), &any_label(o)) where names = names(o);
    text::LinePrinter::new(&names, o.any()) where names = names(o);
    text::LinePrinter::simple(&mut printer(&names, o), o.any(), &any_simple(o)) where names = names(o);
    text::LinePrinter::variable(&mut printer(&names, o), o.any(), &any_variable(o)) where names = names(o);
    text::Listing::new(o.any()).to_text();
    text::Listing::with_numbers(listing(o), o.any()).to_text();
    text::Listing::with_offsets(listing(o), o.any()).to_text();
    text::Listing::with_register_size(listing(o), o.any()).to_text();
    text::Listing::with_style(listing(o), o.any()).to_text();
    text::Listing::with_text_version(listing(o), o.any(), o.any()).to_text();
    text::Listing::with_version(listing(o), o.any()).to_text();
    text::Listing::write_to(&listing(o), &mut String::new());
    text::Listing::write_with_margin_to(&listing(o), &mut String::new(), |_, _| ());
    text::ParseOptions::formats(parse_options(o), [source(o)]);
    text::ParseOptions::formats_of_versions(parse_options(o), &text::stated_versions(source(o)));
    text::ParseOptions::with_binary_form(parse_options(o), o.any());
    text::ParseOptions::with_dialect(parse_options(o), o.any::<Dialect>());
    text::ParseOptions::with_version(parse_options(o), o.any::<Version>());
    text::Recorded::field(&recorded(o), &recorded(o).instructions[0], field(o));
    text::Recorded::fields_at(&recorded(o), &recorded(o).instructions[0], o.any());
    text::Recorded::instruction_at(&recorded(o), source(o), o.any());
    text::Recorded::instruction_in(&recorded(o), &o.any());
    text::Recorded::parse(source(o), parse_options(o));
    text::Recorded::routine_at(&recorded(o), o.any());
    text::Recorded::token_at(&recorded(o), o.any());
    text::Recorded::tokens_in(&recorded(o), &o.any());
    text::Reformatter::reformat(reformatter(o), source(o));
    text::Reformatter::with_dialect(reformatter(o), o.any::<Dialect>()).reformat(source(o));
    text::Reformatter::with_numbers(reformatter(o), o.any()).reformat(source(o));
    text::Reformatter::write_to(reformatter(o), source(o), &mut String::new());
    text::SourceMap::declaration(&source_map(o), o.any(), o.pick(&["variable", "label", ""]), o.any());
    text::SourceMap::instruction(&source_map(o), o.any(), o.any());
    text::SourceMap::routine(&source_map(o), o.any());
    text::SourceMap::span_of(&source_map(o), o.any(), &o.few(Draw::any));
    text::Token::name(&recorded(o).tokens[0], source(o));
    text::begins_text(o.any());
    text::complete_text(&o.any(), o.any());
    text::completions(source(o), o.any(), o.any());
    text::format_of(source(o));
    text::line_and_column(source(o), o.any());
    text::newer_version_warning(o.any(), o.any(), &text::Diagnostic::new(o.any(), o.any::<&str>()), o.any());
    text::nearest(o.any(), o.any::<Vec<&str>>());
    text::parse(source(o), parse_options(o));
    text::as_igc_writes(o.any());
    text::parse_instruction(line(o), o.any());
    text::reformat(source(o));
    text::row_text(o.any(), o.any(), o.any());
    text::row_texts(o.any(), o.any()).count();
    text::split_dump(source(o));
    text::stated_platform(source(o));
    text::stated_versions(source(o));
    text::words_of(o.any());

    verify::CacheControls::of(&o.any(), o.any(), o.any(), o.any());
    verify::Compilers::contains(rules().find_map(|rule| rule.enforced_by).expect("a version"), o.any());
    verify::Finding::alignment_edit(&finding(o), &recorded(o), source(o));
    verify::Finding::to_diagnostic(&finding(o), &recorded(o), source(o));
    verify::Platforms::contains(o.any::<&Rule>().platforms, o.any());
    verify::Rule::new(o.any(), o.any(), o.pick(Response::ALL));
    verify::Rule::enforced_before(Rule::new(o.any(), o.any(), Response::Accepts), o.any());
    verify::Rule::enforced_since(Rule::new(o.any(), o.any(), Response::Refuses), o.any(), o.pick(Response::ALL));
    verify::Rule::severity_in(o.any::<&Rule>(), o.any());
    verify::Rule::with_severity(Rule::new(o.any(), o.any(), Response::Refuses), o.any());
    verify::Rule::with_source(Rule::new(o.any(), o.any(), Response::Refuses), o.any());
    verify::Verifier::allow(verifier(o), o.any());
    verify::Verifier::check_instruction(&verifier(o), &o.any(), o.any());
    verify::Verifier::check_module(&verifier(o), o.any());
    verify::Verifier::check_routine(&verifier(o), &o.any());
    verify::Verifier::deny(verifier(o), o.any());
    verify::Verifier::or_platform(verifier(o), o.any());
    verify::Verifier::report(&verifier(o), o.any(), o.any(), &o.any(), o.any::<Vec<_>>());
    verify::Verifier::severity(&verifier(o), o.any::<&Rule>(), o.any());
    verify::Verifier::visit_module(&verifier(o), o.any(), |_| ());
    verify::Verifier::warn(verifier(o), o.any());
    verify::Verifier::with_compiler(verifier(o), o.any());
    verify::Verifier::with_groups(verifier(o), o.few(Draw::any));
    verify::Verifier::with_platform(verifier(o), o.any());
    verify::Verifier::with_rules(verifier(o), &[]);
    verify::Verifier::with_unknown_variables(verifier(o), o.any::<Vec<_>>());
    verify::diagnostics(&o.few(finding), &source_map(o), source(o)).to_string();
    verify::rule(o.any());
    verify::rule_url(o.any());

    wire::Reader::new(o.any(), o.any());
    wire::Reader::traced(o.any(), o.any(), o.any(), FieldRecorder::default());
    wire::Reader::with_base(o.any(), o.any(), o.any());
    wire::TracedField::bytes_of(&traced_field(o), o.any());
    wire::Writer::append_to(o.any(), o.any());
    wire::Writer::new(o.any());
    wire::Writer::truncate(&mut Writer::append_to(o.any(), o.any()), o.any());
};

#[test]
fn every_public_function_is_called() {
    odd::check_list(SOURCES, CALLS);
}

#[test]
fn odd_arguments_cause_no_panic() {
    odd::check_calls(SOURCES, CALLS);
}

fn row_text() -> &'static RowText {
    genvisa::text::row_texts("mov", genvisa::Dialect::Igc2022).next().expect("a row")
}
