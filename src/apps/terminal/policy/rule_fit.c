#include "apps/terminal/policy/rule_fit.h"

#include "apps/terminal/limits.h"
#include "apps/terminal/policy/paths.h"
#include "base/size.h"

void tn_rule_fit_init(struct tn_rule_fit *fit, const struct tn_rules_question *question)
{
	*fit = (struct tn_rule_fit){.q = question};
	tn_arena_init(&fit->scratch, TN_ANALYSIS_ARENA_MAX);
}

void tn_rule_fit_finish(struct tn_rule_fit *fit)
{
	tn_arena_finish(&fit->scratch);
}

void tn_rule_fit_begin(struct tn_rule_fit *fit, const struct tn_simple_command *command)
{
	tn_arena_reset(&fit->scratch);
	fit->paths = NULL;
	fit->cwd = (struct tn_path){.is_known = false};
	fit->c = command;
	fit->network = false;
}

/* ---- words ---- */

/* -rf has -r and -f. */
static bool is_in_cluster(struct tn_str word, char letter)
{
	if (word.size < 2 || word.data[0] != '-')
		return false;
	for (size_t i = 1; i < word.size && tn_is_alpha(word.data[i]); i++) {
		if (word.data[i] == letter)
			return true;
	}
	return false;
}

/* `find *`: that a file is called -delete is too far to look; and `python3 x.py *.csv`: that one is
 * called like a line of code. */
static bool may_become(struct tn_str glob, struct tn_str pattern)
{
	bool is_anywhere = tn_str_starts(pattern, TN_STR("*")) && tn_str_ends(pattern, TN_STR("*"));

	/* [*] is a star that was typed. */
	return !is_anywhere && tn_str_find(pattern, TN_STR("[*]")) == TN_STR_NONE &&
	       (!tn_str_starts(pattern, TN_STR("-")) || tn_str_starts(glob, TN_STR("-"))) &&
	       tn_str_find_byte(pattern, ' ') == TN_STR_NONE &&
	       tn_str_find_byte(pattern, '(') == TN_STR_NONE;
}

static bool word_fits(struct tn_str pattern, struct tn_str word, bool is_glob)
{
	size_t equals;

	is_glob = is_glob && may_become(word, pattern);
	if (!is_glob && tn_name_differs_at_once(pattern, word))
		return false;
	if (tn_name_fits(pattern, word, is_glob))
		return true;
	if (pattern.size == 2 && pattern.data[0] == '-' && tn_is_alpha(pattern.data[1]))
		return is_in_cluster(word, pattern.data[1]);
	if (!tn_str_starts(word, TN_STR("--")) || !tn_str_starts(pattern, TN_STR("--")))
		return false;
	equals = tn_str_find_byte(word, '=');
	if (equals != TN_STR_NONE && tn_name_fits(pattern, tn_str(word.data, equals), is_glob))
		return true;
	/* getopt takes an unambiguous beginning for the whole. */
	if (equals != TN_STR_NONE)
		word.size = equals;
	return word.size > 3 && tn_str_find_byte(pattern, '=') == TN_STR_NONE &&
	       tn_str_starts(pattern, word);
}

/* Where the pattern stands, from `from` on; word_count: nowhere. Options end at --. `globs_count`:
 * a word that is a pattern may become it. */
static size_t find_word(const struct tn_simple_command *c, struct tn_str pattern, size_t from,
			bool globs_count)
{
	bool is_option = tn_str_starts(pattern, TN_STR("-")), over = false;

	for (size_t i = 0; i < c->word_count; i++) {
		if (i >= from && !(over && is_option) &&
		    word_fits(pattern, c->words[i], globs_count && c->word_is_glob[i]))
			return i;
		over = over || tn_str_is(c->words[i], "--");
	}
	return c->word_count;
}

enum { WINDOW_BYTES = 4096, WINDOW_STEP = 3072 }; /* more is not compared at once */

/* `echo 'drop table x' | psql`: what stands anywhere in a word may stand in the input. */
static bool fits_input(struct tn_str pattern, struct tn_str input)
{
	if (!tn_str_starts(pattern, TN_STR("*")))
		return false;
	for (size_t at = 0; at < input.size; at += WINDOW_STEP) {
		size_t size = input.size - at < WINDOW_BYTES ? input.size - at : WINDOW_BYTES;

		if (tn_name_fits(pattern, tn_str(input.data + at, size), false))
			return true;
	}
	return false;
}

static bool has_any(const struct tn_rule_texts *texts, const struct tn_simple_command *c)
{
	for (size_t i = 0; i < texts->count; i++) {
		if (find_word(c, texts->items[i], 0, true) < c->word_count ||
		    fits_input(texts->items[i], c->input))
			return true;
	}
	return false;
}

/* `-B tmp*`: an option with such a word behind it, the last time that it is there. */
static bool has_option_with(const struct tn_simple_command *c, struct tn_str option,
			    struct tn_str value)
{
	for (size_t i = c->word_count; i > 0; i--) {
		if (word_fits(option, c->words[i - 1], false))
			return i < c->word_count && word_fits(value, c->words[i], false);
	}
	return false;
}

static bool is_excuse(struct tn_str pattern, const struct tn_simple_command *c)
{
	size_t blank = tn_str_find_byte(pattern, ' ');

	if (blank != TN_STR_NONE && pattern.data[0] == '-')
		return has_option_with(c, tn_str(pattern.data, blank),
				       tn_str_from_offset(pattern, blank + 1));
	return find_word(c, pattern, 0, false) < c->word_count || fits_input(pattern, c->input);
}

/* What switches a rule off stands there as it is: a pattern of the shell's may become another. */
static bool is_excused(const struct tn_rule_texts *none, const struct tn_simple_command *c)
{
	for (size_t i = 0; i < none->count; i++) {
		if (is_excuse(none->items[i], c))
			return true;
	}
	return false;
}

static bool has_all(const struct tn_rule_texts *texts, const struct tn_simple_command *c)
{
	size_t at = 0;

	for (size_t i = 0; i < texts->count; i++) {
		at = find_word(c, texts->items[i], at, true);
		if (at >= c->word_count)
			return false;
		at++;
	}
	return true;
}

/* ---- paths ---- */

enum { PATH_BYTES_MAX = 4096 }; /* the kernel takes no longer one */

static struct tn_str absolute(struct tn_rule_fit *f, struct tn_str path)
{
	if (path.size > PATH_BYTES_MAX)
		return tn_str(NULL, 0);
	return tn_str_from(tn_path_resolve(&f->scratch, f->c->cwd, tn_str_from(f->q->home), path));
}

/* The same with ~ for the home; empty: it is not below it. */
static struct tn_str below_home(struct tn_rule_fit *f, struct tn_str full)
{
	struct tn_str home = tn_str_from(f->q->home);
	char *text;

	while (home.size > 1 && home.data[home.size - 1] == '/')
		home.size--;
	if (home.size < 2 || !tn_str_starts(full, home) ||
	    (full.size > home.size && full.data[home.size] != '/'))
		return tn_str("", 0);
	text = tn_arena_alloc_raw(&f->scratch, full.size - home.size + 1);
	if (!text)
		return tn_str("", 0);
	text[0] = '~';
	memcpy(text + 1, full.data + home.size, full.size - home.size);
	return tn_str(text, full.size - home.size + 1);
}

static bool is_pattern(struct tn_str text)
{
	for (size_t i = 0; i < text.size; i++) {
		if (text.data[i] == '*' || text.data[i] == '?' || text.data[i] == '[')
			return true;
	}
	return false;
}

static struct tn_path resolve(struct tn_rule_fit *f, struct tn_str text)
{
	struct tn_path path = {.full = absolute(f, text), .is_known = true};

	if (path.full.data)
		path.home = below_home(f, path.full);
	return path;
}

static bool has_letter(const uint64_t *set, struct tn_str path, size_t at)
{
	unsigned char c = at < path.size ? (unsigned char)path.data[at] : 0;

	return at >= path.size || (set[c / 64] >> (c % 64) & 1);
}

static bool pattern_fits(struct tn_rule_fit *f, struct tn_str pattern, const struct tn_path *path,
			 bool is_glob)
{
	bool of_home = pattern.size && pattern.data[0] == '~';
	struct tn_str text = of_home ? path->home : path->full;

	if (!of_home && pattern.data[0] != '/' && pattern.data[0] != '*')
		pattern = absolute(f, pattern);
	else if (!is_glob && tn_path_differs_at_once(pattern, text))
		return false;
	return pattern.data && text.size && tn_path_fits(pattern, text, is_glob);
}

static bool resolved_fits(struct tn_rule_fit *f, const struct tn_rule_texts *patterns,
			  const struct tn_path *path, bool is_glob)
{
	if (!path->full.data)
		return false;
	if (!is_glob && !has_letter(patterns->root, path->full, 1) &&
	    (!path->home.size || !has_letter(patterns->home, path->home, 2)))
		return false;
	for (size_t i = 0; i < patterns->count; i++) {
		if (pattern_fits(f, patterns->items[i], path, is_glob))
			return true;
	}
	return false;
}

/* The word `i` of the command. */
static const struct tn_path *path_of_word(struct tn_rule_fit *f, size_t i)
{
	if (!f->paths)
		f->paths = tn_arena_alloc_array(&f->scratch, f->c->word_count, sizeof(*f->paths));
	if (f->paths && !f->paths[i].is_known)
		f->paths[i] = resolve(f, f->c->words[i]);
	return f->paths ? &f->paths[i] : NULL;
}

/* Below the directory that it runs in, and so with its beginning. */
static bool is_below_cwd(struct tn_str path, bool is_glob)
{
	if (path.size > WINDOW_BYTES || path.data[0] == '/' || path.data[0] == '~')
		return false;
	for (size_t i = 0; i < path.size; i++) {
		/* .* fits "..", too */
		if (path.data[i] == '.' &&
		    (is_glob || (i + 1 < path.size && path.data[i + 1] == '.')))
			return false;
	}
	return true;
}

/* Quickly: most words are no paths, and none of what the patterns are about can be where it runs.
 */
static bool cannot_name(struct tn_rule_fit *f, const struct tn_rule_texts *patterns,
			struct tn_str path, bool is_glob)
{
	const struct tn_path *cwd = &f->cwd;

	if (!path.size || !is_below_cwd(path, is_glob))
		return false;
	if (!cwd->is_known)
		f->cwd = resolve(f, f->c->cwd);
	return cwd->full.size > 1 && !has_letter(patterns->root, cwd->full, 1) &&
	       (!cwd->home.size || !has_letter(patterns->home, cwd->home, 2));
}

static bool path_fits(struct tn_rule_fit *f, const struct tn_rule_texts *patterns,
		      struct tn_str text, bool is_glob)
{
	struct tn_path path;

	if (cannot_name(f, patterns, text, is_glob))
		return false;
	path = resolve(f, text);
	return resolved_fits(f, patterns, &path, is_glob);
}

/* What a word may name: itself, or what stands behind = or @ (-F file=@~/.ssh/id_rsa). */
static bool word_names(struct tn_rule_fit *f, const struct tn_rule_texts *patterns, size_t i)
{
	struct tn_str word = f->c->words[i];
	bool is_option = tn_str_starts(word, TN_STR("-")), is_glob = f->c->word_is_glob[i];

	if (!word.size)
		return false;
	const struct tn_path *path =
		is_option || cannot_name(f, patterns, word, is_glob) ? NULL : path_of_word(f, i);

	if (path && resolved_fits(f, patterns, path, is_glob))
		return true;
	for (size_t at = 0; at + 1 < word.size; at++) {
		struct tn_str rest = tn_str_from_offset(word, at + 1);

		if ((word.data[at] == '=' || word.data[at] == '@' || word.data[at] == ':') &&
		    path_fits(f, patterns, rest, is_glob))
			return true;
	}
	return false;
}

/* `scp -i ~/.ssh/key.pem x host:` shows it to nobody. Behind the first operand, or --, nothing is
 * an option: what stands there is sent. */
static bool is_identity(const struct tn_simple_command *c, size_t i)
{
	if (!tn_str_is(c->name, "scp") && !tn_str_is(c->name, "sftp"))
		return false;
	return i == 1 && tn_str_is(c->words[0], "-i") &&
	       tn_str_starts(c->words[1], TN_STR("~/.ssh/"));
}

static bool names_any(struct tn_rule_fit *f, const struct tn_rule_texts *patterns)
{
	for (size_t i = 0; i < f->c->word_count; i++) {
		if (!is_identity(f->c, i) && word_names(f, patterns, i))
			return true;
	}
	return false;
}

static bool any_path_fits(struct tn_rule_fit *f, const struct tn_rule_texts *patterns,
			  const struct tn_str *paths, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		if (paths[i].size && path_fits(f, patterns, paths[i], is_pattern(paths[i])))
			return true;
	}
	return false;
}

static bool reads_any(struct tn_rule_fit *f, const struct tn_rule_texts *patterns)
{
	return any_path_fits(f, patterns, f->c->reads, f->c->read_count) || names_any(f, patterns);
}

/* Is `path` the directory, or one that it stands in? Patterns for all that is in a directory count
 * as the directory. */
static bool is_above(struct tn_str path, bool is_glob, struct tn_str directory, bool or_itself)
{
	while (is_glob && path.size > 1 && strchr("*.?{}[]!,", path.data[path.size - 1]))
		path.size--;
	while (path.size > 1 && path.data[path.size - 1] == '/')
		path.size--;
	if (!directory.size)
		return false;
	if (tn_str_equal(path, directory))
		return or_itself;
	return tn_str_starts(directory, path) &&
	       (path.size == 1 || directory.data[path.size] == '/');
}

static bool is_above_all(struct tn_rule_fit *f, struct tn_str word, bool is_glob)
{
	struct tn_str path = absolute(f, word);

	if (!path.data)
		return false;
	if (is_above(path, is_glob, TN_STR("/"), true) ||
	    is_above(path, is_glob, tn_str_from(f->q->home), true))
		return true;
	for (size_t i = 0; f->q->roots && f->q->roots[i]; i++) {
		if (is_above(path, is_glob, tn_str_from(f->q->roots[i]), false))
			return true;
	}
	return false;
}

/* An operand is /, the home, what is above it, or above a root. */
static bool reaches_above(struct tn_rule_fit *f)
{
	for (size_t i = 0; i < f->c->word_count; i++) {
		struct tn_str word = f->c->words[i];

		if (word.size && word.data[0] != '-' &&
		    is_above_all(f, word, f->c->word_is_glob[i]))
			return true;
	}
	return false;
}

/* ---- a rule and a command ---- */

static bool wants(enum tn_rule_want want, bool is_set)
{
	return want == TN_WANT_ANY || (want == TN_WANT_SET) == is_set;
}

static bool paths_fit(struct tn_rule_fit *f, const struct tn_rule *rule)
{
	const struct tn_simple_command *c = f->c;

	return (!rule->path.given || names_any(f, &rule->path)) &&
	       (!rule->path_write.given ||
		any_path_fits(f, &rule->path_write, c->writes, c->write_count)) &&
	       (!rule->path_read.given || reads_any(f, &rule->path_read)) &&
	       (!rule->cwd.given || (c->cwd.size && path_fits(f, &rule->cwd, c->cwd, false)));
}

static bool program_fits(const struct tn_rule *rule, const struct tn_simple_command *c)
{
	return (!rule->command.given || tn_rule_name_fits(&rule->command, c)) &&
	       (!rule->except.given || c->name_is_glob || !tn_rule_name_fits(&rule->except, c));
}

static bool words_fit(const struct tn_rule *rule, const struct tn_simple_command *c)
{
	return (!rule->args.given || has_all(&rule->args, c)) &&
	       (!rule->any.given || has_any(&rule->any, c)) &&
	       (!rule->none.given || !is_excused(&rule->none, c));
}

/* What is told by a look, before words and paths are compared. */
static bool state_fits(const struct tn_rule_fit *f, const struct tn_rule *rule)
{
	const struct tn_simple_command *c = f->c;

	return (!rule->path_write.given || c->write_count > 0) &&
	       wants(rule->privileged, c->privileged) &&
	       wants(rule->runs_unknown, c->runs_unknown) &&
	       wants(rule->forks_itself, c->forks_itself) && wants(rule->deletes, c->deletes) &&
	       wants(rule->reads_pipe, c->reads_pipe) && wants(rule->network, f->network) &&
	       (rule->sends_secret == TN_WANT_ANY ||
		wants(rule->sends_secret, tn_rule_sends_secret(f)));
}

static bool flow_fits(const struct tn_rule_fit *f, const struct tn_rule *rule)
{
	return (!rule->fed_by.given || tn_rule_is_fed_by(f, &rule->fed_by)) &&
	       (!rule->feeds.given || tn_rule_feeds(f, &rule->feeds));
}

static bool rule_fits(struct tn_rule_fit *f, const struct tn_rule *rule)
{
	return program_fits(rule, f->c) && state_fits(f, rule) && words_fit(rule, f->c) &&
	       paths_fit(f, rule) && flow_fits(f, rule) &&
	       (rule->above == TN_WANT_ANY || wants(rule->above, reaches_above(f)));
}

const struct tn_rule *tn_rule_find(struct tn_rule_fit *f, const struct tn_rule_index *index)
{
	unsigned char first = f->c->name.size ? (unsigned char)f->c->name.data[0] : 0;
	bool is_open = f->c->name_is_glob && !tn_is_alpha((char)first); /* [rs]m */
	const struct tn_rule *const *at = is_open ? index->all : index->of[first % TN_RULE_BUCKETS];

	while (*at && !rule_fits(f, *at))
		at++;
	return *at;
}
