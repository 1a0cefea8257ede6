/* Configuration and modules in JavaScript: nothing is run here; what their programs have said is
 * read, or it is told that they must be asked (C3, C4, C9). */
#include "apps/workbench/config/internal.h"
#include "apps/workbench/limits.h"
#include "base/size.h"
#include "jsonrpc/json_write.h"

/* ---- what was asked about ---- */

/* Of the path and the bytes; 0: the file is not there, or outside, which diagnostics say. */
static uint64_t inputs_of(const struct tn_roots *roots, const char *path,
			  struct tn_wb_diagnostics *diagnostics)
{
	struct tenon_error err;
	struct tn_place place;
	struct tn_buf text;
	uint64_t hash = 0;
	enum tenon_code code = tn_place_find(roots, path, &place, &err);

	if (code != TENON_OK || !place.exists) {
		if (code == TENON_OK)
			tn_place_close(&place);
		tn_wb_config_tell(diagnostics,
				  code == TENON_DENIED ? "path_escapes_workspace" : "NOT_FOUND",
				  path,
				  code == TENON_DENIED
					  ? "it lies outside the workspace; name a file inside it"
					  : "there is no such file");
		return 0;
	}
	tn_buf_init(&text, TN_WB_FILE_BYTES_MAX);
	if (tn_place_read(&place, &text, &err) == TENON_OK)
		hash = tn_str_hash(tn_buf_str(&text),
				   tn_str_hash(tn_str_from(path), (uint64_t)place.status.st_ino)) |
		       1;
	else
		tn_wb_config_tell(diagnostics, "UNKNOWN_ERROR", path, err.message);
	tn_buf_finish(&text);
	tn_place_close(&place);
	return hash;
}

static enum tenon_code is_answered(struct tn_wb_config *config,
				   const struct tn_wb_config_options *options,
				   enum tn_wb_evaluated_part part, uint64_t inputs, bool *ret,
				   struct tenon_error *err)
{
	*ret = false;
	if (!options->evaluated || options->evaluated->parts[part].inputs != inputs)
		return TENON_OK;
	return tn_wb_followed_check(config, options, part, ret, err);
}

/* The question, without the members that every question has. */
static void want(const struct tn_wb_config_options *options, enum tn_wb_evaluated_part part,
		 uint64_t inputs)
{
	options->want->any = true;
	options->want->part = part;
	options->want->inputs = inputs;
}

/* C3 */
static bool may_ask(const struct tn_wb_config_options *options, const char *file,
		    struct tn_wb_diagnostics *diagnostics)
{
	if (options->trusted && options->want)
		return true;
	if (options->trusted)
		tn_wb_config_tell(diagnostics, "NODE_MISSING", file,
				  "programs of a workspace are not run here; write it as JSON");
	else
		tn_wb_config_tell(diagnostics, "NOT_TRUSTED", file,
				  "it is a program, and this workspace is not trusted: trust it "
				  "(tenon workbench open --trust), or write it as JSON");
	return false;
}

/* ---- the configuration ---- */

static const struct tn_json *take_config(struct tn_wb_config *config, const struct tn_wb_said *said)
{
	struct tn_str type, code = TN_STR("UNKNOWN_ERROR"), message = TN_STR("it said nothing");

	for (size_t i = 0; i < said->count; i++) {
		(void)tn_json_to_str(tn_json_get(said->lines[i], "type"), &type);
		if (tn_str_is(type, "config"))
			return tn_json_get(said->lines[i], "config");
		if (!tn_str_is(type, "config-error"))
			continue;
		(void)tn_json_to_str(tn_json_get(said->lines[i], "code"), &code);
		(void)tn_json_to_str(tn_json_get(said->lines[i], "message"), &message);
	}
	tn_wb_config_tell(&config->diagnostics, said->code ? said->code : code.data, config->file,
			  said->code ? said->message : message.data);
	return NULL;
}

const struct tn_json *tn_wb_script_config(struct tn_wb_config *config,
					  const struct tn_wb_config_options *options)
{
	struct tn_wb_said said;
	struct tenon_error err;
	enum tenon_code code;
	uint64_t inputs;
	bool answered;

	if (!may_ask(options, config->file, &config->diagnostics))
		return NULL;
	inputs = inputs_of(options->roots, config->file, &config->diagnostics);
	if (!inputs)
		return NULL;
	code = is_answered(config, options, TN_WB_EVALUATED_CONFIG, inputs, &answered, &err);
	if (code == TENON_OK && !answered) {
		want(options, TN_WB_EVALUATED_CONFIG, inputs);
		tn_json_put_member_text(&options->want->question, "config", config->file);
		return NULL;
	}
	if (code == TENON_OK)
		code = tn_wb_evaluated_read(&config->arena, options->evaluated,
					    TN_WB_EVALUATED_CONFIG, &said, &err);
	if (code == TENON_OK)
		return take_config(config, &said);
	tn_wb_config_tell(&config->diagnostics, "UNKNOWN_ERROR", config->file, err.message);
	return NULL;
}

/* ---- modules ---- */

bool tn_wb_script_module(struct tn_wb_scripts *scripts, struct tn_wb_config_module *module,
			 const char *path)
{
	uint64_t inputs;

	module->file = path;
	if (may_ask(scripts->options, path, &module->diagnostics))
		inputs = inputs_of(scripts->options->roots, path, &module->diagnostics);
	else
		inputs = 0;
	module->failed = !inputs;
	if (!inputs)
		return true;
	module->is_script = true;
	scripts->inputs = scripts->inputs * 31 + inputs;
	tn_json_begin_object(&scripts->question);
	tn_json_put_member_text(&scripts->question, "id", module->id);
	tn_json_put_member_text(&scripts->question, "file", path);
	tn_json_end_object(&scripts->question);
	return !scripts->question.failed;
}

static struct tn_str text_of(const struct tn_json *line, const char *name)
{
	struct tn_str text = {"", 0};

	(void)tn_json_to_str(tn_json_get(line, name), &text);
	return text;
}

static bool add_producer(struct tn_wb_config *config, struct tn_wb_config_module *module,
			 const struct tn_json *line)
{
	struct tn_wb_config_producer *list =
		tn_arena_alloc_array(&config->arena, module->producer_count + 1, sizeof(*list));

	if (!list)
		return false;
	if (module->producer_count)
		memcpy(list, module->producers, module->producer_count * sizeof(*list));
	list[module->producer_count++] = (struct tn_wb_config_producer){
		.id = text_of(line, "producerId").data, .snapshot = tn_json_get(line, "snapshot")};
	module->producers = list;
	return true;
}

static void add_diagnostic(struct tn_wb_config_module *module, const struct tn_json *line)
{
	tn_wb_diagnose(&module->diagnostics,
		       &(struct tn_wb_diagnostic){.severity = TN_WB_WARNING,
						  .code = text_of(line, "code").data,
						  .message = text_of(line, "message").data,
						  .file = module->file});
}

static void take_status(struct tn_wb_config_module *module, const struct tn_json *line)
{
	const struct tn_json *error = tn_json_get(line, "error");

	module->has_status = true;
	if (tn_str_is(text_of(line, "status"), "active"))
		return;
	tn_wb_config_fail_module(
		module, text_of(error, "code").size ? text_of(error, "code").data : "UNKNOWN_ERROR",
		module->file, text_of(error, "message").data);
}

/* Of the module whose turn it is: programs are run one after the other, in this order. */
static bool take_line(struct tn_wb_config *config, struct tn_wb_config_module *module,
		      const struct tn_json *line)
{
	struct tn_str type = text_of(line, "type");
	const struct tn_wb_contribution registry = {.tree = tn_json_get(line, "registry"),
						    .file = module->file};

	if (tn_str_is(type, "registry"))
		return tn_wb_config_contribute(config, module, &registry);
	if (tn_str_is(type, "graph-snapshot"))
		return add_producer(config, module, line);
	if (tn_str_is(type, "diagnostic"))
		add_diagnostic(module, line);
	if (tn_str_is(type, "module-status"))
		take_status(module, line);
	return true;
}

static struct tn_wb_config_module *next_script(struct tn_wb_config *config,
					       const struct tn_wb_config_module *after)
{
	size_t i = after ? (size_t)(after - config->modules) + 1 : 0;

	while (i < config->module_count && !config->modules[i].is_script)
		i++;
	return i < config->module_count ? &config->modules[i] : NULL;
}

static bool take_modules(struct tn_wb_config *config, const struct tn_wb_said *said)
{
	struct tn_wb_config_module *module = next_script(config, NULL);

	for (size_t i = 0; module && i < said->count; i++) {
		if (!take_line(config, module, said->lines[i]))
			return false;
		if (module->has_status)
			module = next_script(config, module);
	}
	for (; module; module = next_script(config, module)) {
		module->contribution_count = module->producer_count = 0;
		tn_wb_config_fail_module(
			module, said->code ? said->code : "UNKNOWN_ERROR", module->file,
			said->code ? said->message : "its program ended before it was done");
	}
	return true;
}

enum tenon_code tn_wb_scripts_end(struct tn_wb_scripts *scripts, struct tenon_error *err)
{
	const struct tn_wb_config_options *options = scripts->options;
	struct tn_wb_said said;
	enum tenon_code code;
	bool answered;

	if (!scripts->inputs)
		return TENON_OK;
	code = is_answered(scripts->config, options, TN_WB_EVALUATED_MODULES, scripts->inputs,
			   &answered, err);
	if (code != TENON_OK)
		return code;
	if (!answered) {
		struct tn_buf *question = &options->want->question;

		want(options, TN_WB_EVALUATED_MODULES, scripts->inputs);
		tn_json_put_key(question, "modules");
		tn_json_begin_array(question);
		tn_buf_append_str(question, tn_buf_str(&scripts->question));
		tn_json_end_array(question);
		return TENON_OK;
	}
	scripts->config->scripts_serial = options->evaluated->parts[TN_WB_EVALUATED_MODULES].serial;
	code = tn_wb_evaluated_read(&scripts->config->arena, options->evaluated,
				    TN_WB_EVALUATED_MODULES, &said, err);
	if (code == TENON_OK && !take_modules(scripts->config, &said))
		code = tn_fail(err, TENON_NO_MEMORY, "out of memory");
	return code;
}
