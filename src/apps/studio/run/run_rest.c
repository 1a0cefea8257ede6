/* What a lost run's engine said when nobody heard it any more. An apply goes on without the daemon
 * and writes to files of the run's folder (9.6); what of them log.jsonl does not have follows it.
 */
#include <stdio.h>

#include "apps/studio/run/internal.h"
#include "apps/studio/limits.h"
#include "store/file.h"

enum { HEAD_BYTES = 96 }; /* of a line of the log: number, time and stream, never text alone */

static const char *const streams[] = {"stdout", "stderr"};

struct rest {
	const struct tn_studio_run *run;
	struct tn_buf *out;
	uint64_t heard; /* lines of the file that are in the log */
	uint64_t from, last;
	size_t most; /* bytes of `out` */
	bool is_stderr, full;
};

/* Lines of this stream since the command began; false: nobody knows, because some were left out. */
static bool count_heard(struct tn_str log, uint64_t before, const char *stream, uint64_t *ret)
{
	char mark[32];

	(void)snprintf(mark, sizeof(mark), "\"stream\":\"%s\"", stream);
	for (*ret = 0; log.size > 0;) {
		size_t end = tn_str_find_byte(log, '\n');
		struct tn_str line = tn_str(log.data, end == TN_STR_NONE ? log.size : end);
		uint64_t number = tn_studio_run_line_number(line);

		if (number == 0)
			return false;
		/* It stands before the text, which may say the same. */
		line.size = line.size < HEAD_BYTES ? line.size : HEAD_BYTES;
		if (number > before && tn_str_find(line, tn_str_from(mark)) != TN_STR_NONE)
			++*ret;
		log = tn_str_from_offset(log, end == TN_STR_NONE ? log.size : end + 1);
	}
	return true;
}

static void put_line(struct tn_str raw, uint64_t cut, void *data)
{
	struct rest *rest = data;

	(void)cut;
	if (rest->heard > 0) {
		rest->heard--;
		return;
	}
	rest->full = rest->full || (rest->last + 1 >= rest->from && rest->out->size >= rest->most);
	if (rest->full || ++rest->last < rest->from)
		return;
	tn_studio_run_readable(rest->run, raw, rest->is_stderr, rest->out);
	tn_buf_append_byte(rest->out, '\n');
}

uint64_t tn_studio_run_put_rest(struct tn_buf *out, const struct tn_studio_run *run,
				struct tn_str log, uint64_t last, uint64_t from, size_t most)
{
	struct rest rest = {.run = run, .out = out, .from = from, .last = last, .most = most};
	int64_t before = -1;

	if (run->state != TN_STUDIO_LOST ||
	    !tn_json_to_int(tn_json_get(tn_json_get(run->record, "private"), "before"), &before))
		return last;
	for (int i = 0; i < 2; i++) {
		char path[TN_STUDIO_RUN_PATH_SIZE];
		struct tn_studio_lines lines;
		struct tn_buf text;

		tn_studio_lines_init(&lines);
		tn_buf_init(&text, TN_STUDIO_RUN_LOG_BYTES_MAX);
		rest.is_stderr = i == 1;
		if (count_heard(log, (uint64_t)before, streams[i], &rest.heard) &&
		    tn_studio_run_path(path, run->folder, streams[i]) &&
		    tn_file_read(path, TN_FILE_REGULAR_ONLY | TN_FILE_NO_FOLLOW, &text, NULL) ==
			    TENON_OK) {
			tn_studio_lines_feed(&lines, tn_buf_str(&text), put_line, &rest);
			tn_studio_lines_end(&lines, put_line, &rest);
		}
		tn_studio_lines_finish(&lines);
		tn_buf_finish(&text);
	}
	return rest.last;
}
