#include "transport/http_test_kit.h"

#include <arpa/inet.h>
#include <errno.h>
#include <poll.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/mem.h"

enum { ANSWER_MAX = 4 * 1024 * 1024, LATER_MS = 30 };

/* ---- the handler; a failed assertion of cmocka's cannot leave this thread, so tn_assert ---- */

static void respond_text(struct tn_http_exchange *x, unsigned status, struct tn_str body)
{
	const struct tn_http_reply reply = {
		.status = status, .type = TN_STR("text/plain"), .parts = &body, .part_count = 1};

	tn_http_respond(x, &reply);
}

static void respond_echo(struct tn_http_exchange *x)
{
	size_t size;
	char *body = tn_http_body(x, &size);
	const struct tn_str parts[] = {tn_http_method(x), TN_STR(" "),      tn_http_path(x),
				       TN_STR(" "),       tn_http_query(x), TN_STR(" "),
				       tn_str(body, size)};
	const struct tn_http_header header = {TN_STR("X-Seen"), tn_http_header(x, "X-Try", NULL)};
	const struct tn_http_reply reply = {.status = 200,
					    .type = TN_STR("text/plain"),
					    .headers = &header,
					    .header_count = 1,
					    .parts = parts,
					    .part_count = 7};

	tn_http_respond(x, &reply);
}

static void open_stream(struct kit *kit, struct tn_http_exchange *x)
{
	if (!tn_http_sse_begin(x, NULL, 0))
		return; /* HEAD */
	tn_http_forget_request(x);
	kit->streams[kit->stream_count++] = x;
}

static void later_due(struct tn_timer *timer, void *data)
{
	struct kit *kit = data;
	struct tn_http_exchange *x = kit->waiting[0];

	kit->waiting_count--;
	memmove(kit->waiting, kit->waiting + 1, kit->waiting_count * sizeof(*kit->waiting));
	if (kit->waiting_count)
		tn_timer_start(timer, 1);
	if (tn_str_is(tn_http_path(x), "/soon"))
		open_stream(kit, x);
	else
		respond_echo(x);
}

static void serve_stream(struct tn_http_exchange *x)
{
	static const struct tn_str parts[] = {{"{\"a\":", 5}, {"1}", 2}};
	const struct tn_http_event first = {
		.id = TN_STR("i1"), .name = TN_STR("message"), .data = parts, .data_count = 2};
	const struct tn_http_event last = {.data = parts, .data_count = 2};

	if (!tn_http_sse_begin(x, NULL, 0))
		return;
	tn_assert(tn_http_stream_event(x, &first));
	tn_http_stream_end(x, &last);
}

static void serve_raw(struct tn_http_exchange *x)
{
	const struct tn_str hello = TN_STR("hello");
	const struct tn_http_reply reply = {.status = 200, .parts = &hello, .part_count = 1};

	if (!tn_http_stream_begin(x, &reply))
		return;
	tn_assert(tn_http_stream_bytes(x, TN_STR(" you")));
	tn_http_stream_end(x, NULL);
}

static void serve_big(struct tn_http_exchange *x)
{
	uint64_t size = 0;
	char *body;

	tn_assert(tn_str_to_uint(tn_http_query(x), &size));
	body = tn_mem_alloc(size);
	memset(body, 'b', size);
	respond_text(x, 200, tn_str(body, size));
	tn_mem_free(body);
}

/* Another protocol: says what came behind the request, and closes. */
static void leave(struct tn_http_upgraded *upgraded)
{
	(void)close(upgraded->fd); /* nothing is left to say */
	tn_http_leave(upgraded->seat);
}

static void switch_protocol(struct kit *kit, struct tn_http_exchange *x, bool keep)
{
	const struct tn_http_header header = {TN_STR("Upgrade"), TN_STR("parrot")};
	struct tn_http_upgraded upgraded;

	if (!tn_http_upgrade(x, &header, 1, &upgraded))
		return;
	if (upgraded.unread.size)
		(void)send(upgraded.fd, upgraded.unread.data, upgraded.unread.size, MSG_NOSIGNAL);
	tn_buf_finish(&upgraded.unread);
	if (keep)
		kit->kept[kit->kept_count++] = upgraded;
	else
		leave(&upgraded);
}

/* What /echo answers carries, so that it shows. */
static void on_headers(const struct tn_http_exchange *x, struct tn_buf *lines, void *data)
{
	struct tn_str value = tn_http_header(x, "X-Tell", NULL);

	(void)data;
	if (!value.data)
		return;
	tn_buf_append_text(lines, "X-Told: ");
	tn_buf_append_str(lines, value);
	tn_buf_append_text(lines, "\r\n");
}

static void on_request(struct tn_http_exchange *x, void *data)
{
	struct kit *kit = data;
	struct tn_str path = tn_http_path(x);

	atomic_fetch_add(&kit->requests, 1);
	if (tn_str_is(path, "/later") || tn_str_is(path, "/soon")) {
		kit->waiting[kit->waiting_count++] = x;
		tn_timer_start(kit->later, LATER_MS);
	} else if (tn_str_is(path, "/big")) {
		serve_big(x);
	} else if (tn_str_is(path, "/sse")) {
		serve_stream(x);
	} else if (tn_str_is(path, "/raw")) {
		serve_raw(x);
	} else if (tn_str_is(path, "/open")) {
		open_stream(kit, x);
	} else if (tn_str_is(path, "/switch") || tn_str_is(path, "/keep")) {
		switch_protocol(kit, x, tn_str_is(path, "/keep"));
	} else if (!tn_str_is(path, "/never")) {
		respond_echo(x);
	}
}

static void on_check(struct tn_http_exchange *x, void *data)
{
	static const char *const known[] = {"/",      "*",       "/echo", "/later", "/never",
					    "/big",   "/sse",    "/raw",  "/open",  "/soon",
					    "/typed", "/switch", "/keep", "/*"};
	struct kit *kit = data;
	struct tn_str path = tn_http_path(x);

	atomic_fetch_add(&kit->checks, 1);
	if (tn_str_is(path, "/typed") &&
	    !tn_str_is(tn_http_header(x, "content-type", NULL), "text/plain")) {
		respond_text(x, 415, TN_STR("text/plain only"));
		return;
	}
	if (tn_str_is(path, "/*"))
		tn_http_anybodys(x);
	for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++) {
		if (tn_str_is(path, known[i]))
			return;
	}
	respond_text(x, 404, TN_STR("no such path"));
}

static void forget(struct tn_http_exchange **list, size_t *count, struct tn_http_exchange *x)
{
	for (size_t i = 0; i < *count; i++) {
		if (list[i] == x) {
			list[i] = list[--*count];
			return;
		}
	}
}

static void on_closed(struct tn_http_exchange *x, void *data)
{
	struct kit *kit = data;

	forget(kit->streams, &kit->stream_count, x);
	forget(kit->waiting, &kit->waiting_count, x);
	if (kit->waiting_count == 0)
		tn_timer_stop(kit->later);
	atomic_fetch_add(&kit->closed, 1);
}

/* ---- the server's thread ---- */

static void woken(struct tn_wakeup *wakeup, void *data)
{
	struct kit *kit = data;

	(void)wakeup;
	kit->run(kit, kit->run_data);
	(void)sem_post(&kit->done);
}

static void *serve(void *data)
{
	struct kit *kit = data;

	tn_loop_run(kit->loop);
	return NULL;
}

struct kit *kit_open(const char *address, const struct tn_http_limits *limits)
{
	static const struct tn_http_handler handler = {.check = on_check,
						       .request = on_request,
						       .closed = on_closed,
						       .headers = on_headers};
	struct tenon_error err = {0};
	struct kit *kit = tn_mem_alloc(sizeof(*kit));
	const struct tn_http_options options = {
		.address = address, .limits = limits, .handler = &handler, .data = kit};

	assert_int_equal(sem_init(&kit->done, 0, 0), 0);
	assert_int_equal(tn_loop_create(&kit->loop, &err), TENON_OK);
	assert_int_equal(tn_wakeup_open(kit->loop, woken, kit, &kit->wakeup, &err), TENON_OK);
	assert_int_equal(tn_timer_open(kit->loop, later_due, kit, &kit->later, &err), TENON_OK);
	assert_int_equal(tn_http_server_open(kit->loop, &options, &kit->server, &err), TENON_OK);
	kit->port = tn_http_server_port(kit->server);
	assert_int_not_equal(kit->port, 0);
	assert_int_equal(pthread_create(&kit->thread, NULL, serve, kit), 0);
	return kit;
}

void kit_run(struct kit *kit, void (*run)(struct kit *kit, void *data), void *data)
{
	kit->run = run;
	kit->run_data = data;
	tn_wakeup_send(kit->wakeup);
	while (sem_wait(&kit->done) != 0)
		;
}

static void stop(struct kit *kit, void *data)
{
	(void)data;
	tn_loop_stop(kit->loop);
}

void kit_close(struct kit *kit)
{
	kit_run(kit, stop, NULL);
	assert_int_equal(pthread_join(kit->thread, NULL), 0);
	while (kit->kept_count)
		leave(&kit->kept[--kit->kept_count]);
	tn_http_server_close(kit->server);
	tn_timer_close(kit->later);
	tn_wakeup_close(kit->wakeup);
	tn_loop_destroy(kit->loop);
	(void)sem_destroy(&kit->done); /* nobody waits */
	tn_mem_free(kit);
}

/* ---- the client ---- */

uint64_t kit_now_ms(void)
{
	return tn_clock_now_ms(&tn_clock_system);
}

int kit_dial(const struct kit *kit)
{
	struct sockaddr_in at = {.sin_family = AF_INET,
				 .sin_port = htons(kit->port),
				 .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
	int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);

	assert_true(fd >= 0);
	assert_int_equal(connect(fd, (struct sockaddr *)&at, sizeof(at)), 0);
	return fd;
}

void kit_send(int fd, const char *data, size_t size)
{
	while (size) {
		ssize_t sent = send(fd, data, size, MSG_NOSIGNAL);

		if (sent < 0 && errno == EINTR)
			continue;
		if (sent < 0) /* the server has closed: what it said before is still to be read */
			return;
		data += sent;
		size -= (size_t)sent;
	}
}

void kit_send_text(int fd, const char *text)
{
	kit_send(fd, text, strlen(text));
}

/* One byte more; false at the end or after KIT_WAIT_MS. */
static bool next_byte(int fd, char *out, int ms)
{
	struct pollfd ready = {.fd = fd, .events = POLLIN};

	return poll(&ready, 1, ms) == 1 && recv(fd, out, 1, 0) == 1;
}

static bool read_exact(int fd, char *out, size_t size)
{
	while (size) {
		struct pollfd ready = {.fd = fd, .events = POLLIN};
		ssize_t got = poll(&ready, 1, KIT_WAIT_MS) == 1 ? recv(fd, out, size, 0) : 0;

		if (got <= 0)
			return false;
		out += got;
		size -= (size_t)got;
	}
	return true;
}

static bool read_line(int fd, char *out, size_t *size)
{
	size_t from = *size;

	do {
		assert_true(*size < ANSWER_MAX);
		if (!next_byte(fd, out + *size, KIT_WAIT_MS))
			return false;
		++*size;
	} while (out[*size - 1] != '\n');
	/* Our own answers are held to the same strictness. */
	assert_true(*size - from >= 2 && out[*size - 2] == '\r');
	return true;
}

static bool read_chunks(int fd, char *out, size_t *size)
{
	for (;;) {
		size_t from = *size, chunk;

		if (!read_line(fd, out, size))
			return false;
		out[*size] = '\0';
		chunk = strtoul(out + from, NULL, 16);
		*size = from; /* the text is the decoded one */
		assert_true(*size + chunk + 2 < ANSWER_MAX);
		if (!read_exact(fd, out + *size, chunk + 2))
			return false;
		if (chunk == 0)
			return true;
		*size += chunk;
	}
}

static bool read_body(int fd, char *out, size_t *size)
{
	const char *length = strstr(out, "\r\nContent-Length: ");

	if (strstr(out, "\r\nTransfer-Encoding: chunked\r\n"))
		return read_chunks(fd, out, size);
	if (length) {
		size_t body = strtoul(length + 18, NULL, 10);

		assert_true(*size + body < ANSWER_MAX);
		*size += body;
		return read_exact(fd, out + *size - body, body);
	}
	if (strncmp(out, "HTTP/1.1 1", 10) == 0 || strncmp(out, "HTTP/1.1 204", 12) == 0)
		return true;
	while (*size < ANSWER_MAX - 1 && next_byte(fd, out + *size, KIT_WAIT_MS))
		++*size;
	return true;
}

static char answer[ANSWER_MAX]; /* too large for a stack, and one client is enough */

static unsigned read_answer(int fd, const char **ret_text, bool head_only)
{
	size_t size = 0, before;

	answer[0] = '\0';
	if (ret_text)
		*ret_text = answer;
	do {
		before = size;
		if (!read_line(fd, answer, &size))
			return 0;
	} while (size - before > 2);
	answer[size] = '\0';
	if (!head_only && !read_body(fd, answer, &size))
		return 0;
	answer[size] = '\0';
	assert_memory_equal(answer, "HTTP/1.1 ", 9);
	return (unsigned)strtoul(answer + 9, NULL, 10);
}

unsigned kit_answer(int fd, const char **ret_text)
{
	return read_answer(fd, ret_text, false);
}

unsigned kit_answer_head(int fd, const char **ret_text)
{
	return read_answer(fd, ret_text, true);
}

bool kit_expect(int fd, const char *text, int ms)
{
	char window[256] = "";
	size_t wanted = strlen(text), held = 0;
	uint64_t end = kit_now_ms() + (uint64_t)ms;

	assert_true(wanted < sizeof(window));
	for (;;) {
		uint64_t now = kit_now_ms();

		if (held == wanted) {
			memmove(window, window + 1, wanted - 1);
			held--;
		}
		if (now > end || !next_byte(fd, window + held, (int)(end - now)))
			return false;
		held++;
		if (held == wanted && memcmp(window, text, wanted) == 0)
			return true;
	}
}

bool kit_ends(int fd, int ms)
{
	uint64_t end = kit_now_ms() + (uint64_t)ms;
	char scrap[65536];

	for (uint64_t now = kit_now_ms(); now <= end; now = kit_now_ms()) {
		struct pollfd ready = {.fd = fd, .events = POLLIN};

		if (poll(&ready, 1, (int)(end - now)) == 1 &&
		    recv(fd, scrap, sizeof(scrap), 0) <= 0)
			return true;
	}
	return false;
}

bool kit_reaches(atomic_uint *counter, unsigned value)
{
	const struct timespec nap = {.tv_nsec = 2000000};

	for (unsigned i = 0; i < KIT_WAIT_MS / 2; i++) {
		if (atomic_load(counter) >= value)
			return true;
		(void)nanosleep(&nap, NULL);
	}
	return false;
}
