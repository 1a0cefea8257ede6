/* What comes and goes in the list of resources. */
#include <stdio.h>

#include "apps/terminal/mcp/resource.h"
#include "base/utf8.h"
#include "mcp/server.h"

void tn_term_list_session(struct tn_term_door *door, const char *id, const char *name,
			  const char *owner)
{
	char uri[128], title[128];
	struct tenon_resource resource = {.uri = uri,
					  .name = id,
					  .title = title,
					  .description = "A terminal session",
					  .mime_type = "application/json",
					  .size_bytes = -1,
					  .owner = owner,
					  .read = tn_term_read_session,
					  .data = door};
	struct tn_str shown = tn_utf8_cut(tn_str_from(name), 100);

	(void)snprintf(uri, sizeof(uri), "terminal://session/%s", id);
	(void)snprintf(title, sizeof(title), "Session %.*s", (int)shown.size, shown.data);
	/* Without memory it is found by its template all the same. */
	if (tn_server_add_resource_of(door->server, door->app, &resource, true, NULL) != TENON_OK)
		return;
}

void tn_term_unlist_session(struct tn_term_door *door, const char *id)
{
	char uri[128];

	(void)snprintf(uri, sizeof(uri), "terminal://session/%s", id);
	tn_server_remove_resource_of(door->server, uri, true);
}

void tn_term_list_command(struct tn_term_door *door, const struct tn_term_command_info *info,
			  const char *owner)
{
	char uri[128], title[128], *place;
	struct tenon_resource resource = {.uri = uri,
					  .name = info->id,
					  .title = title,
					  .description = "A command's result",
					  .mime_type = "application/json",
					  .size_bytes = -1,
					  .owner = owner,
					  .read = tn_term_read_command,
					  .data = door};

	place = door->listed[door->listed_next];
	door->listed_next = (door->listed_next + 1) % TN_TERM_LISTED_COMMANDS;
	if (place[0])
		tn_server_remove_resource_of(door->server, place, false);
	(void)snprintf(uri, sizeof(uri), "terminal://command/%s", info->id);
	(void)snprintf(title, sizeof(title), "Command %llu", (unsigned long long)info->number);
	(void)snprintf(place, TN_TERM_LISTED_SIZE, "terminal://command/%.70s", info->id);
	/* A command is no news to those who keep lists: they may follow it by its URI. */
	if (tn_server_add_resource_of(door->server, door->app, &resource, false, NULL) != TENON_OK)
		place[0] = '\0';
}
