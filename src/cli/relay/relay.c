/* The relay: the host's stream, the beginning and the end. */
#include "cli/relay/relay.h"

#include <signal.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "base/limits.h"
#include "base/mem.h"
#include "cli/limits.h"
#include "cli/shared/cli.h"
#include "client/limits.h"
#include "mcp/fit.h"

enum { GOODBYE_MS = 500 };

/* ---- the end ---- */

static void stop(struct tn_relay *r)
{
	r->state = TN_RELAY_OVER;
	tn_loop_stop(r->loop);
}

/* Says goodbye to the daemon; the answer is waited for, but not for long. */
static void leave(struct tn_relay *r)
{
	if (r->state == TN_RELAY_OVER)
		return;
	tn_relay_disconnect(r);
	r->state = TN_RELAY_OVER;
	if (!r->link) {
		stop(r);
		return;
	}
	tn_relay_link_close(r->link);
	tn_timer_start(r->deadline, GOODBYE_MS);
}

void tn_relay_settle(struct tn_relay *r)
{
	bool idle = r->calls.count == r->calls.listening && r->waiting.size == 0;

	if (r->state == TN_RELAY_OVER) {
		if (!r->link)
			stop(r);
		return;
	}
	if (!(r->ending && idle) && !(r->state == TN_RELAY_REFUSED && r->answered))
		return;
	if (tn_line_stream_flush(r->host))
		leave(r);
	else /* asked again when there is room, or not at all */
		tn_timer_start(r->deadline, TN_SHUTDOWN_GRACE_MS);
}

static void deadline_due(struct tn_timer *timer, void *data)
{
	static const struct tn_relay_fault late = {
		.code = "BRIDGE_DISCONNECTED",
		.message = "The conversation ended before there was an answer. What was asked for "
			   "may have happened."};
	struct tn_relay *r = data;

	(void)timer;
	if (r->state == TN_RELAY_OVER) {
		stop(r);
		return;
	}
	if (r->state != TN_RELAY_REFUSED)
		tn_relay_fail(r, &late);
	(void)tn_line_stream_flush(r->host); /* what does not fit is lost: it was not read */
	leave(r);
}

static void finish(struct tn_relay *r)
{
	if (r->ending)
		return;
	r->ending = true;
	tn_line_stream_stop_reading(r->host);
	if (r->state != TN_RELAY_OVER)
		tn_timer_start(r->deadline, TN_SHUTDOWN_GRACE_MS);
	tn_relay_settle(r);
}

/* ---- the host's stream ---- */

static void on_line(struct tn_line_stream *stream, struct tn_str line, void *data)
{
	(void)stream;
	tn_relay_pass(data, line);
}

static void on_too_long(struct tn_line_stream *stream, void *data)
{
	(void)stream;
	tn_relay_refuse(data, -32600, "The message is too long");
}

static void on_end(struct tn_line_stream *stream, void *data)
{
	(void)stream;
	finish(data);
}

static void on_broken(struct tn_line_stream *stream, void *data)
{
	(void)stream;
	stop(data); /* nobody reads */
}

static void on_relieved(struct tn_line_stream *stream, void *data)
{
	struct tn_relay *r = data;

	(void)stream;
	if (r->link)
		tn_relay_link_pause(r->link, false);
	if (r->ending)
		tn_relay_settle(r);
}

static const struct tn_line_stream_events host_events = {
	.line = on_line,
	.too_long = on_too_long,
	.end = on_end,
	.broken = on_broken,
	.relieved = on_relieved,
};

/* ---- life ---- */

/* A host that dies leaves no relay behind, even when another process holds our standard input open
 * (MCP-085). The kernel tells when the thread that started us ends, which need not be the host's
 * end: only another parent is. */
static void on_signal(struct tn_signal *signal, int number, void *data)
{
	struct tn_relay *r = data;

	(void)signal;
	if (number != SIGUSR1 || getppid() != r->parent)
		finish(r);
}

static const int signals[TN_RELAY_SIGNALS] = {SIGTERM, SIGINT, SIGHUP, SIGUSR1};

static enum tenon_code open_signals(struct tn_relay *r, struct tenon_error *err)
{
	enum tenon_code code = TENON_OK;

	for (size_t i = 0; i < TN_RELAY_SIGNALS && code == TENON_OK; i++)
		code = tn_signal_open(r->loop, signals[i], on_signal, r, &r->signals[i], err);
	if (code == TENON_OK)
		(void)prctl(PR_SET_PDEATHSIG, SIGUSR1); /* refused: end of input still tells */
	if (code == TENON_OK && getppid() != r->parent)
		finish(r); /* it died before the kernel had been asked to tell */
	return code;
}

static enum tenon_code open_relay(struct tn_relay *r, struct tenon_error *err)
{
	enum tenon_code code;

	r->parent = getppid();
	(void)signal(SIGPIPE, SIG_IGN);
	tn_arena_init(&r->arena, TN_CLIENT_ARENA_MAX);
	tn_relay_scan_init(&r->scan);
	tn_relay_calls_init(&r->calls);
	tn_map_init(&r->questions);
	tn_relay_session_init(&r->session);
	tn_buf_init(&r->waiting, TN_RELAY_WAITING_MAX);
	code = tn_loop_create(&r->loop, err);
	if (code == TENON_OK)
		code = tn_relay_connect_open(r, err);
	if (code == TENON_OK)
		code = tn_timer_open(r->loop, deadline_due, r, &r->deadline, err);
	if (code == TENON_OK)
		code = tn_line_stream_open(r->loop, STDIN_FILENO, STDOUT_FILENO,
					   TN_MESSAGE_BYTES_MAX, &host_events, r, &r->host, err);
	if (code == TENON_OK) {
		tn_relay_connect(r); /* before the first message: it takes longest */
		code = open_signals(r, err);
	}
	return code;
}

static void close_relay(struct tn_relay *r)
{
	struct tn_str key;
	size_t cursor = 0;
	void *id;

	for (size_t i = 0; i < TN_RELAY_SIGNALS; i++)
		tn_signal_close(r->signals[i]);
	tn_relay_connect_close(r);
	tn_line_stream_close(r->host);
	tn_timer_close(r->deadline);
	tn_loop_destroy(r->loop);
	while (tn_map_next(&r->questions, &cursor, &key, &id)) {
		(void)tn_map_remove(&r->questions, key);
		tn_mem_free(id);
	}
	tn_map_finish(&r->questions);
	tn_relay_calls_finish(&r->calls);
	tn_relay_session_finish(&r->session);
	tn_relay_scan_finish(&r->scan);
	tn_buf_finish(&r->waiting);
	tn_arena_finish(&r->arena);
}

static bool is_app_name(const char *name)
{
	size_t size = strlen(name);

	for (size_t i = 0; i < size; i++) {
		if (!tn_is_alpha(name[i]) && !tn_is_digit(name[i]) && name[i] != '-' &&
		    name[i] != '_')
			return false;
	}
	return size > 0;
}

/* How many words are "--fit text" or "--fit=text": 0 when it is another word; below 0: it is wrong,
 * and said so. */
static int take_fit(char **argv, const char **ret)
{
	static const char word[] = "--fit";
	const char *rest = argv[0] + sizeof(word) - 1;
	enum tn_fit fit;

	if (strncmp(argv[0], word, sizeof(word) - 1) != 0 || (*rest && *rest != '='))
		return 0;
	*ret = *rest ? rest + 1 : argv[1];
	if (*ret && tn_fit_find(tn_str_from(*ret), &fit))
		return *rest ? 1 : 2;
	(void)fprintf(stderr, "tenon mcp: --fit \"%.64s\": send " TN_FIT_WORDS "\n",
		      *ret ? *ret : "");
	return -1;
}

/* "/ws", or "/ws/plan,terminal"; with "?tools=core" for --core, "?tools=all" for --all. */
static bool read_words(int argc, char **argv, struct tn_relay *r)
{
	const size_t size = sizeof(r->path);
	char *path = r->path;
	size_t used = (size_t)snprintf(path, size, "/ws"), query = sizeof("?tools=core");
	const char *tools = NULL;
	char mark = '/';

	for (int i = 1; i < argc; i++) {
		int taken = take_fit(argv + i, &r->fit);

		if (taken < 0)
			return false;
		if (taken > 0) {
			i += taken - 1;
			continue;
		}
		if (strcmp(argv[i], "--core") == 0 || strcmp(argv[i], "--all") == 0) {
			tools = argv[i] + 2;
			continue;
		}
		if (!is_app_name(argv[i]) || used + strlen(argv[i]) + 1 + query > size) {
			(void)fprintf(stderr,
				      "tenon mcp: \"%.64s\" is no app; usage: tenon mcp [APP]... "
				      "[--core|--all] [--fit PROFILE]\n",
				      argv[i]);
			return false;
		}
		used += (size_t)snprintf(path + used, size - used, "%c%s", mark, argv[i]);
		mark = ',';
	}
	if (tools)
		(void)snprintf(path + used, size - used, "?tools=%s", tools);
	return true;
}

int tn_relay_main(int argc, char **argv)
{
	struct tn_relay relay = {0};
	struct tenon_error err;

	if (!read_words(argc, argv, &relay))
		return TN_EXIT_USAGE;
	if (open_relay(&relay, &err) == TENON_OK) {
		tn_loop_run(relay.loop);
	} else {
		(void)fprintf(stderr, "tenon mcp: %s\n", err.message);
		relay.exit_code = TN_EXIT_UNREACHABLE;
	}
	close_relay(&relay);
	return relay.exit_code;
}
