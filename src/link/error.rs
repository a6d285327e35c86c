//! What the linker refuses, each with its place and what it contradicts.

use std::fmt;

/// One error.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LinkError {
    /// `a.ppyir:12`; empty where the error is of no place.
    pub place: String,
    pub message: String,
    /// Other places, and what is there.
    pub notes: Vec<(String, String)>,
}

impl LinkError {
    pub(super) fn new(message: impl Into<String>) -> LinkError {
        LinkError { place: String::new(), message: message.into(), notes: Vec::new() }
    }

    pub(super) fn at(place: String, message: impl Into<String>) -> LinkError {
        LinkError { place, ..LinkError::new(message) }
    }

    pub(super) fn note(mut self, place: String, message: impl Into<String>) -> LinkError {
        self.notes.push((place, message.into()));
        self
    }
}

impl fmt::Display for LinkError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let colon = if self.place.is_empty() { "" } else { ": " };
        write!(f, "{}{colon}error: {}", self.place, self.message)?;
        self.notes.iter().try_for_each(|(place, message)| write!(f, "\n{place}: note: {message}"))
    }
}

/// Every error of a program; never empty.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LinkErrors(pub Vec<LinkError>);

impl fmt::Display for LinkErrors {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, error) in self.0.iter().enumerate() {
            let separator = if index > 0 { "\n" } else { "" };
            write!(f, "{separator}{error}")?;
        }
        Ok(())
    }
}

impl std::error::Error for LinkError {}
impl std::error::Error for LinkErrors {}
