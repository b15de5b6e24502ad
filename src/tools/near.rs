//! Near names: which known words a misspelt one may have meant.

use strsim::osa_distance;

/// At most `count` of the `known` words within a third of the word's length in edits, nearest first, ties
/// by name. Case, `-` and `_` do not count as differences.
pub fn nearest<'k>(word: &str, known: impl IntoIterator<Item = &'k str>, count: usize) -> Vec<&'k str> {
    let folded = fold(word);
    let limit = (folded.chars().count() / 3).max(1);
    let mut near: Vec<(usize, &str)> = known
        .into_iter()
        .filter_map(|known| {
            let other = fold(known);
            let starts = folded.len() >= 3 && (other.starts_with(&folded) || folded.starts_with(&other));
            let distance = osa_distance(&folded, &other);
            (distance <= limit || starts).then_some((distance, known))
        })
        .collect();
    near.sort();
    near.dedup();
    near.truncate(count);
    near.into_iter().map(|(_, known)| known).collect()
}

fn fold(word: &str) -> String {
    word.chars().take(100).filter(|c| !matches!(c, '-' | '_')).flat_map(char::to_lowercase).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_near_words_are_offered_nearest_first() {
        let known = ["query", "keywords", "path", "max_turns", "max_bytes"];
        assert_eq!(nearest("maxBytes", known, 2), ["max_bytes"]);
        assert_eq!(nearest("keyword", known, 1), ["keywords"]);
        assert_eq!(nearest("colour", known, 3), [""; 0]);
    }
}
