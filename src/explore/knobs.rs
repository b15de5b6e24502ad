//! The constants of searching and choosing that an evaluation may change, each with its reason.
//!
//! The product always uses the values of this table and of the signal tables. `eval --set NAME=VALUE` puts
//! another value in for one run, so that constants are fitted and ablated without being rebuilt.

use std::ops::Index;

use super::signals::{RANGE_SIGNALS, SIGNALS};

macro_rules! knobs {
    ($($knob:ident $name:literal $value:literal $why:literal;)*) => {
        /// A constant by its meaning.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum Knob {
            $(#[doc = $why] $knob,)*
        }

        /// Each constant's name, value and reason, in the order of `Knob`.
        pub const KNOBS: &[(&str, f32, &str)] = &[$(($name, $value, $why),)*];
    };
}

knobs! {
    TermTitle "term.title" 2.5 "what a word of the title weighs against one of the prose";
    TermCode "term.code" 0.5 "what a word of a code block weighs: user programs share words by chance";
    TermForms "term.forms" 0.0 "what other forms of the title's plain words weigh against the words";
    NameQualifier "name.qualifier" 0.6 "what the owner in `Owner.member` weighs as a name against the member";
    TermShape "term.shape" 1.7 "the gain of a code-shaped word outside of code blocks";
    ChunkK1 "chunk.k1" 3.0 "how late more occurrences in a chunk stop counting";
    ChunkB "chunk.b" 0.7 "how far a long chunk is held against itself";
    ChunkComment "chunk.comment" 0.7 "a word in a chunk's comment against one in its code";
    ChunkName "chunk.name" 1.5 "a word in the symbol's name";
    ChunkQualifier "chunk.qualifier" 1.0 "a word in its containers' names";
    ChunkDirectory "chunk.directory" 1.0 "a word in the path's folders";
    ChunkStem "chunk.stem" 8.0 "a word in the file's name";
    FileK1 "file.k1" 2.5 "how late more occurrences in a file stop counting";
    FileB "file.b" 0.65 "how far a long file is held against itself";
    FileComment "file.comment" 0.3 "a word in a file's comments against one in its code";
    FileDirectory "file.directory" 1.0 "a word in the path's folders, for the file as one document";
    FileStem "file.stem" 1.0 "a word in the file's name, for the file as one document";
    PriorTest "prior.test" 0.1 "the factor of a test, unless the query asks for tests";
    PriorSupport "prior.support" 0.5 "the factor of a library for tests";
    PriorAskedTest "prior.asked_test" 0.6 "the factor of a test where the query asks for tests";
    PriorNamedTest "prior.named_test" 0.7 "the factor of a test that alone defines what the query names";
    PriorBuild "prior.build" 0.4 "the factor of a build script, which mentions many things";
    PriorVendored "prior.vendored" 0.5 "the factor of a copy of somebody else's code";
    PriorGenerated "prior.generated" 0.2 "the factor of generated code";
    PriorNoGrammar "prior.no_grammar" 0.5 "the factor of source code in a language without a grammar";
    PriorData "prior.data" 0.15 "the factor of prose and data, which restate questions more than they answer";
    PriorTestChunk "prior.test_chunk" 0.3 "the factor of a test's chunk inside of a production file";
    Graph "graph" 1.0 "0 leaves the symbol graph out of searching and choosing";
    Turns "loop.turns" 5.0 "rounds whatever the caller asks for";
    FileGap "cite.gap" 0.6 "files whose score is so far below the best are not cited";
    MaxFiles "cite.files" 10.0 "the most files cited";
    MainFiles "cite.main_files" 5.0 "the files that share the lines; of the others one range is cited";
    MaxLines "cite.lines" 300.0 "the most lines of the main citations";
    MaxRanges "cite.ranges" 24.0 "the most main citations";
    TailLines "cite.tail_lines" 200.0 "the most lines cited behind the main citations";
    TailRanges "cite.tail_ranges" 6.0 "the most further ranges cited behind the main citations";
    MaxFunction "range.function" 60.0 "a function up to this height is cited whole, a taller one in windows";
    FunctionWindow "range.window_lines" 30.0 "the height of a tall function's windows";
    MaxLeftover "range.leftover" 25.0 "the height of the windows of a class's or module's leftovers";
    LineFloor "range.line_floor" 0.2 "what a line without query words is worth among the windows of a chunk";
    FileSharpness "range.file_sharpness" 4.0 "how sharply ranges of better files are preferred";
    ChunkSharpness "range.chunk_sharpness" 5.0 "how sharply better ranges of a file are preferred";
    CostPower "range.cost_power" 0.75 "how a range's lines count as its cost";
}

/// The values in use.
#[derive(Clone, Debug, PartialEq)]
pub struct Tuning {
    knobs: Vec<f32>,
    pub signals: [f32; SIGNALS.len()],
    pub range_signals: [f32; RANGE_SIGNALS.len()],
}

impl Default for Tuning {
    fn default() -> Self {
        Tuning {
            knobs: KNOBS.iter().map(|knob| knob.1).collect(),
            signals: SIGNALS.map(|signal| signal.weight),
            range_signals: RANGE_SIGNALS.map(|signal| signal.weight),
        }
    }
}

impl Tuning {
    /// Sets a constant, `signal.NAME` or `range.NAME` by its name; `None` where there is none of that name.
    pub fn set(&mut self, name: &str, value: f32) -> Option<()> {
        let slot = if let Some(at) = KNOBS.iter().position(|knob| knob.0 == name) {
            &mut self.knobs[at]
        } else if let Some(name) = name.strip_prefix("signal.") {
            &mut self.signals[SIGNALS.iter().position(|signal| signal.name == name)?]
        } else {
            let name = name.strip_prefix("range.")?;
            &mut self.range_signals[RANGE_SIGNALS.iter().position(|signal| signal.name == name)?]
        };
        *slot = value;
        Some(())
    }

    /// Every name that `set` knows.
    pub fn names() -> Vec<String> {
        let knobs = KNOBS.iter().map(|knob| knob.0.to_owned());
        let signals = SIGNALS.iter().map(|signal| format!("signal.{}", signal.name));
        let ranges = RANGE_SIGNALS.iter().map(|signal| format!("range.{}", signal.name));
        knobs.chain(signals).chain(ranges).collect()
    }
}

impl Index<Knob> for Tuning {
    type Output = f32;

    fn index(&self, knob: Knob) -> &f32 {
        &self.knobs[knob as usize]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_is_set_once() {
        let names = Tuning::names();
        let mut sorted = names.clone();
        sorted.sort();
        sorted.dedup();
        assert_eq!(sorted.len(), names.len());
        for name in &names {
            let mut tuning = Tuning::default();
            assert_eq!(tuning.set(name, -1.0), Some(()), "{name}");
            assert_ne!(tuning, Tuning::default(), "{name}");
        }
        assert_eq!(Tuning::default().set("nothing", 0.0), None);
        assert_eq!(Tuning::default()[Knob::CostPower], 0.75);
    }
}
