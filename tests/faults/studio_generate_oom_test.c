/* Every allocation of a generation fails once, and from then on always, and its arena ends
 * anywhere: no crash, no leak, and what comes out is whole or said not to be. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "apps/studio/generate/generate_hostile.h"
#include "apps/studio/generate/generate_test_kit.h"
#include "apps/studio/limits.h"
#include "short_memory.h"

static const struct tn_studio_generate_options options = {.project_name = TN_STR("short")};

/* In an arena of its own; true: it says that it is whole. */
static bool generate(struct tn_studio_gen_kit *kit, size_t limit, char ret_digest[65])
{
	struct tn_arena arena;
	struct tn_studio_diagnostics list;
	struct tn_studio_generated made;
	tn_arena_init(&arena, limit);
	tn_studio_diagnostics_init(&list, &arena);
	bool good = tn_studio_generate(&kit->document, &options, &arena, &list, &made);
	if (good) {
		assert_int_equal(made.digest.size, 64);
		memcpy(ret_digest, made.digest.data, 64);
		ret_digest[64] = '\0';
	}
	tn_arena_finish(&arena);
	return good;
}

static void load(struct tn_studio_gen_kit *kit, uint64_t seed)
{
	struct tn_buf diagram, config;
	tn_buf_init(&diagram, TN_STUDIO_RESULT_BYTES_MAX);
	tn_buf_init(&config, TN_STUDIO_RESULT_BYTES_MAX);
	tn_studio_hostile_diagram(kit->registry, seed, &diagram, &config);
	assert_true(tn_studio_gen_kit_load(kit, tn_buf_str(&diagram), tn_buf_str(&config), false));
	tn_buf_finish(&diagram);
	tn_buf_finish(&config);
}

static void fail_each(struct tn_studio_gen_kit *kit, bool goes_on, const char *whole)
{
	char digest[65];
	long live = fault.live;
	unsigned refused = 0;
	fault.hit = true;
	for (unsigned long nth = 1; fault.hit; nth++) {
		fault.armed = true;
		fault.goes_on = goes_on;
		fault.nth = nth;
		fault.count = 0;
		fault.hit = false;
		bool good = generate(kit, TN_STUDIO_ARENA_MAX, digest);
		fault.armed = false;
		assert_int_equal(fault.live, live);
		if (good)
			assert_string_equal(digest, whole);
		refused += !good;
	}
	assert_true(refused > 20);
}

static void test_allocations(void **state)
{
	struct tn_studio_gen_kit kit;
	(void)state;
	assert_true(tn_studio_gen_kit_init(&kit));
	for (uint64_t seed = 1; seed < 6; seed++) {
		char whole[65];
		load(&kit, seed);
		assert_true(generate(&kit, TN_STUDIO_ARENA_MAX, whole));
		fail_each(&kit, false, whole);
		fail_each(&kit, true, whole);
	}
	tn_studio_gen_kit_finish(&kit);
}

static void test_arenas(void **state)
{
	struct tn_studio_gen_kit kit;
	(void)state;
	assert_true(tn_studio_gen_kit_init(&kit));
	for (uint64_t seed = 1; seed < 6; seed++) {
		char whole[65], digest[65];
		unsigned refused = 0;
		load(&kit, seed);
		assert_true(generate(&kit, TN_STUDIO_ARENA_MAX, whole));
		for (size_t limit = 0; limit < 400 * TN_KIB; limit += 997) {
			if (generate(&kit, limit, digest))
				assert_string_equal(digest, whole);
			else
				refused++;
		}
		assert_true(refused > 10);
	}
	tn_studio_gen_kit_finish(&kit);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_allocations),
					   cmocka_unit_test(test_arenas)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
