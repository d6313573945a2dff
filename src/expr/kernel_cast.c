/*-------------------------------------------------------------------------
 *
 * kernel_cast.c
 *	  Casts between bool, integers and floats.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include <math.h>

#include "expr/kernel_families.h"
#include "expr/kernel_template.h"

#include "utils/float.h"

/* To a narrower integer. */
#define STEP_NARROW(T, a, r, bad) \
	do { \
		(r) = (T) (a); \
		(bad) |= -(int32) ((a) != (r)); \
	} while (0)
#define STEP_TO_INT16(a, r, bad) STEP_NARROW(int16, a, r, bad)
#define STEP_TO_INT32(a, r, bad) STEP_NARROW(int32, a, r, bad)

/*
 * Float to integer: round half to even, then check the range, whose limits are
 * exact in both float types.  NaN fails every comparison.
 */
#define STEP_ROUND(TF, T, lowest, rint, a, r, bad) \
	do { \
		const TF	whole_ = rint(a); \
		const bool	fits_ = (whole_ >= (TF) (lowest)) & (whole_ < -(TF) (lowest)); \
		(r) = (T) (fits_ ? whole_ : 0); \
		(bad) |= -(int32) !fits_; \
	} while (0)
#define STEP_FLOAT8_INT2(a, r, bad) STEP_ROUND(float8, int16, PG_INT16_MIN, rint, a, r, bad)
#define STEP_FLOAT8_INT4(a, r, bad) STEP_ROUND(float8, int32, PG_INT32_MIN, rint, a, r, bad)
#define STEP_FLOAT8_INT8(a, r, bad) STEP_ROUND(float8, int64, PG_INT64_MIN, rint, a, r, bad)
#define STEP_FLOAT4_INT2(a, r, bad) STEP_ROUND(float4, int16, PG_INT16_MIN, rintf, a, r, bad)
#define STEP_FLOAT4_INT4(a, r, bad) STEP_ROUND(float4, int32, PG_INT32_MIN, rintf, a, r, bad)
#define STEP_FLOAT4_INT8(a, r, bad) STEP_ROUND(float4, int64, PG_INT64_MIN, rintf, a, r, bad)

/* Overflow to infinity and underflow to zero are errors. */
#define STEP_FLOAT8_FLOAT4(a, r, bad) \
	do { \
		(r) = (float4) (a); \
		(bad) |= -(int32) (((fabsf(r) == INFINITY) & (fabs(a) != (float8) INFINITY)) | \
						   (((r) == 0.0f) & ((a) != 0.0))); \
	} while (0)

VEXEC_UNARY(int2_int4, int16, int32, a)
VEXEC_UNARY(int2_int8, int16, int64, a)
VEXEC_UNARY(int4_int8, int32, int64, a)
VEXEC_CHECKED_UNARY(int4_int2, int32, int16, int32, STEP_TO_INT16)
VEXEC_CHECKED_UNARY(int8_int2, int64, int16, int32, STEP_TO_INT16)
VEXEC_CHECKED_UNARY(int8_int4, int64, int32, int32, STEP_TO_INT32)

VEXEC_UNARY(bool_int4, uint8, int32, a)
VEXEC_UNARY(int4_bool, int32, uint8, a != 0)

VEXEC_UNARY(int2_float4, int16, float4, (float4) a)
VEXEC_UNARY(int4_float4, int32, float4, (float4) a)
VEXEC_UNARY(int8_float4, int64, float4, (float4) a)
VEXEC_UNARY(int2_float8, int16, float8, (float8) a)
VEXEC_UNARY(int4_float8, int32, float8, (float8) a)
VEXEC_UNARY(int8_float8, int64, float8, (float8) a)
VEXEC_CHECKED_UNARY(float4_int2, float4, int16, int32, STEP_FLOAT4_INT2)
VEXEC_CHECKED_UNARY(float4_int4, float4, int32, int32, STEP_FLOAT4_INT4)
VEXEC_CHECKED_UNARY(float4_int8, float4, int64, int32, STEP_FLOAT4_INT8)
VEXEC_CHECKED_UNARY(float8_int2, float8, int16, int32, STEP_FLOAT8_INT2)
VEXEC_CHECKED_UNARY(float8_int4, float8, int32, int32, STEP_FLOAT8_INT4)
VEXEC_CHECKED_UNARY(float8_int8, float8, int64, int32, STEP_FLOAT8_INT8)

VEXEC_UNARY(float4_float8, float4, float8, (float8) a)
VEXEC_CHECKED_UNARY(float8_float4, float8, float4, int32, STEP_FLOAT8_FLOAT4)

#define STOPS VEXEC_KERNEL_CAN_STOP

/* fmgroids.h names a cast by its result, then its argument. */
static const VexecKernel kernels[] = {
	VEXEC_ENTRY1(F_INT4_INT2, int2_int4, VEXEC_INT16, VEXEC_INT32, 0),
	VEXEC_ENTRY1(F_INT8_INT2, int2_int8, VEXEC_INT16, VEXEC_INT64, 0),
	VEXEC_ENTRY1(F_INT8_INT4, int4_int8, VEXEC_INT32, VEXEC_INT64, 0),
	VEXEC_ENTRY1(F_INT2_INT4, int4_int2, VEXEC_INT32, VEXEC_INT16, STOPS),
	VEXEC_ENTRY1(F_INT2_INT8, int8_int2, VEXEC_INT64, VEXEC_INT16, STOPS),
	VEXEC_ENTRY1(F_INT4_INT8, int8_int4, VEXEC_INT64, VEXEC_INT32, STOPS),
	VEXEC_ENTRY1(F_INT4_BOOL, bool_int4, VEXEC_BOOL, VEXEC_INT32, 0),
	VEXEC_ENTRY1(F_BOOL_INT4, int4_bool, VEXEC_INT32, VEXEC_BOOL, 0),
	VEXEC_ENTRY1(F_FLOAT4_INT2, int2_float4, VEXEC_INT16, VEXEC_FLOAT4, 0),
	VEXEC_ENTRY1(F_FLOAT4_INT4, int4_float4, VEXEC_INT32, VEXEC_FLOAT4, 0),
	VEXEC_ENTRY1(F_FLOAT4_INT8, int8_float4, VEXEC_INT64, VEXEC_FLOAT4, 0),
	VEXEC_ENTRY1(F_FLOAT8_INT2, int2_float8, VEXEC_INT16, VEXEC_FLOAT8, 0),
	VEXEC_ENTRY1(F_FLOAT8_INT4, int4_float8, VEXEC_INT32, VEXEC_FLOAT8, 0),
	VEXEC_ENTRY1(F_FLOAT8_INT8, int8_float8, VEXEC_INT64, VEXEC_FLOAT8, 0),
	VEXEC_ENTRY1(F_INT2_FLOAT4, float4_int2, VEXEC_FLOAT4, VEXEC_INT16, STOPS),
	VEXEC_ENTRY1(F_INT4_FLOAT4, float4_int4, VEXEC_FLOAT4, VEXEC_INT32, STOPS),
	VEXEC_ENTRY1(F_INT8_FLOAT4, float4_int8, VEXEC_FLOAT4, VEXEC_INT64, STOPS),
	VEXEC_ENTRY1(F_INT2_FLOAT8, float8_int2, VEXEC_FLOAT8, VEXEC_INT16, STOPS),
	VEXEC_ENTRY1(F_INT4_FLOAT8, float8_int4, VEXEC_FLOAT8, VEXEC_INT32, STOPS),
	VEXEC_ENTRY1(F_INT8_FLOAT8, float8_int8, VEXEC_FLOAT8, VEXEC_INT64, STOPS),
	VEXEC_ENTRY1(F_FLOAT8_FLOAT4, float4_float8, VEXEC_FLOAT4, VEXEC_FLOAT8, 0),
	VEXEC_ENTRY1(F_FLOAT4_FLOAT8, float8_float4, VEXEC_FLOAT8, VEXEC_FLOAT4, STOPS),
	VEXEC_ENTRY_END
};

const VexecKernelFamily VEXEC_ISA_NAME(vexec_kernels_cast) = {
	"casts between bool, integers and floats", kernels
};
