#include "apps/terminal/analysis_parts.h"

#include "base/limits.h"
#include "base/mem.h"
#include "base/size.h"

enum { NAMES_MAX = 1024, WORK_MAX = 32 * 1024 * 1024 };

/* ---- memory and bounds ---- */

void *tn_analysis_alloc(struct tn_analyser *a, size_t count, size_t size)
{
	void *memory = a->starved ? NULL : tn_arena_alloc_array(a->arena, count ? count : 1, size);

	a->starved = a->starved || !memory;
	return memory;
}

void tn_analysis_opaque(struct tn_analyser *a, const char *because)
{
	if (!a->opaque)
		a->because = tn_str_from(because);
	a->opaque = true;
}

void tn_analysis_opaque_at(struct tn_analyser *a, const char *because, struct tn_str what)
{
	char *text;

	if (a->opaque)
		return;
	text = tn_arena_format(a->arena, "%s, near \"%.*s\"", because, (int)what.size, what.data);
	tn_analysis_opaque(a, text ? text : because);
}

void tn_analysis_spend(struct tn_analyser *a, size_t work)
{
	a->work += work;
	if (a->work <= WORK_MAX || a->spent)
		return;
	a->spent = a->too_much = true;
	tn_analysis_opaque(a, "it is more than can be looked at");
}

bool tn_analysis_enter(struct tn_analyser *a, size_t work)
{
	tn_analysis_spend(a, work);
	if (tn_analysis_stopped(a))
		return false;
	if (a->depth >= TN_ANALYSIS_DEPTH_MAX) {
		a->too_much = true;
		tn_analysis_opaque(a, "it is nested too deeply");
		return false;
	}
	a->depth++;
	return true;
}

void tn_analysis_leave(struct tn_analyser *a)
{
	a->depth--;
}

void tn_analysis_push_word(struct tn_analyser *a, struct tn_str text, unsigned flags)
{
	struct tn_words *words = &a->words;

	if (words->count == words->capacity) {
		size_t capacity = words->capacity ? 2 * words->capacity : 64;
		struct tn_word *items = tn_mem_resize(words->items, capacity * sizeof(*items));

		if (!items) {
			a->starved = true;
			return;
		}
		words->items = items;
		words->capacity = capacity;
	}
	words->items[words->count++] = (struct tn_word){text, flags};
}

/* ---- names ---- */

void tn_analysis_learn(struct tn_analyser *a, struct tn_shell_name **list, struct tn_str name,
		       struct tn_str value)
{
	struct tn_shell_name *known = tn_analysis_lookup(*list, name);

	if (known && !known->busy) {
		known->value = value;
		return;
	}
	if (a->name_count >= NAMES_MAX) {
		tn_analysis_opaque(a, "it sets more names than can be remembered");
		return;
	}
	known = tn_analysis_alloc(a, 1, sizeof(*known));
	if (!known)
		return;
	a->name_count++;
	*known = (struct tn_shell_name){.next = *list, .name = name, .value = value};
	*list = known;
}

struct tn_shell_name *tn_analysis_lookup(struct tn_shell_name *list, struct tn_str name)
{
	while (list && !tn_str_equal(list->name, name))
		list = list->next;
	return list;
}

/* ---- the door ---- */

static enum tn_dialect dialect_of(const char *shell)
{
	struct tn_str name = tn_base_name(tn_str_from(shell));

	if (tn_str_is(name, "fish"))
		return TN_DIALECT_FISH;
	if (tn_str_is(name, "sh") || tn_str_is(name, "dash") || tn_str_is(name, "ash"))
		return TN_DIALECT_SH;
	return TN_DIALECT_BASH;
}

static void begin(struct tn_analyser *a, struct tn_arena *arena,
		  const struct tn_analysis_surroundings *around, const struct tn_scope *scope)
{
	*a = (struct tn_analyser){.arena = arena, .around = around};
	a->cwd = tn_str_from(around->cwd);
	tn_buf_init(&a->letters, TN_ANALYSIS_ARENA_MAX);
	for (size_t i = 0; around->env && around->env[i]; i++) {
		struct tn_str text = tn_str_from(around->env[i]);
		size_t equals = tn_str_find_byte(text, '=');
		struct tn_word value = {.text = tn_str_from_offset(text, equals + 1)};

		if (equals != TN_STR_NONE)
			tn_run_variable(a, scope, tn_str(text.data, equals), value);
	}
	for (size_t i = 0; around->names && around->bodies && around->names[i]; i++)
		tn_analysis_learn(a, &a->aliases, tn_str_from(around->names[i]),
				  tn_str_from(around->bodies[i]));
}

static enum tenon_code end(struct tn_analyser *a, struct tn_analysis *ret, struct tenon_error *err)
{
	bool starved = a->starved || a->letters.failed;

	tn_mem_free(a->words.items);
	tn_buf_finish(&a->letters);
	if (starved)
		return tn_fail(err, TENON_NO_MEMORY,
			       "the command is too large to be looked at before it runs");
	*ret = (struct tn_analysis){
		.commands = a->commands,
		.count = a->count,
		.opaque = a->opaque,
		.opaque_because = a->because,
		.too_much = a->too_much,
		.incomplete = a->incomplete,
	};
	return TENON_OK;
}

enum tenon_code tn_analyse(struct tn_arena *arena, struct tn_str text,
			   const struct tn_analysis_surroundings *around, struct tn_analysis *ret,
			   struct tenon_error *err)
{
	struct tn_scope scope = {.dialect = dialect_of(around->shell)};
	struct tn_analyser a;

	begin(&a, arena, around, &scope);
	tn_analysis_text(&a, text, &scope);
	return end(&a, ret, err);
}

enum tenon_code tn_analyse_argv(struct tn_arena *arena, const char *const *argv,
				const struct tn_analysis_surroundings *around,
				struct tn_analysis *ret, struct tenon_error *err)
{
	struct tn_run run = {.count = 0};
	struct tn_word *words;
	struct tn_analyser a;
	size_t count = 0;

	while (argv[count])
		count++;
	begin(&a, arena, around, &run.scope);
	words = tn_analysis_alloc(&a, count, sizeof(*words));
	for (size_t i = 0; words && i < count; i++)
		words[i] = (struct tn_word){tn_str_from(argv[i]), TN_WORD_QUOTED};
	run.words = words;
	run.count = words ? count : 0;
	if (run.count) {
		run.source = tn_run_join(&a, &run, 0, count).text;
		tn_run_look(&a, &run);
	}
	return end(&a, ret, err);
}
