/*-------------------------------------------------------------------------
 *
 * vexec_agg.c
 *	  VexecAgg: aggregation in batches, of one table (with its scan and filter)
 *	  or of the rows of any plan.
 *
 * The inputs of a batch are evaluated (agg_input.c) and handed to a grouping
 * (agg/), which keeps within its memory limit; no intermediate tuple exists.
 * Here is what lies around that: the plan's data, privileges, groups out,
 * rescans and EXPLAIN.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "nodes/vexec_nodes.h"

#include "commands/explain.h"
#include "executor/executor.h"
#include "executor/nodeHash.h"
#include "miscadmin.h"
#include "nodes/execnodes.h"
#include "nodes/makefuncs.h"
#include "nodes/nodeFuncs.h"
#include "utils/memutils.h"

#include "agg/agg.h"
#include "compat.h"
#include "explain.h"
#include "nodes/agg_input.h"
#include "nodes/agg_rights.h"
#include "nodes/shared_scan.h"
#include "nodes/source.h"
#include "planner/planner.h"

/* Columns of a plan's rows are Vars of this table, of which there is no other. */
#define ROWS_RELID 1

typedef struct VexecAggState
{
	CustomScanState css;
	VexecAggPlan plan;
	Relation	relation;		/* NULL if the input is a plan */
	VexecInputs inputs;
	VexecSource *source;		/* NULL until the first group is asked for, or the
								 * table's blocks are shared */
	VexecSharedScan shared;

	MemoryContext agg_memory;	/* owns the grouping */
	VexecGroupingPlan grouping_plan;
	VexecGrouping *grouping;
	Datum	   *keys;			/* of the group at hand */
	bool	   *keys_null;
	bool		filled;			/* all input has been read */
} VexecAggState;

/* --- start ---------------------------------------------------------------- */

typedef struct InputVarsContext
{
	List	   *scan_tlist;
	List	   *input_columns;	/* NIL for a table */
} InputVarsContext;

/* Put Vars of the input where setrefs put references to the scan tuple. */
static Node *
to_input_vars(Node *node, InputVarsContext *context)
{
	if (node == NULL)
		return NULL;
	if (IsA(node, Var) && ((Var *) node)->varno == INDEX_VAR)
	{
		int			at = ((Var *) node)->varattno - 1;
		Node	   *expr = (Node *) list_nth_node(TargetEntry, context->scan_tlist, at)->expr;
		int			column;

		if (context->input_columns == NIL)
			return copyObject(expr);
		column = list_nth_int(context->input_columns, at);
		if (column == 0)
			elog(ERROR, "aggregation input is no column of the plan below");
		return (Node *) makeVar(ROWS_RELID, column, exprType(expr), exprTypmod(expr),
								exprCollation(expr), 0);
	}
	return expression_tree_mutator(node, to_input_vars, context);
}

/* A part of the plan's expressions, on the columns of the input. */
static List *
input_part(VexecAggState *state, CustomScan *cscan, int part)
{
	InputVarsContext context = {cscan->custom_scan_tlist, state->plan.input_columns};

	return (List *) to_input_vars((Node *) vexec_agg_plan_part(cscan, part), &context);
}

/* Has an aggregate before this one the same transition of core's? */
static bool
is_new_transition(const VexecGroupingPlan *plan, int nresults, Aggref *aggref)
{
	for (int i = 0; i < nresults; i++)
	{
		if (plan->results[i].aggref->aggtransno == aggref->aggtransno)
			return false;
	}
	return true;
}

/* The call that another aggregate already has, or -1. */
static int
find_call(VexecGroupingPlan *plan, Aggref *aggref, VexecCallMode mode)
{
	for (int i = 0; i < plan->ncalls; i++)
	{
		VexecCall  *call = &plan->calls[i];

		if (call->aggref->aggtransno != aggref->aggtransno || call->mode != mode)
			continue;

		/* one transition function of core may be two of ours */
		if ((mode == VEXEC_CALL_VECTOR || mode == VEXEC_CALL_SET) &&
			strcmp(vexec_aggregate_lookup(call->aggref->aggfnoid)->transition.name,
				   vexec_aggregate_lookup(aggref->aggfnoid)->transition.name) != 0)
			continue;
		return i;
	}
	return -1;
}

/* The kind of vector that an argument of a call is to have. */
static VexecKind
argument_kind(VexecCall *call, Node *argument)
{
	if (call->mode == VEXEC_CALL_VECTOR)
	{
		const VexecAggregate *aggregate = vexec_aggregate_lookup(call->aggref->aggfnoid);

		if (!aggregate->transition.any_kind)
			return aggregate->transition.arg;
	}
	return vexec_kind_of_type(exprType(argument));
}

static void
init_call(VexecAggState *state, VexecCall *call, Aggref *aggref, VexecCallMode mode,
		  List *arguments, Node *filter)
{
	call->aggref = aggref;
	call->mode = mode;
	call->filter = -1;
	if (filter != NULL)
		call->filter = vexec_inputs_add(&state->inputs, filter, VEXEC_BOOL, -1, false);
	call->args = palloc(sizeof(int) * Max(list_length(arguments), 1));
	foreach_ptr(Node, argument, arguments)
		call->args[call->nargs++] =
			vexec_inputs_add(&state->inputs, argument, argument_kind(call, argument),
							 call->filter, false);
}

static void
init_aggregates(VexecAggState *state, CustomScan *cscan)
{
	VexecGroupingPlan *plan = &state->grouping_plan;
	List	   *arguments = input_part(state, cscan, VEXEC_AGG_ARGUMENTS);
	List	   *filters = input_part(state, cscan, VEXEC_AGG_FILTERS);
	int			naggs = state->plan.naggs;

	plan->nresults = naggs;
	plan->results = palloc0(sizeof(VexecCallResult) * Max(naggs, 1));
	plan->calls = palloc0(sizeof(VexecCall) * Max(naggs, 1));
	/* as core: the rights on all aggregates before those on any argument's functions */
	for (int i = 0; i < naggs; i++)
	{
		TargetEntry *entry = list_nth(cscan->custom_scan_tlist, state->plan.nkeys + i);
		Aggref	   *aggref = castNode(Aggref, entry->expr);

		vexec_check_aggregate_rights(aggref, is_new_transition(plan, i, aggref));
		plan->results[i].aggref = aggref;
	}
	for (int i = 0; i < naggs; i++)
	{
		Aggref	   *aggref = plan->results[i].aggref;
		VexecCallMode mode;
		char	   *reason;
		int			at;

		if (!vexec_call_mode(aggref, &mode, &reason))
			elog(ERROR, "aggregate %u cannot be computed: %s", aggref->aggfnoid, reason);
		at = find_call(plan, aggref, mode);
		if (at < 0)
		{
			at = plan->ncalls++;
			init_call(state, &plan->calls[at], aggref, mode, list_nth(arguments, i),
					  list_nth(filters, i));
		}
		else
			plan->calls[at].shared = true;
		plan->results[i].call = at;
	}
}

static void
init_keys(VexecAggState *state, CustomScan *cscan, int eflags)
{
	VexecGroupingPlan *plan = &state->grouping_plan;
	List	   *keys = input_part(state, cscan, VEXEC_AGG_KEYS);
	VexecKeyType *types = palloc0(sizeof(VexecKeyType) * Max(list_length(keys), 1));

	plan->nkeys = list_length(keys);
	plan->keys = types;
	for (int i = 0; i < plan->nkeys; i++)
	{
		types[i] = vexec_key_type(list_nth(keys, i), list_nth_oid(state->plan.key_operators, i));
		vexec_inputs_add(&state->inputs, list_nth(keys, i), types[i].kind, -1, true);
	}
	/* core looks for the functions of its hash table only to execute */
	if ((eflags & EXEC_FLAG_EXPLAIN_ONLY) == 0)
	{
		for (int i = state->plan.ncompared - 1; i >= 0; i--)
			vexec_check_key_rights(list_nth_oid(state->plan.key_operators, i));
	}
	state->keys = palloc(sizeof(Datum) * Max(plan->nkeys, 1));
	state->keys_null = palloc(sizeof(bool) * Max(plan->nkeys, 1));
}

/* How many inputs there can be: keys, and a filter and arguments for each aggregate. */
static int
max_inputs(CustomScan *cscan, const VexecAggPlan *plan)
{
	int			count = plan->nkeys + plan->naggs;

	foreach_ptr(List, arguments, vexec_agg_plan_part(cscan, VEXEC_AGG_ARGUMENTS))
		count += list_length(arguments);
	return count;
}

/* Keys, filters and arguments become columns, and the grouping is made. */
static void
init_grouping(VexecAggState *state, CustomScan *cscan, int eflags)
{
	VexecGroupingPlan *plan = &state->grouping_plan;
	VexecInputColumn *columns;

	init_keys(state, cscan, eflags);
	init_aggregates(state, cscan);
	columns = palloc(sizeof(VexecInputColumn) * Max(state->inputs.ninputs, 1));
	for (int i = 0; i < state->inputs.ninputs; i++)
	{
		columns[i].kind = state->inputs.inputs[i].kind;
		columns[i].typid = state->inputs.inputs[i].typid;
	}
	plan->ncolumns = state->inputs.ninputs;
	plan->columns = columns;
	plan->grouped = state->plan.grouped;
	plan->groups = state->plan.groups;
	plan->partial = state->plan.partial;
	plan->memory_limit = get_hash_memory_limit();
}

static void
begin_agg(CustomScanState *css, EState *estate, int eflags)
{
	VexecAggState *state = (VexecAggState *) css;
	CustomScan *cscan = (CustomScan *) css->ss.ps.plan;
	PlanState	output = css->ss.ps;
	MemoryContext old;
	TupleDesc	tupdesc;
	Index		relid = ROWS_RELID;
	List	   *direct_args;

	if (cscan->scan.scanrelid > 0)
	{
		/*
		 * The executor closes the relation.  It is not shown in the scan
		 * state, where WHERE CURRENT OF would take an aggregate for a scan of
		 * the table.
		 */
		state->relation = css->ss.ss_currentRelation;
		css->ss.ss_currentRelation = NULL;
		tupdesc = RelationGetDescr(state->relation);
		relid = cscan->scan.scanrelid;
	}
	else
	{
		PlanState  *child = ExecInitNode(linitial(cscan->custom_plans), estate,
										 eflags & ~EXEC_FLAG_REWIND);

		css->custom_ps = list_make1(child);
		tupdesc = ExecGetResultType(child);
	}

	/* the expressions below read input rows, not this node's scan tuple */
	css->ss.ps.scandesc = tupdesc;
	css->ss.ps.scanops = state->relation != NULL ? &TTSOpsBufferHeapTuple : &TTSOpsVirtual;
	css->ss.ps.scanopsfixed = css->ss.ps.scanopsset = true;

	vexec_inputs_init(&state->inputs, &css->ss.ps,
					  vexec_source_create_slot(tupdesc, state->relation != NULL, estate),
					  input_part(state, cscan, VEXEC_AGG_QUALS), relid,
					  max_inputs(cscan, &state->plan));
	state->agg_memory = AllocSetContextCreate(CurrentMemoryContext, "VexecAgg",
											  ALLOCSET_DEFAULT_SIZES);
	init_grouping(state, cscan, eflags);

	css->ss.ps.scandesc = output.scandesc;
	css->ss.ps.scanops = output.scanops;
	css->ss.ps.scanopsfixed = output.scanopsfixed;
	css->ss.ps.scanopsset = output.scanopsset;

	/* direct arguments of ordered-set aggregates read the keys of a group */
	direct_args = vexec_agg_plan_part(cscan, VEXEC_AGG_DIRECT_ARGUMENTS);
	for (int i = 0; i < state->plan.naggs; i++)
		state->grouping_plan.results[i].direct_args = ExecInitExprList(list_nth(direct_args, i),
																	   &css->ss.ps);

	old = MemoryContextSwitchTo(state->agg_memory);
	state->grouping = vexec_grouping_create(&state->grouping_plan, &css->ss.ps);
	MemoryContextSwitchTo(old);
	vexec_inputs_set_grouping(&state->inputs, state->grouping, &state->grouping_plan);
}

/*
 * Open the table, as core's scan does: when the first group is wanted, or when
 * the blocks are shared.
 */
static VexecHeapScan *
open_table(VexecAggState *state)
{
	CustomScan *cscan = (CustomScan *) state->css.ss.ps.plan;
	VexecFilter *filter = state->inputs.filter;
	Bitmapset **stages = palloc(sizeof(Bitmapset *) * (filter->nsteps + 1));

	/* the inputs' columns are the last stage */
	memcpy(stages, filter->columns, sizeof(Bitmapset *) * filter->nsteps);
	stages[filter->nsteps] = vexec_inputs_columns(&state->inputs, cscan->scan.scanrelid, false);
	if (state->shared.blocks != NULL)
		return vexec_heap_begin_parallel(state->relation, state->shared.blocks,
										 filter->nsteps + 1, stages, true);
	return vexec_heap_begin(state->relation, state->css.ss.ps.state->es_snapshot,
							filter->nsteps + 1, stages, true);
}

static void
open_source(VexecAggState *state)
{
	MemoryContext old = MemoryContextSwitchTo(state->css.ss.ps.state->es_query_cxt);

	if (state->relation != NULL)
		state->source = vexec_source_table(open_table(state));
	else
		state->source = vexec_source_rows(linitial(state->css.custom_ps),
										  vexec_inputs_columns(&state->inputs, ROWS_RELID, true));
	vexec_inputs_bind(&state->inputs, state->source);
	MemoryContextSwitchTo(old);
}

/* --- groups out ------------------------------------------------------------- */

/* The next group's keys and results in the scan tuple; NULL if there is none. */
static TupleTableSlot *
next_group(VexecAggState *state)
{
	TupleTableSlot *slot = state->css.ss.ss_ScanTupleSlot;
	ExprContext *econtext = state->css.ss.ps.ps_ExprContext;
	int			nkeys = state->plan.nkeys;
	MemoryContext old;

	if (!vexec_grouping_next(state->grouping, state->keys, state->keys_null))
		return NULL;
	ExecStoreAllNullTuple(slot);
	memcpy(slot->tts_values, state->keys, nkeys * sizeof(Datum));
	memcpy(slot->tts_isnull, state->keys_null, nkeys * sizeof(bool));
	econtext->ecxt_scantuple = slot;

	old = MemoryContextSwitchTo(econtext->ecxt_per_tuple_memory);
	vexec_grouping_results(state->grouping, econtext, slot->tts_values + nkeys,
						   slot->tts_isnull + nkeys);
	MemoryContextSwitchTo(old);
	return slot;
}

static TupleTableSlot *
exec_agg(CustomScanState *css)
{
	VexecAggState *state = (VexecAggState *) css;
	ExprContext *econtext = css->ss.ps.ps_ExprContext;
	TupleTableSlot *slot;

	if (!state->filled)
	{
		if (state->source == NULL)
			open_source(state);
		vexec_inputs_run(&state->inputs);
		vexec_grouping_finish(state->grouping);
		state->filled = true;
	}
	for (;;)
	{
		CHECK_FOR_INTERRUPTS();
		ResetExprContext(econtext);
		slot = next_group(state);
		if (slot == NULL)
			break;
		if (!ExecQual(css->ss.ps.qual, econtext))
		{
			InstrCountFiltered1(state, 1);
			continue;
		}
		return css->ss.ps.ps_ProjInfo != NULL ? ExecProject(css->ss.ps.ps_ProjInfo) : slot;
	}
	if (css->ss.ps.ps_ProjInfo != NULL)
		return ExecClearTuple(css->ss.ps.ps_ProjInfo->pi_state.resultslot);
	return ExecClearTuple(css->ss.ss_ScanTupleSlot);
}

static void
rescan_agg(CustomScanState *css)
{
	VexecAggState *state = (VexecAggState *) css;

	/* the groups stand unless a parameter changed, or others take part of the blocks */
	if (state->filled && state->shared.blocks == NULL && css->ss.ps.chgParam == NULL &&
		vexec_grouping_rewind(state->grouping))
		return;
	state->filled = false;
	ExecClearTuple(state->inputs.slot);
	ExecClearTuple(css->ss.ss_ScanTupleSlot);
	vexec_program_rescan(state->inputs.program);
	vexec_grouping_reset(state->grouping);
	if (state->relation == NULL && css->ss.ps.chgParam != NULL)
		UpdateChangedParamSet(linitial(css->custom_ps), css->ss.ps.chgParam);
	if (state->source != NULL)
		vexec_source_rescan(state->source);
}

static void
close_source(VexecAggState *state)
{
	if (state->source != NULL)
		vexec_source_end(state->source);
	state->source = NULL;
}

static void
end_agg(CustomScanState *css)
{
	VexecAggState *state = (VexecAggState *) css;

	if (state->inputs.slot != NULL)
		ExecClearTuple(state->inputs.slot);
	close_source(state);
	vexec_shared_scan_end(&state->shared);
	if (state->grouping != NULL)
		vexec_grouping_end(state->grouping);
	state->grouping = NULL;
	MemoryContextDelete(state->agg_memory);
	if (state->relation == NULL)
		ExecEndNode(linitial(css->custom_ps));
}

/* --- parallel: the blocks of a table are shared, and counters are summed ------- */

static Size
estimate_dsm_agg(CustomScanState *css, ParallelContext *pcxt)
{
	VexecAggState *state = (VexecAggState *) css;

	return vexec_shared_scan_estimate(state->relation, css->ss.ps.state);
}

/* The counters that are summed over processes, behind those of the scan; the last are peaks. */
#define GROUPING_COUNTERS 8
#define GROUPING_PEAKS 3

static int
count_counters(const VexecAggState *state)
{
	return VEXEC_SCAN_COUNTERS(state->inputs.filter) + GROUPING_COUNTERS;
}

static uint64 **
list_counters(VexecAggState *state)
{
	VexecInputs *inputs = &state->inputs;
	VexecGroupingCounters *grouping = vexec_grouping_counters(state->grouping);
	uint64	  **counters = palloc(sizeof(uint64 *) * count_counters(state));
	int			n = vexec_shared_scan_counters(counters, vexec_source_counters(state->source),
											   inputs->program, inputs->filter);

	counters[n++] = &inputs->core_rows;
	counters[n++] = &inputs->fallback_rows;
	counters[n++] = &grouping->rows;
	counters[n++] = &grouping->spilled_rows;
	counters[n++] = &grouping->partitions;
	counters[n++] = &grouping->groups;
	counters[n++] = &grouping->peak_memory;
	counters[n++] = &grouping->peak_disk;
	Assert(n == count_counters(state));
	return counters;
}

static void
initialize_dsm_agg(CustomScanState *css, ParallelContext *pcxt, void *coordinate)
{
	VexecAggState *state = (VexecAggState *) css;

	close_source(state);
	vexec_shared_scan_initialize(&state->shared, state->relation, css->ss.ps.state, pcxt,
								 coordinate, count_counters(state), GROUPING_PEAKS);
	open_source(state);
}

static void
reinitialize_dsm_agg(CustomScanState *css, ParallelContext *pcxt, void *coordinate)
{
	VexecAggState *state = (VexecAggState *) css;

	vexec_shared_scan_reinitialize(&state->shared, state->relation);
}

static void
initialize_worker_agg(CustomScanState *css, shm_toc *toc, void *coordinate)
{
	VexecAggState *state = (VexecAggState *) css;

	vexec_shared_scan_attach(&state->shared, coordinate, count_counters(state), GROUPING_PEAKS);
	open_source(state);
}

static void
shutdown_agg(CustomScanState *css)
{
	VexecAggState *state = (VexecAggState *) css;

	if (state->source != NULL && state->shared.worker)
		vexec_shared_scan_report(&state->shared, list_counters(state));
}

/* --- EXPLAIN ------------------------------------------------------------------- */

static void
explain_agg(CustomScanState *css, List *ancestors, ExplainState *es)
{
	VexecAggState *state = (VexecAggState *) css;
	VexecInputs *inputs = &state->inputs;
	CustomScan *cscan = (CustomScan *) css->ss.ps.plan;
	const VexecHeapCounters *counters;

	vexec_explain_expressions(es, "Group Key", vexec_agg_plan_part(cscan, VEXEC_AGG_KEYS), css,
							  ancestors, false);
	vexec_explain_expressions(es, "Scan Filter", vexec_agg_plan_part(cscan, VEXEC_AGG_QUALS), css,
							  ancestors, true);
	vexec_explain_kernels(es, inputs->filter, vexec_inputs_count(inputs, true),
						  vexec_inputs_count(inputs, false));
	if (!es->analyze || state->source == NULL)
		return;
	if (state->shared.segment != NULL)
		vexec_shared_scan_collect(&state->shared, list_counters(state));
	vexec_explain_filter(es, inputs->filter, css, ancestors);
	counters = vexec_source_counters(state->source);
	if (state->relation != NULL)
		vexec_explain_batches(es, counters, inputs->program->kernel_calls, inputs->core_rows,
							  inputs->fallback_rows);
	else
		vexec_explain_rows(es, counters->batches, counters->rows, inputs->program->kernel_calls,
						   inputs->core_rows, inputs->fallback_rows);
	vexec_explain_groups(es, vexec_grouping_counters(state->grouping));
}

static const CustomExecMethods agg_exec_methods = {
	.CustomName = "VexecAgg",
	.BeginCustomScan = begin_agg,
	.ExecCustomScan = exec_agg,
	.EndCustomScan = end_agg,
	.ReScanCustomScan = rescan_agg,
	.EstimateDSMCustomScan = estimate_dsm_agg,
	.InitializeDSMCustomScan = initialize_dsm_agg,
	.ReInitializeDSMCustomScan = reinitialize_dsm_agg,
	.InitializeWorkerCustomScan = initialize_worker_agg,
	.ShutdownCustomScan = shutdown_agg,
	.ExplainCustomScan = explain_agg,
};

static Node *
create_state(CustomScan *cscan)
{
	VexecAggState *state = palloc0(sizeof(VexecAggState));

	NodeSetTag(state, T_CustomScanState);
	state->css.methods = &agg_exec_methods;
	vexec_agg_plan_read(cscan, &state->plan);

	/* core's scan comes before the output, which is initialised next */
	if (cscan->scan.scanrelid > 0)
	{
		vexec_check_expression_rights((Node *) input_part(state, cscan, VEXEC_AGG_KEYS));
		vexec_check_expression_rights((Node *) input_part(state, cscan, VEXEC_AGG_QUALS));
	}
	return (Node *) state;
}

const CustomScanMethods vexec_agg_methods = {
	.CustomName = "VexecAgg",
	.CreateCustomScanState = create_state,
};
