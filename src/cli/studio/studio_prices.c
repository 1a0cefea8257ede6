/* tenon studio prices refresh: a new price table from the public price lists, because somebody
 * asked for it. Estimates themselves never use the network. */
#include <stdlib.h>
#include <string.h>

#include "apps/studio/cost/prices_refresh.h"
#include "base/size.h"
#include "cli/shared/run.h"
#include "cli/studio/studio_data.h"
#include "host/settings/config.h"
#include "jsonrpc/json_write.h"

enum { PROBLEMS_SHOWN = 20 };

struct refreshing {
	struct tn_cli cli;
	struct tn_arena arena;
	struct tn_studio_registry *registry;
	struct tn_studio_refresh_result result;
};

/* The flag, else the setting; *ret is NULL for the public list. Fails: as tn_config_read: other
 * prices than those that were asked for would be worse than none. */
static enum tenon_code find_address(const char *flag, struct tn_arena *arena, const char **ret,
				    struct tenon_error *err)
{
	struct tn_config *config = NULL;
	enum tenon_code code;
	const char *text;

	*ret = flag;
	if (flag)
		return TENON_OK;
	code = tn_config_read(NULL, NULL, &config, err);
	if (code != TENON_OK)
		return code;
	text = tn_config_text(config, "studio.prices_url");
	if (text[0] && !(*ret = tn_arena_copy(arena, tn_str_from(text))))
		code = tn_fail(err, TENON_NO_MEMORY, "out of memory");
	tn_config_free(config);
	return code;
}

static void put_json(struct tn_buf *out, const struct tn_studio_refresh_result *result)
{
	tn_json_begin_object(out);
	tn_json_put_member_text(out, "pricesAsOf", result->as_of);
	tn_json_put_member_int(out, "wanted", (int64_t)result->wanted);
	tn_json_put_member_int(out, "refreshed", (int64_t)result->refreshed);
	tn_json_put_member_int(out, "regional", (int64_t)result->regional);
	tn_json_put_member_int(out, "unmapped", (int64_t)result->unmapped);
	tn_json_put_member_int(out, "requests", (int64_t)result->requests);
	tn_json_put_key(out, "problems");
	tn_json_begin_array(out);
	for (const struct tn_studio_refresh_problem *p = result->problems; p; p = p->next) {
		tn_json_begin_object(out);
		tn_json_put_member_str(out, "price", p->key);
		tn_json_put_member_str(out, "message", p->message);
		tn_json_end_object(out);
	}
	tn_json_end_array(out);
	tn_json_end_object(out);
	tn_buf_append_byte(out, '\n');
}

static void put_text(struct tn_buf *out, const struct tn_studio_refresh_result *result)
{
	unsigned shown = 0;

	tn_buf_format(out, "%zu of %zu prices are of %s, with %zu figures of other regions.\n",
		      result->refreshed, result->wanted, result->as_of, result->regional);
	tn_buf_format(out,
		      "%zu prices of the table are in no public list that is read; they stay "
		      "as shipped.\n",
		      result->unmapped);
	for (const struct tn_studio_refresh_problem *p = result->problems;
	     p && shown < PROBLEMS_SHOWN; p = p->next, shown++) {
		tn_buf_append_text(out, "  ");
		tn_buf_append_str(out, p->key);
		tn_buf_append_text(out, ": ");
		tn_buf_append_str(out, p->message);
		tn_buf_append_byte(out, '\n');
	}
}

static int refresh(struct refreshing *run, const char *url)
{
	struct tn_studio_refresh_options options = {
		.folder = tn_studio_data_folder(&run->arena),
		.clock = &tn_clock_system,
	};
	struct tenon_error err = {0};
	enum tenon_code code;
	struct tn_buf out;
	int exit;

	if (!options.folder)
		return tn_cli_usage(&run->cli, "set HOME or XDG_DATA_HOME: the prices go there");
	code = find_address(url, &run->arena, &options.url, &err);
	if (code == TENON_OK)
		code = tn_studio_prices_refresh(run->registry, &options, &run->arena, &run->result,
						&err);
	if (code != TENON_OK) {
		const struct tn_studio_refresh_problem *first = run->result.problems;

		if (first)
			tn_cli_note(&run->cli, "%.*s: %.*s", (int)first->key.size, first->key.data,
				    (int)first->message.size, first->message.data);
		return tn_cli_fail_error(&run->cli,
					 code == TENON_INVALID ? TN_EXIT_USAGE : TN_EXIT_TOOL, NULL,
					 &err);
	}
	tn_buf_init(&out, TN_MIB);
	if (run->cli.json)
		put_json(&out, &run->result);
	else
		put_text(&out, &run->result);
	exit = tn_cli_write(&run->cli, &out, TN_EXIT_OK);
	tn_buf_finish(&out);
	return exit;
}

int tn_cli_studio_prices(int argc, char **argv)
{
	struct refreshing run = {.cli = {.verb = "studio prices"}};
	const char *word = NULL, *url = NULL;
	const struct tn_option list[] = {
		{.name = "url",
		 .kind = TN_OPTION_TEXT,
		 .value = &url,
		 .word = "URL",
		 .help = "the price list to ask instead of the public one"},
		{.name = "json",
		 .kind = TN_OPTION_FLAG,
		 .value = &run.cli.json,
		 .help = "print JSON"},
	};
	const struct tn_options options = {
		.usage = "tenon studio prices refresh [options]",
		.summary = "Asks Azure's public price list for the prices of the table and keeps "
			   "them for this user.\nEstimates never use the network; this does.",
		.options = list,
		.option_count = TN_COUNT(list),
		.words = &word,
		.word_max = 1,
	};
	struct tenon_error err = {0};
	size_t count = 0;
	int exit = 0;

	if (!tn_cli_begin(&run.cli, &options, argc, argv, &count, &exit))
		return exit;
	if (count != 1 || strcmp(word, "refresh") != 0)
		return tn_cli_usage(&run.cli, "say what to do: tenon studio prices refresh");
	if (tn_studio_registry_with_users(&run.registry, &err) != TENON_OK)
		return tn_cli_fail_error(&run.cli, TN_EXIT_TOOL, NULL, &err);
	tn_arena_init(&run.arena, 64 * TN_MIB);
	exit = refresh(&run, url);
	tn_arena_finish(&run.arena);
	tn_studio_registry_unref(run.registry);
	return exit;
}
