/* limits.h - what bounds libraries that are loaded when they are needed: libcurl, and HarfBuzz with
 * the fonts it reads, and tree-sitter with the grammars of TypeScript. */
#ifndef TN_PLUGINS_LIMITS_H
#define TN_PLUGINS_LIMITS_H

#include "base/size.h"

#define TN_HTTP_IDLE_CONNECTIONS_MAX 64 /* kept for the next request */
/* What libcurl gets when there is no memory. Until it has opened its socket a request takes less
 * than 32 KiB; so many begin at a time, and past the mark none goes on. */
#define TN_HTTP_RESERVE_BYTES TN_MIB
#define TN_HTTP_RESERVE_MARK (TN_HTTP_RESERVE_BYTES / 4)
#define TN_HTTP_BEGIN_MAX 16
#define TN_HTTP_BEGIN_BYTES (64 * TN_KIB) /* must be there before one begins */

/* TLS on a socket of somebody else's: what is on its way is kept, as long as one record. */
#define TN_TLS_PARCEL_BYTES (16 * TN_KIB)
#define TN_TLS_CURL_BUFFER_BYTES TN_KIB /* nothing comes that way */
#define TN_TLS_TURNS_MAX 8              /* of curl's at once */

/* Fonts of the machine. Debian's have 2,000 files when all are installed; the largest has 40 MB. */
#define TN_SHAPING_FILES_MAX 8192
#define TN_SHAPING_FOLDERS_MAX 1024
#define TN_SHAPING_DEPTH_MAX 8
#define TN_SHAPING_FILE_BYTES_MAX (256 * TN_MIB)
#define TN_SHAPING_FILE_FACES_MAX 64
#define TN_SHAPING_FACES_MAX 4096
#define TN_SHAPING_INDEX_BYTES_MAX (16 * TN_MIB)
#define TN_SHAPING_SCRATCH_BYTES_MAX (64 * TN_MIB) /* while a line is made */
#define TN_SHAPING_FONTS_OPEN_MAX 64               /* by one picture */
/* Of the fonts of one picture, in memory; the largest has 30 MB. */
#define TN_SHAPING_TABLE_BYTES_MAX (128 * TN_MIB)
#define TN_SHAPING_MARKS_MAX 30           /* behind one letter (Unicode's stream-safe text) */
#define TN_SHAPING_STEPS_MAX 20000        /* of one glyph's outline */
#define TN_SHAPING_IMAGE_SIDE_MAX 1024    /* pixels of one glyph's picture */
#define TN_SHAPING_IMAGE_BYTES_MAX TN_MIB /* of it, packed */

/* One source file that is read. */
#define TN_SOURCE_TEXT_BYTES_MAX (2 * TN_MIB)    /* WB section 21 */
#define TN_SOURCE_PARSE_BYTES_MAX (128 * TN_MIB) /* ordinary text takes 20 times its size */
#define TN_SOURCE_PARSE_MS 2000
#define TN_SOURCE_NODES_MAX (1 << 21)
#define TN_SOURCE_DEPTH_MAX 400 /* of nodes in nodes: people write 60 */

#endif
