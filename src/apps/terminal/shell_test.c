#include "apps/terminal/shell_kit.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void test_exit_codes(void **state)
{
	struct kit kit;

	(void)state;
	kit_open(&kit, &(struct kit_wish){.shell = "bash"});
	kit_expect(&kit, "true", 0, "");
	kit_expect(&kit, "false", 1, "");
	kit_expect(&kit, "echo $?", 0, "1\n");
	kit_expect(&kit, "nosuchcommand", 127, NULL);
	kit_expect(&kit, "(exit 130)", 130, "");
	kit_expect(&kit, "sh -c 'kill -9 $$'", 137, NULL);
	kit_expect(&kit, "echo a b", 0, "a b\n");
	kit_expect(&kit, "echo $_", 0, "b\n");
	kit_expect(&kit, "echo 'abc", 2, NULL);
	kit_expect(&kit, "cat <<E\nhi\nE", 0, "hi\n");
	kit_close(&kit);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_exit_codes),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
