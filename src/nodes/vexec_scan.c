/*-------------------------------------------------------------------------
 *
 * vexec_scan.c
 *	  VexecScan: a sequential scan that filters in batches.
 *
 * The conditions at the front that have kernels run over whole batches; the
 * rows that pass are handed up one at a time as heap tuples, for core's own
 * projection and for the conditions behind.  A batch looks ahead of its
 * consumer, so a row on which a kernel stopped is evaluated by core's
 * expressions, and only when the consumer asks for it; the rest of its batch
 * goes the same way.  The first batch is small and they double, so that a
 * LIMIT, a cursor or an EXISTS costs little.
 *
 * Asked to go backward, the node hands the position to core's scan and goes
 * on row by row.
 *
 * Below a Gather each process reads the blocks that it is given.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "nodes/vexec_nodes.h"

#include "access/tableam.h"
#include "commands/explain.h"
#include "executor/executor.h"
#include "miscadmin.h"
#include "nodes/execnodes.h"
#include "optimizer/optimizer.h"
#include "utils/rel.h"

#include "compat.h"
#include "explain.h"
#include "expr/expr.h"
#include "heap/heap.h"
#include "nodes/filter.h"
#include "nodes/shared_scan.h"
#include "planner/planner.h"
#include "settings.h"

#define FIRST_BATCH_ROWS 32

typedef struct VexecScanState
{
	CustomScanState css;
	VexecFilter *filter;
	ExprState  *rest;			/* conditions behind its kernels, or NULL */
	VexecProgram *program;
	VexecHeapScan *heap;		/* NULL until the first row is asked for, or the
								 * blocks are shared */
	VexecSharedScan shared;
	TableScanDesc handed_over;	/* core's scan, once it took over */

	/* the batch at hand */
	int			batch_rows;		/* size of the next one */
	int			nrows;
	bool		at_end;
	VexecSelection selection;	/* rows before "stop" that passed the kernels */
	int			next_selected;	/* next entry of selection */
	int			next_row;		/* next row from "stop" on */
	int			returned;		/* last row handed up, -1 if none */
	int			counted;		/* rows of the batch reported to pg_stat */
	uint64		core_rows;		/* rows evaluated by core after a stop */
} VexecScanState;

static void
begin_scan(CustomScanState *css, EState *estate, int eflags)
{
	VexecScanState *state = (VexecScanState *) css;

	state->program = vexec_program_create(css->ss.ps.ps_ExprContext);
	state->filter = vexec_filter_create(state->program, css->ss.ps.plan->qual,
										((Scan *) css->ss.ps.plan)->scanrelid);
	/* the executor has prepared all conditions, and the functions' rights and hooks count */
	if (state->filter->nquals == 0)
		state->rest = css->ss.ps.qual;
	else if (state->filter->rest != NIL)
		state->rest = ExecInitQual(state->filter->rest, &css->ss.ps);
	state->batch_rows = Min(FIRST_BATCH_ROWS, vexec_batch_rows);
	state->returned = -1;
}

static VexecVector *
heap_column(void *heap, AttrNumber attno)
{
	return vexec_heap_column(heap, attno);
}

/*
 * Open the table, as core's scan does: when the first row is wanted, or when
 * the blocks are shared.
 */
static void
open_heap(VexecScanState *state)
{
	EState	   *estate = state->css.ss.ps.state;
	MemoryContext old = MemoryContextSwitchTo(estate->es_query_cxt);

	if (state->shared.blocks != NULL)
		state->heap = vexec_heap_begin_parallel(state->css.ss.ss_currentRelation,
												state->shared.blocks, state->filter->nsteps,
												state->filter->columns, false);
	else
		state->heap = vexec_heap_begin(state->css.ss.ss_currentRelation, estate->es_snapshot,
									   state->filter->nsteps, state->filter->columns, false);
	vexec_program_bind(state->program, heap_column, state->heap);
	MemoryContextSwitchTo(old);
}

/* Report rows to pg_stat as far as the consumer got. */
static void
count_rows(VexecScanState *state, int upto)
{
	if (upto > state->counted)
	{
		vexec_heap_count_rows(state->heap, upto - state->counted);
		state->counted = upto;
	}
}

/* Read and filter the next batch.  Returns false at the end of the table. */
static bool
next_batch(VexecScanState *state)
{
	VexecProgram *program = state->program;
	VexecSelection *sel = &state->selection;

	if (state->heap == NULL)
		open_heap(state);
	count_rows(state, state->nrows);
	state->counted = 0;
	state->returned = -1;
	state->next_selected = 0;
	state->nrows = vexec_heap_next_batch(state->heap, state->batch_rows);
	state->next_row = state->nrows;
	sel->count = 0;
	if (state->nrows == 0)
	{
		state->at_end = true;
		return false;
	}
	state->batch_rows = Min(state->batch_rows * 2, vexec_batch_rows);

	vexec_program_begin_batch(program, state->nrows);
	sel->dense = true;
	sel->count = state->nrows;
	vexec_filter_run(state->filter, program, state->heap, sel);
	state->next_row = program->stop;
	InstrCountFiltered1(state, program->stop - sel->count);
	return true;
}

/*
 * The next row that passes all conditions, in the scan slot; NULL at the end.
 */
static TupleTableSlot *
next_row(VexecScanState *state)
{
	ExprContext *econtext = state->css.ss.ps.ps_ExprContext;
	TupleTableSlot *slot = state->css.ss.ss_ScanTupleSlot;

	for (;;)
	{
		ExprState  *qual;
		int			row;

		if (state->next_selected < state->selection.count)
		{
			row = state->selection.dense ? state->next_selected :
				state->selection.rows[state->next_selected];
			state->next_selected++;
			qual = state->rest;
		}
		else if (state->next_row < state->nrows)
		{
			row = state->next_row++;
			qual = state->css.ss.ps.qual;
			state->core_rows++;
		}
		else if (state->at_end || !next_batch(state))
		{
			state->returned = -1;
			return ExecClearTuple(slot);
		}
		else
			continue;

		vexec_heap_store_slot(state->heap, row, slot);
		state->returned = row;
		if (qual == NULL)
			return slot;
		econtext->ecxt_scantuple = slot;
		if (ExecQual(qual, econtext))
			return slot;
		InstrCountFiltered1(state, 1);
		ResetExprContext(econtext);
		CHECK_FOR_INTERRUPTS();
	}
}

/* The same from core's scan, in any direction. */
static TupleTableSlot *
next_row_handed_over(VexecScanState *state, ScanDirection direction)
{
	ExprContext *econtext = state->css.ss.ps.ps_ExprContext;
	TupleTableSlot *slot = state->css.ss.ss_ScanTupleSlot;

	while (table_scan_getnextslot(state->handed_over, direction, slot))
	{
		econtext->ecxt_scantuple = slot;
		if (ExecQual(state->css.ss.ps.qual, econtext))
			return slot;
		InstrCountFiltered1(state, 1);
		ResetExprContext(econtext);
		CHECK_FOR_INTERRUPTS();
	}
	return ExecClearTuple(slot);
}

static void
hand_over(VexecScanState *state)
{
	if (state->heap == NULL)
		open_heap(state);
	count_rows(state, state->returned >= 0 ? state->returned + 1 : state->nrows);
	state->handed_over = vexec_heap_hand_over(state->heap, state->returned);
	state->nrows = 0;
}

static TupleTableSlot *
exec_scan(CustomScanState *css)
{
	VexecScanState *state = (VexecScanState *) css;
	ExprContext *econtext = css->ss.ps.ps_ExprContext;
	ScanDirection direction = css->ss.ps.state->es_direction;
	TupleTableSlot *slot;

	ResetExprContext(econtext);
	if (state->handed_over == NULL && ScanDirectionIsBackward(direction))
		hand_over(state);
	if (state->handed_over != NULL)
		slot = next_row_handed_over(state, direction);
	else
		slot = next_row(state);

	if (TupIsNull(slot))
	{
		if (css->ss.ps.ps_ProjInfo != NULL)
			return ExecClearTuple(css->ss.ps.ps_ProjInfo->pi_state.resultslot);
		return slot;
	}
	if (css->ss.ps.ps_ProjInfo == NULL)
		return slot;
	econtext->ecxt_scantuple = slot;
	return ExecProject(css->ss.ps.ps_ProjInfo);
}

static void
rescan_scan(CustomScanState *css)
{
	VexecScanState *state = (VexecScanState *) css;

	ExecClearTuple(css->ss.ss_ScanTupleSlot);
	if (state->heap != NULL)
	{
		if (state->handed_over == NULL)
			count_rows(state, state->returned >= 0 ? state->returned + 1 : state->nrows);
		vexec_heap_rescan(state->heap);
	}
	vexec_program_rescan(state->program);
	state->handed_over = NULL;
	state->batch_rows = Min(FIRST_BATCH_ROWS, vexec_batch_rows);
	state->nrows = 0;
	state->counted = 0;
	state->at_end = false;
	state->selection.count = 0;
	state->next_selected = 0;
	state->next_row = 0;
	state->returned = -1;
}

static void
close_heap(VexecScanState *state)
{
	if (state->heap == NULL)
		return;
	if (state->handed_over == NULL)
		count_rows(state, state->returned >= 0 ? state->returned + 1 : state->nrows);
	vexec_heap_end(state->heap);
	state->heap = NULL;
}

static void
end_scan(CustomScanState *css)
{
	VexecScanState *state = (VexecScanState *) css;

	ExecClearTuple(css->ss.ss_ScanTupleSlot);
	close_heap(state);
	vexec_shared_scan_end(&state->shared);
}

/* --- parallel ---------------------------------------------------------------- */

static Size
estimate_dsm_scan(CustomScanState *css, ParallelContext *pcxt)
{
	return vexec_shared_scan_estimate(css->ss.ss_currentRelation, css->ss.ps.state);
}

/* The counters that are summed over processes. */
static int
count_counters(const VexecScanState *state)
{
	return VEXEC_SCAN_COUNTERS(state->filter) + 1;
}

static uint64 **
list_counters(VexecScanState *state)
{
	uint64	  **counters = palloc(sizeof(uint64 *) * count_counters(state));
	int			n = vexec_shared_scan_counters(counters, vexec_heap_counters(state->heap),
											   state->program, state->filter);

	counters[n++] = &state->core_rows;
	Assert(n == count_counters(state));
	return counters;
}

static void
initialize_dsm_scan(CustomScanState *css, ParallelContext *pcxt, void *coordinate)
{
	VexecScanState *state = (VexecScanState *) css;

	close_heap(state);
	vexec_shared_scan_initialize(&state->shared, css->ss.ss_currentRelation, css->ss.ps.state,
								 pcxt, coordinate, count_counters(state), 0);
	open_heap(state);
}

static void
reinitialize_dsm_scan(CustomScanState *css, ParallelContext *pcxt, void *coordinate)
{
	VexecScanState *state = (VexecScanState *) css;

	vexec_shared_scan_reinitialize(&state->shared, css->ss.ss_currentRelation);
}

static void
initialize_worker_scan(CustomScanState *css, shm_toc *toc, void *coordinate)
{
	VexecScanState *state = (VexecScanState *) css;

	vexec_shared_scan_attach(&state->shared, coordinate, count_counters(state), 0);
	open_heap(state);
}

static void
shutdown_scan(CustomScanState *css)
{
	VexecScanState *state = (VexecScanState *) css;

	if (state->heap != NULL && state->shared.worker)
		vexec_shared_scan_report(&state->shared, list_counters(state));
}

/* --- EXPLAIN ----------------------------------------------------------------- */

static void
explain_scan(CustomScanState *css, List *ancestors, ExplainState *es)
{
	VexecScanState *state = (VexecScanState *) css;

	vexec_explain_kernels(es, state->filter, 0, 0);
	if (es->analyze && state->heap != NULL)
	{
		if (state->shared.segment != NULL)
			vexec_shared_scan_collect(&state->shared, list_counters(state));
		vexec_explain_filter(es, state->filter, css, ancestors);
		vexec_explain_batches(es, vexec_heap_counters(state->heap), state->program->kernel_calls,
							  state->core_rows, 0);
	}
}

static const CustomExecMethods scan_exec_methods = {
	.CustomName = "VexecScan",
	.BeginCustomScan = begin_scan,
	.ExecCustomScan = exec_scan,
	.EndCustomScan = end_scan,
	.ReScanCustomScan = rescan_scan,
	.EstimateDSMCustomScan = estimate_dsm_scan,
	.InitializeDSMCustomScan = initialize_dsm_scan,
	.ReInitializeDSMCustomScan = reinitialize_dsm_scan,
	.InitializeWorkerCustomScan = initialize_worker_scan,
	.ShutdownCustomScan = shutdown_scan,
	.ExplainCustomScan = explain_scan,
};

static Node *
create_state(CustomScan *cscan)
{
	VexecScanState *state = palloc0(sizeof(VexecScanState));

	NodeSetTag(state, T_CustomScanState);
	state->css.methods = &scan_exec_methods;
	state->css.slotOps = &TTSOpsBufferHeapTuple;
	return (Node *) state;
}

const CustomScanMethods vexec_scan_methods = {
	.CustomName = "VexecScan",
	.CreateCustomScanState = create_state,
};
