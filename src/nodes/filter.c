/*-------------------------------------------------------------------------
 *
 * filter.c
 *	  The conditions of a scan.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "nodes/filter.h"

#include "access/sysattr.h"
#include "catalog/pg_type.h"
#include "optimizer/optimizer.h"

Bitmapset *
vexec_columns_of(Node *expr, Index relid)
{
	Bitmapset  *attributes = NULL;
	Bitmapset  *columns = NULL;
	int			member = -1;

	pull_varattnos(expr, relid, &attributes);
	while ((member = bms_next_member(attributes, member)) >= 0)
	{
		int			attno = member + FirstLowInvalidHeapAttributeNumber;

		if (attno > 0)
			columns = bms_add_member(columns, attno);
	}
	return columns;
}

VexecFilter *
vexec_filter_create(VexecProgram *program, List *quals, Index relid)
{
	VexecFilter *filter = palloc0(sizeof(VexecFilter));
	int			nquals = list_length(quals);
	Bitmapset  *before = NULL;
	bool		cheap_before = false;

	filter->steps = palloc0(sizeof(VexecFilterStep) * Max(nquals, 1));
	filter->columns = palloc0(sizeof(Bitmapset *) * Max(nquals, 1));
	filter->both = vexec_vector_create(VEXEC_BOOL, false);
	foreach_ptr(Node, qual, quals)
	{
		VexecExpr  *compiled = vexec_program_add(program, qual);
		Bitmapset  *columns = vexec_columns_of(qual, relid);
		VexecFilterStep *step;
		bool		cheap;

		if (compiled == NULL)
			break;
		cheap = vexec_expr_is_cheap(compiled);
		if (!(cheap && cheap_before &&
			  bms_equal(columns, vexec_columns_of((Node *) filter->steps[filter->nsteps - 1].quals,
												  relid))))
		{
			step = &filter->steps[filter->nsteps];
			step->exprs = palloc0(sizeof(VexecExpr *) * nquals);
			filter->columns[filter->nsteps] = bms_difference(columns, before);
			filter->nsteps++;
		}
		step = &filter->steps[filter->nsteps - 1];
		step->exprs[step->nexprs++] = compiled;
		step->quals = lappend(step->quals, qual);
		before = bms_union(before, columns);
		cheap_before = cheap;
		filter->nquals++;
	}
	filter->rest = list_copy_tail(quals, filter->nquals);
	return filter;
}

/*
 * All conditions of a step at rows 0 .. n-1 in one vector.  They are few and
 * cannot stop; selecting rows after each would cost more than comparing rows
 * that the first has ruled out.
 */
static const VexecVector *
eval_dense(VexecFilter *filter, VexecFilterStep *step, VexecProgram *program, int n)
{
	const VexecVector *result = vexec_expr_eval(program, step->exprs[0], NULL, n);

	for (int i = 1; i < step->nexprs; i++)
	{
		vexec_vector_and(filter->both, result,
						 vexec_expr_eval(program, step->exprs[i], NULL, n), n);
		result = filter->both;
	}
	return result;
}

void
vexec_filter_run(VexecFilter *filter, VexecProgram *program, VexecHeapScan *heap,
				 VexecSelection *sel)
{
	filter->entered += sel->count;
	for (int i = 0; i < filter->nsteps && sel->count > 0; i++)
	{
		VexecFilterStep *step = &filter->steps[i];
		int			stop = vexec_heap_decode(heap, i, vexec_selection_list(sel), sel->count);

		program->stop = Min(program->stop, stop);
		if (sel->dense)
		{
			const VexecVector *passes = eval_dense(filter, step, program, sel->count);

			vexec_selection_filter(sel, passes, program->stop);
		}
		else
		{
			for (int j = 0; j < step->nexprs; j++)
			{
				const VexecVector *passes = vexec_expr_eval(program, step->exprs[j], sel->rows,
															sel->count);

				vexec_selection_filter(sel, passes, program->stop);
			}
		}
		step->passed += sel->count;
	}
}
