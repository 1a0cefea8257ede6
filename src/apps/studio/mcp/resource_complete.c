/* Completion of what the resources' URIs and the prompts' arguments leave open (ST-120, 14). */
#include <string.h>

#include "apps/studio/mcp/resource.h"

#include "base/limits.h"

struct completing {
	struct tenon_call *call;
	struct tn_str typed;
	uint64_t total;
};

static void offer(struct completing *to, struct tn_str value)
{
	char text[512];

	if (!tn_str_starts(value, to->typed) || value.size >= sizeof(text))
		return;
	if (to->total++ >= TN_COMPLETIONS_MAX)
		return;
	memcpy(text, value.data, value.size);
	text[value.size] = '\0';
	tenon_call_add_completion(to->call, text);
}

static void offer_each(struct completing *to, const char *const *values)
{
	for (; *values; values++)
		offer(to, tn_str_from(*values));
}

static void offer_parts(struct completing *to)
{
	for (const struct tn_studio_project_part *at = tn_studio_project_parts; at->name; at++)
		offer(to, tn_str_from(at->name));
}

static void complete_open(struct completing *to, struct tn_studio_door *door)
{
	for (const struct tn_studio_project *at = tn_studio_projects_first(door->projects); at;
	     at = at->next)
		offer(to, tn_str_from(at->id));
}

static void complete_types(struct completing *to, struct tn_studio_door *door)
{
	const struct tn_studio_registry *registry = tn_studio_door_registry(door, NULL);

	for (size_t i = 0; registry && i < registry->type_count; i++)
		offer(to, registry->types[i]->id);
}

static void complete_regions(struct completing *to, struct tn_studio_door *door)
{
	const struct tn_studio_registry *registry = tn_studio_door_registry(door, NULL);
	const struct tn_json *regions = registry ? registry->region_shortcodes : NULL;

	for (const struct tn_json *at = regions ? regions->first : NULL; at; at = at->next)
		offer(to, at->key);
}

static void complete_providers(struct completing *to, struct tn_studio_door *door)
{
	const struct tn_studio_registry *registry = tn_studio_door_registry(door, NULL);

	for (size_t i = 0; registry && i < registry->provider_count; i++)
		offer(to, registry->providers[i].id);
}

static void complete_files(struct completing *to, struct tn_studio_door *door)
{
	const char *name;

	tn_studio_files_refresh(door);
	for (size_t i = 0; (name = tn_studio_files_name(door, i)) != NULL; i++)
		offer(to, tn_str_from(name));
}

static void complete_runs(struct completing *to, struct tn_studio_door *door)
{
	struct tn_studio_project *project = tn_studio_project_current(door->projects);
	char id[TN_STUDIO_ID_SIZE];

	for (size_t i = 0; project && tn_studio_run_listed(door->runs, project, i, id); i++)
		offer(to, tn_str_from(id));
}

void tn_studio_complete(struct tenon_call *call, void *data)
{
	static const char *const focuses[] = {"security", "cost", "reliability", "all", NULL};
	static const struct {
		const char *name;
		void (*complete)(struct completing *to, struct tn_studio_door *door);
	} completers[] = {{"typeId", complete_types},       {"region", complete_regions},
			  {"provider", complete_providers}, {"filename", complete_files},
			  {"projectId", complete_open},     {"runId", complete_runs}};
	const char *name = NULL, *value = NULL;
	struct completing to = {.call = call};

	tenon_call_completing(call, &name, &value);
	to.typed = tn_str_from(value);
	if (name && (strcmp(name, "what") == 0 || strcmp(name, "part") == 0))
		offer_parts(&to);
	if (name && strcmp(name, "focus") == 0)
		offer_each(&to, focuses);
	for (size_t i = 0; name && i < sizeof(completers) / sizeof(completers[0]); i++) {
		if (strcmp(completers[i].name, name) == 0)
			completers[i].complete(&to, data);
	}
	tenon_call_set_completion_total(call, to.total);
	tenon_call_finish(call);
}
