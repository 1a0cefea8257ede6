/* The way on behind a fault (floorplan.md 5.2). */
#include "apps/floorplan/language/parser.h"

bool tn_parse_at_statement(const struct tn_floor_parser *p)
{
	static const enum tn_floor_word words[] = {
		TN_WORD_floor,   TN_WORD_room,     TN_WORD_sub_room, TN_WORD_stair, TN_WORD_lift,
		TN_WORD_connect, TN_WORD_vertical, TN_WORD_define,   TN_WORD_config};

	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
		if (tn_parse_is_word(p, words[i]))
			return true;
	}
	return tn_parse_is_word(p, TN_WORD_style) && !tn_parse_is_style_clause(p);
}

static int depth_change(const struct tn_floor_token *token)
{
	if (token->kind != TN_FLOOR_PUNCT)
		return 0;
	if (token->word == '{' || token->word == '[')
		return 1;
	return token->word == '}' || token->word == ']' ? -1 : 0;
}

void tn_parse_recover(struct tn_floor_parser *p, uint32_t first, char closing)
{
	int depth = 0; /* of what the element has opened and not closed */

	for (uint32_t i = first; i < p->at; i++)
		depth += depth_change(&p->lexed.tokens[i]);
	if (p->at == first)
		tn_parse_next(p); /* its own word */
	while (tn_parse_here(p)->kind != TN_FLOOR_END && !tn_parse_at_statement(p)) {
		if (depth <= 0 && closing && tn_parse_is_sign(p, closing))
			return;
		depth += depth_change(tn_parse_here(p));
		tn_parse_next(p);
	}
}
