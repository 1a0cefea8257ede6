#include "apps/plan/explain/cidr.h"

#include "base/size.h"

enum { BITS = 32, BYTE_MAX = 255 };

struct range {
	uint32_t address;
	unsigned bits;
};

static bool read_bits(struct tn_str text, unsigned max, unsigned *ret)
{
	uint64_t bits;

	if (!tn_str_to_uint(text, &bits) || bits > max)
		return false;
	*ret = (unsigned)bits;
	return true;
}

/* "10.0.0.0/8", and one address alone. */
static bool read_range(struct tn_str text, struct range *ret)
{
	size_t slash = tn_str_find_byte(text, '/');
	struct tn_str rest = tn_str(text.data, slash == TN_STR_NONE ? text.size : slash);

	*ret = (struct range){0, BITS};
	if (slash != TN_STR_NONE &&
	    !read_bits(tn_str_from_offset(text, slash + 1), BITS, &ret->bits))
		return false;
	for (unsigned i = 0; i < 4; i++) {
		size_t dot = tn_str_find_byte(rest, '.');
		unsigned byte;

		if ((dot == TN_STR_NONE) != (i == 3) ||
		    !read_bits(tn_str(rest.data, dot == TN_STR_NONE ? rest.size : dot), BYTE_MAX,
			       &byte))
			return false;
		ret->address = ret->address << 8 | byte;
		rest = tn_str_from_offset(rest, dot == TN_STR_NONE ? rest.size : dot + 1);
	}
	return true;
}

static bool is_everybody(struct tn_str text)
{
	static const char *const words[] = {"*", "Internet", "Any"};

	for (size_t i = 0; i < TN_COUNT(words); i++)
		if (tn_str_equal_nocase(text, tn_str_from(words[i])))
			return true;
	return false;
}

unsigned tn_plan_internet_parts(struct tn_str range)
{
	size_t slash = tn_str_find_byte(range, '/');
	struct range four;
	unsigned bits;

	if (is_everybody(range))
		return TN_PLAN_LOW_HALF | TN_PLAN_HIGH_HALF;
	if (slash == TN_STR_NONE)
		return 0;
	if (tn_str_find_byte(range, ':') != TN_STR_NONE)
		return read_bits(tn_str_from_offset(range, slash + 1), 3, &bits) ? TN_PLAN_SIX : 0;
	if (!read_range(range, &four) || four.bits > 1)
		return 0;
	if (four.bits == 0)
		return TN_PLAN_LOW_HALF | TN_PLAN_HIGH_HALF;
	return four.address >> (BITS - 1) ? TN_PLAN_HIGH_HALF : TN_PLAN_LOW_HALF;
}

/* ---- put together ---- */

static bool touches(struct tn_plan_span one, struct tn_plan_span other)
{
	return one.first <= (uint64_t)other.last + 1 && other.first <= (uint64_t)one.last + 1;
}

static uint32_t size_of(struct tn_plan_span span)
{
	return span.last - span.first;
}

static void add_span(struct tn_plan_joined *joined, struct tn_plan_span span)
{
	unsigned smallest = 0;

	for (unsigned i = 0; i < joined->count;) {
		struct tn_plan_span at = joined->spans[i];

		if (!touches(at, span)) {
			i++;
			continue;
		}
		span.first = at.first < span.first ? at.first : span.first;
		span.last = at.last > span.last ? at.last : span.last;
		joined->spans[i] = joined->spans[--joined->count];
	}
	if (joined->count < TN_PLAN_JOINED_MAX) {
		joined->spans[joined->count++] = span;
		return;
	}
	for (unsigned i = 1; i < joined->count; i++)
		if (size_of(joined->spans[i]) < size_of(joined->spans[smallest]))
			smallest = i;
	if (size_of(joined->spans[smallest]) < size_of(span))
		joined->spans[smallest] = span;
}

/* Lists of "all but the private networks" leave these out. */
static void add_nobodys(struct tn_plan_joined *joined)
{
	static const struct tn_plan_span nobodys[] = {
		{0x00000000, 0x00ffffff}, /* 0.0.0.0/8 */
		{0x0a000000, 0x0affffff}, /* 10.0.0.0/8 */
		{0x64400000, 0x647fffff}, /* 100.64.0.0/10 */
		{0x7f000000, 0x7fffffff}, /* 127.0.0.0/8 */
		{0xa9fe0000, 0xa9feffff}, /* 169.254.0.0/16 */
		{0xac100000, 0xac1fffff}, /* 172.16.0.0/12 */
		{0xc0a80000, 0xc0a8ffff}, /* 192.168.0.0/16 */
		{0xe0000000, 0xffffffff}, /* 224.0.0.0/3 */
	};

	for (size_t i = 0; i < TN_COUNT(nobodys); i++)
		add_span(joined, nobodys[i]);
}

static bool holds_span(const struct tn_plan_joined *joined, uint32_t first, uint32_t last)
{
	for (unsigned i = 0; i < joined->count; i++)
		if (joined->spans[i].first <= first && last <= joined->spans[i].last)
			return true;
	return false;
}

bool tn_plan_is_wide_range(struct tn_str range)
{
	struct range four;

	return read_range(range, &four) && four.bits > 0 && four.bits <= BITS / 2;
}

static struct tn_plan_span span_of(struct range four)
{
	uint32_t rest = four.bits < BITS ? UINT32_MAX >> four.bits : 0;

	return (struct tn_plan_span){four.address & ~rest, four.address | rest};
}

bool tn_plan_is_nobodys(struct tn_str range)
{
	struct tn_plan_joined nobodys = {.count = 0};
	struct tn_plan_span span;
	struct range four;

	if (!read_range(range, &four))
		return false;
	span = span_of(four);
	add_nobodys(&nobodys);
	return holds_span(&nobodys, span.first, span.last);
}

unsigned tn_plan_join(struct tn_plan_joined *joined, struct tn_str range)
{
	unsigned parts = tn_plan_internet_parts(range);
	struct range four;

	if (!read_range(range, &four))
		return parts;
	if (joined->count == 0)
		add_nobodys(joined);
	add_span(joined, span_of(four));
	if (holds_span(joined, 0, UINT32_MAX >> 1))
		parts |= TN_PLAN_LOW_HALF;
	if (holds_span(joined, ~(UINT32_MAX >> 1), UINT32_MAX))
		parts |= TN_PLAN_HIGH_HALF;
	return parts;
}

bool tn_plan_range_holds(struct tn_str wide, struct tn_str narrow)
{
	struct range outer, inner;
	unsigned parts = tn_plan_internet_parts(wide);

	if (tn_str_equal(wide, narrow))
		return true;
	if (tn_str_find_byte(narrow, ':') != TN_STR_NONE)
		return parts & TN_PLAN_SIX;
	if (!read_range(narrow, &inner))
		return false;
	if (parts & TN_PLAN_LOW_HALF && parts & TN_PLAN_HIGH_HALF)
		return true;
	if (!read_range(wide, &outer) || outer.bits > inner.bits)
		return false;
	return outer.bits == 0 || (outer.address ^ inner.address) >> (BITS - outer.bits) == 0;
}
