#include "apps/plan/handles.h"

#include <stdio.h>

#include "base/mem.h"
#include "base/rng.h"

enum { RANDOM_BYTES = 16 };

void tn_plan_handles_init(struct tn_plan_handles *handles)
{
	tn_map_init(&handles->by_id);
	handles->newest = handles->oldest = NULL;
	handles->count = handles->bytes = 0;
	handles->gone = NULL;
	handles->gone_next = 0;
}

void tn_plan_handle_ref(struct tn_plan_handle *handle)
{
	handle->refs++;
}

void tn_plan_handle_unref(struct tn_plan_handle *handle)
{
	if (!handle || --handle->refs > 0)
		return;
	handle->free_value(handle->value);
	tn_mem_free(handle);
}

static void link_newest(struct tn_plan_handles *handles, struct tn_plan_handle *handle)
{
	handle->older = handles->newest;
	handle->newer = NULL;
	if (handles->newest)
		handles->newest->newer = handle;
	else
		handles->oldest = handle;
	handles->newest = handle;
}

static void unlink_handle(struct tn_plan_handles *handles, struct tn_plan_handle *handle)
{
	if (handle->newer)
		handle->newer->older = handle->older;
	else
		handles->newest = handle->older;
	if (handle->older)
		handle->older->newer = handle->newer;
	else
		handles->oldest = handle->newer;
}

/* Without memory for it, what went is answered with "unknown": worse words, nothing worse. */
static void remember_gone(struct tn_plan_handles *handles, const struct tn_plan_handle *handle)
{
	struct tn_plan_gone *gone;

	if (!handles->gone)
		handles->gone = tn_mem_alloc_array(TN_PLAN_GONE_MAX, sizeof(*handles->gone));
	if (!handles->gone)
		return;
	gone = &handles->gone[handles->gone_next];
	handles->gone_next = (handles->gone_next + 1) % TN_PLAN_GONE_MAX;
	memcpy(gone->id, handle->id, sizeof(gone->id));
	memcpy(gone->principal, handle->principal, sizeof(gone->principal));
}

static bool is_gone(const struct tn_plan_handles *handles, const char *id, const char *principal)
{
	for (size_t i = 0; handles->gone && i < TN_PLAN_GONE_MAX; i++) {
		if (strcmp(handles->gone[i].id, id) == 0 &&
		    strcmp(handles->gone[i].principal, principal) == 0)
			return true;
	}
	return false;
}

static void drop(struct tn_plan_handles *handles, struct tn_plan_handle *handle)
{
	remember_gone(handles, handle);
	unlink_handle(handles, handle);
	(void)tn_map_remove(&handles->by_id, tn_str_from(handle->id)); /* it is in there */
	handles->count--;
	handles->bytes -= handle->bytes;
	tn_plan_handle_unref(handle);
}

static void drop_idle(struct tn_plan_handles *handles)
{
	uint64_t now_ms = tn_clock_now_ms(handles->clock);

	while (handles->oldest && now_ms - handles->oldest->used_ms >= handles->idle_ms)
		drop(handles, handles->oldest);
}

/* The one just added stays, however large it is: it was accepted, so its handle must work. */
static void drop_excess(struct tn_plan_handles *handles)
{
	while (handles->oldest != handles->newest &&
	       (handles->count > handles->count_max || handles->bytes > handles->bytes_max))
		drop(handles, handles->oldest);
}

void tn_plan_handles_finish(struct tn_plan_handles *handles)
{
	while (handles->oldest)
		drop(handles, handles->oldest);
	tn_map_finish(&handles->by_id);
	tn_mem_free(handles->gone);
	handles->gone = NULL;
}

enum tenon_code tn_plan_handles_add(struct tn_plan_handles *handles, const char *id,
				    const char *principal, void *value, size_t bytes,
				    struct tn_plan_handle **ret, struct tenon_error *err)
{
	struct tn_plan_handle *handle = tn_mem_alloc(sizeof(*handle));
	char random[TN_RNG_TOKEN_SIZE(RANDOM_BYTES)];
	enum tenon_code code;

	if (!handle) {
		handles->free_value(value);
		return tn_fail(err, TENON_NO_MEMORY, "out of memory");
	}
	handle->value = value;
	handle->bytes = bytes;
	handle->free_value = handles->free_value;
	handle->refs = 1;
	handle->used_ms = tn_clock_now_ms(handles->clock);
	(void)snprintf(handle->principal, sizeof(handle->principal), "%s", principal);
	tn_rng_token(random, RANDOM_BYTES);
	(void)snprintf(handle->id, sizeof(handle->id), "%s%s", id ? "" : handles->prefix,
		       id ? id : random);
	drop_idle(handles);
	code = tn_map_put(&handles->by_id, tn_str_from(handle->id), handle, err);
	if (code != TENON_OK) {
		tn_plan_handle_unref(handle);
		return code;
	}
	link_newest(handles, handle);
	handles->count++;
	handles->bytes += bytes;
	tn_plan_handle_ref(handle);
	drop_excess(handles);
	*ret = handle;
	return TENON_OK;
}

enum tn_plan_lookup tn_plan_handles_find(struct tn_plan_handles *handles, const char *id,
					 const char *principal, struct tn_plan_handle **ret)
{
	struct tn_plan_handle *handle;

	drop_idle(handles);
	handle = tn_map_get(&handles->by_id, tn_str_from(id));
	if (!handle)
		return is_gone(handles, id, principal) ? TN_PLAN_EXPIRED : TN_PLAN_UNKNOWN;
	/* Somebody else's handle is as good as none: its existence is not told. */
	if (strncmp(handle->principal, principal, sizeof(handle->principal) - 1) != 0)
		return TN_PLAN_UNKNOWN;
	handle->used_ms = tn_clock_now_ms(handles->clock);
	unlink_handle(handles, handle);
	link_newest(handles, handle);
	*ret = handle;
	return TN_PLAN_FOUND;
}

struct tn_plan_handle *tn_plan_handles_next(const struct tn_plan_handles *handles,
					    const struct tn_plan_handle *after,
					    const char *principal)
{
	struct tn_plan_handle *handle = after ? after->older : handles->newest;

	while (handle && strncmp(handle->principal, principal, sizeof(handle->principal) - 1) != 0)
		handle = handle->older;
	return handle;
}
