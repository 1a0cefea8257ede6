/* One file of a plan: read, parsed, and changed on trial. */
#include <stdlib.h>

#include "apps/workbench/save/plan_parts.h"
#include "base/mem.h"
#include "base/utf8.h"

static void refuse_all(const struct tn_wb_plan_file *file, const char *code, const char *message)
{
	for (struct tn_wb_spot *at = file->first; at; at = at->next_in_file)
		tn_wb_spot_refuse(at, code, message);
}

static void refuse_unread(const struct tn_wb_plan_file *file, enum tenon_code code)
{
	if (code == TENON_NOT_FOUND)
		refuse_all(file, "notFound", "its file is not there any more");
	else if (code == TENON_LIMIT)
		refuse_all(file, "unsupportedPattern",
			   "its file is larger than 2 MiB, or too deep to be read");
	else if (code == TENON_DENIED || code == TENON_INVALID)
		refuse_all(file, "unpromotable", "its file may not be read, or is none");
	else
		refuse_all(file, "internalError", "its file could not be read");
}

/* ---- spots ---- */

/* In `tree`: which tag, and that it is one of the draft's type. */
static void find_tag(struct tn_wb_sites *sites, const struct tn_wb_tree *tree,
		     struct tn_wb_spot *spot)
{
	if (spot->code)
		return;
	if (!tn_wb_tree_offset(tree, spot->at, &spot->offset)) {
		tn_wb_spot_refuse(spot, "notFound", "its file has no such line and column");
		return;
	}
	spot->tag = tn_wb_tag_at(tree, spot->offset);
	if (spot->tag == TN_WB_NO_NODE)
		tn_wb_spot_refuse(spot, "notFound",
				  "no element begins there any more: reload the page");
	else if (!tn_wb_sites_renders(sites, spot->file, tree, spot->tag, spot->type_id))
		tn_wb_spot_refuse(spot, "notFound",
				  "the element there is of another type: reload the page");
}

static int by_place(const void *a, const void *b)
{
	const struct tn_wb_spot *const *left = a, *const *right = b;

	if ((*left)->promotion.start != (*right)->promotion.start)
		return (*left)->promotion.start < (*right)->promotion.start ? -1 : 1;
	return tn_str_compare((*left)->prop, (*right)->prop);
}

/* Edits of all spots that can be written, in the order of the file. */
static enum tenon_code collect(struct tn_wb_planning *p, struct tn_wb_plan_file *file,
			       struct tenon_error *err)
{
	size_t count = 0;

	for (const struct tn_wb_spot *at = file->first; at; at = at->next_in_file)
		count++;
	file->list = tn_arena_alloc_array(&p->arena, count + 1, sizeof(*file->list));
	file->spots = tn_arena_alloc_array(&p->arena, count + 1, sizeof(struct tn_wb_spot *));
	if (!file->list || !file->spots)
		return tn_fail(err, TENON_NO_MEMORY, "out of memory");
	file->count = 0;
	for (struct tn_wb_spot *at = file->first; at; at = at->next_in_file)
		if (!at->code && !at->promotion.is_nothing)
			file->spots[file->count++] = at;
	qsort(file->spots, file->count, sizeof(struct tn_wb_spot *), by_place);
	for (size_t i = 0; i < file->count; i++)
		file->list[i] = (struct tn_wb_replacement){file->spots[i]->promotion.start,
							   file->spots[i]->promotion.end,
							   file->spots[i]->promotion.text};
	return TENON_OK;
}

/* ---- on trial ---- */

static uint32_t count_broken(const struct tn_wb_tree *tree)
{
	uint32_t count = tree->is_broken;

	for (uint32_t i = 0; i < tree->count; i++)
		count += tree->nodes[i].kind == TN_WB_BROKEN;
	return count;
}

/* Where the byte is once the edits before it are made. */
static uint32_t moved(const struct tn_wb_plan_file *file, uint32_t offset)
{
	size_t to = offset;

	for (size_t i = 0; i < file->count && file->list[i].start <= offset; i++)
		to += file->list[i].text.size - (file->list[i].end - file->list[i].start);
	return (uint32_t)to;
}

static bool says_all(const struct tn_wb_plan_file *file, const struct tn_wb_tree *after)
{
	for (size_t i = 0; i < file->count; i++) {
		const struct tn_wb_spot *spot = file->spots[i];
		uint32_t tag = tn_wb_tag_at(after, moved(file, spot->offset));

		if (tag == TN_WB_NO_NODE || !tn_wb_says(after, tag, spot->prop, spot->value))
			return false;
	}
	return true;
}

/* What comes out must be as good a source as what went in, and say what it is to. */
static void try_out(const struct tn_wb_sites *sites, struct tn_wb_plan_file *file,
		    const struct tn_wb_tree *before)
{
	struct tn_wb_tree tree = {0};
	struct tn_buf after;
	bool is_good;

	tn_buf_init(&after, TN_WB_SOURCE_BYTES_MAX);
	is_good = tn_wb_replace(tn_buf_str(&file->text), file->list, file->count, &after, NULL) ==
			  TENON_OK &&
		  tn_wb_sites_parse(sites, file->path, tn_buf_str(&after), &tree, NULL) == TENON_OK;
	if (is_good && (count_broken(&tree) != count_broken(before) || !says_all(file, &tree)))
		is_good = false;
	tn_wb_tree_finish(&tree);
	tn_buf_finish(&after);
	if (is_good)
		return;
	refuse_all(file, "internalError",
		   "with all drafts of its file written, the file would not parse as before");
	file->count = 0;
}

/* ---- all of it ---- */

static enum tenon_code make_edits(struct tn_wb_planning *p, struct tn_wb_sites *sites,
				  struct tn_wb_plan_file *file, const struct tn_wb_tree *tree,
				  struct tenon_error *err)
{
	enum tenon_code code;

	for (struct tn_wb_spot *at = file->first; at; at = at->next_in_file) {
		find_tag(sites, tree, at);
		if (at->code)
			continue;
		tn_wb_promote(tree, at->tag, at->prop, at->value, &p->arena, &at->promotion);
		if (at->promotion.code)
			tn_wb_spot_refuse(at, at->promotion.code, at->promotion.message);
	}
	code = collect(p, file, err);
	if (code == TENON_OK && file->count)
		try_out(sites, file, tree);
	return code;
}

enum tenon_code tn_wb_plan_file_make(struct tn_wb_planning *p, struct tn_wb_sites *sites,
				     struct tn_wb_plan_file *file, struct tenon_error *err)
{
	struct tn_wb_tree tree = {0};
	enum tenon_code code = tn_wb_sites_text(sites, file->path, &file->text, err);

	if (code == TENON_NO_MEMORY)
		return code;
	if (code == TENON_OK) {
		file->is_read = true;
		tn_digest_hex(tn_buf_str(&file->text), file->digest);
		if (!tn_utf8_valid(file->text.data, file->text.size)) {
			refuse_all(file, "unsupportedPattern", "its file is not UTF-8");
			return TENON_OK;
		}
		code = tn_wb_sites_parse(sites, file->path, tn_buf_str(&file->text), &tree, err);
	}
	if (code != TENON_OK) {
		refuse_unread(file, code);
		return code == TENON_NO_MEMORY ? code : TENON_OK;
	}
	code = make_edits(p, sites, file, &tree, err);
	tn_wb_tree_finish(&tree);
	return code;
}
