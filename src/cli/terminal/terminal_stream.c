#include "cli/terminal/terminal_stream.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <stdio.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/limits.h"
#include "cli/shared/person.h"
#include "cli/terminal/terminal.h"
#include "client/limits.h"
#include "jsonrpc/json_write.h"
#include "serve/limits.h"

enum { PATIENCE_S = 10, HEAD_MAX = 8192 };

/* ---- the ticket ---- */

/* As a person if this process may be one, else for looking. */
static int connect_client(struct tn_cli *cli, bool view_only, struct tenon_client **ret,
			  struct tn_discovery *ret_found)
{
	struct tn_person person;
	struct tn_connect connect = {.app = "terminal", .no_reconnect = true};
	int exit;

	if (!view_only && tn_person_ask(cli, &person) == TN_EXIT_OK)
		connect.token = person.token;
	else if (!view_only)
		tn_cli_note(cli, "tenon terminal attach: for looking only");
	exit = tn_cli_connect(cli, &connect, ret, ret_found);
	explicit_bzero(&person, sizeof(person));
	return exit;
}

static int ask_for_ticket(const struct tn_terminal_call *call, const struct tn_json *session,
			  struct tn_terminal_ticket *ret)
{
	const struct tn_json *result = NULL;
	struct tn_buf arguments;
	int exit;

	(void)snprintf(ret->id, sizeof(ret->id), "%s", tn_terminal_text(session, "id"));
	tenon_client_clean_text(tn_terminal_text(session, "name"), ret->name, sizeof(ret->name));
	tn_buf_init(&arguments, TN_KIB);
	tn_json_begin_object(&arguments);
	tn_json_put_member_text(&arguments, "session_id", ret->id);
	tn_json_end_object(&arguments);
	exit = tn_terminal_call(call, "open_live_view", tn_buf_str(&arguments), &result);
	tn_buf_finish(&arguments);
	if (exit != TN_EXIT_OK)
		return exit;
	(void)snprintf(ret->stream, sizeof(ret->stream), "%s", tn_terminal_text(result, "stream"));
	(void)snprintf(ret->text, sizeof(ret->text), "%s", tn_terminal_text(result, "ticket"));
	ret->control = tn_terminal_flag(result, "control");
	return TN_EXIT_OK;
}

int tn_terminal_ticket(struct tn_cli *cli, const char *word, bool view_only,
		       struct tn_terminal_ticket *ret)
{
	struct tn_terminal_call call = {.cli = cli};
	const struct tn_json *session = NULL;
	struct tn_discovery found = {0};
	struct tn_arena arena;
	int exit = connect_client(cli, view_only, &call.client, &found);

	if (exit != TN_EXIT_OK)
		return exit;
	*ret = (struct tn_terminal_ticket){.port = found.bridge_port};
	tn_arena_init(&arena, TN_CLIENT_ARENA_MAX);
	call.arena = &arena;
	exit = tn_terminal_find_session(&call, word, &session);
	if (exit == TN_EXIT_OK)
		exit = ask_for_ticket(&call, session, ret);
	tenon_client_destroy(call.client);
	tn_arena_finish(&arena);
	return exit;
}

/* ---- the WebSocket ---- */

static int dial(uint16_t port, struct tenon_error *err)
{
	struct sockaddr_in at = {.sin_family = AF_INET,
				 .sin_port = htons(port),
				 .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
	const struct timeval patience = {.tv_sec = PATIENCE_S};
	int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);

	if (fd < 0 || setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof(patience)) != 0 ||
	    connect(fd, (const struct sockaddr *)&at, sizeof(at)) != 0) {
		(void)tn_fail_errno(err, errno, "connect to the daemon");
		if (fd >= 0)
			(void)close(fd);
		return -1;
	}
	return fd;
}

static bool send_head(int fd, const struct tn_terminal_ticket *ticket, const char *key)
{
	char head[1024];
	int size = snprintf(head, sizeof(head),
			    "GET %s HTTP/1.1\r\nHost: 127.0.0.1:%u\r\nConnection: Upgrade\r\n"
			    "Upgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"
			    "Sec-WebSocket-Key: %s\r\n"
			    "Sec-WebSocket-Protocol: tenon-terminal, ticket.%s\r\n\r\n",
			    ticket->stream, (unsigned)ticket->port, key, ticket->text);

	return send(fd, head, (size_t)size, MSG_NOSIGNAL) == size;
}

/* Up to the empty line; what comes behind it stays in the buffer. 0: there was no end. */
static size_t read_head(int fd, struct tn_buf *buf)
{
	size_t end;

	while (tn_buf_reserve(buf, 1024)) {
		ssize_t got = recv(fd, buf->data + buf->size, 1024, 0);

		if (got <= 0)
			return 0;
		buf->size += (size_t)got;
		end = tn_str_find(tn_buf_str(buf), TN_STR("\r\n\r\n"));
		if (end != TN_STR_NONE)
			return end + 4;
	}
	return 0;
}

static enum tenon_code check_head(struct tn_str head, const char *key, struct tenon_error *err)
{
	char accept[TN_WS_ACCEPT_SIZE];

	tn_ws_accept(tn_str_from(key), accept);
	if (tn_str_starts(head, TN_STR("HTTP/1.1 101 ")) &&
	    tn_str_is(tn_ws_reply_header(head, TN_STR("Sec-WebSocket-Accept")), accept))
		return TENON_OK;
	if (tn_str_starts(head, TN_STR("HTTP/1.1 403 ")))
		return tn_fail(err, TENON_DENIED, "the session cannot be watched any more");
	return tn_fail(err, TENON_SYSTEM, "the daemon opens no stream");
}

enum tenon_code tn_terminal_stream_open(struct tn_loop *loop,
					const struct tn_terminal_ticket *ticket,
					const struct tn_ws_events *events, void *data,
					struct tn_ws **ret, struct tenon_error *err)
{
	struct tn_ws_options options = {.role = TN_WS_CLIENT,
					.message_max = TN_MESSAGE_BYTES_MAX,
					.ping_ms = TN_WS_PING_MS,
					.events = events,
					.data = data};
	enum tenon_code code = TENON_SYSTEM;
	char key[TN_WS_KEY_SIZE];
	struct tn_buf buf;
	size_t head;
	int fd = dial(ticket->port, err);

	if (fd < 0)
		return TENON_SYSTEM;
	tn_ws_make_key(key);
	tn_buf_init(&buf, HEAD_MAX);
	head = send_head(fd, ticket, key) ? read_head(fd, &buf) : 0;
	if (head)
		code = check_head(tn_str(buf.data, head), key, err);
	else
		(void)tn_fail(err, TENON_SYSTEM, "the daemon does not answer");
	if (code == TENON_OK && fcntl(fd, F_SETFL, O_NONBLOCK) != 0)
		code = tn_fail_errno(err, errno, "prepare the connection");
	options.unread = tn_str_from_offset(tn_buf_str(&buf), head);
	if (code == TENON_OK)
		code = tn_ws_open(loop, fd, &options, ret, err);
	if (code != TENON_OK)
		(void)close(fd);
	tn_buf_finish(&buf);
	return code;
}
