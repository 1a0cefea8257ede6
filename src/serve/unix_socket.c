#include "serve/unix_socket.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/rng.h"

enum { BACKLOG = 128 };

void tn_unix_socket_init(struct tn_unix_socket *s)
{
	*s = (struct tn_unix_socket){.fd = -1};
}

static enum tenon_code too_long(struct tenon_error *err)
{
	return tn_fail(err, TENON_INVALID, "the path of a Unix socket has at most %zu bytes",
		       sizeof(((struct sockaddr_un *)0)->sun_path) - 1);
}

static bool fill_address(struct sockaddr_un *at, const char *path)
{
	size_t size = strlen(path);

	*at = (struct sockaddr_un){.sun_family = AF_UNIX};
	if (size >= sizeof(at->sun_path))
		return false;
	memcpy(at->sun_path, path, size);
	return true;
}

/* A name beside the path that nobody knows: "<folder>/.tn<random>". */
static bool make_hidden(struct sockaddr_un *at, const char *path)
{
	const char *slash = strrchr(path, '/');
	size_t folder = slash ? (size_t)(slash - path) + 1 : 0;
	char token[TN_RNG_TOKEN_SIZE(5)];
	int size;

	*at = (struct sockaddr_un){.sun_family = AF_UNIX};
	tn_rng_token(token, 5);
	size = snprintf(at->sun_path, sizeof(at->sun_path), "%.*s.tn%s", (int)folder, path, token);
	return size > 0 && (size_t)size < sizeof(at->sun_path);
}

/* OK: what is at the path is a socket that nobody listens on. */
static enum tenon_code check_dead(const struct sockaddr_un *at, struct tenon_error *err)
{
	struct stat info;
	enum tenon_code code = TENON_OK;
	int fd;

	if (lstat(at->sun_path, &info) != 0)
		return errno == ENOENT ? TENON_OK : tn_fail_errno(err, errno, "look at the socket");
	if (!S_ISSOCK(info.st_mode))
		return tn_fail(err, TENON_INVALID,
			       "something that is no socket is at the socket's path");
	fd = socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
	if (fd < 0)
		return tn_fail_errno(err, errno, "open socket");
	if (connect(fd, (const struct sockaddr *)at, sizeof(*at)) == 0 || errno == EAGAIN)
		code = tn_fail(err, TENON_BUSY, "another server listens on this Unix socket");
	else if (errno != ECONNREFUSED && errno != ENOENT)
		code = tn_fail_errno(err, errno, "try the socket that is there");
	(void)close(fd); /* it was only a question */
	return code;
}

/* Bound under the hidden name: it listens with its mode before it can be found. */
static enum tenon_code bind_hidden(struct tn_unix_socket *s, const struct sockaddr_un *hidden,
				   mode_t mode, struct tenon_error *err)
{
	struct stat info;

	s->fd = socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
	if (s->fd < 0)
		return tn_fail_errno(err, errno, "open socket");
	if (fchmod(s->fd, S_IRUSR | S_IWUSR) != 0 || /* Linux: the mode it is bound with */
	    bind(s->fd, (const struct sockaddr *)hidden, sizeof(*hidden)) != 0)
		return tn_fail_errno(err, errno, "bind the Unix socket");
	if (chmod(hidden->sun_path, mode) != 0 || lstat(hidden->sun_path, &info) != 0)
		return tn_fail_errno(err, errno, "set the socket's mode");
	s->device = info.st_dev;
	s->inode = info.st_ino;
	return listen(s->fd, BACKLOG) == 0 ? TENON_OK : tn_fail_errno(err, errno, "listen");
}

/* The hidden name becomes the path: at once if it is free, else in place of a dead socket. */
static enum tenon_code show(const struct sockaddr_un *hidden, const struct sockaddr_un *at,
			    struct tenon_error *err)
{
	enum tenon_code code;

	if (link(hidden->sun_path, at->sun_path) == 0)
		return TENON_OK;
	if (errno != EEXIST && errno != EPERM && errno != EOPNOTSUPP)
		return tn_fail_errno(err, errno, "name the Unix socket");
	code = check_dead(at, err);
	if (code == TENON_OK && rename(hidden->sun_path, at->sun_path) != 0)
		code = tn_fail_errno(err, errno, "replace the dead socket");
	return code;
}

enum tenon_code tn_unix_socket_open(struct tn_unix_socket *s, const char *path, mode_t mode,
				    struct tenon_error *err)
{
	struct sockaddr_un at, hidden;
	enum tenon_code code;

	tn_unix_socket_init(s);
	if (!path || !path[0])
		return tn_fail(err, TENON_INVALID, "a Unix socket needs a path");
	if (!fill_address(&at, path) || !make_hidden(&hidden, path))
		return too_long(err);
	s->path = tn_mem_copy_text(path, strlen(path));
	if (!s->path)
		return tn_fail(err, TENON_NO_MEMORY, "out of memory");
	code = bind_hidden(s, &hidden, mode, err);
	if (code == TENON_OK)
		code = show(&hidden, &at, err);
	(void)unlink(hidden.sun_path); /* renamed, linked, or of no use */
	if (code != TENON_OK)
		tn_unix_socket_close(s);
	return code;
}

void tn_unix_socket_close(struct tn_unix_socket *s)
{
	struct stat info;

	if (s->fd >= 0) {
		if (lstat(s->path, &info) == 0 && info.st_dev == s->device &&
		    info.st_ino == s->inode)
			(void)unlink(s->path); /* it stays: the next server finds it dead */
		(void)close(s->fd);            /* only listened */
	}
	tn_mem_free(s->path);
	tn_unix_socket_init(s);
}
