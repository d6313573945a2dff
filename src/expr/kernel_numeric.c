/*-------------------------------------------------------------------------
 *
 * kernel_numeric.c
 *	  Arithmetic of numeric.
 *
 * Display scales are core's: the greater of the arguments' for sums,
 * differences and remainders, their sum for products, 0 for whole quotients.
 * The scale of a quotient depends on the values of each row, so that quotients
 * are always core's.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "expr/kernel_families.h"
#include "expr/kernel_numeric.h"
#include "expr/kernel_template.h"

#include "utils/fmgrprotos.h"

/* Says that core's function does not raise for these arguments. */
typedef bool (*SafeFunction) (const VexecNumericShape *a, const VexecNumericShape *b);

static bool
safe_sum(const VexecNumericShape *a, const VexecNumericShape *b)
{
	return a->special || b->special ||
		Max(a->weight, b->weight) < VEXEC_NUMERIC_SAFE_WEIGHT;
}

static bool
safe_product(const VexecNumericShape *a, const VexecNumericShape *b)
{
	return a->special || b->special || a->zero || b->zero ||
		a->weight + b->weight < VEXEC_NUMERIC_SAFE_WEIGHT;
}

static bool
safe_quotient(const VexecNumericShape *a, const VexecNumericShape *b)
{
	if (a->nan || b->nan)
		return true;
	if (b->zero)
		return false;
	return a->special || b->special || a->weight - b->weight < VEXEC_NUMERIC_SAFE_WEIGHT;
}

static bool
safe_remainder(const VexecNumericShape *a, const VexecNumericShape *b)
{
	return a->nan || b->nan || !b->zero;
}

/* The results of core's function at the selected rows, up to an unsafe one. */
static void
call_core(VexecKernelCall *call, PGFunction function, SafeFunction safe)
{
	const VexecVector *x = call->arg[0];
	const VexecVector *y = call->arg[1];
	const Numeric xconstant = x->constant ? vexec_numeric_at(x, 0) : NULL;
	const Numeric yconstant = y->constant ? vexec_numeric_at(y, 0) : NULL;
	Numeric    *results = VEXEC_VALUES(call->result, Numeric);
	int			n;
	const uint16 *sel = vexec_kernel_selected(call, &n);

	vexec_numeric_set_pointers(call);
	for (int k = 0; k < n; k++)
	{
		const int	row = sel ? sel[k] : k;
		Numeric		a;
		Numeric		b;
		VexecNumericShape ashape;
		VexecNumericShape bshape;

		if (vexec_is_null(call->result, row))
			continue;
		a = xconstant ? xconstant : vexec_numeric_at(x, row);
		b = yconstant ? yconstant : vexec_numeric_at(y, row);
		ashape = vexec_numeric_shape(a);
		bshape = vexec_numeric_shape(b);
		if (!safe(&ashape, &bshape))
		{
			vexec_kernel_stop(call, row);
			break;
		}
		results[row] = DatumGetNumeric(DirectFunctionCall2(function, NumericGetDatum(a),
														   NumericGetDatum(b)));
	}
}

#define STEP_ADD(a, b, r, bad) \
	do { \
		(r) = (int64) ((uint64) (a) + (uint64) (b)); \
		(bad) |= ((a) ^ (r)) & ((b) ^ (r)); \
	} while (0)
#define STEP_SUB(a, b, r, bad) \
	do { \
		(r) = (int64) ((uint64) (a) - (uint64) (b)); \
		(bad) |= ((a) ^ (b)) & ((a) ^ (r)); \
	} while (0)

VEXEC_CHECKED_BINARY(add_int64, int64, int64, int64, int64, STEP_ADD)
VEXEC_CHECKED_BINARY(sub_int64, int64, int64, int64, int64, STEP_SUB)

/* Sum or difference of decimals; false when some result does not fit. */
static bool
decimal_sum(VexecKernelCall *call, VexecKernelFunction operation)
{
	const VexecVector *x = call->arg[0];
	const VexecVector *y = call->arg[1];
	const int	scale = Max(x->scale, y->scale);
	int64		xbuffer[VEXEC_BATCH_ROWS];
	int64		ybuffer[VEXEC_BATCH_ROWS];
	const int64 *xvalues;
	const int64 *yvalues;
	VexecVector xview;
	VexecVector yview;
	VexecKernelCall part = *call;

	if (!x->is_decimal || !y->is_decimal)
		return false;
	xvalues = vexec_decimal_rescale(call, x, scale, xbuffer);
	yvalues = vexec_decimal_rescale(call, y, scale, ybuffer);
	if (xvalues == NULL || yvalues == NULL)
		return false;
	xview = vexec_decimal_view(x, xvalues);
	yview = vexec_decimal_view(y, yvalues);
	part.arg[0] = &xview;
	part.arg[1] = &yview;
	vexec_numeric_set_decimal(call, scale);
	operation(&part);
	return part.stop == call->stop;
}

static void
add_numeric(VexecKernelCall *call)
{
	if (!decimal_sum(call, add_int64))
		call_core(call, numeric_add, safe_sum);
}

static void
sub_numeric(VexecKernelCall *call)
{
	if (!decimal_sum(call, sub_int64))
		call_core(call, numeric_sub, safe_sum);
}

static void
mul_numeric(VexecKernelCall *call)
{
	const VexecVector *x = call->arg[0];
	const VexecVector *y = call->arg[1];

	if (x->is_decimal && y->is_decimal && x->scale + y->scale <= VEXEC_MAX_SCALE &&
		vexec_int64_multiply(call, x, VEXEC_VALUES(x, int64), y, VEXEC_VALUES(y, int64)))
		vexec_numeric_set_decimal(call, x->scale + y->scale);
	else
		call_core(call, numeric_mul, safe_product);
}

static void
div_numeric(VexecKernelCall *call)
{
	call_core(call, numeric_div, safe_quotient);
}

/*
 * Whole quotient or remainder of decimals; false when the arguments do not fit
 * at the common scale.
 */
static bool
decimal_divide(VexecKernelCall *call, bool remainder)
{
	const VexecVector *x = call->arg[0];
	const VexecVector *y = call->arg[1];
	const int	scale = Max(x->scale, y->scale);
	int64	   *results = VEXEC_VALUES(call->result, int64);
	int64		xbuffer[VEXEC_BATCH_ROWS];
	int64		ybuffer[VEXEC_BATCH_ROWS];
	const int64 *xvalues;
	const int64 *yvalues;
	int			n;
	const uint16 *sel = vexec_kernel_selected(call, &n);

	if (!x->is_decimal || !y->is_decimal)
		return false;
	xvalues = vexec_decimal_rescale(call, x, scale, xbuffer);
	yvalues = vexec_decimal_rescale(call, y, scale, ybuffer);
	if (xvalues == NULL || yvalues == NULL)
		return false;

	vexec_numeric_set_decimal(call, remainder ? scale : 0);
	for (int k = 0; k < n; k++)
	{
		const int	row = sel ? sel[k] : k;
		const int64 a = xvalues[x->constant ? 0 : row];
		const int64 b = yvalues[y->constant ? 0 : row];

		if (vexec_is_null(call->result, row))
			continue;
		if (b == 0)
		{
			vexec_kernel_stop(call, row);
			break;
		}
		if (b == -1)
		{
			/* the one quotient that overflows */
			if (a == PG_INT64_MIN && !remainder)
				return false;
			results[row] = remainder ? 0 : -a;
		}
		else
			results[row] = remainder ? a % b : a / b;
	}
	return true;
}

static void
mod_numeric(VexecKernelCall *call)
{
	if (!decimal_divide(call, true))
		call_core(call, numeric_mod, safe_remainder);
}

static void
div_trunc_numeric(VexecKernelCall *call)
{
	if (!decimal_divide(call, false))
		call_core(call, numeric_div_trunc, safe_quotient);
}

/* Unary functions of core that never raise, at the selected rows. */
static void
call_core_unary(VexecKernelCall *call, PGFunction function)
{
	Numeric    *results = VEXEC_VALUES(call->result, Numeric);
	int			n;
	const uint16 *sel = vexec_kernel_selected(call, &n);

	vexec_numeric_set_pointers(call);
	for (int k = 0; k < n; k++)
	{
		const int	row = sel ? sel[k] : k;

		if (!vexec_is_null(call->result, row))
			results[row] = DatumGetNumeric(
				DirectFunctionCall1(function,
									NumericGetDatum(vexec_numeric_at(call->arg[0], row))));
	}
}

#define STEP_NEGATE(a, r, bad) \
	do { \
		(r) = -(a); \
		(bad) |= (a) & (r); \
	} while (0)
#define STEP_ABS(a, r, bad) \
	do { \
		(r) = ((a) < 0) ? -(a) : (a); \
		(bad) |= (r); \
	} while (0)

VEXEC_CHECKED_UNARY(negate_int64, int64, int64, int64, STEP_NEGATE)
VEXEC_CHECKED_UNARY(abs_int64, int64, int64, int64, STEP_ABS)
VEXEC_UNARY(copy_int64, int64, int64, a)
VEXEC_UNARY(sign_int64, int64, int64, (a > 0) - (a < 0))

static bool
decimal_unary(VexecKernelCall *call, VexecKernelFunction operation)
{
	VexecKernelCall part = *call;

	if (!call->arg[0]->is_decimal)
		return false;
	vexec_numeric_set_decimal(call, call->arg[0]->scale);
	operation(&part);
	return part.stop == call->stop;
}

static void
negate_numeric(VexecKernelCall *call)
{
	if (!decimal_unary(call, negate_int64))
		call_core_unary(call, numeric_uminus);
}

static void
abs_numeric(VexecKernelCall *call)
{
	if (!decimal_unary(call, abs_int64))
		call_core_unary(call, numeric_abs);
}

/* Decimals or pointers, the values are 8 bytes. */
static void
plus_numeric(VexecKernelCall *call)
{
	StaticAssertStmt(sizeof(Numeric) == sizeof(int64), "vectors of numeric have 8-byte elements");

	call->result->is_decimal = call->arg[0]->is_decimal;
	call->result->scale = call->arg[0]->scale;
	copy_int64(call);
}

static void
sign_numeric(VexecKernelCall *call)
{
	if (decimal_unary(call, sign_int64))
		vexec_numeric_set_decimal(call, 0);
	else
		call_core_unary(call, numeric_sign);
}

#define STOPS VEXEC_KERNEL_CAN_STOP
#define ENTRY1(oid, fn) \
	VEXEC_ENTRY1(oid, fn, VEXEC_NUMERIC, VEXEC_NUMERIC, 0)
#define ENTRY2(oid, fn) \
	VEXEC_ENTRY2(oid, fn, VEXEC_NUMERIC, VEXEC_NUMERIC, VEXEC_NUMERIC, STOPS)

static const VexecKernel kernels[] = {
	ENTRY2(F_NUMERIC_ADD, add_numeric),
	ENTRY2(F_NUMERIC_SUB, sub_numeric),
	ENTRY2(F_NUMERIC_MUL, mul_numeric),
	ENTRY2(F_NUMERIC_DIV, div_numeric),
	ENTRY2(F_NUMERIC_MOD, mod_numeric),
	ENTRY2(F_MOD_NUMERIC_NUMERIC, mod_numeric),
	ENTRY2(F_NUMERIC_DIV_TRUNC, div_trunc_numeric),
	ENTRY2(F_DIV, div_trunc_numeric),
	ENTRY1(F_NUMERIC_UMINUS, negate_numeric),
	ENTRY1(F_NUMERIC_UPLUS, plus_numeric),
	ENTRY1(F_NUMERIC_ABS, abs_numeric),
	ENTRY1(F_ABS_NUMERIC, abs_numeric),
	ENTRY1(F_SIGN_NUMERIC, sign_numeric),
	VEXEC_ENTRY_END
};

const VexecKernelFamily VEXEC_ISA_NAME(vexec_kernels_numeric) = {
	"numeric arithmetic", kernels
};
