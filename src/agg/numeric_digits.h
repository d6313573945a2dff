/*-------------------------------------------------------------------------
 *
 * numeric_digits.h
 *	  Reading a Numeric as an integer and a scale.
 *
 * The layout of a Numeric is on disk in every cluster and does not change; a
 * header word says its form, base-10000 digits follow.
 *
 *-------------------------------------------------------------------------
 */
#ifndef VEXEC_NUMERIC_DIGITS_H
#define VEXEC_NUMERIC_DIGITS_H

#include "postgres.h"

#include "utils/numeric.h"
#include "varatt.h"

#define VEXEC_NUMERIC_FORM_MASK		0xC000
#define VEXEC_NUMERIC_FORM_SHORT	0x8000
#define VEXEC_NUMERIC_FORM_SPECIAL	0xC000
#define VEXEC_NUMERIC_FORM_NEGATIVE 0x4000	/* long form */
#define VEXEC_NUMERIC_SPECIAL_MASK	0xF000
#define VEXEC_NUMERIC_PLUS_INFINITY 0xD000

/* At most 37 decimal digits: |value| < 10^37 < 2^123. */
#define VEXEC_NUMERIC_MAX_DIGITS 37

/* A Numeric taken apart; digits are base 10000, the first weighs 10000^weight. */
typedef struct VexecNumericParts
{
	const int16 *digits;
	int			ndigits;
	int			weight;
	int			dscale;
	bool		negative;
} VexecNumericParts;

static inline uint16
vexec_numeric_header(Numeric numeric)
{
	return *(const uint16 *) VARDATA(numeric);
}

static inline bool
vexec_numeric_is_plus_infinity(Numeric numeric)
{
	return (vexec_numeric_header(numeric) & VEXEC_NUMERIC_SPECIAL_MASK) ==
		VEXEC_NUMERIC_PLUS_INFINITY;
}

/* Take apart a Numeric with a 4-byte length word; false for NaN and infinities. */
static inline bool
vexec_numeric_parts(Numeric numeric, VexecNumericParts *parts)
{
	const int16 *words = (const int16 *) VARDATA(numeric);
	int			nwords = (VARSIZE(numeric) - VARHDRSZ) / sizeof(int16);
	uint16		header = vexec_numeric_header(numeric);

	if ((header & VEXEC_NUMERIC_FORM_MASK) == VEXEC_NUMERIC_FORM_SPECIAL)
		return false;
	if ((header & VEXEC_NUMERIC_FORM_MASK) == VEXEC_NUMERIC_FORM_SHORT)
	{
		/* 1 bit sign, 6 bits display scale, 7 bits signed weight */
		parts->negative = (header & 0x2000) != 0;
		parts->dscale = (header >> 7) & 0x3F;
		parts->weight = (header & 0x3F) - (header & 0x40);
		parts->digits = words + 1;
		parts->ndigits = nwords - 1;
	}
	else
	{
		parts->negative = (header & VEXEC_NUMERIC_FORM_NEGATIVE) != 0;
		parts->dscale = header & 0x3FFF;
		parts->weight = words[1];
		parts->digits = words + 2;
		parts->ndigits = nwords - 2;
	}
	return true;
}

/*
 * The digits as an integer times 10^-scale, if that is exact and its magnitude
 * is at most limit; limit * 10000 must fit.
 */
static inline bool
vexec_numeric_scaled(const VexecNumericParts *parts, int scale, unsigned __int128 limit,
					 unsigned __int128 *value)
{
	static const int16 tens[] = {1, 10, 100, 1000};
	unsigned __int128 result = 0;
	int			exponent = 4 * parts->weight + scale;	/* of the digit's unit */

	for (int i = 0; i < parts->ndigits; i++, exponent -= 4)
	{
		int16		digit = parts->digits[i];

		if (exponent >= 0)
			result = result * 10000 + digit;
		else if (exponent > -4 && digit % tens[-exponent] == 0)
			result = result * tens[4 + exponent] + digit / tens[-exponent];
		else if (digit != 0)
			return false;
		if (result > limit)
			return false;
	}
	if (result != 0)
		for (exponent += 4; exponent > 0; exponent--)
		{
			result *= 10;
			if (result > limit)
				return false;
		}
	*value = result;
	return true;
}

/*
 * A finite Numeric as *value * 10^-*scale, *scale its display scale.  False if
 * that takes more than VEXEC_NUMERIC_MAX_DIGITS digits, or for NaN and infinities.
 */
static inline bool
vexec_numeric_to_integer(Numeric numeric, __int128 *value, int *scale)
{
	VexecNumericParts parts;
	unsigned __int128 magnitude;

	if (!vexec_numeric_parts(numeric, &parts) ||
		4 * (Max(parts.weight, -1) + 1) + parts.dscale > VEXEC_NUMERIC_MAX_DIGITS ||
		!vexec_numeric_scaled(&parts, parts.dscale, ~(unsigned __int128) 0 / 10000, &magnitude))
		return false;
	*value = parts.negative ? -(__int128) magnitude : (__int128) magnitude;
	*scale = parts.dscale;
	return true;
}

#endif							/* VEXEC_NUMERIC_DIGITS_H */
