/*-------------------------------------------------------------------------
 *
 * filter.h
 *	  The conditions of a scan: kernels at the front, core behind; for the
 *	  nodes, and for EXPLAIN to show.
 *
 *-------------------------------------------------------------------------
 */
#ifndef VEXEC_FILTER_H
#define VEXEC_FILTER_H

#include "expr/expr.h"
#include "heap/heap.h"

#include "nodes/execnodes.h"

/*
 * Conditions decided in one step: one, or several cheap ones on the same
 * columns, such as the two ends of a range.
 */
typedef struct VexecFilterStep
{
	List	   *quals;			/* their expressions, for EXPLAIN */
	int			nexprs;
	VexecExpr **exprs;
	uint64		passed;			/* rows, for EXPLAIN ANALYZE */
} VexecFilterStep;

typedef struct VexecFilter
{
	int			nsteps;			/* also the number of column stages they need */
	VexecFilterStep *steps;
	int			nquals;			/* conditions in the steps */
	List	   *rest;			/* conditions from the first without kernels on */
	Bitmapset **columns;		/* nsteps sets: columns that a step is the first
								 * to need */
	uint64		entered;		/* rows, for EXPLAIN ANALYZE */
	VexecVector *both;			/* conditions of a step combined */
} VexecFilter;

/*
 * Compile conditions, given in core's order, on the columns of the table with
 * this range table index.
 */
extern VexecFilter *vexec_filter_create(VexecProgram *program, List *quals, Index relid);

/*
 * Decode what the steps need (step i is column stage i) and narrow the
 * selection, which covers the program's current batch.  program->stop may be
 * lowered; rows from there on are not in the selection.  heap may be NULL if
 * there are no steps.
 */
extern void vexec_filter_run(VexecFilter *filter, VexecProgram *program, VexecHeapScan *heap,
							 VexecSelection *sel);

/* User columns of a table that an expression or list of them uses. */
extern Bitmapset *vexec_columns_of(Node *expr, Index relid);

#endif							/* VEXEC_FILTER_H */
