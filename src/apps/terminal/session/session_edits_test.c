/* What a session remembers of its stream goes with the stream (terminal.md 6.1, 12.5). */
#include "apps/terminal/session/session.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "apps/terminal/limits.h"

enum { STEP = 256, SPOOL_BYTES = 64 * 1024 };

struct kit {
	char folder[64];
	struct tn_term_config config; /* without persist: no journal */
	struct tn_term term;
	struct tn_term_session session;
};

static int set_up(void **state)
{
	struct kit *kit = test_calloc(1, sizeof(*kit));

	(void)snprintf(kit->folder, sizeof(kit->folder), "/tmp/tenon-edits-XXXXXX");
	if (!mkdtemp(kit->folder))
		return -1;
	kit->term.config = &kit->config;
	kit->term.budget.bytes_max = 1 << 20;
	kit->session.term = &kit->term;
	kit->session.alternate_from = UINT64_MAX;
	*state = kit;
	return tn_spool_open(kit->folder, SPOOL_BYTES, &kit->term.budget, &kit->session.spool,
			     NULL) == TENON_OK
		       ? 0
		       : -1;
}

static int tear_down(void **state)
{
	struct kit *kit = *state;
	struct tn_term_session *s = &kit->session;

	for (size_t i = 0; i < s->edit_count; i++)
		tn_mem_free((char *)s->edits[i].text.data);
	tn_mem_free(s->edits);
	tn_spool_remove(s->spool);
	test_free(kit);
	return 0;
}

/* STEP bytes of output, the first eight of them an echo. */
static void put(struct tn_term_session *s, unsigned number)
{
	char bytes[STEP] = {0}, text[16];

	(void)snprintf(text, sizeof(text), "%u", number);
	assert_int_equal(tn_spool_write(s->spool, s->offset, tn_str(bytes, STEP), NULL), TENON_OK);
	tn_term_session_add_edit(s, &(struct tn_output_edit){.from = s->offset,
							     .to = s->offset + 8,
							     .text = tn_str_from(text)});
	s->offset += STEP;
}

static void test_gone_with_the_stream(void **state)
{
	struct tn_term_session *s = &((struct kit *)*state)->session;
	char text[16];

	for (unsigned i = 0; i < 20000; i++) {
		put(s, i);
		assert_true(s->edit_count <= 4 * SPOOL_BYTES / STEP);
	}
	assert_true(tn_spool_begin(s->spool) > 0);
	/* All that is there has its edit. */
	assert_true(s->edits[0].from <= tn_spool_begin(s->spool) + STEP);
	for (size_t i = 0; i < s->edit_count; i++) {
		(void)snprintf(text, sizeof(text), "%u", (unsigned)(s->edits[i].from / STEP));
		assert_int_equal(s->edits[i].text.size, strlen(text));
		assert_memory_equal(s->edits[i].text.data, text, strlen(text));
	}
	assert_int_equal(s->edits[s->edit_count - 1].from, s->offset - STEP);
}

static void test_never_too_many(void **state)
{
	struct tn_term_session *s = &((struct kit *)*state)->session;

	/* Of a stream that is kept whole: edits that lie side by side. */
	put(s, 0);
	for (uint64_t at = 8; at < 8 + 3ull * TN_TERM_EDITS_MAX; at++)
		tn_term_session_add_edit(
			s, &(struct tn_output_edit){.from = at, .to = at + 1, .text = TN_STR("x")});
	assert_true(s->edit_count <= TN_TERM_EDITS_MAX);
	assert_true(s->edit_count >= TN_TERM_EDITS_MAX / 2);
	assert_int_equal(s->edits[s->edit_count - 1].to, 8 + 3ull * TN_TERM_EDITS_MAX);
	for (size_t i = 1; i < s->edit_count; i++)
		assert_int_equal(s->edits[i].from, s->edits[i - 1].to);
}

/* Long commands: what is shown in place of their lines has a cap of its own. */
static void test_never_too_long(void **state)
{
	struct tn_term_session *s = &((struct kit *)*state)->session;
	char text[4096];

	memset(text, 'x', sizeof(text));
	put(s, 0);
	for (uint64_t at = 8; at < 8 + 4 * TN_TERM_EDIT_BYTES_MAX / sizeof(text); at++)
		tn_term_session_add_edit(
			s, &(struct tn_output_edit){
				   .from = at, .to = at + 1, .text = tn_str(text, sizeof(text))});
	assert_true(s->edit_bytes <= TN_TERM_EDIT_BYTES_MAX + sizeof(text));
	assert_true(s->edit_bytes >= TN_TERM_EDIT_BYTES_MAX / 2);
	assert_int_equal(s->edit_bytes, s->edit_count * sizeof(text));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_gone_with_the_stream, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_never_too_many, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_never_too_long, set_up, tear_down),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
