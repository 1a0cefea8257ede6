#include "cli/verbs.h"

#include "base/near.h"
#include "base/size.h"
#include "cli/shared/cli.h"
#include "host/daemon/serve_command.h"

static int run_serve(int argc, char **argv)
{
	return tn_serve_command(argc - 1, argv + 1);
}

const struct tn_verb tn_verbs[] = {
	{"up", "", "start the daemon, and return when it answers", tn_cli_up},
	{"down", "", "end the daemon in order", tn_cli_down},
	{"status", "", "whether the daemon runs, and what it does", tn_cli_status},
	{"logs", "[-f]", "the end of the daemon's log", tn_cli_logs},
	{"doctor", "", "check everything, and say what to do", tn_cli_doctor},
	{"audit", "[FILE]", "what was done, and whether its record is whole", tn_cli_audit},
	{"install", "[HOST]...", "enter Tenon into the settings of AI hosts", tn_cli_install},
	{"call", "APP.TOOL [NAME=VALUE]...", "call a tool", tn_cli_call},
	{"tools", "[APP] [TOOL]", "list tools, or show what one takes", tn_cli_tools},
	{"read", "URI", "print a resource", tn_cli_read},
	{"watch", "URI...", "print a line for each change of a resource", tn_cli_watch},
	{"mcp", "[APP]...", "join the pipe of an AI host to the daemon", tn_cli_mcp_help},
	{"open", "", "open the page in the browser, as a person", tn_cli_open},
	{"approve", "[ID]", "decide what a client asked for, on a terminal", tn_cli_approve},
	{"token", "[--rotate]", "print the client token, or make a new one", tn_cli_token},
	{"serve", "APP...", "serve apps in this process: stdio, HTTP, a socket", run_serve},
	{"plan", "explain [FILE]", "explain Terraform and OpenTofu plans from a file or pipe",
	 tn_cli_plan},
	{"terminal", "run|sessions|...", "shells that assistants, scripts and people share",
	 tn_cli_terminal},
	{"studio", "types|prices ...", "types and prices of infrastructure diagrams",
	 tn_cli_studio},
	{"floorplan", "validate|render|...", "floor plans: check, draw, change, measure, convert",
	 tn_cli_floorplan},
	{"workbench", "open|status|close", "front-end projects: open one for assistants",
	 tn_cli_workbench},
	{"completion", "bash|zsh|fish", "the script that completes words in a shell",
	 tn_cli_completion},
	{"licences", "", "whose work is inside, with the notices", tn_cli_licences},
	{"help", "[VERB|TOPIC]", "this list, a verb's options, or a topic", tn_cli_help},
	{NULL, NULL, NULL, NULL},
};

const struct tn_verb *tn_verb_find(struct tn_str name)
{
	for (const struct tn_verb *verb = tn_verbs; verb->name; verb++) {
		if (tn_str_is(name, verb->name))
			return verb;
	}
	return NULL;
}

const char *tn_verb_near(struct tn_str name)
{
	const char *names[TN_COUNT(tn_verbs)];
	size_t count = 0;

	for (const struct tn_verb *verb = tn_verbs; verb->name; verb++)
		names[count++] = verb->name;
	names[count] = NULL;
	return tn_near_find(name, names);
}

void tn_verbs_print(FILE *out)
{
	(void)fputs("usage: tenon VERB [WORD]... [--OPTION]...\n\n", out);
	for (const struct tn_verb *verb = tn_verbs; verb->name; verb++) {
		char left[64];

		(void)snprintf(left, sizeof(left), "%s %s", verb->name, verb->words);
		(void)fprintf(out, "  %-34s%s\n", left, verb->summary);
	}
	(void)fputs("\n"
		    "tenon VERB --help shows a verb's options, tenon help topics what else is "
		    "explained.\n"
		    "tenon --version (-V, version) shows the version.\n",
		    out);
}
