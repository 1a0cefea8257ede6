/* generate.c - the files of a configuration, one after the other (generate.h). */
#include "apps/studio/generate/internal.h"

#include <stdlib.h>

#include "apps/studio/limits.h"
#include "base/digest.h"

/* ---- printing ---- */

static void print_main(struct tn_studio_gen_print *print)
{
	struct tn_studio_gen *gen = print->gen;
	struct tn_studio_block **ordered = tn_studio_gen_order(gen);
	if (!ordered) {
		gen->full = true;
		return;
	}
	if (gen->block_count == 0)
		return;
	tn_studio_print_begin(print, "main.tf");
	for (size_t i = 0; i < gen->block_count; i++) {
		struct tn_studio_block *block = ordered[i];
		if (block->duplicate) /* two of one address would make all of it invalid */
			continue;
		struct tn_str head = tn_studio_gen_format(gen, "%s \"%.*s\" \"%.*s\"",
							  block->data ? "data" : "resource",
							  (int)block->type.size, block->type.data,
							  (int)block->name.size, block->name.data);
		tn_studio_print_block(print, head, &block->body, block->node, tn_str("", 0),
				      block->address);
	}
}

static void print_locals(struct tn_studio_gen_print *print)
{
	struct tn_studio_gen *gen = print->gen;
	const struct tn_json *tags = tn_json_get(gen->document->config, "tags");
	struct tn_studio_hcl_body body = {NULL, NULL};
	struct tn_studio_hcl_value *value =
		tn_json_is(tags, TN_JSON_OBJECT)
			? tn_studio_hcl_literal(gen->arena, tags)
			: tn_studio_hcl_make(gen->arena, TN_STUDIO_HCL_OBJECT, tn_str("", 0));
	(void)tn_studio_hcl_attribute(gen->arena, &body, TN_STR("common_tags"), value);
	tn_studio_print_begin(print, "locals.tf");
	tn_studio_print_block(print, TN_STR("locals"), &body, NULL, tn_str("", 0), tn_str("", 0));
}

/* ---- outputs ---- */

/* What an output shows: an attribute of the block, or a property of what has none. */
static struct tn_studio_hcl_value *output_value(struct tn_studio_gen *gen,
						const struct tn_studio_node *node,
						const struct tn_studio_output *output)
{
	struct tn_studio_eval eval = tn_studio_eval_of(gen, node, NULL);
	if (!node->type->is_virtual)
		return tn_studio_eval_address(&eval, node, tn_str("", 0), output->attribute);
	const struct tn_studio_property *property = tn_studio_eval_find(&eval, output->attribute);
	const struct tn_json *value =
		property && !property->sensitive ? tn_studio_value(&eval.scope, property) : NULL;
	return tn_studio_value_is_empty(value) ? NULL : tn_studio_hcl_literal(gen->arena, value);
}

static struct tn_str output_name(struct tn_studio_gen_print *print, struct tn_map *taken,
				 const struct tn_studio_node *node,
				 const struct tn_studio_output *output)
{
	struct tn_studio_gen *gen = print->gen;
	struct tn_str self = tn_studio_gen_node(gen, node)->own;
	struct tn_str base = tn_studio_hcl_identifier(
		gen->arena, tn_studio_gen_format(gen, "%.*s_%.*s", (int)self.size, self.data,
						 (int)output->key.size, output->key.data));
	struct tn_str name = base;
	struct tenon_error err;
	for (unsigned number = 2; tn_map_get(taken, name); number++)
		name = tn_studio_gen_format(gen, "%.*s_%u", (int)base.size, base.data, number);
	if (tn_map_put(taken, name, gen, &err) != TENON_OK)
		gen->full = true;
	return name;
}

static void print_output(struct tn_studio_gen_print *print, struct tn_map *taken,
			 const struct tn_studio_node *node, const struct tn_studio_output *output,
			 bool *begun)
{
	struct tn_studio_gen *gen = print->gen;
	struct tn_studio_hcl_body body = {NULL, NULL};
	struct tn_studio_hcl_value *value = output_value(gen, node, output);
	if (!value)
		return;
	if (!*begun)
		tn_studio_print_begin(print, "outputs.tf");
	*begun = true;
	struct tn_str name = output_name(print, taken, node, output);
	(void)tn_studio_hcl_attribute(gen->arena, &body, TN_STR("value"), value);
	if (output->sensitive)
		(void)tn_studio_hcl_attribute(gen->arena, &body, TN_STR("sensitive"),
					      tn_studio_hcl_atom(gen->arena, TN_STR("true")));
	tn_studio_print_block(
		print, tn_studio_gen_format(gen, "output \"%.*s\"", (int)name.size, name.data),
		&body, node, tn_str("", 0), tn_str("", 0));
}

static void print_outputs(struct tn_studio_gen_print *print)
{
	const struct tn_studio_document *document = print->gen->document;
	struct tn_map taken;
	bool begun = false;
	tn_map_init(&taken);
	for (size_t i = 0; i < document->node_count; i++) {
		const struct tn_studio_node *node = document->nodes[i];
		const struct tn_json *enabled = node->enabled_outputs;
		if (!node->type || !tn_json_is(enabled, TN_JSON_ARRAY))
			continue;
		for (const struct tn_json *one = enabled->first; one; one = one->next) {
			const struct tn_studio_output *output =
				one->type == TN_JSON_STRING
					? tn_studio_output_find(node->type, one->text)
					: NULL;
			if (output)
				print_output(print, &taken, node, output, &begun);
		}
	}
	tn_map_finish(&taken);
}

/* ---- all of it ---- */

static void make_blocks(struct tn_studio_gen *gen)
{
	const struct tn_studio_document *document = gen->document;
	bool modules = false;
	for (size_t i = 0; i < document->node_count && !gen->full; i++) {
		tn_studio_gen_node_blocks(gen, document->nodes[i]);
		modules = modules || document->nodes[i]->module_id.size;
	}
	tn_studio_gen_bindings(gen);
	tn_studio_gen_check_relations(gen);
	if (modules)
		tn_studio_gen_tell(gen, TN_STUDIO_INFO, "UNSUPPORTED", NULL, TN_STR("moduleId"),
				   "Modules are not generated yet: their nodes are written to the "
				   "root configuration.");
}

static bool gen_init(struct tn_studio_gen *gen)
{
	const struct tn_studio_document *document = gen->document;
	tn_map_init(&gen->by_address);
	tn_map_init(&gen->variables_by_name);
	tn_map_init(&gen->told);
	tn_map_init(&gen->emitted);
	gen->nodes =
		tn_arena_alloc_array(gen->arena, document->node_count + 1, sizeof(*gen->nodes));
	if (!gen->nodes)
		return false;
	for (size_t i = 0; i < document->node_count; i++) {
		const struct tn_studio_node *node = document->nodes[i];
		struct tn_studio_scope scope = tn_studio_scope_of(document, node, gen->arena);
		gen->nodes[i].name = tn_studio_hcl_identifier(gen->arena, node->name);
		gen->nodes[i].own = tn_studio_hcl_identifier(gen->arena, node->own);
		if (node->type && !node->type->is_virtual)
			gen->nodes[i].type = tn_studio_terraform_type(&scope);
	}
	for (const struct tn_studio_diagnostic *one = gen->list->first; one; one = one->next)
		(void)tn_studio_gen_note_told(gen, one->code, one->node_id, one->property);
	return tn_studio_gen_find_aliases(gen);
}

static int compare_addresses(const void *a, const void *b)
{
	const struct tn_studio_address *left = a, *right = b;
	return tn_str_compare(left->address, right->address);
}

static void list_addresses(struct tn_studio_gen *gen)
{
	struct tn_studio_address *all =
		tn_arena_alloc_array(gen->arena, gen->block_count + 1, sizeof(*all));
	size_t count = 0;
	if (!all) {
		gen->full = true;
		return;
	}
	for (const struct tn_studio_block *one = gen->blocks; one; one = one->next) {
		if (!one->data && !one->duplicate)
			all[count++] =
				(struct tn_studio_address){one->address, one->node, one->primary};
	}
	qsort(all, count, sizeof(*all), compare_addresses);
	gen->ret->addresses = all;
	gen->ret->address_count = count;
}

static void link_places(struct tn_studio_gen *gen, struct tn_studio_place *places)
{
	gen->ret->node_count = gen->document->node_count;
	gen->ret->first_of = tn_arena_alloc_array(gen->arena, gen->ret->node_count + 1,
						  sizeof(*gen->ret->first_of));
	if (!gen->ret->first_of) {
		gen->full = true;
		return;
	}
	for (size_t i = gen->ret->place_count; i-- > 0;) {
		if (!places[i].node)
			continue; /* text that is nobody's */
		const struct tn_studio_place **first = &gen->ret->first_of[places[i].node->order];
		places[i].next_of_node = *first;
		*first = &places[i];
	}
}

static void list_variables(struct tn_studio_gen *gen)
{
	struct tn_studio_variable *all =
		tn_arena_alloc_array(gen->arena, gen->variable_count + 1, sizeof(*all));
	size_t count = 0;
	if (!all) {
		gen->full = true;
		return;
	}
	for (const struct tn_studio_gen_variable *one = gen->variables; one; one = one->next)
		all[count++] = one->shown;
	gen->ret->variables = all;
	gen->ret->variable_count = count;
}

/* Texts and places, once all has been printed and stands still. */
static void keep_files(struct tn_studio_gen_print *print)
{
	struct tn_studio_gen *gen = print->gen;
	struct tn_str all = tn_buf_str(&print->out);
	char *text = print->out.failed ? NULL : tn_arena_copy(gen->arena, all);
	struct tn_studio_place *places =
		tn_arena_alloc_array(gen->arena, print->place_count + 1, sizeof(*places));
	char *hex = tn_arena_alloc(gen->arena, TN_DIGEST_HEX_SIZE);
	if (!text || !places || !hex) {
		gen->full = true;
		return;
	}
	print->starts[print->file_count] = all.size;
	for (size_t i = 0; i < print->file_count; i++)
		print->files[i].text =
			tn_str(text + print->starts[i], print->starts[i + 1] - print->starts[i]);
	for (size_t i = 0; i < print->place_count; i++) {
		places[i] = print->places[i].place;
		places[i].text = tn_str(text + print->places[i].start,
					print->places[i].end - print->places[i].start);
	}
	gen->ret->files = print->files;
	gen->ret->file_count = print->file_count;
	gen->ret->places = places;
	gen->ret->place_count = print->place_count;
	link_places(gen, places);
	struct tn_buf sum;
	tn_buf_init(&sum, 2 * TN_STUDIO_RESULT_BYTES_MAX);
	for (size_t i = 0; i < print->file_count; i++) {
		tn_buf_append_str(&sum, print->files[i].name);
		tn_buf_append_byte(&sum, '\0');
		tn_buf_append_str(&sum, print->files[i].text);
		tn_buf_append_byte(&sum, '\0');
	}
	gen->full = gen->full || sum.failed;
	tn_digest_hex(tn_buf_str(&sum), hex);
	gen->ret->digest = tn_str(hex, TN_DIGEST_HEX_SIZE - 1);
	tn_buf_finish(&sum);
}

enum { FILES_MAX = 16 };

static void print_all(struct tn_studio_gen *gen)
{
	struct tn_studio_gen_print print = {.gen = gen};
	print.files = tn_arena_alloc_array(gen->arena, FILES_MAX, sizeof(*print.files));
	if (!print.files) {
		gen->full = true;
		return;
	}
	tn_studio_print_open(&print);
	tn_studio_print_terraform(&print);
	tn_studio_print_providers(&print);
	print_main(&print);
	tn_studio_gen_variable_values(gen); /* all that are used have been declared by now */
	tn_studio_print_variables(&print);
	print_outputs(&print);
	print_locals(&print);
	tn_studio_print_values(&print);
	tn_studio_print_example(&print);
	tn_studio_print_foreigners(&print);
	keep_files(&print);
	tn_buf_finish(&print.out);
}

bool tn_studio_generate(const struct tn_studio_document *document,
			const struct tn_studio_generate_options *options, struct tn_arena *arena,
			struct tn_studio_diagnostics *list, struct tn_studio_generated *ret)
{
	struct tn_studio_gen gen = {
		.document = document, .options = options, .arena = arena, .list = list, .ret = ret};
	*ret = (struct tn_studio_generated){.files = NULL};
	bool good = gen_init(&gen);
	if (good) {
		make_blocks(&gen);
		tn_studio_gen_environment(&gen);
		print_all(&gen);
		list_addresses(&gen);
		list_variables(&gen);
		good = !gen.full && !arena->starved;
	}
	tn_map_finish(&gen.by_address);
	tn_map_finish(&gen.variables_by_name);
	tn_map_finish(&gen.told);
	tn_map_finish(&gen.emitted);
	return good;
}
