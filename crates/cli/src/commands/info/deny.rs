//! The conditions of `--deny`, and the kernels that they refuse in SARIF.

use std::fmt;
use std::str::FromStr;

use genvisa_container::device::KernelOverview;
use serde_json::{Value, json};

use super::Binary;
use crate::sarif;

/// A condition about a number of a kernel.
#[derive(Clone, Debug)]
pub struct Condition {
    pub measure: String,
    is_less: bool,
    limit: i64,
}

impl FromStr for Condition {
    type Err = String;

    fn from_str(text: &str) -> Result<Condition, String> {
        let (measure, limit) = text.split_once(['<', '>']).unwrap_or((text, "0"));
        if !KernelOverview::is_measure(measure) {
            let short: Vec<&str> = KernelOverview::MEASURES.iter().map(|it| it.name).collect();
            let names = short.join(", ");
            return Err(format!(
                "`{measure}` is no number of a kernel; these are: {names}, or those of .ze_info"
            ));
        }
        let limit = limit.parse().map_err(|_| format!("expected a number, found `{limit}`"))?;
        Ok(Condition { measure: measure.into(), is_less: text.contains('<'), limit })
    }
}

impl Condition {
    /// Returns the number if it is as the condition says.
    pub fn applies(&self, kernel: &KernelOverview) -> Option<i64> {
        let number = kernel.measure(&self.measure)?;
        let applies = if self.is_less { number < self.limit } else { number > self.limit };
        applies.then_some(number)
    }
}

impl fmt::Display for Condition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sign = if self.is_less { '<' } else { '>' };
        write!(f, "{}{sign}{}", self.measure, self.limit)
    }
}

/// Returns a number that is denied, in SARIF.
pub fn result(binary: &Binary, condition: &Condition, message: &str) -> Value {
    let region = json!({ "byteOffset": binary.offset, "byteLength": binary.size });
    json!({
        "ruleId": condition.measure,
        "level": "error",
        "message": { "text": message },
        "locations": [sarif::location(&binary.file, region)],
    })
}

/// Returns the description of a number in SARIF.
pub fn describe(measure: &str) -> Value {
    let text = format!("Kernels have no {measure} that --deny refuses.");
    json!({ "id": measure, "shortDescription": { "text": text } })
}
