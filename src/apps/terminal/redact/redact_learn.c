/* redact_learn.c - the values that a command's text assigns to sensitive names. */
#include "apps/terminal/redact/redact_learn.h"

#include "apps/terminal/limits.h"

/* Appends what a shell makes of the word at `at` up to `end`, quoted by `quote`. False: it depends
 * on more than the text. */
static bool unquote_double(struct tn_str word, size_t *at, struct tn_buf *out)
{
	for ((*at)++; *at < word.size && word.data[*at] != '"'; (*at)++) {
		char c = word.data[*at];

		if (c == '$' || c == '`')
			return false;
		if (c == '\\' && *at + 1 < word.size &&
		    (word.data[*at + 1] == '"' || word.data[*at + 1] == '\\' ||
		     word.data[*at + 1] == '$' || word.data[*at + 1] == '`'))
			c = word.data[++*at];
		tn_buf_append_byte(out, c);
	}
	return true;
}

static char escaped(char c)
{
	switch (c) {
	case 'n':
		return '\n';
	case 't':
		return '\t';
	case 'r':
		return '\r';
	default:
		return c;
	}
}

static void unquote_single(struct tn_str word, size_t *at, bool escapes, struct tn_buf *out)
{
	for ((*at)++; *at < word.size && word.data[*at] != '\''; (*at)++) {
		char c = word.data[*at];

		if (escapes && c == '\\' && *at + 1 < word.size)
			c = escaped(word.data[++*at]);
		tn_buf_append_byte(out, c);
	}
}

bool tn_redact_unquote(struct tn_str word, struct tn_buf *out)
{
	for (size_t at = 0; at < word.size; at++) {
		char c = word.data[at];

		if (c == '\'') {
			unquote_single(word, &at, false, out);
		} else if (c == '$' && at + 1 < word.size && word.data[at + 1] == '\'') {
			at++;
			unquote_single(word, &at, true, out);
		} else if (c == '"') {
			if (!unquote_double(word, &at, out))
				return false;
		} else if (c == '$' || c == '`') {
			return false;
		} else if (c == '\\' && at + 1 < word.size) {
			if (word.data[++at] != '\n') /* a line that goes on */
				tn_buf_append_byte(out, word.data[at]);
		} else {
			tn_buf_append_byte(out, c);
		}
	}
	return !out->failed;
}

static void learn(void *data, enum tn_argument what, struct tn_str value)
{
	struct tn_secrets **secrets = data;
	struct tn_buf text;

	if (what != TN_ARGUMENT_ASSIGNED)
		return;
	tn_buf_init(&text, TN_REDACT_VALUE_BYTES_MAX);
	if (tn_redact_unquote(value, &text) && text.size >= TN_REDACT_VALUE_BYTES_MIN)
		(void)tn_secrets_learn(secrets, tn_buf_str(&text)); /* else found as argument */
	if (text.data)
		explicit_bzero(text.data, text.capacity);
	tn_buf_finish(&text);
}

void tn_redact_learn_text(struct tn_secrets **secrets, struct tn_str command)
{
	tn_redact_scan_arguments(command, learn, secrets);
}
