/* generate_block.c - the blocks of a node: data, primary, extras (studio.md 8.2). */
#include "apps/studio/generate/internal.h"

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
	for (const struct tn_json *one = tn_studio_gen_elements(node->type->data); one;
	     one = one->next) {
		struct tn_studio_scope scope = tn_studio_scope_of(gen->document, node, gen->arena);
		if (!tn_studio_condition_holds(&scope, tn_json_get(one, "if")))
			continue;
		struct tn_studio_block *block = tn_studio_gen_block(
			gen, node, tn_studio_gen_member(one, "type"),
			tn_studio_gen_name(gen, node, tn_studio_gen_member(one, "name"), 0), true);
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
		gen, node, tn_studio_gen_member(extra, "type"),
		tn_studio_gen_name(gen, node, tn_studio_gen_member(extra, "name"), index), false);
	if (!block)
		return;
	eval.block = block;
	tn_studio_gen_use_provider(gen, block, node);
	(void)tn_studio_template(&eval, tn_json_get(extra, "items"), &block->body);
}

static void add_extras(struct tn_studio_gen *gen, const struct tn_studio_node *node)
{
	for (const struct tn_json *one = tn_studio_gen_elements(node->type->extra); one;
	     one = one->next) {
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
			tn_studio_eval_elements(&eval, tn_studio_gen_member(one, "each"), &each);
		for (const struct tn_json *element = tn_studio_gen_elements(elements); element;
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
