/* tenon licences: the notices of everything that is inside of the programs (tools/licences.py). */
#include "cli/shared/run.h"

extern const char tn_licences_text[];
extern const size_t tn_licences_text_size;

int tn_cli_licences(int argc, char **argv)
{
	struct tn_cli cli = {.verb = "licences"};
	const struct tn_options options = {
		.usage = "tenon licences",
		.summary = "Prints the licence of Tenon, and the notices of what is inside of its "
			   "programs."};
	struct tn_buf out;
	size_t count = 0;
	int exit = TN_EXIT_OK;

	if (!tn_cli_begin(&cli, &options, argc, argv, &count, &exit))
		return exit;
	tn_buf_init(&out, 8 * TN_MIB);
	tn_buf_append(&out, tn_licences_text, tn_licences_text_size);
	exit = tn_cli_write(&cli, &out, exit);
	tn_buf_finish(&out);
	return exit;
}
