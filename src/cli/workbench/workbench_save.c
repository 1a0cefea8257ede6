/* tenon workbench save: the drafts of a folder into its source, by a person. */
#include "base/size.h"
#include "cli/workbench/workbench.h"
#include "jsonrpc/json_write.h"

static void put_failed(struct tn_buf *out, const struct tn_json *list)
{
	for (const struct tn_json *at = list ? list->first : NULL; at; at = at->next) {
		const struct tn_json *address = tn_json_get(at, "address");
		struct tn_str id = tn_workbench_text(address, "instanceId"),
			      path = tn_workbench_text(address, "path");
		struct tn_str code = tn_workbench_text(at, "code"),
			      message = tn_workbench_text(at, "message");

		tn_buf_format(out, "%s%.*s of %.*s stays a draft: %.*s (%.*s)",
			      out->size ? "\n" : "", (int)path.size, path.data, (int)id.size,
			      id.data, (int)message.size, message.data, (int)code.size, code.data);
	}
}

static void tell_plan(struct tn_buf *out, const struct tn_json *result)
{
	struct tn_str diff = tn_workbench_text(result, "diff");

	tn_buf_append(out, diff.data, diff.size ? diff.size - 1 : 0);
	put_failed(out, tn_json_get(result, "failures"));
	if (!out->size)
		tn_buf_append_text(out, "There is nothing to write.");
}

static void put_files(struct tn_buf *out, const struct tn_json *result)
{
	const struct tn_json *files = tn_json_get(result, "files");

	for (const struct tn_json *at = files ? files->first : NULL; at; at = at->next) {
		struct tn_str path = tn_workbench_text(at, "filePath");

		tn_buf_format(out, "%.*s\n", (int)path.size, path.data);
	}
}

static void tell_saved(struct tn_buf *out, const struct tn_json *result)
{
	int64_t count = 0;

	put_files(out, result);
	(void)tn_json_to_int(tn_json_get(result, "appliedCount"), &count);
	tn_buf_append_count(out, (unsigned long long)count, "draft");
	tn_buf_append_text(out, " saved.");
	put_failed(out, tn_json_get(result, "failed"));
}

static void tell_unsaved(struct tn_buf *out, const struct tn_json *result)
{
	put_files(out, result);
	tn_buf_append_text(out, "The last save is taken back.");
}

int tn_cli_workbench_save(int argc, char **argv)
{
	struct tn_workbench w = {.cli = {.verb = "workbench save"}};
	bool dry_run = false, partial = false, undo = false;
	const char *words[TN_WORKBENCH_WORDS_MAX];
	const struct tn_option table[] = {
		{.name = "dry-run",
		 .kind = TN_OPTION_FLAG,
		 .value = &dry_run,
		 .help = "only show what would be written, as a diff"},
		{.name = "partial",
		 .kind = TN_OPTION_FLAG,
		 .value = &partial,
		 .help = "write those that can be written; the others stay drafts"},
		{.name = "undo",
		 .kind = TN_OPTION_FLAG,
		 .value = &undo,
		 .help = "instead: take the last save back, files and drafts"},
		{.name = "undo",
		 .kind = TN_OPTION_FLAG,
		 .value = &undo,
		 .help = "instead: take the last save back, files and drafts"},
		{.name = "json",
		 .kind = TN_OPTION_FLAG,
		 .value = &w.cli.json,
		 .help = "one line of JSON"},
	};
	const struct tn_options options = {
		.usage = "tenon workbench save [ID] [options]",
		.summary =
			"Writes the drafts of a folder into its source, all of them or none, and "
			"clears them.\nID is one that status lists; without it the folder above "
			"this one.",
		.options = table,
		.option_count = TN_COUNT(table),
		.words = words,
		.word_max = TN_WORKBENCH_WORDS_MAX,
	};
	struct tn_buf arguments;
	struct tn_str id;
	size_t count;
	int exit;

	if (!tn_cli_begin(&w.cli, &options, argc, argv, &count, &exit))
		return exit;
	exit = tn_workbench_begin(&w);
	id = tn_str_from(count ? words[0] : NULL);
	if (exit == TN_EXIT_OK && !count)
		exit = tn_workbench_here(&w, &id);
	if (exit != TN_EXIT_OK)
		return tn_workbench_end(&w, exit);
	tn_buf_init(&arguments, TN_KIB);
	tn_json_begin_object(&arguments);
	tn_json_put_member_str(&arguments, "workspace", id);
	tn_json_put_member_bool(&arguments, "dryRun", dry_run);
	tn_json_put_member_bool(&arguments, "partial", partial);
	tn_json_put_member_bool(&arguments, "undo", undo);
	return tn_workbench_end(&w, tn_workbench_call(&w, "workbench_save", &arguments,
						      undo      ? tell_unsaved
						      : dry_run ? tell_plan
								: tell_saved));
}
