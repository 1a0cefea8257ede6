/* tenon workbench edit: files of a folder changed, all of them or none; without a daemon. */
#include <errno.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

#include "apps/workbench/limits.h"
#include "cli/shared/run.h"
#include "cli/workbench/workbench.h"
#include "tenon/edit.h"

static int edit(const struct tn_cli *cli, const char *root, const struct tn_buf *request)
{
	struct tn_buf out;
	char *answer = NULL;
	enum tenon_code code =
		tenon_edit_files(root, request->data ? request->data : "", request->size, &answer);
	int exit;

	if (!answer)
		return tn_cli_fail(cli, TN_EXIT_TOOL, "NO_MEMORY", true, "out of memory");
	tn_buf_init(&out, TN_WB_EDIT_BYTES_MAX);
	tn_buf_append_text(&out, answer);
	tn_buf_append_byte(&out, '\n');
	tenon_edit_free_text(answer);
	exit = tn_cli_write(cli, &out, code == TENON_OK ? TN_EXIT_OK : TN_EXIT_TOOL);
	tn_buf_finish(&out);
	return exit;
}

/* In a process of its own, so that whoever ends this one, with a signal that cannot be caught or
 * with Ctrl-C for the whole group, does not end a change halfway. */
static int edit_apart(const struct tn_cli *cli, const char *root, const struct tn_buf *request)
{
	pid_t child = fork();
	int status = 0;

	if (child < 0)
		return edit(cli, root, request);
	if (child == 0) {
		(void)setsid(); /* fails for a group's leader alone, which a new process is not */
		status = edit(cli, root, request);
		(void)fflush(NULL);
		_exit(status);
	}
	while (waitpid(child, &status, 0) < 0 && errno == EINTR)
		;
	return WIFEXITED(status) ? WEXITSTATUS(status) : TN_EXIT_TOOL;
}

int tn_cli_workbench_edit(int argc, char **argv)
{
	struct tn_cli cli = {.verb = "workbench edit", .json = true};
	const char *root = NULL;
	const struct tn_option table[] = {
		{.name = "root",
		 .kind = TN_OPTION_TEXT,
		 .value = &root,
		 .help = "the folder that all paths are relative to; nothing outside is touched"},
	};
	const struct tn_options options = {
		.usage = "tenon workbench edit --root DIR < REQUEST",
		.summary =
			"Changes files, all of them or none, as JSON on standard input says:\n"
			"{\"readOnlyFiles\": [GLOB...], \"edits\": [\n"
			"  {\"kind\": \"text\", \"filePath\", \"expectedSha256\"?,\n"
			"   \"edits\": [{\"start\", \"end\", \"newText\"}...]},  offsets in bytes\n"
			"  {\"kind\": \"create\", \"filePath\", \"contents\", \"overwrite\"?},\n"
			"  {\"kind\": \"delete\", \"filePath\", \"allowMissing\"?}]}\n"
			"Prints {\"ok\":true,\"files\":[...]} or {\"ok\":false,\"error\":{...}}.",
		.options = table,
		.option_count = TN_COUNT(table),
	};
	struct tenon_error err;
	struct tn_buf request;
	size_t count;
	int exit;

	if (!tn_cli_begin(&cli, &options, argc, argv, &count, &exit))
		return exit;
	if (!root)
		return tn_cli_usage(&cli, "name the folder: --root DIR");
	tn_buf_init(&request, TN_WB_EDIT_REQUEST_BYTES_MAX + 1);
	if (tn_buf_read_all(&request, STDIN_FILENO, &err) != TENON_OK)
		exit = tn_cli_fail_error(&cli, TN_EXIT_USAGE, "standard input", &err);
	else
		exit = edit_apart(&cli, root, &request);
	tn_buf_finish(&request);
	return exit;
}
