//! A small repository in memory for tests: texts, symbols by qualified name, edges by name and line.

use std::sync::Arc;

use super::{NameIndex, Repository, Source};
use crate::lexical::{Chunk, Posting, Postings};
use crate::resolve::{
    Confidence, Edge, EdgeKind, FileId, FileNode, Graph, Reason, Symbol, SymbolId, SymbolKind, Visibility,
};
use crate::text::{LineRange, RepoPath, Span, is_test_path};

/// Collects what the tests say; order does not matter.
#[derive(Clone, Default)]
pub(crate) struct Sketch {
    files: Vec<(String, String)>,
    symbols: Vec<(String, SymbolKind, String, u32, u32)>,
    edges: Vec<(String, EdgeKind, String, u32)>,
}

pub(crate) struct Memory {
    graph: Graph,
    names: NameIndex,
    sources: Vec<Arc<Source>>,
}

impl Sketch {
    pub fn file(mut self, path: &str, text: &str) -> Self {
        self.files.push((path.into(), text.into()));
        self
    }

    /// A symbol of the file given last; its container is the symbol of the qualified name's prefix.
    pub fn symbol(mut self, kind: SymbolKind, qualified: &str, start: u32, end: u32) -> Self {
        let path = self.files.last().unwrap().0.clone();
        self.symbols.push((path, kind, qualified.into(), start, end));
        self
    }

    /// An edge written at `line` of the file of `from`.
    pub fn edge(mut self, from: &str, kind: EdgeKind, to: &str, line: u32) -> Self {
        self.edges.push((from.into(), kind, to.into(), line));
        self
    }

    /// An edge that nothing but the name of what it leads from says.
    pub fn unsaid(self, from: &str, kind: EdgeKind, to: &str) -> Self {
        self.edge(from, kind, to, 0)
    }

    pub fn build(mut self) -> Memory {
        self.files.sort();
        let path_at = |path: &str| self.files.iter().position(|(p, _)| p == path).unwrap();
        let mut symbols = Vec::new();
        for (at, (path, text)) in self.files.iter().enumerate() {
            let source = Source::new(text.clone());
            let lines = source.lines.count();
            let stem = RepoPath::new(path).unwrap().stem().to_owned();
            let mut of_file: Vec<_> = self.symbols.iter().filter(|s| path_at(&s.0) == at).collect();
            of_file.sort_by_key(|s| (s.3, std::cmp::Reverse(s.4)));
            let test = is_test_path(&RepoPath::new(path).unwrap());
            let base = |kind, name: &str, qualified: &str, start: u32, end: u32| Symbol {
                file: FileId(at as u32),
                kind,
                name: name.into(),
                qualified: qualified.into(),
                container: None,
                lines: LineRange::new(start, end),
                signature: LineRange::new(start, start),
                doc: None,
                name_line: start,
                name_span: Span::new(source.lines.span(start).start, source.lines.span(start).start + 1),
                full: source.lines.span_of(LineRange::new(start, end)),
                visibility: Visibility::Public,
                test,
                without_body: start == end && kind == SymbolKind::Method,
            };
            symbols.push(base(SymbolKind::Module, &stem, &stem, 1, lines));
            let module = symbols.len() - 1;
            for (_, kind, qualified, start, end) in of_file {
                let (prefix, name) = qualified.rsplit_once('.').unwrap_or(("", qualified));
                let mut symbol = base(*kind, name, qualified, *start, *end);
                let holder = symbols.iter().rposition(|s: &Symbol| {
                    s.qualified == prefix && s.kind != SymbolKind::Module && s.file.0 == at as u32
                });
                symbol.container = Some(SymbolId(holder.unwrap_or(module) as u32));
                symbols.push(symbol);
            }
        }
        let id = |qualified: &str| {
            let at = symbols.iter().position(|s| s.qualified == qualified && s.kind != SymbolKind::Module);
            SymbolId(at.unwrap_or_else(|| panic!("no symbol {qualified}")) as u32)
        };
        let edges = self.edges.iter().enumerate().map(|(n, (from, kind, to, line))| {
            let (n, at) = (n as u32, &symbols[id(from).0 as usize]);
            let unsaid = *line == 0;
            Edge {
                from: id(from),
                to: id(to),
                kind: *kind,
                file: at.file,
                site: if unsaid { at.name_span } else { Span::new(n, n + 1) },
                line: if unsaid { at.name_line } else { *line },
                col: n,
                reason: Reason::Scope,
                confidence: Confidence(100),
            }
        });
        let edges = edges.collect();
        let files = self.files.iter().map(|(path, text)| {
            let path = RepoPath::new(path).unwrap();
            FileNode {
                test: is_test_path(&path),
                language: (path.extension() != "txt").then(|| "toy".into()),
                path,
                hash: [0; 32],
                lines: Source::new(text.clone()).lines.count(),
                generated: false,
            }
        });
        let graph = Graph::new(files.collect(), symbols, edges);
        let sources = self.files.iter().map(|(_, text)| Arc::new(Source::new(text.clone()))).collect();
        Memory { names: NameIndex::new(&graph), graph, sources }
    }
}

impl Memory {
    pub fn id(&self, qualified: &str) -> SymbolId {
        let mut all = self.graph.symbol_ids();
        all.find(|&s| {
            self.graph.symbol(s).qualified == qualified && self.graph.symbol(s).kind != SymbolKind::Module
        })
        .unwrap()
    }
}

impl Postings for Memory {
    fn chunks(&self) -> &[Chunk] {
        &[]
    }

    fn postings(&self, _term: &str) -> Arc<[Posting]> {
        Arc::default()
    }
}

impl Repository for Memory {
    fn graph(&self) -> &Graph {
        &self.graph
    }

    fn names(&self) -> &NameIndex {
        &self.names
    }

    fn postings(&self) -> &dyn Postings {
        self
    }

    fn read(&self, file: FileId) -> Option<Arc<Source>> {
        self.sources.get(file.0 as usize).cloned()
    }
}

/// A call through a chain of interceptors: one interface, four implementations, of which `Net` is last.
pub(crate) fn chain() -> Memory {
    use EdgeKind::*;
    use SymbolKind::*;
    let interceptor = |name: &str| {
        format!(
            "class {name} : Interceptor {{\n  override fun intercept(chain: Chain): Response {{\n{}    return chain.proceed()\n  }}\n}}\n",
            "    step()\n".repeat(4)
        )
    };
    let mut sketch = Sketch::default()
        .file(
            "src/Call.kt",
            "class Call {\n  fun execute() {\n    return respond()\n  }\n\n  fun respond() {\n    val all = listOf(Retry(), Cache(), Net())\n    return RealChain(all).proceed()\n  }\n}\n",
        )
        .symbol(Class, "Call", 1, 10)
        .symbol(Method, "Call.execute", 2, 4)
        .symbol(Method, "Call.respond", 6, 9)
        .file("src/Interceptor.kt", "interface Interceptor {\n  fun intercept(chain: Chain): Response\n}\n")
        .symbol(Interface, "Interceptor", 1, 3)
        .symbol(Method, "Interceptor.intercept", 2, 2)
        .file("src/Chain.kt", "interface Chain {\n  fun proceed(): Response\n}\n\nclass RealChain : Chain {\n  override fun proceed() {\n    all[0].intercept(this)\n  }\n}\n")
        .symbol(Interface, "Chain", 1, 3)
        .symbol(Method, "Chain.proceed", 2, 2)
        .symbol(Class, "RealChain", 5, 9)
        .symbol(Method, "RealChain.proceed", 6, 8)
        .edge("Call.execute", Calls, "Call.respond", 3)
        .edge("Call.respond", Calls, "RealChain.proceed", 8)
        .edge("RealChain", Implements, "Chain", 5)
        .edge("RealChain.proceed", Overrides, "Chain.proceed", 6)
        .edge("RealChain.proceed", Calls, "Interceptor.intercept", 7);
    for name in ["Cache", "Log", "Net", "Retry"] {
        let method = format!("{name}.intercept");
        sketch = sketch
            .file(&format!("src/{name}.kt"), &interceptor(name))
            .symbol(Class, name, 1, 9)
            .symbol(Method, &method, 2, 8)
            .edge(name, Implements, "Interceptor", 1)
            .edge(&method, Overrides, "Interceptor.intercept", 2)
            .edge("Call.respond", Instantiates, name, 7);
        if name != "Net" {
            sketch = sketch.edge(&method, Calls, "Chain.proceed", 7);
        }
    }
    sketch.file("notes.txt", "plain words\n").build()
}
