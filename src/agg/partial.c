/*-------------------------------------------------------------------------
 *
 * partial.c
 *	  States as values of core's transition types, for core's combine functions.
 *
 * The functions here stand for core's partial aggregation: what they return is
 * what Partial Aggregate would send for the same rows, serialized where the
 * transition type is internal.  See numeric.c and float.c of core for the
 * formats.  Two things differ, and no combine or final function looks at them:
 * a group without values has a null state also if it had rows, and of values
 * with the largest display scale, and of NaN and infinities, the number is not
 * kept (only moving aggregates would need it).
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "agg/aggregates.h"
#include "agg/numeric_digits.h"

#include "catalog/pg_type_d.h"
#include "libpq/pqformat.h"
#include "port/pg_bswap.h"
#include "utils/array.h"

#include "compat.h"

#define STATE(type) (&((type *) ts->states)[ticket])

/* A NumericVar's sign, as core sends it. */
#define SIGN_POSITIVE 0x0000
#define SIGN_NEGATIVE 0x4000

/* Decimal digits of an int128 in groups of four. */
#define INT128_DIGITS 10

/* {count, sum} of int8. */
Datum
vexec_avg_int_partial(VexecTransitionState *ts, uint32 ticket, bool *isnull)
{
	VexecIntSum *state = STATE(VexecIntSum);
	Datum		elements[2];

	elements[0] = Int64GetDatum(state->count);
	elements[1] = Int64GetDatum(state->sum);
	*isnull = false;
	return PointerGetDatum(construct_array_builtin(elements, 2, INT8OID));
}

/* {N, Sx, Sxx} of float8. */
Datum
vexec_avg_float_partial(VexecTransitionState *ts, uint32 ticket, bool *isnull)
{
	VexecFloatAvg *state = STATE(VexecFloatAvg);
	Datum		elements[3];

	elements[0] = Float8GetDatum(state->n);
	elements[1] = Float8GetDatum(state->sx);
	elements[2] = Float8GetDatum(state->sxx);
	*isnull = false;
	return PointerGetDatum(construct_array_builtin(elements, 3, FLOAT8OID));
}

static void
send_numeric_var(StringInfo buf, const int16 *digits, int ndigits, int weight, bool negative,
				 int dscale)
{
	pq_sendint32(buf, ndigits);
	pq_sendint32(buf, weight);
	pq_sendint32(buf, negative ? SIGN_NEGATIVE : SIGN_POSITIVE);
	pq_sendint32(buf, dscale);
	for (int i = 0; i < ndigits; i++)
		pq_sendint16(buf, digits[i]);
}

#ifndef VEXEC_INT8_SUM_SENT_BINARY
/* As core converts an int128: all digits, those at the end that are zero too. */
static void
send_int128(StringInfo buf, VexecInt128 value)
{
	VexecUint128 rest = value < 0 ? -(VexecUint128) value : (VexecUint128) value;
	int16		digits[INT128_DIGITS];
	int			first = INT128_DIGITS;

	for (; rest != 0; rest /= 10000)
		digits[--first] = (int16) (rest % 10000);
	send_numeric_var(buf, digits + first, INT128_DIGITS - first,
					 Max(INT128_DIGITS - first - 1, 0), value < 0, 0);
}
#endif

/* As int8_avg_serialize. */
Datum
vexec_int8_sum_partial(VexecTransitionState *ts, uint32 ticket, bool *isnull)
{
	VexecInt8Sum *state = STATE(VexecInt8Sum);
	StringInfoData buf;

	*isnull = (state->count == 0);
	if (*isnull)
		return (Datum) 0;
	pq_begintypsend(&buf);
	pq_sendint64(&buf, state->count);
#ifdef VEXEC_INT8_SUM_SENT_BINARY
	pq_sendint64(&buf, state->high);
	pq_sendint64(&buf, state->low);
#else
	send_int128(&buf, vexec_int128_load(state->low, state->high));
#endif
	return PointerGetDatum(pq_endtypsend(&buf));
}

/* Write over an int64 in network order. */
static void
put_int64(char *at, int64 value)
{
	uint64		sent = pg_hton64((uint64) value);

	memcpy(at, &sent, sizeof(sent));
}

/* As numeric_avg_serialize. */
Datum
vexec_numeric_sum_partial(VexecTransitionState *ts, uint32 ticket, bool *isnull)
{
	VexecNumericSum *state = STATE(VexecNumericSum);
	const VexecNumericSumExtra none = {0};
	const VexecNumericSumExtra *extra = state->extra != NULL ? state->extra : &none;
	int64		count = VEXEC_SUM_COUNT(state);
	VexecNumericParts parts = {0};
	StringInfoData buf;

	*isnull = (count == 0 && !extra->nan && !extra->plus_infinity && !extra->minus_infinity);
	if (*isnull)
		return (Datum) 0;

	if (extra->core != NULL)
	{
		/* its accumulator has the sum, but not the counts */
		bytea	   *bytes = vexec_numeric_sum_serialize_core(ts, state);
		char	   *counts = VARDATA(bytes) + VARSIZE(bytes) - VARHDRSZ - 3 * sizeof(int64);

		put_int64(VARDATA(bytes), count);
		put_int64(counts, extra->nan);
		put_int64(counts + sizeof(int64), extra->plus_infinity);
		put_int64(counts + 2 * sizeof(int64), extra->minus_infinity);
		return PointerGetDatum(bytes);
	}

	if (!vexec_numeric_parts(DatumGetNumeric(vexec_int128_to_numeric(vexec_int128_load(state->low,
																					   state->high),
																	 VEXEC_SUM_SCALE(state))),
							 &parts))
		elog(ERROR, "an integer became a numeric that is not finite");
	pq_begintypsend(&buf);
	pq_sendint64(&buf, count);
	send_numeric_var(&buf, parts.digits, parts.ndigits, parts.weight, parts.negative, parts.dscale);
	pq_sendint32(&buf, parts.dscale);
	pq_sendint64(&buf, count);
	pq_sendint64(&buf, extra->nan);
	pq_sendint64(&buf, extra->plus_infinity);
	pq_sendint64(&buf, extra->minus_infinity);
	return PointerGetDatum(pq_endtypsend(&buf));
}
