//! Near names: which known words a misspelt one may have meant.

/// At most `count` of the `known` words within a third of the word's length in edits, nearest first, ties
/// by name. Case, `-` and `_` do not count as differences.
pub fn nearest<'k>(word: &str, known: impl IntoIterator<Item = &'k str>, count: usize) -> Vec<&'k str> {
    let folded = fold(word);
    let limit = (folded.len() / 3).max(1);
    let mut near: Vec<(usize, &str)> = known
        .into_iter()
        .filter_map(|known| {
            let other = fold(known);
            let starts = folded.len() >= 3 && (other.starts_with(&folded) || folded.starts_with(&other));
            let distance = edits(&folded, &other);
            (distance <= limit || starts).then_some((distance, known))
        })
        .collect();
    near.sort();
    near.dedup();
    near.truncate(count);
    near.into_iter().map(|(_, known)| known).collect()
}

fn fold(word: &str) -> Vec<char> {
    word.chars().take(100).filter(|c| !matches!(c, '-' | '_')).flat_map(char::to_lowercase).collect()
}

/// The Levenshtein distance.
fn edits(a: &[char], b: &[char]) -> usize {
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.iter().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, y) in b.iter().enumerate() {
            let replaced = diagonal + usize::from(x != y);
            diagonal = row[j + 1];
            row[j + 1] = replaced.min(row[j] + 1).min(row[j + 1] + 1);
        }
    }
    row[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distance_counts_single_edits() {
        let count = |a: &str, b: &str| edits(&fold(a), &fold(b));
        assert_eq!(count("kitten", "sitting"), 3);
        assert_eq!(count("", "abc"), 3);
        assert_eq!(count("max-bytes", "max_bytes"), 0);
    }

    #[test]
    fn only_near_words_are_offered_nearest_first() {
        let known = ["query", "keywords", "path", "max_turns", "max_bytes"];
        assert_eq!(nearest("maxBytes", known, 2), ["max_bytes"]);
        assert_eq!(nearest("keyword", known, 1), ["keywords"]);
        assert_eq!(nearest("colour", known, 3), [""; 0]);
    }
}
