/* tenon install: enters `tenon mcp` into the settings of AI hosts, and takes it out again. */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/size.h"
#include "cli/limits.h"
#include "cli/shared/diff.h"
#include "cli/install/install_edit.h"
#include "cli/install/install_price.h"
#include "cli/shared/run.h"
#include "host/limits.h"
#include "host/settings/apps.h"
#include "host/settings/config.h"
#include "host/settings/hosts_text.h"
#include "host/settings/runtime.h"
#include "jsonrpc/json_write.h"
#include "mcp/fit.h"

enum { WORDS_MAX = 16, ENTRIES_MAX = 32, NAME_SIZE = 64, ANSWER_SIZE = 16, APPS_SIZE = 512 };

struct install {
	struct tn_cli cli;
	bool print, dry_run, undo, remove, yes;
	const char *app_list; /* "plan,floorplan" */
	char asked_apps[APPS_SIZE];
	int fit; /* --fit, an enum tn_fit; below 0: as Tenon thinks */
	char command[PATH_MAX], url[256];
	struct tn_hosts *hosts;
	char names[ENTRIES_MAX][NAME_SIZE];
	struct tn_host_entry entries[ENTRIES_MAX];
	size_t entry_count;
	struct tn_buf out; /* --json: the report, as it grows */
	int exit;
};

static void note_exit(struct install *run, int exit)
{
	run->exit = exit > run->exit ? exit : run->exit;
}

/* ---- what is to be entered ---- */

static void add_entry(struct install *run, const char *app)
{
	char *name = run->names[run->entry_count];

	(void)snprintf(name, NAME_SIZE, "tenon%s%s", app ? "-" : "", app ? app : "");
	run->entries[run->entry_count++] = (struct tn_host_entry){
		.name = name,
		.command = run->command,
		.app = app,
		.fit = run->fit < 0 ? NULL : tn_fit_name((enum tn_fit)run->fit)};
}

/* `tenon` for all apps, or an entry for each app of --app. False: said. */
static bool choose_entries(struct install *run)
{
	char word[NAME_SIZE];
	const char *at = run->app_list;

	if (!at) {
		add_entry(run, NULL);
		return true;
	}
	for (size_t size; *at; at += size + (at[size] == ',')) {
		const struct tenon_app *app;

		size = strcspn(at, ",");
		(void)snprintf(word, sizeof(word), "%.*s", (int)size, at);
		app = tn_apps_find(word);
		if (!app || run->entry_count == ENTRIES_MAX) {
			char list[TENON_ERROR_MESSAGE_MAX / 2];

			tn_apps_list(list, sizeof(list));
			note_exit(run, tn_cli_usage(&run->cli,
						    "--app: there is no app \"%s\"; there are: %s",
						    word, list));
			return false;
		}
		add_entry(run, app->name);
	}
	return run->entry_count > 0 ||
	       (note_exit(run, tn_cli_usage(&run->cli, "--app names no app")), false);
}

/* What --undo takes out: the entries named, else every one that looks like ours. */
static size_t choose_names(struct install *run, const struct tn_host *host,
			   const char *names[ENTRIES_MAX + 1])
{
	size_t count = 0;

	for (size_t i = 0; i < run->entry_count; i++)
		names[count++] = run->entries[i].name;
	for (size_t i = 0; !run->app_list && i + 1 < ENTRIES_MAX && tn_apps_at(i); i++) {
		char *name = run->names[i + 1];
		bool has = false;

		(void)snprintf(name, NAME_SIZE, "tenon-%s", tn_apps_at(i)->name);
		/* Written by hand, it may run something else: that stays. */
		if (tn_install_has(host, name, &has, NULL) == TENON_OK && has)
			names[count++] = name;
	}
	return count;
}

/* ---- telling ---- */

static void put_diff(const struct tn_install_plan *plan, struct tn_buf *out)
{
	bool gone = plan->action == TN_INSTALL_DELETED;

	tn_diff(tn_buf_str(&plan->before), tn_buf_str(&plan->after),
		plan->exists ? plan->path : "/dev/null", gone ? "/dev/null" : plan->path, out);
}

static void report(struct install *run, const struct tn_install_plan *plan, bool written)
{
	struct tn_buf diff;

	tn_buf_init(&diff, TN_HOST_FILE_BYTES_MAX * 2);
	put_diff(plan, &diff);
	tn_json_begin_object(&run->out);
	tn_json_put_member_text(&run->out, "id", plan->host->id);
	tn_json_put_member_text(&run->out, "path", plan->path);
	tn_json_put_member_text(&run->out, "action", tn_install_action_name(plan->action));
	tn_json_put_member_bool(&run->out, "written", written);
	tn_json_put_member_text(&run->out, "backup", plan->keep ? plan->backup : NULL);
	tn_json_put_member_str(&run->out, "diff", tn_buf_str(&diff));
	tn_json_put_key(&run->out, "kept");
	tn_json_begin_array(&run->out);
	for (size_t i = 0; i < plan->kept_count; i++)
		tn_json_put_text(&run->out, plan->kept[i]);
	tn_json_end_array(&run->out);
	tn_json_end_object(&run->out);
	tn_buf_finish(&diff);
}

static void write_text(struct install *run, struct tn_buf *text)
{
	note_exit(run, tn_cli_write(&run->cli, text, TN_EXIT_OK));
}

static void show_diff(struct install *run, const struct tn_install_plan *plan)
{
	struct tn_buf text;

	tn_buf_init(&text, TN_HOST_FILE_BYTES_MAX * 2);
	put_diff(plan, &text);
	write_text(run, &text);
	tn_buf_finish(&text);
}

/* What is left to do: the host's steps, but for the one that is this command. */
static void show_steps(struct install *run, const struct tn_host *host)
{
	struct tn_buf text;

	tn_buf_init(&text, TN_HOST_PROFILE_BYTES_MAX);
	for (const struct tn_json *step = host->steps->first; step; step = step->next) {
		if (tn_str_find(step->text, TN_STR("tenon install ")) != TN_STR_NONE)
			continue;
		tn_buf_append_text(&text, "  ");
		tn_host_put_step_text(host, &run->entries[0], step->text, &text);
		tn_buf_append_byte(&text, '\n');
	}
	write_text(run, &text);
	tn_buf_finish(&text);
}

static void tell(struct install *run, const struct tn_install_plan *plan)
{
	struct tn_buf text;

	if (run->cli.json)
		return;
	tn_buf_init(&text, TN_HOST_PROFILE_BYTES_MAX);
	tn_buf_format(&text, "%s: %s %s%s%s\n", plan->host->name,
		      tn_install_action_name(plan->action), plan->path,
		      plan->keep ? ", before: " : "", plan->keep ? plan->backup : "");
	if (plan->brought_back)
		tn_buf_append_text(&text, "  The entry that stood there before is there again.\n");
	for (size_t i = 0; i < plan->kept_count; i++)
		tn_buf_format(&text,
			      "  The entry \"%s\" stays: tenon install has not written it.\n",
			      plan->kept[i]);
	write_text(run, &text);
	tn_buf_finish(&text);
	if (plan->action == TN_INSTALL_ADDED || plan->action == TN_INSTALL_UPDATED)
		show_steps(run, plan->host);
}

/* ---- asking ---- */

/* False: the answer was no, or nobody can be asked; that is said. */
static bool may_write(struct install *run, const struct tn_install_plan *plan)
{
	char answer[ANSWER_SIZE] = "";

	if (run->yes)
		return true;
	if (run->cli.json || !isatty(STDIN_FILENO)) {
		note_exit(run, tn_cli_usage(&run->cli,
					    "nobody can be asked here; say --yes to write %s, or "
					    "--dry-run to see the change only",
					    plan->path));
		return false;
	}
	(void)fprintf(stderr, "%s %s? [y/N] ",
		      plan->action == TN_INSTALL_DELETED ? "Remove" : "Write", plan->path);
	if (fgets(answer, sizeof(answer), stdin) && (answer[0] == 'y' || answer[0] == 'Y'))
		return true;
	note_exit(run, tn_cli_usage(&run->cli, "%s stays as it is", plan->path));
	return false;
}

/* One line of names; people write blanks behind their commas. */
static void read_names(char out[APPS_SIZE])
{
	size_t size = 0;

	for (int byte = getchar(); byte != EOF && byte != '\n'; byte = getchar()) {
		if (byte != ' ' && byte != '\t' && byte != '\r' && size + 1 < APPS_SIZE)
			out[size++] = (char)byte;
	}
	out[size] = '\0';
}

/* Which apps, where a person can be asked and has not said it; what they cost is said. */
static void ask_apps(struct install *run)
{
	struct tn_buf text;
	char *answer = run->asked_apps;

	if (run->app_list || run->undo || run->print || run->dry_run || run->yes || run->cli.json ||
	    !isatty(STDIN_FILENO))
		return;
	tn_buf_init(&text, TN_HOST_FILE_BYTES_MAX);
	tn_install_put_prices(&text);
	(void)fprintf(stderr, "%.*sWhich apps? Names with commas between them, Enter: all [all] ",
		      (int)text.size, text.size ? text.data : "");
	tn_buf_finish(&text);
	read_names(answer);
	if (answer[0] && strcmp(answer, "all") != 0)
		run->app_list = answer;
}

/* ---- one host ---- */

static void carry_out(struct install *run, const struct tn_install_plan *plan)
{
	struct tenon_error err;
	bool write = plan->action != TN_INSTALL_UNCHANGED && !run->dry_run;

	if (!run->cli.json)
		show_diff(run, plan);
	if (write && !may_write(run, plan))
		return;
	if (write && tn_install_carry_out(plan, &err) != TENON_OK) {
		note_exit(run, tn_cli_fail_error(&run->cli, TN_EXIT_TOOL, plan->host->path, &err));
		return;
	}
	if (run->cli.json)
		report(run, plan, write);
	if (write || plan->action == TN_INSTALL_UNCHANGED)
		tell(run, plan);
}

static void do_host(struct install *run, const struct tn_host *host)
{
	const char *names[ENTRIES_MAX + 1];
	struct tn_install_plan plan;
	struct tenon_error err;
	enum tenon_code code;

	if (run->undo)
		code = tn_install_plan_undo(&plan, host, names, choose_names(run, host, names),
					    &err);
	else
		code = tn_install_plan_add(&plan, host, run->entries, run->entry_count, &err);
	if (code == TENON_OK)
		carry_out(run, &plan);
	else
		note_exit(run, tn_cli_fail_error(&run->cli, TN_EXIT_TOOL, host->path, &err));
	tn_install_plan_finish(&plan);
}

/* ---- --print ---- */

static enum tenon_code put_snippet(struct install *run, const struct tn_host *host, bool http,
				   struct tn_buf *out, struct tenon_error *err)
{
	struct tn_buf text, next, json;
	enum tenon_code code = TENON_OK;

	tn_buf_init(&text, TN_HOST_PROFILE_BYTES_MAX);
	tn_buf_init(&next, TN_HOST_PROFILE_BYTES_MAX);
	tn_buf_init(&json, TN_HOST_PROFILE_BYTES_MAX);
	for (size_t i = 0; i < run->entry_count && code == TENON_OK; i++) {
		struct tn_buf swap;

		tn_buf_clear(&json);
		tn_buf_clear(&next);
		tn_host_put_entry(host, &run->entries[i], http, &json);
		code = tn_host_add(host, tn_buf_str(&text), run->entries[i].name, tn_buf_str(&json),
				   &next, err);
		swap = text;
		text = next;
		next = swap;
	}
	if (code == TENON_OK)
		tn_buf_append_str(out, tn_buf_str(&text));
	tn_buf_finish(&text);
	tn_buf_finish(&next);
	tn_buf_finish(&json);
	return code;
}

static void print_host(struct install *run, const struct tn_host *host, bool only)
{
	struct tn_buf text;
	struct tenon_error err;
	enum tenon_code code;

	tn_buf_init(&text, TN_HOST_PROFILE_BYTES_MAX);
	if (!only && !run->cli.json)
		tn_buf_format(&text, "# %s: %s\n", host->name, host->path);
	code = put_snippet(run, host, false, &text, &err);
	if (code != TENON_OK) {
		note_exit(run, tn_cli_fail_error(&run->cli, TN_EXIT_TOOL, host->path, &err));
	} else if (run->cli.json) {
		tn_json_begin_object(&run->out);
		tn_json_put_member_text(&run->out, "id", host->id);
		tn_json_put_member_text(&run->out, "path", host->path);
		tn_json_put_member_str(&run->out, "snippet", tn_buf_str(&text));
		tn_json_end_object(&run->out);
	} else {
		write_text(run, &text);
	}
	tn_buf_finish(&text);
}

/* ST-017: for a host that we do not know, what most of them take. */
static void print_for_unknown(struct install *run, const char *word)
{
	const struct tn_host *model = tn_hosts_find(run->hosts, "claude-desktop");
	const char *near = tn_hosts_near(run->hosts, word);

	if (near)
		note_exit(run, tn_cli_usage(&run->cli,
					    "\"%s\" is no host that tenon knows; did you mean "
					    "\"%s\"?",
					    word, near));
	else
		note_exit(run, tn_cli_usage(&run->cli,
					    "\"%s\" is no host that tenon knows; most of them "
					    "take what is printed here, and a profile in hosts.d "
					    "teaches tenon the file",
					    word));
	if (!near && model && !run->cli.json)
		print_host(run, model, true);
}

/* ---- the list ---- */

static void list_host(struct install *run, const struct tn_host *host, struct tn_buf *text)
{
	struct tenon_error err = {.code = TENON_OK};
	bool has = false;
	bool broken = tn_install_has(host, "tenon", &has, &err) != TENON_OK;

	for (size_t i = 0; !has && !broken && tn_apps_at(i); i++) {
		char name[NAME_SIZE];

		(void)snprintf(name, sizeof(name), "tenon-%s", tn_apps_at(i)->name);
		broken = tn_install_has(host, name, &has, &err) != TENON_OK;
	}
	if (run->cli.json) {
		tn_json_begin_object(&run->out);
		tn_json_put_member_text(&run->out, "id", host->id);
		tn_json_put_member_text(&run->out, "name", host->name);
		tn_json_put_member_text(&run->out, "path", host->path);
		tn_json_put_member_bool(&run->out, "here", host->is_here);
		tn_json_put_member_bool(&run->out, "installed", has);
		tn_json_put_member_text(&run->out, "problem", broken ? err.message : NULL);
		tn_json_end_object(&run->out);
		return;
	}
	tn_buf_format(text, "%-16s%-16s%-14s%s%s%s\n", host->id, host->name,
		      has             ? "installed"
		      : host->is_here ? "found"
				      : "not found",
		      host->path, broken ? ": " : "", broken ? err.message : "");
}

static void list(struct install *run)
{
	struct tn_buf text;

	tn_buf_init(&text, TN_HOST_FILE_BYTES_MAX);
	for (size_t i = 0; i < run->hosts->count; i++)
		list_host(run, &run->hosts->list[i], &text);
	if (!run->cli.json) {
		tn_buf_append_byte(&text, '\n');
		tn_install_put_prices(&text);
		write_text(run, &text);
	}
	tn_buf_finish(&text);
}

/* ---- the verb ---- */

static void do_words(struct install *run, const char *const *words, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		const struct tn_host *host = tn_hosts_find(run->hosts, words[i]);

		if (!host)
			print_for_unknown(run, words[i]);
		else if (run->print)
			print_host(run, host, count == 1);
		else
			do_host(run, host);
	}
}

static void do_all(struct install *run, const char *const *words, size_t count)
{
	tn_json_begin_object(&run->out);
	tn_json_put_key(&run->out, "hosts");
	tn_json_begin_array(&run->out);
	if (count == 0)
		list(run);
	else
		do_words(run, words, count);
	tn_json_end_array(&run->out);
	tn_json_end_object(&run->out);
	tn_buf_append_byte(&run->out, '\n');
	if (run->cli.json)
		write_text(run, &run->out);
}

/* Where one that is started would listen. False: the settings cannot be read. */
static bool find_port(struct install *run)
{
	struct tn_config *config;

	if (tn_config_read(NULL, NULL, &config, NULL) != TENON_OK)
		return false;
	(void)snprintf(run->url, sizeof(run->url), "http://127.0.0.1:%lld",
		       (long long)tn_config_int(config, "http.port"));
	tn_config_free(config);
	return true;
}

/* Where the daemon listens, or would; this verb starts none. */
static void find_daemon(struct install *run)
{
	struct tn_runtime_paths paths;
	struct tn_discovery found;

	if (tn_runtime_find(&paths, false, NULL) == TENON_OK &&
	    tn_discovery_read(&paths, &found, NULL) == TENON_OK)
		(void)snprintf(run->url, sizeof(run->url), "%s", found.url);
	else if (!find_port(run))
		return;
	for (size_t i = 0; i < run->entry_count; i++)
		run->entries[i].url = run->url;
}

/* What acts on files wants to be told whose. */
static bool wants_host(const struct install *run)
{
	return run->undo || run->remove || run->print || run->dry_run || run->yes ||
	       run->app_list || run->fit >= 0;
}

static bool prepare(struct install *run, size_t host_count)
{
	struct tenon_error err;

	if (host_count == 0 && wants_host(run)) {
		run->exit =
			tn_cli_usage(&run->cli, "name a HOST, too; tenon install alone lists them");
		return false;
	}

	run->undo = run->undo || run->remove;
	if (host_count > 0)
		ask_apps(run);
	if (!choose_entries(run))
		return false;
	find_daemon(run);
	if (tn_hosts_command(run->command, &err) == TENON_OK &&
	    tn_hosts_load(&run->hosts, &err) == TENON_OK)
		return true;
	run->exit = tn_cli_fail_error(&run->cli, TN_EXIT_TOOL, NULL, &err);
	return false;
}

int tn_cli_install(int argc, char **argv)
{
	struct install run = {.cli.verb = "install", .fit = -1};
	const char *words[WORDS_MAX];
	size_t count = 0;
	const struct tn_option list_of_options[] = {
		{"app", 0, TN_OPTION_TEXT, &run.app_list, NULL, 0, 0, "APP[,APP]",
		 "an entry for each app, instead of one for all"},
		{"fit", 0, TN_OPTION_CHOICE, &run.fit, "both|text|structured|image-alone", 0, 0,
		 NULL, "which forms of results the host gets; without it Tenon knows"},
		{"print", 0, TN_OPTION_FLAG, &run.print, NULL, 0, 0, NULL,
		 "print what would stand in the file; touch nothing"},
		{"dry-run", 'n', TN_OPTION_FLAG, &run.dry_run, NULL, 0, 0, NULL,
		 "show the change; write nothing"},
		{"undo", 0, TN_OPTION_FLAG, &run.undo, NULL, 0, 0, NULL,
		 "take the entry out again; nothing else"},
		{"remove", 0, TN_OPTION_FLAG, &run.remove, NULL, 0, 0, NULL, "the same as --undo"},
		{"yes", 'y', TN_OPTION_FLAG, &run.yes, NULL, 0, 0, NULL,
		 "write without being asked"},
		{"json", 0, TN_OPTION_FLAG, &run.cli.json, NULL, 0, 0, NULL,
		 "results and mistakes as JSON"},
	};
	const struct tn_options options = {
		.usage = "tenon install [HOST...] [options]",
		.summary = "Enters Tenon into the settings of AI hosts, after showing the change. "
			   "Without HOST: which hosts\nthere are, which are on this machine, and "
			   "which have Tenon already.",
		.options = list_of_options,
		.option_count = TN_COUNT(list_of_options),
		.words = words,
		.word_max = WORDS_MAX,
	};

	if (!tn_cli_begin(&run.cli, &options, argc, argv, &count, &run.exit))
		return run.exit;
	tn_buf_init(&run.out, TN_HOST_FILE_BYTES_MAX * 2);
	if (prepare(&run, count))
		do_all(&run, words, count);
	tn_hosts_free(run.hosts);
	tn_buf_finish(&run.out);
	return run.exit;
}
