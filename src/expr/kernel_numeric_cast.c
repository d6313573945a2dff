/*-------------------------------------------------------------------------
 *
 * kernel_numeric_cast.c
 *	  Casts from and to numeric, and rounding to a scale.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include <limits.h>

#include "expr/kernel_families.h"
#include "expr/kernel_numeric.h"
#include "expr/kernel_template.h"

#include "utils/fmgrprotos.h"

/*
 * Integers become decimals of scale 0.
 */
VEXEC_UNARY(widen_int2, int16, int64, a)
VEXEC_UNARY(widen_int4, int32, int64, a)
VEXEC_UNARY(widen_int8, int64, int64, a)

#define FROM_INTEGER(suffix) \
static void \
numeric_of_##suffix(VexecKernelCall *call) \
{ \
	vexec_numeric_set_decimal(call, 0); \
	widen_##suffix(call); \
}

FROM_INTEGER(int2)
FROM_INTEGER(int4)
FROM_INTEGER(int8)

/*
 * Floats go through core's decimal formatting, which never raises.
 */
#define FROM_FLOAT(suffix, T, GetDatum) \
static void \
numeric_of_##suffix(VexecKernelCall *call) \
{ \
	const T    *values = VEXEC_VALUES(call->arg[0], T); \
	int			n; \
	const uint16 *sel = vexec_kernel_selected(call, &n); \
\
	vexec_numeric_set_pointers(call); \
	for (int k = 0; k < n; k++) \
	{ \
		const int	row = sel ? sel[k] : k; \
\
		if (!vexec_is_null(call->result, row)) \
			VEXEC_VALUES(call->result, Numeric)[row] = \
				DatumGetNumeric(DirectFunctionCall1(suffix##_numeric, GetDatum(values[row]))); \
	} \
}

FROM_FLOAT(float4, float4, Float4GetDatum)
FROM_FLOAT(float8, float8, Float8GetDatum)

/* v / divisor, rounded half away from zero; divisor is a power of ten > 1. */
static inline int64
divide_rounding(int64 v, int64 divisor)
{
	const int64 quotient = v / divisor;
	const int64 rest = v % divisor;

	/* |rest| < 10^18, so twice that fits */
	if (2 * rest >= divisor)
		return quotient + 1;
	if (2 * rest <= -divisor)
		return quotient - 1;
	return quotient;
}

/*
 * The element rounded to an integer; false when it is none or out of the range
 * of int64, where core raises.  Values below 10^16 are in range for certain,
 * others are compared with the limits first.
 */
static bool
numeric_to_int64(const VexecVector *vec, int row, int64 *result)
{
	Numeric		num = vexec_numeric_at(vec, row);
	VexecNumericShape shape = vexec_numeric_shape(num);

	if (shape.special)
		return false;
	if (shape.weight >= 4)
	{
		Numeric		low = int64_to_numeric(PG_INT64_MIN);
		Numeric		high = int64_to_numeric(PG_INT64_MAX);

		if (DatumGetInt32(DirectFunctionCall2(numeric_cmp, NumericGetDatum(num),
											  NumericGetDatum(low))) < 0 ||
			DatumGetInt32(DirectFunctionCall2(numeric_cmp, NumericGetDatum(num),
											  NumericGetDatum(high))) > 0)
			return false;
	}
	*result = DatumGetInt64(DirectFunctionCall1(numeric_int8, NumericGetDatum(num)));
	return true;
}

#define TO_INTEGER(name, T, lowest, highest) \
static void \
name(VexecKernelCall *call) \
{ \
	const VexecVector *x = call->arg[0]; \
	const int64 divisor = x->is_decimal ? vexec_pow10[x->scale] : 0; \
	int			n; \
	const uint16 *sel = vexec_kernel_selected(call, &n); \
\
	for (int k = 0; k < n; k++) \
	{ \
		const int	row = sel ? sel[k] : k; \
		int64		v = 0; \
		bool		fits = true; \
\
		if (vexec_is_null(call->result, row)) \
			continue; \
		if (x->is_decimal) \
		{ \
			v = VEXEC_VALUES(x, int64)[row]; \
			if (divisor > 1) \
				v = divide_rounding(v, divisor); \
		} \
		else \
			fits = numeric_to_int64(x, row, &v); \
		if (!fits || v < (lowest) || v > (highest)) \
		{ \
			vexec_kernel_stop(call, row); \
			break; \
		} \
		VEXEC_VALUES(call->result, T)[row] = (T) v; \
	} \
}

TO_INTEGER(numeric_to_int2, int16, PG_INT16_MIN, PG_INT16_MAX)
TO_INTEGER(numeric_to_int4, int32, PG_INT32_MIN, PG_INT32_MAX)
TO_INTEGER(numeric_to_int8, int64, PG_INT64_MIN, PG_INT64_MAX)

/*
 * Core converts through text, which rounds correctly.  So does one division
 * of two floats that hold numerator and denominator exactly: integers up to
 * 2^53 (2^24), powers of ten up to 10^22 (10^10).  Other values are core's;
 * the weights are those for which text conversion neither overflows nor
 * underflows.
 */
#define TO_FLOAT(name, T, mantissa, maxscale, lowest, highest, core, DatumGet) \
static void \
name(VexecKernelCall *call) \
{ \
	const VexecVector *x = call->arg[0]; \
	const int64 *restrict values = VEXEC_VALUES(x, int64); \
	T		   *restrict results = VEXEC_VALUES(call->result, T); \
	const bool	simple = x->is_decimal && x->scale <= (maxscale); \
	const T		divisor = simple ? (T) vexec_pow10[x->scale] : 1; \
	const int64 limit = INT64CONST(1) << (mantissa); \
	int			n; \
	const uint16 *sel = vexec_kernel_rows(call, &n); \
\
	if (simple && sel == NULL && vexec_int64_magnitude(x, values, sel, n) <= (mantissa)) \
	{ \
		for (int row = 0; row < n; row++) \
			results[row] = (T) values[row] / divisor; \
		return; \
	} \
	sel = vexec_kernel_selected(call, &n); \
	for (int k = 0; k < n; k++) \
	{ \
		const int	row = sel ? sel[k] : k; \
		Numeric		num; \
		VexecNumericShape shape; \
\
		if (simple && values[row] >= -limit && values[row] <= limit) \
		{ \
			results[row] = (T) values[row] / divisor; \
			continue; \
		} \
		if (vexec_is_null(call->result, row)) \
			continue; \
		num = vexec_numeric_at(x, row); \
		shape = vexec_numeric_shape(num); \
		if (!shape.special && !shape.zero && \
			(shape.weight < (lowest) || shape.weight > (highest))) \
		{ \
			vexec_kernel_stop(call, row); \
			break; \
		} \
		results[row] = DatumGet(DirectFunctionCall1(core, NumericGetDatum(num))); \
	} \
}

TO_FLOAT(numeric_to_float4, float4, 24, 10, -11, 8, numeric_float4, DatumGetFloat4)
TO_FLOAT(numeric_to_float8, float8, 53, 22, -80, 76, numeric_float8, DatumGetFloat8)

/*
 * Rounding to a scale that is known when the expression is compiled.
 */
typedef enum Rounding
{
	ROUND,						/* half away from zero */
	TRUNCATE,
	FLOOR,
	CEILING
} Rounding;

typedef struct RoundingSpec
{
	Rounding	rounding;
	int			scale;			/* to round to; may be negative */
	int			precision;		/* digits allowed; 0 if unlimited */
	int32		argument;		/* the SQL function's second argument */
	PGFunction	core;
	bool		has_argument;
} RoundingSpec;

static inline int64
divide(int64 v, int64 divisor, Rounding rounding)
{
	switch (rounding)
	{
		case ROUND:
			return divide_rounding(v, divisor);
		case TRUNCATE:
			return v / divisor;
		case FLOOR:
			return v / divisor - (v % divisor < 0);
		case CEILING:
			return v / divisor + (v % divisor > 0);
	}
	pg_unreachable();
}

/* The greatest magnitude that a precision allows, exclusive. */
static inline uint64
magnitude_limit(const RoundingSpec *spec)
{
	if (spec->precision == 0 || spec->precision > VEXEC_MAX_SCALE)
		return UINT64CONST(1) << 63 | 1;
	return (uint64) vexec_pow10[spec->precision];
}

/*
 * Round a decimal vector.  Returns false when the results are not decimal.
 * With a precision the value counted in units of the scale must stay below
 * 10^precision; core raises otherwise.
 */
static bool
round_decimal(VexecKernelCall *call, const RoundingSpec *spec)
{
	const VexecVector *x = call->arg[0];
	const int64 *values = VEXEC_VALUES(x, int64);
	int64	   *restrict results = VEXEC_VALUES(call->result, int64);
	const int	dropped = x->scale - spec->scale;
	const uint64 limit = magnitude_limit(spec);
	int64		buffer[VEXEC_BATCH_ROWS];
	int64		divisor = 1;
	int64		unit = 1;
	int			n;
	const uint16 *sel = vexec_kernel_rows(call, &n);

	if (!x->is_decimal || spec->scale > VEXEC_MAX_SCALE || dropped > VEXEC_MAX_SCALE)
		return false;
	if (dropped < 0)
	{
		values = vexec_decimal_rescale(call, x, spec->scale, buffer);
		if (values == NULL)
			return false;
	}
	else
	{
		divisor = vexec_pow10[dropped];
		if (spec->scale < 0)
			unit = vexec_pow10[-spec->scale];
	}
	vexec_numeric_set_decimal(call, Max(spec->scale, 0));

	if (divisor == 1 && sel == NULL)
	{
		uint64		bad = 0;

		for (int row = 0; row < n; row++)
		{
			const int64 v = values[row];
			const uint64 magnitude = (v < 0) ? -(uint64) v : (uint64) v;

			results[row] = v;
			bad |= (magnitude >= limit);
		}
		if (!bad)
			return true;
	}

	sel = vexec_kernel_selected(call, &n);
	for (int k = 0; k < n; k++)
	{
		const int	row = sel ? sel[k] : k;
		int64		v = values[row];

		if (vexec_is_null(call->result, row))
			continue;
		if (divisor > 1)
			v = divide(v, divisor, spec->rounding);
		if (((v < 0) ? -(uint64) v : (uint64) v) >= limit)
		{
			vexec_kernel_stop(call, row);
			break;
		}
		if (unit > 1 && pg_mul_s64_overflow(v, unit, &v))
			return false;
		results[row] = v;
	}
	return true;
}

/*
 * Whether core's function certainly does not raise.  Rounding up can add a
 * digit: only to a value whose first digits are all nines.
 */
static bool
safe_rounding(const VexecNumericShape *shape, const RoundingSpec *spec)
{
	int			digits;

	if (shape->special)
		return shape->nan || spec->precision == 0;
	if (shape->zero)
		return true;
	if (spec->precision == 0)
		return shape->weight < VEXEC_NUMERIC_SAFE_WEIGHT;
	digits = shape->weight * VEXEC_NUMERIC_DIGITS +
		(shape->first >= 1000 ? 4 : shape->first >= 100 ? 3 : shape->first >= 10 ? 2 : 1);
	if (digits != spec->precision - spec->scale)
		return digits < spec->precision - spec->scale;
	return shape->first != 9 && shape->first != 99 && shape->first != 999 && shape->first != 9999;
}

static void
round_numeric(VexecKernelCall *call, const RoundingSpec *spec)
{
	int			n;
	const uint16 *sel;

	if (round_decimal(call, spec))
		return;
	vexec_numeric_set_pointers(call);
	sel = vexec_kernel_selected(call, &n);
	for (int k = 0; k < n; k++)
	{
		const int	row = sel ? sel[k] : k;
		Numeric		num;
		VexecNumericShape shape;
		Datum		result;

		if (vexec_is_null(call->result, row))
			continue;
		num = vexec_numeric_at(call->arg[0], row);
		shape = vexec_numeric_shape(num);
		if (!safe_rounding(&shape, spec))
		{
			vexec_kernel_stop(call, row);
			break;
		}
		if (spec->has_argument)
			result = DirectFunctionCall2(spec->core, NumericGetDatum(num),
										 Int32GetDatum(spec->argument));
		else
			result = DirectFunctionCall1(spec->core, NumericGetDatum(num));
		VEXEC_VALUES(call->result, Numeric)[row] = DatumGetNumeric(result);
	}
}

static void
round_prepared(VexecKernelCall *call)
{
	round_numeric(call, (const RoundingSpec *) call->prepared);
}

static void
floor_numeric(VexecKernelCall *call)
{
	static const RoundingSpec spec = {.rounding = FLOOR,.core = numeric_floor};

	round_numeric(call, &spec);
}

static void
ceil_numeric(VexecKernelCall *call)
{
	static const RoundingSpec spec = {.rounding = CEILING,.core = numeric_ceil};

	round_numeric(call, &spec);
}

static RoundingSpec *
rounding_spec(const Const *constant, Rounding rounding, PGFunction core)
{
	RoundingSpec *spec;

	if (constant == NULL || constant->constisnull)
		return NULL;
	spec = palloc0(sizeof(RoundingSpec));
	spec->rounding = rounding;
	spec->core = core;
	spec->has_argument = true;
	spec->argument = DatumGetInt32(constant->constvalue);
	spec->scale = spec->argument;
	return spec;
}

/*
 * Scales that a decimal cannot have or round from leave the work to core's
 * function; bounding them here keeps the arithmetic above far from overflow.
 */
static bool
prepare_scale(const Const *constant, const void **prepared, Rounding rounding, PGFunction core)
{
	RoundingSpec *spec = rounding_spec(constant, rounding, core);

	if (spec == NULL)
		return false;
	spec->scale = Max(spec->scale, -2 * VEXEC_MAX_SCALE);
	spec->scale = Min(spec->scale, 2 * VEXEC_MAX_SCALE);
	*prepared = spec;
	return true;
}

static bool
prepare_round(const Const *constant, const void **prepared)
{
	return prepare_scale(constant, prepared, ROUND, numeric_round);
}

static bool
prepare_trunc(const Const *constant, const void **prepared)
{
	return prepare_scale(constant, prepared, TRUNCATE, numeric_trunc);
}

/* numeric(numeric, typmod): the typmod packs precision and an 11-bit signed scale. */
static bool
prepare_typmod(const Const *constant, const void **prepared)
{
	RoundingSpec *spec = rounding_spec(constant, ROUND, numeric);

	if (spec == NULL || spec->argument < (int32) VARHDRSZ)
		return false;
	spec->precision = ((spec->argument - VARHDRSZ) >> 16) & 0xFFFF;
	spec->scale = (((spec->argument - VARHDRSZ) & 0x7FF) ^ 1024) - 1024;
	*prepared = spec;
	return spec->precision > 0;
}

#define STOPS VEXEC_KERNEL_CAN_STOP
#define FROM(oid, fn, k) VEXEC_ENTRY1(oid, fn, k, VEXEC_NUMERIC, 0)
#define TO(oid, fn, k) VEXEC_ENTRY1(oid, fn, VEXEC_NUMERIC, k, STOPS)
#define SCALED(oid, prepare) \
	{oid, 2, {VEXEC_NUMERIC, VEXEC_INT32}, VEXEC_NUMERIC, STOPS, round_prepared, prepare}

static const VexecKernel kernels[] = {
	FROM(F_NUMERIC_INT2, numeric_of_int2, VEXEC_INT16),
	FROM(F_NUMERIC_INT4, numeric_of_int4, VEXEC_INT32),
	FROM(F_NUMERIC_INT8, numeric_of_int8, VEXEC_INT64),
	FROM(F_NUMERIC_FLOAT4, numeric_of_float4, VEXEC_FLOAT4),
	FROM(F_NUMERIC_FLOAT8, numeric_of_float8, VEXEC_FLOAT8),
	TO(F_INT2_NUMERIC, numeric_to_int2, VEXEC_INT16),
	TO(F_INT4_NUMERIC, numeric_to_int4, VEXEC_INT32),
	TO(F_INT8_NUMERIC, numeric_to_int8, VEXEC_INT64),
	TO(F_FLOAT4_NUMERIC, numeric_to_float4, VEXEC_FLOAT4),
	TO(F_FLOAT8_NUMERIC, numeric_to_float8, VEXEC_FLOAT8),
	TO(F_CEIL_NUMERIC, ceil_numeric, VEXEC_NUMERIC),
	TO(F_CEILING_NUMERIC, ceil_numeric, VEXEC_NUMERIC),
	TO(F_FLOOR_NUMERIC, floor_numeric, VEXEC_NUMERIC),
	SCALED(F_ROUND_NUMERIC_INT4, prepare_round),
	SCALED(F_TRUNC_NUMERIC_INT4, prepare_trunc),
	SCALED(F_NUMERIC_NUMERIC_INT4, prepare_typmod),
	VEXEC_ENTRY_END
};

const VexecKernelFamily VEXEC_ISA_NAME(vexec_kernels_numeric_cast) = {
	"casts from and to numeric, rounding", kernels
};
