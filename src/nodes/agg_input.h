/*-------------------------------------------------------------------------
 *
 * agg_input.h
 *	  The expressions that feed an aggregation: grouping keys, filters and
 *	  arguments, evaluated for a batch.
 *
 *-------------------------------------------------------------------------
 */
#ifndef VEXEC_AGG_INPUT_H
#define VEXEC_AGG_INPUT_H

#include "agg/agg.h"
#include "expr/expr.h"
#include "nodes/filter.h"
#include "nodes/source.h"

/* One expression, and the column that it becomes. */
typedef struct VexecInput
{
	Node	   *expr;			/* over the source's columns */
	VexecKind	kind;
	Oid			typid;
	int16		typlen;
	bool		typbyval;
	int			filter;			/* input that must be true for this one to be
								 * evaluated, or -1 */
	VexecExpr  *kernels;		/* NULL: only core's evaluation */
	ExprState  *core;
	VexecVector *fallback;		/* values computed by core; aliased by vector */
	const VexecVector *vector;	/* this batch's values */
	VexecSelection *passing;	/* of a filter: rows of the batch that pass */
} VexecInput;

/* All of them, with the conditions that rows must pass first. */
typedef struct VexecInputs
{
	PlanState  *ps;
	VexecProgram *program;
	VexecSource *source;		/* NULL until the node opens it */
	ExprContext *econtext;		/* for core's expressions on input rows */
	TupleTableSlot *slot;		/* an input row */

	VexecFilter *filter;
	ExprState  *all_quals;
	ExprState  *rest_quals;		/* those behind the filter's kernels, or NULL */

	int			ninputs;
	VexecInput *inputs;
	const VexecVector **vectors;	/* of the inputs, for the grouping */
	const VexecSelection **call_filters;	/* rows that pass each call's filter */
	bool		any_core;		/* some input has no kernels */
	bool		kernels_can_stop;
	bool		row_by_row;		/* the grouping may raise */

	VexecGrouping *grouping;
	VexecSelection selection;	/* rows alive */
	VexecSelection core_selection;	/* rows that core has evaluated */

	uint64		core_rows;		/* rows evaluated completely by core */
	uint64		fallback_rows;	/* rows with some expression left to core */
} VexecInputs;

/*
 * Begin with the conditions; the slot of ps' expressions must be the input's
 * (ps->scandesc, scanops) during this and vexec_inputs_add.
 */
extern void vexec_inputs_init(VexecInputs *inputs, PlanState *ps, TupleTableSlot *slot,
							  List *quals, Index relid, int max_inputs);

/*
 * Add an expression whose vector is to have this kind; returns its number.
 * Expressions that are equal, and evaluated for the same rows, become one
 * unless it must be a new one.  filter: see VexecInput.
 */
extern int	vexec_inputs_add(VexecInputs *inputs, Node *expr, VexecKind kind, int filter,
							 bool make_new);

/* The grouping that takes the rows, and the filters of its calls. */
extern void vexec_inputs_set_grouping(VexecInputs *inputs, VexecGrouping *grouping,
									  const VexecGroupingPlan *plan);

/* Where the rows come from. */
extern void vexec_inputs_bind(VexecInputs *inputs, VexecSource *source);

/* Columns of the source that inputs with kernels, or all of them, use. */
extern Bitmapset *vexec_inputs_columns(const VexecInputs *inputs, Index relid, bool all);

/* Feed the whole source to the grouping. */
extern void vexec_inputs_run(VexecInputs *inputs);

/* How many inputs have kernels, or have not. */
extern int	vexec_inputs_count(const VexecInputs *inputs, bool with_kernels);

#endif							/* VEXEC_AGG_INPUT_H */
