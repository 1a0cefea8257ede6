/* tenon studio types check FILE: what is wrong in a registry file, and what its types become. */
#include <string.h>

#include "apps/studio/check/registry_report.h"
#include "apps/studio/limits.h"
#include "base/size.h"
#include "cli/shared/run.h"
#include "cli/studio/studio_data.h"
#include "store/file.h"

/* The dump of one provider is some 30 MB. */
enum { SCHEMA_BYTES_MAX = 256 * 1024 * 1024 };

static int read_whole(const struct tn_cli *cli, const char *path, size_t limit, struct tn_buf *text)
{
	struct tenon_error err = {0};

	tn_buf_init(text, limit);
	if (tn_file_read(path, TN_FILE_REGULAR_ONLY, text, &err) != TENON_OK)
		return tn_cli_fail_error(cli, TN_EXIT_USAGE, path, &err);
	return TN_EXIT_OK;
}

static int read_schema(const struct tn_cli *cli, const char *path, struct tn_arena *arena,
		       const struct tn_json **ret)
{
	struct tenon_error err = {0};
	struct tn_json *tree = NULL;
	struct tn_buf text;
	int exit;

	if (!path)
		return TN_EXIT_OK;
	exit = read_whole(cli, path, SCHEMA_BYTES_MAX, &text);
	if (exit == TN_EXIT_OK &&
	    tn_json_parse_copy(arena, tn_buf_str(&text), &tree, &err) != TENON_OK)
		exit = tn_cli_fail_error(cli, TN_EXIT_USAGE, path, &err);
	tn_buf_finish(&text);
	*ret = tree;
	return exit;
}

static int report(const struct tn_cli *cli, const char *path, struct tn_str text,
		  const struct tn_json *schema, struct tn_arena *arena)
{
	struct tn_studio_report made;
	struct tenon_error err = {0};
	struct tn_buf out;
	int exit;

	if (tn_studio_report_make(tn_str_from(path), text, schema, arena, &made, &err) != TENON_OK)
		return tn_cli_fail_error(cli, TN_EXIT_USAGE, NULL, &err);
	tn_buf_init(&out, TN_STUDIO_RESULT_BYTES_MAX);
	if (cli->json) {
		tn_studio_report_put(&out, &made);
		tn_buf_append_byte(&out, '\n');
	} else {
		tn_studio_report_print(&out, tn_str_from(path), &made);
	}
	exit = tn_cli_write(cli, &out, made.fault_count > 0 ? TN_EXIT_TOOL : TN_EXIT_OK);
	tn_buf_finish(&out);
	tn_studio_report_finish(&made);
	return exit;
}

int tn_cli_studio_types(int argc, char **argv)
{
	struct tn_cli cli = {.verb = "studio types"};
	const char *words[2] = {NULL, NULL}, *dump = NULL;
	const struct tn_option list[] = {
		{.name = "schema",
		 .kind = TN_OPTION_TEXT,
		 .value = &dump,
		 .word = "DUMP",
		 .help = "check every argument against `terraform providers schema -json`"},
		{.name = "json", .kind = TN_OPTION_FLAG, .value = &cli.json, .help = "print JSON"},
	};
	const struct tn_options options = {
		.usage = "tenon studio types check FILE [options]",
		.summary = "Checks a file with resource types (docs/registry.md): mistakes with "
			   "their place, and the\nconfiguration that each type becomes with its "
			   "defaults. Exit 5: there are mistakes.",
		.options = list,
		.option_count = TN_COUNT(list),
		.words = words,
		.word_max = TN_COUNT(words),
	};
	const struct tn_json *schema = NULL;
	struct tn_arena arena;
	struct tn_buf text;
	size_t count = 0;
	int exit = 0;

	if (!tn_cli_begin(&cli, &options, argc, argv, &count, &exit))
		return exit;
	if (count != 2 || strcmp(words[0], "check") != 0)
		return tn_cli_usage(&cli, "say what to check: tenon studio types check FILE");
	exit = read_whole(&cli, words[1], TN_STUDIO_TYPE_FILE_BYTES_MAX, &text);
	if (exit == TN_EXIT_OK) {
		tn_arena_init(&arena, (size_t)8 * SCHEMA_BYTES_MAX);
		exit = read_schema(&cli, dump, &arena, &schema);
		if (exit == TN_EXIT_OK)
			exit = report(&cli, words[1], tn_buf_str(&text), schema, &arena);
		tn_arena_finish(&arena);
	}
	tn_buf_finish(&text);
	return exit;
}
