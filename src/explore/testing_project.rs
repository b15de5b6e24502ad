//! A repository of real source text in memory for tests: extracted, resolved and searchable.

use std::sync::Arc;

use super::{NameIndex, Repository, Source};
use crate::extract::{FileFacts, extract};
use crate::lang;
use crate::lexical::{FileTerms, MemoryPostings, Postings};
use crate::resolve::{FileId, FileNode, Graph, ResolveInput, SymbolId, resolve};
use crate::text::{RepoPath, is_test_path};

pub(crate) struct Project {
    graph: Graph,
    names: NameIndex,
    postings: MemoryPostings,
    sources: Vec<Arc<Source>>,
}

impl Project {
    /// Files as (path, text).
    pub fn new(files: &[(&str, &str)]) -> Self {
        let mut files: Vec<(RepoPath, &str)> =
            files.iter().map(|(path, text)| (RepoPath::new(path).unwrap(), *text)).collect();
        files.sort();
        let sources: Vec<Arc<Source>> =
            files.iter().map(|(_, text)| Arc::new(Source::new((*text).to_owned()))).collect();
        let made: Vec<(FileNode, FileFacts)> = files
            .iter()
            .zip(&sources)
            .map(|((path, text), source)| {
                let spec = lang::for_path(path);
                let node = FileNode {
                    path: path.clone(),
                    hash: [0; 32],
                    lines: source.lines.count(),
                    language: spec.map(|spec| spec.name.into()),
                    test: is_test_path(path),
                    generated: false,
                };
                (node, spec.map_or_else(FileFacts::default, |spec| extract(spec, text)))
            })
            .collect();
        let inputs: Vec<ResolveInput<'_>> = made
            .iter()
            .map(|(file, facts)| {
                let rules = lang::for_path(&file.path).map(|spec| spec.resolution);
                ResolveInput { file, rules, facts: rules.is_some().then_some(facts) }
            })
            .collect();
        let graph = resolve(&inputs).into_graph();
        let terms: Vec<FileTerms> = made
            .iter()
            .zip(&sources)
            .map(|((file, facts), source)| FileTerms::new(&file.path, &source.text, &source.lines, facts))
            .collect();
        let postings = MemoryPostings::new(&graph, &terms);
        Project { names: NameIndex::new(&graph), graph, postings, sources }
    }

    pub fn file(&self, path: &str) -> FileId {
        self.graph.find_file(path).unwrap()
    }

    pub fn symbol(&self, qualified: &str) -> SymbolId {
        let named = |id: &SymbolId| self.graph.symbol(*id).qualified == qualified;
        self.graph.symbol_ids().find(named).unwrap_or_else(|| panic!("no symbol {qualified}"))
    }
}

impl Repository for Project {
    fn graph(&self) -> &Graph {
        &self.graph
    }

    fn names(&self) -> &NameIndex {
        &self.names
    }

    fn postings(&self) -> &dyn Postings {
        &self.postings
    }

    fn read(&self, file: FileId) -> Option<Arc<Source>> {
        self.sources.get(file.0 as usize).cloned()
    }
}
