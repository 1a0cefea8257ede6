/* Finds a daemon, starts one, keeps a connection to it (ST-006, ST-007, ST-010, ST-013). */
#include "cli/relay/relay.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "cli/limits.h"
#include "cli/shared/cli.h"

static void attempt(struct tn_relay *r);

/* ---- one state at a time ---- */

static void enter(struct tn_relay *r, enum tn_relay_state state, uint64_t for_ms)
{
	r->state = state;
	if (for_ms)
		tn_timer_start(r->timer, for_ms);
	else
		tn_timer_stop(r->timer);
}

static void remember_fault(struct tn_relay *r, const char *message)
{
	(void)snprintf(r->fault, sizeof(r->fault), "%s", message);
}

static void drop_link(struct tn_relay *r)
{
	tn_relay_link_free(r->link);
	r->link = NULL;
	r->early = 0; /* what went with a handshake that failed has not been read */
	r->early_over = false;
}

void tn_relay_disconnect(struct tn_relay *r)
{
	tn_timer_stop(r->timer);
	tn_relay_launch_free(r->launch);
	r->launch = NULL;
	if (r->state == TN_RELAY_CONNECTING)
		drop_link(r);
}

/* Nothing more is tried until the host's next request. */
static void give_up(struct tn_relay *r, const char *code, bool final)
{
	char message[sizeof(r->fault) + 64];
	const struct tn_relay_fault fault = {.code = code, .message = message, .final = final};

	(void)snprintf(message, sizeof(message), "%s (%s). The call was not made.",
		       final ? "The daemon cannot be started" : "The daemon is not there",
		       r->fault);
	tn_relay_disconnect(r);
	enter(r, TN_RELAY_IDLE, 0);
	tn_relay_fail(r, &fault);
	tn_relay_settle(r);
}

/* For good: the host hears why, and then the end of our output. */
static void refuse(struct tn_relay *r, int exit_code)
{
	const struct tn_relay_fault fault = {
		.code = "SERVER_FAILED", .message = r->fault, .final = true};

	(void)fprintf(stderr, "tenon mcp: %s\n", r->fault);
	tn_relay_disconnect(r);
	drop_link(r);
	r->exit_code = exit_code;
	r->answered = false;
	enter(r, TN_RELAY_REFUSED, TN_RELAY_LAST_WORDS_MS);
	tn_relay_lost(r);
	tn_relay_fail(r, &fault);
	tn_relay_settle(r);
}

static void rest(struct tn_relay *r)
{
	uint64_t wait_ms = (uint64_t)TN_RELAY_AGAIN_MS << r->tries;

	if (r->tries == TN_RELAY_TRIES_MAX) {
		give_up(r, "BRIDGE_DISCONNECTED", false);
		return;
	}
	r->tries++;
	enter(r, TN_RELAY_RESTING,
	      wait_ms < TN_RELAY_AGAIN_MAX_MS ? wait_ms : TN_RELAY_AGAIN_MAX_MS);
}

/* ---- a daemon is started ---- */

/* tenond stands beside this program, wherever it was started from. */
static bool find_tenond(char *path, size_t size)
{
	static const char name[] = "tenond";
	ssize_t got = readlink("/proc/self/exe", path, size - sizeof(name));
	char *slash;

	if (got <= 0)
		return false;
	path[got] = '\0';
	slash = strrchr(path, '/');
	if (slash)
		memcpy(slash + 1, name, sizeof(name));
	return slash != NULL;
}

static void dial(struct tn_relay *r, uint16_t port, const char *token);

static void launched(const struct tn_relay_launched *result, void *data)
{
	struct tn_relay *r = data;
	bool final = result->final;

	if (result->ok) {
		dial(r, result->found.bridge_port, result->found.token);
		tn_relay_launch_free(r->launch);
		r->launch = NULL;
		return;
	}
	remember_fault(r, result->message);
	tn_relay_launch_free(r->launch);
	r->launch = NULL;
	if (final)
		give_up(r, "SERVER_FAILED", true);
	else
		rest(r);
}

static void launch(struct tn_relay *r)
{
	char path[PATH_MAX];
	struct tenon_error err;
	enum tenon_code code;

	/* A daemon that was told to stop is not started again by those who were connected to it,
	 * but by the first that needs it. */
	if (!r->may_launch && !r->has_request) {
		rest(r);
		return;
	}
	if (!find_tenond(path, sizeof(path))) {
		remember_fault(r, "tenond is not found");
		give_up(r, "SERVER_FAILED", true);
		return;
	}
	code = tn_relay_launch_start(r->loop, path, launched, r, &r->launch, &err);
	if (code == TENON_OK) {
		enter(r, TN_RELAY_LAUNCHING, 0);
		return;
	}
	remember_fault(r, err.message);
	give_up(r, "SERVER_FAILED", true);
}

/* ---- the connection ---- */

static void open_for_all(struct tn_relay *r)
{
	struct tn_relay_call *call = r->calls.first;

	enter(r, TN_RELAY_OPEN, 0);
	r->tries = 0;
	r->asked_again = false;
	if (r->session.revision != TN_REVISION_NONE) {
		tn_relay_session_restore(&r->session, tn_relay_to_daemon, r);
		tn_relay_session_tell(&r->session, tn_relay_to_host, r);
	}
	for (; call; call = call->next) {
		if (call->kind == TN_RELAY_CALL_LISTEN && call->repeated)
			tn_relay_to_daemon(r, call->extra);
	}
	tn_relay_pass_waiting(r);
}

static void link_opened(void *data)
{
	struct tn_relay *r = data;

	if (r->session.revision == TN_REVISION_NONE) {
		open_for_all(r);
		return;
	}
	enter(r, TN_RELAY_RESUMING, TN_RELAY_CONNECT_MS);
	tn_relay_session_replay(&r->session, tn_relay_to_daemon, r);
}

/* Of these, only the answer to initialize says anything. */
void tn_relay_own_answer(struct tn_relay *r, struct tn_str text)
{
	struct tenon_error err;

	if (r->state != TN_RELAY_RESUMING)
		return;
	if (tn_relay_session_agrees(&r->session, text, &err)) {
		open_for_all(r);
		return;
	}
	remember_fault(r, err.message);
	r->disagrees = true; /* the link cannot be freed inside its event */
	tn_timer_start(r->timer, 0);
}

static void link_relieved(void *data)
{
	tn_relay_wait(data, TN_RELAY_WAIT_DAEMON, false);
}

static bool is_from_environment(void)
{
	return getenv("TENON_BRIDGE_PORT") != NULL;
}

/* The daemon says 404 before it looks at the token, so it cannot say what there is. */
static void explain_path(struct tn_relay *r)
{
	char words[sizeof(r->fault)];

	(void)snprintf(words, sizeof(words), "%s", r->fault);
	(void)snprintf(r->fault, sizeof(r->fault),
		       "%.80s: %.100s; one of these apps is not there, or is off: tenon tools "
		       "lists those that are on",
		       r->path, words);
}

/* T2: a token that was changed since the file was read is read again, once. */
static void refused(struct tn_relay *r, unsigned status)
{
	if (status == 401 && !r->asked_again) {
		r->asked_again = true;
		enter(r, TN_RELAY_RESTING, TN_RELAY_AGAIN_MS);
	} else if (status == 401 || status == 403) {
		refuse(r, TN_EXIT_AUTH);
	} else if (status == 404) {
		explain_path(r);
		refuse(r, TN_EXIT_USAGE);
	} else {
		rest(r);
	}
}

static void link_closed(const struct tn_relay_loss *loss, void *data)
{
	struct tn_relay *r = data;

	drop_link(r);
	if (r->state == TN_RELAY_OVER) {
		tn_relay_settle(r);
		return;
	}
	remember_fault(r, loss->message);
	if (loss->opened) {
		r->may_launch = !loss->orderly;
		tn_relay_lost(r);
		rest(r);
		if (r->ending)
			tn_relay_settle(r);
	} else if (loss->status) {
		refused(r, loss->status);
	} else if (loss->absent && !is_from_environment()) {
		launch(r);
	} else {
		rest(r);
	}
}

static const struct tn_relay_link_events link_events = {
	.opened = link_opened,
	.message = tn_relay_from_daemon,
	.relieved = link_relieved,
	.closed = link_closed,
};

static void dial(struct tn_relay *r, uint16_t port, const char *token)
{
	const struct tn_relay_target target = {
		.port = port, .token = token, .path = r->path, .fit = r->fit};
	struct tenon_error err;

	if (tn_relay_link_open(r->loop, &target, &link_events, r, &r->link, &err) != TENON_OK) {
		remember_fault(r, err.message);
		rest(r);
		return;
	}
	enter(r, TN_RELAY_CONNECTING, 0);
	/* What a daemon must know first cannot be overtaken. */
	r->early_over = r->session.revision != TN_REVISION_NONE || r->calls.listening > 0;
	tn_relay_send_early(r);
}

/* ---- where it is ---- */

/* The number may be another program's by now, but then it is at least one of ours: a stranger who
 * has taken a dead daemon's port does not get our messages. */
static bool may_live(const struct tn_discovery *found)
{
	return kill((pid_t)found->pid, 0) == 0;
}

/* FR-05: reads the discovery file and no other. */
static void attempt(struct tn_relay *r)
{
	const char *port = getenv("TENON_BRIDGE_PORT"), *token = getenv("TENON_BRIDGE_TOKEN");
	struct tn_runtime_paths paths;
	struct tn_discovery found = {0};
	struct tenon_error err;
	enum tenon_code code = TENON_OK;
	uint64_t number = 0;

	if (port &&
	    (!tn_str_to_uint(tn_str_from(port), &number) || number == 0 || number > UINT16_MAX)) {
		remember_fault(r, "TENON_BRIDGE_PORT is no port");
		refuse(r, TN_EXIT_USAGE);
		return;
	}
	if (!port || !token) {
		code = tn_runtime_find(&paths, false, &err);
		if (code == TENON_OK)
			code = tn_discovery_peek(&paths, &found, &err);
	}
	if (code == TENON_DENIED) {
		remember_fault(r, err.message);
		refuse(r, TN_EXIT_AUTH);
	} else if (port) {
		dial(r, (uint16_t)number, token ? token : found.token);
	} else if (code == TENON_OK && may_live(&found)) {
		dial(r, found.bridge_port, token ? token : found.token);
	} else {
		launch(r);
	}
}

static void timer_due(struct tn_timer *timer, void *data)
{
	struct tn_relay *r = data;

	(void)timer;
	if (r->state == TN_RELAY_RESTING) {
		attempt(r);
	} else if (r->state == TN_RELAY_RESUMING && r->disagrees) {
		refuse(r, TN_EXIT_UNREACHABLE);
	} else if (r->state == TN_RELAY_RESUMING) {
		remember_fault(r, "the daemon does not answer");
		drop_link(r);
		rest(r);
	} else if (r->state == TN_RELAY_REFUSED) {
		r->answered = true; /* nobody asks */
		tn_relay_settle(r);
	}
}

void tn_relay_connect(struct tn_relay *r)
{
	if (r->state != TN_RELAY_IDLE)
		return;
	r->tries = 0;
	r->asked_again = false;
	r->may_launch = true;
	attempt(r);
}

/* ---- life ---- */

enum tenon_code tn_relay_connect_open(struct tn_relay *r, struct tenon_error *err)
{
	return tn_timer_open(r->loop, timer_due, r, &r->timer, err);
}

void tn_relay_connect_close(struct tn_relay *r)
{
	tn_relay_launch_free(r->launch);
	tn_relay_link_free(r->link);
	tn_timer_close(r->timer);
}
