/* tenon floorplan validate|render|modify|analyze|export|import: an action of the app on a file, its
 * parameters as options, which follow from its schema. */
#include <string.h>
#include <unistd.h>

#include "base/limits.h"
#include "apps/floorplan/limits.h"
#include "apps/floorplan/mcp/tools.h"
#include "base/size.h"
#include "cli/shared/call_arguments.h"
#include "cli/floorplan/floorplan.h"
#include "draw/fonts.h"
#include "jsonrpc/json_write.h"
#include "jsonrpc/schema.h"
#include "store/file.h"

enum { OPTIONS_MAX = 40, NAME_SIZE = 40, OWN_OPTIONS = 3 };

struct run {
	struct tn_cli cli;
	const struct tenon_tool *tool;
	const struct tn_floor_action *action; /* its data */
	const struct tn_json *schema;
	struct tn_arena arena;
	struct tn_option options[OPTIONS_MAX];
	const struct tn_json *properties[OPTIONS_MAX]; /* NULL: our own */
	const char *texts[OPTIONS_MAX];
	bool flags[OPTIONS_MAX];
	size_t option_count;
	const char *file, *output;
	bool in_place;
	struct tn_buf text, arguments;
};

/* ---- files ---- */

int tn_floor_cli_read(const struct tn_cli *cli, const char *file, size_t limit, struct tn_buf *text)
{
	struct tenon_error err = {0};

	tn_buf_init(text, limit);
	if (tn_cli_read_file(file, text, &err) == TENON_OK)
		return TN_FLOOR_EXIT_GOOD;
	(void)tn_cli_fail_error(cli, TN_EXIT_USAGE, NULL, &err);
	return TN_FLOOR_EXIT_MACHINE;
}

int tn_floor_cli_store(const struct tn_cli *cli, const char *file, struct tn_str data)
{
	struct tenon_error err = {0};

	if (strcmp(file, "-") != 0) {
		if (tn_file_write(file, 0644, data, &err) == TENON_OK)
			return TN_FLOOR_EXIT_GOOD;
		(void)tn_cli_fail_error(cli, TN_EXIT_USAGE, file, &err);
		return TN_FLOOR_EXIT_MACHINE;
	}
	if (fwrite(data.data ? data.data : "", 1, data.size, stdout) == data.size &&
	    fflush(stdout) == 0)
		return TN_FLOOR_EXIT_GOOD;
	return TN_FLOOR_EXIT_MACHINE;
}

void tn_floor_cli_tell_letters(const char *file, const struct tn_letters_told *told)
{
	struct tn_buf words;

	for (size_t i = 0; i < told->font_count; i++)
		(void)fprintf(stderr, "%s: letters of %s (%s, sha256 %s)\n", file,
			      told->fonts[i].name, told->fonts[i].file, told->fonts[i].sha256);
	tn_buf_init(&words, TN_RESULT_BYTES_MAX);
	tn_letters_put_boxes(told, &words);
	if (words.size > 0)
		(void)fprintf(stderr, "%s: %.*s\n", file, (int)words.size, words.data);
	tn_buf_finish(&words);
}

void tn_floor_cli_tell(const char *file, const struct tn_floor_diagnostics *list)
{
	struct tn_buf out;

	tn_buf_init(&out, TN_RESULT_BYTES_MAX);
	for (const struct tn_floor_diagnostic *at = list->first; at; at = at->next)
		tn_floor_diagnostic_print(&out, strcmp(file, "-") == 0 ? "<stdin>" : file, at);
	if (out.size > 0)
		(void)fwrite(out.data, 1, out.size, stderr);
	tn_buf_finish(&out);
}

/* ---- options from the schema ---- */

#define FILE_OPTION "before" /* whose value is a file */

/* "showArea" as "show-area"; with `no` as "no-show-area". NULL: no memory. */
static const char *option_name(struct run *run, struct tn_str key, bool no)
{
	char name[NAME_SIZE * 2];
	size_t size = 0;

	if (no) {
		memcpy(name, "no-", 3);
		size = 3;
	}
	for (size_t i = 0; i < key.size && i < NAME_SIZE && size + 2 < sizeof(name); i++) {
		bool upper = key.data[i] >= 'A' && key.data[i] <= 'Z';

		if (upper)
			name[size++] = '-';
		name[size++] = tn_to_lower(key.data[i]);
	}
	return tn_arena_copy(&run->arena, tn_str(name, size));
}

static bool is_on_by_itself(const struct tn_json *property)
{
	bool on = false;

	return tn_json_to_bool(tn_json_get(property, "default"), &on) && on;
}

static bool is_boolean(const struct tn_json *property)
{
	struct tn_str type = {NULL, 0};

	return tn_json_to_str(tn_json_get(property, "type"), &type) && tn_str_is(type, "boolean");
}

static bool add_option(struct run *run, const struct tn_json *property)
{
	size_t i = run->option_count++;
	struct tn_option *option = &run->options[i];
	struct tn_str help = {NULL, 0};
	/* Without a default there are three answers: yes, no, and as the plan says. */
	bool flag = is_boolean(property) && tn_json_get(property, "default");

	(void)tn_json_to_str(tn_json_get(property, "description"), &help);
	run->properties[i] = property;
	*option = (struct tn_option){
		.name = option_name(run, property->key, flag && is_on_by_itself(property)),
		.kind = flag ? TN_OPTION_FLAG : TN_OPTION_TEXT,
		.value = flag ? (void *)&run->flags[i] : (void *)&run->texts[i],
		.word = is_boolean(property)                    ? "true|false"
			: tn_str_is(property->key, FILE_OPTION) ? "FILE"
								: "VALUE",
		.help = tn_arena_copy(&run->arena, help)};
	return option->name && option->help;
}

/* What the command line gives in another way. */
static bool is_left_out(const struct tn_floor_action *action, struct tn_str key)
{
	static const char *const names[] = {"dsl", "document", "expectedRevision",
					    "includeImageData"};

	for (size_t i = 0; i < TN_COUNT(names); i++) {
		if (tn_str_is(key, names[i]))
			return true;
	}
	return action->without_text && tn_str_is(key, "json");
}

static void add_own(struct run *run, const char *name, char letter, const char *word,
		    enum tn_option_kind kind, void *value, const char *help)
{
	run->options[run->option_count++] = (struct tn_option){.name = name,
							       .letter = letter,
							       .kind = kind,
							       .word = word,
							       .value = value,
							       .help = help};
}

static bool add_options(struct run *run)
{
	const struct tn_json *properties = tn_json_get(run->schema, "properties");

	for (const struct tn_json *at = properties ? properties->first : NULL; at; at = at->next) {
		if (is_left_out(run->action, at->key))
			continue;
		if (run->option_count + OWN_OPTIONS >= OPTIONS_MAX || !add_option(run, at))
			return false;
	}
	add_own(run, "output", 'o', "FILE", TN_OPTION_TEXT, &run->output,
		"where the picture, document or text goes; -: standard output, instead of JSON");
	if (run->action->writes)
		add_own(run, "in-place", 'i', NULL, TN_OPTION_FLAG, &run->in_place,
			"write the new text to FILE");
	add_own(run, "json", 0, NULL, TN_OPTION_FLAG, &run->cli.json,
		"JSON only: no lines for people on standard error");
	return true;
}

/* ---- arguments ---- */

/* An earlier version of a plan is a file; with "@" before it, too, as for all others. */
static bool is_file(const struct tn_json *property, const char *text)
{
	return tn_str_is(property->key, FILE_OPTION) && text[0] != '@';
}

/* "svg" of a file to be written that is called so, where that is a format; NULL: it is none. */
static const char *format_of(const struct run *run, const struct tn_json *property)
{
	const char *dot = run->output ? strrchr(run->output, '.') : NULL;
	const struct tn_json *values = tn_json_get(property, "enum");

	if (dot && strcmp(dot, ".floorplan") == 0)
		dot = ".canonical";
	for (const struct tn_json *at = dot && values ? values->first : NULL; at; at = at->next)
		if (tn_str_is(at->text, dot + 1))
			return dot + 1;
	return NULL;
}

static bool make_words(struct run *run, const char **words, size_t *ret_count)
{
	size_t count = 0;

	for (size_t i = 0; i < run->option_count; i++) {
		const struct tn_json *property = run->properties[i];
		const char *key = property ? property->key.data : NULL;
		const char *word = NULL;

		if (property && !run->texts[i] && tn_str_is(property->key, "format"))
			run->texts[i] = format_of(run, property);
		if (!property || (!run->flags[i] && !run->texts[i]))
			continue;
		if (run->flags[i])
			word = tn_arena_format(&run->arena, "%.*s=%s", (int)property->key.size, key,
					       is_on_by_itself(property) ? "false" : "true");
		else
			word = tn_arena_format(&run->arena, "%.*s=%s%s", (int)property->key.size,
					       key, is_file(property, run->texts[i]) ? "@" : "",
					       run->texts[i]);
		if (!word)
			return false;
		words[count++] = word;
	}
	*ret_count = count;
	return true;
}

static int refuse_faults(const struct run *run, const struct tn_schema_faults *faults)
{
	struct tn_buf text;

	tn_buf_init(&text, TN_RESULT_BYTES_MAX);
	tn_schema_faults_write(faults, &text);
	(void)tn_cli_fail_text(&run->cli, TN_EXIT_USAGE, "FP9001", false, tn_buf_str(&text),
			       tn_str("", 0));
	tn_buf_finish(&text);
	return TN_FLOOR_EXIT_FAULT;
}

static int fail_memory(const struct run *run)
{
	(void)tn_cli_fail(&run->cli, TN_EXIT_USAGE, "NO_MEMORY", false, "memory ran out");
	return TN_FLOOR_EXIT_MACHINE;
}

/* The JSON to be imported is an argument as well, whatever it is. */
static bool add_json(struct run *run, struct tn_buf *base)
{
	if (!run->action->without_text)
		return true;
	tn_json_begin_object(base);
	tn_json_put_member_str(base, "json", tn_buf_str(&run->text));
	tn_json_end_object(base);
	return !base->failed;
}

static int check_arguments(struct run *run, const struct tn_json *arguments)
{
	struct tn_schema_faults faults = {.root = "options"};
	struct tn_schema *schema = NULL;
	struct tenon_error err = {0};
	int exit = TN_FLOOR_EXIT_GOOD;

	if (tn_schema_compile(run->schema, &schema, &err) != TENON_OK)
		return fail_memory(run);
	if (tn_schema_check(schema, arguments, &faults) != TENON_OK)
		exit = refuse_faults(run, &faults);
	tn_schema_free(schema);
	return exit;
}

static int read_arguments(struct run *run, const struct tn_json **ret)
{
	const char *words[OPTIONS_MAX];
	struct tn_json *arguments = NULL;
	struct tenon_error err = {0};
	struct tn_buf base;
	enum tenon_code code = TENON_NO_MEMORY;
	size_t count = 0;

	tn_buf_init(&base, TN_RESULT_BYTES_MAX);
	tn_buf_init(&run->arguments, TN_RESULT_BYTES_MAX);
	if (make_words(run, words, &count) && add_json(run, &base))
		code = tn_cli_arguments(run->schema, base.size > 0 ? &base : NULL, words, count,
					&run->arguments, &err);
	tn_buf_finish(&base);
	if (code == TENON_OK)
		code = tn_json_parse_copy(&run->arena, tn_buf_str(&run->arguments), &arguments,
					  &err);
	if (code == TENON_NO_MEMORY)
		return fail_memory(run);
	if (code != TENON_OK) {
		(void)tn_cli_fail_error(&run->cli, TN_EXIT_USAGE, NULL, &err);
		return TN_FLOOR_EXIT_FAULT;
	}
	*ret = arguments;
	return check_arguments(run, arguments);
}

/* ---- the result ---- */

static int store_result(const struct run *run, const struct tn_floor_act *act)
{
	struct tn_str data = tn_buf_str(act->file.size > 0 ? &act->file : &act->text_after);
	int exit = TN_FLOOR_EXIT_GOOD;

	if (run->in_place && act->text_after.data)
		exit = tn_floor_cli_store(&run->cli, run->file, tn_buf_str(&act->text_after));
	if (run->output && exit == TN_FLOOR_EXIT_GOOD && (data.size > 0 || act->success))
		exit = tn_floor_cli_store(&run->cli, run->output, data);
	return exit;
}

static int write_result(struct run *run, struct tn_floor_act *act)
{
	bool on_stdout = run->output && strcmp(run->output, "-") == 0;
	int exit = act->success && !act->invalid ? TN_FLOOR_EXIT_GOOD : TN_FLOOR_EXIT_FAULT;
	int stored;

	if (!tn_floor_act_end(act))
		return fail_memory(run);
	if (act->plan && !run->cli.json)
		tn_floor_cli_tell(run->file, &act->plan->diagnostics);
	if (!run->cli.json)
		tn_floor_cli_tell_letters(run->file, &act->told);
	stored = store_result(run, act);
	if (stored != TN_FLOOR_EXIT_GOOD)
		return stored;
	/* People read the lines above; what is read by a program gets the JSON. */
	if (on_stdout || (!run->cli.json && isatty(STDOUT_FILENO) && (act->plan || run->output)))
		return exit;
	tn_buf_append_byte(&act->json, '\n');
	return tn_floor_cli_store(&run->cli, "-", tn_buf_str(&act->json)) == TN_FLOOR_EXIT_GOOD
		       ? exit
		       : TN_FLOOR_EXIT_MACHINE;
}

static int run_on(struct run *run)
{
	size_t limit =
		run->action->without_text ? TN_FLOOR_INPUT_BYTES_MAX : 4 * TN_FLOOR_TEXT_BYTES_MAX;
	const struct tn_json *arguments = NULL;
	struct tn_fonts *fonts = NULL;
	struct tn_floor_act act;
	int exit = tn_floor_cli_read(&run->cli, run->file, limit, &run->text);

	if (exit != TN_FLOOR_EXIT_GOOD)
		return exit;
	exit = read_arguments(run, &arguments);
	if (exit != TN_FLOOR_EXIT_GOOD)
		return exit;
	if (tn_fonts_open(NULL, &fonts, NULL) != TENON_OK)
		return fail_memory(run);
	tn_floor_act_init(&act, tn_buf_str(&run->text), arguments);
	act.fonts = fonts;
	run->action->run(&act);
	exit = write_result(run, &act);
	tn_floor_act_finish(&act);
	tn_fonts_close(fonts);
	return exit;
}

static int run_verb(struct run *run, const char *usage, const char *summary, int argc, char **argv)
{
	const char *words[1] = {NULL};
	struct tn_options options = {.usage = usage,
				     .summary = summary,
				     .options = run->options,
				     .words = words,
				     .word_max = TN_COUNT(words)};
	struct tn_json *schema = NULL;
	size_t count = 0;
	int exit = TN_FLOOR_EXIT_GOOD;

	if (tn_json_parse_copy(&run->arena, tn_str_from(run->tool->input_schema), &schema, NULL) !=
	    TENON_OK)
		return fail_memory(run);
	run->schema = schema;
	if (!add_options(run))
		return fail_memory(run);
	options.option_count = run->option_count;
	if (!tn_cli_begin(&run->cli, &options, argc, argv, &count, &exit))
		return exit;
	if (count != 1)
		return tn_cli_usage(&run->cli, "name a FILE; - is standard input");
	run->file = words[0];
	if (run->in_place && strcmp(run->file, "-") == 0)
		return tn_cli_usage(&run->cli, "--in-place needs a FILE");
	return run_on(run);
}

static int run_action(const struct tenon_tool *tool, const char *verb, const char *usage,
		      const char *summary, int argc, char **argv)
{
	struct run run = {.cli = {.verb = verb}, .tool = tool, .action = tool->data};
	int exit;

	tn_arena_init(&run.arena, TN_FLOOR_ARENA_MAX);
	exit = run_verb(&run, usage, summary, argc, argv);
	tn_buf_finish(&run.text);
	tn_buf_finish(&run.arguments);
	tn_arena_finish(&run.arena);
	return exit;
}

#define TELLS                                                                                \
	"Diagnostics go to standard error as file:line:column: error FPnnnn: message, the\n" \
	"answer to standard output as JSON. Exit 0: good, 1: the plan or the options, 2: a file."

int tn_cli_floorplan_validate(int argc, char **argv)
{
	return run_action(&tn_floor_tool_validate, "floorplan validate",
			  "tenon floorplan validate FILE|- [options]",
			  "Checks a plan without drawing it. " TELLS, argc, argv);
}

int tn_cli_floorplan_render(int argc, char **argv)
{
	return run_action(&tn_floor_tool_render, "floorplan render",
			  "tenon floorplan render FILE|- --output PICTURE [options]",
			  "Draws a plan. " TELLS, argc, argv);
}

int tn_cli_floorplan_modify(int argc, char **argv)
{
	return run_action(&tn_floor_tool_modify, "floorplan modify",
			  "tenon floorplan modify FILE|- --operations JSON|@FILE [options]",
			  "Changes a plan without touching the rest of its text. " TELLS, argc,
			  argv);
}

int tn_cli_floorplan_analyze(int argc, char **argv)
{
	return run_action(&tn_floor_tool_analyze, "floorplan analyze",
			  "tenon floorplan analyze FILE|- [options]",
			  "Areas, neighbours, ways and exits. " TELLS, argc, argv);
}

int tn_cli_floorplan_export(int argc, char **argv)
{
	return run_action(&tn_floor_tool_export, "floorplan export",
			  "tenon floorplan export FILE|- --format FORMAT --output FILE [options]",
			  "A plan in another form. " TELLS, argc, argv);
}

int tn_cli_floorplan_import(int argc, char **argv)
{
	return run_action(&tn_floor_tool_import, "floorplan import",
			  "tenon floorplan import JSON|- [options]",
			  "JSON of export, or of the older interchange form, to a plan. " TELLS,
			  argc, argv);
}
