/*-------------------------------------------------------------------------
 *
 * kernel_string.h
 *	  Comparing bytes inline: most strings in filters are short, and a call
 *	  into the C library per row costs more than the comparison.
 *
 * No function reads a byte outside the lengths given.
 *
 *-------------------------------------------------------------------------
 */
#ifndef VEXEC_KERNEL_STRING_H
#define VEXEC_KERNEL_STRING_H

#include "batch/batch.h"

static inline uint64
vexec_load8(const char *p)
{
	uint64		v;

	memcpy(&v, p, sizeof(v));
	return v;
}

static inline uint32
vexec_load4(const char *p)
{
	uint32		v;

	memcpy(&v, p, sizeof(v));
	return v;
}

static inline uint16
vexec_load2(const char *p)
{
	uint16		v;

	memcpy(&v, p, sizeof(v));
	return v;
}

/* Are n bytes the same?  The last step overlaps the one before. */
static inline bool
vexec_bytes_equal(const char *a, const char *b, uint32 n)
{
	if (n >= 8)
	{
		if (vexec_load8(a) != vexec_load8(b))
			return false;
		for (uint32 i = 8; i + 8 < n; i += 8)
		{
			if (vexec_load8(a + i) != vexec_load8(b + i))
				return false;
		}
		return vexec_load8(a + n - 8) == vexec_load8(b + n - 8);
	}
	if (n >= 4)
		return vexec_load4(a) == vexec_load4(b) &&
			vexec_load4(a + n - 4) == vexec_load4(b + n - 4);
	if (n >= 2)
		return vexec_load2(a) == vexec_load2(b) &&
			vexec_load2(a + n - 2) == vexec_load2(b + n - 2);
	return n == 0 || *a == *b;
}

#define VEXEC_BLANKS UINT64CONST(0x2020202020202020)

/* Are n bytes all blanks? */
static inline bool
vexec_bytes_blank(const char *p, uint32 n)
{
	if (n >= 8)
	{
		for (uint32 i = 0; i + 8 < n; i += 8)
		{
			if (vexec_load8(p + i) != VEXEC_BLANKS)
				return false;
		}
		return vexec_load8(p + n - 8) == VEXEC_BLANKS;
	}
	if (n >= 4)
		return vexec_load4(p) == (uint32) VEXEC_BLANKS &&
			vexec_load4(p + n - 4) == (uint32) VEXEC_BLANKS;
	if (n >= 2)
		return vexec_load2(p) == (uint16) VEXEC_BLANKS &&
			vexec_load2(p + n - 2) == (uint16) VEXEC_BLANKS;
	return n == 0 || *p == ' ';
}

/* The length without trailing blanks. */
static inline uint32
vexec_trimmed_length(const char *p, uint32 n)
{
	while (n >= 8 && vexec_load8(p + n - 8) == VEXEC_BLANKS)
		n -= 8;
	while (n > 0 && p[n - 1] == ' ')
		n--;
	return n;
}

/*
 * Hash of n bytes, for tables that live no longer than a query.  Multiply and
 * fold, eight bytes at a time.
 */
static inline uint64
vexec_bytes_hash(const char *p, uint32 n)
{
	uint64		h = n * UINT64CONST(0x9E3779B97F4A7C15);
	uint64		last = 0;

	if (n >= 8)
	{
		for (uint32 i = 0; i + 8 < n; i += 8)
		{
			h = (h ^ vexec_load8(p + i)) * UINT64CONST(0xD6E8FEB86659FD93);
			h ^= h >> 32;
		}
		last = vexec_load8(p + n - 8);
	}
	else if (n >= 4)
		last = (uint64) vexec_load4(p) << 32 | vexec_load4(p + n - 4);
	else if (n > 0)
		last = (uint64) (uint8) p[0] << 16 | (uint64) (uint8) p[n / 2] << 8 | (uint8) p[n - 1];
	h = (h ^ last) * UINT64CONST(0xD6E8FEB86659FD93);
	return h ^ (h >> 32);
}

#endif							/* VEXEC_KERNEL_STRING_H */
