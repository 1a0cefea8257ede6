/* screen_show.c - what a screen shows of the bytes on standard input: for tests with real programs.
 *
 *     screen-show COLUMNS ROWS
 *
 * Prints the rows without blanks at their ends, then the cursor's place. */
#include <stdio.h>
#include <stdlib.h>

#include "apps/terminal/screen/screen.h"

static void show(struct tn_screen *screen)
{
	struct tn_screen_look look;
	struct tn_buf out;

	tn_screen_look(screen, &look);
	tn_buf_init(&out, TN_MIB);
	for (int32_t i = 0; i < look.rows; i++) {
		tn_screen_put_line(screen, i, true, &out);
		tn_buf_append_byte(&out, '\n');
	}
	tn_buf_format(&out, "%u %u\n", look.cursor_row, look.cursor_column);
	(void)fwrite(out.data, 1, out.size, stdout); /* a test sees what is missing */
	tn_buf_finish(&out);
}

int main(int argc, char **argv)
{
	struct tn_screen_options options = {.columns = 80, .rows = 24};
	struct tn_screen *screen = NULL;
	struct tenon_error err;
	char bytes[4096];
	size_t size;

	if (argc == 3) {
		options.columns = (uint16_t)strtoul(argv[1], NULL, 10);
		options.rows = (uint16_t)strtoul(argv[2], NULL, 10);
	}
	if (tn_screen_create(&options, &screen, &err) != TENON_OK) {
		fprintf(stderr, "%s\n", err.message);
		return 1;
	}
	while ((size = fread(bytes, 1, sizeof(bytes), stdin)) > 0)
		tn_screen_feed(screen, tn_str(bytes, size));
	show(screen);
	tn_screen_destroy(screen);
	return 0;
}
