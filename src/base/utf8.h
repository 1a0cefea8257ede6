/* utf8.h - strict UTF-8 (RFC 3629): no overlong forms, no surrogates, nothing past U+10FFFF; and
 * what characters do to the text around them.
 * Threads: any. */
#ifndef TN_BASE_UTF8_H
#define TN_BASE_UTF8_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"

#define TN_UTF8_BYTES_MAX 4
#define TN_UTF8_REPLACEMENT 0xFFFDu

bool tn_utf8_valid(const char *data, size_t size);

/* Decodes one character at data[0..size), size > 0. Returns its length, or 0 when the bytes there
 * are not valid UTF-8; *ret_code is then untouched. */
size_t tn_utf8_decode(const char *data, size_t size, uint32_t *ret_code);

/* Writes one character; returns its length. A code that is no scalar value is written as U+FFFD. */
size_t tn_utf8_encode(uint32_t code, char out[TN_UTF8_BYTES_MAX]);

/* The longest prefix of at most `max` bytes that does not cut a character. */
struct tn_str tn_utf8_cut(struct tn_str text, size_t max);

/* What a character does to the text around it, the harmless first. Every question of whether words
 * of others may stand in text of ours is one about a kind and all that follow it. */
enum tn_utf8_look {
	TN_UTF8_SEEN,
	TN_UTF8_FILLER,  /* a blank or a variant that the eye takes for nothing; emoji have them */
	TN_UTF8_NO_SIZE, /* nothing to see: joiners (Persian needs them), soft hyphens, marks */
	TN_UTF8_TURN, /* changes the direction of what is read, or is a tag that only models read */
	TN_UTF8_CONTROL, /* C0, DEL, C1 */
	TN_UTF8_BREAK    /* some reader begins a new line there */
};
enum tn_utf8_look tn_utf8_look(uint32_t code);

/* Makes one line of it, in its place: what any reader takes for a line break, and whatever turns or
 * steers text, becomes blanks. For a sentence of ours that has words of others in it. */
void tn_utf8_one_line(char *text, size_t size);
/* The same, where line feeds and tabs are ours. */
void tn_utf8_own_lines(char *text, size_t size);
/* Appends words of others to a line of ours. */
void tn_utf8_put_line(struct tn_buf *out, struct tn_str text);

#endif
