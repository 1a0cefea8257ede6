/* tenond: everything that does work. Started by `tenon`, which stays light. */
#include <stdio.h>
#include <string.h>

#include "cli/cli.h"
#include "host/serve_command.h"

static const char help[] = "tenond is started by tenon; run \"tenon --help\".\n";

int main(int argc, char **argv)
{
	const char *verb = argc > 1 ? argv[1] : "--help";

	if (strcmp(verb, "--foreground") == 0)
		return tn_serve_command(argc - 2, argv + 2);
	if (strcmp(verb, "plan") == 0)
		return tn_cli_plan(argc - 1, argv + 1);
	if (strcmp(verb, "--version") == 0) {
		(void)printf("tenond %s\n", TENON_VERSION);
		return 0;
	}
	(void)fputs(help, strcmp(verb, "--help") == 0 ? stdout : stderr);
	return strcmp(verb, "--help") == 0 ? 0 : 1;
}
