//===- opt.cpp - the main loop of ppy-opt ---------------------------------===//
//
// Part of ppy-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// mlir-opt's driver with one more input and output format. Upstream's `MlirOptMain` reads MLIR only, so the loop around
// its option set, pass manager and diagnostics is repeated here; everything about `.ppyir` is Rust's
// (src/mlir/opt.rs).
//
//===----------------------------------------------------------------------===//

#include "mlir/Bytecode/BytecodeReader.h"
#include "mlir/Bytecode/BytecodeWriter.h"
#include "mlir/Debug/CLOptionsSetup.h"
#include "mlir/Dialect/IRDL/IR/IRDL.h"
#include "mlir/Dialect/IRDL/IRDLLoading.h"
#include "mlir/IR/AsmState.h"
#include "mlir/IR/Remarks.h"
#include "mlir/InitAllDialects.h"
#include "mlir/InitAllExtensions.h"
#include "mlir/InitAllPasses.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Remark/RemarkStreamer.h"
#include "mlir/Support/FileUtilities.h"
#include "mlir/Support/Timing.h"
#include "mlir/Support/ToolUtilities.h"
#include "mlir/Target/LLVMIR/Dialect/All.h"
#include "mlir/Tools/ParseUtilities.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"
#include "parse.h"
#include "passes.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/ToolOutputFile.h"

using namespace mlir;

extern "C" {
/// What Rust knows and the loop asks for.
struct PpyOptHooks {
  void (*registerDialects)(MlirDialectRegistry);
  void (*registerPasses)();
  /// Whether a file may be read; false after an error was printed.
  bool (*openable)(MlirStringRef name);
  /// Whether the bytes (of a file of that name) are `.ppyir`.
  bool (*isPpyir)(MlirStringRef bytes, MlirStringRef name);
  /// Calls `add` with each module read, verified on demand; false after an error was emitted. Ownership passes to
  /// `add`.
  bool (*readPpyir)(MlirContext, MlirStringRef bytes, MlirStringRef name, bool verify,
                    void (*add)(void *, MlirOperation), void *);
  /// Checks bytes about to be parsed as MLIR text or bytecode; calls `replace` where others are to be parsed for them.
  /// False after an error was emitted.
  bool (*accept)(MlirContext, MlirStringRef bytes, MlirStringRef name, PpyStringFn replace, void *);
  /// Verifies with every error reported.
  bool (*verify)(MlirOperation);
  /// Writes the `.ppyir` text of an operation; false after an error was emitted.
  bool (*writePpyir)(MlirOperation, PpyStringFn, void *);
  /// The `--version` text.
  MlirStringRef (*version)();
  /// What `--help` begins with.
  MlirStringRef (*overview)();
  /// Takes what the passes did.
  PpyReport report;
  /// Writes it all to a file, or a table to the standard error; false after an error was printed.
  bool (*writeReport)(void *, MlirStringRef to);
};
}

namespace {
enum class Emit { Same, Ppyir, Mlir, Bytecode };

llvm::cl::OptionCategory &category() {
  static llvm::cl::OptionCategory options("ppy-opt options");
  return options;
}
llvm::cl::opt<Emit> &emitOption() {
  static llvm::cl::opt<Emit> option("emit", llvm::cl::desc("Output format; without it the output has the input's"),
                                    llvm::cl::init(Emit::Same),
                                    llvm::cl::values(clEnumValN(Emit::Ppyir, "ppyir", "the ppy IR's own text"),
                                                     clEnumValN(Emit::Mlir, "mlir", "MLIR text"),
                                                     clEnumValN(Emit::Bytecode, "bytecode", "MLIR bytecode")),
                                    llvm::cl::cat(category()));
  return option;
}

llvm::cl::opt<std::string> &reportOption() {
  static llvm::cl::opt<std::string> option(
      "ppy-report",
      llvm::cl::desc("Say what the passes did: as JSON in a file, or - for a table on the standard error"),
      llvm::cl::value_desc("file"), llvm::cl::cat(category()));
  return option;
}

/// `--mlir-diagnostic-verbosity-level` and `--mlir-disable-diagnostic-notes`, ahead of whoever prints or checks.
struct DiagnosticFilter final : ScopedDiagnosticHandler {
  DiagnosticFilter(MLIRContext *context, const MlirOptMainConfig &config) : ScopedDiagnosticHandler(context) {
    VerbosityLevel level = config.getDiagnosticVerbosityLevel();
    bool notes = config.shouldShowNotes();
    setHandler([=](Diagnostic &diagnostic) {
      DiagnosticSeverity severity = diagnostic.getSeverity();
      bool shown = severity == DiagnosticSeverity::Error ||
                   (severity == DiagnosticSeverity::Warning && level != VerbosityLevel::ErrorsOnly) ||
                   level == VerbosityLevel::ErrorsWarningsAndRemarks;
      if (!shown)
        return success();
      if (notes || diagnostic.getNotes().empty())
        return failure();
      context->getDiagEngine().emit(diagnostic.getLocation(), severity) << diagnostic.str();
      return success();
    });
  }
};

/// Loads the dialects of `--irdl-file`.
LogicalResult loadIrdl(MLIRContext *context, StringRef file) {
  DialectRegistry registry;
  registry.insert<irdl::IRDLDialect>();
  context->appendDialectRegistry(registry);
  auto sources = std::make_shared<llvm::SourceMgr>();
  std::string error;
  auto buffer = openInputFile(file, &error);
  if (!buffer) {
    llvm::errs() << "ppy-opt: error: " << error << "\n";
    return failure();
  }
  sources->AddNewSourceBuffer(std::move(buffer), llvm::SMLoc());
  SourceMgrDiagnosticHandler handler(*sources, context);
  OwningOpRef<ModuleOp> module = parseSourceFile<ModuleOp>(*sources, ParserConfig(context));
  return success(module && succeeded(irdl::loadDialects(*module)));
}

/// Writes the optimization remarks that the options of mlir-opt ask for.
LogicalResult enableRemarks(MLIRContext *context, const MlirOptMainConfig &config) {
  if (!config.shouldEmitRemarks())
    return success();
  auto category = [](std::string filter) { return filter.empty() ? std::nullopt : std::optional(filter); };
  remark::RemarkCategories categories{category(config.getRemarksAllFilter()), category(config.getRemarksPassedFilter()),
                                      category(config.getRemarksMissedFilter()),
                                      category(config.getRemarksAnalyseFilter()),
                                      category(config.getRemarksFailedFilter())};
  std::unique_ptr<remark::detail::RemarkEmittingPolicyBase> policy;
  if (config.getRemarkPolicy() == RemarkPolicy::REMARK_POLICY_FINAL)
    policy = std::make_unique<remark::RemarkEmittingPolicyFinal>();
  else
    policy = std::make_unique<remark::RemarkEmittingPolicyAll>();
  if (config.getRemarkFormat() == RemarkFormat::REMARK_FORMAT_STDOUT)
    return remark::enableOptimizationRemarks(*context, nullptr, std::move(policy), categories,
                                             /*printAsEmitRemarks=*/true);
  bool yaml = config.getRemarkFormat() == RemarkFormat::REMARK_FORMAT_YAML;
  std::string file = config.getRemarksOutputFile();
  if (file.empty())
    file = yaml ? "mlir-remarks.yaml" : "mlir-remarks.bitstream";
  return remark::enableOptimizationRemarksWithLLVMStreamer(
      *context, file, yaml ? llvm::remarks::Format::YAML : llvm::remarks::Format::Bitstream, std::move(policy),
      categories);
}

/// `--verify-roundtrip`: the operation is the same after it was written and read, as text and as bytecode.
LogicalResult verifyRoundtrip(Operation *op, FallbackAsmResourceMap &resources) {
  auto text = [&](Operation *printed) {
    std::string out;
    llvm::raw_string_ostream os(out);
    AsmState state(printed, OpPrintingFlags().printGenericOpForm().enableDebugInfo(), /*locationMap=*/nullptr,
                   &resources);
    printed->print(os, state);
    return out;
  };
  const std::string before = text(op);
  auto check = [&](StringRef form, auto write) -> LogicalResult {
    std::string written;
    llvm::raw_string_ostream os(written);
    if (failed(write(os)))
      return op->emitError() << "cannot be written as " << form;
    ParserConfig config(op->getContext(), /*verifyAfterParse=*/true, &resources);
    OwningOpRef<Operation *> again = parseSourceString(written, config, form);
    if (!again)
      return op->emitError() << "is no longer read once it was written as " << form;
    if (text(*again) != before)
      return op->emitError() << "is another one once it was written and read as " << form;
    return success();
  };
  auto print = [&](OpPrintingFlags flags) {
    return [=, &resources](raw_ostream &os) mutable {
      AsmState state(op, flags.enableDebugInfo(), /*locationMap=*/nullptr, &resources);
      op->print(os, state);
      return success();
    };
  };
  if (failed(check("text", print(OpPrintingFlags()))) ||
      failed(check("generic text", print(OpPrintingFlags().printGenericOpForm()))))
    return failure();
  return check("bytecode",
               [&](raw_ostream &os) { return writeBytecodeToFile(op, os, BytecodeWriterConfig(resources)); });
}

struct Input {
  StringRef bytes;
  StringRef name;
  bool ppyir;
};

LogicalResult run(Operation *op, MLIRContext *context, const MlirOptMainConfig &config, const PpyOptHooks &hooks,
                  TimingScope &timing, bool ppyirInput, bool bytecodeInput, FallbackAsmResourceMap &resources,
                  PassReproducerOptions *reproducer, raw_ostream &os) {
  // The .ppyir reader has verified, knowing the places in the text.
  if (config.shouldVerifyOnParsing() && !ppyirInput) {
    TimingScope verifyTiming = timing.nest("Verifier");
    if (!hooks.verify(wrap(op)))
      return failure();
  }
  if (config.shouldVerifyRoundtrip() && failed(verifyRoundtrip(op, resources)))
    return failure();
  PassManager pm(op->getName(), PassManager::Nesting::Implicit);
  pm.enableVerifier(config.shouldVerifyPasses());
  if (failed(applyPassManagerCLOptions(pm)))
    return failure();
  pm.enableTiming(timing);
  if (reproducer && failed(reproducer->apply(pm)))
    return failure();
  if (failed(config.setupPassPipeline(pm)))
    return failure();
  if (StringRef file = config.getReproducerFilename(); !file.empty())
    makeReproducer(pm.getOpAnchorName(), pm.getPasses(), op, file, !op->getContext()->isMultithreadingEnabled(),
                   config.shouldVerifyPasses());
  std::shared_ptr<ppy::PassLog> log = ppy::watch(pm, !reportOption().empty());
  LogicalResult ran = pm.run(op);
  if (log)
    ppy::report(*log, hooks.report);
  if (failed(ran))
    return failure();

  TimingScope outputTiming = timing.nest("Output");
  Emit emit = emitOption();
  if (config.shouldEmitBytecode()) {
    if (emit != Emit::Same && emit != Emit::Bytecode) {
      llvm::errs() << "ppy-opt: error: --emit-bytecode and another --emit are given; leave one of them out\n";
      return failure();
    }
    emit = Emit::Bytecode;
  }
  if (emit == Emit::Same)
    emit = ppyirInput ? Emit::Ppyir : bytecodeInput ? Emit::Bytecode : Emit::Mlir;
  switch (emit) {
  case Emit::Ppyir: {
    auto write = [](void *out, MlirStringRef text) { *static_cast<raw_ostream *>(out) << unwrap(text); };
    return success(hooks.writePpyir(wrap(op), write, &os));
  }
  case Emit::Bytecode: {
    BytecodeWriterConfig writer(resources);
    if (config.shouldElideResourceDataFromBytecode())
      writer.setElideResourceDataFlag();
    if (auto version = config.bytecodeVersionToEmit())
      writer.setDesiredBytecodeVersion(*version);
    return writeBytecodeToFile(op, os, writer);
  }
  default: {
    AsmState state(op, OpPrintingFlags(), /*locationMap=*/nullptr, &resources);
    os << OpWithState(op, state) << '\n';
    return success();
  }
  }
}

LogicalResult perform(std::shared_ptr<llvm::SourceMgr> sources, const Input &input, MLIRContext *context,
                      const MlirOptMainConfig &config, const PpyOptHooks &hooks, raw_ostream &os) {
  DefaultTimingManager timingManager;
  applyDefaultTimingManagerCLOptions(timingManager);
  TimingScope timing = timingManager.getRootScope();
  FallbackAsmResourceMap resources;

  if (input.ppyir) {
    SmallVector<Operation *> modules;
    TimingScope parserTiming = timing.nest("Parser");
    auto add = [](void *data, MlirOperation op) {
      static_cast<SmallVector<Operation *> *>(data)->push_back(unwrap(op));
    };
    if (!hooks.readPpyir(wrap(context), wrap(input.bytes), wrap(input.name), config.shouldVerifyOnParsing(), add,
                         &modules))
      return failure();
    parserTiming.stop();
    if (modules.size() > 1 && (emitOption() == Emit::Bytecode || config.shouldEmitBytecode())) {
      llvm::errs() << "ppy-opt: error: " << input.name << " has " << modules.size()
                   << " modules, and bytecode holds one: link them (ppy-translate --link), or emit MLIR text\n";
      return failure();
    }
    bool first = true;
    for (Operation *module : modules) {
      if (!first && emitOption() == Emit::Mlir)
        os << "// -----\n";
      first = false;
      if (failed(run(module, context, config, hooks, timing, /*ppyirInput=*/true, /*bytecodeInput=*/false, resources,
                     nullptr, os)))
        return failure();
    }
    return success();
  }

  bool bytecode = isBytecode(sources->getMemoryBuffer(1)->getMemBufferRef());
  std::unique_ptr<llvm::MemoryBuffer> replacement;
  auto replace = [](void *data, MlirStringRef bytes) {
    *static_cast<std::unique_ptr<llvm::MemoryBuffer> *>(data) = ppy::alignedCopy(unwrap(bytes), "");
  };
  if (!hooks.accept(wrap(context), wrap(input.bytes), wrap(input.name), replace, &replacement))
    return failure();
  if (replacement) {
    sources = std::make_shared<llvm::SourceMgr>();
    sources->AddNewSourceBuffer(std::move(replacement), llvm::SMLoc());
  }
  // Parsing is single-threaded; the pool starts with the passes.
  bool threads = context->isMultithreadingEnabled();
  context->disableMultithreading();
  PassReproducerOptions reproducer;
  ParserConfig parserConfig(context, /*verifyAfterParse=*/false, &resources);
  if (config.shouldRunReproducer())
    reproducer.attachResourceParser(parserConfig);
  TimingScope parserTiming = timing.nest("Parser");
  OwningOpRef<Operation *> op = parseSourceFileForTool(sources, parserConfig, !config.shouldUseExplicitModule());
  parserTiming.stop();
  context->enableMultithreading(threads);
  if (!op)
    return failure();
  return run(op.release(), context, config, hooks, timing, /*ppyirInput=*/false, bytecode, resources,
             config.shouldRunReproducer() ? &reproducer : nullptr, os);
}

/// Prints a diagnostic of a file; of a very long line only what is around the place, of a very long message the
/// beginning.
void printDiagnostic(const llvm::SMDiagnostic &diagnostic, void *) {
  constexpr size_t longestLine = 500, before = 60, shown = 120, longestMessage = 4000;
  StringRef line = diagnostic.getLineContents(), message = diagnostic.getMessage();
  raw_ostream &os = llvm::errs();
  if (line.size() <= longestLine && message.size() <= longestMessage)
    return diagnostic.print(nullptr, os);
  size_t column = std::min<size_t>(std::max(diagnostic.getColumnNo(), 0), line.size());
  size_t start = column > before ? column - before : 0;
  os << diagnostic.getFilename() << ':' << diagnostic.getLineNo() << ':' << column + 1 << ": ";
  std::string cut = message.substr(0, longestMessage).str() + (message.size() > longestMessage ? "..." : "");
  llvm::SMDiagnostic(StringRef(), diagnostic.getKind(), cut).print(nullptr, os);
  os << "..." << line.substr(start, shown) << "...\n" << std::string(column - start + 3, ' ') << "^\n";
}

LogicalResult processBuffer(std::unique_ptr<llvm::MemoryBuffer> buffer, StringRef name, DialectRegistry &registry,
                            const MlirOptMainConfig &config, const PpyOptHooks &hooks, llvm::ThreadPoolInterface *pool,
                            raw_ostream &os) {
  auto sources = std::make_shared<llvm::SourceMgr>();
  Input input{buffer->getBuffer(), name, hooks.isPpyir(wrap(buffer->getBuffer()), wrap(name))};
  sources->AddNewSourceBuffer(std::move(buffer), llvm::SMLoc());
  sources->setDiagHandler(printDiagnostic);

  // Neither the context nor its modules are freed: the process is about to end, and taking a million operations apart
  // costs as much as a pass over them.
  auto &context = *new MLIRContext(registry, MLIRContext::Threading::DISABLED);
  if (pool)
    context.setThreadPool(*pool);
  context.allowUnregisteredDialects(config.shouldAllowUnregisteredDialects());
  context.printOpOnDiagnostic(false);
  tracing::InstallDebugHandler installDebugHandler(context, config.getDebugConfig());

  if (!config.getIrdlFile().empty() && failed(loadIrdl(&context, config.getIrdlFile())))
    return failure();
  if (config.shouldVerifyDiagnostics()) {
    SourceMgrDiagnosticVerifierHandler handler(*sources, &context, config.verifyDiagnosticsLevel());
    DiagnosticFilter filter(&context, config);
    if (failed(enableRemarks(&context, config)))
      return failure();
    (void)perform(sources, input, &context, config, hooks, os);
    return handler.verify();
  }
  SourceMgrDiagnosticHandler handler(*sources, &context);
  DiagnosticFilter filter(&context, config);
  if (failed(enableRemarks(&context, config)))
    return failure();
  return perform(sources, input, &context, config, hooks, os);
}

LogicalResult optMain(int argc, char **argv, const PpyOptHooks &hooks) {
  DialectRegistry registry;
  registerAllDialects(registry);
  registerAllExtensions(registry);
  registerAllToLLVMIRTranslations(registry);
  registerAllPasses();
  hooks.registerDialects(wrap(&registry));
  hooks.registerPasses();
  emitOption();
  reportOption();
  llvm::cl::SetVersionPrinter([version = hooks.version](raw_ostream &os) { os << unwrap(version()); });

  auto [inputName, outputName] = registerAndParseCLIOptions(argc, argv, unwrap(hooks.overview()), registry);
  const MlirOptMainConfig config = MlirOptMainConfig::createFromCLOptions();
  if (config.shouldShowDialects()) {
    llvm::outs() << "Available Dialects: ";
    llvm::interleave(registry.getDialectNames(), llvm::outs(), ",");
    llvm::outs() << "\n";
    return success();
  }
  if (config.shouldListPasses()) {
    printRegisteredPasses();
    return success();
  }

  if (inputName != "-" && !hooks.openable(wrap(StringRef(inputName))))
    return failure();
  std::string error;
  auto file = openInputFile(inputName, &error);
  if (!file) {
    llvm::errs() << "ppy-opt: error: " << error << "\n";
    return failure();
  }
  if (file->getBuffer().trim().empty()) {
    llvm::errs() << "ppy-opt: error: " << file->getBufferIdentifier()
                 << " is empty; a .ppyir file begins with 'ppyir 1', an .mlir file has a module\n";
    return failure();
  }
  // Written to memory first: a failed run leaves no partial output.
  std::string text;
  llvm::raw_string_ostream os(text);

  // One thread pool for every chunk; there is none under --mlir-disable-threading.
  MLIRContext poolOwner;
  llvm::ThreadPoolInterface *pool = poolOwner.isMultithreadingEnabled() ? &poolOwner.getThreadPool() : nullptr;

  StringRef name = inputName == "-" ? StringRef("<stdin>") : StringRef(inputName);
  LogicalResult result = failure();
  if (config.inputSplitMarker().empty()) {
    result = processBuffer(std::move(file), name, registry, config, hooks, pool, os);
  } else {
    auto chunk = [&](std::unique_ptr<llvm::MemoryBuffer> part, raw_ostream &out) {
      return processBuffer(std::move(part), name, registry, config, hooks, pool, out);
    };
    // Modules of .ppyir follow one another as they are.
    StringRef marker = emitOption() == Emit::Ppyir ? "" : config.outputSplitMarker();
    result = splitAndProcessBuffer(std::move(file), chunk, os, config.inputSplitMarker(), marker);
  }
  // Also of passes that failed.
  if (!reportOption().empty() && !hooks.writeReport(hooks.report.data, wrap(StringRef(reportOption()))))
    return failure();
  if (failed(result))
    return failure();

  auto output = openOutputFile(outputName, &error);
  if (!output) {
    llvm::errs() << "ppy-opt: error: " << error << "\n";
    return failure();
  }
  output->os() << text;
  output->os().flush();
  // A reader that has seen enough, as `| head` has, is no error.
  if (output->os().error() == std::errc::broken_pipe) {
    output->os().clear_error();
    return success();
  }
  if (output->os().has_error()) {
    StringRef name = outputName == "-" ? "the standard output" : StringRef(outputName);
    llvm::errs() << "ppy-opt: error: cannot write " << name << ": " << output->os().error().message() << "\n";
    output->os().clear_error();
    return failure();
  }
  output->keep();
  return success();
}
} // namespace

extern "C" int ppyOptMain(int argc, char **argv, const PpyOptHooks *hooks) {
  // Nobody has to read the errors: a closed pipe would else be a fatal error when the stream is destroyed.
  llvm::errs();
  std::atexit([] { llvm::errs().clear_error(); });
  // Without InitLLVM, whose handlers would take the place of ours (src/mlir/process.rs).
  return failed(optMain(argc, argv, *hooks)) ? 1 : 0;
}
