//! Writing a tool's result: whole or not at all.

use super::Failure;
use std::{
    fs,
    io::{self, IsTerminal, Write},
    path::Path,
};

/// What kind of bytes they are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    Text,
    /// Not for a terminal.
    Binary,
}

/// Writes to a file, or to the standard output when `path` is `None` or `-`. A file appears when it is complete.
pub fn write(path: Option<&Path>, bytes: &[u8], kind: Kind) -> Result<(), Failure> {
    let Some(path) = path.filter(|path| *path != Path::new("-")) else {
        let stdout = io::stdout();
        if kind == Kind::Binary && stdout.is_terminal() {
            return Err(Failure::User("will not write binary data to a terminal; name a file with -o".into()));
        }
        let mut stdout = stdout.lock();
        return match stdout.write_all(bytes).and_then(|()| stdout.flush()) {
            // A reader that has seen enough, as `| head` has, is no error.
            Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
                Err(Failure::User(format!("cannot write to the standard output: {error}")))
            }
            _ => Ok(()),
        };
    };
    replace(path, bytes).map_err(|error| Failure::User(format!("cannot write {}: {error}", path.display())))
}

fn replace(path: &Path, bytes: &[u8]) -> io::Result<()> {
    match fs::metadata(path) {
        Ok(found) if found.is_dir() => return Err(io::Error::other("it is a folder")),
        // A device or pipe cannot be replaced.
        Ok(found) if !found.is_file() => return fs::OpenOptions::new().write(true).open(path)?.write_all(bytes),
        _ => {}
    }
    // A link keeps pointing where it does.
    let path = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    let name = path.file_name().ok_or_else(|| io::Error::other("it has no file name"))?;
    let temporary = path.with_file_name(format!(".{}.{}.tmp", name.to_string_lossy(), std::process::id()));
    let written = fs::write(&temporary, bytes).and_then(|()| fs::rename(&temporary, &path));
    if written.is_err() {
        let _ = fs::remove_file(&temporary);
    }
    written
}
