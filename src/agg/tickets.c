/*-------------------------------------------------------------------------
 *
 * tickets.c
 *	  The ticket table: from grouping keys to dense group numbers.
 *
 * The loops over rows are in kernel_tickets.c; here are the table's life, its
 * growth, and whatever calls core's functions: keys of other types, numerics
 * beyond 62 bits, verifying, and the values of the groups' first rows.
 *
 * Equality is SQL's: numerics of other display scale, -0 and
 * 0, any two NaN and char(n) values that differ in trailing blanks are equal.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "agg/tickets.h"
#include "expr/isa.h"

#include "catalog/pg_type.h"
#include "common/int.h"
#include "miscadmin.h"
#include "port/pg_bitutils.h"
#include "utils/builtins.h"
#include "utils/datum.h"
#include "utils/fmgroids.h"
#include "utils/fmgrprotos.h"
#include "utils/lsyscache.h"
#include "utils/memutils.h"
#include "utils/numeric.h"
#include "utils/typcache.h"
#include "varatt.h"

#include "agg/numeric_digits.h"

/*
 * Slots are filled up to a share.  The branches of a probe are predicted worse
 * the fuller they are: 4.5 ns a row at 0.3, 6.5 at 0.5, 8.3 at 0.6.  Beyond the
 * second-level cache more slots cost misses instead.
 */
#define SMALL_SLOTS (64 * 1024)
#define MAX_FILL(nslots) ((nslots) / 8 * ((nslots) <= SMALL_SLOTS ? 3 : 5))

/* The estimate may be wrong by far: no more groups than this are prepared for. */
#define MAX_EXPECTED_GROUPS (1024 * 1024)

/* Groups between two looks for interrupts while the slots are built anew. */
#define REHASH_CHUNK 1024

/* The scale of numeric lanes is not guessed beyond this from mixed values. */
#define MAX_GUESSED_SCALE 9

#define NUMERIC_LANE_LIMIT (INT64CONST(1) << 62)

#ifdef PG_VEXEC_TEST
/* A test knob: every key hashes alike. */
bool		vexec_test_equal_hashes = false;
#define EQUAL_HASHES vexec_test_equal_hashes
#else
#define EQUAL_HASHES false
#endif

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

/* --- the table's life ----------------------------------------------------------- */

static const VexecTicketKernels *
ticket_kernels(void)
{
	static const VexecTicketKernels *const kernels[] = VEXEC_ISA_TABLE(vexec_ticket_kernels);

	return kernels[vexec_isa_level()];
}

static void
init_key(VexecTicketTable *table, VexecTicketKey *key, const VexecKeyType *type)
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

static void
create_slots(VexecTicketTable *table, uint64 nslots)
{
	table->nslots = nslots;
	table->shift = 64 - pg_leftmost_one_pos64(nslots);
	table->slots = MemoryContextAllocAligned(table->context, nslots * sizeof(VexecTicketSlot),
											 PG_CACHE_LINE_SIZE,
											 MCXT_ALLOC_HUGE | MCXT_ALLOC_ZERO);
}

static void *
resize_array(VexecTicketTable *table, void *array, Size size)
{
	return array == NULL ? MemoryContextAllocHuge(table->context, size) :
		repalloc_huge(array, size);
}

static bool
key_has_originals(const VexecTicketKey *key)
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

/* At most 2^31 tickets of at most 2^11 keys of 8 bytes: no overflow in Size. */
static void
set_capacity(VexecTicketTable *table, uint64 capacity)
{
	table->groups = resize_array(table, table->groups, capacity * table->nkeys * sizeof(uint64));
	for (int k = 0; k < table->nkeys; k++)
	{
		VexecTicketKey *key = &table->keys[k];

		if (key_has_originals(key))
			key->originals = resize_array(table, key->originals, capacity * sizeof(uint64));
	}
	table->capacity = capacity;
}

VexecTicketTable *
vexec_tickets_create(int nkeys, const VexecKeyType *keys, double expected_groups)
{
	VexecTicketTable *table = palloc0(sizeof(VexecTicketTable));
	uint64		nslots = 2 * VEXEC_BATCH_ROWS;
	uint64		room;

	Assert(nkeys >= 1);
	table->context = AllocSetContextCreate(CurrentMemoryContext, "vexec ticket table",
										   ALLOCSET_SMALL_SIZES);
	table->key_memory = BumpContextCreate(table->context, "vexec ticket keys",
										  ALLOCSET_DEFAULT_SIZES);
	table->scratch = AllocSetContextCreate(table->context, "vexec ticket scratch",
										   ALLOCSET_SMALL_SIZES);
	table->kernels = ticket_kernels();
	table->nkeys = nkeys;
	table->keys = MemoryContextAllocZero(table->context, nkeys * sizeof(VexecTicketKey));
	for (int k = 0; k < nkeys; k++)
		init_key(table, &table->keys[k], &keys[k]);
	table->hashes = MemoryContextAllocAligned(table->context, VEXEC_BATCH_ROWS * sizeof(uint64),
											  PG_CACHE_LINE_SIZE, 0);
	table->verify = MemoryContextAllocAligned(table->context, VEXEC_BATCH_ROWS,
											  PG_CACHE_LINE_SIZE, 0);

	/* Room for a batch of new groups is always there. */
	room = (uint64) Min(Max(expected_groups, 1), MAX_EXPECTED_GROUPS) + VEXEC_BATCH_ROWS;
	while (MAX_FILL(nslots) < room)
		nslots *= 2;
	create_slots(table, nslots);
	set_capacity(table, room);
	return table;
}

uint32
vexec_tickets_count(const VexecTicketTable *table)
{
	return table->ngroups;
}

Size
vexec_tickets_memory(const VexecTicketTable *table)
{
	return MemoryContextMemAllocated(table->context, true);
}

void
vexec_tickets_reset(VexecTicketTable *table)
{
	if (table->ngroups > 0)
		memset(table->slots, 0, table->nslots * sizeof(VexecTicketSlot));
	table->ngroups = 0;
	MemoryContextReset(table->key_memory);
	MemoryContextReset(table->scratch);
}

/* --- growth ----------------------------------------------------------------------- */

static void
override_hashes(uint64 *hashes, int n)
{
	for (int i = 0; i < n; i++)
		hashes[i] = UINT64CONST(0x0123456789ABCDEF);
}

/* The old slots go first: groups say all that the new ones need. */
static void
rebuild_slots(VexecTicketTable *table, uint64 nslots)
{
	uint64		mask = nslots - 1;

	pfree(table->slots);
	table->slots = NULL;
	create_slots(table, nslots);
	for (uint32 first = 0; first < table->ngroups; first += REHASH_CHUNK)
	{
		int			n = Min(REHASH_CHUNK, table->ngroups - first);
		uint64		hashes[REHASH_CHUNK];

		CHECK_FOR_INTERRUPTS();
		table->kernels->hash_groups(table, first, n, hashes);
		if (EQUAL_HASHES)
			override_hashes(hashes, n);
		for (int i = 0; i < n; i++)
			__builtin_prefetch(&table->slots[hashes[i] >> table->shift], 1);
		for (int i = 0; i < n; i++)
		{
			uint64		position = hashes[i] >> table->shift;

			while (table->slots[position].tag != 0)
				position = (position + 1) & mask;
			table->slots[position].tag = (uint32) hashes[i] | 1;
			table->slots[position].ticket = first + i;
		}
	}
}

/* Make room for n new groups. */
static void
reserve(VexecTicketTable *table, int n)
{
	uint64		needed = (uint64) table->ngroups + n;
	uint64		nslots = table->nslots;

	if (needed > VEXEC_MAX_GROUPS)
		ereport(ERROR,
				(errcode(ERRCODE_PROGRAM_LIMIT_EXCEEDED),
				 errmsg("too many groups for vectorized aggregation"),
				 errdetail("There can be at most %u groups.", (uint32) VEXEC_MAX_GROUPS)));
	if (needed > table->capacity)
		set_capacity(table, table->capacity * 2);
	while (needed > MAX_FILL(nslots))
		nslots *= 2;
	if (nslots > table->nslots)
		rebuild_slots(table, nslots);
}

void
vexec_tickets_long_probe(void)
{
	CHECK_FOR_INTERRUPTS();
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

		key->originals = resize_array(table, NULL, table->capacity * sizeof(uint64));
		for (uint32 ticket = 0; ticket < table->ngroups; ticket++)
			key->originals[ticket] = table->groups[ticket * (Size) table->nkeys + index];
		table->has_originals = true;
	}
	return inexact;
}

/* Fill the key's lanes; true if some are inexact, and then verify says which. */
static bool
key_lanes(VexecTicketTable *table, VexecTicketKey *key, const VexecVector *vec,
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

void
vexec_tickets_assign(VexecTicketTable *table, VexecVector *const *keys, const uint16 *sel, int n,
					 uint32 *tickets)
{
	bool		verify = false;

	if (n == 0)
		return;
	Assert(n <= VEXEC_BATCH_ROWS);
	CHECK_FOR_INTERRUPTS();
	reserve(table, n);
	table->vectors = keys;
	memset(table->verify, 0, n);
	for (int k = 0; k < table->nkeys; k++)
	{
		VexecTicketKey *key = &table->keys[k];

		if (!keys[k]->constant)
			verify |= key_lanes(table, key, keys[k], sel, n);
		else
		{
			uint8		verify_first = table->verify[0];
			bool		inexact = key_lanes(table, key, keys[k], NULL, 1);

			for (int i = 1; i < n; i++)
				key->lanes[i] = key->lanes[0];
			if (inexact)
				memset(table->verify, 1, n);
			else
				table->verify[0] = verify_first;
			verify |= inexact;
		}
	}
	table->kernels->hash_rows(table, n);
	if (EQUAL_HASHES)
		override_hashes(table->hashes, n);
	table->kernels->resolve(table, sel, n, verify, tickets);
	table->vectors = NULL;
	MemoryContextReset(table->scratch);
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

static uint64
keep_string(VexecTicketTable *table, VexecString value)
{
	char	   *copy = MemoryContextAlloc(table->key_memory, VARHDRSZ + (Size) value.len);

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
		return VEXEC_ORIGINAL_SCALE | vec->scale;
	numeric = row_numeric(vec, row);
	copy = MemoryContextAlloc(table->key_memory, VARSIZE(numeric));
	memcpy(copy, numeric, VARSIZE(numeric));
	return keep_pointer(copy);
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
				old_context = MemoryContextSwitchTo(table->key_memory);
				original = (uint64) datumCopy(VEXEC_VALUES(vec, Datum)[r], key->typbyval,
											  key->typlen);
				MemoryContextSwitchTo(old_context);
				break;
			default:
				continue;
		}
		key->originals[ticket] = original;
	}
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

/* --- the planner's estimate ------------------------------------------------------------------ */

/* Doubling arrays are between half full and full: three quarters on average. */
#define ARRAY_SLACK(bytes) ((bytes) * 4 / 3)

/* What the buffer of a string extreme is taken to need. */
#define EXTREME_BYTES 48

Size
vexec_group_size_estimate(int nkeys, const VexecKeyType *keys, const int32 *widths,
						  int ntransitions, const VexecTransition *const *transitions)
{
	/* Large tables' slots are between 5/16 and 5/8 full. */
	Size		size = sizeof(VexecTicketSlot) * 16 / 7;

	for (int k = 0; k < nkeys; k++)
	{
		Size		width = Max(widths[k], 0);

		size += ARRAY_SLACK(sizeof(uint64));
		switch (keys[k].kind)
		{
			case VEXEC_FLOAT4:
			case VEXEC_FLOAT8:
				size += ARRAY_SLACK(sizeof(uint64));
				break;
			case VEXEC_STRING:
			case VEXEC_DATUM:
			case VEXEC_NUMERIC:
				size += ARRAY_SLACK(sizeof(uint64)) + MAXALIGN(VARHDRSZ + width);
				break;
			default:
				break;
		}
	}
	for (int i = 0; i < ntransitions; i++)
	{
		size += ARRAY_SLACK(transitions[i]->state_size);
		if (transitions[i]->arg == VEXEC_STRING)
			size += EXTREME_BYTES;
	}
	return size;
}
