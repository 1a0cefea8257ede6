/* The daemon's half of the host: attaching, starting, spawning, and the turns of its PTYs. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <termios.h>
#include <unistd.h>

#include "apps/terminal/pty/internal.h"
#include "apps/terminal/limits.h"
#include "loop/process_tree.h"
#include "base/mem.h"
#include "base/size.h"

enum {
	MOURN_LOOK_MS =
		20, /* after the host was killed: whether keepers have ended their sessions */
	MOURN_MS = 2500,
	DYING_MS = 500,
	SEND_MS = 1000,    /* for the host to take a session */
	SESSION_MS = 3000, /* for the next of the sessions it has announced */
	DEFAULT_UMASK = 022,
	SWEEPS = 10, /* what was just born is found by the next one */
};

/* ---- turns ---- */

static void free_host(struct tn_pty_host *host)
{
	tn_later_close(host->later);
	tn_timer_close(host->mourning);
	tn_mem_free(host->program);
	tn_mem_free(host->path);
	tn_mem_free(host);
}

/* One turn for each that was due when this one began. */
static void take_turns(struct tn_later *later, void *data)
{
	struct tn_pty_host *host = data;
	size_t count = 0;

	(void)later;
	for (const struct tn_pty *pty = host->due; pty; pty = pty->next_due)
		count++;
	host->is_serving = true;
	while (count-- > 0 && host->due && !host->is_closed) {
		struct tn_pty *pty = host->due;

		host->due = pty->next_due;
		if (!host->due)
			host->due_end = &host->due;
		pty->is_due = false;
		tn_pty_serve(pty);
	}
	host->is_serving = false;
	if (host->is_closed)
		free_host(host);
}

/* ---- losing it ---- */

size_t tn_pty_sweep(const char *key)
{
	char variable[TN_PTY_KEY_SIZE + sizeof("TENON_SESSION_ID=")];
	size_t all = 0, now;

	(void)snprintf(variable, sizeof(variable), "TENON_SESSION_ID=%s", key);
	for (int pass = 0; pass < SWEEPS; pass++) {
		now = tn_process_tree_sweep(variable);
		if (now == 0)
			break;
		all += now;
	}
	return all;
}

static void lose(struct tn_pty *pty)
{
	pty->is_lost = true;
	tn_pty_request_turn(pty);
}

/* Keepers end their sessions when the host has gone: who has done so is lost, all others later. */
static void mourn(struct tn_timer *timer, void *data)
{
	struct tn_pty_host *host = data;
	bool any = false, late = tn_loop_now_ms(host->loop) >= host->mourning_end;

	for (struct tn_pty *pty = host->all; pty; pty = pty->next) {
		int32_t keeper = atomic_load(&pty->shared->keeper_pid);

		if (pty->is_lost || pty->socket < 0)
			continue;
		if (atomic_load(&pty->shared->state) == TN_PTY_CLOSED) {
			lose(pty);
		} else if (late || keeper == 0 || kill(keeper, 0) != 0) {
			(void)tn_pty_sweep(
				pty->key); /* it was killed as well, before it was done */
			lose(pty);
		} else {
			any = true;
		}
	}
	if (any)
		tn_timer_start(timer, MOURN_LOOK_MS);
}

static void lose_host(struct tn_pty_host *host)
{
	tn_io_close(host->link_io);
	host->link_io = NULL;
	tn_pty_link_end(&host->link, DYING_MS); /* it has closed its end: it is ending */
	host->mourning_end = tn_loop_now_ms(host->loop) + MOURN_MS;
	tn_timer_start(host->mourning, 0);
}

static void link_ready(struct tn_io *io, int events, void *data)
{
	struct tn_pty_host *host = data;
	struct tn_pty_packet packet;
	enum tenon_code code = tn_pty_pass_receive(host->link.fd, &packet, 0, NULL);

	(void)io;
	(void)events;
	if (code == TENON_BUSY)
		return;
	if (code != TENON_OK) {
		lose_host(host);
		return;
	}
	tn_pty_packet_close(&packet); /* it sends none without being asked */
	if (packet.message.word != TN_PTY_WORD_GONE)
		return;
	for (struct tn_pty *pty = host->all; pty; pty = pty->next) {
		if (strcmp(pty->key, packet.message.key) == 0)
			lose(pty);
	}
}

static enum tenon_code watch_link(struct tn_pty_host *host, struct tenon_error *err)
{
	enum tenon_code code =
		tn_io_open(host->loop, host->link.fd, link_ready, host, &host->link_io, err);

	if (code == TENON_OK)
		tn_io_watch(host->link_io, TN_IO_READ);
	return code;
}

/* ---- attaching ---- */

/* The sessions of an earlier daemon. */
static enum tenon_code take_over(struct tn_pty_host *host, int count, struct tenon_error *err)
{
	const struct tn_pty_command room = {.order = TN_PTY_ORDER_ROOM};

	while (count-- > 0) {
		struct tn_pty_packet packet;
		enum tenon_code code = tn_pty_pass_receive(host->link.fd, &packet, SESSION_MS, err);
		int fds[TN_PTY_FDS_KEPT + 1];
		struct tn_pty *pty;

		if (code == TENON_LIMIT)
			continue; /* the host ends it when we end */
		if (code != TENON_OK)
			return code;
		if (packet.message.word != TN_PTY_WORD_SESSION ||
		    packet.fd_count < TN_PTY_FDS_KEPT) {
			tn_pty_packet_close(&packet);
			return tn_fail(err, TENON_SYSTEM, "the keeper of terminals spoke nonsense");
		}
		for (int i = 0; i <= TN_PTY_FDS_KEPT; i++)
			fds[i] = (size_t)i < packet.fd_count ? packet.fds[i] : -1;
		code = tn_pty_adopt(host, packet.message.key, fds, &pty, err);
		if (code == TENON_OK)
			packet.fd_count = 1; /* the others are the PTY's now */
		tn_pty_packet_close(&packet);
		if (code != TENON_OK)
			return code;
		pty->is_lost = packet.message.flags & TN_PTY_IS_GONE;
		/* The daemon before us may have died just before it said this. */
		(void)tn_pty_order(pty, &room);
		pty->data = host->options.found
				    ? host->options.found(pty, pty->key, host->options.data)
				    : NULL;
		if (pty->data)
			tn_pty_request_turn(pty);
		else
			tn_pty_close(pty);
	}
	return TENON_OK;
}

static enum tenon_code attach(struct tn_pty_host *host, struct tenon_error *err)
{
	int count = 0;
	enum tenon_code code = tn_pty_link_find(&host->link, host->path, &count, err);

	if (code == TENON_NOT_FOUND || code == TENON_INVALID)
		return TENON_OK; /* one is started with the first session */
	if (code != TENON_OK)
		return code;
	if (host->options.started)
		host->options.started(host->link.pid, host->options.data);
	code = take_over(host, count, err);
	return code == TENON_OK ? watch_link(host, err) : code;
}

static bool copy_text(const char *text, char **ret)
{
	*ret = text ? tn_mem_copy_text(text, strlen(text)) : NULL;
	return !text || *ret;
}

enum tenon_code tn_pty_host_open(struct tn_loop *loop, const struct tn_pty_host_options *options,
				 struct tn_pty_host **ret, struct tenon_error *err)
{
	struct tn_pty_host *host = tn_mem_alloc(sizeof(*host));
	enum tenon_code code;

	if (!host)
		return tn_fail(err, TENON_NO_MEMORY, "out of memory");
	host->loop = loop;
	host->options = *options;
	host->link.fd = -1;
	host->due_end = &host->due;
	code = tn_later_open(loop, take_turns, host, &host->later, err);
	if (code == TENON_OK)
		code = tn_timer_open(loop, mourn, host, &host->mourning, err);
	if (code == TENON_OK && (!copy_text(options->program, &host->program) ||
				 !copy_text(options->socket_path, &host->path)))
		code = tn_fail(err, TENON_NO_MEMORY, "out of memory");
	if (code == TENON_OK && host->path)
		code = attach(host, err);
	if (code != TENON_OK) {
		tn_pty_host_close(host, true);
		return code;
	}
	*ret = host;
	return TENON_OK;
}

void tn_pty_host_close(struct tn_pty_host *host, bool keep)
{
	struct tn_pty_packet packet = {.message = {.word = TN_PTY_WORD_SHUTDOWN}};

	if (!host)
		return;
	tn_io_close(host->link_io);
	host->link_io = NULL;
	if (host->link.fd >= 0 && !keep) {
		enum tenon_code told = tn_pty_pass_send(host->link.fd, &packet, SEND_MS, NULL);

		/* A host that does not hear is killed; its keepers end their sessions then. */
		tn_pty_link_end(&host->link, told == TENON_OK ? TN_PTY_SHUTDOWN_MS : DYING_MS);
	} else if (host->link.fd >= 0) {
		tn_pty_link_drop(&host->link);
	}
	while (host->all) {
		struct tn_pty *pty = host->all;

		host->all = pty->next;
		pty->host = NULL;
		tn_io_close(pty->bell_io);
		tn_io_close(pty->master_io);
		pty->bell_io = pty->master_io = NULL;
		tn_pty_close_fd(&pty->socket);
	}
	if (host->is_serving)
		host->is_closed = true;
	else
		free_host(host);
}

enum tenon_code tn_pty_host_need(struct tn_pty_host *host, struct tenon_error *err)
{
	enum tenon_code code;

	if (host->link.fd >= 0)
		return TENON_OK;
	code = tn_pty_link_start(&host->link, host->program, host->path, host->options.grace_ms,
				 err);
	if (code != TENON_OK)
		return code;
	code = watch_link(host, err);
	if (code != TENON_OK) {
		tn_pty_link_end(&host->link, DYING_MS);
		return code;
	}
	if (host->options.started)
		host->options.started(host->link.pid, host->options.data);
	return TENON_OK;
}

/* ---- a new session ---- */

static enum tenon_code fail_making(int number, const char *what, struct tenon_error *err)
{
	if (number == EMFILE || number == ENFILE)
		return tn_fail(err, TENON_LIMIT, "no more open files are allowed");
	if (number == ENOSPC || number == EAGAIN)
		return tn_fail(err, TENON_LIMIT, "there are no more terminals");
	if (number == ENOMEM)
		return tn_fail(err, TENON_NO_MEMORY, "out of memory");
	return tn_fail_errno(err, number, what);
}

static size_t text_bytes(const char *const *texts, uint32_t *ret_count)
{
	size_t size = 0;

	for (*ret_count = 0; texts && texts[*ret_count]; (*ret_count)++)
		size += strlen(texts[*ret_count]) + 1;
	return size;
}

static char *add_texts(char *at, const char *const *texts)
{
	for (; texts && *texts; texts++) {
		size_t size = strlen(*texts) + 1;

		memcpy(at, *texts, size);
		at += size;
	}
	return at;
}

static int make_memory(const char *name, size_t size)
{
	int fd = memfd_create(name, MFD_CLOEXEC);

	if (fd >= 0 && ftruncate(fd, (off_t)size) != 0)
		tn_pty_close_fd(&fd);
	return fd;
}

/* The wish as a memory file for the keeper; -1: errno says why not. */
static int make_request(const struct tn_pty_spawn *spawn)
{
	const char *const directory[] = {spawn->cwd, NULL};
	struct tn_pty_request *request;
	uint32_t directories, argc, envc;
	size_t size = sizeof(*request);
	char *at;
	int fd;

	size += text_bytes(directory, &directories) + text_bytes(spawn->argv, &argc) +
		text_bytes(spawn->env, &envc);
	if (size > UINT32_MAX) {
		errno = E2BIG;
		return -1;
	}
	fd = make_memory("tenon-request", size);
	if (fd < 0)
		return -1;
	request = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	if (request == MAP_FAILED) {
		tn_pty_close_fd(&fd);
		return -1;
	}
	*request = (struct tn_pty_request){.size_bytes = (uint32_t)size,
					   .argc = argc,
					   .envc = envc,
					   .columns = spawn->columns,
					   .rows = spawn->rows,
					   .umask = spawn->umask ? spawn->umask : DEFAULT_UMASK,
					   .processes = spawn->limits.processes,
					   .files = spawn->limits.files,
					   .file_bytes = spawn->limits.file_bytes,
					   .memory_bytes = spawn->limits.memory_bytes,
					   .cpu_s = spawn->limits.cpu_s};
	at = add_texts((char *)(request + 1), directory);
	at = add_texts(at, spawn->argv);
	(void)add_texts(at, spawn->env);
	(void)munmap(request, size);
	return fd;
}

static int make_shared(bool pipes)
{
	size_t rings = pipes ? TN_PTY_STREAMS : 1;
	int fd = make_memory("tenon-terminal", TN_PTY_PAGE_BYTES + rings * TN_PTY_RING_BYTES);
	struct tn_pty_shared *shared;

	if (fd < 0)
		return -1;
	shared = mmap(NULL, TN_PTY_PAGE_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	if (shared == MAP_FAILED) {
		tn_pty_close_fd(&fd);
		return -1;
	}
	shared->version = TN_PTY_WIRE_VERSION;
	shared->streams = (uint32_t)rings;
	for (size_t i = 0; i < rings; i++)
		atomic_store(&shared->rings[i].sleeping, TN_PTY_DAEMON_SLEEPS);
	for (size_t i = rings; i < TN_PTY_STREAMS; i++)
		atomic_store(&shared->rings[i].ended, 1);
	(void)munmap(shared, TN_PTY_PAGE_BYTES);
	return fd;
}

static int make_master(const struct tn_pty_spawn *spawn)
{
	const struct winsize size = {.ws_col = spawn->columns, .ws_row = spawn->rows};
	int fd = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC | O_NONBLOCK);

	if (fd < 0)
		return -1;
	if (grantpt(fd) != 0 || unlockpt(fd) != 0 || ioctl(fd, TIOCSWINSZ, &size) != 0) {
		int number = errno;

		tn_pty_close_fd(&fd);
		errno = number;
	}
	return fd;
}

/* Descriptors that stay the caller's. */
static enum tenon_code add_given(const struct tn_pty_spawn *spawn, struct tn_pty_packet *packet,
				 struct tenon_error *err)
{
	const struct {
		int fd;
		uint32_t flag;
	} given[] = {{spawn->stdin_fd >= 0 ? spawn->stdin_fd : -1, TN_PTY_HAS_STDIN},
		     {spawn->directory_fd > 0 ? spawn->directory_fd : -1, TN_PTY_HAS_DIRECTORY},
		     {spawn->held_fd > 0 ? spawn->held_fd : -1, TN_PTY_HAS_HELD}};

	for (size_t i = 0; i < TN_COUNT(given); i++) {
		int *fd = &packet->fds[packet->fd_count];

		if (given[i].fd < 0)
			continue;
		*fd = fcntl(given[i].fd, F_DUPFD_CLOEXEC, 0);
		if (*fd < 0)
			return fail_making(errno, "pass a descriptor on", err);
		packet->message.flags |= given[i].flag;
		packet->fd_count++;
	}
	return TENON_OK;
}

static enum tenon_code make_packet(const struct tn_pty_spawn *spawn, struct tn_pty_packet *packet,
				   struct tenon_error *err)
{
	int ends[2];
	int *fds = packet->fds;

	packet->message.word = TN_PTY_WORD_SPAWN;
	(void)snprintf(packet->message.key, TN_PTY_KEY_SIZE, "%s", spawn->key);
	for (int i = 0; i < TN_PTY_FDS_MAX; i++)
		fds[i] = -1;
	packet->fd_count = TN_PTY_FDS_NEEDED;
	fds[TN_PTY_FD_SHARED] = make_shared(spawn->pipes);
	if (fds[TN_PTY_FD_SHARED] < 0)
		return fail_making(errno, "share memory with a terminal", err);
	fds[TN_PTY_FD_REQUEST] = make_request(spawn);
	if (fds[TN_PTY_FD_REQUEST] < 0)
		return fail_making(errno, "ask for a terminal", err);
	fds[TN_PTY_FD_BELL] = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	if (fds[TN_PTY_FD_BELL] < 0 ||
	    socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) != 0)
		return fail_making(errno, "connect a terminal", err);
	fds[TN_PTY_FD_SOCKET] = ends[0];
	fds[TN_PTY_FD_KEEPER] = ends[1];
	if (!spawn->pipes) {
		fds[packet->fd_count] = make_master(spawn);
		if (fds[packet->fd_count] < 0)
			return fail_making(errno, "open a terminal", err);
		packet->message.flags |= TN_PTY_HAS_MASTER;
		packet->fd_count++;
	}
	return add_given(spawn, packet, err);
}

static enum tenon_code check(const struct tn_pty_spawn *spawn, struct tenon_error *err)
{
	if (!spawn->key || !spawn->key[0] || strlen(spawn->key) >= TN_PTY_KEY_SIZE)
		return tn_fail(err, TENON_INVALID, "a terminal needs a name of at most %d bytes",
			       TN_PTY_KEY_SIZE - 1);
	if (!spawn->argv || !spawn->argv[0] || !spawn->argv[0][0])
		return tn_fail(err, TENON_INVALID, "no program to start");
	if (!spawn->cwd || spawn->cwd[0] != '/')
		return tn_fail(err, TENON_INVALID, "the directory of a program is absolute");
	if (spawn->columns > TN_PTY_COLUMNS_MAX || spawn->rows > TN_PTY_ROWS_MAX)
		return tn_fail(err, TENON_INVALID, "a terminal has at most %d columns and %d rows",
			       TN_PTY_COLUMNS_MAX, TN_PTY_ROWS_MAX);
	return TENON_OK;
}

enum tenon_code tn_pty_spawn(struct tn_pty_host *host, const struct tn_pty_spawn *spawn,
			     struct tn_pty **ret, struct tenon_error *err)
{
	struct tn_pty_packet packet = {0};
	struct tn_pty *pty = NULL;
	int ours[TN_PTY_FDS_KEPT + 1];
	enum tenon_code code = check(spawn, err);

	if (code == TENON_OK)
		code = make_packet(spawn, &packet, err);
	if (code == TENON_OK)
		code = tn_pty_host_need(host, err);
	if (code != TENON_OK)
		goto out;
	memcpy(ours, packet.fds, sizeof(ours));
	ours[TN_PTY_FDS_KEPT] = spawn->pipes ? -1 : packet.fds[TN_PTY_FDS_NEEDED];
	code = tn_pty_adopt(host, spawn->key, ours, &pty, err);
	if (code != TENON_OK)
		goto out;
	pty->data = spawn->data;
	code = tn_pty_pass_send(host->link.fd, &packet, SEND_MS, err);
	/* What the PTY has taken is no longer the packet's. */
	packet.fds[TN_PTY_FD_SOCKET] = packet.fds[TN_PTY_FD_BELL] = -1;
	if (!spawn->pipes)
		packet.fds[TN_PTY_FDS_NEEDED] = -1;
	if (code == TENON_OK)
		*ret = pty;
	else
		tn_pty_close(pty);
out:
	tn_pty_packet_close(&packet);
	return code;
}
