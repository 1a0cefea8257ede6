#include "mcp/server.h"

#include "base/digest.h"
#include "base/limits.h"
#include "base/mem.h"
#include "base/size.h"
#include "jsonrpc/json_write.h"
#include "mcp/audit.h"
#include "mcp/call.h"
#include "mcp/consent.h"
#include "mcp/extension.h"
#include "mcp/feed.h"
#include "mcp/limits.h"
#include "mcp/long_text.h"

/* ---- life ---- */

static bool keep(struct tenon_server *server, const char **text)
{
	size_t i = 0;

	if (!*text)
		return true;
	while (server->texts[i])
		i++;
	server->texts[i] = tn_mem_copy_text(*text, strlen(*text));
	*text = server->texts[i];
	return *text != NULL;
}

/* MCP-205: texts of any size become keys of the cipher's. */
static enum tenon_code copy_seal_keys(struct tenon_server *server, const char *const *keys,
				      struct tenon_error *err)
{
	size_t count = 0;

	while (keys && keys[count])
		count++;
	if (count > TN_SEAL_KEYS_MAX)
		return tn_fail(err, TENON_LIMIT, "seal_keys: more than %d", TN_SEAL_KEYS_MAX);
	if (count == 0)
		return TENON_OK;
	server->seal_keys = tn_mem_alloc_array(count, sizeof(*server->seal_keys));
	if (!server->seal_keys)
		return tn_fail(err, TENON_NO_MEMORY, "out of memory");
	for (size_t i = 0; i < count; i++) {
		if (strlen(keys[i]) < TN_SEAL_KEY_BYTES_MIN)
			return tn_fail(err, TENON_INVALID,
				       "seal_keys: send at least %d bytes for each",
				       TN_SEAL_KEY_BYTES_MIN);
		_Static_assert(TN_DIGEST_SIZE == TN_SEAL_KEY_SIZE, "a digest is a key");
		tn_digest(tn_str_from(keys[i]), server->seal_keys[i]);
	}
	server->seal_key_count = count;
	return TENON_OK;
}

static enum tenon_code check_icons(const char *icons, struct tenon_error *err)
{
	struct tn_arena arena;
	struct tn_json *tree;
	bool fine;

	if (!icons)
		return TENON_OK;
	tn_arena_init(&arena, TN_MESSAGE_ARENA_MAX);
	fine = tn_json_parse_copy(&arena, tn_str_from(icons), &tree, NULL) == TENON_OK &&
	       tree->type == TN_JSON_ARRAY;
	tn_arena_finish(&arena);
	return fine ? TENON_OK : tn_fail(err, TENON_INVALID, "icons: send a JSON array");
}

static enum tenon_code copy_options(struct tenon_server *server,
				    const struct tenon_server_options *options,
				    struct tenon_error *err)
{
	struct tenon_server_options *o = &server->options;

	*o = *options;
	tn_buf_init(&server->instructions, TN_INSTRUCTIONS_BYTES_MAX);
	if (o->instructions)
		tn_buf_append_text(&server->instructions, o->instructions);
	server->own_instructions_size = server->instructions.size;
	o->instructions = NULL; /* in the buffer, where apps add theirs */
	if (!keep(server, &o->name) || !keep(server, &o->version) || !keep(server, &o->title) ||
	    !keep(server, &o->website_url) || !keep(server, &o->description) ||
	    !keep(server, &o->icons) || server->instructions.failed)
		return tn_fail(err, TENON_NO_MEMORY, "out of memory");
	if (!o->sessions_max)
		o->sessions_max = TN_SESSIONS_MAX;
	if (!o->listeners_max)
		o->listeners_max = TN_LISTENERS_MAX;
	o->seal_keys = NULL; /* the caller's; what is made of them is ours */
	return copy_seal_keys(server, options->seal_keys, err);
}

static void stop_requested(struct tn_wakeup *wakeup, void *data)
{
	struct tenon_server *server = data;

	(void)wakeup;
	if (server->on_stop)
		server->on_stop(server->on_stop_data);
}

enum tenon_code tenon_server_create(const struct tenon_server_options *options,
				    struct tenon_server **ret, struct tenon_error *err)
{
	struct tenon_server *server;
	enum tenon_code code;

	if (!options->name || !options->name[0] || !options->version || !options->version[0])
		return tn_fail(err, TENON_INVALID, "a server needs a name and a version");
	code = check_icons(options->icons, err);
	if (code != TENON_OK)
		return code;
	server = tn_mem_alloc(sizeof(*server));
	if (!server)
		return tn_fail(err, TENON_NO_MEMORY, "out of memory");
	server->clock = &tn_clock_system;
	server->orphanage.server = server;
	tn_buf_init(&server->scratch, TN_RESULT_BYTES_MAX);
	tn_map_init(&server->tasks.by_id);
	code = copy_options(server, options, err);
	if (code == TENON_OK)
		code = tn_loop_create(&server->loop, err);
	if (code == TENON_OK)
		code = tn_wakeup_open(server->loop, stop_requested, server, &server->stop_wakeup,
				      err);
	if (code == TENON_OK)
		code = tn_audit_open(server, err);
	if (code != TENON_OK) {
		tenon_server_destroy(server);
		return code;
	}
	*ret = server;
	return TENON_OK;
}

/* What an app has on the loop goes before it: the loop waits for all that is open. */
static void stop_apps(struct tenon_server *server)
{
	for (const struct tn_app_slot *slot = server->apps; slot; slot = slot->next) {
		if (slot->app->stop)
			slot->app->stop(slot->state);
	}
}

static void close_apps(struct tenon_server *server)
{
	while (server->apps) {
		struct tn_app_slot *slot = server->apps;

		server->apps = slot->next;
		if (slot->app->close)
			slot->app->close(slot->state);
		tn_mem_free(slot);
	}
}

static void free_pool(struct tenon_server *server)
{
	while (server->pool) {
		struct tenon_call *call = server->pool;

		server->pool = call->next;
		tn_arena_finish(&call->arena);
		tn_buf_finish(&call->out);
		tn_buf_finish(&call->structured);
		tn_mem_free(call);
	}
}

void tenon_server_destroy(struct tenon_server *server)
{
	if (!server)
		return;
	if (server->end_serving) /* opened, and never run */
		server->end_serving(server);
	tn_consent_close(server);
	while (server->peers)
		tn_peer_destroy(server->peers);
	tn_task_table_finish(server);
	while (server->orphanage.calls) {
		struct tenon_call *call = server->orphanage.calls;

		tn_call_abandon(call);
		if (server->orphanage.calls == call) /* a job still has it */
			tn_call_unlist(call);
	}
	stop_apps(server); /* they may still tell of what goes with them */
	tn_long_text_free_all(server);
	tn_timer_close(server->list_timer);
	tn_timer_close(server->retry_timer);
	tn_wakeup_close(server->stop_wakeup);
	tn_loop_destroy(server->loop); /* waits for jobs, whose ends free their calls */
	close_apps(server);
	free_pool(server);
	tn_registry_finish(&server->registry);
	tn_extension_free_all(server);
	tn_audit_close(server);
	tn_mem_free(server->seal_keys);
	tn_buf_finish(&server->scratch);
	tn_buf_finish(&server->instructions);
	for (size_t i = 0; i < TN_COUNT(server->texts); i++)
		tn_mem_free(server->texts[i]);
	tn_mem_free(server);
}

void tenon_server_stop(struct tenon_server *server)
{
	tn_wakeup_send(server->stop_wakeup);
}

/* ---- what it offers ---- */

/* `code` is how making the item went; the item is handed by its place, because it may not exist.
 * `slot` NULL: it is of no app. */
static enum tenon_code add_quietly(struct tenon_server *server, enum tenon_code code,
				   struct tn_item **made, const struct tn_app_slot *slot,
				   struct tenon_error *err)
{
	struct tn_item *item = *made;

	if (code != TENON_OK)
		return code;
	item->faults = slot ? slot->app->argument_faults : server->options.argument_faults;
	item->nul_arguments = slot ? slot->app->nul_arguments : NULL;
	item->refuse = slot ? slot->app->refuse_arguments : NULL;
	item->app_state = slot ? slot->state : NULL;
	item->app = slot ? slot->bit : 0;
	code = tn_registry_add(&server->registry, item, err);
	if (code != TENON_OK) {
		tn_item_unref(item);
		return code;
	}
	server->tasks.tools += tn_item_makes_tasks(item);
	if (item->kind == TN_ITEM_TOOL && item->tool.text_max_bytes)
		server->cuts_texts = true;
	if ((item->kind == TN_ITEM_TOOL && item->tool.person_only) ||
	    (item->kind == TN_ITEM_RESOURCE && item->resource.owner))
		server->has_scopes = true; /* lists are not the same for all (MCP-188) */
	return TENON_OK;
}

static enum tenon_code add(struct tenon_server *server, enum tenon_code code, struct tn_item **made,
			   const struct tn_app_slot *slot, struct tenon_error *err)
{
	code = add_quietly(server, code, made, slot, err);
	if (code == TENON_OK)
		tn_feed_list_changed(server, (*made)->kind);
	return code;
}

enum tenon_code tenon_server_add_tool(struct tenon_server *server, const struct tenon_tool *tool,
				      struct tenon_error *err)
{
	struct tn_item *item = NULL;

	return add(server, tn_item_from_tool(tool, &item, err), &item, NULL, err);
}

enum tenon_code tenon_server_add_resource(struct tenon_server *server,
					  const struct tenon_resource *resource,
					  struct tenon_error *err)
{
	struct tn_item *item = NULL;

	return add(server, tn_item_from_resource(resource, &item, err), &item, NULL, err);
}

enum tenon_code tenon_server_add_template(struct tenon_server *server,
					  const struct tenon_resource_template *resource_template,
					  struct tenon_error *err)
{
	struct tn_item *item = NULL;

	return add(server, tn_item_from_template(resource_template, &item, err), &item, NULL, err);
}

enum tenon_code tenon_server_add_prompt(struct tenon_server *server,
					const struct tenon_prompt *prompt, struct tenon_error *err)
{
	struct tn_item *item = NULL;

	return add(server, tn_item_from_prompt(prompt, &item, err), &item, NULL, err);
}

/* ---- apps ---- */

static struct tn_app_slot *find_app(const struct tenon_server *server, struct tn_str name)
{
	struct tn_app_slot *slot = server->apps;

	while (slot && !tn_str_is(name, slot->app->name))
		slot = slot->next;
	return slot;
}

uint32_t tn_server_app_bit(const struct tenon_server *server, struct tn_str name)
{
	const struct tn_app_slot *slot = find_app(server, name);

	return slot && !slot->is_off ? slot->bit : 0;
}

bool tn_server_set_app_off(struct tenon_server *server, const char *name, bool off)
{
	struct tn_app_slot *slot = find_app(server, tn_str_from(name));
	uint32_t others;

	if (!slot || slot->is_off == off)
		return slot != NULL;
	slot->is_off = off;
	others = server->registry.apps_off & ~slot->bit;
	tn_registry_switch_off(&server->registry, others | (off ? slot->bit : 0));
	for (size_t kind = 0; kind < TN_ITEM_KINDS; kind++) {
		if (tn_registry_app_has(&server->registry, (enum tn_item_kind)kind, slot->bit))
			tn_feed_list_changed(server, (enum tn_item_kind)kind);
	}
	return true;
}

static enum tenon_code add_app_items(struct tenon_server *server, const struct tn_app_slot *slot,
				     struct tenon_error *err)
{
	const struct tenon_app *app = slot->app;
	const struct tenon_tool *const *tools =
		app->choose_tools ? app->choose_tools(slot->state) : app->tools;
	enum tenon_code code = TENON_OK;
	struct tn_item *item = NULL;

	for (size_t i = 0; tools && tools[i] && code == TENON_OK; i++)
		code = add(server, tn_item_from_tool(tools[i], &item, err), &item, slot, err);
	for (size_t i = 0; app->resources && app->resources[i] && code == TENON_OK; i++)
		code = add(server, tn_item_from_resource(app->resources[i], &item, err), &item,
			   slot, err);
	for (size_t i = 0; app->templates && app->templates[i] && code == TENON_OK; i++)
		code = add(server, tn_item_from_template(app->templates[i], &item, err), &item,
			   slot, err);
	for (size_t i = 0; app->prompts && app->prompts[i] && code == TENON_OK; i++)
		code = add(server, tn_item_from_prompt(app->prompts[i], &item, err), &item, slot,
			   err);
	return code;
}

enum tenon_code tenon_server_add_app(struct tenon_server *server, const struct tenon_app *app,
				     struct tenon_error *err)
{
	struct tn_app_slot *slot, **last = &server->apps;
	enum tenon_code code = TENON_OK;
	uint32_t bit = 1;

	for (; *last && (bit & TN_APPS_BITS); last = &(*last)->next)
		bit <<= 1;
	if (!(bit & TN_APPS_BITS))
		return tn_fail(err, TENON_LIMIT, "more than %d apps", TN_APPS_MAX);
	slot = tn_mem_alloc(sizeof(*slot));
	if (!slot)
		return tn_fail(err, TENON_NO_MEMORY, "out of memory");
	slot->app = app;
	slot->bit = bit;
	if (app->open)
		code = app->open(server, &slot->state, err);
	if (code != TENON_OK) {
		tn_mem_free(slot);
		return code;
	}
	*last = slot;
	tn_server_add_instructions(server, app->instructions);
	code = tn_buf_check(&server->instructions, err);
	return code == TENON_OK ? add_app_items(server, slot, err) : code;
}

static const struct tn_app_slot *slot_of(const struct tenon_server *server,
					 const struct tenon_app *app)
{
	const struct tn_app_slot *slot = server->apps;

	while (slot && slot->app != app)
		slot = slot->next;
	return slot;
}

enum tenon_code tn_server_add_resource_of(struct tenon_server *server, const struct tenon_app *app,
					  const struct tenon_resource *resource, bool told,
					  struct tenon_error *err)
{
	struct tn_item *item = NULL;
	enum tenon_code code;

	code = add_quietly(server, tn_item_from_resource(resource, &item, err), &item,
			   slot_of(server, app), err);
	if (code == TENON_OK && told)
		tn_feed_list_changed(server, TN_ITEM_RESOURCE);
	return code;
}

enum tenon_code tn_server_add_prompt_of(struct tenon_server *server, const struct tenon_app *app,
					const struct tenon_prompt *prompt, struct tenon_error *err)
{
	struct tn_item *item = NULL;

	return add(server, tn_item_from_prompt(prompt, &item, err), &item, slot_of(server, app),
		   err);
}

/* ---- changes ---- */

static bool remove_item(struct tenon_server *server, enum tn_item_kind kind, const char *key)
{
	const struct tn_item *item = tn_registry_find(&server->registry, kind, tn_str_from(key));
	bool makes_tasks = item && tn_item_makes_tasks(item);

	if (!tn_registry_remove(&server->registry, kind, tn_str_from(key)))
		return false;
	server->tasks.tools -= makes_tasks;
	tn_feed_list_changed(server, kind);
	return true;
}

bool tenon_server_remove_tool(struct tenon_server *server, const char *name)
{
	return remove_item(server, TN_ITEM_TOOL, name);
}

bool tenon_server_remove_resource(struct tenon_server *server, const char *uri)
{
	return remove_item(server, TN_ITEM_RESOURCE, uri);
}

void tn_server_remove_resource_of(struct tenon_server *server, const char *uri, bool told)
{
	if (tn_registry_remove(&server->registry, TN_ITEM_RESOURCE, tn_str_from(uri)) && told)
		tn_feed_list_changed(server, TN_ITEM_RESOURCE);
}

bool tenon_server_remove_prompt(struct tenon_server *server, const char *name)
{
	return remove_item(server, TN_ITEM_PROMPT, name);
}

void tenon_server_resource_updated(struct tenon_server *server, const char *uri)
{
	tn_feed_resource_updated(server, tn_str_from(uri));
}
