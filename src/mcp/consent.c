#include "mcp/consent.h"

#include <stdio.h>

#include "base/limits.h"
#include "base/mem.h"
#include "base/rng.h"
#include "jsonrpc/json_canonical.h"
#include "mcp/consent_policy.h"
#include "mcp/consent_table.h"
#include "mcp/consent_text.h"
#include "mcp/fault.h"
#include "mcp/limits.h"
#include "mcp/method.h"
#include "mcp/policy_part.h"
#include "mcp/server.h"
#include "mcp/task.h"

#define APPROVE "Approve once"

#define REFUSE "Refuse"

/* ---- life ---- */

enum tenon_code tn_consent_open(struct tenon_server *server, const char *environment,
				struct tenon_error *err)
{
	struct tn_consent *c = tn_mem_alloc(sizeof(*c));
	enum tenon_code code = TENON_OK;

	if (!c)
		return tn_fail(err, TENON_NO_MEMORY, "out of memory");
	c->server = server;
	c->fallback_timeout_ms = TN_CONSENT_TIMEOUT_MS;
	if (environment && strcmp(environment, "allow") == 0)
		c->environment = TN_ENVIRONMENT_ALLOWS;
	else if (environment && strcmp(environment, "deny") == 0)
		c->environment = TN_ENVIRONMENT_DENIES;
	else if (environment && environment[0])
		code = tn_fail(err, TENON_INVALID, "TENON_CONSENT: %.40s; send allow or deny",
			       environment);
	if (code == TENON_OK)
		code = tn_policy_parse(tn_str(NULL, 0), &c->policy, err);
	if (code == TENON_OK)
		code = tn_consent_table_open(c, err);
	if (code != TENON_OK) {
		tn_policy_free(c->policy);
		tn_mem_free(c);
		return code;
	}
	server->consent = c;
	return TENON_OK;
}

void tn_consent_close(struct tenon_server *server)
{
	struct tn_consent *c = server->consent;

	if (!c)
		return;
	c->changed = NULL; /* whoever is told may be gone */
	tn_consent_table_close(c);
	tn_policy_free(c->policy);
	tn_mem_free(c);
	server->consent = NULL;
}

enum tenon_code tn_consent_set_policy(struct tenon_server *server, const char *text,
				      struct tenon_error *err)
{
	struct tn_consent *c = server->consent;
	struct tn_policy *policy;
	enum tenon_code code = tn_policy_parse(tn_str_from(text), &policy, err);

	if (code != TENON_OK)
		return code;
	code = tn_policy_parts_take(server, policy, err);
	if (code != TENON_OK) {
		tn_policy_free(policy);
		return code;
	}
	tn_policy_free(c->policy);
	c->policy = policy;
	tn_consent_table_forget(c); /* what was allowed was allowed by the other one */
	return TENON_OK;
}

const char *tn_consent_environment(const struct tenon_server *server)
{
	static const char *const names[] = {NULL, "allow", "deny"};

	return server->consent ? names[server->consent->environment] : NULL;
}

void tn_consent_set_timeout(struct tenon_server *server, uint64_t timeout_ms)
{
	server->consent->fallback_timeout_ms = timeout_ms;
}

void tn_consent_on_change(struct tenon_server *server, void (*changed)(void *data), void *data)
{
	server->consent->changed = changed;
	server->consent->changed_data = data;
}

/* ---- what is asked ---- */

static const char *app_of(const struct tenon_call *call)
{
	const struct tn_app_slot *slot = call->server->apps;

	while (slot && !(call->item && call->item->app && slot->bit == call->item->app))
		slot = slot->next;
	return slot ? slot->app->name : "";
}

static struct tn_str tool_of(const struct tenon_call *call)
{
	return call->item ? call->item->key : call->method_name;
}

static unsigned flags_of(const struct tenon_call *call)
{
	return call->item && call->item->kind == TN_ITEM_TOOL
		       ? tn_tool_flags(&call->item->tool, call->arguments)
		       : 0;
}

/* Bound to: tool, principal, arguments, the kind of act and its own bytes. */
static bool digest_of(struct tenon_call *call, const struct tenon_act *act,
		      char digest[TN_DIGEST_HEX_SIZE])
{
	char exactly[TN_DIGEST_HEX_SIZE];
	struct tn_buf text;
	bool made;

	tn_digest_hex(act ? tn_str(act->exactly, act->exactly_size) : tn_str(NULL, 0), exactly);
	tn_buf_init(&text, TN_MESSAGE_ARENA_MAX);
	tn_json_begin_array(&text);
	tn_json_put_str(&text, tool_of(call));
	tn_json_put_text(&text, call->principal);
	tn_json_put_canonical(&call->arena, &text, call->arguments);
	tn_json_put_text(&text, act ? act->kind : NULL);
	tn_json_put_text(&text, exactly);
	tn_json_end_array(&text);
	made = !text.failed;
	if (made)
		tn_digest_hex(tn_buf_str(&text), digest);
	tn_buf_finish(&text);
	return made;
}

/* Of what lasts: the arguments have no part in it, because they may say how long to wait. */
static bool lasting_digest_of(struct tenon_call *call, const struct tenon_act *act,
			      char digest[TN_DIGEST_HEX_SIZE])
{
	struct tn_str bytes = act->lasting_exactly
				      ? tn_str(act->lasting_exactly, act->lasting_exactly_size)
				      : tn_str(act->exactly, act->exactly_size);
	char exactly[TN_DIGEST_HEX_SIZE];
	struct tn_buf text;
	bool made;

	tn_digest_hex(bytes, exactly);
	tn_buf_init(&text, TN_MESSAGE_ARENA_MAX);
	tn_json_begin_array(&text);
	tn_json_put_text(&text, "lasting");
	tn_json_put_text(&text, app_of(call));
	tn_json_put_text(&text, call->principal);
	tn_json_put_text(&text, act->kind);
	tn_json_put_text(&text, exactly);
	tn_json_end_array(&text);
	made = !text.failed;
	if (made)
		tn_digest_hex(tn_buf_str(&text), digest);
	tn_buf_finish(&text);
	return made;
}

static void put_summary(struct tenon_call *call, const struct tenon_act *act, struct tn_buf *out)
{
	if (act) {
		tn_consent_text_put(out, tn_str_from(act->summary), TN_CONSENT_TEXT_MAX, false);
		return;
	}
	tn_buf_append_text(out, "Call ");
	tn_consent_text_put(out, tool_of(call), TN_CONSENT_TEXT_MAX, false);
	if (call->item && call->item->kind == TN_ITEM_TOOL && call->item->tool.title) {
		tn_buf_append_text(out, " (");
		tn_consent_text_put(out, tn_str_from(call->item->tool.title), 256, false);
		tn_buf_append_byte(out, ')');
	}
}

static void put_detail(struct tenon_call *call, const struct tenon_act *act, struct tn_buf *out)
{
	struct tn_buf json;

	if (act) {
		tn_consent_text_put(out, tn_str_from(act->detail), TN_CONSENT_TEXT_MAX, true);
		return;
	}
	if (!call->arguments || call->arguments->count == 0)
		return;
	tn_buf_init(&json, TN_MESSAGE_ARENA_MAX);
	tn_json_put_canonical(&call->arena, &json, call->arguments);
	tn_consent_text_put(out, tn_buf_str(&json), TN_CONSENT_TEXT_MAX, false);
	tn_buf_inherit_failure(out, &json);
	tn_buf_finish(&json);
}

/* ---- who can answer ---- */

static bool person_is_there(const struct tenon_server *server)
{
	for (const struct tn_peer *peer = server->peers; peer; peer = peer->next) {
		if (peer->person && peer->kind == TN_PEER_STREAM)
			return true;
	}
	return false;
}

/* ARCHITECTURE section 3.4: what a client says of its user proves less than a person's token. */
static bool elicitation_counts(const struct tenon_call *call, const struct tn_policy_answer *answer,
			       const struct tenon_act *act)
{
	const struct tn_consent *c = call->server->consent;
	bool page;

	if (tn_consent_is_proven(call->server))
		return false;
	/* Our own command line puts the question to whoever types, and that may be the assistant
	 * that asks: for people there is `tenon approve`, which is told from whom it comes. */
	if (strncmp(tenon_call_client_name(call), "tenon ", 6) == 0)
		return false;
	if (answer->elicitation >= 0)
		return answer->elicitation != 0;
	page = person_is_there(call->server);
	switch (tn_policy_elicitation(c->policy)) {
	case TN_ELICITATION_ALWAYS:
		return true;
	case TN_ELICITATION_NEVER:
		return false;
	case TN_ELICITATION_NO_PAGE:
		return !page;
	case TN_ELICITATION_GUARDED:
		break;
	}
	return !page || strcmp(app_of(call), "studio") != 0 || !act ||
	       (strcmp(act->kind, "apply") != 0 && strcmp(act->kind, "destroy") != 0);
}

static bool can_be_asked(const struct tenon_call *call)
{
	if (!(call->abilities & TENON_CAN_ELICIT))
		return false;
	if (call->revision == TN_R5 || call->task)
		return true;
	return call->exchange && call->peer && !call->peer->mute &&
	       !tn_exchange_deaf(call->exchange);
}

/* ---- asking ---- */

static const char *once_of(const struct tn_consent_request *r)
{
	return r->once ? r->once : APPROVE;
}

/* The words of the form, in the order of every question: what, where, by whom. In the call's arena.
 */
static const char *make_message(struct tenon_call *call, const struct tn_consent_request *r)
{
	return tn_arena_format(&call->arena,
			       "%s\n\n%s%s\n%s wants this done (tool %s%s%s). An approval counts "
			       "%s for exactly this.",
			       r->summary, r->detail, r->detail[0] ? "\n" : "", r->client, r->tool,
			       r->app[0] ? " of " : "", r->app,
			       r->lasting ? "as it says, and" : "once, and");
}

static const char *make_form(struct tenon_call *call, const struct tn_consent_request *r)
{
	struct tn_buf form;
	const char *text;

	tn_buf_init(&form, 64 * TN_KIB);
	tn_buf_append_text(&form,
			   "{\"type\":\"object\",\"properties\":{\"decision\":{\"type\":\"string\","
			   "\"title\":\"Decision\",\"enum\":[");
	tn_json_put_text(&form, once_of(r));
	if (r->lasting && strcmp(r->lasting, once_of(r)) != 0)
		tn_json_put_text(&form, r->lasting);
	tn_json_put_text(&form, REFUSE);
	tn_buf_append_text(&form, "]}},\"required\":[\"decision\"]}");
	text = form.failed ? NULL : tn_arena_copy(&call->arena, tn_buf_str(&form));
	tn_buf_finish(&form);
	return text;
}

static void take_decision(struct tn_consent_request *r, const struct tenon_answer *answer)
{
	const char *decision = tenon_answer_text(answer, "decision");
	bool once, lasting;

	if (tenon_answer_action(answer) != TENON_ACCEPTED || !decision)
		decision = REFUSE;
	once = strcmp(decision, once_of(r)) == 0;
	lasting = r->lasting && strcmp(decision, r->lasting) == 0;
	if (lasting)
		tn_consent_table_remember(r);
	tn_consent_table_mark(r, once || lasting ? TN_REQUEST_APPROVED : TN_REQUEST_DENIED,
			      "elicitation");
}

/* The client's answer decides the request. False: it has not answered, and is asked. */
static bool take_elicited(struct tenon_call *call, struct tn_consent_request *r)
{
	const char *message = make_message(call, r), *form = make_form(call, r);
	const struct tenon_answer *answer;

	if (!message || !form) {
		tn_call_starve(call);
		tenon_call_fail(call, "out of memory");
		return true;
	}
	/* Modern: an answer counts only with the seal of the question it belongs to. */
	if (call->revision == TN_R5 && !call->task && !tn_call_was_asked(call, r->id))
		tn_call_forget_answer(call, r->id);
	answer = tenon_call_elicit(call, r->id, message, form);
	if (!answer) {
		tn_call_mark_consent(call, r->id);
		return false;
	}
	take_decision(r, answer);
	return true;
}

/* A rule of the policy, or one of the app's own, which its words name ("rule: delete-files"). */
static struct tn_str rule_of(const struct tn_consent_request *r)
{
	struct tn_str detail = r->detail ? tn_str_from(r->detail) : tn_str("", 0);
	size_t at = r->rule ? TN_STR_NONE : tn_str_find(detail, TN_STR("\nrule: ")), end;

	if (at == TN_STR_NONE)
		return r->rule ? tn_str_from(r->rule) : TN_STR("the default of the policy");
	detail = tn_str_from_offset(detail, at + sizeof("\nrule: ") - 1);
	end = tn_str_find_byte(detail, '\n');
	return end == TN_STR_NONE ? detail : tn_str(detail.data, end);
}

static bool fail_unavailable(struct tenon_call *call, const struct tn_consent_request *r)
{
	struct tn_buf members;
	struct tn_str rule = rule_of(r);
	const int size = (int)(rule.size < 100 ? rule.size : 100);
	const struct tenon_server *server = call->server;
	const char *page = server->page_url[0] ? ", or opens the page with `tenon open`" : "";

	tn_buf_init(&members, TN_KIB);
	tn_json_put_member_text(&members, "approvalId", r->id);
	if (server->page_url[0] || server->person_socket)
		tn_call_fail_with(
			call, "CONSENT_UNAVAILABLE", true, tn_buf_str(&members),
			"Nobody can be asked for consent now. A person runs `tenon approve %s` on "
			"a terminal of their own%s; then make the identical call again. Whoever "
			"decides beforehand, for CI say, writes a rule into policy.json, or sets "
			"TENON_CONSENT=allow. What asks: %.*s.",
			r->id, page, size, rule.data);
	else
		tn_call_fail_with(
			call, "CONSENT_UNAVAILABLE", true, tn_buf_str(&members),
			"Nobody can be asked for consent here: this server has no page and no "
			"socket for persons, and the client cannot ask its user. Serve it by the "
			"daemon (`tenon mcp`), or with --http and a token, so that `tenon "
			"approve` finds it; use a client that has elicitation; or decide "
			"beforehand by a rule with \"action\": \"allow\" in policy.json, or "
			"TENON_CONSENT=allow. What asks: %.*s.",
			size, rule.data);
	tn_buf_finish(&members);
	return false;
}

static bool fail_declined(struct tenon_call *call)
{
	tn_call_fail_code(call, "CONSENT_DECLINED", false,
			  "A person was asked and refused. Nothing was done.");
	return false;
}

/* Nobody has decided yet: asks whoever can be asked. */
static bool ask(struct tenon_call *call, struct tn_consent_request *r, bool elicits)
{
	if (call->server->stopping) {
		tn_consent_table_attach(r, call);
		tn_consent_drain(call->server);
		return false;
	}
	if (elicits) {
		if (take_elicited(call, r))
			return false; /* decided or failed; the caller looks again */
		tn_consent_table_attach(r, call);
		return false;
	}
	if (person_is_there(call->server)) {
		tn_consent_table_attach(r, call);
		call->phase = TN_CALL_CONSENTING;
		return false;
	}
	tn_consent_table_attach(r, NULL); /* it stays, for whoever comes */
	return fail_unavailable(call, r);
}

/* Who switched off what would run has decided, too, and later than the call came (ST-008). */
static bool is_served(struct tenon_call *call)
{
	if (!tn_method_admit(call))
		return false;
	if (!call->item || !(call->item->app & call->server->registry.apps_off))
		return true;
	tenon_call_fail(call, "%s has been switched off. Nothing was done.", app_of(call));
	return false;
}

/* True: it has been approved, now for this call. */
static bool use(struct tenon_call *call, struct tn_consent_request *r)
{
	call->consent = r->decided_by;
	tn_consent_table_attach(r, call);
	if (r->state == TN_REQUEST_DENIED)
		return fail_declined(call);
	if (r->state != TN_REQUEST_APPROVED)
		return true;
	if (!is_served(call))
		return false;
	tn_consent_table_mark(r, TN_REQUEST_USED, r->decided_by);
	return true;
}

static struct tn_consent_request *make_request(struct tenon_call *call, const struct tenon_act *act,
					       const char *digest, const char *lasting,
					       const char *rule)
{
	struct tn_consent *c = call->server->consent;
	struct tn_consent_words words = {
		.digest = digest,
		.tool = tool_of(call),
		.app = app_of(call),
		.act = act ? act->kind : NULL,
		.rule = rule,
		.once = act ? act->once : NULL,
		.lasting = act ? act->lasting : NULL,
		.lasting_digest = lasting,
		.lasting_ms = act ? act->lasting_ms : 0,
	};
	uint64_t timeout_ms = tn_policy_timeout_ms(c->policy);
	struct tn_buf summary, detail, client, data;
	struct tn_consent_request *r = NULL;
	struct tenon_error err;
	enum tenon_code code;

	tn_buf_init(&summary, 4 * TN_CONSENT_TEXT_MAX);
	tn_buf_init(&detail, 4 * TN_CONSENT_TEXT_MAX);
	tn_buf_init(&client, 4 * TN_CONSENT_TEXT_MAX);
	put_summary(call, act, &summary);
	put_detail(call, act, &detail);
	tn_consent_text_put(&client, tn_str_from(tenon_call_client_name(call)), 128, false);
	words.summary = tn_buf_str(&summary);
	words.detail = tn_buf_str(&detail);
	words.client = tn_buf_str(&client);
	tn_buf_init(&data, 4 * TN_CONSENT_DATA_MAX);
	if (act && act->data && tn_consent_data_put(&data, tn_str_from(act->data)))
		words.data = tn_buf_str(&data);
	code = summary.failed || detail.failed || client.failed
		       ? tn_fail(&err, TENON_NO_MEMORY, "out of memory")
		       : tn_consent_table_add(c, call, &words,
					      timeout_ms ? timeout_ms : c->fallback_timeout_ms, &r,
					      &err);
	tn_buf_finish(&summary);
	tn_buf_finish(&detail);
	tn_buf_finish(&client);
	tn_buf_finish(&data);
	if (code == TENON_LIMIT)
		tn_call_fail_code(call, "CONSENT_UNAVAILABLE", true, "%s", err.message);
	else if (code != TENON_OK)
		tenon_call_fail(call, "%s", err.message);
	return r;
}

static bool confirm(struct tenon_call *call, const struct tenon_act *act,
		    const struct tn_policy_answer *answer)
{
	struct tn_consent *c = call->server->consent;
	struct tn_consent_request *r;
	char digest[TN_DIGEST_HEX_SIZE], lasting[TN_DIGEST_HEX_SIZE] = "";
	bool elicits, may_last = act && act->lasting;

	if (!digest_of(call, act, digest) || (may_last && !lasting_digest_of(call, act, lasting))) {
		tenon_call_fail(call, "out of memory");
		return false;
	}
	if (may_last && tn_consent_table_remembers(c, lasting)) {
		call->consent = "remembered";
		return is_served(call);
	}
	tn_consent_table_expire(c);
	if (call->phase == TN_CALL_FINISHED)
		return false; /* it was its own time that was over */
	r = tn_consent_table_find(c, call, digest);
	if (!r)
		r = make_request(call, act, digest, lasting, answer->rule);
	if (!r)
		return false;
	if (r->state != TN_REQUEST_PENDING)
		return use(call, r);
	elicits = can_be_asked(call) && elicitation_counts(call, answer, act);
	(void)ask(call, r, elicits);
	if (call->phase != TN_CALL_FINISHED && r->state != TN_REQUEST_PENDING)
		return use(call, r);
	return false;
}

bool tn_consent_can_ask(const struct tenon_call *call)
{
	static const struct tn_policy_answer none = {.elicitation = -1};

	if (!call->server->consent)
		return false;
	return person_is_there(call->server) ||
	       (can_be_asked(call) && elicitation_counts(call, &none, NULL));
}

/* ---- the question ---- */

static bool deny(struct tenon_call *call, const struct tn_policy_answer *answer)
{
	struct tn_str tool = tool_of(call);

	call->consent = "policy";
	if (answer->way)
		tn_call_fail_code(call, "DENIED_BY_POLICY", false,
				  "The policy denies calls through %s (%s): call %.*s by its own "
				  "name. Nothing was done.",
				  call->through, answer->rule, (int)tool.size, tool.data);
	else
		tn_call_fail_code(call, "DENIED_BY_POLICY", false,
				  answer->rule
					  ? "The policy denies this (%s). Nothing was done."
					  : "The policy's default denies this. Nothing was done.%s",
				  answer->rule ? answer->rule : "");
	return false;
}

/* A person who names the very thing is not asked about it again. Where approvals are to be proven
 * they are, and TENON_CONSENT=deny holds for persons, too. */
static bool is_own_approval(const struct tenon_call *call, const struct tenon_act *act)
{
	return act && act->is_named && call->person && !tn_consent_is_proven(call->server) &&
	       call->server->consent->environment == TN_ENVIRONMENT_NONE;
}

static bool decide(struct tenon_call *call, const struct tenon_act *act)
{
	const struct tn_consent *c = call->server->consent;
	const struct tn_policy_question question = {
		.tool = tool_of(call),
		.app = tn_str_from(app_of(call)),
		.client = tn_str_from(tenon_call_client_name(call)),
		.act = tn_str_from(act ? act->kind : NULL),
		.flags = flags_of(call),
		.person = call->person, /* its connection may have gone */
		.through = tn_str_from(call->through),
	};
	struct tn_policy_answer answer = tn_policy_ask(c->policy, &question);

	if (answer.verdict == TN_DENY)
		return deny(call, &answer);
	if (is_own_approval(call, act)) {
		call->consent = "page";
		return is_served(call);
	}
	if (answer.verdict == TN_CONFIRM && answer.built_in && act && act->is_allowed) {
		call->consent = "setting";
		return true;
	}
	if (answer.verdict == TN_ALLOW) {
		if (!answer.built_in && !call->consent)
			call->consent = "policy";
		return true;
	}
	/* Its handler asks, with better words, for what needs asking. */
	if (!act && (question.flags & TENON_ASKS_CONSENT))
		return true;
	if (c->environment == TN_ENVIRONMENT_NONE)
		return confirm(call, act, &answer);
	call->consent = "environment";
	if (c->environment == TN_ENVIRONMENT_ALLOWS)
		return true;
	tn_call_fail_code(call, "CONSENT_DECLINED", false,
			  "TENON_CONSENT=deny refuses what a person would be asked about. Nothing "
			  "was done.");
	return false;
}

bool tn_consent_admit(struct tenon_call *call)
{
	if (!call->server->consent || call->item->tool.person_only)
		return true; /* a person deciding is no act that needs a decision */
	return decide(call, NULL);
}

bool tenon_call_consent(struct tenon_call *call, const struct tenon_act *act)
{
	if (call->phase == TN_CALL_FINISHED)
		return false;
	return !call->server->consent || decide(call, act);
}

/* ---- the core's events ---- */

bool tn_consent_unheard(struct tenon_call *call)
{
	struct tn_consent_request *r = tn_consent_table_open_of(call);

	for (const struct tn_ask *a = call->asks; a; a = a->next) {
		if (!a->consent)
			return false;
	}
	if (!r || !call->asks)
		return false;
	tn_call_drop_asks(call);
	if (person_is_there(call->server)) {
		call->phase = TN_CALL_CONSENTING;
		return true;
	}
	tn_consent_table_attach(r, NULL); /* it stays, for whoever comes */
	(void)fail_unavailable(call, r);
	return true;
}

void tn_consent_end(struct tenon_call *call)
{
	if (!call->server->consent)
		return;
	tn_consent_give_up(call->server, call);
	tn_consent_table_let_go(call);
}

/* The call goes on from its handler's start, or is told no. */
void tn_consent_resume(struct tenon_call *call, const struct tn_consent_request *r)
{
	if (r->state == TN_REQUEST_EXPIRED) {
		tn_call_drop_asks(call);
		tn_call_fail_code(call, "CONSENT_TIMEOUT", true,
				  "Nobody answered in time whether this may be done. Nothing was "
				  "done.");
		return;
	}
	if (r->state == TN_REQUEST_DENIED) {
		call->consent = r->decided_by;
		tn_call_drop_asks(call);
		(void)fail_declined(call);
		return;
	}
	tn_call_drop_ask(call, r->id);
	if (call->asks && call->phase == TN_CALL_ASKING)
		return; /* its other questions are still out */
	tn_call_drop_asks(
		call); /* put together with this one, and not out: the handler asks anew */
	tn_call_run(call);
	if (call->task && call->phase == TN_CALL_RUNNING)
		tn_task_set_status(call->task, TN_TASK_WORKING);
}
