/* limits.h - what bounds the window that asks a person. */
#ifndef TN_PROOF_LIMITS_H
#define TN_PROOF_LIMITS_H

#include "base/size.h"

#define TN_PROOF_TEXT_MAX 600 /* of a question that a dialog shows: no more fits one */

#endif
