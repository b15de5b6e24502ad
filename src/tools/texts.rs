//! Texts that are kept from call to call, each with its file's stat: where that has not changed, neither has the text.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use crate::explore::Source;
use crate::files::Stat;
use crate::resolve::FileId;

/// The most bytes of texts that are kept.
const KEPT_BYTES: usize = 16 << 20;

/// Texts of one state of the repository.
#[derive(Default)]
pub struct Texts(Mutex<Kept>);

#[derive(Default)]
struct Kept {
    by_file: BTreeMap<FileId, (Stat, Arc<Source>)>,
    bytes: usize,
}

impl Texts {
    /// The text of a file: the one that is kept where it was read at this stat, else what `read` gives. `stat` was
    /// taken before, and any later change of the file shows in it; `None` where it might not.
    pub fn get(
        &self,
        file: FileId,
        stat: Option<Stat>,
        read: impl FnOnce() -> Option<Arc<Source>>,
    ) -> Option<Arc<Source>> {
        let kept = || self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let Some(stat) = stat else { return read() };
        if let Some((_, source)) = kept().by_file.get(&file).filter(|(known, _)| *known == stat) {
            return Some(source.clone());
        }
        let source = read()?;
        let past = kept().add(file, stat, &source);
        // It takes a while, for which nobody waits.
        drop(past);
        Some(source)
    }
}

impl Kept {
    /// Gives what there is no room for any more.
    fn add(&mut self, file: FileId, stat: Stat, source: &Arc<Source>) -> Option<Kept> {
        let size = source.text.len();
        let past = (self.bytes + size > KEPT_BYTES).then(|| std::mem::take(self));
        if size <= KEPT_BYTES {
            self.bytes += size;
            let before = self.by_file.insert(file, (stat, source.clone()));
            self.bytes -= before.map_or(0, |(_, source)| source.text.len());
        }
        past
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn source(text: &str) -> Option<Arc<Source>> {
        Some(Arc::new(Source::new(text.to_owned())))
    }

    #[test]
    fn a_text_is_read_again_where_its_stat_has_changed_or_tells_nothing() {
        let texts = Texts::default();
        let get = |stat: Option<i64>, now: &str| {
            let stat = stat.map(|mtime| Stat { mtime, ..Stat::default() });
            texts.get(FileId(3), stat, || source(now)).unwrap().text.clone()
        };
        assert_eq!(get(Some(1), "a"), "a");
        assert_eq!(get(Some(1), "b"), "a");
        assert_eq!(get(Some(2), "c"), "c");
        assert_eq!(get(None, "d"), "d");
        assert_eq!(get(Some(2), "e"), "c");
        // What cannot be read is asked for again.
        let stat = Some(Stat { mtime: 9, ..Stat::default() });
        assert!(texts.get(FileId(4), stat, || None).is_none());
        assert_eq!(texts.get(FileId(4), stat, || source("f")).unwrap().text, "f");
    }

    #[test]
    fn no_more_is_kept_than_there_is_room_for() {
        let texts = Texts::default();
        let stat = Some(Stat::default());
        let text = "x".repeat(KEPT_BYTES / 3);
        for file in 0..10 {
            texts.get(FileId(file), stat, || source(&text)).unwrap();
            let kept = texts.0.lock().unwrap();
            let bytes: usize = kept.by_file.values().map(|(_, source)| source.text.len()).sum();
            assert_eq!(kept.bytes, bytes);
            assert!(bytes <= KEPT_BYTES && kept.by_file.contains_key(&FileId(file)));
        }
        let huge = "x".repeat(KEPT_BYTES + 1);
        texts.get(FileId(10), stat, || source(&huge)).unwrap();
        assert_eq!(texts.0.lock().unwrap().bytes, 0);
    }
}
