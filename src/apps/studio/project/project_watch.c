#include <sys/inotify.h>
#include <unistd.h>

#include "apps/studio/project/internal.h"
#include "base/mem.h"
#include "loop/loop.h"

/* ST-025. The kernel tells that something happened in a folder; a moment later, when a checkout has
 * written all its files, all open projects are looked at. Where it cannot tell (no more watches), a
 * slow timer looks instead; saving looks in any case. */
enum { SETTLE_MS = 200, SLOWLY_MS = 2000, EVENTS_BYTES = 4096 };

struct tn_studio_watch {
	struct tn_studio_projects *projects;
	int fd; /* of inotify; -1: none */
	struct tn_io *io;
	struct tn_timer *timer;
	bool slowly; /* some project is not watched by the kernel */
};

static void look(struct tn_timer *timer, void *data)
{
	struct tn_studio_watch *watch = data;
	struct tn_studio_project *project = watch->projects->first;

	while (project) {
		struct tn_studio_project *next = project->next;

		tn_studio_project_look(project);
		project = next;
	}
	if (watch->slowly)
		tn_timer_start(timer, SLOWLY_MS);
}

static void happened(struct tn_io *io, int events, void *data)
{
	struct tn_studio_watch *watch = data;
	char buffer[EVENTS_BYTES] __attribute__((aligned(8)));

	(void)io;
	(void)events;
	/* Which file it was is found out by looking; here is only emptied what was told. */
	while (read(watch->fd, buffer, sizeof(buffer)) > 0)
		continue;
	tn_timer_start(watch->timer, SETTLE_MS);
}

enum tenon_code tn_studio_watch_create(struct tn_studio_projects *projects, struct tenon_error *err)
{
	struct tn_studio_watch *watch;
	enum tenon_code code;

	if (!projects->options.loop)
		return TENON_OK;
	watch = tn_mem_alloc(sizeof(*watch));
	if (!watch)
		return tn_fail(err, TENON_NO_MEMORY, "out of memory");
	watch->projects = projects;
	watch->fd = inotify_init1(IN_NONBLOCK | IN_CLOEXEC);
	code = tn_timer_open(projects->options.loop, look, watch, &watch->timer, err);
	if (code == TENON_OK && watch->fd >= 0)
		code = tn_io_open(projects->options.loop, watch->fd, happened, watch, &watch->io,
				  err);
	if (code != TENON_OK) {
		tn_studio_watch_destroy(watch);
		return code;
	}
	if (watch->io)
		tn_io_watch(watch->io, TN_IO_READ);
	projects->watch = watch;
	return TENON_OK;
}

void tn_studio_watch_destroy(struct tn_studio_watch *watch)
{
	if (!watch)
		return;
	tn_io_close(watch->io);
	tn_timer_close(watch->timer);
	if (watch->fd >= 0)
		(void)close(watch->fd);
	tn_mem_free(watch);
}

void tn_studio_watch_add(struct tn_studio_project *project)
{
	struct tn_studio_watch *watch = project->projects->watch;

	if (!watch)
		return;
	if (watch->fd >= 0)
		project->own->watch = inotify_add_watch(watch->fd, project->path,
							IN_CLOSE_WRITE | IN_MOVED_TO | IN_DELETE |
								IN_ONLYDIR | IN_DONT_FOLLOW);
	if (project->own->watch < 0 && !watch->slowly) {
		watch->slowly = true;
		tn_timer_start(watch->timer, SLOWLY_MS);
	}
}

void tn_studio_watch_remove(struct tn_studio_project *project)
{
	struct tn_studio_watch *watch = project->projects->watch;

	if (watch && project->own->watch >= 0)
		(void)inotify_rm_watch(watch->fd, project->own->watch);
	project->own->watch = -1;
}
