/* utf8.h - strict UTF-8 (RFC 3629): no overlong forms, no surrogates, nothing past U+10FFFF.
 * Threads: any. */
#ifndef TN_BASE_UTF8_H
#define TN_BASE_UTF8_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/str.h"

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

#endif
