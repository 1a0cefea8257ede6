/* The roots we offer (mcp.md section 16.3). */
#include "base/mem.h"
#include "client/limits.h"
#include "client/wire.h"

void tn_roots_write(const struct tenon_client *client, struct tn_buf *out)
{
	tn_json_begin_object(out);
	tn_json_put_member_foreign(out, "roots",
				   client->roots ? tn_str_from(client->roots) : TN_STR("[]"));
	tn_json_end_object(out);
}

static enum tenon_code check(const char *roots, struct tenon_error *err)
{
	struct tn_json *list = NULL;
	struct tn_arena arena;
	enum tenon_code code;

	tn_arena_init(&arena, TN_CLIENT_ARENA_MAX);
	code = tn_json_parse_copy(&arena, tn_str_from(roots), &list, err);
	if (code == TENON_OK && list->type != TN_JSON_ARRAY)
		code = tn_fail(err, TENON_INVALID, "roots: send a JSON array");
	for (const struct tn_json *r = code == TENON_OK ? list->first : NULL; r; r = r->next) {
		struct tn_str uri;

		if (!tn_json_to_str(tn_json_get(r, "uri"), &uri) ||
		    !tn_str_starts(uri, TN_STR("file://"))) {
			code = tn_fail(err, TENON_INVALID,
				       "roots: each has a \"uri\" that begins with file://");
			break;
		}
	}
	tn_arena_finish(&arena);
	return code;
}

enum tenon_code tenon_client_set_roots(struct tenon_client *client, const char *roots,
				       struct tenon_error *err)
{
	bool had_roots = client->roots != NULL;
	char *copy = NULL;

	if (roots) {
		enum tenon_code code = check(roots, err);

		if (code != TENON_OK)
			return code;
		copy = tn_mem_copy_text(roots, strlen(roots));
		if (!copy)
			return tn_fail(err, TENON_NO_MEMORY, "out of memory");
	}
	tn_mem_free(client->roots);
	client->roots = copy;
	/* Only a server that knows of roots is told; the modern ones ask anew each time. */
	if (client->phase == TN_CLIENT_READY && !tn_client_is_modern(client) && had_roots)
		return tn_wire_notify(client, TN_STR("notifications/roots/list_changed"),
				      tn_str(NULL, 0), err);
	return TENON_OK;
}
