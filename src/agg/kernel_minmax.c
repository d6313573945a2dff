/*-------------------------------------------------------------------------
 *
 * kernel_minmax.c
 *	  min and max of fixed-width types.
 *
 * Core replaces the state unless the state is strictly better, so of equal
 * values the later one stays.  That can be seen with floats only (-0 and 0,
 * bits of NaN); NaN is the largest float.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include <math.h>

#include "agg/aggregates.h"

/* Whether the state's value stays. */
#define INT_MIN_STAYS(state, value) ((state) < (value))
#define INT_MAX_STAYS(state, value) ((state) > (value))
#define FLOAT_MIN_STAYS(state, value) (!isnan(state) && (isnan(value) || (state) < (value)))
#define FLOAT_MAX_STAYS(state, value) (!isnan(value) && (isnan(state) || (state) > (value)))

#define MINMAX_OPEN(type, state_type) \
	state_type *states = (state_type *) ts->states; \
	const type *values; \
	VEXEC_SPREAD_SPACE(type); \
	\
	VEXEC_SPREAD(arg, type); \
	values = VEXEC_VALUES(arg, type)

#define MINMAX_GROUPED(state_type, stays) \
	VEXEC_FOREACH_NOT_NULL(row, arg, sel, n, \
						   { \
							   state_type *state = &states[tickets[row]]; \
							   if (!state->seen || !stays(state->value, values[row])) \
							   { \
								   state->value = values[row]; \
								   state->seen = true; \
							   } \
						   })

/* neutral is a value that never wins against another. */
#define MINMAX_INT(name, type, state_type, stays, neutral) \
void \
VEXEC_ISA_NAME(name) (VEXEC_UPDATE_ARGS) \
{ \
	MINMAX_OPEN(type, state_type); \
	\
	if (tickets == NULL) \
	{ \
		type		best = states[0].seen ? states[0].value : (neutral); \
		\
		if (sel == NULL && arg->has_nulls) \
		{ \
			const uint64 *nulls = arg->nulls; \
			\
			for (int row = 0; row < n; row++) \
			{ \
				type		value = values[row]; \
				\
				value = vexec_null_bit(nulls, row) ? (neutral) : value; \
				best = stays(best, value) ? best : value; \
			} \
		} \
		else \
			VEXEC_FOREACH_NOT_NULL(row, arg, sel, n, \
								   { \
									   type		value = values[row]; \
									   best = stays(best, value) ? best : value; \
								   }); \
		states[0].value = best; \
		if (!states[0].seen) \
			states[0].seen = vexec_count_nulls(arg, sel, n) < n; \
	} \
	else \
		MINMAX_GROUPED(state_type, stays); \
}

MINMAX_INT(vexec_min_int16_update, int16, VexecInt16Best, INT_MIN_STAYS, PG_INT16_MAX)
MINMAX_INT(vexec_max_int16_update, int16, VexecInt16Best, INT_MAX_STAYS, PG_INT16_MIN)
MINMAX_INT(vexec_min_int32_update, int32, VexecInt32Best, INT_MIN_STAYS, PG_INT32_MAX)
MINMAX_INT(vexec_max_int32_update, int32, VexecInt32Best, INT_MAX_STAYS, PG_INT32_MIN)
MINMAX_INT(vexec_min_int64_update, int64, VexecInt64Best, INT_MIN_STAYS, PG_INT64_MAX)
MINMAX_INT(vexec_max_int64_update, int64, VexecInt64Best, INT_MAX_STAYS, PG_INT64_MIN)

#define MINMAX_FLOAT(name, type, state_type, stays) \
void \
VEXEC_ISA_NAME(name) (VEXEC_UPDATE_ARGS) \
{ \
	MINMAX_OPEN(type, state_type); \
	\
	if (tickets == NULL) \
	{ \
		type		best = states[0].value; \
		bool		seen = states[0].seen; \
		\
		VEXEC_FOREACH_NOT_NULL(row, arg, sel, n, \
							   { \
								   type		value = values[row]; \
								   if (!seen || !stays(best, value)) \
									   best = value; \
								   seen = true; \
							   }); \
		states[0].value = best; \
		states[0].seen = seen; \
	} \
	else \
		MINMAX_GROUPED(state_type, stays); \
}

MINMAX_FLOAT(vexec_min_float4_update, float4, VexecFloat4Best, FLOAT_MIN_STAYS)
MINMAX_FLOAT(vexec_max_float4_update, float4, VexecFloat4Best, FLOAT_MAX_STAYS)
MINMAX_FLOAT(vexec_min_float8_update, float8, VexecFloat8Best, FLOAT_MIN_STAYS)
MINMAX_FLOAT(vexec_max_float8_update, float8, VexecFloat8Best, FLOAT_MAX_STAYS)

/* Decimals of the state's scale compare as integers; equal ones are the same. */
#define MINMAX_NUMERIC(name, stays, max) \
void \
VEXEC_ISA_NAME(name) (VEXEC_UPDATE_ARGS) \
{ \
	VexecNumericBest *states = (VexecNumericBest *) ts->states; \
	VEXEC_SPREAD_SPACE(int64); \
	\
	VEXEC_SPREAD(arg, int64); \
	if (!arg->is_decimal) \
	{ \
		const Datum *values = VEXEC_VALUES(arg, Datum); \
		\
		VEXEC_FOREACH_NOT_NULL(row, arg, sel, n, \
							   { \
								   vexec_numeric_best_offer_numeric( \
									   ts, &states[tickets ? tickets[row] : 0], max, values[row]); \
							   }); \
	} \
	else \
	{ \
		const int64 *values = VEXEC_VALUES(arg, int64); \
		int			scale = arg->scale; \
		\
		if (tickets == NULL) \
		{ \
			int64		best = (max) ? PG_INT64_MIN : PG_INT64_MAX; \
			\
			if (vexec_count_nulls(arg, sel, n) == n) \
				return; \
			VEXEC_FOREACH_NOT_NULL(row, arg, sel, n, \
								   { \
									   int64		value = values[row]; \
									   best = stays(best, value) ? best : value; \
								   }); \
			vexec_numeric_best_offer_decimal(ts, &states[0], max, best, scale); \
		} \
		else \
			VEXEC_FOREACH_NOT_NULL(row, arg, sel, n, \
								   { \
									   VexecNumericBest *state = &states[tickets[row]]; \
									   int64		value = values[row]; \
									   if (state->form == VEXEC_FORM_DECIMAL && \
										   state->scale == scale) \
									   { \
										   if (!stays(state->value, value)) \
											   state->value = value; \
									   } \
									   else \
										   vexec_numeric_best_offer_decimal(ts, state, max, \
																			value, scale); \
								   }); \
	} \
}

MINMAX_NUMERIC(vexec_min_numeric_update, INT_MIN_STAYS, false)
MINMAX_NUMERIC(vexec_max_numeric_update, INT_MAX_STAYS, true)
