/* tenon terminal policy check: what the policy would say about a command, here and now. It reads
 * policy.json itself, so it needs no daemon and starts none. */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "apps/terminal/policy/rules_write.h"
#include "apps/terminal/limits.h"
#include "base/limits.h"
#include "base/size.h"
#include "cli/shared/run.h"
#include "cli/terminal/terminal.h"
#include "host/settings/config.h"
#include "mcp/consent_policy.h"
#include "store/file.h"

enum { EXIT_CONFIRM = 10, EXIT_DENY = 11, EXIT_FILE = 2, PATH_SIZE = PATH_MAX + 16 };

struct check {
	struct tn_cli cli;
	const char *policy_file, *cwd, *shell;
	bool network, exit_code;
	const char *command;
	struct tn_rules *rules;
};

/* ---- the policy ---- */

static enum tenon_code take_policy(struct check *c, struct tn_str text, struct tenon_error *err)
{
	struct tn_policy *policy;
	enum tenon_code code = tn_policy_parse(text, &policy, err);

	if (code != TENON_OK)
		return code;
	code = tn_rules_create(tn_policy_member(policy, "terminal"), &c->rules, err);
	tn_policy_free(policy);
	return code;
}

/* Without a file the built-in rules hold; one that is named must be there. */
static enum tenon_code read_policy(struct check *c, struct tenon_error *err)
{
	char folder[PATH_MAX], path[PATH_SIZE] = "";
	struct tn_buf text;
	enum tenon_code code;

	if (!c->policy_file && tn_config_folder(folder, NULL) == TENON_OK)
		(void)snprintf(path, sizeof(path), "%s/policy.json", folder);
	if (!c->policy_file && !path[0])
		return tn_rules_create(tn_str(NULL, 0), &c->rules, err);
	tn_buf_init(&text, TN_POLICY_BYTES_MAX);
	code = tn_file_read(c->policy_file ? c->policy_file : path, TN_FILE_REGULAR_ONLY, &text,
			    err);
	if (code == TENON_OK)
		code = take_policy(c, tn_buf_str(&text), err);
	else if (code == TENON_NOT_FOUND && !c->policy_file)
		code = tn_rules_create(tn_str(NULL, 0), &c->rules, err);
	else
		code = tn_fail(err, TENON_INVALID, "policy.json: %s",
			       code == TENON_NOT_FOUND ? "there is no such file"
						       : "it cannot be read, or is too long");
	tn_buf_finish(&text);
	return code;
}

/* ---- the answer ---- */

static int answer(struct check *c, const struct tn_analysis *analysis,
		  const struct tn_verdict_of_rules *verdict)
{
	static const int codes[] = {TN_EXIT_OK, EXIT_CONFIRM, EXIT_DENY};
	struct tn_buf out;
	int exit;

	tn_buf_init(&out, TN_RESULT_BYTES_MAX);
	if (c->cli.json) {
		tn_rules_put_verdict(&out, analysis, verdict);
		tn_buf_append_byte(&out, '\n');
	} else {
		tn_rules_put_text(&out, analysis, verdict);
	}
	exit = tn_cli_write(&c->cli, &out, c->exit_code ? codes[verdict->action] : TN_EXIT_OK);
	tn_buf_finish(&out);
	return exit;
}

static int check(struct check *c)
{
	char own[PATH_MAX];
	const char *cwd = c->cwd ? realpath(c->cwd, own) : getcwd(own, sizeof(own));
	const struct tn_analysis_surroundings around = {.cwd = cwd, .shell = c->shell};
	struct tn_analysis analysis;
	const struct tn_rules_question question = {
		.analysis = &analysis, .cwd = cwd, .home = getenv("HOME"), .network = c->network};
	struct tn_verdict_of_rules verdict;
	struct tn_arena arena;
	struct tenon_error err;
	enum tenon_code code;
	int exit;

	if (c->cwd && !cwd)
		return tn_cli_usage(&c->cli, "--cwd: there is no such folder");
	tn_arena_init(&arena, TN_ANALYSIS_ARENA_MAX);
	code = tn_analyse(&arena, tn_str_from(c->command), &around, &analysis, &err);
	if (code == TENON_OK)
		code = tn_rules_judge(c->rules, &arena, &question, &verdict, &err);
	exit = code == TENON_OK ? answer(c, &analysis, &verdict)
				: tn_cli_fail_error(&c->cli, TN_EXIT_TOOL, NULL, &err);
	tn_arena_finish(&arena);
	return exit;
}

static int run(struct check *c)
{
	struct tenon_error err;
	int exit;

	if (read_policy(c, &err) != TENON_OK)
		return tn_cli_fail_error(&c->cli, (enum tn_exit)EXIT_FILE, NULL, &err);
	exit = check(c);
	tn_rules_destroy(c->rules);
	return exit;
}

int tn_cli_terminal_policy(int argc, char **argv)
{
	struct check c = {.cli = {.verb = "terminal policy"}};
	const struct tn_option table[] = {
		{.name = "cwd",
		 .kind = TN_OPTION_TEXT,
		 .value = &c.cwd,
		 .word = "DIR",
		 .help = "where it would run"},
		{.name = "shell",
		 .kind = TN_OPTION_TEXT,
		 .value = &c.shell,
		 .word = "SHELL",
		 .help = "who would read it: bash, zsh, dash, fish"},
		{.name = "policy",
		 .kind = TN_OPTION_TEXT,
		 .value = &c.policy_file,
		 .word = "FILE",
		 .help = "instead of policy.json in the folder of settings"},
		{.name = "network",
		 .kind = TN_OPTION_FLAG,
		 .value = &c.network,
		 .help = "as for a caller who came over the network"},
		{.name = "exit-code",
		 .kind = TN_OPTION_FLAG,
		 .value = &c.exit_code,
		 .help = "10 when a person would be asked, 11 when it is denied"},
		{.name = "json", .kind = TN_OPTION_FLAG, .value = &c.cli.json, .help = "as JSON"},
	};
	const char *words[2];
	const struct tn_options options = {
		.usage = "tenon terminal policy check 'COMMAND' [options]",
		.summary = "Says whether the policy allows a command, asks a person, or denies it. "
			   "Runs nothing.",
		.options = table,
		.option_count = TN_COUNT(table),
		.words = words,
		.word_max = TN_COUNT(words),
	};
	size_t count = 0;
	int exit = TN_EXIT_OK;

	if (!tn_cli_begin(&c.cli, &options, argc, argv, &count, &exit))
		return exit;
	if (count != 2 || strcmp(words[0], "check") != 0)
		return tn_cli_usage(&c.cli, "send: check 'COMMAND'");
	c.command = words[1];
	return run(&c);
}
