#include "apps/studio/id.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/rng.h"

/* splitmix64: neighbours among the counters give numbers that look unlike. */
static uint64_t mix(uint64_t value)
{
	value += 0x9e3779b97f4a7c15u;
	value = (value ^ (value >> 30)) * 0xbf58476d1ce4e5b9u;
	value = (value ^ (value >> 27)) * 0x94d049bb133111ebu;
	return value ^ (value >> 31);
}

static void fixed_bytes(const char *seed, uint64_t counter, unsigned char out[16])
{
	uint64_t first = 0, second;

	for (; *seed; seed++)
		first = mix(first ^ (unsigned char)*seed);
	first = mix(first ^ mix(counter));
	second = mix(first);
	memcpy(out, &first, 8);
	memcpy(out + 8, &second, 8);
}

void tn_studio_make_id(uint64_t counter, char out[TN_STUDIO_UUID_SIZE])
{
	const char *seed = getenv("TENON_TEST_IDS");
	unsigned char b[16];

	if (seed && *seed)
		fixed_bytes(seed, counter, b);
	else
		tn_rng_bytes(b, sizeof(b));
	b[6] = (unsigned char)((b[6] & 0x0f) | 0x40);
	b[8] = (unsigned char)((b[8] & 0x3f) | 0x80);
	(void)snprintf(out, TN_STUDIO_UUID_SIZE,
		       "%02x%02x%02x%02x-%02x%02x-%02x%02x-%02x%02x-%02x%02x%02x%02x%02x%02x", b[0],
		       b[1], b[2], b[3], b[4], b[5], b[6], b[7], b[8], b[9], b[10], b[11], b[12],
		       b[13], b[14], b[15]);
}
