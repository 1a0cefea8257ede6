/* How often the rules are right: labelled changes (tests/data/plan-corpus), each as text and as
 * JSON. Prints how many of the dangerous ones `--fail-on high` stops, and how many of the harmless
 * ones; fails below the bar of the contract. With a word for an argument only that part is run, and
 * each mistake is named. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "apps/plan/explain/corpus_test.h"
#include "apps/plan/explain/sentence.h"
#include "apps/plan/read/reading_kit.h"
#include "base/size.h"

enum { HITS_MIN = 95, FALSE_ALARMS_MAX = 3 }; /* per cent */

struct tally {
	const char *part;
	unsigned dangerous, hit, harmless, alarmed, apart;
};

static bool is_found(const struct tn_plan *plan, const struct tn_plan_finding *wanted, bool levels)
{
	for (uint32_t i = 0; i < plan->finding_count; i++)
		if (strcmp(plan->findings[i].id, wanted->id) == 0 &&
		    (!levels || plan->findings[i].level == wanted->level))
			return true;
	return false;
}

static bool covers(const struct tn_plan *one, const struct tn_plan *other, bool levels)
{
	for (uint32_t i = 0; i < other->finding_count; i++)
		if (!is_found(one, &other->findings[i], levels))
			return false;
	return true;
}

static void show(const char *form, const struct corpus_change *change, const struct tn_plan *plan)
{
	printf("    %s %s: \"%.*s\" (%.*s)", change->dangerous ? "dangerous" : "harmless", form,
	       (int)change->name.size, change->name.data, (int)change->type.size,
	       change->type.data);
	for (uint32_t i = 0; i < plan->finding_count; i++)
		printf(" %s:%d", plan->findings[i].id, plan->findings[i].level);
	printf("\n");
}

static void judge(struct tally *tally, const struct corpus_change *change,
		  const struct tn_plan *plan, const char *form)
{
	bool stopped = plan->risk >= TN_PLAN_RISK_HIGH;

	tally->dangerous += change->dangerous;
	tally->harmless += !change->dangerous;
	tally->hit += change->dangerous && stopped;
	tally->alarmed += !change->dangerous && stopped;
	if (stopped != change->dangerous)
		show(form, change, plan);
}

/* Text hides what stays as it is, so it may know less of how bad it is, but not of what it is. */
static void take(const struct corpus_change *change, void *context)
{
	struct tally *tally = context;
	struct tn_buf text, json;
	struct tn_plan *from_text, *from_json;
	bool levels;

	tn_buf_init(&text, TN_MIB);
	tn_buf_init(&json, TN_MIB);
	corpus_put_text(&text, change);
	corpus_put_json(&json, change);
	if (getenv("CORPUS_SHOW"))
		printf("%.*s\n", (int)text.size, text.data);
	from_text = test_parse(tn_buf_str(&text));
	from_json = test_parse(tn_buf_str(&json));
	judge(tally, change, from_text, "text");
	judge(tally, change, from_json, "JSON");
	levels = from_text->changes[0].hidden_attributes == 0;
	if (!covers(from_text, from_json, levels) || !covers(from_json, from_text, levels)) {
		tally->apart++;
		show("text apart", change, from_text);
		show("JSON apart", change, from_json);
	}
	tn_plan_free(from_json);
	tn_plan_free(from_text);
	tn_buf_finish(&json);
	tn_buf_finish(&text);
}

static void check(const char *part)
{
	struct tally tally = {.part = part};
	char file[64];

	(void)snprintf(file, sizeof(file), "../plan-corpus/%s.txt", part);
	corpus_for_each(file, take, &tally);
	printf("%s: %u of %u dangerous changes are stopped (%u %%), %u of %u harmless ones are (%u "
	       "%%); text and JSON "
	       "differ in %u\n",
	       part, tally.hit, tally.dangerous, tally.hit * 100 / tally.dangerous, tally.alarmed,
	       tally.harmless, tally.alarmed * 100 / tally.harmless, tally.apart);
	assert_true(tally.hit * 100 >= tally.dangerous * HITS_MIN);
	assert_true(tally.alarmed * 100 <= tally.harmless * FALSE_ALARMS_MAX);
	assert_int_equal(tally.apart, 0);
}

static void rules_are_right_about_what_they_were_written_from(void **state)
{
	(void)state;
	check("read");
}

static void rules_are_right_about_what_was_never_read(void **state)
{
	(void)state;
	check("unread");
}

static void check_words(const struct corpus_change *change, const struct tn_buf *form,
			struct tn_str expected)
{
	struct tn_plan *plan;
	struct tn_buf out;

	if (!expected.data)
		return;
	plan = test_parse(tn_buf_str(form));
	tn_buf_init(&out, TN_MIB);
	tn_plan_put_sentence(&out, plan, &plan->changes[0], TN_PLAN_NON_TECHNICAL);
	if (!tn_str_equal(tn_buf_str(&out), expected))
		fail_msg("%.*s:\n  %.*s\nexpected\n  %.*s", (int)change->name.size,
			 change->name.data, (int)out.size, out.data, (int)expected.size,
			 expected.data);
	tn_buf_finish(&out);
	tn_plan_free(plan);
}

static void take_words(const struct corpus_change *change, void *context)
{
	struct tn_buf text, json;

	(void)context;
	tn_buf_init(&text, TN_MIB);
	tn_buf_init(&json, TN_MIB);
	corpus_put_text(&text, change);
	corpus_put_json(&json, change);
	check_words(change, &text, change->text_words);
	check_words(change, &json, change->json_words);
	tn_buf_finish(&json);
	tn_buf_finish(&text);
}

static void sentences_name_what_decides(void **state)
{
	(void)state;
	corpus_for_each("../plan-corpus/words.txt", take_words, NULL);
}

int main(int argc, char **argv)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(rules_are_right_about_what_they_were_written_from),
		cmocka_unit_test(rules_are_right_about_what_was_never_read),
		cmocka_unit_test(sentences_name_what_decides),
	};

	if (argc > 1)
		cmocka_set_test_filter(strcmp(argv[1], "read") == 0    ? "*written_from"
				       : strcmp(argv[1], "words") == 0 ? "sentences*"
								       : "*never_read");
	return cmocka_run_group_tests(tests, NULL, NULL);
}
