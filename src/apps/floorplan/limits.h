/* limits.h - what bounds the floorplan app. */
#ifndef TN_FLOORPLAN_LIMITS_H
#define TN_FLOORPLAN_LIMITS_H

#include "base/size.h"

/* floorplan (floorplan.md section 11). */
#define TN_FLOOR_TEXT_BYTES_MAX TN_MIB
#define TN_FLOOR_TOKENS_MAX 300000
#define TN_FLOOR_FLOORS_MAX 64
#define TN_FLOOR_ROOMS_MAX 5000 /* sub-rooms among them */
#define TN_FLOOR_CIRCULATION_MAX 1000
#define TN_FLOOR_DEPTH_MAX 8 /* of sub-rooms */
#define TN_FLOOR_CONNECTIONS_MAX 10000
#define TN_FLOOR_VERTICALS_MAX 1000
#define TN_FLOOR_SIZES_MAX 1000
#define TN_FLOOR_STYLES_MAX 256
#define TN_FLOOR_NAME_BYTES_MAX 128
#define TN_FLOOR_STRING_BYTES_MAX 4096
#define TN_FLOOR_STEPS_MAX 1000
#define TN_FLOOR_SOLID_STEPS_MAX 16000 /* of all stairs in space; more are drawn as blocks */
/* Of pairs of rooms: 5,000 rooms in one place make 12 million. Overlaps beyond are counted, not
 * told; shared walls beyond are left out. A plan whose rooms do not overlap has at most 15,000. */
#define TN_FLOOR_PAIRS_MAX 20000
#define TN_FLOOR_LENGTH_MAX 1000000 /* in U */
#define TN_FLOOR_OPERATIONS_MAX 500
#define TN_FLOOR_LABEL_BYTES_MAX 512 /* that add_label writes */
#define TN_FLOOR_SIDE_PIXELS_MIN 64
#define TN_FLOOR_SIDE_PIXELS_MAX 8192
#define TN_FLOOR_PIXELS_MAX (25 * 1000 * 1000)
#define TN_FLOOR_OUTPUT_BYTES_MAX (32 * TN_MIB) /* SVG, DXF, JSON */
#define TN_FLOOR_INPUT_BYTES_MAX (4 * TN_MIB)   /* JSON to be imported */
#define TN_FLOOR_ARENA_MAX (128 * TN_MIB)       /* of one plan */
#define TN_FLOOR_DOCUMENTS_MAX 64               /* open at a time; the least used goes */
#define TN_FLOOR_DOCUMENT_BYTES_MAX (64 * TN_MIB)
#define TN_FLOOR_KEPT_BYTES_MAX (64 * TN_KIB)  /* of what is known of one beside its text */
#define TN_FLOOR_BRIEF_BYTES_MAX 1024          /* floorplan-1.1.md F11-170: ... */
#define TN_FLOOR_BRIEF_DIAGNOSTICS 3           /* ... the worst, ... */
#define TN_FLOOR_BRIEF_MESSAGE_BYTES 130       /* ... each cut here */
#define TN_LSP_HEADER_BYTES_MAX 4096           /* before a message of an editor */
#define TN_LSP_MESSAGE_BYTES_MAX (16 * TN_MIB) /* a plan of 1 MiB, each byte escaped, fits */
#define TN_LSP_FAULTS_MAX 1000                 /* marked in one text, of each severity */
#define TN_LSP_ACTIONS_MAX 20                  /* offered at once: each is an edit of its own */
#define TN_FLOOR_DOCUMENT_IDLE_MS (7ull * 24 * 3600 * 1000)

#endif
