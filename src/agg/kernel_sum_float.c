/*-------------------------------------------------------------------------
 *
 * kernel_sum_float.c
 *	  sum and avg of float4 and float8.
 *
 * Additions are done in row order and in the width that core uses, so that a
 * serial plan gives core's bits.  An overflow raises core's error.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include <math.h>

#include "agg/aggregates.h"

#include "utils/float.h"

/* Core's transition is strict without initial value: the first value is the sum. */
#define SUM_FLOAT(name, type, state_type, add) \
void \
VEXEC_ISA_NAME(name) (VEXEC_UPDATE_ARGS) \
{ \
	state_type *states = (state_type *) ts->states; \
	const type *values; \
	VEXEC_SPREAD_SPACE(type); \
	\
	VEXEC_SPREAD(arg, type); \
	values = VEXEC_VALUES(arg, type); \
	if (tickets == NULL && states[0].seen) \
	{ \
		type		sum = states[0].sum; \
		\
		VEXEC_FOREACH_NOT_NULL(row, arg, sel, n, { sum += values[row]; }); \
		/* A sum that was and stays finite had no overflow on the way. */ \
		if (isfinite(sum) || !isfinite(states[0].sum)) \
		{ \
			states[0].sum = sum; \
			return; \
		} \
	} \
	VEXEC_FOREACH_NOT_NULL(row, arg, sel, n, \
						   { \
							   state_type *state = &states[tickets ? tickets[row] : 0]; \
							   if (likely(state->seen)) \
								   state->sum = add(state->sum, values[row]); \
							   else \
							   { \
								   state->sum = values[row]; \
								   state->seen = true; \
							   } \
						   }); \
}

SUM_FLOAT(vexec_sum_float4_update, float4, VexecFloat4Sum, float4_pl)
SUM_FLOAT(vexec_sum_float8_update, float8, VexecFloat8Sum, float8_pl)

/*
 * float8_accum's step, operation by operation.  Only the sum is asked for, but
 * core computes the sum of squares too, and its overflow is an error.
 */
static pg_attribute_always_inline void
float_avg_step(VexecFloatAvg *state, float8 value)
{
	float8		n = state->n;
	float8		sx = state->sx;
	float8		sxx = state->sxx;

	n += 1.0;
	sx += value;
	if (state->n > 0.0)
	{
		float8		tmp = value * n - sx;

		sxx += tmp * tmp / (n * state->n);
		if (unlikely(isinf(sx) || isinf(sxx)))
		{
			if (!isinf(state->sx) && !isinf(value))
				float_overflow_error();
			sxx = get_float8_nan();
		}
	}
	else if (unlikely(isnan(value) || isinf(value)))
		sxx = get_float8_nan();

	state->n = n;
	state->sx = sx;
	state->sxx = sxx;
}

#define AVG_FLOAT(name, type) \
void \
VEXEC_ISA_NAME(name) (VEXEC_UPDATE_ARGS) \
{ \
	VexecFloatAvg *states = (VexecFloatAvg *) ts->states; \
	const type *values; \
	VEXEC_SPREAD_SPACE(type); \
	\
	VEXEC_SPREAD(arg, type); \
	values = VEXEC_VALUES(arg, type); \
	if (tickets == NULL) \
	{ \
		VexecFloatAvg state = states[0]; \
		\
		VEXEC_FOREACH_NOT_NULL(row, arg, sel, n, { float_avg_step(&state, values[row]); }); \
		states[0] = state; \
	} \
	else \
		VEXEC_FOREACH_NOT_NULL(row, arg, sel, n, \
							   { \
								   float_avg_step(&states[tickets[row]], values[row]); \
							   }); \
}

AVG_FLOAT(vexec_avg_float4_update, float4)
AVG_FLOAT(vexec_avg_float8_update, float8)
