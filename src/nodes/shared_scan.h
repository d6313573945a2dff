/*-------------------------------------------------------------------------
 *
 * shared_scan.h
 *	  What the processes of a parallel query share of one node's input: the
 *	  blocks of a table that are still to be read, if it is a table, and
 *	  counters for EXPLAIN ANALYZE.
 *
 * For the parallel callbacks of a node; rel is NULL if its input is a plan.
 * Without a call of vexec_shared_scan_initialize or _attach there is nothing to
 * share, and the node reads the whole table: core calls them only where workers
 * may come.
 *
 *-------------------------------------------------------------------------
 */
#ifndef VEXEC_SHARED_SCAN_H
#define VEXEC_SHARED_SCAN_H

#include "expr/expr.h"
#include "heap/heap.h"
#include "nodes/filter.h"

#include "access/parallel.h"
#include "access/relscan.h"
#include "nodes/execnodes.h"
#include "storage/dsm.h"

/* One process's view; zeroed bytes are "not shared". */
typedef struct VexecSharedScan
{
	ParallelTableScanDesc blocks;	/* NULL: not shared; in the query's segment */
	bool		worker;
	dsm_segment *segment;		/* of the counters, NULL if there are none; owned */
	int			ncounters;		/* of a process */
	int			npeaks;			/* the last of them are no sums */
	int			nworkers;		/* that have room for them */
} VexecSharedScan;

/* Bytes of the coordination area. */
extern Size vexec_shared_scan_estimate(Relation rel, EState *estate);

/*
 * In the leader: fill the coordination area.  ncounters is how many counters
 * each process has, of which the last npeaks are peaks: of workers that take
 * part one after the other, the largest counts.  There is room for them if the
 * query is instrumented and workers may come.
 */
extern void vexec_shared_scan_initialize(VexecSharedScan *shared, Relation rel, EState *estate,
										 ParallelContext *pcxt, void *area, int ncounters,
										 int npeaks);

/* In the leader, between two rounds of workers: all blocks are to be read again. */
extern void vexec_shared_scan_reinitialize(VexecSharedScan *shared, Relation rel);

/* In a worker: join. */
extern void vexec_shared_scan_attach(VexecSharedScan *shared, void *area, int ncounters,
									 int npeaks);

/*
 * The counters that every scan has, as pointers for the calls below; returns
 * their number, VEXEC_SCAN_COUNTERS(filter).
 */
#define VEXEC_SCAN_COUNTERS(filter) (7 + (filter)->nsteps)
extern int	vexec_shared_scan_counters(uint64 **counters, VexecHeapCounters *heap,
									   VexecProgram *program, VexecFilter *filter);

/*
 * In a worker: move its counters to the leader.  In the leader, when the
 * workers are gone: add theirs to its own.  counters points to ncounters
 * of them.  Either way what was moved is zeroed, so that calls may be repeated.
 */
extern void vexec_shared_scan_report(VexecSharedScan *shared, uint64 **counters);
extern void vexec_shared_scan_collect(VexecSharedScan *shared, uint64 **counters);

/* Let go of the counters. */
extern void vexec_shared_scan_end(VexecSharedScan *shared);

#endif							/* VEXEC_SHARED_SCAN_H */
