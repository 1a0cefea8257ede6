#include "mcp/stream_door.h"

#include "mcp/server.h"

void tn_stream_door_add(struct tenon_server *server, struct tn_stream_door *door)
{
	door->next = server->stream_doors;
	server->stream_doors = door;
}

void tn_stream_door_remove(struct tenon_server *server, struct tn_stream_door *door)
{
	struct tn_stream_door **at = &server->stream_doors;

	while (*at && *at != door)
		at = &(*at)->next;
	if (*at)
		*at = door->next;
}

const struct tn_stream_door *tn_stream_door_find(const struct tenon_server *server,
						 struct tn_str path)
{
	const struct tn_stream_door *door = server->stream_doors;

	while (door && !tn_str_starts(path, tn_str_from(door->prefix)))
		door = door->next;
	if (door && door->app_name && !tn_server_app_bit(server, tn_str_from(door->app_name)))
		return NULL;
	return door;
}
