//! Hover and signature help.

use lsp_types::request::{HoverRequest, InlayHintRequest, SignatureHelpRequest};
use lsp_types::{
    HoverContents, HoverParams, InlayHintLabel, InlayHintParams, ParameterLabel, Position, Range,
    SignatureHelpParams, TextDocumentIdentifier,
};
use serde_json::json;

use crate::client::{Client, TEXT, at, find, uri};

fn hover(client: &mut Client, name: &str, position: Position) -> String {
    let params = HoverParams {
        text_document_position_params: at(name, position),
        work_done_progress_params: Default::default(),
    };
    match client.request::<HoverRequest>(params).expect("an answer").map(|it| it.contents) {
        Some(HoverContents::Markup(markup)) => markup.value,
        other => panic!("{other:?} at {position:?}"),
    }
}

#[test]
fn a_mnemonic_has_its_documentation_and_syntax() {
    let mut client = Client::new(json!({"platform": "TGLLP"}));
    client.open("a", "visaasm", TEXT);
    let text = hover(&mut client, "a", find(TEXT, "loop:", "add"));
    assert!(text.contains("[(pred)] add[.sat] (exec) dst src0 src1"), "{text}");
    assert!(text.contains("Addition."), "{text}");
    assert!(text.contains("- `src1`: The second source."), "{text}");
}

/// The words are those of the pages, and fields that the version of the text does not have are absent.
#[test]
fn hovers_describe_the_fields_of_the_version() {
    let text = TEXT.replace(
        "    ret",
        "    resinfo.RG (M1, 8) T6 x.0 y.0\n    media_ld.top (16,2) T6 0 0x0:ud 0x0:ud y.0\n\
         \x20   rt_write_3d (M1, 8) T6 %null.0 x.0 x.0 x.0 x.0\n\
         \x20   gather4_typed.R (M1, 8) T6 x.0 x.0 %null.0 %null.0 y.0\n\
         \x20   sample_3d.R (M1, 8) 0x0:uw S31 T6 y.0 %null.0 x.0\n    ret",
    );
    let mut client = Client::new(json!({"platform": "TGLLP"}));
    client.open("a", "visaasm", &text);
    for (word, syntax, field) in [
        ("resinfo", "resinfo", "- `lod`: The level of detail. Type UD."),
        ("media_ld", "media_ld", "- `block_width`: One byte: the width in bytes, 1 to 64."),
        ("rt_write_3d", "[(pred)] rt_write_3d", "- `omask`: The sample mask. Type UW."),
        ("gather4_typed", "gather4_typed", "- `u`: The U offsets. Type UD."),
        ("sample_3d", "sample_3d", "- `params`: The parameters in their order."),
    ] {
        let text = hover(&mut client, "a", find(&text, &format!("    {word}"), word));
        assert!(text.contains(syntax) && text.contains(field), "{text}");
        let fields: Vec<&str> = text
            .lines()
            .filter_map(|line| line.strip_prefix("- `")?.split_once('`').map(|(name, _)| name))
            .collect();
        let mut unique = fields.clone();
        unique.dedup();
        assert_eq!(fields, unique);
        assert!(!text.contains("V3_2") && !text.contains("Inverted"), "{text}");
    }
}

#[test]
fn a_variable_has_its_declaration_size_and_live_range() {
    let mut client = Client::new(json!({"platform": "TGLLP"}));
    client.open("a", "visaasm", TEXT);
    let text = hover(&mut client, "a", find(TEXT, "loop:", "x(0,0)"));
    assert!(text.contains(".decl x v_type=G type=d num_elts=16 align=GRF"), "{text}");
    assert!(text.contains("64 bytes"), "{text}");
    assert!(text.contains("Live in lines"), "{text}");
    assert!(text.contains("registers in all"), "{text}");
    assert!(text.contains("reads bytes 0 to 63 of `x`, lanes 0 to 15"), "{text}");
}

#[test]
fn an_operand_has_its_bytes_and_lanes() {
    let mut client = Client::new(json!({"platform": "TGLLP"}));
    let source =
        TEXT.replace("x(0,0)<1;1,0> -7", "x(0,4)<2;1,0> -7").replace("(M1, 16) y", "(M5, 4) y");
    client.open("a", "visaasm", &source);
    let text = hover(&mut client, "a", find(&source, "x(0,4)<2", "2;1"));
    // Every second of the elements 4, 6, 8 and 10, by lanes 16 to 19.
    assert!(text.contains("reads bytes 16 to 43 of `x`: 4 elements of 4"), "{text}");
    assert!(text.contains("every 8, lanes 16 to 19"), "{text}");
}

#[test]
fn an_immediate_has_its_value() {
    let mut client = Client::new(json!({"platform": "TGLLP"}));
    let source =
        TEXT.replace("type=d", "type=f").replace("0x2a:d", "0x3fc00000:f").replace("-7:d", "1.5:f");
    client.open("a", "visaasm", &source);
    let text = hover(&mut client, "a", find(&source, "mov", "0x3fc"));
    assert!(text.contains("= 1.5"), "{text}");
    client.open("b", "visaasm", TEXT);
    let text = hover(&mut client, "b", find(TEXT, "loop:", "7:d"));
    assert!(text.contains("= -7 = 0b1"), "{text}");
}

#[test]
fn a_cache_control_has_its_meaning_and_level() {
    let mut client = Client::new(json!({"platform": "DG2"}));
    let source = "\
.version 4.2
.kernel \"k\"
.decl x v_type=G type=d num_elts=8 align=GRF
.decl a v_type=G type=uq num_elts=8 align=GRF
    lsc_load.ugm.uc.ca (M1, 8)  x:d32  flat[a]:a64
    ret (M1, 1)
";
    client.open("a", "visaasm", source);
    let text = hover(&mut client, "a", find(source, "lsc_load", "uc"));
    assert!(text.contains("Uncached.") && text.contains("`l1`") && text.contains("DG2"), "{text}");
    let text = hover(&mut client, "a", find(source, "uc", "ca"));
    assert!(text.contains("Cached.") && text.contains("`l3`"), "{text}");
    assert!(text.contains("control L1, L3 here"), "{text}");
    assert!(text.contains("`.uc.ca` is legal on DG2"), "{text}");
    // The same words for other platforms, memories and operations.
    for (platform, controls, levels, verdict) in [
        ("DG2", "ugm.ca.cc", "L1, L3", "not legal on DG2"),
        ("Xe2", "ugm.ca.cc", "L1, L3", "is legal on Xe2"),
        ("DG2", "ugm.wt.uc", "L1, L3", "not legal on DG2"),
        ("DG2", "ugml.uc.ca", "L1, L3", "not legal on DG2"),
        ("XE3P_CRI", "ugm.uc.ca.uc", "L1, L2, L3", "is legal on XE3P_CRI"),
        ("XE3P_CRI", "ugm.uc.ri.uc", "L1, L2, L3", "not legal on XE3P_CRI"),
    ] {
        let mut client = Client::new(json!({"platform": platform}));
        let source = source.replace("ugm.uc.ca", controls);
        client.open("b", "visaasm", &source);
        let words = controls.split_once('.').expect("controls").1;
        let text = hover(&mut client, "b", find(&source, words, words));
        assert!(text.contains(&format!("control {levels} here")), "{controls}: {text}");
        assert!(text.contains(verdict), "{controls}: {text}");
    }
    let mut client = Client::new(json!({"platform": "DG2"}));
    let source = source.replace(".uc.ca", ".df.df");
    client.open("c", "visaasm", &source);
    let text = hover(&mut client, "c", find(&source, "lsc_load", "df"));
    assert!(text.contains("MOCS") && text.contains("is legal on DG2"), "{text}");
}

/// Returns the part of the signature that a position is in.
fn active_parameter(client: &mut Client, position: Position) -> Option<String> {
    let params = SignatureHelpParams {
        context: None,
        text_document_position_params: at("a", position),
        work_done_progress_params: Default::default(),
    };
    let help = client.request::<SignatureHelpRequest>(params).expect("an answer")?;
    let signature = help.signatures.into_iter().next()?;
    let parameters = signature.parameters?;
    let ParameterLabel::LabelOffsets([start, end]) =
        parameters.get(help.active_parameter? as usize)?.label
    else {
        return None;
    };
    Some(signature.label[start as usize..end as usize].trim().to_owned())
}

#[test]
fn signature_help_follows_the_operands_of_messages() {
    let mut client = Client::new(json!({"platform": "Xe2"}));
    let source = "\
.version 4.2
.kernel \"k\"
.decl a v_type=G type=uq num_elts=8 align=GRF
.decl x v_type=G type=d num_elts=8 align=GRF
    lsc_load.ugm.uc.ca (M1, 8)  x:d32  flat[a]:a64
    lsc_load.ugm (M1, 8)  x:d32  flat[a]:a64
    lsc_store.ugm (M1, 8)  flat[a]:a64  x:d32
    lsc_atomic_iadd.ugm (M1, 8)  x:d32  flat[a]:a64  x  %null
";
    client.open("a", "visaasm", source);
    let mut active =
        |line: &str, what: &str| active_parameter(&mut client, find(source, line, what));
    for load in ["lsc_load.ugm.uc", "lsc_load.ugm (M1"] {
        assert_eq!(active(load, "(M1").as_deref(), Some("(exec)"));
        assert_eq!(active(load, "x:").as_deref(), Some("dst:data_size"));
        assert_eq!(active(load, "flat").as_deref(), Some("addr_type(surface)"));
    }
    assert_eq!(active("lsc_store", "flat").as_deref(), Some("addr_type(surface)"));
    assert_eq!(active("lsc_store", "x:").as_deref(), Some("src1:data_size"));
    assert_eq!(active("lsc_atomic", "%null").as_deref(), Some("src2"));
}

#[test]
fn signature_help_follows_the_operands() {
    let mut client = Client::new(json!({"platform": "TGLLP"}));
    client.open("a", "visaasm", TEXT);
    let mut active = |position| active_parameter(&mut client, position);
    let add = |what: &str| find(TEXT, "add.sat", what);
    assert_eq!(active(add("16)")).as_deref(), Some("(exec)"));
    assert_eq!(active(add("0,0)<1> x")).as_deref(), Some("dst"));
    assert_eq!(active(add("0)<1;")).as_deref(), Some("src0"));
    assert_eq!(active(add("7:d")).as_deref(), Some("src1"));
    assert_eq!(active(Position::new(0, 3)), None);
}

#[test]
fn live_registers_are_shown_on_request() {
    let params = || InlayHintParams {
        text_document: TextDocumentIdentifier::new(uri("a")),
        range: Range::new(Position::new(0, 0), Position::new(100, 0)),
        work_done_progress_params: Default::default(),
    };
    let mut client = Client::new(json!({}));
    client.open("a", "visaasm", TEXT);
    let hints = client.request::<InlayHintRequest>(params()).expect("an answer");
    assert!(hints.is_some_and(|hints| hints.is_empty()));
    let mut client = Client::new(json!({"liveRegisters": true}));
    client.open("a", "visaasm", TEXT);
    let hints = client.request::<InlayHintRequest>(params()).expect("an answer").expect("hints");
    assert_eq!(hints.len(), 5);
    let InlayHintLabel::String(label) = &hints[1].label else { panic!("{hints:?}") };
    assert_eq!(label, "2 live");
}

/// The answers for the words of a text, as a user of vISA reads them.
#[test]
fn words_are_described() {
    let source = "\
.version 4.2
.kernel \"k\"
.decl x v_type=G type=ud num_elts=32 align=GRFx2
.decl a v_type=G type=uq num_elts=32 align=GRF
.decl P1 v_type=P num_elts=32
.kernel_attr SimdSize=16
    add (M1, 16) x(0,0)<1> x(0,0)<1;1,0> 0x1:d
    (!P1) mov (M1_NM, 8) x(0,0)<2> (-)x(0,1)<0;1,0>
    mov (M5, 8) x(0,0)<1> x(0,0)<8;4,2>
    (P1.any) mov (M1, 16) x(0,0)<1> 3:w
    cmp.lt (M1, 16) P1 x(0,0)<1;1,0> 3:w
    lsc_load.ugm.ca.cc (M1, 16) x:d32 flat[a]:a64
    ret (M1, 1)
";
    let mut client = Client::new(json!({"platform": "Xe2"}));
    client.open("a", "visaasm", source);
    for (line, word, expected) in [
        (".version", "version", "`.version`: The version of the format"),
        (".kernel ", "kernel", "`.kernel`: Starts a kernel."),
        (".decl x", "decl", "`.decl`: Declares a variable"),
        (".decl x", "v_type", "`v_type`: The class: general variable (G)"),
        (".decl x", "ud", "`ud`: 32-bit unsigned integer."),
        (".decl x", "num_elts", "`num_elts`: The number of elements"),
        (".decl x", "GRFx2", "registers"),
        (".kernel_attr", "SimdSize", "`SimdSize`: The number of lanes of the kernel."),
        ("add (", "M1", "Lanes 0 to 15 run, except those that control flow has disabled."),
        ("add (", "1;1,0", "Region: the elements of lanes are adjacent."),
        ("add (", "0x1", "`0x1:d` = 1"),
        ("mov (M1", "M1_NM", "Lanes 0 to 7 run, also those that control flow has disabled"),
        ("(!P1", "P1", "Only lanes whose element is 0 run."),
        ("mov (M1", "2>", "Region: the elements of lanes are 2 apart."),
        ("mov (M1", "0;1,0", "Region: all lanes read the same element."),
        ("mov (M1", "0;1,0", "Modifier: "),
        ("mov (M5", "M5", "Lanes 16 to 23 run"),
        ("mov (M5", "8;4,2", "Region: the elements of lanes are 2 apart."),
        ("(P1.any", "P1", "All lanes run if the element of any lane is 1."),
        ("cmp", "lt", "`lt`: Less."),
        ("lsc_load", "lsc_load", "Example for Xe2:\n```visaasm\n.decl "),
        ("lsc_load", "lsc_load", "`ugm`, `ugml`"),
        ("lsc_load", "ca", "`ca`: Cached.\n\n- `l1`: The policy of the L1 cache."),
        ("lsc_load", "d32", "- `data_size`: The size of a data element."),
        ("lsc_load", "flat", "`flat`: Stateless.\n\n- `addr_type`: The base of the addresses."),
        ("lsc_load", "a64", "`a64`: 64 bits."),
    ] {
        let text = hover(&mut client, "a", find(source, line, word));
        assert!(text.contains(expected), "{line} {word}: {text}");
        assert!(!text.contains("[`"), "{line} {word}: {text}");
    }
}
