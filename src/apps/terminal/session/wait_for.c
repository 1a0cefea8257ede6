/* wait_for: calls that wait for something said or shown, so that nobody polls (terminal.md 7.8). */
#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "apps/terminal/redact/regex.h"
#include "apps/terminal/session/operation.h"
#include "base/limits.h"

enum {
	PORT_LOOK_MS = 100,
	PORT_WAIT_MS = 2, /* for a listener of our own machine to answer; everybody waits */
	OVERLAP_BYTES = 64 * 1024,
	SCAN_BYTES_MAX = 1 << 20
};

/* ---- endings ---- */

static uint64_t value_digest(const struct tn_term_op *op)
{
	uint64_t hash = 14695981039346656037U + (uint64_t)op->until;

	for (size_t i = 0; i < op->value_size; i++)
		hash = (hash ^ (unsigned char)op->value[i]) * 1099511628211U;
	return hash;
}

static struct tn_term_bookmark *find_bookmark(struct tn_term_session *s, const char *key,
					      uint64_t digest)
{
	for (size_t i = 0; i < TN_COUNT(s->bookmarks); i++) {
		struct tn_term_bookmark *at = &s->bookmarks[i];

		if (at->digest == digest && strcmp(at->key, key) == 0)
			return at;
	}
	return NULL;
}

/* What was held goes on where it stopped: nothing between two calls is missed. */
static void keep_bookmark(struct tn_term_op *op)
{
	struct tn_term_session *s = op->session;
	uint64_t digest = value_digest(op);
	struct tn_term_bookmark *at = find_bookmark(s, op->caller_key, digest);

	if (!at)
		at = &s->bookmarks[s->bookmark_next++ % TN_COUNT(s->bookmarks)];
	at->digest = digest;
	at->offset = op->scan_from;
	(void)snprintf(at->key, sizeof(at->key), "%s", op->caller_key);
}

static void end_with(struct tn_term_op *op, struct tn_term_waited *result)
{
	tn_term_waited_fn *done = op->done.waited;
	void *data = op->data;

	result->elapsed_ms = tn_term_now(op->term) - op->begun_ms;
	result->session = op->session;
	result->command = op->command;
	result->from = op->from;
	/* A command that had not begun when somebody waited for it has a beginning now, and what
	 * came after its end is not its. */
	if (op->command && op->from_command && op->command->started)
		result->from = op->command->from;
	if (op->command && op->command->ended && result->next > op->command->to)
		result->next = op->command->to;
	tn_term_op_free(op);
	done(result, NULL, data);
}

static void end_because(struct tn_term_op *op, const char *reason)
{
	struct tn_term_waited result = {.reason = reason, .next = op->session->offset};

	result.matched = strcmp(reason, "matched") == 0;
	if (strcmp(reason, "held") == 0) {
		keep_bookmark(op);
		if (op->until == TN_TERM_UNTIL_PATTERN || op->until == TN_TERM_UNTIL_TEXT)
			result.next = op->scan_from;
	}
	end_with(op, &result);
}

static void end_fault(struct tn_term_op *op, const char *code, const struct tenon_error *err)
{
	tn_term_waited_fn *done = op->done.waited;
	void *data = op->data;
	struct tn_term_fault fault = {0};

	tn_term_fault(&fault, code, NULL, "value: %.300s", err->message);
	tn_term_op_free(op);
	done(NULL, &fault, data);
}

/* ---- patterns and texts ---- */

static enum tenon_code make_text(const struct tn_term_op *op, uint64_t from, size_t max,
				 struct tn_output *ret, struct tenon_error *err)
{
	struct tn_output_wish wish = {.from = from,
				      .to = op->command && op->command->ended ? op->command->to
									      : op->session->offset,
				      .bytes_max = max,
				      .contiguous = true};
	struct tn_output_source source;
	struct tn_arena arena;
	enum tenon_code code;

	tn_arena_init(&arena, 64 * TN_MIB);
	/* Our own commands are not what somebody waits for (7.8). */
	code = tn_term_session_edits(op->session, false, &arena, &source, err);
	if (code == TENON_OK)
		code = tn_output_make(&source, &wish, ret, err);
	tn_arena_finish(&arena);
	return code;
}

static enum tenon_code search(struct tn_term_op *op, struct tn_str text, bool *ret_found,
			      struct tn_regex_match *ret, struct tenon_error *err)
{
	size_t at;

	*ret = (struct tn_regex_match){.begin = 0};
	if (op->regex)
		return tn_regex_search(op->regex, text, 0, ret_found, ret, err);
	at = tn_str_find(text, tn_str(op->value, op->value_size));
	*ret_found = at != TN_STR_NONE;
	ret->begin = *ret_found ? at : 0;
	ret->end = ret->begin + op->value_size;
	return TENON_OK;
}

/* The stream offset behind the line that the match ends in. */
static uint64_t offset_behind(const struct tn_term_op *op, struct tn_str text, size_t end)
{
	struct tn_output output = {0};
	size_t line = end;
	uint64_t next = op->session->offset;

	while (line < text.size && text.data[line] != '\n')
		line++;
	if (line < text.size)
		line++;
	if (line < text.size && make_text(op, op->scan_from, line, &output, NULL) == TENON_OK) {
		next = output.next;
		tn_output_finish(&output);
	}
	return next;
}

static void tell_match(struct tn_term_op *op, struct tn_str text,
		       const struct tn_regex_match *match, uint64_t next)
{
	struct tn_term_waited result = {.matched = true, .reason = "matched", .next = next};

	result.match = tn_str(text.data + match->begin, match->end - match->begin);
	result.group_count = match->group_count;
	memcpy(result.groups, match->groups, sizeof(result.groups));
	end_with(op, &result);
}

/* What was printed before the command began is not what is waited for. */
static bool has_begun(struct tn_term_op *op)
{
	const struct tn_term_command *c = op->command;

	if (!c || !op->from_command)
		return true;
	if (!c->started)
		return false;
	if (op->scan_from < c->from)
		op->scan_from = c->from;
	return true;
}

static bool look_for_text(struct tn_term_op *op)
{
	struct tn_output output = {0};
	struct tn_regex_match match;
	struct tenon_error err = {0};
	bool found = false;
	enum tenon_code code;

	if (!has_begun(op) || (op->session->offset <= op->scanned_to && !op->scans_on &&
			       !(op->command && op->command->ended)))
		return false;
	code = make_text(op, op->scan_from, SCAN_BYTES_MAX, &output, &err);
	if (code == TENON_OK)
		code = search(op, tn_buf_str(&output.text), &found, &match, &err);
	op->scanned_to = op->session->offset;
	op->scans_on = code == TENON_OK && output.more;
	if (code != TENON_OK) {
		tn_output_finish(&output);
		end_fault(op, code == TENON_LIMIT ? "pattern_limit" : NULL, &err);
		return true;
	}
	if (found) {
		struct tn_str text = tn_buf_str(&output.text);

		tell_match(op, text, &match, offset_behind(op, text, match.end));
	} else if (output.next - op->scan_from > OVERLAP_BYTES) {
		op->scan_from = output.next - OVERLAP_BYTES;
	} else {
		op->scans_on = false; /* an unfinished character */
	}
	if (!found && op->scans_on)
		tn_term_session_moved(op->session); /* in the next turn */
	tn_output_finish(&output);
	return found;
}

static bool look_at_screen(struct tn_term_op *op)
{
	struct tn_screen_look look;
	struct tn_regex_match match;
	struct tenon_error err = {0};
	struct tn_buf text;
	bool found = false;
	enum tenon_code code;

	if (!op->session->screen)
		return false;
	tn_screen_look(op->session->screen, &look);
	if (op->scanned_to == look.revision + 1)
		return false;
	op->scanned_to = look.revision + 1;
	tn_buf_init(&text, TN_RESULT_BYTES_MAX);
	for (uint16_t row = 0; row < look.rows; row++) {
		tn_screen_put_line(op->session->screen, row, true, &text);
		tn_buf_append_byte(&text, '\n');
	}
	code = tn_buf_check(&text, &err);
	if (code == TENON_OK)
		code = search(op, tn_buf_str(&text), &found, &match, &err);
	if (code != TENON_OK)
		end_fault(op, code == TENON_LIMIT ? "pattern_limit" : NULL, &err);
	else if (found)
		tell_match(op, tn_buf_str(&text), &match, op->session->offset);
	tn_buf_finish(&text);
	return found || code != TENON_OK;
}

/* ---- the others ---- */

static bool port_accepts(int family, uint16_t port)
{
	struct sockaddr_in6 six = {.sin6_family = AF_INET6,
				   .sin6_port = htons(port),
				   .sin6_addr = IN6ADDR_LOOPBACK_INIT};
	struct sockaddr_in four = {.sin_family = AF_INET,
				   .sin_port = htons(port),
				   .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
	const struct sockaddr *to =
		family == AF_INET ? (const struct sockaddr *)&four : (const struct sockaddr *)&six;
	socklen_t size = family == AF_INET ? sizeof(four) : sizeof(six);
	int fd = socket(family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	struct pollfd ready = {.fd = fd, .events = POLLOUT};
	int fault = 0;
	socklen_t fault_size = sizeof(fault);
	bool accepts = false;

	if (fd < 0)
		return false;
	if (connect(fd, to, size) == 0)
		accepts = true;
	else if (errno == EINPROGRESS && poll(&ready, 1, PORT_WAIT_MS) == 1)
		accepts = getsockopt(fd, SOL_SOCKET, SO_ERROR, &fault, &fault_size) == 0 &&
			  fault == 0;
	(void)close(fd); /* it was only to see */
	return accepts;
}

static bool port_is_open(const struct tn_term_op *op)
{
	uint16_t port = (uint16_t)strtoul(op->value, NULL, 10);

	return port_accepts(AF_INET, port) || port_accepts(AF_INET6, port);
}

static bool is_over(const struct tn_term_op *op)
{
	const struct tn_term_session *s = op->session;

	if (op->command)
		return op->command->ended;
	return !tn_term_session_open(s) || (s->state == TN_TERM_IDLE && !s->running && !s->queue);
}

static bool waits_for_input(const struct tn_term_op *op)
{
	const struct tn_term_session *s = op->session;
	struct tn_term_waiting waiting;

	if (s->state == TN_TERM_WAITING_INPUT)
		return true;
	tn_term_session_waiting(s, &waiting);
	return waiting.certain ||
	       (waiting.for_input && tn_term_now(op->term) - s->output_ms >= QUIET_LIKELY_MS);
}

static uint64_t quiet_since(const struct tn_term_op *op)
{
	return op->session->output_ms > op->begun_ms ? op->session->output_ms : op->begun_ms;
}

static bool has_come(const struct tn_term_op *op)
{
	const struct tn_term_session *s = op->session;

	switch (op->until) {
	case TN_TERM_UNTIL_EXIT:
		return is_over(op);
	case TN_TERM_UNTIL_IDLE:
		return tn_term_now(op->term) - quiet_since(op) >= op->idle_ms;
	case TN_TERM_UNTIL_INPUT:
		return tn_term_session_open(s) && waits_for_input(op);
	case TN_TERM_UNTIL_PORT:
		return port_is_open(op);
	case TN_TERM_UNTIL_RETURNED:
		return !s->controller[0] && !s->message;
	case TN_TERM_UNTIL_PATTERN:
	case TN_TERM_UNTIL_TEXT:
	case TN_TERM_UNTIL_SCREEN:
		break;
	}
	return false;
}

/* By the time somebody looks, what has exited may have been closed, too. */
static bool ended_itself(const struct tn_term_session *s)
{
	return s->state == TN_TERM_EXITED || (s->state == TN_TERM_CLOSED && !s->closing);
}

static bool look(struct tn_term_op *op)
{
	const struct tn_term_session *s = op->session;
	bool polls = op->until == TN_TERM_UNTIL_PORT;

	if ((op->until == TN_TERM_UNTIL_PATTERN || op->until == TN_TERM_UNTIL_TEXT) &&
	    look_for_text(op))
		return true;
	if (op->until == TN_TERM_UNTIL_SCREEN && look_at_screen(op))
		return true;
	if (!polls && has_come(op)) {
		end_because(op, "matched");
		return true;
	}
	if (op->scans_on)
		return false;
	if (!tn_term_session_open(s)) {
		end_because(op, ended_itself(s) ? "exited" : "closed");
		return true;
	}
	if (op->command && op->command->ended && op->until != TN_TERM_UNTIL_PORT &&
	    op->until != TN_TERM_UNTIL_IDLE) {
		end_because(op, "exited");
		return true;
	}
	return false;
}

/* ---- time ---- */

static uint64_t least(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

static void start_timer(struct tn_term_op *op)
{
	uint64_t now = tn_term_now(op->term);
	uint64_t due = least(op->wait_until_ms, op->hold_until_ms);

	if (op->until == TN_TERM_UNTIL_IDLE)
		due = least(due, quiet_since(op) + op->idle_ms);
	if (op->until == TN_TERM_UNTIL_PORT || op->until == TN_TERM_UNTIL_INPUT)
		due = least(due, now + PORT_LOOK_MS);
	tn_timer_start(op->timer, due > now ? due - now : 1);
}

static void time_is_over(struct tn_term_op *op)
{
	uint64_t now = tn_term_now(op->term);

	if (op->until == TN_TERM_UNTIL_PORT && has_come(op)) {
		end_because(op, "matched");
		return;
	}
	if (look(op))
		return;
	if (now >= op->wait_until_ms)
		end_because(op, "timed_out");
	else if (now >= op->hold_until_ms)
		end_because(op, "held");
	else
		start_timer(op);
}

/* ---- the call ---- */

static bool compile(struct tn_term_op *op, struct tenon_error *err)
{
	if (op->until != TN_TERM_UNTIL_PATTERN && op->until != TN_TERM_UNTIL_SCREEN)
		return true;
	return tn_regex_compile(tn_str(op->value, op->value_size), false, &op->regex, err) ==
	       TENON_OK;
}

static void place(struct tn_term_op *op, const struct tn_term_wait *wait)
{
	struct tn_term_session *s = op->session;
	struct tn_term_bookmark *mark = find_bookmark(s, op->caller_key, value_digest(op));

	if (wait->from != UINT64_MAX)
		op->from = wait->from;
	else if (mark)
		op->from = mark->offset;
	else if (op->command)
		op->from = op->command->started ? op->command->from : s->offset;
	else
		op->from = s->offset;
	op->from_command = op->command && wait->from == UINT64_MAX && !mark;
	if (mark)
		*mark = (struct tn_term_bookmark){.digest = 0};
	op->scan_from = op->from;
}

static void lose(struct tn_term_op *op)
{
	end_because(op, "closed");
}

static const struct tn_term_op_kind wait_kind = {.look = look, .time = time_is_over, .lose = lose};

struct tn_term_op *tn_term_wait_for(struct tn_term *term, const struct tn_term_wait *wait,
				    tn_term_waited_fn *done, void *data)
{
	struct tn_term_op *op = tn_term_op_new(term, &wait_kind, wait->session, 60000);
	struct tn_term_fault fault = {0};
	struct tenon_error err = {0};

	if (op)
		op->value = tn_mem_copy_text(wait->value.data ? wait->value.data : "",
					     wait->value.size);
	if (!op || !op->value) {
		if (op)
			tn_term_op_free(op);
		tn_term_fault(&fault, NULL, NULL, "out of memory");
		done(NULL, &fault, data);
		return NULL;
	}
	op->value_size = wait->value.size;
	op->until = wait->until;
	op->command = wait->command;
	op->idle_ms = wait->idle_ms;
	op->done.waited = done;
	op->data = data;
	op->wait_until_ms = op->begun_ms + wait->timeout_ms;
	op->hold_until_ms =
		op->begun_ms +
		(wait->hold_ms < tn_settings_u32(&term->config->settings, "terminal.max_hold_ms")
			 ? wait->hold_ms
			 : tn_settings_u32(&term->config->settings, "terminal.max_hold_ms"));
	(void)snprintf(op->caller_key, sizeof(op->caller_key), "%s", wait->caller->key);
	place(op, wait);
	if (!compile(op, &err)) {
		end_fault(op, "invalid_pattern", &err);
		return NULL;
	}
	/* Whatever is there already is an answer at once. */
	start_timer(op);
	if (op->until == TN_TERM_UNTIL_PORT && has_come(op)) {
		end_because(op, "matched");
		return NULL;
	}
	return look(op) ? NULL : op;
}
