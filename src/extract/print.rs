//! Facts as compact text, for the expectations of tests.

use std::fmt::Write as _;

use super::{BindingKind, Def, Expr, FileFacts, Import, TypeExpr, TypeForm};
use crate::text::LineIndex;

/// One line for each fact: definitions indented by container, then imports, bindings, uses, errors.
pub(super) fn print(facts: &FileFacts, text: &str) -> String {
    let lines = LineIndex::new(text);
    let mut out = String::new();
    if !facts.package.is_empty() {
        writeln!(out, "package {}", facts.package.join(".")).unwrap();
    }
    for (at, def) in facts.defs.iter().enumerate() {
        let mut depth = 0;
        let mut outer = def.container;
        while let Some(id) = outer {
            depth += 1;
            outer = facts.defs[id as usize].container;
        }
        let range = lines.lines(def.full);
        let range = if range.start == range.end {
            format!("{}", range.start)
        } else {
            format!("{}-{}", range.start, range.end)
        };
        writeln!(out, "{:1$}{2} {range}", "", depth * 2, self::def(def, text)).unwrap();
        assert!(at == 0 || def.container.is_some_and(|container| (container as usize) < at));
    }
    for import in &facts.imports {
        writeln!(out, "{} from {}", self::import(import), from(facts, import.scope)).unwrap();
    }
    if let Some(exports) = &facts.exports {
        writeln!(out, "exports {}", exports.join(", ")).unwrap();
    }
    for binding in &facts.bindings {
        let scope = lines.lines(binding.scope);
        let kind = match binding.kind {
            BindingKind::Parameter => "parameter",
            BindingKind::Local => "local",
            BindingKind::Narrowed => "narrowed",
            BindingKind::Receiver => "receiver",
        };
        write!(out, "{kind} {}", binding.name).unwrap();
        if let Some(ty) = &binding.ty {
            write!(out, ": {}", self::ty(ty)).unwrap();
        }
        if let Some(value) = &binding.value {
            write!(out, " = {}", expr(value)).unwrap();
        }
        writeln!(out, " in {}-{}", scope.start, scope.end).unwrap();
    }
    for reference in &facts.refs {
        let (line, col) = lines.line_col(reference.span.start);
        let role = format!("{:?}", reference.role).to_lowercase();
        write!(out, "{line}:{col} {role} ").unwrap();
        if let Some(receiver) = &reference.receiver {
            write!(out, "{} . ", expr(receiver)).unwrap();
        }
        write!(out, "{}", reference.name).unwrap();
        if let Some(count) = reference.arguments {
            write!(out, "/{count}").unwrap();
        }
        writeln!(out, " from {}", from(facts, reference.from)).unwrap();
    }
    for error in &facts.errors {
        let range = lines.lines(*error);
        writeln!(out, "error {}-{}", range.start, range.end).unwrap();
    }
    out
}

fn from(facts: &FileFacts, id: u32) -> String {
    let mut names = Vec::new();
    let mut at = Some(id);
    while let Some(id) = at {
        let def = &facts.defs[id as usize];
        names.push(if def.container.is_none() { "" } else { def.name.as_str() });
        at = def.container;
    }
    names.pop();
    names.reverse();
    if names.is_empty() { "-".to_owned() } else { names.join(".") }
}

fn def(def: &Def, text: &str) -> String {
    let mut out = format!("{:?} ", def.visibility).to_lowercase();
    if def.visibility == super::Visibility::Public {
        out.clear();
    }
    let traits = &def.traits;
    for (set, word) in [
        (traits.test, "test"),
        (traits.conditional, "conditional"),
        (traits.associated, "associated"),
        (traits.marked_override, "override"),
        (traits.accessor, "accessor"),
        (traits.companion, "companion"),
        (traits.operator, "operator"),
        (traits.functional, "functional"),
        (traits.elsewhere, "elsewhere"),
        (traits.exported_macro, "exported"),
        (traits.yields, "yields"),
        (traits.hidden, "hidden"),
        (traits.takes_apart, "apart"),
        (traits.expected, "expected"),
        (traits.continued, "continued"),
    ] {
        if set {
            write!(out, "{word} ").unwrap();
        }
    }
    write!(out, "{} ", def.kind.name()).unwrap();
    if let Some(receiver) = &def.receiver {
        write!(out, "on {} ", ty(receiver)).unwrap();
    }
    write!(out, "{}", def.name).unwrap();
    if !def.type_params.is_empty() {
        let params: Vec<String> = def
            .type_params
            .iter()
            .map(|param| {
                let bounds: Vec<String> = param.bounds.iter().map(ty).collect();
                if bounds.is_empty() {
                    param.name.to_string()
                } else {
                    format!("{}: {}", param.name, bounds.join(" + "))
                }
            })
            .collect();
        write!(out, "<{}>", params.join(", ")).unwrap();
    }
    if def.kind.is_callable() || !def.params.is_empty() {
        let params: Vec<String> = def
            .params
            .iter()
            .map(|param| match &param.ty {
                Some(ty) => format!("{}: {}", param.name, self::ty(ty)),
                None => param.name.to_string(),
            })
            .collect();
        write!(out, "({})", params.join(", ")).unwrap();
    }
    if let Some(ty) = &def.ty {
        write!(out, ": {}", self::ty(ty)).unwrap();
    }
    if let Some(value) = &def.value {
        write!(out, " = {}", expr(value)).unwrap();
    }
    if !def.supertypes.is_empty() {
        let all: Vec<String> = def
            .supertypes
            .iter()
            .map(|supertype| {
                assert!(
                    supertype
                        .ty
                        .path
                        .last()
                        .is_some_and(|last| supertype.site.of(text).contains(last.as_str()))
                );
                match &supertype.delegated {
                    Some(value) => format!("{} by {}", ty(&supertype.ty), expr(value)),
                    None => ty(&supertype.ty),
                }
            })
            .collect();
        write!(out, " <: {}", all.join(", ")).unwrap();
    }
    if traits.without_body {
        out.push_str(" without_body");
    }
    let signature = def.signature.of(text);
    if def.kind != super::SymbolKind::Module || !signature.is_empty() {
        write!(out, " {signature:?}").unwrap();
    }
    if let Some(doc) = def.doc {
        write!(out, " doc {:?}", doc.of(text)).unwrap();
    }
    out
}

fn import(import: &Import) -> String {
    let mut out = String::new();
    if import.outward {
        out.push_str("outward ");
    }
    if import.reexport {
        out.push_str("reexport ");
    }
    write!(out, "import {}{}", ".".repeat(import.level as usize), import.path.join("/")).unwrap();
    if import.wildcard {
        out.push_str("/*");
    }
    if let Some(alias) = &import.alias {
        write!(out, " as {alias}").unwrap();
    }
    if import.binds_root {
        out.push_str(" binds root");
    }
    out
}

pub(super) fn ty(ty: &TypeExpr) -> String {
    let args: Vec<String> = ty.args.iter().map(self::ty).collect();
    let args = args.join(", ");
    let path = ty.path.join("/");
    let listed = if args.is_empty() { String::new() } else { format!("<{args}>") };
    match ty.form {
        TypeForm::Named => format!("{path}{listed}"),
        TypeForm::Bound => format!("bound {path}{listed}"),
        TypeForm::Tuple => format!("({args})"),
        TypeForm::Function => format!("fn{listed}"),
        TypeForm::ReceiverFunction => format!("receiver fn{listed}"),
        TypeForm::Union => format!("union{listed}"),
        TypeForm::SelfType => "Self".to_owned(),
        TypeForm::Sequence => format!("[{args}]"),
        TypeForm::Record => {
            let members = ty.path.iter().zip(&ty.args).map(|(name, ty)| format!("{name}: {}", self::ty(ty)));
            format!("{{{}}}", members.collect::<Vec<_>>().join(", "))
        }
        TypeForm::Member => format!("{args}[{path}]"),
        TypeForm::OfValue => format!("typeof {path}"),
        TypeForm::Result => format!("result{listed}"),
        TypeForm::Instance => format!("instance{listed}"),
    }
}

pub(super) fn expr(value: &Expr) -> String {
    match value {
        Expr::Name(name) => name.to_string(),
        Expr::This(None) => "this".to_owned(),
        Expr::This(Some(label)) => format!("this@{label}"),
        Expr::Super(None) => "super".to_owned(),
        Expr::Super(Some(base)) => format!("super<{base}>"),
        Expr::Path(path) => path.join("::"),
        Expr::Member(base, name) => format!("{}.{name}", expr(base)),
        Expr::Call(callee, arguments) => {
            format!("{}({})", expr(callee), arguments.iter().map(expr).collect::<Vec<_>>().join(", "))
        }
        Expr::Passed(callee, given) => format!("{}(){{{}}}", expr(callee), expr(given)),
        Expr::Element(base) => format!("{}[]", expr(base)),
        Expr::Part(base, at) => format!("{}.{at}", expr(base)),
        Expr::Matched(base, ty) => format!("{} as {}", expr(base), self::ty(ty)),
        Expr::Tuple(parts) => format!("({})", parts.iter().map(expr).collect::<Vec<_>>().join(", ")),
        Expr::LambdaParameter(callee, at) => format!("{}{{{at}}}", expr(callee)),
        Expr::LambdaReceiver(callee) => format!("{}{{this}}", expr(callee)),
        Expr::Unwrap(inner) => format!("{}?", expr(inner)),
        Expr::Typed(ty) => format!("<{}>", self::ty(ty)),
        Expr::Class(ty) => format!("type {}", self::ty(ty)),
        Expr::Literal(name) => format!("'{name}'"),
        Expr::Either(options) => {
            let options: Vec<String> = options.iter().map(expr).collect();
            format!("({})", options.join(" | "))
        }
        Expr::Lambda(None) => "lambda".to_owned(),
        Expr::Lambda(Some(value)) => format!("lambda {}", expr(value)),
        Expr::Record(parts) => {
            let parts = parts.iter().map(|(name, value)| format!("{name}: {}", expr(value)));
            format!("{{{}}}", parts.collect::<Vec<_>>().join(", "))
        }
        Expr::Module(path) => format!("module {path:?}"),
        Expr::Inside(_, value) => expr(value),
        Expr::Filled(name, element) => format!("'{name}'<{}>", expr(element)),
        Expr::At(at, value) => format!("{}@{at}", expr(value)),
        Expr::Opaque => "?".to_owned(),
    }
}
