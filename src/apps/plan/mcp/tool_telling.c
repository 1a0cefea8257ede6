#include "apps/plan/mcp/tool_telling.h"

#include "apps/plan/service/model_source.h"
#include "apps/plan/explain/redact.h"
#include "apps/plan/explain/to_json.h"
#include "base/limits.h"
#include "jsonrpc/json_write.h"
#include "tenon/server.h"

/* How many entries of a plan are stored with an explanation; the counts are always the whole
 * plan's. */
enum { STORED_ENTRIES_MAX = 1000 };

/* ---- arguments ---- */

static enum tn_plan_source source_argument(const struct tn_plan_task *task, bool *ret_automatic)
{
	enum tn_plan_source source = TN_PLAN_SOURCE_BUILTIN;

	/* Absent: built-in (section 10.5). */
	(void)tn_plan_source_from_name(tenon_call_text(task->call, "source"), &source);
	*ret_automatic = source == TN_PLAN_SOURCE_AUTO;
	return tn_plan_resolve_source(&task->state->config, source);
}

static void check_source(struct tn_plan_telling *telling, const struct tn_plan_task *task)
{
	if (telling->wish.source == TN_PLAN_SOURCE_OPENAI) {
		telling->unusable =
			tn_plan_model_check(&task->state->config, &telling->why_unusable);
	} else if (telling->wish.source == TN_PLAN_SOURCE_SAMPLING &&
		   !tenon_call_can(task->call, TENON_CAN_SAMPLE)) {
		telling->unusable = "source_unavailable";
		(void)tn_fail(&telling->why_unusable, TENON_DENIED,
			      "this client does not offer its model (sampling)");
	}
}

static struct tn_str copy_text(struct tn_arena *arena, struct tn_str text)
{
	const char *copy = tn_arena_copy(arena, text);

	return copy ? tn_str(copy, text.size) : tn_str("", 0);
}

static void copy_turns(struct tn_plan_telling *telling, struct tn_plan_task *task)
{
	const struct tn_plan_conversation *conversation;
	size_t first;

	if (!task->conversation)
		return;
	conversation = task->conversation->value;
	first = conversation->turn_count > TN_PLAN_TURNS_MAX
			? conversation->turn_count - TN_PLAN_TURNS_MAX
			: 0;
	for (size_t i = first; i < conversation->turn_count; i++) {
		telling->turns[telling->wish.turn_count++] = (struct tn_plan_turn){
			conversation->turns[i].role,
			copy_text(&task->arena, conversation->turns[i].content)};
	}
}

void tn_plan_telling_read(struct tn_plan_telling *telling, struct tn_plan_task *task,
			  double temperature)
{
	*telling = (struct tn_plan_telling){.wish = {.plan = task->plan,
						     .temperature = temperature,
						     .config = &task->state->config,
						     .client = task->state->client,
						     .cancel = &task->cancel,
						     .finished = &task->finished}};
	telling->wish.source = source_argument(task, &telling->automatic);
	telling->wish.turns = telling->turns;
	/* Absent: for non-technical readers. */
	(void)tn_plan_audience_from_name(tn_str_from(tenon_call_text(task->call, "audience")),
					 &telling->wish.audience);
	(void)tenon_call_double(task->call, "temperature", &telling->wish.temperature);
	check_source(telling, task);
	copy_turns(telling, task);
}

/* ---- the client's model ---- */

const char *tn_plan_sampling_params(struct tn_plan_task *task, const struct tn_plan_wish *wish,
				    struct tn_str system, struct tn_str document)
{
	struct tn_buf out;
	const char *params = NULL;

	tn_buf_init(&out, TN_MESSAGE_BYTES_MAX);
	tn_json_begin_object(&out);
	tn_json_put_key(&out, "messages");
	tn_json_begin_array(&out);
	tn_json_begin_object(&out);
	tn_json_put_member_text(&out, "role", "user");
	tn_json_put_key(&out, "content");
	tn_json_begin_object(&out);
	tn_json_put_member_text(&out, "type", "text");
	tn_json_put_member_str(&out, "text", document); /* P-05: the document and nothing else */
	tn_json_end_object(&out);
	tn_json_end_object(&out);
	tn_json_end_array(&out);
	tn_json_put_member_str(&out, "systemPrompt", system);
	tn_json_put_key(&out, "temperature");
	tn_json_put_double(&out, wish->temperature);
	tn_json_put_member_int(&out, "maxTokens", wish->config->max_tokens);
	tn_json_end_object(&out);
	if (!out.failed)
		params = tn_arena_copy(&task->arena, tn_buf_str(&out));
	tn_buf_finish(&out);
	return params;
}

/* ---- the history ---- */

static void write_stored_plan(struct tn_buf *out, const void *data)
{
	const struct tn_plan_filter filter = {
		.detail = TN_PLAN_DETAIL_CHANGES, .limit = STORED_ENTRIES_MAX, .redact = true};

	tn_plan_put_json(out, data, &filter);
	if (out->failed) {
		tn_buf_clear(out);
		tn_buf_append_text(out, "{}"); /* too large to be kept: the explanation still is */
	}
}

static void write_addresses(struct tn_buf *out, const struct tn_plan *plan)
{
	for (uint32_t i = 0; i < plan->change_count && i < STORED_ENTRIES_MAX; i++) {
		tn_buf_append_str(out, plan->changes[i].address);
		tn_buf_append_byte(out, '\n');
	}
}

static bool add_record(struct tn_plan_telling *telling, struct tn_plan_task *task,
		       struct tn_plan_record *record, struct tn_str redacted)
{
	const struct tn_plan_turn turns[] = {{TN_STR("user"), telling->said},
					     {TN_STR("assistant"), redacted}};

	record->conversation_id = task->conversation ? task->conversation->id : NULL;
	record->turns = telling->said.data ? turns : turns + 1;
	record->turn_count = telling->said.data ? 2 : 1;
	/* The raw text is at hand only in the call that brought it. */
	if (task->state->config.store_raw && task->reading.text.data)
		record->raw = task->reading.text;
	return tn_plan_history_add(task->state->history, record, &telling->record_error) ==
	       TENON_OK;
}

void tn_plan_telling_record(struct tn_plan_telling *telling, struct tn_plan_task *task,
			    struct tn_str text, int score, enum tn_plan_source source)
{
	struct tn_buf addresses, redacted;
	struct tn_plan_record record = {.principal = task->reading.principal,
					.plan_id = task->plan->id,
					.sha256 = task->plan->sha256,
					.source_bytes = task->plan->bytes,
					.write_plan = write_stored_plan,
					.write_plan_data = task->plan,
					.form = tn_plan_form_name(telling->wish.form),
					.source = tn_plan_source_name(source),
					.score = score};

	tn_buf_init(&addresses, TN_MIB);
	tn_buf_init(&redacted, 2 * TN_MIB);
	write_addresses(&addresses, task->plan);
	tn_plan_redact(&redacted, text);
	record.addresses = tn_buf_str(&addresses);
	record.text = tn_buf_str(&redacted);
	telling->recorded = !redacted.failed && add_record(telling, task, &record, record.text);
	tn_buf_finish(&addresses);
	tn_buf_finish(&redacted);
}

void tn_plan_telling_tell(const struct tn_plan_telling *telling, struct tn_plan_task *task)
{
	if (!telling->recorded)
		tenon_call_log(task->call, TENON_LOG_WARNING, "plan.history",
			       telling->record_error.message);
	else if (task->state->server)
		tenon_server_resource_updated(task->state->server, "plan://history");
}
