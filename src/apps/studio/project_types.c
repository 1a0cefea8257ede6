#include "apps/studio/project_types.h"

#include <sys/stat.h>

#include "apps/studio/project_private.h"
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

/* `project`: its folder of types; NULL: none. */
static struct tn_studio_registry *create(const struct tn_studio_projects *projects,
					 const char *project, struct tn_studio_fault *fault)
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
		projects->registry = create(projects, NULL, fault);
	return projects->registry;
}

struct tn_studio_registry *tn_studio_project_registry(struct tn_studio_project *project,
						      struct tn_studio_fault *fault)
{
	struct tn_studio_registry *registry = NULL;
	struct tn_buf path;
	struct stat status;

	tn_buf_init(&path, TN_STUDIO_STRING_BYTES_MAX);
	if (!tn_studio_project_join(project, "types", &path, fault)) {
		tn_buf_finish(&path);
		return NULL;
	}
	if (lstat(path.data, &status) == 0 && S_ISDIR(status.st_mode)) {
		registry = create(project->projects, path.data, fault);
	} else {
		registry = tn_studio_projects_registry(project->projects, fault);
		if (registry)
			(void)tn_studio_registry_ref(registry);
	}
	tn_buf_finish(&path);
	if (registry)
		warn_faults(project, registry);
	return registry;
}
