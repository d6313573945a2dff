/*-------------------------------------------------------------------------
 *
 * compile.h
 *	  The compiled form of an expression; private to expr/.
 *
 *-------------------------------------------------------------------------
 */
#ifndef VEXEC_COMPILE_H
#define VEXEC_COMPILE_H

#include "expr/expr.h"
#include "expr/kernel.h"

typedef enum VexecOp
{
	VEXEC_OP_COLUMN,			/* a column of the table */
	VEXEC_OP_CONST,
	VEXEC_OP_PARAM,
	VEXEC_OP_KERNEL,			/* kernel(args) */
	VEXEC_OP_IN_LIST,			/* args[0] = ANY (constants) */
	VEXEC_OP_DISTINCT,			/* args[0] IS DISTINCT FROM args[1]; kernel is the
								 * equality function's */
	VEXEC_OP_AND,
	VEXEC_OP_OR,
	VEXEC_OP_NOT,
	VEXEC_OP_NULL_TEST,
	VEXEC_OP_BOOLEAN_TEST,
	VEXEC_OP_CASE,				/* args: condition, result, ..., else */
	VEXEC_OP_COALESCE
} VexecOp;

struct VexecExpr
{
	VexecOp		op;
	Node	   *source;			/* what it was compiled from, for sharing; NULL
								 * if it depends on a CASE's test value */
	Oid			typid;
	bool		can_stop;
	int			nargs;
	VexecExpr **args;
	VexecVector *result;		/* NULL in a dry run; of a column: the scan's */
	uint64		batch;			/* batch for which result is valid at all rows
								 * alive */

	AttrNumber	attno;			/* COLUMN */
	ExprState  *param;			/* PARAM */
	Param	   *param_node;		/* PARAM */
	bool		param_valid;	/* PARAM: result holds the value */
	const VexecKernel *kernel;	/* KERNEL, DISTINCT */
	const void *prepared;		/* KERNEL */
	VexecInList *in_list;		/* IN_LIST */
	bool		list_has_null;	/* IN_LIST */
	bool		negate;			/* IN_LIST: NOT IN */
	int			test;			/* NULL_TEST, BOOLEAN_TEST: NullTestType, BoolTestType */
	uint16	   *rows;			/* AND, OR, CASE, COALESCE: rows still undecided */
	uint16	   *hits;			/* CASE, COALESCE: rows of the branch at hand */
	uint16	   *merged;			/* CASE, COALESCE: rows that have their result */
	int			nmerged;
};

/* Store a value in a constant vector, NUMERIC as decimal where it fits. */
extern void vexec_constant_store(VexecVector *vec, Oid typid, Datum value, bool isnull);

#endif							/* VEXEC_COMPILE_H */
