/* What is known of callers: which session is active for each, how often they call, how many of
 * their calls wait. */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>

#include "apps/terminal/session/session.h"

enum { CALLERS_MAX = 1024 };

/* What is known of a caller. */
struct tn_term_active {
	char id[TN_HANDLE_SIZE]; /* of the active session; empty: none */
	uint64_t used_ms;
	double tokens; /* of the bucket that limits calls a minute */
	uint64_t refill_ms;
	bool metered;
	uint32_t waiting; /* calls */
	int64_t since_ms; /* wall clock: when the session became active */
};

static struct tn_term_active *find_caller(struct tn_term *term, const char *key)
{
	return tn_map_get(&term->callers, tn_str_from(key));
}

/* ---- relays that come after each other ---- */

/* The relay of "principal/client/host/relay"; 0: it is none. */
static pid_t relay_of(struct tn_str key, struct tn_str *ret_host)
{
	const char *slash = key.size > 0 ? strrchr(key.data, '/') : NULL;
	uint64_t process = 0;

	if (!slash || !tn_str_to_uint(tn_str_from(slash + 1), &process) || process > INT32_MAX)
		return 0;
	*ret_host = tn_str(key.data, (size_t)(slash - key.data));
	return (pid_t)process;
}

/* What a relay of the same host that has ended had last: the conversation goes on with the next
 * one. As long as a relay runs, its session is its own. */
static struct tn_term_active *find_left(struct tn_term *term, const char *key)
{
	struct tn_str host, other_host, other;
	struct tn_term_active *last = NULL;
	size_t cursor = 0;
	void *value;

	if (relay_of(tn_str_from(key), &host) == 0)
		return NULL;
	while (tn_map_next(&term->callers, &cursor, &other, &value)) {
		struct tn_term_active *at = value;
		pid_t relay = relay_of(other, &other_host);

		if (at->id[0] && relay > 0 && tn_str_equal(host, other_host) &&
		    kill(relay, 0) != 0 && errno == ESRCH &&
		    (!last || at->since_ms > last->since_ms))
			last = at;
	}
	return last;
}

/* Not noted in the journal: a daemon that follows finds it in the same way. */
static void take_over(struct tn_term *term, const char *key, struct tn_term_active *at)
{
	struct tn_term_active *left = find_left(term, key);

	if (!left)
		return;
	(void)snprintf(at->id, sizeof(at->id), "%s", left->id);
	at->since_ms = tn_term_wall(term);
	left->id[0] = '\0';
}

/* The one that has not called for the longest time makes room. */
static void forget_caller(struct tn_term *term)
{
	struct tn_term_active *oldest = NULL;
	struct tn_str key, oldest_key = {NULL, 0};
	size_t cursor = 0;
	void *value;

	while (tn_map_next(&term->callers, &cursor, &key, &value)) {
		struct tn_term_active *at = value;

		if (!at->waiting && (!oldest || at->used_ms < oldest->used_ms)) {
			oldest = at;
			oldest_key = key;
		}
	}
	if (oldest) {
		(void)tn_map_remove(&term->callers, oldest_key); /* it is there */
		tn_mem_free(oldest);
	}
}

static struct tn_term_active *make_caller(struct tn_term *term, const char *key)
{
	struct tn_term_active *at = find_caller(term, key);

	if (at)
		return at;
	if (term->callers.used >= CALLERS_MAX)
		forget_caller(term);
	at = tn_mem_alloc(sizeof(*at));
	if (at && tn_map_put(&term->callers, tn_str_from(key), at, NULL) != TENON_OK) {
		tn_mem_free(at);
		return NULL;
	}
	return at;
}

/* Of whoever calls. NULL: no memory. */
static struct tn_term_active *meet_caller(struct tn_term *term, const char *key)
{
	struct tn_term_active *at = find_caller(term, key);

	if (at)
		return at;
	at = make_caller(term, key);
	if (at)
		take_over(term, key, at);
	return at;
}

const char *tn_term_active_id(struct tn_term *term, const char *key)
{
	const struct tn_term_active *at = find_caller(term, key);

	if (!at)
		at = find_left(term, key);

	return at && at->id[0] ? at->id : NULL;
}

bool tn_term_put_active(struct tn_term *term, const char *key, const char *id)
{
	struct tn_term_active *at = make_caller(term, key);

	if (!at)
		return false;
	at->used_ms = tn_term_now(term);
	at->since_ms = tn_term_wall(term);
	(void)snprintf(at->id, sizeof(at->id), "%s", id);
	return true;
}

void tn_term_revive_active(struct tn_term *term, const char *key, const char *id, int64_t since_ms)
{
	struct tn_term_active *at = make_caller(term, key);

	if (!at || at->since_ms > since_ms)
		return;
	(void)snprintf(at->id, sizeof(at->id), "%s", id);
	at->since_ms = since_ms;
	at->used_ms = tn_term_now(term);
}

const char *tn_term_next_active(const struct tn_term *term, const char *id, size_t *cursor)
{
	struct tn_str key;
	void *value;

	while (tn_map_next(&term->callers, cursor, &key, &value)) {
		const struct tn_term_active *at = value;

		if (strcmp(at->id, id) == 0)
			return key.data;
	}
	return NULL;
}

void tn_term_drop_active(struct tn_term *term, const char *id)
{
	struct tn_str key;
	size_t cursor = 0;
	void *value;

	while (tn_map_next(&term->callers, &cursor, &key, &value)) {
		struct tn_term_active *at = value;

		if (strcmp(at->id, id) == 0)
			at->id[0] = '\0';
	}
}

bool tn_term_admit_rate(struct tn_term *term, const struct tn_term_caller *caller,
			uint64_t *ret_after_ms)
{
	double most = tn_settings_u32(&term->config->settings, "terminal.rate_per_minute"),
	       each_ms = most / 60000.0;
	struct tn_term_active *at = meet_caller(term, caller->key);
	uint64_t now = tn_term_now(term);

	if (!at || most <= 0)
		return true;
	if (!at->metered) {
		at->metered = true;
		at->tokens = most;
		at->refill_ms = now;
	}
	at->tokens += (double)(now - at->refill_ms) * each_ms;
	at->tokens = at->tokens > most ? most : at->tokens;
	at->refill_ms = at->used_ms = now;
	if (at->tokens < 1) {
		*ret_after_ms = (uint64_t)((1 - at->tokens) / each_ms) + 1;
		return false;
	}
	at->tokens -= 1;
	return true;
}

bool tn_term_admit_begin(struct tn_term *term, const struct tn_term_caller *caller)
{
	struct tn_term_active *at = meet_caller(term, caller->key);

	if (!at || (at->waiting >= tn_settings_u32(&term->config->settings,
						   "terminal.max_concurrent_calls") &&
		    !caller->person))
		return !at; /* without memory nobody is counted */
	at->waiting++;
	return true;
}

void tn_term_admit_end(struct tn_term *term, const struct tn_term_caller *caller)
{
	struct tn_term_active *at = find_caller(term, caller->key);

	if (at && at->waiting)
		at->waiting--;
}
