/* What comes and goes in the list of resources, and what completes to it. */
#include <stdio.h>
#include <string.h>

#include "apps/terminal/app.h"
#include "apps/terminal/resource.h"
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
	if (tn_server_add_resource_of(door->server, &tn_terminal_app, &resource, true, NULL) !=
	    TENON_OK)
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
	if (tn_server_add_resource_of(door->server, &tn_terminal_app, &resource, false, NULL) !=
	    TENON_OK)
		place[0] = '\0';
}

const char *tn_term_id_of(const struct tenon_call *call)
{
	const char *id = tenon_call_text(call, "id");
	const char *uri = tenon_call_uri(call);

	if (id || !uri)
		return id;
	id = strrchr(uri, '/');
	return id ? id + 1 : NULL;
}

/* ---- completion ---- */

struct completing {
	struct tenon_call *call;
	struct tn_str typed;
	uint64_t total;
};

static void add(struct completing *c, const char *id)
{
	if (!tn_str_starts(tn_str_from(id), c->typed))
		return;
	if (c->total++ < TN_COMPLETIONS_MAX)
		tenon_call_add_completion(c->call, id);
}

static void add_session(const struct tn_term_session_info *info, void *data)
{
	add(data, info->id);
}

static void add_command(const struct tn_term_command_info *info, void *data)
{
	add(data, info->id);
}

static void begin(struct completing *c, struct tenon_call *call)
{
	const char *name, *typed;

	tenon_call_completing(call, &name, &typed);
	*c = (struct completing){.call = call, .typed = tn_str_from(typed)};
}

static void end(struct completing *c)
{
	tenon_call_set_completion_total(c->call, c->total);
	tenon_call_finish(c->call);
}

void tn_term_complete_session(struct tenon_call *call, void *data)
{
	struct tn_term_door *door = data;
	struct tn_term_caller caller;
	struct tn_term_list request = {.caller = &caller, .include_closed = true};
	const char *active;
	struct completing c;

	begin(&c, call);
	tn_term_caller_of(call, &caller);
	if (door->backend)
		door->backend->list_sessions(door->backend->self, &request, add_session, &c,
					     &active);
	end(&c);
}

void tn_term_complete_command(struct tenon_call *call, void *data)
{
	struct tn_term_door *door = data;
	struct tn_term_caller caller;
	struct completing c;

	begin(&c, call);
	tn_term_caller_of(call, &caller);
	if (door->term)
		tn_term_commands_each(door->term, &caller, NULL, add_command, &c);
	end(&c);
}
