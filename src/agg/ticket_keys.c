/*-------------------------------------------------------------------------
 *
 * ticket_keys.c
 *	  Grouping keys by kind: which can be ticketed, the lanes that core's
 *	  functions have to make, verifying, and the values of first rows.
 *
 * Equality is SQL's: numerics of other display scale, -0 and 0, any two NaN and
 * char(n) values that differ in trailing blanks are equal.  Keys without rules
 * of their own go through the hash and equality functions of their type.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "agg/numeric_digits.h"
#include "agg/tickets.h"

#include "catalog/pg_type.h"
#include "common/int.h"
#include "utils/builtins.h"
#include "utils/datum.h"
#include "utils/fmgroids.h"
#include "utils/fmgrprotos.h"
#include "utils/lsyscache.h"
#include "utils/memutils.h"
#include "utils/typcache.h"

/* The scale of numeric lanes is not guessed beyond this from mixed values. */
#define MAX_GUESSED_SCALE 9

#define NUMERIC_LANE_LIMIT (INT64CONST(1) << 62)

/*
 * What a decimal takes as Numeric: of at most 62 bits, it has 19 digits and thus
 * at most 6 digit words behind a header of 6 bytes.
 */
#define BUILT_NUMERIC_BYTES 24

/* --- which keys --------------------------------------------------------------- */

/* Equality functions whose rules the lanes of exact kinds follow. */
static bool
is_plain_equality(RegProcedure function)
{
	switch (function)
	{
		case F_BOOLEQ:
		case F_INT2EQ:
		case F_INT4EQ:
		case F_INT8EQ:
		case F_DATE_EQ:
		case F_TIMESTAMP_EQ:
		case F_TIMESTAMPTZ_EQ:
		case F_FLOAT4EQ:
		case F_FLOAT8EQ:
		case F_NUMERIC_EQ:
		case F_TEXTEQ:
		case F_BPCHAREQ:
			return true;
		default:
			return false;
	}
}

static Oid
equality_operator(const VexecKeyType *key)
{
	if (OidIsValid(key->eq_operator))
		return key->eq_operator;
	return lookup_type_cache(key->typid, TYPECACHE_EQ_OPR)->eq_opr;
}

bool
vexec_key_supported(const VexecKeyType *key, const char **reason)
{
	if (key->kind == VEXEC_DATUM)
	{
		Oid			eq_operator = equality_operator(key);
		Oid			left_hash;
		Oid			right_hash;

		if (OidIsValid(eq_operator) && op_hashjoinable(eq_operator, key->typid) &&
			OidIsValid(lookup_type_cache(key->typid, TYPECACHE_HASH_PROC)->hash_proc) &&
			get_op_hash_functions(eq_operator, &left_hash, &right_hash))
			return true;
		*reason = "a grouping column's type does not support hashing";
		return false;
	}

	if (OidIsValid(key->eq_operator) && !is_plain_equality(get_opcode(key->eq_operator)))
	{
		*reason = "a grouping column is compared by an unusual equality operator";
		return false;
	}
	if (key->kind == VEXEC_STRING)
	{
		if (!OidIsValid(key->collation))
		{
			*reason = "a grouping column's collation is not known";
			return false;
		}
		if (!get_collation_isdeterministic(key->collation))
		{
			*reason = "a grouping column's collation is nondeterministic";
			return false;
		}
	}
	return true;
}

/* --- a table's keys --------------------------------------------------------------- */

void
vexec_ticket_key_init(VexecTicketTable *table, VexecTicketKey *key, const VexecKeyType *type)
{
	key->type = *type;
	key->bpchar = (getBaseType(type->typid) == BPCHAROID);
	key->scale = -1;
	switch (type->kind)
	{
		case VEXEC_BOOL:
		case VEXEC_INT16:
		case VEXEC_INT32:
			key->null_lane = VEXEC_LANE_NULL32;
			break;
		case VEXEC_FLOAT4:
			key->null_lane = VEXEC_LANE_NULL32;
			table->has_originals = true;
			break;
		case VEXEC_FLOAT8:
			key->null_lane = VEXEC_LANE_NULL_FLOAT8;
			table->has_originals = true;
			break;
		case VEXEC_INT64:
			/* originals come with the first value that clashes */
			key->null_lane = VEXEC_LANE_NULL_INT64;
			break;
		case VEXEC_NUMERIC:
			key->null_lane = VEXEC_LANE_NULL_NUMERIC;
			table->has_originals = true;
			break;
		case VEXEC_STRING:
			key->null_lane = VEXEC_LANE_NULL_STRING;
			table->has_originals = true;
			break;
		case VEXEC_DATUM:
			{
				Oid			eq_operator = equality_operator(type);
				Oid			left_hash;
				Oid			right_hash;

				if (!get_op_hash_functions(eq_operator, &left_hash, &right_hash))
					elog(ERROR, "could not find hash function for operator %u", eq_operator);
				fmgr_info_cxt(left_hash, &key->hash, table->context);
				fmgr_info_cxt(get_opcode(eq_operator), &key->equal, table->context);
				get_typlenbyval(type->typid, &key->typlen, &key->typbyval);
				key->null_lane = VEXEC_LANE_NULL_DATUM;
				table->has_originals = true;
				break;
			}
	}
	key->lanes = MemoryContextAllocAligned(table->context, VEXEC_BATCH_ROWS * sizeof(uint64),
										   PG_CACHE_LINE_SIZE, 0);
}

bool
vexec_ticket_key_has_originals(const VexecTicketKey *key)
{
	switch (key->type.kind)
	{
		case VEXEC_BOOL:
		case VEXEC_INT16:
		case VEXEC_INT32:
			return false;
		case VEXEC_INT64:
			return key->originals != NULL;
		default:
			return true;
	}
}

/* --- lanes that need core's functions ------------------------------------------------ */

static inline int
value_row(const VexecVector *vec, int row)
{
	return vec->constant ? 0 : row;
}

static int64
power_of_ten(int exponent)
{
	int64		power = 1;

	Assert(exponent >= 0 && exponent <= VEXEC_MAX_SCALE);
	while (exponent-- > 0)
		power *= 10;
	return power;
}

/* A decimal from one scale to another, if that is exact and fits in 64 bits. */
static bool
rescale(int64 value, int from, int to, int64 *result)
{
	if (from <= to)
		return !pg_mul_s64_overflow(value, power_of_ten(to - from), result);
	*result = value / power_of_ten(from - to);
	return value % power_of_ten(from - to) == 0;
}

/* The row's value as a Numeric; what must be built is allocated in the current context. */
static Numeric
row_numeric(const VexecVector *vec, int row)
{
	if (vec->is_decimal)
		return int64_div_fast_to_numeric(VEXEC_VALUES(vec, int64)[row], vec->scale);
	return DatumGetNumeric(VEXEC_VALUES(vec, Datum)[row]);
}

/*
 * The lane of a numeric depends on its value alone, not on form and scale: it
 * is exact if and only if value * 10^scale is an integer in [-2^62, 2^62).
 */
static uint64
numeric_lane(VexecTicketTable *table, const VexecTicketKey *key, const VexecVector *vec, int row)
{
	int64		integer;
	bool		exact;
	MemoryContext old_context;
	uint64		hash;

	if (vec->is_decimal)
		exact = rescale(VEXEC_VALUES(vec, int64)[row], vec->scale, key->scale, &integer);
	else
	{
		VexecNumericParts parts;
		unsigned __int128 magnitude;

		exact = vexec_numeric_parts(DatumGetNumeric(VEXEC_VALUES(vec, Datum)[row]), &parts) &&
			vexec_numeric_scaled(&parts, key->scale, NUMERIC_LANE_LIMIT, &magnitude);
		if (exact)
			integer = parts.negative ? -(int64) magnitude : (int64) magnitude;
	}
	if (exact && VEXEC_LANE_NUMERIC_EXACT((uint64) integer))
		return (uint64) integer;

	old_context = MemoryContextSwitchTo(table->scratch);
	hash = DatumGetUInt64(DirectFunctionCall2(hash_numeric_extended,
											  NumericGetDatum(row_numeric(vec, row)),
											  Int64GetDatum(0)));
	MemoryContextSwitchTo(old_context);
	return (hash >> 2) | (UINT64CONST(1) << 62);
}

static inline bool
numeric_lane_inexact(uint64 lane)
{
	return lane >> 62 == 1;
}

/* The scale at which a numeric column's lanes are exact, from the first batch. */
static void
choose_scale(VexecTicketKey *key, const VexecVector *vec, const uint16 *sel, int n)
{
	if (key->scale >= 0)
		return;
	if (vec->is_decimal)
		key->scale = vec->scale;
	else
	{
		int			scale = 0;

		for (int i = 0; i < n; i++)
		{
			int			row = sel ? sel[i] : i;
			VexecNumericParts parts;

			if (!vexec_is_null(vec, row) &&
				vexec_numeric_parts(DatumGetNumeric(VEXEC_VALUES(vec, Datum)[row]), &parts))
				scale = Max(scale, parts.dscale);
		}
		key->scale = Min(scale, MAX_GUESSED_SCALE);
	}
}

static bool
numeric_lanes(VexecTicketTable *table, VexecTicketKey *key, const VexecVector *vec,
			  const uint16 *sel, int n)
{
	bool		plain;
	bool		inexact = false;

	choose_scale(key, vec, sel, n);
	plain = vec->is_decimal && vec->scale == key->scale;
	if (plain && !table->kernels->fixed_lanes(key, vec, sel, n))
		return false;

	for (int i = 0; i < n; i++)
	{
		int			row = sel ? sel[i] : i;

		if (vexec_is_null(vec, row))
			key->lanes[i] = key->null_lane;
		else if (!plain || !VEXEC_LANE_NUMERIC_EXACT(key->lanes[i]))
		{
			key->lanes[i] = numeric_lane(table, key, vec, row);
			if (numeric_lane_inexact(key->lanes[i]))
			{
				table->verify[i] = 1;
				inexact = true;
			}
		}
	}
	return inexact;
}

static bool
datum_lanes(VexecTicketTable *table, VexecTicketKey *key, const VexecVector *vec,
			const uint16 *sel, int n)
{
	const Datum *values = VEXEC_VALUES(vec, Datum);
	MemoryContext old_context = MemoryContextSwitchTo(table->scratch);
	bool		inexact = false;

	for (int i = 0; i < n; i++)
	{
		int			row = sel ? sel[i] : i;
		uint32		hash;

		if (vexec_is_null(vec, row))
		{
			key->lanes[i] = key->null_lane;
			continue;
		}
		hash = DatumGetUInt32(FunctionCall1Coll(&key->hash, key->type.collation, values[row]));
		key->lanes[i] = vexec_mix64(hash) >> 1;
		table->verify[i] = 1;
		inexact = true;
	}
	MemoryContextSwitchTo(old_context);
	return inexact;
}

/*
 * Some value is one of the two that serve as lanes.  From now on the key's
 * values are kept; those of the groups so far are their lanes.
 */
static bool
int64_clashes(VexecTicketTable *table, VexecTicketKey *key, const VexecVector *vec,
			  const uint16 *sel, int n)
{
	const uint64 *values = VEXEC_VALUES(vec, uint64);
	bool		inexact = false;

	for (int i = 0; i < n; i++)
	{
		int			row = sel ? sel[i] : i;

		if (vexec_is_null(vec, row) ||
			(values[row] != VEXEC_LANE_NULL_INT64 && values[row] != VEXEC_LANE_INT64_CLASH))
			continue;
		key->lanes[i] = VEXEC_LANE_INT64_CLASH;
		table->verify[i] = 1;
		inexact = true;
	}
	if (inexact && key->originals == NULL)
	{
		Size		index = key - table->keys;

		key->originals = MemoryContextAllocHuge(table->context,
												table->capacity * sizeof(uint64));
		for (uint32 ticket = 0; ticket < table->ngroups; ticket++)
			key->originals[ticket] = table->groups[ticket * (Size) table->nkeys + index];
		table->has_originals = true;
	}
	return inexact;
}

bool
vexec_ticket_lanes(VexecTicketTable *table, VexecTicketKey *key, const VexecVector *vec,
				   const uint16 *sel, int n)
{
	Assert(vec->kind == key->type.kind);
	switch (vec->kind)
	{
		case VEXEC_NUMERIC:
			return numeric_lanes(table, key, vec, sel, n);
		case VEXEC_STRING:
			return table->kernels->string_lanes(key, vec, sel, n, table->verify);
		case VEXEC_DATUM:
			return datum_lanes(table, key, vec, sel, n);
		default:
			return table->kernels->fixed_lanes(key, vec, sel, n) &&
				int64_clashes(table, key, vec, sel, n);
	}
}

/* --- values of first rows ----------------------------------------------------------------- */

static bool
equal_strings(const VexecTicketKey *key, const void *original, VexecString value)
{
	const char *data = VARDATA(original);
	uint32		len = VARSIZE(original) - VARHDRSZ;

	if (key->bpchar)
	{
		len = bpchartruelen(unconstify(char *, data), len);
		value.len = bpchartruelen(unconstify(char *, value.data), value.len);
	}
	return len == value.len && memcmp(data, value.data, len) == 0;
}

bool
vexec_tickets_verify(VexecTicketTable *table, int index, int row, uint32 ticket)
{
	bool		equal = true;

	for (int k = 0; equal && k < table->nkeys; k++)
	{
		VexecTicketKey *key = &table->keys[k];
		const VexecVector *vec = table->vectors[k];
		uint64		lane = key->lanes[index];
		int			r = value_row(vec, row);
		uint64		original;
		MemoryContext old_context;

		if (key->originals == NULL || lane == key->null_lane)
			continue;
		original = key->originals[ticket];
		switch (vec->kind)
		{
			case VEXEC_INT64:
				if (lane == VEXEC_LANE_INT64_CLASH)
					equal = (original == VEXEC_VALUES(vec, uint64)[r]);
				break;
			case VEXEC_STRING:
				if (lane & VEXEC_LANE_STRING_LONG)
					equal = equal_strings(key, (void *) (uintptr_t) original,
										  VEXEC_VALUES(vec, VexecString)[r]);
				break;
			case VEXEC_NUMERIC:
				if (!numeric_lane_inexact(lane))
					break;
				old_context = MemoryContextSwitchTo(table->scratch);
				equal = DatumGetBool(DirectFunctionCall2(numeric_eq, (Datum) original,
														 NumericGetDatum(row_numeric(vec, r))));
				MemoryContextSwitchTo(old_context);
				break;
			case VEXEC_DATUM:
				old_context = MemoryContextSwitchTo(table->scratch);
				equal = DatumGetBool(FunctionCall2Coll(&key->equal, key->type.collation,
													   (Datum) original,
													   VEXEC_VALUES(vec, Datum)[r]));
				MemoryContextSwitchTo(old_context);
				break;
			default:
				break;
		}
	}
	return equal;
}

static uint64
keep_pointer(const void *pointer)
{
	uint64		value = (uint64) (uintptr_t) pointer;

	/* User space is the lower half of the addresses. */
	Assert((value & VEXEC_ORIGINAL_SCALE) == 0);
	return value;
}

/* Space for a copy of a key. */
static char *
key_space(VexecTicketTable *table, Size size)
{
	table->key_bytes += MAXALIGN(size);
	return MemoryContextAlloc(table->key_memory, size);
}

static uint64
keep_string(VexecTicketTable *table, VexecString value)
{
	char	   *copy = key_space(table, VARHDRSZ + (Size) value.len);

	SET_VARSIZE(copy, VARHDRSZ + (Size) value.len);
	if (value.len > 0)
		memcpy(VARDATA(copy), value.data, value.len);
	return keep_pointer(copy);
}

static uint64
keep_numeric(VexecTicketTable *table, const VexecTicketKey *key, const VexecVector *vec, int row,
			 uint64 lane)
{
	Numeric		numeric;
	char	   *copy;

	if (vec->is_decimal && !numeric_lane_inexact(lane))
	{
		table->key_bytes += BUILT_NUMERIC_BYTES;
		table->unbuilt_bytes += BUILT_NUMERIC_BYTES;
		return VEXEC_ORIGINAL_SCALE | vec->scale;
	}
	numeric = row_numeric(vec, row);
	copy = key_space(table, VARSIZE(numeric));
	memcpy(copy, numeric, VARSIZE(numeric));
	return keep_pointer(copy);
}

static uint64
keep_datum(VexecTicketTable *table, const VexecTicketKey *key, Datum value)
{
	MemoryContext old_context;

	if (key->typbyval)
		return (uint64) value;
	old_context = MemoryContextSwitchTo(table->key_memory);
	value = datumCopy(value, false, key->typlen);
	MemoryContextSwitchTo(old_context);
	table->key_bytes += MAXALIGN(datumGetSize(value, false, key->typlen));
	return (uint64) value;
}

void
vexec_tickets_keep(VexecTicketTable *table, int row, uint32 ticket)
{
	for (int k = 0; k < table->nkeys; k++)
	{
		VexecTicketKey *key = &table->keys[k];
		const VexecVector *vec = table->vectors[k];
		int			r = value_row(vec, row);
		uint64		original;
		MemoryContext old_context;

		if (key->originals == NULL || vexec_is_null(vec, row))
			continue;
		switch (vec->kind)
		{
			case VEXEC_FLOAT4:
				original = VEXEC_VALUES(vec, uint32)[r];
				break;
			case VEXEC_FLOAT8:
			case VEXEC_INT64:
				original = VEXEC_VALUES(vec, uint64)[r];
				break;
			case VEXEC_STRING:
				original = keep_string(table, VEXEC_VALUES(vec, VexecString)[r]);
				break;
			case VEXEC_NUMERIC:
				old_context = MemoryContextSwitchTo(table->scratch);
				original = keep_numeric(table, key, vec, r,
										table->groups[ticket * (Size) table->nkeys + k]);
				MemoryContextSwitchTo(old_context);
				break;
			case VEXEC_DATUM:
				original = keep_datum(table, key, VEXEC_VALUES(vec, Datum)[r]);
				break;
			default:
				continue;
		}
		key->originals[ticket] = original;
	}
	if (unlikely(table->key_bytes > table->max_key_bytes))
		table->max_groups = Min(table->max_groups, ticket + 1);
}

/* A numeric key is built when it is asked for, and kept. */
static Datum
numeric_key(VexecTicketTable *table, VexecTicketKey *key, uint64 lane, uint32 ticket)
{
	uint64		original = key->originals[ticket];

	if (original & VEXEC_ORIGINAL_SCALE)
	{
		int			scale = (int) (original & ~VEXEC_ORIGINAL_SCALE);
		int64		value;
		MemoryContext old_context = MemoryContextSwitchTo(table->scratch);
		Numeric		numeric;
		char	   *copy;

		/* The value came from this scale. */
		if (!rescale((int64) lane, key->scale, scale, &value))
			elog(ERROR, "numeric key does not fit its scale");
		numeric = int64_div_fast_to_numeric(value, scale);
		copy = MemoryContextAlloc(table->key_memory, VARSIZE(numeric));
		memcpy(copy, numeric, VARSIZE(numeric));
		pfree(numeric);
		MemoryContextSwitchTo(old_context);
		table->unbuilt_bytes -= BUILT_NUMERIC_BYTES;
		key->originals[ticket] = original = keep_pointer(copy);
	}
	return (Datum) original;
}

Datum
vexec_tickets_key(VexecTicketTable *table, int k, uint32 ticket, bool *isnull)
{
	VexecTicketKey *key = &table->keys[k];
	uint64		lane;

	Assert(ticket < table->ngroups);
	lane = table->groups[ticket * (Size) table->nkeys + k];
	*isnull = (lane == key->null_lane);
	if (*isnull)
		return (Datum) 0;
	switch (key->type.kind)
	{
		case VEXEC_BOOL:
			return BoolGetDatum(lane != 0);
		case VEXEC_INT16:
			return Int16GetDatum((int16) lane);
		case VEXEC_INT32:
			return Int32GetDatum((int32) lane);
		case VEXEC_INT64:
			return Int64GetDatum((int64) (key->originals ? key->originals[ticket] : lane));
		case VEXEC_FLOAT4:
			{
				uint32		bits = (uint32) key->originals[ticket];
				float4		value;

				memcpy(&value, &bits, sizeof(value));
				return Float4GetDatum(value);
			}
		case VEXEC_FLOAT8:
			{
				float8		value;

				memcpy(&value, &key->originals[ticket], sizeof(value));
				return Float8GetDatum(value);
			}
		case VEXEC_NUMERIC:
			return numeric_key(table, key, lane, ticket);
		case VEXEC_STRING:
		case VEXEC_DATUM:
			return (Datum) key->originals[ticket];
	}
	pg_unreachable();
}
