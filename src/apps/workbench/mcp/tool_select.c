/* workbench_select: moves the person's selection and its highlight (17.5). */
#include <stdio.h>

#include "apps/workbench/limits.h"
#include "apps/workbench/mcp/request.h"
#include "apps/workbench/mcp/tools.h"
#include "base/limits.h"
#include "base/mem.h"
#include "base/utf8.h"
#include "jsonrpc/json_write.h"
#include "mcp/call.h"

enum { LOOK_AGAIN_MS = 20, ANSWER_MS = 5000, TOLD_MS = 300 };

struct selecting {
	struct tn_wb_request request;
	char id[TN_WB_ID_BYTES_MAX + 1]; /* empty: nothing */
	uint64_t answered_ms;            /* how long it took; 0: not answered yet */
};

static void free_selecting(void *data)
{
	struct selecting *selecting = data;

	tn_wb_request_end(&selecting->request);
	tn_mem_free(selecting);
}

/* The selection with all that is known of it, as the result itself. */
static void answer(struct tenon_call *call, const struct tn_wb_session *session)
{
	static const char *const pointers[] = {"/selected",   "/props",     "/overrides", "/source",
					       "/definition", "/ancestors", NULL};
	struct tn_buf out, selection;

	tn_buf_init(&selection, TN_RESULT_BYTES_MAX);
	tn_wb_session_put_selection(&selection, session);
	tn_wb_begin_reply(&out);
	if (selection.size > TN_WB_ANSWER_BYTES_MAX)
		tn_json_put_member_text(&out, "message",
					"It is selected. It has more to show than one answer "
					"holds: read it by its URI.");
	else if (selection.size > 2 && selection.data[0] == '{')
		tn_json_put_raw(&out, tn_str(selection.data + 1, selection.size - 2));
	else
		tn_json_put_member_null(&out, "selected");
	tn_wb_put_untrusted(&out, pointers);
	tn_json_end_object(&out);
	tn_buf_inherit_failure(&out, &selection);
	tn_buf_finish(&selection);
	tn_wb_reply(call, &out);
}

static void reply_unknown(struct tenon_call *call, const char *id)
{
	tn_wb_reply_error(call, "unknown_instance",
			  "no instance %.200s is on the page; workbench_list_instances lists them",
			  id);
}

static bool is_selected(const struct tn_wb_session *session, const char *id)
{
	const struct tn_wb_instance *now = session->selection.instance;

	return now ? tn_str_is(now->id, id) : !id[0];
}

/* The page has said so, and what is selected then; or has had the time to. */
static bool is_done(const struct selecting *selecting, const struct tn_wb_session *session,
		    uint64_t age)
{
	return selecting->answered_ms &&
	       (is_selected(session, selecting->id) || age - selecting->answered_ms >= TOLD_MS);
}

static void look_again(struct tenon_call *call, void *data)
{
	struct selecting *selecting = data;
	const struct tn_wb_request *request = &selecting->request;
	const struct tn_wb_session *session = tn_wb_request_session(request);
	uint64_t age = tn_wb_request_age_ms(request);

	if (request->answered && !selecting->answered_ms)
		selecting->answered_ms = age + 1;
	if (!session || session->state != TN_WB_SESSION_READY)
		tn_wb_reply_error(call, "session_not_ready", "the page has gone meanwhile");
	else if (request->answered && !request->ok)
		reply_unknown(call, selecting->id);
	else if (is_done(selecting, session, age + 1))
		answer(call, session);
	else if (age >= ANSWER_MS)
		tn_wb_reply_error(call, "session_not_ready", "the page does not answer");
	else
		tenon_call_after(call, LOOK_AGAIN_MS, look_again, data);
}

static bool ask(const struct tn_wb_acting *acting, const char *id)
{
	const struct tn_wb_instance *found =
		id ? tn_wb_acting_instance(acting, tn_str_from(id)) : NULL;
	const struct tn_str type = found ? tn_utf8_cut(found->type_id, 100) : TN_STR("");
	const struct tn_wb_question question = {
		.kind = "tweak",
		.summary = !id ? tn_arena_format(&acting->call->arena,
						 "Select nothing in the preview of %.60s",
						 acting->workspace->name)
			       : tn_arena_format(&acting->call->arena,
						 "Select %.*s%s%.200s in the preview of %.60s",
						 (int)type.size, type.data, type.size ? " " : "",
						 id, acting->workspace->name),
		.exactly = tn_str_from(id ? id : ""),
		.lasts = true};

	return question.summary && tn_wb_acting_consent(acting, &question);
}

void tn_wb_call_select(struct tenon_call *call, void *data)
{
	const char *id = tenon_call_text(call, "instanceId");
	struct selecting *selecting;
	struct tn_wb_acting acting;
	uint64_t number;

	if (!tn_wb_acting_begin(&acting, call, data) || !tn_wb_acting_is_ready(&acting))
		return;
	if (id && acting.session->reports_instances &&
	    !tn_wb_acting_instance(&acting, tn_str_from(id))) {
		reply_unknown(call, id);
		return;
	}
	if (!ask(&acting, id))
		return;
	selecting = tn_mem_alloc(sizeof(*selecting));
	number = selecting ? tn_wb_session_select(acting.session, tn_str_from(id ? id : "")) : 0;
	if (!number) {
		tn_mem_free(selecting);
		tn_wb_reply_error(call, "session_not_ready", "no page of the preview listens");
		return;
	}
	tn_wb_request_begin(&selecting->request, &acting, number);
	(void)snprintf(selecting->id, sizeof(selecting->id), "%s", id ? id : "");
	tenon_call_set_data(call, selecting, free_selecting);
	tn_wb_end_with_caller(call);
	look_again(call, selecting);
}
