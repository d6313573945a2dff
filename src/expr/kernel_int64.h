/*-------------------------------------------------------------------------
 *
 * kernel_int64.h
 *	  Products of int64 vectors, for integers and decimals.
 *
 * No instruction multiplies int64 vectors and reports overflow, so that the
 * operands' magnitudes are looked at first: mostly they prove that no product
 * can overflow.
 *
 *-------------------------------------------------------------------------
 */
#ifndef VEXEC_KERNEL_INT64_H
#define VEXEC_KERNEL_INT64_H

#include "common/int.h"
#include "expr/kernel_template.h"
#include "port/pg_bitutils.h"

/*
 * The least m for which -2^m <= v < 2^m holds at every given row of a vector.
 */
static inline int
vexec_int64_magnitude(const VexecVector *vec, const int64 *values, const uint16 *sel, int n)
{
	uint64		ones = 0;

	if (vec->constant)
		ones = (uint64) (values[0] ^ (values[0] >> 63));
	else if (sel == NULL)
	{
		for (int row = 0; row < n; row++)
			ones |= (uint64) (values[row] ^ (values[row] >> 63));
	}
	else
	{
		for (int k = 0; k < n; k++)
			ones |= (uint64) (values[sel[k]] ^ (values[sel[k]] >> 63));
	}
	return ones == 0 ? 0 : pg_leftmost_one_pos64(ones) + 1;
}

/*
 * call->result = x * y, where the values of x and y are given apart from the
 * vectors, which say only whether they are constant.  Returns false when a
 * selected row that is not null overflowed; the results are then undefined.
 */
static inline bool
vexec_int64_multiply(VexecKernelCall *call, const VexecVector *x, const int64 *restrict av,
					 const VexecVector *y, const int64 *restrict bv)
{
	int64	   *restrict rv = VEXEC_VALUES(call->result, int64);
	int			n;
	const uint16 *sel = vexec_kernel_rows(call, &n);
	const int	amask = x->constant ? 0 : -1;
	const int	bmask = y->constant ? 0 : -1;

	/* |a| <= 2^p and |b| <= 2^q: the product is at most 2^62 when p + q is. */
	if (vexec_int64_magnitude(x, av, sel, n) + vexec_int64_magnitude(y, bv, sel, n) <= 62)
	{
		if (sel != NULL)
		{
			for (int k = 0; k < n; k++)
			{
				const int	row = sel[k];

				rv[row] = av[row & amask] * bv[row & bmask];
			}
		}
		else if (y->constant)
		{
			const int64 b = bv[0];

			for (int row = 0; row < n; row++)
				rv[row] = av[row] * b;
		}
		else if (x->constant)
		{
			const int64 a = av[0];

			for (int row = 0; row < n; row++)
				rv[row] = a * bv[row];
		}
		else
		{
			for (int row = 0; row < n; row++)
				rv[row] = av[row] * bv[row];
		}
		return true;
	}

	/* Values of null or unselected rows may have been in the way. */
	sel = vexec_kernel_selected(call, &n);
	for (int k = 0; k < n; k++)
	{
		const int	row = sel ? sel[k] : k;
		int64		product;

		if (pg_mul_s64_overflow(av[row & amask], bv[row & bmask], &product) &&
			!vexec_is_null(call->result, row))
			return false;
		rv[row] = product;
	}
	return true;
}

#endif							/* VEXEC_KERNEL_INT64_H */
