/* The engine's program: opened, known by its stamp, and started as what was opened, whatever stands
 * under its name by then. A script is started by its name: it can only be compared. */
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "apps/studio/run/internal.h"

struct tn_studio_stamp tn_studio_stamp_from(const struct stat *about)
{
	return (struct tn_studio_stamp){.device = (uint64_t)about->st_dev,
					.inode = (uint64_t)about->st_ino,
					.size = (uint64_t)about->st_size,
					.changed = (uint64_t)about->st_ctim.tv_sec * 1000000000u +
						   (uint64_t)about->st_ctim.tv_nsec,
					.modified = (uint64_t)about->st_mtim.tv_sec * 1000000000u +
						    (uint64_t)about->st_mtim.tv_nsec};
}

struct tn_studio_stamp tn_studio_stamp_of(int fd)
{
	struct stat about;

	if (fd < 0 || fstat(fd, &about) != 0)
		return (struct tn_studio_stamp){0};
	return tn_studio_stamp_from(&about);
}

bool tn_studio_stamps_equal(const struct tn_studio_stamp *a, const struct tn_studio_stamp *b)
{
	return a->device == b->device && a->inode == b->inode && a->size == b->size &&
	       a->changed == b->changed && a->modified == b->modified;
}

bool tn_studio_program_open(const char *path, struct tn_studio_program *ret)
{
	char magic[4] = {0};

	*ret = (struct tn_studio_program){.fd = open(path, O_RDONLY | O_CLOEXEC)};
	if (ret->fd < 0)
		return false;
	ret->stamp = tn_studio_stamp_of(ret->fd);
	(void)snprintf(ret->path, sizeof(ret->path), "/proc/self/fd/%d", ret->fd);
	ret->is_script = pread(ret->fd, magic, sizeof(magic), 0) != (ssize_t)sizeof(magic) ||
			 memcmp(magic, "\177ELF", sizeof(magic)) != 0;
	return true;
}

void tn_studio_program_close(struct tn_studio_program *program)
{
	if (program->fd >= 0)
		(void)close(program->fd); /* only read from */
	program->fd = -1;
}

bool tn_studio_program_is_still(const struct tn_studio_program *program, const char *path)
{
	int fd = program->is_script ? open(path, O_RDONLY | O_CLOEXEC) : -1;
	struct tn_studio_stamp now = tn_studio_stamp_of(program->is_script ? fd : program->fd);

	if (fd >= 0)
		(void)close(fd); /* only read from */
	return tn_studio_stamps_equal(&now, &program->stamp);
}
