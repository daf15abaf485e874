//! The instruction set as a page: one HTML file with a list, a search, and the page of each instruction.

use genvisa_isa::InstructionSet;

use crate::page::{Data, Template};

const TEMPLATE: Template = Template {
    command: "isa",
    html: include_str!("page/page.html"),
    style: include_str!("page/page.css"),
    scripts: &[include_str!("page/page.js")],
    hashes: [
        "qbXlsBopMgEW/IuyYswB/3dO8TZOxjqo99zwT45vFuo=",
        "IbTN87TsYYdaQHLNzCXdGF8OtZgK9Ga5SMHBn3IdFOw=",
    ],
};

#[test]
fn the_hashes_are_those_of_the_style_and_the_script() {
    TEMPLATE.check_hashes();
}

/// Returns the page.
pub fn print(set: &InstructionSet) -> String {
    let mut data = Data::default();
    // The data can always be JSON.
    data.push("data", &serde_json::to_string(set).unwrap_or_default());
    TEMPLATE.print("GEN vISA", &data)
}
