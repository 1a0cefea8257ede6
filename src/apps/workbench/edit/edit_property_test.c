/* Random files and random edits, from seeds: the inverse restores every byte, and what fails
 * changes none. */
#include <dirent.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include <cmocka.h>

#include "apps/workbench/edit/edit.h"
#include "apps/workbench/values/folder_kit.h"
#include "base/size.h"

enum { ROUNDS = 300, FILES = 4, PIECES = 12 };

static uint64_t seed;

static unsigned below(unsigned n)
{
	seed = seed * 6364136223846793005u + 1442695040888963407u;
	return (unsigned)(seed >> 33) % n;
}

static const char *const pieces[] = {"a",    "<B c=\"d\" />",    "\r\n", "\n",   "\xC3\xA9",
				     "\t\t", "\xF0\x9F\x8D\x9E", "",     "\\\"", "{x}"};

static void random_text(char *out, size_t size, unsigned count)
{
	out[0] = '\0';
	for (unsigned i = 0; i < count; i++) {
		const char *piece = pieces[below(TN_COUNT(pieces))];

		if (strlen(out) + strlen(piece) + 1 < size)
			(void)strncat(out, piece, size - strlen(out) - 1);
	}
}

struct project {
	char names[FILES][32], texts[FILES][256];
	struct tn_wb_file_edit edits[FILES];
	struct tn_wb_replacement lists[FILES][3];
	char news[FILES][3][64];
};

static size_t boundary(const char *text)
{
	size_t at = below((unsigned)strlen(text) + 1);

	while (at > 0 && ((unsigned char)text[at] & 0xC0u) == 0x80u)
		at--;
	return at;
}

static void make(struct project *p)
{
	for (unsigned i = 0; i < FILES; i++) {
		(void)snprintf(p->names[i], sizeof(p->names[i]), "d%u/f%u.tsx", i % 2, i);
		random_text(p->texts[i], sizeof(p->texts[i]), PIECES);
		folder_write(p->names[i], p->texts[i]);
		p->edits[i] = (struct tn_wb_file_edit){.kind = TN_WB_EDIT_TEXT,
						       .path = tn_str_from(p->names[i]),
						       .list = p->lists[i],
						       .count = 1 + below(3)};
		for (size_t k = 0; k < p->edits[i].count; k++) {
			size_t a = boundary(p->texts[i]), b = boundary(p->texts[i]);

			random_text(p->news[i][k], sizeof(p->news[i][k]), 3);
			p->lists[i][k] = (struct tn_wb_replacement){a < b ? a : b, a < b ? b : a,
								    tn_str_from(p->news[i][k])};
		}
	}
}

static void read_back(const char *name, char text[1024])
{
	char path[256];
	FILE *file;

	(void)snprintf(path, sizeof(path), "%s/%s", folder_path(), name);
	file = fopen(path, "r");
	assert_non_null(file);
	text[fread(text, 1, 1023, file)] = '\0';
	(void)fclose(file);
}

static void assert_texts(const struct project *p)
{
	char text[1024];

	for (unsigned i = 0; i < FILES; i++) {
		read_back(p->names[i], text);
		assert_string_equal(text, p->texts[i]);
	}
}

static void assert_no_strays(const char *name)
{
	char path[300];
	struct dirent *entry;
	DIR *folder;

	(void)snprintf(path, sizeof(path), "%s/%s", folder_path(), name);
	folder = opendir(path);
	assert_non_null(folder);
	while ((entry = readdir(folder)))
		assert_false(strncmp(entry->d_name, ".tenon", 6) == 0);
	(void)closedir(folder);
}

static void take_back(const struct tn_buf *inverse)
{
	struct tn_wb_edit_outcome outcome;
	struct tn_wb_edits edits = {0};
	struct tn_json *json = NULL;
	struct tn_arena arena;

	tn_arena_init(&arena, TN_MIB);
	tn_wb_edit_outcome_init(&outcome);
	assert_int_equal(tn_json_parse_copy(&arena, tn_buf_str(inverse), &json, NULL), TENON_OK);
	assert_int_equal(tn_wb_edits_read(&arena, json, &edits, &outcome, NULL), TENON_OK);
	assert_int_equal(tn_wb_edits_apply(folder_path(), &edits, &outcome, NULL), TENON_OK);
	tn_wb_edit_outcome_finish(&outcome);
	tn_arena_finish(&arena);
}

static void round_of(uint64_t number)
{
	const struct tn_wb_edits edits = {.list = NULL};
	struct tn_wb_edits all = edits;
	struct tn_wb_edit_outcome outcome;
	struct project p = {0};

	seed = number;
	make(&p);
	all.list = p.edits;
	all.count = FILES;
	tn_wb_edit_outcome_init(&outcome);
	if (tn_wb_edits_apply(folder_path(), &all, &outcome, NULL) == TENON_OK)
		take_back(&outcome.inverse);
	else
		assert_non_null(outcome.code);
	assert_texts(&p);
	tn_wb_edit_outcome_finish(&outcome);
}

static void inverses_restore(void **state)
{
	(void)state;
	for (uint64_t i = 1; i <= ROUNDS; i++)
		round_of(i);
	assert_no_strays(".");
	assert_no_strays("d0");
	assert_no_strays("d1");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(inverses_restore, folder_set_up, folder_tear_down),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
