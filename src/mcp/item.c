#include "mcp/registry.h"

#include "base/limits.h"
#include "base/mem.h"
#include "base/size.h"
#include "jsonrpc/json_write.h"
#include "jsonrpc/schema.h"
#include "mcp/header_params.h"

/* ---- copying ---- */

struct copier {
	struct tn_item *item;
	bool failed;
};

static const char *keep(struct copier *c, const char *text)
{
	char *copy;

	if (!text || c->failed)
		return NULL;
	copy = tn_mem_copy_text(text, strlen(text));
	if (!copy || c->item->text_count == TN_COUNT(c->item->texts)) {
		tn_mem_free(copy);
		c->failed = true;
		return NULL;
	}
	c->item->texts[c->item->text_count++] = copy;
	return copy;
}

static void free_item(struct tn_item *item)
{
	for (unsigned i = 0; i < item->text_count; i++)
		tn_mem_free(item->texts[i]);
	tn_schema_free(item->input);
	tn_schema_free(item->output);
	tn_uri_template_free(item->pattern);
	tn_header_params_free(item->header_params);
	if (item->arguments) {
		for (size_t i = 0; i < item->prompt.argument_count; i++) {
			tn_mem_free((void *)(uintptr_t)item->arguments[i].name);
			tn_mem_free((void *)(uintptr_t)item->arguments[i].title);
			tn_mem_free((void *)(uintptr_t)item->arguments[i].description);
		}
		tn_mem_free(item->arguments);
	}
	tn_mem_free(item);
}

void tn_item_unref(struct tn_item *item)
{
	if (item && --item->references == 0)
		free_item(item);
}

static struct tn_item *new_item(enum tn_item_kind kind, struct tenon_error *err)
{
	struct tn_item *item = tn_mem_alloc(sizeof(*item));

	if (!item) {
		(void)tn_fail(err, TENON_NO_MEMORY, "out of memory");
		return NULL;
	}
	item->kind = kind;
	item->references = 1;
	return item;
}

/* Ends a copy: hands the item over, or frees it. */
static enum tenon_code end_copy(struct copier *c, enum tenon_code code, const char *key,
				struct tn_item **ret, struct tenon_error *err)
{
	if (code == TENON_OK && c->failed)
		code = tn_fail(err, TENON_NO_MEMORY, "out of memory");
	if (code != TENON_OK) {
		free_item(c->item);
		return code;
	}
	c->item->key = tn_str_from(key);
	*ret = c->item;
	return TENON_OK;
}

/* ---- checking ---- */

static bool is_name_character(char c)
{
	return tn_is_alpha(c) || tn_is_digit(c) || c == '_' || c == '-' || c == '.';
}

/* MCP-220: hosts build mcp__server__tool and cut at 64. */
static enum tenon_code check_name(const char *name, struct tenon_error *err)
{
	size_t size = name ? strlen(name) : 0;

	if (size == 0 || size > 64)
		return tn_fail(err, TENON_INVALID, "name \"%.80s\": send 1 to 64 characters",
			       name ? name : "");
	for (size_t i = 0; i < size; i++) {
		if (!is_name_character(name[i]))
			return tn_fail(err, TENON_INVALID,
				       "name \"%.64s\": use only A-Z a-z 0-9 _ - .", name);
	}
	return TENON_OK;
}

static enum tenon_code check_json(const char *name, const char *field, const char *text,
				  enum tn_json_type type, struct tenon_error *err)
{
	struct tn_arena arena;
	struct tn_json *tree;
	struct tenon_error why;
	enum tenon_code code = TENON_OK;

	if (!text)
		return TENON_OK;
	tn_arena_init(&arena, TN_MESSAGE_ARENA_MAX);
	if (tn_json_parse_copy(&arena, tn_str_from(text), &tree, &why) != TENON_OK)
		code = tn_fail(err, TENON_INVALID, "%.64s: %s: %.120s", name, field, why.message);
	else if (tree->type != type)
		code = tn_fail(err, TENON_INVALID, "%.64s: %s is no JSON %s", name, field,
			       type == TN_JSON_ARRAY ? "array" : "object");
	tn_arena_finish(&arena);
	return code;
}

/* MCP-028: the root of an input schema is an object with "type":"object". */
static bool is_object_schema(const struct tn_json *schema)
{
	struct tn_str type;

	return tn_json_to_str(tn_json_get(schema, "type"), &type) && tn_str_is(type, "object");
}

static enum tenon_code compile_schema(struct tn_arena *arena, const char *tool, const char *field,
				      const char *text, struct tn_json **ret_tree,
				      struct tn_schema **ret, struct tenon_error *err)
{
	struct tenon_error why;

	if (tn_json_parse_copy(arena, tn_str_from(text), ret_tree, &why) == TENON_OK &&
	    tn_schema_compile(*ret_tree, ret, &why) == TENON_OK)
		return TENON_OK;
	return tn_fail(err, TENON_INVALID, "tool %.64s: %s: %.150s", tool, field, why.message);
}

static enum tenon_code compile_tool(struct tn_item *item, struct tenon_error *err)
{
	const struct tenon_tool *tool = &item->tool;
	struct tn_arena arena;
	struct tn_json *tree = NULL;
	enum tenon_code code;

	tn_arena_init(&arena, TN_MESSAGE_ARENA_MAX);
	code = compile_schema(&arena, tool->name, "inputSchema", tool->input_schema, &tree,
			      &item->input, err);
	if (code == TENON_OK && !is_object_schema(tree))
		code = tn_fail(err, TENON_INVALID,
			       "tool %.64s: inputSchema needs \"type\":\"object\" at its root",
			       tool->name);
	if (code == TENON_OK)
		code = tn_header_params_find(tree, tool->name, &item->header_params, err);
	if (code == TENON_OK && tool->output_schema) {
		code = compile_schema(&arena, tool->name, "outputSchema", tool->output_schema,
				      &tree, &item->output, err);
		item->output_is_object = code == TENON_OK && is_object_schema(tree);
	}
	tn_arena_finish(&arena);
	return code;
}

/* ---- MCP Apps (MCP-260) ---- */

static void put_ui(const struct tenon_tool *tool, const struct tn_json *given, struct tn_buf *out)
{
	tn_json_put_key(out, "ui");
	tn_json_begin_object(out);
	if (tool->ui)
		tn_json_put_member_text(out, "resourceUri", tool->ui);
	if (tool->ui_only)
		tn_json_put_member_raw(out, "visibility", TN_STR("[\"app\"]"));
	for (const struct tn_json *m = tn_json_is(given, TN_JSON_OBJECT) ? given->first : NULL; m;
	     m = m->next) {
		if ((tool->ui && tn_str_is(m->key, "resourceUri")) ||
		    (tool->ui_only && tn_str_is(m->key, "visibility")))
			continue;
		tn_json_put_key_str(out, m->key);
		tn_json_put_value(out, m);
	}
	tn_json_end_object(out);
	if (tool->ui) /* the older, flat form, which some hosts still read */
		tn_json_put_member_text(out, "ui/resourceUri", tool->ui);
}

/* The author's `_meta`, and what leads to the page. */
static void put_merged_meta(const struct tenon_tool *tool, const struct tn_json *meta,
			    struct tn_buf *out)
{
	tn_json_begin_object(out);
	for (const struct tn_json *m = meta ? meta->first : NULL; m; m = m->next) {
		if (tn_str_is(m->key, "ui") || (tool->ui && tn_str_is(m->key, "ui/resourceUri")))
			continue;
		tn_json_put_key_str(out, m->key);
		tn_json_put_value(out, m);
	}
	put_ui(tool, tn_json_get(meta, "ui"), out);
	tn_json_end_object(out);
}

/* `tool` is the author's; the copy's meta is replaced. */
static enum tenon_code add_ui(struct copier *c, const struct tenon_tool *tool,
			      struct tenon_error *err)
{
	struct tn_json *meta = NULL;
	enum tenon_code code = TENON_OK;
	struct tn_arena arena;
	struct tn_buf out;

	if (!tool->ui && !tool->ui_only)
		return TENON_OK;
	if (tool->ui && !tn_str_starts(tn_str_from(tool->ui), TN_STR("ui://")))
		return tn_fail(err, TENON_INVALID, "tool %.64s: ui: send a URI that begins ui://",
			       tool->name);
	tn_arena_init(&arena, TN_MESSAGE_ARENA_MAX);
	tn_buf_init(&out, TN_MESSAGE_BYTES_MAX);
	if (tool->meta)
		code = tn_json_parse_copy(&arena, tn_str_from(tool->meta), &meta, err);
	if (code == TENON_OK) {
		put_merged_meta(tool, meta, &out);
		tn_buf_append_byte(&out, '\0');
		code = tn_buf_check(&out, err);
	}
	if (code == TENON_OK)
		c->item->tool.meta = keep(c, out.data);
	tn_buf_finish(&out);
	tn_arena_finish(&arena);
	return code;
}

/* ---- the four kinds ---- */

enum tenon_code tn_item_from_tool(const struct tenon_tool *tool, struct tn_item **ret,
				  struct tenon_error *err)
{
	struct copier c = {.item = new_item(TN_ITEM_TOOL, err)};
	struct tenon_tool *to;
	enum tenon_code code = check_name(tool->name, err);

	if (!c.item)
		return TENON_NO_MEMORY;
	to = &c.item->tool;
	*to = *tool;
	to->name = keep(&c, tool->name);
	to->title = keep(&c, tool->title);
	to->description = keep(&c, tool->description);
	to->input_schema = keep(&c, tool->input_schema ? tool->input_schema
						       : "{\"type\":\"object\",\"properties\":{},"
							 "\"additionalProperties\":false}");
	to->output_schema = keep(&c, tool->output_schema);
	to->meta = keep(&c, tool->meta);
	to->icons = keep(&c, tool->icons);
	to->ui = keep(&c, tool->ui);
	to->keywords = keep(&c, tool->keywords);
	to->writes_with = keep(&c, tool->writes_with);
	if (code == TENON_OK && !tool->call)
		code = tn_fail(err, TENON_INVALID, "tool %s has no handler", tool->name);
	if (code == TENON_OK)
		code = check_json(tool->name, "meta", tool->meta, TN_JSON_OBJECT, err);
	if (code == TENON_OK)
		code = check_json(tool->name, "icons", tool->icons, TN_JSON_ARRAY, err);
	if (code == TENON_OK)
		code = add_ui(&c, tool, err);
	if (code == TENON_OK && !c.failed)
		code = compile_tool(c.item, err);
	return end_copy(&c, code, to->name, ret, err);
}

enum tenon_code tn_item_from_resource(const struct tenon_resource *resource, struct tn_item **ret,
				      struct tenon_error *err)
{
	struct copier c = {.item = new_item(TN_ITEM_RESOURCE, err)};
	struct tenon_resource *to;
	enum tenon_code code = TENON_OK;

	if (!c.item)
		return TENON_NO_MEMORY;
	to = &c.item->resource;
	*to = *resource;
	to->uri = keep(&c, resource->uri);
	to->name = keep(&c, resource->name);
	to->title = keep(&c, resource->title);
	to->description = keep(&c, resource->description);
	to->mime_type = keep(&c, resource->mime_type);
	to->meta = keep(&c, resource->meta);
	to->icons = keep(&c, resource->icons);
	to->owner = keep(&c, resource->owner);
	to->annotations = keep(&c, resource->annotations);
	if (!resource->uri || !strchr(resource->uri, ':') || !resource->name || !resource->read)
		code = tn_fail(err, TENON_INVALID,
			       "a resource needs a URI with a scheme, a name and a handler");
	if (code == TENON_OK)
		code = check_json(resource->name, "meta", resource->meta, TN_JSON_OBJECT, err);
	if (code == TENON_OK)
		code = check_json(resource->name, "icons", resource->icons, TN_JSON_ARRAY, err);
	if (code == TENON_OK)
		code = check_json(resource->name, "annotations", resource->annotations,
				  TN_JSON_OBJECT, err);
	return end_copy(&c, code, to->uri, ret, err);
}

enum tenon_code tn_item_from_template(const struct tenon_resource_template *description,
				      struct tn_item **ret, struct tenon_error *err)
{
	struct copier c = {.item = new_item(TN_ITEM_TEMPLATE, err)};
	struct tenon_resource_template *to;
	enum tenon_code code = TENON_OK;

	if (!c.item)
		return TENON_NO_MEMORY;
	to = &c.item->resource_template;
	*to = *description;
	to->uri_template = keep(&c, description->uri_template);
	to->name = keep(&c, description->name);
	to->title = keep(&c, description->title);
	to->description = keep(&c, description->description);
	to->mime_type = keep(&c, description->mime_type);
	to->meta = keep(&c, description->meta);
	to->icons = keep(&c, description->icons);
	if (!description->uri_template || !description->name || !description->read)
		code = tn_fail(err, TENON_INVALID,
			       "a resource template needs a URI template, a name and a handler");
	if (code == TENON_OK)
		code = check_json(description->name, "meta", description->meta, TN_JSON_OBJECT,
				  err);
	if (code == TENON_OK)
		code = check_json(description->name, "icons", description->icons, TN_JSON_ARRAY,
				  err);
	if (code == TENON_OK)
		code = tn_uri_template_compile(tn_str_from(description->uri_template),
					       &c.item->pattern, err);
	return end_copy(&c, code, to->uri_template, ret, err);
}

static enum tenon_code copy_arguments(struct tn_item *item, const struct tenon_prompt *prompt,
				      struct tenon_error *err)
{
	struct tenon_prompt_argument *to =
		tn_mem_alloc_array(prompt->argument_count, sizeof(*prompt->arguments));

	item->arguments = to;
	item->prompt.arguments = to;
	if (!to)
		return tn_fail(err, TENON_NO_MEMORY, "out of memory");
	for (size_t i = 0; i < prompt->argument_count; i++) {
		const struct tenon_prompt_argument *from = &prompt->arguments[i];

		to[i].required = from->required;
		if (!from->name)
			return tn_fail(err, TENON_INVALID, "a prompt argument without a name");
		to[i].name = tn_mem_copy_text(from->name, strlen(from->name));
		if (from->title)
			to[i].title = tn_mem_copy_text(from->title, strlen(from->title));
		if (from->description)
			to[i].description =
				tn_mem_copy_text(from->description, strlen(from->description));
		if (!to[i].name || (from->title && !to[i].title) ||
		    (from->description && !to[i].description))
			return tn_fail(err, TENON_NO_MEMORY, "out of memory");
	}
	return TENON_OK;
}

enum tenon_code tn_item_from_prompt(const struct tenon_prompt *prompt, struct tn_item **ret,
				    struct tenon_error *err)
{
	struct copier c = {.item = new_item(TN_ITEM_PROMPT, err)};
	struct tenon_prompt *to;
	enum tenon_code code = check_name(prompt->name, err);

	if (!c.item)
		return TENON_NO_MEMORY;
	to = &c.item->prompt;
	*to = *prompt;
	to->name = keep(&c, prompt->name);
	to->title = keep(&c, prompt->title);
	to->description = keep(&c, prompt->description);
	to->meta = keep(&c, prompt->meta);
	to->icons = keep(&c, prompt->icons);
	if (code == TENON_OK && !prompt->get)
		code = tn_fail(err, TENON_INVALID, "prompt %s has no handler", prompt->name);
	if (code == TENON_OK)
		code = check_json(prompt->name, "meta", prompt->meta, TN_JSON_OBJECT, err);
	if (code == TENON_OK)
		code = check_json(prompt->name, "icons", prompt->icons, TN_JSON_ARRAY, err);
	if (code == TENON_OK && prompt->argument_count)
		code = copy_arguments(c.item, prompt, err);
	return end_copy(&c, code, to->name, ret, err);
}

/* ---- writing (mcp.md sections 2.4 and 2.5) ---- */

static void put_optional(struct tn_buf *out, const char *key, const char *text)
{
	if (text)
		tn_json_put_member_text(out, key, text);
}

static void put_optional_raw(struct tn_buf *out, const char *key, const char *json)
{
	if (json)
		tn_json_put_member_foreign(out, key, tn_str_from(json));
}

/* What all four kinds share. */
static void put_common(struct tn_buf *out, enum tn_revision revision, const char *name,
		       const char *title, const char *description, const char *icons,
		       const char *meta)
{
	tn_json_put_member_text(out, "name", name);
	if (revision >= TN_R3)
		put_optional(out, "title", title);
	put_optional(out, "description", description);
	if (revision >= TN_R4)
		put_optional_raw(out, "icons", icons);
	if (revision >= TN_R3)
		put_optional_raw(out, "_meta", meta);
}

/* What is so of every call: a tool that writes with one argument does not read only. */
static void put_annotations(const struct tenon_tool *tool, struct tn_buf *out)
{
	bool reads_only = tool->flags & TENON_READ_ONLY && !tool->writes_with;

	tn_json_put_key(out, "annotations");
	tn_json_begin_object(out);
	tn_json_put_member_bool(out, "readOnlyHint", reads_only);
	if (!reads_only)
		tn_json_put_member_bool(out, "destructiveHint",
					!(tool->flags & TENON_NOT_DESTRUCTIVE));
	tn_json_put_member_bool(out, "idempotentHint", (tool->flags & TENON_IDEMPOTENT) != 0);
	tn_json_put_member_bool(out, "openWorldHint", !(tool->flags & TENON_CLOSED_WORLD));
	tn_json_end_object(out);
}

static void put_tool(const struct tn_item *item, enum tn_revision revision, bool output,
		     struct tn_buf *out)
{
	const struct tenon_tool *tool = &item->tool;

	put_common(out, revision, tool->name, tool->title, tool->description, tool->icons,
		   tool->meta);
	tn_json_put_member_foreign(out, "inputSchema", tn_str_from(tool->input_schema));
	/* MCP-026: a deployed client refuses the whole list over one schema that is no object. */
	if (output && (revision == TN_R5 || (revision >= TN_R3 && item->output_is_object)))
		put_optional_raw(out, "outputSchema", tool->output_schema);
	if (revision == TN_R4 && tool->task_support != TENON_TASK_FORBIDDEN) { /* MCP-242 */
		tn_json_put_key(out, "execution");
		tn_json_begin_object(out);
		tn_json_put_member_text(out, "taskSupport",
					tool->task_support == TENON_TASK_REQUIRED ? "required"
										  : "optional");
		tn_json_end_object(out);
	}
	if (revision < TN_R2)
		return;
	put_annotations(tool, out);
}

static void put_resource(const struct tn_item *item, enum tn_revision revision, struct tn_buf *out)
{
	const struct tenon_resource *resource = &item->resource;

	tn_json_put_member_text(out, "uri", resource->uri);
	put_common(out, revision, resource->name, resource->title, resource->description,
		   resource->icons, resource->meta);
	put_optional(out, "mimeType", resource->mime_type);
	put_optional_raw(out, "annotations", resource->annotations);
	if (resource->size_bytes >= 0)
		tn_json_put_member_int(out, "size", resource->size_bytes);
}

static void put_template(const struct tn_item *item, enum tn_revision revision, struct tn_buf *out)
{
	const struct tenon_resource_template *description = &item->resource_template;

	tn_json_put_member_text(out, "uriTemplate", description->uri_template);
	put_common(out, revision, description->name, description->title, description->description,
		   description->icons, description->meta);
	put_optional(out, "mimeType", description->mime_type);
}

static void put_prompt(const struct tn_item *item, enum tn_revision revision, struct tn_buf *out)
{
	const struct tenon_prompt *prompt = &item->prompt;

	put_common(out, revision, prompt->name, prompt->title, prompt->description, prompt->icons,
		   prompt->meta);
	if (!prompt->argument_count)
		return;
	tn_json_put_key(out, "arguments");
	tn_json_begin_array(out);
	for (size_t i = 0; i < prompt->argument_count; i++) {
		const struct tenon_prompt_argument *argument = &prompt->arguments[i];

		tn_json_begin_object(out);
		tn_json_put_member_text(out, "name", argument->name);
		if (revision >= TN_R3)
			put_optional(out, "title", argument->title);
		put_optional(out, "description", argument->description);
		tn_json_put_member_bool(out, "required", argument->required != 0);
		tn_json_end_object(out);
	}
	tn_json_end_array(out);
}

void tn_item_write(const struct tn_item *item, enum tn_revision revision, bool output,
		   struct tn_buf *out)
{
	tn_json_begin_object(out);
	switch (item->kind) {
	case TN_ITEM_TOOL:
		put_tool(item, revision, output, out);
		break;
	case TN_ITEM_RESOURCE:
		put_resource(item, revision, out);
		break;
	case TN_ITEM_TEMPLATE:
		put_template(item, revision, out);
		break;
	case TN_ITEM_PROMPT:
		put_prompt(item, revision, out);
		break;
	}
	tn_json_end_object(out);
}
