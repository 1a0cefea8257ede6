/* redact_fuzz.c - texts with secrets in them. The first byte says where the text is cut into parts;
 * a secret is put somewhere into it, and must not be left whole, nor may the parts differ from the
 * whole. What was made clean once stays as it is. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "apps/terminal/redact/redact.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check(int good)
{
	if (!good)
		abort();
}

static void compare(const struct tn_redactor *redactor, enum tn_redact_level level,
		    struct tn_str text, size_t cut)
{
	struct tn_buf whole, parts;
	unsigned count = 0, again = 0;

	tn_buf_init(&whole, 1 << 24);
	tn_buf_init(&parts, 1 << 24);
	tn_redact(redactor, level, text, &whole, &count);
	tn_redact_part(redactor, level, text, 0, cut, &parts, &again);
	tn_redact_part(redactor, level, text, cut, text.size, &parts, &again);
	check(!whole.failed && !parts.failed);
	check(count == again);
	check(tn_str_equal(tn_buf_str(&whole), tn_buf_str(&parts)));
	check(tn_str_find(tn_buf_str(&whole), TN_STR("canary-known-value")) == TN_STR_NONE);
	tn_buf_finish(&whole);
	tn_buf_finish(&parts);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const char *const patterns[] = {"ACME-\\d+", NULL};
	struct tn_redactor *redactor = NULL;
	struct tenon_error err;
	struct tn_buf text;
	size_t at, cut;

	if (size < 2 || size > 65536)
		return 0;
	check(tn_redactor_create(patterns, &redactor, &err) == TENON_OK);
	tn_redactor_learn(redactor, TN_STR("canary-known-value"));
	at = data[0] % (size - 1);
	tn_buf_init(&text, 1 << 20);
	tn_buf_append(&text, data + 2, size - 2);
	compare(redactor, TN_REDACT_ALL, tn_buf_str(&text), text.size * data[1] / 255);
	tn_buf_clear(&text);
	tn_buf_append(&text, data + 1, at);
	tn_buf_append_text(&text, "canary-known-value");
	tn_buf_append(&text, data + 1 + at, size - 1 - at);
	cut = text.size * data[1] / 255;
	compare(redactor, TN_REDACT_KNOWN, tn_buf_str(&text), cut);
	compare(redactor, TN_REDACT_ALL, tn_buf_str(&text), cut);
	tn_redactor_learn_command(redactor, tn_buf_str(&text));
	compare(redactor, TN_REDACT_ALL, tn_buf_str(&text), cut);
	tn_buf_finish(&text);
	tn_redactor_destroy(redactor);
	return 0;
}
