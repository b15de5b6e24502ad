//! `Spots`: where in a list those of one name stand, which stand beside each other. A table of numbers, with no
//! names of its own: whoever looks says whether what stands there has the name.

use std::hash::{Hash, Hasher};
use std::ops::Range;

use super::trail::Mixed;

/// A slot in which nothing is.
const FREE: u32 = u32::MAX;

/// The spots of a list.
#[derive(Default)]
pub(super) struct Spots {
    /// The runs by the ends of their hashes, each there or in the next slot that was free.
    slots: Box<[u32]>,
    /// Where each run begins; one more at the end.
    starts: Box<[u32]>,
}

fn hash_of(name: impl Hash) -> usize {
    let mut hash = Mixed::default();
    name.hash(&mut hash);
    hash.finish() as usize
}

impl Spots {
    /// Those of a list in which those of one name stand beside each other; `names` are the list's, in its order.
    pub fn new<N: Hash + PartialEq>(names: impl Iterator<Item = N>) -> Self {
        let (mut runs, mut starts) = (Vec::new(), Vec::new());
        let mut count = 0;
        for name in names {
            if runs.last() != Some(&name) {
                runs.push(name);
                starts.push(count);
            }
            count += 1;
        }
        starts.push(count);
        // At least a third is free, so that what is not there is soon not found.
        let mut slots = vec![FREE; (runs.len() + runs.len() / 2 + 1).next_power_of_two()];
        for (run, name) in (0..).zip(runs) {
            let mut at = hash_of(name) % slots.len();
            while slots[at] != FREE {
                at = (at + 1) % slots.len();
            }
            slots[at] = run;
        }
        Spots { slots: slots.into(), starts: starts.into() }
    }

    /// Those of a name: `is` tells whether what stands at a place has it.
    pub fn find(&self, name: impl Hash, is: impl Fn(usize) -> bool) -> Range<usize> {
        let mut at = hash_of(name);
        loop {
            // There is a free slot; of an empty list there may be none at all.
            at &= self.slots.len().wrapping_sub(1);
            let Some(&run) = self.slots.get(at).filter(|&&run| run != FREE) else { return 0..0 };
            let start = self.starts[run as usize] as usize;
            if is(start) {
                return start..self.starts[run as usize + 1] as usize;
            }
            at += 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn those_of_each_name_are_found() {
        let names: Vec<String> = (0..500).map(|at| (at / 3 * 7).to_string()).collect();
        let spots = Spots::new(names.iter());
        for wanted in 0..2_000 {
            let name = wanted.to_string();
            let found = spots.find(&name, |at| names[at] == name);
            let known: Vec<usize> = (0..names.len()).filter(|&at| names[at] == name).collect();
            assert_eq!(found.collect::<Vec<_>>(), known);
        }
        assert_eq!(Spots::default().find("any", |_| true), 0..0);
        assert_eq!(Spots::new(std::iter::empty::<&str>()).find("any", |_| true), 0..0);
    }
}
