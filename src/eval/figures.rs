//! The figures: how well citations answer a case, and their means over cases.

use std::collections::BTreeMap;

use serde::Serialize;

use crate::explore::Citation;

/// Line budgets at which the hunks found are counted.
const BUDGETS: [u32; 3] = [100, 300, u32::MAX];

/// What the citations of one case are worth.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Score {
    /// A gold file is among the first 1, 5 and 10 files cited.
    pub hit1: f64,
    pub hit5: f64,
    pub hit10: f64,
    /// The share of the gold files among the first ten.
    pub recall10: f64,
    /// One over the rank of the first gold file.
    pub mrr: f64,
    /// Cited files against gold files.
    pub f1: f64,
    /// The share of the gold ranges that the first 100 and 300 cited lines, and all, touch.
    pub hunk100: f64,
    pub hunk300: f64,
    pub hunk: f64,
    /// Lines cited.
    pub lines: f64,
    pub files: f64,
}

/// The score, and the best rank of a gold file (0 for none).
pub fn score(citations: &[Citation], gold: &BTreeMap<String, Vec<[u32; 2]>>) -> (Score, usize) {
    let mut order: Vec<&str> = Vec::new();
    for citation in citations {
        if !order.contains(&citation.path.as_str()) {
            order.push(citation.path.as_str());
        }
    }
    let ranks: Vec<usize> = gold
        .keys()
        .filter_map(|path| order.iter().position(|cited| cited == path))
        .map(|at| at + 1)
        .collect();
    let within = |k: usize| ranks.iter().filter(|&&rank| rank <= k).count();
    let hit = |k: usize| f64::from(u8::from(within(k) > 0));
    let first = ranks.iter().copied().min().unwrap_or(0);
    let [hunk100, hunk300, hunk] = BUDGETS.map(|budget| touched(citations, gold, budget));
    let score = Score {
        hit1: hit(1),
        hit5: hit(5),
        hit10: hit(10),
        recall10: within(10) as f64 / gold.len() as f64,
        mrr: if first > 0 { 1.0 / first as f64 } else { 0.0 },
        f1: 2.0 * ranks.len() as f64 / (order.len() + gold.len()) as f64,
        hunk100,
        hunk300,
        hunk,
        lines: citations.iter().map(|citation| f64::from(citation.lines.count())).sum(),
        files: order.len() as f64,
    };
    (score, first)
}

/// The share of the gold ranges that the first `budget` cited lines touch.
fn touched(citations: &[Citation], gold: &BTreeMap<String, Vec<[u32; 2]>>, budget: u32) -> f64 {
    let mut left = budget;
    let mut shown: Vec<(&str, u32, u32)> = Vec::new();
    for citation in citations {
        if left == 0 {
            break;
        }
        let count = citation.lines.count().min(left);
        shown.push((citation.path.as_str(), citation.lines.start, citation.lines.start + count - 1));
        left -= count;
    }
    let meets = |path: &str, range: &[u32; 2]| {
        shown.iter().any(|(cited, start, end)| *cited == path && *start <= range[1] && range[0] <= *end)
    };
    let all: usize = gold.values().map(Vec::len).sum();
    let met = gold.iter().map(|(path, ranges)| ranges.iter().filter(|range| meets(path, range)).count());
    met.sum::<usize>() as f64 / all.max(1) as f64
}

/// The figures of one arm over some cases: means, medians where it says so.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Figures {
    pub cases: usize,
    #[serde(flatten)]
    pub mean: Score,
    /// Median.
    pub tokens: f64,
    /// Median.
    pub milliseconds: f64,
}

/// Scores with the tokens and milliseconds of their answers → figures.
pub fn figures<'s>(all: impl Iterator<Item = (&'s Score, f64, f64)>) -> Figures {
    let all: Vec<_> = all.collect();
    let mean = |of: fn(&Score) -> f64| {
        all.iter().map(|(score, _, _)| of(score)).sum::<f64>() / all.len().max(1) as f64
    };
    Figures {
        cases: all.len(),
        mean: Score {
            hit1: mean(|s| s.hit1),
            hit5: mean(|s| s.hit5),
            hit10: mean(|s| s.hit10),
            recall10: mean(|s| s.recall10),
            mrr: mean(|s| s.mrr),
            f1: mean(|s| s.f1),
            hunk100: mean(|s| s.hunk100),
            hunk300: mean(|s| s.hunk300),
            hunk: mean(|s| s.hunk),
            lines: mean(|s| s.lines),
            files: mean(|s| s.files),
        },
        tokens: median(all.iter().map(|(_, tokens, _)| *tokens).collect()),
        milliseconds: median(all.iter().map(|(_, _, time)| *time).collect()),
    }
}

/// The middle value; the mean of the two middle ones of an even number.
pub fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    match values.len() {
        0 => 0.0,
        n if n % 2 == 1 => values[n / 2],
        n => f64::midpoint(values[n / 2 - 1], values[n / 2]),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::{LineRange, RepoPath};

    fn cite(path: &str, start: u32, end: u32) -> Citation {
        Citation { path: RepoPath::new(path).unwrap(), lines: LineRange::new(start, end), label: None }
    }

    #[test]
    fn ranks_count_files_and_budgets_count_lines() {
        let gold = BTreeMap::from([
            ("b.py".to_owned(), vec![[5, 6], [400, 400]]),
            ("z.py".to_owned(), vec![[1, 1]]),
        ]);
        let cited = [cite("a.py", 1, 90), cite("a.py", 95, 99), cite("b.py", 1, 6), cite("b.py", 200, 500)];
        let (score, rank) = score(&cited, &gold);
        assert_eq!((rank, score.hit1, score.hit5, score.recall10, score.mrr), (2, 0.0, 1.0, 0.5, 0.5));
        assert_eq!((score.f1, score.lines, score.files), (0.5, 402.0, 2.0));
        // Within 100 lines the third range is cut to its first five.
        assert_eq!((score.hunk100, score.hunk300, score.hunk), (1.0 / 3.0, 1.0 / 3.0, 2.0 / 3.0));
    }

    #[test]
    fn nothing_cited_scores_nothing() {
        let gold = BTreeMap::from([("a".to_owned(), vec![[1, 1]])]);
        assert_eq!(score(&[], &gold), (Score::default(), 0));
        assert_eq!(median(Vec::new()), 0.0);
        assert_eq!(median(vec![3.0, 1.0]), 2.0);
    }
}
