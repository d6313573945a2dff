/*-------------------------------------------------------------------------
 *
 * source.h
 *	  Where the batches of an aggregation come from: a table, or the rows of any
 *	  plan.
 *
 *-------------------------------------------------------------------------
 */
#ifndef VEXEC_SOURCE_H
#define VEXEC_SOURCE_H

#include "heap/heap.h"

#include "nodes/execnodes.h"

typedef struct VexecSource VexecSource;

/* The batches of a table; the scan becomes the source's own. */
extern VexecSource *vexec_source_table(VexecHeapScan *heap);

/*
 * Rows of a plan gathered into vectors.  columns (1-based positions in the
 * plan's result) are those that will be asked for.  Values are copied to
 * memory that is reset with each batch; a batch ends early when they exceed
 * vexec_source_batch_limit.
 */
extern VexecSource *vexec_source_rows(PlanState *plan, Bitmapset *columns);

/* The next batch of up to maxrows rows; 0 at the end of the input. */
extern int	vexec_source_next(VexecSource *source, int maxrows);

/* See vexec_heap_decode; a plan's rows have one stage, which cannot fail. */
extern int	vexec_source_decode(VexecSource *source, int stage, const uint16 *sel, int n);

/* See vexec_heap_column. */
extern VexecVector *vexec_source_column(VexecSource *source, AttrNumber attno);

/* A slot for core's expressions, for vexec_source_store_row; made in the estate. */
extern TupleTableSlot *vexec_source_create_slot(TupleDesc tupdesc, bool table, EState *estate);

/*
 * Put a row of the current batch into a slot: of a plan's rows only the
 * columns that will be asked for, the others are null.
 */
extern void vexec_source_store_row(VexecSource *source, int row, TupleTableSlot *slot);

/* Rows of the batch have been read from a table, for its statistics. */
extern void vexec_source_count_rows(VexecSource *source, int nrows);

/*
 * Bytes that values copied for a batch may take: work_mem, or less so that a
 * kernel over all of them does not keep a cancel waiting.
 */
extern Size vexec_source_batch_limit(void);

/* Bytes that values of the current batch were copied to. */
extern Size vexec_source_batch_memory(const VexecSource *source);

/* The scan of a table, NULL if the source is a plan. */
extern VexecHeapScan *vexec_source_heap(const VexecSource *source);

/* See vexec_heap_counters; of a plan's rows only batches and rows are counted. */
extern VexecHeapCounters *vexec_source_counters(VexecSource *source);

/* Start again; a plan is rescanned unless its own parameters do that. */
extern void vexec_source_rescan(VexecSource *source);

/* Release pins; the plan itself is its parent's to end. */
extern void vexec_source_end(VexecSource *source);

#endif							/* VEXEC_SOURCE_H */
