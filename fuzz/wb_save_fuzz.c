/* wb_save_fuzz.c - edits of a source: those that a Save makes say what they are to and change
 * nothing outside of one tag, and any that somebody sends are made whole, and taken back whole, or
 * refused.
 *
 * The input: a line of JSON, and a text. An array: {"kind":"text",...} edits, tried on the text;
 * any other value: what prop p of each tag is to say. */
#include <stdint.h>

#include "apps/workbench/edit/edit.h"
#include "apps/workbench/save/diff.h"
#include "apps/workbench/save/promote.h"
#include "base/utf8.h"
#include "source_reader.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* ---- replacements ---- */

static void take_back(struct tn_str text, const struct tn_wb_file_edit *edit, struct tn_str after,
		      struct tn_arena *arena)
{
	struct tn_wb_replacement *back =
		tn_arena_alloc_array(arena, edit->count + 1, sizeof(*back));
	size_t grown = 0;
	struct tn_buf again;

	tn_assert(back != NULL);
	for (size_t i = 0; i < edit->count; i++) {
		const struct tn_wb_replacement *at = &edit->list[i];

		back[i] = (struct tn_wb_replacement){
			at->start + grown, at->start + grown + at->text.size,
			tn_str(text.data + at->start, at->end - at->start)};
		grown += at->text.size - (at->end - at->start);
	}
	tn_buf_init(&again, 64 * TN_MIB);
	tn_assert(tn_wb_replace(after, back, edit->count, &again, NULL) == TENON_OK);
	tn_assert(tn_str_equal(tn_buf_str(&again), text));
	tn_buf_finish(&again);
}

static void check_edit(struct tn_str text, struct tn_wb_file_edit *edit, struct tn_arena *arena)
{
	struct tn_buf after, diff;

	tn_buf_init(&after, 64 * TN_MIB);
	tn_buf_init(&diff, 256 * TN_MIB);
	if (tn_wb_replace(text, edit->list, edit->count, &after, NULL) == TENON_OK) {
		if (tn_utf8_valid(text.data, text.size))
			take_back(text, edit, tn_buf_str(&after), arena);
		tn_wb_put_diff(&diff, TN_STR("f"), text, edit->list, edit->count);
		tn_assert(!diff.failed && (diff.size > 0) == (edit->count > 0));
	}
	tn_buf_finish(&diff);
	tn_buf_finish(&after);
}

static void check_edits(const struct tn_json *json, struct tn_str text, struct tn_arena *arena)
{
	struct tn_wb_edit_outcome outcome;
	struct tn_wb_edits edits = {0};

	tn_wb_edit_outcome_init(&outcome);
	if (tn_wb_edits_read(arena, json, &edits, &outcome, NULL) != TENON_OK)
		tn_assert(outcome.code != NULL);
	else
		for (size_t i = 0; i < edits.count; i++)
			if (edits.list[i].kind == TN_WB_EDIT_TEXT)
				check_edit(text, &edits.list[i], arena);
	tn_wb_edit_outcome_finish(&outcome);
}

/* ---- promotions ---- */

static void check_says(const struct tn_wb_tree *tree, uint32_t tag, const struct tn_json *value,
		       struct tn_wb_promotion *made)
{
	struct tn_wb_replacement edit = {made->start, made->end, made->text};
	struct tn_wb_tree again = {0};
	struct tn_buf after;
	uint32_t there;

	tn_assert(edit.start >= tree->nodes[tag].start && edit.end <= tree->nodes[tag].end);
	tn_buf_init(&after, 4 * TN_MIB);
	if (tn_utf8_valid(tree->text.data, tree->text.size))
		tn_assert(tn_wb_replace(tree->text, &edit, 1, &after, NULL) == TENON_OK);
	/* A text that was odd before may be read in another way after. */
	if (after.size && !tree->is_broken &&
	    tn_wb_tree_parse(source_reader(), TN_WB_TSX, tn_buf_str(&after), &again, NULL) ==
		    TENON_OK) {
		there = tn_wb_tag_at(&again, tree->nodes[tag].start);
		tn_assert(again.is_broken || there != TN_WB_NO_NODE);
		tn_assert(again.is_broken || tn_wb_says(&again, there, TN_STR("p"), value));
		tn_wb_tree_finish(&again);
	}
	tn_buf_finish(&after);
}

static void check_tags(const struct tn_json *value, struct tn_str text, struct tn_arena *arena)
{
	struct tn_wb_promotion made;
	struct tn_wb_tree tree = {0};
	int tries = 0;

	if (tn_wb_tree_parse(source_reader(), TN_WB_TSX, text, &tree, NULL) != TENON_OK)
		return;
	for (uint32_t i = 0; i < tree.count && tries < 8; i++) {
		uint32_t tag = tn_wb_tag_at(&tree, tree.nodes[i].start);

		if (tag != i)
			continue;
		tries++;
		tn_wb_promote(&tree, tag, TN_STR("p"), value, arena, &made);
		tn_assert(!made.code || made.message);
		if (!made.code && !made.is_nothing)
			check_says(&tree, tag, value, &made);
	}
	tn_wb_tree_finish(&tree);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct tn_str all = tn_str((const char *)data, size), text;
	size_t end = tn_str_find_byte(all, '\n');
	struct tn_json *json = NULL;
	struct tn_arena arena;

	if (end == TN_STR_NONE)
		return 0;
	text = tn_str_from_offset(all, end + 1);
	tn_arena_init(&arena, 64 * TN_MIB);
	if (tn_json_parse_copy(&arena, tn_str(all.data, end), &json, NULL) == TENON_OK) {
		if (json->type == TN_JSON_ARRAY)
			check_edits(json, text, &arena);
		else if (source_reader())
			check_tags(json, text, &arena);
	}
	tn_arena_finish(&arena);
	return 0;
}
