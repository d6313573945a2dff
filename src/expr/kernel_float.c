/*-------------------------------------------------------------------------
 *
 * kernel_float.c
 *	  float4 and float8: comparison, arithmetic, rounding.
 *
 * Every NaN equals every other and is greater than all numbers, as in core.
 * Each operation is one IEEE operation of the argument's own width, in core's
 * order, so that results are the same to the bit; this needs the compiler to
 * neither contract nor reorder (-ffp-contract=off, no -ffast-math).
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include <math.h>

#include "expr/kernel_families.h"
#include "expr/kernel_template.h"

#include "utils/float.h"

#define IS_NAN(v) ((v) != (v))

/* Without branches: a comparison with NaN is false. */
#define FLOAT_EQ(a, b) (((a) == (b)) | (IS_NAN(a) & IS_NAN(b)))
#define FLOAT_LE(a, b) (((a) <= (b)) | IS_NAN(b))

#define COMPARE(prefix, T) \
	VEXEC_BINARY_ON(eq_##prefix, T, T, uint8, FLOAT_EQ(a, b)) \
	VEXEC_BINARY_ON(ne_##prefix, T, T, uint8, !FLOAT_EQ(a, b)) \
	VEXEC_BINARY_ON(lt_##prefix, T, T, uint8, !FLOAT_LE(b, a)) \
	VEXEC_BINARY_ON(le_##prefix, T, T, uint8, FLOAT_LE(a, b)) \
	VEXEC_KERNEL_DIRECT(eq_##prefix, eq_##prefix) \
	VEXEC_KERNEL_DIRECT(ne_##prefix, ne_##prefix) \
	VEXEC_KERNEL_DIRECT(lt_##prefix, lt_##prefix) \
	VEXEC_KERNEL_DIRECT(le_##prefix, le_##prefix) \
	VEXEC_KERNEL_SWAPPED(gt_##prefix, lt_##prefix) \
	VEXEC_KERNEL_SWAPPED(ge_##prefix, le_##prefix)

#define WIDE(v) ((float8) (v))

COMPARE(float4, float4)
COMPARE(float8, float8)
VEXEC_BINARY_ON(eq_float48, float4, float8, uint8, FLOAT_EQ(WIDE(a), b))
VEXEC_BINARY_ON(ne_float48, float4, float8, uint8, !FLOAT_EQ(WIDE(a), b))
VEXEC_BINARY_ON(lt_float48, float4, float8, uint8, !FLOAT_LE(b, WIDE(a)))
VEXEC_BINARY_ON(le_float48, float4, float8, uint8, FLOAT_LE(WIDE(a), b))
VEXEC_BINARY_ON(gt_float48, float4, float8, uint8, !FLOAT_LE(WIDE(a), b))
VEXEC_BINARY_ON(ge_float48, float4, float8, uint8, FLOAT_LE(b, WIDE(a)))
VEXEC_KERNEL_DIRECT(eq_float48, eq_float48)
VEXEC_KERNEL_DIRECT(ne_float48, ne_float48)
VEXEC_KERNEL_DIRECT(lt_float48, lt_float48)
VEXEC_KERNEL_DIRECT(le_float48, le_float48)
VEXEC_KERNEL_DIRECT(gt_float48, gt_float48)
VEXEC_KERNEL_DIRECT(ge_float48, ge_float48)
VEXEC_KERNEL_SWAPPED(eq_float84, eq_float48)
VEXEC_KERNEL_SWAPPED(ne_float84, ne_float48)
VEXEC_KERNEL_SWAPPED(lt_float84, gt_float48)
VEXEC_KERNEL_SWAPPED(le_float84, ge_float48)
VEXEC_KERNEL_SWAPPED(gt_float84, lt_float48)
VEXEC_KERNEL_SWAPPED(ge_float84, le_float48)

/*
 * Core's error conditions: an infinite result of finite operands overflowed; a
 * zero product of operands that are not zero, or a zero quotient of a dividend
 * that is not zero by a finite divisor, underflowed; a zero divisor raises
 * unless the dividend is NaN.
 */
#define INFINITE(TF, v) (((v) == (TF) INFINITY) | ((v) == -(TF) INFINITY))
#define FLAG(TF, condition) (-(FLAG_##TF) (condition))
#define FLAG_float4 int32
#define FLAG_float8 int64

#define STEP_SUM(TF, op, a, b, r, bad) \
	do { \
		const TF	a_ = (a); \
		const TF	b_ = (b); \
		(r) = a_ op b_; \
		(bad) |= FLAG(TF, INFINITE(TF, r) & !INFINITE(TF, a_) & !INFINITE(TF, b_)); \
	} while (0)
#define STEP_PRODUCT(TF, a, b, r, bad) \
	do { \
		const TF	a_ = (a); \
		const TF	b_ = (b); \
		(r) = a_ * b_; \
		(bad) |= FLAG(TF, (INFINITE(TF, r) & !INFINITE(TF, a_) & !INFINITE(TF, b_)) | \
					  (((r) == 0) & (a_ != 0) & (b_ != 0))); \
	} while (0)
#define STEP_QUOTIENT(TF, a, b, r, bad) \
	do { \
		const TF	a_ = (a); \
		const TF	b_ = (b); \
		(r) = a_ / b_; \
		(bad) |= FLAG(TF, ((b_ == 0) & !IS_NAN(a_)) | \
					  (INFINITE(TF, r) & !INFINITE(TF, a_)) | \
					  (((r) == 0) & (a_ != 0) & !INFINITE(TF, b_))); \
	} while (0)
#define STEP_ADD_float4(a, b, r, bad) STEP_SUM(float4, +, a, b, r, bad)
#define STEP_SUB_float4(a, b, r, bad) STEP_SUM(float4, -, a, b, r, bad)
#define STEP_MUL_float4(a, b, r, bad) STEP_PRODUCT(float4, a, b, r, bad)
#define STEP_DIV_float4(a, b, r, bad) STEP_QUOTIENT(float4, a, b, r, bad)
#define STEP_ADD_float8(a, b, r, bad) STEP_SUM(float8, +, a, b, r, bad)
#define STEP_SUB_float8(a, b, r, bad) STEP_SUM(float8, -, a, b, r, bad)
#define STEP_MUL_float8(a, b, r, bad) STEP_PRODUCT(float8, a, b, r, bad)
#define STEP_DIV_float8(a, b, r, bad) STEP_QUOTIENT(float8, a, b, r, bad)

#define ARITHMETIC(prefix, TA, TB, TR) \
	VEXEC_CHECKED_BINARY(add_##prefix, TA, TB, TR, FLAG_##TR, STEP_ADD_##TR) \
	VEXEC_CHECKED_BINARY(sub_##prefix, TA, TB, TR, FLAG_##TR, STEP_SUB_##TR) \
	VEXEC_CHECKED_BINARY(mul_##prefix, TA, TB, TR, FLAG_##TR, STEP_MUL_##TR) \
	VEXEC_CHECKED_BINARY(div_##prefix, TA, TB, TR, FLAG_##TR, STEP_DIV_##TR)

ARITHMETIC(float4, float4, float4, float4)
ARITHMETIC(float8, float8, float8, float8)
ARITHMETIC(float48, float4, float8, float8)
ARITHMETIC(float84, float8, float4, float8)

/* The square root of a finite number neither overflows nor underflows. */
#define STEP_SQRT(a, r, bad) \
	do { \
		const bool	negative_ = (a) < 0; \
		(r) = sqrt(negative_ ? 0 : (a)); \
		(bad) |= -(int64) negative_; \
	} while (0)

VEXEC_UNARY(negate_float4, float4, float4, -a)
VEXEC_UNARY(plus_float4, float4, float4, a)
VEXEC_UNARY(abs_float4, float4, float4, fabsf(a))
VEXEC_UNARY(negate_float8, float8, float8, -a)
VEXEC_UNARY(plus_float8, float8, float8, a)
VEXEC_UNARY(abs_float8, float8, float8, fabs(a))
VEXEC_UNARY(round_float8, float8, float8, rint(a))
VEXEC_UNARY(ceil_float8, float8, float8, ceil(a))
VEXEC_UNARY(floor_float8, float8, float8, floor(a))
VEXEC_UNARY(trunc_float8, float8, float8, (a >= 0) ? floor(a) : -floor(-a))
VEXEC_UNARY(sign_float8, float8, float8, (float8) ((a > 0) - (a < 0)))
VEXEC_CHECKED_UNARY(sqrt_float8, float8, float8, int64, STEP_SQRT)

#define STOPS VEXEC_KERNEL_CAN_STOP
#define COMPARE_ENTRIES(FN, prefix, ka, kb) \
	VEXEC_ENTRY2(FN(EQ), eq_##prefix, ka, kb, VEXEC_BOOL, 0), \
	VEXEC_ENTRY2(FN(NE), ne_##prefix, ka, kb, VEXEC_BOOL, 0), \
	VEXEC_ENTRY2(FN(LT), lt_##prefix, ka, kb, VEXEC_BOOL, 0), \
	VEXEC_ENTRY2(FN(LE), le_##prefix, ka, kb, VEXEC_BOOL, 0), \
	VEXEC_ENTRY2(FN(GT), gt_##prefix, ka, kb, VEXEC_BOOL, 0), \
	VEXEC_ENTRY2(FN(GE), ge_##prefix, ka, kb, VEXEC_BOOL, 0)
#define ARITHMETIC_ENTRIES(FN, prefix, ka, kb, kr) \
	VEXEC_ENTRY2(FN(PL), add_##prefix, ka, kb, kr, STOPS), \
	VEXEC_ENTRY2(FN(MI), sub_##prefix, ka, kb, kr, STOPS), \
	VEXEC_ENTRY2(FN(MUL), mul_##prefix, ka, kb, kr, STOPS), \
	VEXEC_ENTRY2(FN(DIV), div_##prefix, ka, kb, kr, STOPS)
#define UNARY_ENTRY(oid, name) \
	VEXEC_ENTRY1(oid, name, VEXEC_FLOAT8, VEXEC_FLOAT8, 0)

#define FN_FLOAT4(op) F_FLOAT4##op
#define FN_FLOAT8(op) F_FLOAT8##op
#define FN_FLOAT48(op) F_FLOAT48##op
#define FN_FLOAT84(op) F_FLOAT84##op

static const VexecKernel kernels[] = {
	COMPARE_ENTRIES(FN_FLOAT4, float4, VEXEC_FLOAT4, VEXEC_FLOAT4),
	COMPARE_ENTRIES(FN_FLOAT8, float8, VEXEC_FLOAT8, VEXEC_FLOAT8),
	COMPARE_ENTRIES(FN_FLOAT48, float48, VEXEC_FLOAT4, VEXEC_FLOAT8),
	COMPARE_ENTRIES(FN_FLOAT84, float84, VEXEC_FLOAT8, VEXEC_FLOAT4),
	ARITHMETIC_ENTRIES(FN_FLOAT4, float4, VEXEC_FLOAT4, VEXEC_FLOAT4, VEXEC_FLOAT4),
	ARITHMETIC_ENTRIES(FN_FLOAT8, float8, VEXEC_FLOAT8, VEXEC_FLOAT8, VEXEC_FLOAT8),
	ARITHMETIC_ENTRIES(FN_FLOAT48, float48, VEXEC_FLOAT4, VEXEC_FLOAT8, VEXEC_FLOAT8),
	ARITHMETIC_ENTRIES(FN_FLOAT84, float84, VEXEC_FLOAT8, VEXEC_FLOAT4, VEXEC_FLOAT8),
	VEXEC_ENTRY1(F_FLOAT4UM, negate_float4, VEXEC_FLOAT4, VEXEC_FLOAT4, 0),
	VEXEC_ENTRY1(F_FLOAT4UP, plus_float4, VEXEC_FLOAT4, VEXEC_FLOAT4, 0),
	VEXEC_ENTRY1(F_FLOAT4ABS, abs_float4, VEXEC_FLOAT4, VEXEC_FLOAT4, 0),
	VEXEC_ENTRY1(F_ABS_FLOAT4, abs_float4, VEXEC_FLOAT4, VEXEC_FLOAT4, 0),
	UNARY_ENTRY(F_FLOAT8UM, negate_float8),
	UNARY_ENTRY(F_FLOAT8UP, plus_float8),
	UNARY_ENTRY(F_FLOAT8ABS, abs_float8),
	UNARY_ENTRY(F_ABS_FLOAT8, abs_float8),
	UNARY_ENTRY(F_DROUND, round_float8),
	UNARY_ENTRY(F_ROUND_FLOAT8, round_float8),
	UNARY_ENTRY(F_DTRUNC, trunc_float8),
	UNARY_ENTRY(F_TRUNC_FLOAT8, trunc_float8),
	UNARY_ENTRY(F_CEIL_FLOAT8, ceil_float8),
	UNARY_ENTRY(F_CEILING_FLOAT8, ceil_float8),
	UNARY_ENTRY(F_FLOOR_FLOAT8, floor_float8),
	UNARY_ENTRY(F_SIGN_FLOAT8, sign_float8),
	VEXEC_ENTRY1(F_DSQRT, sqrt_float8, VEXEC_FLOAT8, VEXEC_FLOAT8, STOPS),
	VEXEC_ENTRY1(F_SQRT_FLOAT8, sqrt_float8, VEXEC_FLOAT8, VEXEC_FLOAT8, STOPS),
	VEXEC_ENTRY_END
};

const VexecKernelFamily VEXEC_ISA_NAME(vexec_kernels_float) = {
	"float comparison, arithmetic and rounding", kernels
};
