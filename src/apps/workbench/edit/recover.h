/* recover.h - what a killed process left of a change of files, put right. Threads: any; it blocks.
 */
#ifndef TN_WB_EDIT_RECOVER_H
#define TN_WB_EDIT_RECOVER_H

#include "base/error.h"

/* All files of that change are as they were, or all are as they were to be; nothing lies beside
 * them. A change that goes on at this moment is left alone. True: there was something. */
bool tn_wb_edits_recover(const char *root);

#endif
