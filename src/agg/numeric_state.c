/*-------------------------------------------------------------------------
 *
 * numeric_state.c
 *	  Exact states of sum, avg, min and max of numeric beyond one scale and 64
 *	  bits, and their final functions.
 *
 * A sum keeps what it can in a 128-bit integer.  What does not fit there goes
 * to core's own accumulator, and the integer joins it at the end, so that the
 * digits, the display scale and an overflow are core's.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "agg/aggregates.h"
#include "agg/numeric_digits.h"

#include "nodes/execnodes.h"
#include "utils/fmgrprotos.h"
#include "utils/memutils.h"
#include "utils/numeric.h"

static const VexecInt128 powers_of_ten[] = {
#define E18 ((VexecInt128) INT64CONST(1000000000000000000))
	1, 10, 100, 1000, 10000, 100000, 1000000, 10000000, 100000000, 1000000000,
	INT64CONST(10000000000), INT64CONST(100000000000), INT64CONST(1000000000000),
	INT64CONST(10000000000000), INT64CONST(100000000000000), INT64CONST(1000000000000000),
	INT64CONST(10000000000000000), INT64CONST(100000000000000000), E18,
	E18 * 10, E18 * 100, E18 * 1000, E18 * 10000, E18 * 100000, E18 * 1000000, E18 * 10000000,
	E18 * 100000000, E18 * 1000000000, E18 * INT64CONST(10000000000),
	E18 * INT64CONST(100000000000), E18 * INT64CONST(1000000000000),
	E18 * INT64CONST(10000000000000), E18 * INT64CONST(100000000000000),
	E18 * INT64CONST(1000000000000000), E18 * INT64CONST(10000000000000000),
	E18 * INT64CONST(100000000000000000), E18 * E18, E18 * E18 * 10
#undef E18
};

StaticAssertDecl(lengthof(powers_of_ten) == VEXEC_SUM_MAX_SCALE + 1,
				 "a power of ten for each scale");

static inline bool
magnitude_within(VexecInt128 value, VexecInt128 limit)
{
	return value <= limit && value >= -limit;
}

Datum
vexec_int128_to_numeric(VexecInt128 value, int scale)
{
	const VexecInt128 e18 = powers_of_ten[18];
	Datum		result;

	if (value == (int64) value)
		return NumericGetDatum(int64_div_fast_to_numeric((int64) value, scale));

	/* High parts have the smaller display scale; the sum takes the larger. */
	result = NumericGetDatum(int64_div_fast_to_numeric((int64) (value % e18), scale));
	value /= e18;
	scale -= 18;
	result = DirectFunctionCall2(numeric_add,
								 NumericGetDatum(int64_div_fast_to_numeric((int64) (value % e18),
																		   scale)),
								 result);
	value /= e18;
	if (value != 0)
		result = DirectFunctionCall2(numeric_add,
									 NumericGetDatum(int64_div_fast_to_numeric((int64) value,
																			   scale - 18)),
									 result);
	return result;
}

/* --- core's accumulator ------------------------------------------------------ */

/*
 * The AggState that core's transition function asks for its memory context;
 * it reads nothing else from it.
 */
static Node *
stand_in_agg_state(VexecTransitionState *ts)
{
	if (ts->private_data == NULL)
	{
		MemoryContext old_context = MemoryContextSwitchTo(ts->memory);
		AggState   *agg_state = makeNode(AggState);

		agg_state->curaggcontext = makeNode(ExprContext);
		agg_state->curaggcontext->ecxt_per_tuple_memory = ts->memory;
		ts->private_data = agg_state;
		MemoryContextSwitchTo(old_context);
	}
	return (Node *) ts->private_data;
}

static VexecNumericSumExtra *
sum_extra(VexecTransitionState *ts, VexecNumericSum *state)
{
	if (state->extra == NULL)
		state->extra = MemoryContextAllocZero(ts->memory, sizeof(VexecNumericSumExtra));
	return state->extra;
}

/* Hand a finite value to core's accumulator. */
static void
core_accumulate(VexecTransitionState *ts, VexecNumericSum *state, Datum value)
{
	VexecNumericSumExtra *extra = sum_extra(ts, state);
	LOCAL_FCINFO(fcinfo, 2);

	InitFunctionCallInfoData(*fcinfo, NULL, 2, InvalidOid, stand_in_agg_state(ts), NULL);
	fcinfo->args[0].value = PointerGetDatum(extra->core);
	fcinfo->args[0].isnull = (extra->core == NULL);
	fcinfo->args[1].value = value;
	fcinfo->args[1].isnull = false;
	extra->core = DatumGetPointer(numeric_avg_accum(fcinfo));
}

/* Move the integer part to core's accumulator. */
static void
core_take_integer(VexecTransitionState *ts, VexecNumericSum *state)
{
	Datum		value = vexec_int128_to_numeric(vexec_int128_load(state->low, state->high),
												VEXEC_SUM_SCALE(state));

	core_accumulate(ts, state, value);
	pfree(DatumGetPointer(value));
	VEXEC_INT128_STORE(state, 0);
}

/* --- sum ----------------------------------------------------------------------- */

static void
sum_set_scale(VexecNumericSum *state, int scale)
{
	state->scale_count = ((uint64) scale << VEXEC_SUM_COUNT_BITS) | VEXEC_SUM_COUNT(state);
}

void
vexec_numeric_sum_add(VexecTransitionState *ts, VexecNumericSum *state, VexecInt128 value,
					  int scale)
{
	int			old_scale = VEXEC_SUM_SCALE(state);
	VexecInt128 sum = vexec_int128_load(state->low, state->high);

	Assert(scale >= 0 && scale <= VEXEC_SUM_MAX_SCALE);
	Assert(magnitude_within(value, VEXEC_SUM_LIMIT));

	if (scale > old_scale)
	{
		VexecInt128 factor = powers_of_ten[scale - old_scale];

		if (magnitude_within(sum, VEXEC_SUM_LIMIT / factor))
			VEXEC_INT128_STORE(state, sum * factor);
		else
			core_take_integer(ts, state);
		sum_set_scale(state, scale);
	}
	else if (scale < old_scale)
	{
		VexecInt128 factor = powers_of_ten[old_scale - scale];

		if (!magnitude_within(value, VEXEC_SUM_LIMIT / factor))
		{
			Datum		numeric = vexec_int128_to_numeric(value, scale);

			core_accumulate(ts, state, numeric);
			pfree(DatumGetPointer(numeric));
			return;
		}
		value *= factor;
	}

	/* Below 2^126 + 2^125. */
	sum = vexec_int128_load(state->low, state->high) + value;
	VEXEC_INT128_STORE(state, sum);
	if (!magnitude_within(sum, VEXEC_SUM_LIMIT))
		core_take_integer(ts, state);
}

void
vexec_numeric_sum_add_numeric(VexecTransitionState *ts, VexecNumericSum *state, Datum value)
{
	Numeric		numeric = DatumGetNumeric(value);
	VexecInt128 integer;
	int			scale;

	if (unlikely(numeric_is_nan(numeric)))
		sum_extra(ts, state)->nan = true;
	else if (unlikely(numeric_is_inf(numeric)))
	{
		VexecNumericSumExtra *extra = sum_extra(ts, state);

		if (vexec_numeric_is_plus_infinity(numeric))
			extra->plus_infinity = true;
		else
			extra->minus_infinity = true;
	}
	else
	{
		if (likely(vexec_numeric_to_integer(numeric, &integer, &scale)))
			vexec_numeric_sum_add(ts, state, integer, scale);
		else
			core_accumulate(ts, state, NumericGetDatum(numeric));
		state->scale_count++;
	}

	if (unlikely((Pointer) numeric != DatumGetPointer(value)))
		pfree(numeric);
}

static Datum
numeric_constant(const char *text)
{
	return DirectFunctionCall3(numeric_in, CStringGetDatum(text), ObjectIdGetDatum(InvalidOid),
							   Int32GetDatum(-1));
}

Datum
vexec_numeric_sum_final(VexecTransitionState *ts, uint32 ticket, bool *isnull)
{
	VexecNumericSum *state = &((VexecNumericSum *) ts->states)[ticket];
	VexecNumericSumExtra *extra = state->extra;

	*isnull = false;
	if (extra != NULL)
	{
		if (extra->nan || (extra->plus_infinity && extra->minus_infinity))
			return numeric_constant("NaN");
		if (extra->plus_infinity)
			return numeric_constant("Infinity");
		if (extra->minus_infinity)
			return numeric_constant("-Infinity");
		if (extra->core != NULL)
		{
			LOCAL_FCINFO(fcinfo, 1);

			core_take_integer(ts, state);
			InitFunctionCallInfoData(*fcinfo, NULL, 1, InvalidOid, NULL, NULL);
			fcinfo->args[0].value = PointerGetDatum(extra->core);
			fcinfo->args[0].isnull = false;
			return numeric_sum(fcinfo);
		}
	}
	if (VEXEC_SUM_COUNT(state) == 0)
	{
		*isnull = true;
		return (Datum) 0;
	}
	return vexec_int128_to_numeric(vexec_int128_load(state->low, state->high),
								   VEXEC_SUM_SCALE(state));
}

Datum
vexec_numeric_avg_final(VexecTransitionState *ts, uint32 ticket, bool *isnull)
{
	VexecNumericSum *state = &((VexecNumericSum *) ts->states)[ticket];
	Datum		sum = vexec_numeric_sum_final(ts, ticket, isnull);
	Numeric		count;

	if (*isnull || numeric_is_nan(DatumGetNumeric(sum)) || numeric_is_inf(DatumGetNumeric(sum)))
		return sum;
	count = int64_to_numeric(VEXEC_SUM_COUNT(state));
	return DirectFunctionCall2(numeric_div, sum, NumericGetDatum(count));
}

bytea *
vexec_numeric_sum_serialize_core(VexecTransitionState *ts, VexecNumericSum *state)
{
	LOCAL_FCINFO(fcinfo, 1);

	core_take_integer(ts, state);
	InitFunctionCallInfoData(*fcinfo, NULL, 1, InvalidOid, stand_in_agg_state(ts), NULL);
	fcinfo->args[0].value = PointerGetDatum(state->extra->core);
	fcinfo->args[0].isnull = false;
	return DatumGetByteaP(numeric_avg_serialize(fcinfo));
}

/* --- min and max ------------------------------------------------------------------- */

static void
best_set_numeric(VexecTransitionState *ts, VexecNumericBest *state, Numeric value)
{
	state->buffer = vexec_state_buffer(ts, state->buffer, &state->buffer_size, VARSIZE(value));
	memcpy(state->buffer, value, VARSIZE(value));
	state->form = VEXEC_FORM_NUMERIC;
}

static void
best_set_decimal(VexecNumericBest *state, int64 value, int scale)
{
	state->value = value;
	state->scale = scale;
	state->form = VEXEC_FORM_DECIMAL;
}

/* Order of core: the state stays only if it is strictly better. */
static bool
numeric_stays(bool max, Datum state, Datum value)
{
	int			order = DatumGetInt32(DirectFunctionCall2(numeric_cmp, state, value));

	return max ? order > 0 : order < 0;
}

void
vexec_numeric_best_offer_decimal(VexecTransitionState *ts, VexecNumericBest *state, bool max,
								 int64 value, int scale)
{
	bool		stays;

	if (state->form == VEXEC_FORM_NONE)
		stays = false;
	else if (state->form == VEXEC_FORM_DECIMAL)
	{
		VexecInt128 mine = state->value;
		VexecInt128 other = value;

		/* Below 2^63 * 10^18 < 2^123. */
		if (state->scale < scale)
			mine *= powers_of_ten[scale - state->scale];
		else
			other *= powers_of_ten[state->scale - scale];
		stays = max ? mine > other : mine < other;
	}
	else
	{
		Numeric		other = int64_div_fast_to_numeric(value, scale);

		stays = numeric_stays(max, PointerGetDatum(state->buffer), NumericGetDatum(other));
		pfree(other);
	}
	if (!stays)
		best_set_decimal(state, value, scale);
}

void
vexec_numeric_best_offer_numeric(VexecTransitionState *ts, VexecNumericBest *state, bool max,
								 Datum value)
{
	Numeric		other = DatumGetNumeric(value);
	bool		stays;

	if (state->form == VEXEC_FORM_NONE)
		stays = false;
	else if (state->form == VEXEC_FORM_DECIMAL)
	{
		Numeric		mine = int64_div_fast_to_numeric(state->value, state->scale);

		stays = numeric_stays(max, NumericGetDatum(mine), NumericGetDatum(other));
		pfree(mine);
	}
	else
		stays = numeric_stays(max, PointerGetDatum(state->buffer), NumericGetDatum(other));
	if (!stays)
		best_set_numeric(ts, state, other);

	if (unlikely((Pointer) other != DatumGetPointer(value)))
		pfree(other);
}

Datum
vexec_numeric_best_final(VexecTransitionState *ts, uint32 ticket, bool *isnull)
{
	VexecNumericBest *state = &((VexecNumericBest *) ts->states)[ticket];

	*isnull = (state->form == VEXEC_FORM_NONE);
	if (state->form == VEXEC_FORM_DECIMAL)
		return NumericGetDatum(int64_div_fast_to_numeric(state->value, state->scale));
	if (state->form == VEXEC_FORM_NUMERIC)
	{
		char	   *copy = palloc(VARSIZE(state->buffer));

		memcpy(copy, state->buffer, VARSIZE(state->buffer));
		return PointerGetDatum(copy);
	}
	return (Datum) 0;
}
