/* png_test_kit.h - the pixels of a PNG of ours, read back: for tests. */
#ifndef TN_DRAW_PNG_TEST_KIT_H
#define TN_DRAW_PNG_TEST_KIT_H

#include <stdint.h>

#include "base/str.h"

/* RGB rows from the top; the caller frees them (tn_mem_free). Anything but head, pixels and end, of
 * 8 bits, not interlaced, fails the test. */
uint8_t *tn_png_kit_decode(struct tn_str png, uint32_t *ret_width, uint32_t *ret_height);

#endif
