/*-------------------------------------------------------------------------
 *
 * aggregates.c
 *	  The aggregates that have vector implementations, and the arrays of their
 *	  states.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "agg/aggregates.h"

#include "utils/builtins.h"
#include "utils/fmgroids.h"
#include "utils/fmgrprotos.h"
#include "utils/memutils.h"
#include "utils/numeric.h"

/* The first array of states of a transition holds this many. */
#define VEXEC_FIRST_STATES 16

/* --- final functions --------------------------------------------------------- */

#define STATE(type) (&((type *) ts->states)[ticket])

static Datum
count_final(VexecTransitionState *ts, uint32 ticket, bool *isnull)
{
	*isnull = false;
	return Int64GetDatum(*STATE(int64));
}

static Datum
sum_int_final(VexecTransitionState *ts, uint32 ticket, bool *isnull)
{
	VexecIntSum *state = STATE(VexecIntSum);

	*isnull = (state->count == 0);
	return Int64GetDatum(state->sum);
}

/* avg of integers: numeric division of two integers, as in core. */
static Datum
divide_by_count(Datum sum, int64 count)
{
	return DirectFunctionCall2(numeric_div, sum, NumericGetDatum(int64_to_numeric(count)));
}

static Datum
avg_int_final(VexecTransitionState *ts, uint32 ticket, bool *isnull)
{
	VexecIntSum *state = STATE(VexecIntSum);

	*isnull = (state->count == 0);
	if (*isnull)
		return (Datum) 0;
	return divide_by_count(NumericGetDatum(int64_to_numeric(state->sum)), state->count);
}

static Datum
sum_int64_final(VexecTransitionState *ts, uint32 ticket, bool *isnull)
{
	VexecInt8Sum *state = STATE(VexecInt8Sum);

	*isnull = (state->count == 0);
	if (*isnull)
		return (Datum) 0;
	return vexec_int128_to_numeric(vexec_int128_load(state->low, state->high), 0);
}

static Datum
avg_int64_final(VexecTransitionState *ts, uint32 ticket, bool *isnull)
{
	Datum		sum = sum_int64_final(ts, ticket, isnull);

	return *isnull ? sum : divide_by_count(sum, STATE(VexecInt8Sum)->count);
}

static Datum
avg_float_final(VexecTransitionState *ts, uint32 ticket, bool *isnull)
{
	VexecFloatAvg *state = STATE(VexecFloatAvg);

	*isnull = (state->n == 0.0);
	return *isnull ? (Datum) 0 : Float8GetDatum(state->sx / state->n);
}

#define VALUE_FINAL(name, type, member, to_datum) \
static Datum \
name(VexecTransitionState *ts, uint32 ticket, bool *isnull) \
{ \
	type	   *state = STATE(type); \
	\
	*isnull = !state->seen; \
	return to_datum(state->member); \
}

VALUE_FINAL(sum_float4_final, VexecFloat4Sum, sum, Float4GetDatum)
VALUE_FINAL(sum_float8_final, VexecFloat8Sum, sum, Float8GetDatum)
VALUE_FINAL(best_int16_final, VexecInt16Best, value, Int16GetDatum)
VALUE_FINAL(best_int32_final, VexecInt32Best, value, Int32GetDatum)
VALUE_FINAL(best_int64_final, VexecInt64Best, value, Int64GetDatum)
VALUE_FINAL(best_float4_final, VexecFloat4Best, value, Float4GetDatum)
VALUE_FINAL(best_float8_final, VexecFloat8Best, value, Float8GetDatum)

/* --- the registry ------------------------------------------------------------- */

/*
 * Aggregates of one transition are those that share core's transition
 * function.  Only float additions raise.
 */
#define TRANSITION(name_, kind, state, update_) \
	{.name = name_, .arg = kind, .state_size = sizeof(state), .update = update_}
#define COUNT(update_) \
	{.name = "count", .any_kind = true, .state_size = sizeof(int64), .update = update_}
#define FLOAT_TRANSITION(name_, kind, state, update_) \
	{.name = name_, .arg = kind, .state_size = sizeof(state), .can_raise = true, \
	 .update = update_}

#define BEST(oid, name, kind, state, update, final) \
	{oid, TRANSITION(name, kind, state, update), final, final}

#define AGGREGATES(isa) { \
	{F_COUNT_, COUNT(vexec_count_update_##isa), count_final, count_final}, \
	{F_COUNT_ANY, COUNT(vexec_count_update_##isa), count_final, count_final}, \
	\
	{F_SUM_INT2, TRANSITION("sum_int2", VEXEC_INT16, VexecIntSum, \
							vexec_sum_int16_update_##isa), sum_int_final, sum_int_final}, \
	{F_AVG_INT2, TRANSITION("avg_int2", VEXEC_INT16, VexecIntSum, \
							vexec_sum_int16_update_##isa), avg_int_final, vexec_avg_int_partial}, \
	{F_SUM_INT4, TRANSITION("sum_int4", VEXEC_INT32, VexecIntSum, \
							vexec_sum_int32_update_##isa), sum_int_final, sum_int_final}, \
	{F_AVG_INT4, TRANSITION("avg_int4", VEXEC_INT32, VexecIntSum, \
							vexec_sum_int32_update_##isa), avg_int_final, vexec_avg_int_partial}, \
	{F_SUM_INT8, TRANSITION("sum_int8", VEXEC_INT64, VexecInt8Sum, \
							vexec_sum_int64_update_##isa), sum_int64_final, \
							vexec_int8_sum_partial}, \
	{F_AVG_INT8, TRANSITION("sum_int8", VEXEC_INT64, VexecInt8Sum, \
							vexec_sum_int64_update_##isa), avg_int64_final, \
							vexec_int8_sum_partial}, \
	{F_SUM_NUMERIC, TRANSITION("sum_numeric", VEXEC_NUMERIC, VexecNumericSum, \
							   vexec_sum_numeric_update_##isa), vexec_numeric_sum_final, \
							vexec_numeric_sum_partial}, \
	{F_AVG_NUMERIC, TRANSITION("sum_numeric", VEXEC_NUMERIC, VexecNumericSum, \
							   vexec_sum_numeric_update_##isa), vexec_numeric_avg_final, \
							vexec_numeric_sum_partial}, \
	{F_SUM_FLOAT4, FLOAT_TRANSITION("sum_float4", VEXEC_FLOAT4, VexecFloat4Sum, \
									vexec_sum_float4_update_##isa), sum_float4_final, \
							sum_float4_final}, \
	{F_SUM_FLOAT8, FLOAT_TRANSITION("sum_float8", VEXEC_FLOAT8, VexecFloat8Sum, \
									vexec_sum_float8_update_##isa), sum_float8_final, \
							sum_float8_final}, \
	{F_AVG_FLOAT4, FLOAT_TRANSITION("avg_float4", VEXEC_FLOAT4, VexecFloatAvg, \
									vexec_avg_float4_update_##isa), avg_float_final, \
							vexec_avg_float_partial}, \
	{F_AVG_FLOAT8, FLOAT_TRANSITION("avg_float8", VEXEC_FLOAT8, VexecFloatAvg, \
									vexec_avg_float8_update_##isa), avg_float_final, \
							vexec_avg_float_partial}, \
	\
	BEST(F_MIN_INT2, "min_int2", VEXEC_INT16, VexecInt16Best, \
		 vexec_min_int16_update_##isa, best_int16_final), \
	BEST(F_MAX_INT2, "max_int2", VEXEC_INT16, VexecInt16Best, \
		 vexec_max_int16_update_##isa, best_int16_final), \
	BEST(F_MIN_INT4, "min_int4", VEXEC_INT32, VexecInt32Best, \
		 vexec_min_int32_update_##isa, best_int32_final), \
	BEST(F_MAX_INT4, "max_int4", VEXEC_INT32, VexecInt32Best, \
		 vexec_max_int32_update_##isa, best_int32_final), \
	BEST(F_MIN_INT8, "min_int8", VEXEC_INT64, VexecInt64Best, \
		 vexec_min_int64_update_##isa, best_int64_final), \
	BEST(F_MAX_INT8, "max_int8", VEXEC_INT64, VexecInt64Best, \
		 vexec_max_int64_update_##isa, best_int64_final), \
	BEST(F_MIN_DATE, "min_date", VEXEC_INT32, VexecInt32Best, \
		 vexec_min_int32_update_##isa, best_int32_final), \
	BEST(F_MAX_DATE, "max_date", VEXEC_INT32, VexecInt32Best, \
		 vexec_max_int32_update_##isa, best_int32_final), \
	BEST(F_MIN_TIMESTAMP, "min_timestamp", VEXEC_INT64, VexecInt64Best, \
		 vexec_min_int64_update_##isa, best_int64_final), \
	BEST(F_MAX_TIMESTAMP, "max_timestamp", VEXEC_INT64, VexecInt64Best, \
		 vexec_max_int64_update_##isa, best_int64_final), \
	BEST(F_MIN_TIMESTAMPTZ, "min_timestamptz", VEXEC_INT64, VexecInt64Best, \
		 vexec_min_int64_update_##isa, best_int64_final), \
	BEST(F_MAX_TIMESTAMPTZ, "max_timestamptz", VEXEC_INT64, VexecInt64Best, \
		 vexec_max_int64_update_##isa, best_int64_final), \
	BEST(F_MIN_FLOAT4, "min_float4", VEXEC_FLOAT4, VexecFloat4Best, \
		 vexec_min_float4_update_##isa, best_float4_final), \
	BEST(F_MAX_FLOAT4, "max_float4", VEXEC_FLOAT4, VexecFloat4Best, \
		 vexec_max_float4_update_##isa, best_float4_final), \
	BEST(F_MIN_FLOAT8, "min_float8", VEXEC_FLOAT8, VexecFloat8Best, \
		 vexec_min_float8_update_##isa, best_float8_final), \
	BEST(F_MAX_FLOAT8, "max_float8", VEXEC_FLOAT8, VexecFloat8Best, \
		 vexec_max_float8_update_##isa, best_float8_final), \
	BEST(F_MIN_NUMERIC, "min_numeric", VEXEC_NUMERIC, VexecNumericBest, \
		 vexec_min_numeric_update_##isa, vexec_numeric_best_final), \
	BEST(F_MAX_NUMERIC, "max_numeric", VEXEC_NUMERIC, VexecNumericBest, \
		 vexec_max_numeric_update_##isa, vexec_numeric_best_final), \
	BEST(F_MIN_TEXT, "min_text", VEXEC_STRING, VexecStringBest, \
		 vexec_min_text_update, vexec_string_best_final), \
	BEST(F_MAX_TEXT, "max_text", VEXEC_STRING, VexecStringBest, \
		 vexec_max_text_update, vexec_string_best_final), \
	BEST(F_MIN_BPCHAR, "min_bpchar", VEXEC_STRING, VexecStringBest, \
		 vexec_min_bpchar_update, vexec_string_best_final), \
	BEST(F_MAX_BPCHAR, "max_bpchar", VEXEC_STRING, VexecStringBest, \
		 vexec_max_bpchar_update, vexec_string_best_final), \
}

static const VexecAggregate aggregates_base[] = AGGREGATES(base);

#ifdef VEXEC_MULTI_ISA
static const VexecAggregate aggregates_v3[] = AGGREGATES(v3);
static const VexecAggregate aggregates_v4[] = AGGREGATES(v4);
#define AGGREGATE_TABLES {aggregates_base, aggregates_v3, aggregates_v4}
#else
#define AGGREGATE_TABLES {aggregates_base, aggregates_base, aggregates_base}
#endif

const VexecAggregate *
vexec_aggregate_lookup(Oid aggfnoid)
{
	static const VexecAggregate *const tables[] = AGGREGATE_TABLES;
	const VexecAggregate *table = tables[vexec_isa_level()];

	for (int i = 0; i < lengthof(aggregates_base); i++)
		if (table[i].aggfnoid == aggfnoid)
			return &table[i];
	return NULL;
}

/* --- arrays of states ----------------------------------------------------------- */

VexecTransitionState *
vexec_transition_create(const VexecTransition *transition, Oid argtype, Oid collation)
{
	VexecTransitionState *ts = palloc0(sizeof(VexecTransitionState));

	ts->transition = transition;
	ts->argtype = argtype;
	ts->collation = collation;
	ts->memory = AllocSetContextCreate(CurrentMemoryContext, "vexec transition states",
									   ALLOCSET_SMALL_SIZES);
	return ts;
}

/* The capacity that an array of too few states grows to. */
static uint64
states_capacity(const VexecTransitionState *ts, uint32 count)
{
	return vexec_grown_capacity(ts->capacity, Max(count, VEXEC_FIRST_STATES));
}

Size
vexec_transition_growth(const VexecTransitionState *ts, uint32 count)
{
	if (count <= ts->capacity)
		return 0;
	return (states_capacity(ts, count) - ts->capacity) * ts->transition->state_size;
}

void
vexec_transition_grow(VexecTransitionState *ts, uint32 count)
{
	Size		state_size = ts->transition->state_size;

	if (count <= ts->nstates)
		return;
	if (count > ts->capacity)
	{
		uint64		capacity = states_capacity(ts, count);

		/* At most 2^31 groups of at most some hundred bytes: no overflow. */
		if (ts->states == NULL)
			ts->states = MemoryContextAllocHuge(ts->memory, capacity * state_size);
		else
			ts->states = repalloc_huge(ts->states, capacity * state_size);
		ts->capacity = (uint32) Min(capacity, PG_UINT32_MAX);
	}
	memset(ts->states + ts->nstates * state_size, 0, (count - ts->nstates) * state_size);
	ts->nstates = count;
}

void
vexec_transition_reset(VexecTransitionState *ts)
{
	MemoryContextReset(ts->memory);
	ts->states = NULL;
	ts->nstates = 0;
	ts->capacity = 0;
	ts->private_data = NULL;
}

Size
vexec_transition_memory(const VexecTransitionState *ts)
{
	return MemoryContextMemAllocated(ts->memory, true);
}

char *
vexec_state_buffer(VexecTransitionState *ts, char *buffer, uint32 *buffer_size, Size size)
{
	Size		new_size;

	if (size <= *buffer_size)
		return buffer;

	/* A varlena is below 1 GB, so twice its size fits in 32 bits. */
	Assert(size <= MaxAllocSize);
	new_size = Max(size, (Size) *buffer_size * 2);
	if (buffer != NULL)
		pfree(buffer);
	buffer = MemoryContextAllocHuge(ts->memory, new_size);
	*buffer_size = (uint32) new_size;
	return buffer;
}
