/* tenon help: the list, a verb's own help, or a topic. */
#include <string.h>

#include "base/near.h"
#include "base/size.h"
#include "cli/shared/run.h"
#include "cli/verbs.h"

static const struct {
	const char *name, *summary, *text;
} topics[] = {
	{"exit-codes", "what the exit code of a verb says",
	 "0    done\n"
	 "1    the words or options are wrong\n"
	 "3    the daemon refuses us: wrong token, or a person is needed\n"
	 "4    the daemon cannot be reached, or did not answer in time\n"
	 "5    the tool says that it failed\n"
	 "130  interrupted (Ctrl-C)\n\n"
	 "tenon plan has its own, see tenon plan --help.\n"
	 "With --json a mistake is one line on standard error:\n"
	 "{\"error\":\"CODE\",\"message\":\"...\",\"retryable\":false}\n"},
	{"arguments", "how tenon call reads NAME=VALUE",
	 "NAME=VALUE     a text; what the tool's schema calls an integer, number, boolean or\n"
	 "               object is read as such: count=5, force=true\n"
	 "NAME:=JSON     any JSON value as it stands: tags:='[\"a\",\"b\"]'\n"
	 "NAME=@FILE     the text of a file; - is standard input\n"
	 "NAME:=@FILE    the JSON in a file\n"
	 "--args JSON    an object with arguments, - reads it from standard input; what is\n"
	 "               given as NAME=VALUE besides it wins\n\n"
	 "An array takes JSON (tags='[\"a\"]') or its elements one by one (tags=a tags=b).\n"
	 "A text that begins with @ is given as JSON: name:='\"@ann\"'.\n"},
	{"files", "which files Tenon reads and writes",
	 "$XDG_CONFIG_HOME/tenon/config.json   settings (~/.config/tenon)\n"
	 "$XDG_CONFIG_HOME/tenon/policy.json   what needs a person's approval\n"
	 "$XDG_CONFIG_HOME/tenon/mcp.json      manifest for AI hosts, without a secret\n"
	 "$XDG_STATE_HOME/tenon/tenond.log     the daemon's log (~/.local/state/tenon)\n"
	 "$XDG_STATE_HOME/tenon/audit.jsonl    who called which tool\n"
	 "$XDG_RUNTIME_DIR/tenon/tenond.json   where the daemon listens, and the client token\n"},
	{"environment", "variables that verbs look at",
	 "TENON_BRIDGE_PORT    the daemon's bridge, instead of the discovery file; together with\n"
	 "TENON_BRIDGE_TOKEN   the token to send there\n"
	 "TENON_CONSENT        allow or deny: what the policy would ask a person about (daemon)\n"
	 "XDG_CONFIG_HOME, XDG_STATE_HOME, XDG_RUNTIME_DIR   where files are\n"
	 "NO_COLOR             no colour on a terminal\n\n"
	 "Every key of config.json has a variable, too: http.port is TENON_HTTP_PORT.\n"},
};

static void print_topics(FILE *out)
{
	(void)fputs("tenon help TOPIC explains:\n\n", out);
	for (size_t i = 0; i < TN_COUNT(topics); i++)
		(void)fprintf(out, "  %-14s%s\n", topics[i].name, topics[i].summary);
}

static const char *near_word(const char *word)
{
	const char *names[TN_COUNT(topics) + 1];
	const char *verb = tn_verb_near(tn_str_from(word));

	for (size_t i = 0; i < TN_COUNT(topics); i++)
		names[i] = topics[i].name;
	names[TN_COUNT(topics)] = NULL;
	return verb ? verb : tn_near_find(tn_str_from(word), names);
}

static int explain(const struct tn_cli *cli, const char *word)
{
	const struct tn_verb *verb = tn_verb_find(tn_str_from(word));
	const char *near;

	if (verb && verb->run) {
		char *argv[] = {(char *)(uintptr_t)verb->name, (char *)(uintptr_t) "--help", NULL};

		return verb->run(2, argv);
	}
	if (strcmp(word, "topics") == 0) {
		print_topics(stdout);
		return TN_EXIT_OK;
	}
	for (size_t i = 0; i < TN_COUNT(topics); i++) {
		if (strcmp(word, topics[i].name) == 0) {
			(void)fputs(topics[i].text, stdout);
			return TN_EXIT_OK;
		}
	}
	near = near_word(word);
	return tn_cli_usage(cli, "there is no verb or topic \"%.60s\"%s%s%s", word,
			    near ? "; did you mean \"" : "; tenon help lists the verbs",
			    near ? near : "", near ? "\"?" : "");
}

int tn_cli_help(int argc, char **argv)
{
	struct tn_cli cli = {.verb = "help"};
	const char *words[1];
	const struct tn_options options = {
		.usage = "tenon help [VERB|TOPIC]",
		.summary = "Lists the verbs, shows what a verb takes, or explains a topic (tenon "
			   "help topics\nlists those).\n\n"
			   "Example: tenon help exit-codes",
		.words = words,
		.word_max = 1};
	size_t count = 0;
	int exit = TN_EXIT_OK;

	if (!tn_cli_begin(&cli, &options, argc, argv, &count, &exit))
		return exit;
	if (count == 1)
		return explain(&cli, words[0]);
	tn_verbs_print(stdout);
	return TN_EXIT_OK;
}
