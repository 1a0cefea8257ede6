#include "client/carrier_test_kit.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/mem.h"

const char *kit_plugin_folder;

struct kit_connection {
	struct kit *kit;
	struct kit_connection *next;
	int fd; /* -1: closed */
	struct tn_io *io;
	struct tn_buf input, output;
	size_t sent;         /* of the output */
	bool cut;            /* ends behind its output */
	size_t last_request; /* its index in the kit; SIZE_MAX: none yet */
};

/* ---- the server ---- */

static void hang_up(struct kit_connection *connection)
{
	if (connection->fd < 0)
		return;
	tn_io_close(connection->io);
	(void)close(connection->fd);
	connection->fd = -1;
}

/* The client shares our thread, so nothing may block. */
static void write_more(struct kit_connection *connection)
{
	struct tn_buf *output = &connection->output;

	while (connection->sent < output->size) {
		ssize_t sent = send(connection->fd, output->data + connection->sent,
				    output->size - connection->sent, MSG_NOSIGNAL | MSG_DONTWAIT);

		if (sent <= 0)
			break;
		connection->sent += (size_t)sent;
	}
	if (connection->sent == output->size) {
		tn_buf_clear(output);
		connection->sent = 0;
	}
	if (!output->size && connection->cut)
		hang_up(connection);
	else
		tn_io_watch(connection->io, TN_IO_READ | (output->size ? TN_IO_WRITE : 0));
}

static void write_all(struct kit_connection *connection, struct tn_str bytes)
{
	if (connection->fd < 0)
		return;
	tn_buf_append_str(&connection->output, bytes);
	assert_false(connection->output.failed);
	write_more(connection);
}

static void answer(struct kit_connection *connection, const struct kit_reply *reply)
{
	const char *body = reply->body ? reply->body : "";
	const struct linger at_once = {.l_onoff = 1};
	struct tn_buf out;

	if (reply->reset) {
		(void)setsockopt(connection->fd, SOL_SOCKET, SO_LINGER, &at_once, sizeof(at_once));
		hang_up(connection);
		return;
	}
	tn_buf_init(&out, 256 * TN_MIB);
	if (reply->status)
		tn_buf_format(&out, "HTTP/1.1 %u Status\r\n%s", reply->status,
			      reply->headers ? reply->headers
					     : "Content-Type: application/json\r\n");
	if (reply->status && !reply->streams)
		tn_buf_format(&out, "Content-Length: %zu\r\n", strlen(body));
	if (reply->status)
		tn_buf_append_text(&out, "\r\n");
	tn_buf_append_text(&out, body);
	assert_false(out.failed);
	connection->cut = reply->cut;
	write_all(connection, tn_buf_str(&out));
	tn_buf_finish(&out);
}

/* The size of the first request in the input, or 0 while it is not complete. */
static size_t request_size(struct tn_str input)
{
	size_t head = tn_str_find(input, TN_STR("\r\n\r\n"));
	size_t length;
	uint64_t body = 0;

	if (head == TN_STR_NONE)
		return 0;
	length = tn_str_find(tn_str(input.data, head), TN_STR("\r\nContent-Length: "));
	if (length != TN_STR_NONE) {
		struct tn_str digits = tn_str_from_offset(input, length + 18);

		digits.size = tn_str_find_byte(digits, '\r');
		assert_true(tn_str_to_uint(digits, &body));
	}
	return input.size >= head + 4 + body ? head + 4 + body : 0;
}

static void take_request(struct kit_connection *connection, size_t size)
{
	struct kit *kit = connection->kit;
	size_t index = kit->request_count;

	if (kit->choose) {
		char *request = tn_mem_copy_text(connection->input.data, size);

		assert_non_null(request);
		tn_buf_drop_front(&connection->input, size);
		answer(connection, kit->choose(request));
		tn_mem_free(request);
		return;
	}
	kit->request_count++;
	assert_true(index < KIT_REQUESTS_MAX);
	kit->requests[index] = tn_mem_copy_text(connection->input.data, size);
	kit->request_ms[index] = tn_loop_now_ms(kit->loop);
	connection->last_request = index;
	tn_buf_drop_front(&connection->input, size);
	if (index < kit->script_size)
		answer(connection, &kit->script[index]);
	else
		fail_msg("request %zu is not in the script:\n%s", index, kit->requests[index]);
}

static void readable(struct tn_io *io, int events, void *data)
{
	struct kit_connection *connection = data;
	char bytes[64 * 1024];
	ssize_t got;
	size_t size;

	(void)io;
	if (events & TN_IO_WRITE)
		write_more(connection);
	if (connection->fd < 0)
		return;
	got = recv(connection->fd, bytes, sizeof(bytes), MSG_DONTWAIT);
	if (got < 0 && errno == EAGAIN)
		return;
	if (got <= 0) {
		hang_up(connection);
		return;
	}
	tn_buf_append(&connection->input, bytes, (size_t)got);
	while (connection->fd >= 0 && (size = request_size(tn_buf_str(&connection->input))))
		take_request(connection, size);
}

static void accept_one(struct tn_io *io, int events, void *data)
{
	struct kit *kit = data;
	struct kit_connection *connection;
	int fd = accept(kit->listener, NULL, NULL);

	(void)io;
	(void)events;
	if (fd < 0)
		return;
	connection = tn_mem_alloc(sizeof(*connection));
	assert_non_null(connection);
	connection->kit = kit;
	connection->fd = fd;
	connection->last_request = SIZE_MAX;
	tn_buf_init(&connection->input, 256 * TN_MIB);
	tn_buf_init(&connection->output, 256 * TN_MIB);
	assert_int_equal(tn_io_open(kit->loop, fd, readable, connection, &connection->io, NULL),
			 TENON_OK);
	tn_io_watch(connection->io, TN_IO_READ);
	connection->next = kit->first;
	kit->first = connection;
	kit->connections++;
}

static void listen_anywhere(struct kit *kit)
{
	struct sockaddr_in address = {.sin_family = AF_INET,
				      .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
	socklen_t size = sizeof(address);

	kit->listener = socket(AF_INET, SOCK_STREAM, 0);
	assert_true(kit->listener >= 0);
	assert_int_equal(bind(kit->listener, (struct sockaddr *)&address, size), 0);
	assert_int_equal(listen(kit->listener, 64), 0);
	assert_int_equal(getsockname(kit->listener, (struct sockaddr *)&address, &size), 0);
	kit->port = ntohs(address.sin_port);
	assert_int_equal(
		tn_io_open(kit->loop, kit->listener, accept_one, kit, &kit->accepting, NULL),
		TENON_OK);
	tn_io_watch(kit->accepting, TN_IO_READ);
}

/* ---- the conversation ---- */

static const char *letter(void *request)
{
	return request ? request : "-";
}

static void told_ready(void *data)
{
	tn_buf_append_text(&((struct kit *)data)->log, "ready\n");
}

static void told_message(void *data, void *request, unsigned status, struct tn_str json)
{
	struct kit *kit = data;

	tn_buf_format(&kit->log, "message %s %u ", letter(request), status);
	if (json.size > 1000)
		tn_buf_format(&kit->log, "of %zu bytes", json.size);
	else
		tn_buf_append_str(&kit->log, json);
	tn_buf_append_byte(&kit->log, '\n');
	if (kit->on_message)
		kit->on_message(kit, request);
}

static void told_ended(void *data, void *request, const struct tn_carrier_end *end)
{
	struct kit *kit = data;

	assert_int_equal(end->code, end->err.code);
	tn_buf_format(&kit->log, "ended %s %s %u: %s", letter(request), tenon_code_name(end->code),
		      end->status, end->err.message);
	if (end->retry_after_ms)
		tn_buf_format(&kit->log, " (retry after %u)", end->retry_after_ms);
	if (end->session_lost)
		tn_buf_append_text(&kit->log, " (session lost)");
	if (end->body.size)
		tn_buf_format(&kit->log, " body %zu %.*s", end->body.size,
			      (int)(end->body.size < 20 ? end->body.size : 20), end->body.data);
	tn_buf_append_byte(&kit->log, '\n');
}

static void told_lost(void *data, const struct tenon_error *err)
{
	tn_buf_format(&((struct kit *)data)->log, "lost %s: %s\n", tenon_code_name(err->code),
		      err->message);
}

static const struct tn_carrier_events events = {
	.ready = told_ready,
	.message = told_message,
	.ended = told_ended,
	.lost = told_lost,
};

/* ---- running ---- */

static void look(struct kit *kit)
{
	if (kit->wanted &&
	    tn_str_find(tn_buf_str(&kit->log), tn_str_from(kit->wanted)) != TN_STR_NONE) {
		kit->in_time = true;
		tn_loop_stop(kit->loop);
	}
}

/* Looks every millisecond: nothing tells the kit that something was written down. */
static void tick(struct tn_timer *timer, void *data)
{
	look(data);
	tn_timer_start(timer, 1);
}

static void time_over(struct tn_timer *timer, void *data)
{
	(void)timer;
	tn_loop_stop(((struct kit *)data)->loop);
}

static void run(struct kit *kit, uint32_t ms)
{
	struct tn_timer *deadline;

	assert_int_equal(tn_timer_open(kit->loop, time_over, kit, &deadline, NULL), TENON_OK);
	tn_timer_start(deadline, ms);
	tn_timer_start(kit->timer, 1);
	kit->in_time = false;
	tn_loop_run(kit->loop);
	tn_timer_stop(kit->timer);
	tn_timer_close(deadline);
}

void kit_run(struct kit *kit, const char *text)
{
	kit->wanted = text;
	run(kit, KIT_WAIT_MS);
	if (!kit->in_time) {
		tn_buf_append_byte(&kit->log, '\0');
		fail_msg("\"%s\" did not come; this did:\n%s", text, kit->log.data);
	}
}

void kit_run_for(struct kit *kit, uint32_t ms)
{
	kit->wanted = NULL;
	run(kit, ms);
}

void kit_run_requests(struct kit *kit, size_t count)
{
	for (int i = 0; i < KIT_WAIT_MS && kit->request_count < count; i++)
		kit_run_for(kit, 1);
	assert_int_equal(kit->request_count, count);
}

void kit_push(struct kit *kit, size_t index, const char *bytes)
{
	struct kit_connection *at = kit->first;

	while (at && at->last_request != index)
		at = at->next;
	assert_non_null(at);
	if (bytes)
		write_all(at, tn_str_from(bytes));
	else
		hang_up(at);
}

bool kit_is_open(struct kit *kit, size_t index)
{
	struct kit_connection *at = kit->first;

	while (at && at->last_request != index)
		at = at->next;
	return at && at->fd >= 0;
}

const char *kit_url(const struct kit *kit, const char *path, char *out, size_t size)
{
	(void)snprintf(out, size, "http://127.0.0.1:%u%s", kit->port, path);
	return out;
}

void kit_carrier(struct kit *kit, const char *kind, struct tn_url_target target)
{
	struct tn_carrier_options options = {.loop = kit->loop,
					     .events = &events,
					     .data = kit,
					     .connect_timeout_ms = 2000,
					     .plugin_folder = kit_plugin_folder};
	struct tenon_error err = {0};
	char url[128];

	if (!target.url)
		target.url = kit_url(kit, "/mcp", url, sizeof(url));
	if (strcmp(kind, "sse") == 0)
		assert_int_equal(tn_carrier_open_sse(&options, &target, &kit->carrier, &err),
				 TENON_OK);
	else
		assert_int_equal(tn_carrier_open_http(&options, &target, &kit->carrier, &err),
				 TENON_OK);
}

void kit_send(struct kit *kit, const char *json, const char *method, const char *request,
	      enum tn_revision revision)
{
	struct tn_outgoing message = {.json = tn_str_from(json),
				      .method = tn_str_from(method),
				      .revision = revision,
				      .request = (void *)(uintptr_t)request};

	kit->carrier->ops->send(kit->carrier, &message);
}

void kit_open(struct kit *kit, const struct kit_reply *script, size_t script_size)
{
	struct tenon_error err = {0};

	*kit = (struct kit){.script = script, .script_size = script_size};
	tn_buf_init(&kit->log, 16 * TN_MIB);
	assert_int_equal(tn_loop_create(&kit->loop, &err), TENON_OK);
	assert_int_equal(tn_timer_open(kit->loop, tick, kit, &kit->timer, &err), TENON_OK);
	listen_anywhere(kit);
}

void kit_close(struct kit *kit)
{
	struct kit_connection *next;

	if (kit->carrier)
		kit->carrier->ops->abort(kit->carrier);
	tn_io_close(kit->accepting);
	(void)close(kit->listener);
	for (struct kit_connection *at = kit->first; at; at = next) {
		next = at->next;
		hang_up(at);
		tn_buf_finish(&at->input);
		tn_buf_finish(&at->output);
		tn_mem_free(at);
	}
	tn_timer_close(kit->timer);
	tn_loop_destroy(kit->loop);
	for (size_t i = 0; i < kit->request_count; i++)
		tn_mem_free(kit->requests[i]);
	tn_buf_finish(&kit->log);
}
