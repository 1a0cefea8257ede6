/* tenon-docs config|manifest COMMAND: pages and files that are made from what the program knows. */
#include <stdio.h>
#include <string.h>

#include "host/settings/config_key.h"
#include "host/settings/manifest.h"

int main(int argc, char **argv)
{
	struct tn_buf out;

	tn_buf_init(&out, TN_MIB);
	if (argc == 2 && strcmp(argv[1], "config") == 0)
		tn_config_docs(&out);
	else if (argc == 3 && strcmp(argv[1], "manifest") == 0)
		tn_manifest_put(argv[2], &out);
	else
		out.failed = true;
	if (out.failed || fwrite(out.data, 1, out.size, stdout) != out.size || fflush(stdout))
		return 1;
	tn_buf_finish(&out);
	return 0;
}
