/* The audit's chain: every change of a line that was written is found, whatever it is. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>

#include <cmocka.h>

#include "base/buf.h"
#include "base/size.h"
#include "host/record/audit_chain.h"

enum { LINES = 12 };

/* As audit_file.c writes them. */
static void put_entry(struct tn_buf *text, unsigned number, char head[TN_DIGEST_HEX_SIZE])
{
	size_t start = text->size;

	tn_buf_format(text, "{\"time\":\"2026-01-01T00:00:%02uZ\",\"client\":\"c\",\"tool\":\"t\"",
		      number);
	if (head[0])
		tn_buf_format(text, ",\"prev\":\"%s\"}", head);
	else
		tn_buf_append_text(text, ",\"prev\":null}");
	tn_digest_hex(tn_str_from_offset(tn_buf_str(text), start), head);
	tn_buf_append_byte(text, '\n');
}

static struct tn_buf make(char head[TN_DIGEST_HEX_SIZE])
{
	struct tn_buf text;

	tn_buf_init(&text, TN_MIB);
	head[0] = '\0';
	for (unsigned i = 0; i < LINES; i++)
		put_entry(&text, i, head);
	return text;
}

static void an_untouched_chain_holds(void **state)
{
	char head[TN_DIGEST_HEX_SIZE];
	struct tn_buf text = make(head);
	struct tn_audit_chain chain = {.wanted = {head}};

	(void)state;
	tn_audit_chain_feed(&chain, tn_buf_str(&text));
	assert_int_equal(chain.entries, LINES);
	assert_int_equal(chain.breaks, 0);
	assert_int_equal(chain.damaged, 0);
	assert_string_equal(chain.head, head);
	assert_int_equal(chain.wanted_line[0], LINES);
	tn_buf_finish(&text);
}

/* Any byte of any line: the line after it no longer follows, it is no entry any more, or, of the
 * last line, the head is another one. */
static void every_changed_byte_is_found(void **state)
{
	char head[TN_DIGEST_HEX_SIZE];
	struct tn_buf text = make(head);

	(void)state;
	for (size_t i = 0; i < text.size; i++) {
		struct tn_audit_chain chain = {0};
		char was = text.data[i];

		text.data[i] = was == '0' ? '1' : '0';
		tn_audit_chain_feed(&chain, tn_buf_str(&text));
		if (!chain.breaks && !chain.damaged && strcmp(chain.head, head) == 0)
			fail_msg("byte %zu (%c) may be changed", i, was);
		text.data[i] = was;
	}
	tn_buf_finish(&text);
}

static struct tn_str line_of(struct tn_str text, unsigned number)
{
	while (number--)
		text = tn_str_from_offset(text, tn_str_find_byte(text, '\n') + 1);
	return tn_str(text.data, tn_str_find_byte(text, '\n') + 1);
}

/* Lines without `skip`, with `twice` twice, `swap` and its follower changed about; LINES: none. */
static struct tn_audit_chain rearranged(struct tn_str text, unsigned skip, unsigned twice,
					unsigned swap)
{
	struct tn_audit_chain chain = {0};

	for (unsigned i = 0; i < LINES; i++) {
		unsigned at = i == swap ? i + 1 : i == swap + 1 && swap < LINES ? i - 1 : i;

		if (i == skip)
			continue;
		tn_audit_chain_feed(&chain, line_of(text, at));
		if (i == twice)
			tn_audit_chain_feed(&chain, line_of(text, at));
	}
	return chain;
}

static void removed_repeated_and_moved_lines_are_found(void **state)
{
	char head[TN_DIGEST_HEX_SIZE];
	struct tn_buf text = make(head);
	struct tn_str all = tn_buf_str(&text);

	(void)state;
	for (unsigned i = 1; i + 1 < LINES; i++) {
		assert_int_equal(rearranged(all, i, LINES, LINES).break_line, i + 1);
		assert_int_equal(rearranged(all, LINES, i, LINES).break_line, i + 2);
		assert_int_equal(rearranged(all, LINES, LINES, i).break_line, i + 1);
	}
	/* The beginning may stand in a file that is no longer kept; the end shows by its head. */
	assert_int_equal(rearranged(all, 0, LINES, LINES).breaks, 0);
	assert_string_not_equal(rearranged(all, LINES - 1, LINES, LINES).head, head);
	tn_buf_finish(&text);
}

/* A writer that was killed leaves half a line; the chain goes on behind it. */
static void half_a_line_is_told_apart(void **state)
{
	char head[TN_DIGEST_HEX_SIZE];
	struct tn_buf text = make(head);
	struct tn_audit_chain chain = {0};

	(void)state;
	tn_buf_append_text(&text, "{\"time\":\"2026-01-0\n");
	put_entry(&text, 50, head);
	tn_audit_chain_feed(&chain, tn_buf_str(&text));
	assert_int_equal(chain.damaged, 1);
	assert_int_equal(chain.breaks, 0);
	tn_buf_finish(&text);
}

static void lines_from_before_the_chain_belong_to_it(void **state)
{
	static const char old[] =
		"{\"time\":\"1\",\"tool\":\"a\"}\n{\"time\":\"2\",\"tool\":\"b\"}";
	static const char line[] = "{\"time\":\"2\",\"tool\":\"b\"}";
	struct tn_audit_chain chain = {0};
	char head[TN_DIGEST_HEX_SIZE];
	struct tn_buf text;

	(void)state;
	tn_buf_init(&text, TN_MIB);
	tn_buf_append_text(&text, old);
	tn_buf_append_byte(&text, '\n');
	tn_digest_hex(TN_STR(line), head);
	put_entry(&text, 1, head);
	put_entry(&text, 2, head);
	tn_audit_chain_feed(&chain, tn_buf_str(&text));
	assert_int_equal(chain.entries, 4);
	assert_int_equal(chain.breaks, 0);
	/* But none may come behind one that has its place. */
	tn_audit_chain_feed(&chain, TN_STR(line));
	assert_int_equal(chain.break_line, 5);
	tn_buf_finish(&text);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_untouched_chain_holds),
		cmocka_unit_test(every_changed_byte_is_found),
		cmocka_unit_test(removed_repeated_and_moved_lines_are_found),
		cmocka_unit_test(half_a_line_is_told_apart),
		cmocka_unit_test(lines_from_before_the_chain_belong_to_it),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
