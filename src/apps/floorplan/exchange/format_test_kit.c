#include "apps/floorplan/exchange/format_test_kit.h"

#include "apps/floorplan/exchange/interchange.h"
#include "apps/floorplan/limits.h"
#include "base/size.h"

/* Bytes of the white space (L3) that stands there; 0: none. */
static size_t blank_at(struct tn_str text, size_t at)
{
	static const char *const blanks[] = {" ",      "\t",     "\n",     "\r",     "\v",
					     "\f",     "\u00a0", "\u1680", "\u2000", "\u2001",
					     "\u2002", "\u2003", "\u2004", "\u2005", "\u2006",
					     "\u2007", "\u2008", "\u2009", "\u200a", "\u2028",
					     "\u2029", "\u202f", "\u205f", "\u3000", "\ufeff"};

	for (size_t i = 0; i < TN_COUNT(blanks); i++)
		if (tn_str_starts(tn_str_from_offset(text, at), tn_str_from(blanks[i])))
			return strlen(blanks[i]);
	return 0;
}

static bool has_same_words(struct tn_str a, struct tn_str b)
{
	size_t i = 0, j = 0, blank;

	for (;;) {
		while ((blank = blank_at(a, i)) > 0)
			i += blank;
		while ((blank = blank_at(b, j)) > 0)
			j += blank;
		if (i >= a.size || j >= b.size)
			return i >= a.size && j >= b.size;
		if (a.data[i++] != b.data[j++])
			return false;
	}
}

static bool has_same_tokens(const struct tn_floor_plan *a, const struct tn_floor_plan *b)
{
	const struct tn_floor_lexed *x = &a->tree.lexed, *y = &b->tree.lexed;

	if (x->count != y->count)
		return false;
	for (uint32_t i = 0; i < x->count; i++)
		if (!tn_str_equal(tn_floor_token_text(x, i), tn_floor_token_text(y, i)))
			return false;
	return true;
}

static bool has_same_faults(const struct tn_floor_plan *a, const struct tn_floor_plan *b)
{
	const struct tn_floor_diagnostic *x = a->diagnostics.first, *y = b->diagnostics.first;

	for (; x && y && x->code == y->code; y = y->next)
		x = x->next;
	return !x && !y;
}

/* As JSON, which has everything that is meant. */
static bool is_same_plan(const struct tn_floor_plan *a, const struct tn_floor_plan *b)
{
	struct tn_buf x, y;
	struct tenon_error err;
	bool same;

	tn_buf_init(&x, TN_FLOOR_OUTPUT_BYTES_MAX);
	tn_buf_init(&y, TN_FLOOR_OUTPUT_BYTES_MAX);
	same = tn_floor_put_json(&x, a, &err) == tn_floor_put_json(&y, b, &err) &&
	       tn_str_equal(tn_buf_str(&x), tn_buf_str(&y));
	tn_buf_finish(&x);
	tn_buf_finish(&y);
	return same;
}

static const char *check_plans(const struct tn_floor_plan *before,
			       const struct tn_floor_plan *after)
{
	if (!has_same_words(before->text, after->text))
		return "more than white space has changed";
	if (!after->tree.parses)
		return "the layout cannot be read";
	if (!has_same_tokens(before, after))
		return "other tokens";
	if (!has_same_faults(before, after))
		return "other faults";
	return is_same_plan(before, after) ? NULL : "another plan";
}

static const char *check_layout(const struct tn_floor_plan *plan, struct tn_str once)
{
	struct tn_floor_plan *after = NULL;
	const char *fault = NULL;
	struct tenon_error err;
	struct tn_buf twice;

	if (tn_floor_plan_create(once, false, &after, &err) != TENON_OK)
		return "no memory";
	fault = check_plans(plan, after);
	tn_floor_plan_free(after);
	tn_buf_init(&twice, TN_FLOOR_OUTPUT_BYTES_MAX);
	if (!fault && tn_floor_format(once, &twice, &err) != TENON_OK)
		fault = "its own layout is refused";
	if (!fault && !tn_str_equal(once, tn_buf_str(&twice)))
		fault = "another layout the second time";
	tn_buf_finish(&twice);
	return fault;
}

const char *tn_format_check(struct tn_str text, bool *ret_parses)
{
	struct tn_floor_plan *plan = NULL;
	const char *fault = NULL;
	struct tenon_error err;
	struct tn_buf once;
	enum tenon_code code;

	if (tn_floor_plan_create(text, false, &plan, &err) != TENON_OK)
		return "no memory";
	*ret_parses = plan->tree.parses;
	tn_buf_init(&once, TN_FLOOR_OUTPUT_BYTES_MAX);
	code = tn_floor_format(text, &once, &err);
	if (code != (plan->tree.parses ? TENON_OK : TENON_INVALID))
		fault = plan->tree.parses ? "a plan is refused" : "what is no plan is laid out";
	else if (plan->tree.parses)
		fault = check_layout(plan, tn_buf_str(&once));
	tn_buf_finish(&once);
	tn_floor_plan_free(plan);
	return fault;
}
