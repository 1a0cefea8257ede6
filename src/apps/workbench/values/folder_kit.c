#include "apps/workbench/values/folder_kit.h"

#include <ftw.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

static char folder[64];

int folder_set_up(void **state)
{
	(void)state;
	(void)snprintf(folder, sizeof(folder), "/tmp/tenon-workbench-XXXXXX");
	return mkdtemp(folder) ? 0 : -1;
}

static int remove_one(const char *path, const struct stat *status, int type, struct FTW *where)
{
	(void)status;
	(void)type;
	(void)where;
	return remove(path);
}

int folder_tear_down(void **state)
{
	(void)state;
	return nftw(folder, remove_one, 16, FTW_DEPTH | FTW_PHYS);
}

const char *folder_path(void)
{
	return folder;
}

void folder_write(const char *name, const char *text)
{
	char path[256];
	FILE *file;

	(void)snprintf(path, sizeof(path), "%s/%s", folder, name);
	for (char *slash = path + strlen(folder) + 1; (slash = strchr(slash, '/')); slash++) {
		*slash = '\0';
		(void)mkdir(path, 0700);
		*slash = '/';
	}
	file = fopen(path, "w");
	assert_non_null(file);
	assert_true(fputs(text, file) >= 0);
	assert_int_equal(fclose(file), 0);
}

void folder_remove(const char *name)
{
	char path[256];

	(void)snprintf(path, sizeof(path), "%s/%s", folder, name);
	assert_int_equal(unlink(path), 0);
}

void folder_roots(const char *path, struct tn_roots *ret)
{
	const char *const list[] = {path, NULL};
	struct tenon_error err;

	assert_int_equal(tn_roots_init(ret, list, &err), TENON_OK);
}
