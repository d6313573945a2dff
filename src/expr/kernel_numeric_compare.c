/*-------------------------------------------------------------------------
 *
 * kernel_numeric_compare.c
 *	  Comparisons of numeric.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "expr/kernel_families.h"
#include "expr/kernel_numeric.h"
#include "expr/kernel_template.h"

#include "utils/fmgrprotos.h"

typedef enum Comparison
{
	EQ,
	NE,
	LT,
	LE,
	GT,
	GE
} Comparison;

VEXEC_BINARY_ON(decimal_eq, int64, int64, uint8, a == b)
VEXEC_BINARY_ON(decimal_ne, int64, int64, uint8, a != b)
VEXEC_BINARY_ON(decimal_lt, int64, int64, uint8, a < b)
VEXEC_BINARY_ON(decimal_le, int64, int64, uint8, a <= b)

/* Compare values of equal scale. */
static void
compare_int64(VexecKernelCall *call, Comparison op, const VexecVector *x, const VexecVector *y)
{
	switch (op)
	{
		case EQ:
			decimal_eq_on(call, x, y);
			break;
		case NE:
			decimal_ne_on(call, x, y);
			break;
		case LT:
			decimal_lt_on(call, x, y);
			break;
		case LE:
			decimal_le_on(call, x, y);
			break;
		case GT:
			decimal_lt_on(call, y, x);
			break;
		case GE:
			decimal_le_on(call, y, x);
			break;
	}
}

static inline bool
holds(Comparison op, int cmp)
{
	switch (op)
	{
		case EQ:
			return cmp == 0;
		case NE:
			return cmp != 0;
		case LT:
			return cmp < 0;
		case LE:
			return cmp <= 0;
		case GT:
			return cmp > 0;
		case GE:
			return cmp >= 0;
	}
	pg_unreachable();
}

/*
 * Compare a decimal vector with a decimal constant, at the vector's scale, so
 * that nothing is computed per row.  A constant between two values of that
 * scale is replaced by the lower one, with <= for < and > for >=.
 */
static void
compare_constant(VexecKernelCall *call, Comparison op, const VexecVector *vec,
				 const VexecVector *constant)
{
	const int64 value = VEXEC_VALUES(constant, int64)[0];
	int64		bound;
	VexecVector view = vexec_decimal_view(constant, &bound);

	if (vec->scale >= constant->scale)
	{
		if (pg_mul_s64_overflow(value, vexec_pow10[vec->scale - constant->scale], &bound))
		{
			/* beyond every value of the vector */
			memset(call->result->values, holds(op, value > 0 ? -1 : 1),
				   call->sel ? call->nrows : call->n);
			return;
		}
	}
	else
	{
		const int64 divisor = vexec_pow10[constant->scale - vec->scale];
		const int64 rest = value % divisor;

		bound = value / divisor - (rest < 0);
		if (rest != 0)
		{
			if (op == EQ || op == NE)
			{
				memset(call->result->values, op == NE, call->sel ? call->nrows : call->n);
				return;
			}
			if (op == LT)
				op = LE;
			else if (op == GE)
				op = GT;
		}
	}
	compare_int64(call, op, vec, &view);
}

/* Compare two decimal vectors of different scale. */
static void
compare_scales(VexecKernelCall *call, Comparison op, const VexecVector *x, const VexecVector *y)
{
	const int	scale = Max(x->scale, y->scale);
	int64		xbuffer[VEXEC_BATCH_ROWS];
	int64		ybuffer[VEXEC_BATCH_ROWS];
	const int64 *xvalues = vexec_decimal_rescale(call, x, scale, xbuffer);
	const int64 *yvalues = vexec_decimal_rescale(call, y, scale, ybuffer);
	int			n;
	const uint16 *sel;

	if (xvalues != NULL && yvalues != NULL)
	{
		VexecVector xview = vexec_decimal_view(x, xvalues);
		VexecVector yview = vexec_decimal_view(y, yvalues);

		compare_int64(call, op, &xview, &yview);
		return;
	}

	/* An int64 times at most 10^18 fits in 124 bits. */
	sel = vexec_kernel_selected(call, &n);
	for (int k = 0; k < n; k++)
	{
		const int	row = sel ? sel[k] : k;
		const int128 a = (int128) VEXEC_VALUES(x, int64)[row] * vexec_pow10[scale - x->scale];
		const int128 b = (int128) VEXEC_VALUES(y, int64)[row] * vexec_pow10[scale - y->scale];

		VEXEC_VALUES(call->result, uint8)[row] = holds(op, (a > b) - (a < b));
	}
}

/* Compare with core's function, which never raises. */
static void
compare_pointers(VexecKernelCall *call, Comparison op, const VexecVector *x, const VexecVector *y)
{
	const Numeric xconstant = x->constant ? vexec_numeric_at(x, 0) : NULL;
	const Numeric yconstant = y->constant ? vexec_numeric_at(y, 0) : NULL;
	int			n;
	const uint16 *sel = vexec_kernel_selected(call, &n);

	for (int k = 0; k < n; k++)
	{
		const int	row = sel ? sel[k] : k;
		Numeric		a;
		Numeric		b;

		if (vexec_is_null(call->result, row))
			continue;
		a = xconstant ? xconstant : vexec_numeric_at(x, row);
		b = yconstant ? yconstant : vexec_numeric_at(y, row);
		VEXEC_VALUES(call->result, uint8)[row] =
			holds(op, DatumGetInt32(DirectFunctionCall2(numeric_cmp, NumericGetDatum(a),
														NumericGetDatum(b))));
	}
}

static void
compare(VexecKernelCall *call, Comparison op)
{
	static const Comparison swapped[] = {EQ, NE, GT, GE, LT, LE};
	const VexecVector *x = call->arg[0];
	const VexecVector *y = call->arg[1];

	if (!x->is_decimal || !y->is_decimal)
		compare_pointers(call, op, x, y);
	else if (x->scale == y->scale)
		compare_int64(call, op, x, y);
	else if (y->constant)
		compare_constant(call, op, x, y);
	else if (x->constant)
		compare_constant(call, swapped[op], y, x);
	else
		compare_scales(call, op, x, y);
}

#define KERNEL(op) \
static void \
numeric_##op(VexecKernelCall *call) \
{ \
	compare(call, op); \
}

KERNEL(EQ)
KERNEL(NE)
KERNEL(LT)
KERNEL(LE)
KERNEL(GT)
KERNEL(GE)

#define ENTRY(op) \
	VEXEC_ENTRY2(F_NUMERIC_##op, numeric_##op, VEXEC_NUMERIC, VEXEC_NUMERIC, VEXEC_BOOL, 0)

static const VexecKernel kernels[] = {
	ENTRY(EQ),
	ENTRY(NE),
	ENTRY(LT),
	ENTRY(LE),
	ENTRY(GT),
	ENTRY(GE),
	VEXEC_ENTRY_END
};

const VexecKernelFamily VEXEC_ISA_NAME(vexec_kernels_numeric_compare) = {
	"comparison of numeric", kernels
};
