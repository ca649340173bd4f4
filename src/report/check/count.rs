//! How often something was met.

/// How often something was met, and where first.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Count {
    /// How often.
    pub count: u64,
    /// The file of the first one.
    pub file: String,
    /// The line of the first one.
    pub line: u64,
}

/// A tool that the table of its dialect does not know: a new one, or one of an MCP server that nothing
/// marks.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct UnknownTool {
    /// Its name.
    pub name: String,
    /// How often it was listed or called, and where first.
    pub met: Count,
}

impl Count {
    pub(super) fn add(&mut self, other: &Count, file: &str) {
        if self.count == 0 && other.count > 0 {
            file.clone_into(&mut self.file);
            self.line = other.line;
        }
        self.count += other.count;
    }
}
