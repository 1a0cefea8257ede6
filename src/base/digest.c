#include "base/digest.h"

#include <sodium.h>

void tn_digest(struct tn_str bytes, unsigned char out[TN_DIGEST_SIZE])
{
	_Static_assert(TN_DIGEST_SIZE == crypto_hash_sha256_BYTES, "SHA-256 has 32 bytes");
	(void)crypto_hash_sha256(out, (const unsigned char *)bytes.data,
				 bytes.size); /* never fails */
}

void tn_digest_hex(struct tn_str bytes, char out[TN_DIGEST_HEX_SIZE])
{
	static const char hex[] = "0123456789abcdef";
	unsigned char raw[TN_DIGEST_SIZE];

	tn_digest(bytes, raw);
	for (size_t i = 0; i < TN_DIGEST_SIZE; i++) {
		out[2 * i] = hex[raw[i] >> 4];
		out[2 * i + 1] = hex[raw[i] & 15];
	}
	out[TN_DIGEST_HEX_SIZE - 1] = '\0';
}

uint64_t tn_digest_short(struct tn_str bytes, const unsigned char key[TN_SHORT_KEY_SIZE])
{
	unsigned char out[crypto_shorthash_BYTES];
	uint64_t hash;

	_Static_assert(crypto_shorthash_KEYBYTES == TN_SHORT_KEY_SIZE, "");
	_Static_assert(sizeof(hash) == sizeof(out), "");
	crypto_shorthash(out, (const unsigned char *)bytes.data, bytes.size, key);
	memcpy(&hash, out, sizeof(hash));
	return hash;
}
