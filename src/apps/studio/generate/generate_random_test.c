/* Random diagrams full of hostile texts: nothing that was typed becomes syntax (ST-144), the same
 * diagram gives the same bytes (ST-070). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

#include "apps/studio/generate/generate_check.h"
#include "apps/studio/generate/generate_hostile.h"
#include "apps/studio/limits.h"

enum { DIAGRAMS = 400 };

/* ST-144, ST-070 */
static void test_random_diagrams(void **state)
{
	struct tn_studio_gen_kit kit;
	struct tn_arena arena;
	struct tn_buf diagram, config;
	size_t blocks = 0;
	(void)state;
	assert_true(tn_studio_gen_kit_init(&kit));
	tn_arena_init(&arena, TN_STUDIO_ARENA_MAX);
	tn_buf_init(&diagram, TN_STUDIO_RESULT_BYTES_MAX);
	tn_buf_init(&config, TN_STUDIO_RESULT_BYTES_MAX);
	for (uint64_t seed = 1; seed <= DIAGRAMS; seed++) {
		tn_studio_hostile_diagram(kit.registry, seed, &diagram, &config);
		assert_true(tn_studio_gen_kit_load(&kit, tn_buf_str(&diagram), tn_buf_str(&config),
						   false));
		assert_true(tn_studio_gen_kit_run(&kit, NULL));
		const char *wrong = tn_studio_generated_check(&kit, &arena);
		if (wrong)
			print_error("seed %llu: %s\n", (unsigned long long)seed, wrong);
		assert_null(wrong);
		blocks += kit.generated.address_count;
		struct tn_str digest = kit.generated.digest;
		assert_true(tn_studio_gen_kit_run(&kit, NULL));
		assert_true(tn_str_equal(digest, kit.generated.digest));
		tn_arena_reset(&arena);
	}
	assert_true(blocks > 2000);
	tn_buf_finish(&diagram);
	tn_buf_finish(&config);
	tn_arena_finish(&arena);
	tn_studio_gen_kit_finish(&kit);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_random_diagrams)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
