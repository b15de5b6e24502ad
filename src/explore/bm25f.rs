//! BM25F over exact postings: one saturation over all fields of a document, for chunks and for files.
//!
//! After Robertson, Zaragoza and Taylor, "Simple BM25 extension to multiple weighted fields" (2004). Only
//! the text fields are normalised by length: a name or a path does not get less telling in a long file.

use std::sync::Arc;

use rayon::prelude::*;

use crate::lexical::{Chunk, ChunkId, FIELDS, Field, Posting, Postings, Statistics};

use super::query::Term;
use super::{Knob, Tuning};

/// Field weights and the two constants of BM25.
#[derive(Clone, Copy, Debug)]
pub struct Scheme {
    pub weights: [f32; FIELDS],
    /// How fast more occurrences stop counting.
    pub k1: f32,
    /// How far a long text is held against itself, 0 to 1.
    pub b: f32,
}

impl Scheme {
    /// Weights are in the order of `Field`: body, comment, name, qualifier, directory, stem.
    pub fn chunk(tuning: &Tuning) -> Self {
        use Knob::*;
        let [comment, name, qualifier, directory, stem] =
            [ChunkComment, ChunkName, ChunkQualifier, ChunkDirectory, ChunkStem].map(|knob| tuning[knob]);
        let weights = [1.0, comment, name, qualifier, directory, stem];
        Scheme { weights, k1: tuning[ChunkK1], b: tuning[ChunkB] }
    }

    pub fn file(tuning: &Tuning) -> Self {
        use Knob::*;
        let [comment, directory, stem] = [FileComment, FileDirectory, FileStem].map(|knob| tuning[knob]);
        Scheme { weights: [1.0, comment, 0.0, 0.0, directory, stem], k1: tuning[FileK1], b: tuning[FileB] }
    }
}

/// A searched term with all that the index knows of it.
#[derive(Debug)]
pub struct TermEvidence {
    pub text: String,
    pub weight: f32,
    /// The weight among the title's terms; 0 for a term of the body.
    pub title_weight: f32,
    pub postings: Arc<[Posting]>,
    /// How rare the term is among chunks of source code.
    pub chunk_idf: f32,
    /// How rare the term is among files of source code.
    pub file_idf: f32,
}

/// The postings of a query's terms and the statistics to score them.
#[derive(Debug)]
pub struct Evidence {
    pub terms: Vec<TermEvidence>,
    /// The number of files of the graph.
    files: usize,
    statistics: Arc<Statistics>,
}

fn idf(documents: u32, with_term: u32) -> f32 {
    (1.0 + (documents as f32 - with_term as f32 + 0.5) / (with_term as f32 + 0.5)).ln()
}

impl Evidence {
    /// `files` is the number of files of the graph.
    pub fn gather(index: &dyn Postings, files: usize, terms: &[Term], title_terms: &[Term]) -> Self {
        let (chunks, statistics) = (index.chunks(), index.statistics());
        let terms = terms
            .par_iter()
            .map(|term| {
                let postings = index.postings(&term.text);
                let (mut chunk_df, mut file_df, mut last) = (0, 0, u32::MAX);
                for posting in postings.iter() {
                    let chunk = &chunks[posting.chunk.0 as usize];
                    if statistics.counts(chunk) {
                        chunk_df += 1;
                        if chunk.file.0 != last {
                            file_df += 1;
                            last = chunk.file.0;
                        }
                    }
                }
                let title = title_terms.binary_search_by(|t| t.text.as_str().cmp(&term.text));
                TermEvidence {
                    text: term.text.clone(),
                    weight: term.weight,
                    title_weight: title.map_or(0.0, |at| title_terms[at].weight),
                    postings,
                    chunk_idf: idf(statistics.chunks.max(1), chunk_df.min(statistics.chunks)),
                    file_idf: idf(statistics.files.max(1), file_df.min(statistics.files)),
                }
            })
            .collect();
        Evidence { terms, files, statistics }
    }

    /// The score of each chunk, with the weights that `weight` picks of each term.
    pub fn chunk_scores(
        &self,
        chunks: &[Chunk],
        scheme: &Scheme,
        weight: impl Fn(&TermEvidence) -> f32,
    ) -> Vec<f32> {
        let mut scores = vec![0.0f32; chunks.len()];
        for term in &self.terms {
            let gain = weight(term) * term.chunk_idf;
            if gain == 0.0 {
                continue;
            }
            for posting in term.postings.iter() {
                let at = posting.chunk.0 as usize;
                let length = chunks[at].text_length() as f32 / self.statistics.average_chunk;
                scores[at] += gain * saturate(scheme, &posting.counts, length);
            }
        }
        scores
    }

    /// The score of each file as one document.
    pub fn file_scores(
        &self,
        chunks: &[Chunk],
        scheme: &Scheme,
        weight: impl Fn(&TermEvidence) -> f32,
    ) -> Vec<f32> {
        let mut scores = vec![0.0f32; self.files];
        for term in &self.terms {
            let gain = weight(term) * term.file_idf;
            if gain == 0.0 {
                continue;
            }
            for same in term.postings.chunk_by(|a, b| file_of(chunks, a.chunk) == file_of(chunks, b.chunk)) {
                let file = file_of(chunks, same[0].chunk);
                let mut counts = [0u16; FIELDS];
                for posting in same {
                    for (field, count) in counts.iter_mut().enumerate() {
                        *count = if field >= Field::Directory as usize {
                            // The path is the same in each chunk: it counts once.
                            (*count).max(posting.counts[field])
                        } else {
                            count.saturating_add(posting.counts[field])
                        };
                    }
                }
                let length = self.statistics.file_lengths[file] as f32 / self.statistics.average_file;
                scores[file] += gain * saturate(scheme, &counts, length);
            }
        }
        scores
    }

    /// By file: the summed weight of the terms in one path field, rarer terms counting more.
    pub fn path_scores(&self, chunks: &[Chunk], field: Field) -> Vec<f32> {
        let mut scores = vec![0.0f32; self.files];
        for term in &self.terms {
            for same in term.postings.chunk_by(|a, b| file_of(chunks, a.chunk) == file_of(chunks, b.chunk)) {
                if same.iter().any(|posting| posting.counts[field as usize] > 0) {
                    scores[file_of(chunks, same[0].chunk)] += term.weight * term.file_idf;
                }
            }
        }
        scores
    }
}

fn file_of(chunks: &[Chunk], chunk: ChunkId) -> usize {
    chunks[chunk.0 as usize].file.0 as usize
}

/// The saturated, weighted count of one term in one document; `length` is relative to the average.
fn saturate(scheme: &Scheme, counts: &[u16; FIELDS], length: f32) -> f32 {
    let text = scheme.weights[Field::Body as usize] * f32::from(counts[Field::Body as usize])
        + scheme.weights[Field::Comment as usize] * f32::from(counts[Field::Comment as usize]);
    let mut count = text / (1.0 - scheme.b + scheme.b * length);
    for field in [Field::Name, Field::Qualifier, Field::Directory, Field::Stem] {
        count += scheme.weights[field as usize] * f32::from(counts[field as usize]);
    }
    count * (scheme.k1 + 1.0) / (scheme.k1 + count)
}

/// Divides by the maximum; all zero stays so.
pub fn normalize(scores: &mut [f32]) {
    let best = scores.iter().copied().fold(0.0f32, f32::max);
    if best > 0.0 {
        for score in scores {
            *score /= best;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::resolve::{FileId, SymbolId};

    struct Fixed(Vec<Chunk>, Vec<(&'static str, Vec<Posting>)>);

    impl Postings for Fixed {
        fn chunks(&self) -> &[Chunk] {
            &self.0
        }

        fn postings(&self, term: &str) -> Arc<[Posting]> {
            let found = self.1.iter().find(|(text, _)| *text == term);
            found.map_or(&[][..], |(_, postings)| postings.as_slice()).into()
        }
    }

    fn index() -> Fixed {
        let chunk = |file, symbol, body| Chunk {
            file: FileId(file),
            symbol: Some(SymbolId(symbol)),
            lengths: [body, 0, 1, 0, 0, 1],
        };
        let posting = |chunk, body, stem| Posting { chunk: ChunkId(chunk), counts: [body, 0, 0, 0, 0, stem] };
        Fixed(
            vec![chunk(0, 0, 100), chunk(0, 1, 10), chunk(1, 2, 10)],
            vec![("pool", vec![posting(0, 1, 0), posting(1, 1, 0)]), ("cache", vec![posting(2, 1, 1)])],
        )
    }

    fn term(text: &str) -> Term {
        Term { text: text.into(), weight: 1.0 }
    }

    #[test]
    fn shorter_chunks_and_rarer_terms_score_higher() {
        let index = index();
        let evidence = Evidence::gather(&index, 2, &[term("cache"), term("pool")], &[]);
        let scores = evidence.chunk_scores(index.chunks(), &Scheme::chunk(&Tuning::default()), |t| t.weight);
        assert!(scores[1] > scores[0] && scores[2] > scores[1], "{scores:?}");
    }

    #[test]
    fn a_file_sums_its_chunks_and_counts_its_path_once() {
        let index = index();
        let evidence = Evidence::gather(&index, 2, &[term("pool")], &[]);
        let scores = evidence.file_scores(index.chunks(), &Scheme::file(&Tuning::default()), |t| t.weight);
        let both = saturate(&Scheme::file(&Tuning::default()), &[2, 0, 0, 0, 0, 0], 110.0 / 60.0);
        assert!((scores[0] - idf(2, 1) * both).abs() < 1e-6);
        assert_eq!(scores[1], 0.0);
        assert_eq!(
            evidence.file_scores(index.chunks(), &Scheme::file(&Tuning::default()), |t| t.title_weight),
            [0.0, 0.0]
        );
    }
}
