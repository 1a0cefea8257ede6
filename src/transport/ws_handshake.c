/* The keys of the opening handshake (RFC 6455 section 4). SHA-1 is what the RFC asks for; it proves
 * that the other side speaks WebSocket, nothing secret hangs on it, and libsodium has none. */
#include <string.h>

#include "base/base64.h"
#include "base/rng.h"
#include "transport/ws_frame.h"

enum { KEY_BYTES = 16, SHA1_BYTES = 20, BLOCK_BYTES = 64 };

static uint32_t rotate(uint32_t value, unsigned bits)
{
	return value << bits | value >> (32 - bits);
}

/* One step's function and constant (FIPS 180-4 section 6.1). */
static uint32_t mix(unsigned step, uint32_t b, uint32_t c, uint32_t d)
{
	if (step < 20)
		return ((b & c) | (~b & d)) + 0x5A827999u;
	if (step < 40)
		return (b ^ c ^ d) + 0x6ED9EBA1u;
	if (step < 60)
		return ((b & c) | (b & d) | (c & d)) + 0x8F1BBCDCu;
	return (b ^ c ^ d) + 0xCA62C1D6u;
}

static void add_block(uint32_t sum[5], const unsigned char block[BLOCK_BYTES])
{
	uint32_t w[80];
	uint32_t a = sum[0], b = sum[1], c = sum[2], d = sum[3], e = sum[4];

	for (unsigned i = 0; i < 16; i++)
		w[i] = (uint32_t)block[4 * i] << 24 | (uint32_t)block[4 * i + 1] << 16 |
		       (uint32_t)block[4 * i + 2] << 8 | block[4 * i + 3];
	for (unsigned i = 16; i < 80; i++)
		w[i] = rotate(w[i - 3] ^ w[i - 8] ^ w[i - 14] ^ w[i - 16], 1);
	for (unsigned i = 0; i < 80; i++) {
		uint32_t next = rotate(a, 5) + mix(i, b, c, d) + e + w[i];

		e = d;
		d = c;
		c = rotate(b, 30);
		b = a;
		a = next;
	}
	sum[0] += a;
	sum[1] += b;
	sum[2] += c;
	sum[3] += d;
	sum[4] += e;
}

/* Of the 60 bytes of a key and the RFC's GUID: two blocks, the second of them padding but for the
 * length. */
static void sha1_of_60(const char text[60], unsigned char out[SHA1_BYTES])
{
	uint32_t sum[5] = {0x67452301u, 0xEFCDAB89u, 0x98BADCFEu, 0x10325476u, 0xC3D2E1F0u};
	unsigned char blocks[2 * BLOCK_BYTES] = {0};

	memcpy(blocks, text, 60);
	blocks[60] = 0x80;
	blocks[126] = 60 * 8 >> 8;
	blocks[127] = 60 * 8 & 0xFF;
	add_block(sum, blocks);
	add_block(sum, blocks + BLOCK_BYTES);
	for (unsigned i = 0; i < SHA1_BYTES; i++)
		out[i] = (unsigned char)(sum[i / 4] >> (24 - 8 * (i % 4)));
}

void tn_ws_make_key(char out[TN_WS_KEY_SIZE])
{
	unsigned char bytes[KEY_BYTES];

	tn_rng_bytes(bytes, sizeof(bytes));
	tn_base64_encode(out, bytes, sizeof(bytes));
	out[TN_WS_KEY_SIZE - 1] = '\0';
}

bool tn_ws_is_key(struct tn_str key)
{
	if (key.size != TN_WS_KEY_SIZE - 1 || key.data[22] != '=' || key.data[23] != '=')
		return false;
	for (size_t i = 0; i < 22; i++) {
		char c = key.data[i];

		if (!tn_is_alpha(c) && !tn_is_digit(c) && c != '+' && c != '/')
			return false;
	}
	/* Four bits of the last digit belong to no byte: others are 0. */
	return memchr("AQgw", key.data[21], 4) != NULL;
}

void tn_ws_accept(struct tn_str key, char out[TN_WS_ACCEPT_SIZE])
{
	static const char guid[] = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";
	char text[TN_WS_KEY_SIZE - 1 + sizeof(guid)];
	unsigned char sum[SHA1_BYTES];

	tn_assert(key.size == TN_WS_KEY_SIZE - 1); /* tn_ws_is_key has said so */
	memcpy(text, key.data, key.size);
	memcpy(text + key.size, guid, sizeof(guid));
	sha1_of_60(text, sum);
	tn_base64_encode(out, sum, sizeof(sum));
	out[TN_WS_ACCEPT_SIZE - 1] = '\0';
}

/* ---- a client's side ---- */

struct tn_str tn_ws_reply_header(struct tn_str head, struct tn_str name)
{
	size_t at = tn_str_find(head, TN_STR("\r\n"));

	while (at != TN_STR_NONE && at + 2 < head.size) {
		struct tn_str rest = tn_str_from_offset(head, at + 2);
		size_t end = tn_str_find(rest, TN_STR("\r\n"));
		struct tn_str line = tn_str(rest.data, end == TN_STR_NONE ? rest.size : end);
		size_t colon = tn_str_find_byte(line, ':');

		if (colon != TN_STR_NONE && tn_str_equal_nocase(tn_str(line.data, colon), name))
			return tn_str_trim(tn_str_from_offset(line, colon + 1));
		at = end == TN_STR_NONE ? TN_STR_NONE : at + 2 + end;
	}
	return tn_str(NULL, 0);
}

enum tenon_code tn_ws_check_reply(struct tn_str head, const char *key, unsigned *ret_status,
				  struct tenon_error *err)
{
	char accept[TN_WS_ACCEPT_SIZE];
	struct tn_str protocol = tn_ws_reply_header(head, TN_STR("Sec-WebSocket-Protocol"));
	uint64_t status = 0;

	*ret_status = 0;
	if (!tn_str_starts(head, TN_STR("HTTP/1.1 ")) || head.size < 12 ||
	    !tn_str_to_uint(tn_str(head.data + 9, 3), &status))
		return tn_fail(err, TENON_INVALID, "the server's reply is not HTTP");
	*ret_status = (unsigned)status;
	if (status == 401 || status == 403)
		return tn_fail(err, TENON_DENIED, "the server refuses us (%u)", (unsigned)status);
	if (status == 429 || status == 503)
		return tn_fail(err, TENON_BUSY, "the server is busy (%u)", (unsigned)status);
	if (status == 404)
		return tn_fail(err, TENON_NOT_FOUND, "the server has no such path (404)");
	if (status != 101)
		return tn_fail(err, TENON_INVALID, "the server answered %u and opened no WebSocket",
			       (unsigned)status);
	tn_ws_accept(tn_str_from(key), accept);
	if (!tn_str_is(tn_ws_reply_header(head, TN_STR("Sec-WebSocket-Accept")), accept) ||
	    !tn_str_equal_nocase(tn_ws_reply_header(head, TN_STR("Upgrade")), TN_STR("websocket")))
		return tn_fail(err, TENON_INVALID, "the server's WebSocket handshake is wrong");
	/* MCP-161: `mcp` or none; whoever chose another speaks something else. */
	if (protocol.data && !tn_str_is(protocol, "mcp"))
		return tn_fail(err, TENON_INVALID,
			       "the server chose another WebSocket subprotocol than mcp");
	return TENON_OK;
}
