//! The seal of a folder: the length and the hash of each file that makes up an index, written after each
//! commit. Whatever differs from it is damage, also where SQLite and tantivy would read on.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{self, Read, Seek, SeekFrom};
use std::panic::resume_unwind;
use std::path::Path;
use std::thread::{self, JoinHandle};

use rayon::prelude::*;

use super::cache::CacheError;
use crate::store::PRODUCT;

pub(super) const NAME: &str = "seal";
/// What becomes the seal once it is written.
pub(super) const ASIDE: &str = "seal.new";
/// The seal of before, while something is written.
pub(super) const BEFORE: &str = "seal.before";
pub(super) const DATABASE: &str = "graph.sqlite";
pub(super) const TEXT: &str = "text";
/// A file is hashed in pieces of so many bytes, on all threads.
const PIECE: u64 = 1 << 20;

/// What the files of a folder were when they were last written.
#[derive(Clone, PartialEq, Eq)]
pub(super) struct Seal {
    /// By name within the folder.
    files: BTreeMap<String, Sum>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
struct Sum {
    bytes: u64,
    hash: blake3::Hash,
}

impl Seal {
    /// The seal of a folder; `None` where there is none of this version.
    ///
    /// # Errors
    /// `Damaged` where it cannot be understood.
    pub fn read(folder: &Path) -> Result<Option<Self>, CacheError> {
        Self::read_from(&folder.join(NAME))
    }

    /// The seal of before where a writer did not come to its end, if the files still fit it: what was begun
    /// was taken back, or nothing was written.
    pub fn unbroken(folder: &Path) -> Option<Self> {
        let seal = Self::read_from(&folder.join(BEFORE)).ok()??;
        seal.check(folder).is_ok().then_some(seal)
    }

    /// Takes the seal off a folder that is about to be written to: what does not fit it is then no damage.
    pub fn lift(folder: &Path) -> io::Result<()> {
        match fs::rename(folder.join(NAME), folder.join(BEFORE)) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
            _ => Ok(()),
        }
    }

    fn read_from(path: &Path) -> Result<Option<Self>, CacheError> {
        let text = match fs::read(path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            read => read?,
        };
        let text = String::from_utf8(text).unwrap_or_default();
        let Some(rest) = text.strip_prefix(&format!("{PRODUCT}\n")) else { return Ok(None) };
        parse(rest).map(Some).ok_or_else(|| CacheError::Damaged("its seal is broken".into()))
    }

    /// Whether the files are still what they were.
    ///
    /// # Errors
    /// `Damaged` names the first that is not.
    pub fn check(&self, folder: &Path) -> Result<(), CacheError> {
        let found: io::Result<Vec<Option<Sum>>> = self
            .files
            .par_iter()
            .map(|(name, sum)| match sum_of(&folder.join(name), Some(sum.bytes)) {
                Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
                found => found,
            })
            .collect();
        match self.files.iter().zip(found?).find(|((_, sum), found)| Some(**sum) != *found) {
            Some(((name, _), _)) => Err(CacheError::Damaged(format!("{name} is not what was written"))),
            None => Ok(()),
        }
    }

    /// Seals a folder, whose database has a sum. `before` is its seal of before: text files but the list of them are
    /// written once, so that what it says of them still holds.
    pub fn set(folder: &Path, before: Option<&Seal>, database: DatabaseSum) -> io::Result<Self> {
        let database = database.0.join().unwrap_or_else(|panic| resume_unwind(panic))?;
        let mut names = Vec::new();
        for entry in fs::read_dir(folder.join(TEXT))? {
            let name = entry?.file_name().to_string_lossy().into_owned();
            // Locks, and tantivy's own list of what it may remove.
            if !name.starts_with('.') {
                names.push(format!("{TEXT}/{name}"));
            }
        }
        let once = |name: &str| !name.ends_with(".json");
        let known = |name: &str| before.and_then(|seal| seal.files.get(name)).filter(|_| once(name));
        let files: io::Result<BTreeMap<String, Sum>> = names
            .into_par_iter()
            .map(|name| {
                let sum = match known(&name) {
                    Some(sum) => *sum,
                    None => sum_of(&folder.join(&name), None)?
                        .ok_or_else(|| io::Error::other(format!("{name} changes while it is read")))?,
                };
                Ok((name, sum))
            })
            .collect();
        let mut seal = Seal { files: files? };
        seal.files.insert(DATABASE.to_owned(), database);
        let aside = folder.join(ASIDE);
        fs::write(&aside, format!("{PRODUCT}\n{}", seal.text()))?;
        fs::rename(aside, folder.join(NAME))?;
        Ok(seal)
    }

    fn text(&self) -> String {
        let line = |(name, sum): (&String, &Sum)| format!("{} {} {name}\n", sum.hash.to_hex(), sum.bytes);
        let lines: String = self.files.iter().map(line).collect();
        format!("{lines}{}\n", blake3::hash(lines.as_bytes()).to_hex())
    }
}

/// The sum of a folder's database, worked out by a thread of its own.
pub(super) struct DatabaseSum(JoinHandle<io::Result<Sum>>);

impl DatabaseSum {
    /// Begins with it; the database is not written to before it is there.
    pub fn begin(folder: &Path) -> io::Result<Self> {
        let path = folder.join(DATABASE);
        let sum = move || sum_of(&path, None)?.ok_or_else(|| io::Error::other("a sum without a length"));
        Ok(DatabaseSum(thread::Builder::new().name("seal".to_owned()).spawn(sum)?))
    }
}

fn parse(text: &str) -> Option<Seal> {
    let text = text.strip_suffix('\n')?;
    let (lines, hash) = match text.rfind('\n') {
        Some(at) => text.split_at(at + 1),
        None => ("", text),
    };
    if blake3::hash(lines.as_bytes()).to_hex().as_str() != hash {
        return None;
    }
    let line = |line: &str| {
        let (hash, rest) = line.split_once(' ')?;
        let (bytes, name) = rest.split_once(' ')?;
        let sum = Sum { bytes: bytes.parse().ok()?, hash: blake3::Hash::from_hex(hash).ok()? };
        Some((name.to_owned(), sum))
    };
    Some(Seal { files: lines.lines().map(line).collect::<Option<_>>()? })
}

/// The sum of a file; `None` where it has not so many bytes.
fn sum_of(path: &Path, wanted: Option<u64>) -> io::Result<Option<Sum>> {
    let bytes = fs::metadata(path)?.len();
    if wanted.is_some_and(|wanted| wanted != bytes) {
        return Ok(None);
    }
    let piece = |at: u64| {
        let mut file = File::open(path)?;
        file.seek(SeekFrom::Start(at * PIECE))?;
        let mut hasher = blake3::Hasher::new();
        hasher.update_reader(file.take(PIECE))?;
        Ok(*hasher.finalize().as_bytes())
    };
    let pieces: io::Result<Vec<[u8; 32]>> = (0..bytes.div_ceil(PIECE)).into_par_iter().map(piece).collect();
    Ok(Some(Sum { bytes, hash: blake3::hash(&pieces?.concat()) }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_byte_counts() {
        let dir = tempfile::tempdir().unwrap();
        let folder = dir.path();
        fs::create_dir(folder.join(TEXT)).unwrap();
        assert!(matches!(Seal::read(folder), Ok(None)));
        let large: Vec<u8> = (0..PIECE * 2 + 17).map(|n| n as u8).collect();
        let files =
            [(DATABASE, large), ("text/meta.json", b"{}".to_vec()), ("text/a.idx", b"words".to_vec())];
        for (name, bytes) in &files {
            fs::write(folder.join(name), bytes).unwrap();
        }
        fs::write(folder.join("text/.lock"), "").unwrap();
        let seal = Seal::set(folder, None, DatabaseSum::begin(folder).unwrap()).unwrap();
        assert!(Seal::read(folder).unwrap() == Some(seal.clone()));
        seal.check(folder).unwrap();
        for (name, bytes) in &files {
            for at in [0, bytes.len() / 2, bytes.len() - 1] {
                let mut changed = bytes.clone();
                changed[at] ^= 4;
                fs::write(folder.join(name), &changed).unwrap();
                assert!(matches!(seal.check(folder), Err(CacheError::Damaged(why)) if why.contains(name)));
            }
            fs::remove_file(folder.join(name)).unwrap();
            assert!(matches!(seal.check(folder), Err(CacheError::Damaged(_))));
            fs::write(folder.join(name), bytes).unwrap();
        }
        // What is written once is not sealed anew, so that its damage stays damage.
        fs::write(folder.join("text/a.idx"), "sword").unwrap();
        fs::write(folder.join(DATABASE), "new").unwrap();
        let next = Seal::set(folder, Some(&seal), DatabaseSum::begin(folder).unwrap()).unwrap();
        assert!(matches!(next.check(folder), Err(CacheError::Damaged(why)) if why.contains("a.idx")));
        let text = fs::read(folder.join(NAME)).unwrap();
        for at in 0..text.len() {
            let mut changed = text.clone();
            changed[at] ^= 1;
            fs::write(folder.join(NAME), &changed).unwrap();
            assert!(matches!(Seal::read(folder), Ok(None) | Err(CacheError::Damaged(_))), "{at}");
            fs::write(folder.join(NAME), &text[..at]).unwrap();
            assert!(matches!(Seal::read(folder), Ok(None) | Err(CacheError::Damaged(_))), "{at}");
        }
    }
}
