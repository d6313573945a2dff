/*-------------------------------------------------------------------------
 *
 * kernel_compare.c
 *	  Comparisons of integers, booleans, dates and timestamps.
 *
 * Every type pair needs =, <>, < and <= only: a > b is b < a.  Types that are
 * stored alike share the code.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "expr/kernel_families.h"
#include "expr/kernel_template.h"

#include "utils/date.h"
#include "utils/timestamp.h"

#define COMPARE_SAME(prefix, T) \
	VEXEC_BINARY_ON(eq_##prefix, T, T, uint8, a == b) \
	VEXEC_BINARY_ON(ne_##prefix, T, T, uint8, a != b) \
	VEXEC_BINARY_ON(lt_##prefix, T, T, uint8, a < b) \
	VEXEC_BINARY_ON(le_##prefix, T, T, uint8, a <= b) \
	VEXEC_KERNEL_DIRECT(eq_##prefix, eq_##prefix) \
	VEXEC_KERNEL_DIRECT(ne_##prefix, ne_##prefix) \
	VEXEC_KERNEL_DIRECT(lt_##prefix, lt_##prefix) \
	VEXEC_KERNEL_DIRECT(le_##prefix, le_##prefix) \
	VEXEC_KERNEL_SWAPPED(gt_##prefix, lt_##prefix) \
	VEXEC_KERNEL_SWAPPED(ge_##prefix, le_##prefix)

/*
 * Two types, compared after the conversions A and B to a common one; "mirror"
 * is the pair in the other order.
 */
#define COMPARE_MIXED(prefix, mirror, TA, TB, A, B) \
	VEXEC_BINARY_ON(eq_##prefix, TA, TB, uint8, A(a) == B(b)) \
	VEXEC_BINARY_ON(ne_##prefix, TA, TB, uint8, A(a) != B(b)) \
	VEXEC_BINARY_ON(lt_##prefix, TA, TB, uint8, A(a) < B(b)) \
	VEXEC_BINARY_ON(le_##prefix, TA, TB, uint8, A(a) <= B(b)) \
	VEXEC_BINARY_ON(gt_##prefix, TA, TB, uint8, A(a) > B(b)) \
	VEXEC_BINARY_ON(ge_##prefix, TA, TB, uint8, A(a) >= B(b)) \
	VEXEC_KERNEL_DIRECT(eq_##prefix, eq_##prefix) \
	VEXEC_KERNEL_DIRECT(ne_##prefix, ne_##prefix) \
	VEXEC_KERNEL_DIRECT(lt_##prefix, lt_##prefix) \
	VEXEC_KERNEL_DIRECT(le_##prefix, le_##prefix) \
	VEXEC_KERNEL_DIRECT(gt_##prefix, gt_##prefix) \
	VEXEC_KERNEL_DIRECT(ge_##prefix, ge_##prefix) \
	VEXEC_KERNEL_SWAPPED(eq_##mirror, eq_##prefix) \
	VEXEC_KERNEL_SWAPPED(ne_##mirror, ne_##prefix) \
	VEXEC_KERNEL_SWAPPED(lt_##mirror, gt_##prefix) \
	VEXEC_KERNEL_SWAPPED(le_##mirror, ge_##prefix) \
	VEXEC_KERNEL_SWAPPED(gt_##mirror, lt_##prefix) \
	VEXEC_KERNEL_SWAPPED(ge_##mirror, le_##prefix)

#define TO_INT32(v) ((int32) (v))
#define TO_INT64(v) ((int64) (v))

/*
 * A date as a timestamp for comparison.  A finite date past the end of the
 * timestamp range is greater than every finite timestamp and less than
 * infinity, which one value still free between the two expresses.
 */
static inline int64
date_as_timestamp(DateADT date)
{
	int64		result = (int64) date * USECS_PER_DAY;

	result = (date >= TIMESTAMP_END_JULIAN - POSTGRES_EPOCH_JDATE) ? DT_NOEND - 1 : result;
	result = DATE_IS_NOEND(date) ? DT_NOEND : result;
	return DATE_IS_NOBEGIN(date) ? DT_NOBEGIN : result;
}

COMPARE_SAME(bool, uint8)
COMPARE_SAME(int2, int16)
COMPARE_SAME(int4, int32)
COMPARE_SAME(int8, int64)
COMPARE_MIXED(int24, int42, int16, int32, TO_INT32, TO_INT32)
COMPARE_MIXED(int28, int82, int16, int64, TO_INT64, TO_INT64)
COMPARE_MIXED(int48, int84, int32, int64, TO_INT64, TO_INT64)
COMPARE_MIXED(date_timestamp, timestamp_date, DateADT, Timestamp, date_as_timestamp, TO_INT64)

/* The six entries of one pair, for function names that end in EQ, NE, ... */
#define ENTRIES(FN, prefix, ka, kb) \
	VEXEC_ENTRY2(FN(EQ), eq_##prefix, ka, kb, VEXEC_BOOL, 0), \
	VEXEC_ENTRY2(FN(NE), ne_##prefix, ka, kb, VEXEC_BOOL, 0), \
	VEXEC_ENTRY2(FN(LT), lt_##prefix, ka, kb, VEXEC_BOOL, 0), \
	VEXEC_ENTRY2(FN(LE), le_##prefix, ka, kb, VEXEC_BOOL, 0), \
	VEXEC_ENTRY2(FN(GT), gt_##prefix, ka, kb, VEXEC_BOOL, 0), \
	VEXEC_ENTRY2(FN(GE), ge_##prefix, ka, kb, VEXEC_BOOL, 0)

#define FN_BOOL(op) F_BOOL##op
#define FN_INT2(op) F_INT2##op
#define FN_INT4(op) F_INT4##op
#define FN_INT8(op) F_INT8##op
#define FN_INT24(op) F_INT24##op
#define FN_INT42(op) F_INT42##op
#define FN_INT28(op) F_INT28##op
#define FN_INT82(op) F_INT82##op
#define FN_INT48(op) F_INT48##op
#define FN_INT84(op) F_INT84##op
#define FN_DATE(op) F_DATE_##op
#define FN_TIMESTAMP(op) F_TIMESTAMP_##op
#define FN_TIMESTAMPTZ(op) F_TIMESTAMPTZ_##op
#define FN_DATE_TIMESTAMP(op) F_DATE_##op##_TIMESTAMP
#define FN_TIMESTAMP_DATE(op) F_TIMESTAMP_##op##_DATE

static const VexecKernel kernels[] = {
	ENTRIES(FN_BOOL, bool, VEXEC_BOOL, VEXEC_BOOL),
	ENTRIES(FN_INT2, int2, VEXEC_INT16, VEXEC_INT16),
	ENTRIES(FN_INT4, int4, VEXEC_INT32, VEXEC_INT32),
	ENTRIES(FN_INT8, int8, VEXEC_INT64, VEXEC_INT64),
	ENTRIES(FN_INT24, int24, VEXEC_INT16, VEXEC_INT32),
	ENTRIES(FN_INT42, int42, VEXEC_INT32, VEXEC_INT16),
	ENTRIES(FN_INT28, int28, VEXEC_INT16, VEXEC_INT64),
	ENTRIES(FN_INT82, int82, VEXEC_INT64, VEXEC_INT16),
	ENTRIES(FN_INT48, int48, VEXEC_INT32, VEXEC_INT64),
	ENTRIES(FN_INT84, int84, VEXEC_INT64, VEXEC_INT32),
	ENTRIES(FN_DATE, int4, VEXEC_INT32, VEXEC_INT32),
	ENTRIES(FN_TIMESTAMP, int8, VEXEC_INT64, VEXEC_INT64),
	ENTRIES(FN_TIMESTAMPTZ, int8, VEXEC_INT64, VEXEC_INT64),
	ENTRIES(FN_DATE_TIMESTAMP, date_timestamp, VEXEC_INT32, VEXEC_INT64),
	ENTRIES(FN_TIMESTAMP_DATE, timestamp_date, VEXEC_INT64, VEXEC_INT32),
	VEXEC_ENTRY_END
};

const VexecKernelFamily VEXEC_ISA_NAME(vexec_kernels_compare) = {
	"comparison of bool, integers, date and timestamp", kernels
};
