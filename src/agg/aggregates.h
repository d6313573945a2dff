/*-------------------------------------------------------------------------
 *
 * aggregates.h
 *	  States of the aggregates, shared by their kernels and final functions.
 *	  Private to this folder.
 *
 *-------------------------------------------------------------------------
 */
#ifndef VEXEC_AGGREGATES_H
#define VEXEC_AGGREGATES_H

#include "agg/agg.h"
#include "batch/isa.h"

typedef __int128 VexecInt128;
typedef unsigned __int128 VexecUint128;

/* --- states; zeroed bytes are "no row seen yet" ---------------------------- */

/* sum and avg of int2 and int4; the sum wraps as core's does. */
typedef struct VexecIntSum
{
	int64		sum;
	int64		count;
} VexecIntSum;

/* sum and avg of int8: a 128-bit sum in two halves, so that it needs no 16-byte alignment. */
typedef struct VexecInt8Sum
{
	uint64		low;
	int64		high;
	int64		count;
} VexecInt8Sum;

/*
 * sum and avg of numeric: the exact sum of all values that fit, at the largest
 * display scale among them.  The low 56 bits of scale_count count all finite
 * values, the high 8 bits hold the scale (at most VEXEC_SUM_MAX_SCALE).
 *
 * |sum| < 2^126 always: slow additions leave at most VEXEC_SUM_LIMIT = 2^125
 * behind, and the fast ones add less than 2^63 for each of at most 2^56 rows.
 */
typedef struct VexecNumericSum
{
	uint64		low;
	int64		high;
	uint64		scale_count;
	struct VexecNumericSumExtra *extra; /* NULL unless there were values that
										 * do not fit, NaN or infinities */
} VexecNumericSum;

/* What a numeric sum holds besides its integer. */
typedef struct VexecNumericSumExtra
{
	bool		nan;
	bool		plus_infinity;
	bool		minus_infinity;
	void	   *core;			/* core's NumericAggState, or NULL */
} VexecNumericSumExtra;

#define VEXEC_SUM_COUNT_BITS 56
#define VEXEC_SUM_COUNT(state) \
	((int64) ((state)->scale_count & ((UINT64CONST(1) << VEXEC_SUM_COUNT_BITS) - 1)))
#define VEXEC_SUM_SCALE(state) ((int) ((state)->scale_count >> VEXEC_SUM_COUNT_BITS))
#define VEXEC_SUM_MAX_SCALE 37
#define VEXEC_SUM_LIMIT ((VexecInt128) 1 << 125)

typedef struct VexecFloat4Sum
{
	float4		sum;
	bool		seen;
} VexecFloat4Sum;

typedef struct VexecFloat8Sum
{
	float8		sum;
	bool		seen;
} VexecFloat8Sum;

/* avg of float4 and float8: core's Youngs-Cramer state. */
typedef struct VexecFloatAvg
{
	float8		n;
	float8		sx;
	float8		sxx;
} VexecFloatAvg;

typedef struct VexecInt16Best
{
	int16		value;
	bool		seen;
} VexecInt16Best;

typedef struct VexecInt32Best
{
	int32		value;
	bool		seen;
} VexecInt32Best;

typedef struct VexecInt64Best
{
	int64		value;
	bool		seen;
} VexecInt64Best;

typedef struct VexecFloat4Best
{
	float4		value;
	bool		seen;
} VexecFloat4Best;

typedef struct VexecFloat8Best
{
	float8		value;
	bool		seen;
} VexecFloat8Best;

typedef enum VexecNumericForm
{
	VEXEC_FORM_NONE,
	VEXEC_FORM_DECIMAL,			/* value * 10^-scale */
	VEXEC_FORM_NUMERIC			/* a Numeric in buffer */
} VexecNumericForm;

typedef struct VexecNumericBest
{
	int64		value;
	char	   *buffer;			/* owned, in the transition's memory; reused */
	uint32		buffer_size;
	uint8		form;			/* VexecNumericForm */
	uint8		scale;
} VexecNumericBest;

typedef struct VexecStringBest
{
	char	   *data;			/* owned, in the transition's memory; reused;
								 * NULL if no row was seen */
	uint32		len;
	uint32		buffer_size;
} VexecStringBest;

/* --- slow paths and final functions ---------------------------------------- */

/* Add value * 10^-scale, |value| < 2^125, scale <= VEXEC_SUM_MAX_SCALE; does not count it. */
extern void vexec_numeric_sum_add(VexecTransitionState *ts, VexecNumericSum *state,
								  VexecInt128 value, int scale);
/* Add and count a Numeric of any kind. */
extern void vexec_numeric_sum_add_numeric(VexecTransitionState *ts, VexecNumericSum *state,
										  Datum value);

/* Offer a value to min (or max); the decimal has another scale or form than the state's. */
extern void vexec_numeric_best_offer_decimal(VexecTransitionState *ts, VexecNumericBest *state,
											 bool max, int64 value, int scale);
extern void vexec_numeric_best_offer_numeric(VexecTransitionState *ts, VexecNumericBest *state,
											 bool max, Datum value);

/*
 * A buffer of at least size bytes in the transition's memory.  It doubles, so
 * that an extreme that changes with every row needs memory once.
 */
extern char *vexec_state_buffer(VexecTransitionState *ts, char *buffer, uint32 *buffer_size,
								Size size);

/* The exact numeric value * 10^-scale with that display scale. */
extern Datum vexec_int128_to_numeric(VexecInt128 value, int scale);

extern Datum vexec_numeric_sum_final(VexecTransitionState *ts, uint32 ticket, bool *isnull);
extern Datum vexec_numeric_avg_final(VexecTransitionState *ts, uint32 ticket, bool *isnull);
extern Datum vexec_numeric_best_final(VexecTransitionState *ts, uint32 ticket, bool *isnull);
extern Datum vexec_string_best_final(VexecTransitionState *ts, uint32 ticket, bool *isnull);

/*
 * What core's accumulator of a sum that has one holds, together with the sum's
 * integer; its counts are not those of the sum.
 */
extern bytea *vexec_numeric_sum_serialize_core(VexecTransitionState *ts, VexecNumericSum *state);

/* Partial results that differ from final ones; partial.c. */
extern Datum vexec_avg_int_partial(VexecTransitionState *ts, uint32 ticket, bool *isnull);
extern Datum vexec_avg_float_partial(VexecTransitionState *ts, uint32 ticket, bool *isnull);
extern Datum vexec_int8_sum_partial(VexecTransitionState *ts, uint32 ticket, bool *isnull);
extern Datum vexec_numeric_sum_partial(VexecTransitionState *ts, uint32 ticket, bool *isnull);

/* --- update functions -------------------------------------------------------- */

#define VEXEC_UPDATE_ARGS \
	VexecTransitionState *ts, const VexecVector *arg, const uint32 *tickets, \
	const uint16 *sel, int n

#define VEXEC_DECLARE_UPDATE(name) \
	extern void name##_base(VEXEC_UPDATE_ARGS); \
	extern void name##_v3(VEXEC_UPDATE_ARGS); \
	extern void name##_v4(VEXEC_UPDATE_ARGS)

VEXEC_DECLARE_UPDATE(vexec_count_update);
VEXEC_DECLARE_UPDATE(vexec_sum_int16_update);
VEXEC_DECLARE_UPDATE(vexec_sum_int32_update);
VEXEC_DECLARE_UPDATE(vexec_sum_int64_update);
VEXEC_DECLARE_UPDATE(vexec_sum_float4_update);
VEXEC_DECLARE_UPDATE(vexec_sum_float8_update);
VEXEC_DECLARE_UPDATE(vexec_avg_float4_update);
VEXEC_DECLARE_UPDATE(vexec_avg_float8_update);
VEXEC_DECLARE_UPDATE(vexec_sum_numeric_update);
VEXEC_DECLARE_UPDATE(vexec_min_int16_update);
VEXEC_DECLARE_UPDATE(vexec_max_int16_update);
VEXEC_DECLARE_UPDATE(vexec_min_int32_update);
VEXEC_DECLARE_UPDATE(vexec_max_int32_update);
VEXEC_DECLARE_UPDATE(vexec_min_int64_update);
VEXEC_DECLARE_UPDATE(vexec_max_int64_update);
VEXEC_DECLARE_UPDATE(vexec_min_float4_update);
VEXEC_DECLARE_UPDATE(vexec_max_float4_update);
VEXEC_DECLARE_UPDATE(vexec_min_float8_update);
VEXEC_DECLARE_UPDATE(vexec_max_float8_update);
VEXEC_DECLARE_UPDATE(vexec_min_numeric_update);
VEXEC_DECLARE_UPDATE(vexec_max_numeric_update);

/* Not compiled per level: their time is core's string comparison. */
extern void vexec_min_text_update(VEXEC_UPDATE_ARGS);
extern void vexec_max_text_update(VEXEC_UPDATE_ARGS);
extern void vexec_min_bpchar_update(VEXEC_UPDATE_ARGS);
extern void vexec_max_bpchar_update(VEXEC_UPDATE_ARGS);

/*
 * Spread a constant to a vector of VEXEC_BATCH_ROWS elements in buffer, so
 * that kernels know one form only.  Not for a null constant.  Constant
 * arguments of aggregates are rare, and this costs less than a nanosecond a row.
 */
static inline const VexecVector *
vexec_spread_constant(const VexecVector *arg, VexecVector *flat, void *buffer, Size width)
{
	*flat = *arg;
	flat->constant = false;
	flat->has_nulls = false;
	flat->values = buffer;
	for (int row = 0; row < VEXEC_BATCH_ROWS; row++)
		memcpy((char *) buffer + row * width, arg->values, width);
	return flat;
}

/*
 * Every update function opens with these: VEXEC_SPREAD_SPACE among its
 * declarations, then VEXEC_SPREAD.  A null constant has nothing to add.
 */
#define VEXEC_SPREAD_SPACE(type) \
	VexecVector spread_; \
	type		spread_values_[VEXEC_BATCH_ROWS]

#define VEXEC_SPREAD(arg, type) \
	do { \
		if (unlikely((arg)->constant)) \
		{ \
			if (vexec_is_null(arg, 0)) \
				return; \
			(arg) = vexec_spread_constant(arg, &spread_, spread_values_, sizeof(type)); \
		} \
	} while (0)

/* Loop over the selected rows that are not null. */
#define VEXEC_FOREACH_NOT_NULL(row, arg, sel, n, body) \
	do { \
		if (!(arg)->has_nulls) \
			VEXEC_FOREACH(row, sel, n, body); \
		else \
		{ \
			const uint64 *nulls_ = (arg)->nulls; \
			VEXEC_FOREACH(row, sel, n, { \
				if (vexec_null_bit(nulls_, row)) \
					continue; \
				body \
			}); \
		} \
	} while (0)

/* Null rows among the selected ones. */
static inline int
vexec_count_nulls(const VexecVector *arg, const uint16 *sel, int n)
{
	int			count = 0;

	if (!arg->has_nulls)
		return 0;
	if (sel == NULL)
	{
		for (int word = 0; word < n / 64; word++)
			count += __builtin_popcountll(arg->nulls[word]);
		if (n % 64 != 0)
			count += __builtin_popcountll(arg->nulls[n / 64] &
										  ((UINT64CONST(1) << (n % 64)) - 1));
	}
	else
		for (int k = 0; k < n; k++)
			count += vexec_null_bit(arg->nulls, sel[k]);
	return count;
}

/* Loop over the null rows below n, n > 0. */
#define VEXEC_FOREACH_NULL(row, nulls, n, body) \
	do { \
		for (int word_ = 0; word_ < ((n) + 63) / 64; word_++) \
		{ \
			uint64		bits_ = (nulls)[word_]; \
			\
			if ((n) - word_ * 64 < 64) \
				bits_ &= (UINT64CONST(1) << ((n) - word_ * 64)) - 1; \
			for (; bits_ != 0; bits_ &= bits_ - 1) \
			{ \
				int			row = word_ * 64 + __builtin_ctzll(bits_); \
				body \
			} \
		} \
	} while (0)

static inline VexecInt128
vexec_int128_load(uint64 low, int64 high)
{
	return (VexecInt128) (((VexecUint128) (uint64) high << 64) | low);
}

#define VEXEC_INT128_STORE(state, value) \
	do { \
		VexecInt128 value_ = (value); \
		(state)->low = (uint64) value_; \
		(state)->high = (int64) (value_ >> 64); \
	} while (0)

#endif							/* VEXEC_AGGREGATES_H */
