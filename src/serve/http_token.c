#include "serve/http_token.h"

#include <stdio.h>

#include "base/mem.h"
#include "serve/http_host.h"

/* The stateless peer of one caller on the path of one app. */
struct tn_http_app_peer {
	struct tn_http_app_peer *next;
	struct tn_peer *peer; /* peer->apps says which */
};

/* ---- callers ---- */

void tn_http_caller_mark(const struct tn_http_host *host, const struct tn_http_caller *caller,
			 uint32_t apps, struct tn_peer *peer)
{
	peer->foreign = !host->extra.local;
	peer->no_legacy = host->options.no_legacy;
	peer->scope = caller->scope;
	peer->person = caller->person;
	peer->apps = apps;
}

bool tn_http_read_fit(struct tn_http_exchange *x, struct tn_fit_choice *ret)
{
	size_t count;
	struct tn_str text = tn_http_header(x, TN_FIT_HEADER, &count);

	*ret = (struct tn_fit_choice){TN_FIT_BOTH, NULL};
	if (!count)
		return true;
	ret->by = "connection";
	if (count == 1 && tn_fit_find(text, &ret->fit))
		return true;
	tn_http_refuse(x, 400, TN_FIT_HEADER ": send " TN_FIT_WORDS, NULL);
	return false;
}

/* A request that was refused or has nobody yet: there is nothing to clean up. */
static void nobody_closed(struct tn_http_owner *owner)
{
	(void)owner;
}

static enum tenon_code add_caller(struct tn_http_host *host, const struct tenon_token *token,
				  struct tenon_error *err)
{
	struct tn_http_caller *caller = &host->callers[host->caller_count];
	const char *principal = token ? token->name : TN_PRINCIPAL_ANONYMOUS;
	enum tenon_code code = tn_peer_create(host->server, TN_PEER_HTTP_REQUEST, principal, NULL,
					      host, &caller->modern, err);

	if (code != TENON_OK)
		return code;
	host->caller_count++;
	caller->owner = (struct tn_http_owner){.closed = nobody_closed, .caller = caller};
	if (token) {
		host->keys[host->caller_count - 1] = tn_auth_key(tn_str_from(token->token));
		caller->person = token->person;
		caller->local = token->local;
		code = tn_scope_create(host->server, token, &caller->scope, err);
	}
	tn_http_caller_mark(host, caller, 0, caller->modern);
	return code;
}

enum tenon_code tn_http_callers_open(struct tn_http_host *host, struct tenon_error *err)
{
	const struct tenon_token *tokens = host->options.tokens;
	enum tenon_code code = TENON_OK;
	size_t count = 0;

	while (tokens[count].name)
		count++;
	host->callers = tn_arena_alloc_array(&host->arena, count + 1, sizeof(*host->callers));
	host->keys = tn_arena_alloc_array(&host->arena, count + 1, sizeof(*host->keys));
	if (!host->callers || !host->keys)
		return tn_fail(err, TENON_NO_MEMORY, "out of memory");
	if (count == 0)
		return add_caller(host, NULL, err);
	for (size_t i = 0; i < count && code == TENON_OK; i++)
		code = add_caller(host, &tokens[i], err);
	return code;
}

void tn_http_callers_close(struct tn_http_host *host)
{
	for (size_t i = 0; i < host->caller_count; i++) {
		struct tn_http_caller *caller = &host->callers[i];

		while (caller->per) {
			struct tn_http_app_peer *per = caller->per;

			caller->per = per->next;
			tn_peer_destroy(per->peer);
			tn_mem_free(per);
		}
		tn_peer_destroy(caller->modern);
	}
}

void tn_http_callers_finish(struct tn_http_host *host)
{
	for (size_t i = 0; i < host->caller_count; i++)
		tn_scope_free(host->callers[i].scope);
	tn_throttle_finish(&host->throttle);
}

struct tn_peer *tn_http_caller_peer(struct tn_http_host *host, struct tn_http_caller *caller,
				    uint32_t apps)
{
	struct tn_http_app_peer *per = caller->per;

	if (!apps)
		return caller->modern;
	while (per && per->peer->apps != apps)
		per = per->next;
	if (per)
		return per->peer;
	per = tn_mem_alloc(sizeof(*per)); /* one for each app at most: a path names one */
	if (!per)
		return NULL;
	if (tn_peer_create(host->server, TN_PEER_HTTP_REQUEST, caller->modern->principal, NULL,
			   host, &per->peer, NULL) != TENON_OK) {
		tn_mem_free(per);
		return NULL;
	}
	tn_http_caller_mark(host, caller, apps, per->peer);
	per->next = caller->per;
	caller->per = per;
	return per->peer;
}

/* ---- who asks ---- */

static enum tn_auth find_index(const struct tn_http_host *host, const struct tn_http_exchange *x,
			       bool bearer_counts, size_t *ret_index)
{
	enum tn_auth verdict = tn_auth_check(x, host->keys, host->caller_count, ret_index);
	struct tn_str bearer;

	if (verdict != TN_AUTH_MISSING || !bearer_counts)
		return verdict;
	bearer = tn_ws_bearer(x);
	if (!bearer.data)
		return TN_AUTH_MISSING;
	return tn_auth_find(bearer, host->keys, host->caller_count, ret_index) ? TN_AUTH_OK
									       : TN_AUTH_WRONG;
}

void tn_http_refuse_token(struct tn_http_exchange *x, enum tn_auth verdict)
{
	const struct tn_http_header challenge = {TN_STR("WWW-Authenticate"),
						 tn_auth_challenge(verdict)};

	tn_http_refuse(x, 401, "Send the token as Authorization: Bearer <token>", &challenge);
}

/* T10: whoever guesses is told to wait; the right token is not asked to. Without any there is
 * nothing guessed: a client that has not been given one is told so as often as it likes. */
static bool is_throttled(struct tn_http_host *host, struct tn_http_exchange *x,
			 enum tn_auth verdict)
{
	const unsigned char *peer = tn_http_peer_address(x);
	uint64_t now = tn_server_now_ms(host->server);
	uint64_t wait_ms = tn_throttle_wait_ms(&host->throttle, peer, now);
	struct tn_http_header retry = {TN_STR("Retry-After"), {NULL, 0}};
	char seconds[24];

	if (!wait_ms) {
		if (verdict == TN_AUTH_WRONG)
			tn_throttle_failed(&host->throttle, peer, now);
		return false;
	}
	(void)snprintf(seconds, sizeof(seconds), "%llu",
		       (unsigned long long)(wait_ms + 999) / 1000);
	retry.value = tn_str_from(seconds);
	tn_http_refuse(x, 429, "Too many requests without a valid token; send one, or wait",
		       &retry);
	return true;
}

struct tn_http_caller *tn_http_caller_find(struct tn_http_host *host, struct tn_http_exchange *x,
					   bool bearer_counts)
{
	enum tn_auth verdict = TN_AUTH_OK;
	size_t index = 0;

	if (!host->options.no_token)
		verdict = find_index(host, x, bearer_counts, &index);
	if (verdict == TN_AUTH_OK)
		return &host->callers[index];
	if (!is_throttled(host, x, verdict))
		tn_http_refuse_token(x, verdict);
	return NULL;
}

/* ---- replacing (workbench.md T8) ---- */

static bool came_by(const struct tn_http_exchange *x, void *data)
{
	const struct tn_http_owner *owner = tn_http_user(x);

	return owner && owner->caller == data;
}

static void end_exchange(struct tn_http_exchange *x, const struct tn_http_caller *caller)
{
	struct tn_http_owner *owner = tn_http_user(x);

	tn_http_set_user(x, NULL);
	if (owner == &caller->owner)
		return; /* its body is still on its way; without a user it will be refused */
	owner->closed(owner);
	tn_http_abort(x);
}

static void end_replaced(struct tn_http_host *host, struct tn_http_caller *caller)
{
	struct tn_http_exchange *x;

	caller->replaced = false;
	tn_ws_expel(host, caller);
	tn_stream_expel(host);
	tn_http_sessions_expel(&host->sessions, caller);
	while ((x = tn_http_server_find(host->http, came_by, caller)) != NULL)
		end_exchange(x, caller);
}

void tn_http_callers_turn(struct tn_http_host *host)
{
	for (size_t i = 0; i < host->caller_count; i++) {
		if (host->callers[i].replaced)
			end_replaced(host, &host->callers[i]);
	}
}

/* Fails when the replacement is a token of this listener already. */
static enum tenon_code look_for(const struct tn_http_host *host, struct tn_str token,
				struct tn_str replacement, bool *found, struct tenon_error *err)
{
	size_t index;

	if (tn_auth_find(replacement, host->keys, host->caller_count, &index))
		return tn_fail(err, TENON_INVALID, "the replacement is a token already");
	*found = *found || tn_auth_find(token, host->keys, host->caller_count, &index);
	return TENON_OK;
}

static void replace(struct tn_http_host *host, struct tn_str token, struct tn_str replacement)
{
	size_t index;

	if (!tn_auth_find(token, host->keys, host->caller_count, &index))
		return;
	host->keys[index] = tn_auth_key(replacement);
	host->callers[index].replaced = true;
	tn_ws_silence(host, &host->callers[index]);
	tn_stream_silence(host);
	tn_later_request(host->turn); /* not now: one of those may be who asks for it */
}

enum tenon_code tenon_server_replace_token(struct tenon_server *server, const char *token,
					   const char *replacement, struct tenon_error *err)
{
	enum tenon_code code = tn_http_token_check(replacement, err);
	bool found = false;

	for (struct tn_way *way = tn_serve_first(server); way && code == TENON_OK;
	     way = way->next) {
		const struct tn_http_host *host = tn_http_host_of(way);

		if (host && !host->options.no_token)
			code = look_for(host, tn_str_from(token), tn_str_from(replacement), &found,
					err);
	}
	if (code != TENON_OK)
		return code;
	if (!found)
		return tn_fail(err, TENON_NOT_FOUND, "no listener has this token");
	for (struct tn_way *way = tn_serve_first(server); way; way = way->next) {
		struct tn_http_host *host = tn_http_host_of(way);

		if (host && !host->options.no_token)
			replace(host, tn_str_from(token), tn_str_from(replacement));
	}
	return TENON_OK;
}
