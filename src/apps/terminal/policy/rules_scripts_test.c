/* A script that is given to a shell, or started, is read like typed text (terminal.md
 * section 10.1). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "apps/terminal/policy/rules_kit.h"
#include "base/mem.h"
#include "base/size.h"

enum { LARGE = 300 * 1024 }; /* more than is read of a script */
static void write_file(const char *path, const char *text)
{
	FILE *file = fopen(path, "we");

	assert_non_null(file);
	assert_true(fputs(text, file) >= 0);
	assert_int_equal(fclose(file), 0);
}

/* terminal.md 10.1: a script is read and analysed like typed text, up to 256 KiB. */
static void test_scripts(void **state)
{
	struct tn_rules *rules = tn_rules_of(NULL);
	char folder[] = "/tmp/tenon-rules-XXXXXX", path[64], text[512];
	static const char *const forms[] = {"sh ",     "bash -x ", "source ",  ". ",
					    "bash < ", "sudo sh ", "dash -- ", "exec < ",
					    "zsh -f ", "env sh ",  "",         "exec ",
					    "nohup ",  "env A=b ", "sudo -n ", "timeout 9 "};
	static const char *const first_lines[] = {"",
						  "#!/bin/bash\n",
						  "#! /bin/sh -e\n",
						  "#!/usr/bin/env bash\n",
						  "#!/usr/bin/env -S bash -eu\n",
						  "#!/usr/bin/zsh -f\r\n",
						  "#!./tools/dash\n",
						  "\n# a comment\n"};
	char *large = tn_mem_alloc(LARGE);

	(void)state;
	assert_non_null(mkdtemp(folder));
	assert_non_null(large);
	(void)snprintf(path, sizeof(path), "%s/x.sh", folder);
	write_file(path, "#!/bin/sh\necho hello\nrm -rf /\n");
	for (size_t i = 0; i < TN_COUNT(forms); i++) {
		struct tn_rules_row row = {text, NULL};

		(void)snprintf(text, sizeof(text), "%s%s", forms[i], path);
		tn_rules_rows(rules, &row, 1, tn_rules_denied);
	}
	for (size_t i = 0; i < TN_COUNT(first_lines); i++) {
		(void)snprintf(text, sizeof(text), "%secho hello\nrm -rf /\n", first_lines[i]);
		write_file(path, text);
		tn_rules_rows(rules, &(struct tn_rules_row){path, NULL}, 1, tn_rules_denied);
	}
	(void)snprintf(text, sizeof(text), "PATH=%s:/usr/bin x.sh", folder);
	tn_rules_rows(rules, &(struct tn_rules_row){text, NULL}, 1, tn_rules_denied);
	(void)snprintf(text, sizeof(text), "export PATH=%s:$PATH; nohup x.sh", folder);
	tn_rules_rows(rules, &(struct tn_rules_row){text, NULL}, 1, tn_rules_denied);
	(void)snprintf(text, sizeof(text), "env PATH=/usr/bin:%s x.sh", folder);
	tn_rules_rows(rules, &(struct tn_rules_row){text, NULL}, 1, tn_rules_denied);
	/* One that starts itself comes to an end. */
	(void)snprintf(text, sizeof(text), "#!/bin/sh\n%s again\n", path);
	write_file(path, text);
	tn_rules_rows(rules, &(struct tn_rules_row){path, NULL}, 1, tn_rules_unknown);
	write_file(path, "#!/bin/sh\necho hello\n");
	tn_rules_rows(rules, &(struct tn_rules_row){path, NULL}, 1, tn_rules_plain);
	write_file(path, "echo hello\n");
	(void)snprintf(text, sizeof(text), "sh %s", path);
	tn_rules_rows(rules, &(struct tn_rules_row){text, NULL}, 1, tn_rules_plain);
	memset(large, '#', LARGE - 1);
	large[LARGE - 1] = '\0';
	write_file(path, large);
	tn_rules_rows(rules, &(struct tn_rules_row){text, NULL}, 1, tn_rules_unknown);
	/* A text that writes the script first says nothing about what it says then. */
	write_file(path, "echo hello\n");
	(void)snprintf(text, sizeof(text), "echo ls >> %s; sh %s", path, path);
	tn_rules_rows(rules, &(struct tn_rules_row){text, NULL}, 1, tn_rules_unknown);
	assert_int_equal(unlink(path), 0);
	assert_int_equal(mkfifo(path, 0600), 0);
	(void)snprintf(text, sizeof(text), "sh %s", path); /* nobody waits for a writer */
	tn_rules_rows(rules, &(struct tn_rules_row){text, NULL}, 1, tn_rules_unknown);
	assert_int_equal(unlink(path), 0);
	assert_int_equal(rmdir(folder), 0);
	tn_mem_free(large);
	tn_rules_destroy(rules);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_scripts),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
