/* uri_template_fuzz.c - a template, a zero byte, and a URI. Names found are names of the template;
 * what is expanded is made of URI characters. */
#include <stdint.h>

#include "jsonrpc/uri_template.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void expand(const struct tn_uri_template *template, const struct tn_str *item,
		   struct tn_str name)
{
	const struct tn_uri_value value = {name, TN_URI_TEXT, item, 1};
	struct tn_buf out;

	tn_buf_init(&out, TN_MIB);
	tn_uri_template_expand(template, &value, 1, &out);
	for (size_t i = 0; i < out.size; i++)
		tn_assert(out.data[i] > 0x20 && out.data[i] < 0x7F && out.data[i] != '"' &&
			  out.data[i] != '<' && out.data[i] != '>');
	tn_buf_finish(&out);
}

static void match(const struct tn_uri_template *template, struct tn_str uri)
{
	struct tn_uri_variable variables[TN_URI_TEMPLATE_VARIABLES_MAX];
	struct tn_arena arena;
	size_t count;

	tn_arena_init(&arena, TN_MIB);
	if (tn_uri_template_match(template, uri, &arena, variables, &count)) {
		tn_assert(count <= TN_URI_TEMPLATE_VARIABLES_MAX);
		for (size_t i = 0; i < count; i++) {
			tn_assert(tn_uri_template_has(template, variables[i].name));
			tn_assert(strlen(variables[i].value.data) == variables[i].value.size);
			expand(template, &variables[i].value, variables[i].name);
		}
	}
	tn_arena_finish(&arena);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct tn_str text = tn_str((const char *)data, size), uri = TN_STR("");
	struct tn_uri_template *template = NULL;
	size_t zero = size ? tn_str_find_byte(text, '\0') : TN_STR_NONE;
	struct tenon_error err;

	if (zero != TN_STR_NONE) {
		uri = tn_str_from_offset(text, zero + 1);
		text.size = zero;
	}
	if (tn_uri_template_compile(text, &template, &err) == TENON_OK) {
		match(template, uri);
		expand(template, &uri, TN_STR("a"));
	} else {
		tn_assert(template == NULL && err.message[0]);
	}
	tn_uri_template_free(template);
	return 0;
}
