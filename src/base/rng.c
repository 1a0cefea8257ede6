#include "base/rng.h"

#include <errno.h>
#include <sys/random.h>

#include "base/error.h"

void tn_rng_bytes(void *out, size_t size)
{
	char *at = out;

	while (size) {
		ssize_t got = getrandom(at, size, 0);

		if (got < 0 && errno == EINTR)
			continue;
		tn_assert(got > 0);
		at += got;
		size -= (size_t)got;
	}
}

uint64_t tn_rng_u64(void)
{
	uint64_t value;

	tn_rng_bytes(&value, sizeof(value));
	return value;
}

void tn_rng_token(char *out, size_t bytes)
{
	static const char digits[] = "abcdefghijklmnopqrstuvwxyz234567";
	unsigned char raw[64];
	unsigned bits = 0, held = 0;
	size_t at = 0;

	tn_assert(bytes <= sizeof(raw));
	tn_rng_bytes(raw, bytes);
	for (size_t i = 0; i < bytes; i++) {
		bits = bits << 8 | raw[i];
		held += 8;
		while (held >= 5) {
			held -= 5;
			out[at++] = digits[bits >> held & 31];
		}
	}
	if (held)
		out[at++] = digits[bits << (5 - held) & 31];
	out[at] = '\0';
}

void tn_rng_hex(char *out, size_t digits)
{
	static const char hex[] = "0123456789abcdef";

	tn_rng_bytes(out, digits);
	for (size_t i = 0; i < digits; i++)
		out[i] = hex[(unsigned char)out[i] & 15];
	out[digits] = '\0';
}
