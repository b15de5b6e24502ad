//! `ResolutionRules`: what resolution needs of a language beyond the facts of its files, as data.

/// How a language's names, modules and types hang together.
#[derive(Debug)]
pub struct ResolutionRules {
    /// Languages of one family are one to resolution: their files import each other.
    pub family: &'static str,
    /// Joins the segments of a qualified name: `::` or `.`.
    pub separator: &'static str,
    pub modules: ModuleSystem,
    pub supertypes: Linearization,
    pub overrides: OverrideRule,
    /// An unqualified name may be a member of the enclosing instance.
    pub implicit_this: bool,
    /// A scope has one definition of a name: several are alternatives, of which each build has one.
    pub alternatives: bool,
    /// Names of a type's body are visible in the body itself.
    pub body_scope: bool,
    /// Types have names of their own, apart from those of values.
    pub types_apart: bool,
    /// A module inside of another one sees what is around it.
    pub nested_modules: bool,
    /// A type that has the methods of an interface implements it without a word.
    pub implicit_interfaces: bool,
    /// A type has what it extends as a member of that name.
    pub embedded_supertypes: bool,
    /// Types, modules and functions of one name and one container are one thing, with the members of all.
    pub merged_declarations: bool,
    /// Types from outside that give pairs of their two arguments when they are gone through.
    pub pair_types: &'static [&'static str],
    /// A type holds the types that its supertypes hold.
    pub inherited_types: bool,
    /// What a trait adds to a type from elsewhere is there only where the trait is in scope.
    pub traits_in_scope: bool,
    /// Functions with a receiver type of their own are called like its members.
    pub extension_functions: bool,
    /// Several functions may share a name; the arguments of a call decide.
    pub overloads: bool,
    /// Functions have names of their own, apart from those of values: a call never means a value, nor a plain
    /// name a function.
    pub functions_apart: bool,
    /// A name in upper case that is not the repository's is a type: calling it makes an instance.
    pub types_by_case: bool,
    /// A call that its arguments do not tell which of several functions it means is none of them.
    pub strict_overloads: bool,
    /// Types that take every value.
    pub top_types: &'static [&'static str],
    /// What the name ends with by which other languages of the family know the type that stands for a file.
    pub file_type: Option<&'static str>,
    /// The name of an object's only instance, where another language of the family defines the object.
    pub object_instance: Option<&'static str>,
    /// Beginnings of the names of functions that read a property: of another language's property here, or of
    /// what is read like a property here.
    pub property_readers: &'static [&'static str],
    /// The same of functions that write another language's property.
    pub property_writers: &'static [&'static str],
    /// The functions that heirs have from types outside of the repository. A type that is not named may have
    /// any; where none is named nothing is held against a name that an outer type has.
    pub foreign_members: &'static [(&'static [&'static str], &'static [&'static str])],
    /// Types that another language of the family names otherwise.
    pub type_names: &'static [(&'static str, &'static str)],
    /// Types of literals, and the types from outside that take their values.
    pub value_types: &'static [(&'static str, &'static [&'static str])],
    /// Words in the name of a set of sources, and the platforms, one bit each, that the set is for. Sets
    /// without a platform in common do not see each other.
    pub platforms: &'static [(&'static str, u8)],
    /// Folders that hold the sources of a set; the set's name stands before or after it.
    pub source_folders: &'static [&'static str],
    /// Names that are visible everywhere without an import and are not the repository's.
    pub builtins: &'static [&'static str],
    /// First segments of imports that never mean a module of the repository: the standard library.
    pub foreign_roots: &'static [&'static str],
    /// The number of a call's arguments tells definitions of one name apart. Not so where a later definition
    /// takes the place of an earlier one.
    pub by_arguments: bool,
    /// A scope runs in the order of its text: a name means what was last defined or imported under it.
    pub in_order: bool,
    /// Names of members that make an instance.
    pub constructors: &'static [&'static str],
    /// The member that a call of an instance runs.
    pub call_member: Option<&'static str>,
    /// The word for the enclosing type as the first segment of a path.
    pub self_type: Option<&'static str>,
    /// Types whose members are also those of their first argument: `Box`, `Arc`.
    pub transparent_types: &'static [&'static str],
    /// Types whose arguments are the types of their parts; other types' parts are their elements. Empty:
    /// every type is one.
    pub tuple_types: &'static [&'static str],
    /// Methods of foreign types that give pairs of a key and a value.
    pub pair_methods: &'static [&'static str],
    /// The first part of what is no row is the whole: `v, ok := x`.
    pub first_part: bool,
    /// Types whose first argument, not the last, is what they yield.
    pub generator_types: &'static [&'static str],
    /// Types whose only value stands for a missing one: `None`.
    pub nothing_types: &'static [&'static str],
    /// Types whose first argument is what an unwrap gives: `Option`, `Result`.
    pub wrapper_types: &'static [&'static str],
    /// Variants of foreign types, each with its type and the number of the type's argument that it holds:
    /// `Err`, `Result`, 1.
    pub foreign_variants: &'static [(&'static str, &'static str, u8)],
    /// Functions of foreign types that make an instance, of their first argument where they have one.
    pub foreign_constructors: &'static [&'static str],
    /// Foreign types, names of constants that they have, and the constants' type.
    pub foreign_constants: &'static [(&'static str, &'static [&'static str], &'static str)],
    /// Types whose first argument is meant as a class, not as an instance: `type`.
    pub class_types: &'static [&'static str],
    /// Members that give the class of an instance.
    pub class_members: &'static [&'static str],
    /// Members that a transparent type has itself.
    pub box_members: &'static [(&'static str, &'static [&'static str])],
    /// Methods of a foreign type, or of any where none is named, that give another foreign type of the same
    /// arguments: a mutex's lock.
    pub foreign_methods: &'static [(&'static str, &'static str, &'static str)],
    /// Methods that give the same type from outside, whatever foreign type they are called on.
    pub fixed_results: &'static [(&'static str, &'static str)],
    /// Methods of foreign types that give back their receiver, as far as types go.
    pub identity_methods: &'static [&'static str],
    /// Methods of foreign types that give an element of their receiver.
    pub element_methods: &'static [&'static str],
    /// Methods of foreign types that take a wrapper off their receiver.
    pub unwrap_methods: &'static [&'static str],
    /// Functions that give an instance of the type that their call belongs to, by the member they run
    /// on it: `__enter__`, `__aenter__`.
    pub enter_members: &'static [&'static str],
    /// Members of foreign types that are what their type holds: `current`.
    pub element_fields: &'static [&'static str],
    /// A parameter without a type has the one that the function's place expects.
    pub expected_types: bool,
    /// Members whose result is an element of the instance: `__iter__`, `__getitem__`, `get`.
    pub element_members: &'static [&'static str],
    /// Associated types that say what an instance derefs to, yields, and becomes when it is awaited.
    pub deref_alias: Option<&'static str>,
    pub element_alias: Option<&'static str>,
    pub unwrap_alias: Option<&'static str>,
    /// What a lambda argument gets, by the function's name.
    pub lambdas: &'static [(&'static str, LambdaSubject)],
    /// What methods from outside give that run the function among their arguments.
    pub lambda_results: &'static [(&'static str, LambdaResult)],
    /// Methods of foreign types that pair each element with its number.
    pub numbering_methods: &'static [&'static str],
    /// Names of members that common foreign types have: never bound by the name alone.
    pub common_members: &'static [&'static str],
}

/// How files make modules.
#[derive(Debug)]
pub enum ModuleSystem {
    /// A file is a module, and an import names it by a path, or by a package and a path in it.
    Paths(&'static PathSystem),
    /// A file is a module, a folder a package; the stem stands for the folder itself.
    Files { folder_stem: &'static str },
    /// A file declares its package; the names of one package see each other.
    Packages {
        /// Packages whose names are visible everywhere.
        default_imports: &'static [&'static str],
        /// Packages are folders.
        folders: Option<&'static FolderPackages>,
    },
    /// Files form a tree below a root file, one per crate.
    Crates {
        /// The file beside which a crate's folder begins; its facts' package is the crate's name.
        manifest: &'static str,
        /// The folder of a library's sources beside the manifest, and its root's stem.
        sources: &'static str,
        library: &'static str,
        /// Stems of files that are a crate's root.
        root_stems: &'static [&'static str],
        /// The stem that stands for its folder.
        folder_stem: &'static str,
        crate_word: &'static str,
        self_word: &'static str,
        super_word: &'static str,
    },
}

/// In which order supertypes are asked for a member.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Linearization {
    /// The C3 order of multiple inheritance.
    C3,
    /// Depth first, as declared.
    Declared,
    /// What is held less deep comes first; of two types held equally deep neither's member of a name is meant.
    Nearest,
}

/// When a member of a type overrides one of its supertype.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OverrideRule {
    /// The same name is enough.
    ByName,
    /// It is marked.
    Marked,
    /// The same name and parameters, of members that are neither private nor the type's own.
    BySignature,
    /// It stands in a block that says which supertype it is for.
    InExtension,
}

/// What a function hands to its lambda argument.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LambdaSubject {
    /// What the function is called on, as the parameter.
    Receiver,
    /// What the function is called on, as the lambda's `this`.
    This,
    /// The function's first argument, as the lambda's `this`.
    FirstArgument,
    /// Each element of what the function is called on.
    Element,
    /// What is in the wrapper that the function is called on.
    Unwrapped,
}

/// What a method gives that runs a function: of the function's result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LambdaResult {
    /// The result itself.
    Given,
    /// What the method is called on, of the result.
    Held,
    /// The same, of what is in the result's wrapper.
    Unwrapped,
    /// The same, of the result's elements.
    Element,
}

/// How folders are packages.
#[derive(Debug)]
pub struct FolderPackages {
    /// The file that says the path of the folder that it is in; its facts' package is that path.
    pub manifest: &'static str,
    /// What divides the segments of a path.
    pub divider: char,
    /// The ending of the declared name of a second package of a folder: its tests from outside.
    pub outside: &'static str,
    /// Declared names of what is not imported, which give way to any other of the folder: programs.
    pub not_imported: &'static [&'static str],
}

/// How the texts of imports name files.
#[derive(Debug)]
pub struct PathSystem {
    /// Endings that an import may leave out, in the order in which they are tried.
    pub extensions: &'static [&'static str],
    /// Endings of what a build writes, and those of what it is written from.
    pub built: &'static [(&'static str, &'static [&'static str])],
    /// The stem of the file that stands for its folder.
    pub folder_stem: &'static str,
    /// The file that names a package beside its sources.
    pub manifest: &'static str,
    /// Folders of a package that hold what is built, and the one that it is built from.
    pub built_folders: &'static [&'static str],
    pub sources: &'static str,
    /// The beginnings of names of files that say what import texts stand for, and their ending.
    pub settings: &'static [&'static str],
    pub settings_ending: &'static str,
    /// The name of what a module is by default, and of what it is as a whole where that is one value.
    pub default: &'static str,
    pub whole: &'static str,
}

impl ResolutionRules {
    /// Rules that know nothing; a language states what it has.
    pub const NONE: ResolutionRules = ResolutionRules {
        family: "",
        separator: ".",
        modules: ModuleSystem::Packages { default_imports: &[], folders: None },
        supertypes: Linearization::Declared,
        overrides: OverrideRule::ByName,
        implicit_this: false,
        alternatives: false,
        body_scope: false,
        implicit_interfaces: false,
        embedded_supertypes: false,
        merged_declarations: false,
        pair_types: &[],
        types_apart: false,
        nested_modules: false,
        inherited_types: false,
        traits_in_scope: false,
        extension_functions: false,
        overloads: false,
        functions_apart: false,
        types_by_case: false,
        strict_overloads: false,
        top_types: &["Any"],
        file_type: None,
        object_instance: None,
        property_readers: &[],
        property_writers: &[],
        foreign_members: &[],
        type_names: &[],
        value_types: &[],
        platforms: &[],
        source_folders: &[],
        builtins: &[],
        foreign_roots: &[],
        by_arguments: true,
        in_order: false,
        constructors: &[],
        call_member: None,
        self_type: None,
        transparent_types: &[],
        tuple_types: &[],
        pair_methods: &[],
        first_part: false,
        generator_types: &[],
        nothing_types: &[],
        wrapper_types: &[],
        foreign_variants: &[],
        box_members: &[],
        foreign_methods: &[],
        foreign_constructors: &[],
        foreign_constants: &[],
        class_types: &[],
        class_members: &[],
        fixed_results: &[],
        identity_methods: &[],
        element_methods: &[],
        unwrap_methods: &[],
        enter_members: &[],
        element_fields: &[],
        expected_types: false,
        element_members: &[],
        deref_alias: None,
        element_alias: None,
        unwrap_alias: None,
        lambdas: &[],
        lambda_results: &[],
        numbering_methods: &[],
        common_members: &[],
    };
}
