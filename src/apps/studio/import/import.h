/* import.h - existing Terraform configuration or state into a diagram (studio.md section 18).
 *
 * The templates of the registry are run backwards. What no type covers is kept: whole blocks as
 * foreign text that is written back verbatim (`foreign.tf`), attributes in the report. Threads:
 * loop (texts are read beforehand). */
#ifndef TN_STUDIO_IMPORT_H
#define TN_STUDIO_IMPORT_H

#include "apps/studio/edit/edit.h"
#include "apps/studio/hcl/hcl.h"

struct tn_studio_import_file {
	struct tn_str name, text;
};

enum tn_studio_import_source { TN_STUDIO_FROM_CONFIG, TN_STUDIO_FROM_STATE, TN_STUDIO_FROM_PLAN };

struct tn_studio_import_options {
	enum tn_studio_import_source source;
	const struct tn_studio_import_file *files; /* .tf texts, or one JSON of show -json */
	size_t file_count;
	struct tn_str into; /* id of the container for what stands at the top level; empty: none */
	bool dry_run;       /* the caller will abandon the edit: secrets are not kept */
	const struct tn_json *layout; /* NULL: as the project is configured (edit.h) */
};
/* Makes nodes and edges by `edit`; appends the members of import_terraform's answer: `mapped`,
 * `partial`, `foreign`, `renamed` (addresses that are others now; `moved` blocks say so), `lost`,
 * `faults`, `differences` (generated again and compared block by block). */
bool tn_studio_import(struct tn_studio_edit *edit, const struct tn_studio_import_options *options,
		      struct tn_buf *result);

#endif
