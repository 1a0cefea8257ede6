/* cli.h - the verbs of the command line. Each takes its own words (argv[0] is the verb) and returns
 * the process's exit code. Threads: the main thread, once. */
#ifndef TN_CLI_CLI_H
#define TN_CLI_CLI_H

/* Exit codes of every verb that has no contract of its own (ARCHITECTURE section 7); those of
 * `tenon plan` are in plan.h. */
enum tn_exit {
	TN_EXIT_OK = 0,
	TN_EXIT_USAGE = 1,
	TN_EXIT_AUTH = 3,
	TN_EXIT_UNREACHABLE = 4,
	TN_EXIT_TOOL = 5,
	TN_EXIT_INTERRUPTED = 130 /* Ctrl-C, as shells say it */
};

/* tenon plan explain|parse|risk|best-of|score|context|compare|history: works on files and pipes,
 * never starts or contacts a daemon. */
int tn_cli_plan(int argc, char **argv);

/* The daemon's life. */
int tn_cli_up(int argc, char **argv);
int tn_cli_down(int argc, char **argv);

/* Clients of the daemon, which they start when none runs. */
int tn_cli_call(int argc, char **argv);
int tn_cli_tools(int argc, char **argv);
int tn_cli_read(int argc, char **argv);
int tn_cli_watch(int argc, char **argv);

/* tenon terminal run|sessions|...: a tool call each (terminal.h). */
int tn_cli_terminal(int argc, char **argv);

/* tenon studio types|prices: works on files, no daemon is needed (studio_data.h). */
int tn_cli_studio(int argc, char **argv);

/* tenon floorplan validate|render|...: works on files, no daemon is needed (floorplan.h). */
int tn_cli_floorplan(int argc, char **argv);

/* tenon workbench open|status|close: as a person. */
int tn_cli_workbench(int argc, char **argv);
/* For a person: the page, decisions, tokens. */
int tn_cli_open(int argc, char **argv);
int tn_cli_approve(int argc, char **argv);
int tn_cli_token(int argc, char **argv);

/* These look, and start nothing. */
int tn_cli_status(int argc, char **argv);
int tn_cli_logs(int argc, char **argv);
int tn_cli_licences(int argc, char **argv);
int tn_cli_audit(int argc, char **argv);
int tn_cli_doctor(int argc, char **argv);
int tn_cli_completion(int argc, char **argv);

/* Enters the relay into the settings of AI hosts; no daemon is needed. */
int tn_cli_install(int argc, char **argv);

int tn_cli_help(int argc, char **argv);
/* What `tenon mcp --help` says; the verb itself is the light front's. */
int tn_cli_mcp_help(int argc, char **argv);

#endif
