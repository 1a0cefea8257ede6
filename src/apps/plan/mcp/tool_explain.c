/* terraform_explain: the plan in plain English (plan.md sections 10 and 12.1).
 *
 * The handler is entered again after each question to the user or to the client's model, and
 * decides everything anew from the answers it then has. */
#include <string.h>

#include "apps/plan/explain/markdown.h"
#include "apps/plan/explain/names.h"
#include "apps/plan/explain/vocabulary.h"
#include "apps/plan/mcp/tools.h"
#include "apps/plan/service/report.h"
#include "apps/plan/mcp/tool_telling.h"
#include "base/limits.h"
#include "jsonrpc/json_write.h"
#include "mcp/fit.h"

enum { INTERNAL_ERROR = -32603 };

static const char form_schema[] =
	"{\"type\":\"object\",\"properties\":{\"answer\":{\"type\":\"string\",\"title\":\"Answer\","
	"\"enum\":[\"" TN_PLAN_OPTION_COUNT "\",\"" TN_PLAN_OPTION_FULL "\"],"
	"\"default\":\"" TN_PLAN_OPTION_COUNT "\"}},\"required\":[\"answer\"]}";

/* The tool's part of a task; in the task's arena. */
struct explain {
	struct tn_plan_telling telling;
	struct tn_plan_answer answer;
	bool answer_begun, markdown_wanted, asked_here;
	bool is_beside;                 /* a model reads the answer and what is beside it */
	struct tn_str unclear;          /* the user's answer, where it means nothing known */
	struct tn_buf markdown, beside; /* all of it; and what stands behind the answer */
};

static void free_explain(void *data)
{
	struct explain *x = data;

	if (x->answer_begun)
		tn_plan_answer_finish(&x->answer);
	tn_buf_finish(&x->markdown);
	tn_buf_finish(&x->beside);
}

/* ---- results ---- */

static void put_ids(struct tn_buf *out, const struct tn_plan_task *task, const char *status)
{
	tn_json_put_member_text(out, "status", status);
	tn_json_put_member_text(out, "plan_id", task->plan->id);
	tn_json_put_member_text(out, "conversation_id", task->conversation->id);
}

static void write_explained(struct tn_buf *out, const struct tn_plan_task *task,
			    const struct explain *x)
{
	tn_json_begin_object(out);
	put_ids(out, task, "explained");
	tn_plan_report_explained(out, task->plan, x->telling.wish.form, &x->answer,
				 tn_buf_str(&x->markdown));
	tn_json_end_object(out);
}

/* How bad it is, and which rules found something, each once: people read sentences, and a next call
 * (terraform_risk, terraform_parse) names a rule. */
static void put_rules(struct tn_buf *out, const struct tn_plan *plan)
{
	enum { RULES_MAX = 64 };
	const char *told[RULES_MAX];
	size_t count = 0;

	tn_buf_format(out, "risk %s", tn_plan_risk_name(plan->risk));
	for (uint32_t i = 0; i < plan->finding_count && count < RULES_MAX; i++) {
		const char *id = plan->findings[i].id;
		size_t at = 0;

		while (at < count && strcmp(told[at], id) != 0)
			at++;
		if (at < count)
			continue;
		tn_buf_format(out, "%s %s", count > 0 ? "" : ", found by", id);
		told[count++] = id;
	}
}

static void add_rules(struct tn_plan_task *task)
{
	struct tn_buf line;

	tn_buf_init(&line, 4 * TN_KIB);
	put_rules(&line, task->plan);
	if (!line.failed) {
		tenon_call_add_text(task->call, line.data, line.size);
		tenon_call_annotate(task->call, "assistant", -1);
	}
	tn_buf_finish(&line);
}

static void reply_explained(struct tn_plan_task *task, struct explain *x)
{
	struct tenon_call *call = task->call;
	struct tn_str markdown = tn_buf_str(&x->markdown);
	struct tn_str details = x->is_beside ? tn_buf_str(&x->beside) : markdown;
	struct tn_buf structured;

	tn_buf_init(&structured, TN_RESULT_BYTES_MAX);
	if (tn_call_sends_structured(call))
		write_explained(&structured, task, x);
	if (structured.failed || x->markdown.failed || x->beside.failed || !x->answer.text.data) {
		tenon_call_refuse(call, INTERNAL_ERROR, "The result is too large.", NULL);
	} else {
		if (x->markdown_wanted)
			tenon_call_add_text(call, markdown.data, markdown.size);
		else
			tenon_call_add_text(call, x->answer.text.data, x->answer.text.size);
		if (!x->markdown_wanted && x->telling.wish.form == TN_PLAN_FORM_FULL) {
			tenon_call_add_text(call, details.data, details.size);
			tenon_call_annotate(call, "user", 0.3);
		}
		/* That text is a document; the handles stand elsewhere, unless it is all there is.
		 */
		if (!x->markdown_wanted || tn_call_says_all(call))
			tn_plan_task_add_handles(task);
		if (tn_call_says_all(call))
			add_rules(task);
		tn_call_put_structured(call, &structured);
		tenon_call_finish(call);
	}
	tn_buf_finish(&structured);
}

/* ---- making it ---- */

static void add_turn(struct tn_plan_task *task, const char *role, struct tn_str content)
{
	tn_plan_conversation_add(task->conversation->value, role, content);
}

/* True when there is nothing to show: the source asked for by name gave nothing, or memory ran out.
 */
static bool has_failed(const struct explain *x)
{
	if (x->answer.failure == tn_plan_internal)
		return true;
	return x->answer.failure && !x->telling.automatic &&
	       strcmp(x->answer.failure, "guard") != 0;
}

static void make(struct tn_plan_task *task)
{
	struct explain *x = task->extra;

	if (!x->answer.text.data) /* the client's model has not worded it */
		tn_plan_answer_run(&x->answer, &x->telling.wish);
	if (has_failed(x))
		return;
	tn_plan_put_markdown(&x->markdown, task->plan, x->telling.wish.audience, 0);
	if (x->is_beside)
		tn_plan_put_markdown_beside(&x->beside, task->plan, x->telling.wish.audience,
					    x->answer.text);
	tn_plan_telling_record(&x->telling, task, x->answer.text, x->answer.score.total,
			       x->answer.source_used);
}

static void made(struct tn_plan_task *task)
{
	struct explain *x = task->extra;
	struct tn_plan_conversation *conversation = task->conversation->value;

	if (x->answer.failure == tn_plan_internal) {
		tenon_call_refuse(task->call, INTERNAL_ERROR, "out of memory", NULL);
		return;
	}
	if (has_failed(x)) {
		tn_plan_task_fail(task, x->answer.failure, x->answer.why.data, NULL);
		return;
	}
	if (x->telling.said.data)
		add_turn(task, "user", x->telling.said);
	add_turn(task, "assistant", x->answer.text);
	conversation->asked = false;
	tn_plan_telling_tell(&x->telling, task);
	reply_explained(task, x);
}

static void start_making(struct tn_plan_task *task)
{
	struct explain *x = task->extra;

	task->steps = x->telling.wish.source == TN_PLAN_SOURCE_OPENAI ? 1 : 0;
	tn_plan_task_work(task, make, made);
}

static void begin_answer(struct explain *x)
{
	if (x->answer_begun)
		tn_plan_answer_finish(&x->answer);
	tn_plan_answer_begin(&x->answer);
	x->answer_begun = true;
}

/* The client's model: at most two questions, each a round of its own. */
static void use_sampling(struct tn_plan_task *task, struct explain *x)
{
	static const char *const keys[] = {"wording-1", "wording-2"};
	const struct tenon_answer *answer;
	struct tn_str system, document;
	const char *params, *text;

	for (size_t i = 0; !x->answer.text.data && i < sizeof(keys) / sizeof(keys[0]); i++) {
		params = tn_plan_answer_question(&x->answer, &x->telling.wish, &system, &document)
				 ? tn_plan_sampling_params(task, &x->telling.wish, system, document)
				 : NULL;
		if (!params) {
			tenon_call_refuse(task->call, INTERNAL_ERROR, "out of memory", NULL);
			return;
		}
		answer = tenon_call_sample(task->call, keys[i], params);
		if (!answer) {
			tn_plan_task_note(task);
			return;
		}
		text = tenon_answer_text(answer, NULL);
		(void)tn_plan_answer_take(&x->answer, &x->telling.wish,
					  tn_str_from(text ? text : "")); /* refused: once more */
	}
	start_making(task);
}

/* Source "client": the calling model words it itself. */
static void reply_client(struct tn_plan_task *task, struct explain *x)
{
	struct tn_buf text, structured;
	struct tn_str system, document;

	if (!tn_plan_answer_question(&x->answer, &x->telling.wish, &system, &document)) {
		tenon_call_refuse(task->call, INTERNAL_ERROR, "out of memory", NULL);
		return;
	}
	tn_buf_init(&text, TN_RESULT_BYTES_MAX);
	tn_call_begin_structured(task->call, &structured);
	tn_plan_put_client_instruction(&text);
	tn_json_begin_object(&structured);
	put_ids(&structured, task, "explained");
	tn_json_put_member_text(&structured, "form", tn_plan_form_name(x->telling.wish.form));
	tn_json_put_member_null(&structured, "explanation");
	tn_json_put_member_null(&structured, "details_markdown");
	tn_json_put_member_str(&structured, "instruction", tn_buf_str(&text));
	tn_json_put_member_raw(&structured, "context", document);
	tn_plan_report_facts(&structured, task->plan);
	tn_json_put_member_null(&structured, "score");
	tn_json_put_member_null(&structured, "passed");
	tn_json_put_member_text(&structured, "source_used", "client");
	tn_json_put_member_null(&structured, "fallback_reason");
	tn_json_end_object(&structured);
	tn_buf_append_byte(&text, '\n');
	tn_buf_append_str(&text, document);
	tn_plan_task_reply(task, &text, &structured);
}

static void word_it(struct tn_plan_task *task, struct explain *x)
{
	begin_answer(x);
	if (x->telling.unusable && x->telling.automatic) {
		tn_plan_answer_use_builtin(&x->answer, &x->telling.wish, x->telling.unusable,
					   x->telling.why_unusable.message);
		start_making(task);
	} else if (x->telling.unusable) {
		tn_plan_task_fail(task, x->telling.unusable, x->telling.why_unusable.message, NULL);
	} else if (x->telling.wish.source == TN_PLAN_SOURCE_CLIENT) {
		reply_client(task, x);
	} else if (x->telling.wish.source == TN_PLAN_SOURCE_SAMPLING) {
		use_sampling(task, x);
	} else {
		start_making(task);
	}
}

/* ---- which form ---- */

static void say(struct explain *x, struct tn_str text)
{
	x->telling.said = text;
	x->telling.turns[x->telling.wish.turn_count++] =
		(struct tn_plan_turn){TN_STR("user"), text};
}

/* What of the user's answer is repeated to them. */
enum { REPEATED_CHARACTERS = 60, REPEATED_BYTES = 1024 };

/* "\"whatever\" was not understood: ..."; nothing where nothing was answered. */
static void put_not_understood(struct tn_buf *out, const struct explain *x)
{
	if (x->unclear.size == 0)
		return;
	tn_buf_append_byte(out, '"');
	tn_plan_put_clean(out, x->unclear, REPEATED_CHARACTERS);
	tn_buf_append_text(out, "\" was not understood: " TN_PLAN_ACCEPTED ". ");
}

static void reply_needs_answer(struct tn_plan_task *task, const struct explain *x)
{
	struct tn_plan_conversation *conversation = task->conversation->value;
	struct tn_buf text, more, structured;

	if (!conversation->asked)
		add_turn(task, "assistant", TN_STR(TN_PLAN_QUESTION));
	conversation->asked = true;
	tn_buf_init(&text, TN_KIB);
	tn_call_begin_structured(task->call, &structured);
	tn_plan_put_explanation(&text, task->plan, TN_PLAN_FORM_ASK, TN_PLAN_NON_TECHNICAL);
	tn_json_begin_object(&structured);
	put_ids(&structured, task, "needs_answer");
	tn_json_put_member_text(&structured, "question", TN_PLAN_QUESTION);
	tn_json_put_key(&structured, "options");
	tn_json_begin_array(&structured);
	tn_json_put_text(&structured, TN_PLAN_OPTION_COUNT);
	tn_json_put_text(&structured, TN_PLAN_OPTION_FULL);
	tn_json_end_array(&structured);
	tn_plan_report_facts(&structured, task->plan);
	tn_buf_init(&more, 4 * TN_KIB);
	put_not_understood(&more, x);
	if (more.size > 0)
		tn_json_put_member_str(&structured, "instruction", tn_str_trim(tn_buf_str(&more)));
	tn_json_end_object(&structured);
	tn_buf_append_text(&more, "Ask the user (" TN_PLAN_OPTION_COUNT " or " TN_PLAN_OPTION_FULL
				  "); then call terraform_explain with the conversation_id and "
				  "their words as user_reply.");
	if (tn_call_says_all(task->call)) {
		tn_buf_append_byte(&more, '\n');
		put_rules(&more, task->plan);
	}
	tn_plan_task_reply_with(task, &text, &more, &structured);
}

static const struct tenon_answer *elicit(struct tn_plan_task *task, const struct explain *x)
{
	const char *question = NULL;
	struct tn_buf text;

	tn_buf_init(&text, REPEATED_BYTES);
	put_not_understood(&text, x);
	tn_buf_append_text(&text, TN_PLAN_QUESTION);
	if (!text.failed)
		question = tn_arena_copy(&task->arena, tn_buf_str(&text));
	tn_buf_finish(&text);
	return tenon_call_elicit(task->call, "form", question ? question : TN_PLAN_QUESTION,
				 form_schema);
}

/* Section 10.2. True when the form is known now; otherwise the call was answered or a question is
 * on its way. */
static bool ask(struct tn_plan_task *task, struct explain *x)
{
	const struct tenon_answer *answer;
	const char *choice;
	bool full;

	if (!tenon_call_can(task->call, TENON_CAN_ELICIT)) {
		reply_needs_answer(task, x);
		return false;
	}
	answer = elicit(task, x);
	if (!answer) {
		tn_plan_task_note(task);
		return false;
	}
	choice = tenon_answer_action(answer) == TENON_ACCEPTED ? tenon_answer_text(answer, "answer")
							       : NULL;
	full = choice && strcmp(choice, TN_PLAN_OPTION_FULL) == 0;
	x->telling.wish.form = full ? TN_PLAN_FORM_FULL : TN_PLAN_FORM_COUNT;
	x->telling.turns[0] = (struct tn_plan_turn){TN_STR("assistant"), TN_STR(TN_PLAN_QUESTION)};
	x->telling.wish.turn_count = 1;
	x->asked_here = true;
	say(x, full ? TN_STR(TN_PLAN_OPTION_FULL) : TN_STR(TN_PLAN_OPTION_COUNT));
	return true;
}

static enum tn_plan_form choose_form(struct tn_plan_task *task, struct explain *x)
{
	struct tn_str preference_text = tn_str_from(tenon_call_text(task->call, "user_preference"));
	struct tn_plan_conversation *conversation = task->conversation->value;
	enum tn_plan_preference preference = TN_PLAN_PREFER_AUTO;
	struct tn_str reply_text = {NULL, 0};
	enum tn_plan_reply reply = TN_PLAN_REPLY_NONE;
	enum tn_plan_form form;

	if (tenon_call_bytes(task->call, "user_reply", &reply_text.data, &reply_text.size))
		reply = tn_plan_read_reply(reply_text);
	(void)tn_plan_preference_from_name(preference_text, &preference); /* absent: auto */
	form = tn_plan_choose_form(preference, reply, conversation->unclear > x->asked_here,
				   task->plan->total_changes);
	if (form == TN_PLAN_FORM_ASK && reply == TN_PLAN_REPLY_UNCLEAR && !x->asked_here) {
		conversation->unclear++;
		x->asked_here = true; /* entered again with the answer, this counts once */
	}
	x->unclear = reply == TN_PLAN_REPLY_UNCLEAR ? reply_text : tn_str("", 0);
	if (form == TN_PLAN_FORM_ASK)
		return form;
	if (reply != TN_PLAN_REPLY_NONE)
		say(x, reply_text);
	else if (preference != TN_PLAN_PREFER_AUTO)
		say(x, form == TN_PLAN_FORM_COUNT ? TN_STR(TN_PLAN_OPTION_COUNT)
						  : TN_STR(TN_PLAN_OPTION_FULL));
	return form;
}

static void ready(struct tn_plan_task *task)
{
	struct tn_plan_conversation *conversation;
	struct explain *x = task->extra;
	const char *format = tenon_call_text(task->call, "format");

	if (!tn_plan_task_converse(task, true))
		return;
	if (!x) {
		x = tn_arena_alloc(&task->arena, sizeof(*x));
		if (!x) {
			tenon_call_refuse(task->call, INTERNAL_ERROR, "out of memory", NULL);
			return;
		}
		tn_buf_init(&x->markdown, TN_RESULT_BYTES_MAX);
		tn_buf_init(&x->beside, TN_RESULT_BYTES_MAX);
		task->extra = x;
		task->free_extra = free_explain;
	}
	conversation = task->conversation->value;
	memcpy(conversation->plan_id, task->handle->id, sizeof(conversation->plan_id));
	x->is_beside = tn_call_says_all(task->call);
	x->markdown_wanted = format && strcmp(format, "markdown") == 0;
	tn_plan_telling_read(&x->telling, task, 0);
	x->telling.wish.form = choose_form(task, x);
	if (x->telling.wish.form != TN_PLAN_FORM_ASK || ask(task, x))
		word_it(task, x);
}

void tn_plan_call_explain(struct tenon_call *call, void *state)
{
	tn_plan_task_start(call, state, TN_PLAN_TASK_TOOL, true, ready);
}
