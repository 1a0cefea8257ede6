#include "apps/workbench/workspace/stay.h"

#include <stdio.h>

#include "apps/workbench/limits.h"
#include "apps/workbench/workspace/claiming.h"
#include "base/clock.h"
#include "base/mem.h"
#include "jsonrpc/json_write.h"

enum { SECOND_MS = 1000 };

/* What is wrong of one of its modules, or of one producer of it. */
struct word {
	struct word *next;
	char *module, *producer; /* "": the module's own */
	struct tn_wb_diagnostics list;
};

struct tn_wb_stay {
	struct tn_wb_workspace *workspace;
	struct tn_wb_process *process; /* NULL: it has ended */
	uint64_t serial;               /* of its asking */
	bool is_heard;
	struct tn_arena arena;
	const struct tn_json *modules; /* the ids of those that stay */
	struct word *words;
	struct tn_wb_diagnostic end; /* without a code: it runs */
	char *end_message;
	struct tn_timer *pause; /* while it runs it is not heard: it has said enough */
	uint64_t second_ms;     /* when that began ... */
	unsigned patches;       /* ... and what it has said since */
	unsigned waiting;       /* patches that are done aside */
	struct tn_buf loaded;
};

/* ---- what is said of it ---- */

static void free_word(struct word *word)
{
	tn_wb_diagnostics_finish(&word->list);
	tn_mem_free(word->module);
	tn_mem_free(word->producer);
	tn_mem_free(word);
}

static struct word **find_word(struct tn_wb_stay *stay, const char *module, const char *producer)
{
	struct word **at = &stay->words;

	while (*at &&
	       (strcmp((*at)->module, module) != 0 || strcmp((*at)->producer, producer) != 0))
		at = &(*at)->next;
	return at;
}

/* NULL: out of memory. */
static struct word *need_word(struct tn_wb_stay *stay, const char *module, const char *producer)
{
	struct word **at = find_word(stay, module, producer), *word = *at;

	if (word)
		return word;
	word = tn_mem_alloc(sizeof(*word));
	if (!word)
		return NULL;
	tn_wb_diagnostics_init(&word->list);
	word->module = tn_mem_copy_text(module, strlen(module));
	word->producer = tn_mem_copy_text(producer, strlen(producer));
	if (word->module && word->producer) {
		*at = word;
		return word;
	}
	free_word(word);
	return NULL;
}

static bool stays(const struct tn_wb_stay *stay, const char *module)
{
	const struct tn_json *at = stay->modules ? stay->modules->first : NULL;

	while (at && !(tn_json_is(at, TN_JSON_STRING) && tn_str_is(at->text, module)))
		at = at->next;
	return at != NULL;
}

void tn_wb_stay_tell(const struct tn_wb_workspace *workspace, struct tn_wb_config *config)
{
	const struct tn_wb_stay *stay = workspace->stay;

	for (size_t i = 0; i < config->module_count; i++) {
		struct tn_wb_config_module *module = &config->modules[i];

		tn_wb_diagnostics_finish(&module->later);
		if (!stay || !module->is_script || config->scripts_serial != stay->serial)
			continue;
		for (const struct word *at = stay->words; at; at = at->next)
			if (strcmp(at->module, module->id) == 0)
				tn_wb_diagnostics_add(&module->later, &at->list);
		if (stay->end.code && stays(stay, module->id))
			tn_wb_diagnose(&module->later, &stay->end);
	}
}

static void tell(const struct tn_wb_stay *stay)
{
	if (!stay->is_heard)
		return; /* it is told with what it has said */
	tn_wb_stay_tell(stay->workspace, stay->workspace->config);
	tn_wb_workspace_tell(stay->workspace, TN_WB_CHANGED_CONFIG);
}

/* Only the last words on a producer count. */
static void refuse(struct tn_wb_stay *stay, const char *module, const char *producer,
		   struct tn_wb_diagnostics *list)
{
	struct word *word = need_word(stay, module, producer);

	if (!word || tn_wb_diagnostics_equal(&word->list, list))
		return;
	tn_wb_diagnostics_finish(&word->list);
	tn_wb_diagnostics_add(&word->list, list);
	tell(stay);
}

static void forgive(struct tn_wb_stay *stay, const char *module, const char *producer)
{
	struct word **at = find_word(stay, module, producer), *word = *at;

	if (!word)
		return;
	*at = word->next;
	free_word(word);
	tell(stay);
}

/* ---- patches ---- */

static struct tn_str text_of(const struct tn_json *line, const char *name)
{
	struct tn_str text = {"", 0};

	(void)tn_json_to_str(tn_json_get(line, name), &text);
	return text;
}

struct sender {
	const struct tn_wb_config_module *module;
	char name[TN_WB_PRODUCER_NAME_SIZE]; /* in the graph */
	uint32_t rank;
};

static bool is_sent_by(const struct tn_wb_config_module *module, const struct tn_json *line,
		       size_t producer)
{
	struct tn_str of = text_of(line, "moduleId");

	return (!of.size || tn_str_is(of, module->id)) &&
	       tn_str_is(text_of(line, "producerId"), module->producers[producer].id);
}

static bool find_sender(const struct tn_wb_config *config, const struct tn_json *line,
			struct sender *ret)
{
	for (size_t i = 0; i < config->module_count; i++) {
		const struct tn_wb_config_module *module = &config->modules[i];

		for (size_t k = 0; module->is_script && k < module->producer_count; k++) {
			if (!is_sent_by(module, line, k))
				continue;
			ret->module = module;
			ret->rank = TN_WB_RANK_MODULE + (uint32_t)i;
			tn_wb_claims_name(module, &module->producers[k], ret->name);
			return true;
		}
	}
	return false;
}

static bool has_room(const struct tn_wb_graph *graph, const struct sender *sender,
		     const struct tn_json *patch, struct tn_wb_diagnostics *diagnostics)
{
	const struct tn_wb_diagnostic of = {.severity = TN_WB_ERROR, .code = "limit_exceeded"};
	const struct tn_json *ops = tn_json_get(patch, "ops");
	size_t more = 0;

	if (tn_json_is(ops, TN_JSON_ARRAY))
		for (const struct tn_json *at = ops->first; at; at = at->next)
			more += tn_str_starts(text_of(at, "op"), TN_STR("upsert"));
	if (tn_wb_graph_claims_of(graph, sender->name) + more <= TN_WB_STAY_CLAIMS_MAX)
		return true;
	tn_wb_diagnose_format(diagnostics, &of,
			      "the update of producer %s is refused as a whole: one that sends "
			      "patches claims at most %d nodes and edges; claim fewer",
			      sender->name, TN_WB_STAY_CLAIMS_MAX);
	return false;
}

/* A patch on its way into the graph, by the queue of all that is claimed. */
struct patching {
	struct tn_wb_claiming claiming; /* first */
	struct tn_wb_workspace *workspace;
	uint64_t serial; /* of the program that has sent it */
	char *module;
	bool waits;
};

static void hold_or_hear(struct tn_wb_stay *stay)
{
	if (stay->process)
		tn_wb_process_hold(stay->process,
				   stay->waiting > 0 || stay->patches >= TN_WB_PATCH_RATE);
}

static void free_patching(struct patching *patching)
{
	tn_wb_claiming_finish(&patching->claiming);
	tn_mem_free(patching->module);
	tn_mem_free(patching);
}

static void describe_nothing(struct tn_wb_claiming *claiming)
{
	(void)claiming;
}

static void patched(struct tn_wb_claiming *claiming)
{
	struct patching *patching = (struct patching *)claiming;
	struct tn_wb_stay *stay =
		claiming->code == TENON_CANCELLED ? NULL : patching->workspace->stay;

	if (stay && stay->serial == patching->serial) {
		if (claiming->code != TENON_OK)
			tn_wb_diagnose(
				&claiming->diagnostics,
				&(struct tn_wb_diagnostic){.severity = TN_WB_ERROR,
							   .code = "not_read",
							   .message = claiming->err.message});
		if (claiming->code == TENON_OK && claiming->update.accepted)
			forgive(stay, patching->module, claiming->producer);
		else
			refuse(stay, patching->module, claiming->producer, &claiming->diagnostics);
		if (patching->waits) {
			stay->waiting--;
			hold_or_hear(stay);
		}
	}
	free_patching(patching);
}

static struct patching *begin_patching(struct tn_wb_stay *stay, const struct sender *sender)
{
	struct patching *patching = tn_mem_alloc(sizeof(*patching));

	if (!patching)
		return NULL;
	*patching = (struct patching){.workspace = stay->workspace, .serial = stay->serial};
	tn_wb_claiming_init(&patching->claiming);
	patching->claiming.kind = TN_WB_CLAIM_PATCH;
	patching->claiming.describe = describe_nothing;
	patching->claiming.done = patched;
	(void)snprintf(patching->claiming.producer, sizeof(patching->claiming.producer), "%s",
		       sender->name);
	patching->module = tn_mem_copy_text(sender->module->id, strlen(sender->module->id));
	if (patching->module)
		return patching;
	free_patching(patching);
	return NULL;
}

/* What is long is done aside; its sender is not heard meanwhile. */
static void wait_for(struct tn_wb_stay *stay, struct patching *patching,
		     const struct tn_json *patch)
{
	struct tn_wb_claiming *claiming = &patching->claiming;

	tn_json_put_value(&claiming->text, patch);
	patching->waits = true;
	stay->waiting++;
	hold_or_hear(stay);
	if (!claiming->text.failed && tn_wb_claiming_add(stay->workspace, claiming))
		return;
	claiming->code = tn_fail(&claiming->err, TENON_NO_MEMORY, "too much waits already");
	patched(claiming);
}

static void apply(struct tn_wb_stay *stay, const struct sender *sender, const struct tn_json *patch)
{
	struct tn_wb_diagnostics diagnostics;
	struct patching *patching;

	tn_wb_diagnostics_init(&diagnostics);
	if (!has_room(stay->workspace->graph, sender, patch, &diagnostics)) {
		refuse(stay, sender->module->id, sender->name, &diagnostics);
	} else {
		patching = begin_patching(stay, sender);
		if (patching) {
			patching->claiming.document = patch;
			if (!tn_wb_claiming_try(stay->workspace, &patching->claiming))
				wait_for(stay, patching, patch);
		}
	}
	tn_wb_diagnostics_finish(&diagnostics);
}

static void heard(struct tn_timer *timer, void *data)
{
	struct tn_wb_stay *stay = data;

	(void)timer;
	stay->patches = 0;
	hold_or_hear(stay);
}

/* Whoever says more than so many in a second waits until it is over. */
static void count_patch(struct tn_wb_stay *stay)
{
	uint64_t now = tn_clock_now_us(&tn_clock_system) / 1000;

	if (now - stay->second_ms >= SECOND_MS) {
		stay->second_ms = now;
		stay->patches = 0;
	}
	if (++stay->patches < TN_WB_PATCH_RATE || !stay->process)
		return;
	hold_or_hear(stay);
	tn_timer_start(stay->pause, stay->second_ms + SECOND_MS - now);
}

static void take_patch(struct tn_wb_stay *stay, const struct tn_json *line)
{
	struct sender sender;

	count_patch(stay);
	if (find_sender(stay->workspace->config, line, &sender))
		apply(stay, &sender, tn_json_get(line, "patch"));
}

/* ---- its other lines ---- */

static void take_diagnostic(struct tn_wb_stay *stay, const struct tn_json *line)
{
	struct tn_str module = text_of(line, "moduleId");
	bool is_error = tn_str_is(text_of(line, "severity"), "error");
	const struct tn_wb_diagnostic of = {.severity = is_error ? TN_WB_ERROR : TN_WB_WARNING,
					    .code = text_of(line, "code").data,
					    .message = text_of(line, "message").data};
	struct word *word;

	if (!stays(stay, module.data) || !*of.code)
		return;
	count_patch(stay);
	word = need_word(stay, module.data, "");
	if (!word)
		return;
	if (word->list.count >= TN_WB_STAY_WORDS_MAX)
		tn_wb_diagnostics_finish(&word->list);
	tn_wb_diagnose(&word->list, &of);
	tell(stay);
}

/* It goes on to be made of more. */
static void take_loaded(struct tn_wb_stay *stay, struct tn_str text)
{
	if (stay->loaded.size + text.size + 1 > TN_WB_LOADED_BYTES_MAX)
		return;
	tn_buf_append_str(&stay->loaded, text);
	tn_buf_append_byte(&stay->loaded, '\n');
	stay->workspace->look_again(stay->workspace);
}

void tn_wb_stay_loaded(struct tn_wb_workspace *workspace, struct tn_buf *out)
{
	struct tn_buf *loaded = workspace->stay ? &workspace->stay->loaded : NULL;

	if (!loaded || out->size + loaded->size > TN_WB_LOADED_BYTES_MAX)
		return;
	tn_buf_append_str(out, tn_buf_str(loaded));
	tn_buf_clear(loaded);
}

static void put_end(struct tn_wb_stay *stay, struct tn_str why)
{
	struct tn_buf words;

	tn_buf_init(&words, TN_WB_TEXT_BYTES_MAX);
	tn_buf_append_text(&words, "its program does not run any more (");
	tn_buf_append_str(&words, why);
	tn_buf_append_text(&words, "): what its producers claim stays as it was, until a file that "
				   "it is made of changes");
	tn_mem_free(stay->end_message);
	stay->end_message = tn_mem_copy_text(words.data, words.size);
	stay->end = (struct tn_wb_diagnostic){
		.severity = TN_WB_ERROR,
		.code = "producer_ended",
		.message = stay->end_message ? stay->end_message : "its program has ended"};
	tn_buf_finish(&words);
}

static void take_line(void *data, struct tn_str text, bool is_stderr)
{
	struct tn_wb_stay *stay = data;
	struct tn_json *line = NULL;
	struct tn_arena arena;
	struct tenon_error err;
	struct tn_str type;

	if (is_stderr || !text.size || text.data[0] != '{')
		return;
	tn_arena_init(&arena, TN_WB_PATCH_ARENA_MAX);
	if (tn_json_parse_copy(&arena, text, &line, &err) == TENON_OK) {
		type = text_of(line, "type");
		if (tn_str_is(type, "graph-patch"))
			take_patch(stay, line);
		else if (tn_str_is(type, "diagnostic"))
			take_diagnostic(stay, line);
		else if (tn_str_is(type, "loaded"))
			take_loaded(stay, text);
		else if (tn_str_is(type, "error"))
			put_end(stay, text_of(line, "message"));
	}
	tn_arena_finish(&arena);
}

static void ended(void *data, struct tn_child_end end)
{
	struct tn_wb_stay *stay = data;
	struct tn_buf words;

	tn_wb_process_free(stay->process);
	stay->process = NULL;
	if (!stay->end.code) {
		tn_buf_init(&words, TN_WB_TEXT_BYTES_MAX);
		tn_wb_process_put_end(&words, end);
		put_end(stay, tn_buf_str(&words));
		tn_buf_finish(&words);
	}
	tell(stay);
}

/* ---- its life ---- */

static struct tn_wb_stay *create(struct tn_wb_workspace *workspace, uint64_t serial,
				 struct tn_str done)
{
	struct tn_wb_stay *stay = tn_mem_alloc(sizeof(*stay));
	struct tn_json *line = NULL;
	struct tenon_error err;

	if (!stay)
		return NULL;
	stay->workspace = workspace;
	stay->serial = serial;
	tn_buf_init(&stay->loaded, TN_WB_LOADED_BYTES_MAX);
	tn_arena_init(&stay->arena, TN_MIB);
	workspace->stay = stay;
	if (tn_timer_open(workspace->set->loop, heard, stay, &stay->pause, &err) != TENON_OK ||
	    tn_json_parse_copy(&stay->arena, done, &line, &err) != TENON_OK) {
		tn_wb_stay_end(workspace);
		return NULL;
	}
	stay->modules = tn_json_get(line, "stays");
	if (!tn_json_is(stay->modules, TN_JSON_ARRAY))
		stay->modules = NULL;
	return stay;
}

void tn_wb_stay_begin(struct tn_wb_workspace *workspace, struct tn_wb_process *process,
		      uint64_t serial, struct tn_str done)
{
	struct tn_wb_stay *stay;

	tn_wb_stay_end(workspace);
	stay = create(workspace, serial, done);
	if (!stay) {
		tn_wb_process_free(process); /* without memory there are no patches */
		return;
	}
	stay->process = process;
	tn_wb_process_follow(process, take_line, ended, stay);
	tn_wb_process_bound(process, TN_WB_PATCH_LINE_MAX, TN_WB_STAY_BYTES_RATE);
	tn_wb_process_hold(process, true);
}

void tn_wb_stay_end(struct tn_wb_workspace *workspace)
{
	struct tn_wb_stay *stay = workspace->stay;

	if (!stay)
		return;
	workspace->stay = NULL;
	tn_wb_process_free(stay->process);
	tn_timer_close(stay->pause);
	while (stay->words) {
		struct word *word = stay->words;

		stay->words = word->next;
		free_word(word);
	}
	tn_mem_free(stay->end_message);
	tn_buf_finish(&stay->loaded);
	tn_arena_finish(&stay->arena);
	tn_mem_free(stay);
}

void tn_wb_stay_taken(struct tn_wb_workspace *workspace)
{
	struct tn_wb_stay *stay = workspace->stay;

	if (!stay)
		return;
	if (workspace->config->scripts_serial != stay->serial) {
		tn_wb_stay_end(workspace);
	} else if (!stay->is_heard) {
		stay->is_heard = true;
		if (stay->process)
			tn_wb_process_hold(stay->process, false);
	}
}
