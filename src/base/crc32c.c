#include "base/crc32c.h"

#include <string.h>

/* Four bits at a time: a table that fits two cache lines. */
static uint32_t in_steps(uint32_t crc, const char *data, size_t size)
{
	static const uint32_t table[16] = {
		0x00000000, 0x105ec76f, 0x20bd8ede, 0x30e349b1, 0x417b1dbc, 0x5125dad3,
		0x61c69362, 0x7198540d, 0x82f63b78, 0x92a8fc17, 0xa24bb5a6, 0xb21572c9,
		0xc38d26c4, 0xd3d3e1ab, 0xe330a81a, 0xf36e6f75,
	};

	for (size_t i = 0; i < size; i++) {
		crc ^= (unsigned char)data[i];
		crc = crc >> 4 ^ table[crc & 15];
		crc = crc >> 4 ^ table[crc & 15];
	}
	return crc;
}

#if defined(__x86_64__)

/* The processor's own instruction, eight bytes at a time: a snapshot of a thousand nodes is read
 * and written on the loop. */
__attribute__((target("sse4.2"))) static uint32_t in_words(uint32_t crc, const char *data,
							   size_t size)
{
	uint64_t wide = crc, word;

	for (size_t i = 0; i < size / sizeof(word); i++) {
		memcpy(&word, data + i * sizeof(word), sizeof(word));
		wide = __builtin_ia32_crc32di(wide, word);
	}
	return (uint32_t)wide;
}

static bool has_instruction(void)
{
	return __builtin_cpu_supports("sse4.2");
}

#else

static uint32_t in_words(uint32_t crc, const char *data, size_t size)
{
	return in_steps(crc, data, size / sizeof(uint64_t) * sizeof(uint64_t));
}

static bool has_instruction(void)
{
	return false;
}

#endif

uint32_t tn_crc32c(struct tn_str bytes)
{
	size_t words = has_instruction() ? bytes.size / sizeof(uint64_t) * sizeof(uint64_t) : 0;
	uint32_t crc;

	if (bytes.size == 0)
		return 0;
	crc = in_words(UINT32_MAX, bytes.data, words);
	return ~in_steps(crc, bytes.data + words, bytes.size - words);
}
