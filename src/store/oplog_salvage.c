#include "store/oplog_salvage.h"

#include <stdio.h>

#include "store/file.h"
#include "store/limits.h"
#include "store/oplog_disk.h"
#include "store/oplog_line.h"
#include "store/oplog_log.h"

struct reader {
	struct tn_str text;
	size_t at;         /* the next line */
	uint64_t revision; /* of the snapshot, then of the last good line */
	struct tn_arena arena;
};

/* A change that follows the one before it. */
static bool is_good(struct reader *reader, struct tn_str line)
{
	struct tn_json *object = NULL;
	struct tn_change change;

	if (!tn_oplog_line_is_whole(line))
		return false;
	tn_arena_reset(&reader->arena);
	if (tn_json_parse_copy(&reader->arena, line, &object, NULL) != TENON_OK ||
	    !tn_oplog_read_change(object, &change))
		return false;
	if (change.revision <= reader->revision)
		return true; /* the snapshot has it */
	if (change.revision != reader->revision + 1)
		return false;
	reader->revision = change.revision;
	return true;
}

/* As opening sees it (oplog_read.c): the last line, without its end or with zeros in it. */
static bool is_torn(const struct reader *reader, struct tn_str line, bool ends)
{
	bool is_last = reader->at >= reader->text.size;

	return is_last && (!ends || tn_str_find_byte(line, '\0') != TN_STR_NONE);
}

static size_t count_lines(struct tn_str text)
{
	size_t lines = 0;

	for (size_t i = 0; i < text.size; i++)
		lines += text.data[i] == '\n' || i + 1 == text.size;
	return lines;
}

static void judge(struct tn_str text, uint64_t revision, struct tn_oplog_salvage *ret)
{
	struct reader reader = {.text = text, .revision = revision};

	tn_arena_init(&reader.arena, TN_OPLOG_ARENA_MAX);
	while (reader.at < text.size) {
		struct tn_str rest = tn_str_from_offset(text, reader.at);
		size_t size = tn_str_find_byte(rest, '\n');
		bool ends = size != TN_STR_NONE;
		struct tn_str line = tn_str(rest.data, ends ? size : rest.size);
		size_t start = reader.at;

		reader.at += line.size + (ends ? 1 : 0);
		if (ends && is_good(&reader, line)) {
			ret->good_lines++;
			ret->good_bytes = reader.at;
			continue;
		}
		ret->is_damaged = !is_torn(&reader, line, ends);
		ret->lost_lines = count_lines(tn_str_from_offset(text, start));
		break;
	}
	tn_arena_finish(&reader.arena);
}

static enum tenon_code read_journal(const char *path, struct tn_buf *text, struct tenon_error *err)
{
	char journal[PATH_MAX];

	if (snprintf(journal, sizeof(journal), "%s.journal", path) >= (int)sizeof(journal))
		return tn_fail(err, TENON_LIMIT, "the path is too long");
	return tn_file_read(journal, TN_FILE_REGULAR_ONLY | TN_FILE_NO_FOLLOW, text, err);
}

/* What the journal's lines follow. Fails: NOT_FOUND (no snapshot: they begin the document), INVALID
 * (it is damaged itself, and no journal can be read without it). */
static enum tenon_code read_revision(const char *path, uint64_t *ret, struct tenon_error *err)
{
	struct tn_json *snapshot = NULL;
	struct tn_arena arena;
	struct tn_buf text;
	int64_t revision;
	enum tenon_code code;

	*ret = 0;
	tn_buf_init(&text, TN_OPLOG_FILE_BYTES_MAX);
	tn_arena_init(&arena, TN_OPLOG_ARENA_MAX);
	code = tn_file_read(path, TN_FILE_REGULAR_ONLY | TN_FILE_NO_FOLLOW, &text, err);
	if (code == TENON_OK && text.size == 0)
		code = TENON_NOT_FOUND;
	if (code == TENON_OK && (text.data[text.size - 1] != '\n' ||
				 !tn_oplog_line_is_whole(tn_str(text.data, text.size - 1))))
		code = tn_fail(err, TENON_INVALID,
			       "the snapshot is damaged: its checksum is wrong");
	if (code == TENON_OK)
		code = tn_json_parse(&arena, text.data, text.size - 1, &snapshot, err);
	if (code == TENON_OK && !tn_json_to_int(tn_json_get(snapshot, "revision"), &revision))
		code = tn_fail(err, TENON_INVALID, "the snapshot is not one of this program");
	if (code == TENON_OK)
		*ret = (uint64_t)revision;
	tn_arena_finish(&arena);
	tn_buf_finish(&text);
	return code == TENON_NOT_FOUND ? TENON_OK : code;
}

static enum tenon_code look(const char *path, struct tn_buf *text, struct tn_oplog_salvage *ret,
			    struct tenon_error *err)
{
	uint64_t revision;
	enum tenon_code code = read_journal(path, text, err);

	if (code == TENON_OK)
		code = read_revision(path, &revision, err);
	if (code == TENON_OK)
		judge(tn_buf_str(text), revision, ret);
	return code;
}

enum tenon_code tn_oplog_salvage_look(const char *path, struct tn_oplog_salvage *ret,
				      struct tenon_error *err)
{
	struct tn_buf text;
	enum tenon_code code;

	*ret = (struct tn_oplog_salvage){0};
	tn_buf_init(&text, TN_OPLOG_FILE_BYTES_MAX);
	code = look(path, &text, ret, err);
	tn_buf_finish(&text);
	return code;
}

/* The copy is on the disk before anything is taken away. */
static enum tenon_code write_both(const char *path, const char *stamp, struct tn_str text,
				  struct tn_oplog_salvage *ret, struct tenon_error *err)
{
	char journal[PATH_MAX];
	enum tenon_code code;

	if (snprintf(journal, sizeof(journal), "%s.journal", path) >= (int)sizeof(journal) ||
	    snprintf(ret->copy, sizeof(ret->copy), "%s.journal.damaged-%s", path, stamp) >=
		    (int)sizeof(ret->copy))
		return tn_fail(err, TENON_LIMIT, "the path is too long");
	code = tn_file_write(ret->copy, 0600, text, err);
	if (code != TENON_OK)
		return code;
	return tn_file_write(journal, 0600, tn_str(text.data, ret->good_bytes), err);
}

enum tenon_code tn_oplog_salvage_repair(const char *path, const char *stamp,
					struct tn_oplog_salvage *ret, struct tenon_error *err)
{
	struct tn_oplog_disk disk;
	struct tn_buf text;
	enum tenon_code code;

	*ret = (struct tn_oplog_salvage){0};
	code = tn_oplog_disk_open(&disk, path, err);
	if (code != TENON_OK)
		return code;
	tn_buf_init(&text, TN_OPLOG_FILE_BYTES_MAX);
	code = look(path, &text, ret, err);
	if (code == TENON_OK && ret->is_damaged)
		code = write_both(path, stamp, tn_buf_str(&text), ret, err);
	tn_buf_finish(&text);
	tn_oplog_disk_close(&disk, false);
	return code;
}
