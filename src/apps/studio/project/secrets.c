#include <string.h>

#include "apps/studio/document/declared.h"
#include "apps/studio/project/internal.h"
#include "apps/studio/limits.h"
#include "base/size.h"
#include "base/utf8.h"
#include "jsonrpc/json_make.h"
#include "jsonrpc/json_write.h"

#define SECRETS_FILE ".tenon/secrets.json"

/* ---- the store ---- */

static const struct tn_json *find(const struct tn_studio_project *project, struct tn_str key)
{
	return tn_json_get_str(project->secrets, key);
}

static bool is_full(const struct tn_studio_project *project)
{
	return project->secrets && project->secrets->count >= TN_STUDIO_SECRETS_MAX;
}

/* The oldest of a node that is not there any more; NULL: none. */
static const struct tn_json *find_left(const struct tn_studio_project *project)
{
	for (const struct tn_json *at = project->secrets->first; at; at = at->next) {
		size_t slash = tn_str_find_byte(at->key, '/');

		if (slash == TN_STR_NONE ||
		    !tn_studio_node_find(&project->document, tn_str(at->key.data, slash)))
			return at;
	}
	return NULL;
}

/* What there is now with one value changed; NULL leaves it out. Where there is no more room, what
 * was left behind makes it. */
static void put_with(struct tn_buf *out, const struct tn_studio_project *project, struct tn_str key,
		     const struct tn_str *value)
{
	const struct tn_json *gone =
		value && is_full(project) && !find(project, key) ? find_left(project) : NULL;

	tn_json_begin_object(out);
	for (const struct tn_json *at = project->secrets ? project->secrets->first : NULL; at;
	     at = at->next) {
		if (at == gone || tn_str_equal(at->key, key))
			continue;
		tn_json_put_key_str(out, at->key);
		tn_json_put_str(out, at->text);
	}
	if (value) {
		tn_json_put_key_str(out, key);
		tn_json_put_str(out, *value);
	}
	tn_json_end_object(out);
}

static bool write_store(const struct tn_studio_project *project, struct tn_studio_fault *fault)
{
	struct tn_buf text;
	bool done;

	if (!project->own || !project->path)
		return true;
	tn_buf_init(&text, TN_STUDIO_FILE_BYTES_MAX);
	put_with(&text, project, tn_str("", 0), NULL);
	tn_buf_append_byte(&text, '\n');
	done = text.failed
		       ? tn_studio_fail_memory(fault)
		       : tn_studio_private_write(project, SECRETS_FILE, tn_buf_str(&text), fault);
	tn_buf_finish(&text);
	return done;
}

/* Takes a new tree; the one before is kept while an edit could want it back. */
static void replace(struct tn_studio_project *project, struct tn_json *secrets,
		    struct tn_arena arena)
{
	struct tn_studio_project_private *own = project->own;

	if (own && own->collecting && !own->collected) {
		own->secrets_before = project->secrets;
		own->secrets_before_arena = project->secrets_arena;
		own->collected = true;
	} else {
		tn_arena_finish(&project->secrets_arena);
	}
	project->secrets = secrets;
	project->secrets_arena = arena;
	if (own)
		own->secrets_generation++;
}

static bool check(const struct tn_studio_project *project, struct tn_str key,
		  const struct tn_str *value, struct tn_studio_fault *fault)
{
	size_t slash = tn_str_find_byte(key, '/');
	struct tn_str name = slash == TN_STR_NONE ? key : tn_str_from_offset(key, slash + 1);

	if (!value)
		return true;
	/* It travels in the environment of the engine. */
	if (tn_str_find_byte(*value, '\0') != TN_STR_NONE ||
	    !tn_utf8_valid(value->data, value->size))
		return tn_studio_fail(fault, "INVALID_INPUT",
				      "the secret %.*s has a NUL in it or is not UTF-8",
				      (int)(name.size < 64 ? name.size : 64), name.data);
	if (value->size > TN_STUDIO_STRING_BYTES_MAX)
		return tn_studio_fail(fault, "LIMIT_EXCEEDED", "a secret has at most %zu bytes",
				      TN_STUDIO_STRING_BYTES_MAX);
	if (is_full(project) && !find(project, key) && !find_left(project))
		return tn_studio_fail(fault, "LIMIT_EXCEEDED", "a project keeps at most %d secrets",
				      TN_STUDIO_SECRETS_MAX);
	return true;
}

/* Takes the text as the new store. */
static bool adopt(struct tn_studio_project *project, const struct tn_buf *text,
		  struct tn_studio_fault *fault)
{
	struct tenon_error err = {0};
	struct tn_arena arena;
	struct tn_json *secrets = NULL;

	tn_arena_init(&arena, TN_STUDIO_ARENA_MAX);
	if (tn_buf_check(text, &err) != TENON_OK ||
	    tn_json_parse_copy(&arena, tn_buf_str(text), &secrets, &err) != TENON_OK) {
		tn_arena_finish(&arena);
		return tn_studio_fail_error(fault, &err);
	}
	replace(project, secrets, arena);
	return true;
}

bool tn_studio_secret_set(struct tn_studio_project *project, struct tn_str key,
			  const struct tn_str *value, struct tn_studio_fault *fault)
{
	bool alone = project->own && !project->own->collecting, done;
	struct tn_buf text;

	if (!check(project, key, value, fault))
		return false;
	if (!value && !find(project, key))
		return true;
	/* Not within an edit: it is its own. */
	if (alone)
		tn_studio_secrets_begin(project);
	tn_buf_init(&text, TN_STUDIO_FILE_BYTES_MAX);
	put_with(&text, project, key, value);
	done = adopt(project, &text, fault);
	tn_buf_finish(&text);
	if (alone)
		done = tn_studio_secrets_end(project, done, done ? fault : NULL) && done;
	return done;
}

void tn_studio_secrets_begin(struct tn_studio_project *project)
{
	if (!project->own || project->own->collecting)
		return;
	project->own->collecting = true;
	project->own->collected = false;
}

bool tn_studio_secrets_end(struct tn_studio_project *project, bool keep,
			   struct tn_studio_fault *fault)
{
	struct tn_studio_project_private *own = project->own;
	bool written = true;

	if (!own || !own->collecting)
		return true;
	own->collecting = false;
	if (!own->collected)
		return true;
	own->collected = false;
	written = keep && write_store(project, fault);
	if (written) {
		tn_arena_finish(&own->secrets_before_arena);
	} else {
		tn_arena_finish(&project->secrets_arena);
		project->secrets = own->secrets_before;
		project->secrets_arena = own->secrets_before_arena;
		own->secrets_generation++;
	}
	own->secrets_before = NULL;
	tn_arena_init(&own->secrets_before_arena, TN_STUDIO_ARENA_MAX);
	return written || !keep;
}

/* ---- from disk ---- */

static bool is_store(const struct tn_json *secrets)
{
	if (!tn_json_is(secrets, TN_JSON_OBJECT) || secrets->count > TN_STUDIO_SECRETS_MAX)
		return false;
	for (const struct tn_json *at = secrets->first; at; at = at->next) {
		if (at->type != TN_JSON_STRING || at->text.size > TN_STUDIO_STRING_BYTES_MAX ||
		    tn_str_find_byte(at->text, '\0') != TN_STR_NONE)
			return false;
	}
	return true;
}

/* Before keys were of nodes they were names of variables: those are taken over. One that is
 * nobody's now stays as it is, and is found by nobody. */
static struct tn_json *of_nodes(const struct tn_studio_project *project,
				const struct tn_json *secrets, struct tn_arena *arena)
{
	struct tn_json_maker made;

	tn_json_maker_begin(&made, arena, TN_JSON_OBJECT);
	for (const struct tn_json *at = secrets->first; at; at = at->next) {
		const struct tn_studio_node *owner = NULL;
		const char *key = NULL;
		struct tn_str rest;

		if (tn_str_find_byte(at->key, '/') == TN_STR_NONE)
			owner = tn_studio_secret_owner(&project->document, at->key, &rest);
		if (owner && !tn_studio_secret_find(secrets, owner->id, rest))
			key = tn_studio_secret_key(arena, owner->id, rest);
		tn_json_maker_put(&made, key ? tn_str_from(key) : at->key, at);
	}
	return tn_json_maker_end(&made);
}

void tn_studio_secrets_read(struct tn_studio_project *project)
{
	struct tn_studio_text text;
	struct tn_json *secrets = NULL;
	struct tn_arena arena;
	bool good;

	tn_studio_text_init(&text);
	tn_arena_init(&arena, TN_STUDIO_ARENA_MAX);
	good = tn_studio_text_read(project, SECRETS_FILE, &text, NULL);
	if (good && text.exists)
		good = tn_studio_text_parse(&text, SECRETS_FILE, &arena, &secrets, NULL) &&
		       is_store(secrets);
	if (good && secrets)
		secrets = of_nodes(project, secrets, &arena);
	if (good && secrets) {
		replace(project, secrets, arena);
	} else {
		tn_arena_finish(&arena);
	}
	if (!good) {
		/* The file stays as it is until the next secret is set. */
		struct tn_buf *warnings = &project->own->warnings;

		tn_json_begin_object(warnings);
		tn_json_put_member_text(warnings, "code", "SECRETS_UNREADABLE");
		tn_json_put_member_text(warnings, "message",
					SECRETS_FILE " cannot be read: secrets are to be set anew");
		tn_json_end_object(warnings);
	}
	tn_studio_text_finish(&text);
}

void tn_studio_secrets_finish(struct tn_studio_project *project)
{
	tn_arena_finish(&project->secrets_arena);
	tn_arena_finish(&project->own->secrets_before_arena);
	tn_studio_redactor_free(project->own->redactor);
	project->secrets = NULL;
	project->own->redactor = NULL;
}
