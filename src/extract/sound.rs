//! Soundness: what holds for the facts of any text, checked by tests and fuzz targets.

use super::{FileFacts, SymbolKind};
use crate::text::{LineIndex, Span};

/// What holds for the facts of any text.
///
/// # Panics
/// Where it does not.
pub fn sound(facts: &FileFacts, text: &str) {
    let whole = Span::new(0, text.len() as u32);
    let inside = |span: Span| {
        assert!(whole.encloses(span), "{span:?} leaves the text");
        let (start, end) = (span.start as usize, span.end as usize);
        assert!(text.is_char_boundary(start) && text.is_char_boundary(end), "{span:?} splits a character");
    };
    assert_eq!((facts.defs[0].kind, facts.defs[0].full), (SymbolKind::Module, whole));
    for (at, def) in facts.defs.iter().enumerate() {
        inside(def.full);
        inside(def.name_span);
        inside(def.signature);
        def.doc.into_iter().for_each(inside);
        if at == 0 {
            assert_eq!(def.container, None);
            continue;
        }
        assert!(def.full.encloses(def.signature), "{def:?}");
        assert!(def.full.encloses(def.name_span), "{def:?}");
        let container = def.container.expect("only the module has none") as usize;
        assert!(container < at);
        assert!(facts.defs[container].full.encloses(def.full), "{def:?}");
        let before = &facts.defs[at - 1].full;
        let key = |span: &Span| (span.start, std::cmp::Reverse(span.end));
        assert!(key(before) <= key(&def.full), "{before:?} {def:?}");
        def.supertypes.iter().for_each(|supertype| inside(supertype.site));
    }
    for binding in &facts.bindings {
        inside(binding.name_span);
        inside(binding.scope);
    }
    assert!(facts.refs.is_sorted_by(|a, b| a.span < b.span));
    for reference in &facts.refs {
        inside(reference.span);
        assert!(!reference.span.is_empty());
        assert!(facts.defs[reference.from as usize].full.encloses(reference.span));
    }
    assert!(facts.handed.is_sorted_by(|a, b| a.at < b.at) && facts.arms.is_sorted());
    for handed in &facts.handed {
        assert!((handed.at as usize) < facts.refs.len() && (handed.to as usize) < facts.refs.len());
    }
    facts.value_calls.iter().for_each(|call| inside(call.span));
    for arm in &facts.arms {
        inside(arm.span);
        let calls = arm.parts.iter().chain(&arm.wholes);
        calls.for_each(|&call| assert!(arm.span.encloses(facts.refs[call as usize].span)));
    }
    facts.returned.iter().for_each(|returned| {
        assert!(facts.defs[returned.by as usize].full.encloses(returned.span));
    });
    assert!(facts.returned.is_sorted());
    assert!(facts.asked.is_sorted_by(|a, b| a.at < b.at));
    for import in &facts.imports {
        inside(import.span);
    }
    facts.errors.iter().chain(&facts.comments).chain(&facts.macro_bodies).copied().for_each(inside);
    assert_eq!(facts.line_starts, LineIndex::new(text).starts());
    assert!(facts.errors.is_sorted() && facts.comments.is_sorted());
}
