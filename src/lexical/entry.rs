//! A chunk as tantivy takes it: its fields are read where they are, without a document made of them.

use std::sync::Arc;

use tantivy::schema::Field as Column;
use tantivy::schema::document::{Document, ReferenceValue, ReferenceValueLeaf, Value};
use tantivy::tokenizer::{Token, TokenStream, Tokenizer};

use super::FIELDS;
use super::document::FileTerms;
use super::stored::Columns;

/// The columns of a chunk: its path, place and symbol, and each field with its length.
const VALUES: usize = 3 + 2 * FIELDS;

/// A file whose chunks are put in.
#[derive(Debug)]
pub(super) struct Added {
    pub columns: Columns,
    pub file: FileTerms,
}

/// One chunk of a file. It is small because there is room for ten thousands of them.
#[derive(Debug)]
pub(super) struct Entry {
    pub of: Arc<Added>,
    /// The chunk's place in its file.
    pub place: u32,
}

/// What stands in a column.
#[derive(Clone, Copy, Debug)]
pub(super) enum Content<'a> {
    Text(&'a str),
    Number(u64),
}

impl<'a> Value<'a> for Content<'a> {
    type ArrayIter = std::iter::Empty<Self>;
    type ObjectIter = std::iter::Empty<(&'a str, Self)>;

    fn as_value(&self) -> ReferenceValue<'a, Self> {
        ReferenceValue::Leaf(match *self {
            Content::Text(text) => ReferenceValueLeaf::Str(text),
            Content::Number(number) => ReferenceValueLeaf::U64(number),
        })
    }
}

impl Document for Entry {
    type Value<'a> = Content<'a>;
    // It tells how many there are, so that there is room for them at once.
    type FieldsValuesIter<'a> = std::iter::Take<std::array::IntoIter<(Column, Content<'a>), VALUES>>;

    fn iter_fields_and_values(&self) -> Self::FieldsValuesIter<'_> {
        let Added { columns, file } = &*self.of;
        let chunk = &file.chunks[self.place as usize];
        let number = |number: u32| Content::Number(number.into());
        let mut values = [(columns.path, Content::Text(file.path.as_str())); VALUES];
        values[1] = (columns.place, number(self.place));
        values[2] = (columns.symbol, number(chunk.symbol.map_or(0, |symbol| symbol + 1)));
        let mut count = 3;
        for (field, &length) in chunk.lengths.iter().enumerate() {
            values[count] = (columns.lengths[field], number(length));
            count += 1;
            if length > 0 {
                values[count] = (columns.terms[field], Content::Text(chunk.terms.of(field)));
                count += 1;
            }
        }
        values.into_iter().take(count)
    }
}

/// Splits the text of a field into the terms that were put in one after another.
#[derive(Clone, Default)]
pub(super) struct Terms(Token);

pub(super) struct TermStream<'a> {
    rest: &'a str,
    token: &'a mut Token,
}

/// The first of the terms that were put one after another, and the others.
pub(super) fn split_first(terms: &str) -> Option<(&str, &str)> {
    let length = usize::from(*terms.as_bytes().first()?);
    terms.get(1..)?.split_at_checked(length)
}

impl Tokenizer for Terms {
    type TokenStream<'a> = TermStream<'a>;

    fn token_stream<'a>(&'a mut self, text: &'a str) -> TermStream<'a> {
        self.0.reset();
        TermStream { rest: text, token: &mut self.0 }
    }
}

impl TokenStream for TermStream<'_> {
    fn advance(&mut self) -> bool {
        let Some((term, rest)) = split_first(self.rest) else { return false };
        self.rest = rest;
        self.token.text.clear();
        self.token.text.push_str(term);
        self.token.position = self.token.position.wrapping_add(1);
        true
    }

    fn token(&self) -> &Token {
        self.token
    }

    fn token_mut(&mut self) -> &mut Token {
        self.token
    }
}
