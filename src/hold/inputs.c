#include "hold/inputs.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "hold/limits.h"
#include "base/mem.h"
#include "jsonrpc/json_write.h"

struct tn_inputs *tn_inputs_create(void)
{
	struct tn_inputs *inputs = tn_mem_alloc(sizeof(*inputs));

	if (!inputs)
		return NULL;
	inputs->refs = 1;
	inputs->end = &inputs->files;
	tn_held_init(&inputs->folder);
	return inputs;
}

struct tn_inputs *tn_inputs_ref(struct tn_inputs *inputs)
{
	inputs->refs++;
	return inputs;
}

void tn_inputs_unref(struct tn_inputs *inputs)
{
	struct tn_input *next;

	if (!inputs || --inputs->refs)
		return;
	for (struct tn_input *at = inputs->files; at; at = next) {
		next = at->next;
		tn_held_unmap(at->text);
		tn_held_finish(&at->held);
		tn_mem_free(at->path);
		tn_mem_free(at);
	}
	tn_held_finish(&inputs->folder);
	tn_mem_free(inputs);
}

/* ---- files ---- */

static struct tn_input *find(const struct tn_inputs *inputs, const char *path)
{
	struct tn_input *at = inputs->files;

	while (at && strcmp(at->path, path) != 0)
		at = at->next;
	return at;
}

/* `count`: how many there are of its kind already. */
static struct tn_input *add(struct tn_inputs *inputs, const char *path, size_t count, size_t max)
{
	struct tn_input *input;

	if (count >= max) {
		inputs->is_full = true;
		return NULL;
	}
	input = tn_mem_alloc(sizeof(*input));
	if (!input)
		return NULL;
	tn_held_init(&input->held);
	input->kind = TN_INPUT_ABSENT;
	input->path = tn_mem_copy_text(path, strlen(path));
	if (!input->path) {
		tn_mem_free(input);
		return NULL;
	}
	inputs->count++;
	*inputs->end = input;
	inputs->end = &input->next;
	return input;
}

/* What stands in the directory of the run is opened from there: its own name may lead to another
 * one by now. */
int tn_inputs_seen_from(const struct tn_inputs *inputs, const char **path)
{
	size_t size = strlen(inputs->folder.path);

	if (inputs->folder.fd < 0 || size < 2 || strncmp(*path, inputs->folder.path, size) != 0 ||
	    (*path)[size] != '/')
		return AT_FDCWD;
	*path += size;
	while (**path == '/')
		(*path)++;
	return **path ? inputs->folder.fd : AT_FDCWD;
}

static void put_mark(const struct stat *about, char *out, size_t size)
{
	(void)snprintf(out, size, "%ju:%ju %jd %o %jd.%09ld %jd.%09ld", (uintmax_t)about->st_dev,
		       (uintmax_t)about->st_ino, (intmax_t)about->st_size, (unsigned)about->st_mode,
		       (intmax_t)about->st_mtim.tv_sec, about->st_mtim.tv_nsec,
		       (intmax_t)about->st_ctim.tv_sec, about->st_ctim.tv_nsec);
}

bool tn_inputs_mark(int at, const char *path, char *out, size_t size)
{
	struct stat about;

	out[0] = '\0';
	if (fstatat(at, path, &about, 0) != 0)
		return false;
	put_mark(&about, out, size);
	return true;
}

bool tn_inputs_mark_fd(int fd, char *out, size_t size)
{
	struct stat about;

	out[0] = '\0';
	if (fstat(fd, &about) != 0)
		return false;
	put_mark(&about, out, size);
	return true;
}

static void hold(struct tn_inputs *inputs, struct tn_input *input)
{
	struct tenon_error err = {0};
	const char *path = input->path;
	int at = tn_inputs_seen_from(inputs, &path);
	size_t room = TN_TERM_INPUTS_BYTES_MAX - (size_t)inputs->bytes;
	size_t most = room < TN_ANALYSIS_SCRIPT_BYTES_MAX ? room : TN_ANALYSIS_SCRIPT_BYTES_MAX;

	if (tn_held_file(&input->held, at, path, most, &err) != TENON_OK) {
		if (err.code == TENON_NO_MEMORY || err.sys_errno == EMFILE ||
		    err.sys_errno == ENFILE || err.sys_errno == ENOMEM)
			inputs->starved = true;
		input->is_large = err.code == TENON_LIMIT && !inputs->starved;
		inputs->is_full =
			inputs->is_full || (input->is_large && most < TN_ANALYSIS_SCRIPT_BYTES_MAX);
		/* Too large, a pipe, or nothing at all: then that is what must stay so. */
		if (tn_inputs_mark(at, path, input->mark, sizeof(input->mark)))
			input->kind = TN_INPUT_PROGRAM;
		return;
	}
	inputs->bytes += input->held.size_bytes;
	input->kind = TN_INPUT_SCRIPT;
	input->text = tn_held_map(&input->held);
	if (input->held.size_bytes && !input->text.data)
		inputs->starved = true;
}

static struct tn_input *add_file(struct tn_inputs *inputs, const char *path)
{
	return add(inputs, path, inputs->count - inputs->tried, TN_TERM_INPUTS_MAX);
}

bool tn_inputs_script(struct tn_inputs *inputs, const char *path, struct tn_str *ret_text)
{
	struct tn_input *input = find(inputs, path);

	if (!input) {
		input = add_file(inputs, path);
		if (!input)
			return false;
		hold(inputs, input);
	}
	if (input->held.fd < 0 || (input->held.size_bytes && !input->text.data))
		return false;
	*ret_text = input->text.data ? input->text : tn_str("", 0);
	return true;
}

/* "#!": what it does stands in its text. */
static bool is_script(int at, const char *path)
{
	char begin[2] = "";
	int fd = openat(at, path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	bool is = fd >= 0 && pread(fd, begin, sizeof(begin), 0) == 2 && memcmp(begin, "#!", 2) == 0;

	if (fd >= 0)
		(void)close(fd); /* read only */
	return is;
}

void tn_inputs_program(struct tn_inputs *inputs, const char *path)
{
	struct tn_input *input = find(inputs, path) ? NULL : add_file(inputs, path);
	int at;

	if (!input)
		return;
	at = tn_inputs_seen_from(inputs, &path);
	if (is_script(at, path))
		hold(inputs, input);
	else if (tn_inputs_mark(at, path, input->mark, sizeof(input->mark)))
		input->kind = TN_INPUT_PROGRAM;
}

void tn_inputs_tried(struct tn_inputs *inputs, const char *path)
{
	struct tn_input *input =
		find(inputs, path) ? NULL
				   : add(inputs, path, inputs->tried, TN_TERM_INPUTS_TRIED_MAX);
	int at;

	if (!input)
		return;
	inputs->tried++;
	at = tn_inputs_seen_from(inputs, &path);
	if (tn_inputs_mark(at, path, input->mark, sizeof(input->mark)))
		input->kind = TN_INPUT_PROGRAM;
}

/* ---- what an approval is bound to ---- */

static const char *const kinds[] = {"script", "program", "absent"};

void tn_inputs_bind(const struct tn_inputs *inputs, struct tn_buf *out)
{
	char folder[64] = "";

	if (inputs->folder.fd >= 0)
		(void)snprintf(folder, sizeof(folder), "%" PRIu64 ":%" PRIu64,
			       inputs->folder.device, inputs->folder.inode);
	tn_json_put_text(out, "folder");
	tn_json_put_text(out, inputs->folder.path);
	tn_json_put_text(out, folder);
	for (const struct tn_input *at = inputs->files; at; at = at->next) {
		tn_json_put_text(out, kinds[at->kind]);
		tn_json_put_text(out, at->path);
		tn_json_put_text(out, at->held.fd >= 0 ? at->held.digest : at->mark);
	}
}

/* ---- still the same ---- */

static bool leads_to_it(const struct tn_input *input, int at, const char *path)
{
	char mark[sizeof(input->mark)];

	if (input->held.fd >= 0)
		return tn_held_is_still(&input->held, at, path);
	(void)tn_inputs_mark(at, path, mark, sizeof(mark)); /* empty: nothing is there */
	return strcmp(mark, input->mark) == 0;
}

/* By its whole name, and by the shorter one that a program in the directory may use. */
static bool is_still(const struct tn_inputs *inputs, const struct tn_input *input)
{
	const char *path = input->path;
	int at = tn_inputs_seen_from(inputs, &path);

	return leads_to_it(input, AT_FDCWD, input->path) &&
	       (at == AT_FDCWD || leads_to_it(input, at, path));
}

const char *tn_inputs_changed(const struct tn_inputs *inputs)
{
	for (const struct tn_input *at = inputs->files; at; at = at->next) {
		if (!is_still(inputs, at))
			return at->path;
	}
	return NULL;
}
