#include "apps/terminal/policy/internal.h"

#include "apps/terminal/limits.h"
#include "apps/terminal/policy/names.h"
#include "base/mem.h"
#include "base/size.h"

static enum tn_dialect dialect_of(const char *shell)
{
	struct tn_str name = tn_base_name(tn_str_from(shell));

	if (tn_str_is(name, "fish"))
		return TN_DIALECT_FISH;
	if (tn_str_is(name, "sh") || tn_str_is(name, "dash") || tn_str_is(name, "ash"))
		return TN_DIALECT_SH;
	return TN_DIALECT_BASH;
}

/* The oldest first: of several variables of a name the latest one counts. */
static void remember(struct tn_analyser *a, const struct tn_names *names)
{
	struct tn_shell_name **lists[] = {[TN_NAME_ALIAS] = &a->aliases,
					  [TN_NAME_FUNCTION] = &a->functions,
					  [TN_NAME_VARIABLE] = &a->variables,
					  [TN_NAME_PROGRAM] = &a->copies};
	struct tn_shell_name **ends[TN_COUNT(lists)];

	for (size_t i = 0; i < TN_COUNT(lists); i++)
		ends[i] = lists[i];
	for (const struct tn_name *at = names->first; at; at = at->next) {
		struct tn_shell_name *made = tn_analysis_alloc(a, 1, sizeof(*made));

		if (!made)
			return;
		*made = (struct tn_shell_name){.name = tn_str_from(at->name),
					       .value = at->value,
					       .is_known_before = true,
					       .from_start = at->from_start};
		*ends[at->kind] = made;
		ends[at->kind] = &made->next;
	}
	if (names->is_full)
		tn_analysis_hidden(a, "more names have got a meaning in this session than can be "
				      "remembered");
}

/* Shells find their start files by these: set for a call, they run those of another place. */
static bool moves_start_files(struct tn_str name)
{
	return tn_str_is(name, "HOME") || tn_str_is(name, "ZDOTDIR") ||
	       tn_str_is(name, "XDG_CONFIG_HOME") || tn_str_is(name, "XDG_CONFIG_DIRS") ||
	       tn_str_is(name, "XDG_DATA_DIRS");
}

static void begin(struct tn_analyser *a, struct tn_arena *arena,
		  const struct tn_analysis_surroundings *around, const struct tn_scope *scope)
{
	*a = (struct tn_analyser){.arena = arena, .around = around, .look = tn_run_look};
	a->cwd = tn_str_from(around->cwd);
	tn_buf_init(&a->letters, TN_ANALYSIS_ARENA_MAX);
	if (around->names)
		remember(a, around->names);
	for (size_t i = 0; around->env && around->env[i]; i++) {
		struct tn_str text = tn_str_from(around->env[i]);
		size_t equals = tn_str_find_byte(text, '=');
		struct tn_word value = {.text = tn_str_from_offset(text, equals + 1)};

		if (equals == TN_STR_NONE)
			continue;
		if (moves_start_files(tn_str(text.data, equals)))
			tn_analysis_hidden(a, "a variable has shells read start files of "
					      "another place");
		tn_run_variable(a, scope, tn_str(text.data, equals), value);
	}
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
		.hidden = a->hidden,
		.hidden_because = a->hidden_because,
		.opaque = a->opaque,
		.opaque_because = a->opaque_because,
		.incomplete = a->incomplete,
		.aliases = a->aliases,
		.functions = a->functions,
		.variables = a->variables,
		.programs = a->copies,
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
