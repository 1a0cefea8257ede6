/* analysis_fuzz.c - a shell text from outside: what it would run is found, or it is opaque; rules
 * judge it. Two texts, one after the other, run at least what each of them runs; so does the second
 * one in a session that has learnt from the first. */
#include <stdint.h>

#include "apps/terminal/policy/names.h"
#include "apps/terminal/limits.h"
#include "apps/terminal/policy/rules_write.h"
#include "apps/terminal/shell/typed_line.h"
#include "base/mem.h"
#include "base/utf8.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const char *const shells[] = {"bash", "dash", "fish", NULL};

static void judge(struct tn_arena *arena, const struct tn_analysis *analysis)
{
	static const char *const roots[] = {"/srv/x", NULL};
	const struct tn_rules_question question = {
		.analysis = analysis, .cwd = "/home/u/x", .home = "/home/u", .roots = roots};
	struct tn_verdict_of_rules verdict;
	struct tenon_error err;
	struct tn_rules *rules;
	struct tn_buf out;

	if (tn_rules_create(tn_str(NULL, 0), &rules, &err) != TENON_OK)
		return;
	if (tn_rules_judge(rules, arena, &question, &verdict, &err) != TENON_OK) {
		tn_rules_destroy(rules);
		return;
	}
	tn_assert(verdict.action != TN_RULE_ALLOW || !analysis->hidden);
	tn_assert(verdict.hit_count <= TN_RULE_HITS_MAX);
	tn_assert(verdict.action == TN_RULE_ALLOW || verdict.hit_count > 0);
	tn_assert(verdict.explanation_count > 0);
	tn_buf_init(&out, 64 * TN_MIB);
	tn_rules_put_verdict(&out, analysis, &verdict);
	tn_rules_put_text(&out, analysis, &verdict);
	tn_buf_finish(&out);
	tn_rules_destroy(rules);
}

static bool analyse(struct tn_arena *arena, struct tn_str text, const char *shell,
		    const struct tn_names *names, struct tn_analysis *ret)
{
	const struct tn_analysis_surroundings around = {.shell = shell, .names = names};
	struct tenon_error err;

	if (tn_analyse(arena, text, &around, ret, &err) != TENON_OK) {
		tn_assert(err.code == TENON_NO_MEMORY);
		return false;
	}
	tn_assert(ret->count <= TN_ANALYSIS_COMMANDS_MAX);
	tn_assert(ret->opaque == (ret->opaque_because.size > 0));
	tn_assert(ret->hidden == (ret->hidden_because.size > 0));
	for (size_t i = 0; i < ret->count; i++) {
		tn_assert(ret->commands[i].fed_from <= i ||
			  ret->commands[i].fed_from <= ret->count);
		tn_assert(ret->commands[i].path.size >= ret->commands[i].name.size);
	}
	return true;
}

static bool has_name(const struct tn_analysis *all, struct tn_str name)
{
	for (size_t i = 0; i < all->count; i++) {
		if (tn_str_equal(all->commands[i].name, name))
			return true;
	}
	return false;
}

/* Aliases and variables of the first change words of the second: names that an expansion made do
 * not count. */
static void expect_names(const struct tn_analysis *part, const struct tn_analysis *all)
{
	for (size_t i = 0; i < part->count && !all->opaque && !all->hidden; i++)
		tn_assert(has_name(all, part->commands[i].name));
}

static void check_both(struct tn_str text, const char *shell)
{
	size_t middle = text.size / 2;
	struct tn_str first = tn_str(text.data, middle), second = tn_str_from_offset(text, middle);
	struct tn_analysis a, b, all;
	struct tn_arena arena;
	struct tn_buf both;

	tn_arena_init(&arena, TN_ANALYSIS_ARENA_MAX);
	tn_buf_init(&both, 4 * TN_MIB);
	tn_buf_append_str(&both, first);
	tn_buf_append_byte(&both, '\n');
	tn_buf_append_str(&both, second);
	if (analyse(&arena, first, shell, NULL, &a) && !a.opaque && !a.hidden && !a.incomplete &&
	    analyse(&arena, second, shell, NULL, &b) && !b.opaque && !b.hidden &&
	    analyse(&arena, tn_buf_str(&both), shell, NULL, &all)) {
		expect_names(&a, &all);
		expect_names(&b, &all);
	}
	tn_buf_finish(&both);
	tn_arena_finish(&arena);
}

static void check_session(struct tn_str text, const char *shell)
{
	size_t middle = text.size / 2;
	struct tn_str first = tn_str(text.data, middle), second = tn_str_from_offset(text, middle);
	struct tn_names names = {0};
	struct tn_analysis alone, later;
	struct tn_arena arena;

	tn_arena_init(&arena, TN_ANALYSIS_ARENA_MAX);
	if (analyse(&arena, first, shell, NULL, &alone))
		tn_names_take(&names, &alone);
	tn_assert(names.count <= TN_TERM_NAMES_MAX && names.bytes <= TN_TERM_NAMES_BYTES_MAX);
	if (analyse(&arena, second, shell, NULL, &alone) && !alone.opaque && !alone.hidden &&
	    analyse(&arena, second, shell, &names, &later))
		expect_names(&alone, &later);
	tn_arena_finish(&arena);
	tn_names_finish(&names);
}

static void type(struct tn_str bytes)
{
	struct tn_typed_line line = {.size = 0};
	bool entered;

	while (bytes.size) {
		size_t used = tn_typed_line_feed(&line, bytes, &entered);

		tn_assert(used > 0 && used <= bytes.size);
		tn_assert(line.size <= TN_TYPED_LINE_MAX);
		if (entered && bytes.size % 3 == 0)
			tn_typed_line_continue(&line);
		bytes = tn_str_from_offset(bytes, used);
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const char *shell = size ? shells[data[0] % 4] : NULL;
	struct tn_str text = size ? tn_str((const char *)data + 1, size - 1) : tn_str("", 0);
	struct tn_analysis analysis;
	struct tn_arena arena;

	tn_arena_init(&arena, TN_ANALYSIS_ARENA_MAX);
	/* To read the rules takes longer than the rest: every fourth text is judged. */
	if (analyse(&arena, text, shell, NULL, &analysis) && size && data[0] % 16 < 4)
		judge(&arena, &analysis);
	tn_arena_finish(&arena);
	check_both(text, shell);
	check_session(text, shell);
	type(text);
	return 0;
}
