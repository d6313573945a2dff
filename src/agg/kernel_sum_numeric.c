/*-------------------------------------------------------------------------
 *
 * kernel_sum_numeric.c
 *	  sum and avg of numeric: decimal vectors are added as integers.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "agg/aggregates.h"
#include "agg/kernel_reduce.h"

/*
 * Give a fresh state the vector's scale; true if the state has that scale now,
 * so that values may be added as they are.
 */
static inline bool
same_scale(VexecNumericSum *state, uint64 scale)
{
	if (likely(state->scale_count >> VEXEC_SUM_COUNT_BITS == scale))
		return true;
	if (state->scale_count != 0)
		return false;
	state->scale_count = scale << VEXEC_SUM_COUNT_BITS;
	return true;
}

void
VEXEC_ISA_NAME(vexec_sum_numeric_update) (VEXEC_UPDATE_ARGS)
{
	VexecNumericSum *states = (VexecNumericSum *) ts->states;

	VEXEC_SPREAD_SPACE(int64);

	VEXEC_SPREAD(arg, int64);

	if (!arg->is_decimal)
	{
		const Datum *values = VEXEC_VALUES(arg, Datum);

		VEXEC_FOREACH_NOT_NULL(row, arg, sel, n,
							   {
								   uint32		ticket = tickets ? tickets[row] : 0;

								   vexec_numeric_sum_add_numeric(ts, &states[ticket], values[row]);
							   });
	}
	else if (tickets == NULL)
	{
		int			count = n - vexec_count_nulls(arg, sel, n);

		if (count == 0)
			return;
		if (same_scale(&states[0], arg->scale))
		{
			VexecInt128 sum = vexec_int128_load(states[0].low, states[0].high);

			VEXEC_INT128_STORE(&states[0], sum + vexec_reduce_sum(arg, sel, n));
		}
		else
			vexec_numeric_sum_add(ts, &states[0], vexec_reduce_sum(arg, sel, n), arg->scale);
		states[0].scale_count += count;
	}
	else
	{
		const int64 *values = VEXEC_VALUES(arg, int64);
		int			scale = arg->scale;

		VEXEC_FOREACH_NOT_NULL(row, arg, sel, n,
							   {
								   VexecNumericSum *state = &states[tickets[row]];

								   if (likely(same_scale(state, scale)))
								   {
									   VexecInt128 sum = vexec_int128_load(state->low,
																		   state->high);

									   VEXEC_INT128_STORE(state, sum + values[row]);
								   }
								   else
									   vexec_numeric_sum_add(ts, state, values[row], scale);
								   state->scale_count++;
							   });
	}
}
