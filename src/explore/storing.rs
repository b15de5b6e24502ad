//! Storing: whether the text between two names of a line puts what the second one names into the first.
//!
//! The graph knows that a line names a field and a function, but not why; a comparison, a condition or a call
//! on the field's value stores nothing.

/// What is stored where something is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Stored {
    /// The value that the second name has: of a function itself, of a call what it gives.
    Value,
    /// A function literal with the second name in it.
    Body,
}

/// Methods that put their argument into what they are called on.
const ADDERS: &[&str] = &[
    "add",
    "addfirst",
    "addlast",
    "append",
    "insert",
    "offer",
    "plusassign",
    "push",
    "pushback",
    "put",
    "register",
    "set",
    "store",
    "unshift",
];
/// What stands before the body of a function literal, or before what is computed later.
const LITERALS: &[&str] = &["=>", "->", "lambda", "function", "func(", "func (", "||", "lazy"];

/// What the text `between` a field's name and another name stores in the field; `before` is what stands before
/// the field's name on its line.
pub(super) fn stored(before: &str, between: &str) -> Option<Stored> {
    let rest = past_keys(between.trim_start())?;
    if rest.contains(';') {
        return None;
    }
    let value = assigned(rest).or_else(|| added(rest)).or_else(|| given(before, rest))?;
    let literal =
        LITERALS.iter().any(|mark| value.contains(mark)) || value.trim_start().starts_with(['{', '|']);
    Some(if literal { Stored::Body } else { Stored::Value })
}

/// The text behind `[key]` and marks of optional values.
fn past_keys(mut rest: &str) -> Option<&str> {
    while let Some(key) = rest.strip_prefix('[') {
        let mut depth = 1;
        let end = key.find(|c| {
            depth += i32::from(c == '[') - i32::from(c == ']');
            depth == 0
        })?;
        rest = key[end + 1..].trim_start();
    }
    let value = rest.trim_start_matches(['!', '?']);
    Some(if value.starts_with('.') { value } else { rest })
}

/// The value behind `=`, `:=`, `+=` and the like, or behind a type and one of them.
fn assigned(rest: &str) -> Option<&str> {
    let at = rest.find('=')?;
    let (sign, value) = (rest[..at].trim_end(), &rest[at + 1..]);
    let compares = value.starts_with(['=', '>', '~']) || sign.ends_with(['<', '>', '!', '=']);
    let plain = matches!(sign, "" | ":" | "+" | "|" | "||" | "&&" | "??" | "?");
    let typed = sign.strip_prefix(':').is_some_and(|ty| !ty.contains(['(', ',']));
    ((plain || typed) && !compares).then_some(value)
}

/// The argument of a method that adds it, or what `by` gives.
fn added(rest: &str) -> Option<&str> {
    if let Some(value) = rest.strip_prefix("by ") {
        return Some(value);
    }
    let (name, value) = rest.strip_prefix('.')?.split_once('(')?;
    let name: String = name.chars().filter(|&c| c != '_').flat_map(char::to_lowercase).collect();
    ADDERS.contains(&name.as_str()).then_some(value)
}

/// The value of a part of an object that is written: `field: value`.
fn given<'t>(before: &str, rest: &'t str) -> Option<&'t str> {
    let value = rest.strip_prefix(':').filter(|value| !value.starts_with(':'))?;
    let before = before.trim_end();
    (before.is_empty() || before.ends_with(['{', ',', '('])).then_some(value)
}

/// The variable that a name is called on, by what stands before the name on its line; `None` where it is part of
/// something else.
pub(super) fn receiver(before: &str) -> Option<&str> {
    let owner = before.strip_suffix("?.").or_else(|| before.strip_suffix('.'))?;
    let start = owner
        .rfind(|c: char| !is_word(c))
        .map_or(0, |at| at + owner[at..].chars().next().map_or(1, char::len_utf8));
    let name = &owner[start..];
    let local = !owner[..start].ends_with(['.', ':', '@', '$'])
        && name.starts_with(|c: char| c.is_lowercase() || c == '_');
    (local && !matches!(name, "self" | "this" | "super" | "cls")).then_some(name)
}

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

/// The value that a line assigns to a variable.
fn assigned_to<'t>(line: &'t str, variable: &str) -> Option<&'t str> {
    line.match_indices(variable).find_map(|(at, _)| {
        let (before, rest) = (&line[..at], &line[at + variable.len()..]);
        let whole = !before.ends_with(|c: char| is_word(c) || c == '.') && !rest.starts_with(is_word);
        whole.then(|| assigned(rest.trim_start())).flatten()
    })
}

/// Whether a line gives a variable a value.
pub(super) fn assigns(line: &str, variable: &str) -> bool {
    assigned_to(line, variable).is_some()
}

/// Whether what follows the text `before` on its line is all that a variable is given.
pub(super) fn declares(before: &str, variable: &str) -> bool {
    let is_path = |value: &str| {
        let value = value.trim_start();
        let value = value.strip_prefix("new ").unwrap_or(value).trim_start_matches('&');
        value.chars().all(|c| is_word(c) || c == '.' || c == ':')
    };
    assigned_to(before, variable).is_some_and(is_path)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_assigned_added_or_given_is_stored() {
        for (before, between) in [
            ("self.", " = "),
            ("s.", " := "),
            ("this.", " ||= "),
            ("self.", "[key] = wrap("),
            ("self.", ": Handler = "),
            ("    var ", ": Handler? = "),
            ("b.", "[kind][0] = "),
            ("s.", " = append(s.chain, "),
            ("self.", ".append("),
            ("self.", ".push_back("),
            ("handlers.", "!!.add(::"),
            ("return &Server{", ": "),
            ("", ": "),
        ] {
            assert_eq!(stored(before, between), Some(Stored::Value), "{before}FIELD{between}NAME");
        }
        for (before, between) in [
            ("self.", " = lambda event: "),
            ("this.", " = () => this."),
            ("client.", " = { "),
            ("s.", " = func(c *Context) { "),
            ("self.", " = Some(Box::new(|| "),
            ("  val ", " by lazy { "),
            ("this.", ".add(x -> "),
        ] {
            assert_eq!(stored(before, between), Some(Stored::Body), "{before}FIELD{between}NAME");
        }
    }

    #[test]
    fn what_is_compared_asked_or_called_stores_nothing() {
        for (before, between) in [
            ("return self.", " < "),
            ("if s.", " != \"\" && "),
            ("if n.", " == nil || "),
            ("a.", " <= "),
            ("a.", " >= "),
            ("x.", " => "),
            ("self.", "[key]."),
            ("this.", "[index]."),
            ("self.", "."),
            ("self.", "!!."),
            ("return self.", ", "),
            ("f(self.", ") + "),
            ("a ? this.", " : "),
            ("a ? b.", "::"),
            ("x.", "; y = "),
            ("x.", "[open"),
            ("x.", ".insert_all("),
            ("x.", ".find("),
            ("", ""),
        ] {
            assert_eq!(stored(before, between), None, "{before}FIELD{between}NAME");
        }
    }

    #[test]
    fn a_variable_is_declared_where_its_value_is_made() {
        assert_eq!(receiver("        collector."), Some("collector"));
        assert_eq!(receiver("if (call?."), Some("call"));
        for before in ["self.", "a.b.", "Type.", "make().", "x::y.", "", "name"] {
            assert_eq!(receiver(before), None, "{before}");
        }
        for before in
            ["x = ", "    let mut x = ", "val x: Sink = ", "x := &", "const x = new lib.", "auto x = a::"]
        {
            assert!(declares(before, "x"), "{before}");
        }
        for before in ["x = wrap(", "y = ", "x == ", "xs = ", "a.x = ", "x = y or ", "return "] {
            assert!(!declares(before, "x"), "{before}");
        }
        assert!(assigns("    x = other()", "x") && !assigns("    x.y = other()", "x"));
        assert!(assigns("    if max_of(x) { x = other() }", "x"));
    }
}
