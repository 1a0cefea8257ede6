#include "host/probe.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <netinet/in.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"

enum { EXIT_NO_PROGRAM = 127 };

/* ---- reading with a deadline ---- */

static int left_ms(uint64_t deadline_ms)
{
	uint64_t now = tn_clock_now_ms(&tn_clock_system);

	return now < deadline_ms ? (int)(deadline_ms - now) : 0;
}

/* True: ready. */
static bool wait_for(int fd, short events, uint64_t deadline_ms)
{
	struct pollfd watched = {.fd = fd, .events = events};

	return poll(&watched, 1, left_ms(deadline_ms)) > 0;
}

/* To its end. Fails: EXPIRED, LIMIT, SYSTEM. */
static enum tenon_code read_all(int fd, uint64_t deadline_ms, struct tn_buf *out,
				struct tenon_error *err)
{
	char bytes[4096];
	ssize_t got;

	for (;;) {
		if (!wait_for(fd, POLLIN, deadline_ms))
			return tn_fail(err, TENON_EXPIRED, "no answer in time");
		got = read(fd, bytes, sizeof(bytes));
		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0)
			return tn_fail_errno(err, errno, "read");
		if (got == 0)
			return tn_buf_check(out, err);
		tn_buf_append(out, bytes, (size_t)got);
	}
}

/* ---- programs ---- */

static _Noreturn void become(const char *const *argv, int out)
{
	int null = open("/dev/null", O_RDWR | O_CLOEXEC);

	if (null < 0 || dup2(null, STDIN_FILENO) < 0 || dup2(out, STDOUT_FILENO) < 0 ||
	    dup2(null, STDERR_FILENO) < 0)
		_exit(EXIT_NO_PROGRAM);
	(void)execvp(argv[0], (char *const *)(uintptr_t)argv);
	_exit(EXIT_NO_PROGRAM);
}

enum tenon_code tn_probe_run(const char *const *argv, unsigned timeout_ms, struct tn_buf *out,
			     int *ret_exit, struct tenon_error *err)
{
	uint64_t deadline = tn_clock_now_ms(&tn_clock_system) + timeout_ms;
	int ends[2], status = 0;
	enum tenon_code code;
	pid_t pid;

	if (pipe2(ends, O_CLOEXEC) != 0)
		return tn_fail_errno(err, errno, "pipe");
	pid = fork();
	if (pid == 0)
		become(argv, ends[1]);
	(void)close(ends[1]); /* the child has its own */
	if (pid < 0) {
		(void)close(ends[0]);
		return tn_fail_errno(err, errno, "start a program");
	}
	code = read_all(ends[0], deadline, out, err);
	(void)close(ends[0]);
	if (code != TENON_OK)
		(void)kill(pid, SIGKILL); /* ours, and not waited for yet */
	while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
		;
	if (code != TENON_OK)
		return code;
	*ret_exit = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
	if (*ret_exit == EXIT_NO_PROGRAM)
		return tn_fail(err, TENON_NOT_FOUND, "there is no %.100s", argv[0]);
	return TENON_OK;
}

enum tenon_code tn_probe_beside(const char *name, struct tn_buf *out, struct tenon_error *err)
{
	char path[PATH_MAX];
	ssize_t size = readlink("/proc/self/exe", path, sizeof(path));

	if (size <= 0 || size >= PATH_MAX)
		return tn_fail(err, TENON_SYSTEM, "/proc does not say where this program is");
	while (size > 0 && path[size - 1] != '/')
		size--;
	tn_buf_append(out, path, (size_t)size);
	tn_buf_append_text(out, name);
	return tn_buf_check(out, err);
}

/* ---- HTTP ---- */

static enum tenon_code connect_to(unsigned port, uint64_t deadline_ms, int *ret_fd,
				  struct tenon_error *err)
{
	struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons((uint16_t)port)};
	socklen_t size = sizeof(int);
	int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0), problem = 0;

	if (fd < 0)
		return tn_fail_errno(err, errno, "socket");
	address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	if (connect(fd, (struct sockaddr *)&address, sizeof(address)) != 0 && errno != EINPROGRESS)
		problem = errno;
	else if (!wait_for(fd, POLLOUT, deadline_ms))
		problem = ETIMEDOUT;
	else if (getsockopt(fd, SOL_SOCKET, SO_ERROR, &problem, &size) != 0)
		problem = errno;
	if (problem) {
		(void)close(fd);
		return tn_fail_errno(err, problem, "connect");
	}
	*ret_fd = fd;
	return TENON_OK;
}

static enum tenon_code split_reply(const struct tn_buf *reply, unsigned *ret_status,
				   struct tn_buf *out, struct tenon_error *err)
{
	struct tn_str text = tn_buf_str(reply);
	size_t end = tn_str_find(text, TN_STR("\r\n\r\n"));
	uint64_t status = 0;

	if (!tn_str_starts(text, TN_STR("HTTP/1.1 ")) || end == TN_STR_NONE ||
	    !tn_str_to_uint(tn_str(text.data + 9, 3), &status))
		return tn_fail(err, TENON_INVALID, "what answers there is no HTTP server");
	*ret_status = (unsigned)status;
	tn_buf_append_str(out, tn_str_from_offset(text, end + 4));
	return tn_buf_check(out, err);
}

enum tenon_code tn_probe_get(unsigned port, const char *path, unsigned timeout_ms,
			     unsigned *ret_status, struct tn_buf *out, struct tenon_error *err)
{
	uint64_t deadline = tn_clock_now_ms(&tn_clock_system) + timeout_ms;
	struct tn_buf reply;
	char request[256];
	enum tenon_code code;
	int fd = -1, size;

	code = connect_to(port, deadline, &fd, err);
	if (code != TENON_OK)
		return code;
	size = snprintf(request, sizeof(request),
			"GET %.100s HTTP/1.1\r\nHost: 127.0.0.1:%u\r\nConnection: close\r\n\r\n",
			path, port);
	tn_buf_init(&reply, out->limit + 16384);
	if (send(fd, request, (size_t)size, MSG_NOSIGNAL) != size)
		code = tn_fail(err, TENON_SYSTEM, "the connection broke");
	if (code == TENON_OK)
		code = read_all(fd, deadline, &reply, err);
	if (code == TENON_OK)
		code = split_reply(&reply, ret_status, out, err);
	tn_buf_finish(&reply);
	(void)close(fd);
	return code;
}
