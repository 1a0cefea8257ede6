/* generate_backend.c - terraform.tf: versions, providers, backend (studio.md 8.1, 9.2). */
#include "apps/studio/document/config.h"
#include "apps/studio/generate/internal.h"

#include <stdlib.h>

#include "apps/studio/limits.h"
#include "base/digest.h"

static struct tn_str member(const struct tn_json *item, const char *key)
{
	struct tn_str text = tn_str("", 0);
	(void)tn_json_to_str(tn_json_get(item, key), &text); /* absent is empty */
	return text;
}

/* ---- required_providers ---- */

static int compare_ids(const void *a, const void *b)
{
	const struct tn_studio_gen_provider *left = a, *right = b;
	return tn_str_compare(left->provider->id, right->provider->id);
}

static void add_providers(struct tn_studio_gen *gen, struct tn_studio_hcl_body *body)
{
	struct tn_studio_hcl_item *block = NULL;
	size_t count = gen->document->registry->provider_count;
	qsort(gen->providers, count, sizeof(*gen->providers), compare_ids);
	for (size_t i = 0; i < count; i++) {
		const struct tn_studio_provider *one = gen->providers[i].provider;
		if (!gen->providers[i].used || one->source.size == 0)
			continue;
		struct tn_studio_hcl_value *value =
			tn_studio_hcl_make(gen->arena, TN_STUDIO_HCL_OBJECT, tn_str("", 0));
		if (!block)
			block = tn_studio_hcl_nested(gen->arena, body,
						     TN_STR("required_providers"));
		if (!value || !block)
			return;
		tn_studio_hcl_entry(gen->arena, value, TN_STR("source"),
				    tn_studio_hcl_string(gen->arena, one->source));
		if (one->version.size)
			tn_studio_hcl_entry(gen->arena, value, TN_STR("version"),
					    tn_studio_hcl_string(gen->arena, one->version));
		(void)tn_studio_hcl_attribute(gen->arena, &block->body, one->id, value);
	}
}

/* ---- backend ---- */

/* A value with a secret in it, at any depth, is a secret. */
static bool is_sensitive(struct tn_studio_gen *gen, struct tn_studio_config_path *path,
			 const struct tn_json *value)
{
	bool found = tn_studio_config_is_sensitive(gen->document, path);
	if (value->type != TN_JSON_OBJECT)
		return found;
	for (const struct tn_json *one = value->first; one && !found; one = one->next) {
		if (!tn_studio_config_enter(path, one->key))
			return true;
		found = is_sensitive(gen, path, one);
		tn_studio_config_leave(path);
	}
	return found;
}

/* `workspaces` of remote is a block; everything else of a backend is an argument. */
static void add_setting(struct tn_studio_gen *gen, struct tn_studio_hcl_body *body,
			const struct tn_json *value, bool blocks)
{
	if (!blocks || value->type != TN_JSON_OBJECT) {
		(void)tn_studio_hcl_attribute(gen->arena, body, value->key,
					      tn_studio_hcl_literal(gen->arena, value));
		return;
	}
	struct tn_studio_hcl_item *block = tn_studio_hcl_nested(gen->arena, body, value->key);
	for (const struct tn_json *one = block ? value->first : NULL; one; one = one->next)
		(void)tn_studio_hcl_attribute(gen->arena, &block->body, one->key,
					      tn_studio_hcl_literal(gen->arena, one));
}

static void add_backend(struct tn_studio_gen *gen, struct tn_studio_hcl_body *body,
			struct tn_studio_hcl_body *secrets)
{
	const struct tn_json *backend = tn_json_get(gen->document->config, "backend");
	const struct tn_json *config = tn_json_get(backend, "config");
	struct tn_str type = member(backend, "type");
	if (type.size == 0 || tn_str_is(type, "local"))
		return;
	struct tn_studio_hcl_item *block =
		tn_studio_hcl_nested(gen->arena, body, TN_STR("backend"));
	struct tn_studio_hcl_value *label = tn_studio_hcl_string(gen->arena, type);
	if (!block || !label)
		return;
	block->label = label->text;
	for (const struct tn_json *one = tn_json_is(config, TN_JSON_OBJECT) ? config->first : NULL;
	     one; one = one->next) {
		struct tn_studio_config_path path = {.count = 0};
		bool secret = !tn_studio_config_enter(&path, TN_STR("backend")) ||
			      !tn_studio_config_enter(&path, TN_STR("config")) ||
			      !tn_studio_config_enter(&path, one->key) ||
			      is_sensitive(gen, &path, one);
		if (one->type != TN_JSON_NULL)
			add_setting(gen, secret ? secrets : &block->body, one,
				    !secret && tn_str_is(type, "remote"));
	}
}

/* ---- the file ---- */

static void keep_secrets(struct tn_studio_gen *gen, const struct tn_studio_hcl_body *secrets)
{
	struct tn_buf out;
	tn_buf_init(&out, TN_STUDIO_RESULT_BYTES_MAX);
	struct tn_studio_hcl_writer writer = {.out = &out, .line = 1};
	tn_studio_hcl_print_items(&writer, secrets, 0);
	gen->ret->backend_config =
		tn_studio_gen_format(gen, "%.*s", (int)out.size, out.data ? out.data : "");
	gen->full = gen->full || out.failed;
	tn_buf_finish(&out);
}

void tn_studio_print_terraform(struct tn_studio_gen_print *print)
{
	struct tn_studio_gen *gen = print->gen;
	struct tn_studio_hcl_body body = {NULL, NULL}, secrets = {NULL, NULL};
	(void)tn_studio_hcl_attribute(gen->arena, &body, TN_STR("required_version"),
				      tn_studio_hcl_string(gen->arena, TN_STR(">= 1.5")));
	add_providers(gen, &body);
	add_backend(gen, &body, &secrets);
	keep_secrets(gen, &secrets);
	tn_studio_print_begin(print, "terraform.tf");
	size_t start = print->out.size;
	tn_studio_print_block(print, TN_STR("terraform"), &body, NULL, tn_str("", 0),
			      tn_str("", 0));
	struct tn_str text = tn_str_from_offset(tn_buf_str(&print->out), start);
	struct tn_str all = tn_studio_gen_format(
		gen, "%.*s%.*s", (int)text.size, text.data, (int)gen->ret->backend_config.size,
		gen->ret->backend_config.data ? gen->ret->backend_config.data : "");
	char *hex = tn_arena_alloc(gen->arena, TN_DIGEST_HEX_SIZE);
	if (!hex)
		return;
	tn_digest_hex(all, hex);
	gen->ret->init_signature = tn_str(hex, TN_DIGEST_HEX_SIZE - 1);
}
