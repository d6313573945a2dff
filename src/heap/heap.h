/*-------------------------------------------------------------------------
 *
 * heap.h
 *	  Heap pages to visible tuples to vectors.
 *
 * The scan drives core's own page preparation (read stream, visibility,
 * pruning, SSI), keeps the pages of a batch pinned, and holds the tuples of a
 * batch as pointers.  A column becomes a vector only when a stage that names
 * it is decoded, and only at the rows selected then.
 *
 *-------------------------------------------------------------------------
 */
#ifndef VEXEC_HEAP_H
#define VEXEC_HEAP_H

#include "batch/batch.h"

#include "access/relscan.h"
#include "executor/tuptable.h"
#include "nodes/bitmapset.h"
#include "utils/rel.h"
#include "utils/snapshot.h"

typedef struct VexecHeapScan VexecHeapScan;

/*
 * Start a sequential scan.  rel is locked and stays open until
 * vexec_heap_end.  ncolumn_stages sets of attribute numbers (1-based,
 * user columns only) name what later calls of vexec_heap_decode decode, in
 * that order; a set may be NULL (empty), and a column that an earlier set has
 * is dropped from later ones.
 *
 * detoast: decode compressed and out-of-line values of NUMERIC and STRING
 * columns; if false, such a value makes vexec_heap_decode report its row.
 *
 * Everything is allocated in a child of the current memory context.
 * Opening counts one sequential scan, as core's does.
 */
extern VexecHeapScan *vexec_heap_begin(Relation rel, Snapshot snapshot, int ncolumn_stages,
									   Bitmapset **column_stages, bool detoast);

/*
 * The same for one of several processes that share a table's blocks: each
 * visible tuple is in a batch of exactly one of them.  shared was set up by
 * table_parallelscan_initialize, stays in place until vexec_heap_end, and holds
 * the snapshot.  vexec_heap_hand_over is not for such a scan.
 */
extern VexecHeapScan *vexec_heap_begin_parallel(Relation rel, ParallelTableScanDesc shared,
												int ncolumn_stages, Bitmapset **column_stages,
												bool detoast);

/*
 * Release the batch before and gather up to maxrows (1..VEXEC_BATCH_ROWS)
 * visible tuples.  Returns their number, 0 at the end of the table.  Fewer
 * rows than maxrows do not mean the end: a batch also ends where the number of
 * pages it pins reaches its bound.  Checks for interrupts once a page.
 */
extern int	vexec_heap_next_batch(VexecHeapScan *scan, int maxrows);

/*
 * Decode the columns of one stage at the selected rows.  Stages are decoded
 * in ascending order, each at most once a batch, each selection a subset of
 * the one before it.  Returns the lowest row whose value
 * could not be decoded without detoasting, else the number of rows in the
 * batch.  Values at and after a reported row are unspecified.
 */
extern int	vexec_heap_decode(VexecHeapScan *scan, int stage, const uint16 *sel, int n);

/*
 * The vector of a column named in some stage.  The pointer stays the same for
 * the life of the scan; its content belongs to the current batch.
 * NUMERIC, STRING and the fixed-width kinds follow vexec_kind_of_type; a
 * column of any other type is DATUM: by-value or a pointer into the page
 * (varlena values as stored: short, compressed or toasted).
 */
extern VexecVector *vexec_heap_column(VexecHeapScan *scan, AttrNumber attno);

/*
 * Bytes of memory that values of the current batch were copied to: detoasted
 * ones, and numerics that are not decimal.
 */
extern Size vexec_heap_batch_memory(const VexecHeapScan *scan);

/*
 * Put a row of the current batch into a buffer heap tuple slot, which takes a
 * pin of its own.
 */
extern void vexec_heap_store_slot(VexecHeapScan *scan, int row, TupleTableSlot *slot);

/* Add rows to the table's pg_stat "tuples read by sequential scans". */
extern void vexec_heap_count_rows(VexecHeapScan *scan, int64 nrows);

/*
 * Give up batches for the rest of this scan: position core's own scan on a row
 * of the current batch (or behind the last row of the table, with row = -1
 * after vexec_heap_next_batch returned 0), so that table_scan_getnextslot in
 * either direction returns the row after or before it.  The batch is released.
 * Until vexec_heap_rescan only the returned scan may be used.
 */
extern TableScanDesc vexec_heap_hand_over(VexecHeapScan *scan, int row);

/*
 * Make a NUMERIC vector decimal from numerics as Datums, rows 0 .. n-1 with the
 * nulls of both.  false, and nothing done, unless all are finite, have the
 * same display scale, fit, and are stored in line without compression.
 */
extern bool vexec_numerics_to_decimal(VexecVector *vector, const VexecVector *datums, int n);

/*
 * Start again from the first page, with the same snapshot.  Blocks that are
 * shared are given out anew only after table_parallelscan_reinitialize, which
 * may come before or after this.
 */
extern void vexec_heap_rescan(VexecHeapScan *scan);

/* Release pins and memory. */
extern void vexec_heap_end(VexecHeapScan *scan);

/*
 * What EXPLAIN ANALYZE shows; reset by nobody, summed over rescans.  The caller
 * may move them, or add those of other processes that share the scan.
 */
typedef struct VexecHeapCounters
{
	uint64		pages;
	uint64		batches;
	uint64		rows;			/* visible tuples */
	uint64		values_decoded; /* column values turned into vector elements */
	uint64		batches_walked; /* batches that took the general walk, because
								 * of nulls or short tuples */
} VexecHeapCounters;

extern VexecHeapCounters *vexec_heap_counters(VexecHeapScan *scan);

#endif							/* VEXEC_HEAP_H */
