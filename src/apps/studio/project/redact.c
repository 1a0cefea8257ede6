#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "apps/studio/document/config.h"
#include "apps/studio/limits.h"
#include "apps/studio/project/internal.h"
#include "base/base64.h"
#include "base/mem.h"
#include "base/size.h"
#include "jsonrpc/json_write.h"

enum {
	SHORTEST = 4,      /* ST-087: what is shorter is in every text */
	SHORTEST_LINE = 8, /* a line of a secret that has several: "{" is no secret */
	BUCKETS = 4096,
	WORDS_MAX = 16 * TN_STUDIO_SECRETS_MAX,
	WORDS_BYTES_MAX = 64 * 1024 * 1024
};

/* One pass over the text: the next four bytes lead to the few words that begin with them. Every
 * byte that some word covers is hidden, so words that overlap leave nothing of each other. */
struct word {
	size_t offset, size; /* in `bytes` */
	int next;            /* of the same bucket, longest first; -1: none */
};

struct tn_studio_redactor {
	struct word *words;
	int buckets[BUCKETS];
	size_t count, room;
	struct tn_buf bytes;
	uint64_t secrets_generation, document_generation;
	char digest[TN_DIGEST_HEX_SIZE]; /* empty: not asked for yet */
};

static unsigned bucket_of(const char *at)
{
	uint32_t four;

	memcpy(&four, at, sizeof(four));
	return (four * 2654435761u) >> 20;
}

/* ---- what is looked for ---- */

static bool make_room(struct tn_studio_redactor *redactor)
{
	size_t room = redactor->room ? 2 * redactor->room : 64;
	struct word *words;

	if (redactor->count < redactor->room)
		return true;
	words = tn_mem_resize(redactor->words, room * sizeof(*words));
	if (!words) {
		redactor->bytes.failed = true;
		return false;
	}
	redactor->words = words;
	redactor->room = room;
	return true;
}

static void add_word(struct tn_studio_redactor *redactor, struct tn_str text)
{
	int *link;

	if (text.size < SHORTEST || redactor->count == WORDS_MAX || !make_room(redactor))
		return;
	link = &redactor->buckets[bucket_of(text.data)];
	while (*link >= 0 && redactor->words[*link].size >= text.size) {
		const struct word *word = &redactor->words[*link];

		if (tn_str_equal(tn_str(redactor->bytes.data + word->offset, word->size), text))
			return;
		link = &redactor->words[*link].next;
	}
	redactor->words[redactor->count] =
		(struct word){.offset = redactor->bytes.size, .size = text.size, .next = *link};
	*link = (int)redactor->count++;
	tn_buf_append_str(&redactor->bytes, text);
}

/* The engine's jsonencode() escapes what a page could take for markup, too. */
static void add_escaped_for_pages(struct tn_studio_redactor *redactor, struct tn_str json)
{
	struct tn_buf escaped;

	tn_buf_init(&escaped, 8 * TN_STUDIO_STRING_BYTES_MAX);
	for (size_t i = 0; i < json.size; i++) {
		if (json.data[i] == '<' || json.data[i] == '>' || json.data[i] == '&')
			tn_buf_format(&escaped, "\\u%04x", (unsigned)json.data[i]);
		else
			tn_buf_append_byte(&escaped, json.data[i]);
	}
	if (!escaped.failed && escaped.size != json.size)
		add_word(redactor, tn_buf_str(&escaped));
	tn_buf_finish(&escaped);
}

/* As it stands in JSON, which the engine writes, and in configuration. */
static void add_escaped(struct tn_studio_redactor *redactor, struct tn_str text)
{
	struct tn_buf escaped;

	tn_buf_init(&escaped, 8 * TN_STUDIO_STRING_BYTES_MAX);
	tn_json_put_escaped(&escaped, text);
	if (!escaped.failed)
		add_word(redactor, tn_buf_str(&escaped));
	add_escaped_for_pages(redactor, tn_buf_str(&escaped));
	tn_buf_finish(&escaped);
}

/* base64encode(), which configuration for machines and clusters has all over. */
static void add_base64(struct tn_studio_redactor *redactor, struct tn_str text)
{
	struct tn_buf encoded;

	tn_buf_init(&encoded, 2 * TN_STUDIO_STRING_BYTES_MAX);
	tn_base64_append(&encoded, text.data, text.size);
	while (encoded.size > 0 && encoded.data[encoded.size - 1] == '=')
		encoded.size--;
	if (!encoded.failed && text.size >= SHORTEST_LINE)
		add_word(redactor, tn_buf_str(&encoded));
	tn_buf_finish(&encoded);
}

static void add_secret(struct tn_str text, void *data)
{
	struct tn_studio_redactor *redactor = data;
	struct tn_str rest = text;

	add_word(redactor, text);
	if (text.size < SHORTEST)
		return;
	add_escaped(redactor, text);
	add_base64(redactor, text);
	if (tn_str_find_byte(text, '\n') == TN_STR_NONE)
		return;
	/* Output comes line by line. */
	while (rest.size > 0) {
		size_t end = tn_str_find_byte(rest, '\n');
		struct tn_str line =
			tn_str_trim(tn_str(rest.data, end == TN_STR_NONE ? rest.size : end));

		if (line.size >= SHORTEST_LINE)
			add_word(redactor, line);
		rest = end == TN_STR_NONE ? tn_str("", 0) : tn_str_from_offset(rest, end + 1);
	}
}

/* ST-141: credentials that the engine takes from its environment, which is the daemon's. */
static void add_environment(struct tn_studio_redactor *redactor)
{
	static const char *const names[] = {"ARM_CLIENT_SECRET",
					    "ARM_CLIENT_CERTIFICATE_PASSWORD",
					    "ARM_ACCESS_KEY",
					    "ARM_SAS_TOKEN",
					    "ARM_OIDC_TOKEN",
					    "ARM_OIDC_REQUEST_TOKEN",
					    "AWS_ACCESS_KEY_ID",
					    "AWS_SECRET_ACCESS_KEY",
					    "AWS_SESSION_TOKEN",
					    "GOOGLE_CREDENTIALS",
					    "GOOGLE_OAUTH_ACCESS_TOKEN",
					    "PG_CONN_STR",
					    "PGPASSWORD",
					    "CONSUL_HTTP_TOKEN",
					    "VAULT_TOKEN"};

	for (size_t i = 0; i < TN_COUNT(names); i++) {
		const char *value = getenv(names[i]);

		if (value)
			add_secret(tn_str_from(value), redactor);
	}
	for (char **entry = environ; entry && *entry; entry++) {
		const char *value = strchr(*entry, '=');

		if (value && strncmp(*entry, "TF_TOKEN_", 9) == 0)
			add_secret(tn_str_from(value + 1), redactor);
	}
}

void tn_studio_redactor_free(struct tn_studio_redactor *redactor)
{
	if (!redactor)
		return;
	/* What is left in freed memory is nobody's secret any more. */
	if (redactor->bytes.data)
		explicit_bzero(redactor->bytes.data, redactor->bytes.capacity);
	tn_buf_finish(&redactor->bytes);
	tn_mem_free(redactor->words);
	tn_mem_free(redactor);
}

static struct tn_studio_redactor *make(const struct tn_studio_project *project)
{
	struct tn_studio_redactor *redactor = tn_mem_alloc(sizeof(*redactor));

	if (!redactor)
		return NULL;
	for (size_t i = 0; i < BUCKETS; i++)
		redactor->buckets[i] = -1;
	tn_buf_init(&redactor->bytes, WORDS_BYTES_MAX);
	for (const struct tn_json *at = project->secrets ? project->secrets->first : NULL; at;
	     at = at->next)
		add_secret(at->text, redactor);
	tn_studio_config_each_secret(&project->document, add_secret, redactor);
	add_environment(redactor);
	redactor->secrets_generation = project->own ? project->own->secrets_generation : 0;
	redactor->document_generation = project->document.generation;
	if (redactor->bytes.failed) {
		tn_studio_redactor_free(redactor);
		return NULL;
	}
	return redactor;
}

static bool is_fresh(const struct tn_studio_project *project)
{
	const struct tn_studio_redactor *redactor = project->own->redactor;

	return redactor && redactor->secrets_generation == project->own->secrets_generation &&
	       redactor->document_generation == project->document.generation;
}

/* ---- looking ---- */

/* The longest word that begins here; 0: none. */
static size_t word_at(const struct tn_studio_redactor *redactor, struct tn_str text, size_t at)
{
	if (text.size - at < SHORTEST)
		return 0;
	for (int i = redactor->buckets[bucket_of(text.data + at)]; i >= 0;
	     i = redactor->words[i].next) {
		const struct word *word = &redactor->words[i];

		if (word->size <= text.size - at &&
		    memcmp(redactor->bytes.data + word->offset, text.data + at, word->size) == 0)
			return word->size;
	}
	return 0;
}

static void replace(const struct tn_studio_redactor *redactor, struct tn_str text,
		    struct tn_buf *out)
{
	size_t shown = 0, hidden_to = 0; /* what was written; the end of what is covered */

	for (size_t at = 0; at < text.size; at++) {
		size_t size = word_at(redactor, text, at);

		if (size == 0)
			continue;
		if (at >= hidden_to) {
			tn_buf_append(out, text.data + shown, at - shown);
			tn_buf_append_text(out, TN_STUDIO_REDACTED);
		}
		if (at + size > hidden_to)
			hidden_to = at + size;
		shown = hidden_to;
	}
	tn_buf_append(out, text.data + shown, text.size - shown);
}

/* NULL: no memory. */
static struct tn_studio_redactor *borrow(const struct tn_studio_project *project)
{
	return project->own && is_fresh(project) ? project->own->redactor : make(project);
}

static void give_back(const struct tn_studio_project *project, struct tn_studio_redactor *redactor)
{
	if (!project->own) {
		tn_studio_redactor_free(redactor);
	} else if (redactor != project->own->redactor) {
		tn_studio_redactor_free(project->own->redactor);
		project->own->redactor = redactor;
	}
}

void tn_studio_redact(const struct tn_studio_project *project, struct tn_str text,
		      struct tn_buf *out)
{
	struct tn_studio_redactor *redactor;

	if (text.size == 0)
		return;
	redactor = borrow(project);
	if (!redactor) {
		/* Without memory nothing is shown rather than everything. */
		tn_buf_append_text(out, TN_STUDIO_REDACTED);
		return;
	}
	replace(redactor, text, out);
	give_back(project, redactor);
}

/* With a key that stays on this machine: whoever gets the project's folder cannot try passwords. */
static void make_digest(struct tn_studio_redactor *redactor, struct tn_str key)
{
	struct tn_buf all;

	tn_buf_init(&all, 2 * WORDS_BYTES_MAX);
	/* All at once: no copy of them is left where it grew. */
	(void)tn_buf_reserve(&all, key.size + 24 * redactor->count + redactor->bytes.size);
	tn_buf_append_str(&all, key);
	for (size_t i = 0; i < redactor->count; i++)
		tn_buf_format(&all, "%zu ", redactor->words[i].size);
	tn_buf_append_str(&all, tn_buf_str(&redactor->bytes));
	if (!all.failed)
		tn_digest_hex(tn_buf_str(&all), redactor->digest);
	if (all.data)
		explicit_bzero(all.data, all.capacity);
	tn_buf_finish(&all);
}

bool tn_studio_redact_digest(const struct tn_studio_project *project, char ret[TN_DIGEST_HEX_SIZE])
{
	struct tn_str key = tn_studio_machine_key(project->projects);
	struct tn_studio_redactor *redactor = key.size ? borrow(project) : NULL;

	ret[0] = '\0';
	if (!redactor)
		return false;
	if (!redactor->digest[0])
		make_digest(redactor, key);
	memcpy(ret, redactor->digest, TN_DIGEST_HEX_SIZE);
	give_back(project, redactor);
	return ret[0] != '\0';
}
