/* source_reader.h - the reader of sources for fuzz programs, opened once: opening one learns the
 * grammars' names. Threads: one. */
#ifndef TN_FUZZ_SOURCE_READER_H
#define TN_FUZZ_SOURCE_READER_H

#include "apps/workbench/source/tree.h"

/* Of the build's own plug-in, one folder above this program. NULL: it is built without, which was
 * said. */
struct tn_wb_reader *source_reader(void);

#endif
