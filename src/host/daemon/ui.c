#include "host/daemon/ui.h"

#include <libdeflate.h>

#include "base/mem.h"
#include "base/size.h"

/* Nothing but our own files, no inline code, no frame around us. A browser that opens the page
 * while somebody has put text of an attacker into a plan still runs nothing of it.
 *
 * Frames are previews alone (workbench.md T19): their ports are chosen by the system while the page
 * is open, and a policy does not change then, so that it names the one address they all have. The
 * page frames only what a session of the workbench says, in a sandbox, and never its own port. */
#define POLICY                                                                          \
	"default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; " \
	"img-src 'self' data:; font-src 'self'; frame-src http://127.0.0.1:*; "         \
	"base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

bool tn_ui_is_built(void)
{
	return tn_ui_assets[0].path != NULL;
}

const struct tn_ui_asset *tn_ui_find(struct tn_str path)
{
	for (const struct tn_ui_asset *a = tn_ui_assets; a->path; a++)
		if (tn_str_is(path, a->path))
			return a;
	return NULL;
}

bool tn_ui_is_packed(const struct tn_ui_asset *asset)
{
	return asset->bytes.size != asset->size;
}

bool tn_ui_unpack(const struct tn_ui_asset *asset, struct tn_buf *out)
{
	struct libdeflate_decompressor *machine = NULL;
	char *plain = NULL;
	bool ok;

	if (!tn_ui_is_packed(asset)) {
		tn_buf_append_str(out, asset->bytes);
		return !out->failed;
	}
	machine = libdeflate_alloc_decompressor();
	plain = tn_mem_alloc(asset->size);
	ok = machine && plain &&
	     libdeflate_gzip_decompress(machine, asset->bytes.data, asset->bytes.size, plain,
					asset->size, NULL) == LIBDEFLATE_SUCCESS;
	if (ok)
		tn_buf_append(out, plain, asset->size);
	tn_mem_free(plain);
	libdeflate_free_decompressor(machine);
	return ok && !out->failed;
}

/* "q=0", "q=0.0", "q=0.000": refused. */
static bool is_refused(struct tn_str parameters)
{
	size_t at = tn_str_find(parameters, TN_STR("q="));
	struct tn_str value;

	if (at == TN_STR_NONE)
		return false;
	value = tn_str_trim(tn_str_from_offset(parameters, at + 2));
	for (size_t i = 0; i < value.size; i++)
		if (value.data[i] != '0' && value.data[i] != '.')
			return false;
	return true;
}

bool tn_ui_takes_gzip(struct tn_str accept_encoding)
{
	struct tn_str rest = accept_encoding;
	bool any = false;

	while (rest.size > 0) {
		size_t comma = tn_str_find_byte(rest, ',');
		struct tn_str item = comma == TN_STR_NONE ? rest : tn_str(rest.data, comma);
		size_t semicolon = tn_str_find_byte(item, ';');
		struct tn_str name = semicolon == TN_STR_NONE ? item : tn_str(item.data, semicolon);
		bool refused = semicolon != TN_STR_NONE &&
			       is_refused(tn_str_from_offset(item, semicolon + 1));

		name = tn_str_trim(name);
		if (tn_str_equal_nocase(name, TN_STR("gzip")))
			return !refused;
		any = any || (tn_str_is(name, "*") && !refused);
		rest = comma == TN_STR_NONE ? tn_str("", 0) : tn_str_from_offset(rest, comma + 1);
	}
	return any;
}

static void respond(struct tn_http_exchange *x, unsigned status, const struct tn_ui_asset *asset,
		    struct tn_str body)
{
	struct tn_http_header headers[5] = {
		{TN_STR("Content-Security-Policy"), TN_STR(POLICY)},
		{TN_STR("Referrer-Policy"), TN_STR("no-referrer")},
		{TN_STR("Vary"), TN_STR("Accept-Encoding")},
	};
	struct tn_http_reply reply = {
		.status = status,
		.type = TN_STR("text/plain; charset=utf-8"),
		.headers = headers,
		.header_count = 3,
		.parts = &body,
		.part_count = 1,
	};

	if (asset) {
		reply.type = tn_str_from(asset->type);
		headers[reply.header_count++] =
			(struct tn_http_header){TN_STR("ETag"), tn_str_from(asset->etag)};
		if (body.data == asset->bytes.data && tn_ui_is_packed(asset))
			headers[reply.header_count++] =
				(struct tn_http_header){TN_STR("Content-Encoding"), TN_STR("gzip")};
	}
	tn_http_respond(x, &reply);
}

static void respond_unpacked(struct tn_http_exchange *x, const struct tn_ui_asset *asset)
{
	struct tn_buf plain;

	tn_buf_init(&plain, asset->size);
	if (tn_ui_unpack(asset, &plain))
		respond(x, 200, asset, tn_buf_str(&plain));
	else
		respond(x, 503, NULL, TN_STR("Out of memory; try again.\n"));
	tn_buf_finish(&plain);
}

static void get(struct tn_http_exchange *x, void *data)
{
	const struct tn_ui_asset *asset = tn_ui_find(tn_http_path(x));
	struct tn_str known = tn_http_header(x, "If-None-Match", NULL);

	(void)data;
	if (!asset && !tn_ui_is_built())
		respond(x, 404, NULL,
			TN_STR("This build of tenond has no page (-Dweb=disabled).\n"));
	else if (!asset)
		respond(x, 404, NULL, TN_STR("The page has no such file.\n"));
	else if (known.data && tn_str_find(known, tn_str_from(asset->etag)) != TN_STR_NONE)
		respond(x, 304, asset, tn_str("", 0));
	else if (!tn_ui_is_packed(asset) ||
		 tn_ui_takes_gzip(tn_http_header(x, "Accept-Encoding", NULL)))
		respond(x, 200, asset, asset->bytes);
	else
		respond_unpacked(x, asset);
}

const struct tn_http_page tn_ui_pages[TN_UI_PAGES] = {
	{.path = "/", .get = get},
	{.path = "/assets/*", .get = get},
};
