/* floorplan_hostile.h - plans of 5,000 rooms whose shapes make bad algorithms slow, and what each
 * call takes on them (floorplan.md section 11: 2 s). Threads: one. */
#ifndef TN_BENCH_FLOORPLAN_HOSTILE_H
#define TN_BENCH_FLOORPLAN_HOSTILE_H

/* Prints a line per shape and call, each measured in a process of its own: seconds of
 * the processor, which others on the machine do not change, and peak memory. `shape` and `call`
 * NULL: all. 1: one took longer than the limit or failed. */
int floorplan_hostile(const char *shape, const char *call);
/* Prints the plan of that shape; 2: there is none. */
int floorplan_hostile_plan(const char *shape);

#endif
