/*-------------------------------------------------------------------------
 *
 * vexec_kernel_test.c
 *	  Compare every kernel with the function that it stands for.
 *
 * Vectors are made from random and extreme values, with nulls, constants and
 * selections of all densities; each selected row is then computed by the
 * function through fmgr.  Values outside the selection and pointers at null
 * rows are poison, so that a kernel which looks at them is found out.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include <float.h>
#include <math.h>
#include <sys/mman.h>
#include <unistd.h>

#include "catalog/pg_collation_d.h"
#include "catalog/pg_type_d.h"
#include "common/pg_prng.h"
#include "batch/isa.h"
#include "expr/kernel_families.h"
#include "fmgr.h"
#include "funcapi.h"
#include "miscadmin.h"
#include "nodes/makefuncs.h"
#include "portability/instr_time.h"
#include "utils/builtins.h"
#include "utils/date.h"
#include "utils/float.h"
#include "utils/lsyscache.h"
#include "utils/memutils.h"
#include "utils/numeric.h"
#include "utils/timestamp.h"
#include "varatt.h"

PG_MODULE_MAGIC;

PG_FUNCTION_INFO_V1(vexec_kernel_test);
PG_FUNCTION_INFO_V1(vexec_kernel_isa);
PG_FUNCTION_INFO_V1(vexec_kernel_time);

/* Normally a setting of the extension. */
int			vexec_isa = VEXEC_ISA_V4;

typedef struct Tally
{
	int64		batches;
	int64		rows;
	int64		stops;
	int64		early;
	int64		wrong;
	char	   *first_wrong;
} Tally;

static pg_prng_state prng;

static int
random_below(int n)
{
	return (int) pg_prng_uint64_range(&prng, 0, n - 1);
}

static bool
chance(int percent)
{
	return random_below(100) < percent;
}

/*
 * How the values of a batch are spread.
 */
typedef struct Spread
{
	int			edge_percent;	/* extreme values */
	int			bits;			/* other integers are below 2^bits */
	int			scale;			/* NUMERIC: decimal of this scale, or -1 */
	bool		positive;		/* few values below zero */
} Spread;

static int64
random_int(const Spread *spread, int64 low, int64 high)
{
	static const int64 edges[] = {
		0, 1, -1, 2, -2, 10, -10, 100,
		PG_INT16_MIN, PG_INT16_MIN + 1, PG_INT16_MAX, PG_INT16_MAX + 1,
		PG_INT32_MIN, PG_INT32_MIN + INT64CONST(1), PG_INT32_MAX, PG_INT32_MAX + INT64CONST(1),
		INT64CONST(-2147483649), INT64CONST(46341), INT64CONST(3037000500),
		PG_INT64_MIN, PG_INT64_MIN + 1, PG_INT64_MAX, PG_INT64_MAX - 1,
		INT64CONST(4611686018427387904), INT64CONST(1000000000000000000)
	};
	int64		v;

	if (chance(spread->edge_percent))
	{
		switch (random_below(6))
		{
			case 0:
				return low;
			case 1:
				return high;
			default:
				v = edges[random_below(lengthof(edges))];
				return (v < low || v > high) ? low + 1 : v;
		}
	}
	v = (int64) (pg_prng_uint64(&prng) & ((UINT64CONST(1) << spread->bits) - 1));
	if (!spread->positive && chance(50))
		v = -v;
	return (v < low || v > high) ? v % (high / 2) : v;
}

static float8
random_float(const Spread *spread)
{
	static const float8 edges[] = {
		0.0, -0.0, 1.0, -1.0, 0.5, 1.5, 2.5, -0.5, -1.5, -2.5, 0.49999999999999994,
		32767.5, 32767.4, 32768.0, -32768.5, -32768.6, -32769.0,
		2147483647.0, 2147483647.5, 2147483648.0, -2147483648.0, -2147483648.5, -2147483649.0,
		9223372036854774784.0, 9223372036854775808.0, -9223372036854775808.0,
		-9223372036854777856.0, 4503599627370497.5, 9007199254740993.0,
		DBL_MAX, -DBL_MAX, DBL_MIN, -DBL_MIN, 4.9406564584124654e-324, -4.9406564584124654e-324,
		FLT_MAX, -FLT_MAX, FLT_MIN, 1.4012984643248171e-45, 7.006492321624085e-46, 1e-46,
		3.4028235677973366e+38, 3.4028235677973362e+38, 1e-200, 1e200, 1e-30, 1e30,
		INFINITY, -INFINITY, NAN, NAN
	};

	if (chance(spread->edge_percent))
		return edges[random_below(lengthof(edges))];
	if (chance(50))
		return (float8) random_int(spread, PG_INT32_MIN, PG_INT32_MAX) / 4;
	return (pg_prng_double(&prng) - (spread->positive ? 0 : 0.5)) * 1000;
}

static Numeric
numeric_from_cstring(const char *s)
{
	return DatumGetNumeric(DirectFunctionCall3(numeric_in, CStringGetDatum(s),
											   ObjectIdGetDatum(InvalidOid), Int32GetDatum(-1)));
}

static Numeric
random_numeric_value(const Spread *spread)
{
	static const char *const edges[] = {
		"0", "0.00", "0.0000000000000000000000", "1", "-1", "1.00", "1.000000000000000000000000",
		"NaN", "Infinity", "-Infinity", "9223372036854775807", "-9223372036854775808",
		"9223372036854775807.4", "9223372036854775807.5", "9223372036854775808",
		"-9223372036854775808.5", "-9223372036854775808.4", "-9223372036854775809",
		"32767.4999", "32767.5", "-32768.5", "-32768.4999", "2147483647.5", "2147483647.49",
		"-2147483648.5", "-2147483648.49", "0.5", "-0.5", "1.5", "2.5", "0.05", "0.005",
		"99.995", "999.995", "9999.5", "99999999.995", "999999999999.999999999999",
		"123456789012345678901234567890.123456789", "0.000000000000000000000000001",
		"1e1000", "-1e1000", "1e-1000", "1e300", "1.7976931348623157e308", "1e308", "1e309",
		"1e-320", "1e-325", "3.4e38", "1e39", "1e-44", "1e-46", "1e131071", "9e131071", "1e100000",
		"1e-16383", "1e65536"
	};
	char		buffer[128];

	if (chance(spread->edge_percent))
		return numeric_from_cstring(edges[random_below(lengthof(edges))]);
	if (chance(50))
		return int64_div_fast_to_numeric(random_int(spread, PG_INT64_MIN, PG_INT64_MAX),
										 random_below(20));
	snprintf(buffer, sizeof(buffer), "%s%d%08d.%0*d", chance(50) ? "-" : "",
			 random_below(100000), random_below(100000000), 1 + random_below(8),
			 random_below(1000));
	return numeric_from_cstring(buffer);
}

static const char *const letters[] = {
	"a", "b", "ab", "c", " ", "\303\251", "\342\202\254", "A", "%"
};

/* A string over a small alphabet; pieces of a pattern if wanted. */
static void
random_string(StringInfo buf, const Spread *spread, bool pattern)
{
	const int	pieces = chance(10) ? 0 : chance(10) ? random_below(80) : random_below(9);

	for (int i = 0; i < pieces; i++)
	{
		if (pattern && chance(25))
			appendStringInfoString(buf, "%");
		else if (pattern && chance(15))
			appendStringInfoString(buf, "_");
		else if (pattern && chance(5))
			appendStringInfoString(buf, chance(50) ? "\\%" : "\\_");
		else if (pattern && chance(2))
			appendStringInfoString(buf, "\\\\");
		else
			appendStringInfoString(buf, letters[random_below(lengthof(letters))]);
	}
	if (pattern && chance(1))
		appendStringInfoChar(buf, '\\');
	if (!pattern && chance(30))
		appendStringInfoSpaces(buf, random_below(20));
}

/* A random value of a type; NUMERIC as a pointer. */
static Datum
random_value(Oid type, const Spread *spread)
{
	static const DateADT dates[] = {
		DATEVAL_NOBEGIN, DATEVAL_NOEND, DATETIME_MIN_JULIAN - POSTGRES_EPOCH_JDATE,
		DATE_END_JULIAN - POSTGRES_EPOCH_JDATE - 1, TIMESTAMP_END_JULIAN - POSTGRES_EPOCH_JDATE,
		TIMESTAMP_END_JULIAN - POSTGRES_EPOCH_JDATE - 1, 0, -1, 1
	};
	static const Timestamp timestamps[] = {
		DT_NOBEGIN, DT_NOEND, MIN_TIMESTAMP, END_TIMESTAMP - 1, 0, -1, 1,
		USECS_PER_DAY, USECS_PER_DAY - 1, -USECS_PER_DAY, -USECS_PER_DAY - 1
	};
	StringInfoData buf;

	switch (type)
	{
		case BOOLOID:
			return BoolGetDatum(chance(50));
		case INT2OID:
			return Int16GetDatum((int16) random_int(spread, PG_INT16_MIN, PG_INT16_MAX));
		case INT4OID:
			return Int32GetDatum((int32) random_int(spread, PG_INT32_MIN, PG_INT32_MAX));
		case INT8OID:
			return Int64GetDatum(random_int(spread, PG_INT64_MIN, PG_INT64_MAX));
		case FLOAT4OID:
			return Float4GetDatum((float4) random_float(spread));
		case FLOAT8OID:
			return Float8GetDatum(random_float(spread));
		case DATEOID:
			if (chance(spread->edge_percent))
				return DateADTGetDatum(dates[random_below(lengthof(dates))]);
			return DateADTGetDatum(random_below(20000) - 5000);
		case TIMESTAMPOID:
		case TIMESTAMPTZOID:
			if (chance(spread->edge_percent))
				return TimestampGetDatum(timestamps[random_below(lengthof(timestamps))]);
			return TimestampGetDatum((random_below(20000) - 5000) * USECS_PER_DAY +
									 (chance(50) ? 0 : random_below(1000000000)));
		case NUMERICOID:
			return NumericGetDatum(random_numeric_value(spread));
		case TEXTOID:
		case VARCHAROID:
		case BPCHAROID:
			initStringInfo(&buf);
			random_string(&buf, spread, false);
			return PointerGetDatum(cstring_to_text_with_len(buf.data, buf.len));
		default:
			elog(ERROR, "no values for type %u", type);
	}
	return (Datum) 0;
}

/* The constant that a prepare function wants. */
static Datum
random_prepared(const VexecKernel *kernel, Oid type, const Spread *spread)
{
	StringInfoData buf;

	if (kernel->args[1] == VEXEC_STRING)
	{
		initStringInfo(&buf);
		random_string(&buf, spread, true);
		return PointerGetDatum(cstring_to_text_with_len(buf.data, buf.len));
	}
	/* a scale, which also is a typmod of no meaning; or a true typmod */
	if (chance(50))
		return Int32GetDatum(chance(70) ? random_below(6) : random_below(90) - 45);
	return Int32GetDatum((((1 + random_below(chance(70) ? 20 : 40)) << 16) |
						  ((random_below(chance(70) ? 6 : 30) - (chance(20) ? 5 : 0)) & 0x7FF)) +
						 VARHDRSZ);
}

/*
 * Poison for rows that nobody may look at.
 */
static void
poison(VexecVector *vec, int row)
{
	switch (vec->kind)
	{
		case VEXEC_STRING:
			VEXEC_VALUES(vec, VexecString)[row].data = (const char *) 1;
			VEXEC_VALUES(vec, VexecString)[row].len = 77777;
			break;
		case VEXEC_NUMERIC:
			VEXEC_VALUES(vec, int64)[row] = vec->is_decimal ?
				(chance(50) ? 7 : (int64) pg_prng_uint64(&prng)) : 1;
			break;
		case VEXEC_BOOL:
			VEXEC_VALUES(vec, uint8)[row] = chance(50);
			break;
		case VEXEC_DATUM:
			break;
		default:
			for (int i = 0; i < vexec_kind_width(vec->kind); i++)
				((uint8 *) vec->values)[row * vexec_kind_width(vec->kind) + i] =
					(uint8) pg_prng_uint32(&prng);
			break;
	}
}

/*
 * Strings lie on pages of their own between pages that cannot be read, at the
 * beginning or at the end, so that a kernel which reads past either is found
 * out.
 */
#define GUARDED_STRINGS (2 * VEXEC_BATCH_ROWS)

static int	guarded_used = 0;

static VexecString
guarded_string(VexecString s)
{
	static char *pages = NULL;
	const Size	page = sysconf(_SC_PAGESIZE);
	char	   *data;

	if (pages == NULL)
	{
		pages = mmap(NULL, (GUARDED_STRINGS * 2 + 1) * page, PROT_NONE,
					 MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
		if (pages == MAP_FAILED)
			elog(ERROR, "could not map memory: %m");
		for (int i = 0; i < GUARDED_STRINGS; i++)
		{
			if (mprotect(pages + (i * 2 + 1) * page, page, PROT_READ | PROT_WRITE) != 0)
				elog(ERROR, "could not protect memory: %m");
		}
	}
	if (s.len > page || guarded_used == GUARDED_STRINGS)
		return s;
	data = pages + (guarded_used++ * 2 + 1) * page;
	if (chance(50))
		data += page - s.len;
	memcpy(data, s.data, s.len);
	s.data = data;
	return s;
}

static void
store(VexecVector *vec, int row, Oid type, const Spread *spread)
{
	if (vec->kind == VEXEC_NUMERIC && vec->is_decimal)
	{
		if (vec->has_nulls)
			vexec_clear_null(vec, row);
		VEXEC_VALUES(vec, int64)[row] = random_int(spread, PG_INT64_MIN, PG_INT64_MAX);
	}
	else
		vexec_vector_store(vec, row, type, random_value(type, spread), false);
	if (vec->kind == VEXEC_STRING)
		VEXEC_VALUES(vec, VexecString)[row] = guarded_string(VEXEC_VALUES(vec, VexecString)[row]);
}

static VexecVector *
random_vector(VexecKind kind, Oid type, bool constant, const Spread *spread, int null_percent,
			  int nrows, const bool *selected)
{
	VexecVector *vec = vexec_vector_create(kind, constant);

	vec->is_decimal = (kind == VEXEC_NUMERIC && spread->scale >= 0);
	vec->scale = vec->is_decimal ? spread->scale : 0;
	for (int row = 0; row < (constant ? 1 : VEXEC_BATCH_ROWS); row++)
	{
		if (!constant && (row >= nrows || !selected[row]))
			poison(vec, row);
		else if (!constant && chance(null_percent))
		{
			vexec_vector_store(vec, row, type, (Datum) 0, true);
			if (vec->kind != VEXEC_STRING)
				poison(vec, row);
		}
		else
			store(vec, row, type, spread);
	}
	return vec;
}

/* The function's value, or false when it raises. */
static bool
call_function(FmgrInfo *flinfo, Oid collation, int nargs, const Datum *args, Datum *result,
			  MemoryContext context)
{
	volatile bool fine = true;

	PG_TRY();
	{
		*result = (nargs == 1) ? FunctionCall1Coll(flinfo, collation, args[0]) :
			FunctionCall2Coll(flinfo, collation, args[0], args[1]);
	}
	PG_CATCH();
	{
		MemoryContextSwitchTo(context);
		FlushErrorState();
		fine = false;
	}
	PG_END_TRY();
	return fine;
}

static bool
same_value(const VexecVector *vec, int row, Oid type, Datum expected)
{
	bool		isnull;
	Datum		value = vexec_vector_fetch(vec, row, type, &isnull);

	if (isnull)
		return false;
	switch (vec->kind)
	{
		case VEXEC_BOOL:
			return VEXEC_VALUES(vec, uint8)[row] == (DatumGetBool(expected) ? 1 : 0);
		case VEXEC_FLOAT4:
			if (isnan(DatumGetFloat4(value)) && isnan(DatumGetFloat4(expected)))
				return true;
			return DatumGetInt32(value) == DatumGetInt32(expected);
		case VEXEC_FLOAT8:
			if (isnan(DatumGetFloat8(value)) && isnan(DatumGetFloat8(expected)))
				return true;
			return memcmp(VEXEC_VALUES(vec, float8) + row, &(float8){DatumGetFloat8(expected)},
						  sizeof(float8)) == 0;
		case VEXEC_NUMERIC:
		case VEXEC_STRING:
			return VARSIZE_ANY_EXHDR(DatumGetPointer(value)) ==
				VARSIZE_ANY_EXHDR(DatumGetPointer(expected)) &&
				memcmp(VARDATA_ANY(DatumGetPointer(value)), VARDATA_ANY(DatumGetPointer(expected)),
					   VARSIZE_ANY_EXHDR(DatumGetPointer(value))) == 0;
		default:
			return value == expected;
	}
}

static char *
value_text(Oid type, Datum value)
{
	Oid			output;
	bool		varlena;

	getTypeOutputInfo(type, &output, &varlena);
	return psprintf("%.80s", OidOutputFunctionCall(output, value));
}

static void
note_wrong(Tally *tally, MemoryContext context, const char *what, int row, int nargs,
		   const Oid *types, const Datum *args, Oid rettype, const VexecVector *vec,
		   const Datum *expected)
{
	bool		isnull;

	tally->wrong++;
	if (tally->first_wrong != NULL)
		return;
	tally->first_wrong =
		MemoryContextStrdup(context,
							psprintf("%s at row %d: (%s%s%s) gives %s, expected %s", what, row,
									 value_text(types[0], args[0]), nargs > 1 ? ", " : "",
									 nargs > 1 ? value_text(types[1], args[1]) : "",
									 vec ? value_text(rettype, vexec_vector_fetch(vec, row, rettype,
																				  &isnull)) : "-",
									 expected ? value_text(rettype, *expected) : "error"));
}

/* The rows of a random selection; all rows when NULL is returned. */
static const uint16 *
random_selection(uint16 *rows, bool *selected, int nrows, int *n)
{
	const int	percent = (int[]) {100, 0, 3, 20, 30, 90, 99}[random_below(7)];

	*n = 0;
	if (percent == 100)
	{
		memset(selected, true, nrows);
		*n = nrows;
		return NULL;
	}
	for (int row = 0; row < nrows; row++)
	{
		selected[row] = chance(percent);
		if (selected[row])
			rows[(*n)++] = row;
	}
	return rows;
}

/* One batch through a kernel and, row by row, through its function. */
static void
test_batch(const VexecKernel *kernel, FmgrInfo *flinfo, Oid collation, const Oid *types,
		   Oid rettype, Tally *tally, MemoryContext keep)
{
	static const int edge_percents[] = {0, 0, 1, 20, 60};
	static const int null_percents[] = {0, 0, 5, 90};
	VexecKernelCall call = {0};
	VexecVector *arg[2] = {NULL, NULL};
	uint16		rows[VEXEC_BATCH_ROWS];
	bool		selected[VEXEC_BATCH_ROWS];
	const int	nrows = chance(50) ? VEXEC_BATCH_ROWS : 1 + random_below(VEXEC_BATCH_ROWS);
	int			constant = (kernel->nargs == 2) ? random_below(3) - 1 : -1;
	Datum		prepared_value = (Datum) 0;
	Spread		spread[2];
	uint64		nulls[VEXEC_NULL_WORDS];
	int			stop;
	MemoryContext context = CurrentMemoryContext;

	guarded_used = 0;
	call.sel = random_selection(rows, selected, nrows, &call.n);
	for (int i = 0; i < 2; i++)
	{
		spread[i].edge_percent = edge_percents[random_below(lengthof(edge_percents))];
		spread[i].bits = 1 + random_below(chance(40) ? 7 : chance(50) ? 30 : 62);
		spread[i].positive = chance(30);
		spread[i].scale = chance(30) ? -1 : chance(60) ? random_below(5) :
			random_below(VEXEC_MAX_SCALE + 1);
	}
	if (kernel->prepare != NULL)
	{
		Const	   *value = NULL;

		if (kernel->nargs == 2)
		{
			constant = 1;
			prepared_value = random_prepared(kernel, types[1], &spread[1]);
			value = makeConst(types[1], -1, collation, get_typlen(types[1]), prepared_value, false,
							  get_typbyval(types[1]));
		}
		if (!kernel->prepare(value, &call.prepared))
			return;
	}
	for (int i = 0; i < kernel->nargs; i++)
	{
		arg[i] = random_vector(kernel->args[i], types[i], i == constant, &spread[i],
							   null_percents[random_below(lengthof(null_percents))], nrows,
							   selected);
		if (i == constant && kernel->prepare != NULL)
		{
			arg[i]->is_decimal = false;
			vexec_vector_store(arg[i], 0, types[i], prepared_value, false);
		}
		call.arg[i] = arg[i];
	}

	call.result = vexec_vector_create(kernel->result, false);
	for (int row = 0; row < VEXEC_BATCH_ROWS; row++)
		poison(call.result, row);
	for (int i = 0; i < kernel->nargs; i++)
	{
		if (!arg[i]->has_nulls)
			continue;
		call.result->has_nulls = true;
		for (int w = 0; w < VEXEC_NULL_WORDS; w++)
			call.result->nulls[w] |= arg[i]->nulls[w];
	}
	if (!call.result->has_nulls)
		memset(call.result->nulls, 0xFF, sizeof(nulls));
	memcpy(nulls, call.result->nulls, sizeof(nulls));
	call.nrows = nrows;
	call.stop = stop = chance(90) ? nrows : random_below(nrows);
	call.memory = CurrentMemoryContext;

	kernel->run(&call);

	tally->batches++;
	if (memcmp(nulls, call.result->nulls, sizeof(nulls)) != 0 || call.stop > stop ||
		call.stop < 0 || call.result->kind != kernel->result)
	{
		tally->wrong++;
		if (tally->first_wrong == NULL)
			tally->first_wrong = MemoryContextStrdup(keep, "nulls, kind or stop of the call");
		return;
	}
	if (call.stop < stop && !(kernel->flags & VEXEC_KERNEL_CAN_STOP))
	{
		tally->wrong++;
		if (tally->first_wrong == NULL)
			tally->first_wrong = MemoryContextStrdup(keep, "stop without VEXEC_KERNEL_CAN_STOP");
		return;
	}
	if (call.stop < stop && (!selected[call.stop] || vexec_is_null(call.result, call.stop)))
	{
		tally->wrong++;
		if (tally->first_wrong == NULL)
			tally->first_wrong = MemoryContextStrdup(keep, "stop at a row without value");
		return;
	}

	for (int k = 0; k < call.n; k++)
	{
		const int	row = call.sel ? call.sel[k] : k;
		Datum		args[2] = {0};
		Datum		expected = (Datum) 0;
		bool		isnull;
		bool		fine;

		if (row > call.stop || row >= stop)
			break;
		if (vexec_is_null(call.result, row))
			continue;
		for (int i = 0; i < kernel->nargs; i++)
			args[i] = vexec_vector_fetch(arg[i], row, types[i], &isnull);
		fine = call_function(flinfo, collation, kernel->nargs, args, &expected, context);
		if (row == call.stop)
		{
			tally->stops += !fine;
			tally->early += fine;
			break;
		}
		tally->rows++;
		if (!fine)
			note_wrong(tally, keep, "missed error", row, kernel->nargs, types, args, rettype,
					   call.result, NULL);
		else if (!same_value(call.result, row, rettype, expected))
			note_wrong(tally, keep, "wrong value", row, kernel->nargs, types, args, rettype,
					   call.result, &expected);
	}
}

static void
test_kernel(const VexecKernel *kernel, int batches, Tally *tally)
{
	MemoryContext keep = CurrentMemoryContext;
	MemoryContext work = AllocSetContextCreate(keep, "kernel test", ALLOCSET_DEFAULT_SIZES);
	FmgrInfo	flinfo;
	Oid		   *types;
	int			nargs;
	Oid			rettype = get_func_signature(kernel->function, &types, &nargs);
	const Oid	collation = (kernel->flags & VEXEC_KERNEL_COLLATE_C) ? C_COLLATION_OID :
		DEFAULT_COLLATION_OID;
	bool		fits = (nargs == kernel->nargs &&
						vexec_kind_of_type(rettype) == kernel->result);

	for (int i = 0; i < nargs && i < kernel->nargs; i++)
		fits = fits && vexec_kind_of_type(types[i]) == kernel->args[i];
	if (!fits || vexec_kernel_lookup(kernel->function) == NULL ||
		vexec_kernel_lookup(kernel->function)->function != kernel->function)
	{
		tally->wrong++;
		tally->first_wrong = pstrdup("the kernel's types are not the function's");
		return;
	}
	fmgr_info(kernel->function, &flinfo);

	for (int i = 0; i < batches; i++)
	{
		MemoryContextSwitchTo(work);
		test_batch(kernel, &flinfo, collation, types, rettype, tally, keep);
		MemoryContextSwitchTo(keep);
		MemoryContextReset(work);
		CHECK_FOR_INTERRUPTS();
	}
	MemoryContextDelete(work);
}

/*
 * IN lists, against comparing with every element.
 */
static bool
element_equal(VexecKind kind, bool bpchar, const VexecVector *list, int i, const VexecVector *vec,
			  int row)
{
	VexecString a;
	VexecString b;

	switch (kind)
	{
		case VEXEC_INT16:
			return VEXEC_VALUES(list, int16)[i] == VEXEC_VALUES(vec, int16)[row];
		case VEXEC_INT32:
			return VEXEC_VALUES(list, int32)[i] == VEXEC_VALUES(vec, int32)[row];
		case VEXEC_INT64:
			return VEXEC_VALUES(list, int64)[i] == VEXEC_VALUES(vec, int64)[row];
		default:
			a = VEXEC_VALUES(list, VexecString)[i];
			b = VEXEC_VALUES(vec, VexecString)[row];
			if (bpchar)
				return bpchartruelen(unconstify(char *, a.data), a.len) ==
					bpchartruelen(unconstify(char *, b.data), b.len) &&
					memcmp(a.data, b.data, bpchartruelen(unconstify(char *, a.data), a.len)) == 0;
			return a.len == b.len && memcmp(a.data, b.data, a.len) == 0;
	}
}

static void
test_inlist(VexecKind kind, Oid type, bool bpchar, int batches, Tally *tally)
{
	MemoryContext keep = CurrentMemoryContext;
	MemoryContext work = AllocSetContextCreate(keep, "kernel test", ALLOCSET_DEFAULT_SIZES);

	for (int i = 0; i < batches; i++)
	{
		VexecKernelCall call = {0};
		VexecVector *list;
		VexecVector *vec;
		VexecInList *inlist;
		uint16		rows[VEXEC_BATCH_ROWS];
		bool		selected[VEXEC_BATCH_ROWS];
		bool		all[VEXEC_BATCH_ROWS];
		const int	nrows = 1 + random_below(VEXEC_BATCH_ROWS);
		const int	count = chance(70) ? random_below(12) : random_below(VEXEC_BATCH_ROWS);
		Spread		spread = {.edge_percent = chance(50) ? 0 : 20,.bits = 1 + random_below(15)};

		MemoryContextSwitchTo(work);
		guarded_used = 0;
		memset(all, true, sizeof(all));
		list = random_vector(kind, type, false, &spread, 0, VEXEC_BATCH_ROWS, all);
		call.sel = random_selection(rows, selected, nrows, &call.n);
		vec = random_vector(kind, type, false, &spread, 0, nrows, selected);
		inlist = vexec_inlist_create(kind, bpchar, list->values, count);
		call.arg[0] = vec;
		call.result = vexec_vector_create(VEXEC_BOOL, false);
		call.nrows = nrows;
		call.stop = nrows;
		call.memory = work;
		vexec_inlist_run(inlist, &call);
		tally->batches++;
		for (int k = 0; k < call.n; k++)
		{
			const int	row = call.sel ? call.sel[k] : k;
			bool		found = false;

			for (int e = 0; e < count && !found; e++)
				found = element_equal(kind, bpchar, list, e, vec, row);
			tally->rows++;
			if (VEXEC_VALUES(call.result, uint8)[row] != (found ? 1 : 0))
			{
				tally->wrong++;
				if (tally->first_wrong == NULL)
					tally->first_wrong =
						MemoryContextStrdup(keep, psprintf("row %d of a list of %d", row, count));
			}
		}
		MemoryContextSwitchTo(keep);
		MemoryContextReset(work);
	}
	MemoryContextDelete(work);
}

static void
put_tally(ReturnSetInfo *rsinfo, const char *family, const char *function, const Tally *tally)
{
	Datum		values[8];
	bool		nulls[8] = {0};

	values[0] = CStringGetTextDatum(family);
	values[1] = CStringGetTextDatum(function);
	values[2] = Int64GetDatum(tally->batches);
	values[3] = Int64GetDatum(tally->rows);
	values[4] = Int64GetDatum(tally->stops);
	values[5] = Int64GetDatum(tally->early);
	values[6] = Int64GetDatum(tally->wrong);
	nulls[7] = (tally->first_wrong == NULL);
	if (!nulls[7])
		values[7] = CStringGetTextDatum(tally->first_wrong);
	tuplestore_putvalues(rsinfo->setResult, rsinfo->setDesc, values, nulls);
}

Datum
vexec_kernel_test(PG_FUNCTION_ARGS)
{
	static const struct
	{
		const char *name;
		VexecKind	kind;
		Oid			type;
		bool		bpchar;
	}			inlists[] = {
		{"int2", VEXEC_INT16, INT2OID, false},
		{"int4", VEXEC_INT32, INT4OID, false},
		{"int8", VEXEC_INT64, INT8OID, false},
		{"text", VEXEC_STRING, TEXTOID, false},
		{"bpchar", VEXEC_STRING, BPCHAROID, true}
	};
	ReturnSetInfo *rsinfo = (ReturnSetInfo *) fcinfo->resultinfo;
	const int	batches = PG_GETARG_INT32(2);
	int			nfamilies;
	const VexecKernelFamily *const *families;

	InitMaterializedSRF(fcinfo, 0);
	vexec_isa = PG_GETARG_INT32(0);
	pg_prng_seed(&prng, (uint64) PG_GETARG_INT64(1));
	families = vexec_kernel_families(&nfamilies);
	for (int i = 0; i < nfamilies; i++)
	{
		for (const VexecKernel *k = families[i]->kernels; OidIsValid(k->function); k++)
		{
			Tally		tally = {0};

			test_kernel(k, batches, &tally);
			put_tally(rsinfo, families[i]->name,
					  DatumGetCString(DirectFunctionCall1(regprocedureout,
														  ObjectIdGetDatum(k->function))), &tally);
		}
	}
	for (int i = 0; i < lengthof(inlists); i++)
	{
		Tally		tally = {0};

		test_inlist(inlists[i].kind, inlists[i].type, inlists[i].bpchar, batches, &tally);
		put_tally(rsinfo, "IN lists", inlists[i].name, &tally);
	}
	return (Datum) 0;
}

Datum
vexec_kernel_isa(PG_FUNCTION_ARGS)
{
	vexec_isa = VEXEC_ISA_V4;
	PG_RETURN_INT32(vexec_isa_level());
}

/*
 * Time of one kernel over values that raise nothing; every n-th row selected.
 */
Datum
vexec_kernel_time(PG_FUNCTION_ARGS)
{
	const int	loops = 2000;
	const VexecKernel *kernel;
	const int	step = PG_GETARG_INT32(3);
	Oid		   *types;
	int			nargs;
	Oid			rettype;
	VexecKernelCall call = {0};
	bool		all[VEXEC_BATCH_ROWS];
	uint16		rows[VEXEC_BATCH_ROWS];
	Spread		spread = {.bits = 12,.scale = 2};
	instr_time	start;
	instr_time	end;

	vexec_isa = PG_GETARG_INT32(0);
	kernel = vexec_kernel_lookup(PG_GETARG_OID(1));
	if (kernel == NULL)
		elog(ERROR, "no kernel");
	rettype = get_func_signature(kernel->function, &types, &nargs);
	(void) rettype;
	memset(all, true, sizeof(all));
	for (int i = 0; i < nargs; i++)
	{
		VexecVector *vec = random_vector(kernel->args[i], types[i],
										 i == 1 && (PG_GETARG_BOOL(2) || kernel->prepare), &spread,
										 0, VEXEC_BATCH_ROWS, all);

		call.arg[i] = vec;
		if (i == 1 && kernel->prepare)
		{
			Datum		value = random_prepared(kernel, types[1], &spread);

			if (kernel->args[1] == VEXEC_STRING)
				value = CStringGetTextDatum("%ab%");
			vec->is_decimal = false;
			vexec_vector_store(vec, 0, types[1], value, false);
			(void) kernel->prepare(makeConst(types[1], -1, DEFAULT_COLLATION_OID,
											 get_typlen(types[1]), value, false,
											 get_typbyval(types[1])), &call.prepared);
		}
		/* no division by zero */
		if (i == 1)
		{
			for (int row = 0; row < (vec->constant ? 1 : VEXEC_BATCH_ROWS); row++)
			{
				if (vec->kind == VEXEC_INT16)
					VEXEC_VALUES(vec, int16)[row] |= 1;
				else if (vec->kind == VEXEC_INT32)
					VEXEC_VALUES(vec, int32)[row] |= 1;
				else if (vec->kind == VEXEC_INT64 || vec->is_decimal)
					VEXEC_VALUES(vec, int64)[row] |= 1;
			}
		}
	}
	if (nargs == 1 && kernel->prepare)
		(void) kernel->prepare(NULL, &call.prepared);
	call.result = vexec_vector_create(kernel->result, false);
	call.nrows = VEXEC_BATCH_ROWS;
	call.memory = CurrentMemoryContext;
	for (int row = 0; row < VEXEC_BATCH_ROWS; row += step)
		rows[call.n++] = row;
	call.sel = (step == 1) ? NULL : rows;
	INSTR_TIME_SET_CURRENT(start);
	for (int i = 0; i < loops; i++)
	{
		call.stop = VEXEC_BATCH_ROWS;
		kernel->run(&call);
	}
	INSTR_TIME_SET_CURRENT(end);
	INSTR_TIME_SUBTRACT(end, start);
	PG_RETURN_FLOAT8(INSTR_TIME_GET_DOUBLE(end) * 1e9 / loops / call.n);
}
