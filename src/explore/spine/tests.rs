//! Flows over sketched graphs and small sources of each language.

use super::*;
use crate::explore::anchors::tests::{found, handlers};
use crate::explore::testing::{Memory, Sketch, chain};
use crate::explore::testing_project::Project;
use crate::explore::{NamedSymbol, Repository};
use crate::resolve::EdgeKind::*;
use crate::resolve::SymbolKind::{Class, Enum, Function, Interface, Method};

fn asked(repo: &Memory, names: &[&[&str]]) -> Findings {
    let named = names.iter().map(|meant| NamedSymbol {
        name: meant[0].rsplit('.').next().unwrap().into(),
        symbols: meant.iter().map(|q| repo.id(q)).collect(),
        callable: true,
    });
    Findings { named: named.collect(), ..Findings::default() }
}

/// Each flow as its steps, a hop between them as its kind's first letter.
fn drawn(repo: &Memory, findings: &Findings) -> Vec<String> {
    let spine = spine(repo, findings, &Words::default());
    let step = |s: &FlowStep| match &s.hop {
        Some(hop) => {
            let elided = if hop.elided > 0 { format!("(+{})", hop.elided) } else { String::new() };
            format!("{} {:?}{elided} ", s.qualified, hop.kind)
        }
        None => s.qualified.to_string(),
    };
    spine.flows.iter().map(|flow| flow.steps.iter().map(step).collect()).collect()
}

/// `a` calls `b` calls … in one file, each a function of three lines.
fn line_of(names: &[&str]) -> Sketch {
    let text = "x\n".repeat(names.len() * 3);
    let mut sketch = Sketch::default().file("src/line.py", &text);
    for (at, name) in names.iter().enumerate() {
        let start = at as u32 * 3 + 1;
        sketch = sketch.symbol(Function, name, start, start + 2);
    }
    for (at, pair) in names.windows(2).enumerate() {
        sketch = sketch.edge(pair[0], Calls, pair[1], at as u32 * 3 + 2);
    }
    sketch
}

#[test]
fn an_ambiguous_name_means_what_the_path_visits() {
    let repo = chain();
    let intercept = ["Cache.intercept", "Log.intercept", "Net.intercept", "Retry.intercept"];
    let findings = asked(&repo, &[&["Call.execute"], &["RealChain.proceed"], &["Net"], &intercept]);
    assert_eq!(
        drawn(&repo, &findings),
        ["Call.execute Calls Call.respond Calls RealChain.proceed Dynamic Net.intercept"]
    );
    let spine = spine(&repo, &findings, &Words::default());
    assert!(spine.strong);
    assert!(spine.named.contains(&repo.id("Net.intercept")));
    assert!(!spine.named.contains(&repo.id("Cache.intercept")));
    let via = spine.flows[0].steps[2].hop.as_ref().unwrap().via.as_ref().unwrap();
    assert_eq!((via.qualified.as_str(), via.edge, via.line), ("Interceptor.intercept", Implements, 1));
}

#[test]
fn what_nothing_connects_is_two_flows() {
    let text = "x\n".repeat(12);
    let repo = line_of(&["a", "b"])
        .file("src/other.py", &text)
        .symbol(Function, "c", 1, 3)
        .symbol(Function, "d", 4, 6)
        .symbol(Function, "alone", 7, 9)
        .edge("c", Calls, "d", 2)
        .build();
    let findings = asked(&repo, &[&["a"], &["b"], &["c"], &["d"], &["alone"]]);
    assert_eq!(drawn(&repo, &findings), ["a Calls b", "c Calls d"]);
    assert!(drawn(&repo, &asked(&repo, &[&["alone"]])).is_empty());
}

#[test]
fn long_paths_keep_what_is_named() {
    let names = ["s0", "s1", "s2", "s3", "s4", "s5", "s6", "s7", "s8", "s9"];
    let repo = line_of(&names).build();
    let findings = asked(&repo, &[&["s0"], &["s2"], &["s4"], &["s5"], &["s8"], &["s9"]]);
    assert_eq!(
        drawn(&repo, &findings),
        ["s0 Calls s1 Calls s2 Calls s3 Calls s4 Calls s5 Calls(+2) s8 Calls s9"]
    );
}

#[test]
fn of_a_long_path_what_only_hands_on_is_left_out_first() {
    let text = "x\n".repeat(40);
    let names = ["A.go", "B.go", "C.go", "D.go", "E.go", "F.go", "choose", "work", "end"];
    let mut sketch = Sketch::default().file("src/line.py", &text);
    for (at, name) in names.iter().enumerate() {
        let start = at as u32 * 4 + 1;
        if let Some((owner, _)) = name.split_once('.') {
            sketch = sketch.symbol(Class, owner, start, start + 3);
        }
        sketch = sketch.symbol(Function, name, start + 1, start + 3);
    }
    for (at, pair) in names.windows(2).enumerate() {
        sketch = sketch.edge(pair[0], Calls, pair[1], at as u32 * 4 + 3);
    }
    let repo = sketch.build();
    let flow = drawn(&repo, &asked(&repo, &[&["A.go"], &["C.go"], &["F.go"], &["work"], &["end"]]));
    assert_eq!(
        flow,
        ["A.go Calls B.go Calls C.go Calls D.go Calls(+1) F.go Calls choose Calls work Calls end"]
    );
}

/// The flow between two symbols of one file.
fn between(path: &str, text: &str, from: &str, to: &str) -> Vec<String> {
    let project = Project::new(&[(path, text)]);
    let named = [from, to].map(|name| NamedSymbol {
        name: name.into(),
        symbols: vec![project.symbol(name)],
        callable: true,
    });
    let findings = Findings { named: named.into(), ..Findings::default() };
    let spine = spine(&project, &findings, &Words::default());
    let hop = |s: &FlowStep| s.hop.as_ref().map_or(String::new(), |hop| format!("{:?}", hop.kind));
    spine.flows.iter().flat_map(|flow| flow.steps.iter().map(hop)).collect()
}

#[test]
fn a_value_that_holds_code_is_a_step_and_accessors_are_none() {
    let text = "\
fun plugin(name: String, body: () -> Unit) = body
fun fetch() = 1
val Restored = plugin(\"restored\") {
    val kept = fetch()
    println(kept)
}
val SHORT = fetch()
fun start() {
    use(Restored)
}
class Pool {
    var size: Int = 0
        set(value) {
            field = value
            fetch()
        }
}
";
    assert_eq!(between("src/app.kt", text, "start", "fetch"), ["Callback", "Calls", ""]);
    let project = Project::new(&[("src/app.kt", text)]);
    let holds = |name| project.graph().has_code(project.symbol(name));
    assert_eq!(["Restored", "SHORT", "Pool.size", "fetch"].map(holds), [true, false, false, true]);
}

#[test]
fn an_enum_before_its_variant_hands_over_nothing() {
    // The name is the first letter.
    let flows = |first: &str| {
        let text = first.to_owned() + &"\nx".repeat(12);
        let repo = Sketch::default()
            .file("src/mode.rs", &text)
            .symbol(Function, "put", 1, 4)
            .symbol(Enum, "M", 5, 10)
            .symbol(Method, "M.fmt", 6, 8)
            .symbol(Function, "start", 11, 12)
            .edge("put", References, "M", 2)
            .edge("start", Calls, "put", 12)
            .build();
        drawn(&repo, &asked(&repo, &[&["start"], &["put"], &["M.fmt"]]))
    };
    assert_eq!(flows("M::Fast => 1"), ["start Calls put"]);
    assert_eq!(flows("M"), ["start Calls put Callback M.fmt"]);
}

#[test]
fn an_override_that_calls_what_it_overrides_is_no_step_unless_it_is_named() {
    let text = "x\n".repeat(20);
    let repo = Sketch::default()
        .file("src/jobs.py", &text)
        .symbol(Function, "start", 1, 3)
        .symbol(Class, "Base", 4, 12)
        .symbol(Method, "Base.run", 5, 8)
        .symbol(Method, "Base.work", 9, 12)
        .symbol(Class, "Other", 13, 18)
        .symbol(Method, "Other.run", 14, 17)
        .edge("start", Calls, "Base.run", 2)
        .edge("Other.run", Overrides, "Base.run", 14)
        .edge("Other.run", Calls, "Base.run", 15)
        .edge("Base.run", Calls, "Base.work", 6)
        .build();
    let anchors = |findings: &Findings| {
        Anchors::new(repo.graph(), findings, &Words::default(), &Hops::new(&repo, false))
    };
    let path = |names: &[&str]| {
        let hops = Hops::new(&repo, false);
        let nodes: Vec<SymbolId> = names.iter().map(|name| repo.id(name)).collect();
        let step = |pair: &[SymbolId]| {
            hops.from(pair[0], &|_| true).into_iter().find(|step| step.to == pair[1]).unwrap()
        };
        Found::through(nodes.clone(), nodes.windows(2).map(step).collect())
    };
    let kept = |findings: &Findings, names: &[&str]| {
        let found = without_overrides(repo.graph(), &anchors(findings), path(names));
        let name = |id: &SymbolId| repo.graph().symbol(*id).qualified.to_string();
        assert_eq!(found.nodes.len(), found.moves.len() + 1);
        found.nodes.iter().map(name).collect::<Vec<_>>()
    };
    let around = ["start", "Other.run", "Base.run", "Base.work"];
    let plain = Findings::default();
    assert_eq!(kept(&plain, &around), ["start", "Base.run", "Base.work"]);
    assert_eq!(kept(&plain, &around[1..]), ["Base.run", "Base.work"]);
    assert_eq!(kept(&plain, &["start", "Base.run", "Base.work"]).len(), 3);
    let named = asked(&repo, &[&["Other.run"]]);
    assert_eq!(kept(&named, &around), around);
    assert_eq!(kept(&named, &around[1..]), around[1..]);
}

#[test]
fn what_is_given_to_code_elsewhere_runs_there() {
    for (path, text) in [
        (
            "Task.kt",
            "class Task(val pool: Executor) : Runnable {\n  fun start() {\n    pool.execute(this)\n  }\n\
             \x20 fun keep(all: All) {\n    all.keep(this)\n  }\n  override fun run() {\n    work()\n  }\n  fun close() {}\n}\n\
             class All {\n  fun keep(task: Task) {}\n}\nfun work() {}\n",
        ),
        (
            "Task.java",
            "class Task implements Runnable {\n  Executor pool;\n  void start() {\n    pool.execute(this);\n  }\n\
             \x20 void keep(All all) {\n    all.keep(this);\n  }\n  public void run() {\n    work();\n  }\n  void close() {}\n\
             \x20 static void work() {}\n}\nclass All {\n  void keep(Task task) {}\n}\n",
        ),
    ] {
        assert_eq!(between(path, text, "Task.start", "Task.run"), ["Callback", ""], "{path}");
        assert!(between(path, text, "Task.start", "Task.close").is_empty(), "{path}");
        // What is here says itself what it calls.
        assert!(between(path, text, "Task.keep", "Task.run").is_empty(), "{path}");
    }
}

#[test]
fn what_is_called_on_an_instance_made_here_is_of_its_type() {
    for (path, text) in [
        (
            "run.py",
            "class Base:\n    def run(self):\n        return 1\n\nclass Other(Base):\n    def run(self):\n        return 2\n\n\
             def made():\n    job = Base()\n    job.run()\n\ndef given(job: Base):\n    job.run()\n\n\
             def either(more):\n    job = Base()\n    if more:\n        job = more()\n    job.run()\n",
        ),
        (
            "run.kt",
            "open class Base {\n  open fun run() = 1\n}\nclass Other : Base() {\n  override fun run() = 2\n}\n\
             fun made() {\n  val job = Base()\n  job.run()\n}\nfun given(job: Base) {\n  job.run()\n}\n\
             fun either(more: Base) {\n  var job = Base()\n  job = more\n  job.run()\n}\n",
        ),
        (
            "run.ts",
            "class Base {\n  run() {\n    return 1;\n  }\n}\nclass Other extends Base {\n  run() {\n    return 2;\n  }\n}\n\
             function made() {\n  const job = new Base();\n  job.run();\n}\nfunction given(job: Base) {\n  job.run();\n}\n\
             function either(more: Base) {\n  let job = new Base();\n  job = more;\n  job.run();\n}\n",
        ),
    ] {
        assert!(between(path, text, "made", "Other.run").is_empty(), "{path}");
        assert_eq!(between(path, text, "made", "Base.run"), ["Calls", ""], "{path}");
        assert_eq!(between(path, text, "given", "Other.run"), ["Dynamic", ""], "{path}");
        assert_eq!(between(path, text, "either", "Other.run"), ["Dynamic", ""], "{path}");
    }
}

const WORKERS: &[(&str, &str)] = &[
    (
        "run.py",
        "class Worker:\n    def setup(self):\n        self.handler = STORED\n\n    def loop(self):\n        self.handler(1)\n\n\
         def handle(x):\n    return x\n",
    ),
    (
        "run.ts",
        "class Worker {\n  handler: any;\n  setup() {\n    this.handler = STORED;\n  }\n  loop() {\n    this.handler(1);\n  }\n}\n\
         function handle(x: number) {\n  return x;\n}\n",
    ),
    (
        "run.go",
        "package run\n\ntype Worker struct {\n\thandler func(int) int\n}\n\nfunc (w *Worker) setup() {\n\tw.handler = STORED\n}\n\n\
         func (w *Worker) loop() {\n\tw.handler(1)\n}\n\nfunc handle(x int) int {\n\treturn x\n}\n",
    ),
    (
        "run.rs",
        "struct Worker {\n    handler: fn(u8) -> u8,\n}\nimpl Worker {\n    fn setup(&mut self) {\n        self.handler = STORED;\n    }\n\
         \x20   fn run(&self) {\n        (self.handler)(1);\n    }\n}\nfn handle(x: u8) -> u8 {\n    x\n}\n",
    ),
    (
        "run.kt",
        "class Worker {\n  var handler: (Int) -> Int = { it }\n  fun setup() {\n    handler = STORED\n  }\n  fun loop() {\n    handler(1)\n  }\n}\n\
         fun handle(x: Int): Int {\n  return x\n}\n",
    ),
    (
        "Worker.java",
        "class Worker {\n  IntUnaryOperator handler;\n  void setup() {\n    this.handler = STORED;\n  }\n  void loop() {\n    this.handler.applyAsInt(1);\n  }\n\
         \x20 static int handle(int x) {\n    return x;\n  }\n}\n",
    ),
];

#[test]
fn what_a_field_holds_is_a_callback_and_what_stands_beside_it_is_none() {
    for (path, text) in WORKERS {
        let (from, function) = match *path {
            "run.rs" => ("Worker::run", "handle"),
            "Worker.java" => ("Worker.loop", "Worker.handle"),
            _ => ("Worker.loop", "handle"),
        };
        let flow = |stored: &str| between(path, &text.replace("STORED", stored), from, function);
        let itself = match *path {
            "run.kt" => "::handle",
            "Worker.java" => "Worker::handle",
            _ => "handle",
        };
        // Python's own types say what the field is.
        let hop = if *path == "run.py" { "Calls" } else { "Callback" };
        assert_eq!(flow(itself), [hop, ""], "{path}");
        // What a call gives is stored, not what it runs.
        assert!(flow("handle(2)").is_empty(), "{path}");
        let compared = text.replace(" = STORED", " == other(handle(1))");
        assert!(between(path, &compared, from, function).is_empty(), "{path}");
    }
}

#[test]
fn a_field_holds_no_method_that_is_called_on_it() {
    for (path, text) in [
        (
            "run.go",
            "package run\n\ntype Group struct {\n\tengine *Engine\n}\n\nfunc (g *Group) add() {\n\tg.engine.route()\n}\n\n\
             func (g *Group) serve() bool {\n\treturn g.engine != nil\n}\n\ntype Engine struct{}\n\nfunc (e *Engine) route() {\n\tprintln(1)\n}\n",
        ),
        (
            "run.py",
            "class Engine:\n    def route(self):\n        return 1\n\nclass Group:\n    def __init__(self):\n        self.engine: list[Engine] = []\n\n\
             \x20   def add(self):\n        self.engine[0].route()\n\n    def serve(self):\n        return len(self.engine)\n",
        ),
    ] {
        assert!(between(path, text, "Group.serve", "Engine.route").is_empty(), "{path}");
        assert_eq!(between(path, text, "Group.add", "Engine.route"), ["Calls", ""], "{path}");
    }
}

#[test]
fn what_calls_a_slot_may_run_each_function_that_fills_it() {
    let text = "x\n".repeat(20);
    let repo = Sketch::default()
        .file("src/chain.go", &text)
        .symbol(Class, "Handler", 1, 1)
        .symbol(Method, "Chain.next", 2, 4)
        .symbol(Function, "limited", 5, 9)
        .symbol(Function, "other", 10, 14)
        .edge("Chain.next", Invokes, "Handler", 3)
        .edge("limited", Fills, "Handler", 5)
        .build();
    assert_eq!(drawn(&repo, &asked(&repo, &[&["Chain.next"], &["limited"]])), ["Chain.next Dynamic limited"]);
    assert!(drawn(&repo, &asked(&repo, &[&["Chain.next"], &["other"]])).is_empty());
}

#[test]
fn of_what_gives_a_function_only_that_function_runs_where_its_slot_is_called() {
    for (path, text) in [
        (
            "chain.go",
            "package chain\n\ntype Handler func(c *Context)\n\ntype Context struct {\n\thandlers []Handler\n}\n\n\
             func (c *Context) Next() {\n\tc.handlers[0](c)\n}\n\nfunc Guarded(word string) Handler {\n\ttable := prepare(word)\n\t\
             return func(c *Context) {\n\t\tcheck(c, table)\n\t}\n}\n\nfunc prepare(word string) string {\n\treturn word\n}\n\n\
             func check(c *Context, table string) {\n\tprintln(table)\n}\n",
        ),
        (
            "chain.ts",
            "type Handler = (c: Context) => void;\nclass Context {\n  handlers: Handler[] = [];\n  Next() {\n    this.handlers[0](this);\n  }\n}\n\
             function Guarded(word: string): Handler {\n  const table = prepare(word);\n  return (c: Context) => {\n    check(c, table);\n  };\n}\n\
             function prepare(word: string) {\n  return word;\n}\nfunction check(c: Context, table: string) {\n  console.log(table);\n}\n",
        ),
    ] {
        assert_eq!(between(path, text, "Context.Next", "check"), ["Dynamic", "Calls", ""], "{path}");
        assert!(between(path, text, "Context.Next", "prepare").is_empty(), "{path}");
        assert_eq!(between(path, text, "Guarded", "prepare"), ["Calls", ""], "{path}");
    }
}

#[test]
fn test_code_is_on_no_flow_unless_asked_for() {
    let text = "x\n".repeat(6);
    let repo = line_of(&["a", "b"])
        .file("tests/test_line.py", &text)
        .symbol(Function, "test_a", 1, 3)
        .edge("test_a", Calls, "a", 2)
        .build();
    let mut findings = asked(&repo, &[&["test_a"], &["a"], &["b"]]);
    assert_eq!(drawn(&repo, &findings), ["a Calls b"]);
    findings.wants_tests = true;
    assert_eq!(drawn(&repo, &findings), ["test_a Calls a Calls b"]);
}

#[test]
fn a_flow_begins_with_what_calls_the_siblings_and_passes_one_of_them() {
    let project = handlers(3);
    let graph = project.graph();
    let (findings, words) = found(&project, "how does the bus publish an event until handlers handle it");
    let hops = Hops::new(&project, false);
    let anchors = Anchors::new(graph, &findings, &words, &hops);
    let best = Ways::new(&hops, &anchors).best(&hops, &anchors, 0, &BTreeSet::new()).unwrap();
    let steps: Vec<&str> = best.nodes.iter().map(|&id| graph.symbol(id).qualified.as_str()).collect();
    assert_eq!(steps[0], "Bus.publish");
    assert_eq!(steps.len(), 2, "{steps:?}");
}

#[test]
fn what_names_choose_is_sure() {
    let repo = line_of(&["a", "b"]).build();
    let spine = spine(&repo, &asked(&repo, &[&["a"], &["b"]]), &Words::default());
    assert!(!spine.flows[0].by_words);
}

#[test]
fn an_instance_runs_a_named_method_that_only_code_elsewhere_can_call() {
    let text = "x\n".repeat(15);
    let repo = Sketch::default()
        .file("src/pool.rs", &text)
        .symbol(Function, "spawn", 1, 3)
        .symbol(Interface, "Job", 4, 6)
        .symbol(Class, "Task", 7, 12)
        .symbol(Method, "Task.poll", 8, 10)
        .symbol(Method, "Task.own", 11, 11)
        .symbol(Function, "tend", 13, 15)
        .edge("spawn", Instantiates, "Task", 2)
        .edge("tend", Calls, "Task.own", 14)
        .build();
    assert_eq!(drawn(&repo, &asked(&repo, &[&["spawn"], &["Task.poll"]])), ["spawn Instantiates Task.poll"]);
    // What something here calls does not run because there is an instance.
    assert!(drawn(&repo, &asked(&repo, &[&["spawn"], &["Task.own"]])).is_empty());
}
