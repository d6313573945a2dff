/*-------------------------------------------------------------------------
 *
 * kernel_like.c
 *	  LIKE and NOT LIKE with a constant pattern.
 *
 * The pattern is cut at each % into segments once.  The segment before the
 * first % must match at the start, the one after the last % at the end, and
 * each of the others at the first place after its predecessor: a segment
 * always takes the same number of characters, so the first place is never
 * worse than a later one.
 *
 * In UTF-8, _ takes a byte and the continuation bytes behind it, as in core.
 * Literal bytes are compared as bytes in every encoding.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#ifdef __SSE2__
#include <emmintrin.h>
#endif

#include "expr/kernel_families.h"
#include "expr/kernel_string.h"
#include "expr/kernel_template.h"

#include "fmgr.h"
#include "mb/pg_wchar.h"
#include "port/pg_bitutils.h"
#include "utils/memutils.h"
#include "varatt.h"

typedef struct Segment
{
	const char *bytes;			/* literal bytes; any value where wild is set */
	const bool *wild;			/* _ at this position; NULL: nowhere */
	uint32		len;			/* bytes and wildcards */
	uint32		chars;			/* characters that the segment takes */
} Segment;

typedef struct LikePattern
{
	bool		utf8;
	bool		any_before;		/* the pattern begins with % */
	bool		any_after;		/* the pattern ends with % */
	bool		literal;		/* no _ anywhere */
	uint32		min_len;		/* shortest string that can match, bytes */
	int			nsegments;
	Segment		segments[FLEXIBLE_ARRAY_MEMBER];
} LikePattern;

/*
 * The first place of m > 0 bytes in n, or NULL.  With vector instructions 16
 * places are tried at once by their first and last byte.
 */
static inline const char *
find_bytes(const char *text, uint32 n, const char *bytes, uint32 m)
{
	const char	first = bytes[0];
	uint32		i = 0;

	if (n < m)
		return NULL;
#ifdef __SSE2__
	if (n - (m - 1) >= 16)
	{
		const __m128i firsts = _mm_set1_epi8(first);
		const __m128i lasts = _mm_set1_epi8(bytes[m - 1]);
		const uint32 end = n - (m - 1) - 16;	/* last block of 16 places */

		for (;;)
		{
			const __m128i a = _mm_loadu_si128((const __m128i *) (text + i));
			const __m128i b = _mm_loadu_si128((const __m128i *) (text + i + m - 1));
			unsigned	hits = _mm_movemask_epi8(_mm_and_si128(_mm_cmpeq_epi8(a, firsts),
															   _mm_cmpeq_epi8(b, lasts)));

			while (hits != 0)
			{
				const char *place = text + i + pg_rightmost_one_pos32(hits);

				if (m <= 2 || vexec_bytes_equal(place + 1, bytes + 1, m - 2))
					return place;
				hits &= hits - 1;
			}
			if (i == end)
				return NULL;
			/* the last block may overlap places already tried in vain */
			i = Min(i + 16, end);
		}
	}
#endif
	for (; i + m <= n; i++)
	{
		if (text[i] == first && vexec_bytes_equal(text + i + 1, bytes + 1, m - 1))
			return text + i;
	}
	return NULL;
}

static inline const char *
next_char(const LikePattern *pattern, const char *p, const char *end)
{
	p++;
	if (pattern->utf8)
	{
		while (p < end && ((uint8) *p & 0xC0) == 0x80)
			p++;
	}
	return p;
}

/* The end of a segment's match that begins at p, or NULL. */
static inline const char *
match_segment(const LikePattern *pattern, const Segment *segment, const char *p, const char *end)
{
	if ((Size) (end - p) < segment->len)
		return NULL;
	if (segment->wild == NULL)
		return vexec_bytes_equal(p, segment->bytes, segment->len) ? p + segment->len : NULL;
	for (uint32 i = 0; i < segment->len; i++)
	{
		if (p >= end)
			return NULL;
		if (segment->wild[i])
			p = next_char(pattern, p, end);
		else if (*p++ != segment->bytes[i])
			return NULL;
	}
	return p;
}

/* The end of a segment's first match at or after p, or NULL. */
static inline const char *
find_segment(const LikePattern *pattern, const Segment *segment, const char *p, const char *end)
{
	if (segment->wild == NULL)
	{
		const char *place = find_bytes(p, end - p, segment->bytes, segment->len);

		return place ? place + segment->len : NULL;
	}
	while (p < end)
	{
		const char *match = match_segment(pattern, segment, p, end);

		if (match != NULL)
			return match;
		p = next_char(pattern, p, end);
	}
	return NULL;
}

/* Where a segment's match that ends at end begins, or NULL; not before p. */
static inline const char *
match_end(const LikePattern *pattern, const Segment *segment, const char *p, const char *end)
{
	const char *begin = end;

	if (segment->wild == NULL || !pattern->utf8)
	{
		if ((Size) (end - p) < segment->len)
			return NULL;
		begin = end - segment->len;
	}
	else
	{
		for (uint32 i = 0; i < segment->chars; i++)
		{
			do
			{
				if (begin <= p)
					return NULL;
				begin--;
			} while (((uint8) *begin & 0xC0) == 0x80);
		}
	}
	return match_segment(pattern, segment, begin, end) == end ? begin : NULL;
}

static bool
match_general(const LikePattern *pattern, VexecString s)
{
	const char *p = s.data;
	const char *end = s.data + s.len;
	int			first = 0;
	int			last = pattern->nsegments;

	if (s.len < pattern->min_len)
		return false;
	if (!pattern->any_before)
	{
		p = match_segment(pattern, &pattern->segments[first++], p, end);
		if (p == NULL)
			return false;
	}
	if (first == last)
		return pattern->any_after || p == end;
	if (!pattern->any_after)
	{
		end = match_end(pattern, &pattern->segments[--last], p, end);
		if (end == NULL)
			return false;
	}
	for (int i = first; i < last; i++)
	{
		p = find_segment(pattern, &pattern->segments[i], p, end);
		if (p == NULL)
			return false;
	}
	return true;
}

static inline bool
match_prefix(const Segment *segment, VexecString s)
{
	return s.len >= segment->len && vexec_bytes_equal(s.data, segment->bytes, segment->len);
}

static inline bool
match_suffix(const Segment *segment, VexecString s)
{
	return s.len >= segment->len &&
		vexec_bytes_equal(s.data + s.len - segment->len, segment->bytes, segment->len);
}

static inline bool
match_exact(const Segment *segment, VexecString s)
{
	return s.len == segment->len && vexec_bytes_equal(s.data, segment->bytes, segment->len);
}

#define LIKE_LOOP(match) \
	for (int k = 0; k < n; k++) \
	{ \
		const int	row = sel ? sel[k] : k; \
\
		rv[row] = (match) == wanted; \
	}

static inline void
run_like(VexecKernelCall *call, bool wanted)
{
	const LikePattern *pattern = (const LikePattern *) call->prepared;
	const Segment *segment = &pattern->segments[0];
	const VexecString *av = VEXEC_VALUES(call->arg[0], VexecString);
	uint8	   *rv = VEXEC_VALUES(call->result, uint8);
	int			n;
	const uint16 *sel = vexec_kernel_selected(call, &n);

	if (pattern->nsegments == 1 && pattern->literal)
	{
		if (pattern->any_before && pattern->any_after)
			LIKE_LOOP(find_bytes(av[row].data, av[row].len, segment->bytes, segment->len) != NULL)
		else if (pattern->any_after)
			LIKE_LOOP(match_prefix(segment, av[row]))
		else if (pattern->any_before)
			LIKE_LOOP(match_suffix(segment, av[row]))
		else
			LIKE_LOOP(match_exact(segment, av[row]))
	}
	else
		LIKE_LOOP(match_general(pattern, av[row]))
}

static void
like(VexecKernelCall *call)
{
	run_like(call, true);
}

static void
not_like(VexecKernelCall *call)
{
	run_like(call, false);
}

/*
 * Cut the pattern.  A pattern that core would reject (it ends in an escape)
 * and encodings in which _ is not served here are left to core.
 */
static bool
prepare_like(const Const *constant, const void **prepared)
{
	const bool	utf8 = GetDatabaseEncoding() == PG_UTF8;
	text	   *value;
	const char *p;
	int			plen;
	LikePattern *pattern;
	Segment    *segment;
	char	   *bytes;
	bool	   *wild;
	bool		any_wild = false;

	if (constant == NULL || constant->constisnull)
		return false;
	if (!utf8 && pg_database_encoding_max_length() > 1)
		return false;

	value = (text *) PG_DETOAST_DATUM_PACKED(constant->constvalue);
	p = VARDATA_ANY(value);
	plen = VARSIZE_ANY_EXHDR(value);
	if ((Size) plen > MaxAllocSize / (2 * sizeof(Segment)))
		return false;

	/* At most plen + 1 segments, and the one that would come next. */
	pattern = palloc0(offsetof(LikePattern, segments) + sizeof(Segment) * ((Size) plen + 2));
	bytes = palloc0(plen + 1);
	wild = palloc0(sizeof(bool) * ((Size) plen + 1));
	pattern->utf8 = utf8;
	pattern->literal = true;
	pattern->any_before = (plen > 0 && p[0] == '%');

	segment = &pattern->segments[0];
	segment->bytes = bytes;
	segment->wild = wild;
	for (int i = 0; i <= plen; i++)
	{
		if (i == plen || p[i] == '%')
		{
			/* an empty segment between, before or after % matches everywhere */
			if (segment->len > 0 || plen == 0)
			{
				bytes += segment->len;
				wild += segment->len;
				if (!any_wild)
					segment->wild = NULL;
				pattern->min_len += segment->len;
				pattern->nsegments++;
				segment++;
				segment->bytes = bytes;
				segment->wild = wild;
				any_wild = false;
			}
			if (i < plen)
				pattern->any_after = (i == plen - 1);
			continue;
		}
		if (p[i] == '_')
		{
			wild[segment->len] = true;
			any_wild = true;
			pattern->literal = false;
			segment->chars++;
		}
		else
		{
			if (p[i] == '\\' && ++i == plen)
				return false;
			bytes[segment->len] = p[i];
			if (!utf8 || ((uint8) p[i] & 0xC0) != 0x80)
				segment->chars++;
		}
		segment->len++;
	}
	*prepared = pattern;
	return true;
}

#define ENTRY(oid, fn) \
	{oid, 2, {VEXEC_STRING, VEXEC_STRING}, VEXEC_BOOL, VEXEC_KERNEL_DETERMINISTIC, fn, prepare_like}

/* char(n) is matched with its blanks. */
static const VexecKernel kernels[] = {
	ENTRY(F_TEXTLIKE, like),
	ENTRY(F_LIKE_TEXT_TEXT, like),
	ENTRY(F_BPCHARLIKE, like),
	ENTRY(F_TEXTNLIKE, not_like),
	ENTRY(F_NOTLIKE_TEXT_TEXT, not_like),
	ENTRY(F_BPCHARNLIKE, not_like),
	VEXEC_ENTRY_END
};

const VexecKernelFamily VEXEC_ISA_NAME(vexec_kernels_like) = {
	"LIKE and NOT LIKE with a constant pattern", kernels
};
