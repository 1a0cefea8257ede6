#include "mcp/state_seal.h"

#include <sodium.h>

#include "base/base64.h"
#include "base/digest.h"
#include "base/limits.h"
#include "base/mem.h"
#include "base/rng.h"
#include "jsonrpc/json_canonical.h"
#include "mcp/limits.h"
#include "mcp/server.h"

enum {
	NONCE_SIZE = crypto_aead_xchacha20poly1305_ietf_NPUBBYTES,
	TAG_SIZE = crypto_aead_xchacha20poly1305_ietf_ABYTES,
	TIME_SIZE = 8
};

_Static_assert(TN_SEAL_KEY_SIZE == crypto_aead_xchacha20poly1305_ietf_KEYBYTES,
	       "a key has the cipher's size");

/* Without configured keys this process makes one at the first use. */
static bool make_key(struct tenon_server *server)
{
	if (server->seal_keys)
		return true;
	server->seal_keys = tn_mem_alloc_array(1, sizeof(*server->seal_keys));
	if (!server->seal_keys)
		return false;
	tn_rng_bytes(server->seal_keys[0], TN_SEAL_KEY_SIZE);
	server->seal_key_count = 1;
	return true;
}

/* ---- the request's digest: everything a retry must repeat ---- */

/* What the seal is bound to: principal, method, name or URI, arguments. */
static bool make_binding(struct tenon_call *call, unsigned char digest[TN_DIGEST_SIZE])
{
	struct tn_buf text;
	bool made;

	tn_buf_init(&text, TN_MESSAGE_ARENA_MAX);
	tn_json_begin_array(&text);
	tn_json_put_text(&text, call->principal);
	tn_json_put_str(&text, call->method_name);
	tn_json_put_str(&text, call->item ? call->item->key : tn_str("", 0));
	tn_json_put_str(&text, call->uri);
	tn_json_put_canonical(&call->arena, &text, call->arguments);
	tn_json_end_array(&text);
	made = !text.failed;
	if (made)
		tn_digest(tn_buf_str(&text), digest);
	tn_buf_finish(&text);
	return made;
}

/* ---- sealing ---- */

static void put_time(unsigned char *out, uint64_t value)
{
	for (int i = 0; i < TIME_SIZE; i++)
		out[i] = (unsigned char)(value >> (8 * i));
}

static uint64_t get_time(const unsigned char *in)
{
	uint64_t value = 0;

	for (int i = 0; i < TIME_SIZE; i++)
		value |= (uint64_t)in[i] << (8 * i);
	return value;
}

enum tenon_code tn_state_seal(struct tenon_call *call, struct tn_str payload, struct tn_buf *out,
			      struct tenon_error *err)
{
	unsigned char binding[TN_DIGEST_SIZE];
	size_t plain_size = TIME_SIZE + payload.size;
	unsigned char *plain, *sealed;

	if (payload.size > TN_STATE_BYTES_MAX)
		return tn_fail(err, TENON_LIMIT, "the request's state is larger than %zu bytes",
			       TN_STATE_BYTES_MAX);
	plain = tn_arena_alloc_raw(&call->arena, plain_size);
	sealed = tn_arena_alloc_raw(&call->arena, NONCE_SIZE + plain_size + TAG_SIZE);
	if (!plain || !sealed || !make_binding(call, binding) || !make_key(call->server))
		return tn_fail(err, TENON_NO_MEMORY, "out of memory");
	put_time(plain, (uint64_t)tn_clock_wall_ms(call->server->clock) + TN_STATE_TTL_MS);
	memcpy(plain + TIME_SIZE, payload.data, payload.size);
	tn_rng_bytes(sealed, NONCE_SIZE);
	(void)crypto_aead_xchacha20poly1305_ietf_encrypt(
		sealed + NONCE_SIZE, NULL, plain, plain_size, binding, sizeof(binding), NULL,
		sealed, call->server->seal_keys[0]); /* always succeeds */
	tn_base64_append(out, sealed, NONCE_SIZE + plain_size + TAG_SIZE);
	return TENON_OK;
}

/* Any of the keys may have sealed it: they are changed one process after the other. */
static bool decrypt(const struct tenon_server *server, struct tn_str sealed,
		    const unsigned char binding[TN_DIGEST_SIZE], unsigned char *plain)
{
	const unsigned char *raw = (const unsigned char *)sealed.data;

	for (size_t i = 0; i < server->seal_key_count; i++) {
		if (crypto_aead_xchacha20poly1305_ietf_decrypt(
			    plain, NULL, NULL, raw + NONCE_SIZE, sealed.size - NONCE_SIZE, binding,
			    TN_DIGEST_SIZE, raw, server->seal_keys[i]) == 0)
			return true;
	}
	return false;
}

enum tenon_code tn_state_open(struct tenon_call *call, struct tn_str sealed,
			      struct tn_str *ret_payload, struct tenon_error *err)
{
	unsigned char binding[TN_DIGEST_SIZE];
	struct tn_str bytes;
	unsigned char *plain;
	uint64_t expiry;

	/* One message for every way to fail: a forger learns nothing from it. */
	if (sealed.size > TN_STATE_BYTES_MAX * 2 ||
	    !tn_base64_decode(&call->arena, sealed, &bytes) ||
	    bytes.size < NONCE_SIZE + TIME_SIZE + TAG_SIZE || !make_binding(call, binding))
		return tn_fail(err, TENON_INVALID, "invalid requestState");
	plain = tn_arena_alloc_raw(&call->arena, bytes.size);
	if (!plain)
		return tn_fail(err, TENON_NO_MEMORY, "out of memory");
	if (!decrypt(call->server, bytes, binding, plain))
		return tn_fail(err, TENON_INVALID, "invalid requestState");
	expiry = get_time(plain);
	if ((uint64_t)tn_clock_wall_ms(call->server->clock) > expiry)
		return tn_fail(err, TENON_INVALID, "invalid requestState: it has expired");
	*ret_payload = tn_str((const char *)plain + TIME_SIZE,
			      bytes.size - NONCE_SIZE - TAG_SIZE - TIME_SIZE);
	return TENON_OK;
}
