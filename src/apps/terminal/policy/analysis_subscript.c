/* analysis_subscript.c - what a shell evaluates though it was quoted: subscripts of variables. */
#include "apps/terminal/policy/internal.h"

static bool is_name_letter(char c)
{
	return c == '_' || tn_is_alpha(c) || tn_is_digit(c);
}

/* "name[" with its bracket at `at`; in "\e[31m" there is no name. */
static bool is_subscript(struct tn_str text, size_t at)
{
	size_t from = at;

	while (from > 0 && is_name_letter(text.data[from - 1]))
		from--;
	return from != at && !(from > 0 && text.data[from - 1] == '\\');
}

static bool begins_command(struct tn_str text, size_t at)
{
	return text.data[at] == '`' ||
	       (text.data[at] == '$' && at + 1 < text.size && text.data[at + 1] == '(');
}

/* x[$(command)]: a subscript runs what stands in it wherever a variable is named. */
bool tn_builtin_has_subscript(struct tn_str text)
{
	bool open = false;

	for (size_t at = 0; at < text.size; at++) {
		if (text.data[at] == ']')
			open = false;
		else if (open && begins_command(text, at))
			return true;
		else if (!open && text.data[at] == '[')
			open = is_subscript(text, at);
	}
	return false;
}

void tn_builtin_evaluate(struct tn_analyser *a, const struct tn_scope *scope, struct tn_str text)
{
	if (!tn_builtin_has_subscript(text))
		return;
	tn_analysis_hidden(a, "a subscript that runs commands stands where a variable is named");
	tn_word_evaluate(a, scope, text);
}
