/*-------------------------------------------------------------------------
 *
 * kernel_text.c
 *	  Comparison and length of text, varchar and char(n).
 *
 * Equality needs a deterministic collation, order that of bytes.  char(n) is
 * compared without its trailing blanks.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "expr/kernel_families.h"
#include "expr/kernel_string.h"
#include "expr/kernel_template.h"

#include "mb/pg_wchar.h"

static inline VexecString
trimmed(VexecString s)
{
	s.len = vexec_trimmed_length(s.data, s.len);
	return s;
}

static inline bool
text_equal(VexecString a, VexecString b)
{
	return a.len == b.len && vexec_bytes_equal(a.data, b.data, a.len);
}

/* a = b for a padded and b without trailing blanks: the blanks come last. */
static inline bool
padded_equal(VexecString a, VexecString b)
{
	return a.len >= b.len && vexec_bytes_equal(a.data, b.data, b.len) &&
		vexec_bytes_blank(a.data + b.len, a.len - b.len);
}

/*
 * Values of char(n) mostly have one length and differ in their first bytes as
 * good as at random, so that a branch on each comparison is mispredicted often.
 * For values of the constant's padded length all words are compared instead.
 */
#define PADDED_MAX 64

/* No value has this length; null ones and those of bpchar may have none. */
#define NOT_PADDED PG_UINT32_MAX

typedef struct PaddedConstant
{
	VexecString trimmed;		/* without trailing blanks */
	uint32		len;			/* 8 .. PADDED_MAX, or NOT_PADDED: not used */
	char		data[PADDED_MAX];
} PaddedConstant;

/* Pad a trimmed constant to a length, if that is one to be compared so. */
static inline void
pad_constant(PaddedConstant *constant, uint32 len)
{
	constant->len = NOT_PADDED;
	if (len < 8 || len > PADDED_MAX || len < constant->trimmed.len)
		return;
	memcpy(constant->data, constant->trimmed.data, constant->trimmed.len);
	memset(constant->data + constant->trimmed.len, ' ', len - constant->trimmed.len);
	constant->len = len;
}

static inline bool
padded_constant_equal(VexecString a, const PaddedConstant *constant)
{
	uint64		difference = 0;

	if (unlikely(a.len != constant->len))
		return padded_equal(a, constant->trimmed);
	for (uint32 i = 0; i + 8 < constant->len; i += 8)
		difference |= vexec_load8(a.data + i) ^ vexec_load8(constant->data + i);
	difference |= vexec_load8(a.data + constant->len - 8) ^
		vexec_load8(constant->data + constant->len - 8);
	return difference == 0;
}

static inline int
text_compare(VexecString a, VexecString b)
{
	const int	cmp = memcmp(a.data, b.data, Min(a.len, b.len));

	return cmp != 0 ? cmp : (a.len > b.len) - (a.len < b.len);
}

/*
 * The strings at one end of a comparison.  Unlike numbers they are read at
 * selected rows only.
 */
#define STRING_LOOP(x, y, body) \
	do { \
		const VexecString *av = VEXEC_VALUES(x, VexecString); \
		const VexecString *bv = VEXEC_VALUES(y, VexecString); \
		uint8	   *rv = VEXEC_VALUES(call->result, uint8); \
		const int	amask = (x)->constant ? 0 : -1; \
		const int	bmask = (y)->constant ? 0 : -1; \
		int			n; \
		const uint16 *sel = vexec_kernel_selected(call, &n); \
\
		if (sel == NULL) \
		{ \
			for (int row = 0; row < n; row++) \
				body(rv[row], av[row & amask], bv[row & bmask]); \
		} \
		else \
		{ \
			for (int k = 0; k < n; k++) \
			{ \
				const int	row = sel[k]; \
\
				body(rv[row], av[row & amask], bv[row & bmask]); \
			} \
		} \
	} while (0)

static inline void
text_equality(VexecKernelCall *call, bool equal)
{
#define BODY(r, a, b) (r) = (text_equal(a, b) == equal)
	STRING_LOOP(call->arg[0], call->arg[1], BODY);
#undef BODY
}

static inline void
bpchar_equality(VexecKernelCall *call, bool equal)
{
	const VexecVector *x = call->arg[0];
	const VexecVector *y = call->arg[1];

	if (x->constant || y->constant)
	{
		const VexecVector *other = x->constant ? y : x;
		const VexecVector *constant = x->constant ? x : y;
		const VexecString *values = VEXEC_VALUES(other, VexecString);
		uint8	   *result = VEXEC_VALUES(call->result, uint8);
		PaddedConstant padded;
		int			n;
		const uint16 *sel = vexec_kernel_selected(call, &n);

		if (n == 0)
			return;
		padded.trimmed = trimmed(VEXEC_VALUES(constant, VexecString)[0]);
		pad_constant(&padded, values[sel ? sel[0] : 0].len);
		VEXEC_FOREACH(row, sel, n,
					  {
						  result[row] = padded_constant_equal(values[row], &padded) == equal;
					  });
	}
	else
	{
#define BODY(r, a, b) (r) = (text_equal(trimmed(a), trimmed(b)) == equal)
		STRING_LOOP(x, y, BODY);
#undef BODY
	}
}

#define EQUALITY(type) \
static void \
eq_##type(VexecKernelCall *call) \
{ \
	type##_equality(call, true); \
} \
\
static void \
ne_##type(VexecKernelCall *call) \
{ \
	type##_equality(call, false); \
}

EQUALITY(text)
EQUALITY(bpchar)

#define ORDER(name, type, op) \
static void \
name(VexecKernelCall *call) \
{ \
	STRING_LOOP(call->arg[0], call->arg[1], BODY_##type##_##op); \
}

#define BODY_text_lt(r, a, b) (r) = text_compare(a, b) < 0
#define BODY_text_le(r, a, b) (r) = text_compare(a, b) <= 0
#define BODY_text_gt(r, a, b) (r) = text_compare(a, b) > 0
#define BODY_text_ge(r, a, b) (r) = text_compare(a, b) >= 0
#define BODY_bpchar_lt(r, a, b) (r) = text_compare(trimmed(a), trimmed(b)) < 0
#define BODY_bpchar_le(r, a, b) (r) = text_compare(trimmed(a), trimmed(b)) <= 0
#define BODY_bpchar_gt(r, a, b) (r) = text_compare(trimmed(a), trimmed(b)) > 0
#define BODY_bpchar_ge(r, a, b) (r) = text_compare(trimmed(a), trimmed(b)) >= 0
#define BODY_text_starts(r, a, b) \
	(r) = (a).len >= (b).len && vexec_bytes_equal((a).data, (b).data, (b).len)

ORDER(lt_text, text, lt)
ORDER(le_text, text, le)
ORDER(gt_text, text, gt)
ORDER(ge_text, text, ge)
ORDER(lt_bpchar, bpchar, lt)
ORDER(le_bpchar, bpchar, le)
ORDER(gt_bpchar, bpchar, gt)
ORDER(ge_bpchar, bpchar, ge)
ORDER(starts_with_text, text, starts)

/*
 * Lengths.  Characters are counted in UTF-8 by the bytes that begin one.
 */
static inline int32
utf8_length(VexecString s)
{
	int32		count = 0;

	for (uint32 i = 0; i < s.len; i++)
		count += ((uint8) s.data[i] & 0xC0) != 0x80;
	return count;
}

#define LENGTH(name, EXPR) \
static void \
name(VexecKernelCall *call) \
{ \
	const VexecString *av = VEXEC_VALUES(call->arg[0], VexecString); \
	int32	   *rv = VEXEC_VALUES(call->result, int32); \
	int			n; \
	const uint16 *sel = vexec_kernel_selected(call, &n); \
\
	for (int k = 0; k < n; k++) \
	{ \
		const int	row = sel ? sel[k] : k; \
		const VexecString a = av[row]; \
\
		rv[row] = (EXPR); \
	} \
}

LENGTH(octets, (int32) a.len)
LENGTH(utf8_text, utf8_length(a))
LENGTH(utf8_bpchar, utf8_length(trimmed(a)))
LENGTH(bytes_bpchar, (int32) trimmed(a).len)

/* Which way to count is known with the database, hence at prepare. */
static bool
prepare_length(const Const *constant, const void **prepared)
{
	static const bool utf8 = true;
	static const bool single_byte = false;

	if (GetDatabaseEncoding() == PG_UTF8)
		*prepared = &utf8;
	else if (pg_database_encoding_max_length() == 1)
		*prepared = &single_byte;
	else
		return false;
	return true;
}

static void
length_text(VexecKernelCall *call)
{
	if (*(const bool *) call->prepared)
		utf8_text(call);
	else
		octets(call);
}

static void
length_bpchar(VexecKernelCall *call)
{
	if (*(const bool *) call->prepared)
		utf8_bpchar(call);
	else
		bytes_bpchar(call);
}

/* char(n) as text loses its trailing blanks; the bytes stay where they are. */
static void
bpchar_text(VexecKernelCall *call)
{
	const VexecString *av = VEXEC_VALUES(call->arg[0], VexecString);
	VexecString *rv = VEXEC_VALUES(call->result, VexecString);
	int			n;
	const uint16 *sel = vexec_kernel_selected(call, &n);

	for (int k = 0; k < n; k++)
	{
		const int	row = sel ? sel[k] : k;

		rv[row] = trimmed(av[row]);
	}
}

#define COMPARE_ENTRY(oid, fn, flags) \
	VEXEC_ENTRY2(oid, fn, VEXEC_STRING, VEXEC_STRING, VEXEC_BOOL, flags)
#define LENGTH_ENTRY(oid, fn, prepare) \
	{oid, 1, {VEXEC_STRING}, VEXEC_INT32, 0, fn, prepare}
#define EQUAL VEXEC_KERNEL_DETERMINISTIC
#define BYTES VEXEC_KERNEL_COLLATE_C

static const VexecKernel kernels[] = {
	COMPARE_ENTRY(F_TEXTEQ, eq_text, EQUAL),
	COMPARE_ENTRY(F_TEXTNE, ne_text, EQUAL),
	COMPARE_ENTRY(F_TEXT_LT, lt_text, BYTES),
	COMPARE_ENTRY(F_TEXT_LE, le_text, BYTES),
	COMPARE_ENTRY(F_TEXT_GT, gt_text, BYTES),
	COMPARE_ENTRY(F_TEXT_GE, ge_text, BYTES),
	COMPARE_ENTRY(F_TEXT_PATTERN_LT, lt_text, EQUAL),
	COMPARE_ENTRY(F_TEXT_PATTERN_LE, le_text, EQUAL),
	COMPARE_ENTRY(F_TEXT_PATTERN_GT, gt_text, EQUAL),
	COMPARE_ENTRY(F_TEXT_PATTERN_GE, ge_text, EQUAL),
	COMPARE_ENTRY(F_BPCHAREQ, eq_bpchar, EQUAL),
	COMPARE_ENTRY(F_BPCHARNE, ne_bpchar, EQUAL),
	COMPARE_ENTRY(F_BPCHARLT, lt_bpchar, BYTES),
	COMPARE_ENTRY(F_BPCHARLE, le_bpchar, BYTES),
	COMPARE_ENTRY(F_BPCHARGT, gt_bpchar, BYTES),
	COMPARE_ENTRY(F_BPCHARGE, ge_bpchar, BYTES),
	COMPARE_ENTRY(F_STARTS_WITH, starts_with_text, EQUAL),
	LENGTH_ENTRY(F_LENGTH_TEXT, length_text, prepare_length),
	LENGTH_ENTRY(F_TEXTLEN, length_text, prepare_length),
	LENGTH_ENTRY(F_CHAR_LENGTH_TEXT, length_text, prepare_length),
	LENGTH_ENTRY(F_CHARACTER_LENGTH_TEXT, length_text, prepare_length),
	LENGTH_ENTRY(F_LENGTH_BPCHAR, length_bpchar, prepare_length),
	LENGTH_ENTRY(F_CHAR_LENGTH_BPCHAR, length_bpchar, prepare_length),
	LENGTH_ENTRY(F_CHARACTER_LENGTH_BPCHAR, length_bpchar, prepare_length),
	LENGTH_ENTRY(F_OCTET_LENGTH_TEXT, octets, NULL),
	LENGTH_ENTRY(F_OCTET_LENGTH_BPCHAR, octets, NULL),
	VEXEC_ENTRY1(F_TEXT_BPCHAR, bpchar_text, VEXEC_STRING, VEXEC_STRING, 0),
	VEXEC_ENTRY_END
};

const VexecKernelFamily VEXEC_ISA_NAME(vexec_kernels_text) = {
	"comparison and length of text, varchar and char(n)", kernels
};
