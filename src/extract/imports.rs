//! Imports, the package header and the list of exported names.

use super::{
    Import, Name,
    captures::{Captured, CapturedExport},
    harvest::Harvest,
    reader::{Reader, span},
    tree::{Node, children, named},
};
use crate::{
    lang::{ImportShape, ModuleSystem, Reexports},
    text::Span,
};

/// An import list nested deeper than this is cut.
const MAX_DEPTH: usize = 32;

/// One import on its way down an import tree.
#[derive(Clone)]
struct Branch {
    prefix: Vec<Name>,
    level: u8,
    roots: bool,
    reexport: bool,
}

impl Harvest {
    pub(super) fn import(&mut self, reader: &Reader<'_>, found: &Captured<'_>) {
        for node in &found.imports {
            let reexport = match reader.grammar.spec.syntax.reexports {
                Reexports::Never => false,
                Reexports::ModuleLevel => true,
                Reexports::Marked(kind) => {
                    children(*node).any(|child| child.kind() == kind && !reader.slice(child).contains("self"))
                }
            };
            let branch = Branch { prefix: Vec::new(), level: 0, roots: false, reexport };
            self.import_below(reader, *node, branch, 0);
        }
        for export in &found.given {
            self.export(reader, export);
        }
        for node in &found.packages {
            self.package = reader.segments(*node);
        }
        self.exports_unknown |= found.exports_unknown;
        for list in &found.exports {
            let names = self.exports.get_or_insert_default();
            for item in named(*list) {
                names.push(reader.slice(item).trim_matches(['"', '\'']).into());
            }
        }
    }

    /// What the file gives to others under a name, or takes from a module under one.
    fn export(&mut self, reader: &Reader<'_>, export: &CapturedExport<'_>) {
        let Some(at) = export.given.or(export.all).or(export.name) else { return };
        let prefix = match export.source {
            Some(source) => reader.segments(source),
            None => vec![Name::default()],
        };
        if prefix.is_empty() {
            return;
        }
        let branch = Branch { prefix, level: 0, roots: false, reexport: !export.inward };
        if let Some(star) = export.all {
            self.push_wildcard(span(star), branch, span(star).start);
            if let Some((_, import)) = self.imports.last_mut() {
                import.outward = true;
            }
            return;
        }
        let named = export.name.map(|name| reader.name(name)).or(export.fixed_name);
        let first = self.imports.len();
        match export.given {
            Some(given) => self.push_import(reader, given, branch, named.map(Name::from)),
            None => self.push_prefix(at, branch, named.map(Name::from)),
        }
        self.imports[first..].iter_mut().for_each(|(_, import)| import.outward = !export.inward);
        self.claimed.extend(export.name.filter(|_| export.inward).map(|name| span(name).start));
    }

    fn import_below(&mut self, reader: &Reader<'_>, node: Node<'_>, branch: Branch, depth: usize) {
        let Some(shape) = reader.grammar.imports.get(node) else { return };
        if depth == MAX_DEPTH {
            return;
        }
        match shape {
            ImportShape::Path => self.push_import(reader, node, branch, None),
            ImportShape::Renamed { path, alias, wildcard } => {
                let Some(path) = path.follow(node) else { return };
                if let Some(star) = (!wildcard.is_empty()).then(|| wildcard.follow(node)).flatten() {
                    let branch = branch.below(reader, path);
                    self.push_wildcard(span(star), branch, span(node).start);
                } else {
                    let alias = alias.follow(node).map(|alias| reader.name(alias).into());
                    self.push_import(reader, path, branch, alias);
                }
            }
            ImportShape::Fixed { name } => {
                let alias = Some(reader.name(node).into());
                let mut branch = branch;
                branch.prefix.push((*name).into());
                self.push_prefix(node, branch, alias);
            }
            ImportShape::Whole { alias } => {
                let Some(alias) = alias.follow(node) else { return };
                self.push_prefix(alias, branch, Some(reader.name(alias).into()));
            }
            ImportShape::Loaded => {
                let branch = branch.below(reader, node);
                self.push_prefix(node, branch, Some("_".into()));
            }
            ImportShape::Wildcard { path } => {
                let branch = match (!path.is_empty()).then(|| path.follow(node)).flatten() {
                    Some(path) => branch.below(reader, path),
                    None => branch,
                };
                let here = span(node);
                self.push_wildcard(
                    Span::new(here.end.saturating_sub(1).max(here.start), here.end),
                    branch,
                    here.start,
                );
            }
            ImportShape::List { prefix, roots } => {
                let head = (!prefix.is_empty()).then(|| prefix.follow(node)).flatten();
                let mut branch = match head {
                    Some(head) => branch.below(reader, head),
                    None => branch,
                };
                branch.roots |= roots;
                for child in named(node).filter(|child| head.is_none_or(|head| head.id() != child.id())) {
                    self.import_below(reader, child, branch.clone(), depth + 1);
                }
            }
        }
    }

    fn push_import(&mut self, reader: &Reader<'_>, path: Node<'_>, branch: Branch, alias: Option<Name>) {
        let alone = branch.prefix.is_empty() && branch.level == 0;
        let mut last = path;
        while let Some(next) =
            named(last).filter(|part| reader.grammar.path_extras.get(*part).is_none()).last()
        {
            last = next;
        }
        let at = span(path).start;
        let branch = branch.below(reader, path);
        let mut path = branch.prefix;
        // `use a::{self}` is `use a`.
        let self_word = match reader.grammar.spec.resolution.modules {
            ModuleSystem::Crates { self_word, .. } => Some(self_word),
            _ => None,
        };
        if !alone && path.len() > 1 && path.last().map(Name::as_str) == self_word {
            path.pop();
        }
        let binds_root = branch.roots && alias.is_none() && path.len() > 1;
        self.imports.push((
            at,
            Import {
                alias: alias.filter(|alias| path.last() != Some(alias)),
                path,
                level: branch.level,
                wildcard: false,
                binds_root,
                reexport: branch.reexport,
                outward: false,
                span: span(last),
                scope: 0,
            },
        ));
    }

    /// All of a prefix, under a name.
    fn push_prefix(&mut self, at: Node<'_>, branch: Branch, alias: Option<Name>) {
        if branch.prefix.is_empty() {
            return;
        }
        self.imports.push((
            span(at).start,
            Import {
                alias: alias.filter(|alias| branch.prefix.last() != Some(alias)),
                path: branch.prefix,
                level: branch.level,
                wildcard: false,
                binds_root: false,
                reexport: branch.reexport,
                outward: false,
                span: span(at),
                scope: 0,
            },
        ));
    }

    fn push_wildcard(&mut self, star: Span, branch: Branch, at: u32) {
        self.imports.push((
            at,
            Import {
                path: branch.prefix,
                level: branch.level,
                alias: None,
                wildcard: true,
                binds_root: false,
                reexport: branch.reexport,
                outward: false,
                span: star,
                scope: 0,
            },
        ));
    }
}

impl Branch {
    /// With the segments, and the dots, of a path added.
    fn below(mut self, reader: &Reader<'_>, path: Node<'_>) -> Branch {
        let dots = children(path).find(|child| reader.grammar.import_dots.get(*child).is_some());
        let segments = |part: Node<'_>| -> Vec<Name> {
            let segments = reader.segments(part);
            match &reader.grammar.spec.resolution.modules {
                ModuleSystem::Packages { folders: Some(folders), .. } => {
                    let parts = segments.iter().flat_map(|segment| segment.split(folders.divider));
                    parts.filter(|part| !part.is_empty()).map(Name::from).collect()
                }
                _ => segments,
            }
        };
        if let Some(dots) = dots {
            self.level = u8::try_from(reader.slice(dots).matches('.').count()).unwrap_or(u8::MAX);
            for part in named(path).filter(|part| part.id() != dots.id()) {
                self.prefix.extend(reader.segments(part));
            }
        } else {
            self.prefix.extend(segments(path));
        }
        self
    }
}
