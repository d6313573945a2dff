/*-------------------------------------------------------------------------
 *
 * kernel_reduce.h
 *	  Reductions of a whole vector of int64 to one value, for the kernels of
 *	  int8 and of decimal numeric.  Included by kernel files only.
 *
 *-------------------------------------------------------------------------
 */
#ifndef VEXEC_KERNEL_REDUCE_H
#define VEXEC_KERNEL_REDUCE_H

#include "agg/aggregates.h"

/*
 * If every value v of a batch has v ^ (v >> 63) < 2^53, then -2^53 <= v < 2^53,
 * and the sum of at most 2^10 of them lies in [-2^63, 2^63): no overflow.
 */
#define VEXEC_REDUCE_BITS 53
StaticAssertDecl(VEXEC_BATCH_ROWS <= 1 << (63 - VEXEC_REDUCE_BITS),
				 "a batch's sum of narrow values must fit in int64");

/*
 * The exact sum of the selected values that are not null.  One pass adds in 64
 * bits and collects the bits in use; only if those do not prove the sum, a
 * second pass adds in 128 bits.
 */
static inline VexecInt128
vexec_reduce_sum(const VexecVector *arg, const uint16 *sel, int n)
{
	const int64 *values = VEXEC_VALUES(arg, int64);
	int64		sum = 0;
	uint64		used = 0;
	VexecInt128 wide = 0;

	Assert(n <= VEXEC_BATCH_ROWS);
	if (sel == NULL)
	{
		for (int row = 0; row < n; row++)
		{
			int64		value = values[row];

			sum += value;
			used |= value ^ (value >> 63);
		}
		/* Null rows have values too, which are taken away again. */
		if (arg->has_nulls)
			VEXEC_FOREACH_NULL(row, arg->nulls, n, { sum -= values[row]; });
	}
	else
		VEXEC_FOREACH_NOT_NULL(row, arg, sel, n,
							   {
								   int64		value = values[row];

								   sum += value;
								   used |= value ^ (value >> 63);
							   });
	if (used >> VEXEC_REDUCE_BITS == 0)
		return sum;

	VEXEC_FOREACH_NOT_NULL(row, arg, sel, n, { wide += values[row]; });
	return wide;
}

#endif							/* VEXEC_KERNEL_REDUCE_H */
