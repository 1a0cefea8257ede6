/* replay_main.c - runs a fuzz target on files instead of on a fuzzer's ideas, so that every input
 * that once found something is tried again by the ordinary tests, with any compiler.
 *
 * Arguments are files or directories; directories are not descended into. */
#include <dirent.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/stat.h>

#include "base/buf.h"
#include "base/limits.h"

#include <fcntl.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* The input is copied to memory of its exact size, so that a sanitizer sees a read past its end. */
static bool replay_file(int dir_fd, const char *name)
{
	struct tenon_error err;
	struct tn_buf text;
	bool done = false;
	int fd = openat(dir_fd, name, O_RDONLY | O_CLOEXEC);

	tn_buf_init(&text, TN_MESSAGE_BYTES_MAX);
	if (fd < 0) {
		perror(name);
		return false;
	}
	if (tn_buf_read_all(&text, fd, &err) == TENON_OK) {
		struct tn_buf exact;

		tn_buf_init(&exact, text.size);
		tn_buf_append(&exact, text.data, text.size);
		(void)LLVMFuzzerTestOneInput((const uint8_t *)(exact.data ? exact.data : ""),
					     exact.size);
		tn_buf_finish(&exact);
		done = true;
	} else {
		(void)fprintf(stderr, "%s: %s\n", name, err.message);
	}
	tn_buf_finish(&text);
	(void)close(fd); /* only read from */
	return done;
}

static bool replay_directory(const char *path, size_t *count)
{
	DIR *dir = opendir(path);
	bool good = true;

	if (!dir) {
		perror(path);
		return false;
	}
	for (struct dirent *entry; (entry = readdir(dir));) {
		if (entry->d_name[0] == '.')
			continue;
		good = replay_file(dirfd(dir), entry->d_name) && good;
		++*count;
	}
	(void)closedir(dir); /* only read from */
	return good;
}

int main(int argc, char **argv)
{
	size_t count = 0;
	bool good = true;

	for (int i = 1; i < argc; i++) {
		struct stat info;

		if (stat(argv[i], &info) == 0 && S_ISDIR(info.st_mode)) {
			good = replay_directory(argv[i], &count) && good;
		} else {
			good = replay_file(AT_FDCWD, argv[i]) && good;
			count++;
		}
	}
	(void)printf("%zu inputs replayed\n", count);
	if (count == 0)
		(void)fprintf(stderr, "replay: no input; name a directory with a corpus\n");
	return good && count > 0 ? 0 : 1;
}
