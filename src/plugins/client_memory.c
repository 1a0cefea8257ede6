#include "plugins/client_memory.h"

#include <curl/curl.h>
#include <string.h>

#include "base/mem.h"
#include "base/reserve.h"
#include "plugins/limits.h"

static _Alignas(16) char area[TN_HTTP_RESERVE_BYTES];

/* One for the process, because libcurl has one allocator for the process. */
static struct tn_reserve reserve = TN_RESERVE_OF(area);

static void *client_alloc(size_t size)
{
	return tn_reserve_resize(&reserve, NULL, size);
}

static void *client_alloc_array(size_t count, size_t size)
{
	return tn_reserve_alloc_array(&reserve, count, size);
}

static void *client_resize(void *memory, size_t size)
{
	return tn_reserve_resize(&reserve, memory, size);
}

static char *client_copy_text(const char *text)
{
	return tn_reserve_copy_text(&reserve, text, strlen(text));
}

static void client_free(void *memory)
{
	tn_reserve_free(&reserve, memory);
}

enum tenon_code client_memory_install(struct tenon_error *err)
{
	/* Again keeps the first one's memory functions. */
	if (curl_global_init_mem(CURL_GLOBAL_DEFAULT, client_alloc, client_free, client_resize,
				 client_copy_text, client_alloc_array) != CURLE_OK)
		return tn_fail(err, TENON_SYSTEM, "the HTTP client does not start");
	return TENON_OK;
}

bool client_memory_is_low(void)
{
	return tn_reserve_live(&reserve) > TN_HTTP_RESERVE_MARK;
}

bool client_memory_in_reserve(void)
{
	return tn_reserve_live(&reserve) > 0;
}

bool client_memory_is_short(void)
{
	void *probe = client_memory_is_low() ? NULL : tn_mem_resize(NULL, TN_HTTP_BEGIN_BYTES);
	bool ret = !probe;

	tn_mem_free(probe);
	return ret;
}
