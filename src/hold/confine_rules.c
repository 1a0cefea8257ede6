/* What Landlock is told. It only grants, and to whole trees: around what stays hidden the tree is
 * granted piece by piece. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/landlock.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "hold/confine.h"
#include "base/mem.h"
#include "base/size.h"

/* Of kernels younger than the headers that we build with. */
#define ACCESS_TRUNCATE (1ULL << 14)
#define ACCESS_IOCTL_DEV (1ULL << 15)
#define SCOPE_ABSTRACT_UNIX_SOCKET (1ULL << 0)
#define SCOPE_SIGNAL (1ULL << 1)
#define ACCESS_NET_BOTH 3ULL

struct ruleset_attr {
	uint64_t fs, net, scoped;
};

static const uint64_t to_read =
	LANDLOCK_ACCESS_FS_EXECUTE | LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_READ_DIR;
static const uint64_t to_file = LANDLOCK_ACCESS_FS_EXECUTE | LANDLOCK_ACCESS_FS_READ_FILE |
				LANDLOCK_ACCESS_FS_WRITE_FILE | ACCESS_TRUNCATE | ACCESS_IOCTL_DEV;

struct making {
	const struct tn_confine *confine;
	int ruleset;
	uint64_t all;
	const char *skip; /* NULL: nothing more than what is hidden */
	bool failed;
};

int tn_confine_abi(int most)
{
	long abi = syscall(SYS_landlock_create_ruleset, NULL, 0, LANDLOCK_CREATE_RULESET_VERSION);

	if (abi < 0)
		return 0;
	return most >= 0 && most < abi ? most : (int)abi;
}

static bool is_below(const char *path, const char *folder)
{
	size_t size = strlen(folder);

	if (size == 1 && folder[0] == '/')
		return true;
	return strncmp(path, folder, size) == 0 && (path[size] == '/' || path[size] == '\0');
}

static bool lies_in(const struct tn_confine_paths *paths, const char *path)
{
	for (size_t i = 0; i < paths->count; i++) {
		if (is_below(path, paths->list[i]))
			return true;
	}
	return false;
}

static bool holds_one(const struct tn_confine_paths *paths, const char *path)
{
	for (size_t i = 0; i < paths->count; i++) {
		if (is_below(paths->list[i], path))
			return true;
	}
	return false;
}

bool tn_confine_may_write(const struct tn_confine *confine, const char *real)
{
	return lies_in(&confine->write, real) && !lies_in(&confine->hide, real);
}

/* ---- rules ---- */

static void add_rule(struct making *m, const char *path, uint64_t access)
{
	struct landlock_path_beneath_attr rule = {.allowed_access = access & m->all};
	struct stat status;

	rule.parent_fd = open(path, O_PATH | O_CLOEXEC | O_NOFOLLOW);
	if (rule.parent_fd < 0)
		return; /* it has gone, or nobody of us gets there: no grant */
	if (fstat(rule.parent_fd, &status) == 0 && !S_ISLNK(status.st_mode)) {
		if (!S_ISDIR(status.st_mode))
			rule.allowed_access &= to_file;
		if (syscall(SYS_landlock_add_rule, m->ruleset, LANDLOCK_RULE_PATH_BENEATH, &rule,
			    0) != 0)
			m->failed = true;
	}
	(void)close(rule.parent_fd);
}

static bool is_left_out(const struct making *m, const char *path)
{
	return lies_in(&m->confine->hide, path) || (m->skip && strcmp(path, m->skip) == 0);
}

static bool is_taken_apart(const struct making *m, const char *path)
{
	return holds_one(&m->confine->hide, path) || (m->skip && is_below(m->skip, path));
}

/* What lies in the folder; false: links have no grants, and the folder itself was had. */
static bool is_piece(const struct dirent *entry)
{
	return entry->d_type != DT_LNK && strcmp(entry->d_name, ".") != 0 &&
	       strcmp(entry->d_name, "..") != 0;
}

/* The tree without what is hidden in it. Folders that hold something hidden are granted piece by
 * piece, so what is made in them later is not granted. */
static void grant(struct making *m, const char *path, uint64_t access)
{
	const struct dirent *entry;
	char below[PATH_MAX];
	DIR *folder;

	if (is_left_out(m, path))
		return;
	if (!is_taken_apart(m, path)) {
		add_rule(m, path, access);
		return;
	}
	folder = opendir(path);
	while (folder && (entry = readdir(folder))) {
		int size =
			snprintf(below, sizeof(below), "%s/%s", path[1] ? path : "", entry->d_name);

		if (is_piece(entry) && size > 0 && (size_t)size < sizeof(below))
			grant(m, below, access);
	}
	if (folder)
		(void)closedir(folder);
}

static void grant_devices(struct making *m)
{
	static const char *const devices[] = {"/dev/null",   "/dev/zero",    "/dev/full",
					      "/dev/random", "/dev/urandom", "/dev/tty",
					      "/dev/ptmx",   "/dev/pts"};

	/* New terminals come into being inside (tmux, script), so the folder is granted whole. */
	for (size_t i = 0; i < TN_COUNT(devices); i++)
		add_rule(m, devices[i],
			 LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_WRITE_FILE |
				 ACCESS_TRUNCATE | ACCESS_IOCTL_DEV);
	add_rule(m, "/", LANDLOCK_ACCESS_FS_READ_DIR); /* names, not what is in them */
}

static int make(const struct tn_confine *confine, bool for_watcher)
{
	struct ruleset_attr attr = {.fs = (ACCESS_IOCTL_DEV << 1) - 1};
	struct making m = {.confine = confine};
	size_t size = sizeof(attr.fs);

	if (confine->abi < TN_CONFINE_ABI_DEVICE)
		attr.fs &= ~ACCESS_IOCTL_DEV;
	if (confine->abi < TN_CONFINE_ABI_TRUNCATE)
		attr.fs &= ~ACCESS_TRUNCATE;
	if (confine->abi < TN_CONFINE_ABI_REFER)
		attr.fs &= ~LANDLOCK_ACCESS_FS_REFER;
	if (confine->abi >= TN_CONFINE_ABI_NETWORK) {
		attr.net = confine->network ? 0 : ACCESS_NET_BOTH;
		size += sizeof(attr.net);
	}
	if (confine->abi >= TN_CONFINE_ABI_SCOPE) {
		attr.scoped = SCOPE_ABSTRACT_UNIX_SOCKET | SCOPE_SIGNAL;
		size += sizeof(attr.scoped);
	}
	m.all = attr.fs;
	m.ruleset = (int)syscall(SYS_landlock_create_ruleset, &attr, size, 0);
	if (m.ruleset < 0)
		return -1;
	m.skip = "/dev"; /* disks are in it, too */
	grant(&m, "/", to_read);
	m.skip = NULL;
	for (size_t i = 0; i < confine->read.count; i++)
		add_rule(&m, confine->read.list[i], to_read);
	for (size_t i = 0; i < confine->write.count; i++)
		grant(&m, confine->write.list[i],
		      m.all & ~(uint64_t)LANDLOCK_ACCESS_FS_MAKE_CHAR &
			      ~(uint64_t)LANDLOCK_ACCESS_FS_MAKE_BLOCK);
	grant_devices(&m);
	/* It takes the temporary folder away at the end. */
	if (for_watcher)
		add_rule(&m, "/tmp", LANDLOCK_ACCESS_FS_REMOVE_DIR);
	if (!m.failed)
		return m.ruleset;
	(void)close(m.ruleset);
	errno = ENOMEM;
	return -1;
}

/* ---- paths ---- */

/* Of one that is not there: where it would be. NULL: no memory, or it is too long. */
static const char *resolve(const char *path)
{
	char real[PATH_MAX], there[PATH_MAX];
	size_t size = strlen(path), all = size;

	if (size >= sizeof(there))
		return NULL;
	memcpy(there, path, size + 1);
	while (!realpath(there, real)) {
		while (size > 1 && there[size - 1] != '/')
			size--;
		size -= size > 1;
		there[size] = '\0';
		if (size <= 1)
			(void)snprintf(there, sizeof(there), "/");
	}
	if (strlen(real) + (all - size) >= sizeof(real))
		return NULL;
	memcpy(real + strlen(real), path + size, all - size + 1);
	return tn_mem_copy_text(real, strlen(real));
}

static void resolve_all(struct tn_confine_paths *paths, bool must_be_there)
{
	size_t kept = 0;

	for (size_t i = 0; i < paths->count; i++) {
		const char *real = resolve(paths->list[i]);

		if (real && (!must_be_there || access(real, F_OK) == 0))
			paths->list[kept++] = real;
	}
	paths->count = kept;
}

bool tn_confine_rules(struct tn_confine *confine, int *ret_watcher, int *ret_program)
{
	resolve_all(&confine->write, true);
	resolve_all(&confine->read, true);
	resolve_all(&confine->hide, false);
	*ret_watcher = make(confine, true);
	*ret_program = *ret_watcher < 0 ? -1 : make(confine, false);
	return *ret_program >= 0;
}

bool tn_confine_restrict(int ruleset)
{
	return syscall(SYS_landlock_restrict_self, ruleset, 0) == 0;
}
