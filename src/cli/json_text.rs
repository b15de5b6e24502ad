//! A JSON text that is edited in place: one member set or taken out, every other byte as it was.
//!
//! Paths name the members from the outermost object inward. Of members with the same name the last counts,
//! as it does for readers. A new member stands last and is indented as its neighbours are.

use std::ops::Range;

use serde::Serialize;
use serde_json::Value;
use serde_json::ser::{PrettyFormatter, Serializer};

/// The byte order mark that some editors put before a text; it stays.
const MARK: char = '\u{feff}';

/// The text of one JSON object.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct JsonText(String);

/// An object within a text.
struct Object {
    /// Where its `{` and `}` are.
    open: usize,
    close: usize,
    members: Vec<Member>,
}

struct Member {
    name: String,
    /// Where its name begins.
    start: usize,
    value: Range<usize>,
}

impl JsonText {
    /// # Errors
    /// Why the text is no JSON, or is another value than an object.
    pub fn new(text: &str) -> Result<Self, String> {
        match serde_json::from_str::<Value>(text.strip_prefix(MARK).unwrap_or(text)) {
            Ok(Value::Object(_)) => Ok(JsonText(text.to_owned())),
            Ok(_) => Err("its outermost value is not an object".to_owned()),
            Err(error) => Err(error.to_string()),
        }
    }

    pub fn empty() -> Self {
        JsonText("{}".to_owned())
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The text of the value at a path.
    pub fn get<S: AsRef<str>>(&self, path: &[S]) -> Option<&str> {
        let mut at = self.begin();
        let mut value = at..self.0.len();
        for name in path {
            value = self.object(at)?.last(name.as_ref())?.value.clone();
            at = value.start;
        }
        Some(self.0[value].trim_end())
    }

    pub fn is_empty_object<S: AsRef<str>>(&self, path: &[S]) -> bool {
        self.get(path).and_then(|value| serde_json::from_str::<Value>(value).ok())
            == Some(Value::Object(serde_json::Map::new()))
    }

    /// Sets the member at a path, with the objects around it where there are none yet.
    ///
    /// # Errors
    /// Names what stands on the way and is no object.
    pub fn set<S: AsRef<str>>(&self, path: &[S], value: &impl Serialize) -> Result<Self, String> {
        let mut at = self.begin();
        for (depth, name) in path.iter().enumerate() {
            let Some(object) = self.object(at) else {
                let names: Vec<&str> = path[..depth].iter().map(AsRef::as_ref).collect();
                return Err(format!("its `{}` is not an object", names.join(".")));
            };
            let rest = &path[depth + 1..];
            match object.last(name.as_ref()) {
                Some(member) if rest.is_empty() => {
                    let layout = self.layout(&object, depth);
                    return Ok(self.replaced(member.value.clone(), &layout.value(value)));
                }
                Some(member) => at = member.value.start,
                None => {
                    let layout = self.layout(&object, depth);
                    let member = layout.member(name.as_ref(), rest, value);
                    return Ok(match object.members.last() {
                        Some(last) => {
                            let end = last.value.end;
                            self.replaced(end..end, &format!(",{}{member}", layout.gap))
                        }
                        None => {
                            let inside = format!("{}{member}{}", layout.first_gap, layout.close_gap);
                            self.replaced(object.open + 1..object.close, &inside)
                        }
                    });
                }
            }
        }
        Err("the path is empty".to_owned())
    }

    /// Takes the member at a path out; nothing happens where there is none.
    pub fn remove<S: AsRef<str>>(&self, path: &[S]) -> Self {
        let Some((name, around)) = path.split_last() else { return self.clone() };
        let mut text = self.clone();
        loop {
            let object = text.get_start(around).and_then(|at| text.object(at));
            let Some(object) = object else { return text };
            let Some(at) = object.members.iter().rposition(|member| member.name == name.as_ref()) else {
                return text;
            };
            let gone = match (at.checked_sub(1).map(|at| &object.members[at]), object.members.get(at + 1)) {
                (_, Some(next)) => object.members[at].start..next.start,
                (Some(previous), None) => previous.value.end..object.members[at].value.end,
                (None, None) => object.open + 1..object.close,
            };
            text = text.replaced(gone, "");
        }
    }

    fn get_start<S: AsRef<str>>(&self, path: &[S]) -> Option<usize> {
        let mut at = self.begin();
        for name in path {
            at = self.object(at)?.last(name.as_ref())?.value.start;
        }
        Some(at)
    }

    fn replaced(&self, range: Range<usize>, with: &str) -> Self {
        JsonText(format!("{}{with}{}", &self.0[..range.start], &self.0[range.end..]))
    }

    /// Where the outermost value begins.
    fn begin(&self) -> usize {
        self.value_at(if self.0.starts_with(MARK) { MARK.len_utf8() } else { 0 })
    }

    /// The first byte at or after `at` that is no white space and no separator.
    fn value_at(&self, at: usize) -> usize {
        let skipped = |b: &u8| b.is_ascii_whitespace() || matches!(b, b',' | b':');
        at + self.0.as_bytes()[at..].iter().take_while(|b| skipped(b)).count()
    }

    /// The object that begins at `at`; `None` where another value does.
    fn object(&self, at: usize) -> Option<Object> {
        let bytes = self.0.as_bytes();
        if bytes.get(at) != Some(&b'{') {
            return None;
        }
        let mut members = Vec::new();
        let mut start = self.value_at(at + 1);
        while *bytes.get(start)? != b'}' {
            let name_end = self.end(start);
            let name = serde_json::from_str(&self.0[start..name_end]).ok()?;
            let value = self.value_at(name_end);
            let value = value..self.end(value);
            let next = self.value_at(value.end);
            members.push(Member { name, start, value });
            start = next;
        }
        Some(Object { open: at, close: start, members })
    }

    /// The end of the value that begins at `at`.
    fn end(&self, at: usize) -> usize {
        let bytes = self.0.as_bytes();
        let (mut depth, mut inside, mut i) = (0_usize, false, at);
        while let Some(&byte) = bytes.get(i) {
            i += 1;
            match byte {
                b'\\' if inside => i += 1,
                b'"' => {
                    inside = !inside;
                    if !inside && depth == 0 {
                        return i;
                    }
                }
                _ if inside => {}
                b'{' | b'[' => depth += 1,
                b'}' | b']' | b',' if depth == 0 => return i - 1,
                b'}' | b']' => {
                    depth -= 1;
                    if depth == 0 {
                        return i;
                    }
                }
                byte if byte.is_ascii_whitespace() && depth == 0 => return i - 1,
                _ => {}
            }
        }
        i.min(bytes.len())
    }

    /// How the members of an object at some depth are laid out.
    fn layout(&self, object: &Object, depth: usize) -> Layout {
        let line_break = if self.0.contains("\r\n") { "\r\n" } else { "\n" };
        let outer = self.object(self.begin());
        let indent_of = |object: &Object| {
            let first = object.members.first()?;
            let before = &self.0[object.open + 1..first.start];
            before.rfind('\n').map(|at| before[at + 1..].to_owned())
        };
        let unit = match &outer {
            Some(outer) if !outer.members.is_empty() => indent_of(outer),
            _ => Some("  ".to_owned()),
        };
        let own = if object.members.is_empty() {
            unit.as_ref().map(|unit| unit.repeat(depth + 1))
        } else {
            indent_of(object)
        };
        match own {
            Some(own) => {
                let unit = unit.filter(|unit| !unit.is_empty()).unwrap_or_else(|| "  ".to_owned());
                let outside = own.strip_suffix(unit.as_str()).unwrap_or_default();
                Layout {
                    gap: format!("{line_break}{own}"),
                    first_gap: format!("{line_break}{own}"),
                    close_gap: format!("{line_break}{outside}"),
                    lines: Some((line_break, own, unit)),
                }
            }
            None => Layout {
                gap: " ".to_owned(),
                first_gap: String::new(),
                close_gap: String::new(),
                lines: None,
            },
        }
    }
}

impl Object {
    fn last(&self, name: &str) -> Option<&Member> {
        self.members.iter().rev().find(|member| member.name == name)
    }
}

struct Layout {
    /// Between a comma and the next member, `{` and the first member, the last member and `}`.
    gap: String,
    first_gap: String,
    close_gap: String,
    /// The line break, the indentation of a member and one step of it; `None` for all on one line.
    lines: Option<(&'static str, String, String)>,
}

impl Layout {
    fn member<S: AsRef<str>>(&self, name: &str, rest: &[S], value: &impl Serialize) -> String {
        match rest.split_first() {
            None => format!("{}: {}", quoted(name), self.value(value)),
            Some((inner, rest)) => {
                let (deeper, open, close) = match &self.lines {
                    Some((line_break, own, unit)) => {
                        let inside = format!("{own}{unit}");
                        let open = format!("{line_break}{inside}");
                        let deeper = Layout {
                            gap: open.clone(),
                            first_gap: open.clone(),
                            close_gap: self.gap.clone(),
                            lines: Some((line_break, inside, unit.clone())),
                        };
                        (Some(deeper), open, self.gap.clone())
                    }
                    None => (None, String::new(), String::new()),
                };
                let member = deeper.as_ref().unwrap_or(self).member(inner.as_ref(), rest, value);
                format!("{}: {{{open}{member}{close}}}", quoted(name))
            }
        }
    }

    fn value(&self, value: &impl Serialize) -> String {
        let Some((line_break, own, unit)) = &self.lines else {
            return serde_json::to_string(value).unwrap_or_default();
        };
        let mut out = Vec::new();
        let formatter = PrettyFormatter::with_indent(unit.as_bytes());
        // A value of texts and lists is always written.
        let _ = value.serialize(&mut Serializer::with_formatter(&mut out, formatter));
        String::from_utf8_lossy(&out).replace('\n', &format!("{line_break}{own}"))
    }
}

fn quoted(name: &str) -> String {
    Value::from(name).to_string()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::{Map, json};

    use super::*;

    fn set(text: &str, path: &[&str]) -> String {
        JsonText::new(text).unwrap().set(path, &json!({"x": [1]})).unwrap().0
    }

    #[test]
    fn a_new_member_is_laid_out_as_its_neighbours_are() {
        for (text, expected) in [
            ("{}", "{\n  \"a\": {\n    \"b\": {\n      \"x\": [\n        1\n      ]\n    }\n  }\n}"),
            ("{\"z\":1.0}\n", "{\"z\":1.0, \"a\": {\"b\": {\"x\":[1]}}}\n"),
            (
                "{\n\t\"a\": {},\n\t\"z\": 1e2\n}\n",
                "{\n\t\"a\": {\n\t\t\"b\": {\n\t\t\t\"x\": [\n\t\t\t\t1\n\t\t\t]\n\t\t}\n\t},\n\t\"z\": 1e2\n}\n",
            ),
            (
                "{\r\n \"a\": {\r\n  \"c}\\\"\": \"]\"\r\n }\r\n}",
                "{\r\n \"a\": {\r\n  \"c}\\\"\": \"]\",\r\n  \"b\": {\r\n   \"x\": [\r\n    1\r\n   ]\r\n  }\r\n }\r\n}",
            ),
            ("{\n  \"a\": {\"c\": 1}\n}", "{\n  \"a\": {\"c\": 1, \"b\": {\"x\":[1]}}\n}"),
        ] {
            assert_eq!(set(text, &["a", "b"]), expected);
        }
    }

    #[test]
    fn a_member_that_is_there_is_replaced_where_it_stands() {
        assert_eq!(set("{\"b\": 7, \"c\": 8}", &["b"]), "{\"b\": {\"x\":[1]}, \"c\": 8}");
        // Readers take the last of two.
        assert_eq!(
            JsonText::new("{\"b\":1,\"b\":2}").unwrap().set(&["b"], &3).unwrap().as_str(),
            "{\"b\":1,\"b\":3}"
        );
        assert_eq!(JsonText::new("{\"b\":1,\"b\":2}").unwrap().remove(&["b"]).as_str(), "{}");
    }

    #[test]
    fn a_byte_order_mark_stays() {
        let text = JsonText::new("\u{feff}{\"a\": {}}").unwrap();
        let set = text.set(&["a", "b"], &1).unwrap();
        assert!(set.as_str().starts_with("\u{feff}{\"a\": {"), "{}", set.as_str());
        assert_eq!(set.get(&["a", "b"]), Some("1"));
        assert_eq!(set.remove(&["a", "b"]).as_str(), text.as_str());
    }

    #[test]
    fn what_is_no_object_is_refused() {
        assert!(JsonText::new("{\"a\": 1,}").is_err());
        assert!(JsonText::new("").is_err());
        assert_eq!(JsonText::new("[]").unwrap_err(), "its outermost value is not an object");
        let text = JsonText::new("{\"a\": {\"b\": []}}").unwrap();
        assert_eq!(text.set(&["a", "b", "c"], &1).unwrap_err(), "its `a.b` is not an object");
        assert_eq!(text.remove(&["a", "b", "c"]), text);
        assert_eq!(text.get(&["a", "b"]), Some("[]"));
        assert_eq!(text.get(&["a", "c"]), None);
    }

    fn values() -> impl Strategy<Value = Value> {
        let leaf = prop_oneof![
            any::<i32>().prop_map(Value::from),
            any::<bool>().prop_map(Value::from),
            "[ab{}\\[\\],:\"\\\\\u{e9}\n ]{0,4}".prop_map(Value::from),
        ];
        leaf.prop_recursive(4, 24, 4, |inner| {
            prop_oneof![
                prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
                prop::collection::btree_map("[abc\"}]{1,2}", inner, 0..4)
                    .prop_map(|members| Value::Object(members.into_iter().collect::<Map<_, _>>())),
            ]
        })
    }

    proptest! {
        /// Setting is what it is on the value, and taking out again gives every byte back.
        #[test]
        fn an_edit_changes_one_member(members in prop::collection::btree_map("[abc]{1,2}", values(), 0..4), pretty: bool) {
            let value = Value::Object(members.into_iter().collect());
            let text = if pretty { format!("{value:#}\n") } else { value.to_string() };
            let before = JsonText::new(&text).unwrap();
            let path = ["a", "new"];
            match before.set(&path, &json!({"k": []})) {
                Err(_) => prop_assert!(!value["a"].is_object()),
                Ok(after) => {
                    let mut expected = value.clone();
                    expected["a"]["new"] = json!({"k": []});
                    prop_assert_eq!(serde_json::from_str::<Value>(after.as_str()).unwrap(), expected);
                    let back = after.remove(&path);
                    let back = if value.get("a").is_some() { back } else { back.remove(&["a"]) };
                    prop_assert_eq!(back.as_str(), text);
                }
            }
        }
    }
}
