/*-------------------------------------------------------------------------
 *
 * kernel_select.c
 *	  From truth values to the list of rows that are true.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#if defined(__AVX512F__) && defined(__AVX512BW__) && defined(__AVX512VL__)
#include <immintrin.h>
#define USE_AVX512
#endif

#include "batch/isa.h"
#include "batch/select.h"

/* Rows begin .. n-1; "rows" has room for all of them behind "kept". */
static int
select_range(const uint8 *values, const uint64 *nulls, int begin, int n, uint16 *rows, int kept)
{
	for (int row = begin; row < n; row++)
	{
		rows[kept] = row;
		kept += values[row] & !(nulls != NULL && vexec_null_bit(nulls, row));
	}
	return kept;
}

/*
 * The rows below n that are true and not null.  Returns their number; "rows"
 * has room for VEXEC_BATCH_ROWS.
 */
static int
select_dense(const uint8 *values, const uint64 *nulls, int n, uint16 *rows)
{
	int			kept = 0;
	int			row = 0;

#ifdef USE_AVX512
	__m512i		numbers = _mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
	const __m512i step = _mm512_set1_epi32(16);

	for (; row + 16 <= n; row += 16)
	{
		__mmask16	mask = _mm_test_epi8_mask(_mm_loadu_si128((const __m128i *) (values + row)),
											  _mm_set1_epi8(1));

		if (nulls != NULL)
			mask &= ~(nulls[row >> 6] >> (row & 63));

		/* 16 rows are written whatever the mask: kept <= row, so they fit */
		_mm256_storeu_si256((__m256i *) (rows + kept),
							_mm512_cvtepi32_epi16(_mm512_maskz_compress_epi32(mask, numbers)));
		kept += __builtin_popcount(mask);
		numbers = _mm512_add_epi32(numbers, step);
	}
#endif
	return select_range(values, nulls, row, n, rows, kept);
}

/* The same among listed rows; "rows" may be the list itself. */
static int
select_listed(const uint8 *values, const uint64 *nulls, const uint16 *list, int n, uint16 *rows)
{
	int			kept = 0;

	for (int k = 0; k < n; k++)
	{
		int			row = list[k];

		rows[kept] = row;
		kept += values[row] & !(nulls != NULL && vexec_null_bit(nulls, row));
	}
	return kept;
}

static void
both(const uint8 *a, const uint8 *b, uint8 *result, int n)
{
	for (int row = 0; row < n; row++)
		result[row] = a[row] & b[row];
}

const VexecSelectKernels VEXEC_ISA_NAME(vexec_select_kernels) = {
	.dense = select_dense,
	.listed = select_listed,
	.both = both,
};
