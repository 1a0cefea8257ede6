/* What programs of a workspace are made of: files that they have loaded, as they were, and whether
 * they still are (C5). */
#include <stdio.h>

#include "apps/workbench/config/internal.h"
#include "apps/workbench/limits.h"
#include "base/digest.h"

/* As evaluator.mjs says it: a large file's size, else a digest of its text; "": it is no file that
 * can be read. Of what lies outside the workspace nothing is known either. */
static void digest_of(const struct tn_roots *roots, const char *path, char out[TN_DIGEST_HEX_SIZE])
{
	struct tenon_error err;
	struct tn_place place;
	struct tn_buf text;

	out[0] = '\0';
	if (tn_place_find(roots, path, &place, &err) != TENON_OK)
		return;
	tn_buf_init(&text, TN_WB_SOURCE_BYTES_MAX);
	if (place.exists && S_ISREG(place.status.st_mode)) {
		if ((size_t)place.status.st_size > TN_WB_SOURCE_BYTES_MAX)
			(void)snprintf(out, TN_DIGEST_HEX_SIZE, "size-%lld",
				       (long long)place.status.st_size);
		else if (tn_place_read(&place, &text, &err) == TENON_OK)
			tn_digest_hex(tn_buf_str(&text), out);
	}
	tn_buf_finish(&text);
	tn_place_close(&place);
}

static bool is_as_it_was(const struct tn_roots *roots, const struct tn_wb_loaded *loaded)
{
	char digest[TN_DIGEST_HEX_SIZE];

	digest_of(roots, loaded->path, digest);
	return strcmp(digest, loaded->digest ? loaded->digest : "") == 0;
}

static bool note(struct tn_wb_config *config, const struct tn_wb_loaded *files, size_t count)
{
	const char **list = tn_arena_alloc_array(&config->arena, config->followed_count + count + 1,
						 sizeof(*list));

	if (!list)
		return false;
	if (config->followed_count)
		memcpy(list, config->followed, config->followed_count * sizeof(*list));
	for (size_t i = 0; i < count; i++)
		list[config->followed_count++] = files[i].path;
	config->followed = list;
	return true;
}

static void tell_more(struct tn_wb_config *config)
{
	const struct tn_wb_diagnostic of = {.severity = TN_WB_WARNING, .code = "limit_exceeded"};

	tn_wb_diagnose_format(&config->diagnostics, &of,
			      "its programs import more than %d files: changes of the others are "
			      "not seen",
			      TN_WB_LOADED_MAX);
}

enum tenon_code tn_wb_followed_check(struct tn_wb_config *config,
				     const struct tn_wb_config_options *options,
				     enum tn_wb_evaluated_part part, bool *ret_same,
				     struct tenon_error *err)
{
	struct tn_wb_loaded *files = NULL;
	size_t count = 0;
	bool all = true;
	enum tenon_code code = tn_wb_evaluated_loaded(&config->arena, options->evaluated, part,
						      &files, &count, &all, err);

	*ret_same = true;
	if (code != TENON_OK)
		return code;
	if (options->evaluated->parts[part].tries < TN_WB_EVALUATE_TRIES)
		for (size_t i = 0; *ret_same && i < count; i++)
			*ret_same = is_as_it_was(options->roots, &files[i]);
	if (!all)
		tell_more(config);
	return note(config, files, count) ? TENON_OK
					  : tn_fail(err, TENON_NO_MEMORY, "out of memory");
}
