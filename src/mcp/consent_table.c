#include "mcp/consent_table.h"

#include "base/mem.h"
#include "mcp/consent.h"
#include "mcp/fault.h"
#include "mcp/limits.h"
#include "mcp/server.h"

static const char *state_name(enum tn_request_state state)
{
	static const char *const names[] = {"pending", "approved", "denied", "expired", "used"};

	return names[state];
}

static void tell(const struct tn_consent *c)
{
	if (c->changed)
		c->changed(c->changed_data);
}

static void free_request(struct tn_consent_request *r)
{
	char *const texts[] = {r->tool, r->app,  r->summary, r->detail,  r->client,
			       r->act,  r->rule, r->once,    r->lasting, r->data};

	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++)
		tn_mem_free(texts[i]);
	tn_mem_free(r);
}

static void remove_request(struct tn_consent_request *r)
{
	struct tn_consent *c = r->owner;
	struct tn_consent_request **link = &c->requests;

	tn_consent_prove_drop(r);
	while (*link != r)
		link = &(*link)->next;
	*link = r->next;
	free_request(r);
	tell(c);
}

/* ---- time ---- */

static bool is_open(const struct tn_consent_request *r)
{
	return r->state == TN_REQUEST_PENDING || r->state == TN_REQUEST_APPROVED;
}

/* What a call runs by is kept as long as it runs: its handler may be entered again. */
static bool can_come_due(const struct tn_consent_request *r)
{
	return is_open(r) || !r->call;
}

static void set_timer(struct tn_consent *c)
{
	uint64_t now = tn_server_now_ms(c->server), due = UINT64_MAX;

	for (const struct tn_consent_request *r = c->requests; r; r = r->next) {
		if (can_come_due(r) && r->due_ms < due)
			due = r->due_ms;
	}
	if (due == UINT64_MAX)
		tn_timer_stop(c->timer);
	else
		tn_timer_start(c->timer, due > now ? due - now : 1);
}

static struct tn_consent_request *find_due(const struct tn_consent *c)
{
	uint64_t now = tn_server_now_ms(c->server);
	struct tn_consent_request *r = c->requests;

	while (r && (r->due_ms > now || !can_come_due(r)))
		r = r->next;
	return r;
}

void tn_consent_table_expire(struct tn_consent *c)
{
	struct tn_consent_request *r;

	while ((r = find_due(c)) != NULL) {
		struct tenon_call *call = r->call;

		if (!is_open(r)) {
			remove_request(r);
			continue;
		}
		r->call = NULL;
		tn_consent_table_mark(r, TN_REQUEST_EXPIRED, NULL);
		if (call)
			tn_consent_resume(call, r);
	}
}

static void time_has_come(struct tn_timer *timer, void *data)
{
	(void)timer;
	tn_consent_table_expire(data);
	set_timer(data);
}

/* ---- life ---- */

enum tenon_code tn_consent_table_open(struct tn_consent *c, struct tenon_error *err)
{
	return tn_timer_open(c->server->loop, time_has_come, c, &c->timer, err);
}

static void end_waiting(struct tenon_call *call)
{
	tn_call_drop_asks(call);
	tn_call_fail_code(call, "CONSENT_UNAVAILABLE", true,
			  "The server ends before anybody was asked for consent. Nothing was "
			  "done.");
}

void tn_consent_table_close(struct tn_consent *c)
{
	tn_consent_prove_close(c);
	while (c->requests) {
		struct tn_consent_request *r = c->requests;
		struct tenon_call *call = r->state == TN_REQUEST_PENDING ? r->call : NULL;

		c->requests = r->next;
		free_request(r);
		if (call)
			end_waiting(call);
	}
	tn_consent_table_forget(c);
	tn_timer_close(c->timer);
}

static struct tn_consent_request *find_waiting(const struct tn_consent *c)
{
	struct tn_consent_request *r = c->requests;

	while (r && !(r->call && r->state == TN_REQUEST_PENDING))
		r = r->next;
	return r;
}

void tn_consent_drain(struct tenon_server *server)
{
	struct tn_consent_request *r;

	while (server->consent && (r = find_waiting(server->consent)) != NULL) {
		struct tenon_call *call = r->call;

		remove_request(r);
		end_waiting(call);
	}
}

/* ---- requests ---- */

static bool has_room(const struct tn_consent *c, const struct tenon_call *call,
		     struct tenon_error *err)
{
	size_t all = 0, own = 0;

	for (const struct tn_consent_request *r = c->requests; r; r = r->next) {
		all += is_open(r);
		own += is_open(r) && r->asks_for == call->client;
	}
	if (own >= TN_CONSENT_PENDING_OWN_MAX)
		(void)tn_fail(
			err, TENON_LIMIT,
			"%zu requests for consent of this client are open already; no more "
			"of its own are taken until a person has decided some, or they expire",
			own);
	/* The last ones are for those who have none: nobody keeps the others out. */
	else if (all >= TN_CONSENT_PENDING_MAX ||
		 (own > 0 && all >= TN_CONSENT_PENDING_MAX - TN_CONSENT_PENDING_KEPT))
		(void)tn_fail(err, TENON_LIMIT,
			      "%zu requests for consent of all clients are open already; no more "
			      "are taken until a person has decided some, or they expire",
			      all);
	else
		return true;
	return false;
}

/* The oldest decided one makes room. */
static void forget_one(struct tn_consent *c)
{
	struct tn_consent_request *oldest = NULL;
	size_t kept = 0;

	for (struct tn_consent_request *r = c->requests; r; r = r->next) {
		if (is_open(r) || r->call)
			continue;
		oldest = r;
		kept++;
	}
	if (kept >= TN_CONSENT_KEPT_MAX)
		remove_request(oldest);
}

static bool copy(char **to, struct tn_str text)
{
	*to = tn_mem_copy_text(text.data ? text.data : "", text.size);
	return *to != NULL;
}

/* NULL is none. */
static bool copy_some(char **to, const char *text)
{
	return !text || copy(to, tn_str_from(text));
}

static bool copy_words(struct tn_consent_request *r, const struct tn_consent_words *w)
{
	memcpy(r->digest, w->digest, sizeof(r->digest));
	if (w->lasting)
		memcpy(r->lasting_digest, w->lasting_digest, sizeof(r->lasting_digest));
	r->lasting_ms = w->lasting_ms;
	return copy_some(&r->once, w->once) && copy_some(&r->lasting, w->lasting) &&
	       copy(&r->tool, w->tool) && copy(&r->app, tn_str_from(w->app)) &&
	       copy(&r->summary, w->summary) && copy(&r->detail, w->detail) &&
	       copy(&r->client, w->client) && copy_some(&r->act, w->act) &&
	       copy_some(&r->rule, w->rule) && (!w->data.data || copy(&r->data, w->data));
}

enum tenon_code tn_consent_table_add(struct tn_consent *c, const struct tenon_call *call,
				     const struct tn_consent_words *words, uint64_t timeout_ms,
				     struct tn_consent_request **ret, struct tenon_error *err)
{
	struct tn_consent_request *r;

	if (!has_room(c, call, err))
		return TENON_LIMIT;
	forget_one(c);
	r = tn_mem_alloc(sizeof(*r));
	if (!r)
		return tn_fail(err, TENON_NO_MEMORY, "out of memory");
	if (!copy_words(r, words)) {
		free_request(r);
		return tn_fail(err, TENON_NO_MEMORY, "out of memory");
	}
	memcpy(r->id, "apr_", 4);
	tn_rng_token(r->id + 4, 16);
	r->asks_for = call->client;
	r->owner = c;
	r->timeout_ms = timeout_ms;
	r->due_ms = tn_server_now_ms(c->server) + timeout_ms;
	r->created_wall_ms = tn_clock_wall_ms(c->server->clock);
	r->expires_wall_ms = r->created_wall_ms + (int64_t)timeout_ms;
	r->next = c->requests;
	c->requests = r;
	set_timer(c);
	tell(c);
	*ret = r;
	return TENON_OK;
}

/* How well a free request suits a call that comes now; 0: not at all. */
static int suits(const struct tn_consent_request *r)
{
	if (r->state == TN_REQUEST_APPROVED)
		return 3;
	if (r->state == TN_REQUEST_DENIED && !r->told)
		return 2;
	return r->state == TN_REQUEST_PENDING;
}

struct tn_consent_request *tn_consent_table_find(struct tn_consent *c,
						 const struct tenon_call *call, const char *digest)
{
	struct tn_consent_request *best = NULL;

	for (struct tn_consent_request *r = c->requests; r; r = r->next) {
		if (strcmp(r->digest, digest) != 0 || (r->call && r->call != call))
			continue;
		if (r->call == call)
			return r;
		if (suits(r) > (best ? suits(best) : 0))
			best = r;
	}
	return best;
}

struct tn_consent_request *tn_consent_table_open_of(const struct tenon_call *call)
{
	struct tn_consent_request *r =
		call->server->consent ? call->server->consent->requests : NULL;

	while (r && !(r->call == call && r->state == TN_REQUEST_PENDING))
		r = r->next;
	return r;
}

void tn_consent_table_mark(struct tn_consent_request *r, enum tn_request_state state,
			   const char *by)
{
	struct tn_consent *c = r->owner;

	tn_consent_prove_drop(r);
	r->state = state;
	r->decided_by = by;
	tn_mem_free(r->data); /* who decides has it; many are kept when they are decided */
	r->data = NULL;
	if (state == TN_REQUEST_APPROVED) { /* time enough to make the call again */
		r->due_ms = tn_server_now_ms(c->server) + r->timeout_ms;
		r->expires_wall_ms = tn_clock_wall_ms(c->server->clock) + (int64_t)r->timeout_ms;
	} else {
		r->due_ms = tn_server_now_ms(c->server) + TN_CONSENT_KEPT_MS;
	}
	set_timer(c);
	tell(c);
}

void tn_consent_table_attach(struct tn_consent_request *r, struct tenon_call *call)
{
	r->call = call;
	if (r->state == TN_REQUEST_DENIED && call)
		r->told = true;
}

void tn_consent_table_let_go(struct tenon_call *call)
{
	struct tn_consent_request *r = call->server->consent->requests;

	while (r) {
		struct tn_consent_request *next = r->next;

		if (r->call == call) {
			r->call = NULL;
			/* It asked for something else before it did anything: the consent counts
			 * for the call that brings the answer. */
			if (r->state == TN_REQUEST_USED && call->asked)
				tn_consent_table_mark(r, TN_REQUEST_APPROVED, r->decided_by);
			else if (is_open(r) && !call->asked)
				remove_request(r);
		}
		r = next;
	}
	set_timer(call->server->consent);
}

/* ---- what lasts ---- */

static struct tn_consent_lasting *find_lasting(const struct tn_consent *c, const char *digest)
{
	struct tn_consent_lasting *l = c->lasting;

	while (l && strcmp(l->digest, digest) != 0)
		l = l->next;
	return l;
}

bool tn_consent_table_remembers(const struct tn_consent *c, const char *digest)
{
	const struct tn_consent_lasting *l = find_lasting(c, digest);

	return l && tn_server_now_ms(c->server) < l->until_ms;
}

void tn_consent_table_remember(const struct tn_consent_request *r)
{
	struct tn_consent *c = r->owner;
	struct tn_consent_lasting *l = find_lasting(c, r->lasting_digest), **link = &c->lasting;
	uint64_t until_ms =
		r->lasting_ms ? tn_server_now_ms(c->server) + r->lasting_ms : UINT64_MAX;

	if (l) {
		l->until_ms = until_ms;
		return;
	}
	l = tn_mem_alloc(sizeof(*l));
	if (!l)
		return;
	memcpy(l->digest, r->lasting_digest, sizeof(l->digest));
	l->until_ms = until_ms;
	l->next = c->lasting;
	c->lasting = l;
	for (size_t kept = 0; *link && kept < TN_CONSENT_LASTING_MAX; kept++)
		link = &(*link)->next;
	while (*link) {
		struct tn_consent_lasting *oldest = *link;

		*link = oldest->next;
		tn_mem_free(oldest);
	}
}

void tn_consent_table_forget(struct tn_consent *c)
{
	while (c->lasting) {
		struct tn_consent_lasting *next = c->lasting->next;

		tn_mem_free(c->lasting);
		c->lasting = next;
	}
}

/* ---- deciding ---- */

/* Where both approvals are called the same there is but one, and it lasts. */
static bool lasts(const struct tn_consent_request *r, enum tn_decision decision)
{
	return decision == TN_APPROVED_LASTING ||
	       (r->lasting && r->once && strcmp(r->lasting, r->once) == 0);
}

enum tenon_code tn_consent_table_check(struct tn_consent *c, struct tn_str id,
				       enum tn_decision decision, struct tn_consent_request **ret,
				       struct tenon_error *err)
{
	struct tn_consent_request *r;

	tn_consent_table_expire(c);
	for (r = c->requests; r && !tn_str_is(id, r->id); r = r->next)
		;
	if (!r)
		return tn_fail(err, TENON_NOT_FOUND,
			       "no such request; it may have been withdrawn, or was decided more "
			       "than ten minutes ago");
	if (r->state == TN_REQUEST_EXPIRED)
		return tn_fail(err, TENON_EXPIRED, "this request has expired");
	if (r->state != TN_REQUEST_PENDING)
		return tn_fail(err, TENON_EXPIRED, "this request has been decided already: %s",
			       state_name(r->state));
	if (decision == TN_APPROVED_LASTING && !r->lasting)
		return tn_fail(err, TENON_INVALID, "this request can be approved once only");
	*ret = r;
	return TENON_OK;
}

void tn_consent_table_settle(struct tn_consent_request *r, enum tn_decision decision,
			     const char *by)
{
	struct tenon_call *call = r->call;

	if (decision != TN_DENIED && lasts(r, decision))
		tn_consent_table_remember(r);
	tn_consent_table_mark(r, decision == TN_DENIED ? TN_REQUEST_DENIED : TN_REQUEST_APPROVED,
			      by);
	if (!call)
		return;
	if (decision == TN_DENIED)
		r->told = true;
	tn_consent_resume(call, r);
}

size_t tn_consent_pending(const struct tenon_server *server)
{
	size_t count = 0;

	for (const struct tn_consent_request *r = server->consent ? server->consent->requests
								  : NULL;
	     r; r = r->next)
		count += r->state == TN_REQUEST_PENDING;
	return count;
}

static void put_time(struct tn_buf *out, const char *key, int64_t wall_ms)
{
	char time[TN_CLOCK_ISO_SIZE];

	tn_clock_format_iso(wall_ms, time);
	tn_json_put_member_text(out, key, time);
}

static void put_request(struct tn_buf *out, const struct tn_consent_request *r)
{
	tn_json_begin_object(out);
	tn_json_put_member_text(out, "id", r->id);
	tn_json_put_member_text(out, "tool", r->tool);
	tn_json_put_member_text(out, "app", r->app);
	tn_json_put_member_text(out, "act", r->act);
	tn_json_put_member_text(out, "summary", r->summary);
	tn_json_put_member_text(out, "detail", r->detail);
	tn_json_put_member_text(out, "digest", r->digest);
	tn_json_put_member_text(out, "client", r->client);
	put_time(out, "createdAt", r->created_wall_ms);
	put_time(out, "expiresAt", r->expires_wall_ms);
	tn_json_put_member_text(out, "state", state_name(r->state));
	tn_json_put_member_text(out, "decidedBy", r->decided_by);
	tn_json_put_member_text(out, "rule", r->rule);
	if (r->once)
		tn_json_put_member_text(out, "once", r->once);
	if (r->lasting)
		tn_json_put_member_text(out, "lasting", r->lasting);
	if (r->data)
		tn_json_put_member_raw(out, "data", tn_str_from(r->data));
	tn_json_end_object(out);
}

void tn_consent_write(const struct tenon_server *server, struct tn_buf *out)
{
	tn_json_begin_object(out);
	tn_json_put_key(out, "approvals");
	tn_json_begin_array(out);
	for (const struct tn_consent_request *r = server->consent ? server->consent->requests
								  : NULL;
	     r; r = r->next)
		put_request(out, r);
	tn_json_end_array(out);
	if (tn_consent_is_proven(server))
		tn_json_put_member_text(out, "proof", server->consent->prover.name);
	tn_json_end_object(out);
}
