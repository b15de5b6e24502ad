//! Bridges: what the languages of one family see of each other, and under which names.

use super::{
    infer::{Infer, Site},
    scopes::Want,
    symbols::Gid,
    types::Ty,
};
use crate::{
    extract::{FileFacts, Name, Ref, RefRole, SymbolKind},
    lang::ResolutionRules,
    text::RepoPath,
};

/// How the name of a property begins that is read by a function of its own name.
const QUESTION: &str = "is";

/// The name by which other languages know the type that stands for a file.
pub(super) fn file_type(rules: &ResolutionRules, path: &RepoPath, facts: &FileFacts) -> Option<Name> {
    let ending = rules.file_type?;
    if let Some(stated) = facts.defs.first().and_then(|module| module.known_as.clone()) {
        return Some(stated);
    }
    let mut stem = path.stem().chars();
    let first = stem.next().into_iter().flat_map(char::to_uppercase);
    let known = first.chain(stem).map(|c| if c.is_alphanumeric() || c == '$' { c } else { '_' });
    Some(known.chain(ending.chars()).collect())
}

/// `foo` of `getFoo`; a property that is a question keeps its word: `isFoo` of `setFoo`.
fn read_names(function: &str, prefix: &str) -> Vec<Name> {
    let Some(rest) = function.strip_prefix(prefix) else { return Vec::new() };
    let mut letters = rest.chars();
    match letters.next().filter(|c| c.is_uppercase()) {
        Some(first) => {
            vec![first.to_lowercase().chain(letters).collect(), format!("{QUESTION}{rest}").into()]
        }
        None => Vec::new(),
    }
}

/// `getFoo` of `foo`.
fn reader_name(property: &str, reader: &str) -> Option<Name> {
    let mut rest = property.chars();
    let first = rest.next().filter(|c| c.is_lowercase())?;
    Some(reader.chars().chain(first.to_uppercase()).chain(rest).collect())
}

fn is_property(kind: SymbolKind) -> bool {
    matches!(kind, SymbolKind::Property | SymbolKind::Constant | SymbolKind::Variable)
}

impl Infer<'_, '_> {
    /// Whether a definition is written in another language than what stands at a site.
    pub fn is_apart(&self, site: Site, gid: Gid) -> bool {
        let defs = &self.world.defs;
        !std::ptr::eq(defs.rules(site.def), defs.rules(gid))
    }

    /// Of members of a name those that have it at a site; where there are none, those that it is another name
    /// for there.
    pub fn bridged(&self, site: Site, ty: &Ty, name: &str, mut found: Vec<(Gid, Ty)>) -> Vec<(Gid, Ty)> {
        let defs = &self.world.defs;
        found.retain(|(gid, _)| {
            let other = defs.def(*gid).known_as.as_ref().is_some_and(|known| known != name);
            !(other && self.is_apart(site, *gid))
        });
        self.add_known_as(site, ty, name, &mut found);
        if !found.is_empty() {
            return found;
        }
        let rules = defs.rules(site.def);
        let prefixes = rules.property_readers.iter().chain(rules.property_writers);
        let others: Vec<Name> = match rules.functions_apart {
            true => prefixes.flat_map(|prefix| read_names(name, prefix)).collect(),
            false => prefixes.filter_map(|prefix| reader_name(name, prefix)).collect(),
        };
        let read = |gid: &Gid| {
            let def = defs.def(*gid);
            let read = match rules.functions_apart {
                true => is_property(def.kind) && def.known_as.is_none(),
                false => def.kind == SymbolKind::Method && def.params.is_empty(),
            };
            read && self.is_apart(site, *gid)
        };
        let mut each = others.into_iter().map(|other| {
            let mut found = self.members(ty, &other);
            found.retain(|(gid, _)| read(gid));
            found
        });
        each.find(|found| !found.is_empty()).unwrap_or_default()
    }

    /// Adds the members of another language that state a name for this one.
    fn add_known_as(&self, site: Site, ty: &Ty, name: &str, found: &mut Vec<(Gid, Ty)>) {
        let (Ty::Instance(gid, _) | Ty::Class(gid, _)) = ty else { return };
        let defs = &self.world.defs;
        for &at in self.world.families.order(*gid) {
            if defs.rules(at).file_type.is_none() || !self.is_apart(site, at) {
                continue;
            }
            let companion = |child: &&Gid| defs.def(**child).traits.companion;
            let companions = defs.children(at).iter().filter(companion);
            for holder in std::iter::once(&at).chain(companions) {
                let stated = defs.children(*holder).iter().filter(|&&child| {
                    let def = defs.def(child);
                    def.name != name && def.known_as.as_ref().is_some_and(|known| known == name)
                });
                found.extend(stated.map(|&child| (child, ty.clone())));
            }
        }
    }

    /// Whether a reference to a definition of another language calls a function that it names like a property,
    /// or the other way round.
    pub fn reads_across(&self, site: Site, gid: Gid, name: &str, want: Want) -> bool {
        if !self.is_apart(site, gid) {
            return false;
        }
        let def = self.world.defs.def(gid);
        match def.kind.is_callable() {
            true => {
                let read = def.name != name || name.starts_with(QUESTION);
                want != Want::Call && read && def.params.is_empty()
            }
            false => want == Want::Call && is_property(def.kind),
        }
    }

    /// The function that sets what another one reads, of the same type: `setFoo` of `getFoo`.
    pub fn writer_of(&self, reader: Gid) -> Option<Gid> {
        let defs = &self.world.defs;
        let (name, rules) = (defs.def(reader).name.as_str(), defs.rules(reader));
        let mut readers = rules.property_readers.iter().chain(&[QUESTION]);
        let rest = readers.find_map(|prefix| name.strip_prefix(prefix))?;
        let setters =
            defs.named(defs.container(reader)?, &format!("{}{rest}", rules.property_writers.first()?));
        setters.iter().copied().find(|&setter| defs.def(setter).params.len() == 1)
    }

    /// Whether a call of another language's property can be its reader's.
    pub fn may_read(&self, site: Site, gid: Gid, reference: &Ref) -> Option<bool> {
        let def = self.world.defs.def(gid);
        if reference.role != RefRole::Call || !is_property(def.kind) || !self.is_apart(site, gid) {
            return None;
        }
        let name = reference.name.as_str();
        let rules = self.world.defs.rules(site.def);
        let named = match &def.known_as {
            Some(known) => known == name,
            None => def.name != name || name.starts_with(QUESTION),
        };
        let written = usize::from(rules.property_writers.iter().any(|writer| name.starts_with(writer)));
        Some(named && reference.given.len() == written && rules.functions_apart)
    }

    /// A type under the name that all languages of a family can be compared by.
    pub fn common_name(&self, site: Site, gid: Gid, ty: Ty) -> Ty {
        if !self.is_apart(site, gid) {
            return ty;
        }
        let defs = &self.world.defs;
        let Ty::Foreign(name, args) = ty else { return ty };
        let mut names =
            [defs.rules(site.def), defs.rules(gid)].into_iter().flat_map(|rules| rules.type_names);
        let common = names.find(|(known, _)| *known == name).map(|(_, common)| Name::from(*common));
        Ty::Foreign(common.unwrap_or(name), args)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_readers_and_properties() {
        assert_eq!(read_names("getFooBar", "get"), ["fooBar", "isFooBar"]);
        assert!(read_names("getter", "get").is_empty());
        assert!(read_names("get", "get").is_empty());
        assert_eq!(reader_name("fooBar", "get").as_deref(), Some("getFooBar"));
        assert_eq!(reader_name("Foo", "get"), None);
    }
}
