#include "transport/auth.h"

#include <assert.h>
#include <sodium.h>

/* Makes equal lengths of unequal ones, so that not even the token's length shows in the time. The
 * key need not be secret: who does not know the token does not know its digest either, so there is
 * nothing to collide with but by guessing. */
struct tn_auth_key tn_auth_key(struct tn_str token)
{
	static const unsigned char key[crypto_shorthash_siphashx24_KEYBYTES] = "tenon.auth.token";
	struct tn_auth_key digest;

	static_assert(sizeof(digest.bytes) == crypto_shorthash_siphashx24_BYTES, "its size");
	(void)crypto_shorthash_siphashx24(digest.bytes, (const unsigned char *)token.data,
					  token.size, key); /* cannot fail */
	return digest;
}

/* What follows "Bearer" and blanks; data NULL: another scheme. */
static struct tn_str credentials(struct tn_str value)
{
	static const struct tn_str scheme = {"Bearer", 6};
	struct tn_str rest = tn_str_from_offset(value, scheme.size);

	if (value.size < scheme.size ||
	    !tn_str_equal_nocase(tn_str(value.data, scheme.size), scheme) ||
	    (rest.size && rest.data[0] != ' '))
		return tn_str(NULL, 0);
	while (rest.size && rest.data[0] == ' ')
		rest = tn_str(rest.data + 1, rest.size - 1);
	return rest;
}

bool tn_auth_find(struct tn_str token, const struct tn_auth_key *keys, size_t key_count,
		  size_t *ret_index)
{
	struct tn_auth_key got = tn_auth_key(token);
	size_t found = key_count;

	for (size_t i = 0; i < key_count; i++) { /* all of them, whichever it is */
		size_t hit = sodium_memcmp(keys[i].bytes, got.bytes, sizeof(got.bytes)) == 0;

		found = hit * i + (1 - hit) * found;
	}
	*ret_index = found;
	return found < key_count && token.size;
}

enum tn_auth tn_auth_check_value(struct tn_str value, size_t count, const struct tn_auth_key *keys,
				 size_t key_count, size_t *ret_index)
{
	struct tn_str given = credentials(value);
	/* Also without credentials: a refusal takes the same time whatever its reason. */
	bool found = tn_auth_find(given.data ? given : tn_str("", 0), keys, key_count, ret_index);

	if (!given.data)
		return TN_AUTH_MISSING;
	return found && count == 1 ? TN_AUTH_OK : TN_AUTH_WRONG;
}

enum tn_auth tn_auth_check(const struct tn_http_exchange *exchange, const struct tn_auth_key *keys,
			   size_t key_count, size_t *ret_index)
{
	size_t count;
	struct tn_str value = tn_http_header(exchange, "Authorization", &count);

	return tn_auth_check_value(value, count, keys, key_count, ret_index);
}

struct tn_str tn_auth_challenge(enum tn_auth verdict)
{
	return verdict == TN_AUTH_WRONG ? TN_STR("Bearer realm=\"tenon\", error=\"invalid_token\"")
					: TN_STR("Bearer realm=\"tenon\"");
}
