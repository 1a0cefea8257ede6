#include "mcp/extension.h"

#include "base/limits.h"
#include "base/mem.h"
#include "jsonrpc/json_write.h"
#include "mcp/limits.h"
#include "mcp/server.h"

struct extension_method {
	struct tn_method method; /* first: what the core knows */
	const struct tn_extension *extension;
	char *name, *name_member;
	tenon_call_fn *handler;
	void *data;
};

struct tn_extension {
	char *id;
	char *settings;
	bool legacy, required;
	struct extension_method *methods;
	size_t method_count;
	struct tn_extension *next;
};

/* ---- names (MCP-043) ---- */

static bool is_label(struct tn_str label)
{
	if (label.size == 0 || !tn_is_alpha(label.data[0]) || label.data[label.size - 1] == '-')
		return false;
	for (size_t i = 0; i < label.size; i++) {
		char c = label.data[i];

		if (!tn_is_alpha(c) && !tn_is_digit(c) && c != '-')
			return false;
	}
	return true;
}

static bool is_prefix(struct tn_str prefix)
{
	size_t dot;

	while ((dot = tn_str_find_byte(prefix, '.')) != TN_STR_NONE) {
		if (!is_label(tn_str(prefix.data, dot)))
			return false;
		prefix = tn_str_from_offset(prefix, dot + 1);
	}
	return is_label(prefix);
}

static bool is_alphanumeric(char c)
{
	return tn_is_alpha(c) || tn_is_digit(c);
}

static bool is_plain_name(struct tn_str name)
{
	if (name.size == 0)
		return true;
	for (size_t i = 0; i < name.size; i++) {
		char c = name.data[i];

		if (!is_alphanumeric(c) && c != '-' && c != '_' && c != '.')
			return false;
	}
	return is_alphanumeric(name.data[0]) && is_alphanumeric(name.data[name.size - 1]);
}

bool tn_meta_name_valid(struct tn_str name, bool with_prefix)
{
	size_t slash = tn_str_find_byte(name, '/');

	if (slash == TN_STR_NONE)
		return !with_prefix && name.size && is_plain_name(name);
	return is_prefix(tn_str(name.data, slash)) &&
	       is_plain_name(tn_str_from_offset(name, slash + 1));
}

/* ---- methods ---- */

void tn_extension_refuse_missing(struct tenon_call *call, const char *id)
{
	struct tn_buf data;

	if (call->revision != TN_R5) {
		tn_call_error(call, 200, TN_METHOD_NOT_FOUND,
			      TN_STR("Method not found: the client has not declared its extension"),
			      tn_str(NULL, 0));
		return;
	}
	tn_buf_init(&data, 64 * TN_KIB);
	tn_json_begin_object(&data);
	tn_json_put_key(&data, "requiredCapabilities");
	tn_json_begin_object(&data);
	tn_json_put_key(&data, "extensions");
	tn_json_begin_object(&data);
	tn_json_put_key_str(&data, tn_str_from(id));
	tn_json_put_raw(&data, TN_STR("{}"));
	tn_json_end_object(&data);
	tn_json_end_object(&data);
	tn_json_end_object(&data);
	tn_call_error(call, 400, TN_MISSING_CAPABILITY,
		      TN_STR("Missing required client capability"), tn_buf_str(&data));
	tn_buf_finish(&data);
}

static void run_method(struct tenon_call *call)
{
	const struct extension_method *method = (const struct extension_method *)call->method;

	if (method->extension->required && !tn_extension_of_client(call, method->extension->id)) {
		tn_extension_refuse_missing(call, method->extension->id);
		return;
	}
	if (!tn_method_admit(call))
		return;
	call->arguments = call->params;
	call->handler = method->handler;
	call->handler_data = method->data;
	tn_call_run(call);
}

const struct tn_method *tn_extension_find_method(const struct tenon_call *call, struct tn_str name)
{
	for (const struct tn_extension *e = call->server->extensions; e; e = e->next) {
		if (call->revision < TN_R4 || (call->revision == TN_R4 && !e->legacy))
			continue;
		for (size_t i = 0; i < e->method_count; i++) {
			if (tn_str_is(name, e->methods[i].name))
				return &e->methods[i].method;
		}
	}
	return NULL;
}

/* The members of `_meta` without their braces, as tenon_call_set_meta wants them. */
static const char *members_of(struct tenon_call *call, const struct tn_json *object)
{
	const char *text = tn_json_is(object, TN_JSON_OBJECT) && object->count
				   ? tn_call_json_text(call, object)
				   : NULL;

	return text ? tn_arena_copy(&call->arena, tn_str(text + 1, strlen(text) - 2)) : NULL;
}

void tenon_call_finish_json(struct tenon_call *call, const char *result)
{
	struct tn_str type = TN_STR("complete");
	struct tn_json *tree;
	struct tenon_error err;

	if (call->phase == TN_CALL_FINISHED)
		return;
	if (tn_json_parse_copy(&call->arena, tn_str_from(result), &tree, &err) != TENON_OK ||
	    tree->type != TN_JSON_OBJECT) {
		tenon_call_refuse(call, TN_INTERNAL_ERROR, "The result is no JSON object", NULL);
		return;
	}
	tn_result_begin(call);
	for (const struct tn_json *m = tree->first; m; m = m->next) {
		if (tn_str_is(m->key, "_meta") || tn_str_is(m->key, "resultType"))
			continue;
		tn_json_put_key_str(&call->out, m->key);
		tn_json_put_value(&call->out, m);
	}
	call->result_meta = members_of(call, tn_json_get(tree, "_meta"));
	(void)tn_json_to_str(tn_json_get(tree, "resultType"), &type);
	tn_result_send_as(call, type.data);
}

/* ---- what the server declares ---- */

static bool shows_ui(const struct tenon_server *server)
{
	const struct tn_list *tools = &server->registry.lists[TN_ITEM_TOOL];

	for (size_t i = 0; i < tools->count; i++) {
		if (tools->items[i]->tool.ui)
			return true;
	}
	return false;
}

static bool declares(const struct tenon_server *server, const char *id)
{
	const struct tn_extension *e = server->extensions;

	while (e && strcmp(e->id, id) != 0)
		e = e->next;
	return e != NULL;
}

void tn_extension_put_all(const struct tenon_server *server, enum tn_revision revision,
			  struct tn_buf *out)
{
	if (revision < TN_R4)
		return;
	for (const struct tn_extension *e = server->extensions; e; e = e->next) {
		if (revision == TN_R4 && !e->legacy)
			continue;
		tn_json_put_key_str(out, tn_str_from(e->id));
		tn_json_put_foreign(out, tn_str_from(e->settings));
	}
	if (shows_ui(server) && !declares(server, TN_UI_EXTENSION))
		tn_json_put_member_raw(out, TN_UI_EXTENSION, TN_STR("{}"));
}

/* ---- adding ---- */

static void free_extension(struct tn_extension *e)
{
	for (size_t i = 0; i < e->method_count; i++) {
		tn_mem_free(e->methods[i].name);
		tn_mem_free(e->methods[i].name_member);
	}
	tn_mem_free(e->methods);
	tn_mem_free(e->id);
	tn_mem_free(e->settings);
	tn_mem_free(e);
}

void tn_extension_free_all(struct tenon_server *server)
{
	while (server->extensions) {
		struct tn_extension *e = server->extensions;

		server->extensions = e->next;
		free_extension(e);
	}
}

static enum tenon_code check_settings(const char *id, const char *settings, struct tenon_error *err)
{
	struct tn_arena arena;
	struct tn_json *tree;
	bool fine;

	tn_arena_init(&arena, TN_MESSAGE_ARENA_MAX);
	fine = tn_json_parse_copy(&arena, tn_str_from(settings), &tree, NULL) == TENON_OK &&
	       tree->type == TN_JSON_OBJECT;
	tn_arena_finish(&arena);
	return fine ? TENON_OK
		    : tn_fail(err, TENON_INVALID,
			      "extension %.100s: send its settings as a JSON object", id);
}

static enum tenon_code check_extension(const struct tenon_server *server,
				       const struct tenon_extension *extension,
				       struct tenon_error *err)
{
	const char *id = extension->id ? extension->id : "";

	if (!tn_meta_name_valid(tn_str_from(id), true) || strlen(id) > TN_NAME_BYTES_MAX)
		return tn_fail(err, TENON_INVALID,
			       "extension \"%.100s\": send an id such as com.example/name", id);
	if (declares(server, id))
		return tn_fail(err, TENON_INVALID, "extension %.100s exists already", id);
	return extension->settings ? check_settings(id, extension->settings, err) : TENON_OK;
}

/* A name that another method has would never be reached. */
static enum tenon_code check_method(const struct tenon_server *server,
				    const struct tenon_extension *extension,
				    const struct tenon_method *method, struct tenon_error *err)
{
	struct tn_str name = tn_str_from(method->name);

	if (name.size == 0 || name.size > TN_METHOD_BYTES_MAX || !method->call)
		return tn_fail(err, TENON_INVALID,
			       "extension %.100s: a method needs a name and a handler",
			       extension->id);
	if (tn_method_is_known(name) || tn_str_is(name, "initialize") ||
	    tn_str_starts(name, TN_STR("notifications/")))
		return tn_fail(err, TENON_INVALID, "method %.100s belongs to the protocol",
			       method->name);
	for (const struct tn_extension *e = server->extensions; e; e = e->next) {
		for (size_t i = 0; i < e->method_count; i++) {
			if (tn_str_is(name, e->methods[i].name))
				return tn_fail(err, TENON_INVALID, "method %.100s exists already",
					       method->name);
		}
	}
	return TENON_OK;
}

static bool copy_method(struct tn_extension *e, const struct tenon_method *from)
{
	struct extension_method *to = &e->methods[e->method_count++];

	to->name = tn_mem_copy_text(from->name, strlen(from->name));
	if (from->name_member)
		to->name_member = tn_mem_copy_text(from->name_member, strlen(from->name_member));
	to->extension = e;
	to->handler = from->call;
	to->data = from->data;
	to->method = (struct tn_method){.name = to->name,
					.eras = TN_METHOD_BOTH,
					.feature = TN_FEATURE_NONE,
					.name_member = to->name_member,
					.call = run_method};
	return to->name && (to->name_member || !from->name_member);
}

static size_t count_methods(const struct tenon_extension *extension)
{
	size_t count = 0;

	while (extension->methods && extension->methods[count].name)
		count++;
	return count;
}

static bool copy_extension(struct tn_extension *e, const struct tenon_extension *from)
{
	const char *settings = from->settings ? from->settings : "{}";
	size_t count = count_methods(from);

	e->id = tn_mem_copy_text(from->id, strlen(from->id));
	e->settings = tn_mem_copy_text(settings, strlen(settings));
	e->methods = tn_mem_alloc_array(count, sizeof(*e->methods));
	e->legacy = from->legacy;
	e->required = from->required;
	if (!e->id || !e->settings || !e->methods)
		return false;
	for (size_t i = 0; i < count; i++) {
		if (!copy_method(e, &from->methods[i]))
			return false;
	}
	return true;
}

enum tenon_code tenon_server_add_extension(struct tenon_server *server,
					   const struct tenon_extension *extension,
					   struct tenon_error *err)
{
	struct tn_extension *e;
	enum tenon_code code = check_extension(server, extension, err);

	for (size_t i = 0; code == TENON_OK && i < count_methods(extension); i++)
		code = check_method(server, extension, &extension->methods[i], err);
	if (code != TENON_OK)
		return code;
	e = tn_mem_alloc(sizeof(*e));
	if (!e || !copy_extension(e, extension)) {
		if (e)
			free_extension(e);
		return tn_fail(err, TENON_NO_MEMORY, "out of memory");
	}
	e->next = server->extensions;
	server->extensions = e;
	return TENON_OK;
}
