/*===- ppy-mlir-c.h - the C interface of libppy_mlir.so --------------------===*\
|*                                                                            *|
|* Part of ppy-mlir, under the Apache License v2.0 with LLVM Exceptions.      *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                    *|
|*                                                                            *|
\*===----------------------------------------------------------------------===*/

#ifndef PPY_MLIR_C_H
#define PPY_MLIR_C_H

#include "mlir-c/IR.h"
#include "llvm/Config/llvm-config.h"

/// The version of this interface. A library that was compiled with another is refused.
#define PPY_MLIR_ABI 1

#ifdef __cplusplus
extern "C" {
#endif

/// Adds every ppy dialect to the registry; a context that gets the registry loads them on demand. Failure, with a
/// message on the standard error and nothing added, where the process runs another LLVM than the library was built for.
MlirLogicalResult ppyRegisterAllDialects(MlirDialectRegistry registry);

/// Registers every ppy pass by name, for pipelines in text; once per process, further calls do nothing. Fails as
/// ppyRegisterAllDialects does.
MlirLogicalResult ppyRegisterAllPasses(void);

/// What ppyRegisterStagePass calls, with the versions of whoever calls it.
void ppyRegisterStagePassFor(uint32_t abi, const char *llvm, const char *stage, const char *passes);

/// Adds passes at a stage of every default pipeline of the process: after-ir-generation, after-canonicalization,
/// before-optimization, after-optimization, before-backend or backend. The passes are named as in the text of a
/// pipeline, and registered with MLIR before a pipeline is made. The module is verified after them. Ends the process
/// with status 1 and a message where there is no such stage, or the caller was compiled for another interface or LLVM.
static inline void ppyRegisterStagePass(const char *stage, const char *passes) {
  ppyRegisterStagePassFor(PPY_MLIR_ABI, LLVM_VERSION_STRING, stage, passes);
}

#ifdef __cplusplus
}
#endif

#endif /* PPY_MLIR_C_H */
