//! The files under the root: walking, reading, classifying.
