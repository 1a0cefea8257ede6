#include "source_reader.h"

#include <limits.h>
#include <stdio.h>
#include <unistd.h>

static struct tn_wb_reader *the_reader;

struct tn_wb_reader *source_reader(void)
{
	char folder[PATH_MAX];
	ssize_t size;

	if (the_reader)
		return the_reader;
	size = readlink("/proc/self/exe", folder, sizeof(folder) - 1);
	for (int up = 0; up < 2 && size > 0; up++)
		while (size > 0 && folder[--size] != '/')
			;
	folder[size > 0 ? size : 0] = '\0';
	if (tn_wb_reader_open(folder, &the_reader, NULL) != TENON_OK)
		(void)fprintf(stderr, "skipped: this build has no tenon-source.so\n");
	return the_reader;
}
