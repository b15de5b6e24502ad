//! The registry as documents: JSON schemas for clients, Markdown for people.

use std::fmt::Write;

use serde_json::{Map, Value, json};

use super::registry::{Kind, Need, OnCommandLine, Param, TOOLS, Tool};

/// The input schema of a tool: one plain object, nothing combined at the root, unknown names refused.
pub fn input_schema(tool: &Tool) -> Map<String, Value> {
    let properties: Map<String, Value> =
        tool.params.iter().map(|param| (param.name.to_owned(), property(param))).collect();
    let required: Vec<&str> =
        tool.params.iter().filter(|param| param.need == Need::Required).map(|param| param.name).collect();
    let mut schema = Map::new();
    schema.insert("type".to_owned(), json!("object"));
    schema.insert("properties".to_owned(), Value::Object(properties));
    if !required.is_empty() {
        schema.insert("required".to_owned(), json!(required));
    }
    schema.insert("additionalProperties".to_owned(), json!(false));
    schema
}

fn property(param: &Param) -> Value {
    let mut property = match param.kind {
        Kind::Text { .. } => json!({"type": "string"}),
        Kind::Texts { max_items, .. } => {
            json!({"type": "array", "items": {"type": "string"}, "maxItems": max_items})
        }
        Kind::Integer { min, max } => json!({"type": "integer", "minimum": min, "maximum": max}),
        Kind::Flag => json!({"type": "boolean"}),
    };
    match param.need {
        Need::Integer(number) => property["default"] = json!(number),
        Need::Off => property["default"] = json!(false),
        Need::Required | Need::Optional => {}
    }
    property["description"] = json!(param.description);
    property
}

/// The annotations of every tool: none of them changes anything or reaches beyond the repository.
pub fn annotations(tool: &Tool) -> Value {
    json!({"title": tool.title, "readOnlyHint": true, "destructiveHint": false, "idempotentHint": true, "openWorldHint": false})
}

/// The `_meta` of a tool.
pub fn meta(tool: &Tool) -> Map<String, Value> {
    let mut meta = Map::new();
    if tool.always_load {
        meta.insert("anthropic/alwaysLoad".to_owned(), json!(true));
    }
    meta.insert("anthropic/maxResultSizeChars".to_owned(), json!(tool.max_result_chars));
    meta
}

/// All tools as the client's `tools/list` shows them, pretty-printed, with a final line break.
pub fn json() -> String {
    let tools: Vec<Value> = TOOLS
        .iter()
        .map(|tool| {
            json!({
                "name": tool.name,
                "title": tool.title,
                "description": tool.description,
                "inputSchema": input_schema(tool),
                "annotations": annotations(tool),
                "_meta": meta(tool),
            })
        })
        .collect();
    format!("{:#}\n", json!({ "tools": tools }))
}

/// `specs/tools.md`.
pub fn markdown() -> String {
    let mut out = String::from(
        "# Tools\n\n\
         Generated from the registry in `src/tools/registry.rs` by `ctx-explore tools --markdown`; a test\n\
         fails when this page and the registry differ.\n\n",
    );
    let _ =
        writeln!(out, "{} tools. Each is an MCP tool and a subcommand with the same output.\n", TOOLS.len());
    let _ = writeln!(out, "| MCP tool | Command line | What it does |\n|---|---|---|");
    for tool in TOOLS {
        let _ = writeln!(out, "| `{}` | `ctx-explore {}` | {} |", tool.name, tool.command, tool.about);
    }
    for tool in TOOLS {
        let _ = write!(
            out,
            "\n## {}\n\n{}\n\n",
            tool.name,
            tool.description.replace("\nExample: ", "\n\nExample: ")
        );
        if tool.params.is_empty() {
            out.push_str("No parameters.\n");
            continue;
        }
        out.push_str("| Parameter | Command line | Type | Default | Meaning |\n|---|---|---|---|---|\n");
        for param in tool.params {
            let option = match param.on_command_line {
                OnCommandLine::Words(words) => format!("`{words}`"),
                OnCommandLine::Option(option, value) => format!("`--{option} {value}`"),
                OnCommandLine::Switch(option) => format!("`--{option}`"),
            };
            let kind = match param.kind {
                Kind::Text { max_bytes } => format!("text, at most {max_bytes} bytes"),
                Kind::Texts { max_items, max_bytes } => {
                    format!("list of at most {max_items} texts, each at most {max_bytes} bytes")
                }
                Kind::Integer { min, max } => format!("integer, {min} to {max}"),
                Kind::Flag => "boolean".to_owned(),
            };
            let default = match param.need {
                Need::Required => "required".to_owned(),
                Need::Optional => "none".to_owned(),
                Need::Integer(number) => number.to_string(),
                Need::Off => "false".to_owned(),
            };
            let _ = writeln!(
                out,
                "| `{}` | {option} | {kind} | {default} | {} |",
                param.name,
                param.description.replace('|', "\\|")
            );
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn schemas_are_one_plain_object() {
        for tool in TOOLS {
            let schema = input_schema(tool);
            let keys: Vec<&str> = schema.keys().map(String::as_str).collect();
            for key in &keys {
                assert!(["type", "properties", "required", "additionalProperties"].contains(key), "{key}");
            }
            assert_eq!(schema["type"], "object");
            assert_eq!(schema["additionalProperties"], false);
            for property in schema["properties"].as_object().unwrap().values() {
                assert!(property["type"].is_string(), "{property}");
            }
        }
    }

    #[test]
    fn the_explore_tool_loads_always() {
        assert_eq!(meta(&super::super::registry::EXPLORE)["anthropic/alwaysLoad"], true);
    }
}
