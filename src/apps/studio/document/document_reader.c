/* What is made anew of a project's files while they are read, and how that is told. */
#include "apps/studio/document/document_reader.h"

#include <stdio.h>

#include "base/utf8.h"
#include "jsonrpc/json_make.h"
#include "jsonrpc/json_write.h"

void tn_studio_repaired(struct tn_studio_reader *reader, const char *code, struct tn_str node_id,
			const char *format, ...)
{
	struct tn_buf *out = reader->repairs;
	va_list arguments;
	char text[512];

	va_start(arguments, format);
	(void)vsnprintf(text, sizeof(text), format, arguments);
	va_end(arguments);
	tn_json_begin_object(out);
	tn_json_put_member_text(out, "code", code);
	tn_json_put_member_str(out, "message", tn_utf8_cut(tn_str_from(text), sizeof(text)));
	if (node_id.size > 0)
		tn_json_put_member_str(out, "instanceId", node_id);
	tn_json_end_object(out);
}

void tn_studio_entry_set(struct tn_studio_reader *reader, struct tn_studio_entry *entry,
			 const char *key, const struct tn_json *value)
{
	struct tn_json *made = tn_json_with(reader->arena, entry->record, tn_str_from(key), value);

	if (made)
		entry->record = made;
	else
		reader->failed = true;
}

struct tn_str tn_studio_reader_id(struct tn_studio_reader *reader)
{
	char text[TN_STUDIO_UUID_SIZE];
	char *copy;

	do {
		tn_studio_make_id(reader->ids++, text);
	} while (tn_map_get(&reader->by_id, tn_str_from(text)) ||
		 tn_map_get(&reader->edges_by_id, tn_str_from(text)));
	copy = tn_arena_copy(reader->arena, tn_str_from(text));
	reader->failed = reader->failed || !copy;
	return tn_str_from(copy);
}
