//! Targets: what the imports of a file mean.

use std::sync::Arc;

use super::{
    carried::Entry,
    digests::{digest, lasting_places},
    file::bound_name,
    modules::Place,
    moves::Moves,
    names::Guard,
    trail::{Key, Trail},
    world::Tables,
};

pub(super) struct Targets {
    /// By import.
    pub places: Vec<Vec<Place>>,
    /// By import, the key of the name that it binds, and a digest of what it means.
    pub digests: Vec<(Option<Key>, u64)>,
    /// What in other files they were worked out from.
    trail: Arc<[Key]>,
}

impl Targets {
    /// Those of a file, where the tables have no targets yet.
    pub fn new(tables: &Tables<'_>, file: u32) -> Self {
        let trail = Trail::of(file);
        let world = tables.world(&trail);
        let key = world.defs.key(file);
        let imports = world.defs.facts(file).map_or(&[][..], |facts| &facts.imports);
        let target = |at| world.import_target(file, at, &mut Guard::default());
        let places: Vec<Vec<Place>> = (0..imports.len() as u32).map(target).collect();
        let each = imports.iter().zip(&places).map(|(import, places)| {
            let name = bound_name(import).map(|name| key.named(name));
            (name, digest(|hash| lasting_places(tables, hash, places)))
        });
        let digests = each.collect();
        Targets { places, digests, trail: trail.keys().into() }
    }
}

impl Entry for Targets {
    fn trail(&self) -> &[Key] {
        &self.trail
    }

    fn stays(&self, moves: &Moves) -> bool {
        self.places.iter().flatten().all(|&place| moves.place(place) == Some(place))
    }

    fn renumbered(&self, moves: &Moves) -> Option<Self> {
        let moved = |places: &Vec<Place>| places.iter().map(|&place| moves.place(place)).collect();
        let places: Option<Vec<Vec<Place>>> = self.places.iter().map(moved).collect();
        Some(Targets { places: places?, digests: self.digests.clone(), trail: self.trail.clone() })
    }
}
