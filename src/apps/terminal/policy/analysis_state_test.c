/* What an analysis may spend, what it says it could not see, and the names that it has learnt. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>

#include <cmocka.h>

#include "apps/terminal/limits.h"
#include "apps/terminal/policy/internal.h"
#include "base/mem.h"

struct fixture {
	struct tn_arena arena;
	struct tn_analyser a;
};

static void begin(struct fixture *f, size_t limit)
{
	tn_arena_init(&f->arena, limit);
	f->a = (struct tn_analyser){.arena = &f->arena};
}

static void end(struct fixture *f)
{
	tn_mem_free(f->a.words.items);
	tn_arena_finish(&f->arena);
}

static void the_first_reason_stays(void **state)
{
	struct fixture f;

	(void)state;
	begin(&f, TN_MIB);
	tn_analysis_opaque(&f.a, "one");
	tn_analysis_opaque(&f.a, "two");
	assert_true(tn_str_is(f.a.opaque_because, "one"));
	assert_false(f.a.hidden); /* the other is of its own */
	tn_analysis_hidden_at(&f.a, "it is masked", TN_STR("x y"));
	tn_analysis_hidden(&f.a, "later");
	assert_true(tn_str_is(f.a.hidden_because, "it is masked, near \"x y\""));
	end(&f);
}

/* Who ran out of work reads nothing more, and the caller is told that it is hidden: what was not
 * looked at could be anything. */
static void work_has_an_end(void **state)
{
	struct fixture f;
	unsigned steps = 0;

	(void)state;
	begin(&f, TN_MIB);
	while (!tn_analysis_stopped(&f.a) && steps < 1000) {
		tn_analysis_spend(&f.a, 1024);
		steps++;
	}
	assert_in_range(steps, 100, 400); /* some 20 ms */
	assert_true(f.a.spent && f.a.hidden);
	assert_false(tn_analysis_enter(&f.a, 0));
	end(&f);
}

static void depth_has_an_end(void **state)
{
	struct fixture f;
	unsigned deep = 0;

	(void)state;
	begin(&f, TN_MIB);
	while (tn_analysis_enter(&f.a, 0))
		deep++;
	assert_int_equal(deep, TN_ANALYSIS_DEPTH_MAX);
	assert_true(f.a.hidden);
	assert_false(tn_analysis_stopped(&f.a)); /* what stands beside it is still read */
	tn_analysis_leave(&f.a);
	assert_true(tn_analysis_enter(&f.a, 0));
	end(&f);
}

/* No memory is told once, and for good: nothing is judged by half of it. */
static void memory_that_ends_stops_everything(void **state)
{
	struct fixture f;

	(void)state;
	begin(&f, 4096);
	assert_null(tn_analysis_alloc(&f.a, SIZE_MAX / 2, 16));
	assert_true(f.a.starved && tn_analysis_stopped(&f.a));
	assert_null(tn_analysis_alloc(&f.a, 1, 1)); /* though this would fit */
	assert_false(tn_analysis_enter(&f.a, 0));
	end(&f);
}

static void the_latest_name_is_found_and_the_older_ones_come_back(void **state)
{
	struct tn_shell_name *list = NULL;
	struct fixture f;

	(void)state;
	begin(&f, TN_MIB);
	tn_analysis_learn(&f.a, &list, TN_STR("x"), TN_STR("1"));
	tn_analysis_learn(&f.a, &list, TN_STR("y"), TN_STR("2"));
	tn_analysis_learn(&f.a, &list, TN_STR("x"), TN_STR("3"));
	assert_int_equal(f.a.name_count, 2); /* set anew, not twice there */
	assert_true(tn_str_is(tn_analysis_lookup(list, TN_STR("x"))->value, "3"));
	assert_null(tn_analysis_lookup(list, TN_STR("z")));
	tn_analysis_shadow(&f.a, &list, TN_STR("y"), TN_STR("inner"));
	assert_true(tn_str_is(tn_analysis_lookup(list, TN_STR("y"))->value, "inner"));
	list = list->next;
	assert_true(tn_str_is(tn_analysis_lookup(list, TN_STR("y"))->value, "2"));
	end(&f);
}

/* An alias that is being looked at, and what the session knew before, are not written over. */
static void names_in_use_and_known_before_stay(void **state)
{
	struct tn_shell_name known = {.name = TN_STR("ll"),
				      .value = TN_STR("ls"),
				      .is_known_before = true},
			     busy = {.next = &known,
				     .name = TN_STR("x"),
				     .value = TN_STR("1"),
				     .busy = true};
	struct tn_shell_name *list = &busy;
	struct fixture f;

	(void)state;
	begin(&f, TN_MIB);
	tn_analysis_learn(&f.a, &list, TN_STR("ll"), TN_STR("rm"));
	tn_analysis_learn(&f.a, &list, TN_STR("x"), TN_STR("2"));
	assert_true(tn_str_is(known.value, "ls") && tn_str_is(busy.value, "1"));
	assert_true(tn_str_is(tn_analysis_lookup(list, TN_STR("ll"))->value, "rm"));
	assert_true(tn_str_is(tn_analysis_lookup(list, TN_STR("x"))->value, "2"));
	end(&f);
}

static void names_have_an_end(void **state)
{
	struct tn_shell_name *list = NULL;
	struct fixture f;
	unsigned known = 0;

	(void)state;
	begin(&f, TN_MIB);
	while (!f.a.hidden && known < 100000) {
		const char *name = tn_arena_format(&f.arena, "n%u", known++);

		tn_analysis_learn(&f.a, &list, tn_str_from(name), TN_STR("v"));
	}
	assert_in_range(known, 100, 10000);
	assert_null(
		tn_analysis_lookup(list, tn_str_from(tn_arena_format(&f.arena, "n%u", known - 1))));
	end(&f);
}

static void words_are_a_stack(void **state)
{
	struct fixture f;
	char text[16];

	(void)state;
	begin(&f, TN_MIB);
	for (unsigned i = 0; i < 1000; i++)
		tn_analysis_push_word(&f.a, TN_STR("word"), i);
	assert_int_equal(f.a.words.count, 1000);
	for (unsigned i = 0; i < 1000; i++)
		assert_int_equal(f.a.words.items[i].flags, i);
	(void)snprintf(text, sizeof(text), "/usr/bin/%s", "rm");
	assert_true(tn_str_is(tn_base_name(tn_str_from(text)), "rm"));
	assert_true(tn_str_is(tn_base_name(TN_STR("rm")), "rm"));
	assert_true(tn_str_is(tn_base_name(TN_STR("bin/")), ""));
	assert_true(tn_str_is(tn_base_name(TN_STR("")), ""));
	end(&f);
}

static void lists_of_words(void **state)
{
	(void)state;
	assert_true(tn_analysis_is_one_of(TN_STR("b"), "a b c"));
	assert_true(tn_analysis_is_one_of(TN_STR("c"), "a b c"));
	assert_true(tn_analysis_is_one_of(TN_STR("a"), "a"));
	assert_false(tn_analysis_is_one_of(TN_STR("a b"), "ab c"));
	assert_false(tn_analysis_is_one_of(TN_STR("ab"), "a b abc"));
	assert_false(tn_analysis_is_one_of(TN_STR(""), "a b"));
	assert_false(tn_analysis_is_one_of(TN_STR("a"), ""));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_first_reason_stays),
		cmocka_unit_test(work_has_an_end),
		cmocka_unit_test(depth_has_an_end),
		cmocka_unit_test(memory_that_ends_stops_everything),
		cmocka_unit_test(the_latest_name_is_found_and_the_older_ones_come_back),
		cmocka_unit_test(names_in_use_and_known_before_stay),
		cmocka_unit_test(names_have_an_end),
		cmocka_unit_test(words_are_a_stack),
		cmocka_unit_test(lists_of_words),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
