//! What a release wrote keeps reading, and means the same (`tests/stored/<version>`).
//!
//! Each artifact is there twice, as `.ppyir` and as bytecode of the same module. Files of a release are never changed;
//! a new release adds a folder (`ppy-opt --emit=bytecode x.ppyir -o x.mlirbc`).

mod support;

use ppy_mlir::{
    mlir::{diagnostic::capture_reports, parse, verify},
    ppyir,
};
use std::{fs, path::Path};
use support::{files, folder};

/// The `.ppyir` text of a stored file of either kind.
fn text(path: &Path) -> String {
    let context = ppy_mlir::context();
    let bytes = fs::read(path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    let name = path.display().to_string();
    let (text, reports) = capture_reports(&context, |c| {
        let module = match path.extension().is_some_and(|e| e == "ppyir") {
            true => ppyir::read(c, &bytes, &name).ok()?.into_iter().next()?,
            false => parse::module(c, &bytes, &name)?,
        };
        verify::verify(module.as_operation()).then(|| ppyir::write(module.as_operation()).ok())?
    });
    text.unwrap_or_else(|| panic!("{name} does not read: {reports:?}"))
}

#[test]
fn artifacts_of_every_release_read() {
    let texts = files(&folder("stored"), "ppyir");
    assert!(!texts.is_empty(), "there are stored artifacts");
    for path in texts {
        let read = text(&path);
        let stored = fs::read_to_string(&path).expect("it was read before");
        // Later releases may print more, but what they print of it reads as the same module.
        if path.starts_with(folder("stored").join(env!("CARGO_PKG_VERSION"))) {
            assert_eq!(read, stored, "{} prints as it is", path.display());
        }
        assert_eq!(text(&path.with_extension("mlirbc")), read, "{}: bytecode is the same module", path.display());
    }
}

#[test]
fn the_current_release_is_stored() {
    let current = folder("stored").join(env!("CARGO_PKG_VERSION"));
    assert!(current.is_dir(), "{} is missing: store the artifacts of this version", current.display());
}
