/* tenon tools: what there is to call, and what one of them takes. */
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "base/utf8.h"
#include "cli/shared/call_output.h"
#include "cli/daemon/status_read.h"
#include "cli/call/tool_list.h"
#include "client/limits.h"
#include "jsonrpc/json_write.h"
#include "mcp/finder/finder.h"
#include "mcp/tool_digest.h"

enum { APPS_MAX = 64, NAME_COLUMNS_MAX = 40, LINE_COLUMNS = 100, VALUE_SIZE = 96 };

struct tools {
	struct tn_cli cli;
	const char *words[2];
	size_t word_count;
	bool no_start, hash;
	struct tn_tool_digests digests;
	struct tenon_error digest_err; /* of the first tool that has none */
	struct tn_arena arena;
	struct tn_buf out;
	unsigned columns; /* of the terminal; 0: lines may be of any length */
	bool has_item;
};

static struct tn_str text_of(const struct tn_json *object, const char *key)
{
	const struct tn_json *value = tn_json_get(object, key);

	return tn_json_is(value, TN_JSON_STRING) ? value->text : tn_str("", 0);
}

/* ---- the list ---- */

/* Up to the end of the first sentence, on one line. */
static struct tn_str first_sentence(struct tn_str text)
{
	for (size_t i = 0; i < text.size; i++) {
		if (text.data[i] == '\n' || (text.data[i] == '.' && i + 1 < text.size &&
					     (text.data[i + 1] == ' ' || text.data[i + 1] == '\n')))
			return tn_str(text.data, i);
	}
	if (text.size && text.data[text.size - 1] == '.')
		text.size--;
	return text;
}

static void put_cut(struct tn_buf *out, struct tn_str text, size_t columns)
{
	if (text.size <= columns) {
		tn_buf_append_str(out, text);
		return;
	}
	tn_buf_append_str(out, tn_utf8_cut(text, columns - 3));
	tn_buf_append_text(out, "...");
}

static size_t widest(const struct tn_json *tools, size_t prefix)
{
	size_t width = 0;

	for (const struct tn_json *t = tn_json_is(tools, TN_JSON_ARRAY) ? tools->first : NULL; t;
	     t = t->next) {
		size_t size = text_of(t, "name").size + prefix;

		if (size > width && size <= NAME_COLUMNS_MAX)
			width = size;
	}
	return width;
}

static void list_one(struct tools *tools, const char *app, const struct tn_json *tool, size_t width)
{
	struct tn_str name = text_of(tool, "name");
	struct tn_str about = first_sentence(text_of(tool, "description"));
	size_t start = tools->out.size, used;

	tn_buf_format(&tools->out, "%s%s%.*s", app ? app : "", app ? "." : "", (int)name.size,
		      name.data);
	used = tools->out.size - start;
	if (about.size) {
		do
			tn_buf_append_byte(&tools->out, ' ');
		while (!tools->out.failed && ++used < width + 2);
		put_cut(&tools->out, about,
			tools->columns > used + 10 ? tools->columns - used : about.size);
	}
	tn_buf_append_byte(&tools->out, '\n');
}

/* {"app":"plan", and the tool as the server lists it. */
static void list_one_json(struct tools *tools, const char *app, const struct tn_json *tool)
{
	tn_json_begin_object(&tools->out);
	tn_json_put_member_text(&tools->out, "app", app);
	for (const struct tn_json *m = tool->first; m; m = m->next) {
		tn_json_put_key_str(&tools->out, m->key);
		tn_json_put_value(&tools->out, m);
	}
	tn_json_end_object(&tools->out);
}

/* The first mistake stays. */
static void add_digest(struct tools *tools, const char *app, const struct tn_json *tool)
{
	struct tenon_error err = {0};

	if (tn_tool_digests_add(&tools->digests, app, tool, &err) != TENON_OK &&
	    !tools->digest_err.code)
		tools->digest_err = err;
}

static void list(struct tools *tools, const char *app, const struct tn_json *array)
{
	size_t width = widest(array, app ? strlen(app) + 1 : 0);

	for (const struct tn_json *t = tn_json_is(array, TN_JSON_ARRAY) ? array->first : NULL; t;
	     t = t->next) {
		if (t->type != TN_JSON_OBJECT)
			continue;
		if (tools->hash)
			add_digest(tools, app, t);
		else if (tools->cli.json)
			list_one_json(tools, app, t);
		else
			list_one(tools, app, t, width);
	}
}

static int list_app(struct tools *tools, const char *app)
{
	const struct tn_connect connect = {.app = app, .no_start = tools->no_start};
	struct tenon_client *client = NULL;
	const struct tn_json *array = NULL;
	int exit = tn_cli_connect(&tools->cli, &connect, &client, NULL);

	if (exit == TN_EXIT_OK)
		exit = tn_tool_list(&tools->cli, client, &tools->arena, &array);
	if (exit == TN_EXIT_OK)
		list(tools, app, array);
	tenon_client_destroy(client);
	return exit;
}

/* Those that find and call the others, as far as the daemon offers them. */
static int add_finders(struct tools *tools)
{
	const struct tn_connect connect = {.everyday = true, .no_start = tools->no_start};
	struct tenon_client *client = NULL;
	const struct tn_json *array = NULL, *t;
	int exit = tn_cli_connect(&tools->cli, &connect, &client, NULL);

	if (exit == TN_EXIT_OK)
		exit = tn_tool_list(&tools->cli, client, &tools->arena, &array);
	for (t = tn_json_is(array, TN_JSON_ARRAY) ? array->first : NULL; t; t = t->next) {
		if (tn_finder_by_name(text_of(t, "name")))
			add_digest(tools, "tenon", t);
	}
	tenon_client_destroy(client);
	return exit;
}

/* The daemon says which apps it has; a server that does not is listed as it is. */
static int list_all(struct tools *tools)
{
	const struct tn_connect connect = {.no_start = tools->no_start};
	const struct tn_json *status = NULL, *apps;
	struct tenon_client *client = NULL;
	struct tenon_error err = {0};
	int exit = tn_cli_connect(&tools->cli, &connect, &client, NULL);
	const struct tn_json *array = NULL;

	if (exit != TN_EXIT_OK)
		return exit;
	if (tn_status_read(client, "tenon://status", &tools->arena, &status, &err) != TENON_OK) {
		exit = tn_tool_list(&tools->cli, client, &tools->arena, &array);
		list(tools, NULL, array);
	}
	tenon_client_destroy(client);
	apps = tn_json_get(status, "apps");
	for (const struct tn_json *a = tn_json_is(apps, TN_JSON_ARRAY) ? apps->first : NULL;
	     a && exit == TN_EXIT_OK; a = a->next) {
		bool enabled = false;

		if (tn_json_to_bool(tn_json_get(a, "enabled"), &enabled) && enabled)
			exit = list_app(tools, text_of(a, "name").data);
	}
	return tools->hash && apps && exit == TN_EXIT_OK ? add_finders(tools) : exit;
}

/* ---- one tool ---- */

static void put_values(struct tn_buf *out, const struct tn_json *list)
{
	for (const struct tn_json *v = list->first; v; v = v->next) {
		if (v != list->first)
			tn_buf_append_byte(out, '|');
		if (v->type == TN_JSON_STRING)
			tn_buf_append_str(out, v->text);
		else if (v->type == TN_JSON_NUMBER)
			tn_buf_append_str(out, v->text);
		else
			tn_buf_append_text(out, tn_json_type_name(v));
	}
}

/* What may be written for it: "TEXT", "INTEGER", "auto|full". */
static void put_kind(struct tn_buf *out, const struct tn_json *property)
{
	static const char *const names[][2] = {{"string", "TEXT"},    {"integer", "INTEGER"},
					       {"number", "NUMBER"},  {"boolean", "true|false"},
					       {"array", "VALUE..."}, {"object", "JSON"}};
	const struct tn_json *type = tn_json_get(property, "type");
	const struct tn_json *values = tn_json_get(property, "enum");

	if (tn_json_is(type, TN_JSON_ARRAY))
		type = type->first;
	if (tn_json_is(values, TN_JSON_ARRAY)) {
		put_values(out, values);
		return;
	}
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		if (tn_json_is(type, TN_JSON_STRING) && tn_str_is(type->text, names[i][0])) {
			tn_buf_append_text(out, names[i][1]);
			return;
		}
	}
	tn_buf_append_text(out, "VALUE");
}

static bool is_required(const struct tn_json *schema, struct tn_str name)
{
	const struct tn_json *list = tn_json_get(schema, "required");

	for (const struct tn_json *v = tn_json_is(list, TN_JSON_ARRAY) ? list->first : NULL; v;
	     v = v->next) {
		if (v->type == TN_JSON_STRING && tn_str_equal(v->text, name))
			return true;
	}
	return false;
}

/* Words of `text`, each line at most LINE_COLUMNS wide and indented. */
static void put_wrapped(struct tn_buf *out, struct tn_str text, unsigned left)
{
	size_t column = LINE_COLUMNS + 1;

	while (text.size) {
		size_t end = 0;

		while (end < text.size && text.data[end] != ' ' && text.data[end] != '\n')
			end++;
		if (end && column + 1 + end > LINE_COLUMNS) {
			if (column <= LINE_COLUMNS)
				tn_buf_append_byte(out, '\n');
			tn_buf_format(out, "%*s", (int)left, "");
			column = left;
		} else if (end) {
			tn_buf_append_byte(out, ' ');
			column++;
		}
		tn_buf_append(out, text.data, end);
		column += end;
		text = tn_str_from_offset(text, end + 1);
	}
	tn_buf_append_byte(out, '\n');
}

static void put_argument(struct tools *tools, const struct tn_json *schema,
			 const struct tn_json *property)
{
	const struct tn_json *standard = tn_json_get(property, "default");
	struct tn_str about = text_of(property, "description");
	struct tn_buf *out = &tools->out;
	struct tn_buf value;

	tn_buf_init(&value, VALUE_SIZE);
	if (tn_json_is(standard, TN_JSON_STRING))
		tn_buf_append_str(&value, standard->text);
	else if (standard)
		tn_json_put_value(&value, standard);
	tn_buf_format(out, "  %.*s=", (int)property->key.size, property->key.data);
	put_kind(out, property);
	if (is_required(schema, property->key))
		tn_buf_append_text(out, "  (required)");
	else if (standard && !value.failed)
		tn_buf_format(out, "  (%.*s)", (int)value.size, value.data);
	tn_buf_append_byte(out, '\n');
	if (about.size)
		put_wrapped(out, about, 6);
	tn_buf_finish(&value);
}

static void put_hints(struct tn_buf *out, const struct tn_json *tool)
{
	static const struct {
		const char *hint;
		const char *words[2]; /* false, true */
	} hints[] = {{"readOnlyHint", {"changes something", "changes nothing"}},
		     {"destructiveHint", {"only adds", "may destroy something"}},
		     {"idempotentHint", {NULL, "twice is as good as once"}},
		     {"openWorldHint", {NULL, "reaches beyond this machine"}}};
	const struct tn_json *annotations = tn_json_get(tool, "annotations");
	bool value, is_read_only = false;
	const char *before = "\n";

	(void)tn_json_to_bool(tn_json_get(annotations, "readOnlyHint"), &is_read_only);
	for (size_t i = 0; i < sizeof(hints) / sizeof(hints[0]); i++) {
		if (is_read_only && (i == 1 || i == 2))
			continue; /* means nothing then */
		if (!tn_json_to_bool(tn_json_get(annotations, hints[i].hint), &value) ||
		    !hints[i].words[value])
			continue;
		tn_buf_format(out, "%s%s", before, hints[i].words[value]);
		before = ", ";
	}
	if (*before == ',')
		tn_buf_append_byte(out, '\n');
}

static void show_tool(struct tools *tools, const char *word, const struct tn_json *tool)
{
	const struct tn_json *schema = tn_json_get(tool, "inputSchema");
	const struct tn_json *properties = tn_json_get(schema, "properties");
	struct tn_str title = text_of(tool, "title"), about = text_of(tool, "description");
	struct tn_buf *out = &tools->out;
	bool has_more = false;

	tn_buf_format(out, "usage: tenon call %s", word);
	for (const struct tn_json *p = tn_json_is(properties, TN_JSON_OBJECT) ? properties->first
									      : NULL;
	     p; p = p->next) {
		if (!is_required(schema, p->key)) {
			has_more = true;
			continue;
		}
		tn_buf_format(out, " %.*s=", (int)p->key.size, p->key.data);
		put_kind(out, p);
	}
	tn_buf_append_text(out, has_more ? " [NAME=VALUE]...\n\n" : "\n\n");
	if (title.size)
		tn_buf_format(out, "%.*s\n\n", (int)title.size, title.data);
	if (about.size)
		put_wrapped(out, about, 0);
	put_hints(out, tool);
	if (tn_json_is(properties, TN_JSON_OBJECT) && properties->first)
		tn_buf_append_text(out, "\narguments:\n");
	for (const struct tn_json *p = tn_json_is(properties, TN_JSON_OBJECT) ? properties->first
									      : NULL;
	     p; p = p->next)
		put_argument(tools, schema, p);
}

static int one_tool(struct tools *tools, const char *word)
{
	const struct tn_connect connect = {.no_start = tools->no_start};
	struct tn_tool_place place;
	int exit = tn_tool_place_find(&tools->cli, &connect, word, &tools->arena, &place);

	if (exit == TN_EXIT_OK && tools->cli.json)
		tn_json_put_value(&tools->out, place.tool);
	else if (exit == TN_EXIT_OK)
		show_tool(tools, word, place.tool);
	tenon_client_destroy(place.client);
	return exit;
}

/* ---- hashes ---- */

/* As sha256sum prints them; the last line is the hash of those before it. */
static int put_hashes(struct tools *tools)
{
	char sum[TN_DIGEST_HEX_SIZE];
	struct tn_buf *out = &tools->out;
	struct tn_buf lines;

	if (tools->digest_err.code)
		return tn_cli_fail_error(&tools->cli, TN_EXIT_TOOL, "hash", &tools->digest_err);
	tn_buf_init(&lines, TN_CLIENT_RESULT_MAX);
	tn_tool_digests_sum(&tools->digests, &lines, sum);
	if (tools->cli.json) {
		tn_json_begin_object(out);
		tn_json_put_member_text(out, "hash", sum);
		tn_json_put_key(out, "tools");
		tn_json_begin_object(out);
		for (size_t i = 0; i < tools->digests.count; i++)
			tn_json_put_member_text(out, tools->digests.items[i].name,
						tools->digests.items[i].hash);
		tn_json_end_object(out);
		tn_json_end_object(out);
		tn_buf_append_byte(out, '\n');
	} else {
		tn_buf_append_str(out, tn_buf_str(&lines));
		tn_buf_format(out, "%s  all %zu tools\n", sum, tools->digests.count);
	}
	tn_buf_finish(&lines);
	return tn_cli_write(&tools->cli, out, TN_EXIT_OK);
}

/* ---- the words ---- */

static bool is_app(struct tools *tools, const char *word)
{
	const struct tn_connect connect = {.app = word, .no_start = tools->no_start};
	struct tenon_client *client = NULL;
	struct tenon_error err = {0};
	bool is = !strchr(word, '.') &&
		  tn_cli_try_connect(&tools->cli, &connect, &client, NULL, &err) == TENON_OK;

	tenon_client_destroy(client);
	return is;
}

static int run_list(struct tools *tools, const char *app)
{
	bool as_array = tools->cli.json && !tools->hash;
	int exit;

	if (as_array)
		tn_json_begin_array(&tools->out);
	exit = app ? list_app(tools, app) : list_all(tools);
	if (exit != TN_EXIT_OK)
		return exit;
	if (tools->hash)
		return put_hashes(tools);
	if (as_array) {
		tn_json_end_array(&tools->out);
		tn_buf_append_byte(&tools->out, '\n');
	}
	return tn_cli_write(&tools->cli, &tools->out, exit);
}

static int run(struct tools *tools)
{
	const char *word = tools->word_count ? tools->words[0] : NULL;
	int exit;

	if (!word || (tools->word_count == 1 && is_app(tools, word)))
		return run_list(tools, word);
	if (tools->hash)
		return tn_cli_usage(&tools->cli, "--hash is for the tools of all apps or of one; "
						 "leave the tool out");
	if (tools->word_count == 2)
		word = tn_arena_format(&tools->arena, "%s.%s", tools->words[0], tools->words[1]);
	exit = one_tool(tools, word);
	if (tools->cli.json)
		tn_buf_append_byte(&tools->out, '\n');
	return exit == TN_EXIT_OK ? tn_cli_write(&tools->cli, &tools->out, exit) : exit;
}

int tn_cli_tools(int argc, char **argv)
{
	struct tools tools = {.cli = {.verb = "tools"}};
	const struct tn_option table[] = {
		{.name = "no-start",
		 .kind = TN_OPTION_FLAG,
		 .value = &tools.no_start,
		 .help = "exit 4 when the daemon does not run, instead of starting it"},
		{.name = "hash",
		 .kind = TN_OPTION_FLAG,
		 .value = &tools.hash,
		 .help = "a hash of what a model is told about each tool, and one of all"},
		{.name = "json",
		 .kind = TN_OPTION_FLAG,
		 .value = &tools.cli.json,
		 .help = "one line of JSON: the definitions; mistakes likewise"},
	};
	const struct tn_options options = {
		.usage = "tenon tools [APP] [TOOL] [options]",
		.summary = "Lists the tools of all apps or of one; of one tool it shows what it "
			   "takes.\n\n"
			   "Example: tenon tools plan.terraform_explain",
		.options = table,
		.option_count = sizeof(table) / sizeof(table[0]),
		.words = tools.words,
		.word_max = 2};
	struct winsize size;
	int exit = TN_EXIT_OK;

	if (!tn_cli_begin(&tools.cli, &options, argc, argv, &tools.word_count, &exit))
		return exit;
	if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0)
		tools.columns = size.ws_col;
	tn_arena_init(&tools.arena, TN_CLIENT_ARENA_MAX);
	tn_buf_init(&tools.out, TN_CLIENT_RESULT_MAX);
	exit = run(&tools);
	tn_tool_digests_finish(&tools.digests);
	tn_buf_finish(&tools.out);
	tn_arena_finish(&tools.arena);
	return exit;
}
