#include "base/str.h"

/* Eight characters at once: those that differ must be letters and differ in the case bit only. */
static bool equal_word_nocase(const char *a, const char *b)
{
	const uint64_t ones = UINT64_C(0x0101010101010101), tops = ones << 7, cases = ones << 5;
	uint64_t left, right, differ, low, letters;

	memcpy(&left, a, sizeof(left));
	memcpy(&right, b, sizeof(right));
	differ = left ^ right;
	if (differ == 0)
		return true;
	if (differ & ~cases)
		return false;
	left |= cases;
	low = left & ~tops;
	/* The top bit of each byte: from 'a' on, but not after 'z', and ASCII at all. */
	letters = (low + ones * (0x80 - 'a')) & ~(low + ones * (0x80 - 'z' - 1)) & ~left;
	return ((differ << 2) & ~letters) == 0;
}

bool tn_str_equal_nocase(struct tn_str a, struct tn_str b)
{
	size_t at = 0;

	if (a.size != b.size)
		return false;
	if (a.size < sizeof(uint64_t)) {
		for (; at < a.size; at++) {
			if (tn_to_lower(a.data[at]) != tn_to_lower(b.data[at]))
				return false;
		}
		return true;
	}
	for (; a.size - at > sizeof(uint64_t); at += sizeof(uint64_t)) {
		if (!equal_word_nocase(a.data + at, b.data + at))
			return false;
	}
	at = a.size - sizeof(uint64_t); /* the last eight, some of them perhaps once more */
	return equal_word_nocase(a.data + at, b.data + at);
}

bool tn_str_starts(struct tn_str text, struct tn_str prefix)
{
	return text.size >= prefix.size && tn_str_equal(tn_str(text.data, prefix.size), prefix);
}

bool tn_str_ends(struct tn_str text, struct tn_str suffix)
{
	return text.size >= suffix.size &&
	       tn_str_equal(tn_str_from_offset(text, text.size - suffix.size), suffix);
}

int tn_str_compare(struct tn_str a, struct tn_str b)
{
	size_t shared = a.size < b.size ? a.size : b.size;
	int order = shared ? memcmp(a.data, b.data, shared) : 0;

	if (order != 0 || a.size == b.size)
		return order;
	return a.size < b.size ? -1 : 1;
}

static bool is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

struct tn_str tn_str_trim(struct tn_str text)
{
	while (text.size && is_blank(text.data[0])) {
		text.data++;
		text.size--;
	}
	while (text.size && is_blank(text.data[text.size - 1]))
		text.size--;
	return text;
}

size_t tn_str_find(struct tn_str text, struct tn_str needle)
{
	const char *hit;

	if (needle.size == 0)
		return 0;
	if (text.size < needle.size)
		return TN_STR_NONE;
	hit = memmem(text.data, text.size, needle.data, needle.size);
	return hit ? (size_t)(hit - text.data) : TN_STR_NONE;
}

size_t tn_str_find_byte(struct tn_str text, char byte)
{
	const char *hit = text.size ? memchr(text.data, byte, text.size) : NULL;

	return hit ? (size_t)(hit - text.data) : TN_STR_NONE;
}

bool tn_str_to_uint(struct tn_str text, uint64_t *ret_value)
{
	uint64_t value = 0;

	if (text.size == 0 || text.size > 19)
		return false;
	for (size_t i = 0; i < text.size; i++) {
		if (!tn_is_digit(text.data[i]))
			return false;
		value = value * 10 + (uint64_t)(text.data[i] - '0');
	}
	if (value > INT64_MAX)
		return false;
	*ret_value = value;
	return true;
}

bool tn_str_equal_constant_time(struct tn_str a, struct tn_str b)
{
	volatile unsigned char difference = 0;

	if (a.size != b.size)
		return false;
	for (size_t i = 0; i < a.size; i++)
		difference |= (unsigned char)((unsigned char)a.data[i] ^ (unsigned char)b.data[i]);
	return difference == 0;
}

/* Multiply-and-fold over 8-byte words: fast on short keys, and seeded per table so that a peer
 * cannot choose keys that collide. */
uint64_t tn_str_hash(struct tn_str text, uint64_t seed)
{
	uint64_t hash = seed ^ (text.size * UINT64_C(0x9e3779b97f4a7c15));
	size_t i = 0;

	for (; i + 8 <= text.size; i += 8) {
		uint64_t word;

		memcpy(&word, text.data + i, sizeof(word));
		hash = (hash ^ word) * UINT64_C(0xff51afd7ed558ccd);
		hash ^= hash >> 32;
	}
	for (; i < text.size; i++)
		hash = (hash ^ (unsigned char)text.data[i]) * UINT64_C(0x100000001b3);
	hash ^= hash >> 33;
	hash *= UINT64_C(0xc4ceb9fe1a85ec53);
	return hash ^ (hash >> 33);
}
