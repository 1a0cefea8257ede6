/* fake_llm.c - a chat-completions endpoint for tests: real HTTP on loopback, no model behind it.
 *
 *     fake-llm [--log FILE]
 *
 * Prints its port on standard output and serves until standard input ends. The first part of the
 * path chooses how it behaves, so one server plays all parts: with the base URL
 * http://127.0.0.1:PORT/good/v1 a request arrives as POST /good/v1/chat/completions.
 * A request that is not what the contract promises (plan.md sections 9 and 10.5) gets status 400
 * with the reason, whatever part is played. Each request is one line of the log:
 * behaviour, authorization value, body. One thread a connection; connections are not kept. */
#include <arpa/inet.h>
#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include "base/mem.h"
#include "jsonrpc/json.h"
#include "jsonrpc/json_write.h"

enum { REQUEST_MAX = 1 << 20, HUGE_ANSWER = 3 << 20, SLOW_MS = 60000 };

struct server {
	FILE *log;
	atomic_uint calls; /* lets a behaviour change after its first call */
	atomic_uint open;  /* steady calls being served: how parallel the client is */
	atomic_uint most_open;
	atomic_uint threads; /* that use this struct */
};

struct call {
	struct server *server;
	int fd;
	unsigned number; /* 0 for the first call of this process */
	struct tn_arena arena;
	struct tn_buf input; /* head and body */
	struct tn_str behaviour, authorization, body;
	const struct tn_json *document; /* the context document in the request */
	const char *fault;              /* why the request is not what was promised */
};

/* ---- the request ---- */

static struct tn_str header(struct tn_str head, const char *name)
{
	while (head.size > 0) {
		size_t end = tn_str_find(head, TN_STR("\r\n"));
		struct tn_str line = tn_str(head.data, end == TN_STR_NONE ? head.size : end);
		size_t colon = tn_str_find_byte(line, ':');

		if (colon != TN_STR_NONE &&
		    tn_str_equal_nocase(tn_str(line.data, colon), tn_str_from(name)))
			return tn_str_trim(tn_str_from_offset(line, colon + 1));
		head = tn_str_from_offset(head, line.size + 2);
	}
	return tn_str(NULL, 0);
}

/* Reads head and body; false when the peer went away or sent too much. */
static bool read_request(struct call *call, struct tn_str *ret_head)
{
	uint64_t length = 0;
	size_t split = TN_STR_NONE;

	for (;;) {
		ssize_t got;

		if (split == TN_STR_NONE)
			split = tn_str_find(tn_buf_str(&call->input), TN_STR("\r\n\r\n"));
		if (split != TN_STR_NONE) {
			*ret_head = tn_str(call->input.data, split);
			if (!tn_str_to_uint(header(*ret_head, "content-length"), &length))
				length = 0;
			if (call->input.size >= split + 4 + length)
				break;
		}
		if (!tn_buf_reserve(&call->input, 65536))
			return false;
		got = recv(call->fd, call->input.data + call->input.size, 65536, 0);
		if (got <= 0)
			return false;
		call->input.size += (size_t)got;
	}
	call->body = tn_str(call->input.data + split + 4, (size_t)length);
	return true;
}

static const char *check_document(const struct tn_json *document)
{
	static const char *const keys[] = {"mcp_version", "system", "tool_output", "history"};
	const struct tn_json *member;
	struct tn_str version;
	size_t i = 0;

	if (!tn_json_is(document, TN_JSON_OBJECT) || document->count != 4)
		return "the document has not exactly four keys";
	for (member = document->first; member; member = member->next, i++)
		if (!tn_str_is(member->key, keys[i]))
			return "the document's keys are other ones or in another order";
	if (!tn_json_to_str(tn_json_get(document, "mcp_version"), &version) ||
	    !tn_str_is(version, "1.0"))
		return "mcp_version is not \"1.0\"";
	if (!tn_json_is(tn_json_get(document, "tool_output"), TN_JSON_ARRAY) ||
	    tn_json_get(document, "tool_output")->count > 10)
		return "tool_output has more than 10 entries";
	if (!tn_json_is(tn_json_get(document, "history"), TN_JSON_ARRAY) ||
	    tn_json_get(document, "history")->count > 2)
		return "history has more than 2 entries";
	return NULL;
}

static const char *check_message(struct call *call, const struct tn_json *message, const char *role,
				 bool is_document)
{
	struct tenon_error err = {0};
	struct tn_json *document = NULL;
	struct tn_str text;

	if (!tn_json_to_str(tn_json_get(message, "role"), &text) || !tn_str_is(text, role))
		return "a message has another role";
	if (!tn_json_to_str(tn_json_get(message, "content"), &text) || text.size == 0)
		return "a message has no content";
	if (!is_document)
		return NULL;
	if (tn_json_parse_copy(&call->arena, text, &document, &err) != TENON_OK)
		return "the content is not one JSON document";
	call->document = document;
	return check_document(document);
}

/* The shape that section 10.5 promises; NULL when it is there. */
static const char *check_request(struct call *call)
{
	const struct tn_json *messages;
	struct tn_json *request = NULL;
	struct tenon_error err = {0};
	const char *fault;
	struct tn_str model;
	double number;
	int64_t tokens;

	if (tn_json_parse_copy(&call->arena, call->body, &request, &err) != TENON_OK)
		return "the body is not JSON";
	if (!tn_json_to_str(tn_json_get(request, "model"), &model) || model.size == 0)
		return "model is missing";
	if (!tn_json_to_double(tn_json_get(request, "temperature"), &number))
		return "temperature is missing";
	if (!tn_json_to_int(tn_json_get(request, "max_tokens"), &tokens) || tokens < 1)
		return "max_tokens is missing";
	messages = tn_json_get(request, "messages");
	if (tn_json_is(messages, TN_JSON_ARRAY) && messages->count == 1)
		return check_message(call, messages->first, "system", true);
	if (!tn_json_is(messages, TN_JSON_ARRAY) || messages->count != 2)
		return "messages are not a system and a user message";
	fault = check_message(call, messages->first, "system", false);
	return fault ? fault : check_message(call, messages->first->next, "user", true);
}

/* ---- the answer ---- */

static void send_all(int fd, struct tn_str data)
{
	while (data.size > 0) {
		ssize_t sent = send(fd, data.data, data.size, MSG_NOSIGNAL);

		if (sent <= 0)
			return; /* the client has gone, as it may */
		data = tn_str_from_offset(data, (size_t)sent);
	}
}

static void answer(struct call *call, const char *status, const char *headers, struct tn_str body)
{
	struct tn_buf out;

	tn_buf_init(&out, HUGE_ANSWER + TN_MIB);
	tn_buf_format(&out,
		      "HTTP/1.1 %s\r\nContent-Type: application/json\r\n%sContent-Length: %zu\r\n"
		      "Connection: close\r\n\r\n",
		      status, headers, body.size);
	tn_buf_append_str(&out, body);
	send_all(call->fd, tn_buf_str(&out));
	tn_buf_finish(&out);
}

static void answer_error(struct call *call, const char *status, const char *headers,
			 const char *message)
{
	struct tn_buf body;

	tn_buf_init(&body, 4096);
	tn_buf_append_text(&body, "{\"error\":{\"message\":");
	tn_json_put_text(&body, message);
	tn_buf_append_text(&body, "}}");
	answer(call, status, headers, tn_buf_str(&body));
	tn_buf_finish(&body);
}

/* N from the bullets: "+K more…" stands for K. */
static uint64_t count_changes(const struct tn_json *bullets)
{
	const struct tn_json *bullet = bullets->first;
	uint64_t folded = 0;
	struct tn_str text;

	if (bullet && tn_json_to_str(bullet, &text) && text.size && text.data[0] == '+') {
		size_t blank = tn_str_find_byte(text, ' ');

		if (blank != TN_STR_NONE &&
		    tn_str_to_uint(tn_str(text.data + 1, blank - 1), &folded))
			return folded + bullets->count - 1;
	}
	return bullets->count;
}

static bool asked_for_count(const struct tn_json *document)
{
	const struct tn_json *entry;
	struct tn_str text;
	bool count = false;

	for (entry = tn_json_get(document, "history")->first; entry; entry = entry->next)
		if (tn_json_to_str(tn_json_get(entry, "content"), &text))
			count = tn_str_is(text, "Count only");
	return count;
}

/* What a well-behaved model would say about the bullets. */
static void write_explanation(struct tn_buf *out, const struct tn_json *document, uint64_t extra)
{
	const struct tn_json *bullets = tn_json_get(document, "tool_output");
	const struct tn_json *bullet;
	uint64_t count = count_changes(bullets) + extra;
	struct tn_str text;

	tn_buf_format(out, "Summary: %llu change%s", (unsigned long long)count,
		      count == 1 ? "" : "s");
	if (asked_for_count(document))
		return;
	tn_buf_append_text(out, "\nThe model says:");
	for (bullet = bullets->first; bullet; bullet = bullet->next) {
		if (!tn_json_to_str(bullet, &text) || text.size < 2 || text.data[0] != '-')
			continue;
		tn_buf_append_text(out, " ");
		tn_buf_append_str(out, tn_str_from_offset(text, 2));
		tn_buf_append_text(out, ".");
	}
}

static void answer_content(struct call *call, struct tn_str text, bool in_parts)
{
	struct tn_buf body;

	tn_buf_init(&body, HUGE_ANSWER + TN_MIB);
	tn_buf_append_text(&body, "{\"id\":\"x\",\"object\":\"chat.completion\",\"choices\":"
				  "[{\"index\":0,\"finish_reason\":\"stop\",\"message\":"
				  "{\"role\":\"assistant\",\"content\":");
	if (in_parts) { /* two parts, to show that they are joined */
		size_t half = text.size / 2;

		tn_buf_append_text(&body, "[{\"type\":\"text\",\"text\":");
		tn_json_put_str(&body, tn_str(text.data, half));
		tn_buf_append_text(&body, "},{\"type\":\"text\",\"text\":");
		tn_json_put_str(&body, tn_str_from_offset(text, half));
		tn_buf_append_text(&body, "}]");
	} else {
		tn_json_put_str(&body, text);
	}
	tn_buf_append_text(&body, "}}],\"usage\":{\"total_tokens\":7}}");
	answer(call, "200 OK", "", tn_buf_str(&body));
	tn_buf_finish(&body);
}

static void answer_explanation(struct call *call, uint64_t extra, const char *before,
			       const char *after, bool in_parts)
{
	struct tn_buf text;

	tn_buf_init(&text, TN_MIB);
	tn_buf_append_text(&text, before);
	write_explanation(&text, call->document, extra);
	tn_buf_append_text(&text, after);
	answer_content(call, tn_buf_str(&text), in_parts);
	tn_buf_finish(&text);
}

/* ---- the parts it plays ---- */

static void play_good(struct call *call)
{
	answer_explanation(call, 0, "", "", false);
}

static void play_fenced(struct call *call)
{
	answer_explanation(call, 0, "\n```text\n", "\n```\n", false);
}

static void play_parts(struct call *call)
{
	answer_explanation(call, 0, "", "", true);
}

static void play_wrong(struct call *call)
{
	answer_explanation(call, 1, "", "", false);
}

static void play_wrong_then_good(struct call *call)
{
	answer_explanation(call, call->number == 0 ? 1 : 0, "", "", false);
}

static void play_every_second_wrong(struct call *call)
{
	answer_explanation(call, call->number % 2, "", "", false);
}

static void play_invented(struct call *call)
{
	answer_explanation(call, 0, "", " It also deletes aws_db_instance.invented.", false);
}

static void play_429(struct call *call)
{
	answer_error(call, "429 Too Many Requests", "", "quota used up");
}

static void play_429_then_good(struct call *call)
{
	if (call->number == 0)
		answer_error(call, "429 Too Many Requests", "Retry-After: 1\r\n", "slow down");
	else
		play_good(call);
}

static void play_500(struct call *call)
{
	answer_error(call, "500 Internal Server Error", "", "out of order");
}

static void play_500_then_good(struct call *call)
{
	if (call->number == 0)
		play_500(call);
	else
		play_good(call);
}

static void play_redirect(struct call *call)
{
	answer_error(call, "302 Found", "Location: /good/v1/chat/completions\r\n", "elsewhere");
}

static void play_bad_key(struct call *call)
{
	answer_error(call, "401 Unauthorized", "", "the key is wrong");
}

static void play_huge(struct call *call)
{
	char *text = tn_mem_alloc(HUGE_ANSWER);

	if (!text)
		return;
	memset(text, 'x', HUGE_ANSWER);
	answer_content(call, tn_str(text, HUGE_ANSWER), false);
	tn_mem_free(text);
}

static void play_not_json(struct call *call)
{
	answer(call, "200 OK", "", TN_STR("<html>a proxy's login page</html>"));
}

static void play_closed(struct call *call)
{
	(void)shutdown(call->fd, SHUT_RDWR);
}

/* Says nothing until the client gives up. */
static void play_slow(struct call *call)
{
	struct pollfd watched = {.fd = call->fd, .events = POLLIN};

	(void)poll(&watched, 1, SLOW_MS);
}

/* Takes a moment, so that parallel calls overlap, and counts how many do. A call stops counting
 * before its answer leaves: the client may ask the next as soon as it has that. */
static void play_steady(struct call *call)
{
	const struct timespec moment = {.tv_nsec = 150 * 1000 * 1000};
	struct server *server = call->server;
	unsigned open = atomic_fetch_add(&server->open, 1) + 1;
	unsigned most = atomic_load(&server->most_open);

	while (open > most && !atomic_compare_exchange_weak(&server->most_open, &most, open))
		;
	(void)nanosleep(&moment, NULL);
	(void)atomic_fetch_sub(&server->open, 1);
	play_good(call);
}

static void play_most_open(struct call *call)
{
	char text[32];
	int size = snprintf(text, sizeof(text), "%u", atomic_load(&call->server->most_open));

	answer(call, "200 OK", "", tn_str(text, (size_t)size));
}

static const struct {
	const char *name;
	void (*play)(struct call *call);
} parts[] = {
	{"good", play_good},
	{"fenced", play_fenced},
	{"parts", play_parts},
	{"wrong", play_wrong},
	{"wrong-then-good", play_wrong_then_good},
	{"every-second-wrong", play_every_second_wrong},
	{"invented", play_invented},
	{"429", play_429},
	{"429-then-good", play_429_then_good},
	{"500", play_500},
	{"500-then-good", play_500_then_good},
	{"redirect", play_redirect},
	{"bad-key", play_bad_key},
	{"huge", play_huge},
	{"not-json", play_not_json},
	{"closed", play_closed},
	{"slow", play_slow},
	{"steady", play_steady},
};

static void play(struct call *call)
{
	for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++) {
		if (tn_str_is(call->behaviour, parts[i].name)) {
			parts[i].play(call);
			return;
		}
	}
	answer_error(call, "404 Not Found", "", "no such behaviour");
}

static void log_call(struct call *call)
{
	if (!call->server->log)
		return;
	flockfile(call->server->log);
	(void)fprintf(call->server->log, "%.*s\t%.*s\t%.*s\n", (int)call->behaviour.size,
		      call->behaviour.data, (int)call->authorization.size,
		      call->authorization.data ? call->authorization.data : "",
		      (int)call->body.size, call->body.data);
	(void)fflush(call->server->log);
	funlockfile(call->server->log);
}

static void serve(struct call *call)
{
	static const char path_end[] = "/v1/chat/completions";
	struct tn_str head, line, path;
	size_t blank;

	if (!read_request(call, &head))
		return;
	line = tn_str(head.data, tn_str_find(head, TN_STR("\r\n")));
	if (tn_str_starts(line, TN_STR("GET /most-open "))) {
		play_most_open(call);
		return;
	}
	path = tn_str_from_offset(line, sizeof("POST /") - 1);
	blank = tn_str_find_byte(path, ' ');
	path.size = blank == TN_STR_NONE ? 0 : blank;
	if (!tn_str_starts(line, TN_STR("POST /")) || !tn_str_ends(path, tn_str_from(path_end))) {
		answer_error(call, "404 Not Found", "", "no such endpoint");
		return;
	}
	call->behaviour = tn_str(path.data, path.size - strlen(path_end));
	call->authorization = header(head, "authorization");
	log_call(call);
	call->number = atomic_fetch_add(&call->server->calls, 1);
	call->fault = check_request(call);
	if (call->fault)
		answer_error(call, "400 Bad Request", "", call->fault);
	else
		play(call);
}

static void *run_call(void *data)
{
	struct call *call = data;
	struct server *server = call->server;

	serve(call);
	(void)close(call->fd);
	tn_arena_finish(&call->arena);
	tn_buf_finish(&call->input);
	tn_mem_free(call);
	(void)atomic_fetch_sub(&server->threads, 1); /* the last use of the server */
	return NULL;
}

static void accept_one(struct server *server, int listener)
{
	struct call *call = tn_mem_alloc(sizeof(*call));
	pthread_t thread;

	if (!call)
		return;
	call->server = server;
	tn_arena_init(&call->arena, 16 * TN_MIB);
	tn_buf_init(&call->input, REQUEST_MAX);
	call->fd = accept4(listener, NULL, NULL, SOCK_CLOEXEC);
	(void)atomic_fetch_add(&server->threads, 1);
	if (call->fd >= 0 && pthread_create(&thread, NULL, run_call, call) == 0) {
		(void)pthread_detach(thread);
		return;
	}
	(void)atomic_fetch_sub(&server->threads, 1);
	if (call->fd >= 0)
		(void)close(call->fd);
	tn_mem_free(call);
}

static int listen_on_loopback(unsigned *ret_port)
{
	struct sockaddr_in address = {.sin_family = AF_INET,
				      .sin_addr = {.s_addr = htonl(INADDR_LOOPBACK)}};
	socklen_t size = sizeof(address);
	int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);

	if (fd < 0 || bind(fd, (struct sockaddr *)&address, sizeof(address)) != 0 ||
	    listen(fd, 64) != 0 || getsockname(fd, (struct sockaddr *)&address, &size) != 0)
		return -1;
	*ret_port = ntohs(address.sin_port);
	return fd;
}

int main(int argc, char **argv)
{
	struct server server = {0};
	unsigned port = 0;
	int listener = listen_on_loopback(&port);
	struct pollfd watched[2] = {{.fd = listener, .events = POLLIN},
				    {.fd = STDIN_FILENO, .events = POLLIN}};

	if (argc == 3 && strcmp(argv[1], "--log") == 0)
		server.log = fopen(argv[2], "a");
	if (listener < 0 || (argc != 1 && !server.log)) {
		(void)fprintf(stderr, "usage: fake-llm [--log FILE]\n");
		return 64;
	}
	(void)printf("%u\n", port);
	(void)fflush(stdout);
	/* The end of standard input ends the server: a test that dies leaves nothing behind. */
	while (poll(watched, 2, -1) >= 0 || errno == EINTR) {
		char ignored[64];

		if (watched[0].revents)
			accept_one(&server, listener);
		if (watched[1].revents && read(STDIN_FILENO, ignored, sizeof(ignored)) <= 0)
			break;
	}
	for (int waited_ms = 0; atomic_load(&server.threads) && waited_ms < 2000; waited_ms += 10)
		(void)poll(NULL, 0, 10);
	if (atomic_load(
		    &server.threads)) /* a slow part is being played: its thread uses our stack */
		_exit(0);
	return 0;
}
