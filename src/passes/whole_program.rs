//! The pipeline `whole-program`: a linked module as one unit.

/// The passes, for `--pass-pipeline`: what Python does not bind becomes private, small functions are inlined, the
/// ordinary cleanups run, and what nothing reaches goes.
pub fn passes(keep: &[String], budget: i64) -> String {
    let keep = if keep.is_empty() { String::new() } else { format!("{{keep={}}}", keep.join(",")) };
    format!(
        "internalize{keep},ppy_core.func(ppy-canonicalize,mem2reg,ppy-canonicalize,cse),inline-calls{{budget={budget}}},\
         infer-effects,ppy_core.func(ppy-canonicalize,mem2reg,ppy-canonicalize,simplify-cfg,cse),dce,global-dce"
    )
}
