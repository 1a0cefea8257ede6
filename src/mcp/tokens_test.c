/* What a text costs a model (hosts.md HO-003): tests/daemon/budgets.py counts answers with a real
 * tokenizer; here is what must hold of any text. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "base/size.h"
#include "base/utf8.h"
#include "mcp/tokens.h"

static size_t tokens_of(const char *text)
{
	size_t tokens;

	assert_int_equal(tn_tokens_cut(tn_str_from(text), SIZE_MAX, &tokens).size, strlen(text));
	return tokens;
}

/* Counted with o200k, as the least that may be said of each. */
static void no_fewer_than_a_tokenizer_counts(void **state)
{
	static const struct {
		const char *text;
		size_t tokens;
	} cases[] = {
		{"", 0},
		{"9bd1c5e8-216f-43a7-8afa-c9cf5b47b1fb", 24},
		{"123456\n", 3},
		{"  \"name\": \"vnet-shop\"", 6},
		{"azurerm/networking/virtual_network", 6},
		{"10.20.1.0/24", 9},
		{"332.828 286.918 333.02 286.918", 15},
		{"cfabacad-62c6-4f3a-9dcb-efab6dcfbeda", 23},
		{"This is a plain sentence.", 6},
		{"\xe4\xb8\xad\xe6\x96\x87", 2},
	};

	(void)state;
	for (size_t i = 0; i < TN_COUNT(cases); i++)
		assert_true(tokens_of(cases[i].text) >= cases[i].tokens);
}

/* A word is not taken for its letters. */
static void prose_is_not_overrated(void **state)
{
	(void)state;
	assert_true(tokens_of("the rest of it can be read at the address below") <= 12);
	assert_true(tokens_of("                                        x") <= 5);
	assert_true(tokens_of("----------------------------------------") <= 12);
}

static void a_cut_ends_behind_a_character_and_within_the_bound(void **state)
{
	static const char text[] = "Zürich \xf0\x9f\x8f\x94 10.0.0.0/8 -> CamelCase\n\xe4\xb8\xad";
	size_t all = tokens_of(text), before = 0;

	(void)state;
	for (size_t max = 0; max <= all; max++) {
		size_t tokens, rest;
		struct tn_str head = tn_tokens_cut(tn_str_from(text), max, &tokens);

		assert_true(tokens <= max && head.size >= before);
		assert_true(tn_utf8_valid(head.data, head.size));
		/* What is left costs what it would have cost, or a token more. */
		(void)tn_tokens_cut(tn_str_from(text + head.size), SIZE_MAX, &rest);
		assert_true(tokens + rest >= all && tokens + rest <= all + 1);
		before = head.size;
	}
	assert_int_equal(before, strlen(text));
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(no_fewer_than_a_tokenizer_counts),
		cmocka_unit_test(prose_is_not_overrated),
		cmocka_unit_test(a_cut_ends_behind_a_character_and_within_the_bound),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
