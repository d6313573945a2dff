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

#include "batch/isa.h"
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

/*
 * Work on a copy of the walk: values may be stored through any pointer as far
 * as the compiler knows, so the original would be read again for each row.
 */
#define LOCAL_WALK(name, original) \
	const VexecWalk copy_ = *(original); \
	const VexecWalk *name = &copy_

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
skip_run(const VexecWalk *walk_, bool constant, bool dense, const VexecStep *steps, int count,
		 bool fixed)
{
	LOCAL_WALK(walk, walk_);
	const unsigned mask = fixed ? steps[count].align - 1 : 0;
	const unsigned size = fixed ? steps[count].size : 0;

	for (int k = walk->begin; k < walk->end; k++)
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
skip_cstring(const VexecWalk *walk_, bool constant, bool dense, int unused)
{
	LOCAL_WALK(walk, walk_);

	for (int k = walk->begin; k < walk->end; k++)
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
	for (int k = walk->begin; k < walk->end; k++)
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
name(const VexecWalk *walk_, bool constant, bool dense, unsigned mask, bool advance, \
	 target *values) \
{ \
	LOCAL_WALK(walk, walk_); \
	\
	for (int k = walk->begin; k < walk->end; k++) \
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
	for (int k = walk->begin; k < walk->end; k++)
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
string_body(const VexecWalk *walk_, bool constant, bool dense, int align, bool advance,
			VexecString *values, uint16 *odd)
{
	LOCAL_WALK(walk, walk_);
	int			nodd = 0;

	for (int k = walk->begin; k < walk->end; k++)
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
 * digits; the arithmetic runs over small arrays of them.  Digits are put into four
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

/* Pick up headers and digits of selected rows number begin .. end-1. */
static pg_attribute_always_inline void
numeric_load(const VexecWalk *walk, bool constant, bool dense, int align, bool advance,
			 int begin, int end, uint32 *headers, uint64 *digits)
{
	for (int k = begin; k < end; k++)
	{
		int			row = ROW(walk, dense, k);
		const char *data = walk->data[row];
		unsigned	position = FROM(walk, constant, row);
		const char *value = data + position;
		uint8		first = value[0];
		unsigned	size = first >> 1;

		if (unlikely(!is_short(first)))
		{
			headers[k - begin] = NUMERIC_ODD;
			digits[k - begin] = 0;
			if (advance)
				walk->to[row] = varlena_end(data, position, align);
			continue;
		}
		/* both start before the value's end less their size: inside the page */
		headers[k - begin] = load32(value - 1) >> 8;
		digits[k - begin] = load64(value + size - 8);
		if (advance)
			walk->to[row] = position + size;
	}
}

/*
 * Headers and digits to scaled integers.  Returns a bit for each odd one.
 * "lane" is that of the first digit, "trailing" the zero digits that are not
 * stored.  Each lane's product with 10000 or 1 and the sum of two are below
 * 10^8, and with "high" below 10^16.
 */
#if defined(__AVX512BW__) && defined(__AVX512DQ__)

static inline uint64
numeric_convert(const uint32 *headers, const uint64 *digits, int n, const NumericScale *scale,
				int64 *values)
{
	const __m512i byte = _mm512_set1_epi64(0xFF);
	const __m512i three = _mm512_set1_epi64(3);
	const __m512i not_three = _mm512_set1_epi64(~INT64CONST(3));
	const __m512i weight_mask = _mm512_set1_epi64(SHORT_WEIGHT_MASK);
	const __m512i weight_sign = _mm512_set1_epi64(SHORT_WEIGHT_SIGN);
	const __m512i first_lane = _mm512_set1_epi64(3 - scale->fraction + SHORT_WEIGHT_SIGN);
	const __m512i header_mask = _mm512_set1_epi64(SHORT_FORMAT_MASK | SHORT_DSCALE_MASK);
	const __m512i header_wanted = _mm512_set1_epi64(scale->header);
	const __m512i negative_bit = _mm512_set1_epi64(1 << SHORT_NEGATIVE_BIT);
	const __m512i smallest = _mm512_set1_epi64(NUMERIC_FIRST_BYTE(0));
	const __m512i range = _mm512_set1_epi64(NUMERIC_FIRST_BYTE(4) - NUMERIC_FIRST_BYTE(0));
	const __m512i units = _mm512_set1_epi32(10000 | (1 << 16));
	const __m512i high = _mm512_set1_epi64(scale->high);
	const __m512i inverse = _mm512_set1_epi64(scale->inverse);
	uint64		odd = 0;

	for (int k = 0; k < n; k += 8)
	{
		__m512i		word =
			_mm512_cvtepu32_epi64(_mm256_loadu_si256((const __m256i *) (headers + k)));
		__m512i		x = _mm512_loadu_si512((const void *) (digits + k));
		__m512i		first = _mm512_and_si512(word, byte);
		__m512i		header = _mm512_srli_epi64(word, 8);
		__m512i		weight = _mm512_xor_si512(_mm512_and_si512(header, weight_mask), weight_sign);
		__m512i		lane = _mm512_sub_epi64(first_lane, weight);
		__m512i		ndigits = _mm512_srli_epi64(_mm512_sub_epi64(first, smallest), 2);
		__m512i		trailing =
			_mm512_sub_epi64(_mm512_sub_epi64(_mm512_set1_epi64(4), lane), ndigits);
		__mmask8	not_zero = _mm512_cmpneq_epi64_mask(first, smallest);
		__mmask8	bad;
		__m512i		value;

		bad = _mm512_test_epi64_mask(_mm512_xor_si512(header, header_wanted), header_mask);
		bad |= _mm512_test_epi64_mask(lane, not_three);
		bad |= _mm512_mask_test_epi64_mask(not_zero, trailing, not_three);
		bad |= _mm512_cmpgt_epu64_mask(_mm512_sub_epi64(first, smallest), range);
		odd |= (uint64) bad << k;

		x = _mm512_srlv_epi64(x, _mm512_slli_epi64(_mm512_and_si512(trailing, three), 4));
		x = _mm512_maskz_and_epi64(not_zero, x,
								   _mm512_sllv_epi64(_mm512_set1_epi64(-1),
													 _mm512_slli_epi64(lane, 4)));
		x = _mm512_madd_epi16(x, units);
		value = _mm512_srli_epi64(_mm512_mul_epu32(_mm512_srli_epi64(x, 32), inverse),
								  INVERSE_SHIFT);
		value = _mm512_add_epi64(_mm512_mul_epu32(x, high), value);
		value = _mm512_mask_sub_epi64(value, _mm512_test_epi64_mask(header, negative_bit),
									  _mm512_setzero_si512(), value);
		_mm512_storeu_si512((void *) (values + k), value);
	}
	return odd;
}

#elif defined(__AVX2__)

static inline uint64
numeric_convert(const uint32 *headers, const uint64 *digits, int n, const NumericScale *scale,
				int64 *values)
{
	const __m256i zero = _mm256_setzero_si256();
	const __m256i byte = _mm256_set1_epi64x(0xFF);
	const __m256i three = _mm256_set1_epi64x(3);
	const __m256i not_three = _mm256_set1_epi64x(~INT64CONST(3));
	const __m256i weight_mask = _mm256_set1_epi64x(SHORT_WEIGHT_MASK);
	const __m256i weight_sign = _mm256_set1_epi64x(SHORT_WEIGHT_SIGN);
	const __m256i first_lane = _mm256_set1_epi64x(3 - scale->fraction + SHORT_WEIGHT_SIGN);
	const __m256i header_mask = _mm256_set1_epi64x(SHORT_FORMAT_MASK | SHORT_DSCALE_MASK);
	const __m256i header_wanted = _mm256_set1_epi64x(scale->header);
	const __m256i smallest = _mm256_set1_epi64x(NUMERIC_FIRST_BYTE(0));
	const __m256i largest = _mm256_set1_epi64x(NUMERIC_FIRST_BYTE(4));
	const __m256i units = _mm256_set1_epi32(10000 | (1 << 16));
	const __m256i high = _mm256_set1_epi64x(scale->high);
	const __m256i inverse = _mm256_set1_epi64x(scale->inverse);
	uint64		odd = 0;

	for (int k = 0; k < n; k += 4)
	{
		__m256i		word = _mm256_cvtepu32_epi64(_mm_loadu_si128((const __m128i *) (headers + k)));
		__m256i		x = _mm256_loadu_si256((const __m256i *) (digits + k));
		__m256i		first = _mm256_and_si256(word, byte);
		__m256i		header = _mm256_srli_epi64(word, 8);
		__m256i		weight = _mm256_xor_si256(_mm256_and_si256(header, weight_mask), weight_sign);
		__m256i		lane = _mm256_sub_epi64(first_lane, weight);
		__m256i		ndigits = _mm256_srli_epi64(_mm256_sub_epi64(first, smallest), 2);
		__m256i		trailing =
			_mm256_sub_epi64(_mm256_sub_epi64(_mm256_set1_epi64x(4), lane), ndigits);
		__m256i		is_zero = _mm256_cmpeq_epi64(first, smallest);
		__m256i		bad;
		__m256i		good;
		__m256i		sign;
		__m256i		value;

		bad = _mm256_and_si256(_mm256_xor_si256(header, header_wanted), header_mask);
		bad = _mm256_or_si256(bad, _mm256_and_si256(lane, not_three));
		bad = _mm256_or_si256(bad, _mm256_andnot_si256(is_zero,
													   _mm256_and_si256(trailing, not_three)));
		good = _mm256_cmpeq_epi64(bad, zero);
		good = _mm256_andnot_si256(_mm256_cmpgt_epi64(smallest, first), good);
		good = _mm256_andnot_si256(_mm256_cmpgt_epi64(first, largest), good);
		odd |= (uint64) (_mm256_movemask_pd(_mm256_castsi256_pd(good)) ^ 0xF) << k;

		x = _mm256_srlv_epi64(x, _mm256_slli_epi64(_mm256_and_si256(trailing, three), 4));
		x = _mm256_and_si256(x, _mm256_sllv_epi64(_mm256_set1_epi64x(-1),
												  _mm256_slli_epi64(lane, 4)));
		x = _mm256_madd_epi16(_mm256_andnot_si256(is_zero, x), units);
		value = _mm256_srli_epi64(_mm256_mul_epu32(_mm256_srli_epi64(x, 32), inverse),
								  INVERSE_SHIFT);
		value = _mm256_add_epi64(_mm256_mul_epu32(x, high), value);
		sign = _mm256_and_si256(_mm256_srli_epi64(header, SHORT_NEGATIVE_BIT),
								_mm256_set1_epi64x(1));
		sign = _mm256_sub_epi64(zero, sign);
		value = _mm256_sub_epi64(_mm256_xor_si256(value, sign), sign);
		_mm256_storeu_si256((__m256i *) (values + k), value);
	}
	return odd;
}

#else

static inline uint64
numeric_convert(const uint32 *headers, const uint64 *digits, int n, const NumericScale *scale,
				int64 *values)
{
	const uint64 lanes = UINT64CONST(0x0000FFFF0000FFFF);
	uint64		odd = 0;

	for (int k = 0; k < n; k++)
	{
		uint32		first = headers[k] & 0xFF;
		uint32		header = headers[k] >> 8;
		int32		weight = (int32) ((header & SHORT_WEIGHT_MASK) ^ SHORT_WEIGHT_SIGN) -
			SHORT_WEIGHT_SIGN;
		int32		ndigits = ((int32) first - NUMERIC_FIRST_BYTE(0)) >> 2;
		int32		lane = 3 - scale->fraction - weight;
		int32		trailing = 4 - lane - ndigits;
		uint32		bad;
		uint64		x;
		int64		value;
		int64		sign;

		bad = (header ^ scale->header) & (SHORT_FORMAT_MASK | SHORT_DSCALE_MASK);
		bad |= (uint32) lane & ~3u;
		bad |= first == NUMERIC_FIRST_BYTE(0) ? 0 : (uint32) trailing & ~3u;
		bad |= first - NUMERIC_FIRST_BYTE(0) > NUMERIC_FIRST_BYTE(4) - NUMERIC_FIRST_BYTE(0);
		odd |= (uint64) (bad != 0) << k;

		x = digits[k] >> ((trailing & 3) * 16);
		x &= ~UINT64CONST(0) << ((lane & 3) * 16);
		x = first == NUMERIC_FIRST_BYTE(0) ? 0 : x;
		x = (x & lanes) * 10000 + ((x >> 16) & lanes);
		value = (x & 0xFFFFFFFF) * scale->high +
			(((x >> 32) * scale->inverse) >> INVERSE_SHIFT);
		sign = -(int64) ((header >> SHORT_NEGATIVE_BIT) & 1);
		values[k] = (value ^ sign) - sign;
	}
	return odd;
}

#endif

/* One bit of the odd ones' word for each. */
#define NUMERIC_CHUNK 64

static pg_attribute_always_inline int
numeric_body(const VexecWalk *walk_, bool constant, bool dense, int align, bool advance,
			 const NumericScale *scale, int64 *values, uint16 *odd)
{
	LOCAL_WALK(walk, walk_);
	uint32		headers[NUMERIC_CHUNK];
	uint64		digits[NUMERIC_CHUNK];
	int64		converted[NUMERIC_CHUNK];
	int			nodd = 0;

	for (int begin = walk->begin; begin < walk->end; begin += NUMERIC_CHUNK)
	{
		int			end = Min(begin + NUMERIC_CHUNK, walk->end);
		uint64		bad;

		numeric_load(walk, constant, dense, align, advance, begin, end, headers, digits);

		/* whole vectors of the last chunk may hold what is left of others */
		for (int k = end - begin; k < NUMERIC_CHUNK && k % 8 != 0; k++)
		{
			headers[k] = NUMERIC_ODD;
			digits[k] = 0;
		}
		bad = numeric_convert(headers, digits, end - begin, scale, converted);
		bad &= ~UINT64CONST(0) >> (NUMERIC_CHUNK - (end - begin));
		for (int k = begin; k < end; k++)
			values[ROW(walk, dense, k)] = converted[k - begin];

		if (unlikely(bad != 0))
		{
			for (int k = begin; k < end; k++)
			{
				odd[nodd] = ROW(walk, dense, k);
				nodd += (bad >> (k - begin)) & 1;
			}
		}
	}
	return nodd;
}

static int
numeric(const VexecWalk *walk, int align, int scale, int64 *values, uint16 *odd)
{
	NumericScale parameters = numeric_scale(scale);

	if (walk->to)
		return DISPATCH(walk, numeric_body, align, true, &parameters, values, odd);
	return DISPATCH(walk, numeric_body, align, false, &parameters, values, odd);
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
