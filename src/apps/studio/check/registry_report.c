#include "apps/studio/check/registry_report.h"

#include <stdio.h>

#include "apps/studio/document/document.h"
#include "apps/studio/generate/generate.h"
#include "jsonrpc/json_write.h"

/* The faults of a report while it is made. */
struct making {
	struct tn_arena *arena;
	struct tn_studio_report *report;
	const struct tn_studio_report_fault **tail;
	bool starved;
};

static void add_fault(struct making *making, struct tn_str pointer, struct tn_str message)
{
	struct tn_studio_report_fault *fault = tn_arena_alloc(making->arena, sizeof(*fault));
	const char *where = tn_arena_copy(making->arena, pointer);
	const char *what = tn_arena_copy(making->arena, message);

	if (!fault || !where || !what) {
		making->starved = true;
		return;
	}
	fault->pointer = tn_str(where, pointer.size);
	fault->message = tn_str(what, message.size);
	*making->tail = fault;
	making->tail = &fault->next;
	making->report->fault_count++;
}

static void take_faults(struct making *making)
{
	for (const struct tn_json *f = making->report->registry->faults->first; f; f = f->next)
		add_fault(making, tn_json_get(f, "pointer")->text, tn_json_get(f, "message")->text);
}

static void take_schema(void *data, const struct tn_studio_type *type, const char *message)
{
	add_fault(data, type->id, tn_str_from(message));
}

/* ---- what a type becomes ---- */

/* A diagram with one node: the type with its defaults, under its first legal parent. */
static char *diagram_of(const struct tn_studio_registry *registry,
			const struct tn_studio_type *type, struct tn_arena *arena)
{
	const struct tn_json *parents = type->can_be_child_of;
	const struct tn_studio_type *up =
		parents && parents->first ? tn_studio_type_find(registry, parents->first->text)
					  : NULL;
	struct tn_buf text;
	char *copy;

	tn_buf_init(&text, 64 * TN_KIB);
	tn_buf_append_text(&text, "{\"formatVersion\":1,\"revision\":1,\"nodes\":[");
	if (up) {
		tn_json_begin_object(&text);
		tn_json_put_member_text(&text, "id", "parent");
		tn_json_put_member_str(&text, "typeId", up->id);
		tn_json_put_member_text(&text, "label", "parent");
		tn_json_put_member_text(&text, "terraformName", "parent");
		tn_json_end_object(&text);
	}
	tn_json_begin_object(&text);
	tn_json_put_member_text(&text, "id", "example");
	tn_json_put_member_str(&text, "typeId", type->id);
	tn_json_put_member_text(&text, "label", "example");
	tn_json_put_member_text(&text, "terraformName", "example");
	if (up)
		tn_json_put_member_text(&text, "parentId", "parent");
	tn_json_end_object(&text);
	tn_buf_append_text(&text, "]}");
	copy = text.failed ? NULL : tn_arena_copy(arena, tn_buf_str(&text));
	tn_buf_finish(&text);
	return copy;
}

/* Of main.tf, the blocks of the node alone. */
static bool take_blocks(const struct tn_studio_generated *generated, struct tn_arena *arena,
			struct tn_str *ret)
{
	struct tn_buf text;
	const char *copy;

	tn_buf_init(&text, TN_MIB);
	for (size_t i = 0; i < generated->place_count; i++) {
		const struct tn_studio_place *place = &generated->places[i];

		if (place->property.size > 0 || !place->node ||
		    !tn_str_is(place->node->id, "example") || !tn_str_is(place->file, "main.tf"))
			continue;
		if (text.size > 0)
			tn_buf_append_byte(&text, '\n');
		tn_buf_append_str(&text, place->text);
		if (text.size > 0 && text.data[text.size - 1] != '\n')
			tn_buf_append_byte(&text, '\n');
	}
	copy = text.failed ? NULL : tn_arena_copy(arena, tn_buf_str(&text));
	*ret = tn_str(copy, copy ? text.size : 0);
	tn_buf_finish(&text);
	return copy != NULL;
}

static bool generate(struct making *making, const struct tn_studio_type *type, struct tn_str *ret)
{
	struct tn_studio_registry *registry = making->report->registry;
	const struct tn_studio_generate_options options = {.project_name = TN_STR("types check")};
	char *diagram = diagram_of(registry, type, making->arena);
	struct tn_studio_fault fault = {.code = NULL};
	struct tn_studio_diagnostics list;
	struct tn_studio_generated generated;
	struct tn_studio_document document;
	struct tn_buf repairs, inverse;
	struct tn_json *tree, *operation;
	struct tenon_error err;
	bool right;

	*ret = tn_str("", 0);
	if (!diagram ||
	    tn_json_parse(making->arena, diagram, strlen(diagram), &tree, &err) != TENON_OK)
		return false;
	tn_buf_init(&repairs, TN_MIB);
	tn_buf_init(&inverse, TN_MIB);
	tn_studio_document_init(&document, registry);
	tn_studio_diagnostics_init(&list, making->arena);
	right = tn_studio_document_read(registry, tree, NULL, NULL, making->arena, &operation,
					&repairs, &fault) &&
		tn_studio_document_ops.apply(&document, operation, &inverse, &err) == TENON_OK &&
		tn_studio_document_index(&document, &err) == TENON_OK &&
		tn_studio_generate(&document, &options, making->arena, &list, &generated) &&
		take_blocks(&generated, making->arena, ret);
	tn_studio_document_finish(&document);
	tn_buf_finish(&repairs);
	tn_buf_finish(&inverse);
	return right;
}

static bool take_types(struct making *making, const struct tn_json *schema)
{
	const struct tn_studio_registry *registry = making->report->registry;
	struct tn_studio_report_type *list =
		tn_arena_alloc_array(making->arena, registry->type_count + 1, sizeof(*list));

	if (!list)
		return false;
	making->report->types = list;
	for (size_t i = 0; i < registry->type_count; i++) {
		const struct tn_studio_type *type = registry->types[i];
		struct tn_studio_report_type *entry = &list[making->report->type_count];

		if (!type->from_project) /* of the built-in file */
			continue;
		entry->type = type;
		if (!generate(making, type, &entry->hcl))
			return false;
		if (schema)
			(void)tn_studio_schema_check(schema, type, take_schema, making);
		making->report->type_count++;
	}
	return !making->starved;
}

enum tenon_code tn_studio_report_make(struct tn_str name, struct tn_str text,
				      const struct tn_json *schema, struct tn_arena *arena,
				      struct tn_studio_report *ret, struct tenon_error *err)
{
	const struct tn_studio_source source = {.name = name, .text = text, .from_project = true};
	struct making making = {.arena = arena, .report = ret};
	enum tenon_code code;

	*ret = (struct tn_studio_report){.registry = NULL};
	making.tail = &ret->faults;
	if (schema && !tn_json_is(tn_json_get(schema, "provider_schemas"), TN_JSON_OBJECT))
		return tn_fail(err, TENON_INVALID,
			       "the schema is not what `terraform providers schema -json` prints");
	code = tn_studio_registry_create(&source, 1, &ret->registry, err);
	if (code != TENON_OK)
		return code;
	take_faults(&making);
	if (!take_types(&making, schema)) {
		tn_studio_report_finish(ret);
		return tn_fail(err, TENON_NO_MEMORY, "out of memory");
	}
	return TENON_OK;
}

void tn_studio_report_finish(struct tn_studio_report *report)
{
	tn_studio_registry_unref(report->registry);
	report->registry = NULL;
}

void tn_studio_report_put(struct tn_buf *out, const struct tn_studio_report *report)
{
	tn_json_begin_object(out);
	tn_json_put_member_bool(out, "valid", report->fault_count == 0);
	tn_json_put_key(out, "faults");
	tn_json_begin_array(out);
	for (const struct tn_studio_report_fault *f = report->faults; f; f = f->next) {
		tn_json_begin_object(out);
		tn_json_put_member_str(out, "pointer", f->pointer);
		tn_json_put_member_str(out, "message", f->message);
		tn_json_end_object(out);
	}
	tn_json_end_array(out);
	tn_json_put_key(out, "types");
	tn_json_begin_array(out);
	for (size_t i = 0; i < report->type_count; i++) {
		tn_json_begin_object(out);
		tn_json_put_member_str(out, "typeId", report->types[i].type->id);
		tn_json_put_member_str(out, "hcl", report->types[i].hcl);
		tn_json_end_object(out);
	}
	tn_json_end_array(out);
	tn_json_end_object(out);
}

void tn_studio_report_print(struct tn_buf *out, struct tn_str name,
			    const struct tn_studio_report *report)
{
	for (const struct tn_studio_report_fault *f = report->faults; f; f = f->next) {
		tn_buf_append_str(out, name);
		tn_buf_append_text(out, f->pointer.size > 0 ? " " : "");
		tn_buf_append_str(out, f->pointer);
		tn_buf_append_text(out, ": ");
		tn_buf_append_str(out, f->message);
		tn_buf_append_byte(out, '\n');
	}
	for (size_t i = 0; i < report->type_count; i++) {
		tn_buf_append_text(out, out->size > 0 ? "\n# " : "# ");
		tn_buf_append_str(out, report->types[i].type->id);
		tn_buf_append_byte(out, '\n');
		tn_buf_append_str(out, report->types[i].hcl);
	}
	tn_buf_format(out, "%s%zu types, %zu mistakes\n", out->size > 0 ? "\n" : "",
		      report->type_count, report->fault_count);
}
