#include "cli/completion.h"

#include <stdio.h>
#include <string.h>

#include "base/size.h"
#include "client/limits.h"
#include "host/probe.h"
#include "cli/daemon/status_read.h"
#include "cli/call/tool_list.h"
#include "cli/verbs.h"

enum { PATIENCE_MS = 400, HELP_MS = 2000, ABOUT_MAX = 80 };

struct completion {
	const char *const *words; /* [0] is the verb */
	size_t count;
	const char *current; /* the last of them */
	struct tn_buf *out;
	struct tn_cli cli;
	struct tn_arena arena;
};

static const struct tn_str nothing = {"", 0};

/* ---- candidates ---- */

static void offer(const struct completion *c, struct tn_str word, struct tn_str about)
{
	size_t line = tn_str_find_byte(about, '\n');

	if (!tn_str_starts(word, tn_str_from(c->current)) ||
	    tn_str_find_byte(word, '\n') != TN_STR_NONE ||
	    tn_str_find_byte(word, '\t') != TN_STR_NONE)
		return;
	if (line != TN_STR_NONE)
		about.size = line;
	tn_buf_append_str(c->out, word);
	if (about.size)
		tn_buf_format(c->out, "\t%.*s",
			      about.size > ABOUT_MAX ? ABOUT_MAX : (int)about.size, about.data);
	tn_buf_append_byte(c->out, '\n');
}

static void offer_files(const struct completion *c)
{
	tn_buf_append_text(c->out, ":files\n");
}

static void offer_verbs(const struct completion *c)
{
	for (const struct tn_verb *verb = tn_verbs; verb->name; verb++)
		offer(c, tn_str_from(verb->name), tn_str_from(verb->summary));
}

/* "a|b|c", each behind `prefix`. */
static void offer_choices(const struct completion *c, const char *prefix, struct tn_str choices)
{
	char word[256];

	while (choices.size) {
		size_t end = tn_str_find_byte(choices, '|');
		size_t size = end == TN_STR_NONE ? choices.size : end;

		(void)snprintf(word, sizeof(word), "%s%.*s", prefix, (int)size, choices.data);
		offer(c, tn_str_from(word), nothing);
		choices = tn_str_from_offset(choices, size + 1);
	}
}

/* ---- options: what the verb's own help says ---- */

struct option {
	struct tn_str name;  /* "--json" */
	struct tn_str value; /* "FILE", "a|b"; empty: a flag */
	struct tn_str help;
	char letter; /* or 0 */
};

/* "  -o, --output FILE  write it there". False: the line is about something else. */
static bool read_option(struct tn_str line, struct option *ret)
{
	struct tn_str rest = tn_str_trim(line);
	size_t end;

	*ret = (struct option){.help = nothing};
	if (!tn_str_starts(line, TN_STR("  ")))
		return false;
	if (rest.size > 4 && rest.data[0] == '-' && rest.data[1] != '-' && rest.data[2] == ',') {
		ret->letter = rest.data[1];
		rest = tn_str_trim(tn_str_from_offset(rest, 3));
	}
	if (!tn_str_starts(rest, TN_STR("--")))
		return false;
	end = tn_str_find_byte(rest, ' ');
	ret->name = end == TN_STR_NONE ? rest : tn_str(rest.data, end);
	rest = tn_str_from_offset(rest, ret->name.size + 1);
	if (rest.size && rest.data[0] != ' ') { /* one space: its value; two: the help */
		end = tn_str_find_byte(rest, ' ');
		ret->value = end == TN_STR_NONE ? rest : tn_str(rest.data, end);
		rest = tn_str_from_offset(rest, ret->value.size);
	}
	ret->help = tn_str_trim(rest);
	return true;
}

/* The text that `tenon VERB [COMMAND] --help` prints. */
static void read_help(const struct completion *c, struct tn_buf *out)
{
	const char *argv[5] = {"/proc/self/exe", c->words[0]};
	struct tenon_error err;
	size_t count = 2;
	int exit = 0;

	if ((strcmp(c->words[0], "plan") == 0 || strcmp(c->words[0], "terminal") == 0 ||
	     strcmp(c->words[0], "studio") == 0 || strcmp(c->words[0], "floorplan") == 0) &&
	    c->count > 2)
		argv[count++] = c->words[1];
	argv[count] = "--help";
	if (tn_probe_run(argv, HELP_MS, out, &exit, &err) != TENON_OK || exit != 0)
		tn_buf_clear(out);
}

static bool next_line(struct tn_str *text, struct tn_str *ret)
{
	size_t end = tn_str_find_byte(*text, '\n');

	if (!text->size)
		return false;
	*ret = end == TN_STR_NONE ? *text : tn_str(text->data, end);
	*text = tn_str_from_offset(*text, ret->size + 1);
	return true;
}

static void offer_options(const struct completion *c)
{
	struct tn_str text, line;
	struct option option;
	struct tn_buf help;

	tn_buf_init(&help, 64 * TN_KIB);
	read_help(c, &help);
	text = tn_buf_str(&help);
	while (next_line(&text, &line)) {
		if (read_option(line, &option))
			offer(c, option.name, option.help);
	}
	offer(c, TN_STR("--help"), TN_STR("what the verb takes"));
	tn_buf_finish(&help);
}

static bool is_named(const struct option *option, const char *word)
{
	return tn_str_is(option->name, word) ||
	       (option->letter && word[0] == '-' && word[1] == option->letter && word[2] == '\0');
}

/* True: the word before is an option that wants a value, and its values have been offered. */
static bool offer_value(const struct completion *c)
{
	const char *before = c->count > 2 ? c->words[c->count - 2] : "";
	struct tn_str text, line;
	struct option option;
	struct tn_buf help;
	bool found = false;

	if (before[0] != '-' || before[1] == '\0')
		return false;
	tn_buf_init(&help, 64 * TN_KIB);
	read_help(c, &help);
	text = tn_buf_str(&help);
	while (!found && next_line(&text, &line)) {
		if (!read_option(line, &option) || !is_named(&option, before) || !option.value.size)
			continue;
		found = true;
		if (tn_str_find_byte(option.value, '|') != TN_STR_NONE)
			offer_choices(c, "", option.value);
		else if (tn_str_is(option.value, "FILE") || tn_str_is(option.value, "PATH") ||
			 tn_str_is(option.value, "F"))
			offer_files(c);
	}
	tn_buf_finish(&help);
	return found;
}

/* ---- what only the daemon knows ---- */

static struct tenon_client *ask_daemon(struct completion *c, const char *app)
{
	const struct tn_connect connect = {.app = app,
					   .no_start = true,
					   .no_reconnect = true,
					   .timeout_ms = PATIENCE_MS,
					   .connect_timeout_ms = PATIENCE_MS};
	struct tenon_client *client = NULL;
	struct tenon_error err;

	if (tn_cli_try_connect(&c->cli, &connect, &client, NULL, &err) != TENON_OK)
		return NULL;
	return client;
}

/* The array `key` of a list; NULL: nobody knows. */
static const struct tn_json *ask_list(struct completion *c, const char *app, enum tenon_list which,
				      const char *key)
{
	struct tenon_client *client = ask_daemon(c, app);
	struct tenon_outcome outcome;
	struct tenon_error err;
	struct tn_json *root = NULL;

	if (!client)
		return NULL;
	if (tenon_request_wait(tenon_client_list(client, which, NULL, &err), &outcome) !=
		    TENON_OK ||
	    tn_json_parse_copy(&c->arena, tn_str(outcome.result, outcome.result_size), &root,
			       &err) != TENON_OK)
		root = NULL;
	tenon_client_destroy(client);
	root = (struct tn_json *)(uintptr_t)tn_json_get(root, key);
	return tn_json_is(root, TN_JSON_ARRAY) ? root->first : NULL;
}

static struct tn_str text_of(const struct tn_json *object, const char *key)
{
	const struct tn_json *value = tn_json_get(object, key);

	return tn_json_is(value, TN_JSON_STRING) ? value->text : nothing;
}

/* The apps that are on: tenon://status. */
static const struct tn_json *ask_apps(struct completion *c)
{
	struct tenon_client *client = ask_daemon(c, NULL);
	const struct tn_json *status = NULL, *apps;
	struct tenon_error err;

	if (!client)
		return NULL;
	if (tn_status_read(client, "tenon://status", &c->arena, &status, &err) != TENON_OK)
		status = NULL;
	tenon_client_destroy(client);
	apps = tn_json_get(status, "apps");
	return tn_json_is(apps, TN_JSON_ARRAY) ? apps->first : NULL;
}

static void offer_apps(struct completion *c, const char *after)
{
	for (const struct tn_json *app = ask_apps(c); app; app = app->next) {
		const char *word =
			tn_arena_format(&c->arena, "%s%s", text_of(app, "name").data, after);

		if (word)
			offer(c, tn_str_from(word), text_of(app, "title"));
	}
}

/* "plan.terraform_explain": apps first, the tools of one as soon as it is named. */
static void offer_tools(struct completion *c)
{
	const char *point = strchr(c->current, '.');
	const char *app = "";

	if (point)
		app = tn_arena_copy(&c->arena, tn_str(c->current, (size_t)(point - c->current)));
	for (const struct tn_json *tool =
		     ask_list(c, point ? app : NULL, TENON_LIST_TOOLS, "tools");
	     tool && app; tool = tool->next) {
		const char *word = tn_arena_format(&c->arena, "%s%s%s", app, point ? "." : "",
						   text_of(tool, "name").data);

		if (word)
			offer(c, tn_str_from(word), text_of(tool, "title"));
	}
	if (!point)
		offer_apps(c, ".");
}

static const struct tn_json *find_schema(struct completion *c)
{
	const char *word = c->words[1], *point = strchr(word, '.');
	char app[64] = "";
	const struct tn_json *tool;

	if (point && (size_t)(point - word) < sizeof(app)) {
		memcpy(app, word, (size_t)(point - word));
		word = point + 1;
	}
	for (tool = ask_list(c, *app ? app : NULL, TENON_LIST_TOOLS, "tools"); tool;
	     tool = tool->next) {
		if (tn_str_is(text_of(tool, "name"), word))
			return tn_json_get(tool, "inputSchema");
	}
	return NULL;
}

/* NAME=, and behind it the values of an enumeration, or files after an @. */
static void offer_arguments(struct completion *c)
{
	const struct tn_json *properties, *list;
	const char *equals = strchr(c->current, '=');
	char prefix[256];

	if (equals && equals[1] == '@') {
		offer_files(c);
		return;
	}
	properties = tn_json_get(find_schema(c), "properties");
	if (!tn_json_is(properties, TN_JSON_OBJECT))
		return;
	for (const struct tn_json *p = properties->first; p; p = p->next) {
		(void)snprintf(prefix, sizeof(prefix), "%.*s=", (int)p->key.size, p->key.data);
		if (!equals) {
			offer(c, tn_str_from(prefix), text_of(p, "description"));
			continue;
		}
		if (!tn_str_starts(tn_str_from(c->current), tn_str_from(prefix)))
			continue;
		list = tn_json_get(p, "enum");
		for (const struct tn_json *v = tn_json_is(list, TN_JSON_ARRAY) ? list->first : NULL;
		     v; v = v->next) {
			if (v->type == TN_JSON_STRING)
				offer_choices(c, prefix, v->text);
		}
		if (tn_str_is(text_of(p, "type"), "boolean"))
			offer_choices(c, prefix, TN_STR("true|false"));
	}
}

static void offer_resources(struct completion *c)
{
	for (const struct tn_json *r = ask_list(c, NULL, TENON_LIST_RESOURCES, "resources"); r;
	     r = r->next)
		offer(c, text_of(r, "uri"), text_of(r, "title"));
}

/* `tenon install` without a word lists the hosts it knows. */
static void offer_hosts(struct completion *c)
{
	static const char *const argv[] = {"/proc/self/exe", "install", "--json", NULL};
	struct tn_json *root = NULL;
	const struct tn_json *hosts;
	struct tenon_error err;
	struct tn_buf said;
	int exit = 0;

	tn_buf_init(&said, TN_MIB);
	if (tn_probe_run(argv, HELP_MS, &said, &exit, &err) == TENON_OK && exit == 0 &&
	    tn_json_parse_copy(&c->arena, tn_buf_str(&said), &root, &err) == TENON_OK) {
		hosts = root->type == TN_JSON_ARRAY ? root : tn_json_get(root, "hosts");
		for (const struct tn_json *h = tn_json_is(hosts, TN_JSON_ARRAY) ? hosts->first
										: NULL;
		     h; h = h->next)
			offer(c, text_of(h, "id"), text_of(h, "name"));
	}
	tn_buf_finish(&said);
}

/* ---- verbs ---- */

static void offer_tools_words(struct completion *c)
{
	if (c->count == 2) {
		offer_apps(c, "");
		offer_tools(c);
	}
}

static void offer_call_words(struct completion *c)
{
	if (c->count == 2)
		offer_tools(c);
	else
		offer_arguments(c);
}

static void offer_plan_words(struct completion *c)
{
	if (c->count == 2)
		offer_choices(c, "",
			      TN_STR("explain|parse|risk|best-of|score|context|compare|history"));
	else
		offer_files(c);
}

static void offer_terminal_words(struct completion *c)
{
	if (c->count == 2)
		offer_choices(c, "", TN_STR("run|sessions|attach|replay|approve|history|policy"));
	else
		offer_files(c);
}

static void offer_studio_words(struct completion *c)
{
	if (c->count == 2)
		offer_choices(c, "", TN_STR("types|prices"));
	else if (c->count == 3)
		offer_choices(c, "",
			      strcmp(c->words[1], "types") == 0 ? TN_STR("check")
								: TN_STR("refresh"));
	else
		offer_files(c);
}

static void offer_floorplan_words(struct completion *c)
{
	if (c->count == 2)
		offer_choices(c, "",
			      TN_STR("validate|render|modify|analyze|export|import|fmt|diff|"
				     "watch|lsp"));
	else
		offer_files(c);
}

static void offer_help_words(struct completion *c)
{
	offer_verbs(c);
	offer_choices(c, "", TN_STR("topics|arguments|environment|exit-codes|files"));
}

static void offer_shells(struct completion *c)
{
	offer_choices(c, "", TN_STR("bash|zsh|fish"));
}

static void offer_app_names(struct completion *c)
{
	offer_apps(c, "");
	if (c->out->size == 0)
		offer(c, TN_STR("plan"), nothing);
}

static const struct {
	const char *verb;
	void (*offer)(struct completion *c);
} by_verb[] = {
	{"call", offer_call_words},
	{"tools", offer_tools_words},
	{"read", offer_resources},
	{"watch", offer_resources},
	{"plan", offer_plan_words},
	{"help", offer_help_words},
	{"completion", offer_shells},
	{"install", offer_hosts},
	{"mcp", offer_app_names},
	{"serve", offer_app_names},
	{"terminal", offer_terminal_words},
	{"studio", offer_studio_words},
	{"floorplan", offer_floorplan_words},
};

void tn_complete(const char *const *words, size_t count, struct tn_buf *out)
{
	struct completion c = {.words = words,
			       .count = count,
			       .current = count ? words[count - 1] : "",
			       .out = out,
			       .cli = {.verb = "completion"}};

	tn_arena_init(&c.arena, TN_CLIENT_ARENA_MAX);
	if (count <= 1) {
		offer_verbs(&c);
		offer_choices(&c, "--", TN_STR("help|version"));
	} else if (!tn_verb_find(tn_str_from(words[0]))) {
		/* nothing is known of it */
	} else if (c.current[0] == '-') {
		offer_options(&c);
	} else if (!offer_value(&c)) {
		for (size_t i = 0; i < TN_COUNT(by_verb); i++) {
			if (strcmp(words[0], by_verb[i].verb) == 0)
				by_verb[i].offer(&c);
		}
	}
	tn_arena_finish(&c.arena);
}
