/*-------------------------------------------------------------------------
 *
 * kernel.h
 *	  Kernels: one SQL function on whole vectors.
 *
 * A kernel serves one pg_proc function, named by its OID.  All kernels are
 * strict: the caller sets the result's null bitmap to the union of the
 * arguments' before the call, and a kernel never changes it.
 *
 * A kernel never raises.  One that can fail leaves the value undefined and
 * lowers call->stop to the lowest selected row that is not null and on which
 * the function raises, or on which the kernel cannot tell cheaply: core's own
 * expression is then evaluated from that row on, and gives the error or the
 * value.  A kernel that cannot fail may compute rows outside the selection.
 *
 * Kernel files (kernel_*.c) are compiled once for each instruction set level;
 * VEXEC_ISA_NAME gives the symbols of each their own names.
 *
 *-------------------------------------------------------------------------
 */
#ifndef VEXEC_KERNEL_H
#define VEXEC_KERNEL_H

#include "batch/batch.h"
#include "batch/isa.h"

#include "nodes/primnodes.h"
#include "utils/palloc.h"

typedef struct VexecKernelCall
{
	const VexecVector *arg[2];	/* arg[1] is NULL for unary functions; either
								 * may be constant, never all of them */
	VexecVector *result;		/* not constant; nulls are set already */
	const uint16 *sel;			/* NULL: rows 0 .. n-1 */
	int			n;				/* rows selected */
	int			nrows;			/* rows in the batch */
	int			stop;			/* in and out: lowest row left to core */
	const void *prepared;		/* what the kernel's prepare function made */
	MemoryContext memory;		/* batch memory for results by reference; also
								 * the current context during the call */
} VexecKernelCall;

typedef void (*VexecKernelFunction) (VexecKernelCall *call);

/* A kernel needs the inputs' collation to be ... */
#define VEXEC_KERNEL_DETERMINISTIC	0x01	/* ... deterministic */
#define VEXEC_KERNEL_COLLATE_C		0x02	/* ... C, that is byte order */
/* It may lower call->stop. */
#define VEXEC_KERNEL_CAN_STOP		0x04

/*
 * Called once when an expression is compiled, in the memory context of the
 * query, for kernels that need their second argument as a constant (a LIKE
 * pattern, a typmod).  constant is NULL when that argument is none.  Returns
 * false when the kernel cannot serve this call; must not raise for what core
 * would raise at execution (return false instead).
 */
typedef bool (*VexecKernelPrepare) (const Const *constant, const void **prepared);

typedef struct VexecKernel
{
	Oid			function;		/* pg_proc OID, from fmgroids.h */
	int			nargs;			/* 1 or 2 */
	VexecKind	args[2];
	VexecKind	result;
	uint32		flags;
	VexecKernelFunction run;
	VexecKernelPrepare prepare; /* NULL: nothing to prepare */
} VexecKernel;

/* A kernel file's list, ended by an entry with function = InvalidOid. */
typedef struct VexecKernelFamily
{
	const char *name;			/* for the coverage table */
	const VexecKernel *kernels;
} VexecKernelFamily;

/*
 * The kernel of a function at the instruction set level in force, or NULL.
 * The one table that planner, executor and documentation share.
 */
extern const VexecKernel *vexec_kernel_lookup(Oid function);

/*
 * IN lists are no pg_proc function: "x = ANY (constant array)" compiles to a
 * hash or sorted lookup.  values: the distinct non-null elements as a constant
 * vector's array of count elements of the kind.  The result is true where the
 * element is found, and false elsewhere (the caller handles a null in the
 * list).  Equality is that of the kind; bpchar says that trailing blanks do
 * not count.  Supported: INT16, INT32, INT64, STRING (deterministic collation).
 */
typedef struct VexecInList VexecInList;
extern VexecInList *vexec_inlist_create(VexecKind kind, bool bpchar, const void *values, int count);
extern void vexec_inlist_run(const VexecInList *list, VexecKernelCall *call);

#endif							/* VEXEC_KERNEL_H */
