/* Which session or command a resource is asked for, and what completes to one. */
#include <string.h>

#include "apps/terminal/mcp/resource.h"

#include "base/limits.h"

const char *tn_term_id_of(const struct tenon_call *call)
{
	const char *id = tenon_call_text(call, "id");
	const char *uri = tenon_call_uri(call);

	if (id || !uri)
		return id;
	id = strrchr(uri, '/');
	return id ? id + 1 : NULL;
}

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
