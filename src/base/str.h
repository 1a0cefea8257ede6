/* str.h - a slice of bytes owned by somebody else, and what is asked of such slices.
 *
 * A slice is not NUL-terminated unless its maker says so; it lives as long as its owner's bytes.
 * Threads: any. Nothing here depends on the locale. */
#ifndef TN_BASE_STR_H
#define TN_BASE_STR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

struct tn_str {
	const char *data; /* may be NULL when size is 0 */
	size_t size;      /* bytes */
};

#define TN_STR(literal) ((struct tn_str){(literal), sizeof(literal) - 1})

static inline struct tn_str tn_str(const char *data, size_t size)
{
	return (struct tn_str){data, size};
}

static inline struct tn_str tn_str_from(const char *text) /* NULL gives the empty slice */
{
	return (struct tn_str){text, text ? strlen(text) : 0};
}

static inline bool tn_str_equal(struct tn_str a, struct tn_str b)
{
	return a.size == b.size && (a.size == 0 || memcmp(a.data, b.data, a.size) == 0);
}

static inline bool tn_str_is(struct tn_str a, const char *text)
{
	/* Tables are searched by this: most of them differ in the first letter. */
	if (!a.size || !text || a.data[0] != text[0])
		return !a.size && (!text || !text[0]);
	return tn_str_equal(a, tn_str_from(text));
}

bool tn_str_equal_nocase(struct tn_str a, struct tn_str b); /* ASCII letters only */
bool tn_str_starts(struct tn_str text, struct tn_str prefix);
bool tn_str_ends(struct tn_str text, struct tn_str suffix);
int tn_str_compare(struct tn_str a, struct tn_str b); /* bytewise: <0, 0, >0 */
struct tn_str tn_str_trim(struct tn_str text);        /* space, tab, CR, LF at both ends */

#define TN_STR_NONE ((size_t)-1)
size_t tn_str_find(struct tn_str text, struct tn_str needle); /* offset or TN_STR_NONE */
size_t tn_str_find_byte(struct tn_str text, char byte);       /* offset or TN_STR_NONE */

/* The rest of `text` from `offset`; empty when past the end. */
static inline struct tn_str tn_str_from_offset(struct tn_str text, size_t offset)
{
	return offset < text.size ? tn_str(text.data + offset, text.size - offset) : tn_str("", 0);
}

/* Decimal digits only, at most 2^63 - 1. */
bool tn_str_to_uint(struct tn_str text, uint64_t *ret_value);

/* True when both have equal size and bytes; the time taken does not depend on where they differ.
 * For secrets. */
bool tn_str_equal_constant_time(struct tn_str a, struct tn_str b);

/* For hash tables. Not for secrets and not stable across versions. */
uint64_t tn_str_hash(struct tn_str text, uint64_t seed);

static inline bool tn_is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static inline bool tn_is_alpha(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

static inline char tn_to_lower(char c)
{
	return c >= 'A' && c <= 'Z' ? (char)(c + ('a' - 'A')) : c;
}

#endif
