/* terraform_history: what was explained earlier (plan.md sections 12 and 16). */
#include "apps/plan/mcp/tool_history.h"

#include "apps/plan/mcp/tools.h"
#include "base/limits.h"
#include "base/mem.h"
#include "mcp/fit.h"
#include "tenon/result.h"

enum { INVALID_PARAMS = -32602, INTERNAL_ERROR = -32603, LIMIT_DEFAULT = 20 };

/* One question on its way through a worker; freed with the call. */
struct search {
	struct tn_plan_history *history;
	struct tn_plan_question question;
	void (*reply)(struct tenon_call *call, const struct tn_buf *found);
	struct tn_buf found;
	enum tenon_code code;
	struct tenon_error err;
};

static void free_search(void *data)
{
	struct search *search = data;

	tn_buf_finish(&search->found);
	tn_mem_free(search);
}

static void work(const struct tenon_call *call, void *data)
{
	struct search *search = data;

	(void)call;
	search->code = tn_plan_history_find(search->history, &search->question, &search->found,
					    &search->err);
}

static void done(struct tenon_call *call, void *data)
{
	struct search *search = data;

	if (search->code == TENON_OK)
		search->reply(call, &search->found);
	else
		tenon_call_refuse(call, INTERNAL_ERROR, search->err.message, NULL);
}

void tn_plan_search_history(struct tenon_call *call, struct tn_plan_state *state,
			    const struct tn_plan_question *question,
			    void (*reply)(struct tenon_call *call, const struct tn_buf *found))
{
	struct search *search = tn_mem_alloc(sizeof(*search));

	if (!search) {
		tenon_call_refuse(call, INTERNAL_ERROR, "out of memory", NULL);
		return;
	}
	search->history = state->history;
	search->question = *question;
	search->question.principal = tenon_call_principal(call);
	search->reply = reply;
	tn_buf_init(&search->found, TN_RESULT_BYTES_MAX);
	tenon_call_set_data(call, search, free_search);
	tenon_call_work(call, work, done, search);
}

static void reply_tool(struct tenon_call *call, const struct tn_buf *found)
{
	tenon_call_add_text(call, found->data, found->size);
	tn_call_put_structured(call, found);
	tenon_call_finish(call);
}

void tn_plan_call_history(struct tenon_call *call, void *state)
{
	struct tn_plan_question question = {.limit = LIMIT_DEFAULT};
	struct tn_str since = tn_str_from(tenon_call_text(call, "since"));
	int64_t limit = LIMIT_DEFAULT;

	(void)tenon_call_bytes(call, "query", &question.query.data, &question.query.size);
	(void)tenon_call_int(call, "limit", &limit); /* absent: the default */
	question.limit = (uint32_t)limit;
	if (since.data && !tn_plan_parse_time(since, &question.since_ms)) {
		tenon_call_refuse(call, INVALID_PARAMS,
				  "since: send a date such as 2026-11-21 or a time such as "
				  "2026-11-21T10:15:30Z",
				  NULL);
		return;
	}
	tn_plan_search_history(call, state, &question, reply_tool);
}
