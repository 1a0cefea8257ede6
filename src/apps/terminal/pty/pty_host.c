/* The host: what keeps terminals while there is no daemon. It forks keepers, holds a copy of every
 * descriptor that the daemon has of their sessions, and kills what a killed keeper leaves behind.
 * It never reads output. */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include "hold/confine.h"
#include "apps/terminal/pty/pty.h"
#include "apps/terminal/pty/pty_keeper.h"
#include "apps/terminal/pty/pty_link.h"
#include "apps/terminal/pty/pty_pump.h"
#include "loop/process_tree.h"
#include "base/clock.h"
#include "base/mem.h"

enum {
	ORPHAN_AGAIN_MS = 10, /* between two passes over what a keeper left behind */
	ORPHAN_MS = 1500,     /* then it cannot be killed by us */
	ENDING_MS = 3000,     /* HUP, TERM and KILL when the daemon ends in order ... */
	LOST_ENDING_MS = 900, /* ... and when nobody came back */
	SEND_MS = 2000,       /* for a daemon to take what it asked for */
	ACCEPT_BACKLOG = 8,
};

struct session {
	struct session *next;
	char key[TN_PTY_KEY_SIZE];
	pid_t keeper;
	int fds[TN_PTY_FDS_KEPT + 1]; /* the last one is the master, or -1 */
	bool is_gone;                 /* its keeper was killed */
	bool gone_told;
};

struct host {
	struct session *sessions;
	int connection; /* to the daemon; -1: none */
	bool greeted;   /* it has said HELLO, or it has started us */
	int listener;   /* -1: nobody else can find us */
	int signals;
	int life[2]; /* the writing end is ours alone: it closes when we end */
	struct sockaddr_un at;
	struct stat at_info;
	uint32_t grace_ms;
	uint64_t grace_due;  /* 0: a daemon is there */
	uint64_t orphan_due; /* 0: nobody was left behind */
	uint64_t orphan_end;
	uint64_t end_due; /* 0: we go on; else keepers are killed then */
	struct rlimit files;
};

static uint64_t now_ms(void)
{
	return tn_clock_now_ms(&tn_clock_system);
}

/* ---- sessions ---- */

static void forget(struct host *host, struct session *session)
{
	struct session **at = &host->sessions;

	while (*at != session)
		at = &(*at)->next;
	*at = session->next;
	for (int i = 0; i <= TN_PTY_FDS_KEPT; i++)
		tn_pty_close_fd(&session->fds[i]);
	tn_mem_free(session);
}

/* To a daemon that has not said hello they are told in the list of sessions. */
static void tell_gone(struct host *host)
{
	struct session *next;

	for (struct session *s = host->sessions; s && host->connection >= 0 && host->greeted;
	     s = next) {
		struct tn_pty_packet packet = {.message = {.word = TN_PTY_WORD_GONE}};

		next = s->next;
		if (!s->is_gone)
			continue;
		memcpy(packet.message.key, s->key, sizeof(s->key));
		if (tn_pty_pass_send(host->connection, &packet, SEND_MS, NULL) == TENON_OK)
			forget(host, s);
	}
}

/* No keeper could be made: the daemon reads it where a keeper would have written it. */
static void tell_unborn(const struct session *session, int number)
{
	const uint64_t one = 1;
	size_t size;
	struct tn_pty_shared *shared = tn_pty_shared_map(session->fds[TN_PTY_FD_SHARED], &size);

	if (!shared)
		return;
	shared->spawn_errno = number;
	shared->spawn_step = TN_PTY_STEP_PROCESS;
	for (int i = 0; i < TN_PTY_STREAMS; i++)
		atomic_store(&shared->rings[i].ended, 1);
	atomic_store(&shared->state, TN_PTY_EXITED);
	(void)munmap(shared, size);
	if (write(session->fds[TN_PTY_FD_BELL], &one, sizeof(one)) < 0)
		return; /* it rings already */
}

static struct session *add_session(struct host *host, struct tn_pty_packet *packet)
{
	struct session *session = tn_mem_alloc(sizeof(*session));

	if (!session)
		return NULL;
	memcpy(session->key, packet->message.key, sizeof(session->key));
	for (int i = 0; i < TN_PTY_FDS_KEPT; i++)
		session->fds[i] = packet->fds[i];
	session->fds[TN_PTY_FDS_KEPT] = -1;
	if (packet->message.flags & TN_PTY_HAS_MASTER)
		session->fds[TN_PTY_FDS_KEPT] = packet->fds[TN_PTY_FDS_NEEDED];
	session->next = host->sessions;
	host->sessions = session;
	return session;
}

static void spawn(struct host *host, struct tn_pty_packet *packet)
{
	struct tn_pty_keeper_start start = {packet, host->life[0], host->files};
	struct session *session;
	size_t kept = TN_PTY_FDS_NEEDED, wanted;

	kept += packet->message.flags & TN_PTY_HAS_MASTER ? 1 : 0;
	wanted = kept + (packet->message.flags & TN_PTY_HAS_STDIN ? 1 : 0) +
		 (packet->message.flags & TN_PTY_HAS_DIRECTORY ? 1 : 0) +
		 (packet->message.flags & TN_PTY_HAS_HELD ? 1 : 0);
	session = packet->fd_count == wanted ? add_session(host, packet) : NULL;
	if (!session) {
		tn_pty_packet_close(packet); /* its socket closes, and so it is lost */
		return;
	}
	session->keeper = fork();
	if (session->keeper == 0)
		tn_pty_keeper_run(&start);
	tn_pty_close_fd(&packet->fds[TN_PTY_FD_KEEPER]);
	tn_pty_close_fd(&packet->fds[TN_PTY_FD_REQUEST]);
	for (size_t i = kept; i < wanted; i++)
		tn_pty_close_fd(&packet->fds[i]); /* the keeper's alone */
	if (session->keeper < 0) {
		tell_unborn(session, errno);
		forget(host, session);
	}
}

/* ---- keepers that end ---- */

static int compare(const void *a, const void *b)
{
	const pid_t *left = a, *right = b;

	return (*left > *right) - (*left < *right);
}

/* What sessions have left in /tmp whose watcher, keeper or daemon was killed. In a process of its
 * own, which nobody waits for: should it be taken for an orphan, the next one goes on. */
static void sweep_aside(void)
{
	if (fork() != 0)
		return;
	(void)close_range(STDERR_FILENO + 1, ~0U, 0); /* it keeps nobody's session open */
	tn_confine_temp_sweep();
	_exit(0);
}

/* We fork keepers, and what sweeps: any other child has come from one that was killed. */
static void kill_orphans(struct host *host)
{
	struct tn_process_tree tree = {0};
	pid_t *keepers;
	size_t count = 0;

	for (const struct session *s = host->sessions; s; s = s->next)
		count += !s->is_gone;
	keepers = tn_mem_alloc_array(count, sizeof(*keepers));
	if (!keepers)
		return; /* the next pass */
	for (const struct session *s = host->sessions; s; s = s->next) {
		if (!s->is_gone)
			keepers[tree.spared_count++] = s->keeper;
	}
	qsort(keepers, count, sizeof(*keepers), compare);
	tree.spared = keepers;
	(void)tn_process_tree_kill(&tree, getpid());
	host->orphan_due = now_ms() + ORPHAN_AGAIN_MS;
	if (tree.count == 0 || now_ms() >= host->orphan_end) {
		host->orphan_due = 0;
		tell_gone(host);
	}
	tn_process_tree_finish(&tree);
	tn_mem_free(keepers);
	if (!host->orphan_due)
		sweep_aside();
}

static void keeper_ended(struct host *host, struct session *session, int status)
{
	if (WIFEXITED(status) && WEXITSTATUS(status) == 0) {
		forget(host, session); /* it was told to */
		return;
	}
	session->is_gone = true;
	host->orphan_due = now_ms();
	host->orphan_end = now_ms() + ORPHAN_MS;
}

static void reap(struct host *host)
{
	int status;
	pid_t pid;

	while ((pid = waitpid(-1, &status, WNOHANG)) > 0) {
		struct session *s = host->sessions;

		while (s && (s->keeper != pid || s->is_gone))
			s = s->next;
		if (s)
			keeper_ended(host, s, status);
	}
}

/* ---- the end ---- */

static void begin_end(struct host *host, uint32_t grace_ms)
{
	const struct tn_pty_command command = {
		.order = TN_PTY_ORDER_END, .grace_ms = grace_ms, .leave = 1};

	if (host->end_due)
		return;
	host->end_due = now_ms() + TN_PTY_SHUTDOWN_MS - TN_PTY_SHUTDOWN_MS / 5;
	for (const struct session *s = host->sessions; s; s = s->next)
		(void)send(s->fds[TN_PTY_FD_SOCKET], &command, sizeof(command),
			   MSG_NOSIGNAL | MSG_DONTWAIT); /* else it is killed when it is due */
}

static bool is_over(struct host *host)
{
	struct session *next;

	if (!host->end_due)
		return false;
	for (struct session *s = host->sessions; s; s = next) {
		next = s->next;
		if (s->is_gone && !host->orphan_due)
			forget(host, s);
		else if (!s->is_gone && now_ms() >= host->end_due)
			(void)kill(s->keeper, SIGKILL); /* our child, not yet waited for */
	}
	return !host->sessions && !host->orphan_due;
}

static void lose_daemon(struct host *host)
{
	tn_pty_close_fd(&host->connection);
	if (!host->sessions || host->listener < 0 || host->grace_ms == 0)
		begin_end(host, LOST_ENDING_MS);
	else
		host->grace_due = now_ms() + host->grace_ms;
}

/* ---- the daemon ---- */

static bool send_session(struct host *host, const struct session *session)
{
	struct tn_pty_packet packet = {.message = {.word = TN_PTY_WORD_SESSION},
				       .fd_count = TN_PTY_FDS_KEPT};

	memcpy(packet.message.key, session->key, sizeof(session->key));
	memcpy(packet.fds, session->fds, sizeof(session->fds));
	if (session->fds[TN_PTY_FDS_KEPT] >= 0) {
		packet.message.flags |= TN_PTY_HAS_MASTER;
		packet.fd_count++;
	}
	if (session->is_gone)
		packet.message.flags |= TN_PTY_IS_GONE;
	return tn_pty_pass_send(host->connection, &packet, SEND_MS, NULL) == TENON_OK;
}

static void greet(struct host *host, const struct tn_pty_message *message)
{
	struct tn_pty_packet answer = {.message = {.word = TN_PTY_WORD_WELCOME,
						   .version = TN_PTY_WIRE_VERSION,
						   .pid = getpid()}};
	bool sent;

	if (message->version != TN_PTY_WIRE_VERSION)
		begin_end(host, LOST_ENDING_MS);
	if (host->end_due) {
		answer.message.word = TN_PTY_WORD_REFUSED;
		answer.message.number = 1;
	}
	for (const struct session *s = host->sessions; s; s = s->next)
		answer.message.number += !host->end_due;
	host->greeted = true;
	sent = tn_pty_pass_send(host->connection, &answer, SEND_MS, NULL) == TENON_OK;
	for (const struct session *s = host->sessions; s && sent && !host->end_due; s = s->next)
		sent = send_session(host, s);
	if (!sent || host->end_due) {
		tn_pty_close_fd(&host->connection);
		host->greeted = false;
		return;
	}
	host->grace_due = 0;
	tell_gone(host); /* they were in the list as gone; now they are forgotten */
}

static void obey(struct host *host, struct tn_pty_packet *packet)
{
	if (packet->message.word == TN_PTY_WORD_HELLO && !host->greeted)
		greet(host, &packet->message);
	else if (packet->message.word == TN_PTY_WORD_SPAWN && host->greeted && !host->end_due)
		spawn(host, packet);
	else if (packet->message.word == TN_PTY_WORD_SHUTDOWN && host->greeted)
		begin_end(host, ENDING_MS);
	else
		tn_pty_packet_close(packet);
}

static void hear(struct host *host)
{
	while (host->connection >= 0) {
		struct tn_pty_packet packet;
		enum tenon_code code = tn_pty_pass_receive(host->connection, &packet, 0, NULL);

		if (code == TENON_BUSY)
			return;
		if (code == TENON_OK) {
			obey(host, &packet);
		} else if (code == TENON_LIMIT) {
			continue; /* what it was about is lost; the daemon sees its socket close */
		} else {
			/* A daemon of another version: it will not understand us. */
			if (code == TENON_INVALID && !host->greeted)
				begin_end(host, LOST_ENDING_MS);
			lose_daemon(host);
		}
	}
}

static bool is_our_user(int fd)
{
	struct ucred peer;
	socklen_t size = sizeof(peer);

	return getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &peer, &size) == 0 && peer.uid == geteuid();
}

static void accept_daemon(struct host *host)
{
	struct tn_pty_packet refusal = {.message = {.word = TN_PTY_WORD_REFUSED}};
	int fd = accept4(host->listener, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);
	enum tenon_code told;

	if (fd < 0)
		return;
	/* A daemon that was killed has closed its end by now: that is seen before a new one. */
	hear(host);
	if (is_our_user(fd) && host->connection < 0) {
		host->connection = fd;
		host->greeted = false;
		return;
	}
	told = tn_pty_pass_send(fd, &refusal, 0, NULL);
	(void)told; /* it sees the end in any case */
	(void)close(fd);
}

/* ---- the start ---- */

/* Under a name of its own first, so that nobody finds it before it listens. */
static void listen_at(struct host *host, const char *path)
{
	struct sockaddr_un hidden = {.sun_family = AF_UNIX};
	int size = snprintf(hidden.sun_path, sizeof(hidden.sun_path), "%s.%d", path, (int)getpid());

	if (size < 0 || (size_t)size >= sizeof(hidden.sun_path))
		return;
	host->at.sun_family = AF_UNIX;
	memcpy(host->at.sun_path, path, strlen(path) + 1); /* shorter than the other */
	host->listener = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	if (host->listener < 0)
		return;
	(void)unlink(hidden.sun_path); /* of an earlier process of this number */
	(void)umask(S_IRWXG | S_IRWXO | S_IXUSR);
	if (bind(host->listener, (const struct sockaddr *)&hidden, sizeof(hidden)) != 0 ||
	    lstat(hidden.sun_path, &host->at_info) != 0 ||
	    listen(host->listener, ACCEPT_BACKLOG) != 0 ||
	    rename(hidden.sun_path, host->at.sun_path) != 0) {
		(void)unlink(hidden.sun_path); /* then we end with our daemon */
		tn_pty_close_fd(&host->listener);
	}
}

static void unlisten(struct host *host)
{
	struct stat info;

	if (host->listener >= 0 && lstat(host->at.sun_path, &info) == 0 &&
	    info.st_ino == host->at_info.st_ino && info.st_dev == host->at_info.st_dev)
		(void)unlink(host->at.sun_path); /* stays: the next one finds it dead */
}

static bool prepare(struct host *host, int argc, char **argv)
{
	struct rlimit most;
	sigset_t all, wanted;

	if (argc < 2)
		return false;
	host->grace_ms = (uint32_t)strtoul(argv[1], NULL, 10);
	(void)setsid();
	/* Whoever may look into us has every terminal. */
	(void)prctl(PR_SET_DUMPABLE, 0);
	(void)prctl(PR_SET_CHILD_SUBREAPER, 1);
	(void)prctl(PR_SET_NAME, "tenon-pty-host");
	if (getrlimit(RLIMIT_NOFILE, &host->files) == 0) {
		most = (struct rlimit){host->files.rlim_max, host->files.rlim_max};
		(void)setrlimit(RLIMIT_NOFILE, &most); /* four for each session */
	}
	(void)sigfillset(&all);
	(void)sigprocmask(SIG_SETMASK, &all, NULL);
	(void)sigemptyset(&wanted);
	(void)sigaddset(&wanted, SIGCHLD);
	(void)sigaddset(&wanted, SIGTERM);
	host->signals = signalfd(-1, &wanted, SFD_CLOEXEC | SFD_NONBLOCK);
	if (host->signals < 0 || pipe2(host->life, O_CLOEXEC) != 0)
		return false;
	if (argc > 2)
		listen_at(host, argv[2]);
	return chdir("/") == 0;
}

static void hear_signals(struct host *host)
{
	struct signalfd_siginfo info;

	while (read(host->signals, &info, sizeof(info)) == sizeof(info)) {
		if (info.ssi_signo == SIGTERM)
			begin_end(host, ENDING_MS);
	}
}

static void sooner(int *timeout, uint64_t due_ms)
{
	uint64_t now = now_ms(), left = due_ms > now ? due_ms - now : 0;

	if (due_ms && (*timeout < 0 || left < (uint64_t)*timeout))
		*timeout = (int)left;
}

static void turn(struct host *host)
{
	struct pollfd polled[] = {{.fd = host->connection, .events = POLLIN},
				  {.fd = host->listener, .events = POLLIN},
				  {.fd = host->signals, .events = POLLIN}};
	int timeout = -1;

	sooner(&timeout, host->grace_due);
	sooner(&timeout, host->orphan_due);
	sooner(&timeout, host->end_due > now_ms() ? host->end_due : now_ms() + 20);
	if (!host->end_due && !host->grace_due && !host->orphan_due)
		timeout = -1;
	if (poll(polled, 3, timeout) > 0) {
		if (polled[0].revents)
			hear(host);
		if (polled[1].revents)
			accept_daemon(host);
		if (polled[2].revents)
			hear_signals(host);
	}
	reap(host);
	if (host->orphan_due && now_ms() >= host->orphan_due)
		kill_orphans(host);
	if (host->grace_due && now_ms() >= host->grace_due) {
		host->grace_due = 0;
		begin_end(host, LOST_ENDING_MS);
	}
}

int tn_pty_host_main(int argc, char **argv)
{
	struct host host = {
		.connection = TN_PTY_LINK_FD, .greeted = true, .listener = -1, .signals = -1};

	if (!prepare(&host, argc, argv))
		return 70;
	sweep_aside();
	while (!is_over(&host))
		turn(&host);
	unlisten(&host);
	_exit(0); /* nothing to tidy up: sessions have ended, and memory goes with us */
}
