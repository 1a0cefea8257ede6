#include "apps/floorplan/mcp/schema_page.h"

#include <stdio.h>
#include <string.h>

#include "apps/floorplan/plan/plan.h"
#include "base/size.h"

#define EMBEDDED(name)            \
	extern const char name[]; \
	extern const size_t name##_size
EMBEDDED(tn_floor_schema_data);
EMBEDDED(tn_floor_example_one_room);
EMBEDDED(tn_floor_example_apartment);
EMBEDDED(tn_floor_example_house);
EMBEDDED(tn_floor_example_offices);

/* ---- examples ---- */

static const struct {
	const char *name, *words, *text;
	const size_t *size;
} examples[] = {
	{"one-room", "One room with a door", tn_floor_example_one_room,
	 &tn_floor_example_one_room_size},
	{"apartment", "Relative positions, connections and a title", tn_floor_example_apartment,
	 &tn_floor_example_apartment_size},
	{"offices", "Named sizes, a lift and the blueprint theme", tn_floor_example_offices,
	 &tn_floor_example_offices_size},
	{"house", "Two floors, a stair, a style and a room in a room", tn_floor_example_house,
	 &tn_floor_example_house_size},
};

bool tn_floor_example_at(size_t index, struct tn_floor_example *ret)
{
	if (index >= TN_COUNT(examples))
		return false;
	*ret = (struct tn_floor_example){
		.name = examples[index].name,
		.words = examples[index].words,
		.text = tn_str(examples[index].text, *examples[index].size)};
	return true;
}

static void put_example(struct tn_buf *out, struct tn_str name)
{
	struct tn_floor_example example;

	for (size_t i = 0; tn_floor_example_at(i, &example); i++) {
		if (tn_str_is(name, example.name))
			tn_buf_append_str(out, example.text);
	}
}

static void put_example_names(struct tn_buf *out)
{
	struct tn_floor_example example;

	for (size_t i = 0; tn_floor_example_at(i, &example); i++)
		tn_buf_format(out, "%s`%s`", i > 0 ? ", " : "", example.name);
}

/* ---- words ---- */

static void put_words(struct tn_buf *out)
{
	for (int word = 0; word < TN_WORD_COUNT; word++)
		tn_buf_format(out, "%s`%s`", word > 0 ? " " : "",
			      tn_floor_word_text((enum tn_floor_word)word));
}

static void put_sides(struct tn_buf *out)
{
	for (int side = TN_FLOOR_TOP; side <= TN_FLOOR_LEFT; side++)
		tn_buf_format(out, "%s`%s`", side > 0 ? ", " : "",
			      tn_floor_side_name((enum tn_floor_side)side));
}

static void put_walls(struct tn_buf *out)
{
	for (int type = TN_FLOOR_SOLID; type <= TN_FLOOR_OPEN; type++)
		tn_buf_format(out, "%s`%s`", type > 0 ? ", " : "",
			      tn_floor_wall_name((enum tn_floor_wall_type)type));
}

static void put_these(struct tn_buf *out, const enum tn_floor_word *words, size_t count)
{
	for (size_t i = 0; i < count; i++)
		tn_buf_format(out, "%s`%s`", i > 0 ? ", " : "", tn_floor_word_text(words[i]));
}

static void put_directions(struct tn_buf *out)
{
	static const enum tn_floor_word words[] = {TN_WORD_right_of,       TN_WORD_left_of,
						   TN_WORD_above,          TN_WORD_below,
						   TN_WORD_above_right_of, TN_WORD_above_left_of,
						   TN_WORD_below_right_of, TN_WORD_below_left_of};

	put_these(out, words, TN_COUNT(words));
}

static void put_doors(struct tn_buf *out)
{
	static const enum tn_floor_word words[] = {TN_WORD_door, TN_WORD_double_door,
						   TN_WORD_opening};

	put_these(out, words, TN_COUNT(words));
}

/* ---- tables ---- */

static void put_config(struct tn_buf *out)
{
	struct tn_floor_config_key key;

	tn_buf_append_text(out, "| Key | Value | Default |\n| --- | --- | --- |\n");
	for (size_t i = 0; tn_floor_config_at(i, &key); i++)
		tn_buf_format(out, "| `%s` | %s | %s |\n", key.key, key.value, key.standard);
}

void tn_floor_put_code_page(struct tn_buf *out)
{
	const char *severity = NULL, *when = NULL;
	int code = 0;

	tn_buf_append_text(
		out, "# Codes of diagnostics\n\nEach has the line and column of what is "
		     "meant, and a sentence that names it. Errors keep a plan from being "
		     "drawn; warnings and infos do not. FP80xx are advice on the design, "
		     "told with `lint`. FP9001 to FP9009 are faults of arguments and edits.\n\n"
		     "| Code | Severity | When |\n| --- | --- | --- |\n");
	for (size_t i = 0; tn_floor_code_at(i, &code, &severity, &when); i++)
		tn_buf_format(out, "| FP%04d | %s | %s |\n", code, severity, when);
}

/* ---- the page ---- */

static void put_part(struct tn_buf *out, struct tn_str name)
{
	static const struct {
		const char *name;
		void (*put)(struct tn_buf *out);
	} parts[] = {{"sides", put_sides},   {"directions", put_directions},
		     {"walls", put_walls},   {"doors", put_doors},
		     {"config", put_config}, {"examples", put_example_names},
		     {"words", put_words}};

	if (tn_str_starts(name, TN_STR("example:"))) {
		put_example(out, tn_str_from_offset(name, 8));
		return;
	}
	for (size_t i = 0; i < TN_COUNT(parts); i++) {
		if (tn_str_is(name, parts[i].name))
			parts[i].put(out);
	}
}

void tn_floor_put_schema_page(struct tn_buf *out)
{
	struct tn_str rest = tn_str(tn_floor_schema_data, tn_floor_schema_data_size);
	size_t at;

	while ((at = tn_str_find(rest, TN_STR("{{"))) != TN_STR_NONE) {
		size_t end;

		tn_buf_append(out, rest.data, at);
		rest = tn_str_from_offset(rest, at + 2);
		end = tn_str_find(rest, TN_STR("}}"));
		if (end == TN_STR_NONE)
			break;
		put_part(out, tn_str(rest.data, end));
		rest = tn_str_from_offset(rest, end + 2);
	}
	tn_buf_append_str(out, rest);
}
