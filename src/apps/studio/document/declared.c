#include "apps/studio/document/declared.h"

/* ---- which variables are secrets (8.4) ---- */

/* "{self}_secret_{item.name}" against a name; what stands in braces is any text, {self} the node's
 * own name. Two pointers and one place to go back to: linear but for the stars. */
static bool matches_template(struct tn_str pattern, struct tn_str self, struct tn_str name)
{
	size_t p = 0, n = 0, star = TN_STR_NONE, star_n = 0;

	if (tn_str_starts(pattern, TN_STR("{self}"))) {
		if (!tn_str_starts(name, self))
			return false;
		p = 6;
		n = self.size;
	}
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

/* Looks for {"var":..., "sensitive":true}; templates were checked and are not deep. */
static bool template_declares(const struct tn_json *template, struct tn_str self,
			      struct tn_str variable)
{
	bool sensitive = false;
	struct tn_str pattern;

	if (!template || (template->type != TN_JSON_OBJECT && template->type != TN_JSON_ARRAY))
		return false;
	if (template->type == TN_JSON_OBJECT &&
	    tn_json_to_str(tn_json_get(template, "var"), &pattern) &&
	    tn_json_to_bool(tn_json_get(template, "sensitive"), &sensitive) && sensitive &&
	    matches_template(pattern, self, variable))
		return true;
	for (const struct tn_json *child = template->first; child; child = child->next) {
		if (template_declares(child, self, variable))
			return true;
	}
	return false;
}

static bool declares_as(const struct tn_studio_type *type, struct tn_str self,
			struct tn_str variable, struct tn_str *ret_rest)
{
	const struct tn_studio_property *property = NULL;
	bool begins = tn_str_starts(variable, self) && variable.size > self.size + 1 &&
		      variable.data[self.size] == '_';

	*ret_rest = begins ? tn_str_from_offset(variable, self.size + 1) : variable;
	if (begins)
		property = tn_studio_property_find(type, *ret_rest);
	return (property && property->sensitive) || template_declares(type->body, self, variable) ||
	       template_declares(type->extra, self, variable) ||
	       template_declares(type->data, self, variable);
}

const struct tn_studio_node *tn_studio_secret_owner(const struct tn_studio_document *document,
						    struct tn_str variable, struct tn_str *ret_rest)
{
	/* Whoever calls a secret by the terraformName, where its variable has the own name, means
	 * it, too: it is not for a file that everybody reads. */
	struct tn_str rest;

	for (int by_name = 0; by_name < 2; by_name++) {
		for (size_t i = 0; i < document->node_count; i++) {
			const struct tn_studio_node *node = document->nodes[i];

			if (!node->type ||
			    !declares_as(node->type, by_name ? node->name : node->own, variable,
					 &rest))
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
