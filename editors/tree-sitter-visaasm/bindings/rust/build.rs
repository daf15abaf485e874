//! Compiles the parser.

fn main() {
    let parser = "src/parser.c";
    println!("cargo:rerun-if-changed={parser}");
    let mut build = cc::Build::new();
    build.std("c11").include("src").file(parser).warnings(false);
    if std::env::var("CARGO_CFG_TARGET_ENV").is_ok_and(|env| env == "msvc") {
        build.flag("-utf-8");
    }
    build.compile("tree-sitter-visaasm");
}
