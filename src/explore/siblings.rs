//! Siblings: types that are interchangeable because they are many implementations of one supertype.
//!
//! The signal is structural: a supertype with at least three direct implementers by written `extends` or
//! `implements` clauses of production code. A pair of an interface and its one implementation is none.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};

use super::spine::Spine;
use crate::resolve::{EdgeKind, FileId, Graph, SymbolId};

/// As many implementers make a family.
pub(super) const MIN_SIBLINGS: usize = 3;

/// The families of a graph, counted as they are asked for.
pub(super) struct Families<'g> {
    graph: &'g Graph,
    tests: bool,
    counted: RefCell<BTreeMap<SymbolId, usize>>,
}

impl<'g> Families<'g> {
    /// `tests`: test types count as implementers.
    pub fn new(graph: &'g Graph, tests: bool) -> Self {
        Families { graph, tests, counted: RefCell::default() }
    }

    /// The direct implementers of a supertype, by path and position.
    pub fn implementers(&self, supertype: SymbolId) -> BTreeSet<SymbolId> {
        let incoming = self.graph.incoming(supertype).filter(|e| is_clause(e.kind));
        incoming.map(|e| e.from).filter(|&id| self.tests || !self.graph.symbol(id).test).collect()
    }

    /// Whether a type is the supertype of a family.
    pub fn is_base(&self, id: SymbolId) -> bool {
        if let Some(&count) = self.counted.borrow().get(&id) {
            return count >= MIN_SIBLINGS;
        }
        let count = self.implementers(id).len();
        self.counted.borrow_mut().insert(id, count);
        count >= MIN_SIBLINGS
    }

    /// The family bases that a type extends or implements directly, in order.
    pub fn bases(&self, id: SymbolId) -> BTreeSet<SymbolId> {
        let clauses = self.graph.outgoing(id).iter().filter(|e| is_clause(e.kind));
        clauses.map(|e| e.to).filter(|&to| to != id && self.is_base(to)).collect()
    }

    /// Whether a file defines the base of a family.
    pub fn defines_base(&self, file: FileId) -> bool {
        self.graph.symbols_in(file).any(|id| self.graph.symbol(id).kind.is_type() && self.is_base(id))
    }

    /// The bases of the families that a file's types belong to.
    pub fn bases_of_file(&self, file: FileId) -> BTreeSet<SymbolId> {
        let types = self.graph.symbols_in(file).filter(|&id| self.graph.symbol(id).kind.is_type());
        types.flat_map(|id| self.bases(id)).collect()
    }

    /// The gate: a file is shown as signatures if there is a spine, no step of it is in the file, a type of
    /// the file is one of a family, and the query names no callable of the file, unless the file defines
    /// the base of a family.
    pub fn is_skeleton(&self, file: FileId, spine: &Spine) -> bool {
        let in_file = |id: &SymbolId| self.graph.symbol(*id).file == file;
        spine.exists()
            && !spine.paths.iter().flatten().any(in_file)
            && !self.bases_of_file(file).is_empty()
            && (!spine.named.iter().any(in_file) || self.defines_base(file))
    }

    /// The types of a file shown as code whose bodies are redundant: members of a family whose base is in
    /// the same file, with nothing in them on the spine or named.
    pub fn redundant(&self, file: FileId, spine: &Spine) -> BTreeSet<SymbolId> {
        let mut found = BTreeSet::new();
        if !spine.exists() {
            return found;
        }
        for id in self.graph.symbols_in(file) {
            let symbol = self.graph.symbol(id);
            let local = || self.bases(id).iter().any(|&base| self.graph.symbol(base).file == file);
            if !symbol.kind.is_type() || self.is_base(id) || !local() {
                continue;
            }
            let inside = |member: &SymbolId| {
                let other = self.graph.symbol(*member);
                other.file == file && symbol.full.encloses(other.full)
                    || other.container.is_some_and(|holder| holder == id)
            };
            if !spine.paths.iter().flatten().any(inside) && !spine.named.iter().any(inside) {
                found.insert(id);
            }
        }
        found
    }
}

/// A written supertype.
fn is_clause(kind: EdgeKind) -> bool {
    matches!(kind, EdgeKind::Extends | EdgeKind::Implements)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::explore::Repository;
    use crate::explore::testing::{Memory, Sketch, chain};
    use crate::resolve::EdgeKind::*;
    use crate::resolve::SymbolKind::{Class, Method};

    fn spine_of(repo: &Memory, path: &[&str], named: &[&str]) -> Spine {
        let mut spine = Spine::default();
        if !path.is_empty() {
            spine.paths.push(path.iter().map(|q| repo.id(q)).collect());
            spine.flows.push(crate::explore::Flow { steps: Vec::new(), by_words: false });
        }
        spine.named = named.iter().map(|q| repo.id(q)).collect();
        spine
    }

    fn skeletons(repo: &Memory, spine: &Spine) -> Vec<String> {
        let graph = repo.graph();
        let families = Families::new(graph, false);
        let files = graph.file_ids().filter(|&file| families.is_skeleton(file, spine));
        files.map(|file| graph.file(file).path.to_string()).collect()
    }

    #[test]
    fn off_spine_siblings_are_skeletons() {
        let repo = chain();
        let path = ["Call.execute", "RealChain.proceed", "Net.intercept"];
        assert_eq!(
            skeletons(&repo, &spine_of(&repo, &path, &[])),
            ["src/Cache.kt", "src/Log.kt", "src/Retry.kt"]
        );
        // Without a spine nothing is; a callable that the query names spares its file.
        assert!(skeletons(&repo, &spine_of(&repo, &[], &[])).is_empty());
        assert_eq!(
            skeletons(&repo, &spine_of(&repo, &path, &["Cache.intercept"])),
            ["src/Log.kt", "src/Retry.kt"]
        );
    }

    /// `Base` and its subclasses in one file, a path elsewhere.
    fn family(subclasses: usize) -> Memory {
        let text = "x\n".repeat(40);
        let mut sketch = Sketch::default()
            .file("src/family.py", &text)
            .symbol(Class, "Base", 1, 6)
            .symbol(Method, "Base.run", 2, 5);
        for at in 0..subclasses {
            let start = 7 + at as u32 * 5;
            let name = format!("Sub{at}");
            sketch = sketch
                .symbol(Class, &name, start, start + 4)
                .symbol(Method, &format!("{name}.run"), start + 1, start + 3)
                .edge(&name, Extends, "Base", start)
                .edge(&format!("{name}.run"), Overrides, "Base.run", start + 1);
        }
        sketch
            .file("src/query.py", &text)
            .symbol(Class, "Query", 1, 9)
            .symbol(Method, "Query.all", 2, 4)
            .symbol(Method, "Query.fetch", 5, 8)
            .build()
    }

    #[test]
    fn a_family_file_is_one_although_a_callable_of_it_is_named() {
        let spine = |repo: &Memory| spine_of(repo, &["Query.all", "Query.fetch"], &["Base.run"]);
        let repo = family(4);
        assert_eq!(skeletons(&repo, &spine(&repo)), ["src/family.py"]);
        // Two implementations are no family.
        let repo = family(2);
        assert!(skeletons(&repo, &spine(&repo)).is_empty());
    }

    #[test]
    fn a_family_file_on_the_spine_keeps_what_is_visited() {
        let repo = family(4);
        let spine = spine_of(&repo, &["Query.fetch", "Base.run", "Sub2.run"], &["Sub3.run"]);
        let families = Families::new(repo.graph(), false);
        let file = repo.graph().find_file("src/family.py").unwrap();
        let elided = families.redundant(file, &spine);
        assert_eq!(elided.into_iter().collect::<Vec<_>>(), [repo.id("Sub0"), repo.id("Sub1")]);
    }
}
