/* The place in a page (workbench.md S16): right behind <head>, or behind the doctype. */
#include "gateway/inject.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

static const char *const cases[][2] = {
	{"<!doctype html><html lang=\"a>b\"><head data-x='>'><title>t</title>",
	 "<!doctype html><html lang=\"a>b\"><head data-x='>'>#<title>t</title>"},
	{"<HTML><HEAD><p>", "<HTML><HEAD>#<p>"},
	{"\xEF\xBB\xBF <!-- <head> --> <!DOCTYPE html>\n<head>x",
	 "\xEF\xBB\xBF <!-- <head> --> <!DOCTYPE html>\n<head>#x"},
	{"<!doctype html><p>no head of its own</p>", "<!doctype html>#<p>no head of its own</p>"},
	{"<!doctype html><html><body><head>", "<!doctype html>#<html><body><head>"},
	{"<header>is no head</header>", "#<header>is no head</header>"},
	{"just text with <head>", "#just text with <head>"},
	{"", "#"},
	{"<p>", "#<p>"},
	{"<!doctype html>", "<!doctype html>#"},
	/* Comments end where a browser says so; what begins with "<?" is one. */
	{"<!--><head><script>'--><head>'</script>", "<!--><head>#<script>'--><head>'</script>"},
	{"<!---><head><p>--><head>", "<!---><head>#<p>--><head>"},
	{"<!--!><head>--><head>", "<!--!><head>--><head>#"},
	{"<!-- a --!><head>--><head>", "<!-- a --!><head>#--><head>"},
	{"<?xml version='1.0'?><!doctype html><head>",
	 "<?xml version='1.0'?><!doctype html><head>#"},
	{"<?xml '><!doctype html><p>", "<?xml '><!doctype html>#<p>"},
	/* UTF-16: it would be no page any more. */
	{"\xFF\xFE<!-", "\xFF\xFE<!-"},
	{"\xFE\xFF!<", "\xFE\xFF!<"},
	{"\xFF", "#\xFF"},
	{"<!doctype html><head class=\"never ends", "<!doctype html>#<head class=\"never ends"},
};

static void it_goes_to_its_place_whatever_pieces_come(void **none)
{
	(void)none;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		for (size_t piece = 1; piece < 80; piece += 3) {
			struct tn_str left = tn_str_from(cases[i][0]);
			struct tn_inject inject;
			struct tn_buf out;

			tn_inject_init(&inject);
			tn_buf_init(&out, TN_MIB);
			do {
				size_t size = left.size < piece ? left.size : piece;

				tn_inject_feed(&inject, tn_str(left.data, size), size == left.size,
					       TN_STR("#"), &out);
				left = tn_str_from_offset(left, size);
			} while (left.size);
			tn_buf_append_byte(&out, '\0');
			assert_string_equal(out.data, cases[i][1]);
			tn_buf_finish(&out);
			tn_inject_finish(&inject);
		}
	}
}

static void a_page_that_never_begins_is_not_held_for_ever(void **none)
{
	struct tn_inject inject;
	struct tn_buf out;

	(void)none;
	tn_inject_init(&inject);
	tn_buf_init(&out, TN_MIB);
	for (int i = 0; i < 70 && !out.size; i++) {
		char blanks[1024];

		memset(blanks, ' ', sizeof(blanks));
		tn_inject_feed(&inject, tn_str(blanks, sizeof(blanks)), false, TN_STR("#"), &out);
	}
	assert_true(out.size > 1024);
	assert_int_equal(out.data[0], '#');
	tn_buf_finish(&out);
	tn_inject_finish(&inject);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(it_goes_to_its_place_whatever_pieces_come),
		cmocka_unit_test(a_page_that_never_begins_is_not_held_for_ever),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
