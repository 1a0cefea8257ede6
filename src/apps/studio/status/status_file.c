/* deployment.json (studio.md 4.8). */
#include "apps/studio/status/internal.h"
#include "apps/studio/limits.h"
#include "base/mem.h"
#include "jsonrpc/json_write.h"
#include "store/file.h"

enum { ARENA_MAX = 64 * 1024 * 1024 };

void tn_studio_record_put_parts(struct tn_buf *out, const struct tn_studio_record *entry, bool all)
{
	static const char *const actions[] = {NULL, "create", "update", "delete"};

	tn_json_begin_array(out);
	for (const struct tn_studio_record_part *part = entry ? entry->parts : NULL; part;
	     part = part->next) {
		tn_json_begin_object(out);
		tn_json_put_member_text(out, "address", part->address);
		tn_json_put_member_bool(out, "present", part->present);
		if (part->flight != TN_STUDIO_GROUNDED)
			tn_json_put_member_text(out, "action", actions[part->flight]);
		if (part->error)
			tn_json_put_member_text(out, "error", part->error);
		if (all && part->primary)
			tn_json_put_member_bool(out, "primary", true);
		if (all && part->removed)
			tn_json_put_member_bool(out, "removed", true);
		if (all && part->tainted)
			tn_json_put_member_bool(out, "tainted", true);
		tn_json_end_object(out);
	}
	tn_json_end_array(out);
}

void tn_studio_record_put_times(struct tn_buf *out, const struct tn_studio_record *entry)
{
	char time[TN_CLOCK_ISO_SIZE];

	if (entry->run_id)
		tn_json_put_member_text(out, "lastRunId", entry->run_id);
	if (entry->updated_ms > 0) {
		tn_clock_format_iso(entry->updated_ms, time);
		tn_json_put_member_text(out, "updatedAt", time);
	}
}

static void read_part(struct tn_studio_record *entry, const struct tn_json *from)
{
	struct tn_str address = {NULL, 0}, text = {NULL, 0};
	struct tn_studio_record_part *part;

	if (!tn_json_to_str(tn_json_get(from, "address"), &address) || address.size == 0)
		return;
	part = tn_studio_record_part(entry, address);
	if (!part)
		return;
	(void)tn_json_to_bool(tn_json_get(from, "present"), &part->present);
	(void)tn_json_to_bool(tn_json_get(from, "primary"), &part->primary);
	(void)tn_json_to_bool(tn_json_get(from, "removed"), &part->removed);
	(void)tn_json_to_bool(tn_json_get(from, "tainted"), &part->tainted);
	if (tn_json_to_str(tn_json_get(from, "action"), &text))
		part->flight = tn_str_is(text, "create")   ? TN_STUDIO_FLY_CREATE
			       : tn_str_is(text, "update") ? TN_STUDIO_FLY_UPDATE
			       : tn_str_is(text, "delete") ? TN_STUDIO_FLY_DELETE
							   : TN_STUDIO_GROUNDED;
	if (tn_json_to_str(tn_json_get(from, "error"), &text)) {
		bool tainted = part->tainted;

		tn_studio_record_set_error(part, text);
		part->tainted = tainted;
	}
}

static void put_look(struct tn_buf *out, const struct tn_studio_record_look_of *look)
{
	if (!look->type_id || !look->label)
		return;
	tn_json_put_key(out, "shown");
	tn_json_begin_object(out);
	tn_json_put_member_text(out, "typeId", look->type_id);
	tn_json_put_member_text(out, "label", look->label);
	if (look->parent_id && look->parent_id[0])
		tn_json_put_member_text(out, "parentId", look->parent_id);
	tn_json_put_member_int(out, "x", look->x);
	tn_json_put_member_int(out, "y", look->y);
	tn_json_put_member_int(out, "width", look->width);
	tn_json_put_member_int(out, "height", look->height);
	tn_json_end_object(out);
}

static void read_look_text(const struct tn_json *from, const char *key, char **to)
{
	struct tn_str text = {NULL, 0};

	if (!*to && tn_json_to_str(tn_json_get(from, key), &text))
		*to = tn_mem_copy_text(text.data, text.size);
}

static int32_t read_look_number(const struct tn_json *from, const char *key)
{
	int64_t number = 0;

	(void)tn_json_to_int(tn_json_get(from, key), &number);
	return number < INT32_MIN || number > INT32_MAX ? 0 : (int32_t)number;
}

static void read_look(const struct tn_json *from, struct tn_studio_record_look_of *to)
{
	if (!tn_json_is(from, TN_JSON_OBJECT))
		return;
	read_look_text(from, "typeId", &to->type_id);
	read_look_text(from, "label", &to->label);
	read_look_text(from, "parentId", &to->parent_id);
	to->x = read_look_number(from, "x");
	to->y = read_look_number(from, "y");
	to->width = read_look_number(from, "width");
	to->height = read_look_number(from, "height");
}

static void read_entry(struct tn_studio_status *status, const struct tn_json *from)
{
	const struct tn_json *parts = tn_json_get(from, "addresses");
	struct tn_studio_record *entry = tn_studio_record_make(status, from->key);
	struct tn_str text = {NULL, 0};

	if (!entry)
		return;
	if (tn_json_to_str(tn_json_get(from, "lastRunId"), &text) && text.size > 0)
		entry->run_id = tn_mem_copy_text(text.data, text.size);
	if (tn_json_to_str(tn_json_get(from, "appliedDigest"), &text) && text.size == 64)
		memcpy(entry->applied, text.data, text.size);
	if (tn_json_to_str(tn_json_get(from, "updatedAt"), &text))
		(void)tn_clock_parse_iso(text, &entry->updated_ms);
	entry->is_priced = tn_json_to_int(tn_json_get(from, "appliedCents"), &entry->cents);
	(void)tn_json_to_bool(tn_json_get(from, "hasPrimary"), &entry->has_primary);
	read_look(tn_json_get(from, "shown"), &entry->look);
	for (const struct tn_json *one = tn_json_is(parts, TN_JSON_ARRAY) ? parts->first : NULL;
	     one; one = one->next)
		read_part(entry, one);
}

enum tenon_code tn_studio_status_read_file(struct tn_studio_status *status, struct tenon_error *err)
{
	const struct tn_json *nodes;
	struct tn_json *file = NULL;
	struct tn_arena arena;
	struct tn_buf text;
	enum tenon_code code;

	tn_arena_init(&arena, ARENA_MAX);
	tn_buf_init(&text, TN_STUDIO_FILE_BYTES_MAX);
	code = tn_file_read(status->path, TN_FILE_REGULAR_ONLY | TN_FILE_NO_FOLLOW, &text, err);
	if (code == TENON_OK)
		code = tn_json_parse(&arena, text.data, text.size, &file, err);
	if (code == TENON_OK) {
		nodes = tn_json_get(file, "nodes");
		for (const struct tn_json *one = tn_json_is(nodes, TN_JSON_OBJECT) ? nodes->first
										   : NULL;
		     one; one = one->next)
			read_entry(status, one);
	}
	tn_buf_finish(&text);
	tn_arena_finish(&arena);
	return code;
}

enum tenon_code tn_studio_status_save(struct tn_studio_status *status, struct tenon_error *err)
{
	const char *phase;
	enum tenon_code code;
	struct tn_buf out;
	size_t cursor = 0;
	struct tn_str key;
	void *value;

	if (!status || !status->path)
		return TENON_OK;
	tn_buf_init(&out, TN_STUDIO_FILE_BYTES_MAX);
	tn_json_begin_object(&out);
	tn_json_put_member_int(&out, "formatVersion", 1);
	tn_json_put_key(&out, "nodes");
	tn_json_begin_object(&out);
	while (tn_map_next(&status->entries, &cursor, &key, &value)) {
		const struct tn_studio_record *entry = value;

		tn_json_put_key_str(&out, key);
		tn_json_begin_object(&out);
		tn_json_put_member_text(&out, "status", tn_studio_record_word(entry, &phase));
		tn_json_put_key(&out, "addresses");
		tn_studio_record_put_parts(&out, entry, true);
		tn_studio_record_put_times(&out, entry);
		if (entry->applied[0])
			tn_json_put_member_text(&out, "appliedDigest", entry->applied);
		if (entry->is_priced)
			tn_json_put_member_int(&out, "appliedCents", entry->cents);
		if (entry->has_primary)
			tn_json_put_member_bool(&out, "hasPrimary", true);
		put_look(&out, &entry->look);
		tn_json_end_object(&out);
	}
	tn_json_end_object(&out);
	tn_json_end_object(&out);
	tn_buf_append_byte(&out, '\n');
	code = tn_buf_check(&out, err);
	if (code == TENON_OK)
		code = tn_file_write(status->path, 0600, tn_buf_str(&out), err);
	tn_buf_finish(&out);
	return code;
}

void tn_studio_status_keep(struct tn_studio_status *status)
{
	if (tn_studio_status_save(status, NULL) != TENON_OK)
		return;
}
