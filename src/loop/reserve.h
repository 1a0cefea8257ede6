/* reserve.h - memory that libuv gets when the system has none.
 *
 * libuv ends the process when the table of its descriptors cannot grow, whatever its caller would
 * do about it. So it allocates through here: from the system, and when that refuses, from a reserve
 * of TN_LOOP_RESERVE_BYTES, which is enough for the tables of every descriptor our limits allow.
 * The reserve takes no memory until it is used (base/reserve.h). Threads: any. */
#ifndef TN_LOOP_RESERVE_H
#define TN_LOOP_RESERVE_H

void tn_loop_reserve_install(void); /* before the first use of libuv; again does nothing */

#endif
