#include "apps/workbench/source/source_test_kit.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>

#include <cmocka.h>

static struct tn_wb_reader *the_reader;
static const char *build, *demo;

bool source_test_begin(int argc, char **argv)
{
	struct tenon_error err = {0};
	enum tenon_code code;

	build = argc > 1 ? argv[1] : ".";
	demo = argc > 2 ? argv[2] : "demo/harbour";
	code = tn_wb_reader_open(build, &the_reader, &err);
	if (code == TENON_OK)
		return true;
	(void)fprintf(stderr, "skipped: %s\n", err.message);
	return false;
}

void source_test_end(void)
{
	tn_wb_reader_close(the_reader);
	the_reader = NULL;
}

struct tn_wb_reader *source_test_reader(void)
{
	return the_reader;
}

const char *source_test_build(void)
{
	return build;
}

const char *source_test_demo(void)
{
	return demo;
}

struct tn_wb_tree source_test_tree(const char *text)
{
	struct tn_wb_tree tree = {0};

	assert_int_equal(tn_wb_tree_parse(the_reader, TN_WB_TSX, tn_str_from(text), &tree, NULL),
			 TENON_OK);
	return tree;
}
