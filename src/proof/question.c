#include "proof/question.h"

#include "base/utf8.h"
#include "jsonrpc/json.h"
#include "proof/limits.h"

static enum tenon_code text_of(const struct tn_json *tree, const char *name, struct tn_arena *arena,
			       const char **ret, struct tenon_error *err)
{
	struct tn_str text;

	if (!tn_json_to_str(tn_json_get(tree, name), &text) ||
	    tn_str_find_byte(text, '\0') != TN_STR_NONE)
		return tn_fail(err, TENON_INVALID, "the question has no %s", name);
	*ret = tn_arena_copy(arena, text);
	return *ret ? TENON_OK : tn_fail(err, TENON_NO_MEMORY, "out of memory");
}

static enum tenon_code understand(struct tn_str text, struct tn_arena *arena,
				  struct tn_proof_question *ret, struct tenon_error *err)
{
	const struct {
		const char *name, **value;
	} members[] = {{"kind", &ret->kind},     {"keys", &ret->keys},
		       {"nonce", &ret->nonce},   {"summary", &ret->summary},
		       {"detail", &ret->detail}, {"client", &ret->client},
		       {"digest", &ret->digest}};
	struct tn_json *tree = NULL;
	enum tenon_code code = tn_json_parse_copy(arena, text, &tree, err);

	for (size_t i = 0; i < sizeof(members) / sizeof(members[0]) && code == TENON_OK; i++)
		code = text_of(tree, members[i].name, arena, members[i].value, err);
	if (code != TENON_OK)
		return code;
	if (!tn_json_to_int(tn_json_get(tree, "process"), &ret->process) ||
	    !tn_json_to_int(tn_json_get(tree, "started"), &ret->started))
		ret->process = ret->started = 0;
	return TENON_OK;
}

enum tenon_code tn_proof_question_read(int fd, struct tn_arena *arena,
				       struct tn_proof_question *ret, struct tenon_error *err)
{
	struct tn_buf text;
	enum tenon_code code;

	*ret = (struct tn_proof_question){.process = 0};
	tn_buf_init(&text, TN_MIB);
	code = tn_buf_read_all(&text, fd, err);
	if (code == TENON_OK)
		code = understand(tn_buf_str(&text), arena, ret, err);
	tn_buf_finish(&text);
	return code;
}

/* ---- showing ---- */

static void put_shown(struct tn_buf *out, const char *text)
{
	for (; *text; text++) {
		switch (*text) {
		case '<':
			tn_buf_append_text(out, "\xE2\x80\xB9"); /* U+2039 */
			break;
		case '>':
			tn_buf_append_text(out, "\xE2\x80\xBA"); /* U+203A */
			break;
		case '&':
			tn_buf_append_text(out, "\xEF\xBC\x86"); /* U+FF06 */
			break;
		case '$':
			tn_buf_append_text(out, "\xEF\xBC\x84"); /* U+FF04 */
			break;
		default:
			tn_buf_append_byte(out, *text);
		}
	}
}

/* Between characters. */
static size_t cut(const struct tn_buf *text, size_t most)
{
	if (text->size <= most)
		return text->size;
	while (most > 0 && ((unsigned char)text->data[most] & 0xC0) == 0x80)
		most--;
	return most;
}

void tn_proof_question_show(const struct tn_proof_question *q, struct tn_buf *out)
{
	struct tn_buf text;
	size_t size;

	tn_buf_init(&text, TN_MIB);
	put_shown(&text, q->summary);
	if (q->detail[0]) {
		tn_buf_append_byte(&text, '\n');
		put_shown(&text, q->detail);
	}
	size = cut(&text, TN_PROOF_TEXT_MAX);
	tn_buf_append(out, text.data, size);
	if (size < text.size)
		tn_buf_append_text(out, " [... cut; Tenon shows all of it]");
	tn_buf_append_text(out, "\n(for ");
	put_shown(out, q->client);
	if (q->digest[0])
		tn_buf_format(out, "; digest %.16s", q->digest);
	tn_buf_append_byte(out, ')');
	tn_buf_inherit_failure(out, &text);
	tn_buf_finish(&text);
}
