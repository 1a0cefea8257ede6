#include "apps/studio/generate/generate_test_kit.h"

#include "apps/studio/limits.h"

bool tn_studio_gen_kit_init(struct tn_studio_gen_kit *kit)
{
	struct tenon_error err;
	*kit = (struct tn_studio_gen_kit){.has_document = false};
	tn_arena_init(&kit->arena, TN_STUDIO_ARENA_MAX);
	return tn_studio_registry_built_in(&kit->registry, &err) == TENON_OK;
}

static void drop(struct tn_studio_gen_kit *kit)
{
	if (kit->has_document)
		tn_studio_document_finish(&kit->document);
	kit->has_document = false;
	tn_arena_reset(&kit->arena);
}

void tn_studio_gen_kit_finish(struct tn_studio_gen_kit *kit)
{
	drop(kit);
	tn_arena_finish(&kit->arena);
	tn_studio_registry_unref(kit->registry);
}

static bool read_json(struct tn_studio_gen_kit *kit, struct tn_str text, bool quotes,
		      struct tn_json **ret)
{
	struct tenon_error err;
	char *copy = tn_arena_copy(&kit->arena, text);
	for (size_t i = 0; copy && quotes && i < text.size; i++) {
		if (copy[i] == '\'')
			copy[i] = '"';
	}
	return copy && tn_json_parse(&kit->arena, copy, text.size, ret, &err) == TENON_OK;
}

bool tn_studio_gen_kit_load(struct tn_studio_gen_kit *kit, struct tn_str diagram,
			    struct tn_str config, bool quotes)
{
	struct tn_json *tree, *settings, *operation;
	struct tn_studio_fault fault = {.code = NULL};
	struct tn_buf repairs, inverse;
	struct tenon_error err;
	drop(kit);
	if (!read_json(kit, diagram, quotes, &tree) || !read_json(kit, config, quotes, &settings))
		return false;
	tn_buf_init(&repairs, TN_STUDIO_RESULT_BYTES_MAX);
	tn_buf_init(&inverse, TN_STUDIO_RESULT_BYTES_MAX);
	tn_studio_document_init(&kit->document, kit->registry);
	kit->has_document = true;
	bool good = tn_studio_document_read(kit->registry, tree, NULL, settings, &kit->arena,
					    &operation, &repairs, &fault) &&
		    tn_studio_document_ops.apply(&kit->document, operation, &inverse, &err) ==
			    TENON_OK &&
		    tn_studio_document_index(&kit->document, &err) == TENON_OK;
	tn_buf_finish(&repairs);
	tn_buf_finish(&inverse);
	return good;
}

bool tn_studio_gen_kit_run(struct tn_studio_gen_kit *kit, const char *secrets)
{
	struct tn_json *names = NULL;
	if (secrets && !read_json(kit, tn_str_from(secrets), true, &names))
		return false;
	const struct tn_studio_generate_options options = {.project_name = TN_STR("test"),
							   .secrets = names};
	tn_studio_diagnostics_init(&kit->list, &kit->arena);
	return tn_studio_generate(&kit->document, &options, &kit->arena, &kit->list,
				  &kit->generated);
}

struct tn_str tn_studio_gen_kit_file(const struct tn_studio_gen_kit *kit, const char *name)
{
	for (size_t i = 0; i < kit->generated.file_count; i++) {
		if (tn_str_is(kit->generated.files[i].name, name))
			return kit->generated.files[i].text;
	}
	return tn_str("", 0);
}

const struct tn_studio_diagnostic *tn_studio_gen_kit_told(const struct tn_studio_gen_kit *kit,
							  const char *code, unsigned nth)
{
	for (const struct tn_studio_diagnostic *one = kit->list.first; one; one = one->next) {
		if (strcmp(one->code, code) == 0 && nth-- == 0)
			return one;
	}
	return NULL;
}
