//! Paths that a question writes, and the files that they mean.

use rayon::prelude::*;

use super::query::Query;
use crate::lang;
use crate::resolve::{FileId, Graph};
use crate::text::LineRange;

/// A path in the query, with the line that a stack frame gives.
#[derive(Clone, Debug, PartialEq)]
pub struct PathMention {
    pub path: String,
    /// One line of a frame, or a range.
    pub lines: Option<LineRange>,
    /// The function that a frame says it is in.
    pub function: Option<String>,
    /// A frame of a traceback whose last frame is where it went wrong.
    pub last_is_deepest: bool,
}

/// The paths on a line: `File "a/b.py", line 3`, `a/b.rs:12`, `a/b.go:12-20`, `a/b.kt lines 3-5`, `a/b.kt`.
pub(super) fn paths(line: &str) -> Vec<PathMention> {
    let mut paths = Vec::new();
    let told = [" line ", " lines "].iter().find_map(|mark| {
        let at = line.find(mark)? + mark.len();
        Some((lines_at(&line[at..])?, &line[at..]))
    });
    // Only some tracebacks say lines in words, and those end where it went wrong.
    let is_frame = told.is_some_and(|(_, rest)| rest.contains(", in ")) || line.contains("\", line ");
    let function = told.and_then(|(_, rest)| {
        let name = rest.split_once(", in ")?.1;
        let end = name.find(|c: char| !(c.is_alphanumeric() || "_.".contains(c))).unwrap_or(name.len());
        name[..end].rsplit('.').next().filter(|name| !name.is_empty()).map(str::to_owned)
    });
    for word in line.split(|c: char| c.is_whitespace() || "\"'`()<>,;[]{}|*".contains(c)) {
        let mut pieces = word.splitn(2, ".").collect::<Vec<_>>();
        let Some(rest) = pieces.pop().filter(|_| pieces.len() == 1) else { continue };
        let extension: String =
            rest.rsplit('.').next().unwrap_or("").chars().take_while(|c| c.is_ascii_alphanumeric()).collect();
        if !is_file_extension(&extension) {
            continue;
        }
        // `path.ext:12` and a URL's `#L12` end the path.
        let end = word.find(&format!(".{extension}")).map_or(word.len(), |at| at + extension.len() + 1);
        let (path, tail) = word.split_at(end);
        let number = |mark: &str| lines_at(tail.strip_prefix(mark)?);
        let lines = number(":").or_else(|| number("#L")).or(told.map(|(lines, _)| lines));
        let path = path.replace('\\', "/");
        let path = path.trim_start_matches(['.', '/']).to_owned();
        let seen = PathMention { path, lines, function: function.clone(), last_is_deepest: is_frame };
        if !seen.path.is_empty() {
            paths.push(seen);
        }
    }
    paths
}

/// A line, or a range of lines: `12`, `12-20`, `12-L20`.
fn lines_at(text: &str) -> Option<LineRange> {
    let number = |text: &str| -> Option<u32> {
        let line = text.split(|c: char| !c.is_ascii_digit()).next()?.parse().ok()?;
        (line > 0).then_some(line)
    };
    let start = number(text)?;
    let rest = text.trim_start_matches(|c: char| c.is_ascii_digit());
    let end = rest.strip_prefix('-').and_then(|rest| number(rest.strip_prefix('L').unwrap_or(rest)));
    Some(LineRange::new(start, end.unwrap_or(start).max(start)))
}

/// The files that a mention means.
pub(super) fn files_of(graph: &Graph, mention: &PathMention) -> Vec<FileId> {
    longest_suffix(graph, &mention.path, false)
}

/// What may end the name of a file rather than that of a member.
fn is_file_extension(extension: &str) -> bool {
    const OTHERS: [&str; 10] = ["cfg", "html", "json", "md", "rst", "sql", "toml", "txt", "yaml", "yml"];
    OTHERS.contains(&extension) || lang::all().iter().any(|spec| spec.extensions.contains(&extension))
}

/// By file: whether the query gives its path (1), or a dotted module path or file name that few share.
pub(super) fn named_paths(graph: &Graph, query: &Query) -> Vec<f32> {
    let mut scores = vec![0.0f32; graph.files().len()];
    let dotted = query.mentions.iter().filter(|mention| mention.segments.len() > 1).flat_map(|mention| {
        // `a.b.c` may be a module, or a member of module `a.b`.
        let all = mention.segments.join("/");
        let but_last = mention.segments[..mention.segments.len() - 1].join("/");
        let module = (mention.segments.len() > 2).then_some(but_last);
        [Some((all, true)), module.map(|path| (path, true))].into_iter().flatten()
    });
    let written = by_depth(&query.paths).into_iter().map(|path| (path.path.clone(), false));
    let mut seen = Vec::new();
    let mut depth = 0;
    for (path, module) in written.chain(dotted) {
        if seen.contains(&path) {
            continue;
        }
        let found = longest_suffix(graph, &path, module);
        if !found.is_empty() && found.len() <= 4 {
            for file in &found {
                let score = &mut scores[file.0 as usize];
                let nearness = if module { 1.0 } else { 0.75f32.powi(depth).max(0.3) };
                *score = score.max(nearness / (found.len() as f32).sqrt());
            }
            depth += i32::from(!module);
        }
        seen.push(path);
    }
    scores
}

/// Paths in query order, frames by how near they are to where it went wrong.
pub(super) fn by_depth(paths: &[PathMention]) -> Vec<&PathMention> {
    let (last, first): (Vec<&PathMention>, Vec<&PathMention>) =
        paths.iter().partition(|path| path.last_is_deepest);
    first.into_iter().chain(last.into_iter().rev()).collect()
}

/// The files whose path ends in `path` or, where none does, in a tail of it with at least two parts (a
/// stack frame's path begins on another machine); a plain file name must be the whole mention.
fn longest_suffix(graph: &Graph, path: &str, module: bool) -> Vec<FileId> {
    let mut tail = path;
    loop {
        let found: Vec<FileId> = (0..graph.files().len() as u32)
            .into_par_iter()
            .map(FileId)
            .filter(|&id| {
                let file = graph.file(id).path.as_str();
                let end = memchr::memrchr(b'.', file.as_bytes()).filter(|_| module);
                let file = end.map_or(file, |end| &file[..end]);
                file.strip_suffix(tail).is_some_and(|head| head.is_empty() || head.ends_with('/'))
            })
            .collect();
        if !found.is_empty() {
            return found;
        }
        match tail.split_once('/') {
            Some((_, rest)) if rest.contains('/') => tail = rest,
            _ => return Vec::new(),
        }
    }
}
