#include "loop/reserve.h"

#include <uv.h>

#include "base/reserve.h"
#include "loop/limits.h"

static _Alignas(16) char area[TN_LOOP_RESERVE_BYTES];

/* One for the process, because libuv has one allocator for the process. */
static struct tn_reserve reserve = TN_RESERVE_OF(area);

static void *loop_alloc(size_t size)
{
	return tn_reserve_resize(&reserve, NULL, size);
}

static void *loop_resize(void *memory, size_t size)
{
	return tn_reserve_resize(&reserve, memory, size);
}

static void *loop_alloc_array(size_t count, size_t size)
{
	return tn_reserve_alloc_array(&reserve, count, size);
}

static void loop_free(void *memory)
{
	tn_reserve_free(&reserve, memory);
}

void tn_loop_reserve_install(void)
{
	(void)uv_replace_allocator(loop_alloc, loop_resize, loop_alloc_array, loop_free);
}
