/* generate_name.c - names and addresses of a node's blocks (studio.md 8.2). */
#include "apps/studio/generate/internal.h"

#include <stdarg.h>
#include <stdio.h>

#include "apps/studio/document/node_name.h"
#include "apps/studio/limits.h"

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
	struct tn_buf out;
	tn_buf_init(&out, TN_STUDIO_RESULT_BYTES_MAX);
	tn_studio_put_extra_name(&out, pattern, tn_studio_gen_node(gen, node)->own, index);
	struct tn_str name = tn_str("", 0);
	if (!out.failed && out.size) {
		char *copy = tn_arena_copy(gen->arena, tn_buf_str(&out));
		name = tn_studio_hcl_identifier(gen->arena, tn_str(copy, copy ? out.size : 0));
	}
	gen->full = gen->full || out.failed;
	tn_buf_finish(&out);
	return name;
}

struct tn_str tn_studio_gen_member(const struct tn_json *item, const char *key)
{
	struct tn_str text = tn_str("", 0);
	(void)tn_json_to_str(tn_json_get(item, key), &text); /* absent is empty */
	return text;
}

const struct tn_json *tn_studio_gen_elements(const struct tn_json *list)
{
	return tn_json_is(list, TN_JSON_ARRAY) ? list->first : NULL;
}

/* The extra with this id whose condition holds; `id` empty: the first one. */
static const struct tn_json *find_extra(struct tn_studio_gen *gen,
					const struct tn_studio_node *node, struct tn_str id)
{
	for (const struct tn_json *one = tn_studio_gen_elements(node->type->extra); one;
	     one = one->next) {
		if (id.size && !tn_str_equal(tn_studio_gen_member(one, "id"), id))
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
		type = tn_studio_gen_member(found, "type");
		name = tn_studio_gen_name(gen, node, tn_studio_gen_member(found, "name"), 0);
	}
	if (!tn_studio_hcl_is_identifier(type))
		return tn_str("", 0);
	return tn_studio_gen_format(gen, "%.*s.%.*s", (int)type.size, type.data, (int)name.size,
				    name.data);
}
