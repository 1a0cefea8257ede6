#include "apps/studio/mcp/say.h"

#include "apps/studio/limits.h"
#include "base/utf8.h"
#include "jsonrpc/json_write.h"

enum { VALUE_SHOWN = 120 /* bytes of a value in a line */ };

static const struct tn_json *first_of(const struct tn_json *object, const char *key)
{
	const struct tn_json *list = tn_json_get(object, key);

	return tn_json_is(list, TN_JSON_ARRAY) || tn_json_is(list, TN_JSON_OBJECT) ? list->first
										   : NULL;
}

/* `before`, the text, `after`; nothing when there is no text. */
static void put_text(struct tn_buf *out, const char *before, const struct tn_json *text,
		     const char *after)
{
	struct tn_str value;

	if (!tn_json_to_str(text, &value) || value.size == 0)
		return;
	tn_buf_append_text(out, before);
	tn_utf8_put_line(out, value);
	tn_buf_append_text(out, after);
}

/* As JSON, on one line and cut. */
static void put_value(struct tn_buf *out, const struct tn_json *value)
{
	struct tn_buf whole;
	struct tn_str cut;

	if (!value) {
		tn_buf_append_text(out, "null");
		return;
	}
	tn_buf_init(&whole, out->limit);
	tn_json_put_value(&whole, value);
	cut = tn_utf8_cut(tn_buf_str(&whole), VALUE_SHOWN);
	tn_buf_append_str(out, cut);
	if (cut.size < whole.size)
		tn_buf_append_text(out, "\xe2\x80\xa6");
	tn_buf_inherit_failure(out, &whole);
	tn_buf_finish(&whole);
}

static void put_list(struct tn_buf *out, const char *before, const struct tn_json *first,
		     const char *after)
{
	for (const struct tn_json *at = first; at; at = at->next)
		put_text(out, at == first ? before : ", ", at, at->next ? "" : after);
}

/* ---- runs ---- */

static void say_outputs(struct tn_buf *out, const struct tn_json *run)
{
	for (const struct tn_json *at = first_of(run, "outputs"); at; at = at->next) {
		const struct tn_json *value = tn_json_get(at, "value");

		tn_buf_append_text(out, "\nOutput ");
		tn_utf8_put_line(out, at->key);
		tn_buf_append_text(out, " = ");
		put_value(out, value ? value : at);
	}
}

/* Errors stand in its text, but not at which node. */
static void say_diagnostics(struct tn_buf *out, const struct tn_json *run)
{
	for (const struct tn_json *at = first_of(run, "diagnostics"); at; at = at->next) {
		struct tn_str severity = {NULL, 0};
		const struct tn_json *node = tn_json_get(at, "instanceId");
		bool is_error;

		(void)tn_json_to_str(tn_json_get(at, "severity"), &severity);
		is_error = tn_str_is(severity, "error");
		if (is_error && !node)
			continue;
		put_text(out, is_error ? "\nThe error \"" : "\nWarning \"",
			 tn_json_get(at, "summary"), "\"");
		put_text(out, " of ", tn_json_get(at, "address"), "");
		put_text(out, " at instanceId ", node, "");
		put_text(out, " property ", tn_json_get(at, "property"), "");
		if (!is_error)
			put_text(out, ": ", tn_json_get(at, "detail"), "");
	}
}

void tn_studio_say_run(struct tn_buf *out, const struct tn_json *run)
{
	const struct tn_json *engine = tn_json_get(run, "engine");
	int64_t duration = 0;

	put_text(out, "\nStarted ", tn_json_get(run, "startedAt"), "");
	if (tn_json_to_int(tn_json_get(run, "durationMs"), &duration))
		tn_buf_format(out, ", %lld ms", (long long)duration);
	put_text(out, ", by ", tn_json_get(run, "actor"), "");
	put_text(out, ", ", tn_json_get(engine, "name"), "");
	put_text(out, " ", tn_json_get(engine, "version"), "");
	put_text(out, ", plan ", tn_json_get(run, "planId"), "");
	put_list(out, "; files ", first_of(run, "files"), "");
	say_outputs(out, run);
	say_diagnostics(out, run);
}

/* ---- plans ---- */

static bool is_there(const struct tn_json *value)
{
	return value && value->type != TN_JSON_NULL;
}

static void say_attribute(struct tn_buf *out, const struct tn_json *attribute)
{
	const struct tn_json *before = tn_json_get(attribute, "before");
	const struct tn_json *after = tn_json_get(attribute, "after");
	bool forces = false;

	put_text(out, "", tn_json_get(attribute, "path"), "");
	if (is_there(before)) {
		tn_buf_append_text(out, ": ");
		put_value(out, before);
		tn_buf_append_text(out, " -> ");
		put_value(out, after);
	} else if (is_there(after)) { /* of a block that forces, the values stand in it */
		tn_buf_append_byte(out, '=');
		put_value(out, after);
	}
	(void)tn_json_to_bool(tn_json_get(attribute, "forcesReplacement"), &forces);
	if (forces)
		tn_buf_append_text(out, " (forces replacement)");
}

static void say_one_cost(struct tn_buf *out, const struct tn_json *cost, const char *side,
			 const char *words)
{
	put_value(out, tn_json_get(cost, side));
	put_text(out, " ", tn_json_get(cost, "currency"), " a month");
	tn_buf_append_text(out, words);
}

/* "0.00 -> 30.37 USD a month". What has no price is told in words: it costs something all the same.
 */
static void say_cost(struct tn_buf *out, const char *label, const struct tn_json *cost)
{
	bool complete = true, before_known, after_known;
	double before = 0, after = 0;

	if (!cost)
		return;
	before_known = tn_json_to_double(tn_json_get(cost, "before"), &before);
	after_known = tn_json_to_double(tn_json_get(cost, "after"), &after);
	tn_buf_append_text(out, label);
	if (before_known && after_known) {
		put_value(out, tn_json_get(cost, "before"));
		tn_buf_append_text(out, " -> ");
		say_one_cost(out, cost, "after", "");
	} else if (before > 0) {
		say_one_cost(out, cost, "before", " before, afterwards no price is known");
	} else if (after > 0) {
		say_one_cost(out, cost, "after", " afterwards, before no price is known");
	} else {
		tn_buf_append_text(out, "(no price is known)");
	}
	(void)tn_json_to_bool(tn_json_get(cost, "complete"), &complete);
	if (!complete)
		tn_buf_append_text(out, " of what has a price");
}

static bool costs_something(const struct tn_json *cost)
{
	double before = 0, after = 0;

	return !tn_json_to_double(tn_json_get(cost, "before"), &before) ||
	       !tn_json_to_double(tn_json_get(cost, "after"), &after) || before > 0 || after > 0;
}

static void say_change(struct tn_buf *out, const struct tn_json *change)
{
	const struct tn_json *risk = tn_json_get(change, "risk");
	const struct tn_json *cost = tn_json_get(change, "monthlyCost");
	struct tn_str level = {NULL, 0};

	put_text(out, "\n", tn_json_get(change, "action"), " ");
	put_text(out, "", tn_json_get(change, "address"), "");
	put_text(out, " instanceId ", tn_json_get(change, "instanceId"), "");
	for (const struct tn_json *at = first_of(change, "reasons"); at; at = at->next)
		put_text(out, " (", tn_json_is(at, TN_JSON_OBJECT) ? tn_json_get(at, "code") : at,
			 ")");
	(void)tn_json_to_str(tn_json_get(risk, "level"), &level);
	if (level.size > 0 && !tn_str_is(level, "none"))
		put_text(out, " [", tn_json_get(risk, "level"), "");
	put_list(out, " ", first_of(risk, "codes"), "");
	if (level.size > 0 && !tn_str_is(level, "none"))
		tn_buf_append_byte(out, ']');
	if (cost && costs_something(cost))
		say_cost(out, " ", cost);
	for (const struct tn_json *at = first_of(change, "attributes"); at; at = at->next) {
		tn_buf_append_text(out, at == first_of(change, "attributes") ? ": " : ", ");
		say_attribute(out, at);
	}
}

/* Before what it is a page of, so that a text that is cut has it. */
static void say_page(struct tn_buf *out, const struct tn_json *page)
{
	int64_t offset = 0, returned = 0, total = 0, next = 0;

	if (!tn_json_to_int(tn_json_get(page, "offset"), &offset) ||
	    !tn_json_to_int(tn_json_get(page, "returned"), &returned) ||
	    !tn_json_to_int(tn_json_get(page, "total"), &total))
		return;
	if (returned == 0)
		tn_buf_format(out, "\nNo change is behind offset %lld: there are %lld",
			      (long long)offset, (long long)total);
	else
		tn_buf_format(out, "\nChanges %lld to %lld of %lld", (long long)offset + 1,
			      (long long)(offset + returned), (long long)total);
	if (offset > 0)
		tn_buf_append_text(out, "; outputs stand at offset 0");
	if (tn_json_to_int(tn_json_get(page, "nextOffset"), &next))
		tn_buf_format(out,
			      "; get_plan with this runId and offset %lld has those that follow, "
			      "and their findings",
			      (long long)next);
}

void tn_studio_say_plan(struct tn_buf *out, const struct tn_json *plan)
{
	put_text(out, "\nRun ", tn_json_get(plan, "runId"), "");
	say_cost(out, "; costs ", tn_json_get(plan, "monthlyCost"));
	say_page(out, tn_json_get(plan, "page"));
	for (const struct tn_json *at = first_of(plan, "changes"); at; at = at->next)
		say_change(out, at);
	for (const struct tn_json *at = first_of(plan, "outputs"); at; at = at->next) {
		const struct tn_json *after = tn_json_get(at, "after");

		put_text(out, "\noutput ", tn_json_get(at, "action"), " ");
		put_text(out, "", tn_json_get(at, "name"), "");
		tn_buf_append_text(out, " = ");
		if (after)
			put_value(out, after);
		else
			tn_buf_append_text(out, "(hidden, or known after apply)");
	}
	for (const struct tn_json *at = first_of(tn_json_get(plan, "risk"), "findings"); at;
	     at = at->next) {
		put_text(out, "\n", tn_json_get(at, "id"), "");
		put_text(out, " ", tn_json_get(at, "level"), "");
		put_text(out, " ", tn_json_get(at, "address"), "");
		put_text(out, " ", tn_json_get(at, "path"), "");
		put_text(out, ": ", tn_json_get(at, "title"), "");
	}
}

/* ---- faults ---- */

static void say_value(struct tn_buf *out, const struct tn_json *value, struct tn_str message);

/* Of names and numbers; bytes of other alphabets are letters. */
static bool is_of_word(char c)
{
	return tn_is_alpha(c) || tn_is_digit(c) || c == '_' || c == '-' || (unsigned char)c >= 0x80;
}

/* Somewhere by itself: "id" is no word of "it did not fit", and "a" none of "a-b". */
static bool is_word_of(struct tn_str word, struct tn_str message)
{
	for (size_t from = 0; from + word.size <= message.size; from++) {
		size_t at = tn_str_find(tn_str_from_offset(message, from), word), end;

		if (at == TN_STR_NONE)
			return false;
		from += at;
		end = from + word.size;
		if ((from == 0 || !is_of_word(message.data[from - 1])) &&
		    (end == message.size || !is_of_word(message.data[end])))
			return true;
	}
	return false;
}

/* What is none, and what stands in the message already. */
static bool is_known(const struct tn_json *value, struct tn_str message)
{
	bool yes = false;

	if (value->type == TN_JSON_STRING || value->type == TN_JSON_NUMBER)
		return value->text.size == 0 || is_word_of(value->text, message);
	if (tn_str_is(value->key, "legal")) /* which connections there may be, in words there */
		return true;
	return value->type == TN_JSON_NULL || (tn_json_to_bool(value, &yes) && !yes);
}

static void say_members(struct tn_buf *out, const struct tn_json *parent, struct tn_str message)
{
	const char *between = "";

	for (const struct tn_json *at = parent->first; at; at = at->next) {
		bool nested = at->type == TN_JSON_OBJECT || at->type == TN_JSON_ARRAY;
		bool named = parent->type == TN_JSON_OBJECT;
		size_t before = out->size, start;

		if (is_known(at, message))
			continue;
		tn_buf_append_text(out, between);
		if (named)
			tn_utf8_put_line(out, at->key);
		if (named && at->type != TN_JSON_TRUE)
			tn_buf_append_text(out, nested ? " (" : " ");
		start = out->size;
		say_value(out, at, message);
		if (nested && out->size == start && !out->failed) {
			out->size = before; /* all of it is known */
			continue;
		}
		if (nested && named)
			tn_buf_append_byte(out, ')');
		between = nested ? "; " : ", ";
	}
}

/* A flag that is set is its name. */
static void say_value(struct tn_buf *out, const struct tn_json *value, struct tn_str message)
{
	if (value->type == TN_JSON_OBJECT || value->type == TN_JSON_ARRAY)
		say_members(out, value, message);
	else if (value->type == TN_JSON_STRING || value->type == TN_JSON_NUMBER)
		tn_utf8_put_line(out, value->text);
}

void tn_studio_say_details(struct tn_buf *out, struct tn_str details, struct tn_str message)
{
	struct tn_json *tree = NULL;
	struct tn_arena arena;

	tn_arena_init(&arena, TN_STUDIO_ARENA_MAX);
	if (tn_json_parse_copy(&arena, details, &tree, NULL) == TENON_OK)
		say_value(out, tree, message);
	tn_arena_finish(&arena);
}
