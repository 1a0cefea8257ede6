/* Outlines of signs, and what they are told as (SC-015). */
#include "apps/studio/picture/sign_path.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "apps/studio/picture/internal.h"
#include "base/limits.h"
#include "base/size.h"

static void written(const char *path, const char *expected)
{
	struct tn_studio_sign_step steps[TN_STUDIO_SIGN_STEPS_MAX];
	unsigned count = tn_studio_sign_parse(tn_str_from(path), steps);
	struct tn_buf out;

	tn_buf_init(&out, TN_MIB);
	tn_studio_sign_write(&out, steps, count);
	tn_buf_append_byte(&out, '\0');
	assert_string_equal(out.data, expected);
	tn_buf_finish(&out);
}

/* Absolute steps that every reader of SVG takes; circles as arcs. */
static void outlines(void **state)
{
	(void)state;
	written("M2 3L20 20", "M2 3L20 20");
	written("M2,2 l5,-5 h3 v3 z", "M2 2L7 -3L10 -3L10 0Z");
	written("M1 1C1 2 3 4 5 6c1 1 2 2 3 3", "M1 1C1 2 3 4 5 6C6 7 7 8 8 9");
	written("M0 0Q3 3 6 0", "M0 0C2 2 4 2 6 0");
	written("O12 12 4", "M8 12A4 4 0 1 1 16 12A4 4 0 1 1 8 12Z");
	written("M-1.5-.5L.5.5", "M-1.5 -0.5L0.5 0.5");
}

/* What is no outline is none at all, not the beginning of one. */
static void mistakes(void **state)
{
	static const char *const paths[] = {
		"",         "M",          "M1",           "Mxxxx",        "M1 1L99999999999 5",
		"M1 1K5 5", "O",          "O1 1",         "O1 1 0",       "L5 5",
		"Z",        "O5 5 2L1 1", "C1 1 1 1 1 1", "no such sign", "M1 1A1 1 0 0 0 2 2",
		"M1 1 2 2", "M1 1L2 2<"};
	char many[TN_STUDIO_SIGN_STEPS_MAX * 5];
	struct tn_studio_sign_step steps[TN_STUDIO_SIGN_STEPS_MAX];
	size_t size = 0;

	(void)state;
	for (size_t i = 0; i < TN_COUNT(paths); i++) {
		if (tn_studio_sign_parse(tn_str_from(paths[i]), steps) != 0)
			fail_msg("'%s' was taken", paths[i]);
	}
	for (; size < TN_STUDIO_SIGN_STEPS_MAX * 4; size += 4)
		memcpy(many + size, "M1 1", 4);
	assert_int_equal(tn_studio_sign_parse(tn_str(many, size), steps), TN_STUDIO_SIGN_STEPS_MAX);
	memcpy(many + size, "M1 1", 4);
	assert_int_equal(tn_studio_sign_parse(tn_str(many, size + 4), steps), 0);
}

static bool same_sign(const struct tn_studio_type *a, const struct tn_studio_type *b)
{
	struct tn_buf one, other;
	bool same;

	tn_buf_init(&one, TN_MIB);
	tn_buf_init(&other, TN_MIB);
	tn_studio_put_sign(&one, a);
	tn_studio_put_sign(&other, b);
	assert_true(one.size > 0 && one.data[0] == 'M');
	same = tn_str_equal(tn_buf_str(&one), tn_buf_str(&other));
	tn_buf_finish(&one);
	tn_buf_finish(&other);
	return same;
}

static struct tn_studio_type named(const char *id, const char *category, const char *icon)
{
	return (struct tn_studio_type){.id = tn_str_from(id),
				       .category = tn_str_from(category),
				       .icon = icon ? tn_str_from(icon) : tn_str("", 0)};
}

/* "availability_set" is not "ai", a "windowed" thing is no window. */
static void whole_words(void **state)
{
	const struct tn_studio_type none = named("own/x/nothing", "x", NULL);
	const struct tn_studio_type ai = named("own/x/ai", "x", NULL);
	const struct tn_studio_type services = named("own/x/own-ai_services", "x", NULL);
	const struct tn_studio_type parts[] = {
		named("own/x/availability", "x", NULL), named("own/x/aid", "x", NULL),
		named("own/x/sai", "x", NULL), named("ai/ai/nothing", "x", NULL)};
	const struct tn_studio_type by_icon = named("own/x/ai", "x", "M2 2L9 9");
	const struct tn_studio_type bad_icon = named("own/x/ai", "x", "M2 2L9");

	(void)state;
	assert_true(same_sign(&ai, &services));
	assert_false(same_sign(&ai, &none));
	for (size_t i = 0; i < TN_COUNT(parts); i++)
		assert_true(same_sign(&parts[i], &none));
	assert_false(same_sign(&ai, &by_icon));
	assert_true(same_sign(&ai, &bad_icon));
	assert_int_equal(tn_studio_family_of(&(struct tn_studio_type){.category = TN_STR("mail")}),
			 TN_STUDIO_FAMILY_CORE);
	assert_int_equal(
		tn_studio_family_of(&(struct tn_studio_type){.category = TN_STR("own-ai")}),
		TN_STUDIO_FAMILY_AI);
}

/* SC-044: in one list of the palette every type has a sign of its own, and each is an outline. */
static void each_its_own(void **state)
{
	struct tn_studio_sign_step steps[TN_STUDIO_SIGN_STEPS_MAX];
	struct tn_studio_registry *registry;
	struct tenon_error err;

	(void)state;
	assert_int_equal(tn_studio_registry_built_in(&registry, &err), TENON_OK);
	for (size_t i = 0; i < registry->type_count; i++) {
		const struct tn_studio_type *one = registry->types[i];

		for (size_t k = 0; k < i; k++) {
			const struct tn_studio_type *other = registry->types[k];

			if (tn_str_equal(one->category, other->category) && same_sign(one, other))
				fail_msg("%.*s and %.*s", (int)one->id.size, one->id.data,
					 (int)other->id.size, other->id.data);
		}
	}
	for (size_t i = 0; i < tn_studio_sign_count; i++) {
		unsigned count = tn_studio_sign_parse(tn_str_from(tn_studio_signs[i].path), steps);

		if (count == 0)
			fail_msg("%s is no outline", tn_studio_signs[i].name);
		for (unsigned k = 0; k < count; k++)
			for (unsigned j = 0; j < 6; j++)
				assert_true(steps[k].at[j] >= 0 && steps[k].at[j] <= 24);
	}
	tn_studio_registry_unref(registry);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(outlines),
		cmocka_unit_test(mistakes),
		cmocka_unit_test(whole_words),
		cmocka_unit_test(each_its_own),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
