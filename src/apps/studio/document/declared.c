#include "apps/studio/document/declared.h"

#include "base/size.h"

/* ---- which variables are secrets (8.4) ---- */

/* "secret_{item.name}" against what follows a node's name; what stands in braces is any text. Two
 * pointers and one place to go back to: linear but for the stars. */
static bool matches_template(struct tn_str pattern, struct tn_str name)
{
	size_t p = 0, n = 0, star = TN_STR_NONE, star_n = 0;

	while (n < name.size || p < pattern.size) {
		struct tn_str rest = tn_str_from_offset(pattern, p);
		size_t close = rest.size > 0 && rest.data[0] == '{' ? tn_str_find_byte(rest, '}')
								    : TN_STR_NONE;

		if (close != TN_STR_NONE) {
			p += close + 1;
			star = p;
			star_n = n;
		} else if (rest.size > 0 && n < name.size && rest.data[0] == name.data[n]) {
			p++;
			n++;
		} else if (star != TN_STR_NONE && star_n < name.size) {
			p = star;
			n = ++star_n;
		} else {
			return false;
		}
	}
	return true;
}

/* Looks for {"var":"{self}_...", "sensitive":true}; templates were checked and are not deep. */
static bool template_declares(const struct tn_json *template, struct tn_str rest)
{
	const struct tn_str self = TN_STR("{self}_");
	bool sensitive = false;
	struct tn_str pattern;

	if (!template || (template->type != TN_JSON_OBJECT && template->type != TN_JSON_ARRAY))
		return false;
	if (template->type == TN_JSON_OBJECT &&
	    tn_json_to_str(tn_json_get(template, "var"), &pattern) &&
	    tn_json_to_bool(tn_json_get(template, "sensitive"), &sensitive) && sensitive &&
	    tn_str_starts(pattern, self) &&
	    matches_template(tn_str_from_offset(pattern, self.size), rest))
		return true;
	for (const struct tn_json *child = template->first; child; child = child->next) {
		if (template_declares(child, rest))
			return true;
	}
	return false;
}

/* Whether the type has a secret that is called so after the node's name. */
static bool has_secret(const struct tn_studio_type *type, struct tn_str rest)
{
	const struct tn_studio_property *property = tn_studio_property_find(type, rest);

	return (property && property->sensitive) || template_declares(type->body, rest) ||
	       template_declares(type->extra, rest) || template_declares(type->data, rest);
}

/* The node with such a secret that has this own name. */
static const struct tn_studio_node *by_own(const struct tn_studio_document *document,
					   struct tn_str own, struct tn_str rest)
{
	const struct tn_studio_node *node = tn_studio_node_by_own(document, own);

	return node && node->type && node->type->has_secrets && has_secret(node->type, rest) ? node
											     : NULL;
}

/* Or this terraformName: whoever calls a secret so, where its variable has the own name, means it,
 * too, and it is not for a file that everybody reads. */
static const struct tn_studio_node *by_name(const struct tn_studio_document *document,
					    struct tn_str name, struct tn_str rest)
{
	for (size_t i = 0; i < document->registry->type_count; i++) {
		const struct tn_studio_type *type = document->registry->types[i];
		const struct tn_studio_node *node =
			type->has_secrets ? tn_studio_node_by_name(document, type->id, name) : NULL;

		if (node && node->type == type && has_secret(type, rest))
			return node;
	}
	return NULL;
}

const struct tn_studio_node *tn_studio_secret_owner(const struct tn_studio_document *document,
						    struct tn_str variable, struct tn_str *ret_rest)
{
	static const struct tn_studio_node *(*const ways[])(
		const struct tn_studio_document *document, struct tn_str name,
		struct tn_str rest) = {by_own, by_name};
	const struct tn_studio_node *node = NULL;

	for (size_t way = 0; way < TN_COUNT(ways); way++) {
		for (size_t at = 1; at + 1 < variable.size; at++) {
			struct tn_str rest = tn_str_from_offset(variable, at + 1);

			if (variable.data[at] == '_')
				node = ways[way](document, tn_str(variable.data, at), rest);
			if (!node)
				continue;
			if (ret_rest)
				*ret_rest = rest;
			return node;
		}
	}
	return NULL;
}

const char *tn_studio_secret_key(struct tn_arena *arena, struct tn_str node_id, struct tn_str rest)
{
	/* No name of a variable has a slash. */
	return tn_arena_format(arena, "%.*s/%.*s", (int)node_id.size, node_id.data, (int)rest.size,
			       rest.data);
}

const struct tn_json *tn_studio_secret_find(const struct tn_json *secrets, struct tn_str node_id,
					    struct tn_str rest)
{
	for (const struct tn_json *at = secrets ? secrets->first : NULL; at; at = at->next) {
		if (at->key.size == node_id.size + 1 + rest.size &&
		    tn_str_starts(at->key, node_id) && at->key.data[node_id.size] == '/' &&
		    tn_str_ends(at->key, rest))
			return at;
	}
	return NULL;
}
