/* limits.h - what bounds the terminal. */
#ifndef TN_TERMINAL_LIMITS_H
#define TN_TERMINAL_LIMITS_H

#include "base/size.h"

#define TN_PTY_RING_BYTES (256 * TN_KIB) /* of output that waits to be consumed; a power of two */
#define TN_PTY_INPUT_MAX (2 * TN_MIB)    /* typed and not yet read by the program */
#define TN_PTY_SHUTDOWN_MS 5000          /* terminal.md 12.4: to end every session */
#define TN_PTY_KILLED_MAX 512            /* processes told of by number when a session ends */
/* Of one session in a turn of the loop: 0.3 ms of short lines, so that nobody waits for a flood. */
#define TN_TERM_TURN_BYTES (16 * TN_KIB)
#define TN_TERM_TURN_PIECES 4 /* of so many bytes, when they are understood this fast together: */
#define TN_TERM_TURN_US 150
#define TN_TERM_COMMAND_BYTES_MAX TN_MIB        /* terminal.md 7.1 */
#define TN_SHELL_SCRIPT_BYTES_MAX (64 * TN_KIB) /* a start file: ours, and three values */
#define TN_SHELL_WORDS_BYTES_MAX (32 * TN_KIB)  /* how a shell is started: a few paths */
/* A command and its surroundings, each byte quoted as four at worst. */
#define TN_SHELL_FILE_BYTES_MAX (16 * TN_MIB)
#define TN_TERM_STDIN_BYTES_MAX TN_MIB
#define TN_TERM_ANSWER_BYTES 16384      /* terminal.md 6.2: text of an answer, default ... */
#define TN_TERM_ANSWER_BYTES_MAX TN_MIB /* ... and most */
#define TN_TERM_ANSWER_LINES 100
#define TN_TERM_ANSWER_LINES_MAX 10000
#define TN_TERM_LINE_CHARACTERS_MAX 2000        /* of a line that is shown */
#define TN_TERM_YIELD_MS_MAX 55000              /* a call returns before clients give up */
#define TN_TERM_DURATION_TOLD_MS 1000           /* to a model: what takes less takes no time */
#define TN_TERM_COMMANDS_KEPT 1000              /* of one session, for results by id */
#define TN_TERM_EDITS_MAX 32768                 /* of one stream: what was echoed for us ... */
#define TN_TERM_EDIT_BYTES_MAX (4 * TN_MIB)     /* ... and its texts; the oldest go */
#define TN_TERM_QUEUE_MAX 64                    /* commands waiting in one session */
#define TN_TERM_SWEEP_MS 5000                   /* between two looks at what goes by itself */
#define TN_TERM_CLOSED_MAX 256                  /* sessions, and as many isolated commands, kept */
#define TN_TERM_VIEWERS_MAX 64                  /* of one session */
#define TN_TERM_VIEWER_LAG_BYTES (512 * TN_KIB) /* terminal.md 11 */
#define TN_TERM_TICKET_MS 60000
#define TN_TERM_LOGIN_PATH_MS 5000 /* terminal.md 10.3: for the user's shell to say its PATH */
#define TN_RECORD_BYTES_MAX (256 * TN_MIB)   /* one recording; then it ends */
#define TN_RECORD_WHOLE_BYTES (4 * TN_MIB)   /* at most at once, where no piece is asked for */
#define TN_RECORD_PIECE_BYTES TN_MIB         /* what is read and escaped holds the loop */
#define TN_RECORD_LINE_BYTES (1536 * TN_KIB) /* 64 KiB at once, escaped; longer than a piece */
#define TN_RECORDS_BYTES_MAX (1024 * TN_MIB) /* all; the oldest go when a new one begins */
#define TN_RECORDS_MAX 4096                  /* likewise; a look at each takes a worker 10 ms */
#define TN_RECORDS_LISTED_MAX (1 << 18)      /* that may go at once: 40 MiB of memory */
#define TN_TERM_TICKETS_MAX 256
#define TN_SPOOL_BLOCK_BYTES (64 * TN_KIB) /* written at once; a part of a ring and a segment */
#define TN_SPOOL_SEGMENT_BYTES (4 * TN_MIB)
#define TN_OUTPUT_SEARCH_MAX (16 * TN_MIB) /* read back from the end for the last lines */
#define TN_OUTPUT_WINDOW_MIN TN_MIB        /* of raw output, cleaned for a small answer */
#define TN_SCREEN_SCROLLBACK_MAX 100000
#define TN_SCREEN_COLUMNS_MAX 500 /* terminal.md 7.4 */
#define TN_SCREEN_ROWS_MAX 200
/* Of scroll-back a line, on average; then the oldest go sooner. */
#define TN_SCREEN_LINE_BYTES 256
#define TN_REDACT_VALUES_MAX 1024
#define TN_REDACT_VALUE_BYTES_MIN 8 /* terminal.md 9: what is shorter is in every text */
#define TN_REDACT_VALUE_BYTES_MAX (64 * TN_KIB)
#define TN_REDACT_PATTERNS_MAX 64
#define TN_HISTORY_BATCH_MS 250 /* terminal.md 9 */
/* Not written yet; beyond it outputs are left out. */
#define TN_HISTORY_QUEUE_BYTES_MAX (64 * TN_MIB)
#define TN_HISTORY_OUTPUT_BYTES (256 * TN_KIB)      /* of the head and of the tail of one output */
#define TN_HISTORY_WHILE_OFF_BYTES_MAX (4 * TN_MIB) /* the same while nothing can be written */
#define TN_HISTORY_RETRY_MS 30000                   /* until it is tried again */
#define TN_HISTORY_RETAIN_MS (60 * 60 * 1000)       /* terminal.md 9: hourly */
#define TN_HISTORY_SEARCH_MS 5000                   /* of one search, in a worker */
#define TN_HISTORY_COUNT_MS 60                      /* of it, once the page is full */
#define TN_HISTORY_SEARCHES_MAX 64                  /* that wait or run */
#define TN_HISTORY_SEARCHES_AT_ONCE 2               /* workers that others need, too */
#define TN_HISTORY_FOUND_BYTES_MAX (16 * TN_MIB)
#define TN_HISTORY_PAGES_MAX 10000     /* entries that cursors lead to */
#define TN_HISTORY_LITERAL_TEXTS 10000 /* terminal.md 7.6 */
#define TN_REGEX_MATCH_LIMIT 1000000   /* steps from one place of the text ... */
#define TN_REGEX_DEPTH_LIMIT 10000
#define TN_REGEX_SEARCH_MS 1000  /* ... and the time for all places of one text */
#define TN_REGEX_HEAP_KIB 16384  /* for the ways back of one match */
#define TN_REGEX_NESTING_MAX 100 /* brackets in brackets: C stack of the compiler */
#define TN_REGEX_PATTERN_BYTES_MAX (16 * TN_KIB)
#define TN_ANALYSIS_ARENA_MAX (64 * TN_MIB) /* of a command of 1 MiB */
#define TN_ANALYSIS_COMMANDS_MAX 4000
#define TN_ANALYSIS_DEPTH_MAX 64
#define TN_ANALYSIS_PATH_ENTRIES_MAX 32
#define TN_ANALYSIS_SCRIPT_BEGIN_BYTES 256 /* of a file: Linux reads as much of a first line */
#define TN_TERM_LOOKS_MAX 1024 /* for one run's programs along PATH, on the loop: some 6 ms */
#define TN_TERM_NAMES_MAX 512  /* aliases, functions, variables of a session that are remembered */
#define TN_TERM_NAMES_BYTES_MAX (256 * TN_KIB)
#define TN_TERM_NAME_VALUE_BYTES_MAX (16 * TN_KIB)
#define TN_TERM_NAME_START_BYTES_MAX (2 * TN_KIB) /* a start file's function is looked into */
/* Of the lines that one call types into a shell: some 20 ms at worst, 1,024 short ones. */
#define TN_TERM_TYPED_BYTES_MAX TN_MIB
#define TN_TERM_TYPED_LINE_COST TN_KIB /* a line's own, however short */

#endif
