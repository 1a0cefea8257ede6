/* crc32c.h - CRC-32C (Castagnoli), the checksum of iSCSI and ext4: finds damage, keeps nobody out.
 * Threads: any. */
#ifndef TN_BASE_CRC32C_H
#define TN_BASE_CRC32C_H

#include "base/str.h"

uint32_t tn_crc32c(struct tn_str bytes);

#endif
