#include <stdlib.h>

#include "base/size.h"
#include "jsonrpc/pattern_program.h"

#define CODE_MAX 0x10FFFFu

void tn_char_set_add(struct tn_char_set_builder *builder, uint32_t first, uint32_t last)
{
	if (builder->count == TN_CHAR_RANGES_MAX)
		builder->full = true;
	else
		builder->ranges[builder->count++] = (struct tn_char_range){first, last};
}

static int by_first(const void *a, const void *b)
{
	const struct tn_char_range *x = a, *y = b;

	return (x->first > y->first) - (x->first < y->first);
}

/* Sorts the ranges and joins those that touch. */
static void merge(struct tn_char_set_builder *builder)
{
	size_t kept = 0;

	qsort(builder->ranges, builder->count, sizeof(builder->ranges[0]), by_first);
	for (size_t i = 0; i < builder->count; i++) {
		struct tn_char_range range = builder->ranges[i];

		if (kept && range.first <= builder->ranges[kept - 1].last + 1) {
			if (range.last > builder->ranges[kept - 1].last)
				builder->ranges[kept - 1].last = range.last;
		} else {
			builder->ranges[kept++] = range;
		}
	}
	builder->count = kept;
}

void tn_char_set_negate(struct tn_char_set_builder *builder)
{
	struct tn_char_set_builder result = {.full = builder->full};
	uint32_t next = 0;

	merge(builder);
	for (size_t i = 0; i < builder->count; i++) {
		if (builder->ranges[i].first > next)
			tn_char_set_add(&result, next, builder->ranges[i].first - 1);
		next = builder->ranges[i].last + 1;
	}
	if (next <= CODE_MAX)
		tn_char_set_add(&result, next, CODE_MAX);
	*builder = result;
}

static const struct tn_char_range digit_ranges[] = {{'0', '9'}};
static const struct tn_char_range word_ranges[] = {{'0', '9'}, {'A', 'Z'}, {'_', '_'}, {'a', 'z'}};
/* ECMA-262 WhiteSpace and LineTerminator. */
static const struct tn_char_range space_ranges[] = {
	{0x09, 0x0D},     {0x20, 0x20},     {0xA0, 0xA0},     {0x1680, 0x1680}, {0x2000, 0x200A},
	{0x2028, 0x2029}, {0x202F, 0x202F}, {0x205F, 0x205F}, {0x3000, 0x3000}, {0xFEFF, 0xFEFF}};
static const struct tn_char_range line_ranges[] = {{'\n', '\n'}, {'\r', '\r'}, {0x2028, 0x2029}};

static const struct {
	char letter;
	bool negated;
	const struct tn_char_range *ranges;
	size_t count;
} classes[] = {
	{'d', false, digit_ranges, TN_COUNT(digit_ranges)},
	{'D', true, digit_ranges, TN_COUNT(digit_ranges)},
	{'w', false, word_ranges, TN_COUNT(word_ranges)},
	{'W', true, word_ranges, TN_COUNT(word_ranges)},
	{'s', false, space_ranges, TN_COUNT(space_ranges)},
	{'S', true, space_ranges, TN_COUNT(space_ranges)},
	{'.', true, line_ranges, TN_COUNT(line_ranges)},
};

void tn_char_set_add_class(struct tn_char_set_builder *builder, char letter)
{
	struct tn_char_set_builder class = {0};

	for (size_t i = 0; i < TN_COUNT(classes); i++) {
		if (classes[i].letter != letter)
			continue;
		for (size_t j = 0; j < classes[i].count; j++)
			tn_char_set_add(&class, classes[i].ranges[j].first,
					classes[i].ranges[j].last);
		if (classes[i].negated)
			tn_char_set_negate(&class);
	}
	for (size_t i = 0; i < class.count; i++)
		tn_char_set_add(builder, class.ranges[i].first, class.ranges[i].last);
}

const struct tn_char_set *tn_char_set_finish(struct tn_char_set_builder *builder,
					     struct tn_arena *arena)
{
	struct tn_char_set *set = tn_arena_alloc(arena, sizeof(*set));
	struct tn_char_range *ranges;

	merge(builder);
	ranges = tn_arena_alloc_array(arena, builder->count ? builder->count : 1, sizeof(*ranges));
	if (!set || !ranges)
		return NULL;
	for (size_t i = 0; i < builder->count; i++) {
		ranges[i] = builder->ranges[i];
		for (uint32_t c = ranges[i].first; c <= ranges[i].last && c < 128; c++)
			set->ascii[c / 64] |= UINT64_C(1) << (c % 64);
	}
	set->ranges = ranges;
	set->count = builder->count;
	return set;
}

bool tn_char_set_has(const struct tn_char_set *set, uint32_t code)
{
	size_t low = 0, high = set->count;

	if (code < 128)
		return set->ascii[code / 64] >> (code % 64) & 1;
	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (code > set->ranges[middle].last)
			low = middle + 1;
		else
			high = middle;
	}
	return low < set->count && code >= set->ranges[low].first;
}
