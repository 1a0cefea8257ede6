#include "apps/studio/registry/internal.h"

#include <stdio.h>

#include "apps/studio/limits.h"

/* {"by": a property's key, "cases": {value: type}, "default": type} */
static bool read_cases(struct tn_registry_loader *loader, const struct tn_json *name,
		       const struct tn_registry_at *at)
{
	static const char *const keys[] = {"by", "cases", "default", NULL};
	struct tn_registry_at place = tn_registry_key(at, "cases");
	struct tn_registry_at other = tn_registry_key(at, "default");
	const struct tn_json *cases = NULL;
	struct tn_str text;

	if (!tn_registry_keys(loader, name, at, keys) ||
	    !tn_registry_get_object(loader, name, at, "cases", &cases))
		return false;
	for (const struct tn_json *c = cases ? cases->first : NULL; c; c = c->next) {
		struct tn_registry_at one = tn_registry_member(&place, c);

		if (!tn_json_to_str(c, &text) || !tn_registry_is_identifier(text))
			return tn_registry_fault(loader, &one, "this is no terraform type");
	}
	return (tn_json_to_str(tn_json_get(name, "default"), &text) &&
		tn_registry_is_identifier(text)) ||
	       tn_registry_fault(loader, &other, "\"default\" has to be a terraform type");
}

static bool read_terraform(struct tn_registry_loader *loader, const struct tn_registry_at *at,
			   struct tn_studio_type *type)
{
	static const char *const keys[] = {"type", "virtual", NULL};
	struct tn_registry_at here = tn_registry_key(at, "terraform");
	struct tn_registry_at place = tn_registry_key(&here, "type");
	const struct tn_json *name;
	struct tn_str text;

	if (!type->terraform)
		return tn_registry_fault(loader, at, "\"terraform\" is missing");
	if (!tn_registry_keys(loader, type->terraform, &here, keys) ||
	    !tn_registry_get_bool(loader, type->terraform, &here, "virtual", &type->is_virtual))
		return false;
	name = tn_json_get(type->terraform, "type");
	if (type->is_virtual)
		return !name || tn_registry_fault(loader, &place, "a virtual type has no type");
	if (tn_json_to_str(name, &text))
		return tn_registry_is_identifier(text) ||
		       tn_registry_fault(loader, &place, "this is no terraform type");
	return name ? read_cases(loader, name, &place)
		    : tn_registry_fault(loader, &here, "\"type\" or \"virtual\" is expected");
}

static bool read_size(struct tn_registry_loader *loader, const struct tn_json *source,
		      const struct tn_registry_at *at, struct tn_studio_type *type)
{
	static const char *const keys[] = {"width", "height", NULL};
	struct tn_registry_at here = tn_registry_key(at, "minSize");
	const struct tn_json *size = NULL;
	int64_t width = 0, height = 0;

	if (!tn_registry_get_object(loader, source, at, "minSize", &size) || !size)
		return !loader->broken;
	if (!tn_registry_keys(loader, size, &here, keys) ||
	    !tn_registry_get_count(loader, size, &here, "width", &width) ||
	    !tn_registry_get_count(loader, size, &here, "height", &height))
		return false;
	if (width > 10000 || height > 10000)
		return tn_registry_fault(loader, &here, "at most 10000 wide and high");
	type->min_width = (int)width;
	type->min_height = (int)height;
	return true;
}

static bool read_handle(struct tn_registry_loader *loader, const struct tn_json *source,
			const struct tn_registry_at *at, struct tn_studio_handle *handle)
{
	static const char *const keys[] = {"id",  "kind", "side", "label", "acceptsOutputs",
					   "max", NULL};
	static const char *const kinds[] = {"target", "source", NULL};
	static const char *const sides[] = {"top", "right", "bottom", "left", NULL};
	unsigned kind = 0, side = TN_STUDIO_LEFT;
	int64_t max = 0;

	if (!tn_registry_keys(loader, source, at, keys) ||
	    !tn_registry_get_text(loader, source, at, "id", &handle->id) ||
	    !tn_registry_get_text(loader, source, at, "label", &handle->label) ||
	    !tn_registry_get_word(loader, source, at, "kind", kinds, &kind) ||
	    !tn_registry_get_word(loader, source, at, "side", sides, &side) ||
	    !tn_registry_get_bool(loader, source, at, "acceptsOutputs", &handle->accepts_outputs) ||
	    !tn_registry_get_count(loader, source, at, "max", &max))
		return false;
	if (!tn_registry_is_identifier(handle->id) || !tn_json_get(source, "kind"))
		return tn_registry_fault(loader, at, "a handle needs \"id\" and \"kind\"");
	if (tn_str_starts(handle->id, TN_STR("ref-")) ||
	    tn_str_starts(handle->id, TN_STR("out-")) || tn_str_is(handle->id, "node"))
		return tn_registry_fault(loader, at,
					 "\"node\", \"ref-...\" and \"out-...\" are there by "
					 "themselves");
	handle->source = kind == 1;
	handle->side = (enum tn_studio_side)side;
	handle->max = (int)max;
	if (handle->source && handle->accepts_outputs)
		return tn_registry_fault(loader, at, "only a target accepts outputs");
	return true;
}

static bool read_handles(struct tn_registry_loader *loader, const struct tn_json *source,
			 const struct tn_registry_at *at, struct tn_studio_type *type)
{
	struct tn_registry_at place = tn_registry_key(at, "handles");
	const struct tn_json *array = NULL;
	struct tn_studio_handle *list;

	if (!tn_registry_get_array(loader, source, at, "handles", &array))
		return false;
	list = tn_registry_alloc(loader, array ? array->count : 0, sizeof(*list));
	if (!list)
		return false;
	type->handles = list;
	for (const struct tn_json *e = array ? array->first : NULL; e; e = e->next) {
		struct tn_registry_at here = tn_registry_index(&place, type->handle_count);

		if (!read_handle(loader, e, &here, &list[type->handle_count]))
			return false;
		for (size_t i = 0; i < type->handle_count; i++) {
			if (tn_str_equal(list[i].id, list[type->handle_count].id))
				return tn_registry_fault(loader, &here,
							 "the handle is there twice");
		}
		type->handle_count++;
		if (type->handle_count > TN_STUDIO_PROPERTIES_MAX)
			return tn_registry_fault(loader, &place, "too many handles");
	}
	return true;
}

static bool read_outputs(struct tn_registry_loader *loader, const struct tn_json *source,
			 const struct tn_registry_at *at, struct tn_studio_type *type)
{
	static const char *const keys[] = {"key", "attribute", "sensitive", NULL};
	struct tn_registry_at place = tn_registry_key(at, "outputs");
	const struct tn_json *array = NULL;
	struct tn_studio_output *list;

	if (!tn_registry_get_array(loader, source, at, "outputs", &array))
		return false;
	list = tn_registry_alloc(loader, array ? array->count : 0, sizeof(*list));
	if (!list)
		return false;
	type->outputs = list;
	for (const struct tn_json *e = array ? array->first : NULL; e; e = e->next) {
		struct tn_registry_at here = tn_registry_index(&place, type->output_count);
		struct tn_studio_output *output = &list[type->output_count];

		if (!tn_registry_keys(loader, e, &here, keys) ||
		    !tn_registry_get_text(loader, e, &here, "key", &output->key) ||
		    !tn_registry_get_text(loader, e, &here, "attribute", &output->attribute) ||
		    !tn_registry_get_bool(loader, e, &here, "sensitive", &output->sensitive))
			return false;
		if (!tn_registry_is_identifier(output->key) || output->attribute.size == 0)
			return tn_registry_fault(loader, &here,
						 "an output needs \"key\" and \"attribute\"");
		if (tn_studio_output_find(type, output->key))
			return tn_registry_fault(loader, &here, "the output is there twice");
		type->output_count++;
		if (type->output_count > TN_STUDIO_PROPERTIES_MAX)
			return tn_registry_fault(loader, &place, "too many outputs");
	}
	return true;
}

static bool read_constraints(struct tn_registry_loader *loader, const struct tn_json *naming,
			     const struct tn_registry_at *at)
{
	static const char *const keys[] = {"abbreviation", "lowercase", "noHyphens", "maxLength",
					   "global",       "ending",    NULL};
	struct tn_str text;
	int64_t length = 0;
	bool flag;

	return tn_registry_keys(loader, naming, at, keys) &&
	       tn_registry_get_text(loader, naming, at, "abbreviation", &text) &&
	       tn_registry_get_text(loader, naming, at, "ending", &text) &&
	       tn_registry_get_bool(loader, naming, at, "lowercase", &flag) &&
	       tn_registry_get_bool(loader, naming, at, "noHyphens", &flag) &&
	       tn_registry_get_bool(loader, naming, at, "global", &flag) &&
	       tn_registry_get_count(loader, naming, at, "maxLength", &length);
}

static bool read_naming(struct tn_registry_loader *loader, const struct tn_json *source,
			const struct tn_registry_at *at, struct tn_studio_type *type)
{
	static const char *const token_keys[] = {"token", "from", "map", NULL};
	static const char *const tokens[] = {"type", "env", "name", "region", "org", NULL};
	struct tn_registry_at here = tn_registry_key(at, "naming");
	struct tn_registry_at place = tn_registry_key(at, "namingTokens");
	size_t index = 0;

	if (!tn_registry_get_object(loader, source, at, "naming", &type->naming) ||
	    !tn_registry_get_array(loader, source, at, "namingTokens", &type->naming_tokens))
		return false;
	if (type->naming && !read_constraints(loader, type->naming, &here))
		return false;
	for (const struct tn_json *e = type->naming_tokens ? type->naming_tokens->first : NULL; e;
	     e = e->next, index++) {
		struct tn_registry_at one = tn_registry_index(&place, index);
		unsigned token;

		if (!tn_registry_keys(loader, e, &one, token_keys) ||
		    !tn_registry_get_word(loader, e, &one, "token", tokens, &token))
			return false;
		if (!tn_json_get(e, "token"))
			return tn_registry_fault(loader, &one, "\"token\" is missing");
	}
	return true;
}

static bool read_endpoint(struct tn_registry_loader *loader, const struct tn_json *source,
			  const struct tn_registry_at *at, struct tn_studio_type *type)
{
	static const char *const keys[] = {"subresources", "default", NULL};
	struct tn_registry_at here = tn_registry_key(at, "privateEndpoint");
	const struct tn_json *parts = NULL;
	struct tn_str fallback = {NULL, 0};

	if (!tn_registry_get_object(loader, source, at, "privateEndpoint",
				    &type->private_endpoint) ||
	    !type->private_endpoint)
		return !loader->broken;
	if (!tn_registry_keys(loader, type->private_endpoint, &here, keys) ||
	    !tn_registry_get_texts(loader, type->private_endpoint, &here, "subresources", &parts) ||
	    !tn_registry_get_text(loader, type->private_endpoint, &here, "default", &fallback))
		return false;
	for (const struct tn_json *e = parts ? parts->first : NULL; e; e = e->next) {
		if (tn_str_equal(e->text, fallback))
			return true;
	}
	return tn_registry_fault(loader, &here,
				 "\"default\" has to be one of the \"subresources\"");
}

static bool read_hcl(struct tn_registry_loader *loader, const struct tn_json *source,
		     const struct tn_registry_at *at, struct tn_studio_type *type)
{
	static const char *const keys[] = {"data", "body", "extra", "noPrimary", NULL};
	struct tn_registry_at here = tn_registry_key(at, "hcl");
	const struct tn_json *hcl = NULL;

	if (!tn_registry_get_object(loader, source, at, "hcl", &hcl))
		return false;
	if (!hcl)
		return type->is_virtual ||
		       tn_registry_fault(loader, at, "\"hcl\" is missing: what it becomes");
	return tn_registry_keys(loader, hcl, &here, keys) &&
	       tn_registry_get_array(loader, hcl, &here, "data", &type->data) &&
	       tn_registry_get_array(loader, hcl, &here, "body", &type->body) &&
	       tn_registry_get_array(loader, hcl, &here, "extra", &type->extra) &&
	       tn_registry_get_bool(loader, hcl, &here, "noPrimary", &type->no_primary);
}

static bool read_properties(struct tn_registry_loader *loader, const struct tn_json *source,
			    const struct tn_registry_at *at, struct tn_studio_type *type)
{
	struct tn_registry_at here = tn_registry_key(at, "properties");
	const struct tn_json *array = NULL;
	static const struct tn_json none = {.type = TN_JSON_ARRAY};
	struct tn_studio_property *list = NULL;
	bool right;

	if (!tn_registry_get_array(loader, source, at, "properties", &array))
		return false;
	/* Room for the two implicit ones. */
	right = tn_registry_properties(loader, array ? array : &none, &here, false, 2, &list,
				       &type->property_count);
	type->properties = list;
	for (size_t i = 0; right && i < type->property_count; i++)
		type->has_secrets = type->has_secrets || list[i].sensitive;
	return right && tn_registry_add_implicit(loader, type);
}

/* An icon is a name, or the letters and numbers of an outline: nothing that could be markup. */
static bool check_icon(struct tn_registry_loader *loader, const struct tn_registry_at *at,
		       struct tn_str icon)
{
	struct tn_registry_at here = tn_registry_key(at, "icon");

	for (size_t i = 0; i < icon.size; i++) {
		char c = icon.data[i];

		if (!tn_is_alpha(c) && !tn_is_digit(c) && !strchr(" -+.,_", c))
			return tn_registry_fault(loader, &here,
						 "an icon is a name or the data of a path");
	}
	return true;
}

static bool check_url(struct tn_registry_loader *loader, const struct tn_registry_at *at,
		      struct tn_str url)
{
	struct tn_registry_at here = tn_registry_key(at, "docsUrl");

	return url.size == 0 || tn_str_starts(url, TN_STR("https://")) ||
	       tn_registry_fault(loader, &here, "an address begins with https://");
}

static bool read_texts(struct tn_registry_loader *loader, const struct tn_json *source,
		       const struct tn_registry_at *at, struct tn_studio_type *type)
{
	struct tn_registry_at id = tn_registry_key(at, "typeId");
	size_t slash;

	if (!tn_registry_get_text(loader, source, at, "typeId", &type->id) ||
	    !tn_registry_get_text(loader, source, at, "displayName", &type->display_name) ||
	    !tn_registry_get_text(loader, source, at, "description", &type->description) ||
	    !tn_registry_get_text(loader, source, at, "category", &type->category) ||
	    !tn_registry_get_text(loader, source, at, "docsUrl", &type->docs_url) ||
	    !tn_registry_get_text(loader, source, at, "icon", &type->icon))
		return false;
	if (!tn_registry_is_type_id(type->id))
		return tn_registry_fault(loader, &id,
					 "a \"typeId\" is provider/category/resource in small "
					 "letters");
	if (type->display_name.size == 0 || type->category.size == 0)
		return tn_registry_fault(loader, at, "\"displayName\" and \"category\" are needed");
	slash = tn_str_find_byte(type->id, '/');
	type->provider_id = tn_str(type->id.data, slash);
	type->is_annotation = tn_str_is(type->provider_id, "_annotation");
	return check_icon(loader, at, type->icon) && check_url(loader, at, type->docs_url);
}

/* Members that are kept as they are. */
static bool read_members(struct tn_registry_loader *loader, const struct tn_json *source,
			 const struct tn_registry_at *at, struct tn_studio_type *type)
{
	bool override = false;

	return tn_registry_get_bool(loader, source, at, "override", &override) &&
	       tn_registry_get_bool(loader, source, at, "container", &type->container) &&
	       tn_registry_get_bool(loader, source, at, "hidden", &type->hidden) &&
	       tn_registry_get_object(loader, source, at, "terraform", &type->terraform) &&
	       tn_registry_get_object(loader, source, at, "parentReference",
				      &type->parent_reference) &&
	       tn_registry_get_object(loader, source, at, "cost", &type->cost) &&
	       tn_registry_get_texts(loader, source, at, "canBeChildOf", &type->can_be_child_of) &&
	       tn_registry_get_texts(loader, source, at, "visualParents", &type->visual_parents) &&
	       tn_registry_get_texts(loader, source, at, "needs", &type->needs);
}

bool tn_registry_type(struct tn_registry_loader *loader, const struct tn_json *source,
		      const struct tn_registry_at *at, struct tn_studio_type *type)
{
	static const char *const keys[] = {
		"typeId",  "displayName",     "description", "category",
		"hidden",  "terraform",       "container",   "minSize",
		"needs",   "canBeChildOf",    "naming",      "parentReference",
		"handles", "visualParents",   "outputs",     "namingTokens",
		"hcl",     "privateEndpoint", "properties",  "cost",
		"docsUrl", "override",        "icon",        NULL};

	type->source = source;
	return tn_registry_keys(loader, source, at, keys) && read_texts(loader, source, at, type) &&
	       read_members(loader, source, at, type) && read_terraform(loader, at, type) &&
	       read_size(loader, source, at, type) && read_handles(loader, source, at, type) &&
	       read_outputs(loader, source, at, type) && read_naming(loader, source, at, type) &&
	       read_endpoint(loader, source, at, type) && read_hcl(loader, source, at, type) &&
	       read_properties(loader, source, at, type);
}
