#include "apps/studio/project/project_types.h"

#include <unistd.h>

#include "apps/studio/limits.h"
#include "apps/studio/project/internal.h"
#include "jsonrpc/json_write.h"

static void warn_faults(struct tn_studio_project *project,
			const struct tn_studio_registry *registry)
{
	const struct tn_json *faults = registry->faults;
	struct tn_buf *out = &project->own->warnings;

	for (const struct tn_json *at = tn_json_is(faults, TN_JSON_ARRAY) ? faults->first : NULL;
	     at; at = at->next) {
		struct tn_buf text;
		struct tn_str part;

		tn_buf_init(&text, TN_MIB);
		if (tn_json_to_str(tn_json_get(at, "file"), &part))
			tn_buf_append_str(&text, part);
		if (tn_json_to_str(tn_json_get(at, "pointer"), &part) && part.size > 0) {
			tn_buf_append_byte(&text, ' ');
			tn_buf_append_str(&text, part);
		}
		tn_buf_append_text(&text, ": ");
		if (tn_json_to_str(tn_json_get(at, "message"), &part))
			tn_buf_append_str(&text, part);
		tn_json_begin_object(out);
		tn_json_put_member_text(out, "code", "TYPE_FILE");
		tn_json_put_member_str(out, "message", tn_buf_str(&text));
		tn_json_end_object(out);
		tn_buf_finish(&text);
	}
}

/* `project`: its folder of types; -1: none. */
static struct tn_studio_registry *create(const struct tn_studio_projects *projects, int project,
					 struct tn_studio_fault *fault)
{
	const char *data = projects->options.data_folder;
	struct tn_studio_registry *registry = NULL;
	struct tenon_error err = {.code = TENON_OK};
	struct tn_buf users;
	enum tenon_code code;

	tn_buf_init(&users, TN_STUDIO_STRING_BYTES_MAX);
	if (data) {
		tn_buf_format(&users, "%s/types", data);
		tn_buf_append_byte(&users, '\0');
	}
	code = tn_buf_check(&users, &err);
	if (code == TENON_OK)
		code = tn_studio_registry_with_folders(data ? users.data : NULL, project, &registry,
						       &err);
	tn_buf_finish(&users);
	if (code != TENON_OK)
		(void)tn_studio_fail_error(fault, &err);
	return code == TENON_OK ? registry : NULL;
}

struct tn_studio_registry *tn_studio_projects_registry(struct tn_studio_projects *projects,
						       struct tn_studio_fault *fault)
{
	if (!projects->registry)
		projects->registry = create(projects, -1, fault);
	return projects->registry;
}

struct tn_studio_registry *tn_studio_project_registry(struct tn_studio_project *project,
						      struct tn_studio_fault *fault)
{
	struct tn_studio_registry *registry = NULL;
	struct tn_place place;
	int folder = -1;

	/* A link is no folder of the project's (ST-142). */
	if (tn_studio_project_place(project, "types", &place, NULL) == TENON_OK) {
		if (tn_place_folder(&place, &folder, NULL) != TENON_OK)
			folder = -1;
		tn_place_close(&place);
	}
	if (folder >= 0) {
		registry = create(project->projects, folder, fault);
		(void)close(folder); /* only read from */
	} else {
		registry = tn_studio_projects_registry(project->projects, fault);
		if (registry)
			(void)tn_studio_registry_ref(registry);
	}
	if (registry)
		warn_faults(project, registry);
	return registry;
}
