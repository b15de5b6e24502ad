//! The languages: one folder each, data only; the registry.
