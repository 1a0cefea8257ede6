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
