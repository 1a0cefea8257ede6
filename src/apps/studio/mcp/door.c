/* What tools and resources have from the door: what is made when it is first needed, and what would
 * be generated now. */
#include "apps/studio/mcp/follow.h"
#include "apps/studio/mcp/tool_state.h"

struct tn_studio_registry *tn_studio_door_registry(struct tn_studio_door *door,
						   struct tn_studio_fault *fault)
{
	struct tn_studio_registry *registry;

	if (!door->registry) {
		registry = tn_studio_projects_registry(door->projects, fault);
		door->registry = registry ? tn_studio_registry_ref(registry) : NULL;
	}
	return door->registry;
}

const struct tn_studio_prices *tn_studio_door_prices(struct tn_studio_door *door,
						     struct tn_studio_fault *fault)
{
	struct tn_studio_registry *registry = tn_studio_door_registry(door, fault);
	struct tenon_error err = {0};

	if (!registry)
		return NULL;
	if (door->prices && tn_studio_prices_are_stale(door->prices)) {
		tn_studio_prices_unref(door->prices);
		door->prices = NULL;
		tn_studio_follow_outside(door->follows, NULL);
	}
	if (!door->prices &&
	    tn_studio_prices_with_users(registry, &door->prices, &err) != TENON_OK) {
		(void)tn_studio_fail_error(fault, &err);
		return NULL;
	}
	return door->prices;
}

bool tn_studio_generate_project(const struct tn_studio_project *project, struct tn_arena *arena,
				const struct tn_studio_check_options *check,
				struct tn_studio_diagnostics *list, struct tn_studio_generated *ret)
{
	const struct tn_studio_generate_options options = {
		.project_name = tn_str_from(project->name), .secrets = project->secrets};

	tn_studio_diagnostics_init(list, arena);
	if (check)
		tn_studio_check(&project->document, check, list);
	return tn_studio_generate(&project->document, &options, arena, list, ret);
}
