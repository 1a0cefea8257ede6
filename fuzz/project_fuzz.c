/* project_fuzz.c - any bytes as diagram.json, cost.json and the configuration of studio.json: read
 * or refused; what was read is written, and read again as the same; it can be checked, shown and
 * redacted whatever stands in it.
 *
 * The texts stand one after the other, a NUL between two. */
#include <stdint.h>
#include <string.h>

#include "apps/studio/document/config.h"
#include "apps/studio/document/diagnostic.h"
#include "apps/studio/limits.h"
#include "apps/studio/project/project.h"
#include "base/utf8.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static struct tn_studio_registry *registry;

static struct tn_str take(struct tn_str *rest)
{
	size_t end = tn_str_find_byte(*rest, '\0');
	struct tn_str text = end == TN_STR_NONE ? *rest : tn_str(rest->data, end);

	*rest = tn_str_from_offset(*rest, text.size + 1);
	return text;
}

static struct tn_json *parse(struct tn_arena *arena, struct tn_str text)
{
	struct tn_json *value = NULL;

	if (text.size == 0 || tn_json_parse_copy(arena, text, &value, NULL) != TENON_OK)
		return NULL;
	return value;
}

/* The operation that files make; NULL: they were refused. */
static struct tn_json *read_files(struct tn_arena *arena, const struct tn_json *diagram,
				  const struct tn_json *cost, const struct tn_json *config,
				  bool *ret_repaired)
{
	struct tn_studio_fault fault = {.code = NULL};
	struct tn_json *operation = NULL;
	struct tn_buf repairs;

	tn_buf_init(&repairs, 64 * TN_MIB);
	if (!tn_studio_document_read(registry, diagram, cost, config, arena, &operation, &repairs,
				     &fault)) {
		tn_assert(fault.code && fault.message[0] &&
			  tn_utf8_valid(fault.message, strlen(fault.message)));
		operation = NULL;
	}
	*ret_repaired = repairs.size > 2;
	tn_buf_finish(&repairs);
	return operation;
}

static bool apply(struct tn_studio_document *document, const struct tn_json *operation)
{
	struct tn_buf inverse;
	struct tenon_error err = {0};
	enum tenon_code code;

	tn_buf_init(&inverse, 64 * TN_MIB);
	code = tn_studio_document_ops.apply(document, operation, &inverse, &err);
	tn_buf_finish(&inverse);
	return code == TENON_OK;
}

/* Nothing that is asked of a document in daily life can be broken by what stands in it. */
static void use(struct tn_studio_document *document, struct tn_arena *arena)
{
	struct tn_studio_project project = {.document = *document};
	struct tn_studio_diagnostics list;
	struct tn_buf out, paths, hints;

	tn_assert(tn_studio_document_index(document, NULL) == TENON_OK);
	project.document = *document;
	tn_buf_init(&out, 64 * TN_MIB);
	tn_buf_init(&paths, 64 * TN_MIB);
	tn_buf_init(&hints, 64 * TN_MIB);
	tn_studio_diagnostics_init(&list, arena);
	tn_studio_check(document, NULL, &list);
	tn_studio_diagnostics_put(&out, &list);
	tn_assert(out.failed || parse(arena, tn_buf_str(&out)));
	tn_buf_clear(&out);
	tn_studio_config_put(&out, document, &paths, &hints);
	tn_assert(out.failed || parse(arena, tn_buf_str(&out)));
	tn_assert(paths.failed || parse(arena, tn_buf_str(&paths)));
	tn_assert(hints.failed || parse(arena, tn_buf_str(&hints)));
	tn_buf_clear(&paths);
	tn_studio_redact(&project, tn_buf_str(&out), &paths);
	tn_buf_finish(&out);
	tn_buf_finish(&paths);
	tn_buf_finish(&hints);
}

/* Written and read once more it is the same, and needs no repair. */
static void write_and_read(const struct tn_studio_document *document,
			   const struct tn_json *operation, struct tn_arena *arena)
{
	struct tn_buf diagram, cost, again;
	struct tn_studio_document second;
	struct tn_json *read;
	bool repaired;

	tn_buf_init(&diagram, 64 * TN_MIB);
	tn_buf_init(&cost, 64 * TN_MIB);
	tn_buf_init(&again, 64 * TN_MIB);
	tn_studio_document_write_diagram(document, 7, &diagram);
	tn_studio_document_write_cost(document, &cost);
	tn_assert(!diagram.failed && !cost.failed);
	read = read_files(arena, parse(arena, tn_buf_str(&diagram)),
			  parse(arena, tn_buf_str(&cost)), document->config, &repaired);
	tn_assert(read && !repaired);
	tn_studio_document_init(&second, registry);
	tn_assert(apply(&second, read));
	tn_studio_document_write_diagram(&second, 7, &again);
	tn_assert(tn_str_equal(tn_buf_str(&diagram), tn_buf_str(&again)));
	tn_buf_clear(&again);
	tn_studio_document_write_cost(&second, &again);
	tn_assert(tn_str_equal(tn_buf_str(&cost), tn_buf_str(&again)));
	(void)operation;
	tn_studio_document_finish(&second);
	tn_buf_finish(&diagram);
	tn_buf_finish(&cost);
	tn_buf_finish(&again);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct tn_str rest = tn_str((const char *)data, size);
	const struct tn_json *diagram, *cost, *config;
	struct tn_studio_document document;
	struct tn_json *operation;
	struct tn_arena arena;
	bool repaired;

	if (!registry)
		tn_assert(tn_studio_registry_built_in(&registry, NULL) == TENON_OK);
	tn_arena_init(&arena, TN_STUDIO_ARENA_MAX);
	diagram = parse(&arena, take(&rest));
	cost = parse(&arena, take(&rest));
	config = parse(&arena, take(&rest));
	if (config && config->type != TN_JSON_OBJECT)
		config = NULL; /* studio.json is refused before */
	operation = diagram ? read_files(&arena, diagram, cost, config, &repaired) : NULL;
	if (operation) {
		tn_studio_document_init(&document, registry);
		tn_assert(apply(&document, operation));
		use(&document, &arena);
		write_and_read(&document, operation, &arena);
		tn_studio_document_finish(&document);
	}
	tn_arena_finish(&arena);
	return 0;
}
