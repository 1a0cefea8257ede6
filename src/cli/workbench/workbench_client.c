/* The commands of `tenon workbench` as a client of the daemon, for a person. */
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/size.h"
#include "cli/workbench/workbench.h"
#include "jsonrpc/json_write.h"

int tn_workbench_begin(struct tn_workbench *w)
{
	tn_arena_init(&w->arena, TN_MIB * 64);
	return tn_person_connect(&w->cli, &w->client);
}

int tn_workbench_end(struct tn_workbench *w, int exit)
{
	tenon_client_destroy(w->client);
	tn_arena_finish(&w->arena);
	return exit;
}

struct tn_str tn_workbench_text(const struct tn_json *object, const char *name)
{
	struct tn_str text = {"", 0};

	(void)tn_json_to_str(tn_json_get(object, name), &text);
	return text;
}

int tn_workbench_read(struct tn_workbench *w, struct tn_str workspace, const char *path,
		      const struct tn_json **ret)
{
	const struct tn_json *envelope = NULL;
	struct tn_buf arguments, uri;
	int exit;

	tn_buf_init(&uri, TN_KIB);
	tn_buf_init(&arguments, TN_KIB);
	tn_buf_append_text(&uri, "skaffa://");
	if (workspace.size)
		tn_buf_format(&uri, "workspaces/%.*s/", (int)workspace.size, workspace.data);
	tn_buf_append_text(&uri, path);
	tn_json_begin_object(&arguments);
	tn_json_put_member_str(&arguments, "uri", tn_buf_str(&uri));
	tn_json_end_object(&arguments);
	tn_buf_append_byte(&arguments, '\0');
	exit = tn_person_call(&w->cli, w->client, "workbench_read_state", arguments.data, &w->arena,
			      &envelope);
	*ret = tn_json_get(envelope, "data");
	tn_buf_finish(&uri);
	tn_buf_finish(&arguments);
	return exit;
}

int tn_workbench_print(const struct tn_workbench *w, struct tn_buf *out)
{
	int exit;

	tn_buf_append_byte(out, '\n');
	exit = tn_cli_write(&w->cli, out, TN_EXIT_OK);
	tn_buf_finish(out);
	return exit;
}

int tn_workbench_here(struct tn_workbench *w, struct tn_str *ret)
{
	const struct tn_json *all = NULL;
	char here[PATH_MAX];
	size_t longest = 0;
	int exit = tn_workbench_read(w, tn_str("", 0), "workspaces", &all);

	if (exit != TN_EXIT_OK)
		return exit;
	if (!realpath(".", here))
		return tn_cli_fail(&w->cli, TN_EXIT_USAGE, "NOT_FOUND", false, "this folder: %s",
				   strerror(errno));
	all = tn_json_get(all, "workspaces");
	for (const struct tn_json *at = all ? all->first : NULL; at; at = at->next) {
		struct tn_str root = tn_workbench_text(at, "root");
		char next = tn_str_starts(tn_str_from(here), root) ? here[root.size] : 'x';

		if (root.size > longest && (next == '\0' || next == '/' || root.size == 1)) {
			longest = root.size;
			*ret = tn_workbench_text(at, "id");
		}
	}
	return longest ? TN_EXIT_OK
		       : tn_cli_fail(&w->cli, TN_EXIT_USAGE, "NOT_FOUND", false,
				     "no folder above this one is open: name one of those that "
				     "tenon workbench status lists");
}

int tn_workbench_call(struct tn_workbench *w, const char *tool, struct tn_buf *arguments,
		      void (*tell)(struct tn_buf *out, const struct tn_json *result))
{
	const struct tn_json *result = NULL;
	struct tn_buf out;
	int exit;

	tn_json_end_object(arguments);
	tn_buf_append_byte(arguments, '\0');
	exit = tn_person_call(&w->cli, w->client, tool, arguments->data, &w->arena, &result);
	tn_buf_finish(arguments);
	if (exit != TN_EXIT_OK)
		return exit;
	tn_buf_init(&out, TN_MIB * 16);
	if (w->cli.json)
		tn_json_put_value(&out, result);
	else
		tell(&out, result);
	return tn_workbench_print(w, &out);
}
