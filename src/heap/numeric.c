/*-------------------------------------------------------------------------
 *
 * numeric.c
 *	  Numerics of any form to scaled integers, one value at a time: what the
 *	  decode kernel leaves.
 *
 * The layout is that of the server's numeric.c, which keeps it to itself; it is
 * on disk and so cannot change.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "varatt.h"

#include "heap/column.h"
#include "heap/heap.h"

#define BASE 10000
#define BASE_DIGITS 4

#define FORMAT_MASK			0xC000
#define FORMAT_SHORT		0x8000
#define FORMAT_SPECIAL		0xC000	/* NaN and infinities */
#define LONG_NEGATIVE		0x4000
#define LONG_DSCALE_MASK	0x3FFF
#define SHORT_NEGATIVE		0x2000
#define SHORT_DSCALE_MASK	0x1F80
#define SHORT_DSCALE_SHIFT	7
#define SHORT_WEIGHT_MASK	0x007F
#define SHORT_WEIGHT_SIGN	0x0040

/* More base-10000 digits than this are past 63 bits, whatever they are. */
#define MAX_DIGITS 6

typedef struct NumericParts
{
	bool		negative;
	int			dscale;
	int			weight;			/* of the first digit, in powers of 10000 */
	int			ndigits;
	const char *digits;			/* int16, unaligned */
} NumericParts;

static int16
load_digit(const char *p)
{
	int16		digit;

	memcpy(&digit, p, sizeof(digit));
	return digit;
}

static bool
numeric_parts(const struct varlena *value, NumericParts *parts)
{
	const char *body = VARDATA_ANY(value);
	int			size = VARSIZE_ANY_EXHDR(value);
	uint16		header = (uint16) load_digit(body);

	if ((header & FORMAT_MASK) == FORMAT_SPECIAL)
		return false;
	if ((header & FORMAT_MASK) == FORMAT_SHORT)
	{
		parts->negative = (header & SHORT_NEGATIVE) != 0;
		parts->dscale = (header & SHORT_DSCALE_MASK) >> SHORT_DSCALE_SHIFT;
		parts->weight = ((header & SHORT_WEIGHT_MASK) ^ SHORT_WEIGHT_SIGN) - SHORT_WEIGHT_SIGN;
		body += sizeof(uint16);
		size -= sizeof(uint16);
	}
	else
	{
		parts->negative = (header & FORMAT_MASK) == LONG_NEGATIVE;
		parts->dscale = header & LONG_DSCALE_MASK;
		parts->weight = load_digit(body + sizeof(uint16));
		body += 2 * sizeof(uint16);
		size -= 2 * sizeof(uint16);
	}
	parts->ndigits = size / (int) sizeof(int16);
	parts->digits = body;
	return true;
}

int
vexec_numeric_display_scale(const struct varlena *value)
{
	NumericParts parts;

	return numeric_parts(value, &parts) ? parts.dscale : -1;
}

bool
vexec_numeric_to_decimal(const struct varlena *value, int scale, int64 *result)
{
	NumericParts parts;
	int			fraction = (scale + BASE_DIGITS - 1) / BASE_DIGITS;
	int			total;
	uint128		sum = 0;
	int64		divisor = 1;

	if (!numeric_parts(value, &parts) || parts.dscale != scale)
		return false;
	if (parts.ndigits == 0)
	{
		*result = 0;
		return true;
	}

	/*
	 * Base-10000 digits from the first one to the last fractional one, stored
	 * or not.  There are no stored ones below the display scale.
	 */
	total = parts.weight + 1 + fraction;
	if (total > MAX_DIGITS || parts.ndigits > total)
		return false;
	for (int i = 0; i < total; i++)
		sum = sum * BASE + (i < parts.ndigits ? load_digit(parts.digits + i * sizeof(int16)) : 0);

	for (int i = scale; i < fraction * BASE_DIGITS; i++)
		divisor *= 10;
	if (sum % divisor != 0)
		return false;
	sum /= divisor;
	if (sum > PG_INT64_MAX)
		return false;
	*result = parts.negative ? -(int64) sum : (int64) sum;
	return true;
}

bool
vexec_numerics_to_decimal(VexecVector *vector, const VexecVector *datums, int n)
{
	int64		values[VEXEC_BATCH_ROWS] = {0};
	int			scale = -1;

	for (int row = 0; row < n; row++)
	{
		const struct varlena *value = (struct varlena *)
			DatumGetPointer(VEXEC_VALUES(datums, Datum)[row]);

		if (vexec_is_null(datums, row))
			continue;
		if (VARATT_IS_EXTERNAL(value) || VARATT_IS_COMPRESSED(value))
			return false;
		if (scale < 0)
		{
			scale = vexec_numeric_display_scale(value);
			if (scale < 0 || scale > VEXEC_MAX_SCALE)
				return false;
		}
		if (!vexec_numeric_to_decimal(value, scale, &values[row]))
			return false;
	}
	memcpy(vector->values, values, n * sizeof(int64));
	vector->is_decimal = true;
	vector->scale = Max(scale, 0);
	return true;
}
