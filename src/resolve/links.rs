//! Links: the edges of one file, from what its references mean.

use super::{
    EdgeKind, Reason,
    infer::{Infer, Site},
    references::{Target, want},
    symbols::Gid,
    types::Ty,
};
use crate::extract::{Ref, RefRole, SymbolKind};

/// An edge before it has symbols: from the definition that holds the reference.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Link {
    pub from: Gid,
    pub to: Gid,
    pub kind: EdgeKind,
    /// The reference's index in the file's facts.
    pub at: u32,
    pub reason: Reason,
    pub confidence: u8,
}

/// A reference that could mean more than so many definitions means none of them.
const MAX_TARGETS: usize = 64;

/// The edges of all references of a file.
pub(super) fn links(infer: &Infer<'_, '_>, file: u32) -> Vec<Link> {
    let Some(facts) = infer.world.defs.facts(file) else { return Vec::new() };
    let mut links = Vec::new();
    for (at, reference) in facts.refs.iter().enumerate() {
        let from = infer.world.defs.gid(file, reference.from);
        infer.refuel();
        let targets = infer.targets(from, reference);
        if targets.len() > MAX_TARGETS {
            continue;
        }
        for target in targets {
            if target.gid == from && infer.is_taken_apart(file, reference) {
                continue;
            }
            infer.link(from, at as u32, reference, target, &mut links);
        }
    }
    links
}

impl Infer<'_, '_> {
    /// Whether a use stands in the arguments of a macro that takes calls apart: what is called of the same
    /// name is then something else, and no recursion.
    fn is_taken_apart(&self, file: u32, reference: &Ref) -> bool {
        let defs = &self.world.defs;
        let Some(facts) = defs.facts(file) else { return false };
        let at = reference.span.start;
        facts.macro_bodies.iter().filter(|body| body.contains(at)).any(|body| {
            // The macro's name is the last one before its arguments.
            let before = facts.refs.partition_point(|other| other.span.start < body.start);
            let name = facts.refs[..before].last().filter(|name| name.role == RefRole::MacroCall);
            let macros = name.map_or_else(Vec::new, |name| self.targets(defs.gid(file, name.from), name));
            macros.iter().any(|target| defs.def(target.gid).traits.takes_apart)
        })
    }

    /// The edges from a reference to what it means.
    fn link(&self, from: Gid, at: u32, reference: &Ref, target: Target, links: &mut Vec<Link>) {
        let defs = &self.world.defs;
        let mut add = |to: Gid, kind: EdgeKind, reason: Reason, confidence: u8| {
            links.push(Link { from, to, kind, at, reason, confidence });
        };
        let Target { gid, reason, confidence } = target;
        let kind = defs.kind(gid);
        let site = Site { def: from, at: reference.span.start };
        if self.reads_across(site, gid, &reference.name, want(reference.role)) {
            let sets = reference.role == RefRole::Value && reference.arguments == Some(1);
            if let Some(gid) = if sets { self.writer_of(gid) } else { Some(gid) } {
                add(gid, EdgeKind::Calls, reason, confidence);
            }
            return;
        }
        let call = match reference.role {
            RefRole::Call | RefRole::Instantiate => true,
            RefRole::Decorator => {
                add(gid, EdgeKind::Decorates, reason, confidence);
                reference.arguments.is_some()
            }
            _ => false,
        };
        if !call {
            let kind = match reference.role {
                RefRole::MacroCall => EdgeKind::Calls,
                RefRole::Value if defs.def(gid).traits.accessor && !defs.rules(gid).functions_apart => {
                    EdgeKind::Calls
                }
                RefRole::Decorator => return,
                _ => EdgeKind::References,
            };
            add(gid, kind, reason, confidence);
            return;
        }
        if kind.is_type() || kind == SymbolKind::EnumMember {
            self.instantiate(from, gid, reference, reason, confidence, &mut add);
            return;
        }
        if kind.is_callable() && !defs.def(gid).traits.accessor {
            add(gid, EdgeKind::Calls, reason, confidence);
            return;
        }
        // A value is read, and what it holds is called.
        let read = if defs.def(gid).traits.accessor { EdgeKind::Calls } else { EdgeKind::References };
        add(gid, read, reason, confidence);
        if defs.rules(gid).functions_apart {
            return;
        }
        for inner in self.value_called(&self.result(gid)) {
            if defs.kind(inner.gid).is_type() {
                add(inner.gid, EdgeKind::Instantiates, inner.reason, inner.confidence);
            } else {
                add(inner.gid, EdgeKind::Calls, inner.reason, inner.confidence);
            }
        }
    }

    /// A call of a type makes an instance, and runs the constructor where one is written.
    fn instantiate(
        &self,
        from: Gid,
        gid: Gid,
        reference: &Ref,
        reason: Reason,
        confidence: u8,
        add: &mut dyn FnMut(Gid, EdgeKind, Reason, u8),
    ) {
        let defs = &self.world.defs;
        let mut made = gid;
        if defs.kind(gid) == SymbolKind::TypeAlias
            && let Ty::Class(target, _) = self.def_type(gid)
        {
            add(gid, EdgeKind::References, reason, confidence);
            made = target;
        }
        let rules = defs.rules(made);
        // An object is no class: calling it runs its call member, as it does for a companion's type.
        let interface = defs.kind(made).is_interface();
        let called = match defs.kind(made) {
            SymbolKind::Object => self.call_member(&Ty::Instance(made, Vec::new())),
            SymbolKind::Interface if !defs.def(made).traits.functional => {
                let member = rules.call_member;
                member.and_then(|name| self.members(&Ty::Class(made, Vec::new()), name).into_iter().next())
            }
            _ => None,
        };
        if let Some((member, _)) = called {
            add(member, EdgeKind::Calls, Reason::ReceiverType, confidence);
            return;
        }
        if interface && !defs.def(made).traits.functional && rules.constructors.is_empty() {
            // A value is made one of the interface's.
            add(made, EdgeKind::References, reason, confidence);
            return;
        }
        add(made, EdgeKind::Instantiates, reason, confidence);
        if reference.role != RefRole::Call {
            return;
        }
        for name in rules.constructors {
            if rules.overloads {
                let site = Site { def: from, at: reference.span.start };
                if let Some(ctor) = self.written_constructor(site, reference, made, name) {
                    add(ctor, EdgeKind::Calls, reason, confidence);
                }
                continue;
            }
            let all = self.in_order(made, name, 0);
            let own = all.iter().filter(|&&ctor| defs.kind(ctor).is_callable());
            let arguments = reference.arguments.map(usize::from);
            let mut fitting = own.clone().filter(|&&ctor| Some(defs.def(ctor).params.len()) == arguments);
            let chosen = fitting.next().or_else(|| if all.len() == 1 { own.clone().next() } else { None });
            if let Some(&ctor) = chosen {
                add(ctor, EdgeKind::Calls, reason, confidence);
                break;
            }
        }
    }
}
