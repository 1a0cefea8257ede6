/* size.h - arithmetic on sizes that came from outside. False means overflow; *ret is then
 * unspecified. Threads: any. */
#ifndef TN_BASE_SIZE_H
#define TN_BASE_SIZE_H

#include <stdbool.h>
#include <stddef.h>

static inline bool tn_size_add(size_t a, size_t b, size_t *ret)
{
	return !__builtin_add_overflow(a, b, ret);
}

static inline bool tn_size_mul(size_t a, size_t b, size_t *ret)
{
	return !__builtin_mul_overflow(a, b, ret);
}

#define TN_KIB ((size_t)1024)
#define TN_MIB ((size_t)1024 * 1024)

#define TN_COUNT(array) (sizeof(array) / sizeof((array)[0]))

/* The least power of two that is not less; 1 for 0. */
static inline size_t tn_size_power(size_t count)
{
	size_t power = 1;

	while (power < count)
		power *= 2;
	return power;
}

#endif
