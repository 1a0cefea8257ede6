/* What a finding advises: a hint for readers, and a fix as one call of a tool. */
#include <stdarg.h>
#include <stdio.h>

#include "apps/studio/check/internal.h"
#include "base/utf8.h"
#include "jsonrpc/json_write.h"

enum { TEXT_BYTES_MAX = 512, FIX_BYTES_MAX = 4096 };

void tn_studio_check_hint(struct tn_studio_checking *checking, struct tn_studio_diagnostic *one,
			  const char *format, ...)
{
	char text[TEXT_BYTES_MAX];
	struct tn_str cut;
	const char *copy;
	va_list arguments;

	if (!one)
		return;
	va_start(arguments, format);
	(void)vsnprintf(text, sizeof(text), format, arguments);
	va_end(arguments);
	cut = tn_utf8_cut(tn_str_from(text), sizeof(text) - 1);
	copy = tn_arena_copy(checking->arena, cut);
	if (copy)
		one->hint = tn_str(copy, cut.size);
}

void tn_studio_check_fix(struct tn_studio_checking *checking, struct tn_studio_diagnostic *one,
			 const char *tool, const struct tn_studio_node *node, struct tn_str rest)
{
	struct tn_buf text;
	const char *copy;

	if (!one)
		return;
	tn_buf_init(&text, FIX_BYTES_MAX);
	tn_json_begin_array(&text);
	tn_json_begin_object(&text);
	tn_json_put_member_text(&text, "tool", tool);
	tn_json_put_key(&text, "arguments");
	tn_json_begin_object(&text);
	if (node)
		tn_json_put_member_str(&text, "instanceId", node->id);
	if (node && rest.size > 0)
		tn_buf_append_byte(&text, ',');
	tn_buf_append_str(&text, rest);
	tn_json_end_object(&text);
	tn_json_end_object(&text);
	tn_json_end_array(&text);
	copy = text.failed ? NULL : tn_arena_copy(checking->arena, tn_buf_str(&text));
	if (copy)
		one->fix = tn_str(copy, text.size);
	tn_buf_finish(&text);
}

void tn_studio_check_fix_property(struct tn_studio_checking *checking,
				  struct tn_studio_diagnostic *one,
				  const struct tn_studio_node *node, struct tn_str key,
				  const char *text)
{
	struct tn_buf rest;

	tn_buf_init(&rest, FIX_BYTES_MAX);
	tn_buf_append_text(&rest, "\"properties\":{");
	tn_json_put_key_str(&rest, key);
	tn_json_put_text(&rest, text);
	tn_buf_append_byte(&rest, '}');
	if (!rest.failed)
		tn_studio_check_fix(checking, one, "update_resource", node, tn_buf_str(&rest));
	tn_buf_finish(&rest);
}
