/* Undone back to what was saved, a project is saved (SC-189). */
#include <string.h>

#include "apps/studio/project/internal.h"
#include "apps/studio/limits.h"

static bool is_as_saved(const struct tn_studio_project *project, int file)
{
	const struct tn_studio_saved *saved = &project->own->saved;
	char digest[TN_DIGEST_HEX_SIZE] = "";
	struct tn_buf text;
	bool wanted = true, same;

	tn_buf_init(&text, TN_STUDIO_FILE_BYTES_MAX);
	if (file == TN_STUDIO_FILE_DIAGRAM) /* it says at which revision that was */
		tn_studio_document_write_diagram(&project->document, saved->revision, &text);
	else
		wanted = tn_studio_project_render(project, file, &text);
	if (wanted)
		tn_digest_hex(tn_buf_str(&text), digest);
	same = !text.failed && strcmp(digest, saved->digests[file]) == 0;
	tn_buf_finish(&text);
	return same;
}

void tn_studio_project_settle(struct tn_studio_project *project)
{
	struct tn_studio_project_private *own = project->own;

	if (!tn_studio_project_is_dirty(project) || project->disk_changed)
		return;
	for (int i = 0; i < TN_STUDIO_FILE_COUNT; i++) {
		if (!is_as_saved(project, i))
			return;
	}
	own->saved.revision = tn_oplog_revision(project->log);
	project->saved_revision = own->saved.revision;
	project->recovered = false;
	/* Where it cannot be written it opens as one with unsaved changes, and has them all. */
	(void)tn_studio_saved_write(project, &own->saved, NULL);
	tn_studio_project_tell(project, "projects");
}
