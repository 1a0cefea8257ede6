#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "apps/studio/project/internal.h"
#include "apps/studio/limits.h"
#include "base/mem.h"
#include "base/size.h"
#include "jsonrpc/json_write.h"
#include "jsonrpc/limits.h"

#define SAVED_FILE ".tenon/saved.json"

enum { SAVED_FORMAT = 1 };

/* ---- reading ---- */

void tn_studio_text_init(struct tn_studio_text *text)
{
	*text = (struct tn_studio_text){.exists = false};
	tn_buf_init(&text->bytes, TN_STUDIO_FILE_BYTES_MAX);
}

void tn_studio_text_finish(struct tn_studio_text *text)
{
	tn_buf_finish(&text->bytes);
}

bool tn_studio_text_read(const struct tn_studio_project *project, const char *name,
			 struct tn_studio_text *ret, struct tn_studio_fault *fault)
{
	struct tenon_error err = {0};
	struct tn_place place;
	enum tenon_code code = tn_studio_project_place(project, name, &place, &err);

	if (code == TENON_OK) {
		code = place.exists ? tn_place_read(&place, &ret->bytes, &err) : TENON_NOT_FOUND;
		tn_place_close(&place);
	}
	ret->exists = code == TENON_OK;
	ret->digest[0] = '\0';
	if (code == TENON_OK)
		tn_digest_hex(tn_buf_str(&ret->bytes), ret->digest);
	if (code == TENON_OK || code == TENON_NOT_FOUND)
		return true;
	if (code == TENON_LIMIT)
		return tn_studio_fail(fault, "PROJECT_INVALID", "%s is larger than %zu MiB", name,
				      TN_STUDIO_FILE_BYTES_MAX / TN_MIB);
	if (code == TENON_DENIED || code == TENON_INVALID)
		return tn_studio_fail(fault, "PROJECT_INVALID", "%s: %s", name, err.message);
	return tn_studio_fail_error(fault, &err);
}

/* ST-026: in which line, and in which character of it. */
static void put_place(struct tn_str text, size_t offset, size_t *ret_line, size_t *ret_column)
{
	*ret_line = *ret_column = 1;
	for (size_t i = 0; i < offset && i < text.size; i++) {
		if (text.data[i] == '\n') {
			*ret_line += 1;
			*ret_column = 1;
		} else if (((unsigned char)text.data[i] & 0xC0u) != 0x80u) {
			*ret_column += 1;
		}
	}
}

static bool fail_parse(const struct tn_studio_text *text, const char *name, struct tn_arena *arena,
		       const struct tenon_error *err, struct tn_studio_fault *fault)
{
	char *copy = tn_mem_copy_text(text->bytes.data ? text->bytes.data : "", text->bytes.size);
	size_t line = 1, column = 1;
	const char *why = err->message, *details;
	enum tn_json_token token = TN_JSON_TOKEN_END;
	struct tn_json_reader reader;

	if (!copy)
		return tn_studio_fail_memory(fault);
	tn_json_reader_init(&reader, copy, text->bytes.size, TN_JSON_DEPTH_MAX);
	do {
		token = tn_json_next(&reader);
	} while (token != TN_JSON_TOKEN_END && token != TN_JSON_TOKEN_ERROR);
	if (token == TN_JSON_TOKEN_ERROR) {
		put_place(tn_buf_str(&text->bytes), (size_t)(reader.at - reader.start), &line,
			  &column);
		why = reader.fault ? reader.fault : "not JSON";
	}
	(void)tn_studio_fail(fault, "PROJECT_INVALID", "%s, line %zu, column %zu: %s", name, line,
			     column, why);
	details = tn_arena_format(arena, "{\"file\":\"%s\",\"line\":%zu,\"column\":%zu}", name,
				  line, column);
	if (fault && details)
		fault->details = tn_str_from(details);
	tn_mem_free(copy);
	return false;
}

bool tn_studio_text_parse(const struct tn_studio_text *text, const char *name,
			  struct tn_arena *arena, struct tn_json **ret,
			  struct tn_studio_fault *fault)
{
	struct tenon_error err = {0};

	if (tn_json_parse_copy(arena, tn_buf_str(&text->bytes), ret, &err) == TENON_OK)
		return true;
	return fail_parse(text, name, arena, &err, fault);
}

/* ---- writing ---- */

bool tn_studio_private_write(const struct tn_studio_project *project, const char *name,
			     struct tn_str text, struct tn_studio_fault *fault)
{
	struct tenon_error err = {0};
	struct tn_place place;
	enum tenon_code code = tn_studio_project_place(project, name, &place, &err);

	if (code == TENON_OK) {
		code = tn_place_write(&place, 0600, text, &err);
		tn_place_close(&place);
	}
	if (code == TENON_OK)
		return true;
	return tn_studio_fail(fault, "IO_ERROR", "%s cannot be written: %s", name, err.message);
}

/* ---- has it changed? ---- */

struct tn_studio_mark tn_studio_mark_of(const struct tn_studio_project *project, int file)
{
	struct tn_studio_mark mark = {.exists = false};
	struct tn_place place;
	enum tenon_code code =
		tn_studio_project_place(project, tn_studio_project_file_name(file), &place, NULL);
	const struct stat *status = &place.status;

	mark.exists = code == TENON_DENIED; /* a link: reading says so */
	if (code != TENON_OK)
		return mark;
	if (place.exists)
		mark = (struct tn_studio_mark){.inode = status->st_ino,
					       .size = (uint64_t)status->st_size,
					       .changed_ns = (int64_t)status->st_ctim.tv_sec *
								     1000000000 +
							     status->st_ctim.tv_nsec,
					       .exists = true};
	tn_place_close(&place);
	return mark;
}

bool tn_studio_mark_equal(const struct tn_studio_mark *a, const struct tn_studio_mark *b)
{
	return a->exists == b->exists && a->inode == b->inode && a->size == b->size &&
	       a->changed_ns == b->changed_ns;
}

/* ---- what was saved last ---- */

static bool read_digests(const struct tn_json *digests, struct tn_studio_saved *ret)
{
	struct tn_str text;

	for (int i = 0; i < TN_STUDIO_FILE_COUNT; i++) {
		const struct tn_json *digest = tn_json_get(digests, tn_studio_project_file_name(i));

		ret->digests[i][0] = '\0';
		if (!digest)
			continue;
		if (!tn_json_to_str(digest, &text) || text.size != TN_DIGEST_HEX_SIZE - 1)
			return false;
		memcpy(ret->digests[i], text.data, text.size);
		ret->digests[i][text.size] = '\0';
	}
	return true;
}

bool tn_studio_saved_read(const struct tn_studio_project *project, struct tn_studio_saved *ret)
{
	struct tn_studio_text text;
	struct tn_arena arena;
	struct tn_json *saved = NULL;
	int64_t revision = -1;
	bool good;

	*ret = (struct tn_studio_saved){.revision = 0};
	tn_studio_text_init(&text);
	tn_arena_init(&arena, TN_MIB);
	good = tn_studio_text_read(project, SAVED_FILE, &text, NULL) && text.exists &&
	       tn_studio_text_parse(&text, SAVED_FILE, &arena, &saved, NULL) &&
	       tn_json_to_int(tn_json_get(saved, "revision"), &revision) && revision >= 0 &&
	       read_digests(tn_json_get(saved, "files"), ret);
	if (good)
		ret->revision = (uint64_t)revision;
	tn_arena_finish(&arena);
	tn_studio_text_finish(&text);
	return good;
}

bool tn_studio_saved_write(const struct tn_studio_project *project,
			   const struct tn_studio_saved *saved, struct tn_studio_fault *fault)
{
	struct tn_buf text;
	bool done;

	tn_buf_init(&text, TN_MIB);
	tn_json_begin_object(&text);
	tn_json_put_member_int(&text, "formatVersion", SAVED_FORMAT);
	tn_json_put_member_int(&text, "revision", (int64_t)saved->revision);
	tn_json_put_key(&text, "files");
	tn_json_begin_object(&text);
	for (int i = 0; i < TN_STUDIO_FILE_COUNT; i++) {
		if (saved->digests[i][0])
			tn_json_put_member_text(&text, tn_studio_project_file_name(i),
						saved->digests[i]);
	}
	tn_json_end_object(&text);
	tn_json_end_object(&text);
	tn_buf_append_byte(&text, '\n');
	done = text.failed ? tn_studio_fail_memory(fault)
			   : tn_studio_private_write(project, SAVED_FILE, tn_buf_str(&text), fault);
	tn_buf_finish(&text);
	return done;
}
