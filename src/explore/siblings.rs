//! Siblings: types that are interchangeable because they are many implementations of one supertype, and
//! functions that are because they fill one slot.
//!
//! The signal is structural: a supertype with at least three direct implementers by written `extends` or
//! `implements` clauses of production code, or a slot with as many functions. A pair of an interface and its
//! one implementation is none.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};

use super::spine::Spine;
use crate::resolve::{Edge, EdgeKind, FileId, Graph, SymbolId};

/// As many implementers, or functions of a slot, make a family.
pub(super) const MIN_SIBLINGS: usize = 3;
/// A function whose body takes no more lines is shown as it is.
const SHORT: u32 = 4;

/// The families of a graph, counted as they are asked for.
pub(super) struct Families<'g> {
    graph: &'g Graph,
    tests: bool,
    counted: RefCell<BTreeMap<SymbolId, usize>>,
    filled: RefCell<BTreeMap<SymbolId, usize>>,
}

impl<'g> Families<'g> {
    /// `tests`: test types count as implementers.
    pub fn new(graph: &'g Graph, tests: bool) -> Self {
        Families { graph, tests, counted: RefCell::default(), filled: RefCell::default() }
    }

    /// The direct implementers of a supertype, by path and position. An interface is no implementation, and
    /// what has all its methods from another implementer is none of its own.
    pub fn implementers(&self, supertype: SymbolId) -> BTreeSet<SymbolId> {
        let incoming = || self.graph.incoming(supertype).filter(|e| is_clause(e.kind));
        let all: BTreeSet<SymbolId> = incoming().map(|e| e.from).collect();
        let inherits = |id: SymbolId| {
            let above = self.graph.outgoing(id).iter().filter(|e| e.kind == EdgeKind::Extends);
            above.into_iter().any(|e| e.to != id && all.contains(&e.to))
        };
        let direct = |e: &&Edge| {
            let symbol = self.graph.symbol(e.from);
            // A type that does not say what it implements stands for itself.
            let unsaid = e.site == symbol.name_span;
            let counts = self.tests || !symbol.test;
            counts && !symbol.kind.is_interface() && !(unsaid && inherits(e.from))
        };
        incoming().filter(direct).map(|e| e.from).collect()
    }

    /// The functions that fill a slot, by path and position. What only tests choose from is no slot.
    pub fn fillers(&self, slot: SymbolId) -> BTreeSet<SymbolId> {
        let told = |id: SymbolId| self.tests || !self.graph.symbol(id).test;
        let incoming = self.graph.incoming(slot).filter(|e| e.kind == EdgeKind::Fills && told(slot));
        incoming.map(|e| e.from).filter(|&id| told(id)).collect()
    }

    /// Whether a type is the supertype of a family.
    pub fn is_base(&self, id: SymbolId) -> bool {
        self.is_counted(&self.counted, id, || self.implementers(id).len())
    }

    /// Whether a symbol is the slot of a family.
    fn is_slot(&self, id: SymbolId) -> bool {
        self.is_counted(&self.filled, id, || self.fillers(id).len())
    }

    fn is_counted(
        &self,
        counted: &RefCell<BTreeMap<SymbolId, usize>>,
        id: SymbolId,
        count: impl FnOnce() -> usize,
    ) -> bool {
        let known = counted.borrow().get(&id).copied();
        let count = known.unwrap_or_else(count);
        counted.borrow_mut().insert(id, count);
        count >= MIN_SIBLINGS
    }

    /// The slots of families that a function fills, in order.
    pub fn slots(&self, id: SymbolId) -> BTreeSet<SymbolId> {
        let filled = self.graph.outgoing(id).iter().filter(|e| e.kind == EdgeKind::Fills);
        filled.map(|e| e.to).filter(|&slot| self.is_slot(slot)).collect()
    }

    /// The family bases that a type extends or implements directly, in order.
    pub fn bases(&self, id: SymbolId) -> BTreeSet<SymbolId> {
        if self.graph.symbol(id).kind.is_interface() {
            return BTreeSet::new();
        }
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

    /// The types and functions of a file shown as code whose bodies are redundant, with nothing in them on the
    /// spine or named: members of a family whose base is in the same file, and functions of a slot, of which
    /// an exemplar is shown.
    pub fn redundant(
        &self,
        file: FileId,
        spine: &Spine,
        exemplars: &BTreeSet<SymbolId>,
    ) -> BTreeSet<SymbolId> {
        let mut found = BTreeSet::new();
        if !spine.exists() {
            return found;
        }
        for id in self.graph.symbols_in(file) {
            let symbol = self.graph.symbol(id);
            let local = || self.bases(id).iter().any(|&base| self.graph.symbol(base).file == file);
            let member = if symbol.kind.is_type() {
                !self.is_base(id) && local()
            } else {
                symbol.lines.end > symbol.signature.end + SHORT
                    && !exemplars.contains(&id)
                    && !self.is_slot(id)
                    && !self.slots(id).is_empty()
            };
            if !member {
                continue;
            }
            let inside = |member: &SymbolId| {
                let other = self.graph.symbol(*member);
                *member == id
                    || other.file == file && symbol.full.encloses(other.full)
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
pub(super) fn is_clause(kind: EdgeKind) -> bool {
    matches!(kind, EdgeKind::Extends | EdgeKind::Implements)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::explore::Repository;
    use crate::explore::testing::{Memory, Sketch, chain};
    use crate::resolve::EdgeKind::*;
    use crate::resolve::SymbolKind::{Class, Function, Interface, Method};

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
    fn an_interface_and_what_has_its_methods_from_another_type_are_no_implementations() {
        let text = "x\n".repeat(40);
        let sketch = |third: fn(Sketch) -> Sketch| {
            let sketch = Sketch::default()
                .file("src/store.go", &text)
                .symbol(Interface, "Store", 1, 3)
                .symbol(Interface, "Wide", 4, 6)
                .edge("Wide", Extends, "Store", 4)
                .symbol(Class, "Disk", 7, 9)
                .edge("Disk", Implements, "Store", 7)
                .symbol(Class, "Memory", 10, 12)
                .edge("Memory", Implements, "Store", 10)
                .symbol(Class, "Third", 13, 15)
                .unsaid("Third", Implements, "Store");
            third(sketch).build()
        };
        let siblings = |repo: &Memory| {
            let families = Families::new(repo.graph(), false);
            let all = families.implementers(repo.id("Store"));
            (families.is_base(repo.id("Store")), all.len(), families.bases(repo.id("Wide")).len())
        };
        assert_eq!(siblings(&sketch(|sketch| sketch)), (true, 3, 0));
        assert_eq!(siblings(&sketch(|sketch| sketch.edge("Third", Extends, "Disk", 14))), (false, 2, 0));
    }

    #[test]
    fn a_family_file_on_the_spine_keeps_what_is_visited() {
        let repo = family(4);
        let spine = spine_of(&repo, &["Query.fetch", "Base.run", "Sub2.run"], &["Sub3.run"]);
        let families = Families::new(repo.graph(), false);
        let file = repo.graph().find_file("src/family.py").unwrap();
        let elided = families.redundant(file, &spine, &BTreeSet::new());
        assert_eq!(elided.into_iter().collect::<Vec<_>>(), [repo.id("Sub0"), repo.id("Sub1")]);
    }

    /// A slot, functions that fill it, and a path elsewhere.
    fn slot(functions: usize) -> Memory {
        let text = "x\n".repeat(60);
        let mut sketch = Sketch::default()
            .file("src/links.go", &text)
            .symbol(Class, "Link", 1, 1)
            .symbol(Function, "short", 2, 4)
            .edge("short", Fills, "Link", 2);
        for at in 0..functions {
            let start = 5 + at as u32 * 10;
            let name = format!("link{at}");
            sketch = sketch.symbol(Function, &name, start, start + 8).edge(&name, Fills, "Link", start);
        }
        sketch
            .file("src/chain.go", &text)
            .symbol(Class, "Chain", 1, 1)
            .symbol(Method, "Chain.run", 2, 4)
            .symbol(Method, "Chain.next", 5, 8)
            .build()
    }

    #[test]
    fn functions_of_a_slot_that_are_off_the_spine_are_redundant_except_short_ones_and_the_exemplar() {
        let path = ["Chain.run", "Chain.next"];
        let redundant = |repo: &Memory, spine: &Spine, exemplars: &[&str]| -> Vec<String> {
            let families = Families::new(repo.graph(), false);
            let exemplars = exemplars.iter().map(|name| repo.id(name)).collect();
            let file = repo.graph().find_file("src/links.go").unwrap();
            assert!(!families.is_skeleton(file, spine));
            let elided = families.redundant(file, spine, &exemplars);
            elided.into_iter().map(|id| repo.graph().symbol(id).qualified.to_string()).collect()
        };
        let repo = slot(3);
        assert_eq!(redundant(&repo, &spine_of(&repo, &path, &[]), &["link1"]), ["link0", "link2"]);
        assert_eq!(redundant(&repo, &spine_of(&repo, &path, &["link2"]), &[]), ["link0", "link1"]);
        let through = ["Chain.run", "link0"];
        assert_eq!(redundant(&repo, &spine_of(&repo, &through, &[]), &[]), ["link1", "link2"]);
        assert!(redundant(&repo, &spine_of(&repo, &[], &[]), &[]).is_empty());
        // Two are no family.
        let repo = slot(1);
        assert!(redundant(&repo, &spine_of(&repo, &path, &[]), &[]).is_empty());
    }
}
