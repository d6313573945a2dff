/*-------------------------------------------------------------------------
 *
 * kernel_decode.c
 *	  The hot loops from tuples to vectors.
 *
 * Kernels run column by column over the rows of a batch.  They never raise and
 * read nothing outside the tuples: the page before a value (at least the
 * tuple's header) may be read, the bytes behind it may not, since a page can
 * end there.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#if defined(__AVX2__)
#include <immintrin.h>
#endif

#include "access/htup_details.h"
#include "access/tupmacs.h"
#include "varatt.h"

#include "expr/kernel.h"
#include "heap/decode.h"

/*
 * Instantiate a kernel body for constant or remembered positions and for all
 * rows or a selection, so that the loop has no branch on either.
 */
#define DISPATCH(walk, body, ...) \
	((walk)->from == NULL ? \
	 ((walk)->sel == NULL ? body(walk, true, true, __VA_ARGS__) \
	  : body(walk, true, false, __VA_ARGS__)) \
	 : ((walk)->sel == NULL ? body(walk, false, true, __VA_ARGS__) \
		: body(walk, false, false, __VA_ARGS__)))

#define ROW(walk, dense, k) ((dense) ? (k) : (walk)->sel[k])
#define FROM(walk, constant, row) ((constant) ? (walk)->from_constant : (walk)->from[row])

static inline uint16
load16(const char *p)
{
	uint16		value;

	memcpy(&value, p, sizeof(value));
	return value;
}

static inline uint32
load32(const char *p)
{
	uint32		value;

	memcpy(&value, p, sizeof(value));
	return value;
}

static inline uint64
load64(const char *p)
{
	uint64		value;

	memcpy(&value, p, sizeof(value));
	return value;
}

/* A value with a 1-byte header that is no pointer to the toast table. */
static inline bool
is_short(uint8 first)
{
	return (first & 1) != 0 && first != 1;
}

/* The position behind a varlena value of any form. */
static pg_noinline unsigned
varlena_end(const char *data, unsigned position, int align)
{
	position = vexec_align_offset(data, position, -1, align);
	return position + VARSIZE_ANY(data + position);
}

static inline unsigned
skip_varlena(const char *data, unsigned position, int align)
{
	uint8		first = data[position];

	if (likely(is_short(first)))
		return position + (first >> 1);
	return varlena_end(data, position, align);
}

/* ----------------------------------------------------------------
 *		Pages to tuples
 * ----------------------------------------------------------------
 */

static void
gather(Page page, const OffsetNumber *lines, int n, const char **data, uint8 *header_size,
	   VexecGathered *gathered)
{
	uint16		infomask = 0;
	uint16		natts = HEAP_NATTS_MASK;

	for (int i = 0; i < n; i++)
	{
		const ItemIdData *item = &((PageHeader) page)->pd_linp[lines[i] - 1];
		const HeapTupleHeaderData *header =
			(const HeapTupleHeaderData *) ((const char *) page + item->lp_off);
		uint16		tuple_natts = header->t_infomask2 & HEAP_NATTS_MASK;

		data[i] = (const char *) header + header->t_hoff;
		header_size[i] = header->t_hoff;
		infomask |= header->t_infomask;
		natts = Min(natts, tuple_natts);
	}
	gathered->infomask |= infomask;
	gathered->natts = Min(gathered->natts, natts);
}

/* ----------------------------------------------------------------
 *		Positions
 * ----------------------------------------------------------------
 */

/* Pass count varlena values, then one run of fixed-width attributes. */
static pg_attribute_always_inline void
skip_run(const VexecWalk *walk, bool constant, bool dense, const VexecStep *steps, int count,
		 bool fixed)
{
	const unsigned mask = fixed ? steps[count].align - 1 : 0;
	const unsigned size = fixed ? steps[count].size : 0;

	for (int k = 0; k < walk->n; k++)
	{
		int			row = ROW(walk, dense, k);
		const char *data = walk->data[row];
		unsigned	position = FROM(walk, constant, row);

		for (int i = 0; i < count; i++)
			position = skip_varlena(data, position, steps[i].align);
		if (fixed)
			position = ((position + mask) & ~mask) + size;
		walk->to[row] = position;
	}
}

static pg_attribute_always_inline void
skip_cstring(const VexecWalk *walk, bool constant, bool dense, int unused)
{
	for (int k = 0; k < walk->n; k++)
	{
		int			row = ROW(walk, dense, k);
		unsigned	position = FROM(walk, constant, row);

		walk->to[row] = position + strlen(walk->data[row] + position) + 1;
	}
}

#define SKIP_RUN(count) \
	case count: \
		if (fixed) \
			DISPATCH(walk, skip_run, steps, count, true); \
		else \
			DISPATCH(walk, skip_run, steps, count, false); \
		break

static void
skip_group(const VexecWalk *walk, const VexecStep *steps, int count, bool fixed)
{
	switch (count)
	{
			SKIP_RUN(0);
			SKIP_RUN(1);
			SKIP_RUN(2);
			SKIP_RUN(3);
			SKIP_RUN(4);
			SKIP_RUN(5);
			SKIP_RUN(6);
	}
}

#define SKIP_RUN_MAX 6

static void
skip(const VexecWalk *walk, const VexecStep *steps, int nsteps)
{
	VexecWalk	rest = *walk;

	while (nsteps > 0)
	{
		int			count = 0;
		bool		fixed;

		if (steps[0].kind == VEXEC_STEP_CSTRING)
		{
			DISPATCH(&rest, skip_cstring, 0);
			steps++;
			nsteps--;
		}
		else
		{
			while (count < nsteps && count < SKIP_RUN_MAX &&
				   steps[count].kind == VEXEC_STEP_VARLENA)
				count++;
			fixed = count < nsteps && steps[count].kind == VEXEC_STEP_FIXED;
			skip_group(&rest, steps, count, fixed);
			steps += count + fixed;
			nsteps -= count + fixed;
		}
		rest.from = rest.to;
	}
}

static void
walk_tuples(const VexecWalk *walk, const uint8 *header_size, const VexecAttribute *attributes,
			int att, int last)
{
	for (int k = 0; k < walk->n; k++)
	{
		int			row = walk->sel ? walk->sel[k] : k;
		const char *data = walk->data[row];
		const HeapTupleHeaderData *header =
			(const HeapTupleHeaderData *) (data - header_size[row]);
		unsigned	position = walk->from ? walk->from[row] : walk->from_constant;
		bool		has_nulls = (header->t_infomask & HEAP_HASNULL) != 0;
		int			natts = Min(header->t_infomask2 & HEAP_NATTS_MASK, last);
		int			a;

		for (a = att; a < natts; a++)
		{
			const VexecAttribute *attribute = &attributes[a];

			if (has_nulls && att_isnull(a, header->t_bits))
			{
				if (attribute->offsets)
					attribute->offsets[row] = VEXEC_OFFSET_NULL;
				continue;
			}
			if (attribute->len > 0)
			{
				position = TYPEALIGN(attribute->align, position);
				if (attribute->offsets)
					attribute->offsets[row] = position;
				position += attribute->len;
			}
			else if (attribute->len == -1)
			{
				if (attribute->offsets)
					attribute->offsets[row] = position;
				position = skip_varlena(data, position, attribute->align);
			}
			else
			{
				if (attribute->offsets)
					attribute->offsets[row] = position;
				position += strlen(data + position) + 1;
			}
		}
		for (; a < last; a++)
		{
			if (attributes[a].offsets)
				attributes[a].offsets[row] = VEXEC_OFFSET_MISSING;
		}
		walk->to[row] = position;
	}
}

static int
split(const uint16 *offsets, const uint16 *sel, int n, uint16 *present, uint64 *nulls,
	  bool *missing)
{
	int			count = 0;
	bool		any_missing = false;

	memset(nulls, 0, VEXEC_NULL_WORDS * sizeof(uint64));
	for (int k = 0; k < n; k++)
	{
		int			row = sel ? sel[k] : k;
		bool		absent = offsets[row] >= VEXEC_OFFSET_MISSING;

		any_missing |= offsets[row] == VEXEC_OFFSET_MISSING;
		nulls[row >> 6] |= (uint64) absent << (row & 63);
		present[count] = row;
		count += !absent;
	}
	*missing = any_missing;
	return count;
}

/* ----------------------------------------------------------------
 *		Fixed-width values
 * ----------------------------------------------------------------
 */

#define FIXED_KERNEL(name, source, target) \
static pg_attribute_always_inline void \
name(const VexecWalk *walk, bool constant, bool dense, unsigned mask, bool advance, \
	 target *values) \
{ \
	for (int k = 0; k < walk->n; k++) \
	{ \
		int			row = ROW(walk, dense, k); \
		unsigned	position = (FROM(walk, constant, row) + mask) & ~mask; \
		source		value; \
		\
		memcpy(&value, walk->data[row] + position, sizeof(value)); \
		values[row] = (target) value; \
		if (advance) \
			walk->to[row] = position + sizeof(value); \
	} \
}

FIXED_KERNEL(fixed1, uint8, uint8)
FIXED_KERNEL(fixed2, uint16, uint16)
FIXED_KERNEL(fixed4, uint32, uint32)
FIXED_KERNEL(fixed8, uint64, uint64)

/* Datums are sign-extended, whatever the type, as fetch_att does. */
FIXED_KERNEL(datum1, signed char, Datum)
FIXED_KERNEL(datum2, int16, Datum)
FIXED_KERNEL(datum4, int32, Datum)
FIXED_KERNEL(datum8, uint64, Datum)

#define FIXED_DISPATCH(body, type) \
	do { \
		if (walk->to) \
			DISPATCH(walk, body, align - 1, true, (type *) values); \
		else \
			DISPATCH(walk, body, align - 1, false, (type *) values); \
	} while (0)

static void
fixed(const VexecWalk *walk, int align, int width, void *values)
{
	switch (width)
	{
		case 1:
			FIXED_DISPATCH(fixed1, uint8);
			break;
		case 2:
			FIXED_DISPATCH(fixed2, uint16);
			break;
		case 4:
			FIXED_DISPATCH(fixed4, uint32);
			break;
		case 8:
			FIXED_DISPATCH(fixed8, uint64);
			break;
	}
}

static void
datum(const VexecWalk *walk, int align, int width, Datum *values)
{
	switch (width)
	{
		case 1:
			FIXED_DISPATCH(datum1, Datum);
			break;
		case 2:
			FIXED_DISPATCH(datum2, Datum);
			break;
		case 4:
			FIXED_DISPATCH(datum4, Datum);
			break;
		case 8:
			FIXED_DISPATCH(datum8, Datum);
			break;
	}
}

static void
pointer(const VexecWalk *walk, int align, int len, Datum *values)
{
	for (int k = 0; k < walk->n; k++)
	{
		int			row = walk->sel ? walk->sel[k] : k;
		const char *data = walk->data[row];
		int			position = walk->from ? walk->from[row] : walk->from_constant;

		position = vexec_align_offset(data, position, len, align);
		values[row] = PointerGetDatum(data + position);
		if (walk->to)
			walk->to[row] = position + (len > 0 ? len :
										len == -1 ? VARSIZE_ANY(data + position) :
										strlen(data + position) + 1);
	}
}

/* ----------------------------------------------------------------
 *		Strings
 * ----------------------------------------------------------------
 */

static pg_attribute_always_inline int
string_body(const VexecWalk *walk, bool constant, bool dense, int align, bool advance,
			VexecString *values, uint16 *odd)
{
	int			nodd = 0;

	for (int k = 0; k < walk->n; k++)
	{
		int			row = ROW(walk, dense, k);
		const char *data = walk->data[row];
		unsigned	position = FROM(walk, constant, row);
		uint8		first = data[position];
		unsigned	end;

		if (likely(is_short(first)))
		{
			end = position + (first >> 1);
			values[row].data = data + position + VARHDRSZ_SHORT;
			values[row].len = (first >> 1) - VARHDRSZ_SHORT;
		}
		else
		{
			position = vexec_align_offset(data, position, -1, align);
			end = position + VARSIZE_ANY(data + position);
			if (VARATT_IS_4B_U(data + position))
			{
				values[row].data = data + position + VARHDRSZ;
				values[row].len = VARSIZE_4B(data + position) - VARHDRSZ;
			}
			else
			{
				values[row].data = "";
				values[row].len = 0;
				odd[nodd++] = row;
			}
		}
		if (advance)
			walk->to[row] = end;
	}
	return nodd;
}

static int
string(const VexecWalk *walk, int align, VexecString *values, uint16 *odd)
{
	if (walk->to)
		return DISPATCH(walk, string_body, align, true, values, odd);
	return DISPATCH(walk, string_body, align, false, values, odd);
}

/* ----------------------------------------------------------------
 *		Numerics
 *
 * The short format, in a 1-byte varlena header: a header word (sign, display
 * scale, weight) and up to four base-10000 digits.  A loop over the tuples
 * picks up the header and the last eight bytes of the value, which hold the
 * digits; the arithmetic runs over arrays afterwards.  Digits are put into four
 * 16-bit lanes, the first lane lowest, so that lane i stands for 10000^(3-i)
 * units of 10^-4f, where f = ceil(scale / 4) is the number of fractional
 * digits: a shift for the trailing zero digits that are not stored, and a mask
 * for what is no digit.
 * ----------------------------------------------------------------
 */

/* The header word of numeric.c, short format. */
#define SHORT_FORMAT		0x8000
#define SHORT_FORMAT_MASK	0xC000
#define SHORT_NEGATIVE_BIT	13
#define SHORT_DSCALE_MASK	0x1F80
#define SHORT_DSCALE_SHIFT	7
#define SHORT_WEIGHT_MASK	0x007F
#define SHORT_WEIGHT_SIGN	0x0040

/* Varlena header byte of a value with n digits: size 1 + 2 + 2n, and the flag. */
#define NUMERIC_FIRST_BYTE(n) ((3 + 2 * (n)) * 2 + 1)

/* Marks a header that is not short: no value has this varlena byte. */
#define NUMERIC_ODD 0

/* The division by 10^e of a multiple of it below 10^8, e = 0 .. 3. */
#define INVERSE_SHIFT 31
static const uint32 power_inverse[4] = {0x80000000, 214748365, 21474837, 2147484};
static const uint32 power_of_ten[4] = {100000000, 10000000, 1000000, 100000};

typedef struct NumericScale
{
	uint32		header;			/* format and display scale */
	int			fraction;		/* fractional base-10000 digits */
	uint32		high;			/* 10^(8-e): unit of the two higher lanes */
	uint32		inverse;		/* 2^31 / 10^e, for the two lower ones */
} NumericScale;

static NumericScale
numeric_scale(int scale)
{
	NumericScale result;
	int			e;

	result.header = SHORT_FORMAT | (scale << SHORT_DSCALE_SHIFT);
	result.fraction = (scale + 3) / 4;
	e = result.fraction * 4 - scale;
	result.high = power_of_ten[e];
	result.inverse = power_inverse[e];
	return result;
}

/* Pick up headers and digits. */
static pg_attribute_always_inline int
numeric_load(const VexecWalk *walk, bool constant, bool dense, int align, bool advance,
			 VexecNumericScratch *scratch)
{
	for (int k = 0; k < walk->n; k++)
	{
		int			row = ROW(walk, dense, k);
		const char *data = walk->data[row];
		unsigned	position = FROM(walk, constant, row);
		const char *value = data + position;
		uint8		first = value[0];
		unsigned	size = first >> 1;

		if (unlikely(!is_short(first)))
		{
			scratch->header[k] = NUMERIC_ODD;
			scratch->digits[k] = 0;
			if (advance)
				walk->to[row] = varlena_end(data, position, align);
			continue;
		}
		/* both start before the value's end less their size: inside the page */
		scratch->header[k] = load32(value - 1) >> 8;
		scratch->digits[k] = load64(value + size - 8);
		if (advance)
			walk->to[row] = position + size;
	}
	return 0;
}

/*
 * Headers and digits to scaled integers, in place; headers become 0 for a
 * value and not 0 where the value is odd.  Returns whether any is.
 */
static bool
numeric_convert(VexecNumericScratch *scratch, int n, const NumericScale *scale)
{
	const uint64 lanes = UINT64CONST(0x0000FFFF0000FFFF);
	uint32		any = 0;

	for (int k = 0; k < n; k++)
	{
		uint32		word = scratch->header[k];
		uint32		first = word & 0xFF;
		uint32		header = word >> 8;
		int32		weight = (int32) ((header & SHORT_WEIGHT_MASK) ^ SHORT_WEIGHT_SIGN) -
			SHORT_WEIGHT_SIGN;
		int32		ndigits = ((int32) (first >> 1) - 3) >> 1;
		int32		lane = 3 - scale->fraction - weight;
		int32		trailing = 4 - lane - ndigits;
		uint32		odd;
		uint64		x;
		int64		value;
		int64		sign;

		odd = (header ^ scale->header) & (SHORT_FORMAT_MASK | SHORT_DSCALE_MASK);
		odd |= (uint32) lane & ~3u;
		odd |= (uint32) trailing & ~3u & (ndigits > 0 ? ~0u : 0);
		odd |= (first < NUMERIC_FIRST_BYTE(0) || first > NUMERIC_FIRST_BYTE(4)) ? 1 : 0;
		any |= odd;

		x = scratch->digits[k] >> ((trailing & 3) * 16);
		x &= ~UINT64CONST(0) << ((lane & 3) * 16);
		x &= ndigits > 0 ? ~UINT64CONST(0) : 0;

		x = (x & lanes) * 10000 + ((x >> 16) & lanes);
		value = (x & 0xFFFFFFFF) * scale->high +
			(((x >> 32) * scale->inverse) >> INVERSE_SHIFT);
		sign = -(int64) ((header >> SHORT_NEGATIVE_BIT) & 1);
		scratch->digits[k] = (uint64) ((value ^ sign) - sign);
		scratch->header[k] = odd;
	}
	return any != 0;
}

static int
numeric(const VexecWalk *walk, int align, int scale, int64 *values,
		VexecNumericScratch *scratch, uint16 *odd)
{
	NumericScale parameters = numeric_scale(scale);
	const uint16 *sel = walk->sel;
	int			n = walk->n;
	int			nodd = 0;
	bool		any;

	if (walk->to)
		DISPATCH(walk, numeric_load, align, true, scratch);
	else
		DISPATCH(walk, numeric_load, align, false, scratch);

	any = numeric_convert(scratch, n, &parameters);

	if (sel == NULL)
		memcpy(values, scratch->digits, n * sizeof(int64));
	else
	{
		for (int k = 0; k < n; k++)
			values[sel[k]] = (int64) scratch->digits[k];
	}
	if (unlikely(any))
	{
		for (int k = 0; k < n; k++)
		{
			if (scratch->header[k] != 0)
				odd[nodd++] = sel ? sel[k] : k;
		}
	}
	return nodd;
}

const VexecDecodeKernels VEXEC_ISA_NAME(vexec_decode_kernels) = {
	.gather = gather,
	.skip = skip,
	.walk = walk_tuples,
	.split = split,
	.fixed = fixed,
	.datum = datum,
	.pointer = pointer,
	.string = string,
	.numeric = numeric,
};
