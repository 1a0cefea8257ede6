/* The reserve, with a system that has no memory. This file replaces base/mem.c in its program. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/mem.h"
#include "base/reserve.h"

enum { AREA = 4096, BLOCKS = 16 };

static struct {
	bool is_short;
	long live;
} system_memory;

static void *counted(void *memory)
{
	system_memory.live += memory != NULL;
	return memory;
}

void *tn_mem_alloc(size_t size)
{
	return system_memory.is_short ? NULL : counted(calloc(1, size));
}

void *tn_mem_alloc_array(size_t count, size_t size)
{
	return system_memory.is_short ? NULL : counted(calloc(count, size));
}

void *tn_mem_resize(void *memory, size_t size)
{
	if (system_memory.is_short)
		return NULL;
	return memory ? realloc(memory, size) : counted(malloc(size));
}

char *tn_mem_copy_text(const char *text, size_t size)
{
	char *copy = system_memory.is_short ? NULL : counted(calloc(1, size + 1));

	if (copy)
		memcpy(copy, text, size);
	return copy;
}

void tn_mem_free(void *memory)
{
	system_memory.live -= memory != NULL;
	free(memory);
}

static void the_system_comes_first(void **state)
{
	_Alignas(16) char area[AREA];
	struct tn_reserve reserve = TN_RESERVE_OF(area);
	char *text, *more;

	(void)state;
	system_memory.is_short = false;
	text = tn_reserve_copy_text(&reserve, "text", 4);
	assert_int_equal(tn_reserve_live(&reserve), 0);
	assert_int_equal(system_memory.live, 1);
	/* It grows into the reserve, and what it was goes back to the system. */
	system_memory.is_short = true;
	more = tn_reserve_resize(&reserve, text, 100);
	assert_non_null(more);
	assert_string_equal(more, "text");
	assert_int_equal(system_memory.live, 0);
	assert_int_equal(tn_reserve_live(&reserve), 100);
	text = tn_reserve_copy_text(&reserve, "other", 5);
	assert_string_equal(text, "other");
	/* And back, when there is memory again. */
	system_memory.is_short = false;
	more = tn_reserve_resize(&reserve, more, 5000);
	assert_string_equal(more, "text");
	assert_int_equal(system_memory.live, 1);
	assert_int_equal(tn_reserve_live(&reserve), 6);
	tn_reserve_free(&reserve, text);
	tn_reserve_free(&reserve, more);
	tn_reserve_free(&reserve, NULL);
	assert_int_equal(system_memory.live, 0);
	assert_int_equal(tn_reserve_live(&reserve), 0);
}

static void what_does_not_fit_is_refused(void **state)
{
	_Alignas(16) char area[AREA];
	struct tn_reserve reserve = TN_RESERVE_OF(area);
	void *all;

	(void)state;
	system_memory.is_short = true;
	assert_null(tn_reserve_resize(&reserve, NULL, AREA));
	assert_null(tn_reserve_resize(&reserve, NULL, SIZE_MAX));
	assert_null(tn_reserve_alloc_array(&reserve, SIZE_MAX, 2));
	all = tn_reserve_alloc_array(&reserve, 1, AREA - 16);
	assert_non_null(all);
	assert_null(tn_reserve_resize(&reserve, NULL, 1));
	tn_reserve_free(&reserve, all);
	all = tn_reserve_resize(&reserve, NULL, AREA - 16);
	assert_non_null(all);
	tn_reserve_free(&reserve, all);
}

/* Blocks of every size come and go in every order; each keeps its bytes, and all of the area is
 * there again in the end. */
static void nothing_overlaps(void **state)
{
	_Alignas(16) char area[AREA];
	struct tn_reserve reserve = TN_RESERVE_OF(area);
	unsigned char *blocks[BLOCKS] = {0};
	size_t sizes[BLOCKS] = {0};
	uint32_t random = 1;
	unsigned refused = 0, taken = 0;

	(void)state;
	system_memory.is_short = true;
	for (int step = 0; step < 100000; step++) {
		size_t i = (random = random * 1664525u + 1013904223u) >> 28;
		size_t size = (random >> 8) % 600 + 1;
		unsigned char *next = tn_reserve_resize(&reserve, blocks[i], size);

		if (!next) {
			refused++;
			tn_reserve_free(&reserve, blocks[i]);
			blocks[i] = NULL;
			continue;
		}
		taken++;
		assert_int_equal((uintptr_t)next % 16, 0);
		for (size_t at = 0; blocks[i] && at < sizes[i] && at < size; at++)
			assert_int_equal(next[at], i);
		memset(next, (int)i, size);
		blocks[i] = next;
		sizes[i] = size;
	}
	assert_true(refused > 1000 && taken > 1000);
	for (size_t i = 0; i < BLOCKS; i++)
		tn_reserve_free(&reserve, blocks[i]);
	assert_int_equal(tn_reserve_live(&reserve), 0);
	assert_int_equal(system_memory.live, 0);
	blocks[0] = tn_reserve_resize(&reserve, NULL, AREA - 16);
	assert_non_null(blocks[0]);
	tn_reserve_free(&reserve, blocks[0]);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_system_comes_first),
		cmocka_unit_test(what_does_not_fit_is_refused),
		cmocka_unit_test(nothing_overlaps),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
