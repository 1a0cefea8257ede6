#include "host/settings/runtime.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/clock.h"
#include "base/limits.h"
#include "host/limits.h"
#include "jsonrpc/json_write.h"
#include "store/file.h"

enum { DISCOVERY_BYTES_MAX = 8 * 1024 };

/* ---- the folder ---- */

/* /run/user/UID is there without the variable, too, when a login session is; /tmp always is. */
static void choose_folder(char *out, size_t size)
{
	const char *base = getenv("XDG_RUNTIME_DIR");
	unsigned long uid = (unsigned long)geteuid();
	char login[64];

	(void)snprintf(login, sizeof(login), "/run/user/%lu", uid);
	if (base && base[0] == '/')
		(void)snprintf(out, size, "%s/tenon", base);
	else if (access(login, W_OK | X_OK) == 0)
		(void)snprintf(out, size, "%s/tenon", login);
	else
		(void)snprintf(out, size, "/tmp/tenon-%lu", uid);
}

/* What stands in it opens every door: nobody else may own it or look into it. */
static enum tenon_code check_folder(const char *folder, struct tenon_error *err)
{
	struct stat status;

	if (lstat(folder, &status) != 0) {
		if (errno == ENOENT || errno == ENOTDIR)
			return tn_fail(err, TENON_NOT_FOUND, "there is no runtime folder");
		return tn_fail_errno(err, errno, "look at the runtime folder");
	}
	if (!S_ISDIR(status.st_mode) || status.st_uid != geteuid() || (status.st_mode & 077))
		return tn_fail(err, TENON_DENIED,
			       "%.160s: the runtime folder must be a folder of ours that only we "
			       "may open (mode 0700)",
			       folder);
	return TENON_OK;
}

static bool put_path(char out[PATH_MAX], const char *folder, const char *name)
{
	int size = snprintf(out, PATH_MAX, "%s/%s", folder, name);

	return size > 0 && size < PATH_MAX;
}

enum tenon_code tn_runtime_find(struct tn_runtime_paths *ret, bool create, struct tenon_error *err)
{
	char folder[PATH_MAX - 64];

	choose_folder(folder, sizeof(folder));
	if (!put_path(ret->lock, folder, "tenond.lock") ||
	    !put_path(ret->discovery, folder, "tenond.json") ||
	    !put_path(ret->person, folder, "person.sock") ||
	    !put_path(ret->launch, folder, "launch.json"))
		return tn_fail(err, TENON_INVALID, "XDG_RUNTIME_DIR is too long");
	(void)snprintf(ret->folder, sizeof(ret->folder), "%s", folder);
	if (create) {
		struct tenon_error why = {0};
		enum tenon_code code = tn_dir_create(folder, 0700, &why);

		if (code != TENON_OK)
			return tn_fail(err, code, "the runtime folder %.150s: %.80s", folder,
				       why.message);
	}
	return check_folder(folder, err);
}

/* ---- the lock ---- */

bool tn_runtime_is_ours(const struct tn_runtime_paths *paths, int lock_fd)
{
	struct stat held, named;

	return fstat(lock_fd, &held) == 0 && lstat(paths->lock, &named) == 0 &&
	       held.st_ino == named.st_ino && held.st_dev == named.st_dev;
}

/* One attempt. The file may be removed between opening and locking it, by a daemon that ends: a
 * lock on a file without a name would keep nobody out. */
static enum tenon_code try_lock(const struct tn_runtime_paths *paths, int *ret_fd, bool *ret_again,
				struct tenon_error *err)
{
	struct flock whole = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
	int fd = open(paths->lock, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);

	*ret_again = false;
	if (fd < 0)
		return tn_fail_errno(err, errno, "open the lock");
	if (fcntl(fd, F_OFD_SETLK, &whole) != 0) {
		int number = errno;

		(void)close(fd);
		if (number == EAGAIN || number == EACCES)
			return tn_fail(err, TENON_BUSY, "a daemon runs already");
		return tn_fail_errno(err, number, "lock");
	}
	if (!tn_runtime_is_ours(paths, fd)) {
		(void)close(fd);
		*ret_again = true;
		return tn_fail(err, TENON_BUSY, "the lock was removed again and again");
	}
	*ret_fd = fd;
	return TENON_OK;
}

/* Who holds it, for people: nobody acts upon it. */
static void sign_lock(int fd)
{
	char text[96], time[TN_CLOCK_ISO_SIZE];
	int size;

	tn_clock_format_iso(tn_clock_wall_ms(&tn_clock_system), time);
	size = snprintf(text, sizeof(text), "{\"pid\":%ld,\"startedAt\":\"%s\"}\n", (long)getpid(),
			time);
	if (ftruncate(fd, 0) != 0 || pwrite(fd, text, (size_t)size, 0) != size)
		return; /* the lock itself is what counts */
}

enum tenon_code tn_runtime_lock(const struct tn_runtime_paths *paths, int *ret_fd,
				struct tenon_error *err)
{
	enum tenon_code code = TENON_BUSY;
	bool again = true;

	for (int tries = 0; again && tries < 16; tries++)
		code = try_lock(paths, ret_fd, &again, err);
	if (code == TENON_OK)
		sign_lock(*ret_fd);
	return code;
}

/* Only looks: taking the lock, for however short, would keep a daemon from starting. */
bool tn_runtime_is_held(const struct tn_runtime_paths *paths)
{
	struct flock whole = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
	int fd = open(paths->lock, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
	bool held;

	if (fd < 0)
		return false;
	held = fcntl(fd, F_OFD_GETLK, &whole) == 0 && whole.l_type != F_UNLCK;
	(void)close(fd);
	return held;
}

/* ---- the discovery file ---- */

static bool take_text(const struct tn_json *object, const char *name, char *out, size_t size)
{
	struct tn_str text;

	if (!tn_json_to_str(tn_json_get(object, name), &text) || text.size >= size ||
	    memchr(text.data, '\0', text.size))
		return false;
	memcpy(out, text.data, text.size);
	out[text.size] = '\0';
	return true;
}

static bool take_port(const struct tn_json *object, const char *name, uint16_t *ret)
{
	int64_t port;

	if (!tn_json_to_int(tn_json_get(object, name), &port) || port < 0 || port > UINT16_MAX)
		return false;
	*ret = (uint16_t)port;
	return true;
}

static bool parse(const struct tn_json *root, struct tn_discovery *ret)
{
	struct tn_discovery found = {0};

	if (!tn_json_to_int(tn_json_get(root, "pid"), &found.pid) || found.pid <= 0 ||
	    !take_port(root, "httpPort", &found.http_port) ||
	    !take_port(root, "bridgePort", &found.bridge_port) || !found.bridge_port ||
	    !take_text(root, "url", found.url, sizeof(found.url)) ||
	    !take_text(root, "token", found.token, sizeof(found.token)) ||
	    !take_text(root, "version", found.version, sizeof(found.version)) ||
	    !take_text(root, "startedAt", found.started_at, sizeof(found.started_at)))
		return false;
	*ret = found;
	return true;
}

enum tenon_code tn_discovery_parse(struct tn_str text, struct tn_discovery *ret,
				   struct tenon_error *err)
{
	struct tn_arena arena;
	struct tn_json *root = NULL;
	enum tenon_code code;

	tn_arena_init(&arena, TN_MESSAGE_ARENA_MAX);
	code = tn_json_parse_copy(&arena, text, &root, err);
	if (code == TENON_OK && !parse(root, ret))
		code = tn_fail(err, TENON_INVALID, "the discovery file is not what we write");
	tn_arena_finish(&arena);
	return code;
}

enum tenon_code tn_discovery_peek(const struct tn_runtime_paths *paths, struct tn_discovery *ret,
				  struct tenon_error *err)
{
	struct tn_buf text;
	enum tenon_code code;

	tn_buf_init(&text, DISCOVERY_BYTES_MAX);
	code = tn_file_read(paths->discovery, TN_FILE_NO_FOLLOW | TN_FILE_REGULAR_ONLY, &text, err);
	if (code == TENON_OK)
		code = tn_discovery_parse(tn_buf_str(&text), ret, err);
	tn_buf_finish(&text);
	return code;
}

enum tenon_code tn_discovery_read(const struct tn_runtime_paths *paths, struct tn_discovery *ret,
				  struct tenon_error *err)
{
	struct tenon_error why = {0};
	enum tenon_code code;

	if (!tn_runtime_is_held(paths))
		return tn_fail(err, TENON_NOT_FOUND, "no daemon runs");
	code = tn_discovery_peek(paths, ret, &why);
	if (code == TENON_OK || code == TENON_NOT_FOUND) /* it starts just now, or ends */
		return code == TENON_OK ? code : tn_fail(err, code, "%s", why.message);
	return tn_fail(err, code, "%.120s: %.60s; the daemon writes it again within %d s",
		       paths->discovery, why.message, TN_RUNTIME_LOOK_MS / 1000);
}

void tn_discovery_put(const struct tn_discovery *found, struct tn_buf *out)
{
	tn_json_begin_object(out);
	tn_json_put_member_int(out, "schemaVersion", 1);
	tn_json_put_member_int(out, "pid", found->pid);
	tn_json_put_member_text(out, "version", found->version);
	tn_json_put_member_text(out, "startedAt", found->started_at);
	tn_json_put_member_text(out, "url", found->url);
	tn_json_put_member_int(out, "httpPort", found->http_port);
	tn_json_put_member_int(out, "bridgePort", found->bridge_port);
	tn_json_put_member_text(out, "token", found->token);
	tn_json_end_object(out);
}

enum tenon_code tn_discovery_write(const struct tn_runtime_paths *paths,
				   const struct tn_discovery *found, struct tenon_error *err)
{
	struct tn_buf text;
	enum tenon_code code;

	tn_buf_init(&text, DISCOVERY_BYTES_MAX);
	tn_discovery_put(found, &text);
	tn_buf_append_byte(&text, '\n');
	code = tn_buf_check(&text, err);
	if (code == TENON_OK)
		code = tn_file_write(paths->discovery, 0600, tn_buf_str(&text), err);
	tn_buf_finish(&text);
	return code;
}
