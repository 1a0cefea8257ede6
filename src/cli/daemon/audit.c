/* tenon audit: what was done, and whether the record of it still is what was written. */
#include <limits.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>

#include "base/size.h"
#include "cli/daemon/status_read.h"
#include "client/limits.h"
#include "host/limits.h"
#include "host/record/audit_chain.h"
#include "jsonrpc/json_write.h"
#include "mcp/consent_text.h"
#include "mcp/limits.h"
#include "store/file.h"

enum { COUNT_DEFAULT = 20, COUNT_MAX = 1000000, TRIES = 10, TRY_MS = 100 };

struct audit {
	struct tn_cli cli;
	int64_t count;
	const char *head; /* noted earlier; NULL: none */
	char path[PATH_MAX];
	struct tn_buf old, now, out;
	struct tn_audit_chain chain;
	const char *daemon_head; /* of the daemon that runs, in the arena; NULL: none does */
	int64_t waiting;         /* entries that it could not write so far */
	struct tn_arena arena;
};

static struct tn_str text_of(const struct tn_json *object, const char *key)
{
	const struct tn_json *value = tn_json_get(object, key);

	return tn_json_is(value, TN_JSON_STRING) ? value->text : tn_str("-", 1);
}

/* ---- the entries ---- */

/* Names that clients give themselves could hold lines that look like entries. */
static struct tn_str clean(struct tn_arena *arena, struct tn_str text)
{
	struct tn_buf out;
	char *copy;

	tn_buf_init(&out, 4 * TN_AUDIT_LINE_MAX);
	tn_consent_text_put(&out, text, TN_AUDIT_TEXT_MAX, false);
	copy = tn_arena_copy(arena, tn_buf_str(&out));
	text = tn_str(copy ? copy : "", copy ? out.size : 0);
	tn_buf_finish(&out);
	return text;
}

static void put_entry(struct audit *audit, struct tn_str line)
{
	struct tn_buf *out = &audit->out;
	struct tn_json *entry = NULL;
	struct tn_arena arena;
	struct tn_str time, client, tool, outcome, consent, detail;

	tn_arena_init(&arena, TN_MIB);
	if (tn_json_parse_copy(&arena, line, &entry, NULL) == TENON_OK) {
		time = text_of(entry, "time");
		client = text_of(entry, "client");
		tool = text_of(entry, "tool");
		outcome = text_of(entry, "outcome");
		consent = text_of(entry, "consent");
		detail = text_of(entry, "detail");
		client = clean(&arena, client);
		tool = clean(&arena, tool);
		detail = clean(&arena, detail);
		tn_buf_format(out, "%.*s  %-14.*s %-24.*s %-8.*s consent: %.*s", (int)time.size,
			      time.data, (int)client.size, client.data, (int)tool.size, tool.data,
			      (int)outcome.size, outcome.data, (int)consent.size, consent.data);
		if (!tn_str_is(detail, "-"))
			tn_buf_format(out, "  %.*s", (int)detail.size, detail.data);
		tn_buf_append_byte(out, '\n');
	}
	tn_arena_finish(&arena);
}

/* Where the last `count` lines of `text` begin. */
static size_t last_lines(struct tn_str text, int64_t count)
{
	size_t start = text.size;

	while (start > 0 && count > 0) {
		start--;
		while (start > 0 && text.data[start - 1] != '\n')
			start--;
		count--;
	}
	return start;
}

static void put_entries(struct audit *audit)
{
	struct tn_str text = tn_buf_str(&audit->now);

	text = tn_str_from_offset(text, last_lines(text, audit->count));
	while (text.size) {
		size_t end = tn_str_find_byte(text, '\n');
		struct tn_str line = tn_str(text.data, end == TN_STR_NONE ? text.size : end);

		if (tn_audit_chain_is_entry(line))
			put_entry(audit, line);
		text = end == TN_STR_NONE ? tn_str("", 0) : tn_str_from_offset(text, end + 1);
	}
}

/* ---- the verdict ---- */

static bool is_head_missing(const struct audit *audit)
{
	return audit->head && !audit->chain.wanted_line[0];
}

/* The daemon keeps the head in its memory: a file that was changed or cut since lacks it. */
static bool is_not_the_daemons(const struct audit *audit)
{
	return audit->daemon_head && !audit->chain.wanted_line[1];
}

static bool is_whole(const struct audit *audit)
{
	return !audit->chain.breaks && !is_head_missing(audit) && !is_not_the_daemons(audit);
}

static void put_verdict(struct audit *audit)
{
	const struct tn_audit_chain *chain = &audit->chain;
	struct tn_buf *out = &audit->out;

	if (chain->breaks)
		tn_buf_format(
			out,
			"BROKEN: line %llu does not follow the entry before it; something was "
			"changed, removed or put in there (%llu such places).\n",
			(unsigned long long)chain->break_line, (unsigned long long)chain->breaks);
	if (is_head_missing(audit))
		tn_buf_append_text(out, "BROKEN: the head that you noted is not in the chain: an "
					"entry up to it was changed or removed.\n");
	if (is_not_the_daemons(audit))
		tn_buf_append_text(out, "BROKEN: what the daemon wrote last is not in the file: "
					"it was changed or cut while the daemon runs.\n");
	if (chain->damaged)
		tn_buf_format(out,
			      "note: %llu lines are no entries (a daemon was killed while it "
			      "wrote, or somebody edited the file)\n",
			      (unsigned long long)chain->damaged);
	if (audit->waiting > 0)
		tn_buf_format(out,
			      "note: the daemon could not write its last %lld entries; they wait "
			      "until the disk takes them (tenon read tenon://audit shows them)\n",
			      (long long)audit->waiting);
	if (is_whole(audit))
		tn_buf_format(out, "%llu entries, each following the one before.\n",
			      (unsigned long long)chain->entries);
	if (audit->head && chain->wanted_line[0])
		tn_buf_format(out,
			      "The head that you noted is line %llu: nothing up to it was "
			      "changed.\n",
			      (unsigned long long)chain->wanted_line[0]);
	if (chain->head[0])
		tn_buf_format(out, "Head: %s\n", chain->head);
}

static void put_json(struct audit *audit)
{
	const struct tn_audit_chain *chain = &audit->chain;
	struct tn_buf *out = &audit->out;

	tn_json_begin_object(out);
	tn_json_put_member_bool(out, "whole", is_whole(audit));
	tn_json_put_member_int(out, "entries", (int64_t)chain->entries);
	tn_json_put_member_int(out, "breaks", (int64_t)chain->breaks);
	tn_json_put_member_int(out, "breakLine", (int64_t)chain->break_line);
	tn_json_put_member_int(out, "damaged", (int64_t)chain->damaged);
	tn_json_put_member_text(out, "head", chain->head[0] ? chain->head : NULL);
	if (audit->head)
		tn_json_put_member_int(out, "headLine", (int64_t)chain->wanted_line[0]);
	tn_json_put_member_bool(out, "daemonAgrees", !is_not_the_daemons(audit));
	if (audit->waiting > 0)
		tn_json_put_member_int(out, "waiting", audit->waiting);
	tn_json_put_member_text(out, "file", audit->path);
	tn_json_end_object(out);
	tn_buf_append_byte(out, '\n');
}

/* ---- reading ---- */

/* What a daemon that runs has in memory. */
static void ask_daemon(struct audit *audit)
{
	const struct tn_connect connect = {.no_start = true, .no_reconnect = true};
	struct tenon_client *client = NULL;
	const struct tn_json *value = NULL;
	struct tenon_error err = {0};

	if (tn_cli_try_connect(&audit->cli, &connect, &client, NULL, &err) == TENON_OK &&
	    tn_status_read(client, "tenon://audit", &audit->arena, &value, &err) == TENON_OK) {
		const struct tn_json *head;

		(void)tn_json_to_int(tn_json_get(value, "waiting"), &audit->waiting);
		head = tn_json_get(value, audit->waiting > 0 ? "written" : "head");
		if (tn_json_is(head, TN_JSON_STRING))
			audit->daemon_head = head->text.data;
	}
	tenon_client_destroy(client);
}

static enum tenon_code read_files(struct audit *audit, struct tenon_error *err)
{
	char old[PATH_MAX + 2];
	enum tenon_code code;

	(void)snprintf(old, sizeof(old), "%s.1", audit->path);
	code = tn_file_read(old, TN_FILE_REGULAR_ONLY, &audit->old, err);
	if (code == TENON_OK || code == TENON_NOT_FOUND)
		code = tn_file_read(audit->path, TN_FILE_REGULAR_ONLY, &audit->now, err);
	return code;
}

/* What the daemon has said last may be on its way to the file still. */
static enum tenon_code read_chain(struct audit *audit, struct tenon_error *err)
{
	for (int try = 0;; try++) {
		enum tenon_code code;

		tn_buf_clear(&audit->old);
		tn_buf_clear(&audit->now);
		code = read_files(audit, err);
		if (code != TENON_OK)
			return code;
		audit->chain = (struct tn_audit_chain){.wanted = {audit->head, audit->daemon_head}};
		tn_audit_chain_feed(&audit->chain, tn_buf_str(&audit->old));
		tn_audit_chain_feed(&audit->chain, tn_buf_str(&audit->now));
		if (!is_not_the_daemons(audit) || try == TRIES)
			return TENON_OK;
		(void)poll(NULL, 0, TRY_MS);
	}
}

static enum tenon_code find_path(struct audit *audit, const char *file, struct tenon_error *err)
{
	struct tn_buf folder;
	enum tenon_code code = TENON_OK;
	int size;

	tn_buf_init(&folder, PATH_MAX);
	if (!file)
		code = tn_dir_state(&folder, false, err);
	size = file ? snprintf(audit->path, PATH_MAX, "%s", file)
		    : snprintf(audit->path, PATH_MAX, "%.*s/audit.jsonl", (int)folder.size,
			       folder.data ? folder.data : "");
	tn_buf_finish(&folder);
	if (code == TENON_OK && (size < 0 || size >= PATH_MAX))
		code = tn_fail(err, TENON_LIMIT, "the path of the audit is too long");
	return code;
}

static int run(struct audit *audit, const char *file)
{
	struct tenon_error err = {0};
	enum tenon_code code = find_path(audit, file, &err);

	if (code == TENON_OK && !file)
		ask_daemon(audit);
	if (code == TENON_OK)
		code = read_chain(audit, &err);
	if (code != TENON_OK)
		return tn_cli_fail_error(&audit->cli, TN_EXIT_TOOL, audit->path, &err);
	if (audit->cli.json) {
		put_json(audit);
	} else {
		put_entries(audit);
		put_verdict(audit);
	}
	return tn_cli_write(&audit->cli, &audit->out, is_whole(audit) ? TN_EXIT_OK : TN_EXIT_TOOL);
}

int tn_cli_audit(int argc, char **argv)
{
	struct audit audit = {.cli = {.verb = "audit"}, .count = COUNT_DEFAULT};
	const char *words[1];
	const struct tn_option table[] = {
		{.name = "lines",
		 .letter = 'n',
		 .kind = TN_OPTION_NUMBER,
		 .value = &audit.count,
		 .least = 0,
		 .most = COUNT_MAX,
		 .word = "N",
		 .help = "how many of the last entries (20)"},
		{.name = "head",
		 .kind = TN_OPTION_TEXT,
		 .value = &audit.head,
		 .word = "HEX",
		 .help = "a head that you noted earlier: is all up to it as it was?"},
		{.name = "json",
		 .kind = TN_OPTION_FLAG,
		 .value = &audit.cli.json,
		 .help = "the verdict as one line of JSON, without the entries"},
	};
	const struct tn_options options = {
		.usage = "tenon audit [FILE] [-n N] [--head HEX] [--json]",
		.summary = "Shows the last entries of the audit, and checks that each follows the "
			   "one before: exit 5 when it was changed.\n\n"
			   "Example: tenon audit -n 5",
		.options = table,
		.option_count = TN_COUNT(table),
		.words = words,
		.word_max = 1};
	size_t count = 0;
	int exit = TN_EXIT_OK;

	if (!tn_cli_begin(&audit.cli, &options, argc, argv, &count, &exit))
		return exit;
	tn_arena_init(&audit.arena, TN_CLIENT_ARENA_MAX);
	tn_buf_init(&audit.old, 2 * TN_AUDIT_FILE_BYTES_MAX);
	tn_buf_init(&audit.now, 2 * TN_AUDIT_FILE_BYTES_MAX);
	tn_buf_init(&audit.out, 4 * TN_AUDIT_FILE_BYTES_MAX);
	exit = run(&audit, count ? words[0] : NULL);
	tn_buf_finish(&audit.out);
	tn_buf_finish(&audit.now);
	tn_buf_finish(&audit.old);
	tn_arena_finish(&audit.arena);
	return exit;
}
