/* pattern.h - regular expressions of the ECMA-262 kind, matched in linear time.
 *
 * Understood: literals, . classes [a-z] [^...], \d \D \w \W \s \S, \b \B ^ $, groups (plain,
 * (?:...) and named), | and the quantifiers * + ? {n} {n,} {n,m}, also with a lazy ?; \t \n \v \f
 * \r \0 \cX \xHH \uHHHH \u{H}, escaped punctuation. Refused with a sentence: back-references,
 * look-around, \p{...}, and patterns that need more than TN_PATTERN_STATES_MAX states. There is no
 * backtracking: time is at most text length times states (docs/decisions/0001-patterns.md).
 * Characters are Unicode code points. Threads: a compiled pattern never changes. */
#ifndef TN_JSONRPC_PATTERN_H
#define TN_JSONRPC_PATTERN_H

#include "base/arena.h"
#include "base/error.h"

struct tn_pattern;

/* Everything lives in `arena`. Fails: INVALID (not a pattern, or not one we match), LIMIT (states,
 * nesting), NO_MEMORY. */
TN_MUST_USE enum tenon_code tn_pattern_compile(struct tn_arena *arena, struct tn_str source,
					       const struct tn_pattern **ret,
					       struct tenon_error *err);

enum tn_pattern_result { TN_PATTERN_NO, TN_PATTERN_YES, TN_PATTERN_GAVE_UP };

/* Does the pattern match anywhere in the text? *steps is what may still be spent and is lowered by
 * what was; at 0 the answer is GAVE_UP. Allocates nothing; uses 30 KiB of stack. */
enum tn_pattern_result tn_pattern_search(const struct tn_pattern *pattern, struct tn_str text,
					 uint64_t *steps);

#endif
