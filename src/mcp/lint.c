#include "mcp/lint.h"

#include <stdarg.h>
#include <stdio.h>

#include "base/limits.h"
#include "base/size.h"
#include "jsonrpc/limits.h"
#include "mcp/extension.h"

struct lint {
	const struct tenon_server *server;
	void (*told)(const char *item, const char *sentence, void *data);
	void *data;
	size_t count;
	char item[128]; /* "tool weather" */
	struct tn_arena arena;
};

static void tell(struct lint *lint, const char *format, ...) TN_PRINTF(2, 3);

static void tell(struct lint *lint, const char *format, ...)
{
	char sentence[512];
	va_list args;

	va_start(args, format);
	(void)vsnprintf(sentence, sizeof(sentence), format, args); /* cut is fine */
	va_end(args);
	lint->count++;
	if (lint->told)
		lint->told(lint->item, sentence, lint->data);
}

static void set_item(struct lint *lint, const char *kind, const char *name)
{
	(void)snprintf(lint->item, sizeof(lint->item), "%s%s%.100s", kind, name ? " " : "",
		       name ? name : ""); /* cut is fine */
}

/* Characters, not bytes: that is what the limits count. */
static size_t count_characters(const char *text)
{
	size_t count = 0;

	for (; *text; text++)
		count += ((unsigned char)*text & 0xC0) != 0x80;
	return count;
}

static const struct tn_json *parse(struct lint *lint, const char *text)
{
	struct tn_json *tree = NULL;

	if (!text || tn_json_parse_copy(&lint->arena, tn_str_from(text), &tree, NULL) != TENON_OK)
		return NULL;
	return tree;
}

/* ---- what all kinds have ---- */

static void check_title(struct lint *lint, const char *title)
{
	if (title && count_characters(title) > TN_LINT_TITLE_MAX)
		tell(lint, "the title has %zu characters and is cut in lists; use at most %d",
		     count_characters(title), TN_LINT_TITLE_MAX);
	if (title && strpbrk(title, "\r\n"))
		tell(lint, "the title has line breaks, which lists do not show; use one line");
}

static void check_description(struct lint *lint, const char *description, bool needed)
{
	size_t size = description ? count_characters(description) : 0;

	if (needed && size == 0)
		tell(lint, "there is no description, and a model goes by it; say what this does "
			   "and when to use it");
	if (size > TN_LINT_DESCRIPTION_MAX)
		tell(lint,
		     "the description has %zu characters; OpenAI refuses more than %d and Claude "
		     "Code cuts at 2048: move details to the descriptions of the parameters",
		     size, TN_LINT_DESCRIPTION_MAX);
}

static bool is_loopback(struct tn_str url)
{
	static const char *const starts[] = {"http://localhost", "http://127.0.0.1",
					     "http://[::1]"};

	for (size_t i = 0; i < TN_COUNT(starts); i++) {
		struct tn_str start = tn_str_from(starts[i]);

		if (tn_str_starts(url, start) &&
		    (url.size == start.size || url.data[start.size] == '/' ||
		     url.data[start.size] == ':'))
			return true;
	}
	return false;
}

/* MCP-241: what a client may load. */
static void check_icons(struct lint *lint, const char *icons)
{
	const struct tn_json *list = parse(lint, icons);

	for (const struct tn_json *i = tn_json_is(list, TN_JSON_ARRAY) ? list->first : NULL; i;
	     i = i->next) {
		struct tn_str src;

		if (!tn_json_to_str(tn_json_get(i, "src"), &src))
			tell(lint, "an icon has no src; send {\"src\":\"https://...\"}");
		else if (!tn_str_starts(src, TN_STR("https://")) &&
			 !tn_str_starts(src, TN_STR("data:")) && !is_loopback(src))
			tell(lint,
			     "clients do not load the icon %.100s; use an https: or data: URI",
			     src.data);
	}
}

/* MCP-043. */
static void check_meta(struct lint *lint, const char *meta)
{
	const struct tn_json *object = parse(lint, meta);

	for (const struct tn_json *m = tn_json_is(object, TN_JSON_OBJECT) ? object->first : NULL; m;
	     m = m->next) {
		if (!tn_meta_name_valid(m->key, false))
			tell(lint,
			     "the _meta key \"%.100s\" has no valid form; use one like "
			     "com.example/name",
			     m->key.data);
	}
}

/* Hosts that ignore case, or make one file of each name, keep one of the two. */
static void check_case(struct lint *lint, const struct tn_list *list, size_t index)
{
	for (size_t i = 0; i < index; i++) {
		if (tn_str_equal_nocase(list->items[i]->key, list->items[index]->key))
			tell(lint,
			     "the name differs from \"%.64s\" in upper and lower case only, and "
			     "some hosts ignore that; use another name",
			     list->items[i]->key.data);
	}
}

/* ---- schemas ---- */

static bool is_property_name(struct tn_str name)
{
	if (name.size == 0 || name.size > TN_LINT_PROPERTY_NAME_MAX)
		return false;
	for (size_t i = 0; i < name.size; i++) {
		char c = name.data[i];

		if (!tn_is_alpha(c) && !tn_is_digit(c) && !strchr("_.-", c))
			return false;
	}
	return true;
}

static bool is_type(const struct tn_json *schema, const char *type)
{
	struct tn_str text;

	return tn_json_to_str(tn_json_get(schema, "type"), &text) && tn_str_is(text, type);
}

static void check_properties(struct lint *lint, const struct tn_json *schema, bool top,
			     unsigned depth);

static void check_property(struct lint *lint, const struct tn_json *property, bool top,
			   unsigned depth)
{
	const struct tn_json *items = tn_json_get(property, "items");

	if (!is_property_name(property->key))
		tell(lint,
		     "Anthropic refuses the parameter name \"%.80s\"; use 1 to 64 of A-Z a-z 0-9 _ "
		     ". -",
		     property->key.data);
	if (top && !tn_json_is(tn_json_get(property, "description"), TN_JSON_STRING))
		tell(lint,
		     "the parameter %.80s has no description; say what it means and what it looks "
		     "like",
		     property->key.data);
	if (is_type(property, "array") && !items && !tn_json_get(property, "prefixItems"))
		tell(lint, "OpenAI refuses the array %.80s without \"items\"; say what is in it",
		     property->key.data);
	check_properties(lint, property, false, depth + 1);
	check_properties(lint, items, false, depth + 1);
}

static void check_properties(struct lint *lint, const struct tn_json *schema, bool top,
			     unsigned depth)
{
	const struct tn_json *properties = tn_json_get(schema, "properties");

	if (!tn_json_is(properties, TN_JSON_OBJECT) || depth > TN_SCHEMA_DEPTH_MAX)
		return;
	for (const struct tn_json *p = properties->first; p; p = p->next)
		check_property(lint, p, top, depth);
}

/* MCP-230. */
static void check_input(struct lint *lint, const struct tn_json *schema)
{
	static const char *const roots[] = {"anyOf", "oneOf", "allOf"};

	for (size_t i = 0; i < TN_COUNT(roots); i++) {
		if (tn_json_get(schema, roots[i]))
			tell(lint,
			     "inputSchema has %s at its root, for which Anthropic and others "
			     "refuse "
			     "the whole list of tools; put it below a property, or describe the "
			     "choice and check it in the handler",
			     roots[i]);
	}
	check_properties(lint, schema, true, 0);
}

/* ---- the kinds ---- */

static void check_tool(struct lint *lint, const struct tn_item *item)
{
	const struct tenon_tool *tool = &item->tool;
	size_t size = strlen(tool->name);

	set_item(lint, "tool", tool->name);
	if (size > TN_LINT_NAME_MAX)
		tell(lint,
		     "the name has %zu characters; hosts put the server's name before it and "
		     "leave out or cut what has more than 60: use at most %d",
		     size, TN_LINT_NAME_MAX);
	if (strchr(tool->name, '.'))
		tell(lint, "OpenAI and Anthropic refuse a dot in a name; use _ instead");
	check_title(lint, tool->title);
	check_description(lint, tool->description, true);
	check_icons(lint, tool->icons);
	check_meta(lint, tool->meta);
	check_input(lint, parse(lint, tool->input_schema));
	if (tool->output_schema && !item->output_is_object)
		tell(lint, "outputSchema is no object, so clients before 2026-07-28 get neither it "
			   "nor the structured result; put the value into an object");
}

static void check_resource(struct lint *lint, const struct tn_item *item)
{
	const struct tenon_resource *resource = &item->resource;

	set_item(lint, "resource", resource->uri);
	if (!resource->name[0])
		tell(lint, "the name is empty, and lists show it; send a short one");
	check_title(lint, resource->title);
	check_icons(lint, resource->icons);
	check_meta(lint, resource->meta);
}

static void check_template(struct lint *lint, const struct tn_item *item)
{
	const struct tenon_resource_template *description = &item->resource_template;

	set_item(lint, "template", description->uri_template);
	if (!description->name[0])
		tell(lint, "the name is empty, and lists show it; send a short one");
	check_title(lint, description->title);
	check_icons(lint, description->icons);
	check_meta(lint, description->meta);
}

static void check_prompt(struct lint *lint, const struct tn_item *item)
{
	const struct tenon_prompt *prompt = &item->prompt;

	set_item(lint, "prompt", prompt->name);
	check_title(lint, prompt->title);
	if (!prompt->description || !prompt->description[0])
		tell(lint, "there is no description, and people choose by it; say in a line what "
			   "this is for");
	check_icons(lint, prompt->icons);
	check_meta(lint, prompt->meta);
	for (size_t i = 0; i < prompt->argument_count; i++) {
		if (!prompt->arguments[i].description)
			tell(lint,
			     "the argument %.80s has no description, which hosts show beside the "
			     "field; say what to fill in",
			     prompt->arguments[i].name);
	}
}

static void check_server(struct lint *lint)
{
	const struct tenon_server *server = lint->server;
	size_t tools = server->registry.lists[TN_ITEM_TOOL].count;

	set_item(lint, "server", NULL);
	check_title(lint, server->options.title);
	check_icons(lint, server->options.icons);
	if (server->instructions.size > TN_LINT_INSTRUCTIONS_MAX)
		tell(lint,
		     "the instructions have %zu bytes, and hosts cut at %d; keep the most "
		     "important "
		     "sentence first and the rest in the descriptions",
		     server->instructions.size, TN_LINT_INSTRUCTIONS_MAX);
	if (tools > TN_LINT_TOOLS_MAX)
		tell(lint,
		     "there are %zu tools; VS Code and OpenAI take at most %d: offer the others by "
		     "another server",
		     tools, TN_LINT_TOOLS_MAX);
	else if (tools > TN_LINT_TOOLS_SOFT_MAX)
		tell(lint,
		     "there are %zu tools; Cursor offers about %d to a model, which chooses worse "
		     "among many: leave out or join some",
		     tools, TN_LINT_TOOLS_SOFT_MAX);
}

size_t tenon_server_lint(struct tenon_server *server,
			 void (*told)(const char *item, const char *sentence, void *data),
			 void *data)
{
	static void (*const checks[])(struct lint *, const struct tn_item *) = {
		[TN_ITEM_TOOL] = check_tool,
		[TN_ITEM_RESOURCE] = check_resource,
		[TN_ITEM_TEMPLATE] = check_template,
		[TN_ITEM_PROMPT] = check_prompt,
	};
	struct lint lint = {.server = server, .told = told, .data = data};

	tn_arena_init(&lint.arena, TN_MESSAGE_ARENA_MAX);
	check_server(&lint);
	for (size_t kind = 0; kind < TN_ITEM_KINDS; kind++) {
		const struct tn_list *list = &server->registry.lists[kind];

		for (size_t i = 0; i < list->count; i++) {
			checks[kind](&lint, list->items[i]);
			/* Quadratic, so only where it can be of use. */
			if (i <= TN_LINT_TOOLS_MAX)
				check_case(&lint, list, i);
			tn_arena_reset(&lint.arena);
		}
	}
	tn_arena_finish(&lint.arena);
	return lint.count;
}

/* ---- at the start ---- */

static void print(const char *item, const char *sentence, void *data)
{
	size_t *printed = data;

	if ((*printed)++ < TN_LINT_TOLD_MAX)
		(void)fprintf(stderr, "lint: %s: %s.\n", item, sentence);
}

void tn_lint_tell(struct tenon_server *server)
{
	const struct tenon_server_options *o = &server->options;
	size_t printed = 0;

	if (o->no_lint || server->told_lint)
		return;
	server->told_lint = true;
	if (o->lint)
		(void)tenon_server_lint(server, o->lint, o->data);
	else
		(void)tenon_server_lint(server, print, &printed);
	if (printed > TN_LINT_TOLD_MAX)
		(void)fprintf(stderr, "lint: and %zu more.\n", printed - TN_LINT_TOLD_MAX);
}

/* MCP-259, MCP-260: a tool's page is there, and has the type hosts look for. */
static enum tenon_code check_page(const struct tenon_server *server, const struct tn_item *item,
				  struct tn_arena *arena, struct tenon_error *err)
{
	struct tn_str uri = tn_str_from(item->tool.ui);
	const struct tn_item *page = tn_registry_find(&server->registry, TN_ITEM_RESOURCE, uri);
	const struct tn_list *templates = &server->registry.lists[TN_ITEM_TEMPLATE];
	struct tn_uri_variable variables[TN_URI_TEMPLATE_VARIABLES_MAX];
	const char *type = page ? page->resource.mime_type : NULL;
	size_t count;

	for (size_t i = 0; i < templates->count && !page; i++) {
		if (tn_uri_template_match(templates->items[i]->pattern, uri, arena, variables,
					  &count)) {
			page = templates->items[i];
			type = page->resource_template.mime_type;
		}
	}
	if (!page)
		return tn_fail(err, TENON_INVALID,
			       "tool %.64s: its page %.100s is not there; add this resource",
			       item->tool.name, item->tool.ui);
	if (!type || strcmp(type, TN_UI_MIME_TYPE) != 0)
		return tn_fail(err, TENON_INVALID,
			       "tool %.64s: its page %.80s needs the mime_type " TN_UI_MIME_TYPE,
			       item->tool.name, item->tool.ui);
	return TENON_OK;
}

enum tenon_code tn_server_start(struct tenon_server *server, struct tenon_error *err)
{
	const struct tn_list *tools = &server->registry.lists[TN_ITEM_TOOL];
	enum tenon_code code = TENON_OK;
	struct tn_arena arena;

	tn_arena_init(&arena, TN_MESSAGE_ARENA_MAX);
	for (size_t i = 0; i < tools->count && code == TENON_OK; i++) {
		if (tools->items[i]->tool.ui)
			code = check_page(server, tools->items[i], &arena, err);
	}
	tn_arena_finish(&arena);
	if (code == TENON_OK)
		tn_lint_tell(server);
	return code;
}
