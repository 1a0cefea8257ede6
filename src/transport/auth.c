#include "transport/auth.h"

#include <sodium.h>

struct digest {
	unsigned char bytes[crypto_shorthash_siphashx24_BYTES];
};

/* Makes equal lengths of unequal ones, so that not even the token's length shows in the time. The
 * key need not be secret: who does not know the token does not know its digest either, so there is
 * nothing to collide with but by guessing 128 bits. */
static struct digest digest_of(struct tn_str text)
{
	static const unsigned char key[crypto_shorthash_siphashx24_KEYBYTES] = "tenon.auth.token";
	struct digest digest;

	(void)crypto_shorthash_siphashx24(digest.bytes, (const unsigned char *)text.data, text.size,
					  key); /* cannot fail */
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

enum tn_auth tn_auth_check_value(struct tn_str value, size_t count, struct tn_str token)
{
	struct tn_str given = credentials(value);
	/* Also without credentials: a refusal takes the same time whatever its reason. */
	struct digest wanted = digest_of(token),
		      got = digest_of(given.data ? given : tn_str("", 0));
	bool equal = sodium_memcmp(wanted.bytes, got.bytes, sizeof(got.bytes)) == 0;

	if (!given.data)
		return TN_AUTH_MISSING;
	return equal && count == 1 && given.size ? TN_AUTH_OK : TN_AUTH_WRONG;
}

enum tn_auth tn_auth_check(const struct tn_http_exchange *exchange, const char *token)
{
	size_t count;
	struct tn_str value = tn_http_header(exchange, "Authorization", &count);

	return tn_auth_check_value(value, count, tn_str_from(token));
}

struct tn_str tn_auth_challenge(enum tn_auth verdict)
{
	return verdict == TN_AUTH_WRONG ? TN_STR("Bearer realm=\"tenon\", error=\"invalid_token\"")
					: TN_STR("Bearer realm=\"tenon\"");
}
