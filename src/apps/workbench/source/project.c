#include "apps/workbench/source/project.h"

#include <limits.h>
#include <stdio.h>

#include <stdio.h>

#include "apps/workbench/limits.h"
#include "apps/workbench/source/project_parts.h"
#include "base/mem.h"
#include "jsonrpc/json_write.h"

enum tenon_code tn_wb_source_open(const char *root, const char *plugins, struct tn_wb_source **ret,
				  struct tenon_error *err)
{
	struct tn_wb_source *source = tn_mem_alloc(sizeof(*source));
	struct tenon_error why = {0};
	enum tenon_code code;

	if (!source)
		return tn_fail(err, TENON_NO_MEMORY, "out of memory");
	code = tn_wb_reader_open(plugins, &source->reader, &why);
	if (code != TENON_OK)
		(void)snprintf(source->why, sizeof(source->why), "%s", why.message);
	code = code == TENON_NO_MEMORY
		       ? tn_fail(err, code, "out of memory")
		       : tn_wb_files_open(&source->files, root, source->reader, err);
	if (code != TENON_OK) {
		tn_wb_reader_close(source->reader);
		tn_mem_free(source);
		return code;
	}
	*ret = source;
	return TENON_OK;
}

void tn_wb_source_close(struct tn_wb_source *source)
{
	if (!source)
		return;
	tn_wb_files_close(&source->files);
	tn_wb_reader_close(source->reader);
	tn_mem_free(source);
}

bool tn_wb_source_is_available(const struct tn_wb_source *source)
{
	return source->reader != NULL;
}

size_t tn_wb_source_file_count(const struct tn_wb_source *source)
{
	return source->files.count;
}

size_t tn_wb_source_read_count(const struct tn_wb_source *source)
{
	return source->files.read_count;
}

/* ---- scanning ---- */

static enum tenon_code infer(struct tn_wb_source *source, const struct tn_wb_source_scan *what,
			     struct tn_wb_source_found *ret, struct tenon_error *err)
{
	struct tn_wb_links links;
	enum tenon_code code =
		tn_wb_links_make(&links, &source->files, what->hints, what->hint_count, err);

	if (code == TENON_OK)
		code = tn_wb_infer(&links, what, &ret->registry, &ret->diagnostics, err);
	tn_wb_links_finish(&links);
	return code;
}

static void put_nothing(struct tn_buf *out)
{
	tn_buf_append_text(out, "{\"schemaVersion\":\"v0\",\"components\":{}}");
}

enum tenon_code tn_wb_source_scan(struct tn_wb_source *source, const struct tn_wb_source_scan *what,
				  const atomic_bool *cancelled, struct tn_wb_source_found *ret,
				  struct tenon_error *err)
{
	enum tenon_code code = TENON_OK;

	*ret = (struct tn_wb_source_found){0};
	tn_buf_init(&ret->registry, TN_WB_RESULT_BYTES_MAX);
	tn_wb_diagnostics_init(&ret->diagnostics);
	if (!source->reader)
		tn_wb_diagnose_format(&ret->diagnostics,
				      &(struct tn_wb_diagnostic){.severity = TN_WB_WARNING,
								 .code = "analysis_unavailable"},
				      "source files are not analysed: %s", source->why);
	else
		code = tn_wb_files_look(&source->files, what->include, what->exclude, cancelled,
					&ret->diagnostics, err);
	if (code == TENON_OK && source->reader && what->infers)
		code = infer(source, what, ret, err);
	else if (code == TENON_OK)
		put_nothing(&ret->registry);
	return code == TENON_OK ? tn_buf_check(&ret->registry, err) : code;
}

void tn_wb_source_found_finish(struct tn_wb_source_found *found)
{
	tn_buf_finish(&found->registry);
	tn_wb_diagnostics_finish(&found->diagnostics);
}

/* ---- one export ---- */

bool tn_wb_source_definition(struct tn_wb_source *source, struct tn_str path,
			     struct tn_str export_name, struct tn_wb_position *ret)
{
	struct tn_wb_source_hint hint = {
		.kind = TN_WB_SOURCE_FILE, .target = path, .export_name = export_name};
	struct tn_wb_links links;
	bool found = tn_wb_links_make(&links, &source->files, &hint, 1, NULL) == TENON_OK &&
		     links.places[0].is_found;

	if (found)
		*ret = links.places[0].at;
	tn_wb_links_finish(&links);
	return found;
}

/* Files are in byte order: those of one folder follow one another, or nearly. */
void tn_wb_source_folders(const struct tn_wb_source *source,
			  void (*each)(const char *folder, void *data), void *data)
{
	char last[PATH_MAX] = "", folder[PATH_MAX];

	for (size_t i = 0; i < source->files.count; i++) {
		const char *path = source->files.list[i]->path, *slash = strrchr(path, '/');

		if (!slash || slash - path >= PATH_MAX ||
		    (strncmp(last, path, (size_t)(slash - path)) == 0 && !last[slash - path]))
			continue;
		(void)snprintf(last, sizeof(last), "%.*s", (int)(slash - path), path);
		for (const char *at = strchr(path, '/'); at; at = strchr(at + 1, '/')) {
			(void)snprintf(folder, sizeof(folder), "%.*s", (int)(at - path), path);
			each(folder, data);
		}
	}
}
