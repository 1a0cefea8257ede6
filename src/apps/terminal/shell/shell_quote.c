#include "apps/terminal/shell/shell_quote.h"

#include <string.h>

void tn_shell_quote(struct tn_buf *out, enum tn_shell_kind kind, struct tn_str value)
{
	tn_buf_append_byte(out, '\'');
	while (value.size > 0) {
		size_t plain = 0;

		while (plain < value.size && value.data[plain] != '\'' &&
		       (value.data[plain] != '\\' || kind != TN_SHELL_FISH))
			plain++;
		tn_buf_append(out, value.data, plain);
		if (plain < value.size && kind == TN_SHELL_FISH) {
			tn_buf_append_byte(out, '\\');
			tn_buf_append_byte(out, value.data[plain]);
		} else if (plain < value.size) {
			tn_buf_append_text(out, "'\\''");
		}
		value = tn_str_from_offset(value, plain + 1);
	}
	tn_buf_append_byte(out, '\'');
}

void tn_shell_assign(struct tn_buf *out, enum tn_shell_kind kind, const char *name,
		     struct tn_str value)
{
	if (kind == TN_SHELL_FISH)
		tn_buf_append_text(out, "set -gu ");
	tn_buf_append_text(out, name);
	tn_buf_append_byte(out, kind == TN_SHELL_FISH ? ' ' : '=');
	tn_shell_quote(out, kind, value);
	tn_buf_append_byte(out, '\n');
}

void tn_shell_call(struct tn_buf *out, enum tn_shell_kind kind, const char *function,
		   struct tn_str first, struct tn_str second)
{
	tn_buf_append_text(out, function);
	tn_buf_append_byte(out, ' ');
	tn_shell_quote(out, kind, first);
	tn_buf_append_byte(out, ' ');
	tn_shell_quote(out, kind, second);
	tn_buf_append_byte(out, '\n');
}

/* Reads one word from text[*at]; false: it holds what a shell would expand or act on. */
static bool read_word(struct tn_str text, size_t *at, struct tn_buf *word)
{
	char quote = 0;

	for (; *at < text.size; ++*at) {
		char c = text.data[*at];

		if (quote == 0 && (c == ' ' || c == '\t'))
			return true;
		if (c == quote) {
			quote = 0;
		} else if (quote == 0 && (c == '\'' || c == '"')) {
			quote = c;
		} else {
			const char *acts = quote == '\'' ? ""
					   : quote       ? "$`\\!"
							 : "$`\\!|&;<>()*?[]{}~#=^\n\r";

			if (c == '\0' || strchr(acts, c))
				return false;
			tn_buf_append_byte(word, c);
		}
	}
	return quote == 0;
}

bool tn_shell_last_word(struct tn_str text, struct tn_buf *out)
{
	struct tn_buf word;
	bool simple = true, any = false;
	size_t at = 0;

	text = tn_str_trim(text);
	tn_buf_init(&word, text.size + 1);
	while (simple && at < text.size) {
		if (text.data[at] == ' ' || text.data[at] == '\t') {
			at++;
			continue;
		}
		tn_buf_clear(&word);
		simple = read_word(text, &at, &word) && !word.failed;
		any = true;
	}
	if (simple && any)
		tn_buf_append_str(out, tn_buf_str(&word));
	tn_buf_finish(&word);
	return simple && any;
}
