#include "store/handles.h"

#include <stdio.h>

#include "base/mem.h"
#include "base/rng.h"
#include "base/utf8.h"
#include "store/limits.h"

enum { RANDOM_BYTES = 16 };

enum why { WHY_IDLE, WHY_PUSHED_OUT, WHY_CLOSED };

struct tn_handle_gone {
	char id[TN_HANDLE_SIZE];
	char principal[TN_HANDLE_PRINCIPAL_SIZE];
	int64_t wall_ms;
	enum why why;
};

static int64_t wall_ms(const struct tn_handles *handles)
{
	return tn_clock_wall_ms(handles->options.clock);
}

static void tell(const struct tn_handles *handles)
{
	const struct tn_handle_registry *registry = handles->options.registry;

	if (handles->changed)
		handles->changed(handles->changed_data);
	if (registry && registry->changed)
		registry->changed(registry->changed_data);
}

static void copy_cut(char *out, size_t size, const char *text)
{
	struct tn_str cut = tn_utf8_cut(tn_str_from(text), size - 1);

	if (cut.size)
		memcpy(out, cut.data, cut.size);
	out[cut.size] = '\0';
}

static void choose_node(char node[TN_HANDLE_NODE_SIZE])
{
	if (!node[0])
		(void)snprintf(node, TN_HANDLE_NODE_SIZE, "%08x", (unsigned)tn_rng_u64());
}

/* ---- life ---- */

void tn_handles_init(struct tn_handles *handles, const struct tn_handles_options *options)
{
	struct tn_handle_registry *registry = options->registry;

	*handles = (struct tn_handles){.options = *options};
	tn_map_init(&handles->by_id);
	if (registry) {
		choose_node(registry->node);
		memcpy(handles->node, registry->node, sizeof(handles->node));
		handles->next = registry->first;
		registry->first = handles;
	}
	choose_node(handles->node);
}

void tn_handle_ref(struct tn_handle *handle)
{
	handle->refs++;
}

void tn_handle_unref(struct tn_handle *handle)
{
	if (!handle || --handle->refs > 0)
		return;
	handle->free_value(handle->value);
	tn_mem_free(handle);
}

static void link_newest(struct tn_handles *handles, struct tn_handle *handle)
{
	handle->older = handles->newest;
	handle->newer = NULL;
	if (handles->newest)
		handles->newest->newer = handle;
	else
		handles->oldest = handle;
	handles->newest = handle;
}

static void unlink_handle(struct tn_handles *handles, struct tn_handle *handle)
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

/* ---- what went ---- */

/* Without memory for it, what went is answered with "unknown": worse words, nothing worse. */
static void remember_gone(struct tn_handles *handles, const struct tn_handle *handle, enum why why)
{
	struct tn_handle_gone *gone;

	if (!handles->gone)
		handles->gone = tn_mem_alloc_array(TN_HANDLES_GONE_MAX, sizeof(*handles->gone));
	if (!handles->gone)
		return;
	gone = &handles->gone[handles->gone_next];
	handles->gone_next = (handles->gone_next + 1) % TN_HANDLES_GONE_MAX;
	memcpy(gone->id, handle->id, sizeof(gone->id));
	memcpy(gone->principal, handle->principal, sizeof(gone->principal));
	gone->wall_ms = wall_ms(handles);
	gone->why = why;
}

static bool belongs_to(const char *stored, const char *principal)
{
	return strncmp(stored, principal, TN_HANDLE_PRINCIPAL_SIZE - 1) == 0;
}

/* The newest entry: a handle that was kept elsewhere may have come and gone more than once. */
static const struct tn_handle_gone *find_gone(const struct tn_handles *handles, const char *id,
					      const char *principal)
{
	for (size_t i = 1; handles->gone && i <= TN_HANDLES_GONE_MAX; i++) {
		size_t at = (handles->gone_next + TN_HANDLES_GONE_MAX - i) % TN_HANDLES_GONE_MAX;
		const struct tn_handle_gone *gone = &handles->gone[at];

		if (strcmp(gone->id, id) == 0 && belongs_to(gone->principal, principal))
			return gone;
	}
	return NULL;
}

static void idle_words(uint64_t idle_ms, char *out, size_t size)
{
	unsigned long long minutes = idle_ms / 60000;

	if (minutes >= 120)
		(void)snprintf(out, size, "%llu hours", minutes / 60);
	else
		(void)snprintf(out, size, "%llu minute%s", minutes, minutes == 1 ? "" : "s");
}

static enum tenon_code fail_gone(const struct tn_handles *handles,
				 const struct tn_handle_gone *gone, struct tenon_error *err)
{
	const char *kind = handles->options.kind;
	char when[TN_CLOCK_ISO_SIZE], idle[32];

	tn_clock_format_iso(gone->wall_ms, when);
	idle_words(handles->options.idle_ms, idle, sizeof(idle));
	switch (gone->why) {
	case WHY_IDLE:
		return tn_fail(err, TENON_EXPIRED,
			       "this %s expired at %s: it had not been used for %s", kind, when,
			       idle);
	case WHY_PUSHED_OUT:
		return tn_fail(err, TENON_EXPIRED,
			       "this %s expired at %s: newer ones needed its place", kind, when);
	default:
		return tn_fail(err, TENON_EXPIRED, "this %s expired at %s: it was closed", kind,
			       when);
	}
}

static void drop(struct tn_handles *handles, struct tn_handle *handle, enum why why)
{
	remember_gone(handles, handle, why);
	unlink_handle(handles, handle);
	(void)tn_map_remove(&handles->by_id, tn_str_from(handle->id)); /* it is in there */
	handles->count--;
	handles->bytes -= handle->bytes;
	tn_handle_unref(handle);
	tell(handles);
}

static void drop_idle(struct tn_handles *handles)
{
	uint64_t now_ms = tn_clock_now_ms(handles->options.clock);

	while (handles->oldest && handles->options.idle_ms &&
	       now_ms - handles->oldest->used_ms >= handles->options.idle_ms)
		drop(handles, handles->oldest, WHY_IDLE);
}

/* The one used last stays, however large it is: it was accepted, so its handle must work. */
static void drop_excess(struct tn_handles *handles)
{
	while (handles->oldest != handles->newest && (handles->count > handles->options.count_max ||
						      handles->bytes > handles->options.bytes_max))
		drop(handles, handles->oldest, WHY_PUSHED_OUT);
}

void tn_handles_finish(struct tn_handles *handles)
{
	struct tn_handle_registry *registry = handles->options.registry;
	struct tn_handles **at;

	handles->changed = NULL; /* whoever was told may be half gone itself */
	handles->options.registry = NULL;
	while (handles->oldest)
		drop(handles, handles->oldest, WHY_CLOSED);
	for (at = registry ? &registry->first : NULL; at && *at; at = &(*at)->next) {
		if (*at == handles) {
			*at = handles->next;
			break;
		}
	}
	tn_map_finish(&handles->by_id);
	tn_mem_free(handles->gone);
	handles->gone = NULL;
}

/* ---- use ---- */

static void touch(struct tn_handles *handles, struct tn_handle *handle)
{
	handle->used_ms = tn_clock_now_ms(handles->options.clock);
	handle->used_wall_ms = wall_ms(handles);
}

static struct tn_handle *make(struct tn_handles *handles, const struct tn_handle_new *made)
{
	struct tn_handle *handle = tn_mem_alloc(sizeof(*handle));
	char random[TN_RNG_TOKEN_SIZE(RANDOM_BYTES)];

	if (!handle) {
		handles->options.free_value(made->value);
		return NULL;
	}
	handle->value = made->value;
	handle->bytes = made->bytes;
	handle->free_value = handles->options.free_value;
	handle->refs = 1;
	touch(handles, handle);
	handle->created_wall_ms = handle->used_wall_ms;
	(void)snprintf(handle->principal, sizeof(handle->principal), "%s", made->principal);
	copy_cut(handle->title, sizeof(handle->title), made->title);
	copy_cut(handle->by, sizeof(handle->by), made->by);
	tn_rng_token(random, RANDOM_BYTES);
	if (made->id)
		(void)snprintf(handle->id, sizeof(handle->id), "%s", made->id);
	else
		(void)snprintf(handle->id, sizeof(handle->id), "%s%s%s", handles->options.prefix,
			       handles->node, random);
	return handle;
}

enum tenon_code tn_handles_add(struct tn_handles *handles, const struct tn_handle_new *made,
			       struct tn_handle **ret, struct tenon_error *err)
{
	struct tn_handle *handle = make(handles, made);
	struct tn_handle *namesake;
	enum tenon_code code;

	if (!handle)
		return tn_fail(err, TENON_NO_MEMORY, "out of memory");
	drop_idle(handles);
	namesake = tn_map_get(&handles->by_id, tn_str_from(handle->id));
	if (namesake) /* one that was kept elsewhere came twice */
		drop(handles, namesake, WHY_CLOSED);
	code = tn_map_put(&handles->by_id, tn_str_from(handle->id), handle, err);
	if (code != TENON_OK) {
		tn_handle_unref(handle);
		return code;
	}
	handle->number = ++handles->numbers;
	link_newest(handles, handle);
	handles->count++;
	handles->bytes += handle->bytes;
	tn_handle_ref(handle);
	drop_excess(handles);
	tell(handles);
	*ret = handle;
	return TENON_OK;
}

enum tenon_code tn_handles_find(struct tn_handles *handles, const char *id, const char *principal,
				struct tn_handle **ret, struct tenon_error *err)
{
	const struct tn_handle_gone *gone;
	struct tn_handle *handle;

	drop_idle(handles);
	handle = tn_map_get(&handles->by_id, tn_str_from(id));
	/* Somebody else's handle is as good as none: its existence is not told. */
	if (!handle || !belongs_to(handle->principal, principal)) {
		gone = handle ? NULL : find_gone(handles, id, principal);
		return gone ? fail_gone(handles, gone, err)
			    : tn_fail(err, TENON_NOT_FOUND, "this %s is not known",
				      handles->options.kind);
	}
	touch(handles, handle);
	unlink_handle(handles, handle);
	link_newest(handles, handle);
	*ret = handle;
	return TENON_OK;
}

struct tn_handle *tn_handles_next(const struct tn_handles *handles, const struct tn_handle *after,
				  const char *principal)
{
	struct tn_handle *handle = after ? after->older : handles->newest;

	while (handle && principal && !belongs_to(handle->principal, principal))
		handle = handle->older;
	return handle;
}

void tn_handles_close(struct tn_handles *handles, struct tn_handle *handle)
{
	drop(handles, handle, WHY_CLOSED);
}

void tn_handles_set_title(struct tn_handles *handles, struct tn_handle *handle, const char *title)
{
	copy_cut(handle->title, sizeof(handle->title), title);
	tell(handles);
}

void tn_handles_set_bytes(struct tn_handles *handles, struct tn_handle *handle, size_t bytes)
{
	handles->bytes += bytes - handle->bytes;
	handle->bytes = bytes;
	drop_excess(handles);
}

/* ---- the registry ---- */

static struct tn_handle_info describe(const struct tn_handles *handles,
				      const struct tn_handle *handle)
{
	uint64_t idle_ms = handles->options.idle_ms;

	return (struct tn_handle_info){
		.id = handle->id,
		.kind = handles->options.kind,
		.app = handles->options.app,
		.title = handle->title[0] ? handle->title : NULL,
		.principal = handle->principal,
		.by = handle->by[0] ? handle->by : NULL,
		.created_ms = handle->created_wall_ms,
		.used_ms = handle->used_wall_ms,
		.expires_ms = idle_ms ? handle->used_wall_ms + (int64_t)idle_ms : -1,
		.bytes = handle->bytes};
}

void tn_handles_each(struct tn_handle_registry *registry,
		     bool (*each)(const struct tn_handle_info *info, void *data), void *data)
{
	for (struct tn_handles *handles = registry->first; handles; handles = handles->next)
		drop_idle(handles);
	for (struct tn_handles *handles = registry->first; handles; handles = handles->next) {
		for (const struct tn_handle *at = handles->newest; at; at = at->older) {
			struct tn_handle_info info = describe(handles, at);

			if (!each(&info, data))
				return;
		}
	}
}

size_t tn_handles_count(const struct tn_handle_registry *registry)
{
	size_t count = 0;

	for (const struct tn_handles *handles = registry->first; handles; handles = handles->next)
		count += handles->count;
	return count;
}
