/* tenon terminal history: what was run on this machine and what it printed, whoever ran it. It
 * reads the file itself, so it needs no daemon and starts none. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "apps/terminal/settings/config.h"
#include "apps/terminal/history/history.h"
#include "base/limits.h"
#include "base/size.h"
#include "host/settings/config.h"
#include "cli/shared/run.h"
#include "cli/terminal/terminal.h"
#include "jsonrpc/json_write.h"

enum { LIMIT_DEFAULT = 20, LIMIT_MAX = 1000 };

struct run {
	struct tn_cli cli;
	struct tn_term_config config;
	struct tn_loop *loop;
	struct tn_history *history;
	struct tn_config *settings;
	char path[4096 + 16];
	/* The answer. */
	bool there;
	struct tn_history_found found;
	enum tenon_code code;
	struct tenon_error error;
	uint64_t removed;
};

/* ---- the file ---- */

static const char *read_environment(const char *name)
{
	return getenv(name);
}

static enum tenon_code open_history(struct run *run, struct tenon_error *err)
{
	struct tn_history_options options = {.path = run->path};
	struct tn_term_surroundings around = {.get = read_environment};
	enum tenon_code code = tn_config_read(NULL, NULL, &run->settings, err);

	if (code != TENON_OK)
		return code;
	around.views = tn_config_views(run->settings);
	code = tn_term_config_read(&run->config, &around, err);
	if (code != TENON_OK)
		return code;
	(void)snprintf(run->path, sizeof(run->path), "%s/history.db", run->config.state_folder);
	options.keep_days = tn_settings_u32(&run->config.settings, "terminal.history.days");
	options.bytes_max = tn_settings_u64(&run->config.settings, "terminal.history.bytes");
	code = tn_loop_create(&run->loop, err);
	return code == TENON_OK ? tn_history_open(run->loop, &options, &run->history, err) : code;
}

static void close_history(struct run *run)
{
	tn_history_close(run->history);
	tn_loop_destroy(run->loop);
	tn_term_config_finish(&run->config);
	tn_config_free(run->settings);
}

static int fail(const struct run *run, enum tenon_code code, const struct tenon_error *err)
{
	if (code == TENON_INVALID)
		return tn_cli_usage(&run->cli, "%s", err->message);
	return tn_cli_fail_error(&run->cli, TN_EXIT_TOOL, "history", err);
}

static bool read_time(const struct run *run, const char *option, const char *text, int64_t *ret,
		      int *ret_exit)
{
	if (!text || tn_clock_parse_iso(tn_str_from(text), ret))
		return true;
	*ret_exit = tn_cli_usage(&run->cli,
				 "--%s wants 2026-11-21 or 2026-11-21T10:15:30Z, not \"%.40s\"",
				 option, text);
	return false;
}

/* ---- search ---- */

static void put_indented(struct tn_buf *out, struct tn_str text)
{
	while (text.size > 0) {
		size_t end = tn_str_find_byte(text, '\n');
		size_t size = end == TN_STR_NONE ? text.size : end;

		tn_buf_append_text(out, "    ");
		tn_buf_append(out, text.data, size);
		tn_buf_append_byte(out, '\n');
		text = tn_str_from_offset(text, size + 1);
	}
}

static void put_entry(struct tn_buf *out, const struct tn_history_entry *entry)
{
	char time[TN_CLOCK_ISO_SIZE];

	tn_clock_format_iso(entry->timestamp * 1000, time);
	tn_buf_format(out, "%.10s %.8s  ", time, time + 11);
	if (entry->exit_code >= 0)
		tn_buf_format(out, "exit %d  ", entry->exit_code);
	tn_buf_append_str(out, entry->cwd);
	if (entry->is_output)
		tn_buf_format(out, "  output, line %llu", (unsigned long long)entry->line);
	tn_buf_append_text(out, "  ");
	tn_buf_append_str(out, entry->command_id);
	tn_buf_append_byte(out, '\n');
	put_indented(out, entry->content);
}

static void put_json(struct tn_buf *out, const struct tn_history_entry *entry)
{
	tn_json_begin_object(out);
	tn_json_put_member_int(out, "timestamp", entry->timestamp);
	tn_json_put_member_str(out, "content", entry->content);
	tn_json_put_member_text(out, "entry_type", entry->is_output ? "output" : "command");
	tn_json_put_member_str(out, "command_id", entry->command_id);
	tn_json_put_member_str(out, "session_id", entry->session_id);
	tn_json_put_member_str(out, "session_name", entry->session_name);
	if (entry->project_id.data)
		tn_json_put_member_str(out, "project_id", entry->project_id);
	else
		tn_json_put_member_null(out, "project_id");
	tn_json_put_member_str(out, "cwd", entry->cwd);
	if (entry->exit_code >= 0)
		tn_json_put_member_int(out, "exit_code", entry->exit_code);
	else
		tn_json_put_member_null(out, "exit_code");
	tn_json_put_member_int(out, "duration_ms", entry->duration_ms);
	tn_json_put_member_int(out, "line", (int64_t)entry->line);
	tn_json_end_object(out);
}

/* The newest last, where the eye is; programs get the order of the search. */
static int print(const struct run *run)
{
	const struct tn_history_found *found = &run->found;
	struct tn_buf out;
	int exit;

	tn_buf_init(&out, TN_RESULT_BYTES_MAX);
	if (run->cli.json) {
		tn_json_begin_object(&out);
		tn_json_put_key(&out, "entries");
		tn_json_begin_array(&out);
		for (size_t i = 0; i < found->count; i++)
			put_json(&out, &found->entries[i]);
		tn_json_end_array(&out);
		tn_json_put_member_int(&out, "total", (int64_t)found->total);
		tn_json_end_object(&out);
		tn_buf_append_byte(&out, '\n');
	}
	for (size_t i = found->count; i > 0 && !run->cli.json; i--)
		put_entry(&out, &found->entries[i - 1]);
	if (found->total > found->count)
		tn_cli_note(&run->cli, "%zu of %zu; --limit shows more", found->count,
			    found->total);
	else if (found->count == 0)
		tn_cli_note(&run->cli, "nothing was found");
	exit = tn_cli_write(&run->cli, &out, TN_EXIT_OK);
	tn_buf_finish(&out);
	return exit;
}

static void take_found(struct tn_history_found *found, void *data)
{
	struct run *run = data;

	run->found = *found;
	found->arena = (struct tn_arena){0}; /* ours now */
	run->there = true;
	tn_loop_stop(run->loop);
}

static int search(struct run *run, const struct tn_history_search *wish)
{
	struct tenon_error err = {0};
	enum tenon_code code = open_history(run, &err);
	int exit;

	if (code == TENON_OK)
		code = tn_history_search(run->history, wish, take_found, run, &err);
	while (code == TENON_OK && !run->there)
		tn_loop_run(run->loop);
	if (code != TENON_OK)
		exit = fail(run, code, &err);
	else if (run->found.code != TENON_OK)
		exit = fail(run, run->found.code, &run->found.error);
	else
		exit = print(run);
	tn_arena_finish(&run->found.arena);
	close_history(run);
	return exit;
}

static int begin_search(int argc, char **argv)
{
	static const unsigned types[] = {TN_HISTORY_COMMANDS, TN_HISTORY_OUTPUTS,
					 TN_HISTORY_COMMANDS | TN_HISTORY_OUTPUTS};
	struct run run = {.cli = {.verb = "terminal history"}};
	struct tn_history_search wish = {0};
	const char *words[1], *since = NULL, *until = NULL;
	int type = 2, exit_kind = 0, syntax = 0, exit;
	int64_t limit = LIMIT_DEFAULT, context = 0;
	size_t count;
	const struct tn_option table[] = {
		{"type", 't', TN_OPTION_CHOICE, &type, "commands|output|all", 0, 0, NULL,
		 "what is looked through"},
		{"since", 's', TN_OPTION_TEXT, &since, NULL, 0, 0, "TIME",
		 "2026-11-21 or 2026-11-21T10:15:30Z"},
		{"until", 'u', TN_OPTION_TEXT, &until, NULL, 0, 0, "TIME", "likewise"},
		{"exit", 'e', TN_OPTION_CHOICE, &exit_kind, "any|ok|failed", 0, 0, NULL,
		 "how the command ended"},
		{"session", 0, TN_OPTION_TEXT, &wish.session_id, NULL, 0, 0, "ID",
		 "only of this session"},
		{"project", 0, TN_OPTION_TEXT, &wish.project_id, NULL, 0, 0, "ID",
		 "only of this project"},
		{"cwd", 0, TN_OPTION_TEXT, &wish.cwd_prefix, NULL, 0, 0, "PATH",
		 "only where the directory begins so"},
		{"syntax", 0, TN_OPTION_CHOICE, &syntax, "words|phrase|fts|regex", 0, 0, NULL,
		 "how QUERY is meant"},
		{"limit", 'n', TN_OPTION_NUMBER, &limit, NULL, 1, LIMIT_MAX, "N",
		 "at most so many, 20"},
		{"context", 'C', TN_OPTION_NUMBER, &context, NULL, 0, 5, "N",
		 "lines of output around"},
		{"json", 0, TN_OPTION_FLAG, &run.cli.json, NULL, 0, 0, NULL, "for programs"},
	};
	const struct tn_options options = {
		.usage = "tenon terminal history [QUERY] [options]\n"
			 "       tenon terminal history purge [--before TIME] [--matching QUERY]",
		.summary =
			"Finds commands that were run in terminals, and lines that they printed; "
			"without QUERY the newest.",
		.options = table,
		.option_count = TN_COUNT(table),
		.words = words,
		.word_max = 1,
	};

	if (!tn_cli_begin(&run.cli, &options, argc, argv, &count, &exit))
		return exit;
	if (!read_time(&run, "since", since, &wish.since_ms, &exit) ||
	    !read_time(&run, "until", until, &wish.until_ms, &exit))
		return exit;
	wish.query = tn_str_from(count ? words[0] : "");
	wish.syntax = (enum tn_history_syntax)syntax;
	wish.exit = (enum tn_history_exit)exit_kind;
	wish.types = types[type];
	wish.limit = (unsigned)limit;
	wish.context = (unsigned)context;
	return search(&run, &wish);
}

/* ---- purge ---- */

static void take_removed(enum tenon_code code, const struct tenon_error *error, uint64_t removed,
			 void *data)
{
	struct run *run = data;

	run->code = code;
	run->error = *error;
	run->removed = removed;
	run->there = true;
	tn_loop_stop(run->loop);
}

static int purge(struct run *run, int64_t before_ms, const char *matching)
{
	struct tenon_error err = {0};
	enum tenon_code code = open_history(run, &err);
	struct tn_buf out;
	int exit;

	if (code == TENON_OK)
		code = tn_history_purge(run->history, before_ms, tn_str_from(matching),
					take_removed, run, &err);
	while (code == TENON_OK && !run->there)
		tn_loop_run(run->loop);
	tn_buf_init(&out, TN_KIB);
	if (run->cli.json)
		tn_buf_format(&out, "{\"removed\":%llu}\n", (unsigned long long)run->removed);
	else
		tn_buf_format(&out, "%llu command%s removed\n", (unsigned long long)run->removed,
			      run->removed == 1 ? "" : "s");
	if (code != TENON_OK)
		exit = fail(run, code, &err);
	else if (run->code != TENON_OK)
		exit = fail(run, run->code, &run->error);
	else
		exit = tn_cli_write(&run->cli, &out, TN_EXIT_OK);
	tn_buf_finish(&out);
	close_history(run);
	return exit;
}

static int begin_purge(int argc, char **argv)
{
	struct run run = {.cli = {.verb = "terminal history purge"}};
	const char *before = NULL, *matching = NULL;
	int64_t before_ms = 0;
	bool all = false;
	size_t count;
	int exit;
	const struct tn_option table[] = {
		{"before", 'b', TN_OPTION_TEXT, &before, NULL, 0, 0, "TIME",
		 "what began before 2026-11-21 or 2026-11-21T10:15:30Z"},
		{"matching", 'm', TN_OPTION_TEXT, &matching, NULL, 0, 0, "QUERY",
		 "commands that have these words, or whose output has"},
		{"all", 0, TN_OPTION_FLAG, &all, NULL, 0, 0, NULL, "everything"},
		{"json", 0, TN_OPTION_FLAG, &run.cli.json, NULL, 0, 0, NULL, "for programs"},
	};
	const struct tn_options options = {
		.usage = "tenon terminal history purge [--before TIME] [--matching QUERY] [--all]",
		.summary =
			"Removes commands and their outputs from the history, and from the disk.",
		.options = table,
		.option_count = TN_COUNT(table),
	};

	if (!tn_cli_begin(&run.cli, &options, argc, argv, &count, &exit))
		return exit;
	if (!read_time(&run, "before", before, &before_ms, &exit))
		return exit;
	if (!before && !(matching && matching[strspn(matching, " \t")]) && !all)
		return tn_cli_usage(&run.cli,
				    "say what is to go: --before TIME, --matching QUERY or --all");
	return purge(&run, before_ms, matching ? matching : "");
}

int tn_cli_terminal_history(int argc, char **argv)
{
	if (argc > 1 && strcmp(argv[1], "purge") == 0)
		return begin_purge(argc - 1, argv + 1);
	return begin_search(argc, argv);
}
