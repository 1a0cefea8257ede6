/* Address ranges (studio.md 6.4). */
#include "apps/studio/cidr.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static struct tn_cidr range_of(const char *text)
{
	struct tn_cidr range;

	assert_true(tn_cidr_parse(tn_str_from(text), &range));
	return range;
}

static void expect_text(const struct tn_cidr *range, const char *wanted)
{
	char text[TN_CIDR_TEXT_SIZE];

	tn_cidr_format(range, text);
	assert_string_equal(text, wanted);
}

static void ranges_are_read(void **state)
{
	static const char *const wrong[] = {"",
					    "10.0.0.0",
					    "10.0.0.0/33",
					    "10.0.0/8",
					    "10.0.0.0/08",
					    "10.0.0.256/8",
					    "::/129",
					    "10.0.0.0/",
					    "10.0.0.0/-1",
					    "10.0.0.0/1e1",
					    " 10.0.0.0/8",
					    "010.0.0.0/8",
					    "10.0.0.0/8 ",
					    "a.b.c.d/8",
					    "fe80::1%1/64"};
	struct tn_cidr range;

	(void)state;
	for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++)
		assert_false(tn_cidr_parse(tn_str_from(wrong[i]), &range));
	assert_false(tn_cidr_parse(tn_str("10.0.0.0\0/8", 11), &range));
	range = range_of("10.20.0.0/16");
	expect_text(&range, "10.20.0.0/16");
	range = range_of("2001:DB8::/32");
	expect_text(&range, "2001:db8::/32");
	range = range_of("0.0.0.0/0");
	expect_text(&range, "0.0.0.0/0");
}

static void bits_behind_the_prefix_are_seen(void **state)
{
	static const char *const pairs[][2] = {{"10.0.0.1/16", "10.0.0.0/16"},
					       {"10.0.128.0/16", "10.0.0.0/16"},
					       {"255.255.255.255/31", "255.255.255.254/31"},
					       {"1.2.3.4/0", "0.0.0.0/0"},
					       {"2001:db8::1/64", "2001:db8::/64"}};

	(void)state;
	for (size_t i = 0; i < sizeof(pairs) / sizeof(pairs[0]); i++) {
		struct tn_cidr range = range_of(pairs[i][0]), masked = tn_cidr_masked(&range);

		assert_true(tn_cidr_has_host_bits(&range));
		assert_false(tn_cidr_has_host_bits(&masked));
		expect_text(&masked, pairs[i][1]);
	}
	assert_false(tn_cidr_has_host_bits(&(struct tn_cidr){.prefix = 0}));
}

static void expect_relation(const char *a, const char *b, bool contains, bool overlaps)
{
	struct tn_cidr one = range_of(a), other = range_of(b);

	assert_int_equal(tn_cidr_contains(&one, &other), contains);
	assert_int_equal(tn_cidr_overlaps(&one, &other), overlaps);
	assert_int_equal(tn_cidr_overlaps(&other, &one), overlaps);
}

static void relations_are_exact(void **state)
{
	(void)state;
	expect_relation("10.0.0.0/16", "10.0.1.0/24", true, true);
	expect_relation("10.0.1.0/24", "10.0.0.0/16", false, true);
	expect_relation("10.0.0.0/24", "10.0.1.0/24", false, false);
	expect_relation("10.0.0.0/16", "10.0.0.0/16", true, true);
	expect_relation("0.0.0.0/0", "255.0.0.0/8", true, true);
	expect_relation("10.0.0.0/23", "10.0.1.255/32", true, true);
	expect_relation("10.0.0.0/23", "10.0.2.0/32", false, false);
	expect_relation("::/0", "10.0.0.0/8", false, false);
	expect_relation("2001:db8::/32", "2001:db8:1::/48", true, true);
}

static void the_first_free_range_is_found(void **state)
{
	struct tn_cidr ten = range_of("10.0.0.0/8"), net = range_of("10.0.0.0/24"), got;
	struct tn_cidr taken[] = {range_of("10.0.0.0/16"), range_of("10.2.0.0/15"),
				  range_of("10.1.4.0/24"), range_of("::/0")};
	struct tn_cidr small[] = {range_of("10.0.0.0/28"), range_of("10.0.0.32/27")};

	(void)state;
	assert_true(tn_cidr_first_free(&ten, 16, NULL, 0, &got));
	expect_text(&got, "10.0.0.0/16");
	assert_true(tn_cidr_first_free(&ten, 16, taken, 4, &got));
	expect_text(&got, "10.4.0.0/16");
	assert_true(tn_cidr_first_free(&net, 28, small, 2, &got));
	expect_text(&got, "10.0.0.16/28");
	assert_true(tn_cidr_first_free(&net, 26, small, 2, &got));
	expect_text(&got, "10.0.0.64/26");
	assert_false(tn_cidr_first_free(&net, 24, small, 2, &got));
	assert_false(tn_cidr_first_free(&net, 23, NULL, 0, &got));
	assert_true(tn_cidr_first_free(&net, 32, NULL, 0, &got));
	net = range_of("255.255.255.0/24");
	assert_true(tn_cidr_first_free(
		&net, 25, &(struct tn_cidr){.bytes = {255, 255, 255}, .prefix = 25}, 1, &got));
	expect_text(&got, "255.255.255.128/25");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(ranges_are_read),
		cmocka_unit_test(bits_behind_the_prefix_are_seen),
		cmocka_unit_test(relations_are_exact),
		cmocka_unit_test(the_first_free_range_is_found),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
