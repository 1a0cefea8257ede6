#include "apps/terminal/policy/internal.h"

#include "apps/terminal/limits.h"
#include "base/size.h"

/* ---- noting ---- */

/* A pattern is compared with what rules say of names, and with each other pattern. */
enum {
	COMMAND_COST = 160,
	WORD_COST = 16,
	GLOB_COST = 96,
	GLOB_BYTE_COST = 6,
	PATH_COST = 24,
	GLOB_NAME_COST = 640
};

static size_t cost_of_word(const struct tn_word *word)
{
	size_t cost = WORD_COST;

	if (word->flags & TN_WORD_GLOB)
		cost += GLOB_COST + GLOB_BYTE_COST * word->text.size;
	/* What stands behind one of these may be a path. */
	for (size_t i = 0; i < word->text.size; i++) {
		char c = word->text.data[i];

		cost += c == '@' || c == ':' || c == '=' ? PATH_COST : 0;
	}
	return cost;
}

static size_t cost_of(const struct tn_run *run)
{
	size_t cost = COMMAND_COST + WORD_COST * run->write_count;

	if (run->count && (run->words[0].flags & TN_WORD_GLOB))
		cost += GLOB_NAME_COST;
	for (size_t i = 0; i < run->count; i++)
		cost += cost_of_word(&run->words[i]);
	return cost;
}

static bool make_room(struct tn_analyser *a)
{
	size_t capacity = a->capacity ? 2 * a->capacity : 8;
	struct tn_simple_command *more;

	if (a->count >= TN_ANALYSIS_COMMANDS_MAX) {
		tn_analysis_hidden(a, "it has more commands than can be looked at");
		a->spent = true;
		return false;
	}
	if (a->count < a->capacity)
		return true;
	more = tn_analysis_alloc(a, capacity, sizeof(*more));
	if (!more)
		return false;
	if (a->count)
		memcpy(more, a->commands, a->count * sizeof(*more));
	a->commands = more;
	a->capacity = capacity;
	return true;
}

static void note_words(struct tn_analyser *a, struct tn_simple_command *c, const struct tn_run *run)
{
	size_t given = run->count ? run->count - 1 : 0, count = given + run->scope.more_words;

	if (!count)
		return;
	c->words = tn_analysis_alloc(a, count, sizeof(*c->words));
	c->word_is_known = tn_analysis_alloc(a, count, sizeof(*c->word_is_known));
	c->word_is_glob = tn_analysis_alloc(a, count, sizeof(*c->word_is_glob));
	c->word_is_secret = tn_analysis_alloc(a, count, sizeof(*c->word_is_secret));
	if (a->starved)
		return;
	for (size_t i = 0; i < given; i++) {
		const struct tn_word *word = &run->words[i + 1];

		c->words[i] = word->text;
		c->word_is_known[i] = !(word->flags & TN_WORD_UNKNOWN);
		c->word_is_glob[i] = word->flags & TN_WORD_GLOB;
		c->word_is_secret[i] = word->flags & TN_WORD_SECRET;
	}
	for (size_t i = given; i < count; i++)
		c->words[i] = tn_str("", 0);
	c->word_count = count;
}

static void note_writes(struct tn_analyser *a, struct tn_simple_command *c,
			const struct tn_run *run)
{
	size_t base = a->words.count, more;

	if (run->count)
		tn_files_written(a, c->name, run);
	more = a->words.count - base;
	c->writes = tn_analysis_alloc(a, run->write_count + more, sizeof(*c->writes));
	for (size_t i = 0; c->writes && i < run->write_count; i++)
		c->writes[c->write_count++] = run->writes[i];
	for (size_t i = 0; c->writes && i < more; i++)
		c->writes[c->write_count++] = a->words.items[base + i].text;
	a->words.count = base;
}

static bool note(struct tn_analyser *a, struct tn_run *run)
{
	struct tn_simple_command *c;

	tn_analysis_spend(a, cost_of(run));
	if (tn_analysis_stopped(a) || !make_room(a))
		return false;
	run->index = a->count;
	c = &a->commands[a->count++];
	*c = (struct tn_simple_command){
		.reads = run->reads,
		.read_count = run->read_count,
		.source = run->source,
		.cwd = a->cwd,
		.fed_from = run->scope.fed_from,
		.privileged = run->scope.privileged,
		.reads_pipe = run->scope.reads_pipe,
		.input_is_secret = run->input_flags & TN_WORD_SECRET,
		.wrapper = run->scope.wrapper,
	};
	if (run->count) {
		c->path = run->words[0].text;
		c->name_is_glob = run->words[0].flags & TN_WORD_GLOB;
	}
	/* zsh: =rm is the path of rm. */
	if (c->path.size > 1 && c->path.data[0] == '=')
		c->path = tn_str_from_offset(c->path, 1);
	c->name = tn_base_name(c->path);
	note_words(a, c, run);
	note_writes(a, c, run);
	return !a->starved;
}

void tn_run_unknown(struct tn_analyser *a, const struct tn_run *run, const char *because)
{
	if (run->index < a->count)
		a->commands[run->index].runs_unknown = true;
	tn_analysis_opaque(a, because);
}

void tn_run_hidden(struct tn_analyser *a, const struct tn_run *run, const char *because)
{
	if (run->index < a->count)
		a->commands[run->index].runs_unknown = true;
	tn_analysis_hidden(a, because);
}

/* ---- names that stand for others ---- */

/* `alias g='git '`: its blank has the next word be an alias, too. */
static void look_behind_alias(struct tn_analyser *a, const struct tn_run *run,
			      struct tn_shell_name *known)
{
	struct tn_str text = known->value;
	size_t next = 1;

	while (next < run->count && text.size && strchr(" \t", text.data[text.size - 1])) {
		const struct tn_shell_name *more =
			tn_analysis_lookup(a->aliases, run->words[next].text);
		char *joined;

		if (!more || !more->value.data || more->busy)
			break;
		joined = tn_arena_format(a->arena, "%.*s%.*s", (int)text.size, text.data,
					 (int)more->value.size, more->value.data);
		if (!joined)
			break;
		text = tn_str_from(joined);
		tn_analysis_spend(a, text.size);
		next++;
	}
	tn_run_text_with(a, run, text, next);
}

/* $1, "$@", ${2}: what it does hangs on its words. */
static bool uses_arguments(struct tn_str body)
{
	for (size_t at = 0; at + 1 < body.size; at++) {
		size_t next = at + 1 + (body.data[at + 1] == '{');

		if (body.data[at] == '$' && next < body.size &&
		    (tn_is_digit(body.data[next]) || body.data[next] == '@' ||
		     body.data[next] == '*'))
			return true;
	}
	return tn_str_find(body, TN_STR("argv")) != TN_STR_NONE; /* fish */
}

static void look_behind_function(struct tn_analyser *a, const struct tn_run *run,
				 const struct tn_shell_name *known)
{
	struct tn_shell_name *variables = a->variables;
	unsigned in_function = a->in_function;

	/* It was looked at where it was defined. */
	if (!known->is_known_before && (run->count < 2 || !uses_arguments(known->value)))
		return;
	if (known->from_start && known->value.size > TN_TERM_NAME_START_BYTES_MAX) {
		tn_run_unknown(a, run, "a function of a start file is longer than is read here");
		return;
	}
	tn_shell_arguments(a, run, 0, false);
	if (run->scope.dialect == TN_DIALECT_FISH && run->count > 1)
		tn_analysis_shadow(a, &a->variables, TN_STR("argv"),
				   tn_run_join(a, run, 1, run->count).text);
	a->in_function = 0;
	tn_run_text_str(a, run, known->value);
	a->in_function = in_function;
	a->variables = variables;
}

/* All that a name was given to mean, one after the other: which one holds is not known. */
static void look_behind_names(struct tn_analyser *a, const struct tn_run *run,
			      struct tn_shell_name *list, bool is_function)
{
	struct tn_shell_name *known = tn_analysis_lookup(list, run->words[0].text);

	for (; known; known = tn_analysis_lookup(known->next, run->words[0].text)) {
		if (known->busy)
			continue;
		known->busy = true;
		if (!known->value.data && known->from_start)
			tn_run_unknown(a, run, "what a start file has this name mean is not known");
		else if (!known->value.data)
			tn_run_hidden(a, run, "what this session has the name mean is not known");
		else if (is_function)
			look_behind_function(a, run, known);
		else
			look_behind_alias(a, run, known);
		known->busy = false;
	}
}

static void look_behind_name(struct tn_analyser *a, const struct tn_run *run)
{
	if (!(run->words[0].flags & TN_WORD_QUOTED)) /* \ls is no alias */
		look_behind_names(a, run, a->aliases, false);
	look_behind_names(a, run, a->functions, true);
}

/* ---- where it runs ---- */

static bool is_absolute(struct tn_str path)
{
	return path.size && (path.data[0] == '/' || path.data[0] == '~');
}

/* What `cd` is told to go to. */
static struct tn_word cd_operand(const struct tn_run *run)
{
	static const struct tn_word home = {.text = {"~", 1}};
	size_t at = 1;

	while (at + 1 < run->count && run->words[at].text.size > 1 &&
	       run->words[at].text.data[0] == '-')
		at++;
	return at < run->count ? run->words[at] : home;
}

static void follow_cd(struct tn_analyser *a, const struct tn_run *run, struct tn_str name)
{
	struct tn_word to;
	char *path;

	if (!tn_str_is(name, "cd") && !tn_str_is(name, "pushd") && !tn_str_is(name, "chdir"))
		return;
	to = cd_operand(run);
	if ((to.flags & (TN_WORD_UNKNOWN | TN_WORD_GLOB)) || tn_str_is(to.text, "-") ||
	    (!a->cwd.size && !is_absolute(to.text))) {
		a->cwd = tn_str("", 0);
		return;
	}
	if (is_absolute(to.text)) {
		a->cwd = to.text;
		return;
	}
	path = tn_arena_format(a->arena, "%.*s/%.*s", (int)a->cwd.size, a->cwd.data,
			       (int)to.text.size, to.text.data);
	a->starved = a->starved || !path;
	a->cwd = tn_str_from(path);
}

/* ---- looking ---- */

/* "$JAVA_HOME/bin/java": where it is, is not known; what it is called, is. */
static bool is_named(const struct tn_word *word)
{
	return !(word->flags & TN_WORD_ENDS) && tn_str_find_byte(word->text, '/') != TN_STR_NONE &&
	       tn_base_name(word->text).size > 0;
}

static void look_at_name(struct tn_analyser *a, const struct tn_run *run)
{
	const struct tn_word *word = &run->words[0];

	/* It may have shifted some of them away. */
	if (word->flags & TN_WORD_OF_CALL)
		tn_words_look_at_programs(a, run);
	if (!(word->flags & TN_WORD_EXPANDED)) {
		if (word->flags & TN_WORD_GLOB)
			tn_run_hidden(a, run, "the name of a program is a pattern");
		else if (tn_str_find_byte(word->text, '/') != TN_STR_NONE &&
			 tn_file_is_written_here(a, word->text))
			tn_run_hidden(a, run, "a program is written and run by the same text");
	} else if (word->flags & TN_WORD_OF_CALL) {
		/* Whoever calls the function is looked at with what they say. */
		tn_run_unknown(a, run, "a function runs what its callers name");
	} else if (is_named(word)) {
		tn_run_unknown(a, run, "a program stands in a directory that is not known");
	} else {
		tn_run_hidden(a, run, "the name of a program is made by an expansion");
	}
}

/* cp rm x; ./x */
static void look_behind_copy(struct tn_analyser *a, const struct tn_run *run, struct tn_str name)
{
	struct tn_shell_name *known = tn_analysis_lookup(a->copies, name);

	for (; known; known = tn_analysis_lookup(known->next, name)) {
		struct tn_run own = *run;
		struct tn_word *words;

		if (known->busy || !known->value.data)
			continue;
		words = tn_analysis_alloc(a, run->count, sizeof(*words));
		if (!words)
			return;
		memcpy(words, run->words, run->count * sizeof(*words));
		words[0] = (struct tn_word){known->value, TN_WORD_QUOTED};
		own.words = words;
		known->busy = true;
		tn_run_inner(a, &own, 0);
		known->busy = false;
	}
}

static void look(struct tn_analyser *a, struct tn_run *run)
{
	struct tn_str name;

	if (run->feeds)
		tn_run_input(a, run);
	if (!note(a, run) || !run->count)
		return;
	name = a->commands[run->index].name;
	a->commands[run->index].input = tn_run_fed_text(a, run);
	look_at_name(a, run);
	/* `sudo $X rm`: it may expand to nothing. */
	if ((run->words[0].flags & TN_WORD_UNKNOWN) && !run->words[0].text.size)
		tn_run_inner(a, run, 1);
	look_behind_name(a, run);
	look_behind_copy(a, run, name);
	follow_cd(a, run, name);
	tn_files_copied(a, name, run);
	tn_script_look(a, run);
	if (tn_shell_look(a, run, name) || tn_wrapper_look(a, run, name) ||
	    tn_tool_look(a, run, name) || tn_interpreter_look(a, run, name))
		return;
	tn_words_look(a, run, name);
}

void tn_run_look(struct tn_analyser *a, const struct tn_run *run)
{
	struct tn_run own = *run;

	if (!tn_analysis_enter(a, 1 + run->count))
		return;
	look(a, &own);
	tn_analysis_leave(a);
}

/* ---- what is inside ---- */

struct tn_scope tn_run_scope(const struct tn_run *run)
{
	struct tn_scope scope = run->scope;

	if (!scope.wrapper.size && run->count)
		scope.wrapper = tn_base_name(run->words[0].text);
	return scope;
}

void tn_run_inner_in(struct tn_analyser *a, const struct tn_run *run, size_t first, size_t end,
		     const struct tn_scope *scope)
{
	struct tn_run inner = *run;

	if (first >= end)
		return;
	inner.words = run->words + first;
	inner.count = end - first;
	inner.scope = *scope;
	inner.writes = NULL; /* the wrapper's */
	inner.write_count = 0;
	inner.feeds = false;
	tn_run_look(a, &inner);
}

void tn_run_inner(struct tn_analyser *a, const struct tn_run *run, size_t first)
{
	struct tn_scope scope = tn_run_scope(run);

	tn_run_inner_in(a, run, first, run->count, &scope);
}

void tn_run_text_str(struct tn_analyser *a, const struct tn_run *run, struct tn_str text)
{
	struct tn_scope scope = tn_run_scope(run);

	scope.more_words = 0;
	tn_analysis_text(a, text, &scope);
}

void tn_run_text_flags(struct tn_analyser *a, const struct tn_run *run, unsigned flags)
{
	if (flags & (TN_WORD_BEGINS | TN_WORD_HIDES | TN_WORD_PROCESS))
		tn_run_hidden(a, run, "a text for a shell is made by an expansion");
	else if (flags & TN_WORD_UNKNOWN)
		tn_run_unknown(a, run, "a part of a text for a shell is made by an expansion");
}

void tn_run_text(struct tn_analyser *a, const struct tn_run *run, const struct tn_word *word)
{
	tn_run_text_flags(a, run, word->flags);
	tn_run_text_str(a, run, word->text);
}

static struct tn_str take_letters(struct tn_analyser *a, size_t start)
{
	size_t size = a->letters.size - start;
	char *copy = tn_analysis_alloc(a, size + 1, 1);

	if (copy && size)
		memcpy(copy, a->letters.data + start, size);
	a->letters.size = start;
	return tn_str(copy ? copy : "", copy ? size : 0);
}

struct tn_word tn_run_join(struct tn_analyser *a, const struct tn_run *run, size_t from, size_t end)
{
	size_t start = a->letters.size;
	struct tn_word joined = {.flags = 0};

	for (size_t i = from; i < end; i++) {
		if (i > from)
			tn_buf_append_byte(&a->letters, ' ');
		if ((run->words[i].flags & TN_WORD_BEGINS) &&
		    tn_word_is_at_command(&a->letters, start))
			joined.flags |= TN_WORD_HIDES;
		tn_buf_append_str(&a->letters, run->words[i].text);
		joined.flags |=
			run->words[i].flags & (TN_WORD_UNKNOWN | TN_WORD_HIDES | TN_WORD_PROCESS);
	}
	tn_analysis_spend(a, a->letters.size - start);
	joined.text = take_letters(a, start);
	return joined;
}

/* A word as a shell would have to read it. */
static void put_quoted(struct tn_buf *out, const struct tn_word *word)
{
	tn_buf_append_text(out, " '");
	for (size_t i = 0; i < word->text.size; i++) {
		if (word->text.data[i] == '\'')
			tn_buf_append_text(out, "'\\''");
		else
			tn_buf_append_byte(out, word->text.data[i]);
	}
	tn_buf_append_text(out, word->flags & TN_WORD_UNKNOWN ? "'\"$@\"" : "'");
}

void tn_run_text_with(struct tn_analyser *a, const struct tn_run *run, struct tn_str text,
		      size_t from)
{
	size_t start = a->letters.size;

	tn_buf_append_str(&a->letters, text);
	for (size_t i = from; i < run->count; i++)
		put_quoted(&a->letters, &run->words[i]);
	tn_run_text_str(a, run, take_letters(a, start));
}
