//! A file of a language, from its bytes to everything that the index makes of it alone.

use ctx_explore::extract::{FileFacts, extract, sound};
use ctx_explore::files;
use ctx_explore::lang;
use ctx_explore::lexical::FileTerms;
use ctx_explore::resolve::{FileNode, ResolveInput, resolve};
use ctx_explore::store::FactsBlob;
use ctx_explore::text::{LineIndex, RepoPath};

pub fn run(language: &str, bytes: &[u8]) {
    let Ok(text) = files::decode(bytes.to_vec()) else { return };
    let spec = lang::by_name(language).expect("a language of the registry");
    let facts = extract(spec, &text);
    sound(&facts, &text);

    let blob = FactsBlob::encode(&facts);
    // Comments are made again from the text.
    let kept = FileFacts { comments: Vec::new(), ..facts.clone() };
    assert_eq!(blob.decode().expect("what was encoded"), kept);

    let path = RepoPath::new(&format!("src/file.{}", spec.extensions[0])).expect("a path");
    let lines = LineIndex::new(&text);
    let file = FileNode {
        path: path.clone(),
        hash: [0; 32],
        lines: lines.count(),
        language: Some(language.into()),
        test: false,
        generated: false,
    };
    let graph = resolve(&[ResolveInput { file: &file, rules: Some(spec.resolution), facts: Some(&facts) }])
        .into_graph();
    assert_eq!(graph.symbols().len(), facts.defs.iter().filter(|def| def.is_symbol()).count());
    for id in graph.symbol_ids() {
        let symbol = graph.symbol(id);
        assert!(1 <= symbol.lines.start && symbol.lines.end <= file.lines, "{symbol:?}");
        assert!(symbol.lines.start <= symbol.name_line && symbol.name_line <= symbol.lines.end, "{symbol:?}");
    }
    FileTerms::new(&path, &text, &lines, &facts);
}
