/* generate_block.c - the blocks of a node: data, primary, extras (studio.md 8.2); names and
 * addresses. */
#include "apps/studio/generate_private.h"

#include <stdarg.h>
#include <stdio.h>

#include "base/limits.h"

struct tn_str tn_studio_gen_format(struct tn_studio_gen *gen, const char *format, ...)
{
	va_list args, again;
	va_start(args, format);
	va_copy(again, args);
	int size = vsnprintf(NULL, 0, format, args);
	char *text = size >= 0 ? tn_arena_alloc_raw(gen->arena, (size_t)size + 1) : NULL;
	if (text)
		(void)vsnprintf(text, (size_t)size + 1, format, again); /* it fits */
	va_end(again);
	va_end(args);
	if (!text)
		gen->full = true;
	return tn_str(text, text ? (size_t)size : 0);
}

const struct tn_studio_gen_node *tn_studio_gen_node(const struct tn_studio_gen *gen,
						    const struct tn_studio_node *node)
{
	return &gen->nodes[node->order];
}

struct tn_str tn_studio_gen_name(struct tn_studio_gen *gen, const struct tn_studio_node *node,
				 struct tn_str pattern, size_t index)
{
	struct tn_str self = tn_studio_gen_node(gen, node)->name;
	struct tn_buf out;
	tn_buf_init(&out, TN_STUDIO_RESULT_BYTES_MAX);
	for (size_t at = 0; at < pattern.size;) {
		struct tn_str rest = tn_str_from_offset(pattern, at);
		if (tn_str_starts(rest, TN_STR("{self}"))) {
			tn_buf_append_str(&out, self);
			at += strlen("{self}");
		} else if (tn_str_starts(rest, TN_STR("{index}"))) {
			tn_buf_append_uint(&out, index);
			at += strlen("{index}");
		} else {
			tn_buf_append_byte(&out, rest.data[0]);
			at++;
		}
	}
	struct tn_str name = tn_str("", 0);
	if (!out.failed && out.size) {
		char *copy = tn_arena_copy(gen->arena, tn_buf_str(&out));
		name = tn_studio_hcl_identifier(gen->arena, tn_str(copy, copy ? out.size : 0));
	}
	gen->full = gen->full || out.failed;
	tn_buf_finish(&out);
	return name;
}

static struct tn_str member(const struct tn_json *item, const char *key)
{
	struct tn_str text = tn_str("", 0);
	(void)tn_json_to_str(tn_json_get(item, key), &text); /* absent is empty */
	return text;
}

static const struct tn_json *elements_of(const struct tn_json *list)
{
	return tn_json_is(list, TN_JSON_ARRAY) ? list->first : NULL;
}

/* The extra with this id whose condition holds; `id` empty: the first one. */
static const struct tn_json *find_extra(struct tn_studio_gen *gen,
					const struct tn_studio_node *node, struct tn_str id)
{
	for (const struct tn_json *one = elements_of(node->type->extra); one; one = one->next) {
		if (id.size && !tn_str_equal(member(one, "id"), id))
			continue;
		struct tn_studio_scope scope = tn_studio_scope_of(gen->document, node, gen->arena);
		if (tn_studio_condition_holds(&scope, tn_json_get(one, "if")))
			return one;
	}
	return NULL;
}

struct tn_str tn_studio_gen_address(struct tn_studio_gen *gen, const struct tn_studio_node *node,
				    struct tn_str extra)
{
	const struct tn_studio_gen_node *known = tn_studio_gen_node(gen, node);
	struct tn_str type = known->type, name = known->name;
	if (!node->type || type.size == 0)
		return tn_str("", 0);
	if (extra.size || node->type->no_primary) {
		const struct tn_json *found = find_extra(gen, node, extra);
		if (!found)
			return tn_str("", 0);
		type = member(found, "type");
		name = tn_studio_gen_name(gen, node, member(found, "name"), 0);
	}
	if (!tn_studio_hcl_is_identifier(type))
		return tn_str("", 0);
	return tn_studio_gen_format(gen, "%.*s.%.*s", (int)type.size, type.data, (int)name.size,
				    name.data);
}

struct tn_studio_block *tn_studio_gen_block(struct tn_studio_gen *gen,
					    const struct tn_studio_node *node, struct tn_str type,
					    struct tn_str name, bool data)
{
	if (!tn_studio_hcl_is_identifier(type) || name.size == 0)
		return NULL;
	struct tn_studio_block *block = tn_arena_alloc(gen->arena, sizeof(*block));
	struct tenon_error err;
	if (!block)
		return NULL;
	block->data = data;
	block->type = type;
	block->name = tn_studio_hcl_identifier(gen->arena, name);
	block->address =
		tn_studio_gen_format(gen, "%s%.*s.%.*s", data ? "data." : "", (int)type.size,
				     type.data, (int)block->name.size, block->name.data);
	block->node = node;
	block->index = (uint32_t)gen->block_count;
	struct tn_studio_block *other = tn_map_get(&gen->by_address, block->address);
	if (other && data)
		return NULL; /* once, however many ask for it */
	if (other) {
		block->duplicate = true;
		tn_studio_gen_tell(gen, TN_STUDIO_ERROR, "DUPLICATE_ADDRESS", node, tn_str("", 0),
				   "'%.*s' is made twice, by '%.*s' and by '%.*s'; rename one.",
				   (int)block->address.size, block->address.data,
				   (int)other->node->label.size, other->node->label.data,
				   (int)node->label.size, node->label.data);
	} else if (tn_map_put(&gen->by_address, block->address, block, &err) != TENON_OK) {
		gen->full = true;
		return NULL;
	}
	if (gen->last_block)
		gen->last_block->next = block;
	else
		gen->blocks = block;
	gen->last_block = block;
	gen->block_count++;
	return block;
}

static void add_data(struct tn_studio_gen *gen, const struct tn_studio_node *node)
{
	for (const struct tn_json *one = elements_of(node->type->data); one; one = one->next) {
		struct tn_studio_scope scope = tn_studio_scope_of(gen->document, node, gen->arena);
		if (!tn_studio_condition_holds(&scope, tn_json_get(one, "if")))
			continue;
		struct tn_studio_block *block = tn_studio_gen_block(
			gen, node, member(one, "type"),
			tn_studio_gen_name(gen, node, member(one, "name"), 0), true);
		if (!block)
			continue;
		tn_studio_gen_use_provider(gen, block, node);
		struct tn_studio_eval eval = tn_studio_eval_of(gen, node, block);
		(void)tn_studio_template(&eval, tn_json_get(one, "items"), &block->body);
	}
}

static void add_extra(struct tn_studio_gen *gen, const struct tn_studio_node *node,
		      const struct tn_json *extra, const struct tn_studio_property *each,
		      const struct tn_json *element, size_t index)
{
	struct tn_studio_eval eval = tn_studio_eval_of(gen, node, NULL);
	if (element) {
		tn_studio_eval_set_item(&eval, each, element);
		if (!tn_studio_condition_holds(&eval.scope, tn_json_get(extra, "eachIf")))
			return;
	}
	struct tn_studio_block *block = tn_studio_gen_block(
		gen, node, member(extra, "type"),
		tn_studio_gen_name(gen, node, member(extra, "name"), index), false);
	if (!block)
		return;
	eval.block = block;
	tn_studio_gen_use_provider(gen, block, node);
	(void)tn_studio_template(&eval, tn_json_get(extra, "items"), &block->body);
}

static void add_extras(struct tn_studio_gen *gen, const struct tn_studio_node *node)
{
	for (const struct tn_json *one = elements_of(node->type->extra); one; one = one->next) {
		const struct tn_studio_property *each = NULL;
		struct tn_studio_eval eval = tn_studio_eval_of(gen, node, NULL);
		size_t index = 0;
		if (!tn_studio_condition_holds(&eval.scope, tn_json_get(one, "if")))
			continue;
		if (!tn_json_get(one, "each")) {
			add_extra(gen, node, one, NULL, NULL, 0);
			continue;
		}
		const struct tn_json *elements =
			tn_studio_eval_elements(&eval, member(one, "each"), &each);
		for (const struct tn_json *element = elements_of(elements); element;
		     element = element->next)
			add_extra(gen, node, one, each, element, index++);
	}
}

void tn_studio_gen_node_blocks(struct tn_studio_gen *gen, const struct tn_studio_node *node)
{
	const struct tn_studio_gen_node *known = tn_studio_gen_node(gen, node);
	if (!node->type || known->type.size == 0)
		return;
	add_data(gen, node);
	if (!node->type->no_primary) {
		struct tn_studio_block *block =
			tn_studio_gen_block(gen, node, known->type, known->name, false);
		if (block) {
			block->primary = true;
			tn_studio_gen_use_provider(gen, block, node);
			struct tn_studio_eval eval = tn_studio_eval_of(gen, node, block);
			(void)tn_studio_template(&eval, node->type->body, &block->body);
		}
	}
	add_extras(gen, node);
	tn_studio_gen_endpoints(gen, node);
}
