/* tenon workbench: opening a folder for assistants, as a person; and what is open. */
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "base/size.h"
#include "cli/shared/group.h"
#include "cli/shared/person.h"
#include "cli/workbench/workbench.h"
#include "jsonrpc/json_write.h"

enum { READ_STEP_MS = 50, READ_MS = 60000 };

/* ---- open ---- */

/* *ret_read: it has been read within READ_MS. */
static int wait_until_read(struct tn_workbench *w, struct tn_str id, bool *ret_read)
{
	const struct timespec step = {.tv_nsec = READ_STEP_MS * 1000000L};
	const struct tn_json *info;
	int exit = TN_EXIT_OK;

	*ret_read = false;
	for (int waited = 0; exit == TN_EXIT_OK && waited < READ_MS; waited += READ_STEP_MS) {
		exit = tn_workbench_read(w, id, "server/info", &info);
		*ret_read = exit == TN_EXIT_OK &&
			    !tn_str_is(tn_workbench_text(info, "state"), "loading");
		if (*ret_read)
			return exit;
		(void)nanosleep(&step, NULL);
	}
	return exit;
}

/* The index comes in pages. */
static int count_types(struct tn_workbench *w, struct tn_str id, size_t *ret)
{
	const struct tn_json *index = NULL;
	int exit = TN_EXIT_OK;
	char path[128];

	*ret = 0;
	for (bool more = true; more && exit == TN_EXIT_OK;) {
		struct tn_str cursor = tn_workbench_text(index, "nextCursor");

		(void)snprintf(path, sizeof(path), "workspace/registry/index%s%.*s",
			       cursor.size ? "?cursor=" : "", (int)cursor.size, cursor.data);
		exit = tn_workbench_read(w, id, path, &index);
		if (tn_json_get(index, "components"))
			*ret += tn_json_get(index, "components")->count;
		more = tn_workbench_text(index, "nextCursor").size > 0;
	}
	return exit;
}

/* A graph that is too large to be shown has its nodes in `index`, routes first. */
static unsigned count_routes(const struct tn_json *graph)
{
	const struct tn_json *whole = tn_json_get(graph, "graph");
	const struct tn_json *nodes =
		whole ? tn_json_get(whole, "nodes") : tn_json_get(graph, "index");
	unsigned count = 0;

	for (const struct tn_json *at = nodes ? nodes->first : NULL; at; at = at->next)
		count += tn_str_is(tn_workbench_text(at, "kind"), "route");
	return count;
}

static void put_faults(struct tn_buf *out, const struct tn_json *diagnostics)
{
	for (const struct tn_json *at = diagnostics ? diagnostics->first : NULL; at;
	     at = at->next) {
		struct tn_str file = tn_workbench_text(at, "file"),
			      message = tn_workbench_text(at, "message");
		int64_t line = 0;

		if (tn_str_is(tn_workbench_text(at, "severity"), "info"))
			continue;
		tn_buf_append_byte(out, '\n');
		tn_buf_append_str(out, file);
		if (tn_json_to_int(tn_json_get(at, "line"), &line))
			tn_buf_format(out, ":%lld", (long long)line);
		tn_buf_append_text(out, file.size ? ": " : "");
		tn_buf_append_str(out, message);
	}
}

static void put_faults_of_modules(struct tn_buf *out, const struct tn_json *modules)
{
	for (const struct tn_json *at = modules ? modules->first : NULL; at; at = at->next)
		put_faults(out, tn_json_get(at, "diagnostics"));
}

static int tell_what_was_read(struct tn_workbench *w, struct tn_str id, struct tn_buf *out)
{
	const struct tn_json *graph, *config, *registry;
	size_t types = 0;
	bool is_read;
	int exit = wait_until_read(w, id, &is_read);

	if (exit == TN_EXIT_OK && !is_read) {
		tn_buf_append_text(out, ", and is still being read");
		return exit;
	}
	if (exit == TN_EXIT_OK)
		exit = count_types(w, id, &types);
	if (exit == TN_EXIT_OK)
		exit = tn_workbench_read(w, id, "workspace/graph", &graph);
	if (exit == TN_EXIT_OK)
		exit = tn_workbench_read(w, id, "workspace/config", &config);
	if (exit == TN_EXIT_OK)
		exit = tn_workbench_read(w, id, "workspace/registry", &registry);
	if (exit != TN_EXIT_OK)
		return exit;
	tn_buf_append_text(out, ": ");
	tn_buf_append_count(out, types, "component type");
	tn_buf_append_text(out, ", ");
	tn_buf_append_count(out, count_routes(graph), "route");
	put_faults(out, tn_json_get(config, "diagnostics"));
	put_faults_of_modules(out, tn_json_get(config, "modules"));
	put_faults(out, tn_json_get(registry, "diagnostics"));
	put_faults(out, tn_json_get(graph, "diagnostics"));
	return exit;
}

static int tell_opened(struct tn_workbench *w, const struct tn_json *result)
{
	const struct tn_json *workspace = tn_json_get(result, "workspace");
	struct tn_str id = tn_workbench_text(workspace, "id"),
		      root = tn_workbench_text(workspace, "root");
	int exit = TN_EXIT_OK;
	struct tn_buf out;
	bool is_read;

	tn_buf_init(&out, TN_MIB * 16);
	if (w->cli.json) {
		if (w->read)
			exit = wait_until_read(w, id, &is_read);
		tn_json_put_value(&out, workspace);
	} else {
		tn_buf_format(&out, "%.*s is open as %.*s", (int)root.size, root.data, (int)id.size,
			      id.data);
		if (w->read)
			exit = tell_what_was_read(w, id, &out);
	}
	if (exit == TN_EXIT_OK)
		return tn_workbench_print(w, &out);
	tn_buf_finish(&out);
	return exit;
}

static int open_path(struct tn_workbench *w, const char *path)
{
	const struct tn_json *result = NULL;
	struct tn_buf arguments;
	char real[PATH_MAX];
	int exit;

	if (!realpath(path, real))
		return tn_cli_fail(&w->cli, TN_EXIT_USAGE, "NOT_FOUND", false, "%s: %s", path,
				   strerror(errno));
	tn_buf_init(&arguments, TN_KIB * 32);
	tn_json_begin_object(&arguments);
	tn_json_put_member_text(&arguments, "path", real);
	if (w->trust)
		tn_json_put_member_bool(&arguments, "trusted", true);
	tn_json_end_object(&arguments);
	tn_buf_append_byte(&arguments, '\0');
	exit = tn_workbench_begin(w);
	if (exit == TN_EXIT_OK)
		exit = tn_person_call(&w->cli, w->client, "workbench_open_workspace",
				      arguments.data, &w->arena, &result);
	if (exit == TN_EXIT_OK)
		exit = tell_opened(w, result);
	tn_buf_finish(&arguments);
	return tn_workbench_end(w, exit);
}

static int run_open(int argc, char **argv)
{
	struct tn_workbench w = {.cli = {.verb = "workbench open"}};
	const char *words[TN_WORKBENCH_WORDS_MAX];
	const struct tn_option table[] = {
		{.name = "trust",
		 .kind = TN_OPTION_FLAG,
		 .value = &w.trust,
		 .help = "programs of the folder may run: its configuration, its dev server"},
		{.name = "read",
		 .kind = TN_OPTION_FLAG,
		 .value = &w.read,
		 .help = "wait until it has been read, and say what was found"},
		{.name = "json",
		 .kind = TN_OPTION_FLAG,
		 .value = &w.cli.json,
		 .help = "one line of JSON"},
	};
	const struct tn_options options = {
		.usage = "tenon workbench open [PATH] [options]",
		.summary =
			"Opens a front-end project, so that assistants see its components, routes "
			"and props.\nPATH is the folder with its package.json; without it this "
			"one. "
			"Nothing of it is executed.",
		.options = table,
		.option_count = TN_COUNT(table),
		.words = words,
		.word_max = TN_WORKBENCH_WORDS_MAX,
	};
	size_t count;
	int exit;

	if (!tn_cli_begin(&w.cli, &options, argc, argv, &count, &exit))
		return exit;
	return open_path(&w, count ? words[0] : ".");
}

/* ---- status ---- */

static void put_line(struct tn_buf *out, const struct tn_json *workspace)
{
	struct tn_str id = tn_workbench_text(workspace, "id"),
		      root = tn_workbench_text(workspace, "root");
	struct tn_str state = tn_workbench_text(workspace, "state");
	bool trusted = false;

	(void)tn_json_to_bool(tn_json_get(workspace, "trusted"), &trusted);
	tn_buf_format(out, "%s%.*s  %.*s  %.*s%s", out->size ? "\n" : "", (int)id.size, id.data,
		      (int)state.size, state.data, (int)root.size, root.data,
		      trusted ? "  trusted" : "");
}

static int tell_status(struct tn_workbench *w)
{
	const struct tn_json *all = NULL;
	struct tn_buf out;
	int exit = tn_workbench_read(w, tn_str("", 0), "workspaces", &all);

	if (exit != TN_EXIT_OK)
		return exit;
	tn_buf_init(&out, TN_MIB);
	all = tn_json_get(all, "workspaces");
	if (w->cli.json)
		tn_json_put_value(&out, all);
	else if (!all || !all->count)
		tn_buf_append_text(&out,
				   "Nothing is open. tenon workbench open PATH opens a folder.");
	for (const struct tn_json *at = !w->cli.json && all ? all->first : NULL; at; at = at->next)
		put_line(&out, at);
	return tn_workbench_print(w, &out);
}

static int run_status(int argc, char **argv)
{
	struct tn_workbench w = {.cli = {.verb = "workbench status"}};
	const struct tn_option table[] = {
		{.name = "json",
		 .kind = TN_OPTION_FLAG,
		 .value = &w.cli.json,
		 .help = "one line of JSON"},
	};
	const struct tn_options options = {
		.usage = "tenon workbench status [--json]",
		.summary = "Lists the folders that are open, the newest first.",
		.options = table,
		.option_count = TN_COUNT(table),
	};
	size_t count;
	int exit;

	if (!tn_cli_begin(&w.cli, &options, argc, argv, &count, &exit))
		return exit;
	exit = tn_workbench_begin(&w);
	return tn_workbench_end(&w, exit == TN_EXIT_OK ? tell_status(&w) : exit);
}

/* ---- close ---- */

static int close_id(struct tn_workbench *w, struct tn_str id)
{
	const struct tn_json *result = NULL;
	struct tn_buf arguments, out;
	int exit;

	tn_buf_init(&arguments, TN_KIB);
	tn_json_begin_object(&arguments);
	tn_json_put_member_str(&arguments, "workspace", id);
	tn_json_end_object(&arguments);
	tn_buf_append_byte(&arguments, '\0');
	exit = tn_person_call(&w->cli, w->client, "workbench_close_workspace", arguments.data,
			      &w->arena, &result);
	tn_buf_finish(&arguments);
	if (exit != TN_EXIT_OK)
		return exit;
	tn_buf_init(&out, TN_KIB);
	tn_buf_append_text(&out, w->cli.json ? "{\"ok\":true}" : "It is closed.");
	return tn_workbench_print(w, &out);
}

static int close_named(struct tn_workbench *w, const char *name)
{
	struct tn_str id = tn_str_from(name);
	int exit = tn_workbench_begin(w);

	if (exit == TN_EXIT_OK && !name)
		exit = tn_workbench_here(w, &id);
	return tn_workbench_end(w, exit == TN_EXIT_OK ? close_id(w, id) : exit);
}

static int run_close(int argc, char **argv)
{
	struct tn_workbench w = {.cli = {.verb = "workbench close"}};
	const char *words[TN_WORKBENCH_WORDS_MAX];
	const struct tn_option table[] = {
		{.name = "json",
		 .kind = TN_OPTION_FLAG,
		 .value = &w.cli.json,
		 .help = "one line of JSON"},
	};
	const struct tn_options options = {
		.usage = "tenon workbench close [ID] [--json]",
		.summary = "Closes a folder, by the id that status lists; without it the one above "
			   "this folder.\nIts files stay as they are.",
		.options = table,
		.option_count = TN_COUNT(table),
		.words = words,
		.word_max = TN_WORKBENCH_WORDS_MAX,
	};
	size_t count;
	int exit;

	if (!tn_cli_begin(&w.cli, &options, argc, argv, &count, &exit))
		return exit;
	return close_named(&w, count ? words[0] : NULL);
}

/* ---- previews ---- */

static int preview_call(struct tn_workbench *w, const char *tool, struct tn_buf *arguments,
			void (*tell)(struct tn_buf *out, const struct tn_json *result))
{
	int exit = tn_workbench_begin(w);

	if (exit == TN_EXIT_OK)
		exit = tn_workbench_call(w, tool, arguments, tell);
	else
		tn_buf_finish(arguments);
	return tn_workbench_end(w, exit);
}

static const struct tn_json *first_of(const struct tn_json *list)
{
	return tn_json_is(list, TN_JSON_ARRAY) ? list->first : NULL;
}

static void tell_preview(struct tn_buf *out, const struct tn_json *result)
{
	const struct tn_json *session = tn_json_get(result, "session");
	struct tn_str id = tn_workbench_text(session, "sessionId"),
		      url = tn_workbench_text(session, "url");

	tn_buf_format(out, "Open %.*s in a browser.\nThe preview is %.*s.", (int)url.size, url.data,
		      (int)id.size, id.data);
	for (const struct tn_json *at = first_of(tn_json_get(session, "warnings")); at;
	     at = at->next) {
		struct tn_str message = tn_workbench_text(at, "message");

		if (tn_str_is(tn_workbench_text(at, "code"), "script_tag"))
			tn_buf_format(out, "\n%.*s", (int)message.size, message.data);
	}
}

static void tell_stopped(struct tn_buf *out, const struct tn_json *result)
{
	(void)result;
	tn_buf_append_text(out, "It is stopped.");
}

/* Without an address the project's own server is started. */
static int preview_url(struct tn_workbench *w, const char *url)
{
	struct tn_buf arguments;

	tn_buf_init(&arguments, TN_KIB * 32);
	tn_json_begin_object(&arguments);
	if (!url)
		return preview_call(w, "workbench_start_preview", &arguments, tell_preview);
	tn_json_put_key(&arguments, "target");
	tn_json_begin_object(&arguments);
	tn_json_put_member_text(&arguments, "type", "app");
	tn_json_put_member_text(&arguments, "url", url);
	tn_json_end_object(&arguments);
	return preview_call(w, "workbench_start_preview", &arguments, tell_preview);
}

static int stop_preview(struct tn_workbench *w, const char *id)
{
	struct tn_buf arguments;

	tn_buf_init(&arguments, TN_KIB);
	tn_json_begin_object(&arguments);
	tn_json_put_member_text(&arguments, "sessionId", id);
	return preview_call(w, "workbench_stop_preview", &arguments, tell_stopped);
}

/* A verb with one word, or (`optional`) with none. */
static int run_word(int argc, char **argv, const char *verb, struct tn_options *options,
		    bool optional, int (*run)(struct tn_workbench *w, const char *word))
{
	struct tn_workbench w = {.cli = {.verb = verb}};
	const char *words[TN_WORKBENCH_WORDS_MAX];
	const struct tn_option table[] = {
		{.name = "json",
		 .kind = TN_OPTION_FLAG,
		 .value = &w.cli.json,
		 .help = "one line of JSON"},
	};
	size_t count;
	int exit;

	options->options = table;
	options->option_count = TN_COUNT(table);
	options->words = words;
	options->word_max = TN_WORKBENCH_WORDS_MAX;
	if (!tn_cli_begin(&w.cli, options, argc, argv, &count, &exit))
		return exit;
	if (!count && !optional)
		return tn_cli_fail(&w.cli, TN_EXIT_USAGE, "USAGE", false, "send one word: %s",
				   options->usage);
	return run(&w, count ? words[0] : NULL);
}

static int run_preview(int argc, char **argv)
{
	struct tn_options options = {
		.usage = "tenon workbench preview [URL] [--json]",
		.summary =
			"Starts the project's own dev server (its Vite, or the launcher that its "
			"configuration\nnames; the folder must be trusted), and tells its "
			"address. With URL it previews an app\nthat a server of yours shows "
			"already (http://localhost:5173/), through a port of its own."};

	return run_word(argc, argv, "workbench preview", &options, true, preview_url);
}

static int run_stop(int argc, char **argv)
{
	struct tn_options options = {.usage = "tenon workbench stop ID [--json]",
				     .summary = "Ends a preview, by the id that it was told with. "
						"A server that was started for it\nends with "
						"the last preview of it; yours goes on."};

	return run_word(argc, argv, "workbench stop", &options, false, stop_preview);
}

int tn_cli_workbench(int argc, char **argv)
{
	static const struct tn_cli_subcommand commands[] = {
		{"open", "open a front-end project for assistants", run_open},
		{"status", "list the folders that are open", run_status},
		{"close", "close a folder", run_close},
		{"preview", "start the project's dev server, or preview one that runs",
		 run_preview},
		{"stop", "end a preview", run_stop},
		{"save", "write the drafts into the source", tn_cli_workbench_save},
		{"edit", "change files of a folder, all or none", tn_cli_workbench_edit},
	};
	static const struct tn_cli_group group = {
		.name = "workbench",
		.sentence = "Front-end projects: components, routes, props.",
		.more = "All tools: tenon tools workbench.",
		.commands = commands,
		.count = TN_COUNT(commands)};

	return tn_cli_run_group(&group, argc, argv);
}
