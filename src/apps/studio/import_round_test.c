/* studio.md 18: what was generated, taken in again, generates the same text: every type of the
 * catalogue in all its variants. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "apps/studio/generate_variants.h"
#include "apps/studio/import_test_kit.h"
#include "base/limits.h"

struct rounds {
	size_t same, other;
	bool loud;
};

static void show(const char *label, const struct tn_studio_import_kit *kit,
		 const struct tn_studio_file *was)
{
	struct tn_str now = tn_studio_import_kit_file(kit, was->name);

	print_message("--- %s: %.*s\n%.*s+++\n%.*s\n%.*s\n", label, (int)was->name.size,
		      was->name.data, (int)was->text.size, was->text.data, (int)now.size, now.data,
		      (int)kit->answer.size, kit->answer.data);
}

static bool round_trip(struct tn_studio_gen_kit *made, const char *label, void *data)
{
	struct tn_studio_import_file files[16];
	struct tn_studio_import_options options = {.source = TN_STUDIO_FROM_CONFIG, .files = files};
	struct tn_studio_import_kit kit;
	struct rounds *rounds = data;
	bool same = true;

	for (size_t i = 0; i < made->generated.file_count; i++) {
		const struct tn_studio_file *file = &made->generated.files[i];

		if (!tn_str_ends(file->name, TN_STR(".example")))
			files[options.file_count++] =
				(struct tn_studio_import_file){file->name, file->text};
	}
	assert_true(tn_studio_import_kit_init(&kit, made->registry));
	if (!tn_studio_import_kit_take(&kit, &options))
		fail_msg("%s: %s %s", label, kit.fault.code, kit.fault.message);
	assert_true(tn_studio_import_kit_generate(&kit, "test"));
	for (size_t i = 0; i < made->generated.file_count; i++) {
		const struct tn_studio_file *file = &made->generated.files[i];

		if (tn_str_equal(file->text, tn_studio_import_kit_file(&kit, file->name)))
			continue;
		if (same && rounds->loud)
			show(label, &kit, file);
		same = false;
	}
	rounds->same += same;
	rounds->other += !same;
	tn_studio_import_kit_finish(&kit);
	return true;
}

static void test_every_variant(void **state)
{
	struct rounds rounds = {.loud = true};
	struct tn_studio_gen_kit kit;

	(void)state;
	assert_true(tn_studio_gen_kit_init(&kit));
	assert_true(tn_studio_each_variant(&kit, round_trip, &rounds) > 2000);
	print_message("%zu variants are the same, %zu are not\n", rounds.same, rounds.other);
	assert_int_equal(rounds.other, 0);
	tn_studio_gen_kit_finish(&kit);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_every_variant),
	};

	return cmocka_run_group_tests_name("studio_import_round", tests, NULL, NULL);
}
