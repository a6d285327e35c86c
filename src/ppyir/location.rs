//! How value names, block labels and locations of `.ppyir` live in MLIR locations, so that passes carry them along:
//!
//! | `.ppyir` | MLIR |
//! |---|---|
//! | `loc("f.py":3:4)` | a file-line-column location |
//! | no location | a fused location with metadata `"ppyir"` around the position in the `.ppyir` file |
//! | the name of a result or block argument | a name location around its own; several results share one, `a,b` |
//! | a block's label | a name location `^label` around its terminator's |

use super::ast::Loc;
use crate::mlir::{
    attribute::identifier_text,
    attribute_view::{AttributeView, view},
    op::operations,
};
use melior::{
    Context,
    ir::{
        Attribute, AttributeLike, BlockLike, BlockRef, Location, attribute::StringAttribute, operation::OperationLike,
    },
};
use smol_str::SmolStr;

/// Metadata of a location that is a place in the `.ppyir` file and not the frontend's.
const OWN: &str = "ppyir";

/// The location of an operation that has none in the text.
pub fn own<'c>(context: &'c Context, file: &str, line: u32, column: u32) -> Location<'c> {
    let place = Location::new(context, file, line as usize, column as usize);
    let mark: Attribute = StringAttribute::new(context, OWN).into();
    Location::fused(context, &[place], mark)
}

/// The name that a location carries.
pub fn name_of<'c>(location: Location<'c>) -> Option<&'c str> {
    if !location.is_name() {
        return None;
    }
    Some(identifier_text(location.name_value()))
}

/// The label of a block, from its terminator's location.
pub fn block_label<'c: 'a, 'a>(block: BlockRef<'c, 'a>) -> Option<&'c str> {
    // The C API's own accessor asserts that a block has operations.
    let last = block.terminator().or_else(|| operations(block).last())?;
    name_of(last.location())?.strip_prefix('^')
}

/// The frontend's location in an MLIR location; the callee's for a call site, the first for fused ones.
pub fn frontend(location: Location<'_>) -> Option<Loc> {
    let mut location = location;
    loop {
        if location.is_file_line_col_range() {
            return Some(Loc {
                file: SmolStr::new(identifier_text(location.file_line_col_range_filename())),
                line: u32::try_from(location.file_line_col_range_start_line()).ok()?,
                column: u32::try_from(location.file_line_col_range_start_column()).ok()?,
            });
        } else if location.is_name() {
            location = location.name_child_location();
        } else if location.is_call_site() {
            location = location.call_site_callee();
        } else if location.is_fused() {
            if is_own(location) || location.fused_num_locations() == 0 {
                return None;
            }
            location = location.fused_location(0);
        } else {
            return None;
        }
    }
}

/// Whether a fused location has our mark. Its metadata may be anything, an empty string included.
fn is_own(location: Location<'_>) -> bool {
    let metadata = location.fused_metadata();
    !metadata.to_raw().ptr.is_null() && matches!(view(metadata), AttributeView::Str(text) if text == OWN)
}

/// The place in the `.ppyir` file of an operation whose location the frontend did not record.
pub fn written(location: Location<'_>) -> Option<Loc> {
    let mut location = location;
    while location.is_name() {
        location = location.name_child_location();
    }
    let any = location.is_fused() && location.fused_num_locations() > 0;
    any.then(|| frontend(location.fused_location(0))).flatten()
}
