//! A file as the inverted index takes it: the terms of each chunk, by field.
//!
//! A function of the path, the text and the facts of one file alone: what other files say changes no
//! posting.

use super::chunk::{Outline, cut};
use super::entry::split_first;
use super::{FIELDS, Field};
use crate::extract::{FileFacts, SymbolKind};
use crate::text::{self, LineIndex, RepoPath, Span};

/// Longer terms (hashes, encoded data) are not indexed.
pub const MAX_TERM_BYTES: usize = 80;

/// The chunks of one file, as `cut` numbers them.
#[derive(Clone, Debug, PartialEq)]
pub struct FileTerms {
    pub path: RepoPath,
    pub chunks: Vec<ChunkTerms>,
}

#[derive(Clone, Debug, Default, PartialEq)]
pub struct ChunkTerms {
    /// The index of the symbol among the file's symbols in the graph; `None` in a file without symbols.
    pub symbol: Option<u32>,
    /// The terms of each field in order of appearance.
    pub terms: Packed,
    /// The number of terms in each field.
    pub lengths: [u32; FIELDS],
}

/// The terms of each field, each after a character that is its length.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Packed {
    text: Box<str>,
    /// Where each field ends.
    ends: [u32; FIELDS],
}

// A length of one byte is a character of its own.
const _: () = assert!(MAX_TERM_BYTES < 128);

impl Packed {
    /// The terms of a field as they are packed.
    pub(super) fn of(&self, field: usize) -> &str {
        let start = field.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.text[start as usize..self.ends[field] as usize]
    }
}

impl ChunkTerms {
    /// The terms of one field.
    pub fn field(&self, field: Field) -> impl Iterator<Item = &str> {
        let mut rest = self.terms.of(field as usize);
        std::iter::from_fn(move || {
            let (term, after) = split_first(rest)?;
            rest = after;
            Some(term)
        })
    }
}

/// The terms of a chunk while they are gathered; used for one chunk after another.
#[derive(Default)]
struct Gathered {
    terms: [String; FIELDS],
    lengths: [u32; FIELDS],
}

impl Gathered {
    fn add(&mut self, field: Field, text: &str) {
        let (terms, length) = (&mut self.terms[field as usize], &mut self.lengths[field as usize]);
        text::terms(text, |term| {
            if term.len() <= MAX_TERM_BYTES {
                terms.push(char::from(term.len() as u8));
                terms.push_str(term);
                *length += 1;
            }
        });
    }

    /// Adds what another one has in a field.
    fn copy(&mut self, field: Field, from: &Gathered) {
        self.terms[field as usize].push_str(&from.terms[field as usize]);
        self.lengths[field as usize] += from.lengths[field as usize];
    }

    /// What was gathered; begins anew.
    fn take(&mut self, symbol: Option<u32>) -> ChunkTerms {
        let mut text = String::with_capacity(self.terms.iter().map(String::len).sum());
        let mut ends = [0; FIELDS];
        for (terms, end) in self.terms.iter_mut().zip(&mut ends) {
            text.push_str(terms);
            terms.clear();
            *end = text.len() as u32;
        }
        let terms = Packed { text: text.into(), ends };
        ChunkTerms { symbol, terms, lengths: std::mem::take(&mut self.lengths) }
    }
}

impl FileTerms {
    /// `facts` have no definitions where the file has no grammar or was not parsed.
    pub fn new(path: &RepoPath, text: &str, lines: &LineIndex, facts: &FileFacts) -> Self {
        let defs = symbol_defs(facts);
        let outline = |&def: &u32| {
            let def = &facts.defs[def as usize];
            Outline { kind: def.kind, lines: lines.lines(def.full), doc: def.doc.map(|doc| lines.lines(doc)) }
        };
        let outlines: Vec<Outline> = defs.iter().map(outline).collect();
        let mut comments: Vec<Span> = facts.comments.clone();
        comments.extend(facts.defs.iter().filter_map(|def| def.doc));
        comments.sort_unstable();

        let mut place = Gathered::default();
        place.add(Field::Directory, path.directory());
        place.add(Field::Stem, path.stem());
        let mut terms = Gathered::default();
        let mut chunks = Vec::new();
        for chunk in cut(&outlines, lines.count()) {
            for segment in &chunk.segments {
                let span = lines.span_of(*segment);
                let mut at = span.start;
                let first = comments.partition_point(|comment| comment.end <= span.start);
                for comment in comments[first..].iter().take_while(|comment| comment.start < span.end) {
                    let (start, end) = (comment.start.max(at), comment.end.min(span.end));
                    if start < end {
                        terms.add(Field::Body, Span::new(at, start).of(text));
                        terms.add(Field::Comment, Span::new(start, end).of(text));
                        at = end;
                    }
                }
                terms.add(Field::Body, Span::new(at, span.end).of(text));
            }
            if let Some(symbol) = chunk.symbol {
                name(&mut terms, facts, defs[symbol]);
            }
            terms.copy(Field::Directory, &place);
            terms.copy(Field::Stem, &place);
            chunks.push(terms.take(chunk.symbol.map(|at| at as u32)));
        }
        FileTerms { path: path.clone(), chunks }
    }
}

/// The definitions of a file that are symbols, in the graph's order, as indices into `defs`: the module,
/// then by (start, end descending, name).
pub fn symbol_defs(facts: &FileFacts) -> Vec<u32> {
    let mut defs: Vec<u32> =
        (0..facts.defs.len() as u32).filter(|&at| facts.defs[at as usize].is_symbol()).collect();
    defs.sort_by_key(|&at| {
        let def = &facts.defs[at as usize];
        (at != 0, def.full.start, std::cmp::Reverse(def.full.end), &def.name)
    });
    defs
}

/// The symbol's name and those of its containers; the file's module has neither.
fn name(terms: &mut Gathered, facts: &FileFacts, def: u32) {
    let mut at = def;
    while let Some(container) = facts.defs[at as usize].container {
        let def_at = &facts.defs[at as usize];
        if at == def {
            terms.add(Field::Name, &def_at.name);
        } else if def_at.kind == SymbolKind::Extension {
            if let Some(segment) = def_at.receiver.as_ref().and_then(|ty| ty.path.last()) {
                terms.add(Field::Qualifier, segment);
            }
        } else {
            terms.add(Field::Qualifier, &def_at.name);
        }
        // Containers come first in pre-order, so this ends.
        if container >= at {
            break;
        }
        at = container;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::extract::{Def, DefTraits, Visibility};

    fn def(kind: SymbolKind, name: &str, text: &str, part: &str, container: Option<u32>) -> Def {
        let start = text.find(part).unwrap() as u32;
        let full = Span::new(start, start + part.len() as u32);
        Def {
            kind,
            name: name.into(),
            name_span: full,
            full,
            signature: full,
            doc: None,
            container,
            visibility: Visibility::Public,
            traits: DefTraits::default(),
            params: Vec::new(),
            ty: None,
            value: None,
            receiver: None,
            supertypes: Vec::new(),
            type_params: Vec::new(),
            file: None,
            known_as: None,
            within: None,
        }
    }

    fn lines(terms: &ChunkTerms, field: Field) -> Vec<&str> {
        terms.field(field).collect()
    }

    #[test]
    fn comments_and_docs_leave_the_body() {
        let text = "import os\n# Pays bills.\nclass Bill:\n    \"\"\"What is due.\"\"\"\n    total = 0  # cents\n\n    def pay_now(self):\n        return os.getpid()\n";
        let class = &text[text.find("class").unwrap()..text.len() - 1];
        let method = &text[text.find("def").unwrap()..text.len() - 1];
        let mut facts = FileFacts {
            defs: vec![
                def(SymbolKind::Module, "bill", text, text, None),
                def(SymbolKind::Class, "Bill", text, class, Some(0)),
                def(SymbolKind::Method, "pay_now", text, method, Some(1)),
            ],
            ..FileFacts::default()
        };
        let span = |part: &str| {
            let start = text.find(part).unwrap() as u32;
            Span::new(start, start + part.len() as u32)
        };
        facts.defs[1].doc = Some(span("\"\"\"What is due.\"\"\""));
        facts.comments = vec![span("# Pays bills."), span("# cents")];
        let path = RepoPath::new("shop/cash_desk/bill.py").unwrap();
        let file = FileTerms::new(&path, text, &LineIndex::new(text), &facts);

        assert_eq!(file.chunks.len(), 3);
        let [module, class, method] = &file.chunks[..] else { panic!() };
        assert_eq!((module.symbol, class.symbol, method.symbol), (Some(0), Some(1), Some(2)));
        assert_eq!(lines(module, Field::Body), ["import", "os"]);
        assert_eq!(lines(module, Field::Comment), ["pays", "bills"]);
        assert_eq!(lines(module, Field::Name), [""; 0]);
        assert_eq!(lines(class, Field::Body), ["class", "bill", "total"]);
        assert_eq!(lines(class, Field::Comment), ["what", "is", "due", "cents"]);
        assert_eq!(lines(class, Field::Name), ["bill"]);
        assert_eq!(
            lines(method, Field::Body),
            ["def", "pay_now", "pay", "now", "self", "return", "os", "getpid"]
        );
        assert_eq!(lines(method, Field::Name), ["pay_now", "pay", "now"]);
        assert_eq!(lines(method, Field::Qualifier), ["bill"]);
        assert_eq!(lines(method, Field::Directory), ["shop", "cash_desk", "cash", "desk"]);
        assert_eq!(lines(method, Field::Stem), ["bill"]);
        assert_eq!(method.lengths, [8, 0, 3, 1, 4, 1]);
    }

    #[test]
    fn without_symbols_the_whole_text_is_body() {
        let text = format!("alpha\n{}omega {}\n", "\n".repeat(70), "a".repeat(MAX_TERM_BYTES + 1));
        let path = RepoPath::new("notes.txt").unwrap();
        let file = FileTerms::new(&path, &text, &LineIndex::new(&text), &FileFacts::default());
        assert_eq!(file.chunks.len(), 2);
        assert_eq!(lines(&file.chunks[0], Field::Body), ["alpha"]);
        assert_eq!(lines(&file.chunks[1], Field::Body), ["omega"]);
        assert_eq!(file.chunks[1].symbol, None);
    }
}
