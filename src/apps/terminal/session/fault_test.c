/* What callers are told of a fault: the code that they can branch on, and none where it is ours. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "apps/terminal/session/session.h"

static void nothing_of_an_older_fault_stays(void **state)
{
	struct tn_term_fault fault;

	(void)state;
	memset(&fault, 'x', sizeof(fault));
	tn_term_fault(&fault, "busy", NULL, "%s is in front", "vi");
	assert_string_equal(fault.code, "busy");
	assert_string_equal(fault.message, "vi is in front");
	assert_string_equal(fault.hint, "");
	assert_string_equal(fault.data, "");
	tn_term_fault(&fault, NULL, "Send less.", "no");
	assert_null(fault.code);
	assert_string_equal(fault.hint, "Send less.");
}

static void a_long_sentence_is_cut_and_ends(void **state)
{
	struct tn_term_fault fault;
	char text[2048];

	(void)state;
	memset(text, 'a', sizeof(text) - 1);
	text[sizeof(text) - 1] = '\0';
	tn_term_fault(&fault, "busy", text, "%s", text);
	assert_int_equal(strlen(fault.message), sizeof(fault.message) - 1);
	assert_int_equal(strlen(fault.hint), sizeof(fault.hint) - 1);
}

/* No caller can mend what the server lacks: such a fault has no code of the domain. */
static void our_own_faults_have_no_code(void **state)
{
	static const enum tenon_code ours[] = {TENON_NO_MEMORY, TENON_SYSTEM, TENON_INTERNAL},
				     theirs[] = {TENON_INVALID, TENON_NOT_FOUND, TENON_DENIED,
						 TENON_LIMIT};
	const struct tenon_error err = {.message = "a sentence"};
	struct tn_term_fault fault;

	(void)state;
	for (size_t i = 0; i < TN_COUNT(ours); i++) {
		tn_term_fault_from(&fault, ours[i], &err, "spawn_failed");
		assert_null(fault.code);
		assert_string_equal(fault.message, "a sentence");
		tn_term_fault_from_directory(&fault, ours[i], &err);
		assert_null(fault.code);
	}
	for (size_t i = 0; i < TN_COUNT(theirs); i++) {
		tn_term_fault_from(&fault, theirs[i], &err, "spawn_failed");
		assert_string_equal(fault.code, "spawn_failed");
	}
}

static void a_directory_is_missing_forbidden_or_none(void **state)
{
	const struct tenon_error err = {.message = "/nowhere is not there"};
	struct tn_term_fault fault;

	(void)state;
	tn_term_fault_from_directory(&fault, TENON_NOT_FOUND, &err);
	assert_string_equal(fault.code, "cwd_not_found");
	assert_string_equal(fault.message, "cwd: /nowhere is not there");
	assert_non_null(strstr(fault.hint, "cwd"));
	tn_term_fault_from_directory(&fault, TENON_DENIED, &err);
	assert_string_equal(fault.code, "cwd_not_allowed");
	tn_term_fault_from_directory(&fault, TENON_INVALID, &err);
	assert_string_equal(fault.code, "cwd_not_directory");
}

static void a_program_that_never_was_says_why(void **state)
{
	struct tn_term_session s = {.sandbox_failed = true};
	struct tn_term_fault fault;

	(void)state;
	tn_term_fault_not_started(&fault, &s);
	assert_string_equal(fault.code, "sandbox_unavailable");
	assert_non_null(strstr(fault.message, "not known"));
	s.sandbox_failed = false;
	s.directory_failed = true;
	tn_term_fault_not_started(&fault, &s);
	assert_string_equal(fault.code, "cwd_not_found");
	s.directory_failed = false;
	tn_term_fault_not_started(&fault, &s);
	assert_string_equal(fault.code, "spawn_failed");
	s.closing = true;
	tn_term_fault_not_started(&fault, &s);
	assert_string_equal(fault.code, "session_closed");
	s.inputs_changed = true; /* whatever else: nothing was run that was not judged */
	tn_term_fault_not_started(&fault, &s);
	assert_string_equal(fault.code, "changed");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(nothing_of_an_older_fault_stays),
		cmocka_unit_test(a_long_sentence_is_cut_and_ends),
		cmocka_unit_test(our_own_faults_have_no_code),
		cmocka_unit_test(a_directory_is_missing_forbidden_or_none),
		cmocka_unit_test(a_program_that_never_was_says_why),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
