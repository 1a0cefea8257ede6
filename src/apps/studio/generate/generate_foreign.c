/* generate_foreign.c - configuration that no type covers, written back as it was taken in
 * (studio.md section 18): foreign.tf, and the values of its variables.
 *
 * A node of an unknown type may carry `foreignText` and `foreignValues`, each a list of pieces of a
 * text. They come from project files, so they are parsed first: what is not whole blocks (or
 * arguments) by itself could change the meaning of what stands beside it, and is left out. */
#include "apps/studio/generate/internal.h"
#include "apps/studio/hcl/hcl.h"
#include "apps/studio/limits.h"

/* Empty: there is none. */
static struct tn_str joined(struct tn_studio_gen *gen, const struct tn_json *pieces)
{
	struct tn_str ret = TN_STR(""), piece;
	struct tn_buf all;
	char *copy;

	if (!tn_json_is(pieces, TN_JSON_ARRAY))
		return ret;
	tn_buf_init(&all, TN_HCL_BYTES_MAX);
	for (const struct tn_json *one = pieces->first; one; one = one->next) {
		if (tn_json_to_str(one, &piece))
			tn_buf_append_str(&all, piece);
	}
	copy = all.failed ? NULL : tn_arena_copy(gen->arena, tn_buf_str(&all));
	if (copy)
		ret = tn_str(copy, all.size);
	tn_buf_finish(&all);
	return ret;
}

static bool is_whole(struct tn_studio_gen *gen, struct tn_str text, bool values)
{
	struct tn_hcl_file *file;
	struct tenon_error err;

	if (tn_hcl_parse(gen->arena, text, &file, &err) != TENON_OK || file->faults)
		return false;
	return values ? file->body->blocks == NULL : file->body->attributes == NULL;
}

static void print_foreign(struct tn_studio_gen_print *print, const char *name, const char *member,
			  bool values)
{
	const struct tn_studio_document *document = print->gen->document;
	bool begun = false;

	for (size_t i = 0; i < document->node_count; i++) {
		const struct tn_studio_node *node = document->nodes[i];
		struct tn_str text;

		if (node->type)
			continue;
		text = joined(print->gen, tn_json_get(node->record, member));
		if (text.size == 0)
			continue;
		if (!is_whole(print->gen, text, values)) {
			tn_studio_gen_tell(print->gen, TN_STUDIO_ERROR, "INVALID_VALUE", node,
					   tn_str_from(member),
					   "What was kept of '%.*s' cannot be read as "
					   "configuration, and is left out.",
					   (int)node->label.size, node->label.data);
			continue;
		}
		if (!begun)
			tn_studio_print_begin(print, name);
		begun = true;
		tn_studio_print_text(print, text, node);
	}
}

void tn_studio_print_foreigners(struct tn_studio_gen_print *print)
{
	print_foreign(print, "foreign.tf", "foreignText", false);
	print_foreign(print, "foreign.auto.tfvars", "foreignValues", true);
}
