#include "apps/studio/import/import_test_kit.h"

#include "apps/studio/limits.h"
#include "jsonrpc/json_write.h"

bool tn_studio_import_kit_init(struct tn_studio_import_kit *kit,
			       struct tn_studio_registry *registry)
{
	struct tn_oplog_options options = {.ops = &tn_studio_document_ops,
					   .document = &kit->document,
					   .clock = &tn_clock_system};
	struct tenon_error err;

	*kit = (struct tn_studio_import_kit){.registry = registry};
	tn_arena_init(&kit->arena, TN_STUDIO_ARENA_MAX);
	tn_buf_init(&kit->answer, TN_STUDIO_RESULT_BYTES_MAX);
	tn_studio_document_init(&kit->document, registry);
	return tn_oplog_open(&options, &kit->log, &err) == TENON_OK;
}

void tn_studio_import_kit_finish(struct tn_studio_import_kit *kit)
{
	tn_oplog_close(kit->log);
	tn_studio_document_finish(&kit->document);
	tn_arena_finish(&kit->arena);
	tn_buf_finish(&kit->answer);
}

bool tn_studio_import_kit_take(struct tn_studio_import_kit *kit,
			       const struct tn_studio_import_options *options)
{
	struct tn_studio_edit edit = {.document = &kit->document,
				      .log = kit->log,
				      .arena = &kit->arena,
				      .fault = &kit->fault,
				      .actor = "test",
				      .tool = "import_terraform"};
	struct tn_json *result;

	tn_buf_clear(&kit->answer);
	kit->fault = (struct tn_studio_fault){.code = NULL};
	kit->result = NULL;
	if (!tn_studio_edit_begin(&edit, -1))
		return false;
	tn_json_begin_object(&kit->answer);
	if (!tn_studio_import(&edit, options, &kit->answer)) {
		tn_studio_edit_abandon(&edit);
		return false;
	}
	tn_json_end_object(&kit->answer);
	if (!tn_studio_edit_finish(&edit, NULL, options->dry_run, &kit->change))
		return false;
	if (tn_json_parse_copy(&kit->arena, tn_buf_str(&kit->answer), &result, NULL) != TENON_OK)
		return false;
	kit->result = result;
	return true;
}

bool tn_studio_import_kit_generate(struct tn_studio_import_kit *kit, const char *project_name)
{
	const struct tn_studio_generate_options options = {.project_name =
								   tn_str_from(project_name)};
	struct tenon_error err;

	if (tn_studio_document_index(&kit->document, &err) != TENON_OK)
		return false;
	tn_studio_diagnostics_init(&kit->list, &kit->arena);
	return tn_studio_generate(&kit->document, &options, &kit->arena, &kit->list,
				  &kit->generated);
}

struct tn_str tn_studio_import_kit_file(const struct tn_studio_import_kit *kit, struct tn_str name)
{
	for (size_t i = 0; i < kit->generated.file_count; i++) {
		if (tn_str_equal(kit->generated.files[i].name, name))
			return kit->generated.files[i].text;
	}
	return TN_STR("");
}
