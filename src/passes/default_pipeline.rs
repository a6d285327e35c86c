//! The default pipeline: the passes that every module goes through before a backend, in phases and named stages.
//!
//! What it consists of is declared: the phases in `mlir-td/PassBase.td`, the steps beside the passes
//! (`mlir-td/Pipeline.td` and `<Dialect>Passes.td`). Here that becomes the text of a pipeline, by level, and others add
//! their passes at stages. `--ppy-pipeline` is the same for `--pass-pipeline`.

use crate::{
    mlir::passes::check_pipeline,
    passes::{generated, pipeline},
    registry::{PASSES, PHASES, PhaseInfo, StepInfo},
};
use std::sync::{Mutex, PoisonError};

/// The levels there are: 0 to this.
pub const MAX_LEVEL: u32 = 3;

/// A stage of the default pipeline, where others add passes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stage(usize);

impl Stage {
    /// A stage by its name; an error lists what there is.
    pub fn parse(name: &str) -> Result<Stage, String> {
        let found = PHASES.iter().position(|phase| phase.stage && phase.name == name);
        found.map(Stage).ok_or_else(|| {
            format!("there is no stage '{name}'; the stages are {}", names(PHASES.iter().filter(|phase| phase.stage)))
        })
    }

    pub fn name(self) -> &'static str {
        PHASES[self.0].name
    }

    /// Every stage in its order.
    pub fn all() -> impl Iterator<Item = Stage> {
        PHASES.iter().enumerate().filter(|(_, phase)| phase.stage).map(|(index, _)| Stage(index))
    }
}

fn names<'p>(phases: impl Iterator<Item = &'p PhaseInfo>) -> String {
    phases.map(|phase| phase.name).collect::<Vec<_>>().join(", ")
}

/// What was added at a stage.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StagePass {
    pub stage: Stage,
    /// As in the text of a pipeline.
    pub passes: String,
}

impl StagePass {
    /// `after-optimization:my-pass{option=1}`
    pub fn parse(text: &str) -> Result<StagePass, String> {
        let Some((stage, passes)) = text.split_once(':').filter(|(_, passes)| !passes.trim().is_empty()) else {
            return Err(format!("'{text}' is not STAGE:PASS, like after-optimization:cse"));
        };
        Ok(StagePass { stage: Stage::parse(stage)?, passes: passes.trim().to_owned() })
    }

    /// The pass that runs it.
    fn text(&self) -> String {
        // In braces it keeps its commas and spaces.
        format!("run-at-stage{{stage={} passes={{{}}}}}", self.stage.name(), self.passes)
    }
}

static REGISTERED: Mutex<Vec<StagePass>> = Mutex::new(Vec::new());

/// Adds passes at a stage of every default pipeline of this process, after those added there before.
///
/// They are named as in the text of a pipeline, so the names are registered with MLIR: those of upstream's and our
/// passes are, [`register_pass`](crate::mlir::passes::register_pass) and plugins register others.
pub fn register_stage_pass(stage: &str, passes: &str) -> Result<(), String> {
    let added = StagePass::parse(&format!("{stage}:{passes}"))?;
    REGISTERED.lock().unwrap_or_else(PoisonError::into_inner).push(added);
    Ok(())
}

/// Where the default pipeline ends.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Until {
    /// At its end.
    #[default]
    End,
    /// Before its first pass.
    Nothing,
    /// After a phase or stage.
    Phase(usize),
}

impl Until {
    /// After the phase in which profiles have counted and been read.
    pub fn instrumented() -> Until {
        PHASES.iter().position(|phase| phase.name == "instrumentation").map_or(Until::End, Until::Phase)
    }

    /// `none`, the name of a phase or stage, or `after-` and the name of a phase. Nothing is the end.
    pub fn parse(text: &str) -> Result<Until, String> {
        let phase = |name: &str| PHASES.iter().position(|phase| phase.name == name).map(Until::Phase);
        match text {
            "" => Ok(Until::End),
            "none" => Ok(Until::Nothing),
            name => phase(name).or_else(|| phase(name.strip_prefix("after-")?)).ok_or_else(|| {
                let known = names(PHASES.iter());
                format!("there is no phase '{name}' to stop after; there are none, and with or without after-: {known}")
            }),
        }
    }
}

/// A default pipeline with its options.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DefaultPipeline {
    /// How much to optimize, 0 to [`MAX_LEVEL`].
    pub level: u32,
    pub until: Until,
    /// Optional passes to run at their places, and options for passes: `sanitize{kinds=bounds}`.
    pub with: Vec<String>,
    /// Passes to add, after the ones that are registered.
    pub added: Vec<StagePass>,
}

impl Default for DefaultPipeline {
    fn default() -> Self {
        DefaultPipeline::at(2)
    }
}

impl DefaultPipeline {
    pub fn at(level: u32) -> DefaultPipeline {
        DefaultPipeline { level, until: Until::End, with: Vec::new(), added: Vec::new() }
    }

    /// No pass at all, not even what was registered.
    pub fn nothing() -> DefaultPipeline {
        DefaultPipeline { until: Until::Nothing, ..DefaultPipeline::at(0) }
    }

    /// The elements of a pipeline on `builtin.module`.
    pub fn text(&self) -> Result<String, String> {
        if !self.with.is_empty() {
            pipeline::register();
        }
        self.elements()
    }

    /// The same, where passes are registered.
    fn elements(&self) -> Result<String, String> {
        if self.level > MAX_LEVEL {
            return Err(format!("level {} is none; the levels are 0 to {MAX_LEVEL}", self.level));
        }
        self.check_with()?;
        let end = self.end();
        let registered = REGISTERED.lock().unwrap_or_else(PoisonError::into_inner).clone();
        let added = || registered.iter().chain(&self.added);
        let mut elements = Vec::new();
        for (index, phase) in PHASES.iter().enumerate().take(end) {
            elements.extend(phase.steps.iter().filter_map(|step| self.step(step)));
            elements.extend(added().filter(|added| added.stage == Stage(index)).map(StagePass::text));
        }
        Ok(elements.join(","))
    }

    /// Refuses passes that are asked for and do not run: past the end, or at higher levels only.
    pub(crate) fn check_reached(&self) -> Result<(), String> {
        let end = self.end();
        for with in &self.with {
            let name = pass_name(with);
            let steps =
                PHASES.iter().enumerate().flat_map(|(at, phase)| phase.steps.iter().map(move |step| (at, step)));
            let steps: Vec<_> = steps.filter(|(_, step)| pass_name(step.pass) == name).collect();
            if steps.iter().any(|(at, step)| *at < end && step.level <= self.level) {
                continue;
            }
            match steps.iter().filter(|(at, _)| *at < end).map(|(_, step)| step.level).min() {
                Some(level) => return Err(format!("{name} runs from level {level}, and this is level {}", self.level)),
                None => return Err(format!("{name} does not run: the pipeline is to stop before it")),
            }
        }
        match self.added.iter().find(|added| added.stage.0 >= end) {
            Some(added) => Err(format!(
                "{} does not run: the pipeline is to stop before the stage {}",
                added.passes,
                added.stage.name()
            )),
            None => Ok(()),
        }
    }

    /// How many phases run.
    fn end(&self) -> usize {
        match self.until {
            Until::End => PHASES.len(),
            Until::Nothing => 0,
            Until::Phase(last) => last + 1,
        }
    }

    /// The text of a step, if it runs.
    fn step(&self, step: &StepInfo) -> Option<String> {
        let name = pass_name(step.pass);
        let with = self.with.iter().find(|with| pass_name(with) == name);
        if with.is_none() && step.optional || step.level > self.level {
            return None;
        }
        Some(anchored(step, with.map_or(step.pass, String::as_str)))
    }

    fn check_with(&self) -> Result<(), String> {
        let steps = || PHASES.iter().flat_map(|phase| phase.steps);
        for with in &self.with {
            let name = pass_name(with);
            let Some(step) = steps().find(|step| pass_name(step.pass) == name) else {
                let mut known: Vec<&str> = steps().map(|step| pass_name(step.pass)).collect();
                known.sort_unstable();
                known.dedup();
                return Err(format!(
                    "the default pipeline has no pass '{name}'; it has {}; a stage takes any other",
                    known.join(", ")
                ));
            };
            check_pipeline(&format!("builtin.module({})", anchored(step, with))).map_err(|problem| {
                format!(
                    "'{with}' cannot run: {problem}; options are written {name}{{OPTION=VALUE OPTION=VALUE}}, and \
                     ppy-opt --help has those of each pass"
                )
            })?;
        }
        Ok(())
    }
}

/// A step's pass, with its options, on what it runs on.
fn anchored(step: &StepInfo, pass: &str) -> String {
    let declared = PASSES.iter().find(|declared| declared.argument == pass_name(pass)).map_or("", |pass| pass.anchor);
    match if step.anchor.is_empty() { declared } else { step.anchor } {
        "" | "builtin.module" => pass.to_owned(),
        anchor => format!("{anchor}({pass})"),
    }
}

/// The name of a pass without its options.
fn pass_name(text: &str) -> &str {
    text.split_once('{').map_or(text, |(name, _)| name).trim()
}

/// The text for the options of `--ppy-pipeline`.
pub(crate) fn from_options(level: i64, until: &str, with: Vec<String>, added: &[String]) -> Result<String, String> {
    let level = u32::try_from(level).map_err(|_| format!("level {level} is none; the levels are 0 to {MAX_LEVEL}"))?;
    let added = added.iter().map(|text| StagePass::parse(text)).collect::<Result<_, _>>()?;
    let pipeline = DefaultPipeline { level, until: Until::parse(until)?, with, added };
    let elements = pipeline.elements()?;
    pipeline.check_reached().map(|()| elements)
}

/// Registers every pass of ours and the default pipeline.
pub(crate) fn register() {
    generated::register();
    crate::mlir::passes::register_default_pipeline();
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stages_and_ends_have_names() {
        let all: Vec<&str> = Stage::all().map(Stage::name).collect();
        let expected = [
            "after-ir-generation",
            "after-canonicalization",
            "before-optimization",
            "after-optimization",
            "before-backend",
            "backend",
        ];
        assert_eq!(all, expected);
        assert!(Stage::parse("optimization").is_err_and(|error| error.contains("after-optimization")));
        assert_eq!(Until::parse("none"), Ok(Until::Nothing));
        assert_eq!(Until::parse("after-fusion"), Until::parse("fusion"));
        assert!(Until::parse("after-lunch").is_err_and(|error| error.contains("canonicalization")));
    }

    #[test]
    fn options_are_checked() {
        assert_eq!(DefaultPipeline::nothing().text(), Ok(String::new()));
        assert!(DefaultPipeline::at(4).text().is_err());
        let with = vec!["no-such-pass{a=1}".to_owned()];
        let error = DefaultPipeline { with, ..DefaultPipeline::default() }.text().unwrap_err();
        assert!(error.contains("no pass 'no-such-pass'"), "{error}");
        for (with, problem) in [
            ("sanitize{kinds=bounds", "missing closing '}'"),
            ("inline-calls{a=1,b=2}", "no such option a; options are written inline-calls{OPTION=VALUE OPTION=VALUE}"),
        ] {
            let error = DefaultPipeline { with: vec![with.into()], ..DefaultPipeline::default() }.text().unwrap_err();
            assert!(error.starts_with(&format!("'{with}' cannot run: ")) && error.contains(problem), "{error}");
        }
        assert!(from_options(-1, "", Vec::new(), &[]).is_err());
        assert!(from_options(1, "", Vec::new(), &["cse".to_owned()]).is_err_and(|error| error.contains("STAGE:PASS")));
    }

    #[test]
    fn added_passes_stand_at_their_stage() {
        let added = vec![StagePass::parse("before-backend:cse").unwrap()];
        let text = DefaultPipeline { added, ..DefaultPipeline::at(0) }.text().unwrap();
        assert!(text.ends_with("run-at-stage{stage=before-backend passes={cse}}"), "{text}");
        let shorter = DefaultPipeline { until: Until::parse("fusion").unwrap(), ..DefaultPipeline::at(0) };
        assert!(!shorter.text().unwrap().contains("run-at-stage"));
    }
}
