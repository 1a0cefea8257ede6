/* generate_fuzz.c - any JSON as a diagram and its configuration: what is generated parses, has the
 * blocks it should, and its literals read back equal (ST-144).
 *
 * The input is {"diagram":{...},"config":{...}}; bytes that are no JSON are the seed of a random
 * diagram instead, so that mutations are never wasted. */
#include <stdint.h>

#include "apps/studio/generate/generate_check.h"
#include "apps/studio/generate/generate_hostile.h"
#include "apps/studio/limits.h"
#include "jsonrpc/json_write.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* The registry is read once: it takes longer than everything else here. */
static struct tn_studio_gen_kit kit;

static uint64_t seed_of(const uint8_t *data, size_t size)
{
	return tn_str_hash(tn_str((const char *)data, size), 1);
}

/* A member of the root as text of its own: the loader reads texts. */
static struct tn_str member(struct tn_arena *arena, const struct tn_json *root, const char *key)
{
	struct tn_buf out;
	tn_buf_init(&out, TN_STUDIO_RESULT_BYTES_MAX);
	const struct tn_json *value = tn_json_get(root, key);
	tn_json_put_value(&out, value);
	char *copy = tn_arena_copy(arena, tn_buf_str(&out));
	struct tn_str text = tn_str(copy, copy ? out.size : 0);
	tn_buf_finish(&out);
	return value ? text : TN_STR("{}");
}

static void run(struct tn_arena *arena, struct tn_str diagram, struct tn_str config)
{
	if (!tn_studio_gen_kit_load(&kit, diagram, config, false))
		return; /* no diagram */
	tn_assert(tn_studio_gen_kit_run(&kit, NULL));
	tn_assert(tn_studio_generated_check(&kit, arena) == NULL);
	struct tn_str digest = kit.generated.digest;
	tn_assert(tn_studio_gen_kit_run(&kit, NULL));
	tn_assert(tn_str_equal(digest, kit.generated.digest));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct tn_arena arena;
	struct tn_buf diagram, config;
	struct tn_json *root;
	struct tenon_error err;
	if (!kit.registry)
		tn_assert(tn_studio_gen_kit_init(&kit));
	tn_arena_init(&arena, TN_STUDIO_ARENA_MAX);
	tn_buf_init(&diagram, TN_STUDIO_RESULT_BYTES_MAX);
	tn_buf_init(&config, TN_STUDIO_RESULT_BYTES_MAX);
	if (tn_json_parse_copy(&arena, tn_str((const char *)data, size), &root, &err) == TENON_OK) {
		run(&arena, member(&arena, root, "diagram"), member(&arena, root, "config"));
	} else {
		tn_studio_hostile_diagram(kit.registry, seed_of(data, size), &diagram, &config);
		run(&arena, tn_buf_str(&diagram), tn_buf_str(&config));
	}
	tn_buf_finish(&diagram);
	tn_buf_finish(&config);
	tn_arena_finish(&arena);
	return 0;
}
