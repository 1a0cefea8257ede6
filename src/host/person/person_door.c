#include "host/person/person_door.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/mem.h"
#include "host/limits.h"
#include "host/person/callers.h"
#include "host/record/log.h"
#include "serve/unix_socket.h"
#include "jsonrpc/json_write.h"
#include "mcp/observe.h"
#include "mcp/server.h"

enum { ACCEPTS_PER_TURN = 8, ACCEPT_RETRY_MS = 100, LINE_BYTES_MAX = 2048, WORDS_MAX = 512 };

#ifndef SO_PEERPIDFD
#define SO_PEERPIDFD 77 /* Linux 6.5 */
#endif

/* Somebody who waits for the answer. */
struct asker {
	struct tn_person_door *door;
	struct asker *next;
	int fd;
	int pidfd;              /* -1: this kernel names no process beyond doubt */
	struct tn_process self; /* who asked, when it was accepted; pid 0: it could not be seen */
};

struct tn_person_door {
	struct tn_person_door_options options;
	struct tn_unix_socket socket;
	struct tn_io *io;
	struct tn_timer *timer; /* out of descriptors: looks again */
	struct tn_observer observer;
	struct asker *askers;
	uint64_t window_ends_ms;
	unsigned answers; /* in this window */
};

/* ---- who may have it ---- */

static bool is_below_relay(const struct tn_person_door *door, const struct tn_ancestry *ancestry,
			   struct tn_process *ret)
{
	for (const struct tn_peer *peer = door->options.server->peers; peer; peer = peer->next) {
		if (!peer->way || strcmp(peer->way, "relay") != 0)
			continue;
		if (tn_process_read((pid_t)peer->process, ret, NULL) == TENON_OK &&
		    tn_ancestry_has(ancestry, ret))
			return true;
		if (tn_process_find_host((pid_t)peer->parent, ret) &&
		    tn_ancestry_has(ancestry, ret))
			return true;
	}
	return false;
}

static bool is_below_us(const struct tn_ancestry *ancestry, struct tn_process *ret)
{
	for (size_t i = 0; i < ancestry->count; i++) {
		if (ancestry->chain[i].pid != getpid())
			continue;
		*ret = ancestry->chain[i];
		return true;
	}
	return false;
}

bool tn_person_door_is_below(const struct tn_person_door *door, const struct tn_ancestry *ancestry,
			     struct tn_process *ret)
{
	const struct tn_process *caller = tn_callers_above(door->options.callers, ancestry);

	if (!caller)
		return is_below_relay(door, ancestry, ret) || is_below_us(ancestry, ret);
	*ret = *caller;
	return true;
}

static const char cut_off[] =
	"What started this process has ended, so it cannot be seen whether it speaks for a person. "
	"Run the same in the foreground of a terminal of your own.";

static const char *name_above(const struct tn_process *above, char text[WORDS_MAX])
{
	(void)snprintf(
		text, WORDS_MAX,
		"This process comes from process %ld (%s), which uses Tenon as a client or runs "
		"the terminals of assistants, so it does not speak for a person. Run the same "
		"in a terminal of your own, or open the page from there (tenon open).",
		(long)above->pid, above->name);
	return text;
}

/* Who connected, before anybody else can have its number: at once. */
static void note_self(struct asker *asker)
{
	struct ucred who = {.pid = 0};
	socklen_t size = sizeof(who);

	asker->pidfd = -1;
	asker->self.pid = 0;
	if (getsockopt(asker->fd, SOL_SOCKET, SO_PEERCRED, &who, &size) != 0 || who.pid <= 0 ||
	    tn_process_read(who.pid, &asker->self, NULL) != TENON_OK)
		asker->self.pid = 0;
	size = sizeof(asker->pidfd);
	if (getsockopt(asker->fd, SOL_SOCKET, SO_PEERPIDFD, &asker->pidfd, &size) != 0)
		asker->pidfd = -1;
}

static bool has_ended(int pidfd)
{
	struct pollfd look = {.fd = pidfd, .events = POLLIN};

	return pidfd >= 0 && poll(&look, 1, 0) != 0;
}

/* NULL: it may. Otherwise what to tell it, which may be in `text`. */
static const char *find_objection(const struct asker *asker, struct tn_ancestry *ancestry,
				  char text[WORDS_MAX])
{
	const struct tn_person_door *door = asker->door;
	struct tn_process above;
	struct ucred who = {.uid = (uid_t)-1};
	socklen_t size = sizeof(who);
	struct tenon_error err;
	const char *why = NULL;

	if (getsockopt(asker->fd, SOL_SOCKET, SO_PEERCRED, &who, &size) != 0 ||
	    who.uid != geteuid())
		return "This daemon belongs to another user.";
	if (!asker->self.pid || tn_ancestry_read(who.pid, ancestry, &err) != TENON_OK)
		why = "It cannot be seen which process this is, so the token stays here. Connect "
		      "from a process that lives until it is answered, where /proc shows all of "
		      "your processes.";
	else if (tn_person_door_is_below(door, ancestry, &above))
		why = name_above(&above, text);
	else if (tn_ancestry_is_cut(ancestry))
		why = cut_off;
	if (!why &&
	    (has_ended(asker->pidfd) || !tn_process_equal(&ancestry->chain[0], &asker->self)))
		why = "The process that asked has ended.";
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
	uint64_t now = tn_server_now_ms(door->options.server);

	if (now >= door->window_ends_ms) {
		door->window_ends_ms = now + TN_DOOR_WINDOW_MS;
		door->answers = 0;
	}
	return ++door->answers > TN_DOOR_ANSWERS_MAX;
}

static void put_token(const struct tn_person_door *door, struct tn_buf *line)
{
	const struct tn_person_door_options *o = &door->options;

	tn_json_begin_object(line);
	tn_json_put_member_text(line, "token", o->token);
	tn_json_put_member_text(line, "url", o->url);
	if (o->port)
		tn_json_put_member_int(line, "port", *o->port);
	if (o->apps) {
		tn_json_put_key(line, "apps");
		tn_json_begin_array(line);
		for (size_t i = 0; o->apps[i]; i++)
			tn_json_put_text(line, o->apps[i]);
		tn_json_end_array(line);
	}
	tn_json_end_object(line);
	tn_buf_append_byte(line, '\n');
}

static void answer(const struct asker *asker)
{
	const struct tn_person_door *door = asker->door;
	struct tn_ancestry ancestry = {.count = 0};
	char bytes[LINE_BYTES_MAX], text[WORDS_MAX];
	const char *why = find_objection(asker, &ancestry, text);
	struct tn_buf line = {.data = bytes, .capacity = sizeof(bytes), .limit = sizeof(bytes)};
	const struct tn_process *self = &ancestry.chain[0];

	if (why) {
		put_error(&line, "DENIED", why);
		tn_log(TN_LOG_WARNING, "person", "process %ld (%s) was refused the person token",
		       ancestry.count ? (long)self->pid : 0L,
		       ancestry.count ? self->name : "unknown");
	} else {
		put_token(door, &line);
		tn_log(TN_LOG_INFO, "person", "process %ld (%s) was given the person token",
		       (long)self->pid, self->name);
	}
	send_line(asker->fd, &line);
	explicit_bzero(bytes, sizeof(bytes));
}

static void say_busy(int fd, const char *sentence)
{
	char bytes[LINE_BYTES_MAX];
	struct tn_buf line = {.data = bytes, .capacity = sizeof(bytes), .limit = sizeof(bytes)};

	put_error(&line, "BUSY", sentence);
	send_line(fd, &line);
}

static void refuse_busy(int fd)
{
	say_busy(fd, "Asked too often; wait ten seconds.");
	(void)close(fd); /* all is said */
}

static void end_asker(struct asker *asker)
{
	struct asker **link = &asker->door->askers;

	while (*link != asker)
		link = &(*link)->next;
	*link = asker->next;
	(void)close(asker->fd); /* all is said */
	if (asker->pidfd >= 0)
		(void)close(asker->pidfd); /* only looked at */
	tn_mem_free(asker);
}

/* All connections of clients have been looked at, or there was no time: then who asks may be one.
 */
static void known(void *data, bool complete)
{
	struct asker *asker = data;

	if (complete)
		answer(asker);
	else
		say_busy(asker->fd,
			 "Not all programs on this machine could be looked at; try again.");
	end_asker(asker);
}

static void take(struct tn_person_door *door, int fd)
{
	struct asker *asker = is_too_often(door) ? NULL : tn_mem_alloc(sizeof(*asker));

	if (!asker) {
		refuse_busy(fd);
		return;
	}
	*asker = (struct asker){.door = door, .next = door->askers, .fd = fd};
	note_self(asker);
	door->askers = asker;
	if (tn_callers_refresh(door->options.callers, known, asker))
		return;
	say_busy(fd, "Asked too often; wait ten seconds.");
	end_asker(asker);
}

/* ---- below whom nobody is a person ---- */

enum tenon_code tn_person_door_refuse_below(struct tn_person_door *door, pid_t pid,
					    struct tenon_error *err)
{
	struct tn_process process;
	enum tenon_code code = tn_process_read(pid, &process, err);

	return code == TENON_OK ? tn_callers_add(door->options.callers, &process, err) : code;
}

/* A host does not become a person by ending its relay. */
static void remember_host(const struct tn_peer *peer, void *data)
{
	const struct tn_person_door *door = data;
	struct tn_process host;
	struct tenon_error err;

	if (!peer->way || strcmp(peer->way, "relay") != 0 ||
	    !tn_process_find_host((pid_t)peer->parent, &host))
		return;
	if (tn_callers_add(door->options.callers, &host, &err) != TENON_OK)
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
			take(door, fd);
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

enum tenon_code tn_person_door_open(const struct tn_person_door_options *options,
				    struct tn_person_door **ret, struct tenon_error *err)
{
	struct tn_person_door *door = tn_mem_alloc(sizeof(*door));
	struct tn_loop *loop = options->server->loop;
	enum tenon_code code;

	if (!door)
		return tn_fail(err, TENON_NO_MEMORY, "out of memory");
	door->options = *options;
	tn_unix_socket_init(&door->socket);
	door->observer = (struct tn_observer){.peer_went = remember_host, .data = door};
	tn_observe(options->server, &door->observer);
	code = tn_timer_open(loop, look_again, door, &door->timer, err);
	if (code == TENON_OK)
		code = tn_unix_socket_open(&door->socket, options->path, 0600, err);
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
	enum tenon_code code = tn_unix_socket_open(&fresh, door->options.path, 0600, err);

	if (code == TENON_OK)
		code = tn_io_open(door->options.server->loop, fresh.fd, accept_ready, door, &io,
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
	tn_observe_stop(door->options.server, &door->observer);
	while (door->askers) {
		tn_callers_forget(door->options.callers, door->askers);
		end_asker(door->askers);
	}
	tn_io_close(door->io);
	tn_timer_close(door->timer);
	tn_unix_socket_close(&door->socket);
	tn_mem_free(door);
}
