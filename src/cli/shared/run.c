#include "cli/shared/run.h"

#include <errno.h>
#include <stdarg.h>
#include <string.h>
#include <unistd.h>

#include "base/mem.h"
#include "client/limits.h"
#include "jsonrpc/json_write.h"
#include "tenon/client.h"

enum { SENTENCE_SIZE = 1024 };

static bool has_json(int argc, char **argv)
{
	for (int i = 1; i < argc && strcmp(argv[i], "--") != 0; i++) {
		if (strcmp(argv[i], "--json") == 0)
			return true;
	}
	return false;
}

bool tn_cli_begin(struct tn_cli *cli, const struct tn_options *options, int argc, char **argv,
		  size_t *ret_word_count, int *ret_exit)
{
	struct tenon_error err = {0};

	cli->json = has_json(argc, argv);
	switch (tn_options_parse(options, argc, argv, ret_word_count, &err)) {
	case TN_OPTIONS_OK:
		return true;
	case TN_OPTIONS_HELP:
		tn_options_print_help(options, stdout);
		*ret_exit = TN_EXIT_OK;
		return false;
	default:
		*ret_exit = tn_cli_usage(cli, "%s", err.message);
		if (!cli->json)
			(void)fprintf(stderr, "usage: %s\n", options->usage);
		return false;
	}
}

/* NULL: memory is short. */
static char *clean_copy(struct tn_str text)
{
	char *raw = tn_mem_copy_text(text.data ? text.data : "", text.size);
	char *clean = tn_mem_alloc(text.size + 1);

	for (size_t i = 0; raw && i < text.size; i++) {
		if (raw[i] == '\0')
			raw[i] = '\1'; /* hidden like the others, but not the end */
	}
	if (raw && clean)
		tenon_client_clean_text(raw, clean, text.size + 1);
	tn_mem_free(raw);
	return clean;
}

int tn_cli_fail_text(const struct tn_cli *cli, enum tn_exit exit, const char *code, bool retryable,
		     struct tn_str message, struct tn_str members)
{
	struct tn_buf line;
	char *clean;

	if (!cli->json) {
		clean = clean_copy(message);
		(void)fprintf(stderr, "tenon %s: %s\n", cli->verb, clean ? clean : "failed");
		tn_mem_free(clean);
		return (int)exit;
	}
	tn_buf_init(&line, TN_CLIENT_RESULT_MAX);
	tn_json_begin_object(&line);
	tn_json_put_member_text(&line, "error", code);
	tn_json_put_member_str(&line, "message", message);
	tn_json_put_member_bool(&line, "retryable", retryable);
	tn_buf_append_str(&line, members);
	tn_json_end_object(&line);
	tn_buf_append_byte(&line, '\n');
	if (!line.failed)
		(void)fwrite(line.data, 1, line.size, stderr);
	tn_buf_finish(&line);
	return (int)exit;
}

static int tell(const struct tn_cli *cli, enum tn_exit exit, const char *code, bool retryable,
		const char *message)
{
	return tn_cli_fail_text(cli, exit, code, retryable, tn_str_from(message), tn_str("", 0));
}

int tn_cli_fail(const struct tn_cli *cli, enum tn_exit exit, const char *code, bool retryable,
		const char *format, ...)
{
	char text[SENTENCE_SIZE];
	va_list args;

	va_start(args, format);
	(void)vsnprintf(text, sizeof(text), format, args); /* cut is fine */
	va_end(args);
	return tell(cli, exit, code, retryable, text);
}

int tn_cli_usage(const struct tn_cli *cli, const char *format, ...)
{
	char text[SENTENCE_SIZE];
	va_list args;

	va_start(args, format);
	(void)vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	return tell(cli, TN_EXIT_USAGE, "USAGE", false, text);
}

int tn_cli_fail_error(const struct tn_cli *cli, enum tn_exit exit, const char *what,
		      const struct tenon_error *err)
{
	char code[32];
	size_t size = 0;

	for (const char *c = tenon_code_name(err->code); *c && size + 1 < sizeof(code); c++)
		code[size++] = *c >= 'a' && *c <= 'z' ? (char)(*c - ('a' - 'A')) : *c;
	code[size] = '\0';
	return tn_cli_fail(cli, exit, code, err->code == TENON_BUSY || err->code == TENON_EXPIRED,
			   "%s%s%s", what ? what : "", what ? ": " : "", err->message);
}

void tn_cli_note(const struct tn_cli *cli, const char *format, ...)
{
	va_list args;

	if (cli->json)
		return;
	va_start(args, format);
	(void)vfprintf(stderr, format, args);
	va_end(args);
	(void)fputc('\n', stderr);
}

int tn_cli_write(const struct tn_cli *cli, const struct tn_buf *out, int exit)
{
	bool written = false;

	if (out->failed)
		return tn_cli_fail(cli, TN_EXIT_USAGE, "LIMIT", false,
				   "the result is too large, or memory ran out");
	if (isatty(STDOUT_FILENO)) {
		char *text = clean_copy(tn_buf_str(out));

		written = text && fputs(text, stdout) >= 0;
		tn_mem_free(text);
	} else {
		written = fwrite(out->data ? out->data : "", 1, out->size, stdout) == out->size;
	}
	if ((written && fflush(stdout) == 0) || errno == EPIPE)
		return exit;
	return tn_cli_fail(cli, TN_EXIT_USAGE, "SYSTEM", false,
			   "standard output cannot be written");
}
