/*-------------------------------------------------------------------------
 *
 * eval.c
 *	  Running compiled expressions over a batch.
 *
 * Evaluation walks the tree; each node runs once a batch over whole vectors.
 * AND, OR, CASE and COALESCE hand their arguments only the rows that the row
 * executor would have evaluated them for.  A result computed for all rows that
 * were alive is kept for the batch, so equal expressions cost once; one
 * computed for fewer rows is not.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "expr/compile.h"

#include "executor/executor.h"
#include "miscadmin.h"
#include "utils/datum.h"
#include "utils/lsyscache.h"
#include "utils/memutils.h"

#define NULL_WORDS(program) (((program)->nrows + 63) / 64)

/* The null bitmap of a strict function's result: the union of its arguments'. */
static void
union_nulls(VexecProgram *program, VexecVector *result, const VexecVector *a,
			const VexecVector *b)
{
	int			words = NULL_WORDS(program);
	const VexecVector *args[2] = {a, b};

	result->has_nulls = false;
	for (int i = 0; i < 2; i++)
	{
		const VexecVector *arg = args[i];

		if (arg == NULL || !arg->has_nulls)
			continue;
		if (arg->constant)
			memset(result->nulls, 0xFF, words * sizeof(uint64));
		else if (!result->has_nulls)
			memcpy(result->nulls, arg->nulls, words * sizeof(uint64));
		else
			for (int w = 0; w < words; w++)
				result->nulls[w] |= arg->nulls[w];
		result->has_nulls = true;
	}
}

static void
eval_kernel(VexecProgram *program, VexecExpr *expr, const uint16 *sel, int n)
{
	VexecKernelCall call = {0};
	MemoryContext old;

	for (int i = 0; i < expr->nargs; i++)
		call.arg[i] = vexec_expr_eval(program, expr->args[i], sel, n);
	n = vexec_selection_clip(sel, n, program->stop);
	union_nulls(program, expr->result, call.arg[0], call.arg[1]);

	/* a null constant makes every row null: nothing to compute */
	if (n == 0 ||
		(call.arg[0]->constant && call.arg[0]->has_nulls) ||
		(call.arg[1] != NULL && call.arg[1]->constant && call.arg[1]->has_nulls))
	{
		/* numeric values that nobody may read still need a form */
		expr->result->is_decimal = true;
		expr->result->scale = 0;
		return;
	}

	CHECK_FOR_INTERRUPTS();		/* a batch may hold megabytes of strings */
	call.result = expr->result;
	call.sel = sel;
	call.n = n;
	call.nrows = program->nrows;
	call.stop = program->stop;
	call.prepared = expr->prepared;
	call.memory = program->batch_memory;
	old = MemoryContextSwitchTo(program->batch_memory);
	if (expr->op == VEXEC_OP_IN_LIST)
		vexec_inlist_run(expr->in_list, &call);
	else
		expr->kernel->run(&call);
	MemoryContextSwitchTo(old);
	program->stop = call.stop;
	program->kernel_calls++;
}

static void
eval_in_list(VexecProgram *program, VexecExpr *expr, const uint16 *sel, int n)
{
	VexecVector *result = expr->result;
	uint8	   *values = result->values;

	eval_kernel(program, expr, sel, n);
	n = vexec_selection_clip(sel, n, program->stop);

	/* not found in a list with a null: unknown */
	if (expr->list_has_null)
	{
		if (!result->has_nulls)
			memset(result->nulls, 0, NULL_WORDS(program) * sizeof(uint64));
		result->has_nulls = true;
		VEXEC_FOREACH(row, sel, n,
					  {
						  if (!values[row])
							  vexec_set_null(result, row);
					  });
	}
	if (expr->negate)
		VEXEC_FOREACH(row, sel, n,
					  {
						  values[row] ^= 1;
					  });
}

static void
eval_distinct(VexecProgram *program, VexecExpr *expr, const uint16 *sel, int n)
{
	VexecVector *result = expr->result;
	uint8	   *values = result->values;
	const VexecVector *a;
	const VexecVector *b;

	eval_kernel(program, expr, sel, n);
	a = expr->args[0]->result;
	b = expr->args[1]->result;
	n = vexec_selection_clip(sel, n, program->stop);
	VEXEC_FOREACH(row, sel, n,
				  {
					  bool		a_null = vexec_is_null(a, row);
					  bool		b_null = vexec_is_null(b, row);

					  if (a_null || b_null)
						  values[row] = a_null != b_null;
					  else
						  values[row] ^= 1;
				  });
	result->has_nulls = false;
}

static void
eval_not(VexecProgram *program, VexecExpr *expr, const uint16 *sel, int n)
{
	const VexecVector *arg = vexec_expr_eval(program, expr->args[0], sel, n);
	const uint8 *in = arg->values;
	uint8	   *out = expr->result->values;

	n = vexec_selection_clip(sel, n, program->stop);
	union_nulls(program, expr->result, arg, NULL);
	if (arg->constant)
		VEXEC_FOREACH(row, sel, n, {out[row] = in[0] ^ 1;});
	else
		VEXEC_FOREACH(row, sel, n, {out[row] = in[row] ^ 1;});
}

static void
eval_null_test(VexecProgram *program, VexecExpr *expr, const uint16 *sel, int n)
{
	const VexecVector *arg = vexec_expr_eval(program, expr->args[0], sel, n);
	uint8	   *out = expr->result->values;
	uint8		if_null = expr->test == IS_NULL;

	n = vexec_selection_clip(sel, n, program->stop);
	expr->result->has_nulls = false;
	if (!arg->has_nulls)
		VEXEC_FOREACH(row, sel, n, {out[row] = !if_null;});
	else
		VEXEC_FOREACH(row, sel, n, {out[row] = vexec_is_null(arg, row) == if_null;});
}

static void
eval_boolean_test(VexecProgram *program, VexecExpr *expr, const uint16 *sel, int n)
{
	const VexecVector *arg = vexec_expr_eval(program, expr->args[0], sel, n);
	const uint8 *in = arg->values;
	uint8	   *out = expr->result->values;
	bool		when_true = false;
	bool		when_false = false;
	bool		when_null = false;

	switch ((BoolTestType) expr->test)
	{
		case IS_TRUE:
			when_true = true;
			break;
		case IS_NOT_TRUE:
			when_false = when_null = true;
			break;
		case IS_FALSE:
			when_false = true;
			break;
		case IS_NOT_FALSE:
			when_true = when_null = true;
			break;
		case IS_UNKNOWN:
			when_null = true;
			break;
		case IS_NOT_UNKNOWN:
			when_true = when_false = true;
			break;
	}
	n = vexec_selection_clip(sel, n, program->stop);
	expr->result->has_nulls = false;
	VEXEC_FOREACH(row, sel, n,
				  {
					  if (vexec_is_null(arg, row))
						  out[row] = when_null;
					  else
						  out[row] = in[arg->constant ? 0 : row] ? when_true : when_false;
				  });
}

/* AND and OR: "decisive" is the value that ends the evaluation of a row. */
static void
eval_and_or(VexecProgram *program, VexecExpr *expr, const uint16 *sel, int n)
{
	uint8		decisive = expr->op == VEXEC_OP_OR;
	VexecVector *result = expr->result;
	uint8	   *out = result->values;
	uint16	   *rows = expr->rows;
	int			count = 0;

	result->has_nulls = false;
	memset(result->nulls, 0, NULL_WORDS(program) * sizeof(uint64));
	VEXEC_FOREACH(row, sel, n,
				  {
					  rows[count++] = row;
					  out[row] = !decisive;
				  });

	for (int i = 0; i < expr->nargs && count > 0; i++)
	{
		const VexecVector *arg;
		const uint8 *in;
		int			undecided = 0;

		/* the first argument sees every row: its result may be shared */
		if (i == 0)
			arg = vexec_expr_eval(program, expr->args[i], sel, n);
		else
			arg = vexec_expr_eval_narrowed(program, expr->args[i], rows, count);
		count = vexec_selection_clip(rows, count, program->stop);
		in = arg->values;
		for (int k = 0; k < count; k++)
		{
			int			row = rows[k];
			int			at = arg->constant ? 0 : row;

			rows[undecided] = row;
			if (vexec_is_null(arg, row))
			{
				vexec_set_null(result, row);
				result->has_nulls = true;
				undecided++;
			}
			else if (in[at] == decisive)
			{
				out[row] = decisive;
				vexec_clear_null(result, row);
			}
			else
				undecided++;
		}
		count = undecided;
	}
}

/* Copy selected elements of equal kind and form. */
static void
copy_elements(VexecVector *to, const VexecVector *from, const uint16 *rows, int n)
{
#define COPY(type) \
	for (int k = 0; k < n; k++) \
		VEXEC_VALUES(to, type)[rows[k]] = \
			VEXEC_VALUES(from, type)[from->constant ? 0 : rows[k]]

	switch (vexec_kind_width(to->kind))
	{
		case 1:
			COPY(uint8);
			break;
		case 2:
			COPY(uint16);
			break;
		case 4:
			COPY(uint32);
			break;
		case 8:
			COPY(uint64);
			break;
		default:
			Assert(to->kind == VEXEC_STRING);
			COPY(VexecString);
			break;
	}
#undef COPY
}

/*
 * Take over a branch's values at some rows.  Branches may bring numerics of
 * different scales, and the display scale belongs to the value: then all
 * become Numeric pointers.
 */
static void
merge_branch(VexecProgram *program, VexecExpr *expr, const VexecVector *branch,
			 const uint16 *rows, int n)
{
	VexecVector *result = expr->result;

	if (n == 0)
		return;
	if (result->kind == VEXEC_NUMERIC)
	{
		MemoryContext old = MemoryContextSwitchTo(program->batch_memory);

		if (expr->nmerged == 0)
		{
			result->is_decimal = branch->is_decimal;
			result->scale = branch->scale;
		}
		else if (result->is_decimal &&
				 (!branch->is_decimal || branch->scale != result->scale))
			vexec_vector_undecimal(result, expr->merged, expr->nmerged);

		if (!result->is_decimal && branch->is_decimal)
		{
			for (int k = 0; k < n; k++)
			{
				bool		isnull;
				Datum		value = vexec_vector_fetch(branch, rows[k], expr->typid, &isnull);

				if (!isnull)
					VEXEC_VALUES(result, Datum)[rows[k]] = value;
			}
		}
		else
			copy_elements(result, branch, rows, n);
		MemoryContextSwitchTo(old);
	}
	else
		copy_elements(result, branch, rows, n);

	if (branch->has_nulls)
	{
		for (int k = 0; k < n; k++)
		{
			if (vexec_is_null(branch, rows[k]))
			{
				vexec_set_null(result, rows[k]);
				result->has_nulls = true;
			}
		}
	}
	memcpy(expr->merged + expr->nmerged, rows, n * sizeof(uint16));
	expr->nmerged += n;
}

static void
begin_branches(VexecProgram *program, VexecExpr *expr)
{
	expr->nmerged = 0;
	expr->result->is_decimal = true;
	expr->result->scale = 0;
	expr->result->has_nulls = false;
	memset(expr->result->nulls, 0, NULL_WORDS(program) * sizeof(uint64));
}

static void
eval_case(VexecProgram *program, VexecExpr *expr, const uint16 *sel, int n)
{
	uint16	   *rows = expr->rows;
	int			count = 0;
	const VexecVector *branch;

	begin_branches(program, expr);
	VEXEC_FOREACH(row, sel, n, {rows[count++] = row;});
	for (int i = 0; i + 1 < expr->nargs && count > 0; i += 2)
	{
		const VexecVector *condition;
		const uint8 *in;
		int			rest = 0;
		int			nhits = 0;

		if (i == 0)
			condition = vexec_expr_eval(program, expr->args[i], sel, n);
		else
			condition = vexec_expr_eval_narrowed(program, expr->args[i], rows, count);
		count = vexec_selection_clip(rows, count, program->stop);
		in = condition->values;
		for (int k = 0; k < count; k++)
		{
			int			row = rows[k];

			if (in[condition->constant ? 0 : row] && !vexec_is_null(condition, row))
				expr->hits[nhits++] = row;
			else
				rows[rest++] = row;
		}
		count = rest;
		if (nhits > 0)
		{
			branch = vexec_expr_eval_narrowed(program, expr->args[i + 1], expr->hits, nhits);
			nhits = vexec_selection_clip(expr->hits, nhits, program->stop);
			merge_branch(program, expr, branch, expr->hits, nhits);
		}
	}
	count = vexec_selection_clip(rows, count, program->stop);
	if (count > 0)
	{
		branch = vexec_expr_eval_narrowed(program, expr->args[expr->nargs - 1], rows, count);
		count = vexec_selection_clip(rows, count, program->stop);
		merge_branch(program, expr, branch, rows, count);
	}
}

static void
eval_coalesce(VexecProgram *program, VexecExpr *expr, const uint16 *sel, int n)
{
	uint16	   *rows = expr->rows;
	int			count = 0;

	begin_branches(program, expr);
	VEXEC_FOREACH(row, sel, n, {rows[count++] = row;});
	for (int i = 0; i < expr->nargs && count > 0; i++)
	{
		const VexecVector *arg;
		bool		last = i == expr->nargs - 1;
		int			rest = 0;
		int			nhits = 0;

		if (i == 0)
			arg = vexec_expr_eval(program, expr->args[i], sel, n);
		else
			arg = vexec_expr_eval_narrowed(program, expr->args[i], rows, count);
		count = vexec_selection_clip(rows, count, program->stop);
		for (int k = 0; k < count; k++)
		{
			int			row = rows[k];

			/* the last argument gives its nulls too */
			if (last || !vexec_is_null(arg, row))
				expr->hits[nhits++] = row;
			else
				rows[rest++] = row;
		}
		merge_branch(program, expr, arg, expr->hits, nhits);
		count = rest;
	}
}

/*
 * A parameter's value.  An initplan runs when the first row needs it, and may
 * raise then: until it has run, the first row that gets here is left to core,
 * which runs it, or finds that the row does not need it after all.
 */
static void
eval_param(VexecProgram *program, VexecExpr *expr, const uint16 *sel, int n)
{
	Param	   *param = expr->param_node;
	MemoryContext old;
	Datum		value;
	bool		isnull;

	if (expr->param_valid || n == 0)
		return;
	if (param->paramkind == PARAM_EXEC &&
		program->econtext->ecxt_param_exec_vals[param->paramid].execPlan != NULL)
	{
		program->stop = Min(program->stop, sel == NULL ? 0 : sel[0]);
		expr->result->has_nulls = true;
		vexec_constant_store(expr->result, expr->typid, (Datum) 0, true);
		return;
	}

	value = ExecEvalExpr(expr->param, program->econtext, &isnull);
	old = MemoryContextSwitchTo(program->param_memory);
	if (!isnull)
		value = datumCopy(value, get_typbyval(expr->typid), get_typlen(expr->typid));
	vexec_constant_store(expr->result, expr->typid, value, isnull);
	MemoryContextSwitchTo(old);
	expr->param_valid = true;
}

const VexecVector *
vexec_expr_eval(VexecProgram *program, VexecExpr *expr, const uint16 *sel, int n)
{
	if (expr->op == VEXEC_OP_COLUMN || expr->op == VEXEC_OP_CONST ||
		expr->batch == program->batch)
		return expr->result;

	n = vexec_selection_clip(sel, n, program->stop);
	switch (expr->op)
	{
		case VEXEC_OP_COLUMN:
		case VEXEC_OP_CONST:
			break;
		case VEXEC_OP_PARAM:
			eval_param(program, expr, sel, n);
			return expr->result;
		case VEXEC_OP_KERNEL:
			eval_kernel(program, expr, sel, n);
			break;
		case VEXEC_OP_IN_LIST:
			eval_in_list(program, expr, sel, n);
			break;
		case VEXEC_OP_DISTINCT:
			eval_distinct(program, expr, sel, n);
			break;
		case VEXEC_OP_AND:
		case VEXEC_OP_OR:
			eval_and_or(program, expr, sel, n);
			break;
		case VEXEC_OP_NOT:
			eval_not(program, expr, sel, n);
			break;
		case VEXEC_OP_NULL_TEST:
			eval_null_test(program, expr, sel, n);
			break;
		case VEXEC_OP_BOOLEAN_TEST:
			eval_boolean_test(program, expr, sel, n);
			break;
		case VEXEC_OP_CASE:
			eval_case(program, expr, sel, n);
			break;
		case VEXEC_OP_COALESCE:
			eval_coalesce(program, expr, sel, n);
			break;
	}
	if (program->narrowed == 0)
		expr->batch = program->batch;
	return expr->result;
}

const VexecVector *
vexec_expr_eval_narrowed(VexecProgram *program, VexecExpr *expr, const uint16 *sel, int n)
{
	const VexecVector *result;

	program->narrowed++;
	result = vexec_expr_eval(program, expr, sel, n);
	program->narrowed--;
	return result;
}

void
vexec_program_begin_batch(VexecProgram *program, int nrows)
{
	MemoryContextReset(program->batch_memory);
	program->nrows = nrows;
	program->stop = nrows;
	program->batch++;
	Assert(program->narrowed == 0);
}

void
vexec_program_bind(VexecProgram *program, VexecColumnFunction column, void *source)
{
	foreach_ptr(VexecExpr, expr, program->nodes)
	{
		if (expr->op == VEXEC_OP_COLUMN)
			expr->result = column(source, expr->attno);
	}
}

void
vexec_program_rescan(VexecProgram *program)
{
	foreach_ptr(VexecExpr, expr, program->params)
		expr->param_valid = false;
	MemoryContextReset(program->param_memory);
	program->narrowed = 0;
}
