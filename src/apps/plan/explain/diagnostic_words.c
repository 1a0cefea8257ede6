#include "apps/plan/explain/diagnostic_words.h"

#include "apps/plan/explain/redact.h"
#include "apps/plan/explain/vocabulary.h"
#include "apps/plan/read/address.h"

enum { SUMMARY_CHARACTERS = 300, DETAIL_CHARACTERS = 300 };

static struct tn_str without_end(struct tn_str text)
{
	text = tn_str_trim(text);
	while (text.size > 0 &&
	       (text.data[text.size - 1] == '.' || text.data[text.size - 1] == ':'))
		text.size--;
	return text;
}

static void put_harmless(struct tn_buf *out, struct tn_str text, size_t characters)
{
	struct tn_buf clean;

	tn_buf_init(&clean, out->limit);
	tn_plan_redact(&clean, text);
	tn_buf_inherit_failure(out, &clean);
	tn_plan_put_clean(out, tn_buf_str(&clean), characters);
	tn_buf_finish(&clean);
}

/* Up to the first full stop with a blank behind it, or an empty line; without the star of a list.
 */
static struct tn_str first_sentence(struct tn_str detail)
{
	size_t end;

	detail = tn_str_trim(detail);
	while (detail.size > 0 &&
	       (*detail.data == '*' || *detail.data == ' ' || *detail.data == '\n'))
		detail = tn_str_from_offset(detail, 1);
	for (end = 0; end < detail.size; end++) {
		char next = end + 1 < detail.size ? detail.data[end + 1] : '\n';

		if (detail.data[end] == '.' && (next == ' ' || next == '\n'))
			break;
		if (detail.data[end] == '\n' && next == '\n')
			break;
	}
	return without_end(tn_str(detail.data, end));
}

static void put_place(struct tn_buf *out, const struct tn_plan_diagnostic *diagnostic)
{
	bool address = diagnostic->address.size > 0, file = diagnostic->file.size > 0;

	if (!address && !file)
		return;
	tn_buf_append_text(out, " (");
	tn_plan_put_clean(out, diagnostic->address, 0);
	if (address && file)
		tn_buf_append_text(out, ", ");
	tn_plan_put_clean(out, diagnostic->file, 0);
	if (file && diagnostic->line > 0)
		tn_buf_format(out, ":%u", diagnostic->line);
	tn_buf_append_byte(out, ')');
}

bool tn_plan_diagnostic_tells(const struct tn_plan_diagnostic *diagnostic)
{
	return diagnostic->address.size > 0 || diagnostic->file.size > 0 ||
	       first_sentence(diagnostic->detail).size > 0;
}

static bool is_changed(const struct tn_plan *plan, struct tn_str address)
{
	for (uint32_t i = 0; i < plan->change_count; i++)
		if (tn_str_equal(plan->changes[i].address, address))
			return true;
	return false;
}

static bool is_name_byte(char c)
{
	return tn_is_alpha(c) || tn_is_digit(c) || c == '_' || c == '-' || c == '.';
}

static bool names_another(const struct tn_plan *plan, struct tn_str text)
{
	for (size_t at = 0; at < text.size; at++) {
		struct tn_plan_address address;

		if (!is_name_byte(text.data[at]) || (at > 0 && is_name_byte(text.data[at - 1])) ||
		    tn_plan_address_read(tn_str_from_offset(text, at), &address) == 0)
			continue;
		if (tn_str_find_byte(address.type, '_') != TN_STR_NONE &&
		    !is_changed(plan, address.text))
			return true;
	}
	return false;
}

void tn_plan_put_diagnostic(struct tn_buf *out, const struct tn_plan *plan,
			    const struct tn_plan_diagnostic *diagnostic)
{
	struct tn_str detail = first_sentence(diagnostic->detail);

	if (tn_str_is(diagnostic->summary, "Check block assertion failed"))
		tn_buf_append_text(out, "A check fails");
	else
		put_harmless(out, without_end(diagnostic->summary), SUMMARY_CHARACTERS);
	put_place(out, diagnostic);
	if (detail.size == 0 || (plan && names_another(plan, detail)))
		return;
	tn_buf_append_text(out, ": ");
	put_harmless(out, detail, DETAIL_CHARACTERS);
}
