/*-------------------------------------------------------------------------
 *
 * expr.h
 *	  Expressions over a batch.
 *
 * A program holds the compiled expressions of one node and the state of their
 * run over the current batch.  An expression compiles completely or not at
 * all; one that does not is left to core's ExprState, row by row ("fallback"),
 * by the node.
 *
 * No evaluation raises an error.  A row on which core would raise, or on which
 * a kernel cannot tell, lowers program->stop to its number; from that row on
 * nothing in the batch is valid, and the node goes on with core's ExprStates
 * in core's order.
 *
 *-------------------------------------------------------------------------
 */
#ifndef VEXEC_EXPR_H
#define VEXEC_EXPR_H

#include "batch/batch.h"

#include "access/attnum.h"
#include "nodes/execnodes.h"

typedef struct VexecExpr VexecExpr;
typedef struct VexecProgram VexecProgram;

struct VexecProgram
{
	int			nrows;			/* rows in the current batch */
	int			stop;			/* lowest row left to core, or nrows */
	uint64		kernel_calls;	/* for EXPLAIN ANALYZE */

	/* private to expr/ */
	uint64		batch;			/* number of the current batch, from 1 */
	int			narrowed;		/* depth of conditional evaluation */
	List	   *nodes;			/* every VexecExpr, for sharing */
	List	   *params;			/* those that are Params */
	ExprContext *econtext;		/* Param values */
	MemoryContext query_memory; /* lives as long as the program */
	MemoryContext param_memory; /* Param values; reset with each rescan */
	MemoryContext batch_memory; /* reset with each batch */
};

/*
 * Whether the expression has only parts with kernels.  If not, *reason is set
 * to a sentence fragment that names the first part without one, allocated in
 * the current memory context.
 */
extern bool vexec_expr_supported(Node *expr, char **reason);

/* Number of kernel calls a batch that evaluates the expression takes. */
extern int	vexec_expr_count_kernels(Node *expr);

/* An empty program in the current memory context. */
extern VexecProgram *vexec_program_create(ExprContext *econtext);

/*
 * Compile an expression whose Vars are columns of the batches' source.  Returns
 * NULL if vexec_expr_supported is false.  Equal expressions share one result.
 */
extern VexecExpr *vexec_program_add(VexecProgram *program, Node *expr);

/* Fetch the vectors of the columns used from where the batches come from. */
typedef VexecVector *(*VexecColumnFunction) (void *source, AttrNumber attno);

extern void vexec_program_bind(VexecProgram *program, VexecColumnFunction column, void *source);

/* Parameter values may have changed. */
extern void vexec_program_rescan(VexecProgram *program);

/* Forget the batch before; nothing is evaluated yet. */
extern void vexec_program_begin_batch(VexecProgram *program, int nrows);

/*
 * Evaluate at the selected rows before program->stop.  May lower it.  The
 * vector belongs to the expression (it may be constant, or a column's) and is
 * valid until the next batch, at the selected rows before program->stop.
 */
extern const VexecVector *vexec_expr_eval(VexecProgram *program, VexecExpr *expr,
										  const uint16 *sel, int n);

/* The same, for an expression that only some of the rows alive may reach. */
extern const VexecVector *vexec_expr_eval_narrowed(VexecProgram *program, VexecExpr *expr,
												   const uint16 *sel, int n);

/*
 * Is the expression one comparison or the like of fixed-width columns with
 * constants, which cannot stop and costs less than selecting rows does?
 */
extern bool vexec_expr_is_cheap(const VexecExpr *expr);

/* Can evaluation lower program->stop? */
extern bool vexec_expr_can_stop(const VexecExpr *expr);

#endif							/* VEXEC_EXPR_H */
