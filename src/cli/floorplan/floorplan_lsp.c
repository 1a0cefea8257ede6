/* tenon floorplan lsp: the language server on standard input and output. */
#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "apps/floorplan/lsp/lsp.h"
#include "apps/floorplan/limits.h"
#include "cli/floorplan/floorplan.h"
#include "cli/floorplan/floorplan_author.h"

enum { CHUNK = 65536 };

struct pipe {
	struct tn_cli cli;
	struct tn_buf in;
	bool broken; /* nobody reads any more */
};

static void write_all(struct pipe *pipe, const char *data, size_t size)
{
	while (size > 0 && !pipe->broken) {
		ssize_t sent = write(STDOUT_FILENO, data, size);

		if (sent < 0 && errno != EINTR)
			pipe->broken = true;
		if (sent > 0) {
			data += sent;
			size -= (size_t)sent;
		}
	}
}

static void send_message(void *data, struct tn_str message)
{
	char header[64];
	int size = snprintf(header, sizeof(header), "Content-Length: %zu\r\n\r\n", message.size);

	write_all(data, header, (size_t)size);
	write_all(data, message.data, message.size);
}

/* False: the end, or it cannot be read. */
static bool read_more(struct pipe *pipe)
{
	ssize_t got;

	if (!tn_buf_reserve(&pipe->in, CHUNK))
		return false;
	do {
		got = read(STDIN_FILENO, pipe->in.data + pipe->in.size, CHUNK);
	} while (got < 0 && errno == EINTR);
	if (got > 0)
		pipe->in.size += (size_t)got;
	return got > 0;
}

/* Brings a whole message to the front. False: the end, or what comes is no message. */
static bool read_message(struct pipe *pipe, struct tn_str *ret, size_t *ret_end)
{
	enum tn_lsp_frame frame;

	while ((frame = tn_lsp_frame(tn_buf_str(&pipe->in), ret, ret_end)) == TN_LSP_FRAME_PART) {
		if (!read_more(pipe))
			return false;
	}
	if (frame == TN_LSP_FRAME_BAD)
		(void)tn_cli_fail(&pipe->cli, TN_EXIT_USAGE, "INVALID", false,
				  "a message without a Content-Length of at most %zu",
				  TN_LSP_MESSAGE_BYTES_MAX);
	return frame == TN_LSP_FRAME_WHOLE;
}

/* 1 when it ends without `exit` behind `shutdown`, as the protocol says. */
static int serve(struct pipe *pipe, struct tn_lsp *lsp)
{
	struct tn_str message;
	size_t end;
	int exit = TN_FLOOR_EXIT_FAULT;

	while (!pipe->broken && read_message(pipe, &message, &end)) {
		if (!tn_lsp_handle(lsp, message, &exit))
			break;
		tn_buf_drop_front(&pipe->in, end);
	}
	return exit;
}

int tn_cli_floorplan_lsp(int argc, char **argv)
{
	struct pipe pipe = {.cli = {.verb = "floorplan lsp"}};
	const struct tn_options options = {
		.usage = "tenon floorplan lsp",
		.summary = "A language server for plans on standard input and output (Language "
			   "Server Protocol 3.17):\ndiagnostics, completion, hover, definition, "
			   "references, rename, outline, formatting, quick fixes.\nExit 0: shut "
			   "down in order, 1: not.",
	};
	const struct tn_lsp_options server = {
		.send = send_message, .data = &pipe, .version = TENON_VERSION};
	struct tenon_error err = {0};
	struct tn_lsp *lsp = NULL;
	size_t count = 0;
	int exit = TN_FLOOR_EXIT_GOOD;

	if (!tn_cli_begin(&pipe.cli, &options, argc, argv, &count, &exit))
		return exit;
	if (tn_lsp_create(&server, &lsp, &err) != TENON_OK) {
		(void)tn_cli_fail_error(&pipe.cli, TN_EXIT_USAGE, NULL, &err);
		return TN_FLOOR_EXIT_MACHINE;
	}
	tn_buf_init(&pipe.in, 2 * TN_LSP_MESSAGE_BYTES_MAX);
	exit = serve(&pipe, lsp);
	tn_buf_finish(&pipe.in);
	tn_lsp_free(lsp);
	return exit;
}
