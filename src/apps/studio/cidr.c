#include "apps/studio/cidr.h"

#include <arpa/inet.h>
#include <stdio.h>

bool tn_cidr_parse(struct tn_str text, struct tn_cidr *ret)
{
	size_t slash = tn_str_find_byte(text, '/');
	struct tn_cidr range = {.v6 = false};
	char address[INET6_ADDRSTRLEN];
	struct tn_str length;
	uint64_t prefix;

	if (slash == TN_STR_NONE || slash >= sizeof(address))
		return false;
	memcpy(address, text.data, slash);
	address[slash] = '\0';
	length = tn_str_from_offset(text, slash + 1);
	if (strlen(address) != slash || length.size == 0 || length.size > 3 ||
	    !tn_str_to_uint(length, &prefix) || (length.size > 1 && length.data[0] == '0'))
		return false;
	if (inet_pton(AF_INET, address, range.bytes) != 1) {
		range.v6 = true;
		if (inet_pton(AF_INET6, address, range.bytes) != 1)
			return false;
	}
	if (prefix > (range.v6 ? 128u : 32u))
		return false;
	range.prefix = (unsigned)prefix;
	*ret = range;
	return true;
}

void tn_cidr_format(const struct tn_cidr *range, char out[TN_CIDR_TEXT_SIZE])
{
	char address[INET6_ADDRSTRLEN] = "";

	(void)inet_ntop(range->v6 ? AF_INET6 : AF_INET, range->bytes, address, sizeof(address));
	(void)snprintf(out, TN_CIDR_TEXT_SIZE, "%s/%u", address, range->prefix);
}

struct tn_cidr tn_cidr_masked(const struct tn_cidr *range)
{
	struct tn_cidr masked = *range;

	for (unsigned i = 0; i < 16; i++) {
		unsigned bits = range->prefix > 8 * i ? range->prefix - 8 * i : 0;

		if (bits < 8)
			masked.bytes[i] &= (uint8_t)(0xFF00u >> bits);
	}
	return masked;
}

bool tn_cidr_has_host_bits(const struct tn_cidr *range)
{
	struct tn_cidr masked = tn_cidr_masked(range);

	return memcmp(masked.bytes, range->bytes, sizeof(masked.bytes)) != 0;
}

bool tn_cidr_contains(const struct tn_cidr *outer, const struct tn_cidr *inner)
{
	struct tn_cidr cut = *inner, whole = tn_cidr_masked(outer);

	if (outer->v6 != inner->v6 || outer->prefix > inner->prefix)
		return false;
	cut.prefix = outer->prefix;
	cut = tn_cidr_masked(&cut);
	return memcmp(cut.bytes, whole.bytes, sizeof(cut.bytes)) == 0;
}

/* Ranges are blocks of a binary tree: they overlap when one holds the other. */
bool tn_cidr_overlaps(const struct tn_cidr *a, const struct tn_cidr *b)
{
	return tn_cidr_contains(a, b) || tn_cidr_contains(b, a);
}

int tn_cidr_compare(const struct tn_cidr *a, const struct tn_cidr *b)
{
	int order;

	if (a->v6 != b->v6)
		return a->v6 ? 1 : -1;
	order = memcmp(a->bytes, b->bytes, sizeof(a->bytes));
	if (order != 0)
		return order;
	return a->prefix < b->prefix ? -1 : a->prefix > b->prefix;
}

static uint64_t first_of(const struct tn_cidr *range)
{
	return (uint64_t)range->bytes[0] << 24 | (uint64_t)range->bytes[1] << 16 |
	       (uint64_t)range->bytes[2] << 8 | range->bytes[3];
}

static uint64_t size_of(unsigned prefix)
{
	return (uint64_t)1 << (32 - prefix);
}

bool tn_cidr_first_free(const struct tn_cidr *within, unsigned prefix, const struct tn_cidr *taken,
			size_t count, struct tn_cidr *ret)
{
	struct tn_cidr whole = tn_cidr_masked(within);
	uint64_t at, end, size;

	if (within->v6 || prefix > 32 || prefix < within->prefix)
		return false;
	at = first_of(&whole);
	end = at + size_of(whole.prefix);
	size = size_of(prefix);
	while (at + size <= end) {
		uint64_t next = at;

		for (size_t i = 0; i < count; i++) {
			struct tn_cidr one = tn_cidr_masked(&taken[i]);
			uint64_t from = first_of(&one), to;

			if (one.v6)
				continue;
			to = from + size_of(one.prefix);
			if (from < at + size && at < to && to > next)
				next = to;
		}
		if (next == at) {
			*ret = (struct tn_cidr){.prefix = prefix};
			for (unsigned i = 0; i < 4; i++)
				ret->bytes[i] = (uint8_t)(at >> (24 - 8 * i));
			return true;
		}
		at = (next + size - 1) / size * size; /* blocks begin at multiples of their size */
	}
	return false;
}
