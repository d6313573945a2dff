/*-------------------------------------------------------------------------
 *
 * vexec_agg.c
 *	  VexecAgg: scan, filter and aggregation of one table, in batches.
 *
 * Each batch is filtered, its grouping keys become tickets, and every
 * transition updates its states by ticket; no intermediate tuple exists.
 *
 * Expressions without kernels (and everything on rows from one on which a
 * kernel stopped) are evaluated by core's ExprStates, row by row and in core's
 * order: conditions, grouping keys, then for each aggregate its filter and
 * argument.  Their values go into vectors at the row's place, so that the
 * aggregation sees one form only.  Kernels of the batch run first: an error
 * belongs to the first row that has one, and kernels know their stop before
 * core's functions raise for a later row.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "nodes/vexec_nodes.h"

#include "catalog/objectaccess.h"
#include "catalog/pg_aggregate.h"
#include "catalog/pg_proc.h"
#include "commands/explain.h"
#include "executor/executor.h"
#include "miscadmin.h"
#include "nodes/execnodes.h"
#include "nodes/nodeFuncs.h"
#include "utils/acl.h"
#include "utils/builtins.h"
#include "utils/datum.h"
#include "utils/lsyscache.h"
#include "utils/memutils.h"
#include "utils/syscache.h"

#include "agg/agg.h"
#include "compat.h"
#include "explain.h"
#include "expr/expr.h"
#include "heap/heap.h"
#include "nodes/filter.h"
#include "planner/planner.h"
#include "settings.h"

/* Before the size of the values is known. */
#define FIRST_BATCH_ROWS 32

/* An expression that feeds the aggregation: a key, an argument or a filter. */
typedef struct Input
{
	VexecExpr  *kernels;		/* NULL: only core's evaluation */
	ExprState  *core;
	VexecVector *fallback;		/* values computed by core; aliased by vector */
	const VexecVector *vector;	/* this batch's values */
	Oid			typid;
	int16		typlen;
	bool		typbyval;
} Input;

typedef struct AggregateState
{
	const VexecAggregate *aggregate;
	int			transition;		/* index into transitions */
} AggregateState;

/* One transition with its argument and filter; aggregates may share it. */
typedef struct TransitionInput
{
	VexecTransitionState *state;
	Aggref	   *aggref;			/* the first aggregate that uses it */
	Input	   *argument;		/* NULL for count(*) */
	Input	   *filter;			/* NULL: all rows */
	VexecSelection selection;	/* rows that pass the filter */
} TransitionInput;

typedef struct VexecAggState
{
	CustomScanState css;
	VexecAggPlan plan;
	Relation	relation;
	VexecProgram *program;
	VexecHeapScan *heap;
	ExprContext *scan_context;	/* for core's expressions on table rows */
	TupleTableSlot *scan_slot;	/* a table row */

	VexecFilter *filter;		/* the conditions on table rows */
	ExprState  *all_quals;		/* all of them */
	ExprState  *rest_quals;		/* those behind the filter's kernels, or NULL */

	int			nkeys;
	Input	   *keys;
	const VexecVector **key_vectors;	/* as vexec_tickets_assign takes them */
	int			ntransitions;
	TransitionInput *transitions;
	int			naggs;
	AggregateState *aggregates;
	bool		any_core;		/* some key, argument or filter has no kernels */
	bool		kernels_can_stop;	/* those of keys, arguments and filters */
	bool		row_by_row;		/* transitions that may raise must not run ahead
								 * of core's evaluation of later rows */

	MemoryContext agg_memory;	/* tickets and states */
	VexecTicketTable *tickets;
	uint32		row_tickets[VEXEC_BATCH_ROWS];
	VexecSelection selection;	/* rows alive */
	VexecSelection core_selection;	/* rows that core has evaluated */

	bool		filled;
	uint32		ngroups;
	uint32		next_group;
	uint64		consumed;		/* rows aggregated since the last rescan */
	uint64		total_consumed; /* before it, for EXPLAIN */

	uint64		core_rows;		/* rows evaluated completely by core */
	uint64		fallback_rows;	/* rows with some expression left to core */
	Size		peak_memory;
} VexecAggState;

/* --- start ---------------------------------------------------------------- */

/* Put the table's Vars back where setrefs put references to the scan tuple. */
static Node *
to_table_vars(Node *node, List *scan_tlist)
{
	if (node == NULL)
		return NULL;
	if (IsA(node, Var) && ((Var *) node)->varno == INDEX_VAR)
	{
		TargetEntry *entry = list_nth(scan_tlist, ((Var *) node)->varattno - 1);

		return copyObject((Node *) entry->expr);
	}
	return expression_tree_mutator(node, to_table_vars, scan_tlist);
}

/*
 * Prepare one input whose vector is to have this kind.  With "core_only" no
 * kernels are used.
 */
static void
init_input(VexecAggState *state, Input *input, Node *expr, VexecKind kind, bool core_only)
{
	input->core = ExecInitExpr((Expr *) expr, &state->css.ss.ps);
	input->typid = exprType(expr);
	get_typlenbyval(input->typid, &input->typlen, &input->typbyval);
	if (vexec_kind_of_type(input->typid) == kind && !core_only)
		input->kernels = vexec_program_add(state->program, expr);
	input->fallback = vexec_vector_create(kind, false);
	if (input->kernels == NULL)
		state->any_core = true;
	else if (vexec_expr_can_stop(input->kernels))
		state->kernels_can_stop = true;
}

/*
 * The checks that nodeAgg makes: EXECUTE on the aggregate for the user, and on
 * its support functions for the aggregate's owner.
 */
static void
check_aggregate_rights(Aggref *aggref)
{
	HeapTuple	agg_tuple;
	HeapTuple	proc_tuple;
	Form_pg_aggregate agg;
	Oid			owner;
	AclResult	result;
	Oid			support[2];

	result = object_aclcheck(ProcedureRelationId, aggref->aggfnoid, GetUserId(), ACL_EXECUTE);
	if (result != ACLCHECK_OK)
		aclcheck_error(result, OBJECT_AGGREGATE, get_func_name(aggref->aggfnoid));
	InvokeFunctionExecuteHook(aggref->aggfnoid);

	proc_tuple = SearchSysCache1(PROCOID, ObjectIdGetDatum(aggref->aggfnoid));
	if (!HeapTupleIsValid(proc_tuple))
		elog(ERROR, "cache lookup failed for function %u", aggref->aggfnoid);
	owner = ((Form_pg_proc) GETSTRUCT(proc_tuple))->proowner;
	ReleaseSysCache(proc_tuple);

	agg_tuple = SearchSysCache1(AGGFNOID, ObjectIdGetDatum(aggref->aggfnoid));
	if (!HeapTupleIsValid(agg_tuple))
		elog(ERROR, "cache lookup failed for aggregate %u", aggref->aggfnoid);
	agg = (Form_pg_aggregate) GETSTRUCT(agg_tuple);
	support[0] = agg->aggtransfn;
	support[1] = agg->aggfinalfn;
	ReleaseSysCache(agg_tuple);
	for (int i = 0; i < lengthof(support); i++)
	{
		if (!OidIsValid(support[i]))
			continue;
		result = object_aclcheck(ProcedureRelationId, support[i], owner, ACL_EXECUTE);
		if (result != ACLCHECK_OK)
			aclcheck_error(result, OBJECT_FUNCTION, get_func_name(support[i]));
		InvokeFunctionExecuteHook(support[i]);
	}
}

/* Does another aggregate already compute this transition? */
static int
find_transition(VexecAggState *state, Aggref *aggref, const VexecAggregate *aggregate)
{
	for (int i = 0; i < state->ntransitions; i++)
	{
		TransitionInput *known = &state->transitions[i];

		if (known->aggref->aggtransno == aggref->aggtransno &&
			strcmp(known->state->transition->name, aggregate->transition.name) == 0)
			return i;
	}
	return -1;
}

static void
init_aggregates(VexecAggState *state, CustomScan *cscan)
{
	List	   *arguments = vexec_agg_plan_part(cscan, VEXEC_AGG_ARGUMENTS);
	List	   *filters = vexec_agg_plan_part(cscan, VEXEC_AGG_FILTERS);

	state->naggs = state->plan.naggs;
	state->aggregates = palloc0(sizeof(AggregateState) * Max(state->naggs, 1));
	state->transitions = palloc0(sizeof(TransitionInput) * Max(state->naggs, 1));
	for (int i = 0; i < state->naggs; i++)
	{
		TargetEntry *entry = list_nth(cscan->custom_scan_tlist, state->nkeys + i);
		Aggref	   *aggref = castNode(Aggref, entry->expr);
		const VexecAggregate *aggregate = vexec_aggregate_lookup(aggref->aggfnoid);
		Node	   *argument = to_table_vars(list_nth(arguments, i), cscan->custom_scan_tlist);
		Node	   *filter = to_table_vars(list_nth(filters, i), cscan->custom_scan_tlist);
		int			at;

		if (aggregate == NULL)
			elog(ERROR, "aggregate %u has no vector state", aggref->aggfnoid);
		check_aggregate_rights(aggref);
		at = find_transition(state, aggref, aggregate);
		if (at < 0)
		{
			TransitionInput *input = &state->transitions[state->ntransitions];
			Oid			argtype = argument == NULL ? InvalidOid : exprType(argument);

			at = state->ntransitions++;
			input->aggref = aggref;
			input->state = vexec_transition_create(&aggregate->transition, argtype,
												   aggref->inputcollid);
			if (filter != NULL)
			{
				input->filter = palloc0(sizeof(Input));
				init_input(state, input->filter, filter, VEXEC_BOOL, false);
			}
			if (argument != NULL)
			{
				/* count takes any type; an argument waits for its filter */
				VexecKind	kind = aggregate->transition.any_kind ?
					vexec_kind_of_type(argtype) : aggregate->transition.arg;
				bool		core_only = input->filter != NULL && input->filter->kernels == NULL;

				input->argument = palloc0(sizeof(Input));
				init_input(state, input->argument, argument, kind, core_only);
			}
			if (aggregate->transition.can_raise)
				state->row_by_row = true;
		}
		state->aggregates[i].aggregate = aggregate;
		state->aggregates[i].transition = at;
	}
}

/* The check that core makes of a function that compares grouping keys. */
static void
check_key_rights(Oid eq_operator)
{
	Oid			function = get_opcode(eq_operator);
	AclResult	result;

	result = object_aclcheck(ProcedureRelationId, function, GetUserId(), ACL_EXECUTE);
	if (result != ACLCHECK_OK)
		aclcheck_error(result, OBJECT_FUNCTION, get_func_name(function));
	InvokeFunctionExecuteHook(function);
}

static void
init_keys(VexecAggState *state, CustomScan *cscan, int eflags)
{
	List	   *keys = vexec_agg_plan_part(cscan, VEXEC_AGG_KEYS);
	VexecKeyType *types;

	state->nkeys = state->plan.nkeys;
	if (state->nkeys == 0)
		return;
	state->keys = palloc0(sizeof(Input) * state->nkeys);
	state->key_vectors = palloc0(sizeof(VexecVector *) * state->nkeys);
	types = palloc0(sizeof(VexecKeyType) * state->nkeys);
	for (int i = 0; i < state->nkeys; i++)
	{
		Node	   *key = to_table_vars(list_nth(keys, i), cscan->custom_scan_tlist);

		types[i] = vexec_key_type(key, list_nth_oid(state->plan.key_operators, i));
		init_input(state, &state->keys[i], key, types[i].kind,
				   IsA(key, Const) || IsA(key, Param));
	}
	/* core looks for the functions of its hash table only to execute */
	if ((eflags & EXEC_FLAG_EXPLAIN_ONLY) == 0)
	{
		for (int i = state->plan.ncompared - 1; i >= 0; i--)
			check_key_rights(list_nth_oid(state->plan.key_operators, i));
	}
	state->tickets = vexec_tickets_create(state->nkeys, types, state->plan.groups);
}

static void
begin_agg(CustomScanState *css, EState *estate, int eflags)
{
	VexecAggState *state = (VexecAggState *) css;
	CustomScan *cscan = (CustomScan *) css->ss.ps.plan;
	PlanState	output = css->ss.ps;
	MemoryContext old;
	List	   *quals;

	vexec_agg_plan_read(cscan, &state->plan);

	/*
	 * The executor closes the relation.  It is not shown in the scan state,
	 * where WHERE CURRENT OF would take an aggregate for a scan of the table.
	 */
	state->relation = css->ss.ss_currentRelation;
	css->ss.ss_currentRelation = NULL;
	state->scan_context = CreateExprContext(estate);
	state->scan_slot = ExecInitExtraTupleSlot(estate, RelationGetDescr(state->relation),
											  &TTSOpsBufferHeapTuple);
	state->program = vexec_program_create(state->scan_context);

	/* the expressions below read table rows, not this node's scan tuple */
	css->ss.ps.scandesc = RelationGetDescr(state->relation);
	css->ss.ps.scanops = &TTSOpsBufferHeapTuple;
	css->ss.ps.scanopsfixed = css->ss.ps.scanopsset = true;

	quals = (List *) to_table_vars((Node *) vexec_agg_plan_part(cscan, VEXEC_AGG_QUALS),
								   cscan->custom_scan_tlist);
	state->all_quals = ExecInitQual(quals, &css->ss.ps);
	state->filter = vexec_filter_create(state->program, quals, cscan->scan.scanrelid);
	if (state->filter->rest != NIL)
		state->rest_quals = ExecInitQual(state->filter->rest, &css->ss.ps);

	state->agg_memory = AllocSetContextCreate(CurrentMemoryContext, "VexecAgg",
											  ALLOCSET_DEFAULT_SIZES);
	old = MemoryContextSwitchTo(state->agg_memory);
	init_keys(state, cscan, eflags);
	init_aggregates(state, cscan);
	MemoryContextSwitchTo(old);

	css->ss.ps.scandesc = output.scandesc;
	css->ss.ps.scanops = output.scanops;
	css->ss.ps.scanopsfixed = output.scanopsfixed;
	css->ss.ps.scanopsset = output.scanopsset;
}

static void
open_heap(VexecAggState *state)
{
	EState	   *estate = state->css.ss.ps.state;
	CustomScan *cscan = (CustomScan *) state->css.ss.ps.plan;
	MemoryContext old = MemoryContextSwitchTo(estate->es_query_cxt);
	VexecFilter *filter = state->filter;
	List	   *inputs = NIL;
	Bitmapset **stages;

	for (int part = VEXEC_AGG_KEYS; part <= VEXEC_AGG_FILTERS; part++)
	{
		foreach_ptr(Node, expr, vexec_agg_plan_part(cscan, part))
		{
			Node	   *table_expr = to_table_vars(expr, cscan->custom_scan_tlist);
			char	   *reason;

			if (table_expr != NULL && vexec_expr_supported(table_expr, &reason))
				inputs = lappend(inputs, table_expr);
		}
	}

	/* the inputs' columns are the last stage */
	stages = palloc(sizeof(Bitmapset *) * (filter->nsteps + 1));
	memcpy(stages, filter->columns, sizeof(Bitmapset *) * filter->nsteps);
	stages[filter->nsteps] = vexec_columns_of((Node *) inputs, cscan->scan.scanrelid);
	state->heap = vexec_heap_begin(state->relation, estate->es_snapshot, filter->nsteps + 1, stages,
								   true);
	vexec_program_bind(state->program, state->heap);
	MemoryContextSwitchTo(old);
}

/* --- one batch -------------------------------------------------------------- */

/* Tickets and state updates for some rows, all inputs being in their vectors. */
static void
consume(VexecAggState *state, const uint16 *sel, int n)
{
	uint32		ngroups = 1;

	if (n == 0)
		return;
	state->consumed += n;
	if (state->nkeys > 0)
	{
		for (int i = 0; i < state->nkeys; i++)
			state->key_vectors[i] = state->keys[i].vector;
		vexec_tickets_assign(state->tickets, state->key_vectors, sel, n, state->row_tickets);
		ngroups = vexec_tickets_count(state->tickets);
	}
	for (int i = 0; i < state->ntransitions; i++)
	{
		TransitionInput *input = &state->transitions[i];
		const VexecVector *argument = input->argument != NULL ? input->argument->vector : NULL;
		const uint16 *rows = sel;
		int			count = n;

		vexec_transition_grow(input->state, ngroups);
		if (input->filter != NULL)
		{
			rows = vexec_selection_list(&input->selection);
			count = input->selection.count;
		}
		if (count > 0)
			input->state->transition->update(input->state, argument,
											 state->nkeys > 0 ? state->row_tickets : NULL,
											 rows, count);
	}
}

/* One input of one row by core; the value lives as long as the batch. */
static void
eval_core(VexecAggState *state, Input *input, int row)
{
	MemoryContext old;
	Datum		value;
	bool		isnull;

	value = ExecEvalExprSwitchContext(input->core, state->scan_context, &isnull);
	old = MemoryContextSwitchTo(state->program->batch_memory);
	if (!isnull && !input->typbyval)
		value = datumCopy(value, input->typbyval, input->typlen);
	vexec_vector_store(input->fallback, row, input->typid, value, isnull);
	MemoryContextSwitchTo(old);
}

/* The vectors that core writes, before the first of its values in a batch. */
static void
begin_fallback(Input *input)
{
	input->fallback->has_nulls = false;
	input->fallback->is_decimal = false;
	memset(input->fallback->nulls, 0, VEXEC_NULL_WORDS * sizeof(uint64));
	input->vector = input->fallback;
}

/* Evaluate what has kernels at the rows selected. */
static void
eval_kernels(VexecAggState *state, const uint16 *sel, int n)
{
	for (int i = 0; i < state->nkeys; i++)
	{
		if (state->keys[i].kernels != NULL)
			state->keys[i].vector = vexec_expr_eval(state->program, state->keys[i].kernels, sel, n);
	}
	for (int i = 0; i < state->ntransitions; i++)
	{
		TransitionInput *input = &state->transitions[i];
		const uint16 *rows = sel;
		int			count = n;

		if (input->filter != NULL && input->filter->kernels == NULL)
			continue;			/* the argument needs the filter first */
		if (input->filter != NULL)
		{
			const VexecVector *passes = vexec_expr_eval(state->program, input->filter->kernels,
														sel, n);

			input->filter->vector = passes;
			input->selection.dense = sel == NULL;
			input->selection.count = n;
			if (sel != NULL)
				memcpy(input->selection.rows, sel, n * sizeof(uint16));
			vexec_selection_filter(&input->selection, passes, state->program->stop);
			rows = vexec_selection_list(&input->selection);
			count = input->selection.count;
		}
		if (input->argument == NULL || input->argument->kernels == NULL)
			continue;
		if (input->filter == NULL)
			input->argument->vector = vexec_expr_eval(state->program, input->argument->kernels,
													  rows, count);
		else
			input->argument->vector = vexec_expr_eval_narrowed(state->program,
															   input->argument->kernels,
															   rows, count);
	}
}

/* Let core's values of this batch go to the vectors it writes. */
static void
begin_core(VexecAggState *state, bool all)
{
	for (int i = 0; i < state->nkeys; i++)
	{
		if (all || state->keys[i].kernels == NULL)
			begin_fallback(&state->keys[i]);
	}
	for (int i = 0; i < state->ntransitions; i++)
	{
		TransitionInput *input = &state->transitions[i];

		if (input->argument != NULL && (all || input->argument->kernels == NULL))
			begin_fallback(input->argument);
		input->selection.dense = false;
		input->selection.count = 0;
	}
	state->core_selection.dense = false;
	state->core_selection.count = 0;
}

/* Feed what core has evaluated so far. */
static void
consume_core(VexecAggState *state)
{
	consume(state, state->core_selection.rows, state->core_selection.count);
	state->core_selection.count = 0;
	for (int i = 0; i < state->ntransitions; i++)
		state->transitions[i].selection.count = 0;
}

/*
 * Evaluate one row by core: everything, or only what has no kernels.  A row
 * that passes the conditions is added to the selections.
 */
static void
eval_row(VexecAggState *state, int row, bool all)
{
	ExprContext *econtext = state->scan_context;
	ExprState  *quals = all ? state->all_quals : state->rest_quals;

	CHECK_FOR_INTERRUPTS();
	ResetExprContext(econtext);
	vexec_heap_store_slot(state->heap, row, state->scan_slot);
	econtext->ecxt_scantuple = state->scan_slot;
	state->core_rows += all;
	state->fallback_rows += !all;
	if (quals != NULL && !ExecQual(quals, econtext))
		return;
	for (int i = 0; i < state->nkeys; i++)
	{
		if (all || state->keys[i].kernels == NULL)
			eval_core(state, &state->keys[i], row);
	}
	for (int i = 0; i < state->ntransitions; i++)
	{
		TransitionInput *input = &state->transitions[i];

		if (input->filter != NULL)
		{
			bool		passes;

			if (all || input->filter->kernels == NULL)
			{
				bool		isnull;
				Datum		value = ExecEvalExprSwitchContext(input->filter->core, econtext,
															  &isnull);

				passes = !isnull && DatumGetBool(value);
			}
			else
			{
				const VexecVector *vector = input->filter->vector;

				passes = !vexec_is_null(vector, row) &&
					VEXEC_VALUES(vector, uint8)[vector->constant ? 0 : row];
			}
			if (!passes)
				continue;
			input->selection.rows[input->selection.count++] = row;
		}
		if (input->argument != NULL && (all || input->argument->kernels == NULL))
			eval_core(state, input->argument, row);
	}
	state->core_selection.rows[state->core_selection.count++] = row;
	if (state->row_by_row)
		consume_core(state);
}

/* Drop the rows that conditions without kernels reject. */
static void
filter_by_core(VexecAggState *state, VexecSelection *sel)
{
	int			kept = 0;

	for (int k = 0; k < sel->count; k++)
	{
		int			row = sel->dense ? k : sel->rows[k];

		CHECK_FOR_INTERRUPTS();
		ResetExprContext(state->scan_context);
		vexec_heap_store_slot(state->heap, row, state->scan_slot);
		state->scan_context->ecxt_scantuple = state->scan_slot;
		state->fallback_rows++;
		if (ExecQual(state->rest_quals, state->scan_context))
			sel->rows[kept++] = row;
	}
	sel->dense = false;
	sel->count = kept;
}

static void
process_batch(VexecAggState *state, int nrows)
{
	VexecProgram *program = state->program;
	VexecSelection *sel = &state->selection;
	const uint16 *list;
	int			stop;
	bool		core = state->any_core;

	vexec_heap_count_rows(state->heap, nrows);
	vexec_program_begin_batch(program, nrows);
	sel->dense = true;
	sel->count = nrows;
	vexec_filter_run(state->filter, program, state->heap, sel);

	/*
	 * Conditions without kernels may run before the kernels of the inputs if
	 * no order of errors is at stake; that spares the inputs of the rows they
	 * reject.
	 */
	if (state->rest_quals != NULL && !state->any_core && !state->kernels_can_stop &&
		!state->row_by_row && program->stop == nrows)
		filter_by_core(state, sel);
	else if (state->rest_quals != NULL)
		core = true;

	if (sel->count > 0)
	{
		list = vexec_selection_list(sel);
		stop = vexec_heap_decode(state->heap, state->filter->nsteps, list, sel->count);
		program->stop = Min(program->stop, stop);
		eval_kernels(state, list, sel->count);
		sel->count = vexec_selection_clip(list, sel->count, program->stop);
		if (!core)
		{
			for (int i = 0; i < state->ntransitions; i++)
			{
				VexecSelection *filtered = &state->transitions[i].selection;

				filtered->count = vexec_selection_clip(vexec_selection_list(filtered),
													   filtered->count, program->stop);
			}
			consume(state, list, sel->count);
		}
		else
		{
			begin_core(state, false);
			for (int k = 0; k < sel->count; k++)
				eval_row(state, list == NULL ? k : list[k], false);
			consume_core(state);
		}
	}

	/* from the first row that a kernel left to core, all is core's */
	if (program->stop < nrows)
	{
		begin_core(state, true);
		for (int row = program->stop; row < nrows; row++)
			eval_row(state, row, true);
		consume_core(state);
	}
}

static void
note_memory(VexecAggState *state)
{
	Size		memory = state->tickets != NULL ? vexec_tickets_memory(state->tickets) : 0;

	for (int i = 0; i < state->ntransitions; i++)
		memory += vexec_transition_memory(state->transitions[i].state);
	state->peak_memory = Max(state->peak_memory, memory);
}

/*
 * Rows for the next batch.  Large values, detoasted or computed by core, stay
 * in memory until their batch ends: keep a batch of them within work_mem.
 */
static int
next_batch_rows(VexecAggState *state, int rows)
{
	Size		used = vexec_heap_batch_memory(state->heap) +
		MemoryContextMemAllocated(state->program->batch_memory, true);
	Size		limit = (Size) work_mem * 1024;

	if (used > limit)
		return Max((int) (rows * ((double) limit / used)), 1);
	return Min(rows * (used > limit / 2 ? 1 : 2), vexec_batch_rows);
}

/* Read the whole table. */
static void
fill(VexecAggState *state)
{
	int			rows = Min(FIRST_BATCH_ROWS, vexec_batch_rows);
	int			nrows;

	if (state->heap == NULL)
		open_heap(state);
	while ((nrows = vexec_heap_next_batch(state->heap, rows)) > 0)
	{
		process_batch(state, nrows);
		rows = next_batch_rows(state, rows);
	}
	ExecClearTuple(state->scan_slot);

	/* without GROUP BY there is one group, even of no rows */
	if (state->nkeys > 0)
		state->ngroups = vexec_tickets_count(state->tickets);
	else
		state->ngroups = state->plan.grouped && state->consumed == 0 ? 0 : 1;
	for (int i = 0; i < state->ntransitions; i++)
		vexec_transition_grow(state->transitions[i].state, state->ngroups);
	note_memory(state);
	state->filled = true;
}

/* --- groups out ------------------------------------------------------------- */

static TupleTableSlot *
store_group(VexecAggState *state, uint32 group)
{
	TupleTableSlot *slot = state->css.ss.ss_ScanTupleSlot;
	ExprContext *econtext = state->css.ss.ps.ps_ExprContext;
	MemoryContext old = MemoryContextSwitchTo(econtext->ecxt_per_tuple_memory);
	int			at = 0;

	ExecClearTuple(slot);
	for (int i = 0; i < state->nkeys; i++, at++)
		slot->tts_values[at] = vexec_tickets_key(state->tickets, i, group, &slot->tts_isnull[at]);
	for (int i = 0; i < state->naggs; i++, at++)
	{
		AggregateState *aggregate = &state->aggregates[i];

		slot->tts_values[at] =
			aggregate->aggregate->finalize(state->transitions[aggregate->transition].state, group,
										   &slot->tts_isnull[at]);
	}

	/* columns of the table that only the expressions below use */
	for (; at < slot->tts_tupleDescriptor->natts; at++)
	{
		slot->tts_values[at] = (Datum) 0;
		slot->tts_isnull[at] = true;
	}
	MemoryContextSwitchTo(old);
	return ExecStoreVirtualTuple(slot);
}

static TupleTableSlot *
exec_agg(CustomScanState *css)
{
	VexecAggState *state = (VexecAggState *) css;
	ExprContext *econtext = css->ss.ps.ps_ExprContext;

	if (!state->filled)
		fill(state);
	while (state->next_group < state->ngroups)
	{
		TupleTableSlot *slot;

		CHECK_FOR_INTERRUPTS();
		ResetExprContext(econtext);
		slot = store_group(state, state->next_group++);
		econtext->ecxt_scantuple = slot;
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

	state->next_group = 0;

	/* the groups stand unless a parameter changed */
	if (state->filled && css->ss.ps.chgParam == NULL)
		return;
	state->filled = false;
	state->total_consumed += state->consumed;
	state->consumed = 0;
	ExecClearTuple(state->scan_slot);
	vexec_program_rescan(state->program);
	if (state->tickets != NULL)
		vexec_tickets_reset(state->tickets);
	for (int i = 0; i < state->ntransitions; i++)
		vexec_transition_reset(state->transitions[i].state);
	if (state->heap != NULL)
		vexec_heap_rescan(state->heap);
}

static void
end_agg(CustomScanState *css)
{
	VexecAggState *state = (VexecAggState *) css;

	if (state->scan_slot != NULL)
		ExecClearTuple(state->scan_slot);
	if (state->heap != NULL)
		vexec_heap_end(state->heap);
	state->heap = NULL;
	MemoryContextDelete(state->agg_memory);
}

/* How many keys, arguments and filters have kernels, or have not. */
static int
count_inputs(VexecAggState *state, bool with_kernels)
{
	int			count = 0;

	for (int i = 0; i < state->nkeys; i++)
		count += (state->keys[i].kernels != NULL) == with_kernels;
	for (int i = 0; i < state->ntransitions; i++)
	{
		TransitionInput *input = &state->transitions[i];

		count += input->argument != NULL && (input->argument->kernels != NULL) == with_kernels;
		count += input->filter != NULL && (input->filter->kernels != NULL) == with_kernels;
	}
	return count;
}

static void
explain_agg(CustomScanState *css, List *ancestors, ExplainState *es)
{
	VexecAggState *state = (VexecAggState *) css;
	CustomScan *cscan = (CustomScan *) css->ss.ps.plan;

	vexec_explain_expressions(es, "Group Key", vexec_agg_plan_part(cscan, VEXEC_AGG_KEYS), css,
							  ancestors, false);
	vexec_explain_expressions(es, "Scan Filter", vexec_agg_plan_part(cscan, VEXEC_AGG_QUALS), css,
							  ancestors, true);
	vexec_explain_kernels(es, state->filter, count_inputs(state, true),
						  count_inputs(state, false));
	if (es->analyze && state->heap != NULL)
	{
		vexec_explain_filter(es, state->filter, css, ancestors);
		vexec_explain_batches(es, vexec_heap_counters(state->heap), state->program->kernel_calls,
							  state->core_rows, state->fallback_rows);
		vexec_explain_groups(es, state->total_consumed + state->consumed, state->ngroups,
							 state->peak_memory);
	}
}

static const CustomExecMethods agg_exec_methods = {
	.CustomName = "VexecAgg",
	.BeginCustomScan = begin_agg,
	.ExecCustomScan = exec_agg,
	.EndCustomScan = end_agg,
	.ReScanCustomScan = rescan_agg,
	.ExplainCustomScan = explain_agg,
};

static Node *
create_state(CustomScan *cscan)
{
	VexecAggState *state = palloc0(sizeof(VexecAggState));

	NodeSetTag(state, T_CustomScanState);
	state->css.methods = &agg_exec_methods;
	return (Node *) state;
}

const CustomScanMethods vexec_agg_methods = {
	.CustomName = "VexecAgg",
	.CreateCustomScanState = create_state,
};
