#include "serve/serve.h"

#include <signal.h>

#include "base/limits.h"
#include "base/mem.h"
#include "base/size.h"
#include "mcp/consent.h"
#include "mcp/feed.h"
#include "serve/limits.h"

enum { LOOK_AGAIN_MS = 10 };

struct tn_serving {
	struct tn_way *ways;
	struct tn_timer *retire; /* closes those of `ways` whose time has come */
	struct tn_signal *signals[4];
	struct tn_timer *grace;
	uint64_t deadline_ms; /* of draining */
};

/* ---- the end ---- */

static bool is_drained(const struct tenon_server *server)
{
	bool drained = true;

	for (struct tn_way *way = server->serving->ways; way; way = way->next)
		drained = way->ops->is_drained(way) && drained; /* asking may write, too */
	return drained;
}

static void stop(void *data);

static void grace_due(struct tn_timer *timer, void *data)
{
	struct tenon_server *server = data;

	if (!server->stopping)
		stop(server);
	else if (is_drained(server) || tn_loop_now_ms(server->loop) >= server->serving->deadline_ms)
		tn_loop_stop(server->loop);
	else
		tn_timer_start(timer, LOOK_AGAIN_MS);
}

/* Nothing new is taken; what was taken may finish within the grace time (MCP-085); streams that
 * only listen are told that it is over (MCP-195). */
static void stop(void *data)
{
	struct tenon_server *server = data;
	struct tn_serving *serving = server->serving;

	if (server->stopping)
		return;
	server->stopping = true;
	tn_feed_close(server);
	tn_consent_drain(server);
	for (struct tn_way *way = serving->ways; way; way = way->next)
		way->ops->drain(way);
	serving->deadline_ms = tn_loop_now_ms(server->loop) + TN_SHUTDOWN_GRACE_MS;
	tn_timer_start(serving->grace, 0);
}

/* Not at once: the core may be in the middle of what made the way end. */
void tn_serve_stop(struct tenon_server *server)
{
	if (server->serving)
		tn_timer_start(server->serving->grace, 0);
}

void tn_serve_settled(struct tenon_server *server)
{
	if (server->serving && server->stopping)
		tn_timer_start(server->serving->grace, 0);
}

static void caught(struct tn_signal *handle, int number, void *data)
{
	struct tenon_server *server = data;

	(void)handle;
	if (number == SIGHUP && server->on_reload) {
		server->on_reload(server->on_reload_data);
		return;
	}
	/* Another one takes our place: what runs for our clients goes on until it is there. */
	server->succeeded = number == SIGUSR2;
	stop(data);
}

/* ---- life ---- */

static void end_serving(struct tenon_server *server)
{
	struct tn_serving *serving = server->serving;

	server->on_stop = NULL;
	server->end_serving = NULL;
	server->serving = NULL; /* whatever settles while closing is waited for no more */
	server->stopping = false;
	for (size_t i = 0; i < TN_COUNT(serving->signals); i++)
		tn_signal_close(serving->signals[i]);
	tn_timer_close(serving->grace);
	tn_timer_close(serving->retire);
	while (serving->ways) {
		struct tn_way *way = serving->ways;

		serving->ways = way->next;
		way->ops->close(way);
	}
	tn_mem_free(serving);
}

/* ---- one way less ---- */

struct tn_way *tn_serve_last(const struct tenon_server *server)
{
	struct tn_way *way = server->serving->ways;

	while (way && way->next)
		way = way->next;
	return way;
}

static void close_due(struct tenon_server *server, uint64_t now_ms)
{
	struct tn_way **at = &server->serving->ways;

	while (*at) {
		struct tn_way *way = *at;

		if (way->retired_ms && way->retired_ms <= now_ms) {
			*at = way->next;
			way->ops->close(way);
		} else {
			at = &way->next;
		}
	}
}

static void retire_due(struct tn_timer *timer, void *data)
{
	struct tenon_server *server = data;
	uint64_t now_ms = tn_loop_now_ms(server->loop), next_ms = UINT64_MAX;

	close_due(server, now_ms);
	for (const struct tn_way *way = server->serving->ways; way; way = way->next) {
		if (way->retired_ms && way->retired_ms < next_ms)
			next_ms = way->retired_ms;
	}
	if (next_ms != UINT64_MAX)
		tn_timer_start(timer, next_ms - now_ms);
}

/* None is closed here: whoever asks may have come by one that was given up a moment ago. */
void tn_serve_retire(struct tenon_server *server, struct tn_way *way)
{
	way->retired_ms = tn_loop_now_ms(server->loop) + TN_RETIRE_MS;
	if (!tn_timer_active(server->serving->retire))
		tn_timer_start(server->serving->retire, TN_RETIRE_MS);
}

static enum tenon_code catch_signals(struct tenon_server *server, struct tenon_error *err)
{
	static const int numbers[] = {SIGTERM, SIGINT, SIGHUP, SIGUSR2};
	enum tenon_code code = TENON_OK;

	/* From the first way in on: who reads that we listen may end us at once. A reader that goes
	 * away is an error of one write, not the end of the process. */
	(void)signal(SIGPIPE, SIG_IGN);
	for (size_t i = 0; i < TN_COUNT(numbers) && code == TENON_OK; i++)
		code = tn_signal_open(server->loop, numbers[i], caught, server,
				      &server->serving->signals[i], err);
	return code;
}

enum tenon_code tn_serve_open(struct tenon_server *server, struct tenon_error *err)
{
	struct tn_serving *serving;
	enum tenon_code code;

	if (server->serving)
		return TENON_OK;
	serving = tn_mem_alloc(sizeof(*serving));
	if (!serving)
		return tn_fail(err, TENON_NO_MEMORY, "out of memory");
	server->serving = serving;
	server->end_serving = end_serving;
	code = tn_timer_open(server->loop, grace_due, server, &serving->grace, err);
	if (code == TENON_OK)
		code = tn_timer_open(server->loop, retire_due, server, &serving->retire, err);
	if (code == TENON_OK)
		code = catch_signals(server, err);
	if (code != TENON_OK)
		end_serving(server);
	return code;
}

void tn_serve_add(struct tenon_server *server, struct tn_way *way)
{
	struct tn_way **last = &server->serving->ways;

	while (*last)
		last = &(*last)->next;
	way->server = server;
	way->next = NULL;
	*last = way;
}

struct tn_way *tn_serve_first(const struct tenon_server *server)
{
	return server->serving ? server->serving->ways : NULL;
}

bool tn_serve_has(const struct tenon_server *server, const struct tn_way_ops *ops)
{
	const struct tn_way *way = server->serving ? server->serving->ways : NULL;

	while (way && way->ops != ops)
		way = way->next;
	return way != NULL;
}

enum tenon_code tenon_server_run(struct tenon_server *server, struct tenon_error *err)
{
	enum tenon_code code;

	if (!server->serving || !server->serving->ways)
		return tn_fail(err, TENON_INVALID,
			       "nothing to serve: call a tenon_server_listen function first");
	code = tn_server_start(server, err);
	if (code == TENON_OK) {
		server->on_stop = stop;
		server->on_stop_data = server;
		tn_loop_run(server->loop);
	}
	end_serving(server);
	return code;
}
