/* studio.md 18: what was generated, taken in again, generates the same text: every type of the
 * catalogue in all its variants. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "apps/studio/generate/generate_variants.h"
#include "apps/studio/import/import_test_kit.h"

struct rounds {
	size_t same, other;
	bool loud;
};

static struct tn_str take_line(struct tn_str *text)
{
	size_t end = tn_str_find_byte(*text, '\n');
	struct tn_str line = tn_str(text->data, end == TN_STR_NONE ? text->size : end);

	*text = end == TN_STR_NONE ? TN_STR("") : tn_str_from_offset(*text, end + 1);
	return line;
}

/* The first line that is another. */
static void show(const char *label, struct tn_str name, struct tn_str was, struct tn_str now)
{
	struct tn_str before = TN_STR("");

	while (was.size > 0 || now.size > 0) {
		struct tn_str one = take_line(&was), other = take_line(&now);

		if (!tn_str_equal(one, other)) {
			(void)fprintf(stderr, "--- %s: %.*s\n   %.*s\n  -%.*s\n  +%.*s\n", label,
				      (int)name.size, name.data, (int)before.size, before.data,
				      (int)one.size, one.data, (int)other.size, other.data);
			return;
		}
		before = one;
	}
}

/* Without comments and empty lines: one says where a subscription's id comes from, and that depends
 * on whether the canvas has a box for it, which no configuration knows. */
static struct tn_str stripped(struct tn_arena *arena, struct tn_str text)
{
	char *out = tn_arena_alloc(arena, text.size + 1);
	size_t used = 0;

	assert_non_null(out);
	while (text.size > 0) {
		size_t end = tn_str_find_byte(text, '\n'), size = end + 1;
		struct tn_str line;

		if (end == TN_STR_NONE)
			size = text.size;
		line = tn_str_trim(tn_str(text.data, size));
		if (line.size > 0 && line.data[0] != '#') {
			memcpy(out + used, text.data, size);
			used += size;
		}
		text = tn_str_from_offset(text, size);
	}
	return tn_str(out, used);
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
		struct tn_str was = stripped(&kit.arena, file->text);
		struct tn_str now =
			stripped(&kit.arena, tn_studio_import_kit_file(&kit, file->name));

		if (tn_str_equal(was, now))
			continue;
		if (same && rounds->loud)
			show(label, file->name, was, now);
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
