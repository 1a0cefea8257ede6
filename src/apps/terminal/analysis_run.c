#include "apps/terminal/analysis_parts.h"

#include "base/limits.h"
#include "base/size.h"

struct tn_str tn_base_name(struct tn_str path)
{
	size_t at = path.size;

	while (at > 0 && path.data[at - 1] != '/')
		at--;
	return tn_str_from_offset(path, at);
}

bool tn_run_word_is(const struct tn_run *run, size_t index, const char *text)
{
	return index < run->count && tn_str_is(run->words[index].text, text);
}

/* ---- noting ---- */

static bool make_room(struct tn_analyser *a)
{
	size_t capacity = a->capacity ? 2 * a->capacity : 8;
	struct tn_simple_command *more;

	if (a->count >= TN_ANALYSIS_COMMANDS_MAX) {
		tn_analysis_opaque(a, "it has more commands than can be looked at");
		a->spent = a->too_much = true;
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
	if (a->starved)
		return;
	for (size_t i = 0; i < given; i++) {
		const struct tn_word *word = &run->words[i + 1];

		c->words[i] = word->text;
		c->word_is_known[i] = !(word->flags & TN_WORD_UNKNOWN);
		c->word_is_glob[i] = word->flags & TN_WORD_GLOB;
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

	if (!make_room(a))
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

/* ---- names that stand for others ---- */

static bool is_function_body(struct tn_str body)
{
	struct tn_str text = tn_str_trim(body);
	size_t paren = tn_str_find(text, TN_STR("()"));

	return (text.size && text.data[0] == '{') || tn_str_starts(text, TN_STR("function ")) ||
	       (paren != TN_STR_NONE && paren < TN_NAME_BYTES_MAX &&
		tn_str_find_byte(text, '{') != TN_STR_NONE);
}

static void look_behind_name(struct tn_analyser *a, const struct tn_run *run)
{
	struct tn_shell_name *known;

	if (run->words[0].flags & TN_WORD_QUOTED)
		return; /* \ls is no alias; a function it may be, but its body was looked at */
	known = tn_analysis_lookup(a->aliases, run->words[0].text);
	if (!known || known->busy)
		return;
	known->busy = true;
	if (is_function_body(known->value))
		tn_run_text_str(a, run, known->value);
	else
		tn_run_text_with(a, run, known->value, 1);
	known->busy = false;
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

static void look(struct tn_analyser *a, struct tn_run *run)
{
	struct tn_str name;

	if (run->feeds)
		tn_run_input(a, run);
	if (!note(a, run) || !run->count)
		return;
	name = a->commands[run->index].name;
	if (run->words[0].flags & TN_WORD_EXPANDED)
		tn_run_unknown(a, run, "the name of a program is made by an expansion");
	else if (run->words[0].flags & TN_WORD_GLOB)
		tn_run_unknown(a, run, "the name of a program is a pattern");
	/* `sudo $X rm`: it may expand to nothing. */
	if ((run->words[0].flags & TN_WORD_UNKNOWN) && !run->words[0].text.size)
		tn_run_inner(a, run, 1);
	look_behind_name(a, run);
	follow_cd(a, run, name);
	(void)(tn_shell_look(a, run, name) || tn_wrapper_look(a, run, name) ||
	       tn_tool_look(a, run, name) || tn_interpreter_look(a, run, name));
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

void tn_run_text(struct tn_analyser *a, const struct tn_run *run, const struct tn_word *word)
{
	if (word->flags & TN_WORD_UNKNOWN)
		tn_run_unknown(a, run, "a text for a shell is made by an expansion");
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
		tn_buf_append_str(&a->letters, run->words[i].text);
		joined.flags |= run->words[i].flags & TN_WORD_UNKNOWN;
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

/* ---- variables ---- */

/* Programs run what these say. */
static const char *const commands_in[] = {
	"EDITOR",
	"VISUAL",
	"PAGER",
	"GIT_PAGER",
	"MANPAGER",
	"GIT_EDITOR",
	"GIT_SSH",
	"GIT_SSH_COMMAND",
	"GIT_EXTERNAL_DIFF",
	"BROWSER",
	"GIT_SEQUENCE_EDITOR",
	"GIT_ASKPASS",
	"SSH_ASKPASS",
	"PROMPT_COMMAND",
	"RSYNC_RSH",
	"SYSTEMD_PAGER",
	"LESSOPEN",
	"FCEDIT",
	"SUDO_ASKPASS",
};
/* They put code into programs that are named otherwise. */
static const char *const loaders[] = {"LD_PRELOAD",   "LD_AUDIT", "BASH_ENV",
				      "PS4",          "PERL5OPT", "PYTHONSTARTUP",
				      "NODE_OPTIONS", "RUBYOPT",  "DYLD_INSERT_LIBRARIES"};

static bool is_among(struct tn_str name, const char *const *list, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		if (tn_str_is(name, list[i]))
			return true;
	}
	return false;
}

void tn_run_variable(struct tn_analyser *a, const struct tn_scope *scope, struct tn_str name,
		     struct tn_word value)
{
	struct tn_scope inner = *scope;
	bool known = !(value.flags & TN_WORD_UNKNOWN);

	tn_analysis_learn(a, &a->variables, name, known ? value.text : tn_str(NULL, 0));
	if (is_among(name, loaders, TN_COUNT(loaders)))
		tn_analysis_opaque(a, "a variable puts code into programs that start");
	if (!is_among(name, commands_in, TN_COUNT(commands_in)))
		return;
	if (!inner.wrapper.size)
		inner.wrapper = name;
	inner.more_words = 0;
	if (!known)
		tn_analysis_opaque(a, "a variable names a program that is not known");
	tn_analysis_text(a, value.text, &inner);
}
