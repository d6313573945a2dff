/*-------------------------------------------------------------------------
 *
 * kernel_int.c
 *	  Arithmetic and bit operations of int2, int4 and int8.
 *
 * Overflow is found without a branch: the results wrap, and one flag collects
 * whether some row did.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "common/int.h"
#include "expr/kernel_families.h"
#include "expr/kernel_int64.h"
#include "expr/kernel_template.h"

/*
 * Sum and difference wrap when both operands' signs (of the difference: the
 * first's and the complement of the second's) differ from the result's.
 */
#define STEP_ADD16(a, b, r, bad) \
	do { \
		(r) = (int16) ((uint16) (a) + (uint16) (b)); \
		(bad) |= (int16) (((a) ^ (r)) & ((b) ^ (r))); \
	} while (0)
#define STEP_SUB16(a, b, r, bad) \
	do { \
		(r) = (int16) ((uint16) (a) - (uint16) (b)); \
		(bad) |= (int16) (((a) ^ (b)) & ((a) ^ (r))); \
	} while (0)
#define STEP_MUL16(a, b, r, bad) \
	do { \
		int32		wide_ = (int32) (a) * (int32) (b); \
		(r) = (int16) wide_; \
		(bad) |= -(int32) (wide_ != (r)); \
	} while (0)

#define STEP_ADD32(a, b, r, bad) \
	do { \
		int32		a_ = (a); \
		int32		b_ = (b); \
		(r) = (int32) ((uint32) a_ + (uint32) b_); \
		(bad) |= (a_ ^ (r)) & (b_ ^ (r)); \
	} while (0)
#define STEP_SUB32(a, b, r, bad) \
	do { \
		int32		a_ = (a); \
		int32		b_ = (b); \
		(r) = (int32) ((uint32) a_ - (uint32) b_); \
		(bad) |= (a_ ^ b_) & (a_ ^ (r)); \
	} while (0)
#define STEP_MUL32(a, b, r, bad) \
	do { \
		int64		wide_ = (int64) (a) * (int64) (b); \
		(r) = (int32) wide_; \
		(bad) |= -(int64) (wide_ != (r)); \
	} while (0)

#define STEP_ADD64(a, b, r, bad) \
	do { \
		int64		a_ = (a); \
		int64		b_ = (b); \
		(r) = (int64) ((uint64) a_ + (uint64) b_); \
		(bad) |= (a_ ^ (r)) & (b_ ^ (r)); \
	} while (0)
#define STEP_SUB64(a, b, r, bad) \
	do { \
		int64		a_ = (a); \
		int64		b_ = (b); \
		(r) = (int64) ((uint64) a_ - (uint64) b_); \
		(bad) |= (a_ ^ b_) & (a_ ^ (r)); \
	} while (0)

/*
 * Quotients of up to 32 bits are computed in double precision, which the
 * compiler can vectorize: with |a|, |b| <= 2^31 the distance of a / b from the
 * next greater integer is at least 1 / |b|, and the rounding error is at most
 * 2^-53 |a / b| <= 2^-22 / |b|, so truncation gives the exact quotient.
 */
#define DIVISOR32(b, zero) ((double) ((b) + (int32) (zero)))
#define STEP_DIV16(a, b, r, bad) \
	do { \
		const int32 b_ = (b); \
		const int32 q_ = (int32) ((double) (a) / DIVISOR32(b_, b_ == 0)); \
		(r) = (int16) q_; \
		(bad) |= -(int32) ((b_ == 0) | (q_ != (int16) q_)); \
	} while (0)
#define STEP_DIV32(a, b, r, bad) \
	do { \
		const int32 a_ = (a); \
		const int32 b_ = (b); \
		const int	bad_ = (b_ == 0) | ((b_ == -1) & (a_ == PG_INT32_MIN)); \
		(r) = (int32) ((double) a_ / (bad_ ? 1.0 : (double) b_)); \
		(bad) |= -(int32) bad_; \
	} while (0)
#define STEP_MOD16(a, b, r, bad) \
	do { \
		const int32 a_ = (a); \
		const int32 b_ = (b) + (int32) ((b) == 0); \
		(r) = (int16) (a_ - (int32) ((double) a_ / (double) b_) * b_); \
		(bad) |= -(int32) ((b) == 0); \
	} while (0)
#define STEP_MOD32(a, b, r, bad) \
	do { \
		const int32 a_ = (a); \
		const int32 b_ = (((b) == 0) | ((b) == -1)) ? 1 : (b); \
		(r) = a_ - (int32) ((double) a_ / (double) b_) * b_; \
		(bad) |= -(int32) ((b) == 0); \
	} while (0)

#define STEP_DIV64(a, b, r, bad) \
	do { \
		const int64 a_ = (a); \
		const int64 b_ = (b); \
		const bool	bad_ = (b_ == 0) | ((b_ == -1) & (a_ == PG_INT64_MIN)); \
		(r) = a_ / (bad_ ? 1 : b_); \
		(bad) |= -(int64) bad_; \
	} while (0)
#define STEP_MOD64(a, b, r, bad) \
	do { \
		const int64 b_ = (((b) == 0) | ((b) == -1)) ? 1 : (b); \
		(r) = (a) % b_; \
		(bad) |= -(int64) ((b) == 0); \
	} while (0)

VEXEC_CHECKED_BINARY(add_int2, int16, int16, int16, int16, STEP_ADD16)
VEXEC_CHECKED_BINARY(sub_int2, int16, int16, int16, int16, STEP_SUB16)
VEXEC_CHECKED_BINARY(mul_int2, int16, int16, int16, int32, STEP_MUL16)
VEXEC_CHECKED_BINARY(div_int2, int16, int16, int16, int32, STEP_DIV16)
VEXEC_CHECKED_BINARY(mod_int2, int16, int16, int16, int32, STEP_MOD16)

VEXEC_CHECKED_BINARY(add_int4, int32, int32, int32, int32, STEP_ADD32)
VEXEC_CHECKED_BINARY(sub_int4, int32, int32, int32, int32, STEP_SUB32)
VEXEC_CHECKED_BINARY(mul_int4, int32, int32, int32, int64, STEP_MUL32)
VEXEC_CHECKED_BINARY(div_int4, int32, int32, int32, int32, STEP_DIV32)
VEXEC_CHECKED_BINARY(mod_int4, int32, int32, int32, int32, STEP_MOD32)
VEXEC_CHECKED_BINARY(add_int24, int16, int32, int32, int32, STEP_ADD32)
VEXEC_CHECKED_BINARY(sub_int24, int16, int32, int32, int32, STEP_SUB32)
VEXEC_CHECKED_BINARY(mul_int24, int16, int32, int32, int64, STEP_MUL32)
VEXEC_CHECKED_BINARY(div_int24, int16, int32, int32, int32, STEP_DIV32)
VEXEC_CHECKED_BINARY(add_int42, int32, int16, int32, int32, STEP_ADD32)
VEXEC_CHECKED_BINARY(sub_int42, int32, int16, int32, int32, STEP_SUB32)
VEXEC_CHECKED_BINARY(mul_int42, int32, int16, int32, int64, STEP_MUL32)
VEXEC_CHECKED_BINARY(div_int42, int32, int16, int32, int32, STEP_DIV32)

/* int8 in every combination; products have their own way, see below. */
#define INT64_ARITHMETIC(suffix, TA, TB) \
	VEXEC_CHECKED_BINARY(add_##suffix, TA, TB, int64, int64, STEP_ADD64) \
	VEXEC_CHECKED_BINARY(sub_##suffix, TA, TB, int64, int64, STEP_SUB64) \
	VEXEC_CHECKED_BINARY(div_##suffix, TA, TB, int64, int64, STEP_DIV64)

INT64_ARITHMETIC(int8, int64, int64)
INT64_ARITHMETIC(int28, int16, int64)
INT64_ARITHMETIC(int82, int64, int16)
INT64_ARITHMETIC(int48, int32, int64)
INT64_ARITHMETIC(int84, int64, int32)
VEXEC_CHECKED_BINARY(mod_int8, int64, int64, int64, int64, STEP_MOD64)

/* A product of two int64 vectors. */
static void
mul_int8(VexecKernelCall *call)
{
	const VexecVector *x = call->arg[0];
	const VexecVector *y = call->arg[1];

	if (!vexec_int64_multiply(call, x, VEXEC_VALUES(x, int64), y, VEXEC_VALUES(y, int64)))
	{
		const int64 *av = VEXEC_VALUES(x, int64);
		const int64 *bv = VEXEC_VALUES(y, int64);
		int			n;
		const uint16 *sel = vexec_kernel_selected(call, &n);

		for (int k = 0; k < n; k++)
		{
			const int	row = sel ? sel[k] : k;
			int64		product;

			if (pg_mul_s64_overflow(av[x->constant ? 0 : row], bv[y->constant ? 0 : row],
									&product) &&
				!vexec_is_null(call->result, row))
			{
				vexec_kernel_stop(call, row);
				break;
			}
		}
	}
}

/*
 * Products of int8 with a narrower type: the narrow argument is widened first.
 */
#define WIDEN_AND_MULTIPLY(name, narrow, TNARROW) \
static void \
name(VexecKernelCall *call) \
{ \
	VexecKernelCall wide = *call; \
	VexecVector vec = *call->arg[narrow]; \
	int64		values[VEXEC_BATCH_ROWS]; \
	const TNARROW *from = VEXEC_VALUES(&vec, TNARROW); \
	const int	n = vec.constant ? 1 : (call->sel ? call->nrows : call->n); \
\
	for (int row = 0; row < n; row++) \
		values[row] = from[row]; \
	vec.kind = VEXEC_INT64; \
	vec.values = values; \
	wide.arg[narrow] = &vec; \
	mul_int8(&wide); \
	call->stop = wide.stop; \
}

WIDEN_AND_MULTIPLY(mul_int28, 0, int16)
WIDEN_AND_MULTIPLY(mul_int82, 1, int16)
WIDEN_AND_MULTIPLY(mul_int48, 0, int32)
WIDEN_AND_MULTIPLY(mul_int84, 1, int32)

/* Unary minus and abs fail for the one value that has no opposite. */
#define STEP_NEGATE(a, r, bad) \
	do { \
		(r) = -(a); \
		(bad) |= (a) & (r); \
	} while (0)
#define STEP_ABS(a, r, bad) \
	do { \
		(r) = ((a) < 0) ? -(a) : (a); \
		(bad) |= (r); \
	} while (0)

/*
 * The shifts of the processor that core's C shifts compile to take the count
 * modulo the width (int2 is shifted as an int).
 */
#define UNSIGNED_SHIFT_LEFT(T, UT, a, b, mask) ((T) ((UT) (a) << ((b) & (mask))))

#define BIT_OPERATIONS(suffix, T, UT, mask) \
	VEXEC_CHECKED_UNARY(negate_##suffix, T, T, T, STEP_NEGATE) \
	VEXEC_CHECKED_UNARY(abs_##suffix, T, T, T, STEP_ABS) \
	VEXEC_UNARY(plus_##suffix, T, T, a) \
	VEXEC_UNARY(not_##suffix, T, T, (T) ~a) \
	VEXEC_BINARY(and_##suffix, T, T, T, a & b) \
	VEXEC_BINARY(or_##suffix, T, T, T, a | b) \
	VEXEC_BINARY(xor_##suffix, T, T, T, a ^ b) \
	VEXEC_BINARY(shl_##suffix, T, int32, T, UNSIGNED_SHIFT_LEFT(T, UT, a, b, mask)) \
	VEXEC_BINARY(shr_##suffix, T, int32, T, (T) (a >> (b & (mask))))

BIT_OPERATIONS(int2, int16, uint32, 31)
BIT_OPERATIONS(int4, int32, uint32, 31)
BIT_OPERATIONS(int8, int64, uint64, 63)

#define STOPS VEXEC_KERNEL_CAN_STOP
#define ARITHMETIC_ENTRIES(FN, suffix, ka, kb, kr) \
	VEXEC_ENTRY2(FN(PL), add_##suffix, ka, kb, kr, STOPS), \
	VEXEC_ENTRY2(FN(MI), sub_##suffix, ka, kb, kr, STOPS), \
	VEXEC_ENTRY2(FN(MUL), mul_##suffix, ka, kb, kr, STOPS), \
	VEXEC_ENTRY2(FN(DIV), div_##suffix, ka, kb, kr, STOPS)
#define SAME_TYPE_ENTRIES(FN, TYPE, suffix, k) \
	ARITHMETIC_ENTRIES(FN, suffix, k, k, k), \
	VEXEC_ENTRY2(FN(MOD), mod_##suffix, k, k, k, STOPS), \
	VEXEC_ENTRY2(F_MOD_##TYPE##_##TYPE, mod_##suffix, k, k, k, STOPS), \
	VEXEC_ENTRY1(FN(UM), negate_##suffix, k, k, STOPS), \
	VEXEC_ENTRY1(FN(UP), plus_##suffix, k, k, 0), \
	VEXEC_ENTRY1(FN(ABS), abs_##suffix, k, k, STOPS), \
	VEXEC_ENTRY1(F_ABS_##TYPE, abs_##suffix, k, k, STOPS), \
	VEXEC_ENTRY1(FN(NOT), not_##suffix, k, k, 0), \
	VEXEC_ENTRY2(FN(AND), and_##suffix, k, k, k, 0), \
	VEXEC_ENTRY2(FN(OR), or_##suffix, k, k, k, 0), \
	VEXEC_ENTRY2(FN(XOR), xor_##suffix, k, k, k, 0), \
	VEXEC_ENTRY2(FN(SHL), shl_##suffix, k, VEXEC_INT32, k, 0), \
	VEXEC_ENTRY2(FN(SHR), shr_##suffix, k, VEXEC_INT32, k, 0)

#define FN_INT2(op) F_INT2##op
#define FN_INT4(op) F_INT4##op
#define FN_INT8(op) F_INT8##op
#define FN_INT24(op) F_INT24##op
#define FN_INT42(op) F_INT42##op
#define FN_INT28(op) F_INT28##op
#define FN_INT82(op) F_INT82##op
#define FN_INT48(op) F_INT48##op
#define FN_INT84(op) F_INT84##op

static const VexecKernel kernels[] = {
	SAME_TYPE_ENTRIES(FN_INT2, INT2, int2, VEXEC_INT16),
	SAME_TYPE_ENTRIES(FN_INT4, INT4, int4, VEXEC_INT32),
	SAME_TYPE_ENTRIES(FN_INT8, INT8, int8, VEXEC_INT64),
	ARITHMETIC_ENTRIES(FN_INT24, int24, VEXEC_INT16, VEXEC_INT32, VEXEC_INT32),
	ARITHMETIC_ENTRIES(FN_INT42, int42, VEXEC_INT32, VEXEC_INT16, VEXEC_INT32),
	ARITHMETIC_ENTRIES(FN_INT28, int28, VEXEC_INT16, VEXEC_INT64, VEXEC_INT64),
	ARITHMETIC_ENTRIES(FN_INT82, int82, VEXEC_INT64, VEXEC_INT16, VEXEC_INT64),
	ARITHMETIC_ENTRIES(FN_INT48, int48, VEXEC_INT32, VEXEC_INT64, VEXEC_INT64),
	ARITHMETIC_ENTRIES(FN_INT84, int84, VEXEC_INT64, VEXEC_INT32, VEXEC_INT64),
	VEXEC_ENTRY_END
};

const VexecKernelFamily VEXEC_ISA_NAME(vexec_kernels_int) = {
	"integer arithmetic and bit operations", kernels
};
