/* R5 to R8 of any modules: the effective registry is made of the last valid entry of each type,
 * whole, and reading what was written changes nothing. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "apps/workbench/registry/registry_test_kit.h"
#include "base/rng.h"

enum { TYPES = 6, MODULES = 4, ENTRY_SIZE = 600, MODULE_SIZE = TYPES * ENTRY_SIZE + 100 };

static uint64_t random_state;

static unsigned pick(unsigned count)
{
	random_state = random_state * 6364136223846793005u + 1442695040888963407u;
	return (unsigned)(random_state >> 33) % count;
}

static void make_entry(char out[ENTRY_SIZE], unsigned type, unsigned number)
{
	static const char *const props[] = {
		"",
		"\"p\":{\"label\":\"L\",\"exposure\":{\"kind\":\"opaque\",\"reason\":\"r\"}}",
		"\"p\":{\"exposure\":{\"kind\":\"editable\",\"control\":{\"kind\":\"number\"},"
		"\"constraints\":{\"max\":5}}},\"q\":{\"exposure\":{\"kind\":\"inspectOnly\"}}",
		"\"q\":{\"order\":2,\"exposure\":{\"kind\":\"editable\",\"control\":{\"kind\":"
		"\"boolean\"},\"uiDefaultValue\":true}},\"p\":7",
	};
	static const char *const more[] = {
		"", ",\"tags\":[\"t\"]", ",\"description\":\"d\"",
		",\"implementation\":{\"kind\":\"package\",\"specifier\":\"kit\"}"};

	(void)snprintf(out, ENTRY_SIZE, "\"t%u\":{\"displayName\":\"N%u\",\"props\":{%s}%s}", type,
		       number, props[pick(TN_COUNT(props))], more[pick(TN_COUNT(more))]);
}

static void append(char *text, size_t size, const char *more)
{
	size_t used = strlen(text);

	(void)snprintf(text + used, size - used, "%s", more);
}

static void append_entry(char *text, const char *entry)
{
	if (text[strlen(text) - 1] != '{')
		append(text, MODULE_SIZE, ",");
	append(text, MODULE_SIZE, entry);
}

struct modules {
	char texts[MODULES][MODULE_SIZE], winners[MODULE_SIZE];
	char last[TYPES][ENTRY_SIZE];
};

/* In each module some types, some of them invalid; of each type the last valid entry is noted. */
static void make_modules(struct modules *m)
{
	static const char begin[] = "{\"schemaVersion\":\"v0\",\"components\":{";
	char entry[ENTRY_SIZE];

	memset(m, 0, sizeof(*m));
	for (unsigned i = 0; i < MODULES; i++) {
		append(m->texts[i], MODULE_SIZE, begin);
		for (unsigned type = 0; type < TYPES; type++) {
			unsigned kind = pick(4);

			if (kind == 0)
				continue;
			make_entry(entry, type, i);
			if (kind == 1)
				(void)snprintf(entry, sizeof(entry), "\"t%u\":{\"props\":{}}",
					       type);
			else
				memcpy(m->last[type], entry, sizeof(entry));
			append_entry(m->texts[i], entry);
		}
		append(m->texts[i], MODULE_SIZE, "}}");
	}
	append(m->winners, MODULE_SIZE, begin);
	for (unsigned type = TYPES; type-- > 0;) {
		if (m->last[type][0])
			append_entry(m->winners, m->last[type]);
	}
	append(m->winners, MODULE_SIZE, "}}");
}

static const char *text_of(struct tn_wb_kit *kit)
{
	return tn_arena_copy(&kit->arena, tn_wb_registry_text(kit->registry));
}

static void check_modules(struct modules *m)
{
	struct tn_wb_kit all, winners, again;
	struct tn_wb_kit_inputs inputs = {.inferred = m->texts[0],
					  .modules = {m->texts[1], m->texts[2], m->texts[3]}};

	tn_wb_kit_compose(&all, &inputs);
	inputs = (struct tn_wb_kit_inputs){.modules = {m->winners}};
	tn_wb_kit_compose(&winners, &inputs);
	assert_string_equal(text_of(&all), text_of(&winners));
	inputs.modules[0] = text_of(&all);
	tn_wb_kit_compose(&again, &inputs);
	assert_string_equal(text_of(&again), text_of(&all));
	assert_string_equal(tn_wb_kit_told(&again), "");
	assert_true(tn_wb_registry_equal(winners.registry, again.registry));
	tn_wb_kit_finish(&again);
	tn_wb_kit_finish(&winners);
	tn_wb_kit_finish(&all);
}

static void the_last_valid_entry_wins_whole(void **state)
{
	const char *seed = getenv("TENON_SEED");
	struct modules *m = test_malloc(sizeof(*m));

	(void)state;
	random_state = seed ? strtoull(seed, NULL, 10) : tn_rng_u64();
	print_message("TENON_SEED=%llu\n", (unsigned long long)random_state);
	for (int i = 0; i < 500; i++) {
		make_modules(m);
		check_modules(m);
	}
	test_free(m);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_last_valid_entry_wins_whole),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
