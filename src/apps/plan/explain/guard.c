#include "apps/plan/explain/guard.h"

#include <stdarg.h>
#include <stdio.h>

#include "apps/plan/read/address.h"
#include "apps/plan/explain/explain.h"
#include "apps/plan/explain/explain_notes.h"
#include "apps/plan/explain/guard_words.h"
#include "apps/plan/explain/names.h"
#include "apps/plan/explain/vocabulary.h"
#include "base/map.h"
#include "base/utf8.h"

enum { MENTIONS_UP_TO = 10, NOTES_BYTES_MAX = 1 << 20 };

struct guard {
	struct tn_arena *arena;
	const struct tn_plan *plan;
	struct tn_plan_verdict *verdict;
	struct tenon_error *err;
	enum tenon_code code; /* of the first refusal by memory */
};

static void TN_PRINTF(2, 3) fail(struct guard *guard, const char *format, ...)
{
	struct tn_plan_verdict *verdict = guard->verdict;
	char text[512]; /* a long address is cut; the sentence stays one */
	va_list args;
	int size;

	if (verdict->failure_count == TN_PLAN_FAILURES_MAX || guard->code != TENON_OK)
		return;
	va_start(args, format);
	size = vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	if (size < 0)
		size = 0;
	if ((size_t)size >= sizeof(text))
		size = (int)tn_utf8_cut(tn_str(text, sizeof(text) - 1), sizeof(text) - 1).size;
	verdict->failures[verdict->failure_count].data =
		tn_arena_copy(guard->arena, tn_str(text, (size_t)size));
	verdict->failures[verdict->failure_count].size = (size_t)size;
	if (verdict->failures[verdict->failure_count++].data == NULL)
		guard->code = tn_fail(guard->err, TENON_NO_MEMORY, "no memory for the verdict");
}

/* ---- cleaning ---- */

/* The line at the start is a fence: ``` or ~~~, with or without a language. */
static bool is_fence(struct tn_str text)
{
	return tn_str_starts(text, TN_STR("```")) || tn_str_starts(text, TN_STR("~~~"));
}

static struct tn_str without_fences(struct tn_str text)
{
	size_t line, last;

	text = tn_str_trim(text);
	if (!is_fence(text))
		return text;
	line = tn_str_find_byte(text, '\n');
	text = line == TN_STR_NONE ? tn_str("", 0) : tn_str_from_offset(text, line + 1);
	text = tn_str_trim(text);
	for (last = text.size; last > 0 && text.data[last - 1] != '\n'; last--)
		;
	if (is_fence(tn_str_from_offset(text, last)))
		text.size = last;
	return tn_str_trim(text);
}

/* Copies without control characters; only line feeds stay. Never longer than the text, apart from
 * bytes that are no UTF-8. */
static struct tn_str clean(struct tn_arena *arena, struct tn_str text)
{
	char *out = tn_arena_alloc_raw(arena, text.size * 3 + 1);
	struct tn_str ret = {out, 0};

	if (!out)
		return tn_str(NULL, 0);
	for (size_t at = 0; at < text.size;) {
		uint32_t code = TN_UTF8_REPLACEMENT;
		size_t size = tn_utf8_decode(text.data + at, text.size - at, &code);

		if (code == '\n' || !tn_plan_is_control(code))
			ret.size += tn_utf8_encode(code, out + ret.size);
		else if (code == '\t')
			out[ret.size++] = ' ';
		at += size ? size : 1;
	}
	return ret;
}

/* ---- addresses ---- */

static bool is_address_byte(char c)
{
	return tn_is_alpha(c) || tn_is_digit(c) || c == '_' || c == '-' || c == '.';
}

/* A type without underscore is more likely a host, a file or a machine size. */
static bool looks_like_address(const struct tn_plan_address *address)
{
	return tn_str_find_byte(address->type, '_') != TN_STR_NONE;
}

/* aws_instance.web stands for aws_instance.web["a"], too. */
static struct tn_str without_key(const struct tn_plan_entry *entry)
{
	struct tn_plan_address address;

	if (entry->address.size == 0 || tn_plan_address_read(entry->address, &address) == 0)
		return entry->address;
	return tn_str(entry->address.data,
		      (size_t)(address.name.data + address.name.size - entry->address.data));
}

static void add_known(struct guard *guard, struct tn_map *known, struct tn_str address)
{
	if (address.size > 0 && guard->code == TENON_OK)
		guard->code = tn_map_put(known, address, guard->arena, guard->err);
}

static void collect_known(struct guard *guard, struct tn_map *known)
{
	const struct tn_plan *plan = guard->plan;

	for (uint32_t i = 0; i < plan->change_count; i++) {
		add_known(guard, known, plan->changes[i].address);
		add_known(guard, known, without_key(&plan->changes[i]));
		add_known(guard, known, plan->changes[i].previous_address);
	}
	for (uint32_t i = 0; i < plan->drift_count; i++)
		add_known(guard, known, plan->drift[i].address);
	for (uint32_t i = 0; i < plan->deferred_count; i++)
		add_known(guard, known, plan->deferred[i].address);
	for (uint32_t i = 0; i < plan->diagnostic_count; i++)
		add_known(guard, known, plan->diagnostics[i].address);
	for (uint32_t i = 0; i < plan->invocation_count; i++)
		add_known(guard, known, plan->invocations[i].address);
}

static void check_addresses(struct guard *guard)
{
	struct tn_str answer = guard->verdict->answer;
	struct tn_plan_address address;
	struct tn_map known;
	bool collected = false;

	tn_map_init(&known);
	for (size_t at = 0; at < answer.size && guard->code == TENON_OK;) {
		size_t size = 0;

		if (is_address_byte(answer.data[at]) &&
		    (at == 0 || !is_address_byte(answer.data[at - 1])))
			size = tn_plan_address_read(tn_str_from_offset(answer, at), &address);
		if (size > 0 && looks_like_address(&address)) {
			if (!collected)
				collect_known(guard, &known);
			collected = true;
			if (!tn_map_get(&known, address.text))
				fail(guard, "%.*s is not in the plan.", (int)address.text.size,
				     address.text.data);
		}
		at += size > 0 ? size : 1;
	}
	tn_map_finish(&known);
}

/* ---- mentions ---- */

static bool takes_away(const struct tn_plan_entry *entry)
{
	return entry->action == TN_PLAN_DELETE || entry->action == TN_PLAN_REPLACE ||
	       entry->action == TN_PLAN_FORGET;
}

static void judge(struct guard *guard, const struct tn_plan_entry *entry,
		  const struct tn_buf *label)
{
	static const char *const sayings[] = {
		[TN_PLAN_NOT_SAID] = "is not mentioned",
		[TN_PLAN_SAID_OTHERWISE] = "is mentioned, but not what happens to it",
		[TN_PLAN_DENIED] = "is denied",
	};
	const struct tn_str names[] = {entry->address,
				       label->failed ? tn_str("", 0) : tn_buf_str(label)};
	enum tn_plan_saying saying = tn_plan_said(guard->verdict->answer, names, entry->action);

	if (saying == TN_PLAN_SAID_WITHOUT_MEMORY)
		guard->code = tn_fail(guard->err, TENON_NO_MEMORY, "no memory for the verdict");
	else if (saying != TN_PLAN_SAID)
		fail(guard, "The %s of %.*s %s.", tn_plan_action_name(entry->action),
		     (int)entry->address.size, entry->address.data, sayings[saying]);
}

static void check_mentions(struct guard *guard)
{
	const struct tn_plan *plan = guard->plan;
	struct tn_buf label;

	if (plan->total_changes > MENTIONS_UP_TO)
		return;
	tn_buf_init(&label, TN_PLAN_SHOWN_CHARACTERS * 16);
	for (uint32_t i = 0; i < plan->change_count; i++) {
		if (!takes_away(&plan->changes[i]))
			continue;
		tn_buf_clear(&label);
		tn_plan_put_label(&label, &plan->changes[i]);
		judge(guard, &plan->changes[i], &label);
	}
	tn_buf_finish(&label);
}

/* ---- ours comes first ---- */

/* What matters most is never left to a model: our notes stand between the first line and its
 * sentences. Built-in text has them already. */
static void compose(struct guard *guard)
{
	struct tn_plan_verdict *verdict = guard->verdict;
	size_t line = tn_str_find_byte(verdict->answer, '\n') + 1;
	struct tn_str rest = tn_str_from_offset(verdict->answer, line);
	struct tn_buf text;
	char *copy;

	tn_buf_init(&text, NOTES_BYTES_MAX + verdict->answer.size);
	tn_buf_append(&text, verdict->answer.data, line);
	tn_plan_put_leading_notes(&text, guard->plan, TN_PLAN_NON_TECHNICAL);
	if (!text.failed &&
	    !tn_str_starts(rest, tn_str_trim(tn_str_from_offset(tn_buf_str(&text), line)))) {
		tn_buf_append_str(&text, rest);
		copy = tn_arena_copy(guard->arena, tn_buf_str(&text));
		text.failed = !copy;
		if (copy)
			verdict->answer = tn_str(copy, text.size);
	}
	if (text.failed)
		guard->code = tn_fail(guard->err, TENON_NO_MEMORY, "no memory for the answer");
	tn_buf_finish(&text);
}

/* ---- the verdict ---- */

static void check_summary(struct guard *guard)
{
	uint32_t total = guard->plan->total_changes;
	uint64_t number = 0;
	bool format;
	bool known = tn_plan_read_summary(guard->verdict->answer, &number, &format);

	if (!format)
		fail(guard, "The answer does not start with \"Summary: %u change%s\".", total,
		     tn_plan_plural(total));
	else if (!known || number != total)
		fail(guard, "The plan has %u change%s, the answer states another number.", total,
		     tn_plan_plural(total));
}

static void check_shape(struct guard *guard, bool count_only)
{
	struct tn_str answer = guard->verdict->answer;
	size_t line = tn_str_find_byte(answer, '\n');

	if (count_only) {
		if (line != TN_STR_NONE || answer.size > sizeof("Summary: 4294967295 changes."))
			fail(guard,
			     "Only the first line was asked for, without anything after it.");
		return;
	}
	if (line == TN_STR_NONE)
		fail(guard, "The paragraph after the first line is missing.");
	else if (tn_str_find_byte(tn_str_from_offset(answer, line + 1), '\n') != TN_STR_NONE)
		fail(guard, "The answer has more than one line break.");
	if (!guard->verdict->score.passed && guard->verdict->failure_count == 0)
		fail(guard, "The answer scores %d of 100 points, 80 are needed.",
		     guard->verdict->score.total);
}

enum tenon_code tn_plan_guard(struct tn_arena *arena, const struct tn_plan *plan,
			      struct tn_str answer, bool count_only, struct tn_plan_verdict *ret,
			      struct tenon_error *err)
{
	struct guard guard = {arena, plan, ret, err, TENON_OK};

	*ret = (struct tn_plan_verdict){.failure_count = 0};
	ret->answer = clean(arena, answer);
	if (!ret->answer.data)
		return tn_fail(err, TENON_NO_MEMORY, "no memory for the answer");
	ret->answer = without_fences(ret->answer);
	ret->score =
		tn_plan_score(ret->answer, plan->total_changes, count_only, TN_PLAN_SCORE_EXACT);
	check_summary(&guard);
	check_shape(&guard, count_only);
	check_addresses(&guard);
	if (!count_only)
		check_mentions(&guard);
	if (!count_only && ret->failure_count == 0 && guard.code == TENON_OK) {
		compose(&guard);
		ret->score =
			tn_plan_score(ret->answer, plan->total_changes, false, TN_PLAN_SCORE_EXACT);
	}
	return guard.code;
}

void tn_plan_put_retry_message(struct tn_buf *out, const struct tn_plan_verdict *verdict)
{
	tn_buf_append_text(out, "That answer cannot be used:");
	for (unsigned i = 0; i < verdict->failure_count; i++) {
		tn_buf_append_byte(out, ' ');
		tn_buf_append_str(out, verdict->failures[i]);
	}
	tn_buf_append_text(out, " Write the whole answer again.");
}
