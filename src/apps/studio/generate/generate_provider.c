/* generate_provider.c - provider blocks, and containers that stand for one each
 * (studio.md 5.6, 8.8). */
#include "apps/studio/document/config.h"
#include "apps/studio/generate/internal.h"

#include <stdlib.h>

static struct tn_str member(const struct tn_json *item, const char *key)
{
	struct tn_str text = tn_str("", 0);
	(void)tn_json_to_str(tn_json_get(item, key), &text); /* absent is empty */
	return text;
}

static struct tn_studio_gen_provider *find(struct tn_studio_gen *gen,
					   const struct tn_studio_provider *provider)
{
	for (size_t i = 0; i < gen->document->registry->provider_count; i++) {
		if (gen->providers[i].provider == provider)
			return &gen->providers[i];
	}
	return NULL;
}

/* The provider whose alias this type of container stands for; NULL: none. */
static const struct tn_studio_provider *stands_for(const struct tn_studio_registry *registry,
						   const struct tn_studio_type *type)
{
	for (size_t i = 0; type && i < registry->provider_count; i++) {
		if (tn_str_equal(member(registry->providers[i].alias, "container"), type->id))
			return &registry->providers[i];
	}
	return NULL;
}

/* ---- aliases ---- */

/* Lower case, everything else but a-z 0-9 becomes _, runs of _ collapse, a leading digit gets _ in
 * front, one at the end is cut. */
static struct tn_str alias_from(struct tn_studio_gen *gen, struct tn_str text)
{
	char *out = tn_arena_alloc(gen->arena, text.size + 2);
	size_t size = 0;
	if (!out)
		return TN_STR("provider");
	if (text.size && tn_is_digit(text.data[0]))
		out[size++] = '_';
	for (size_t i = 0; i < text.size; i++) {
		char c = tn_to_lower(text.data[i]);
		if (!(c >= 'a' && c <= 'z') && !tn_is_digit(c))
			c = '_';
		if (c != '_' || size == 0 || out[size - 1] != '_')
			out[size++] = c;
	}
	if (size > 0 && out[size - 1] == '_')
		size--;
	return tn_str(out, size);
}

/* The first of base, base_2, base_3 ... that is free. The last number tried is kept with the base:
 * a thousand containers of one name are a thousand steps. */
static struct tn_str free_alias(struct tn_studio_gen *gen, struct tn_map *taken, struct tn_str base)
{
	struct tenon_error err;
	struct tn_str found = base;
	unsigned *last = tn_map_get(taken, base), *mine;
	while (last && tn_map_get(taken, found) && !gen->full)
		found = tn_studio_gen_format(gen, "%.*s_%u", (int)base.size, base.data, ++*last);
	mine = tn_arena_alloc(gen->arena, sizeof(*mine));
	if (!mine || tn_map_put(taken, found, mine, &err) != TENON_OK)
		gen->full = true;
	else
		*mine = 1;
	return found;
}

static void name_alias(struct tn_studio_gen *gen, struct tn_map *taken,
		       struct tn_studio_alias *alias)
{
	struct tn_studio_scope scope = tn_studio_scope_of(gen->document, alias->node, gen->arena);
	const struct tn_json *name =
		tn_studio_value_by_key(&scope, member(alias->provider->alias, "nameFrom"));
	struct tn_str base = tn_str("", 0);
	if (tn_json_is(name, TN_JSON_STRING))
		base = alias_from(gen, name->text);
	if (base.size == 0) /* nothing of it can be in a name */
		base = alias_from(gen, tn_studio_gen_node(gen, alias->node)->name);
	alias->alias = free_alias(gen, taken, base.size ? base : TN_STR("provider"));
}

/* The alias of the nearest container around a node, for its provider. */
static const struct tn_studio_alias *alias_of(const struct tn_studio_gen *gen,
					      const struct tn_studio_node *node)
{
	if (!node->type || !node->type->provider || !node->type->provider->alias)
		return NULL;
	const struct tn_studio_node *container =
		tn_studio_ancestor(node, member(node->type->provider->alias, "container"));
	return container ? tn_studio_gen_node(gen, container)->stands_for : NULL;
}

bool tn_studio_gen_find_aliases(struct tn_studio_gen *gen)
{
	const struct tn_studio_document *document = gen->document;
	const struct tn_studio_registry *registry = document->registry;
	gen->providers = tn_arena_alloc_array(gen->arena, registry->provider_count + 1,
					      sizeof(*gen->providers));
	if (!gen->providers)
		return false;
	for (size_t i = 0; i < registry->provider_count; i++)
		gen->providers[i].provider = &registry->providers[i];
	size_t count = 0;
	for (size_t i = 0; i < document->node_count; i++)
		count += stands_for(registry, document->nodes[i]->type) != NULL;
	gen->aliases = tn_arena_alloc_array(gen->arena, count + 1, sizeof(*gen->aliases));
	if (!gen->aliases)
		return false;
	for (size_t i = 0; i < document->node_count && count; i++) {
		const struct tn_studio_provider *provider =
			stands_for(registry, document->nodes[i]->type);
		if (!provider)
			continue;
		gen->nodes[i].stands_for = &gen->aliases[gen->alias_count];
		gen->aliases[gen->alias_count++] =
			(struct tn_studio_alias){.node = document->nodes[i], .provider = provider};
		find(gen, provider)->alias_count++;
	}
	struct tn_map taken;
	tn_map_init(&taken);
	for (size_t i = 0; i < gen->alias_count; i++) {
		if (find(gen, gen->aliases[i].provider)->alias_count > 1)
			name_alias(gen, &taken, &gen->aliases[i]);
	}
	tn_map_finish(&taken);
	for (size_t i = 0; i < document->node_count; i++)
		gen->nodes[i].alias = alias_of(gen, document->nodes[i]);
	return true;
}

void tn_studio_gen_use_provider(struct tn_studio_gen *gen, struct tn_studio_block *block,
				const struct tn_studio_node *node)
{
	const struct tn_studio_provider *provider = node->type->provider;
	struct tn_studio_gen_provider *known = provider ? find(gen, provider) : NULL;
	if (!known)
		return;
	known->used = true;
	const struct tn_studio_alias *alias = tn_studio_gen_node(gen, node)->alias;
	if (known->alias_count < 2 || !alias) {
		known->used_default = true; /* with several it is an orphan: check_place.c */
		return;
	}
	struct tn_studio_hcl_item *item = tn_studio_hcl_attribute(
		gen->arena, &block->body, TN_STR("provider"),
		tn_studio_hcl_atom(gen->arena,
				   tn_studio_gen_format(gen, "%.*s.%.*s", (int)provider->id.size,
							provider->id.data, (int)alias->alias.size,
							alias->alias.data)));
	if (item)
		item->meta = true;
}

/* ---- blocks ---- */

static const struct tn_json *settings_of(const struct tn_studio_gen *gen,
					 const struct tn_studio_provider *provider)
{
	return tn_json_get_str(tn_json_get(gen->document->config, "providers"), provider->id);
}

/* Without a region of its own a provider takes the project's, where it knows it (4.3). */
static const struct tn_json *with_region(struct tn_studio_gen *gen,
					 const struct tn_studio_provider *provider,
					 const struct tn_json *settings)
{
	const struct tn_json *region;
	struct tn_json *object, *entry;

	if (tn_json_get(settings, "region"))
		return settings;
	region = tn_studio_config_region(gen->document, provider, gen->arena);
	if (!region || tn_studio_value_is_empty(tn_json_get(gen->document->config, "region")))
		return settings;
	object = tn_arena_alloc(gen->arena, sizeof(*object));
	entry = tn_arena_alloc(gen->arena, sizeof(*entry));
	if (!object || !entry)
		return settings;
	*entry = *region;
	entry->key = TN_STR("region");
	entry->next = tn_json_is(settings, TN_JSON_OBJECT) ? settings->first : NULL;
	*object = (struct tn_json){.type = TN_JSON_OBJECT, .first = entry};
	object->count = 1 + (entry->next ? settings->count : 0);
	return object;
}

/* Sensitive settings are left out: the engine gets them by its environment, and a comment says so.
 */
static const struct tn_json *without_secrets(struct tn_studio_gen *gen,
					     const struct tn_studio_provider *provider,
					     const struct tn_json *settings,
					     struct tn_studio_hcl_body *body,
					     const struct tn_studio_alias *alias)
{
	struct tn_json *object = tn_arena_alloc(gen->arena, sizeof(*object));
	struct tn_json **end = object ? &object->first : NULL;
	const struct tn_json *set = tn_json_get(provider->alias, "set");
	if (!object)
		return NULL;
	object->type = TN_JSON_OBJECT;
	for (size_t i = 0; i < provider->config_count; i++) {
		const struct tn_studio_property *one = &provider->config[i];
		const struct tn_json *value = tn_json_get_str(settings, one->key);
		struct tn_str env = member(one->source, "env");
		if (one->sensitive && !(alias && tn_json_get_str(set, one->key))) {
			tn_studio_hcl_comment(
				gen->arena, body,
				env.size ? tn_studio_gen_format(
						   gen, "%.*s comes from %.*s in the environment.",
						   (int)one->key.size, one->key.data, (int)env.size,
						   env.data)
					 : tn_studio_gen_format(gen,
								"%.*s is a secret, not written.",
								(int)one->key.size, one->key.data));
		}
		struct tn_json *copy =
			one->sensitive || !value ? NULL : tn_arena_alloc(gen->arena, sizeof(*copy));
		if (!copy)
			continue;
		*copy = *value;
		copy->next = NULL;
		*end = copy;
		end = &copy->next;
		object->count++;
	}
	return object;
}

/* `set` of the alias: what the container's properties say. */
static void set_from_container(struct tn_studio_gen *gen, const struct tn_studio_alias *alias,
			       struct tn_studio_hcl_body *body)
{
	const struct tn_json *set = tn_json_get(alias->provider->alias, "set");
	for (const struct tn_json *one = tn_json_is(set, TN_JSON_OBJECT) ? set->first : NULL; one;
	     one = one->next) {
		struct tn_studio_eval eval = tn_studio_eval_of(gen, alias->node, NULL);
		struct tn_studio_hcl_item *item = tn_studio_hcl_attribute(
			gen->arena, body, one->key, tn_studio_eval(&eval, one));
		if (item) {
			item->property = eval.touched;
			item->source = alias->node;
		}
	}
}

static void print_provider(struct tn_studio_gen_print *print,
			   const struct tn_studio_provider *provider,
			   const struct tn_studio_alias *alias)
{
	struct tn_studio_gen *gen = print->gen;
	struct tn_studio_hcl_body body = {NULL, NULL};
	struct tn_studio_eval eval = {.gen = gen};
	if (alias && alias->alias.size) {
		struct tn_studio_hcl_item *item =
			tn_studio_hcl_attribute(gen->arena, &body, TN_STR("alias"),
						tn_studio_hcl_string(gen->arena, alias->alias));
		if (item)
			item->meta = true;
	}
	const struct tn_json *settings = with_region(gen, provider, settings_of(gen, provider));
	if (alias)
		set_from_container(gen, alias, &body);
	eval.scope = (struct tn_studio_scope){.document = gen->document, .arena = gen->arena};
	eval.scope.properties = provider->config;
	eval.scope.property_count = provider->config_count;
	eval.scope.values = without_secrets(gen, provider, settings, &body, alias);
	(void)tn_studio_template(&eval, provider->body, &body);
	tn_studio_print_block(print,
			      tn_studio_gen_format(gen, "provider \"%.*s\"", (int)provider->id.size,
						   provider->id.data),
			      &body, alias ? alias->node : NULL, tn_str("", 0), tn_str("", 0));
}

/* Registry files of a project are not trusted: what decides which program runs, what it loads or
 * whom it talks to is not theirs to set (ST-143). */
static bool may_set(struct tn_str name)
{
	static const char *const no[] = {"PATH", "HOME", "SHELL", "ENV", "IFS", "PAGER", "EDITOR"};
	static const char *const no_start[] = {"LD_",   "DYLD_", "TF_",  "GIT_",  "SSL_",
					       "BASH",  "SSH_",  "XDG_", "NODE_", "PYTHON",
					       "HTTP_", "HTTPS", "ALL_", "NO_",   "GO"};
	for (size_t i = 0; i < sizeof(no) / sizeof(no[0]); i++) {
		if (tn_str_is(name, no[i]))
			return false;
	}
	for (size_t i = 0; i < sizeof(no_start) / sizeof(no_start[0]); i++) {
		if (tn_str_starts(name, tn_str_from(no_start[i])))
			return false;
	}
	for (size_t i = 0; i < name.size; i++) {
		char c = name.data[i];
		if (!(c >= 'A' && c <= 'Z') && c != '_' && !tn_is_digit(c))
			return false;
	}
	return name.size > 0 && !tn_is_digit(name.data[0]);
}

void tn_studio_gen_environment(struct tn_studio_gen *gen)
{
	size_t count = gen->document->registry->provider_count, room = 1;
	for (size_t i = 0; i < count; i++)
		room += gen->providers[i].provider->config_count;
	struct tn_str *all = tn_arena_alloc_array(gen->arena, room, sizeof(*all));
	gen->ret->env = all;
	for (size_t i = 0; all && i < count; i++) {
		const struct tn_studio_provider *provider = gen->providers[i].provider;
		for (size_t j = 0; gen->providers[i].used && j < provider->config_count; j++) {
			const struct tn_studio_property *one = &provider->config[j];
			struct tn_str env = member(one->source, "env");
			struct tn_str value = member(settings_of(gen, provider), one->key.data);
			if (one->sensitive && may_set(env) && value.size)
				all[gen->ret->env_count++] =
					tn_studio_gen_format(gen, "%.*s=%.*s", (int)env.size,
							     env.data, (int)value.size, value.data);
		}
	}
}

static int compare_ids(const void *a, const void *b)
{
	const struct tn_studio_gen_provider *left = a, *right = b;
	return tn_str_compare(left->provider->id, right->provider->id);
}

void tn_studio_print_providers(struct tn_studio_gen_print *print)
{
	struct tn_studio_gen *gen = print->gen;
	size_t count = gen->document->registry->provider_count;
	bool any = false;
	qsort(gen->providers, count, sizeof(*gen->providers), compare_ids);
	for (size_t i = 0; i < count; i++) {
		const struct tn_studio_gen_provider *known = &gen->providers[i];
		if (!known->used || known->provider->source.size == 0)
			continue;
		if (!any)
			tn_studio_print_begin(print, "providers.tf");
		any = true;
		if (known->alias_count == 0 || (known->alias_count > 1 && known->used_default))
			print_provider(print, known->provider, NULL);
		for (size_t j = 0; j < gen->alias_count; j++) {
			if (gen->aliases[j].provider == known->provider)
				print_provider(print, known->provider, &gen->aliases[j]);
		}
	}
}
