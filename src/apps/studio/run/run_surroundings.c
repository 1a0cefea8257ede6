/* What a run stands on: the engine's environment, and what can run programs (studio.md 9.2,
 * ST-085). The files that it reads: run_files.c. */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "apps/studio/run/internal.h"
#include "apps/studio/limits.h"
#include "apps/studio/status/status.h"
#include "jsonrpc/json_write.h"

/* ---- the environment ---- */

struct env {
	const char **list;
	size_t count, room;
	struct tn_arena *arena;
};

static bool has_name(const char *entry, struct tn_str name)
{
	return strncmp(entry, name.data, name.size) == 0 && entry[name.size] == '=';
}

/* `entry` lives as long as the arena. The last one of a name wins. */
static bool put_entry(struct env *env, const char *entry)
{
	const char *equals = entry ? strchr(entry, '=') : NULL;

	if (!entry)
		return false;
	if (!equals)
		return true;
	for (size_t i = 0; i < env->count; i++) {
		if (has_name(env->list[i], tn_str(entry, (size_t)(equals - entry)))) {
			env->list[i] = entry;
			return true;
		}
	}
	if (env->count + 1 >= env->room)
		return false;
	env->list[env->count++] = entry;
	return true;
}

/* Theirs would break the stream of JSON, or ask questions; ours are nobody else's business. */
static bool is_kept(const char *entry, bool keep_tf)
{
	static const char *const dropped[] = {"TENON_", "TF_IN_AUTOMATION=", "TF_INPUT="};
	static const char *const tf[] = {"TF_LOG", "TF_CLI_ARGS"};

	for (size_t i = 0; i < sizeof(dropped) / sizeof(dropped[0]); i++) {
		if (strncmp(entry, dropped[i], strlen(dropped[i])) == 0)
			return false;
	}
	for (size_t i = 0; i < sizeof(tf) / sizeof(tf[0]) && !keep_tf; i++) {
		if (strncmp(entry, tf[i], strlen(tf[i])) == 0)
			return false;
	}
	return true;
}

/* ST-029: text as it is, anything else as JSON, which the engine reads as its own. */
static bool put_secret(struct env *env, const struct tn_studio_variable *variable,
		       const struct tn_json *secret)
{
	struct tn_buf value;
	bool good;

	tn_buf_init(&value, TN_MIB);
	if (secret->type == TN_JSON_STRING)
		tn_buf_append_str(&value, secret->text);
	else
		tn_json_put_value(&value, secret);
	good = !value.failed &&
	       put_entry(env, tn_arena_format(env->arena, "TF_VAR_%.*s=%.*s",
					      (int)variable->name.size, variable->name.data,
					      (int)value.size, value.size ? value.data : ""));
	tn_buf_finish(&value);
	return good;
}

static bool put_secrets(struct env *env, const struct tn_studio_project *project,
			const struct tn_studio_generated *generated)
{
	for (size_t i = 0; project && i < generated->variable_count; i++) {
		const struct tn_studio_variable *variable = &generated->variables[i];
		const struct tn_json *secret =
			variable->sensitive ? tn_json_get_str(project->secrets, variable->secret)
					    : NULL;

		if (secret && !put_secret(env, variable, secret))
			return false;
	}
	return true;
}

const char *const *tn_studio_run_env(const struct tn_studio_runs *runs,
				     const struct tn_studio_project *project,
				     const struct tn_studio_generated *generated,
				     struct tn_arena *arena)
{
	struct env env = {.arena = arena};
	size_t ours = 0;
	bool good = true;

	while (environ[ours])
		ours++;
	env.room = ours + generated->env_count + TN_STUDIO_SECRETS_MAX + 8;
	env.list = tn_arena_alloc_array(arena, env.room, sizeof(*env.list));
	if (!env.list)
		return NULL;
	for (size_t i = 0; i < ours && good; i++) {
		if (is_kept(environ[i], runs->options.keep_tf_variables))
			good = put_entry(&env, tn_arena_copy(arena, tn_str_from(environ[i])));
	}
	good = good && put_entry(&env, "TF_IN_AUTOMATION=1") && put_entry(&env, "TF_INPUT=0") &&
	       put_entry(&env, "CHECKPOINT_DISABLE=1");
	if (good && runs->options.plugin_cache)
		good = put_entry(&env, tn_arena_format(arena, "TF_PLUGIN_CACHE_DIR=%s",
						       runs->options.plugin_cache));
	for (size_t i = 0; i < generated->env_count && good; i++)
		good = put_entry(&env, tn_arena_copy(arena, generated->env[i]));
	return good && put_secrets(&env, project, generated) ? env.list : NULL;
}

/* ---- what outlives the document ---- */

static const struct tn_studio_node *shadow(struct tn_arena *arena, struct tn_map *known,
					   const struct tn_studio_node *node)
{
	struct tn_studio_node *copy;

	if (!node)
		return NULL;
	copy = tn_map_get(known, node->id);
	if (copy)
		return copy;
	copy = tn_arena_alloc(arena, sizeof(*copy));
	if (!copy)
		return NULL;
	copy->id = tn_str(tn_arena_copy(arena, node->id), node->id.size);
	copy->label = tn_str(tn_arena_copy(arena, node->label), node->label.size);
	copy->name = tn_str(tn_arena_copy(arena, node->name), node->name.size);
	if (!copy->id.data || !copy->label.data || !copy->name.data ||
	    tn_map_put(known, copy->id, copy, NULL) != TENON_OK)
		return NULL;
	return copy;
}

static struct tn_str copy_str(struct tn_arena *arena, struct tn_str text, bool *good)
{
	const char *copy = tn_arena_copy(arena, text);

	*good = *good && copy;
	return copy ? tn_str(copy, text.size) : tn_str(NULL, 0);
}

static bool keep_all(const struct tn_studio_generated *from, struct tn_arena *arena,
		     struct tn_map *known, struct tn_studio_generated *ret)
{
	struct tn_studio_address *addresses =
		tn_arena_alloc_array(arena, from->address_count + 1, sizeof(*addresses));
	struct tn_studio_place *places =
		tn_arena_alloc_array(arena, from->place_count + 1, sizeof(*places));
	bool good = addresses && places;

	for (size_t i = 0; good && i < from->address_count; i++) {
		addresses[i] = from->addresses[i];
		addresses[i].address = copy_str(arena, from->addresses[i].address, &good);
		addresses[i].node = shadow(arena, known, from->addresses[i].node);
		good = good && (addresses[i].node || !from->addresses[i].node);
	}
	for (size_t i = 0; good && i < from->place_count; i++) {
		places[i] = (struct tn_studio_place){.first_line = from->places[i].first_line,
						     .last_line = from->places[i].last_line};
		places[i].file = copy_str(arena, from->places[i].file, &good);
		places[i].property = copy_str(arena, from->places[i].property, &good);
		places[i].address = copy_str(arena, from->places[i].address, &good);
		places[i].node = shadow(arena, known, from->places[i].node);
		good = good && (places[i].node || !from->places[i].node);
	}
	*ret = (struct tn_studio_generated){.addresses = addresses,
					    .address_count = from->address_count,
					    .places = places,
					    .place_count = from->place_count};
	ret->digest = copy_str(arena, from->digest, &good);
	ret->init_signature = copy_str(arena, from->init_signature, &good);
	ret->backend_config = copy_str(arena, from->backend_config, &good);
	return good;
}

static bool keep_files(const struct tn_studio_generated *from, struct tn_arena *arena,
		       struct tn_studio_generated *ret)
{
	struct tn_studio_file *files =
		tn_arena_alloc_array(arena, from->file_count + 1, sizeof(*files));
	bool good = files != NULL;

	for (size_t i = 0; good && i < from->file_count; i++)
		files[i] = (struct tn_studio_file){
			.name = copy_str(arena, from->files[i].name, &good)};
	ret->files = files;
	ret->file_count = from->file_count;
	return good;
}

bool tn_studio_run_keep(const struct tn_studio_generated *from, struct tn_arena *arena,
			struct tn_studio_generated *ret)
{
	struct tn_map known;
	bool good;

	tn_map_init(&known);
	good = keep_all(from, arena, &known, ret) && keep_files(from, arena, ret);
	tn_map_finish(&known);
	return good;
}
