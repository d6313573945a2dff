/*-------------------------------------------------------------------------
 *
 * kernel_template.h
 *	  The loops that the kernels of fixed-width types are made of.
 *
 * A kernel is a loop over rows with one expression inside.  The macros here
 * write that loop in the forms that matter: dense, where the compiler can
 * vectorize, with either argument constant or none; and over a selection,
 * where it cannot, so that one form serves all.
 *
 * The result's array never overlaps an argument's: a kernel that fails looks
 * at the arguments a second time to find the row.
 *
 *-------------------------------------------------------------------------
 */
#ifndef VEXEC_KERNEL_TEMPLATE_H
#define VEXEC_KERNEL_TEMPLATE_H

#include "expr/kernel.h"

#include "utils/fmgroids.h"

/*
 * When at least one row in so many is selected, a dense loop over all rows of
 * the batch is cheaper than a loop over the list.  Values outside the
 * selection are computed from bytes of no meaning; nobody reads them.
 */
#define VEXEC_DENSE_FRACTION 4

/*
 * The rows to compute: NULL and *n rows from 0, or the list and its length.
 */
static inline const uint16 *
vexec_kernel_rows(const VexecKernelCall *call, int *n)
{
	if (call->sel != NULL && call->n < call->nrows / VEXEC_DENSE_FRACTION)
	{
		*n = call->n;
		return call->sel;
	}
	*n = (call->sel != NULL) ? call->nrows : call->n;
	return NULL;
}

/*
 * The selected rows below call->stop, for kernels that follow pointers or
 * that are not worth computing for rows which nobody reads.
 */
static inline const uint16 *
vexec_kernel_selected(const VexecKernelCall *call, int *n)
{
	int			count = call->n;

	if (call->sel == NULL)
		count = Min(count, call->stop);
	else
	{
		while (count > 0 && call->sel[count - 1] >= call->stop)
			count--;
	}
	*n = Max(count, 0);
	return call->sel;
}

/* The row is the lowest so far that is left to core. */
static inline void
vexec_kernel_stop(VexecKernelCall *call, int row)
{
	if (row < call->stop)
		call->stop = row;
}

/*
 * Defines name_on(call, x, y): EXPR of a and b for every row, without failure.
 */
#define VEXEC_BINARY_ON(name, TA, TB, TR, EXPR) \
static void \
name##_on(VexecKernelCall *call, const VexecVector *x, const VexecVector *y) \
{ \
	const TA   *restrict av = VEXEC_VALUES(x, TA); \
	const TB   *restrict bv = VEXEC_VALUES(y, TB); \
	TR		   *restrict rv = VEXEC_VALUES(call->result, TR); \
	int			n; \
	const uint16 *sel = vexec_kernel_rows(call, &n); \
\
	if (sel != NULL) \
	{ \
		const int	amask = x->constant ? 0 : -1; \
		const int	bmask = y->constant ? 0 : -1; \
\
		for (int k = 0; k < n; k++) \
		{ \
			const int	row = sel[k]; \
			const TA	a = av[row & amask]; \
			const TB	b = bv[row & bmask]; \
\
			rv[row] = (EXPR); \
		} \
	} \
	else if (y->constant) \
	{ \
		const TB	b = bv[0]; \
\
		for (int row = 0; row < n; row++) \
		{ \
			const TA	a = av[row]; \
\
			rv[row] = (EXPR); \
		} \
	} \
	else if (x->constant) \
	{ \
		const TA	a = av[0]; \
\
		for (int row = 0; row < n; row++) \
		{ \
			const TB	b = bv[row]; \
\
			rv[row] = (EXPR); \
		} \
	} \
	else \
	{ \
		for (int row = 0; row < n; row++) \
		{ \
			const TA	a = av[row]; \
			const TB	b = bv[row]; \
\
			rv[row] = (EXPR); \
		} \
	} \
}

/* A kernel name(call) of both arguments in their order, or swapped. */
#define VEXEC_KERNEL_DIRECT(name, on) \
static void \
name(VexecKernelCall *call) \
{ \
	on##_on(call, call->arg[0], call->arg[1]); \
}

#define VEXEC_KERNEL_SWAPPED(name, on) \
static void \
name(VexecKernelCall *call) \
{ \
	on##_on(call, call->arg[1], call->arg[0]); \
}

/* A whole kernel from one expression of a and b that cannot fail. */
#define VEXEC_BINARY(name, TA, TB, TR, EXPR) \
	VEXEC_BINARY_ON(name, TA, TB, TR, EXPR) \
	VEXEC_KERNEL_DIRECT(name, name)

/*
 * A whole kernel that can fail.  STEP(a, b, r, bad) stores the result in r and
 * makes bad (of type TBAD, signed) negative where the function raises; it must
 * not trap whatever the operands.  One pass computes all rows; only when some
 * row failed a second one looks for the lowest selected of them that is not
 * null.
 */
#define VEXEC_CHECKED_BINARY(name, TA, TB, TR, TBAD, STEP) \
static pg_noinline void \
name##_search(VexecKernelCall *call) \
{ \
	const VexecVector *x = call->arg[0]; \
	const VexecVector *y = call->arg[1]; \
	const TA   *av = VEXEC_VALUES(x, TA); \
	const TB   *bv = VEXEC_VALUES(y, TB); \
	int			n; \
	const uint16 *sel = vexec_kernel_selected(call, &n); \
\
	for (int k = 0; k < n; k++) \
	{ \
		const int	row = sel ? sel[k] : k; \
		const TA	a = av[x->constant ? 0 : row]; \
		const TB	b = bv[y->constant ? 0 : row]; \
		TR			r; \
		TBAD		bad = 0; \
\
		STEP(a, b, r, bad); \
		(void) r; \
		if (bad < 0 && !vexec_is_null(call->result, row)) \
		{ \
			vexec_kernel_stop(call, row); \
			break; \
		} \
	} \
} \
\
static void \
name(VexecKernelCall *call) \
{ \
	const VexecVector *x = call->arg[0]; \
	const VexecVector *y = call->arg[1]; \
	const TA   *restrict av = VEXEC_VALUES(x, TA); \
	const TB   *restrict bv = VEXEC_VALUES(y, TB); \
	TR		   *restrict rv = VEXEC_VALUES(call->result, TR); \
	TBAD		bad = 0; \
	int			n; \
	const uint16 *sel = vexec_kernel_rows(call, &n); \
\
	Assert((const void *) av != (void *) rv && (const void *) bv != (void *) rv); \
	if (sel != NULL) \
	{ \
		const int	amask = x->constant ? 0 : -1; \
		const int	bmask = y->constant ? 0 : -1; \
\
		for (int k = 0; k < n; k++) \
		{ \
			const int	row = sel[k]; \
			const TA	a = av[row & amask]; \
			const TB	b = bv[row & bmask]; \
			TR			r; \
\
			STEP(a, b, r, bad); \
			rv[row] = r; \
		} \
	} \
	else if (y->constant) \
	{ \
		const TB	b = bv[0]; \
\
		for (int row = 0; row < n; row++) \
		{ \
			const TA	a = av[row]; \
			TR			r; \
\
			STEP(a, b, r, bad); \
			rv[row] = r; \
		} \
	} \
	else if (x->constant) \
	{ \
		const TA	a = av[0]; \
\
		for (int row = 0; row < n; row++) \
		{ \
			const TB	b = bv[row]; \
			TR			r; \
\
			STEP(a, b, r, bad); \
			rv[row] = r; \
		} \
	} \
	else \
	{ \
		for (int row = 0; row < n; row++) \
		{ \
			const TA	a = av[row]; \
			const TB	b = bv[row]; \
			TR			r; \
\
			STEP(a, b, r, bad); \
			rv[row] = r; \
		} \
	} \
	if (bad < 0) \
		name##_search(call); \
}

/* A kernel of one argument from one expression of a that cannot fail. */
#define VEXEC_UNARY(name, TA, TR, EXPR) \
static void \
name(VexecKernelCall *call) \
{ \
	const TA   *restrict av = VEXEC_VALUES(call->arg[0], TA); \
	TR		   *restrict rv = VEXEC_VALUES(call->result, TR); \
	int			n; \
	const uint16 *sel = vexec_kernel_rows(call, &n); \
\
	if (sel != NULL) \
	{ \
		for (int k = 0; k < n; k++) \
		{ \
			const int	row = sel[k]; \
			const TA	a = av[row]; \
\
			rv[row] = (EXPR); \
		} \
	} \
	else \
	{ \
		for (int row = 0; row < n; row++) \
		{ \
			const TA	a = av[row]; \
\
			rv[row] = (EXPR); \
		} \
	} \
}

/* The same with STEP(a, r, bad), as for VEXEC_CHECKED_BINARY. */
#define VEXEC_CHECKED_UNARY(name, TA, TR, TBAD, STEP) \
static void \
name(VexecKernelCall *call) \
{ \
	const TA   *restrict av = VEXEC_VALUES(call->arg[0], TA); \
	TR		   *restrict rv = VEXEC_VALUES(call->result, TR); \
	TBAD		bad = 0; \
	int			n; \
	const uint16 *sel = vexec_kernel_rows(call, &n); \
\
	Assert((const void *) av != (void *) rv); \
	if (sel != NULL) \
	{ \
		for (int k = 0; k < n; k++) \
		{ \
			const int	row = sel[k]; \
			const TA	a = av[row]; \
			TR			r; \
\
			STEP(a, r, bad); \
			rv[row] = r; \
		} \
	} \
	else \
	{ \
		for (int row = 0; row < n; row++) \
		{ \
			const TA	a = av[row]; \
			TR			r; \
\
			STEP(a, r, bad); \
			rv[row] = r; \
		} \
	} \
	if (bad < 0) \
	{ \
		sel = vexec_kernel_selected(call, &n); \
		for (int k = 0; k < n; k++) \
		{ \
			const int	row = sel ? sel[k] : k; \
			const TA	a = av[row]; \
			TR			r; \
\
			bad = 0; \
			STEP(a, r, bad); \
			(void) r; \
			if (bad < 0 && !vexec_is_null(call->result, row)) \
			{ \
				vexec_kernel_stop(call, row); \
				break; \
			} \
		} \
	} \
}

/* Entries of a family's list. */
#define VEXEC_ENTRY1(oid, fn, ka, kr, flags) \
	{oid, 1, {ka}, kr, flags, fn, NULL}
#define VEXEC_ENTRY2(oid, fn, ka, kb, kr, flags) \
	{oid, 2, {ka, kb}, kr, flags, fn, NULL}
#define VEXEC_ENTRY_END \
	{InvalidOid, 0, {VEXEC_DATUM}, VEXEC_DATUM, 0, NULL, NULL}

#endif							/* VEXEC_KERNEL_TEMPLATE_H */
