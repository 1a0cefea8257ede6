/* terraform_review: what people and assistants think of a plan's changes, in one place. */
#include "apps/plan/mcp/tool_review.h"

#include <stdio.h>

#include "apps/plan/mcp/tools.h"
#include "base/limits.h"
#include "base/near.h"
#include "base/utf8.h"
#include "jsonrpc/json_write.h"
#include "mcp/call.h"
#include "mcp/fault.h"
#include "store/limits.h"
#include "tenon/server.h"

enum { ACTOR_SIZE = 256, LABEL_SIZE = 256, URI_SIZE = 96, SUGGESTIONS_MAX = 3 };

void tn_plan_put_review(struct tn_buf *out, const struct tn_plan_task *task,
			const struct tn_plan_open_review *open)
{
	static const struct tn_plan_review empty = {.marks = NULL};
	bool saved = open ? open->saved : tn_plan_reviews_saves(task->state->reviews);

	tn_json_begin_object(out);
	tn_json_put_member_text(out, "plan_id", task->handle->id);
	tn_plan_review_put(out, open ? &open->review : &empty, open ? open->log : NULL, saved,
			   task->plan->change_count);
	tn_json_end_object(out);
}

/* ---- endings ---- */

static void reply(struct tn_plan_task *task, const struct tn_plan_open_review *open)
{
	struct tn_buf structured;

	tn_buf_init(&structured, TN_RESULT_BYTES_MAX);
	tn_plan_put_review(&structured, task, open);
	tn_plan_task_reply(task, NULL, &structured);
}

/* Everybody has a handle of his own for the same plan, and with it a name for the review. */
static void publish(const struct tn_plan_task *task)
{
	const struct tn_handles *plans = &task->state->plans;
	char uri[URI_SIZE];

	for (const struct tn_handle *at = plans->newest; at; at = at->older) {
		const struct tn_plan *plan = at->value;

		if (strcmp(plan->sha256, task->plan->sha256) != 0)
			continue;
		(void)snprintf(uri, sizeof(uri), "plan://%s/review", at->id);
		tenon_server_resource_updated(task->state->server, uri);
	}
}

static void fail(struct tn_plan_task *task, enum tenon_code code, const struct tenon_error *err)
{
	switch (code) {
	case TENON_EXPIRED:
		tn_call_fail_code(task->call, "STALE_REVISION", false, "%s", err->message);
		break;
	case TENON_NOT_FOUND:
		tn_plan_task_fail(task, "nothing_to_undo", err->message, NULL);
		break;
	case TENON_LIMIT:
		tn_plan_task_fail(task, "review_full", err->message, NULL);
		break;
	default:
		tn_plan_task_fail(task, "review_unavailable", err->message, NULL);
		break;
	}
}

/* ---- marks ---- */

/* Every address of the plan, for more marks than one would look up one by one. */
struct known {
	const struct tn_plan *plan;
	struct tn_map map;
	bool mapped;
};

static enum tenon_code learn(struct known *known, size_t marks, struct tenon_error *err)
{
	const struct tn_plan *plan = known->plan;
	enum tenon_code code = TENON_OK;

	tn_map_init(&known->map);
	known->mapped = marks > 16;
	for (uint32_t i = 0; known->mapped && i < plan->change_count && code == TENON_OK; i++)
		code = tn_map_put(&known->map, plan->changes[i].address, &plan->changes[i], err);
	return code;
}

static bool is_known(const struct known *known, struct tn_str address)
{
	if (known->mapped)
		return tn_map_get(&known->map, address) != NULL;
	for (uint32_t i = 0; i < known->plan->change_count; i++) {
		if (tn_str_equal(known->plan->changes[i].address, address))
			return true;
	}
	return false;
}

/* Addresses are long and end alike: near is what differs least, or holds the words sent. */
static void suggest(const struct tn_plan *plan, struct tn_str address, char *out, size_t size)
{
	size_t used = 0;
	unsigned count = 0;

	out[0] = '\0';
	for (uint32_t i = 0; i < plan->change_count && count < SUGGESTIONS_MAX; i++) {
		struct tn_str known = plan->changes[i].address;

		if (known.size > 100 ||
		    (!tn_near_is(address, known) && tn_str_find(known, address) == TN_STR_NONE))
			continue;
		used += (size_t)snprintf(out + used, size - used, "%s%.*s", count ? ", " : "",
					 (int)known.size, known.data);
		count++;
	}
}

static void fail_unknown(struct tn_plan_task *task, struct tn_str address)
{
	char near[SUGGESTIONS_MAX * 104], message[2 * TN_KIB], hint[sizeof(near) + 64];
	struct tn_str shown = address.size > 512 ? tn_str(address.data, 0) : address;

	suggest(task->plan, address, near, sizeof(near));
	(void)snprintf(message, sizeof(message), "no entry of this plan has the address %.*s",
		       (int)shown.size, shown.data ? shown.data : "");
	(void)snprintf(hint, sizeof(hint), "Did you mean %s?", near);
	tn_plan_task_fail(task, "unknown_address", message, near[0] ? hint : NULL);
}

static void put_operation(struct tn_buf *out, const struct tn_json *mark, const char *actor,
			  int64_t now_ms)
{
	struct tn_plan_mark made = {.by = tn_str_from(actor), .at_ms = now_ms};
	struct tn_str verdict = {NULL, 0};

	/* The schema has checked them; an absent note is none. */
	(void)tn_json_to_str(tn_json_get(mark, "address"), &made.address);
	(void)tn_json_to_str(tn_json_get(mark, "verdict"), &verdict);
	(void)tn_json_to_str(tn_json_get(mark, "note"), &made.note);
	(void)tn_plan_mark_kind_from_name(verdict, &made.verdict);
	tn_plan_mark_put(out, &made);
}

/* False: the call has ended. */
static bool check_marks(struct tn_plan_task *task, const struct tn_json *marks)
{
	struct known known = {.plan = task->plan};
	struct tenon_error err = {0};
	enum tenon_code code = learn(&known, marks->count, &err);
	bool good = code == TENON_OK;

	if (!good)
		fail(task, code, &err);
	for (const struct tn_json *at = marks->first; at && good; at = at->next) {
		struct tn_str address = {NULL, 0}, note = {NULL, 0};

		(void)tn_json_to_str(tn_json_get(at, "address"), &address); /* checked */
		(void)tn_json_to_str(tn_json_get(at, "note"), &note);       /* or absent */
		good = note.size <= TN_PLAN_NOTE_BYTES_MAX && is_known(&known, address);
		if (!good && note.size > TN_PLAN_NOTE_BYTES_MAX)
			tn_plan_task_refuse(task, "marks: a note has at most 2048 bytes");
		else if (!good)
			fail_unknown(task, address);
	}
	tn_map_finish(&known.map);
	return good;
}

static void write_label(const struct tn_json *marks, char out[LABEL_SIZE])
{
	struct tn_str address = {NULL, 0}, verdict = {NULL, 0};

	(void)tn_json_to_str(tn_json_get(marks->first, "address"), &address); /* checked */
	(void)tn_json_to_str(tn_json_get(marks->first, "verdict"), &verdict);
	address = tn_utf8_cut(address, LABEL_SIZE - 32);
	if (marks->count > 1)
		(void)snprintf(out, LABEL_SIZE, "Mark %u changes", marks->count);
	else if (tn_str_is(verdict, "none"))
		(void)snprintf(out, LABEL_SIZE, "Unmark %.*s", (int)address.size, address.data);
	else
		(void)snprintf(out, LABEL_SIZE, "Mark %.*s as %.*s", (int)address.size,
			       address.data, (int)verdict.size, verdict.data);
}

static enum tenon_code commit_marks(struct tn_plan_task *task, struct tn_oplog *log,
				    const struct tn_json *marks, const char *actor,
				    int64_t expected, struct tenon_error *err)
{
	char label[LABEL_SIZE];
	struct tn_commit commit = {.actor = actor, .label = label, .expected_revision = expected};
	int64_t now_ms = tn_clock_wall_ms(&tn_clock_system);
	struct tn_json *operations = NULL;
	struct tn_change change;
	struct tn_buf text;
	enum tenon_code code;

	write_label(marks, label);
	tn_buf_init(&text, TN_OPLOG_COMMIT_BYTES_MAX);
	tn_json_begin_array(&text);
	for (const struct tn_json *at = marks->first; at; at = at->next)
		put_operation(&text, at, actor, now_ms);
	tn_json_end_array(&text);
	code = tn_buf_check(&text, err);
	if (code == TENON_OK)
		code = tn_json_parse(&task->arena, text.data, text.size, &operations, err);
	commit.operations = operations;
	if (code == TENON_OK)
		code = tn_oplog_commit(log, &commit, &change, err);
	tn_buf_finish(&text);
	return code;
}

/* ---- the call ---- */

struct request {
	const struct tn_json *marks; /* NULL: none */
	bool undo, redo;
	int64_t expected;
	char actor[ACTOR_SIZE];
};

/* False: the call has ended. */
static bool read_request(struct tn_plan_task *task, struct request *request)
{
	struct tenon_call *call = task->call;
	struct tn_str client;

	*request = (struct request){.expected = -1};
	request->marks = tn_json_get(tn_call_arguments(call), "marks");
	(void)tenon_call_bool(call, "undo", &request->undo); /* absent: no */
	(void)tenon_call_bool(call, "redo", &request->redo);
	(void)tenon_call_int(call, "expected_revision", &request->expected);
	client = tn_utf8_cut(tn_str_from(tenon_call_client_name(call)), ACTOR_SIZE - 32);
	(void)snprintf(request->actor, sizeof(request->actor), "%.*s%s", (int)client.size,
		       client.data, tenon_call_is_person(call) ? " (person)" : "");
	if ((request->marks ? 1 : 0) + request->undo + request->redo > 1) {
		tn_plan_task_refuse(task, "arguments: send only one of marks, undo and redo");
		return false;
	}
	return !request->marks || check_marks(task, request->marks);
}

static enum tenon_code change(struct tn_plan_task *task, struct tn_oplog *log,
			      const struct request *request, struct tenon_error *err)
{
	struct tn_change made;

	if (request->marks)
		return commit_marks(task, log, request->marks, request->actor, request->expected,
				    err);
	if (request->undo)
		return tn_oplog_undo(log, request->actor, request->expected, &made, err);
	return tn_oplog_redo(log, request->actor, request->expected, &made, err);
}

static void ready(struct tn_plan_task *task)
{
	struct tn_plan_open_review *open = NULL;
	struct tenon_error err = {0};
	struct request request;
	enum tenon_code code;
	bool writes;

	if (!read_request(task, &request))
		return;
	writes = request.marks || request.undo || request.redo;
	code = tn_plan_reviews_open(task->state->reviews, task->plan->sha256, writes, &open, &err);
	if (code == TENON_OK && writes) {
		code = change(task, open->log, &request, &err);
		if (code != TENON_OK)
			tn_plan_reviews_mend(task->state->reviews, open);
	}
	if (code != TENON_OK) {
		fail(task, code, &err);
		return;
	}
	if (writes)
		publish(task);
	reply(task, open);
}

void tn_plan_call_review(struct tenon_call *call, void *state)
{
	tn_plan_task_start(call, state, TN_PLAN_TASK_TOOL, false, ready);
}
