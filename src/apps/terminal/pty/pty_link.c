#include "apps/terminal/pty/pty_link.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include "apps/terminal/limits.h"
#include "apps/terminal/pty/pty_pass.h"

enum { ANSWER_MS = 3000, NUMBER_BYTES = 16, ENDING_MS = TN_PTY_SHUTDOWN_MS };

/* ---- the end ---- */

/* Waits for the end of a process that may be anybody's child. */
static bool wait_for_end(pid_t pid, int wait_ms)
{
	int fd = (int)syscall(SYS_pidfd_open, pid, 0); /* closes on exec by itself */
	struct pollfd polled = {.fd = fd, .events = POLLIN};
	int ready;

	if (fd < 0)
		return true; /* it is no more */
	do
		ready = poll(&polled, 1, wait_ms);
	while (ready < 0 && errno == EINTR);
	(void)close(fd); /* a name, no more */
	return ready > 0;
}

void tn_pty_link_drop(struct tn_pty_link *link)
{
	tn_pty_close_fd(&link->fd);
	if (link->is_child)
		(void)waitpid(link->pid, NULL,
			      WNOHANG); /* if it still runs, the next one finds it */
	*link = (struct tn_pty_link){.fd = -1};
}

void tn_pty_link_end(struct tn_pty_link *link, int wait_ms)
{
	if (!wait_for_end(link->pid, wait_ms)) {
		(void)kill(link->pid, SIGKILL); /* it was there a moment ago; its keepers follow */
		(void)wait_for_end(link->pid, wait_ms);
	}
	tn_pty_link_drop(link);
}

/* ---- finding ---- */

static enum tenon_code connect_to(const char *path, int *ret_fd, pid_t *ret_pid,
				  struct tenon_error *err)
{
	struct sockaddr_un at = {.sun_family = AF_UNIX};
	struct ucred peer;
	socklen_t size = sizeof(peer);
	size_t length = strlen(path);
	int fd;

	if (length >= sizeof(at.sun_path))
		return tn_fail(err, TENON_INVALID, "the path of a socket is too long");
	memcpy(at.sun_path, path, length);
	fd = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);
	if (fd < 0)
		return tn_fail_errno(err, errno, "open a socket");
	if (connect(fd, (const struct sockaddr *)&at, sizeof(at)) != 0) {
		(void)close(fd);
		return tn_fail(err, TENON_NOT_FOUND, "no keeper of terminals runs");
	}
	if (getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &peer, &size) != 0 || peer.uid != geteuid()) {
		(void)close(fd);
		return tn_fail(err, TENON_DENIED, "the keeper of terminals is another user's");
	}
	*ret_fd = fd;
	*ret_pid = peer.pid;
	return TENON_OK;
}

enum tenon_code tn_pty_link_find(struct tn_pty_link *link, const char *path, int *ret_sessions,
				 struct tenon_error *err)
{
	struct tn_pty_packet packet = {
		.message = {.word = TN_PTY_WORD_HELLO, .version = TN_PTY_WIRE_VERSION}};
	enum tenon_code code;

	*link = (struct tn_pty_link){.fd = -1};
	code = connect_to(path, &link->fd, &link->pid, err);
	if (code != TENON_OK)
		return code;
	code = tn_pty_pass_send(link->fd, &packet, ANSWER_MS, err);
	/* One that has a daemon may have closed its end by now, after saying so. */
	if (code == TENON_OK || code == TENON_EXPIRED)
		code = tn_pty_pass_receive(link->fd, &packet, ANSWER_MS, err);
	if (code == TENON_OK && packet.message.word == TN_PTY_WORD_WELCOME &&
	    packet.message.version == TN_PTY_WIRE_VERSION) {
		*ret_sessions = packet.message.number;
		return TENON_OK;
	}
	tn_pty_packet_close(&packet);
	if (code == TENON_OK && packet.message.word == TN_PTY_WORD_REFUSED &&
	    !packet.message.number) {
		tn_pty_link_drop(link);
		return tn_fail(err, TENON_BUSY, "another server has these terminals");
	}
	/* It ends, or it is one that we do not understand. */
	tn_pty_link_end(link, ENDING_MS);
	return tn_fail(err, TENON_NOT_FOUND, "no keeper of terminals runs");
}

/* ---- starting ---- */

static _Noreturn void become(int connection, int report, const char *program, char *const *argv)
{
	static char *const no_environment[] = {NULL};
	int null = open("/dev/null", O_RDWR | O_CLOEXEC);
	sigset_t none;
	int number;

	(void)sigemptyset(&none);
	(void)sigprocmask(SIG_SETMASK, &none, NULL);
	/* Out of the way of the numbers that follow. */
	connection = fcntl(connection, F_DUPFD_CLOEXEC, TN_PTY_LINK_FD + 2);
	report = fcntl(report, F_DUPFD_CLOEXEC, TN_PTY_LINK_FD + 2);
	if (null >= 0 && connection >= 0 && report >= 0 && dup2(null, STDIN_FILENO) >= 0 &&
	    dup2(null, STDOUT_FILENO) >= 0 && dup2(null, STDERR_FILENO) >= 0 &&
	    dup2(connection, TN_PTY_LINK_FD) >= 0 && dup2(report, TN_PTY_LINK_FD + 1) >= 0 &&
	    fcntl(TN_PTY_LINK_FD + 1, F_SETFD, FD_CLOEXEC) == 0) {
		(void)syscall(SYS_close_range, TN_PTY_LINK_FD + 2, ~0U, 0);
		report = TN_PTY_LINK_FD + 1;
		(void)execve(program, argv, no_environment);
	}
	number = errno;
	if (write(report, &number, sizeof(number)) < 0)
		_exit(126);
	_exit(127);
}

enum tenon_code tn_pty_link_start(struct tn_pty_link *link, const char *program, const char *path,
				  uint32_t grace_ms, struct tenon_error *err)
{
	char word[] = "--pty-host", name[] = "tenond", grace[NUMBER_BYTES];
	char *argv[] = {name, word, grace, (char *)(uintptr_t)path, NULL};
	int ends[2] = {-1, -1}, report[2] = {-1, -1}, number = 0;
	ssize_t got = -1;
	pid_t pid;

	(void)snprintf(grace, sizeof(grace), "%u", (unsigned)grace_ms);
	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) != 0 ||
	    pipe2(report, O_CLOEXEC) != 0) {
		number = errno;
		goto out;
	}
	pid = fork();
	if (pid == 0)
		become(ends[1], report[1], program ? program : "/proc/self/exe", argv);
	number = errno;
	if (pid < 0)
		goto out;
	tn_pty_close_fd(&report[1]);
	do
		got = read(report[0], &number, sizeof(number));
	while (got < 0 && errno == EINTR);
	if (got == 0) {
		*link = (struct tn_pty_link){ends[0], pid, true};
		ends[0] = -1;
	} else {
		(void)waitpid(pid, NULL, 0); /* it has said why, and ends */
	}
out:
	for (int i = 0; i < 2; i++) {
		tn_pty_close_fd(&ends[i]);
		tn_pty_close_fd(&report[i]);
	}
	if (got == 0)
		return TENON_OK;
	if (number == EMFILE || number == ENFILE || number == EAGAIN)
		return tn_fail(err, TENON_LIMIT, "no more processes or open files are allowed");
	return tn_fail_errno(err, number, "start the keeper of terminals");
}
