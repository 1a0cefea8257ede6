#include "apps/workbench/workspace/evaluate.h"

#include "apps/workbench/launch/env.h"
#include "apps/workbench/launch/process.h"
#include "apps/workbench/limits.h"
#include "apps/workbench/workspace/stay.h"
#include "base/mem.h"
#include "jsonrpc/json_write.h"

/* What its code may have on its heap; beyond that Node ends. */
#define MEMORY "--max-old-space-size=512"

struct tn_wb_evaluation {
	struct tn_wb_workspace *workspace;
	struct tn_wb_process *process;
	struct tn_timer *limit;
	enum tn_wb_evaluated_part part;
	uint64_t inputs;
	struct tn_buf said, loaded;
	/* A folder of our program, where one had to be made; "": none. */
	char made[TN_WB_SCRATCH_SIZE];
	void (*over)(struct tn_wb_workspace *workspace);
};

static void free_evaluation(struct tn_wb_evaluation *evaluation)
{
	tn_wb_process_free(evaluation->process);
	tn_wb_scratch_remove(evaluation->made);
	tn_timer_close(evaluation->limit);
	tn_buf_finish(&evaluation->said);
	tn_buf_finish(&evaluation->loaded);
	tn_mem_free(evaluation);
}

void tn_wb_evaluate_cancel(struct tn_wb_workspace *workspace)
{
	if (workspace->evaluation)
		free_evaluation(workspace->evaluation);
	workspace->evaluation = NULL;
}

static void exchange(struct tn_buf *kept, struct tn_buf *said)
{
	struct tn_buf before = *kept;

	*kept = *said;
	*said = before;
}

static void keep(struct tn_wb_workspace *workspace, enum tn_wb_evaluated_part part, uint64_t inputs,
		 struct tn_buf *said, struct tn_buf *loaded)
{
	workspace->evaluated.parts[part].inputs = inputs;
	workspace->evaluated.parts[part].serial = ++workspace->askings;
	workspace->evaluated.parts[part].tries++;
	exchange(&workspace->evaluated.parts[part].said, said);
	exchange(&workspace->evaluated.parts[part].loaded, loaded);
}

static void fail(struct tn_wb_workspace *workspace, enum tn_wb_evaluated_part part, uint64_t inputs,
		 struct tn_buf *loaded, const char *code, const char *message)
{
	struct tn_buf said;

	tn_buf_init(&said, TN_WB_TEXT_BYTES_MAX);
	tn_wb_evaluated_put_error(&said, code, message);
	keep(workspace, part, inputs, &said, loaded);
	tn_buf_finish(&said);
}

/* Nothing was asked. */
static void fail_early(struct tn_wb_workspace *workspace, const struct tn_wb_want *want,
		       const char *code, const char *message)
{
	struct tn_buf none;

	tn_buf_init(&none, TN_WB_LOADED_BYTES_MAX);
	fail(workspace, want->part, want->inputs, &none, code, message);
	tn_buf_finish(&none);
}

/* ---- what it says ---- */

static void finish(struct tn_wb_evaluation *evaluation, const char *code, const char *message)
{
	struct tn_wb_workspace *workspace = evaluation->workspace;

	workspace->evaluation = NULL;
	/* Modules that were done count. */
	if (code && evaluation->part == TN_WB_EVALUATED_MODULES && !evaluation->said.failed) {
		tn_wb_evaluated_put_error(&evaluation->said, code, message);
		code = evaluation->said.failed ? code : NULL;
	}
	if (code)
		fail(workspace, evaluation->part, evaluation->inputs, &evaluation->loaded, code,
		     message);
	else
		keep(workspace, evaluation->part, evaluation->inputs, &evaluation->said,
		     &evaluation->loaded);
	evaluation->over(workspace);
	free_evaluation(evaluation);
}

static void take_loaded(struct tn_wb_evaluation *evaluation, struct tn_str line)
{
	if (evaluation->loaded.size + line.size + 1 > TN_WB_LOADED_BYTES_MAX)
		return;
	tn_buf_append_str(&evaluation->loaded, line);
	tn_buf_append_byte(&evaluation->loaded, '\n');
}

/* It goes on, and is not ours any more. */
static void leave(struct tn_wb_evaluation *evaluation, struct tn_str done)
{
	struct tn_wb_process *process = evaluation->process;

	if (evaluation->part != TN_WB_EVALUATED_MODULES)
		return;
	evaluation->process = NULL;
	tn_wb_stay_begin(evaluation->workspace, process, evaluation->workspace->askings + 1, done);
}

static void take_line(void *data, struct tn_str line, bool is_stderr)
{
	static const struct tn_str loaded = TN_STR("{\"type\":\"loaded\",");
	static const struct tn_str stays = TN_STR("{\"type\":\"done\",\"stays\":");
	struct tn_wb_evaluation *evaluation = data;

	if (is_stderr || !line.size || line.data[0] != '{')
		return;
	if (tn_str_starts(line, loaded)) {
		take_loaded(evaluation, line);
		return;
	}
	if (tn_str_is(line, "{\"type\":\"done\"}") || tn_str_starts(line, stays)) {
		if (tn_str_starts(line, stays))
			leave(evaluation, line);
		finish(evaluation, NULL, NULL);
		return;
	}
	tn_buf_append_str(&evaluation->said, line);
	tn_buf_append_byte(&evaluation->said, '\n');
	if (evaluation->said.failed)
		finish(evaluation, "VALIDATION_ERROR", "its programs say more than 64 MiB");
}

static void ended(void *data, struct tn_child_end end)
{
	static const char error[] = "{\"type\":\"error\"";
	struct tn_wb_evaluation *evaluation = data;
	struct tn_str said = tn_buf_str(&evaluation->said);
	struct tn_buf words;

	/* It has said itself why. */
	if (tn_str_find(said, tn_str_from(error)) != TN_STR_NONE) {
		finish(evaluation, NULL, NULL);
		return;
	}
	tn_buf_init(&words, TN_WB_TEXT_BYTES_MAX);
	tn_buf_append_text(&words, "its program ended with ");
	tn_wb_process_put_end(&words, end);
	tn_buf_append_text(&words, " before it was done");
	tn_buf_append_byte(&words, '\0');
	finish(evaluation, "UNKNOWN_ERROR", words.data);
	tn_buf_finish(&words);
}

static void too_late(struct tn_timer *timer, void *data)
{
	(void)timer;
	finish(data, "TIMEOUT", "its program was not done within 10 s, and was ended");
}

/* ---- the start ---- */

static enum tenon_code start(struct tn_wb_evaluation *evaluation, const struct tn_wb_load *load,
			     struct tenon_error *err)
{
	const struct tn_json *const none[TN_WB_ENV_PARTS] = {NULL};
	const char *command[] = {load->prepare.node, MEMORY, load->prepare.paths[0], NULL};
	struct tn_wb_process_options options = {.loop = evaluation->workspace->set->loop,
						.command = command,
						.directory = load->prepare.directory,
						.line_max = TN_WB_SAID_BYTES_MAX,
						.line = take_line,
						.ended = ended,
						.data = evaluation};
	enum tenon_code code;
	struct tn_arena arena;

	tn_arena_init(&arena, TN_MIB);
	options.env = tn_wb_env(&arena, none, 0);
	code = options.env ? tn_wb_process_start(&options, &evaluation->process, err)
			   : tn_fail(err, TENON_NO_MEMORY, "out of memory");
	tn_arena_finish(&arena);
	return code;
}

static enum tenon_code ask(struct tn_wb_evaluation *evaluation, const struct tn_wb_load *load,
			   struct tenon_error *err)
{
	enum tenon_code code = tn_timer_open(evaluation->workspace->set->loop, too_late, evaluation,
					     &evaluation->limit, err);
	struct tn_buf line;

	if (code == TENON_OK)
		code = start(evaluation, load, err);
	if (code != TENON_OK)
		return code;
	tn_timer_start(evaluation->limit, TN_WB_EVALUATE_MS);
	tn_buf_init(&line, TN_WB_INPUT_BYTES_MAX);
	tn_json_begin_object(&line);
	tn_json_put_member_text(&line, "workspaceRoot", load->root);
	tn_buf_append_byte(&line, ',');
	tn_buf_append_str(&line, tn_buf_str(&load->want.question));
	tn_json_end_object(&line);
	if (line.failed || load->want.question.failed ||
	    !tn_wb_process_send(evaluation->process, tn_buf_str(&line)))
		code = tn_fail(err, TENON_NO_MEMORY, "out of memory");
	tn_buf_finish(&line);
	return code;
}

static struct tn_wb_evaluation *create(struct tn_wb_workspace *workspace,
				       const struct tn_wb_want *want,
				       void (*over)(struct tn_wb_workspace *workspace))
{
	struct tn_wb_evaluation *evaluation = tn_mem_alloc(sizeof(*evaluation));

	if (!evaluation)
		return NULL;
	evaluation->workspace = workspace;
	evaluation->part = want->part;
	evaluation->inputs = want->inputs;
	evaluation->over = over;
	tn_buf_init(&evaluation->said, TN_WB_SAID_BYTES_MAX);
	tn_buf_init(&evaluation->loaded, TN_WB_LOADED_BYTES_MAX);
	return evaluation;
}

void tn_wb_evaluate(struct tn_wb_workspace *workspace, struct tn_wb_load *load,
		    void (*over)(struct tn_wb_workspace *workspace))
{
	struct tn_wb_evaluation *evaluation = NULL;
	struct tenon_error err = {.message = "out of memory"};
	const struct tn_wb_want *want = &load->want;

	if (want->part == TN_WB_EVALUATED_MODULES)
		tn_wb_stay_end(workspace);
	if (workspace->trusted && load->prepare_code) {
		const char *code = strcmp(load->prepare_code, "NODE_MISSING") == 0
					   ? load->prepare_code
					   : "UNKNOWN_ERROR";

		fail_early(workspace, want, code, load->err.message);
	} else if (workspace->trusted) {
		evaluation = create(workspace, want, over);
		if (evaluation && ask(evaluation, load, &err) == TENON_OK) {
			memcpy(evaluation->made, load->prepare.made, sizeof(evaluation->made));
			load->prepare.made[0] = '\0';
			workspace->evaluation = evaluation;
			return;
		}
		fail_early(workspace, want, "UNKNOWN_ERROR", err.message);
	}
	if (evaluation)
		free_evaluation(evaluation);
	over(workspace);
}
