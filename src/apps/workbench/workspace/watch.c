/* Which files change: inotify on folders, gathered for a moment. */
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <sys/inotify.h>
#include <unistd.h>

#include "apps/workbench/limits.h"
#include "apps/workbench/workspace/load.h"
#include "base/map.h"
#include "base/mem.h"

struct tn_wb_watch {
	struct tn_loop *loop;
	int fd;
	struct tn_io *io;
	struct tn_timer *timer;
	char *root;
	struct tn_map followed; /* paths, to anything */
	bool blind; /* the kernel follows no more folders: everything is looked at now and then */
	void (*changed)(void *data);
	void *data;
};

static void expired(struct tn_timer *timer, void *data)
{
	struct tn_wb_watch *watch = data;

	if (watch->blind)
		tn_timer_start(timer, TN_WB_BLIND_MS);
	watch->changed(watch->data);
}

/* A folder that went is not followed any more: the next look names those that are there. */
static void forget(struct tn_wb_watch *watch, const char *bytes, ssize_t size)
{
	for (ssize_t at = 0; at + (ssize_t)sizeof(struct inotify_event) <= size;) {
		struct inotify_event event;

		memcpy(&event, bytes + at, sizeof(event));
		if (event.mask & (IN_IGNORED | IN_MOVE_SELF | IN_Q_OVERFLOW)) {
			tn_map_finish(&watch->followed);
			tn_map_init(&watch->followed);
			return;
		}
		at += (ssize_t)(sizeof(event) + event.len);
	}
}

static void readable(struct tn_io *io, int events, void *data)
{
	char bytes[16 * 1024] __attribute__((aligned(__alignof__(struct inotify_event))));
	struct tn_wb_watch *watch = data;
	ssize_t got;

	(void)io;
	(void)events;
	got = read(watch->fd, bytes, sizeof(bytes));
	forget(watch, bytes, got);
	if (got > 0 && (watch->blind || !tn_timer_active(watch->timer)))
		tn_timer_start(watch->timer, TN_WB_DEBOUNCE_MS);
}

struct tn_wb_watch *tn_wb_watch_create(struct tn_loop *loop, const char *root,
				       void (*changed)(void *data), void *data)
{
	struct tn_wb_watch *watch = tn_mem_alloc(sizeof(*watch));
	struct tenon_error err;

	if (!watch)
		return NULL;
	tn_map_init(&watch->followed);
	watch->loop = loop;
	watch->changed = changed;
	watch->data = data;
	watch->root = tn_mem_copy_text(root, strlen(root));
	watch->fd = inotify_init1(IN_NONBLOCK | IN_CLOEXEC);
	if (watch->root && watch->fd >= 0 &&
	    tn_io_open(loop, watch->fd, readable, watch, &watch->io, &err) == TENON_OK &&
	    tn_timer_open(loop, expired, watch, &watch->timer, &err) == TENON_OK) {
		tn_io_watch(watch->io, TN_IO_READ);
		return watch;
	}
	tn_wb_watch_destroy(watch);
	return NULL;
}

/* The kernel lets go of each folder that was followed, and waits until nobody looks at them: 10 to
 * 25 ms. The descriptor alone is what the worker has. */
static void close_fd(void *data)
{
	(void)close((int)(intptr_t)data);
}

void tn_wb_watch_destroy(struct tn_wb_watch *watch)
{
	if (!watch)
		return;
	tn_timer_close(watch->timer);
	tn_io_close(watch->io);
	if (watch->fd >= 0)
		tn_job_free_aside(watch->loop, close_fd, (void *)(intptr_t)watch->fd);
	tn_map_finish(&watch->followed);
	tn_mem_free(watch->root);
	tn_mem_free(watch);
}

static bool follow(struct tn_wb_watch *watch, const char *path)
{
	const uint32_t what = IN_CLOSE_WRITE | IN_MODIFY | IN_CREATE | IN_DELETE | IN_MOVED_FROM |
			      IN_MOVED_TO | IN_DELETE_SELF | IN_MOVE_SELF | IN_ONLYDIR |
			      IN_EXCL_UNLINK;
	struct tenon_error err;

	if (watch->followed.used < TN_WB_WATCHED_MAX &&
	    inotify_add_watch(watch->fd, path, what) >= 0) {
		if (tn_map_put(&watch->followed, tn_str_from(path), watch, &err) == TENON_OK)
			return true;
	} else if (watch->followed.used < TN_WB_WATCHED_MAX && errno != ENOSPC) {
		return false; /* it is not there, or no folder */
	}
	if (!watch->blind)
		tn_timer_start(watch->timer, TN_WB_BLIND_MS);
	watch->blind = true;
	return false;
}

bool tn_wb_watch_add(struct tn_wb_watch *watch, const char *folder)
{
	char path[PATH_MAX];

	return snprintf(path, sizeof(path), "%s%s%s", watch->root, *folder ? "/" : "", folder) <
		       (int)sizeof(path) &&
	       !tn_map_get(&watch->followed, tn_str_from(path)) && follow(watch, path);
}
