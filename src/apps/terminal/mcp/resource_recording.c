/* terminal://session/{id}/recording{?from}: what a session showed and when, in pieces where it is
 * larger than one answer. */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "apps/terminal/limits.h"
#include "apps/terminal/mcp/resource.h"
#include "apps/terminal/session/record.h"
#include "base/limits.h"

enum { INVALID_PARAMS = -32602 };

static void fail_read(struct tenon_call *call, int number)
{
	tenon_call_fail(call, "The recording cannot be read: %s.", strerror(number));
}

/* Appends until `text` has `size` bytes, or the file ends. Returns an errno; 0: none. */
static int read_on(int fd, uint64_t from, size_t size, struct tn_buf *text)
{
	if (text->size < size && !tn_buf_reserve(text, size - text->size))
		return ENOMEM;
	while (text->size < size) {
		ssize_t got = pread(fd, text->data + text->size, size - text->size,
				    (off_t)(from + text->size));

		if (got < 0 && errno == EINTR)
			continue;
		if (got <= 0)
			return got < 0 ? errno : 0;
		text->size += (size_t)got;
	}
	return 0;
}

/* From `from` on, whole lines; of one that is longer than a piece all. `from` lies within the
 * file. */
static void read_piece(struct tenon_call *call, int fd, uint64_t from, size_t max)
{
	struct tn_buf text;
	const char *end;
	int problem;

	tn_buf_init(&text, TN_RESULT_BYTES_MAX);
	problem = read_on(fd, from, max, &text);
	end = text.size ? memrchr(text.data, '\n', text.size) : NULL;
	if (!problem && !end && text.size == max && max < TN_RECORD_LINE_BYTES) {
		problem = read_on(fd, from, TN_RECORD_LINE_BYTES, &text);
		end = memchr(text.data, '\n', text.size);
	}
	if (problem) {
		fail_read(call, problem);
	} else if (!end && text.size >= TN_RECORD_LINE_BYTES) {
		tenon_call_fail(call,
				"What is there is no recording of ours: it has lines that are "
				"too long.");
	} else {
		tenon_call_set_cache(call, 0, false);
		tenon_call_add_resource_text(call, NULL, "application/x-asciicast",
					     text.data ? text.data : "",
					     end ? (size_t)(end + 1 - text.data) : 0);
		tenon_call_finish(call);
	}
	tn_buf_finish(&text);
}

static bool is_line_start(int fd, uint64_t at)
{
	char before;

	return at == 0 || (pread(fd, &before, 1, (off_t)at - 1) == 1 && before == '\n');
}

static void refuse_whole(struct tenon_call *call, uint64_t size, const char *id)
{
	char why[400];

	(void)snprintf(
		why, sizeof(why),
		"The recording has %" PRIu64 " bytes, more than one answer holds. Read it in "
		"pieces: terminal://session/%s/recording?from=0, then with from= the bytes read "
		"so far, until a piece is empty.",
		size, id);
	tenon_call_refuse(call, INVALID_PARAMS, why, NULL);
}

static void read_open(struct tenon_call *call, int fd, uint64_t size, const char *id)
{
	struct tn_str wish = tn_str_from(tenon_call_text(call, "from"));
	uint64_t from = 0;

	if (!wish.size && size > TN_RECORD_WHOLE_BYTES)
		refuse_whole(call, size, id);
	else if (wish.size &&
		 (!tn_str_to_uint(wish, &from) || from > size || !is_line_start(fd, from)))
		tenon_call_refuse(call, INVALID_PARAMS,
				  "from: send 0, or the bytes of all pieces read so far", NULL);
	else
		read_piece(call, fd, from,
			   wish.size ? TN_RECORD_PIECE_BYTES : TN_RECORD_WHOLE_BYTES);
}

static void read_recording(struct tenon_call *call, void *data)
{
	struct tn_term_door *door = data;
	struct tn_term_caller caller;
	struct tn_term_session *s = tn_term_session_by_uri(call, door, &caller);
	char path[PATH_MAX];
	struct stat status;
	int fd;

	if (!s)
		return;
	(void)snprintf(path, sizeof(path), "%s/recordings/%s.cast", door->config.state_folder,
		       tn_term_session_id(s));
	fd = open(path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK);
	if (fd < 0 || fstat(fd, &status) != 0 || !S_ISREG(status.st_mode))
		tenon_call_not_found(call);
	else if (status.st_nlink > 1)
		tenon_call_refuse(call, INVALID_PARAMS,
				  "The recording's file has another name, too. It may be any file, "
				  "and is not read.",
				  NULL);
	else
		read_open(call, fd, (uint64_t)status.st_size, tn_term_session_id(s));
	if (fd >= 0)
		(void)close(fd);
}

static void complete(struct tenon_call *call, void *data)
{
	tn_term_complete_session(call, data);
}

const struct tenon_resource_template tn_term_resource_recording = {
	.uri_template = "terminal://session/{id}/recording{?from}",
	.name = "session/recording",
	.title = "Its recording",
	.description = "What it showed and when (asciicast v2), of a session made with record. A "
		       "large one in pieces of whole lines, from a number of bytes on.",
	.mime_type = "application/x-asciicast",
	.read = read_recording,
	.complete = complete,
};
