#include "apps/studio/import/import_world_test_kit.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "apps/studio/limits.h"
#include "jsonrpc/json_write.h"
#include "store/file.h"

int import_world_set_up(void **state)
{
	struct import_world *world = test_calloc(1, sizeof(*world));
	struct tenon_error err;

	assert_int_equal(tn_studio_registry_built_in(&world->registry, &err), TENON_OK);
	assert_true(tn_studio_import_kit_init(&world->kit, world->registry));
	tn_arena_init(&world->arena, TN_STUDIO_ARENA_MAX);
	*state = world;
	return 0;
}

int import_world_tear_down(void **state)
{
	struct import_world *world = *state;

	tn_studio_import_kit_finish(&world->kit);
	tn_studio_registry_unref(world->registry);
	tn_arena_finish(&world->arena);
	test_free(world);
	return 0;
}

void import_add_text(struct import_world *world, const char *name, struct tn_str text)
{
	world->files[world->count++] = (struct tn_studio_import_file){tn_str_from(name), text};
}

void import_add_file(struct import_world *world, const char *folder, const char *name)
{
	struct tenon_error err;
	struct tn_buf text;
	char path[512], *copy;

	(void)snprintf(path, sizeof(path), TN_TEST_DATA "/studio/import/%s%s%s", folder,
		       *folder ? "/" : "", name);
	tn_buf_init(&text, TN_MIB);
	assert_int_equal(tn_file_read(path, 0, &text, &err), TENON_OK);
	copy = tn_arena_copy(&world->arena, tn_buf_str(&text));
	assert_non_null(copy);
	import_add_text(world, name, tn_str(copy, text.size));
	tn_buf_finish(&text);
}

struct tn_studio_import_options import_options(struct import_world *world,
					       enum tn_studio_import_source source)
{
	return (struct tn_studio_import_options){
		.source = source, .files = world->files, .file_count = world->count};
}

void import_take(struct import_world *world, enum tn_studio_import_source source)
{
	struct tn_studio_import_options options = import_options(world, source);

	if (!tn_studio_import_kit_take(&world->kit, &options))
		fail_msg("%s: %s", world->kit.fault.code, world->kit.fault.message);
	assert_true(tn_studio_import_kit_generate(&world->kit, "test"));
}

/* ---- looking at it ---- */

const char *import_shown(struct import_world *world, const struct tn_json *value)
{
	struct tn_buf out;
	const char *copy;

	tn_buf_init(&out, TN_MIB);
	tn_json_put_value(&out, value);
	copy = tn_arena_copy(&world->arena, tn_buf_str(&out));
	tn_buf_finish(&out);
	return copy;
}

static bool is_called(const struct tn_studio_node *node, struct tn_str type, struct tn_str name)
{
	struct tn_str made;
	bool can_be = type.size == 0;

	for (size_t at = 0;
	     node->type && !can_be && (made = tn_studio_type_makes(node->type, at)).size > 0; at++)
		can_be = tn_str_equal(made, type);
	return can_be && tn_str_equal(node->name, name);
}

const struct tn_studio_node *import_node(struct import_world *world, const char *address)
{
	const struct tn_studio_document *document = &world->kit.document;
	const struct tn_studio_node *found = NULL;
	struct tn_str type = TN_STR(""), name = tn_str_from(address);
	size_t dot = tn_str_find_byte(name, '.');

	if (dot != TN_STR_NONE) {
		type = tn_str(address, dot);
		name = tn_str_from_offset(name, dot + 1);
	}
	for (size_t i = 0; i < document->node_count; i++) {
		if (!is_called(document->nodes[i], type, name))
			continue;
		if (found)
			fail_msg("there are two nodes %s", address);
		found = document->nodes[i];
	}
	if (!found)
		fail_msg("there is no node %s", address);
	return found;
}

void import_expect_parent(struct import_world *world, const char *name, const char *parent)
{
	const struct tn_studio_node *child = import_node(world, name);

	assert_non_null(child->parent);
	assert_ptr_equal(child->parent, import_node(world, parent));
}

void import_expect_property(struct import_world *world, const char *name, const char *key,
			    const char *json)
{
	assert_string_equal(
		import_shown(world, tn_json_get(import_node(world, name)->properties, key)), json);
}

size_t import_count(struct import_world *world, const char *list)
{
	const struct tn_json *found = tn_json_get(world->kit.result, list);

	assert_non_null(found);
	return found->count;
}

const struct tn_json *import_entry(struct import_world *world, const char *list, const char *key,
				   const char *value)
{
	for (const struct tn_json *one = tn_json_get(world->kit.result, list)->first; one;
	     one = one->next) {
		struct tn_str text;

		if (tn_json_to_str(tn_json_get(one, key), &text) && tn_str_is(text, value))
			return one;
	}
	fail_msg("%s has no %s %s: %s", list, key, value,
		 import_shown(world, tn_json_get(world->kit.result, list)));
	return NULL;
}

bool import_file_has(struct import_world *world, const char *file, const char *text)
{
	return tn_str_find(tn_studio_import_kit_file(&world->kit, tn_str_from(file)),
			   tn_str_from(text)) != TN_STR_NONE;
}

void import_expect_text(struct import_world *world, const char *file, const char *text)
{
	struct tn_str whole = tn_studio_import_kit_file(&world->kit, tn_str_from(file));

	if (!import_file_has(world, file, text))
		fail_msg("%s has no '%s':\n%.*s", file, text, (int)whole.size, whole.data);
}
