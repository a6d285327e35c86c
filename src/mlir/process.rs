//! Running code that may crash: shared memory, a forked child, and handlers for the signals of a crash.
//!
//! Invariant: a signal handler here calls nothing but `write`, `_exit` and `sigaction`, and reads only memory that was
//! set up before.

use std::{
    ffi::c_void,
    fs::File,
    io, mem,
    os::fd::FromRawFd,
    ptr,
    sync::{
        LazyLock, Mutex, PoisonError,
        atomic::{AtomicI32, AtomicPtr, AtomicUsize, Ordering},
    },
    time::Duration,
};

/// Zeroed memory that a forked child shares with its parent.
pub struct Region {
    start: *mut u8,
    len: usize,
}

// It owns its memory.
unsafe impl Send for Region {}

impl Region {
    pub fn new(len: usize) -> io::Result<Region> {
        let len = len.max(1);
        let flags = libc::MAP_SHARED | libc::MAP_ANONYMOUS;
        let start = unsafe { libc::mmap(ptr::null_mut(), len, libc::PROT_READ | libc::PROT_WRITE, flags, -1, 0) };
        match start == libc::MAP_FAILED {
            true => Err(io::Error::last_os_error()),
            false => Ok(Region { start: start.cast(), len }),
        }
    }

    /// The address of an offset, for code that will read or write there.
    pub fn address(&self, offset: usize) -> u64 {
        self.start as u64 + offset as u64
    }

    pub fn bytes(&self) -> &[u8] {
        unsafe { std::slice::from_raw_parts(self.start, self.len) }
    }

    pub fn bytes_mut(&mut self) -> &mut [u8] {
        unsafe { std::slice::from_raw_parts_mut(self.start, self.len) }
    }
}

impl Drop for Region {
    fn drop(&mut self) {
        unsafe { libc::munmap(self.start.cast(), self.len) };
    }
}

/// Copies bytes from an address.
///
/// # Safety
/// As many bytes are there.
pub unsafe fn read(address: usize, out: &mut [u8]) {
    if !out.is_empty() {
        unsafe { ptr::copy_nonoverlapping(address as *const u8, out.as_mut_ptr(), out.len()) }
    }
}

/// Calls compiled code: `i32 f(ptr)`, as [`LlvmModule::add_trampoline`](super::llvm::LlvmModule::add_trampoline) makes.
///
/// # Safety
/// `entry` is the address of such a function, and `table` of what it reads.
pub unsafe fn call(entry: usize, table: u64) -> i32 {
    let entry: extern "C" fn(u64) -> i32 = unsafe { mem::transmute(entry) };
    entry(table)
}

/// How a child ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// The closure came back.
    Finished,
    /// A signal ended it: at this address, if the signal has one; `stack` when it had run out of stack.
    Signal { signal: i32, address: usize, stack: bool },
    /// It was still running at the time limit.
    TimedOut,
    /// It ended the process by itself, with this exit status.
    Exited(i32),
}

/// The C library's cube root, which compiled code calls; Rust's is another implementation, with other last digits.
pub fn cbrt(x: f64) -> f64 {
    static FOUND: LazyLock<Option<extern "C" fn(f64) -> f64>> = LazyLock::new(|| {
        let found = unsafe { libc::dlsym(libc::RTLD_DEFAULT, c"cbrt".as_ptr()) };
        (!found.is_null()).then(|| unsafe { mem::transmute(found) })
    });
    FOUND.map_or_else(|| x.cbrt(), |function| function(x))
}

/// The same of `f32`.
pub fn cbrtf(x: f32) -> f32 {
    static FOUND: LazyLock<Option<extern "C" fn(f32) -> f32>> = LazyLock::new(|| {
        let found = unsafe { libc::dlsym(libc::RTLD_DEFAULT, c"cbrtf".as_ptr()) };
        (!found.is_null()).then(|| unsafe { mem::transmute(found) })
    });
    FOUND.map_or_else(|| x.cbrt(), |function| function(x))
}

/// What the child's handler tells the parent. In shared memory.
#[repr(C)]
struct Report {
    finished: AtomicI32,
    signal: AtomicI32,
    address: AtomicUsize,
    stack_low: AtomicUsize,
    stack_high: AtomicUsize,
}

static REPORT: AtomicPtr<Report> = AtomicPtr::new(ptr::null_mut());

const CRASHES: [i32; 6] = [libc::SIGSEGV, libc::SIGBUS, libc::SIGFPE, libc::SIGILL, libc::SIGTRAP, libc::SIGABRT];

/// Below the stack's end, how far an access still counts as running out of it.
const GUARD: usize = 1 << 20;

extern "C" fn note_crash(signal: i32, info: *mut libc::siginfo_t, _: *mut c_void) {
    let report = REPORT.load(Ordering::Relaxed);
    if !report.is_null() {
        let report = unsafe { &*report };
        report.signal.store(signal, Ordering::Relaxed);
        report.address.store(unsafe { (*info).si_addr() } as usize, Ordering::Relaxed);
    }
    unsafe { libc::_exit(1) }
}

/// Installs a handler for the signals of a crash, on a stack of its own so that running out of stack is one too.
fn handle_crashes(handler: extern "C" fn(i32, *mut libc::siginfo_t, *mut c_void)) {
    const STACK: usize = 64 << 10;
    unsafe {
        let flags = libc::MAP_PRIVATE | libc::MAP_ANONYMOUS;
        let memory = libc::mmap(ptr::null_mut(), STACK, libc::PROT_READ | libc::PROT_WRITE, flags, -1, 0);
        if memory != libc::MAP_FAILED {
            let stack = libc::stack_t { ss_sp: memory, ss_flags: 0, ss_size: STACK };
            libc::sigaltstack(&stack, ptr::null_mut());
        }
        let mut action: libc::sigaction = mem::zeroed();
        action.sa_sigaction = handler as *const () as usize;
        action.sa_flags = libc::SA_SIGINFO | libc::SA_ONSTACK;
        for signal in CRASHES {
            libc::sigaction(signal, &action, ptr::null_mut());
        }
    }
}

/// The bounds of this thread's stack.
fn stack_bounds() -> (usize, usize) {
    unsafe {
        let mut attributes: libc::pthread_attr_t = mem::zeroed();
        if libc::pthread_getattr_np(libc::pthread_self(), &mut attributes) != 0 {
            return (0, 0);
        }
        let (mut low, mut size) = (ptr::null_mut(), 0);
        libc::pthread_attr_getstack(&attributes, &mut low, &mut size);
        libc::pthread_attr_destroy(&mut attributes);
        (low as usize, low as usize + size)
    }
}

/// Runs `f` in a forked child, on this thread's stack. What it writes to a [`Region`] stays; all else is the child's
/// own.
pub fn isolate(timeout: Option<Duration>, f: impl FnOnce()) -> io::Result<End> {
    let region = Region::new(mem::size_of::<Report>())?;
    let report: &Report = unsafe { &*region.start.cast() };
    let (low, high) = stack_bounds();
    report.stack_low.store(low, Ordering::Relaxed);
    report.stack_high.store(high, Ordering::Relaxed);
    unsafe { libc::fflush(ptr::null_mut()) };
    let child = unsafe { libc::fork() };
    if child < 0 {
        return Err(io::Error::last_os_error());
    }
    if child == 0 {
        REPORT.store(ptr::from_ref(report).cast_mut(), Ordering::Relaxed);
        handle_crashes(note_crash);
        if let Some(timeout) = timeout {
            set_alarm(timeout);
        }
        let returned = std::panic::catch_unwind(std::panic::AssertUnwindSafe(f)).is_ok();
        report.finished.store(i32::from(returned), Ordering::Relaxed);
        unsafe {
            // What an extern printed.
            libc::fflush(ptr::null_mut());
            libc::_exit(0)
        }
    }
    let mut status = 0;
    while unsafe { libc::waitpid(child, &mut status, 0) } < 0 {
        let error = io::Error::last_os_error();
        if error.kind() != io::ErrorKind::Interrupted {
            return Err(error);
        }
    }
    let signal = report.signal.load(Ordering::Relaxed);
    let address = report.address.load(Ordering::Relaxed);
    Ok(match () {
        () if report.finished.load(Ordering::Relaxed) != 0 => End::Finished,
        () if signal != 0 => {
            let near = (low.saturating_sub(GUARD)..low + GUARD).contains(&address);
            End::Signal { signal, address, stack: low != 0 && near && signal != libc::SIGABRT }
        }
        () if libc::WIFSIGNALED(status) && libc::WTERMSIG(status) == libc::SIGALRM => End::TimedOut,
        () if libc::WIFSIGNALED(status) => End::Signal { signal: libc::WTERMSIG(status), address: 0, stack: false },
        () => End::Exited(libc::WEXITSTATUS(status)),
    })
}

/// An empty file in memory, for what a child of [`isolate`] has to say.
pub fn memory_file() -> io::Result<File> {
    match unsafe { libc::memfd_create(c"ppy".as_ptr(), libc::MFD_CLOEXEC) } {
        descriptor if descriptor < 0 => Err(io::Error::last_os_error()),
        descriptor => Ok(unsafe { File::from_raw_fd(descriptor) }),
    }
}

/// From now on this process says nothing on its standard error; for an attempt in [`isolate`].
pub fn silence() {
    unsafe {
        let nothing = libc::open(c"/dev/null".as_ptr(), libc::O_WRONLY);
        if nothing >= 0 {
            libc::dup2(nothing, 2);
        }
    }
}

fn set_alarm(after: Duration) {
    let time = libc::timeval {
        tv_sec: after.as_secs().try_into().unwrap_or(libc::time_t::MAX),
        // An alarm of zero would be none.
        tv_usec: libc::suseconds_t::from(after.subsec_micros()).max(1),
    };
    let timer = libc::itimerval { it_interval: libc::timeval { tv_sec: 0, tv_usec: 0 }, it_value: time };
    unsafe { libc::setitimer(libc::ITIMER_REAL, &timer, ptr::null_mut()) };
}

/// The name of a signal of a crash.
pub fn signal_name(signal: i32) -> &'static str {
    match signal {
        libc::SIGSEGV => "SIGSEGV",
        libc::SIGBUS => "SIGBUS",
        libc::SIGFPE => "SIGFPE",
        libc::SIGILL => "SIGILL",
        libc::SIGTRAP => "SIGTRAP",
        libc::SIGABRT => "SIGABRT",
        libc::SIGKILL => "SIGKILL",
        libc::SIGTERM => "SIGTERM",
        _ => "a signal",
    }
}

static LAST_WORDS: &str = "error: internal error: the tool crashed; this is a bug in ppy-mlir, please report it with the \
                           input and the command line\n";

extern "C" fn last_words(_: i32, _: *mut libc::siginfo_t, _: *mut c_void) {
    unsafe {
        libc::write(2, LAST_WORDS.as_ptr().cast(), LAST_WORDS.len());
        libc::_exit(70)
    }
}

/// The target that code is generated for, where it is not this machine.
static FOREIGN: Mutex<Option<String>> = Mutex::new(None);

/// Runs what generates code for a target that may lack what the code needs: LLVM ends the process where its backend
/// does, and that is then an error of the user's choice, with status 1, and no bug.
pub fn for_foreign_target<R>(triple: &str, emit: impl FnOnce() -> R) -> R {
    let set = |triple: Option<String>| *FOREIGN.lock().unwrap_or_else(PoisonError::into_inner) = triple;
    set(Some(triple.to_owned()));
    let result = emit();
    set(None);
    result
}

extern "C" fn fatal(reason: *const std::ffi::c_char) {
    let words = |text: &[u8]| unsafe { libc::write(2, text.as_ptr().cast(), text.len()) };
    let reason = unsafe { std::ffi::CStr::from_ptr(reason) }.to_bytes();
    // A reader that has seen enough, as `| head` has, is no error.
    if reason.ends_with(b"Broken pipe") {
        unsafe { libc::_exit(0) }
    }
    if let Some(why) = reason.strip_prefix(b"IO failure on output stream: ") {
        words(b"error: cannot write the output: ");
        words(why);
        words(b"\n");
        unsafe { libc::_exit(1) }
    }
    if let Some(triple) = FOREIGN.try_lock().ok().and_then(|mut triple| triple.take()) {
        let mut lines = reason.split(|byte| *byte == b'\n').filter(|line| !line.is_empty());
        words(format!("error: LLVM's target {triple} cannot do what the module asks for: ").as_bytes());
        words(lines.next().unwrap_or_default());
        words(b"\n");
        lines.filter(|line| line.starts_with(b"In function")).for_each(|line| {
            words(line);
            words(b"\n");
        });
        unsafe { libc::_exit(1) }
    }
    words(b"error: internal error: LLVM: ");
    words(reason);
    words(b"\nthis is a bug in ppy-mlir, please report it with the input and the command line\n");
    unsafe { libc::_exit(70) }
}

/// From now on a crash of this process, or a fatal error of LLVM's, prints that it is a bug of ours and exits with 70.
pub fn report_own_crashes() {
    handle_crashes(last_words);
    unsafe { llvm_sys::error_handling::LLVMInstallFatalErrorHandler(Some(fatal)) };
}
