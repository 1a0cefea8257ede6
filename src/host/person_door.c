#include "host/person_door.h"

#include <errno.h>
#include <poll.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/limits.h"
#include "base/mem.h"
#include "base/size.h"
#include "host/ancestry.h"
#include "host/daemon.h"
#include "host/unix_socket.h"
#include "jsonrpc/json_write.h"
#include "mcp/observe.h"

enum { ACCEPTS_PER_TURN = 8, ACCEPT_RETRY_MS = 100, LINE_BYTES_MAX = 2048 };

#ifndef SO_PEERPIDFD
#define SO_PEERPIDFD 77 /* Linux 6.5 */
#endif

struct tn_person_door {
	struct tn_daemon *daemon;
	struct tn_unix_socket socket;
	struct tn_io *io;
	struct tn_timer *timer; /* out of descriptors: looks again */
	struct tn_process *refused;
	size_t refused_count, refused_capacity;
	struct tn_observer observer;
	uint64_t window_ends_ms;
	unsigned answers; /* in this window */
};

/* ---- who may have it ---- */

static const char elsewhere[] =
	"This process was started by an AI host or in a terminal that assistants use, so it does "
	"not "
	"speak for a person. Run the same in a terminal of your own, or open the page from there "
	"(tenon open).";

static bool is_below_relay(const struct tn_person_door *door, const struct tn_ancestry *ancestry)
{
	for (const struct tn_peer *peer = door->daemon->server->peers; peer; peer = peer->next) {
		struct tn_process process;

		if (!peer->way || strcmp(peer->way, "relay") != 0)
			continue;
		if (tn_process_read((pid_t)peer->process, &process, NULL) == TENON_OK &&
		    tn_ancestry_has(ancestry, &process))
			return true;
		if (tn_process_find_host((pid_t)peer->parent, &process) &&
		    tn_ancestry_has(ancestry, &process))
			return true;
	}
	return false;
}

static bool is_below_refused(const struct tn_person_door *door, const struct tn_ancestry *ancestry)
{
	for (size_t i = 0; i < door->refused_count; i++) {
		if (tn_ancestry_has(ancestry, &door->refused[i]))
			return true;
	}
	for (size_t i = 0; i < ancestry->count; i++) {
		if (ancestry->chain[i].pid == getpid())
			return true; /* we started it */
	}
	return false;
}

/* Hosts that speak to us themselves, over HTTP or a WebSocket, say no number: but what they start
 * has them above it, with a connection to us. */
static bool is_below_client(const struct tn_person_door *door, const struct tn_ancestry *ancestry)
{
	const struct tn_discovery *found = &door->daemon->found;
	const uint16_t ports[] = {found->http_port, found->bridge_port};

	return tn_ancestry_is_connected(ancestry, ports, TN_COUNT(ports));
}

static const char cut_off[] =
	"What started this process has ended, so it cannot be seen whether it speaks for a person. "
	"Run the same in the foreground of a terminal of your own.";

/* The very process, not whoever has its number next. -1: this kernel cannot say. */
static int open_pidfd(int fd, pid_t pid)
{
	int pidfd = -1;
	socklen_t size = sizeof(pidfd);

	if (getsockopt(fd, SOL_SOCKET, SO_PEERPIDFD, &pidfd, &size) == 0)
		return pidfd;
	return (int)syscall(SYS_pidfd_open, pid, 0);
}

static bool has_ended(int pidfd)
{
	struct pollfd look = {.fd = pidfd, .events = POLLIN};

	return pidfd >= 0 && poll(&look, 1, 0) != 0;
}

/* NULL: it may. Otherwise what to tell it. */
static const char *find_objection(const struct tn_person_door *door, int fd,
				  struct tn_ancestry *ancestry)
{
	struct ucred who = {.uid = (uid_t)-1};
	socklen_t size = sizeof(who);
	struct tenon_error err;
	const char *why = NULL;
	int pidfd;

	if (getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &who, &size) != 0 || who.uid != geteuid())
		return "This daemon belongs to another user.";
	pidfd = open_pidfd(fd, who.pid);
	if (who.pid <= 0 || tn_ancestry_read(who.pid, ancestry, &err) != TENON_OK)
		why = "It cannot be seen which process this is, so the token stays here. Connect "
		      "from a process that lives until it is answered, where /proc shows all of "
		      "your processes.";
	else if (is_below_relay(door, ancestry) || is_below_refused(door, ancestry) ||
		 is_below_client(door, ancestry))
		why = elsewhere;
	else if (tn_ancestry_is_cut(ancestry))
		why = cut_off;
	if (!why && has_ended(pidfd))
		why = "The process that asked has ended.";
	if (pidfd >= 0)
		(void)close(pidfd); /* only looked at */
	return why;
}

/* ---- answering ---- */

static void send_line(int fd, const struct tn_buf *line)
{
	if (!line->failed)
		(void)send(fd, line->data, line->size, MSG_NOSIGNAL | MSG_DONTWAIT);
	/* A line fits into the socket's buffer; who does not want it does not get it. */
}

static void put_error(struct tn_buf *line, const char *code, const char *message)
{
	tn_json_begin_object(line);
	tn_json_put_member_text(line, "error", code);
	tn_json_put_member_text(line, "message", message);
	tn_json_end_object(line);
	tn_buf_append_byte(line, '\n');
}

static bool is_too_often(struct tn_person_door *door)
{
	uint64_t now = tn_server_now_ms(door->daemon->server);

	if (now >= door->window_ends_ms) {
		door->window_ends_ms = now + TN_DOOR_WINDOW_MS;
		door->answers = 0;
	}
	return ++door->answers > TN_DOOR_ANSWERS_MAX;
}

static void answer(struct tn_person_door *door, int fd)
{
	struct tn_ancestry ancestry = {.count = 0};
	const char *why = NULL;
	struct tn_buf line;
	char bytes[LINE_BYTES_MAX];
	bool often = is_too_often(door);

	line = (struct tn_buf){.data = bytes, .capacity = sizeof(bytes), .limit = sizeof(bytes)};
	if (!often)
		why = find_objection(door, fd, &ancestry);
	if (often) {
		put_error(&line, "BUSY", "Asked too often; wait ten seconds.");
	} else if (why) {
		put_error(&line, "DENIED", why);
		tn_log(TN_LOG_WARNING, "person", "process %ld (%s) was refused the person token",
		       ancestry.count ? (long)ancestry.chain[0].pid : 0L,
		       ancestry.count ? ancestry.chain[0].name : "unknown");
	} else {
		tn_json_begin_object(&line);
		tn_json_put_member_text(&line, "token", door->daemon->person_token);
		tn_json_put_member_text(&line, "url", door->daemon->found.url);
		tn_json_end_object(&line);
		tn_buf_append_byte(&line, '\n');
		tn_log(TN_LOG_INFO, "person", "process %ld (%s) was given the person token",
		       (long)ancestry.chain[0].pid, ancestry.chain[0].name);
	}
	send_line(fd, &line);
	explicit_bzero(bytes, sizeof(bytes));
}

/* ---- below whom nobody is a person ---- */

static void forget_ended(struct tn_person_door *door)
{
	size_t kept = 0;

	for (size_t i = 0; i < door->refused_count; i++) {
		struct tn_process now;

		if (tn_process_read(door->refused[i].pid, &now, NULL) == TENON_OK &&
		    tn_process_equal(&now, &door->refused[i]))
			door->refused[kept++] = door->refused[i];
	}
	door->refused_count = kept;
}

static enum tenon_code refuse(struct tn_person_door *door, const struct tn_process *process,
			      struct tenon_error *err)
{
	struct tn_process *grown;

	if (door->refused_count == door->refused_capacity)
		forget_ended(door);
	if (door->refused_count == TN_DOOR_REFUSED_MAX)
		return tn_fail(err, TENON_LIMIT, "more than %d processes", TN_DOOR_REFUSED_MAX);
	if (door->refused_count == door->refused_capacity) {
		size_t capacity = door->refused_capacity ? 2 * door->refused_capacity : 16;

		grown = tn_mem_resize(door->refused, capacity * sizeof(*grown));
		if (!grown)
			return tn_fail(err, TENON_NO_MEMORY, "out of memory");
		door->refused = grown;
		door->refused_capacity = capacity;
	}
	door->refused[door->refused_count++] = *process;
	return TENON_OK;
}

enum tenon_code tn_person_door_refuse_below(struct tn_person_door *door, pid_t pid,
					    struct tenon_error *err)
{
	struct tn_process process;
	enum tenon_code code = tn_process_read(pid, &process, err);

	return code == TENON_OK ? refuse(door, &process, err) : code;
}

/* A host does not become a person by ending its relay. */
static void remember_host(const struct tn_peer *peer, void *data)
{
	struct tn_person_door *door = data;
	struct tn_process host;
	struct tenon_error err;

	if (!peer->way || strcmp(peer->way, "relay") != 0 ||
	    !tn_process_find_host((pid_t)peer->parent, &host))
		return;
	for (size_t i = 0; i < door->refused_count; i++) {
		if (tn_process_equal(&door->refused[i], &host))
			return;
	}
	if (refuse(door, &host, &err) != TENON_OK)
		tn_log(TN_LOG_WARNING, "person", "a host could not be remembered: %s", err.message);
}

/* ---- listening ---- */

static void look_again(struct tn_timer *timer, void *data)
{
	const struct tn_person_door *door = data;

	(void)timer;
	tn_io_watch(door->io, TN_IO_READ);
}

static void accept_ready(struct tn_io *io, int events, void *data)
{
	struct tn_person_door *door = data;

	(void)events;
	for (unsigned i = 0; i < ACCEPTS_PER_TURN; i++) {
		int fd = accept4(door->socket.fd, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC);

		if (fd >= 0) {
			answer(door, fd);
			(void)close(fd); /* all is said */
		} else if (errno == EAGAIN || errno == EWOULDBLOCK) {
			return;
		} else if (errno != ECONNABORTED && errno != EINTR) {
			/* Out of descriptors, a level-triggered listener would spin. */
			tn_io_watch(io, 0);
			tn_timer_start(door->timer, ACCEPT_RETRY_MS);
			return;
		}
	}
}

enum tenon_code tn_person_door_open(struct tn_daemon *daemon, struct tn_person_door **ret,
				    struct tenon_error *err)
{
	struct tn_person_door *door = tn_mem_alloc(sizeof(*door));
	struct tn_loop *loop = daemon->server->loop;
	enum tenon_code code;

	if (!door)
		return tn_fail(err, TENON_NO_MEMORY, "out of memory");
	door->daemon = daemon;
	tn_unix_socket_init(&door->socket);
	door->observer = (struct tn_observer){.peer_went = remember_host, .data = door};
	tn_observe(daemon->server, &door->observer);
	code = tn_timer_open(loop, look_again, door, &door->timer, err);
	if (code == TENON_OK)
		code = tn_unix_socket_open(&door->socket, daemon->paths.person, 0600, err);
	if (code == TENON_OK)
		code = tn_io_open(loop, door->socket.fd, accept_ready, door, &door->io, err);
	if (code != TENON_OK) {
		tn_person_door_close(door);
		return code;
	}
	tn_io_watch(door->io, TN_IO_READ);
	*ret = door;
	return TENON_OK;
}

enum tenon_code tn_person_door_reopen(struct tn_person_door *door, struct tenon_error *err)
{
	struct tn_unix_socket fresh;
	struct tn_io *io = NULL;
	enum tenon_code code = tn_unix_socket_open(&fresh, door->daemon->paths.person, 0600, err);

	if (code == TENON_OK)
		code = tn_io_open(door->daemon->server->loop, fresh.fd, accept_ready, door, &io,
				  err);
	if (code != TENON_OK) {
		tn_unix_socket_close(&fresh);
		return code;
	}
	tn_io_close(door->io);
	tn_unix_socket_close(&door->socket);
	door->socket = fresh;
	door->io = io;
	tn_io_watch(io, TN_IO_READ);
	return TENON_OK;
}

void tn_person_door_close(struct tn_person_door *door)
{
	if (!door)
		return;
	tn_observe_stop(door->daemon->server, &door->observer);
	tn_io_close(door->io);
	tn_timer_close(door->timer);
	tn_unix_socket_close(&door->socket);
	tn_mem_free(door->refused);
	tn_mem_free(door);
}
