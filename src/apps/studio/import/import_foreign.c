/* What stays as text, and what that text needs: variables, locals, data blocks; addresses in it
 * that are others now. */
#include <stdio.h>

#include "apps/studio/import/internal.h"
#include "apps/studio/limits.h"

struct walk {
	struct tn_import *import;
	struct tn_map renames; /* addresses to struct tn_import_rename */
	struct tn_import_local *locals;
	struct tn_import_variable *variables;
};

static bool is_word(char c)
{
	return tn_is_alpha(c) || tn_is_digit(c) || c == '_' || c == '-' || (c & 0x80);
}

static size_t word_size(struct tn_str text, size_t at)
{
	size_t end = at;

	while (end < text.size && is_word(text.data[end]))
		end++;
	return end - at;
}

/* "a.b" at this place, as one slice; empty: there is no second word. */
static struct tn_str two_words(struct tn_str text, size_t at)
{
	size_t first = word_size(text, at), second;

	if (first == 0 || at + first >= text.size || text.data[at + first] != '.')
		return TN_STR("");
	second = word_size(text, at + first + 1);
	return second ? tn_str(text.data + at, first + 1 + second) : TN_STR("");
}

static void need(struct walk *walk, struct tn_str name, bool variable)
{
	struct tn_import_reading *reading = &walk->import->reading;

	if (variable) {
		struct tn_import_variable *one = tn_map_get(&reading->variables, name);

		if (!one || one->needed)
			return;
		one->needed = true;
		one->next_needed = walk->variables;
		walk->variables = one;
	} else {
		struct tn_import_local *one = tn_map_get(&reading->locals, name);

		if (!one || one->needed)
			return;
		one->needed = true;
		one->next_needed = walk->locals;
		walk->locals = one;
	}
}

/* Names that begin a reference begin a word that follows no dot. Words in plain text may be taken
 * for names: then a little more is kept than is needed. */
static void scan(struct walk *walk, struct tn_str text)
{
	for (size_t at = 0; at < text.size;) {
		size_t size = word_size(text, at);
		struct tn_str pair = two_words(text, at), rest;

		if (size == 0 || (at > 0 && text.data[at - 1] == '.')) {
			at += size ? size : 1;
			continue;
		}
		rest = tn_str_from_offset(pair, size + 1);
		if (pair.size && tn_str_starts(pair, TN_STR("var.")))
			need(walk, rest, true);
		else if (pair.size && tn_str_starts(pair, TN_STR("local.")))
			need(walk, rest, false);
		at += size;
	}
}

static void scan_needed(struct walk *walk)
{
	while (walk->locals || walk->variables) {
		struct tn_import_local *local = walk->locals;
		struct tn_import_variable *variable = walk->variables;

		if (local) {
			walk->locals = local->next_needed;
			scan(walk, local->attribute->value->text);
		} else {
			walk->variables = variable->next_needed;
			if (variable->block)
				scan(walk, variable->block->block->text);
		}
	}
}

/* ---- addresses ---- */

static void rename_to(struct walk *walk, struct tn_str from, struct tn_str to)
{
	struct tn_import_rename *rename;
	struct tenon_error err;

	if (tn_str_equal(from, to) || walk->import->state)
		return;
	rename = tn_import_new(walk->import, sizeof(*rename));
	if (!rename)
		return;
	*rename = (struct tn_import_rename){from, to, NULL};
	if (walk->import->last_rename)
		walk->import->last_rename->next = rename;
	else
		walk->import->renames = rename;
	walk->import->last_rename = rename;
	if (tn_map_put(&walk->renames, from, rename, &err) != TENON_OK)
		walk->import->full = true;
}

static void find_renames(struct walk *walk)
{
	struct tn_import *import = walk->import;

	for (size_t i = 0; i < import->reading.object_count; i++) {
		const struct tn_import_object *object = import->reading.objects[i];
		const struct tn_import_node *node = object->owner ? object->owner : object->node;
		struct tn_str name;

		if (!node)
			continue;
		name = node->name;
		if (object->extra && tn_json_to_str(tn_json_get(object->extra, "name"), &name))
			name = tn_import_extra_name(import, name, node->own, object->index);
		rename_to(walk, object->address,
			  tn_import_format(import->arena, "%.*s.%.*s", (int)object->type.size,
					   object->type.data, (int)name.size, name.data));
	}
}

/* The text with the addresses that are others now. */
static struct tn_str rewritten(struct walk *walk, struct tn_str text)
{
	struct tn_str ret = text;
	struct tn_buf out;
	bool changed = false;
	char *copy;

	if (!walk->import->renames)
		return text;
	tn_buf_init(&out, TN_STUDIO_RESULT_BYTES_MAX);
	for (size_t at = 0; at < text.size;) {
		size_t size = word_size(text, at);
		struct tn_str pair = size ? two_words(text, at) : TN_STR("");
		const struct tn_import_rename *rename =
			pair.size && (at == 0 || text.data[at - 1] != '.')
				? tn_map_get(&walk->renames, pair)
				: NULL;

		if (rename) {
			tn_buf_append_str(&out, rename->to);
			at += pair.size;
			changed = true;
		} else {
			tn_buf_append(&out, text.data + at, size ? size : 1);
			at += size ? size : 1;
		}
	}
	copy = changed && !out.failed ? tn_arena_copy(walk->import->arena, tn_buf_str(&out)) : NULL;
	if (copy)
		ret = tn_str(copy, out.size);
	walk->import->full = walk->import->full || out.failed;
	tn_buf_finish(&out);
	return ret;
}

/* ---- the list ---- */

static struct tn_import_foreign *add(struct walk *walk, const char *kind, struct tn_str type,
				     struct tn_str name, struct tn_str text)
{
	struct tn_import *import = walk->import;
	struct tn_import_foreign *foreign = tn_import_new(import, sizeof(*foreign));

	if (!foreign)
		return NULL;
	*foreign = (struct tn_import_foreign){
		.kind = tn_str_from(kind), .type = type, .name = name, .text = text};
	if (import->last_foreign)
		import->last_foreign->next = foreign;
	else
		import->foreign = foreign;
	import->last_foreign = foreign;
	return foreign;
}

static void add_objects(struct walk *walk)
{
	for (size_t i = 0; i < walk->import->reading.object_count; i++) {
		struct tn_import_object *object = walk->import->reading.objects[i];
		struct tn_import_foreign *foreign;

		if (!object->why || object->owner)
			continue;
		foreign = add(walk, "resource", object->type, object->name,
			      object->block && !object->block->faulty
				      ? rewritten(walk, object->block->text)
				      : TN_STR(""));
		if (!foreign)
			return;
		foreign->file = object->file;
		foreign->line = object->line;
		foreign->why = object->block && object->block->faulty
				       ? "it has a fault; it was left out"
				       : object->why;
	}
}

/* What the block says once addresses are others. A `moved` goes on to the address that it says,
 * from where ours (add_moves) leads on: the engine refuses two that lead to the same. */
static struct tn_str text_of(struct walk *walk, const struct tn_hcl_block *block)
{
	if (block->faulty)
		return TN_STR("");
	return tn_str_is(block->type, "moved") ? block->text : rewritten(walk, block->text);
}

static void add_others(struct walk *walk)
{
	for (struct tn_import_other *other = walk->import->reading.others; other;
	     other = other->next) {
		const struct tn_hcl_block *block = other->block;
		unsigned last = block->label_count ? block->label_count - 1 : 0;
		struct tn_import_foreign *foreign;
		char kind[64];

		if (other->taken)
			continue;
		(void)snprintf(kind, sizeof(kind), "%.*s",
			       (int)(block->type.size < 60 ? block->type.size : 60),
			       block->type.data);
		foreign = add(walk, tn_arena_copy(walk->import->arena, tn_str_from(kind)),
			      last > 0 ? block->labels[0] : TN_STR(""),
			      block->label_count ? block->labels[last] : TN_STR(""),
			      text_of(walk, block));
		if (!foreign)
			return;
		foreign->file = other->file;
		foreign->line = block->range.line;
		foreign->why = block->faulty ? "it has a fault; it was left out"
					     : "the diagram has no place for this block";
	}
}

static struct tn_str with_values(struct walk *walk, const struct tn_import_variable *variable)
{
	const struct tn_hcl_value *value = variable->value;

	if (!variable->values_file || !value || variable->sensitive)
		return TN_STR("");
	return tn_import_format(walk->import->arena, "%.*s = %.*s\n", (int)variable->name.size,
				variable->name.data, (int)value->text.size, value->text.data);
}

static void say_why(struct tn_import_foreign *foreign, const struct tn_import_other *other)
{
	if (!foreign)
		return;
	foreign->file = other->file;
	foreign->line = other->block->range.line;
	foreign->why = "what stays as text needs it";
}

static void add_needed_variable(struct walk *walk, struct tn_import_other *other)
{
	const struct tn_import_variable *variable =
		tn_map_get(&walk->import->reading.variables, other->block->labels[0]);
	struct tn_import_foreign *foreign;

	if (!variable || !variable->needed || variable->block != other)
		return;
	foreign = add(walk, "variable", TN_STR(""), variable->name,
		      rewritten(walk, other->block->text));
	if (foreign)
		foreign->values = with_values(walk, variable);
	say_why(foreign, other);
}

static void add_needed_locals(struct walk *walk, const struct tn_import_other *other)
{
	for (const struct tn_hcl_attribute *one = other->block->body->attributes; one;
	     one = one->next) {
		const struct tn_import_local *local =
			tn_import_local_find(&walk->import->reading, one->name);
		struct tn_str text;

		if (!local || !local->needed || local->attribute != one ||
		    tn_str_is(one->name, "common_tags"))
			continue;
		text = tn_import_format(walk->import->arena, "locals {\n  %.*s = %.*s\n}",
					(int)one->name.size, one->name.data,
					(int)one->value->text.size, one->value->text.data);
		say_why(add(walk, "local", TN_STR(""), one->name, rewritten(walk, text)), other);
	}
}

static void add_needed(struct walk *walk)
{
	for (struct tn_import_other *other = walk->import->reading.others; other;
	     other = other->next) {
		if (tn_str_is(other->block->type, "variable") && other->block->label_count == 1)
			add_needed_variable(walk, other);
		else if (tn_str_is(other->block->type, "locals"))
			add_needed_locals(walk, other);
	}
}

/* The engine learns of new addresses by blocks, so that nothing is made anew. */
static void add_moves(struct walk *walk)
{
	struct tn_import_foreign *foreign;
	struct tn_buf out;

	if (!walk->import->renames)
		return;
	tn_buf_init(&out, TN_STUDIO_RESULT_BYTES_MAX);
	for (const struct tn_import_rename *one = walk->import->renames; one; one = one->next)
		tn_buf_format(&out, "%smoved {\n  from = %.*s\n  to   = %.*s\n}",
			      out.size ? "\n\n" : "", (int)one->from.size, one->from.data,
			      (int)one->to.size, one->to.data);
	foreign = add(walk, "moved", TN_STR(""), TN_STR("addresses"), TN_STR(""));
	if (foreign && !out.failed) {
		char *copy = tn_arena_copy(walk->import->arena, tn_buf_str(&out));

		foreign->text = copy ? tn_str(copy, out.size) : TN_STR("");
		foreign->why = "addresses that are others now";
	}
	tn_buf_finish(&out);
}

void tn_import_foreigners(struct tn_import *import)
{
	struct walk walk = {.import = import};

	if (import->state) {
		add_objects(&walk);
		return;
	}
	tn_map_init(&walk.renames);
	find_renames(&walk);
	add_objects(&walk);
	add_others(&walk);
	for (struct tn_import_foreign *one = import->foreign; one; one = one->next)
		scan(&walk, one->text);
	scan_needed(&walk);
	add_needed(&walk);
	add_moves(&walk);
	tn_map_finish(&walk.renames);
}
