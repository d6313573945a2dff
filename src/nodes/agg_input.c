/*-------------------------------------------------------------------------
 *
 * agg_input.c
 *	  The expressions that feed an aggregation.
 *
 * Expressions without kernels (and everything on rows from one on which a
 * kernel stopped) are evaluated by core's ExprStates, row by row and in core's
 * order: conditions, grouping keys, then for each aggregate its filter and
 * arguments.  Their values go into vectors at the row's place, so that the
 * aggregation sees one form only.  Kernels of the batch run first: an error
 * belongs to the first row that has one, and kernels know their stop before
 * core's functions raise for a later row.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "nodes/agg_input.h"

#include "executor/executor.h"
#include "miscadmin.h"
#include "nodes/nodeFuncs.h"
#include "optimizer/optimizer.h"
#include "utils/datum.h"
#include "utils/lsyscache.h"
#include "utils/memutils.h"

#include "settings.h"

/* Before the size of the values is known. */
#define FIRST_BATCH_ROWS 32

/* --- start ---------------------------------------------------------------- */

void
vexec_inputs_init(VexecInputs *inputs, PlanState *ps, TupleTableSlot *slot, List *quals,
				  Index relid, int max_inputs)
{
	inputs->ps = ps;
	inputs->slot = slot;
	inputs->econtext = CreateExprContext(ps->state);
	inputs->program = vexec_program_create(inputs->econtext);
	inputs->all_quals = ExecInitQual(quals, ps);
	inputs->filter = vexec_filter_create(inputs->program, quals, relid);
	if (inputs->filter->nquals == 0)
		inputs->rest_quals = inputs->all_quals;
	else if (inputs->filter->rest != NIL)
		inputs->rest_quals = ExecInitQual(inputs->filter->rest, ps);
	inputs->inputs = palloc0(sizeof(VexecInput) * Max(max_inputs, 1));
	inputs->vectors = palloc0(sizeof(VexecVector *) * Max(max_inputs, 1));
}

int
vexec_inputs_add(VexecInputs *inputs, Node *expr, VexecKind kind, int filter, bool make_new)
{
	VexecInput *input;
	bool		core_only;

	for (int i = 0; i < inputs->ninputs && !make_new; i++)
	{
		input = &inputs->inputs[i];
		if (input->kind == kind && input->filter == filter && equal(input->expr, expr))
			return i;
	}
	input = &inputs->inputs[inputs->ninputs];
	input->expr = expr;
	input->kind = kind;
	input->filter = filter;
	input->core = ExecInitExpr((Expr *) expr, inputs->ps);
	input->typid = exprType(expr);
	get_typlenbyval(input->typid, &input->typlen, &input->typbyval);

	/* a key is no constant vector; an argument waits for its filter */
	core_only = vexec_kind_of_type(input->typid) != kind ||
		(make_new && (IsA(expr, Const) || IsA(expr, Param))) ||
		(filter >= 0 && inputs->inputs[filter].kernels == NULL);
	if (!core_only)
		input->kernels = vexec_program_add(inputs->program, expr);
	input->fallback = vexec_vector_create(kind, false);
	if (input->kernels == NULL)
		inputs->any_core = true;
	else if (vexec_expr_can_stop(input->kernels))
		inputs->kernels_can_stop = true;
	return inputs->ninputs++;
}

void
vexec_inputs_set_grouping(VexecInputs *inputs, VexecGrouping *grouping,
						  const VexecGroupingPlan *plan)
{
	inputs->grouping = grouping;
	inputs->row_by_row = vexec_grouping_can_raise(grouping);
	inputs->call_filters = palloc0(sizeof(VexecSelection *) * Max(plan->ncalls, 1));
	for (int i = 0; i < plan->ncalls; i++)
	{
		if (plan->calls[i].filter >= 0)
		{
			VexecInput *filter = &inputs->inputs[plan->calls[i].filter];

			if (filter->passing == NULL)
				filter->passing = palloc0(sizeof(VexecSelection));
			inputs->call_filters[i] = filter->passing;
		}
	}
}

static VexecVector *
source_column(void *source, AttrNumber attno)
{
	return vexec_source_column(source, attno);
}

void
vexec_inputs_bind(VexecInputs *inputs, VexecSource *source)
{
	inputs->source = source;
	vexec_program_bind(inputs->program, source_column, source);
}

Bitmapset *
vexec_inputs_columns(const VexecInputs *inputs, Index relid, bool all)
{
	Bitmapset  *columns = NULL;

	for (int i = 0; i < inputs->ninputs; i++)
	{
		if (all || inputs->inputs[i].kernels != NULL)
			columns = bms_join(columns, vexec_columns_of(inputs->inputs[i].expr, relid));
	}
	return columns;
}

int
vexec_inputs_count(const VexecInputs *inputs, bool with_kernels)
{
	int			count = 0;

	for (int i = 0; i < inputs->ninputs; i++)
		count += (inputs->inputs[i].kernels != NULL) == with_kernels;
	return count;
}

/* --- kernels ---------------------------------------------------------------- */

/* Evaluate what has kernels at the rows selected. */
static void
eval_kernels(VexecInputs *inputs, const uint16 *sel, int n)
{
	VexecProgram *program = inputs->program;

	for (int i = 0; i < inputs->ninputs; i++)
	{
		VexecInput *input = &inputs->inputs[i];

		if (input->kernels == NULL)
			continue;
		Assert(input->filter < 0 || inputs->inputs[input->filter].kernels != NULL);
		if (input->filter < 0)
			input->vector = vexec_expr_eval(program, input->kernels, sel, n);
		else
		{
			VexecSelection *passing = inputs->inputs[input->filter].passing;
			const uint16 *rows = vexec_selection_list(passing);

			input->vector = vexec_expr_eval_narrowed(program, input->kernels, rows,
													 passing->count);
		}
		if (input->passing != NULL)
		{
			input->passing->dense = sel == NULL;
			input->passing->count = n;
			if (sel != NULL)
				memcpy(input->passing->rows, sel, n * sizeof(uint16));
			vexec_selection_filter(input->passing, input->vector, program->stop);
		}
	}
}

static void
consume(VexecInputs *inputs, const uint16 *sel, int n)
{
	if (n == 0)
		return;
	for (int i = 0; i < inputs->ninputs; i++)
		inputs->vectors[i] = inputs->inputs[i].vector;
	vexec_grouping_consume(inputs->grouping, inputs->vectors, inputs->call_filters, sel, n);
}

/* Feed rows whose inputs all have kernels. */
static void
consume_kernels(VexecInputs *inputs, const uint16 *sel, int n)
{
	for (int i = 0; i < inputs->ninputs; i++)
	{
		VexecSelection *passing = inputs->inputs[i].passing;

		if (passing != NULL)
			passing->count = vexec_selection_clip(vexec_selection_list(passing), passing->count,
												  inputs->program->stop);
	}
	consume(inputs, sel, n);
}

/* --- core ------------------------------------------------------------------- */

/* One input of one row by core; the value lives as long as the batch. */
static void
eval_core(VexecInputs *inputs, VexecInput *input, int row)
{
	MemoryContext old;
	Datum		value;
	bool		isnull;

	value = ExecEvalExprSwitchContext(input->core, inputs->econtext, &isnull);
	old = MemoryContextSwitchTo(inputs->program->batch_memory);
	if (!isnull && !input->typbyval)
		value = datumCopy(value, input->typbyval, input->typlen);
	vexec_vector_store(input->fallback, row, input->typid, value, isnull);
	MemoryContextSwitchTo(old);
}

/* Let core's values of this batch go to the vectors it writes. */
static void
begin_core(VexecInputs *inputs, bool all)
{
	for (int i = 0; i < inputs->ninputs; i++)
	{
		VexecInput *input = &inputs->inputs[i];

		if (all || input->kernels == NULL)
		{
			input->fallback->has_nulls = false;
			input->fallback->is_decimal = false;
			memset(input->fallback->nulls, 0, VEXEC_NULL_WORDS * sizeof(uint64));
			input->vector = input->fallback;
		}
		if (input->passing != NULL)
		{
			input->passing->dense = false;
			input->passing->count = 0;
		}
	}
	inputs->core_selection.dense = false;
	inputs->core_selection.count = 0;
}

/* Feed what core has evaluated so far. */
static void
consume_core(VexecInputs *inputs)
{
	consume(inputs, inputs->core_selection.rows, inputs->core_selection.count);
	inputs->core_selection.count = 0;
	for (int i = 0; i < inputs->ninputs; i++)
	{
		if (inputs->inputs[i].passing != NULL)
			inputs->inputs[i].passing->count = 0;
	}
}

static bool
is_true(const VexecVector *vector, int row)
{
	return !vexec_is_null(vector, row) && VEXEC_VALUES(vector, uint8)[vector->constant ? 0 : row];
}

/*
 * Evaluate one row by core: everything, or only what has no kernels.  A row
 * that passes the conditions is added to the selections.
 */
static void
eval_row(VexecInputs *inputs, int row, bool all)
{
	ExprContext *econtext = inputs->econtext;
	ExprState  *quals = all ? inputs->all_quals : inputs->rest_quals;

	CHECK_FOR_INTERRUPTS();
	ResetExprContext(econtext);
	vexec_source_store_row(inputs->source, row, inputs->slot);
	econtext->ecxt_scantuple = inputs->slot;
	inputs->core_rows += all;
	inputs->fallback_rows += !all;
	if (quals != NULL && !ExecQual(quals, econtext))
		return;
	for (int i = 0; i < inputs->ninputs; i++)
	{
		VexecInput *input = &inputs->inputs[i];

		if (input->filter >= 0 && !is_true(inputs->inputs[input->filter].vector, row))
			continue;
		if (all || input->kernels == NULL)
			eval_core(inputs, input, row);
		if (input->passing != NULL && is_true(input->vector, row))
			input->passing->rows[input->passing->count++] = row;
	}
	inputs->core_selection.rows[inputs->core_selection.count++] = row;
	if (inputs->row_by_row)
		consume_core(inputs);
}

/* Drop the rows that conditions without kernels reject. */
static void
filter_by_core(VexecInputs *inputs, VexecSelection *sel)
{
	int			kept = 0;

	for (int k = 0; k < sel->count; k++)
	{
		int			row = sel->dense ? k : sel->rows[k];

		CHECK_FOR_INTERRUPTS();
		ResetExprContext(inputs->econtext);
		vexec_source_store_row(inputs->source, row, inputs->slot);
		inputs->econtext->ecxt_scantuple = inputs->slot;
		inputs->fallback_rows++;
		if (ExecQual(inputs->rest_quals, inputs->econtext))
			sel->rows[kept++] = row;
	}
	sel->dense = false;
	sel->count = kept;
}

/* --- batches ------------------------------------------------------------------ */

static void
process_batch(VexecInputs *inputs, int nrows)
{
	VexecProgram *program = inputs->program;
	VexecSelection *sel = &inputs->selection;
	const uint16 *list;
	int			stop;
	bool		core = inputs->any_core;

	vexec_source_count_rows(inputs->source, nrows);
	vexec_program_begin_batch(program, nrows);
	sel->dense = true;
	sel->count = nrows;
	vexec_filter_run(inputs->filter, program, vexec_source_heap(inputs->source), sel);

	/*
	 * Conditions without kernels may run before the kernels of the inputs if
	 * no order of errors is at stake; that spares the inputs of the rows they
	 * reject.
	 */
	if (inputs->rest_quals != NULL && !inputs->any_core && !inputs->kernels_can_stop &&
		!inputs->row_by_row && program->stop == nrows)
		filter_by_core(inputs, sel);
	else if (inputs->rest_quals != NULL)
		core = true;

	if (sel->count > 0)
	{
		list = vexec_selection_list(sel);
		stop = vexec_source_decode(inputs->source, inputs->filter->nsteps, list, sel->count);
		program->stop = Min(program->stop, stop);
		eval_kernels(inputs, list, sel->count);
		sel->count = vexec_selection_clip(list, sel->count, program->stop);
		if (!core)
			consume_kernels(inputs, list, sel->count);
		else
		{
			begin_core(inputs, false);
			for (int k = 0; k < sel->count; k++)
				eval_row(inputs, list == NULL ? k : list[k], false);
			consume_core(inputs);
		}
	}

	/* from the first row that a kernel left to core, all is core's */
	if (program->stop < nrows)
	{
		begin_core(inputs, true);
		for (int row = program->stop; row < nrows; row++)
			eval_row(inputs, row, true);
		consume_core(inputs);
	}
}

/*
 * Rows for the next batch.  Large values, detoasted or computed by core, stay
 * in memory until their batch ends.
 */
static int
next_batch_rows(VexecInputs *inputs, int rows)
{
	Size		used = vexec_source_batch_memory(inputs->source) +
		MemoryContextMemAllocated(inputs->program->batch_memory, true);
	Size		limit = vexec_source_batch_limit();

	if (used > limit)
		return Max((int) (rows * ((double) limit / used)), 1);
	return Min(rows * (used > limit / 2 ? 1 : 2), vexec_batch_rows);
}

void
vexec_inputs_run(VexecInputs *inputs)
{
	int			rows = Min(FIRST_BATCH_ROWS, vexec_batch_rows);
	int			nrows;

	while ((nrows = vexec_source_next(inputs->source, rows)) > 0)
	{
		process_batch(inputs, nrows);
		rows = next_batch_rows(inputs, rows);
	}
	ExecClearTuple(inputs->slot);
}
