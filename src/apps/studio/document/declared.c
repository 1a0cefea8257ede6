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

/* By the name, or own name, `self`. */
static bool declares_as(const struct tn_studio_type *type, struct tn_str self,
			struct tn_str variable)
{
	const struct tn_studio_property *property;

	if (tn_str_starts(variable, self) && variable.size > self.size + 1 &&
	    variable.data[self.size] == '_') {
		property =
			tn_studio_property_find(type, tn_str_from_offset(variable, self.size + 1));
		if (property && property->sensitive)
			return true;
	}
	return template_declares(type->body, self, variable) ||
	       template_declares(type->extra, self, variable) ||
	       template_declares(type->data, self, variable);
}

/* Whoever calls a secret by the terraformName, where its variable has the own name, means it, too:
 * it is not for a file that everybody reads. */
static bool node_declares(const struct tn_studio_node *node, struct tn_str variable)
{
	return node->type && (declares_as(node->type, node->own, variable) ||
			      declares_as(node->type, node->name, variable));
}

bool tn_studio_variable_is_sensitive(const struct tn_studio_document *document,
				     struct tn_str variable)
{
	for (size_t i = 0; i < document->node_count; i++) {
		if (node_declares(document->nodes[i], variable))
			return true;
	}
	return false;
}
