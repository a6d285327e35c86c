//! What a pipeline did: which passes ran, whether they changed anything, how long they took, and their statistics.

use serde_json::json;
use std::{
    fmt::Write,
    sync::{Arc, Mutex},
};

/// A report that several pipelines write to.
pub type SharedReport = Arc<Mutex<Report>>;

/// One pass of a pipeline, over all operations it ran on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PassRow {
    pub pass: String,
    /// The operation it ran on first.
    pub anchor: String,
    pub runs: u64,
    /// Runs that changed their operation.
    pub changed: u64,
    pub nanoseconds: u64,
    pub failed: bool,
    /// (name, count)
    pub statistics: Vec<(String, u64)>,
}

/// What pipelines did, in their order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Report {
    pub rows: Vec<PassRow>,
}

impl Report {
    pub fn add(&mut self, row: PassRow) {
        self.rows.push(row);
    }

    /// `{"passes": [{"pass", "on", "runs", "changed", "seconds", "failed", "statistics"}]}`
    pub fn json(&self) -> String {
        let rows = self.rows.iter().map(|row| {
            let statistics: serde_json::Map<_, _> =
                row.statistics.iter().map(|(name, count)| (name.clone(), json!(count))).collect();
            json!({
                "pass": row.pass,
                "on": row.anchor,
                "runs": row.runs,
                "changed": row.changed,
                "seconds": seconds(row.nanoseconds),
                "failed": row.failed,
                "statistics": statistics,
            })
        });
        format!("{:#}\n", json!({ "passes": rows.collect::<Vec<_>>() }))
    }

    /// The same for people, a line per pass.
    pub fn table(&self) -> String {
        let mut text =
            format!("{:<28} {:<14} {:>7} {:>8} {:>11}  statistics\n", "pass", "on", "runs", "changed", "seconds");
        for row in &self.rows {
            let statistics: Vec<String> =
                row.statistics.iter().map(|(name, count)| format!("{name} {count}")).collect();
            let line = format!(
                "{:<28} {:<14} {:>7} {:>8} {:>11.6}  {}{}",
                row.pass,
                row.anchor,
                row.runs,
                row.changed,
                seconds(row.nanoseconds),
                statistics.join(", "),
                if row.failed { "FAILED" } else { "" }
            );
            _ = writeln!(text, "{}", line.trim_end());
        }
        text
    }
}

fn seconds(nanoseconds: u64) -> f64 {
    nanoseconds as f64 / 1e9
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reports_read_as_json_and_as_a_table() {
        let row = PassRow {
            pass: "eliminate-guards".into(),
            anchor: "ppy_core.func".into(),
            runs: 3,
            changed: 1,
            nanoseconds: 1_500_000,
            failed: false,
            statistics: vec![("removed".into(), 7)],
        };
        let report = Report { rows: vec![row] };
        let read: serde_json::Value = serde_json::from_str(&report.json()).unwrap();
        assert_eq!(read["passes"][0]["statistics"]["removed"], 7);
        assert_eq!(read["passes"][0]["seconds"].as_f64(), Some(0.0015));
        let table = report.table();
        assert!(
            table
                .lines()
                .nth(1)
                .is_some_and(|line| line.starts_with("eliminate-guards") && line.ends_with("removed 7"))
        );
    }
}
