/* The corpus's own notation, and its changes as JSON plans. */
#include "apps/plan/explain/corpus_test.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "apps/plan/read/reading_kit.h"
#include "base/size.h"

static const struct tn_str mark = {"~json", 5};

bool corpus_is_document(struct tn_str key)
{
	return tn_str_ends(key, mark);
}

struct tn_str corpus_plain_key(struct tn_str key)
{
	return corpus_is_document(key) ? tn_str(key.data, key.size - mark.size) : key;
}

/* ---- JSON ---- */

/* Documents become strings. They stand at the top only. */
static void put_side(struct tn_buf *out, const char *name, const struct tn_json *value)
{
	tn_json_put_key(out, name);
	if (!value) {
		tn_json_put_null(out);
		return;
	}
	tn_json_begin_object(out);
	for (const struct tn_json *child = value->count ? value->first : NULL; child;
	     child = child->next) {
		struct tn_buf text;

		tn_json_put_key_str(out, corpus_plain_key(child->key));
		if (!corpus_is_document(child->key)) {
			tn_json_put_value(out, child);
			continue;
		}
		tn_buf_init(&text, TN_MIB);
		tn_json_put_value(&text, child);
		tn_json_put_str(out, tn_buf_str(&text));
		tn_buf_finish(&text);
	}
	tn_json_end_object(out);
}

static const char *action_words(struct tn_str action)
{
	static const char *const words[][2] = {
		{"create", "[\"create\"]"},
		{"update", "[\"update\"]"},
		{"delete", "[\"delete\"]"},
		{"replace", "[\"delete\",\"create\"]"},
		{"replace_create_first", "[\"create\",\"delete\"]"},
	};

	for (size_t i = 0; i < TN_COUNT(words); i++)
		if (tn_str_is(action, words[i][0]))
			return words[i][1];
	fail_msg("%.*s is no action", (int)action.size, action.data);
	return "";
}

void corpus_put_json(struct tn_buf *out, const struct corpus_change *change)
{
	tn_buf_format(out,
		      "{\"format_version\":\"1.2\",\"resource_changes\":[{\"address\":\"%.*s.a\","
		      "\"mode\":\"managed\",\"type\":\"%.*s\",\"name\":\"a\",\"change\":{"
		      "\"actions\":%s",
		      (int)change->type.size, change->type.data, (int)change->type.size,
		      change->type.data, action_words(change->action));
	put_side(out, "before", change->before);
	put_side(out, "after", change->after);
	tn_json_put_key(out, "after_unknown");
	tn_json_put_value(out, change->unknown);
	if (change->forced) {
		tn_json_put_key(out, "replace_paths");
		tn_json_put_value(out, change->forced);
	}
	tn_buf_append_text(out, "}}]}");
}

/* ---- the notation ---- */

static struct tn_str next_part(struct tn_str *rest, const char *separator)
{
	size_t at = tn_str_find(*rest, tn_str_from(separator));
	struct tn_str part = tn_str(rest->data, at == TN_STR_NONE ? rest->size : at);

	*rest = at == TN_STR_NONE ? tn_str("", 0)
				  : tn_str_from_offset(*rest, at + tn_str_from(separator).size);
	return tn_str_trim(part);
}

static const struct tn_json *read_json(struct tn_arena *arena, struct tn_str text)
{
	struct tenon_error err;
	struct tn_json *value;

	if (tn_json_parse_copy(arena, text, &value, &err) != TENON_OK)
		fail_msg("%s: %.*s", err.message, (int)text.size, text.data);
	return value;
}

static void read_line(struct corpus_change *change, struct tn_arena *arena, struct tn_str line)
{
	struct tn_str rest = tn_str_from_offset(line, 2);

	switch (line.data[0]) {
	case '!':
	case '.':
		change->dangerous = line.data[0] == '!';
		change->name = next_part(&rest, " | ");
		change->type = next_part(&rest, " | ");
		change->action = next_part(&rest, " | ");
		break;
	case '-':
		change->before = read_json(arena, rest);
		break;
	case '+':
		change->after = read_json(arena, rest);
		break;
	case '?':
		change->unknown = read_json(arena, rest);
		break;
	case '*':
		change->forced = read_json(arena, rest);
		break;
	case '=':
		rest = tn_str_from_offset(line, line.data[1] == ' ' ? 2 : 3);
		if (line.data[1] != 't')
			change->json_words = rest;
		if (line.data[1] != 'j')
			change->text_words = rest;
		break;
	default:
		fail_msg("not a line of the corpus: %.*s", (int)line.size, line.data);
	}
}

void corpus_for_each(const char *file,
		     void (*take)(const struct corpus_change *change, void *context), void *context)
{
	struct tn_buf text;
	struct tn_arena arena;
	struct corpus_change change = {.dangerous = false};
	struct tn_str rest;

	tn_arena_init(&arena, TN_MIB);
	text = test_load(file);
	rest = tn_buf_str(&text);
	while (rest.size > 0) {
		struct tn_str line = next_part(&rest, "\n");

		if (line.size > 1 && line.data[0] != '#')
			read_line(&change, &arena, line);
		if ((line.size == 0 || rest.size == 0) && change.name.size) {
			take(&change, context);
			change = (struct corpus_change){.dangerous = false};
			tn_arena_reset(&arena);
		}
	}
	tn_buf_finish(&text);
	tn_arena_finish(&arena);
}
