//! The arguments of one call, checked against the registry.

use std::collections::BTreeMap;

use serde_json::{Map, Value};

use super::near::nearest;
use super::registry::{Kind, Need, Param, Tool};

/// Checked arguments: every parameter of the tool has a value, given or by default.
#[derive(Clone, Debug, PartialEq)]
pub struct Arguments {
    values: BTreeMap<&'static str, Checked>,
}

#[derive(Clone, Debug, PartialEq)]
enum Checked {
    Text(String),
    Texts(Vec<String>),
    Integer(u64),
    Flag(bool),
}

/// What is wrong with the arguments and how to correct it; for the caller to read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct ArgumentError(pub String);

impl Arguments {
    /// Checks names, types and bounds. `null` counts as not given; a number or a truth value written as a
    /// text, and a single text for a list, are taken for what they say.
    pub fn check(tool: &Tool, given: &Map<String, Value>) -> Result<Self, ArgumentError> {
        for name in given.keys() {
            if !tool.params.iter().any(|param| param.name == name) {
                return Err(unknown(tool, name));
            }
        }
        let mut values = BTreeMap::new();
        for param in tool.params {
            let value = match given.get(param.name) {
                None | Some(Value::Null) => absent(tool, param)?,
                Some(value) => checked(tool, param, value)?,
            };
            values.insert(param.name, value);
        }
        Ok(Arguments { values })
    }

    /// A text parameter; empty where it was not given.
    pub fn text(&self, name: &str) -> &str {
        match self.values.get(name) {
            Some(Checked::Text(text)) => text,
            _ => "",
        }
    }

    pub fn texts(&self, name: &str) -> &[String] {
        match self.values.get(name) {
            Some(Checked::Texts(texts)) => texts,
            _ => &[],
        }
    }

    pub fn integer(&self, name: &str) -> u64 {
        match self.values.get(name) {
            Some(Checked::Integer(number)) => *number,
            _ => 0,
        }
    }

    /// The same with a whole number made smaller.
    pub fn with_less(&self, name: &str, less: u64) -> Self {
        let mut arguments = self.clone();
        if let Some(Checked::Integer(number)) = arguments.values.get_mut(name) {
            *number = number.saturating_sub(less);
        }
        arguments
    }

    pub fn flag(&self, name: &str) -> bool {
        matches!(self.values.get(name), Some(Checked::Flag(true)))
    }
}

fn unknown(tool: &Tool, name: &str) -> ArgumentError {
    let shown: String = name.chars().take(60).collect();
    let known: Vec<&str> = tool.params.iter().map(|param| param.name).collect();
    if known.is_empty() {
        return ArgumentError(format!("{} takes no arguments; leave out `{shown}`.", tool.name));
    }
    let near = nearest(name, known.iter().copied(), 1);
    let hint = near.first().map_or(String::new(), |near| format!(" Did you mean `{near}`?"));
    ArgumentError(format!(
        "{} has no argument `{shown}`.{hint} Its arguments are: {}.",
        tool.name,
        known.join(", ")
    ))
}

fn absent(tool: &Tool, param: &Param) -> Result<Checked, ArgumentError> {
    Ok(match (param.need, param.kind) {
        (Need::Required, _) => {
            return Err(ArgumentError(format!(
                "{} needs the argument `{}`: {}",
                tool.name, param.name, param.description
            )));
        }
        (Need::Integer(number), _) => Checked::Integer(number),
        (Need::Off, _) => Checked::Flag(false),
        (Need::Optional, Kind::Texts { .. }) => Checked::Texts(Vec::new()),
        (Need::Optional, _) => Checked::Text(String::new()),
    })
}

fn checked(tool: &Tool, param: &Param, value: &Value) -> Result<Checked, ArgumentError> {
    let wrong = |what: &str| ArgumentError(format!("`{}` of {} {what}.", param.name, tool.name));
    let text = |value: &Value, max_bytes: usize| match value {
        Value::String(text) if text.len() > max_bytes => Err(wrong(&format!(
            "is {} bytes long; at most {max_bytes} are read: shorten it to what matters",
            text.len()
        ))),
        Value::String(text) => Ok(text.clone()),
        other => Err(wrong(&format!("must be a text, not {}", type_name(other)))),
    };
    match param.kind {
        Kind::Text { max_bytes } => {
            let text = text(value, max_bytes)?;
            if param.need == Need::Required && text.trim().is_empty() {
                return Err(wrong(&format!("is empty. {}", param.description.trim_end_matches('.'))));
            }
            Ok(Checked::Text(text))
        }
        Kind::Texts { max_items, max_bytes } => {
            let items = match value {
                Value::Array(items) => items.as_slice(),
                single => std::slice::from_ref(single),
            };
            if items.len() > max_items {
                return Err(wrong(&format!("has {} items; at most {max_items} are read", items.len())));
            }
            let texts: Result<Vec<String>, _> = items.iter().map(|item| text(item, max_bytes)).collect();
            Ok(Checked::Texts(texts?))
        }
        Kind::Integer { min, max } => {
            let number = match value {
                Value::Number(number) => number
                    .as_u64()
                    .or_else(|| number.as_f64().filter(|n| n.fract() == 0.0 && *n >= 0.0).map(|n| n as u64)),
                Value::String(text) => text.trim().parse().ok(),
                _ => None,
            };
            match number {
                Some(number) if (min..=max).contains(&number) => Ok(Checked::Integer(number)),
                _ => Err(wrong(&format!("must be a whole number from {min} to {max}, not {}", shown(value)))),
            }
        }
        Kind::Flag => match value {
            Value::Bool(on) => Ok(Checked::Flag(*on)),
            Value::String(text) if text == "true" => Ok(Checked::Flag(true)),
            Value::String(text) if text == "false" => Ok(Checked::Flag(false)),
            other => Err(wrong(&format!("must be true or false, not {}", shown(other)))),
        },
    }
}

fn type_name(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "true or false",
        Value::Number(_) => "a number",
        Value::String(_) => "a text",
        Value::Array(_) => "a list",
        Value::Object(_) => "an object",
    }
}

/// The value itself where it is short, else its type.
fn shown(value: &Value) -> String {
    let text = value.to_string();
    if text.len() <= 40 { text } else { type_name(value).to_owned() }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::tools::registry::{EXPLORE, SEARCH, STATUS};

    fn check(tool: &Tool, value: Value) -> Result<Arguments, String> {
        Arguments::check(tool, value.as_object().unwrap()).map_err(|error| error.0)
    }

    #[test]
    fn defaults_fill_in_what_is_absent_or_null() {
        let arguments = check(&EXPLORE, json!({"query": "q", "path": null})).unwrap();
        assert_eq!(arguments.text("query"), "q");
        assert_eq!(arguments.text("path"), "");
        assert_eq!(arguments.integer("max_turns"), 3);
        assert_eq!(arguments.integer("max_bytes"), 24_000);
        assert!(!arguments.flag("citation"));
        assert!(arguments.texts("keywords").is_empty());
    }

    #[test]
    fn an_unknown_argument_is_named_with_the_nearest_known_one() {
        assert_eq!(
            check(&EXPLORE, json!({"query": "q", "max_byte": 5})).unwrap_err(),
            "ctx_explore has no argument `max_byte`. Did you mean `max_bytes`? \
             Its arguments are: query, keywords, path, max_turns, max_bytes, citation."
        );
        assert_eq!(
            check(&STATUS, json!({"verbose": true})).unwrap_err(),
            "ctx_status takes no arguments; leave out `verbose`."
        );
    }

    #[test]
    fn wrong_types_and_bounds_say_what_is_right() {
        for (value, expected) in [
            (
                json!({}),
                "ctx_explore needs the argument `query`: The question, in plain words, with the names you know; or a bug report.",
            ),
            (json!({"query": 7}), "`query` of ctx_explore must be a text, not a number."),
            (
                json!({"query": " \n"}),
                "`query` of ctx_explore is empty. The question, in plain words, with the names you know; or a bug report.",
            ),
            (
                json!({"query": "q", "max_turns": 0}),
                "`max_turns` of ctx_explore must be a whole number from 1 to 10, not 0.",
            ),
            (
                json!({"query": "q", "max_bytes": -1}),
                "`max_bytes` of ctx_explore must be a whole number from 1000 to 100000, not -1.",
            ),
            (json!({"query": "q", "citation": 1}), "`citation` of ctx_explore must be true or false, not 1."),
            (
                json!({"query": "q", "keywords": [1]}),
                "`keywords` of ctx_explore must be a text, not a number.",
            ),
        ] {
            assert_eq!(check(&EXPLORE, value).unwrap_err(), expected);
        }
    }

    #[test]
    fn a_query_of_a_megabyte_is_refused_by_its_size() {
        let error = check(&EXPLORE, json!({"query": "x".repeat(1_000_000)})).unwrap_err();
        assert_eq!(
            error,
            "`query` of ctx_explore is 1000000 bytes long; at most 65536 are read: shorten it to what matters."
        );
    }

    #[test]
    fn values_written_as_text_are_taken_for_what_they_say() {
        let arguments = check(&SEARCH, json!({"pattern": "p", "max_results": "7", "regex": "true"})).unwrap();
        assert_eq!(arguments.integer("max_results"), 7);
        assert!(arguments.flag("regex"));
        let arguments = check(&EXPLORE, json!({"query": "q", "keywords": "a"})).unwrap();
        assert_eq!(arguments.texts("keywords"), ["a"]);
    }
}
