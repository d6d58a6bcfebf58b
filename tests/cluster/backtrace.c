/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: for slurmctld's LD_PRELOAD: who dies of a signal leaves where it was. */

/*
 * A core file goes where the machine says, which a test does not change. So who loads this and
 * dies of a wrong address, a failed assertion and the like leaves backtrace.PROGRAM.PID.log
 * beside slurmctld's log, and so among the test's results: the signal, the thread's name, what is
 * mapped where, what of the stack looks like code, and the calls that led there. addr2line knows
 * the lines of the offsets. A thread whose stack is full leaves nothing.
 */
#include <dlfcn.h>
#include <errno.h>
#include <execinfo.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <ucontext.h>
#include <unistd.h>

#define LOGS "/var/log/slurm"

enum { CALLS = 64, WORDS = 512 };

/* Not by open() and write(), which a test's other shims replace. */
static void say(int fd, const char *format, ...)
{
	char line[400];
	va_list args;
	int size;

	va_start(args, format);
	size = vsnprintf(line, sizeof(line), format, args);
	va_end(args);
	if (size > 0)
		(void)syscall(SYS_write, fd, line,
			      size < (int)sizeof(line) ? size : (int)sizeof(line) - 1);
}

static void say_file(int fd, const char *path)
{
	int from = (int)syscall(SYS_openat, AT_FDCWD, path, O_RDONLY | O_CLOEXEC);
	char some[4096];
	long size;

	while (from >= 0 && (size = syscall(SYS_read, from, some, sizeof(some))) > 0)
		(void)syscall(SYS_write, fd, some, size);
	if (from >= 0)
		(void)syscall(SYS_close, from);
}

/* Which words of the stack, from AT on, are in code that is still there; it may end before. */
static void say_stack(int fd, uintptr_t at)
{
	uintptr_t words[WORDS] = { 0 };
	const struct iovec ours = { .iov_base = words, .iov_len = sizeof(words) },
			   its = { .iov_base = (void *)at, .iov_len = sizeof(words) };
	Dl_info info;

	(void)process_vm_readv(getpid(), &ours, 1, &its, 1, 0);
	for (int k = 0; k < WORDS; k++)
		if (dladdr((void *)words[k], &info) && info.dli_fname)
			say(fd, "stack+%d: %s(%s+0x%lx)\n", 8 * k, info.dli_fname,
			    info.dli_sname ? info.dli_sname : "",
			    (unsigned long)(words[k] - (uintptr_t)(info.dli_sname
									   ? info.dli_saddr
									   : info.dli_fbase)));
}

static int new_file(void)
{
	char name[128];

	snprintf(name, sizeof(name), LOGS "/backtrace.%s.%d.log", program_invocation_short_name,
		 (int)getpid());
	return (int)syscall(SYS_openat, AT_FDCWD, name, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC,
			    0644);
}

/* The calls come last: to look for them is to read the stack, which may be the damage. */
static void say_all(int fd, const void *context)
{
	void *calls[CALLS];

#ifdef __x86_64__
	const greg_t *registers = ((const ucontext_t *)context)->uc_mcontext.gregs;
	Dl_info info;

	say(fd, "at %p, stack at %p\n", (void *)registers[REG_RIP], (void *)registers[REG_RSP]);
	say_file(fd, "/proc/self/maps");
	say_stack(fd, (uintptr_t)registers[REG_RSP]);
	/* code that is gone: backtrace() would read it, and die itself */
	if (!dladdr((void *)registers[REG_RIP], &info))
		return;
#else
	(void)context;
	(void)say_stack;
	say_file(fd, "/proc/self/maps");
#endif
	backtrace_symbols_fd(calls, backtrace(calls, CALLS), fd);
}

static void tell(int number, siginfo_t *info, void *context)
{
	static int begun;
	char thread[16] = "";
	int fd;

	/* of two that die at once the first is heard; the process ends with it */
	while (__atomic_exchange_n(&begun, 1, __ATOMIC_SEQ_CST))
		pause();
	fd = new_file();
	(void)prctl(PR_GET_NAME, thread, NULL, NULL, NULL);
	say(fd, "signal %d, code %d, address %p, thread %s, process %d\n", number, info->si_code,
	    info->si_addr, thread, (int)getpid());
	say_all(fd, context);
	/* it dies of it as this function ends, as it would have without us */
	(void)signal(number, SIG_DFL);
	(void)raise(number);
}

__attribute__((constructor)) static void begin(void)
{
	static const int numbers[] = { SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT };
	struct sigaction action = { .sa_sigaction = tell, .sa_flags = SA_SIGINFO };
	void *calls[1];

	/* a second fault, in here, ends it at once */
	(void)sigfillset(&action.sa_mask);
	(void)backtrace(calls, 1); /* what it loads is loaded now */
	for (size_t k = 0; k < sizeof(numbers) / sizeof(*numbers); k++)
		(void)sigaction(numbers[k], &action, NULL);
}
