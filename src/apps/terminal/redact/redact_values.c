#include "apps/terminal/redact/internal.h"

#include <stdatomic.h>
#include <stdint.h>
#include <string.h>

#include "apps/terminal/limits.h"
#include "base/mem.h"

/* A value is looked up by its first eight bytes: a bit says whether any value may begin so, and
 * rules nearly every place of a text out with one look. Only places that pass compare bytes, so the
 * time does not depend on how many values there are, unless many begin alike. */
enum { PREFIX_BYTES = 8, BITS = 1 << 16, HEADS = 2048, NOBODY = 0xffff };

struct secret {
	atomic_uint refs;
	size_t size;
	char bytes[];
};

struct tn_secrets {
	atomic_uint refs;
	uint16_t count;
	uint64_t bits[BITS / 64];
	uint16_t heads[HEADS], next[TN_REDACT_VALUES_MAX];
	struct secret *items[TN_REDACT_VALUES_MAX]; /* oldest first */
};

static uint32_t hash_prefix(const char *bytes)
{
	uint64_t word;

	memcpy(&word, bytes, sizeof(word));
	return (uint32_t)((word * UINT64_C(0x9E3779B97F4A7C15)) >> 48);
}

static struct secret *make_secret(struct tn_str value)
{
	struct secret *secret = tn_mem_alloc(sizeof(*secret) + value.size);

	if (!secret)
		return NULL;
	atomic_init(&secret->refs, 1);
	secret->size = value.size;
	memcpy(secret->bytes, value.data, value.size);
	return secret;
}

static void drop_secret(struct secret *secret)
{
	if (atomic_fetch_sub(&secret->refs, 1) != 1)
		return;
	explicit_bzero(secret->bytes, secret->size);
	tn_mem_free(secret);
}

static void index_secret(struct tn_secrets *secrets, uint16_t at)
{
	uint32_t hash = hash_prefix(secrets->items[at]->bytes);

	secrets->bits[hash / 64] |= UINT64_C(1) << (hash % 64);
	secrets->next[at] = secrets->heads[hash % HEADS];
	secrets->heads[hash % HEADS] = at;
}

static void index_all(struct tn_secrets *secrets)
{
	memset(secrets->bits, 0, sizeof(secrets->bits));
	memset(secrets->heads, 0xff, sizeof(secrets->heads));
	for (uint16_t i = 0; i < secrets->count; i++)
		index_secret(secrets, i);
}

struct tn_secrets *tn_secrets_ref(struct tn_secrets *secrets)
{
	if (secrets)
		(void)atomic_fetch_add(&secrets->refs, 1);
	return secrets;
}

void tn_secrets_unref(struct tn_secrets *secrets)
{
	if (!secrets || atomic_fetch_sub(&secrets->refs, 1) != 1)
		return;
	for (uint16_t i = 0; i < secrets->count; i++)
		drop_secret(secrets->items[i]);
	tn_mem_free(secrets);
}

/* A set of one's own, to be changed. */
static bool make_own(struct tn_secrets **secrets)
{
	struct tn_secrets *own;

	if (*secrets && atomic_load(&(*secrets)->refs) == 1)
		return true;
	own = tn_mem_alloc(sizeof(*own));
	if (!own)
		return false;
	if (*secrets) {
		memcpy(own, *secrets, sizeof(*own));
		for (uint16_t i = 0; i < own->count; i++)
			(void)atomic_fetch_add(&own->items[i]->refs, 1);
	}
	atomic_init(&own->refs, 1);
	index_all(own);
	tn_secrets_unref(*secrets);
	*secrets = own;
	return true;
}

static bool knows(const struct tn_secrets *secrets, struct tn_str value)
{
	uint16_t at = secrets ? secrets->heads[hash_prefix(value.data) % HEADS] : NOBODY;

	for (; at != NOBODY; at = secrets->next[at]) {
		const struct secret *secret = secrets->items[at];

		if (tn_str_equal(tn_str(secret->bytes, secret->size), value))
			return true;
	}
	return false;
}

static bool add_value(struct tn_secrets **secrets, struct tn_str value)
{
	struct secret *secret;

	if (knows(*secrets, value))
		return true;
	secret = make_own(secrets) ? make_secret(value) : NULL;
	if (!secret)
		return false;
	if ((*secrets)->count == TN_REDACT_VALUES_MAX) {
		drop_secret((*secrets)->items[0]);
		(*secrets)->count--;
		memmove((*secrets)->items, (*secrets)->items + 1,
			(*secrets)->count * sizeof((*secrets)->items[0]));
		index_all(*secrets);
	}
	(*secrets)->items[(*secrets)->count] = secret;
	index_secret(*secrets, (*secrets)->count++);
	return true;
}

bool tn_secrets_learn(struct tn_secrets **secrets, struct tn_str value)
{
	struct tn_fold fold;
	bool learnt = true;

	if (value.size > TN_REDACT_VALUE_BYTES_MAX)
		value.size = TN_REDACT_VALUE_BYTES_MAX; /* its beginning gives it away */
	if (!tn_fold_init(&fold, value, true))
		return false;
	if (fold.text.size >= PREFIX_BYTES)
		learnt = add_value(secrets, fold.text);
	tn_fold_finish(&fold);
	return learnt;
}

/* How many bytes of `rest` are a value, the longest one; 0: none. */
static size_t match_at(const struct tn_secrets *secrets, struct tn_str rest, uint32_t hash)
{
	size_t longest = 0;

	for (uint16_t at = secrets->heads[hash % HEADS]; at != NOBODY; at = secrets->next[at]) {
		const struct secret *secret = secrets->items[at];

		if (secret->size > longest && secret->size <= rest.size &&
		    rest.data[secret->size - 1] == secret->bytes[secret->size - 1] &&
		    memcmp(rest.data, secret->bytes, secret->size) == 0)
			longest = secret->size;
	}
	return longest;
}

void tn_secrets_find(const struct tn_secrets *secrets, const struct tn_fold *fold,
		     struct tn_redact_spans *spans)
{
	struct tn_str text = fold->text;

	if (!secrets || secrets->count == 0)
		return;
	for (size_t at = 0; at + PREFIX_BYTES <= text.size; at++) {
		uint32_t hash = hash_prefix(text.data + at);
		size_t size;

		if (!(secrets->bits[hash / 64] >> (hash % 64) & 1))
			continue;
		size = match_at(secrets, tn_str_from_offset(text, at), hash);
		tn_redact_add(spans, fold, at, at + size, "env");
	}
}
