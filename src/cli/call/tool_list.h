/* tool_list.h - the tools a connection offers, and the one that a word means. Threads: main. */
#ifndef TN_CLI_TOOL_LIST_H
#define TN_CLI_TOOL_LIST_H

#include "cli/shared/connect.h"
#include "jsonrpc/json.h"

/* The array of tools as the server lists them; it lives in `arena`. 0, or the exit code and all is
 * told. */
int tn_tool_list(const struct tn_cli *cli, struct tenon_client *client, struct tn_arena *arena,
		 const struct tn_json **ret);

/* NULL: there is none of that name. */
const struct tn_json *tn_tool_find(const struct tn_json *tools, struct tn_str name);
const char *tn_tool_near(const struct tn_json *tools, struct tn_str name); /* or NULL */

/* The connection that a word such as "plan.terraform_explain" is about, and the tool's name in it.
 * A word without an app, or whose first part is no app, is looked for among all tools. */
struct tn_tool_place {
	struct tenon_client *client; /* the caller's to destroy, also after a failure */
	const struct tn_json *tool;  /* in `arena` */
	const char *name;            /* in the word */
};
/* 0, or the exit code and all is told. */
int tn_tool_place_find(const struct tn_cli *cli, const struct tn_connect *connect, const char *word,
		       struct tn_arena *arena, struct tn_tool_place *ret);

#endif
