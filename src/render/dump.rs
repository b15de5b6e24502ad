//! The whole graph as canonical JSON lines: first the symbols, then the edges, each sorted.
//!
//! A symbol row is `{"symbol", "kind", "path", "line", "lines", "container"}`; an edge row is
//! `{"kind", "from", "to", "site", "reason", "confidence"}` where an end is `{"path", "line", "name"}`
//! with the 1-based line of the definition's name, and a site `{"path", "line", "col"}` with the 1-based
//! line and 0-based byte column of the referring name.

use serde_json::{Value, json};

use crate::resolve::{Graph, SymbolId};

/// The rows of a graph, each with its line break.
pub fn dump(graph: &Graph) -> String {
    let mut symbols: Vec<String> = graph.symbol_ids().map(|id| symbol(graph, id)).collect();
    symbols.sort();
    let mut edges: Vec<String> = graph
        .edges()
        .iter()
        .map(|edge| {
            let site = json!({
                "path": graph.file(edge.file).path.as_str(),
                "line": edge.line,
                "col": edge.col,
            });
            json!({
                "kind": edge.kind.name(),
                "from": end(graph, edge.from),
                "to": end(graph, edge.to),
                "site": site,
                "reason": edge.reason.name(),
                "confidence": f64::from(edge.confidence.0) / 100.0,
            })
            .to_string()
        })
        .collect();
    edges.sort();
    let mut out = String::new();
    for row in symbols.iter().chain(&edges) {
        out.push_str(row);
        out.push('\n');
    }
    out
}

fn symbol(graph: &Graph, id: SymbolId) -> String {
    let symbol = graph.symbol(id);
    json!({
        "symbol": symbol.qualified,
        "kind": symbol.kind.name(),
        "path": graph.path(id).as_str(),
        "line": symbol.name_line,
        "lines": [symbol.lines.start, symbol.lines.end],
        "container": symbol.container.map(|id| graph.symbol(id).qualified.as_str()),
    })
    .to_string()
}

fn end(graph: &Graph, id: SymbolId) -> Value {
    let symbol = graph.symbol(id);
    json!({ "path": graph.path(id).as_str(), "line": symbol.name_line, "name": symbol.qualified })
}
