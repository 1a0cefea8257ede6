#include "apps/terminal/history/internal.h"

#include "apps/terminal/limits.h"
#include "base/limits.h"
#include "base/mem.h"
#include "base/utf8.h"
#include "jsonrpc/json_write.h"

/* Around what is kept of a long output: as long as a secret can be. */
#define CONTEXT_BYTES TN_REDACT_VALUE_BYTES_MAX
/* Texts of an item in which something was replaced. */
#define ITEM_BYTES_MAX (16 * TN_MIB)

static struct tn_history_item *make_item(enum tn_history_kind kind)
{
	struct tn_history_item *item = tn_mem_alloc(sizeof(*item));

	if (!item)
		return NULL;
	item->kind = kind;
	tn_arena_init(&item->arena, ITEM_BYTES_MAX);
	return item;
}

void tn_history_item_free(struct tn_history_item *item)
{
	if (!item)
		return;
	tn_redactor_destroy(item->secrets);
	tn_mem_free(item->texts);
	tn_arena_finish(&item->arena);
	tn_mem_free(item);
}

/* All texts of an item stand in one block: a first walk over them counts, a second one copies. */
struct packer {
	char *at; /* NULL: count */
	size_t size;
};

static void pack_str(struct packer *packer, struct tn_str *text)
{
	if (!text->data)
		return;
	packer->size += text->size + 1;
	if (!packer->at)
		return;
	if (text->size)
		memcpy(packer->at, text->data, text->size);
	packer->at[text->size] = '\0';
	text->data = packer->at;
	packer->at += text->size + 1;
}

static void pack_text(struct packer *packer, const char **text)
{
	struct tn_str slice = tn_str_from(*text);

	pack_str(packer, &slice);
	*text = slice.data;
}

static void pack_all(struct tn_history_item *item, struct packer *packer)
{
	struct tn_history_session *session = &item->session;
	struct tn_history_command *command = &item->command;
	struct tn_history_event *event = &item->event;
	const char **texts[] = {
		&session->id,     &session->name,     &session->project_id, &session->shell,
		&session->owner,  &session->signal,   &command->id,         &command->session_id,
		&command->caller, &command->signal,   &command->status,     &command->completion,
		&event->kind,     &event->session_id, &event->command_id,   &event->principal,
		&event->detail,
	};

	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++)
		pack_text(packer, texts[i]);
	pack_str(packer, &command->text);
	pack_str(packer, &command->cwd);
	pack_str(packer, &command->cwd_after);
	pack_str(packer, &command->output);
	pack_str(packer, &item->tail);
}

/* What could not be copied is not recorded: NULL. */
static struct tn_history_item *keep_item(struct tn_history_item *item,
					 const struct tn_redactor *secrets)
{
	struct packer packer = {0};

	if (secrets)
		item->secrets = tn_redactor_fork(secrets);
	pack_all(item, &packer);
	item->texts = tn_mem_alloc(packer.size ? packer.size : 1);
	if (!item->texts || (secrets && !item->secrets)) {
		tn_history_item_free(item);
		return NULL;
	}
	item->bytes = sizeof(*item) + packer.size;
	packer.at = item->texts;
	pack_all(item, &packer);
	return item;
}

struct tn_history_item *tn_history_item_session(const struct tn_history_session *session)
{
	struct tn_history_item *item = make_item(TN_HISTORY_SESSION);

	if (!item)
		return NULL;
	item->session = *session;
	return keep_item(item, NULL);
}

struct tn_history_item *tn_history_item_event(const struct tn_history_event *event, int64_t now_ms)
{
	struct tn_history_item *item = make_item(TN_HISTORY_EVENT);

	if (!item)
		return NULL;
	item->event = *event;
	item->event.secrets = NULL;
	item->now_ms = now_ms;
	return keep_item(item, event->secrets);
}

static uint64_t count_lines(struct tn_str text)
{
	uint64_t lines = 0;

	for (size_t at; (at = tn_str_find_byte(text, '\n')) != TN_STR_NONE; lines++)
		text = tn_str_from_offset(text, at + 1);
	return lines;
}

/* The last place at or before `at` where a line begins; a character when the line is a long one. */
static size_t border_before(struct tn_str text, size_t at)
{
	enum { NEAR = 4096 };
	size_t least = at > NEAR ? at - NEAR : 0;

	for (size_t i = at; i > least; i--) {
		if (text.data[i - 1] == '\n')
			return i;
	}
	while (at > 0 && at < text.size && ((unsigned char)text.data[at] & 0xC0) == 0x80)
		at--;
	return at;
}

/* Which bytes of the output are copied, and which of these are kept: the rest is there so that a
 * secret over a border is found. */
static void cut_output(struct tn_history_item *item, const struct tn_history_command *command)
{
	struct tn_str whole = command->output, tail = command->output_tail;
	size_t head_end, from, tail_begin = 0;

	item->head_size = whole.size;
	if (!tail.data && whole.size <= 2 * TN_HISTORY_OUTPUT_BYTES)
		return;
	head_end = whole.size < TN_HISTORY_OUTPUT_BYTES ? whole.size : TN_HISTORY_OUTPUT_BYTES;
	head_end = head_end < whole.size ? border_before(whole, head_end) : head_end;
	if (tail.data)
		item->tail_line = command->tail_line;
	else
		tail = whole;
	if (tail.size > TN_HISTORY_OUTPUT_BYTES)
		tail_begin = border_before(tail, tail.size - TN_HISTORY_OUTPUT_BYTES);
	from = tail_begin > CONTEXT_BYTES ? tail_begin - CONTEXT_BYTES : 0;
	item->tail_line += count_lines(tn_str(tail.data, tail_begin));
	item->tail = tn_str(tail.data + from, tail.size - from);
	item->tail_begin = tail_begin - from;
	item->head_size = head_end;
	if (whole.size - head_end > CONTEXT_BYTES)
		whole.size = head_end + CONTEXT_BYTES;
	item->command.output = whole;
}

struct tn_history_item *tn_history_item_command(const struct tn_history_command *command,
						bool with_output)
{
	struct tn_history_item *item = make_item(TN_HISTORY_COMMAND);

	if (!item)
		return NULL;
	item->command = *command;
	item->command.secrets = NULL;
	item->command.output_tail = tn_str(NULL, 0);
	if (with_output)
		cut_output(item, command);
	else
		item->command.output = tn_str(NULL, 0);
	return keep_item(item, command->secrets);
}
/* ---- secrets ---- */

static bool clean_part(struct tn_history_item *item, const struct tn_redactor *redactor,
		       struct tn_str *text, size_t begin, size_t end)
{
	struct tn_str part;
	struct tn_buf out;
	bool whole;

	if (!text->data)
		return true;
	part = tn_str(text->data + begin, end - begin);
	tn_buf_init(&out, TN_RESULT_BYTES_MAX);
	tn_redact_both(redactor, item->secrets, TN_REDACT_ALL, *text, begin, end, &out,
		       &item->redactions);
	whole = !out.failed;
	if (whole && tn_str_equal(part, tn_buf_str(&out))) {
		*text = part; /* as nearly always */
	} else if (whole) {
		text->data = tn_arena_copy(&item->arena, tn_buf_str(&out));
		text->size = out.size;
		whole = text->data != NULL;
	}
	tn_buf_finish(&out);
	return whole;
}

static void put_clean(struct tn_history_item *item, const struct tn_redactor *redactor,
		      const struct tn_json *value, struct tn_buf *out)
{
	struct tn_str text;

	if (value->type == TN_JSON_OBJECT || value->type == TN_JSON_ARRAY) {
		bool object = value->type == TN_JSON_OBJECT;

		(object ? tn_json_begin_object : tn_json_begin_array)(out);
		for (const struct tn_json *at = value->count ? value->first : NULL; at;
		     at = at->next) {
			if (object)
				tn_json_put_key_str(out, at->key);
			put_clean(item, redactor, at, out);
		}
		(object ? tn_json_end_object : tn_json_end_array)(out);
	} else if (tn_json_to_str(value, &text)) {
		struct tn_buf clean;

		tn_buf_init(&clean, TN_RESULT_BYTES_MAX);
		tn_redact_both(redactor, item->secrets, TN_REDACT_ALL, text, 0, text.size, &clean,
			       &item->redactions);
		tn_json_put_str(out, tn_buf_str(&clean));
		tn_buf_inherit_failure(out, &clean);
		tn_buf_finish(&clean);
	} else {
		tn_json_put_value(out, value);
	}
}

/* Each text of the object by itself: what looks like a secret over a quote would break it. */
static bool clean_detail(struct tn_history_item *item, const struct tn_redactor *redactor)
{
	struct tn_arena arena;
	struct tn_json *tree = NULL;
	struct tn_buf out;
	char *copy;

	if (!item->event.detail)
		return true;
	tn_arena_init(&arena, ITEM_BYTES_MAX);
	tn_buf_init(&out, TN_RESULT_BYTES_MAX);
	copy = tn_arena_copy(&arena, tn_str_from(item->event.detail));
	if (copy && tn_json_parse(&arena, copy, strlen(copy), &tree, NULL) == TENON_OK)
		put_clean(item, redactor, tree, &out);
	else
		tn_buf_append_text(&out, "{}"); /* no JSON: nobody knows what stands in it */
	item->event.detail = out.failed ? NULL : tn_arena_copy(&item->arena, tn_buf_str(&out));
	tn_buf_finish(&out);
	tn_arena_finish(&arena);
	return item->event.detail != NULL;
}

bool tn_history_item_clean(struct tn_history_item *item, const struct tn_redactor *redactor)
{
	struct tn_history_command *command = &item->command;
	bool whole = true;

	if (item->seen)
		return item->clean;
	item->seen = true;
	if (item->kind == TN_HISTORY_COMMAND)
		whole = clean_part(item, redactor, &command->text, 0, command->text.size) &&
			clean_part(item, redactor, &command->cwd, 0, command->cwd.size) &&
			clean_part(item, redactor, &command->cwd_after, 0,
				   command->cwd_after.size) &&
			clean_part(item, redactor, &command->output, 0, item->head_size) &&
			clean_part(item, redactor, &item->tail, item->tail_begin, item->tail.size);
	else if (item->kind == TN_HISTORY_EVENT)
		whole = clean_detail(item, redactor);
	item->clean = whole;
	return whole;
}
