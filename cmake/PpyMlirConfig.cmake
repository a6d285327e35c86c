# The package of ppy-mlir for CMake.
#
#   find_package(PpyMlir REQUIRED CONFIG PATHS /path/to/ppy-mlir/cmake)
#   target_link_libraries(mytool PRIVATE PpyMlir::ppy_mlir)
#
# PpyMlir::ppy_mlir is libppy_mlir.so with the headers of ppy-mlir-c.h, MLIR and LLVM, and links the shared MLIR and LLVM
# it was built with: a program may hold one copy of them only. PPY_MLIR_LIBRARY and PPY_LLVM_PREFIX choose other places.

get_filename_component(_ppy_root "${CMAKE_CURRENT_LIST_DIR}/.." ABSOLUTE)

if(NOT PPY_LLVM_PREFIX)
  if(DEFINED ENV{PPY_LLVM_PREFIX})
    set(PPY_LLVM_PREFIX "$ENV{PPY_LLVM_PREFIX}")
  else()
    set(PPY_LLVM_PREFIX "/usr/lib/llvm-22")
  endif()
endif()

if(NOT PPY_MLIR_LIBRARY)
  find_library(PPY_MLIR_LIBRARY ppy_mlir
    HINTS "${_ppy_root}/lib" "${_ppy_root}/target/release" "${_ppy_root}/target/debug"
    NO_DEFAULT_PATH)
endif()

set(PpyMlir_FOUND TRUE)
foreach(_ppy_file IN ITEMS
    "${PPY_LLVM_PREFIX}/lib/libMLIR.so" "${PPY_LLVM_PREFIX}/lib/libLLVM-22.so"
    "${PPY_LLVM_PREFIX}/include/mlir/IR/MLIRContext.h")
  if(NOT EXISTS "${_ppy_file}")
    set(PpyMlir_FOUND FALSE)
    set(PpyMlir_NOT_FOUND_MESSAGE
      "there is no ${_ppy_file}; install libmlir-22-dev and llvm-22-dev, or set PPY_LLVM_PREFIX")
  endif()
endforeach()
if(NOT PPY_MLIR_LIBRARY)
  set(PpyMlir_FOUND FALSE)
  set(PpyMlir_NOT_FOUND_MESSAGE
    "there is no libppy_mlir.so below ${_ppy_root}; run cargo build --release, or set PPY_MLIR_LIBRARY")
endif()

if(PpyMlir_FOUND AND NOT TARGET PpyMlir::ppy_mlir)
  add_library(PpyMlir::ppy_mlir SHARED IMPORTED)
  set_target_properties(PpyMlir::ppy_mlir PROPERTIES
    IMPORTED_LOCATION "${PPY_MLIR_LIBRARY}"
    IMPORTED_NO_SONAME TRUE
    INTERFACE_INCLUDE_DIRECTORIES "${_ppy_root}/include;${PPY_LLVM_PREFIX}/include"
    INTERFACE_SYSTEM_INCLUDE_DIRECTORIES "${PPY_LLVM_PREFIX}/include"
    INTERFACE_COMPILE_FEATURES "cxx_std_17"
    # As LLVM is built: without it, classes that derive from MLIR's do not link.
    INTERFACE_COMPILE_OPTIONS "$<$<COMPILE_LANGUAGE:CXX>:-fno-rtti>"
    INTERFACE_LINK_LIBRARIES "${PPY_LLVM_PREFIX}/lib/libMLIR.so;${PPY_LLVM_PREFIX}/lib/libLLVM-22.so")
endif()
