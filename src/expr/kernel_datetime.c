/*-------------------------------------------------------------------------
 *
 * kernel_datetime.c
 *	  Arithmetic of dates, and casts between date and timestamp.
 *
 * Nothing here depends on a time zone.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "expr/kernel_families.h"
#include "expr/kernel_template.h"

#include "utils/date.h"
#include "utils/timestamp.h"

/* The infinities are the extreme values of int32. */
#define FINITE(d) (((d) != DATEVAL_NOBEGIN) & ((d) != DATEVAL_NOEND))

#define STEP_SUB_DATE(a, b, r, bad) \
	do { \
		(r) = (int32) ((uint32) (a) - (uint32) (b)); \
		(bad) |= -(int32) !(FINITE(a) & FINITE(b)); \
	} while (0)

/* An infinite date stays what it is; a finite one must stay in its range. */
#define STEP_MOVE_DATE(op, a, b, r, bad) \
	do { \
		const int64 moved_ = (int64) (a) op (int64) (b); \
		const bool	finite_ = FINITE(a); \
		(r) = finite_ ? (DateADT) moved_ : (a); \
		(bad) |= -(int64) (finite_ & !IS_VALID_DATE(moved_)); \
	} while (0)
#define STEP_ADD_DAYS(a, b, r, bad) STEP_MOVE_DATE(+, a, b, r, bad)
#define STEP_SUB_DAYS(a, b, r, bad) STEP_MOVE_DATE(-, a, b, r, bad)

#define STEP_DATE_TIMESTAMP(a, r, bad) \
	do { \
		const bool	finite_ = FINITE(a); \
		const bool	late_ = (a) >= TIMESTAMP_END_JULIAN - POSTGRES_EPOCH_JDATE; \
		const int64 infinite_ = ((a) < 0) ? DT_NOBEGIN : DT_NOEND; \
		(r) = finite_ ? (int64) (a) * USECS_PER_DAY : infinite_; \
		(bad) |= -(int64) (finite_ & late_); \
	} while (0)

/* The day that contains the timestamp: division rounding down. */
#define STEP_TIMESTAMP_DATE(a, r, bad) \
	do { \
		const int64 day_ = (a) / USECS_PER_DAY - (((a) % USECS_PER_DAY) < 0); \
		const bool	finite_ = !TIMESTAMP_NOT_FINITE(a); \
		const DateADT infinite_ = ((a) < 0) ? DATEVAL_NOBEGIN : DATEVAL_NOEND; \
		(r) = finite_ ? (DateADT) day_ : infinite_; \
		(bad) |= -(int64) (finite_ & !IS_VALID_TIMESTAMP(a)); \
	} while (0)

VEXEC_CHECKED_BINARY(sub_date, DateADT, DateADT, int32, int32, STEP_SUB_DATE)
VEXEC_CHECKED_BINARY(add_days, DateADT, int32, DateADT, int64, STEP_ADD_DAYS)
VEXEC_CHECKED_BINARY(sub_days, DateADT, int32, DateADT, int64, STEP_SUB_DAYS)
VEXEC_CHECKED_UNARY(date_timestamp, DateADT, Timestamp, int64, STEP_DATE_TIMESTAMP)
VEXEC_CHECKED_UNARY(timestamp_date, Timestamp, DateADT, int64, STEP_TIMESTAMP_DATE)

#define STOPS VEXEC_KERNEL_CAN_STOP

static const VexecKernel kernels[] = {
	VEXEC_ENTRY2(F_DATE_MI, sub_date, VEXEC_INT32, VEXEC_INT32, VEXEC_INT32, STOPS),
	VEXEC_ENTRY2(F_DATE_PLI, add_days, VEXEC_INT32, VEXEC_INT32, VEXEC_INT32, STOPS),
	VEXEC_ENTRY2(F_DATE_MII, sub_days, VEXEC_INT32, VEXEC_INT32, VEXEC_INT32, STOPS),
	VEXEC_ENTRY1(F_TIMESTAMP_DATE, date_timestamp, VEXEC_INT32, VEXEC_INT64, STOPS),
	VEXEC_ENTRY1(F_DATE_TIMESTAMP, timestamp_date, VEXEC_INT64, VEXEC_INT32, STOPS),
	VEXEC_ENTRY_END
};

const VexecKernelFamily VEXEC_ISA_NAME(vexec_kernels_datetime) = {
	"date arithmetic, casts between date and timestamp", kernels
};
