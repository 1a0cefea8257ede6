#include "apps/terminal/policy/rule.h"

#include "apps/terminal/limits.h"
#include "apps/terminal/policy/paths.h"
#include "base/limits.h"
#include "base/mem.h"
#include "base/size.h"

extern const char tn_term_rules_data[]; /* data/rules.json */
extern const size_t tn_term_rules_data_size;

const char *tn_rule_action_name(enum tn_rule_action action)
{
	static const char *const names[] = {"allow", "confirm", "deny"};

	return names[action];
}

const char *tn_risk_name(enum tn_risk risk)
{
	static const char *const names[] = {"safe", "caution", "unknown", "danger"};

	return names[risk];
}

/* ---- life ---- */

enum tenon_code tn_rules_create(struct tn_str text, struct tn_rules **ret, struct tenon_error *err)
{
	struct tn_rules *rules = tn_mem_alloc(sizeof(*rules));
	enum tenon_code code = TENON_OK;
	struct tn_rule *own;

	if (!rules)
		return tn_fail(err, TENON_NO_MEMORY, "out of memory");
	rules->sandbox_off = TN_RULE_CONFIRM;
	tn_arena_init(&rules->arena, TN_POLICY_ARENA_MAX);
	if (text.size)
		code = tn_rules_read(rules, text, false, err);
	/* What is known of programs holds in any case, the rules only without others. */
	own = rules->rules;
	if (code == TENON_OK && !rules->programs) {
		rules->rules = NULL;
		code = tn_rules_read(rules, tn_str(tn_term_rules_data, tn_term_rules_data_size),
				     true, err);
		if (rules->rules_given)
			rules->rules = own;
	}
	if (code == TENON_OK)
		*ret = rules;
	else
		tn_rules_destroy(rules);
	return code;
}

void tn_rules_destroy(struct tn_rules *rules)
{
	if (!rules)
		return;
	tn_arena_finish(&rules->arena);
	tn_mem_free(rules);
}

enum tn_fallback tn_rules_fallback(const struct tn_rules *rules)
{
	return rules->confirm_fallback;
}

enum tn_rule_action tn_rules_interactive_input(const struct tn_rules *rules)
{
	return rules->interactive_input;
}

enum tn_rule_action tn_rules_sandbox_off(const struct tn_rules *rules)
{
	return rules->sandbox_off;
}

bool tn_rules_history_off(const struct tn_rules *rules, const char *project_id)
{
	const struct tn_rule_texts *projects = &rules->history_off_projects;
	bool off = rules->history_off;

	for (size_t i = 0; project_id && i < projects->count; i++)
		off = off || tn_name_fits(projects->items[i], tn_str_from(project_id), false);
	return off;
}

/* ---- judging ---- */

/* A path, made absolute once for all rules. */
struct tn_path {
	struct tn_str full, home; /* home: the same with ~ for it; empty: it is not below it */
	bool is_known;
};

struct judging {
	const struct tn_rules *rules;
	struct tn_arena *arena;
	struct tn_arena scratch; /* of one command */
	struct tn_path *paths;   /* of its words, as far as they were asked for */
	struct tn_path cwd;      /* where it runs, likewise */
	const struct tn_rules_question *q;
	const struct tn_simple_command *c;
	bool c_network; /* the command talks to other machines */
	struct tn_verdict_of_rules *verdict;
	const struct tn_rule *notes[TN_RULE_SENTENCES_MAX]; /* of programs */
	size_t note_count;
};

static enum tn_rule_action fallback_of(const struct judging *j)
{
	if (j->rules->fallback_given)
		return j->rules->fallback;
	return j->q->network ? TN_RULE_CONFIRM : TN_RULE_ALLOW;
}

static bool name_fits(const struct tn_rule_texts *texts, const struct tn_simple_command *c)
{
	/* A pattern below /usr/bin may be sudo; one that begins with a dot is a script here. */
	bool is_glob = c->name_is_glob && !tn_str_starts(c->path, TN_STR("."));
	unsigned char first = c->name.size ? (unsigned char)c->name.data[0] : 0;

	if (tn_str_starts(c->path, TN_STR("/etc/passwd")))
		return false; /* a file of that name is no program */
	if ((!is_glob || tn_is_alpha((char)first)) &&
	    !(texts->first[first / 64] >> (first % 64) & 1))
		return false;
	for (size_t i = 0; i < texts->count; i++) {
		if (tn_name_fits(texts->items[i], c->name, is_glob))
			return true;
	}
	return false;
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
	size_t equals = tn_str_find_byte(word, '=');

	is_glob = is_glob && may_become(word, pattern);
	if (tn_name_fits(pattern, word, is_glob))
		return true;
	if (pattern.size == 2 && pattern.data[0] == '-' && tn_is_alpha(pattern.data[1]))
		return is_in_cluster(word, pattern.data[1]);
	if (!tn_str_starts(word, TN_STR("--")) || !tn_str_starts(pattern, TN_STR("--")))
		return false;
	if (equals != TN_STR_NONE && tn_name_fits(pattern, tn_str(word.data, equals), is_glob))
		return true;
	/* getopt takes an unambiguous beginning for the whole. */
	if (equals != TN_STR_NONE)
		word.size = equals;
	return word.size > 3 && tn_str_find_byte(pattern, '=') == TN_STR_NONE &&
	       tn_str_starts(pattern, word);
}

/* Where the pattern stands, from `from` on; word_count: nowhere. Options end at --. */
static size_t find_word(const struct tn_simple_command *c, struct tn_str pattern, size_t from)
{
	bool is_option = tn_str_starts(pattern, TN_STR("-")), over = false;

	for (size_t i = 0; i < c->word_count; i++) {
		if (i >= from && !(over && is_option) &&
		    word_fits(pattern, c->words[i], c->word_is_glob[i]))
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
		if (find_word(c, texts->items[i], 0) < c->word_count ||
		    fits_input(texts->items[i], c->input))
			return true;
	}
	return false;
}

static bool has_all(const struct tn_rule_texts *texts, const struct tn_simple_command *c)
{
	size_t at = 0;

	for (size_t i = 0; i < texts->count; i++) {
		at = find_word(c, texts->items[i], at);
		if (at >= c->word_count)
			return false;
		at++;
	}
	return true;
}

/* ---- paths ---- */

enum { PATH_BYTES_MAX = 4096 }; /* the kernel takes no longer one */

static struct tn_str absolute(struct judging *j, struct tn_str path)
{
	if (path.size > PATH_BYTES_MAX)
		return tn_str(NULL, 0);
	return tn_str_from(tn_path_resolve(&j->scratch, j->c->cwd, tn_str_from(j->q->home), path));
}

/* The same with ~ for the home; empty: it is not below it. */
static struct tn_str below_home(struct judging *j, struct tn_str full)
{
	struct tn_str home = tn_str_from(j->q->home);
	char *text;

	while (home.size > 1 && home.data[home.size - 1] == '/')
		home.size--;
	if (home.size < 2 || !tn_str_starts(full, home) ||
	    (full.size > home.size && full.data[home.size] != '/'))
		return tn_str("", 0);
	text = tn_arena_alloc_raw(&j->scratch, full.size - home.size + 1);
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

static struct tn_path resolve(struct judging *j, struct tn_str text)
{
	struct tn_path path = {.full = absolute(j, text), .is_known = true};

	if (path.full.data)
		path.home = below_home(j, path.full);
	return path;
}

static bool has_letter(const uint64_t *set, struct tn_str path, size_t at)
{
	unsigned char c = at < path.size ? (unsigned char)path.data[at] : 0;

	return at >= path.size || (set[c / 64] >> (c % 64) & 1);
}

/* By one letter near each end: most patterns are about another path. */
static bool differs_at_once(struct tn_str pattern, struct tn_str path)
{
	char first, last;

	if (pattern.size < 2 || path.size < 2)
		return false;
	first = pattern.data[1];
	last = pattern.data[pattern.size - 1];
	return (first != path.data[1] && pattern.data[0] != '*' && !tn_path_is_sign(first)) ||
	       (last != path.data[path.size - 1] && !tn_path_is_sign(last));
}

static bool pattern_fits(struct judging *j, struct tn_str pattern, const struct tn_path *path,
			 bool is_glob)
{
	bool of_home = pattern.size && pattern.data[0] == '~';
	struct tn_str text = of_home ? path->home : path->full;

	if (!of_home && pattern.data[0] != '/' && pattern.data[0] != '*')
		pattern = absolute(j, pattern);
	else if (!is_glob && differs_at_once(pattern, text))
		return false;
	return pattern.data && text.size && tn_path_fits(pattern, text, is_glob);
}

static bool resolved_fits(struct judging *j, const struct tn_rule_texts *patterns,
			  const struct tn_path *path, bool is_glob)
{
	if (!path->full.data)
		return false;
	if (!is_glob && !has_letter(patterns->root, path->full, 1) &&
	    (!path->home.size || !has_letter(patterns->home, path->home, 2)))
		return false;
	for (size_t i = 0; i < patterns->count; i++) {
		if (pattern_fits(j, patterns->items[i], path, is_glob))
			return true;
	}
	return false;
}

/* The word `i` of the command. */
static const struct tn_path *path_of_word(struct judging *j, size_t i)
{
	if (!j->paths)
		j->paths = tn_arena_alloc_array(&j->scratch, j->c->word_count, sizeof(*j->paths));
	if (j->paths && !j->paths[i].is_known)
		j->paths[i] = resolve(j, j->c->words[i]);
	return j->paths ? &j->paths[i] : NULL;
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
static bool cannot_name(struct judging *j, const struct tn_rule_texts *patterns, struct tn_str path,
			bool is_glob)
{
	const struct tn_path *cwd = &j->cwd;

	if (!path.size || !is_below_cwd(path, is_glob))
		return false;
	if (!cwd->is_known)
		j->cwd = resolve(j, j->c->cwd);
	return cwd->full.size > 1 && !has_letter(patterns->root, cwd->full, 1) &&
	       (!cwd->home.size || !has_letter(patterns->home, cwd->home, 2));
}

static bool path_fits(struct judging *j, const struct tn_rule_texts *patterns, struct tn_str text,
		      bool is_glob)
{
	struct tn_path path;

	if (cannot_name(j, patterns, text, is_glob))
		return false;
	path = resolve(j, text);
	return resolved_fits(j, patterns, &path, is_glob);
}

/* What a word may name: itself, or what stands behind = or @ (-F file=@~/.ssh/id_rsa). */
static bool word_names(struct judging *j, const struct tn_rule_texts *patterns, size_t i)
{
	struct tn_str word = j->c->words[i];
	bool is_option = tn_str_starts(word, TN_STR("-")), is_glob = j->c->word_is_glob[i];

	if (!word.size)
		return false;
	const struct tn_path *path =
		is_option || cannot_name(j, patterns, word, is_glob) ? NULL : path_of_word(j, i);

	if (path && resolved_fits(j, patterns, path, is_glob))
		return true;
	for (size_t at = 0; at + 1 < word.size; at++) {
		struct tn_str rest = tn_str_from_offset(word, at + 1);

		if ((word.data[at] == '=' || word.data[at] == '@' || word.data[at] == ':') &&
		    path_fits(j, patterns, rest, is_glob))
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

static bool names_any(struct judging *j, const struct tn_rule_texts *patterns)
{
	for (size_t i = 0; i < j->c->word_count; i++) {
		if (!is_identity(j->c, i) && word_names(j, patterns, i))
			return true;
	}
	return false;
}

static bool any_path_fits(struct judging *j, const struct tn_rule_texts *patterns,
			  const struct tn_str *paths, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		if (paths[i].size && path_fits(j, patterns, paths[i], is_pattern(paths[i])))
			return true;
	}
	return false;
}

static bool reads_any(struct judging *j, const struct tn_rule_texts *patterns)
{
	return any_path_fits(j, patterns, j->c->reads, j->c->read_count) || names_any(j, patterns);
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

static bool is_above_all(struct judging *j, struct tn_str word, bool is_glob)
{
	struct tn_str path = absolute(j, word);

	if (!path.data)
		return false;
	if (is_above(path, is_glob, TN_STR("/"), true) ||
	    is_above(path, is_glob, tn_str_from(j->q->home), true))
		return true;
	for (size_t i = 0; j->q->roots && j->q->roots[i]; i++) {
		if (is_above(path, is_glob, tn_str_from(j->q->roots[i]), false))
			return true;
	}
	return false;
}

/* An operand is /, the home, what is above it, or above a root. */
static bool reaches_above(struct judging *j)
{
	for (size_t i = 0; i < j->c->word_count; i++) {
		struct tn_str word = j->c->words[i];

		if (word.size && word.data[0] != '-' &&
		    is_above_all(j, word, j->c->word_is_glob[i]))
			return true;
	}
	return false;
}

/* ---- a rule and a command ---- */

static bool wants(enum tn_rule_want want, bool is_set)
{
	return want == TN_WANT_ANY || (want == TN_WANT_SET) == is_set;
}

enum { FEEDERS_MAX = 256 };

static bool is_fed_by(const struct judging *j, const struct tn_rule_texts *names)
{
	size_t own = (size_t)(j->c - j->q->analysis->commands);

	if (own > j->c->fed_from + FEEDERS_MAX)
		return true; /* nobody types that: it is worth a question */
	for (size_t i = j->c->fed_from; i < own; i++) {
		const struct tn_simple_command *c = &j->q->analysis->commands[i];

		/* `env A=1 curl x` runs it, and feeds it nothing. */
		if (i + 1 == own && j->c->wrapper.size && tn_str_equal(c->name, j->c->wrapper))
			continue;
		if (name_fits(names, c))
			return true;
	}
	return false;
}

static bool paths_fit(struct judging *j, const struct tn_rule *rule)
{
	const struct tn_simple_command *c = j->c;

	return (!rule->path.given || names_any(j, &rule->path)) &&
	       (!rule->path_write.given ||
		any_path_fits(j, &rule->path_write, c->writes, c->write_count)) &&
	       (!rule->path_read.given || reads_any(j, &rule->path_read)) &&
	       (!rule->cwd.given || (c->cwd.size && path_fits(j, &rule->cwd, c->cwd, false)));
}

static bool words_fit(const struct tn_rule *rule, const struct tn_simple_command *c)
{
	return (!rule->command.given || name_fits(&rule->command, c)) &&
	       (!rule->except.given || !name_fits(&rule->except, c)) &&
	       (!rule->args.given || has_all(&rule->args, c)) &&
	       (!rule->any.given || has_any(&rule->any, c)) &&
	       (!rule->none.given || !has_any(&rule->none, c));
}

static bool rule_fits(struct judging *j, const struct tn_rule *rule)
{
	const struct tn_simple_command *c = j->c;

	return words_fit(rule, c) && wants(rule->privileged, c->privileged) &&
	       wants(rule->runs_unknown, c->runs_unknown) &&
	       wants(rule->forks_itself, c->forks_itself) && wants(rule->deletes, c->deletes) &&
	       wants(rule->reads_pipe, c->reads_pipe) && wants(rule->network, j->c_network) &&
	       paths_fit(j, rule) && (!rule->fed_by.given || is_fed_by(j, &rule->fed_by)) &&
	       (rule->above == TN_WANT_ANY || wants(rule->above, reaches_above(j)));
}

static const struct tn_rule *find_rule(struct judging *j, const struct tn_rule *list)
{
	while (list && !rule_fits(j, list))
		list = list->next;
	return list;
}

/* ---- the verdict ---- */

static void add_hit(struct tn_verdict_of_rules *v, struct tn_rule_hit hit)
{
	size_t at = v->hit_count;

	for (size_t i = 0; i < v->hit_count; i++) {
		if (strcmp(v->hits[i].id, hit.id) == 0 && v->hits[i].source == hit.source)
			return;
	}
	if (hit.action > v->action)
		v->action = hit.action;
	while (at > 0 && v->hits[at - 1].action < hit.action)
		at--;
	if (at >= TN_RULE_HITS_MAX)
		return;
	if (v->hit_count == TN_RULE_HITS_MAX)
		v->hit_count--;
	memmove(&v->hits[at + 1], &v->hits[at], (v->hit_count - at) * sizeof(v->hits[0]));
	v->hits[at] = hit;
	v->hit_count++;
}

static void add_sentence(struct tn_verdict_of_rules *v, const char *sentence)
{
	for (size_t i = 0; i < v->explanation_count; i++) {
		if (strcmp(v->explanation[i], sentence) == 0)
			return;
	}
	if (v->explanation_count < TN_RULE_SENTENCES_MAX)
		v->explanation[v->explanation_count++] = sentence;
}

static void add_words(struct tn_verdict_of_rules *v, const struct tn_rule *rule)
{
	if (rule->why)
		add_sentence(v, rule->why);
	if (rule->undo && !v->undo_hint)
		v->undo_hint = rule->undo;
	for (size_t i = 0; i < rule->instead_count; i++) {
		if (v->alternative_count < TN_RULE_ALTERNATIVES_MAX)
			v->alternatives[v->alternative_count++] = rule->instead[i];
	}
}

static void add_risk(struct tn_verdict_of_rules *v, enum tn_risk risk)
{
	if (risk > v->risk)
		v->risk = risk;
}

/* What the rule says of the risk, or what is known of the program. */
static enum tn_risk risk_of(const struct tn_simple_command *c, const struct tn_rule *rule,
			    const struct tn_rule *known)
{
	enum tn_risk risk = known ? known->risk : c->name.size ? TN_RISK_UNKNOWN : TN_RISK_SAFE;
	bool guarded = rule && rule->action != TN_RULE_ALLOW;

	if (rule && rule->has_risk)
		return rule->risk;
	if ((guarded || c->write_count) && risk < TN_RISK_CAUTION)
		return TN_RISK_CAUTION;
	return risk;
}

static void judge_command(struct judging *j, size_t index)
{
	struct tn_verdict_of_rules *v = j->verdict;
	const struct tn_simple_command *c = &j->q->analysis->commands[index];
	const struct tn_rule *known, *rule;

	tn_arena_reset(&j->scratch);
	j->paths = NULL;
	j->cwd = (struct tn_path){.is_known = false};
	j->c = c;
	j->c_network = false;
	known = find_rule(j, j->rules->programs);
	j->c_network = known && known->marks_network;
	rule = find_rule(j, j->rules->rules);
	if (rule)
		add_hit(v, (struct tn_rule_hit){rule->id, rule->source, rule->pattern, rule->action,
						index, rule});
	else if (fallback_of(j) != TN_RULE_ALLOW)
		add_hit(v, (struct tn_rule_hit){"default", "default", "every other command",
						fallback_of(j), index, NULL});
	if (known && !(rule && rule->why) && j->note_count < TN_RULE_SENTENCES_MAX)
		j->notes[j->note_count++] = known;
	add_risk(v, risk_of(c, rule, known));
	v->network = v->network || j->c_network;
	v->needs_privilege =
		v->needs_privilege || c->privileged || (known && known->marks_privilege);
}

/* What is not known about the text as a whole. */
struct unknown {
	const char *id, *pattern, *sentence;
	struct tn_str because;
	enum tn_rule_action action;
	bool is_own; /* policy.json says so */
};

static void judge_unknown(const struct judging *j, const struct unknown *u)
{
	struct tn_verdict_of_rules *v = j->verdict;
	const char *sentence;

	add_risk(v, TN_RISK_UNKNOWN);
	if (u->action != TN_RULE_ALLOW)
		add_hit(v, (struct tn_rule_hit){u->id, u->is_own ? "policy.json" : "default",
						u->pattern, u->action, SIZE_MAX, NULL});
	sentence = tn_arena_format(j->arena, "%s: %.*s.", u->sentence, (int)u->because.size,
				   u->because.data);
	if (sentence)
		add_sentence(v, sentence);
}

/* What is plain gets asked about, and what is masked must not get through more easily: hidden is
 * asked about whatever the default is. */
static void judge_hidden(const struct judging *j)
{
	const struct tn_rules *rules = j->rules;

	judge_unknown(j, &(struct unknown){
				 .id = "hidden",
				 .pattern = "a text that hides what will run",
				 .sentence = "The text hides what will run",
				 .because = j->q->analysis->hidden_because,
				 .action = rules->hidden_given ? rules->hidden : TN_RULE_CONFIRM,
				 .is_own = rules->hidden_given,
			 });
}

static void judge_opaque(const struct judging *j)
{
	const struct tn_rules *rules = j->rules;

	judge_unknown(j, &(struct unknown){
				 .id = "opaque",
				 .pattern = "what cannot be known without running it",
				 .sentence = "Not all of it can be known without running it",
				 .because = j->q->analysis->opaque_because,
				 .action = rules->opaque_given ? rules->opaque : fallback_of(j),
				 .is_own = rules->opaque_given,
			 });
}

/* What the strictest rules say comes first. Beside a danger nothing is said of what is harmless:
 * that would be a second verdict. */
static void explain(const struct judging *j)
{
	struct tn_verdict_of_rules *v = j->verdict;
	const char *unknown[2] = {NULL, NULL};
	size_t count = v->explanation_count;

	for (size_t i = 0; i < count && i < TN_COUNT(unknown); i++)
		unknown[i] = v->explanation[i];

	v->explanation_count = 0;
	for (size_t i = 0; i < v->hit_count; i++) {
		if (v->hits[i].rule && v->hits[i].action == v->action)
			add_words(v, v->hits[i].rule);
	}
	for (size_t i = 0; i < count && i < TN_COUNT(unknown); i++)
		add_sentence(v, unknown[i]);
	for (size_t i = 0; i < j->note_count; i++) {
		if (j->notes[i]->risk >= v->risk || v->action == TN_RULE_ALLOW)
			add_words(v, j->notes[i]);
	}
}

enum tenon_code tn_rules_judge(const struct tn_rules *rules, struct tn_arena *arena,
			       const struct tn_rules_question *question,
			       struct tn_verdict_of_rules *ret, struct tenon_error *err)
{
	struct judging j = {.rules = rules, .arena = arena, .q = question, .verdict = ret};

	memset(ret, 0, sizeof(*ret));
	tn_arena_init(&j.scratch, TN_ANALYSIS_ARENA_MAX);
	for (size_t i = 0; i < question->analysis->count; i++)
		judge_command(&j, i);
	if (question->analysis->hidden)
		judge_hidden(&j);
	if (question->analysis->opaque)
		judge_opaque(&j);
	explain(&j);
	if (!ret->explanation_count && !question->analysis->count)
		add_sentence(ret, "It runs no command.");
	else if (!ret->explanation_count)
		add_sentence(ret, ret->risk == TN_RISK_UNKNOWN
					  ? "What this program does is not known here."
					  : "No rule is about it.");
	tn_arena_finish(&j.scratch);
	if (arena->starved || j.scratch.starved)
		return tn_fail(err, TENON_NO_MEMORY, "out of memory");
	return TENON_OK;
}
