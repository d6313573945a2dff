/*-------------------------------------------------------------------------
 *
 * kernel_numeric.h
 *	  What the numeric kernels share: decimals, and looking at a Numeric
 *	  without core's help.
 *
 * A NUMERIC vector is decimal (int64 values of one scale) or holds Numeric
 * pointers.  A kernel computes decimals when the arguments are and every
 * result fits; else it calls core's function for each selected row, provided
 * that the function cannot raise.  The results are the same, digit for digit
 * and in display scale.
 *
 *-------------------------------------------------------------------------
 */
#ifndef VEXEC_KERNEL_NUMERIC_H
#define VEXEC_KERNEL_NUMERIC_H

#include "common/int.h"
#include "expr/kernel_int64.h"
#include "fmgr.h"
#include "utils/numeric.h"
#include "varatt.h"

static const int64 vexec_pow10[VEXEC_MAX_SCALE + 1] = {
	INT64CONST(1),
	INT64CONST(10),
	INT64CONST(100),
	INT64CONST(1000),
	INT64CONST(10000),
	INT64CONST(100000),
	INT64CONST(1000000),
	INT64CONST(10000000),
	INT64CONST(100000000),
	INT64CONST(1000000000),
	INT64CONST(10000000000),
	INT64CONST(100000000000),
	INT64CONST(1000000000000),
	INT64CONST(10000000000000),
	INT64CONST(100000000000000),
	INT64CONST(1000000000000000),
	INT64CONST(10000000000000000),
	INT64CONST(100000000000000000),
	INT64CONST(1000000000000000000)
};

/* How many decimal digits one digit of a stored numeric has. */
#define VEXEC_NUMERIC_DIGITS 4

/*
 * Weights are stored in 16 bits; an operation on weights that stay below this
 * limit, one digit of carry included, cannot overflow the format.
 */
#define VEXEC_NUMERIC_SAFE_WEIGHT (PG_INT16_MAX - 2)

/* The head of a stored numeric (see the format's description in numeric.c). */
typedef struct VexecNumericShape
{
	bool		special;		/* NaN or infinite; the rest is unset */
	bool		nan;
	bool		negative;
	bool		zero;
	int			weight;			/* of the first digit, base 10000 */
	int			first;			/* the first digit, 1..9999; 0 for zero */
} VexecNumericShape;

static inline VexecNumericShape
vexec_numeric_shape(Numeric num)
{
	VexecNumericShape shape = {0};
	const char *data = VARDATA(num);
	const Size	size = VARSIZE(num) - VARHDRSZ;
	Size		head = sizeof(uint16);
	uint16		header;

	memcpy(&header, data, sizeof(header));
	if ((header & 0xC000) == 0xC000)
	{
		shape.special = true;
		shape.nan = (header & 0x3000) == 0;
		shape.negative = (header & 0x2000) != 0;
		return shape;
	}
	if (header & 0x8000)
	{
		/* short: sign, 6 bits of scale, 7 bits of signed weight */
		shape.negative = (header & 0x2000) != 0;
		shape.weight = (int) (header & 0x3F) - (int) (header & 0x40);
	}
	else
	{
		int16		weight;

		memcpy(&weight, data + head, sizeof(weight));
		head += sizeof(int16);
		shape.negative = (header & 0xC000) == 0x4000;
		shape.weight = weight;
	}
	shape.zero = (size <= head);
	if (!shape.zero)
	{
		int16		first;

		memcpy(&first, data + head, sizeof(first));
		shape.first = first;
	}
	return shape;
}

/* One element as a Numeric, allocated when the vector is decimal. */
static inline Numeric
vexec_numeric_at(const VexecVector *vec, int row)
{
	if (vec->constant)
		row = 0;
	if (vec->is_decimal)
		return int64_div_fast_to_numeric(VEXEC_VALUES(vec, int64)[row], vec->scale);
	return VEXEC_VALUES(vec, Numeric)[row];
}

/* The result becomes decimal at a scale, or a vector of pointers. */
static inline void
vexec_numeric_set_decimal(VexecKernelCall *call, int scale)
{
	Assert(scale >= 0 && scale <= VEXEC_MAX_SCALE);
	call->result->is_decimal = true;
	call->result->scale = scale;
}

static inline void
vexec_numeric_set_pointers(VexecKernelCall *call)
{
	call->result->is_decimal = false;
	call->result->scale = 0;
}

/*
 * The values of a decimal vector at a scale not less than its own: the vector's
 * own array or, multiplied, in buffer (VEXEC_BATCH_ROWS elements).  NULL when a
 * selected row that is not null does not fit.
 */
static inline const int64 *
vexec_decimal_rescale(const VexecKernelCall *call, const VexecVector *vec, int scale,
					  int64 *restrict buffer)
{
	const int64 *restrict values = VEXEC_VALUES(vec, int64);
	const int64 factor = vexec_pow10[scale - vec->scale];
	int			n;
	const uint16 *sel;

	Assert(vec->is_decimal && scale >= vec->scale && scale <= VEXEC_MAX_SCALE);
	if (factor == 1)
		return values;
	if (vec->constant)
		return pg_mul_s64_overflow(values[0], factor, &buffer[0]) ? NULL : buffer;

	/* |v| <= 2^m and factor < 2^k: the product is below 2^62 when m + k is. */
	sel = vexec_kernel_rows(call, &n);
	if (vexec_int64_magnitude(vec, values, sel, n) +
		pg_leftmost_one_pos64(factor) + 1 <= 62)
	{
		if (sel != NULL)
		{
			for (int k = 0; k < n; k++)
				buffer[sel[k]] = values[sel[k]] * factor;
		}
		else
		{
			for (int row = 0; row < n; row++)
				buffer[row] = values[row] * factor;
		}
		return buffer;
	}

	sel = vexec_kernel_selected(call, &n);
	for (int k = 0; k < n; k++)
	{
		const int	row = sel ? sel[k] : k;
		int64		product;

		if (pg_mul_s64_overflow(values[row], factor, &product) &&
			!vexec_is_null(call->result, row))
			return NULL;
		buffer[row] = product;
	}
	return buffer;
}

/* A vector like another with an array of int64 of its own. */
static inline VexecVector
vexec_decimal_view(const VexecVector *vec, const int64 *values)
{
	VexecVector view = *vec;

	view.kind = VEXEC_INT64;
	view.values = unconstify(int64 *, values);
	return view;
}

#endif							/* VEXEC_KERNEL_NUMERIC_H */
