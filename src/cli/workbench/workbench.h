/* workbench.h - what the commands of `tenon workbench` share, a file each for the larger ones.
 * Threads: main. */
#ifndef TN_CLI_WORKBENCH_H
#define TN_CLI_WORKBENCH_H

#include "base/arena.h"
#include "base/buf.h"
#include "cli/shared/person.h"
#include "cli/shared/run.h"

enum { TN_WORKBENCH_WORDS_MAX = 1 };

struct tn_workbench {
	struct tn_cli cli;
	struct tenon_client *client;
	struct tn_arena arena;
	bool trust, read;
};

/* A client that is a person; otherwise the exit code. In any case it is ended. */
int tn_workbench_begin(struct tn_workbench *w);
int tn_workbench_end(struct tn_workbench *w, int exit); /* returns `exit` */
/* The text of a member; empty: it has none. */
struct tn_str tn_workbench_text(const struct tn_json *object, const char *name);
/* The id of the workspace whose root is the nearest folder above this one. For what cannot be taken
 * back the daemon's guess, which is the one that was opened last, is none. */
int tn_workbench_here(struct tn_workbench *w, struct tn_str *ret);
/* The data of a resource of one workspace ("": of all). */
int tn_workbench_read(struct tn_workbench *w, struct tn_str workspace, const char *path,
		      const struct tn_json **ret);
/* Prints a line, and finishes `out`. */
int tn_workbench_print(const struct tn_workbench *w, struct tn_buf *out);
/* Calls a tool and prints what it answers. `arguments` lack their last brace, and are finished. */
int tn_workbench_call(struct tn_workbench *w, const char *tool, struct tn_buf *arguments,
		      void (*tell)(struct tn_buf *out, const struct tn_json *result));

int tn_cli_workbench_edit(int argc, char **argv);
int tn_cli_workbench_save(int argc, char **argv);

#endif
