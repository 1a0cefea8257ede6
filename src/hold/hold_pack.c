#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <stdio.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "hold/hold.h"
#include "hold/confine.h"
#include "hold/inputs.h"
#include "hold/limits.h"
#include "base/mem.h"
#include "base/pass_fds.h"

enum { FDS_MAX = TN_TERM_INPUTS_MAX };

struct tn_hold_list {
	int fd; /* of the entries */
	int fds[FDS_MAX];
	size_t fd_count;
	bool failed;
};

struct tn_hold_list *tn_hold_list_create(void)
{
	struct tn_hold_list *list = tn_mem_alloc(sizeof(*list));

	if (!list)
		return NULL;
	list->fd = memfd_create("inputs", MFD_CLOEXEC);
	if (list->fd >= 0)
		return list;
	tn_mem_free(list);
	return NULL;
}

void tn_hold_list_free(struct tn_hold_list *list)
{
	if (!list)
		return;
	(void)close(list->fd); /* who was given it has it */
	tn_mem_free(list);
}

/* ---- entries ---- */

static void put(struct tn_hold_list *list, const void *bytes, size_t size)
{
	const char *at = bytes;

	while (!list->failed && size) {
		ssize_t wrote = write(list->fd, at, size);

		list->failed = wrote <= 0;
		at += wrote > 0 ? wrote : 0;
		size -= wrote > 0 ? (size_t)wrote : 0;
	}
}

static bool add(struct tn_hold_list *list, struct tn_hold_entry *entry, const char *path,
		const struct stat *folder, const char *mark, struct tn_str bytes)
{
	entry->path_size = (uint32_t)strlen(path) + 1;
	entry->bytes_size = (uint32_t)bytes.size;
	entry->device = folder ? (uint64_t)folder->st_dev : 0;
	entry->inode = folder ? (uint64_t)folder->st_ino : 0;
	if (mark)
		(void)snprintf(entry->mark, sizeof(entry->mark), "%s", mark);
	put(list, entry, sizeof(*entry));
	put(list, path, entry->path_size);
	put(list, bytes.data, bytes.size);
	return !list->failed;
}

bool tn_hold_list_add(struct tn_hold_list *list, enum tn_input_kind kind, const char *path,
		      const struct stat *folder, const char *mark, const struct tn_str *bytes)
{
	struct tn_hold_entry entry = {.kind = (uint32_t)kind, .has_bytes = bytes != NULL};

	return add(list, &entry, path, folder, mark, bytes ? *bytes : tn_str(NULL, 0));
}

/* The folder that it lies in; false: nobody can say. */
static bool folder_of(int at, const char *path, struct stat *ret)
{
	char folder[PATH_MAX] = "";
	const char *slash = strrchr(path, '/');
	size_t size = slash ? (size_t)(slash - path) + (slash == path) : 0;

	if (size >= sizeof(folder))
		return false;
	memcpy(folder, path, size);
	return fstatat(at, folder, ret, AT_EMPTY_PATH) == 0;
}

/* ---- of a run ---- */

static void add_input(struct tn_hold_list *list, const struct tn_inputs *inputs,
		      const struct tn_input *input)
{
	struct tn_hold_entry entry = {.kind = (uint32_t)input->kind};
	/* Seen from the directory of the run as long as it is below that. */
	const char *from = input->path;
	int at = tn_inputs_seen_from(inputs, &from);
	struct stat folder;

	if (input->held.fd >= 0 && list->fd_count < FDS_MAX) {
		list->fds[list->fd_count++] = input->held.fd;
		entry.has_fd = 1;
	}
	(void)add(list, &entry, input->path, folder_of(at, from, &folder) ? &folder : NULL,
		  input->mark, tn_str(NULL, 0));
}

enum tenon_code tn_hold_list_pack(const struct tn_hold_list *list, int *ret_fd,
				  struct tenon_error *err)
{
	int fds[FDS_MAX + 1] = {list->fd}, line[2];
	bool packed;
	int number;

	if (list->failed)
		return tn_fail(err, TENON_NO_MEMORY, "there is no room to hold what it reads");
	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, line) != 0)
		return tn_fail_errno(err, errno, "hold what it reads");
	memcpy(fds + 1, list->fds, list->fd_count * sizeof(*fds));
	packed = tn_pass_fds_send(line[0], fds, list->fd_count + 1);
	number = errno;
	(void)close(line[0]);
	if (packed) {
		*ret_fd = line[1];
		return TENON_OK;
	}
	(void)close(line[1]);
	return tn_fail_errno(err, number, "hold what it reads");
}

enum tenon_code tn_hold_pack(const struct tn_inputs *inputs, int *ret_fd, struct tenon_error *err)
{
	struct tn_hold_list *list = tn_hold_list_create();
	enum tenon_code code;

	if (!list)
		return tn_fail_errno(err, errno, "hold what it reads");
	for (const struct tn_input *at = inputs->files; at; at = at->next)
		add_input(list, inputs, at);
	code = tn_hold_list_pack(list, ret_fd, err);
	tn_hold_list_free(list);
	return code;
}

/* ---- whether it can be done here ---- */

bool tn_hold_is_possible(void)
{
	int status = 0;
	pid_t child = fork();

	/* Only what is allowed after fork in a program with threads. */
	if (child == 0) {
		const struct tn_confine confine = {.holds = true, .only_holds = true};

		_exit(tn_confine_filter(&confine) >= 0 ? 0 : 1);
	}
	if (child < 0)
		return false;
	while (waitpid(child, &status, 0) < 0 && errno == EINTR)
		;
	return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}
