//===- diagnostics.cpp - diagnostics with notes for Rust ------------------===//
//
// Part of ppy-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ppy.h"

using namespace mlir;

extern "C" {
/// Emits a diagnostic (0 error, 1 warning, 2 remark) with notes; a note without a location sits at the diagnostic's.
void ppyEmitDiagnostic(MlirLocation location, int32_t severity, MlirStringRef message, intptr_t n,
                       const MlirLocation *noteLocations, const MlirStringRef *notes) {
  static constexpr DiagnosticSeverity severities[] = {DiagnosticSeverity::Error, DiagnosticSeverity::Warning,
                                                      DiagnosticSeverity::Remark};
  Location at = unwrap(location);
  InFlightDiagnostic diagnostic = at->getContext()->getDiagEngine().emit(at, severities[severity]);
  diagnostic << unwrap(message);
  for (intptr_t i = 0; i < n; ++i)
    diagnostic.attachNote(noteLocations[i].ptr ? std::optional<Location>(unwrap(noteLocations[i])) : std::nullopt)
        << unwrap(notes[i]);
}
}
