//! `Tree`: a parsed text as one row of nodes, each followed by the nodes in it.
//!
//! The parser's own tree is walked once, when the row is made. Queries and routes, which come by most nodes several
//! times, then step through the row by number.

use std::cell::RefCell;
use std::ops::Range;

use tree_sitter as parser;

/// The kind of what the parser could not read.
pub(super) const ERROR: u16 = u16::MAX;

/// What a grammar says of its kinds of nodes, by their number.
#[derive(Debug)]
pub(super) struct Kinds(Vec<(String, bool)>);

impl Kinds {
    pub(super) fn new(language: &parser::Language) -> Kinds {
        let kind = |id: u16| {
            (language.node_kind_for_id(id).unwrap_or_default().to_owned(), language.node_kind_is_named(id))
        };
        Kinds((0..language.node_kind_count() as u16).map(kind).collect())
    }

    fn name(&self, kind: u16) -> &str {
        self.0.get(kind as usize).map_or("ERROR", |known| &known.0)
    }

    fn is_named(&self, kind: u16) -> bool {
        self.0.get(kind as usize).is_none_or(|known| known.1)
    }
}

#[derive(Clone, Copy, Debug)]
struct Item {
    start: u32,
    end: u32,
    /// The first node that is not in this one.
    after: u32,
    parent: u32,
    kind: u16,
    /// The field of the parent that it is in; 0 for none.
    field: u16,
    named: bool,
    extra: bool,
    missing: bool,
    /// There is an error in it. Known of trees with errors only.
    faulty: bool,
}

/// The nodes of a text. There is at least the root.
#[derive(Debug)]
pub(super) struct Tree {
    kinds: &'static Kinds,
    items: Vec<Item>,
}

/// So many nodes are room that is kept for the next tree: 1.5 MB.
const MOST_SPARE: usize = 1 << 16;

thread_local! {
    /// The room of a tree that is no more.
    static SPARE: RefCell<Vec<Item>> = const { RefCell::new(Vec::new()) };
}

impl Drop for Tree {
    fn drop(&mut self) {
        let mut items = std::mem::take(&mut self.items);
        if items.capacity() <= MOST_SPARE {
            items.clear();
            // While the thread ends there is nobody to keep it for.
            let _ = SPARE.try_with(|spare| {
                if spare.borrow().capacity() < items.capacity() {
                    spare.replace(items);
                }
            });
        }
    }
}

/// A node of a tree.
#[derive(Clone, Copy, Debug)]
pub(super) struct Node<'t> {
    tree: &'t Tree,
    at: u32,
}

impl Tree {
    pub(super) fn new(kinds: &'static Kinds, parsed: &parser::Tree) -> Tree {
        let faulty = parsed.root_node().has_error();
        let mut items = SPARE.take();
        items.reserve(parsed.root_node().descendant_count());
        let mut cursor = parsed.walk();
        let mut around: Vec<u32> = Vec::new();
        loop {
            let node = cursor.node();
            let (kind, start, end) = (node.kind_id(), node.start_byte() as u32, node.end_byte() as u32);
            let at = items.len() as u32;
            items.push(Item {
                start,
                end,
                after: at + 1,
                parent: around.last().copied().unwrap_or(0),
                kind,
                field: cursor.field_id().map_or(0, |field| field.get()),
                named: kinds.is_named(kind),
                extra: node.is_extra(),
                missing: start == end && node.is_missing(),
                faulty: faulty && node.has_error(),
            });
            if cursor.goto_first_child() {
                around.push(at);
                continue;
            }
            while !cursor.goto_next_sibling() {
                let Some(ended) = around.pop() else { return Tree { kinds, items } };
                items[ended as usize].after = items.len() as u32;
                cursor.goto_parent();
            }
        }
    }

    pub(super) fn root(&self) -> Node<'_> {
        Node { tree: self, at: 0 }
    }

    /// The number of nodes.
    pub(super) fn count(&self) -> usize {
        self.items.len()
    }

    /// All nodes, each before those in it.
    pub(super) fn nodes(&self) -> Nodes<'_> {
        Nodes { tree: self, next: 0 }
    }
}

impl<'t> Node<'t> {
    fn item(&self) -> &'t Item {
        &self.tree.items[self.at as usize]
    }

    fn with(&self, at: u32) -> Node<'t> {
        Node { tree: self.tree, at }
    }

    /// Its number: no other node of the tree has it.
    pub(super) fn id(&self) -> u32 {
        self.at
    }

    pub(super) fn kind_id(&self) -> u16 {
        self.item().kind
    }

    pub(super) fn kind(&self) -> &'static str {
        self.tree.kinds.name(self.item().kind)
    }

    /// The field of the parent that it is in; 0 for none.
    pub(super) fn field_id(&self) -> u16 {
        self.item().field
    }

    pub(super) fn start_byte(&self) -> usize {
        self.item().start as usize
    }

    pub(super) fn end_byte(&self) -> usize {
        self.item().end as usize
    }

    pub(super) fn byte_range(&self) -> Range<usize> {
        self.start_byte()..self.end_byte()
    }

    pub(super) fn is_named(&self) -> bool {
        self.item().named
    }

    /// Whether it may stand anywhere: a comment.
    pub(super) fn is_extra(&self) -> bool {
        self.item().extra
    }

    pub(super) fn is_missing(&self) -> bool {
        self.item().missing
    }

    pub(super) fn is_error(&self) -> bool {
        self.item().kind == ERROR
    }

    pub(super) fn has_error(&self) -> bool {
        self.item().faulty
    }

    pub(super) fn parent(&self) -> Option<Node<'t>> {
        (self.at > 0).then(|| self.with(self.item().parent))
    }

    pub(super) fn next_sibling(&self) -> Option<Node<'t>> {
        let next = self.item().after;
        self.parent().filter(|parent| next < parent.item().after).map(|_| self.with(next))
    }

    pub(super) fn child_by_field_id(&self, field: u16) -> Option<Node<'t>> {
        children(*self).find(|child| child.field_id() == field)
    }

    /// The innermost node around a range.
    pub(super) fn descendant_for_byte_range(&self, start: usize, end: usize) -> Node<'t> {
        let reaches = |child: &Node<'t>| {
            let until = child.end_byte();
            until >= end && if child.start_byte() == until { until >= start } else { until > start }
        };
        let mut node = *self;
        while let Some(child) = children(node).find(reaches).filter(|child| child.start_byte() <= start) {
            node = child;
        }
        node
    }
}

/// A node's children in order.
pub(super) fn children(node: Node<'_>) -> Children<'_> {
    Children { tree: node.tree, next: node.at + 1, after: node.item().after }
}

/// A node's named children that are not comments.
pub(super) fn named(node: Node<'_>) -> impl Iterator<Item = Node<'_>> {
    children(node).filter(|child| child.is_named() && !child.is_extra())
}

/// Nodes of a tree, each before those in it.
pub(super) struct Nodes<'t> {
    tree: &'t Tree,
    next: u32,
}

impl<'t> Nodes<'t> {
    /// Passes over what is in a node.
    pub(super) fn skip_in(&mut self, node: Node<'t>) {
        self.next = node.item().after;
    }
}

impl<'t> Iterator for Nodes<'t> {
    type Item = Node<'t>;

    fn next(&mut self) -> Option<Node<'t>> {
        ((self.next as usize) < self.tree.items.len()).then(|| {
            let node = Node { tree: self.tree, at: self.next };
            self.next += 1;
            node
        })
    }
}

/// Some of a node's children, in order.
#[derive(Clone, Copy)]
pub(super) struct Children<'t> {
    tree: &'t Tree,
    next: u32,
    after: u32,
}

impl<'t> Iterator for Children<'t> {
    type Item = Node<'t>;

    fn next(&mut self) -> Option<Node<'t>> {
        (self.next < self.after).then(|| {
            let node = Node { tree: self.tree, at: self.next };
            self.next = node.item().after;
            node
        })
    }
}
