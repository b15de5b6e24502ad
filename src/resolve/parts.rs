//! Parts of values: elements of tuples, fields without names, what a pattern takes out of a constructor.

use super::{
    infer::{Infer, Site},
    modules::Place,
    scopes::Want,
    symbols::Gid,
    types::Ty,
};
use crate::extract::{Expr, Name, SymbolKind, TypeExpr};

/// References and boxes round a value are looked through this often.
const LAYERS: u32 = 4;

impl Infer<'_, '_> {
    /// The part at an index of a value.
    pub fn part(&self, site: Site, ty: &Ty, index: usize) -> Ty {
        let rules = self.world.defs.rules(site.def);
        let tuples = rules.tuple_types;
        match ty {
            Ty::Tuple(parts) => parts.get(index).cloned().unwrap_or(Ty::Unknown),
            whole if rules.first_part => {
                if index == 0 {
                    whole.clone()
                } else {
                    Ty::Unknown
                }
            }
            Ty::Foreign(name, parts) if tuples.is_empty() || tuples.contains(&name.as_str()) => {
                // `tuple[T, ...]` has any number of one type.
                let any = if parts.len() == 1 && !tuples.is_empty() { parts.first() } else { None };
                parts.get(index).or(any).cloned().unwrap_or(Ty::Unknown)
            }
            Ty::Union(parts) => Ty::union(parts.iter().map(|part| self.part(site, part, index))),
            other if !tuples.is_empty() => self.element(other),
            other => self.unnamed_field(other, index).unwrap_or(Ty::Unknown),
        }
    }

    /// The field without a name at an index: `pair.0`. `None` where the type has no such field.
    pub fn unnamed_field(&self, ty: &Ty, index: usize) -> Option<Ty> {
        self.unnamed_field_in(ty, index, LAYERS)
    }

    fn unnamed_field_in(&self, ty: &Ty, index: usize, layers: u32) -> Option<Ty> {
        let layers = layers.checked_sub(1)?;
        match ty {
            Ty::Tuple(parts) => parts.get(index).cloned(),
            Ty::Instance(gid, _) => {
                let field = self.parameter_of(*gid, index);
                if let Some(field) = field {
                    return Some(self.substitute(&field, ty));
                }
                let target = self.world.families.deref(*gid)?;
                self.unnamed_field_in(&self.substitute(target, ty), index, layers)
            }
            Ty::Foreign(name, args) if self.world.families.is_transparent(name) => {
                self.unnamed_field_in(args.first()?, index, layers)
            }
            _ => None,
        }
    }

    /// The type of a constructor's parameter at an index.
    fn parameter_of(&self, gid: Gid, index: usize) -> Option<Ty> {
        let def = self.world.defs.def(gid);
        if !def.kind.is_type() && def.kind != SymbolKind::EnumMember {
            return None;
        }
        let ty = def.params.get(index)?.ty.as_ref()?;
        Some(self.type_expr(Site { def: gid, at: def.name_span.start }, ty))
    }

    /// What a pattern with a constructor takes out of a value at an index.
    pub fn matched_part(&self, site: Site, value: &Expr, constructor: &TypeExpr, index: usize) -> Ty {
        let Some(gid) = self.constructor(site, &constructor.path) else {
            let rules = self.world.defs.rules(site.def);
            let last = constructor.path.last().map_or("", Name::as_str);
            let argument = rules.foreign_variants.iter().find(|(name, ..)| *name == last);
            let value = self.looked_through(self.expr(site, value));
            return match (argument, value) {
                (Some((.., 0)), value) if index == 0 => self.unwrap(site, &value),
                (Some((.., at)), Ty::Foreign(_, args)) if index == 0 => {
                    args.get(usize::from(*at)).cloned().unwrap_or(Ty::Unknown)
                }
                _ => Ty::Unknown,
            };
        };
        let field = self.parameter_of(gid, index).unwrap_or(Ty::Unknown);
        self.seen_through(site, field, value)
    }

    /// The field of a name that a pattern with a constructor takes out of a value.
    pub fn matched_member(&self, site: Site, value: &Expr, constructor: &TypeExpr, name: &str) -> Ty {
        let Some(gid) = self.constructor(site, &constructor.path) else { return Ty::Unknown };
        let defs = &self.world.defs;
        let field = defs.named(gid, name).iter().copied().find(|&at| defs.kind(at) == SymbolKind::Field);
        match field {
            Some(field) => self.seen_through(site, self.result(field), value),
            None => name.parse().ok().and_then(|at| self.parameter_of(gid, at)).unwrap_or(Ty::Unknown),
        }
    }

    /// A field's type with the arguments that the value's type gives.
    fn seen_through(&self, site: Site, field: Ty, value: &Expr) -> Ty {
        if !field.has_params() {
            return field;
        }
        let value = self.looked_through(self.expr(site, value));
        self.substitute(&field, &value)
    }

    /// What is in a box.
    pub fn looked_through(&self, mut ty: Ty) -> Ty {
        for _ in 0..LAYERS {
            match ty {
                Ty::Foreign(ref name, ref args)
                    if self.world.families.is_transparent(name) && !args.is_empty() =>
                {
                    ty = args[0].clone();
                }
                _ => break,
            }
        }
        ty
    }

    /// The type or the variant that a pattern names.
    fn constructor(&self, site: Site, path: &[Name]) -> Option<Gid> {
        let defs = &self.world.defs;
        let (first, rest) = path.split_first()?;
        let rules = defs.rules(site.def);
        if Some(first.as_str()) == rules.self_type || path.is_empty() {
            let Ty::Instance(own, _) = self.self_type(site) else { return None };
            return match rest {
                [] => Some(own),
                [variant] => defs.named(own, variant).first().copied(),
                _ => None,
            };
        }
        self.path_places(site, path, Want::Call).into_iter().find_map(|place| match place {
            Place::Def(gid) => match defs.kind(gid) {
                SymbolKind::TypeAlias => match self.def_type(gid) {
                    Ty::Class(gid, _) => Some(gid),
                    _ => None,
                },
                kind if kind.is_type() || kind == SymbolKind::EnumMember => Some(gid),
                _ => None,
            },
            _ => None,
        })
    }
}
