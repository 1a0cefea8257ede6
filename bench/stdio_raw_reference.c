/* stdio_raw_reference.c - the least a program can do that answers lines: what the stdio rows of
 * `make bench` are divided by.
 *
 *     stdio_raw_reference [BYTES [SOCKET]]   the size of each answer, newline included; 128 unless
 *                                            told; on a Unix socket instead of standard input
 *
 * One read, newlines counted, one write with as many fixed answers. At the end of input it prints
 * its processor time a call: when that is off its recorded figure, the machine is not itself. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#define READ_BYTES (64 * 1024)
#define PIPE_BYTES (1024 * 1024)
#define ANSWERS_BYTES (16 * 1024 * 1024)
#define EVENTS_MAX 256

struct reference {
	char *chunk;
	char *answers; /* touched only as far as it is needed */
	size_t answer_bytes;
	size_t filled; /* whole answers standing in `answers`, in bytes */
	size_t calls;
};

static void fill(struct reference *reference, size_t bytes)
{
	while (reference->filled < bytes) {
		char *answer = reference->answers + reference->filled;
		memset(answer, 'x', reference->answer_bytes - 1);
		answer[reference->answer_bytes - 1] = '\n';
		reference->filled += reference->answer_bytes;
	}
}

static int answer(struct reference *reference, int fd, size_t lines)
{
	const size_t most = ANSWERS_BYTES / reference->answer_bytes;
	reference->calls += lines;
	while (lines > 0) {
		const size_t now = lines < most ? lines : most;
		size_t size = now * reference->answer_bytes;
		const char *data = reference->answers;
		fill(reference, size);
		while (size > 0) {
			const ssize_t done = write(fd, data, size);
			if (done < 0 && errno != EINTR)
				return -1;
			if (done > 0) {
				data += done;
				size -= (size_t)done;
			}
		}
		lines -= now;
	}
	return 0;
}

static size_t count_lines(const char *data, size_t size)
{
	size_t lines = 0;
	const char *end = data + size;
	while ((data = memchr(data, '\n', (size_t)(end - data))) != NULL) {
		lines++;
		data++;
	}
	return lines;
}

/* False: the peer is gone, or an answer could not be written. */
static bool serve(struct reference *reference, int in, int out)
{
	const ssize_t size = read(in, reference->chunk, READ_BYTES);
	if (size < 0 && errno == EINTR)
		return true;
	return size > 0 && answer(reference, out, count_lines(reference->chunk, (size_t)size)) == 0;
}

static void watch(int epoll, int fd)
{
	struct epoll_event interest = {.events = EPOLLIN, .data.fd = fd};
	(void)epoll_ctl(epoll, EPOLL_CTL_ADD, fd, &interest);
}

/* Until a signal ends it. */
static int serve_socket(struct reference *reference, const char *path)
{
	struct sockaddr_un at = {.sun_family = AF_UNIX};
	struct epoll_event events[EVENTS_MAX];
	const int listener = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
	const int epoll = epoll_create1(EPOLL_CLOEXEC);
	(void)signal(SIGPIPE, SIG_IGN);
	(void)snprintf(at.sun_path, sizeof(at.sun_path), "%s", path);
	if (bind(listener, (struct sockaddr *)&at, sizeof(at)) != 0 || listen(listener, 1024) != 0)
		return 1;
	watch(epoll, listener);
	for (;;) {
		const int count = epoll_wait(epoll, events, EVENTS_MAX, -1);
		for (int i = 0; i < count; i++) {
			const int fd = events[i].data.fd;
			if (fd == listener)
				watch(epoll, accept4(listener, NULL, NULL, SOCK_CLOEXEC));
			else if (!serve(reference, fd, fd))
				(void)close(fd);
		}
	}
}

int main(int argc, char **argv)
{
	struct reference reference = {.answer_bytes = argc > 1 ? strtoul(argv[1], NULL, 10) : 128};
	struct rusage usage;
	reference.chunk = mmap(NULL, READ_BYTES + ANSWERS_BYTES, PROT_READ | PROT_WRITE,
			       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	reference.answers = reference.chunk + READ_BYTES;
	if (reference.chunk == MAP_FAILED || reference.answer_bytes < 1 ||
	    reference.answer_bytes > ANSWERS_BYTES)
		return 2;
	(void)fcntl(STDIN_FILENO, F_SETPIPE_SZ, PIPE_BYTES); /* not a pipe: nothing lost */
	(void)fcntl(STDOUT_FILENO, F_SETPIPE_SZ, PIPE_BYTES);
	if (argc > 2)
		return serve_socket(&reference, argv[2]);
	while (serve(&reference, STDIN_FILENO, STDOUT_FILENO))
		;
	(void)getrusage(RUSAGE_SELF, &usage);
	const double cpu_us = (double)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) * 1e6 +
			      (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec);
	if (reference.calls > 1000) /* fewer tell more about starting than about calls */
		(void)fprintf(stderr, "reference: %zu calls, %.3f us of processor time each\n",
			      reference.calls, cpu_us / (double)reference.calls);
	return 0;
}
