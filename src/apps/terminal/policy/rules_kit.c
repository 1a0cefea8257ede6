#include "apps/terminal/policy/rules_kit.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "apps/terminal/limits.h"

static const char *const roots[] = {"/srv/team/project", NULL};

static void judge(struct tn_rules_judged *j, const struct tn_rules *rules,
		  const struct tn_rules_row *row)
{
	const struct tn_analysis_surroundings around = {.cwd = "/home/ann/project",
							.shell = row->shell};
	const struct tn_rules_question question = {.analysis = &j->analysis,
						   .cwd = "/home/ann/project",
						   .home = "/home/ann",
						   .roots = roots};
	struct tenon_error err;

	tn_arena_init(&j->arena, TN_ANALYSIS_ARENA_MAX);
	assert_int_equal(tn_analyse(&j->arena, tn_str_from(row->text), &around, &j->analysis, &err),
			 TENON_OK);
	assert_int_equal(tn_rules_judge(rules, &j->arena, &question, &j->verdict, &err), TENON_OK);
}

void tn_rules_rows(const struct tn_rules *rules, const struct tn_rules_row *rows, size_t count,
		   tn_rules_expect_fn *expect)
{
	unsigned wrong = 0;

	for (size_t i = 0; i < count; i++) {
		struct tn_rules_judged j;
		const char *fault;

		judge(&j, rules, &rows[i]);
		fault = expect(&j);
		if (fault) {
			print_error("%s: %s (%s, hidden: %.*s, opaque: %.*s)\n", rows[i].text,
				    fault, tn_rule_action_name(j.verdict.action),
				    (int)j.analysis.hidden_because.size,
				    j.analysis.hidden ? j.analysis.hidden_because.data : "",
				    (int)j.analysis.opaque_because.size,
				    j.analysis.opaque ? j.analysis.opaque_because.data : "");
			wrong++;
		}
		tn_arena_finish(&j.arena);
	}
	assert_int_equal(wrong, 0);
}

struct tn_rules *tn_rules_of(const char *text)
{
	struct tn_rules *rules;
	struct tenon_error err;

	if (tn_rules_create(tn_str_from(text), &rules, &err) != TENON_OK)
		fail_msg("%s", err.message);
	return rules;
}

const char *tn_rules_denied(const struct tn_rules_judged *j)
{
	return j->verdict.action == TN_RULE_DENY ? NULL : "is not denied";
}

const char *tn_rules_asked(const struct tn_rules_judged *j)
{
	return j->verdict.action == TN_RULE_CONFIRM ? NULL : "is not asked about";
}

const char *tn_rules_stopped(const struct tn_rules_judged *j)
{
	return j->verdict.action != TN_RULE_ALLOW ? NULL : "is not asked about";
}

const char *tn_rules_allowed(const struct tn_rules_judged *j)
{
	return j->verdict.action == TN_RULE_ALLOW ? NULL : "is not allowed";
}

const char *tn_rules_plain(const struct tn_rules_judged *j)
{
	return j->verdict.action == TN_RULE_ALLOW && !j->analysis.hidden && !j->analysis.opaque
		       ? NULL
		       : "is not plainly allowed";
}

const char *tn_rules_unknown(const struct tn_rules_judged *j)
{
	return j->analysis.hidden || j->analysis.opaque ? NULL : "is neither hidden nor opaque";
}

const char *tn_rules_hidden(const struct tn_rules_judged *j)
{
	return j->analysis.hidden && j->verdict.action == TN_RULE_CONFIRM ? NULL
									  : "is not asked about";
}
