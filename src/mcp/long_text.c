#include "mcp/long_text.h"

#include <stdio.h>

#include "base/mem.h"
#include "base/rng.h"
#include "mcp/limits.h"
#include "mcp/server.h"

struct tn_long_text {
	char uri[TN_LONG_TEXT_URI_SIZE];
	char principal[TN_PRINCIPAL_SIZE];
	char *text;
	size_t size;
	bool json;
	uint64_t expires_ms;
	struct tn_long_text *next; /* newer */
};

static void drop_oldest(struct tenon_server *server)
{
	struct tn_long_text *text = server->long_texts;

	server->long_texts = text->next;
	server->long_text_count--;
	server->long_text_bytes -= text->size;
	tn_mem_free(text->text);
	tn_mem_free(text);
}

void tn_long_text_free_all(struct tenon_server *server)
{
	while (server->long_texts)
		drop_oldest(server);
	tn_timer_close(server->long_text_timer);
	server->long_text_timer = NULL;
}

static void drop_expired(struct tenon_server *server)
{
	uint64_t now = tn_server_now_ms(server);

	while (server->long_texts && server->long_texts->expires_ms <= now)
		drop_oldest(server);
}

static void expired(struct tn_timer *timer, void *data)
{
	struct tenon_server *server = data;

	drop_expired(server);
	if (server->long_texts)
		tn_timer_start(timer, TN_LONG_TEXT_MS / 4);
}

/* An idle server gives the memory back, too. */
static enum tenon_code start_timer(struct tenon_server *server, struct tenon_error *err)
{
	enum tenon_code code = TENON_OK;

	if (!server->long_text_timer)
		code = tn_timer_open(server->loop, expired, server, &server->long_text_timer, err);
	if (code == TENON_OK && !tn_timer_active(server->long_text_timer))
		tn_timer_start(server->long_text_timer, TN_LONG_TEXT_MS / 4);
	return code;
}

enum tenon_code tn_long_text_keep(struct tenon_call *call, struct tn_str text, bool json,
				  char ret_uri[TN_LONG_TEXT_URI_SIZE], struct tenon_error *err)
{
	struct tenon_server *server = call->server;
	struct tn_long_text *kept, **tail = &server->long_texts;
	char id[TN_RNG_TOKEN_SIZE(16)];
	enum tenon_code code = start_timer(server, err);

	if (code != TENON_OK)
		return code;
	if (text.size > TN_LONG_TEXT_BYTES_MAX)
		return tn_fail(err, TENON_LIMIT, "the text is larger than %zu bytes",
			       TN_LONG_TEXT_BYTES_MAX);
	drop_expired(server);
	while (server->long_texts && (server->long_text_count == TN_LONG_TEXTS_MAX ||
				      server->long_text_bytes + text.size > TN_LONG_TEXT_BYTES_MAX))
		drop_oldest(server);
	kept = tn_mem_alloc(sizeof(*kept));
	if (kept)
		kept->text = tn_mem_copy_text(text.data, text.size);
	if (!kept || !kept->text) {
		tn_mem_free(kept);
		return tn_fail(err, TENON_NO_MEMORY, "out of memory");
	}
	tn_rng_token(id, 16);
	(void)snprintf(kept->uri, sizeof(kept->uri), TN_LONG_TEXT_PREFIX "%s", id);
	memcpy(kept->principal, call->principal, sizeof(kept->principal));
	kept->size = text.size;
	kept->json = json;
	kept->expires_ms = tn_server_now_ms(server) + TN_LONG_TEXT_MS;
	while (*tail)
		tail = &(*tail)->next;
	*tail = kept;
	server->long_text_count++;
	server->long_text_bytes += kept->size;
	memcpy(ret_uri, kept->uri, sizeof(kept->uri));
	return TENON_OK;
}

/* "/1234" behind the URI of a text is a place in it, at the beginning of a character. */
static bool read_place(const struct tn_long_text *text, struct tn_str uri, size_t *ret)
{
	struct tn_str place = tn_str_from_offset(uri, strlen(text->uri));
	uint64_t from;

	*ret = 0;
	if (place.size == 0)
		return true;
	if (place.data[0] != '/' || !tn_str_to_uint(tn_str_from_offset(place, 1), &from) ||
	    from >= text->size || ((unsigned char)text->text[from] & 0xc0) == 0x80)
		return false;
	*ret = (size_t)from;
	return true;
}

bool tn_long_text_find(const struct tenon_call *call, struct tn_str uri,
		       struct tn_long_text_found *ret)
{
	uint64_t now = tn_server_now_ms(call->server);

	if (!tn_str_starts(uri, TN_STR(TN_LONG_TEXT_PREFIX)))
		return false;
	for (const struct tn_long_text *t = call->server->long_texts; t; t = t->next) {
		if (tn_str_starts(uri, tn_str_from(t->uri)) &&
		    strcmp(t->principal, call->principal) == 0 && t->expires_ms > now) {
			*ret = (struct tn_long_text_found){.text = tn_str(t->text, t->size),
							   .uri = tn_str_from(t->uri),
							   .json = t->json};
			return read_place(t, uri, &ret->from);
		}
	}
	return false;
}
