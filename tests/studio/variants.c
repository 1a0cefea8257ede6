/* variants.c - writes what is generated as lines of JSON, for the reference parser and formatter
 * (hcl/hcl_check.mjs): every type in all its variants, and random diagrams full of hostile texts.
 *
 *   studio-variants [RANDOM_DIAGRAMS [SEED]]
 * Each line: {"label","files":{name: text},"literals":[{"file","path":[...],"value"}]}. */
#include <stdio.h>
#include <stdlib.h>

#include "apps/studio/generate/generate_check.h"
#include "apps/studio/generate/generate_hostile.h"
#include "apps/studio/generate/generate_variants.h"
#include "apps/studio/limits.h"
#include "jsonrpc/json_write.h"

static void put_path(struct tn_buf *out, struct tn_str address, struct tn_str attribute)
{
	size_t dot = tn_str_find_byte(address, '.');
	tn_json_put_key(out, "path");
	tn_json_begin_array(out);
	if (address.size) {
		tn_json_put_text(out, "resource");
		tn_json_put_str(out, tn_str(address.data, dot));
		tn_json_put_str(out, tn_str_from_offset(address, dot + 1));
		tn_json_put_int(out, 0);
	}
	tn_json_put_str(out, attribute);
	tn_json_end_array(out);
}

static void put_literal(const struct tn_studio_place *place, struct tn_str attribute,
			const struct tn_json *value, void *data)
{
	struct tn_buf *out = data;
	tn_json_begin_object(out);
	tn_json_put_member_str(out, "file", place->file);
	put_path(out, place->address, attribute);
	tn_json_put_key(out, "value");
	tn_json_put_value(out, value);
	tn_json_end_object(out);
}

static bool write_line(struct tn_studio_gen_kit *kit, const char *label, void *data)
{
	struct tn_buf *out = data;
	struct tn_arena arena;
	tn_arena_init(&arena, TN_STUDIO_ARENA_MAX);
	tn_buf_clear(out);
	tn_json_begin_object(out);
	tn_json_put_member_text(out, "label", label);
	tn_json_put_key(out, "files");
	tn_json_begin_object(out);
	for (size_t i = 0; i < kit->generated.file_count; i++) {
		tn_json_put_key_str(out, kit->generated.files[i].name);
		tn_json_put_str(out, kit->generated.files[i].text);
	}
	tn_json_end_object(out);
	tn_json_put_key(out, "literals");
	tn_json_begin_array(out);
	tn_studio_each_literal(kit, &arena, put_literal, out);
	tn_json_end_array(out);
	tn_json_put_key(out, "tags");
	tn_json_put_value(out, tn_json_get(kit->document.config, "tags"));
	tn_json_put_member_str(out, "backend", kit->generated.backend_config);
	tn_json_end_object(out);
	tn_buf_append_byte(out, '\n');
	bool good = !out->failed && fwrite(out->data, 1, out->size, stdout) == out->size;
	tn_arena_finish(&arena);
	return good;
}

static bool write_random(struct tn_studio_gen_kit *kit, struct tn_buf *out, unsigned count,
			 uint64_t seed)
{
	struct tn_buf diagram, config;
	bool good = true;
	tn_buf_init(&diagram, TN_STUDIO_RESULT_BYTES_MAX);
	tn_buf_init(&config, TN_STUDIO_RESULT_BYTES_MAX);
	for (unsigned i = 0; i < count && good; i++) {
		char label[64];
		(void)snprintf(label, sizeof(label), "random %llu", (unsigned long long)seed + i);
		tn_studio_hostile_diagram(kit->registry, seed + i, &diagram, &config);
		good = tn_studio_gen_kit_load(kit, tn_buf_str(&diagram), tn_buf_str(&config),
					      false) &&
		       tn_studio_gen_kit_run(kit, NULL) && write_line(kit, label, out);
	}
	tn_buf_finish(&diagram);
	tn_buf_finish(&config);
	return good;
}

int main(int argc, char **argv)
{
	unsigned count = argc > 1 ? (unsigned)strtoul(argv[1], NULL, 10) : 200;
	uint64_t seed = argc > 2 ? strtoull(argv[2], NULL, 10) : 1;
	struct tn_studio_gen_kit kit;
	struct tn_buf out;
	if (!tn_studio_gen_kit_init(&kit))
		return 1;
	tn_buf_init(&out, TN_STUDIO_RESULT_BYTES_MAX);
	bool good = tn_studio_each_variant(&kit, write_line, &out) > 0 &&
		    write_random(&kit, &out, count, seed);
	tn_buf_finish(&out);
	tn_studio_gen_kit_finish(&kit);
	if (!good)
		(void)fprintf(stderr, "studio-variants: a diagram could not be made\n");
	return good ? 0 : 1;
}
