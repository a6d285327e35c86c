"""lit's view of this folder. `cargo test --test lit` runs it; so does
`/usr/lib/llvm-22/bin/lit tests/lit`, with the tools of target/debug."""

import os

import lit.formats

root = os.path.dirname(os.path.abspath(__file__))
tools = lit_config.params.get("tools", os.path.join(root, "../../target/debug"))
llvm = lit_config.params.get("llvm", os.environ.get("PPY_LLVM_PREFIX", "/usr/lib/llvm-22"))

config.name = "ppy-mlir"
config.test_format = lit.formats.ShTest(execute_external=False)
config.suffixes = [".mlir", ".ppyir", ".test"]
config.excludes = ["inputs"]
config.test_source_root = root
config.test_exec_root = lit_config.params.get("output", os.path.join(root, "../../target/lit"))
config.environment["PATH"] = os.path.join(llvm, "bin") + os.pathsep + os.environ.get("PATH", "")
config.environment["PPY_BLESS"] = os.environ.get("PPY_BLESS", "")
# A test that hangs is a test that fails.
lit_config.maxIndividualTestTime = int(lit_config.params.get("seconds", 60))


def tool(name, *arguments):
    path = os.path.join(tools, name)
    config.substitutions.append(("%" + name + r"\b", " ".join([path, *arguments])))
    return path


opt = tool("ppy-opt")
tool("ppy-translate")
tool("ppy-run")
tool("ppyprof")
plugin = os.path.join(tools, "libppy_mlir.so")
stock = os.path.join(llvm, "bin/mlir-opt")
config.substitutions += [
    # The file is what ppy-opt prints (comments aside), through every other form too. See roundtrip.py.
    ("%roundtrip", f"%{{python}} {root}/roundtrip.py {opt}"),
    ("%{python}", "/usr/bin/python3"),
    ("%mlir-opt", stock),
    # A stock mlir-opt with our dialects and passes.
    ("%plugin-opt", f"{stock} --load-dialect-plugin={plugin} --load-pass-plugin={plugin}"),
]
