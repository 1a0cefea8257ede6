#include "apps/workbench/source/sites.h"

#include "apps/workbench/source/module_reader.h"
#include "apps/workbench/source/project_parts.h"
#include "base/mem.h"

struct tn_wb_sites {
	struct tn_wb_source *source;
	struct tn_wb_links links;
};

enum tenon_code tn_wb_sites_open(struct tn_wb_source *source, const struct tn_str *paths,
				 size_t path_count, const struct tn_wb_source_hint *hints,
				 size_t hint_count, struct tn_wb_sites **ret,
				 struct tenon_error *err)
{
	struct tn_wb_sites *sites;
	enum tenon_code code;

	if (!source->reader)
		return tn_fail(err, TENON_NOT_FOUND, "source files are not analysed: %s",
			       source->why);
	sites = tn_mem_alloc(sizeof(*sites));
	if (!sites)
		return tn_fail(err, TENON_NO_MEMORY, "out of memory");
	sites->source = source;
	for (size_t i = 0; i < path_count; i++) {
		struct tn_wb_file *file = tn_wb_files_get(&source->files, paths[i]);

		if (file)
			file->is_fresh = false; /* it may have changed since the look */
		(void)tn_wb_files_take(&source->files, paths[i]); /* or it is missing */
	}
	code = tn_wb_links_make(&sites->links, &source->files, hints, hint_count, err);
	if (code != TENON_OK) {
		tn_wb_sites_close(sites);
		return code;
	}
	*ret = sites;
	return TENON_OK;
}

void tn_wb_sites_close(struct tn_wb_sites *sites)
{
	if (!sites)
		return;
	tn_wb_links_finish(&sites->links);
	tn_mem_free(sites);
}

enum tenon_code tn_wb_sites_text(const struct tn_wb_sites *sites, struct tn_str path,
				 struct tn_buf *out, struct tenon_error *err)
{
	return tn_wb_files_text(&sites->source->files, path, out, err);
}

enum tenon_code tn_wb_sites_parse(const struct tn_wb_sites *sites, struct tn_str path,
				  struct tn_str text, struct tn_wb_tree *ret,
				  struct tenon_error *err)
{
	return tn_wb_tree_parse(sites->source->reader, tn_wb_language_of(path), text, ret, err);
}

bool tn_wb_sites_renders(struct tn_wb_sites *sites, struct tn_str path,
			 const struct tn_wb_tree *tree, uint32_t tag, struct tn_str type_id)
{
	const struct tn_wb_links *links = &sites->links;
	const struct tn_wb_file *file = tn_wb_files_get(&sites->source->files, path);
	uint32_t name = tn_wb_child(tree, tag, TN_WB_FIELD_NAME), node;
	struct tn_wb_use use = {.specifier = {"", 0}};

	if (!file || !file->is_read || !tn_wb_split_name(tree, name, &use.name, &use.member) ||
	    tn_wb_is_hidden_at(tree, name, use.name))
		return false;
	node = tn_wb_links_use(&sites->links, file, &use);
	for (size_t i = 0; node != TN_WB_NONE && i < links->hint_count; i++)
		if (links->places[i].node == node && tn_str_equal(links->hints[i].type_id, type_id))
			return true;
	return false;
}
