#include "host/settings/hosts_environment.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/limits.h"
#include "base/size.h"
#include "jsonrpc/json_write.h"

/* Where a daemon is found and what it reads. Each with where it is without the variable, below
 * HOME; NULL: /run/user/UID. */
static const struct {
	const char *name, *otherwise;
} surroundings[] = {
	{"XDG_RUNTIME_DIR", NULL},
	{"XDG_CONFIG_HOME", ".config"},
	{"XDG_STATE_HOME", ".local/state"},
};

static void find_usual(size_t i, char ret[PATH_MAX])
{
	const char *home = getenv("HOME");

	if (surroundings[i].otherwise)
		(void)snprintf(ret, PATH_MAX, "%s/%s", home ? home : "", surroundings[i].otherwise);
	else
		(void)snprintf(ret, PATH_MAX, "/run/user/%lu", (unsigned long)geteuid());
}

/* What the variable says, where that is not what holds without it; NULL. */
static const char *own_place(size_t i)
{
	const char *value = getenv(surroundings[i].name);
	char usual[PATH_MAX];

	find_usual(i, usual);
	return value && value[0] == '/' && strcmp(value, usual) != 0 ? value : NULL;
}

static bool is_ours(struct tn_str name)
{
	for (size_t i = 0; i < TN_COUNT(surroundings); i++) {
		if (tn_str_is(name, surroundings[i].name))
			return true;
	}
	return false;
}

bool tn_host_is_environment(const struct tn_json *value)
{
	return value->type == TN_JSON_STRING && tn_str_is(value->text, "{environment}");
}

bool tn_host_has_environment(void)
{
	bool has = false;

	for (size_t i = 0; i < TN_COUNT(surroundings); i++)
		has = has || own_place(i);
	return has;
}

void tn_host_put_environment(const struct tn_json *old, struct tn_buf *out)
{
	tn_json_begin_object(out);
	for (size_t i = 0; i < TN_COUNT(surroundings); i++) {
		if (own_place(i))
			tn_json_put_member_text(out, surroundings[i].name, own_place(i));
	}
	for (const struct tn_json *at = old ? old->first : NULL; at; at = at->next) {
		if (is_ours(at->key))
			continue;
		tn_json_put_key_str(out, at->key);
		tn_json_put_value(out, at);
	}
	tn_json_end_object(out);
}

/* ---- over an entry that is there ---- */

static const struct tn_json *member_of(const struct tn_json *profile)
{
	const struct tn_json *at = profile ? profile->first : NULL;

	while (at && !tn_host_is_environment(at))
		at = at->next;
	return at;
}

const struct tn_json *tn_host_environment_of(const struct tn_json *profile,
					     const struct tn_json *entry)
{
	const struct tn_json *member = member_of(profile);
	const struct tn_json *found = member ? tn_json_get_str(entry, member->key) : NULL;

	return tn_json_is(found, TN_JSON_OBJECT) ? found : NULL;
}

static bool has_own(const struct tn_json *environment)
{
	for (const struct tn_json *at = environment->first; at; at = at->next) {
		if (!is_ours(at->key))
			return true;
	}
	return false;
}

void tn_host_keep_environment(const struct tn_json *profile, const struct tn_json *old,
			      struct tn_buf *json, struct tn_str *ret_empty)
{
	const struct tn_json *member = member_of(profile);
	const struct tn_json *now = tn_host_environment_of(profile, old);
	struct tn_json *entry = NULL;
	struct tn_arena arena;

	*ret_empty = tn_str("", 0);
	if (!now || now->count == 0)
		return; /* it is written as it comes */
	if (!has_own(now) && !tn_host_has_environment()) {
		*ret_empty = member->key;
		return;
	}
	tn_arena_init(&arena, TN_MESSAGE_ARENA_MAX);
	if (tn_json_parse_copy(&arena, tn_buf_str(json), &entry, NULL) != TENON_OK) {
		json->failed = true;
	} else {
		tn_buf_clear(json);
		tn_json_begin_object(json);
		for (const struct tn_json *at = entry->first; at; at = at->next) {
			if (tn_str_equal(at->key, member->key))
				continue;
			tn_json_put_key_str(json, at->key);
			tn_json_put_value(json, at);
		}
		tn_json_put_key_str(json, member->key);
		tn_host_put_environment(now, json);
		tn_json_end_object(json);
	}
	tn_arena_finish(&arena);
}

/* ---- looking ---- */

void tn_host_put_elsewhere(const struct tn_json *profile, const struct tn_json *entry,
			   struct tn_buf *out)
{
	const struct tn_json *environment = tn_host_environment_of(profile, entry);

	for (size_t i = 0; i < TN_COUNT(surroundings); i++) {
		const struct tn_json *there =
			environment ? tn_json_get(environment, surroundings[i].name) : NULL;
		const char *own = own_place(i);
		char usual[PATH_MAX];

		find_usual(i, usual);
		/* What the entry does not say the host may hand on, or not. */
		if (!there && !own)
			continue;
		if (tn_json_is(there, TN_JSON_STRING) && tn_str_is(there->text, own ? own : usual))
			continue;
		tn_buf_format(out, "%s%s is ", out->size ? "; " : "", surroundings[i].name);
		if (tn_json_is(there, TN_JSON_STRING))
			tn_buf_append_str(out, there->text);
		else
			tn_buf_append_text(out, "not said");
		tn_buf_format(out, " there, %s here", own ? own : usual);
	}
}
