/* inject.c - a library to preload: the Nth allocation or the Nth system call of a kind fails.
 *
 *   TENON_FAULT_KIND     alloc | io (transfers, accept, connect) | file (files, sockets and
 * processes coming to life) | poll (waiting is interrupted) TENON_FAULT_NTH      1, 2, 3, ...
 *   TENON_FAULT_MODE     once | on (from then on every call) | short (a transfer moves one byte)
 *   TENON_FAULT_PROGRAM  only in programs of this name (the last part of the path)
 *   TENON_FAULT_HIT      file that gets a line when the fault happened, so that the driver knows
 *                        when N has passed the number of calls
 *   TENON_FAULT_COUNT    file that gets the number of calls when the program ends
 *
 * Not counted is what cannot fail, or where libuv calls abort() by design: its eventfds, the pipes
 * a process makes for itself (signals), its first workers, epoll_ctl, and a wait that fails for
 * another reason than a signal.
 *
 * Threads: any; calls are counted over all of them. Calls before main is reached are not counted:
 * what fails there is the C library, not us. Preload it before the sanitizer's library, so that
 * allocations that do not fail are the sanitizer's and leaks are found. */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#define EXPORT __attribute__((visibility("default")))

enum { DESCRIPTORS_MAX = 4096 };
enum kind { KIND_NONE, KIND_ALLOC, KIND_IO, KIND_FILE, KIND_POLL };
enum mode { MODE_ONCE, MODE_ON, MODE_SHORT };
enum verdict { PASS, FAIL, SHORT };

static struct {
	enum kind kind;
	enum mode mode;
	unsigned long nth;
	const char *hit_path, *count_path;
	bool is_traced;
	atomic_ulong count;
	atomic_bool is_own[DESCRIPTORS_MAX]; /* both ends of pipes that this process made */
	atomic_bool is_on;                   /* set last: the settings above are complete */
} fault;

/* The sanitizer's; weak, so that the library also loads without one. */
extern void __sanitizer_print_stack_trace(void) __attribute__((weak));

/* A thread is coming to life: libuv ends the process when its first workers cannot start, and the
 * sanitizer when it cannot ask for a thread's stack. */
static _Thread_local bool is_starting_thread __attribute__((tls_model("initial-exec")));

static void add_line(const char *path, const char *text)
{
	long fd;
	if (!path)
		return;
	/* The plain system calls: open and write may be the ones that fail. */
	fd = syscall(SYS_openat, AT_FDCWD, path, O_WRONLY | O_CREAT | O_APPEND, 0600);
	if (fd < 0)
		return;
	(void)syscall(SYS_write, fd, text, strlen(text));
	(void)syscall(SYS_write, fd, "\n", (size_t)1);
	(void)syscall(SYS_close, fd);
}

static void report_hit(const char *call)
{
	if (fault.is_traced && __sanitizer_print_stack_trace)
		__sanitizer_print_stack_trace();
	add_line(fault.hit_path, call);
}

static enum verdict judge(enum kind kind, const char *call)
{
	unsigned long number;
	if (!atomic_load_explicit(&fault.is_on, memory_order_acquire) || kind != fault.kind ||
	    is_starting_thread)
		return PASS;
	number = atomic_fetch_add(&fault.count, 1) + 1;
	if (number == fault.nth)
		report_hit(call); /* it may allocate itself: that is counted later, and passes */
	if (number < fault.nth || (number > fault.nth && fault.mode != MODE_ON))
		return PASS;
	return fault.mode == MODE_SHORT ? SHORT : FAIL;
}

static bool is_our_program(void)
{
	const char *wanted = getenv("TENON_FAULT_PROGRAM");
	const char *name;
	char path[4096];
	ssize_t size = readlink("/proc/self/exe", path, sizeof(path) - 1);
	if (!wanted)
		return true;
	if (size <= 0)
		return false;
	path[size] = '\0';
	name = strrchr(path, '/');
	return strcmp(name ? name + 1 : path, wanted) == 0;
}

__attribute__((constructor)) static void start(void)
{
	const char *kind = getenv("TENON_FAULT_KIND");
	const char *nth = getenv("TENON_FAULT_NTH");
	const char *mode = getenv("TENON_FAULT_MODE");
	if (!kind || !nth || !is_our_program())
		return;
	fault.kind = strcmp(kind, "alloc") == 0  ? KIND_ALLOC
		     : strcmp(kind, "io") == 0   ? KIND_IO
		     : strcmp(kind, "file") == 0 ? KIND_FILE
		     : strcmp(kind, "poll") == 0 ? KIND_POLL
						 : KIND_NONE;
	fault.mode = !mode || strcmp(mode, "once") == 0 ? MODE_ONCE
		     : strcmp(mode, "on") == 0          ? MODE_ON
							: MODE_SHORT;
	fault.nth = strtoul(nth, NULL, 10);
	fault.hit_path = getenv("TENON_FAULT_HIT");
	fault.count_path = getenv("TENON_FAULT_COUNT");
	fault.is_traced = getenv("TENON_FAULT_TRACE") != NULL;
	atomic_store_explicit(&fault.is_on, fault.nth > 0, memory_order_release);
}

__attribute__((destructor)) static void end(void)
{
	char text[24];
	if (!atomic_exchange(&fault.is_on, false))
		return;
	(void)snprintf(text, sizeof(text), "%lu", atomic_load(&fault.count));
	add_line(fault.count_path, text);
}

/* True for streams to somebody else: a file, a terminal, a socket, an inherited pipe. */
static bool is_outside(int fd)
{
	struct stat info;
	if (fd >= 0 && fd < DESCRIPTORS_MAX && atomic_load(&fault.is_own[fd]))
		return false;
	return fstat(fd, &info) == 0 && (info.st_mode & S_IFMT) != 0; /* an eventfd has no type */
}

static enum verdict judge_io(int fd, const char *call)
{
	int saved = errno;
	enum verdict verdict =
		fault.kind == KIND_IO && is_outside(fd) ? judge(KIND_IO, call) : PASS;
	errno = saved;
	return verdict;
}

/* The next definitions of the names below: the sanitizer's or the C library's. A preloaded function
 * has no parameter to carry a context in, so this and `fault` are the program's only state. */
static struct {
	__typeof__(&malloc) malloc;
	__typeof__(&calloc) calloc;
	__typeof__(&realloc) realloc;
	__typeof__(&free) free;
	__typeof__(&read) read;
	__typeof__(&write) write;
	__typeof__(&readv) readv;
	__typeof__(&writev) writev;
	__typeof__(&recv) recv;
	__typeof__(&send) send;
	__typeof__(&recvmsg) recvmsg;
	__typeof__(&sendmsg) sendmsg;
	__typeof__(&accept) accept;
	__typeof__(&accept4) accept4;
	__typeof__(&open) open;
	__typeof__(&openat) openat;
	__typeof__(&fsync) fsync;
	__typeof__(&rename) rename;
	__typeof__(&renameat) renameat;
	__typeof__(&socket) socket;
	__typeof__(&bind) bind;
	__typeof__(&listen) listen;
	__typeof__(&pipe2) pipe2;
	__typeof__(&close) close;
	__typeof__(&connect) connect;
	__typeof__(&socketpair) socketpair;
	__typeof__(&fork) fork;
	__typeof__(&epoll_wait) epoll_wait;
	__typeof__(&epoll_pwait) epoll_pwait;
	__typeof__(&poll) poll;
	__typeof__(&pthread_getattr_np) pthread_getattr_np;
	__typeof__(&pthread_create) pthread_create;
	atomic_bool is_looking; /* inside dlsym, which allocates itself */
} next;

#define NEXT(name)                                                                  \
	do {                                                                        \
		if (!next.name)                                                     \
			next.name = (__typeof__(next.name))dlsym(RTLD_NEXT, #name); \
	} while (0)

/* ---- allocations ---- */

/* dlsym allocates before the real calloc is known; this little store answers, and never frees. */
static _Alignas(16) char early[8192];
static atomic_size_t early_used;

static void *early_alloc(size_t size)
{
	size_t at = atomic_fetch_add(&early_used, (size + 15) & ~(size_t)15);
	return at + size <= sizeof(early) ? early + at : NULL;
}

static bool is_early(const void *memory)
{
	return (const char *)memory >= early && (const char *)memory < early + sizeof(early);
}

/* False while dlsym is at work: it allocates and frees itself, and must not come here again. */
static bool is_ready(void)
{
	if (next.free)
		return true;
	if (atomic_exchange(&next.is_looking, true))
		return false;
	NEXT(malloc);
	NEXT(calloc);
	NEXT(realloc);
	NEXT(free);
	return true;
}

EXPORT void *malloc(size_t size)
{
	if (!is_ready())
		return early_alloc(size);
	if (judge(KIND_ALLOC, "malloc") == PASS)
		return next.malloc(size);
	errno = ENOMEM;
	return NULL;
}

EXPORT void *calloc(size_t count, size_t size)
{
	if (!is_ready())
		return early_alloc(count * size);
	if (judge(KIND_ALLOC, "calloc") == PASS)
		return next.calloc(count, size);
	errno = ENOMEM;
	return NULL;
}

EXPORT void *realloc(void *memory, size_t size)
{
	if (!is_ready() || is_early(memory))
		return NULL; /* nobody grows what dlsym took */
	if (judge(KIND_ALLOC, "realloc") == PASS)
		return next.realloc(memory, size);
	errno = ENOMEM;
	return NULL;
}

EXPORT void free(void *memory)
{
	if (is_early(memory) || !is_ready())
		return; /* what dlsym frees on its way is little, and lost */
	next.free(memory);
}

EXPORT int pthread_getattr_np(pthread_t thread, pthread_attr_t *attributes)
{
	int code;
	NEXT(pthread_getattr_np);
	is_starting_thread = true;
	code = next.pthread_getattr_np(thread, attributes);
	is_starting_thread = false;
	return code;
}

EXPORT int pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*run)(void *),
			  void *data)
{
	int code;
	NEXT(pthread_create);
	is_starting_thread = true;
	code = next.pthread_create(thread, attributes, run, data);
	is_starting_thread = false;
	return code;
}

/* ---- transfers: short ones must be finished by the caller ---- */

#define FAIL_WITH(judged, number)      \
	enum verdict verdict = judged; \
	if (verdict == FAIL) {         \
		errno = number;        \
		return -1;             \
	}

static size_t cut(enum verdict verdict, size_t size)
{
	return verdict == SHORT && size > 1 ? 1 : size;
}

EXPORT ssize_t read(int fd, void *data, size_t size)
{
	NEXT(read);
	FAIL_WITH(judge_io(fd, __func__), EIO)
	return next.read(fd, data, cut(verdict, size));
}

EXPORT ssize_t write(int fd, const void *data, size_t size)
{
	NEXT(write);
	FAIL_WITH(judge_io(fd, __func__), ENOSPC)
	return next.write(fd, data, cut(verdict, size));
}

EXPORT ssize_t readv(int fd, const struct iovec *parts, int count)
{
	NEXT(readv);
	FAIL_WITH(judge_io(fd, __func__), EIO)
	return next.readv(fd, parts, verdict == SHORT ? 1 : count);
}

EXPORT ssize_t writev(int fd, const struct iovec *parts, int count)
{
	NEXT(writev);
	FAIL_WITH(judge_io(fd, __func__), EPIPE)
	return next.writev(fd, parts, verdict == SHORT ? 1 : count);
}

EXPORT ssize_t recv(int fd, void *data, size_t size, int flags)
{
	NEXT(recv);
	FAIL_WITH(judge_io(fd, __func__), ECONNRESET)
	return next.recv(fd, data, cut(verdict, size), flags);
}

EXPORT ssize_t send(int fd, const void *data, size_t size, int flags)
{
	NEXT(send);
	FAIL_WITH(judge_io(fd, __func__), EPIPE)
	return next.send(fd, data, cut(verdict, size), flags);
}

EXPORT ssize_t recvmsg(int fd, struct msghdr *message, int flags)
{
	NEXT(recvmsg);
	FAIL_WITH(judge_io(fd, __func__), ECONNRESET)
	return next.recvmsg(fd, message, flags);
}

/* A short sendmsg sends the first part only. */
EXPORT ssize_t sendmsg(int fd, const struct msghdr *message, int flags)
{
	struct msghdr first;
	NEXT(sendmsg);
	FAIL_WITH(judge_io(fd, __func__), EPIPE)
	first = *message;
	if (verdict == SHORT && first.msg_iovlen > 1)
		first.msg_iovlen = 1;
	return next.sendmsg(fd, &first, flags);
}

EXPORT int accept(int fd, struct sockaddr *address, socklen_t *size)
{
	NEXT(accept);
	FAIL_WITH(judge_io(fd, __func__), EMFILE)
	return next.accept(fd, address, size);
}

EXPORT int accept4(int fd, struct sockaddr *address, socklen_t *size, int flags)
{
	NEXT(accept4);
	FAIL_WITH(judge_io(fd, __func__), EMFILE)
	return next.accept4(fd, address, size, flags);
}

EXPORT int connect(int fd, const struct sockaddr *address, socklen_t size)
{
	NEXT(connect);
	FAIL_WITH(judge_io(fd, __func__), ECONNREFUSED)
	return next.connect(fd, address, size);
}

/* ---- waiting: a signal may come at any time ---- */

EXPORT int epoll_wait(int fd, struct epoll_event *events, int count, int timeout)
{
	NEXT(epoll_wait);
	FAIL_WITH(judge(KIND_POLL, __func__), EINTR)
	return next.epoll_wait(fd, events, count, timeout);
}

EXPORT int epoll_pwait(int fd, struct epoll_event *events, int count, int timeout,
		       const sigset_t *mask)
{
	NEXT(epoll_pwait);
	FAIL_WITH(judge(KIND_POLL, __func__), EINTR)
	return next.epoll_pwait(fd, events, count, timeout, mask);
}

EXPORT int poll(struct pollfd *fds, nfds_t count, int timeout)
{
	NEXT(poll);
	FAIL_WITH(judge(KIND_POLL, __func__), EINTR)
	return next.poll(fds, count, timeout);
}

/* ---- files, sockets and processes coming to life ---- */

static void mark_own(const int ends[2], bool is_own)
{
	for (int i = 0; i < 2; i++) {
		if (ends[i] >= 0 && ends[i] < DESCRIPTORS_MAX)
			atomic_store(&fault.is_own[ends[i]], is_own);
	}
}

EXPORT int pipe2(int ends[2], int flags)
{
	int code;
	NEXT(pipe2);
	code = next.pipe2(ends, flags);
	if (code == 0)
		mark_own(ends, true);
	return code;
}

EXPORT int close(int fd)
{
	const int ends[2] = {fd, -1};
	NEXT(close);
	mark_own(ends, false);
	return next.close(fd);
}

EXPORT int open(const char *path, int flags, ...)
{
	va_list list;
	mode_t mode;
	NEXT(open);
	va_start(list, flags);
	mode = (flags & (O_CREAT | O_TMPFILE)) != 0 ? va_arg(list, mode_t) : 0;
	va_end(list);
	FAIL_WITH(judge(KIND_FILE, __func__), EMFILE)
	return next.open(path, flags, mode);
}

EXPORT int openat(int dir, const char *path, int flags, ...)
{
	va_list list;
	mode_t mode;
	NEXT(openat);
	va_start(list, flags);
	mode = (flags & (O_CREAT | O_TMPFILE)) != 0 ? va_arg(list, mode_t) : 0;
	va_end(list);
	FAIL_WITH(judge(KIND_FILE, __func__), EMFILE)
	return next.openat(dir, path, flags, mode);
}

EXPORT int fsync(int fd)
{
	NEXT(fsync);
	FAIL_WITH(judge(KIND_FILE, __func__), EIO)
	return next.fsync(fd);
}

EXPORT int rename(const char *from, const char *to)
{
	NEXT(rename);
	FAIL_WITH(judge(KIND_FILE, __func__), ENOSPC)
	return next.rename(from, to);
}

EXPORT int renameat(int from_dir, const char *from, int to_dir, const char *to)
{
	NEXT(renameat);
	FAIL_WITH(judge(KIND_FILE, __func__), ENOSPC)
	return next.renameat(from_dir, from, to_dir, to);
}

EXPORT int socket(int domain, int type, int protocol)
{
	NEXT(socket);
	FAIL_WITH(judge(KIND_FILE, __func__), EMFILE)
	return next.socket(domain, type, protocol);
}

EXPORT int bind(int fd, const struct sockaddr *address, socklen_t size)
{
	NEXT(bind);
	FAIL_WITH(judge(KIND_FILE, __func__), EADDRINUSE)
	return next.bind(fd, address, size);
}

EXPORT int listen(int fd, int backlog)
{
	NEXT(listen);
	FAIL_WITH(judge(KIND_FILE, __func__), EADDRINUSE)
	return next.listen(fd, backlog);
}

EXPORT int socketpair(int domain, int type, int protocol, int ends[2])
{
	NEXT(socketpair);
	FAIL_WITH(judge(KIND_FILE, __func__), EMFILE)
	return next.socketpair(domain, type, protocol, ends);
}

EXPORT pid_t fork(void)
{
	NEXT(fork);
	FAIL_WITH(judge(KIND_FILE, __func__), EAGAIN)
	return next.fork();
}
