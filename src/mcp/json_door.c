#include "mcp/json_door.h"

#include "jsonrpc/json_write.h"
#include "mcp/server.h"

void tn_json_door_add(struct tenon_server *server, struct tn_json_door *door)
{
	door->next = server->json_doors;
	server->json_doors = door;
}

void tn_json_door_remove(struct tenon_server *server, struct tn_json_door *door)
{
	struct tn_json_door **at = &server->json_doors;

	while (*at && *at != door)
		at = &(*at)->next;
	if (*at)
		*at = door->next;
}

const struct tn_json_door *tn_json_door_find(const struct tenon_server *server, struct tn_str path)
{
	const struct tn_json_door *door = server->json_doors;

	while (door && !tn_str_starts(path, tn_str_from(door->prefix)))
		door = door->next;
	return door && tn_server_app_bit(server, tn_str_from(door->app_name)) ? door : NULL;
}

void tn_json_door_put_error(struct tn_buf *out, const char *code, const char *message)
{
	tn_json_begin_object(out);
	tn_json_put_key(out, "error");
	tn_json_begin_object(out);
	tn_json_put_member_text(out, "code", code);
	tn_json_put_member_text(out, "message", message);
	tn_json_end_object(out);
	tn_json_end_object(out);
}
