//! Validation of JSON by the keywords that `output.schema.json` uses. A crate for all of JSON Schema
//! takes longer to build than the tool.

use serde_json::{Map, Value};

/// Returns the first value that disagrees with a schema, with its path. `root` has the definitions.
pub fn validate(root: &Value, schema: &Value, value: &Value, path: &str) -> Result<(), String> {
    let keywords = match schema {
        Value::Bool(true) => return Ok(()),
        Value::Object(keywords) => keywords,
        other => panic!("{other} is not a schema"),
    };
    for (keyword, operand) in keywords {
        let is_valid = match keyword.as_str() {
            "description" | "title" => true,
            "$ref" => {
                let name = operand.as_str().and_then(|target| target.strip_prefix('#'));
                let schema = name.and_then(|name| root.pointer(name));
                validate(root, schema.expect("a definition"), value, path)?;
                true
            }
            "anyOf" => {
                list(operand).iter().any(|schema| validate(root, schema, value, path).is_ok())
            }
            "enum" => list(operand).contains(value),
            "type" => match operand {
                Value::Array(types) => types.iter().any(|ty| has_type(value, ty)),
                ty => has_type(value, ty),
            },
            // The next keywords only apply to values of one type.
            "minimum" => value.as_f64().is_none_or(|number| number >= limit(operand)),
            "maximum" => value.as_f64().is_none_or(|number| number <= limit(operand)),
            "minLength" => text_len(value).is_none_or(|len| len >= limit(operand)),
            "maxLength" => text_len(value).is_none_or(|len| len <= limit(operand)),
            "minItems" => list_len(value).is_none_or(|len| len >= limit(operand)),
            "maxItems" => list_len(value).is_none_or(|len| len <= limit(operand)),
            "pattern" => value.as_str().is_none_or(|text| matches(operand, text)),
            "required" => {
                let has = |members: &Map<String, Value>, name: &Value| {
                    members.contains_key(name.as_str().expect("a name"))
                };
                let members = value.as_object();
                members.is_none_or(|it| list(operand).iter().all(|name| has(it, name)))
            }
            "items" => {
                for (index, item) in value.as_array().into_iter().flatten().enumerate() {
                    validate(root, operand, item, &format!("{path}/{index}"))?;
                }
                true
            }
            "properties" => {
                for (name, schema) in operand.as_object().expect("properties") {
                    if let Some(member) = value.get(name) {
                        validate(root, schema, member, &format!("{path}/{name}"))?;
                    }
                }
                true
            }
            "additionalProperties" => {
                let known = keywords.get("properties").and_then(Value::as_object);
                let is_known = |name: &String| known.is_some_and(|known| known.contains_key(name));
                for (name, member) in value.as_object().into_iter().flatten() {
                    if !is_known(name) {
                        let path = format!("{path}/{name}");
                        if *operand == Value::Bool(false) {
                            return Err(format!("{path} is not in the schema"));
                        }
                        validate(root, operand, member, &path)?;
                    }
                }
                true
            }
            "propertyNames" => {
                for name in value.as_object().into_iter().flat_map(Map::keys) {
                    let path = format!("{path}/{name}");
                    validate(root, operand, &Value::String(name.clone()), &path)?;
                }
                true
            }
            _ => panic!("unknown keyword {keyword}"),
        };
        if !is_valid {
            return Err(format!("{path}: {value} disagrees with {keyword:?}: {operand}"));
        }
    }
    Ok(())
}

fn list(value: &Value) -> &[Value] {
    value.as_array().expect("a list")
}

fn limit(value: &Value) -> f64 {
    value.as_f64().expect("a number")
}

fn text_len(value: &Value) -> Option<f64> {
    value.as_str().map(|text| text.chars().count() as f64)
}

fn list_len(value: &Value) -> Option<f64> {
    value.as_array().map(|items| items.len() as f64)
}

fn has_type(value: &Value, ty: &Value) -> bool {
    match ty.as_str().expect("a type") {
        "null" => value.is_null(),
        "boolean" => value.is_boolean(),
        "integer" => value.is_i64() || value.is_u64(),
        "number" => value.is_number(),
        "string" => value.is_string(),
        "array" => value.is_array(),
        "object" => value.is_object(),
        other => panic!("unknown type {other}"),
    }
}

/// Returns whether a text matches one of the patterns of the schema.
fn matches(pattern: &Value, text: &str) -> bool {
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
    match pattern.as_str().expect("a pattern") {
        "^[0-9a-f]{64}$" => {
            text.len() == 64 && text.bytes().all(|b| matches!(b, b'0'..=b'9' | b'a'..=b'f'))
        }
        "^[a-z0-9-]+$" => {
            let is_word = |b| matches!(b, b'a'..=b'z' | b'0'..=b'9' | b'-');
            !text.is_empty() && text.bytes().all(is_word)
        }
        r"^[0-9]+\.[0-9]+$" => {
            text.split_once('.').is_some_and(|(a, b)| is_number(a) && is_number(b))
        }
        other => panic!("unknown pattern {other}"),
    }
}
