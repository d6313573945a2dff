/*-------------------------------------------------------------------------
 *
 * explain.h
 *	  Everything that EXPLAIN prints.
 *
 *-------------------------------------------------------------------------
 */
#ifndef VEXEC_EXPLAIN_H
#define VEXEC_EXPLAIN_H

#include "agg/agg.h"
#include "compat.h"
#include "heap/heap.h"
#include "nodes/filter.h"

#include "nodes/execnodes.h"

/* Install EXPLAIN's option or hook; called once from _PG_init. */
extern void vexec_explain_init(void);

/*
 * Expressions of the node under a label: a list, or conditions joined by AND.
 */
extern void vexec_explain_expressions(ExplainState *es, const char *label, List *exprs,
									  CustomScanState *css, List *ancestors, bool conditions);

/* How many conditions and inputs of aggregation have kernels, or have not. */
extern void vexec_explain_kernels(ExplainState *es, const VexecFilter *filter, int inputs,
								  int core_inputs);

/* EXPLAIN ANALYZE: rows that entered and passed each step with kernels. */
extern void vexec_explain_filter(ExplainState *es, const VexecFilter *filter,
								 CustomScanState *css, List *ancestors);

/*
 * EXPLAIN ANALYZE: the scan's counters; core_rows were left to core by a
 * kernel, fallback_rows had some expression without kernels.
 */
extern void vexec_explain_batches(ExplainState *es, const VexecHeapCounters *counters,
								  uint64 kernel_calls, uint64 core_rows, uint64 fallback_rows);

/* The same for the rows of a plan. */
extern void vexec_explain_rows(ExplainState *es, uint64 batches, uint64 rows, uint64 kernel_calls,
							   uint64 core_rows, uint64 fallback_rows);

/* EXPLAIN ANALYZE: rows aggregated, groups, memory and disk. */
extern void vexec_explain_groups(ExplainState *es, const VexecGroupingCounters *counters);

#endif							/* VEXEC_EXPLAIN_H */
