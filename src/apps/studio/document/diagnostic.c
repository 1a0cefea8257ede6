#include "apps/studio/document/diagnostic.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/utf8.h"
#include "jsonrpc/json_write.h"

enum { MESSAGE_BYTES_MAX = 1024 };

void tn_studio_diagnostics_init(struct tn_studio_diagnostics *list, struct tn_arena *arena)
{
	*list = (struct tn_studio_diagnostics){.arena = arena};
}

static void append(struct tn_studio_diagnostics *list, struct tn_studio_diagnostic *one)
{
	if (list->last)
		list->last->next = one;
	else
		list->first = one;
	list->last = one;
	list->counts[one->severity]++;
}

struct tn_studio_diagnostic *tn_studio_diagnose(struct tn_studio_diagnostics *list,
						enum tn_studio_severity severity, const char *code,
						const struct tn_studio_node *node,
						const char *format, ...)
{
	struct tn_studio_diagnostic *one = tn_arena_alloc(list->arena, sizeof(*one));
	char text[MESSAGE_BYTES_MAX];
	struct tn_str message;
	va_list arguments;

	va_start(arguments, format);
	(void)vsnprintf(text, sizeof(text), format, arguments);
	va_end(arguments);
	tn_utf8_one_line(text, strlen(text));
	/* A value that was cut in the middle of a character. */
	message = tn_utf8_cut(tn_str_from(text), sizeof(text) - 1);
	if (!one)
		return NULL;
	one->severity = severity;
	one->code = code;
	one->message = tn_str(tn_arena_copy(list->arena, message), message.size);
	if (!one->message.data)
		return NULL;
	if (node)
		one->node_id = node->id;
	append(list, one);
	return one;
}

bool tn_studio_diagnostics_add(struct tn_studio_diagnostics *list, struct tn_arena *arena,
			       const struct tn_studio_diagnostic *one)
{
	struct tn_studio_diagnostic *copy = tn_arena_alloc(arena, sizeof(*copy));

	if (!copy)
		return false;
	*copy = *one;
	copy->next = NULL;
	append(list, copy);
	return true;
}

void tn_studio_diagnostic_put(struct tn_buf *out, const struct tn_studio_diagnostic *one)
{
	static const char *const severities[] = {"error", "warning", "info"};
	const struct {
		const char *key;
		struct tn_str text;
	} members[] = {{"instanceId", one->node_id},
		       {"property", one->property},
		       {"edgeId", one->edge_id},
		       {"hint", one->hint}};

	tn_json_begin_object(out);
	tn_json_put_member_text(out, "severity", severities[one->severity]);
	tn_json_put_member_text(out, "code", one->code);
	tn_json_put_member_str(out, "message", one->message);
	for (size_t i = 0; i < sizeof(members) / sizeof(members[0]); i++) {
		if (members[i].text.size > 0)
			tn_json_put_member_str(out, members[i].key, members[i].text);
	}
	if (one->fix.size > 0)
		tn_json_put_member_raw(out, "fix", one->fix);
	tn_json_end_object(out);
}

void tn_studio_diagnostics_put(struct tn_buf *out, const struct tn_studio_diagnostics *list)
{
	tn_json_begin_array(out);
	for (const struct tn_studio_diagnostic *at = list->first; at; at = at->next)
		tn_studio_diagnostic_put(out, at);
	tn_json_end_array(out);
}
