/* Folders for what is temporary in confined sessions. Each is locked by the watcher that made it,
 * for as long as that lives; who finds one without a lock may remove it. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "hold/confine.h"

#define PARENT "/tmp"
#define PREFIX "tenon-confined-"

enum { TRIES = 8, DEPTH_MAX = 200 };

/* By descriptors: what was confined may still run, and put a link in a folder's place. Takes `fd`.
 * What stays, or lies deeper, is the system's to tidy up. */
static void empty(int fd, dev_t device, unsigned depth)
{
	DIR *folder = fdopendir(fd);
	struct dirent *entry;

	if (!folder)
		(void)close(fd); /* only read */
	while (folder && (entry = readdir(folder))) {
		struct stat status;
		int inner;

		if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0 ||
		    unlinkat(fd, entry->d_name, 0) == 0 || depth == DEPTH_MAX)
			continue;
		inner = openat(fd, entry->d_name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
		if (inner >= 0 && fstat(inner, &status) == 0 && status.st_dev == device)
			empty(inner, device, depth + 1);
		else if (inner >= 0)
			(void)close(inner); /* only read */
		(void)unlinkat(fd, entry->d_name, AT_REMOVEDIR);
	}
	if (folder)
		(void)closedir(folder); /* only read */
}

void tn_confine_temp_remove(const char *path)
{
	int fd = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	struct stat status;

	if (fd >= 0 && fstat(fd, &status) == 0)
		empty(fd, status.st_dev, 0);
	else if (fd >= 0)
		(void)close(fd); /* only read */
	(void)rmdir(path);
}

/* Ours, and nobody's any more: locked by us from now on. -1: it is not. */
static int take(const char *path)
{
	int fd = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	struct stat held, named;

	if (fd < 0)
		return -1;
	if (fstat(fd, &held) == 0 && held.st_uid == geteuid() &&
	    flock(fd, LOCK_EX | LOCK_NB) == 0 && lstat(path, &named) == 0 &&
	    named.st_ino == held.st_ino && named.st_dev == held.st_dev)
		return fd;
	(void)close(fd); /* only read */
	return -1;
}

bool tn_confine_temp_make(char path[TN_CONFINE_TEMP_SIZE], int *ret_lock)
{
	/* Who sweeps may take one before it is locked. */
	for (int i = 0; i < TRIES; i++) {
		(void)snprintf(path, TN_CONFINE_TEMP_SIZE, "%s", PARENT "/" PREFIX "XXXXXX");
		if (!mkdtemp(path))
			return false;
		*ret_lock = take(path);
		if (*ret_lock >= 0)
			return true;
	}
	errno = EAGAIN;
	return false;
}

void tn_confine_temp_sweep(void)
{
	DIR *all = opendir(PARENT);
	struct dirent *entry;

	while (all && (entry = readdir(all))) {
		char path[TN_CONFINE_TEMP_SIZE];
		int fd = -1;

		if (strlen(entry->d_name) == sizeof(PREFIX) - 1 + 6 &&
		    strncmp(entry->d_name, PREFIX, sizeof(PREFIX) - 1) == 0) {
			(void)snprintf(path, sizeof(path), PARENT "/%.40s", entry->d_name);
			fd = take(path);
		}
		if (fd < 0)
			continue;
		tn_confine_temp_remove(path);
		(void)close(fd); /* only read */
	}
	if (all)
		(void)closedir(all); /* only read */
}
