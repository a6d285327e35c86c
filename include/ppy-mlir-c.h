/*===- ppy-mlir-c.h - the C interface of libppy_mlir.so --------------------===*\
|*                                                                            *|
|* Part of ppy-mlir, under the Apache License v2.0 with LLVM Exceptions.      *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                    *|
|*                                                                            *|
\*===----------------------------------------------------------------------===*/

#ifndef PPY_MLIR_C_H
#define PPY_MLIR_C_H

#include "mlir-c/IR.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Adds every ppy dialect to the registry; a context that gets the registry loads them on demand. Ends the process with
/// status 1 and a message where it runs another LLVM than the library was built for.
void ppyRegisterAllDialects(MlirDialectRegistry registry);

/// Registers every ppy pass by name, for pipelines in text; once per process, further calls do nothing.
void ppyRegisterAllPasses(void);

#ifdef __cplusplus
}
#endif

#endif /* PPY_MLIR_C_H */
