/* vt_parser.h - bytes to what they mean to a terminal: text, controls, escape sequences.
 *
 * The state machine of DEC's later terminals (VT500 series) over UTF-8, split anywhere. Nothing is
 * collected but what fits: parameters, and the beginning of an OSC. Other strings (DCS, APC, PM,
 * SOS) are swallowed. Threads: one at a time. Ownership: the caller's, all inline. */
#ifndef TN_TERM_VT_PARSER_H
#define TN_TERM_VT_PARSER_H

#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/str.h"

enum {
	TN_VT_PARAMETERS_MAX = 32,
	TN_VT_VALUE_MAX = 65535, /* larger ones count as this */
	TN_VT_OSC_MAX = 1024     /* bytes of an OSC that are looked at */
};

/* A control sequence. Values: -1 where none was given. */
struct tn_vt_sequence {
	int32_t values[TN_VT_PARAMETERS_MAX];
	uint32_t colons;   /* bit i: value i stands after a colon, not a semicolon */
	uint16_t count;    /* at least 1 when it is dispatched */
	bool full;         /* there were more */
	char marker;       /* one of "<=>?", or 0 */
	char intermediate; /* or 0 */
	uint8_t more;      /* intermediates besides that one: nothing we know has any */
	char final;
};

struct tn_vt_sink {
	void (*text)(struct tn_str ascii, void *data);   /* 0x20 to 0x7E */
	void (*code)(uint32_t code, void *data);         /* U+00A0 and up */
	void (*control)(unsigned char code, void *data); /* C0 */
	void (*escape)(char intermediate, char final, void *data);
	void (*csi)(const struct tn_vt_sequence *sequence, void *data);
	void (*osc)(struct tn_str text, void *data);
	void *data;
};

struct tn_vt_parser {
	uint8_t state;
	bool no_c1_strings; /* text in a wrong encoding has such characters: they swallow none */
	struct tn_vt_sequence sequence;
	uint16_t osc_size;
	uint8_t utf8_size;   /* bytes of an unfinished character */
	uint8_t utf8_length; /* that it will have */
	char utf8[4];
	char osc[TN_VT_OSC_MAX];
};

void tn_vt_init(struct tn_vt_parser *parser);
void tn_vt_feed(struct tn_vt_parser *parser, struct tn_str bytes, const struct tn_vt_sink *sink);
bool tn_vt_is_ground(const struct tn_vt_parser *parser); /* nothing is unfinished */
/* The sequence as bytes. */
void tn_vt_put_csi(const struct tn_vt_sequence *sequence, struct tn_buf *out);
/* Bytes that bring a new parser to this state. */
void tn_vt_put_state(const struct tn_vt_parser *parser, struct tn_buf *out);

#endif
