/* Which folders a person trusts (T21): their paths, one a line of JSON, outside of them. */
#include <limits.h>
#include <stdio.h>

#include "apps/workbench/limits.h"
#include "apps/workbench/workspace/workspace.h"
#include "base/map.h"
#include "base/mem.h"
#include "jsonrpc/json_write.h"
#include "store/file.h"

struct tn_wb_trust {
	char folder[PATH_MAX], path[PATH_MAX]; /* empty: nowhere */
	bool read;
	struct tn_map roots; /* to anything */
};

struct tn_wb_trust *tn_wb_trust_create(const char *state_folder)
{
	struct tn_wb_trust *trust = tn_mem_alloc(sizeof(*trust));

	if (!trust)
		return NULL;
	tn_map_init(&trust->roots);
	if (state_folder && strlen(state_folder) < PATH_MAX - 32) {
		(void)snprintf(trust->folder, sizeof(trust->folder), "%s/workbench", state_folder);
		(void)snprintf(trust->path, sizeof(trust->path), "%s/workbench/trusted.json",
			       state_folder);
	}
	return trust;
}

void tn_wb_trust_destroy(struct tn_wb_trust *trust)
{
	if (!trust)
		return;
	tn_map_finish(&trust->roots);
	tn_mem_free(trust);
}

static void take_list(struct tn_wb_trust *trust, const struct tn_json *list)
{
	struct tenon_error err;
	struct tn_str root;

	if (!tn_json_is(list, TN_JSON_ARRAY))
		return;
	for (const struct tn_json *at = list->first; at; at = at->next)
		if (tn_json_to_str(at, &root) && tn_map_put(&trust->roots, root, trust, &err))
			return;
}

/* A file that cannot be read trusts nobody. */
static void need_read(struct tn_wb_trust *trust)
{
	struct tenon_error err;
	struct tn_arena arena;
	struct tn_json *json;
	struct tn_buf text;

	if (trust->read || !trust->path[0])
		return;
	trust->read = true;
	tn_buf_init(&text, TN_WB_TRUST_BYTES_MAX);
	tn_arena_init(&arena, TN_WB_TRUST_BYTES_MAX * 16);
	if (tn_file_read(trust->path, TN_FILE_NO_FOLLOW | TN_FILE_REGULAR_ONLY, &text, &err) ==
		    TENON_OK &&
	    tn_json_parse(&arena, text.data, text.size, &json, &err) == TENON_OK)
		take_list(trust, tn_json_get(json, "trusted"));
	tn_arena_finish(&arena);
	tn_buf_finish(&text);
}

bool tn_wb_trust_is(struct tn_wb_trust *trust, const char *root)
{
	need_read(trust);
	return tn_map_get(&trust->roots, tn_str_from(root)) != NULL;
}

static enum tenon_code keep(const struct tn_wb_trust *trust, struct tenon_error *err)
{
	enum tenon_code code;
	struct tn_buf text;
	size_t cursor = 0;
	struct tn_str key;
	void *value;

	if (!trust->path[0])
		return TENON_OK;
	tn_buf_init(&text, TN_WB_TRUST_BYTES_MAX);
	tn_json_begin_object(&text);
	tn_json_put_key(&text, "trusted");
	tn_json_begin_array(&text);
	while (tn_map_next(&trust->roots, &cursor, &key, &value))
		tn_json_put_str(&text, key);
	tn_json_end_array(&text);
	tn_json_end_object(&text);
	tn_buf_append_byte(&text, '\n');
	code = tn_buf_check(&text, err);
	if (code == TENON_OK)
		code = tn_dir_create(trust->folder, 0700, err);
	if (code == TENON_OK)
		code = tn_file_write(trust->path, 0600, tn_buf_str(&text), err);
	tn_buf_finish(&text);
	return code;
}

enum tenon_code tn_wb_trust_set(struct tn_wb_trust *trust, const char *root, bool trusted,
				struct tenon_error *err)
{
	struct tn_str key = tn_str_from(root);
	bool was = tn_wb_trust_is(trust, root);
	enum tenon_code code = TENON_OK;

	if (was == trusted)
		return TENON_OK;
	if (!trusted) {
		(void)tn_map_remove(&trust->roots, key);
		/* It ends now, whether that can be kept or not. */
		return keep(trust, err);
	}
	code = tn_map_put(&trust->roots, key, trust, err);
	if (code == TENON_OK)
		code = keep(trust, err);
	if (code != TENON_OK)
		(void)tn_map_remove(&trust->roots, key);
	return code;
}
