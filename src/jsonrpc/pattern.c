/* A pattern becomes a program for a machine that follows all its ways at once: the set of places it
 * could be in is carried from character to character, so that no text makes it go back. */
#include "jsonrpc/pattern.h"

#include "base/size.h"
#include "base/utf8.h"
#include "jsonrpc/limits.h"
#include "jsonrpc/pattern_program.h"

enum op { OP_CHAR, OP_SET, OP_SPLIT, OP_ASSERT, OP_MATCH };

struct instruction {
	uint8_t op;
	uint8_t assertion;
	uint16_t next, other; /* other: SPLIT only */
	uint16_t set;         /* SET: index */
	uint32_t code;        /* CHAR */
};

struct tn_pattern {
	struct instruction *program;
	const struct tn_char_set **sets;
	size_t size; /* instructions */
	size_t sets_size;
	uint16_t start;
	bool anchored; /* can match at the start of the text only */
};

/* ---- compiling ---- */

struct emitter {
	struct tn_pattern *pattern;
	bool full;
};

/* The program grows backwards: each part is told where the way goes on behind it. */
static uint16_t emit(struct emitter *e, struct instruction instruction)
{
	if (e->pattern->size == TN_PATTERN_STATES_MAX) {
		e->full = true;
		return 0;
	}
	e->pattern->program[e->pattern->size] = instruction;
	return (uint16_t)e->pattern->size++;
}

static uint16_t add_set(struct emitter *e, const struct tn_char_set *set)
{
	struct tn_pattern *pattern = e->pattern;

	/* A repeated class comes here many times in a row. */
	for (size_t i = pattern->sets_size; i > 0 && i + 4 > pattern->sets_size; i--) {
		if (pattern->sets[i - 1] == set)
			return (uint16_t)(i - 1);
	}
	if (pattern->sets_size == TN_PATTERN_STATES_MAX) {
		e->full = true;
		return 0;
	}
	pattern->sets[pattern->sets_size] = set;
	return (uint16_t)pattern->sets_size++;
}

static uint16_t emit_node(struct emitter *e, const struct tn_pattern_node *node, uint16_t next);

static uint16_t emit_choice(struct emitter *e, const struct tn_pattern_node *node, uint16_t next)
{
	uint16_t way = emit_node(e, node, next);

	for (node = node->next; node && !e->full; node = node->next)
		way = emit(e, (struct instruction){.op = OP_SPLIT,
						   .next = way,
						   .other = emit_node(e, node, next)});
	return way;
}

static uint16_t emit_repeat(struct emitter *e, const struct tn_pattern_node *node, uint16_t next)
{
	if (node->max == TN_PATTERN_NO_MAX) {
		uint16_t loop = emit(e, (struct instruction){.op = OP_SPLIT, .other = next});

		e->pattern->program[loop].next = emit_node(e, node->first, loop);
		next = loop;
	} else {
		uint16_t behind = next;

		for (uint32_t i = node->min; i < node->max && !e->full; i++)
			next = emit(e, (struct instruction){.op = OP_SPLIT,
							    .next = emit_node(e, node->first, next),
							    .other = behind});
	}
	for (uint32_t i = 0; i < node->min && !e->full; i++) {
		size_t size = e->pattern->size;

		next = emit_node(e, node->first, next);
		if (e->pattern->size == size)
			break; /* an empty group: (){60000} inside another would never end */
	}
	return next;
}

/* Recursion is bounded by the parser's nesting of groups. */
static uint16_t emit_node(struct emitter *e, const struct tn_pattern_node *node, uint16_t next)
{
	if (e->full)
		return 0;
	switch (node->kind) {
	case TN_PATTERN_CHAR:
		return emit(e,
			    (struct instruction){.op = OP_CHAR, .next = next, .code = node->code});
	case TN_PATTERN_SET:
		return emit(e, (struct instruction){
				       .op = OP_SET, .next = next, .set = add_set(e, node->set)});
	case TN_PATTERN_ASSERT:
		return emit(e, (struct instruction){.op = OP_ASSERT,
						    .next = next,
						    .assertion = (uint8_t)node->assertion});
	case TN_PATTERN_SEQUENCE:
		for (node = node->first; node; node = node->next)
			next = emit_node(e, node, next);
		return next;
	case TN_PATTERN_CHOICE:
		return emit_choice(e, node->first, next);
	case TN_PATTERN_REPEAT:
		return emit_repeat(e, node, next);
	default:
		return next;
	}
}

/* Does every way through the node begin with ^? */
static bool starts_anchored(const struct tn_pattern_node *node)
{
	switch (node->kind) {
	case TN_PATTERN_ASSERT:
		return node->assertion == TN_PATTERN_START;
	case TN_PATTERN_SEQUENCE:
		for (node = node->first; node && node->next;)
			node = node->next;
		return node && starts_anchored(node);
	case TN_PATTERN_CHOICE:
		for (node = node->first; node; node = node->next) {
			if (!starts_anchored(node))
				return false;
		}
		return true;
	default:
		return false;
	}
}

/* Copies what was built in scratch memory to where it stays. */
static bool keep(struct tn_arena *arena, struct tn_pattern *pattern)
{
	size_t sets_size = pattern->sets_size ? pattern->sets_size : 1;
	struct instruction *program = tn_arena_alloc_array(arena, pattern->size, sizeof(*program));
	const struct tn_char_set **sets = tn_arena_alloc_array(arena, sets_size, sizeof(*sets));

	if (!program || !sets)
		return false;
	memcpy(program, pattern->program, pattern->size * sizeof(*program));
	memcpy(sets, pattern->sets, pattern->sets_size * sizeof(*sets));
	pattern->program = program;
	pattern->sets = sets;
	return true;
}

static enum tenon_code build(struct tn_arena *arena, struct tn_arena *scratch,
			     const struct tn_pattern_node *root, struct tn_pattern *pattern,
			     struct tenon_error *err)
{
	struct emitter e = {.pattern = pattern};
	uint16_t match;

	pattern->program =
		tn_arena_alloc_raw(scratch, TN_PATTERN_STATES_MAX * sizeof(*pattern->program));
	pattern->sets = tn_arena_alloc_raw(scratch, TN_PATTERN_STATES_MAX * sizeof(*pattern->sets));
	if (!pattern->program || !pattern->sets)
		return tn_fail(err, TENON_NO_MEMORY, "out of memory");
	match = emit(&e, (struct instruction){.op = OP_MATCH});
	pattern->start = emit_node(&e, root, match);
	pattern->anchored = starts_anchored(root);
	if (e.full)
		return tn_fail(err, TENON_LIMIT,
			       "the pattern is too large; make its repetitions smaller");
	if (!keep(arena, pattern))
		return tn_fail(err, TENON_NO_MEMORY, "out of memory");
	return TENON_OK;
}

enum tenon_code tn_pattern_compile(struct tn_arena *arena, struct tn_str source,
				   const struct tn_pattern **ret, struct tenon_error *err)
{
	struct tn_pattern *pattern = tn_arena_alloc(arena, sizeof(*pattern));
	struct tn_pattern_node *root = NULL;
	struct tn_arena scratch;
	enum tenon_code code;

	if (!pattern)
		return tn_fail(err, TENON_NO_MEMORY, "out of memory");
	if (source.size > TN_PATTERN_STATES_MAX)
		return tn_fail(err, TENON_LIMIT, "the pattern is longer than %d bytes",
			       TN_PATTERN_STATES_MAX);
	tn_arena_init(&scratch, TN_MIB);
	/* The tree's character sets are kept by the pattern: they are built in `arena`. */
	code = tn_pattern_parse(arena, source, &root, err);
	if (code == TENON_OK)
		code = build(arena, &scratch, root, pattern, err);
	if (code == TENON_OK)
		*ret = pattern;
	tn_arena_finish(&scratch);
	return code;
}

/* ---- running ---- */

struct place_list {
	size_t count;
	uint64_t seen[TN_PATTERN_STATES_MAX /
		      64];                      /* only the words of this program are kept clean */
	uint16_t places[TN_PATTERN_STATES_MAX]; /* CHAR and SET instructions */
};

struct machine {
	const struct tn_pattern *pattern;
	struct tn_str text;
	size_t at, length; /* of the character that is due */
	uint32_t code;
	uint64_t steps;
	bool at_start, at_end, word_edge; /* of the position between two characters */
	bool matched;
};

static void clear(const struct tn_pattern *pattern, struct place_list *list)
{
	list->count = 0;
	memset(list->seen, 0, (pattern->size + 63) / 64 * sizeof(list->seen[0]));
}

static bool first_visit(struct place_list *list, uint16_t place)
{
	uint64_t bit = UINT64_C(1) << (place % 64);
	bool first = !(list->seen[place / 64] & bit);

	list->seen[place / 64] |= bit;
	return first;
}

static bool holds(const struct machine *m, uint8_t assertion)
{
	switch ((enum tn_pattern_assertion)assertion) {
	case TN_PATTERN_START:
		return m->at_start;
	case TN_PATTERN_END:
		return m->at_end;
	case TN_PATTERN_WORD_EDGE:
		return m->word_edge;
	case TN_PATTERN_NO_WORD_EDGE:
		return !m->word_edge;
	}
	return false;
}

/* Adds `place` and everything reachable from it without reading a character. A place is pushed once
 * at most, so the stack suffices. */
static void add_place(struct machine *m, struct place_list *list, uint16_t place)
{
	uint16_t stack[TN_PATTERN_STATES_MAX];
	size_t depth = 0;

	if (first_visit(list, place))
		stack[depth++] = place;
	while (depth) {
		const struct instruction *i = &m->pattern->program[place = stack[--depth]];

		m->steps++;
		if (i->op == OP_MATCH) {
			m->matched = true;
		} else if (i->op == OP_SPLIT) {
			if (first_visit(list, i->other))
				stack[depth++] = i->other;
			if (first_visit(list, i->next))
				stack[depth++] = i->next;
		} else if (i->op == OP_ASSERT) {
			if (holds(m, i->assertion) && first_visit(list, i->next))
				stack[depth++] = i->next;
		} else {
			list->places[list->count++] = place;
		}
	}
}

static bool accepts(const struct machine *m, const struct instruction *i, uint32_t code)
{
	return i->op == OP_CHAR ? i->code == code : tn_char_set_has(m->pattern->sets[i->set], code);
}

/* Reads the character at m->at into m->code; m->length is 0 at the end. */
static void look(struct machine *m)
{
	m->length = 0;
	m->code = 0;
	if (m->at >= m->text.size)
		return;
	m->length = tn_utf8_decode(m->text.data + m->at, m->text.size - m->at, &m->code);
	if (m->length == 0) {
		m->length = 1;
		m->code = TN_UTF8_REPLACEMENT;
	}
}

static void begin(struct machine *m, struct place_list *now)
{
	look(m);
	m->at_start = true;
	m->at_end = m->length == 0;
	m->word_edge = m->length && tn_pattern_is_word(m->code);
	clear(m->pattern, now);
	add_place(m, now, m->pattern->start);
}

/* Passes over one character. */
static void advance(struct machine *m, const struct place_list *now, struct place_list *then)
{
	uint32_t read = m->code;

	m->at += m->length;
	look(m);
	m->at_start = false;
	m->at_end = m->length == 0;
	m->word_edge = tn_pattern_is_word(read) != (m->length && tn_pattern_is_word(m->code));
	clear(m->pattern, then);
	for (size_t i = 0; i < now->count && !m->matched; i++) {
		const struct instruction *step = &m->pattern->program[now->places[i]];

		m->steps++;
		if (accepts(m, step, read))
			add_place(m, then, step->next);
	}
	if (!m->pattern->anchored)
		add_place(m, then, m->pattern->start);
}

enum tn_pattern_result tn_pattern_search(const struct tn_pattern *pattern, struct tn_str text,
					 uint64_t *steps)
{
	struct machine m = {.pattern = pattern, .text = text};
	struct place_list lists[2]; /* not zeroed: begin and advance clear what they use */
	unsigned now = 0;

	begin(&m, &lists[now]);
	while (m.length && !m.matched && m.steps < *steps &&
	       (lists[now].count || !pattern->anchored)) {
		advance(&m, &lists[now], &lists[1 - now]);
		now = 1 - now;
	}
	if (m.steps >= *steps) {
		*steps = 0;
		return m.matched ? TN_PATTERN_YES : TN_PATTERN_GAVE_UP;
	}
	*steps -= m.steps;
	return m.matched ? TN_PATTERN_YES : TN_PATTERN_NO;
}
