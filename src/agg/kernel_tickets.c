/*-------------------------------------------------------------------------
 *
 * kernel_tickets.c
 *	  The loops of the ticket table: lanes, hashes, probing.
 *
 * A batch's keys become lanes, one array for each key, ordered as the rows are
 * selected; then one array of hashes; then every row looks for its group in
 * order, and a miss makes the next group.  When the slots do not fit into the
 * second-level cache, slots and groups are prefetched some rows ahead.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "agg/tickets.h"
#include "batch/isa.h"

/* Slots of more bytes than this are prefetched. */
#define PREFETCH_BYTES (256 * 1024)

/* Rows whose slots, then groups, are fetched while the rows before are resolved. */
#define PREFETCH_ROWS 64

/* A probe longer than this looks for interrupts now and then. */
#define LONG_PROBE 4096

/* --- lanes ------------------------------------------------------------------ */

static void
null_lanes(VexecTicketKey *key, const VexecVector *vec, const uint16 *sel, int n)
{
	uint64	   *lanes = key->lanes;
	uint64		null_lane = key->null_lane;
	const uint64 *nulls = vec->nulls;

	if (sel == NULL)
		for (int i = 0; i < n; i++)
			lanes[i] = vexec_null_bit(nulls, i) ? null_lane : lanes[i];
	else
		for (int i = 0; i < n; i++)
			lanes[i] = vexec_null_bit(nulls, sel[i]) ? null_lane : lanes[i];
}

#define EACH_LANE(type, expression) \
	do { \
		const type *values = VEXEC_VALUES(vec, type); \
		\
		if (sel == NULL) \
			for (int i = 0; i < n; i++) \
			{ \
				type		value = values[i]; \
				lanes[i] = (expression); \
			} \
		else \
			for (int i = 0; i < n; i++) \
			{ \
				type		value = values[sel[i]]; \
				lanes[i] = (expression); \
			} \
	} while (0)

/* One zero, one NaN. */
static inline uint64
float4_lane(float4 value)
{
	union
	{
		float4		f;
		uint32		u;
	}			bits;

	if (value != value)
		return 0x7FC00000;
	bits.f = value + 0.0f;		/* -0 + 0 = 0 */
	return bits.u;
}

static inline uint64
float8_lane(float8 value)
{
	union
	{
		float8		f;
		uint64		u;
	}			bits;

	if (value != value)
		return VEXEC_LANE_NAN64;
	bits.f = value + 0.0;
	return bits.u;
}

static bool
fixed_lanes(VexecTicketKey *key, const VexecVector *vec, const uint16 *sel, int n)
{
	uint64	   *lanes = key->lanes;
	uint64		doubt = 0;

	switch (vec->kind)
	{
		case VEXEC_BOOL:
			EACH_LANE(uint8, value);
			break;
		case VEXEC_INT16:
			EACH_LANE(int16, (uint64) (int64) value);
			break;
		case VEXEC_INT32:
			EACH_LANE(int32, (uint64) (int64) value);
			break;
		case VEXEC_INT64:
			EACH_LANE(uint64, value);
			for (int i = 0; i < n; i++)
				doubt |= (lanes[i] == VEXEC_LANE_NULL_INT64) |
					(lanes[i] == VEXEC_LANE_INT64_CLASH);
			break;
		case VEXEC_FLOAT4:
			EACH_LANE(float4, float4_lane(value));
			break;
		case VEXEC_FLOAT8:
			EACH_LANE(float8, float8_lane(value));
			break;
		case VEXEC_NUMERIC:
			EACH_LANE(uint64, value);
			for (int i = 0; i < n; i++)
				doubt |= (lanes[i] ^ (lanes[i] << 1)) >> 63;
			break;
		default:
			Assert(false);
			break;
	}
	if (vec->has_nulls)
		null_lanes(key, vec, sel, n);
	return doubt != 0;
}

/*
 * The first len < 8 bytes, the rest zero.  Reading a whole word beyond the end
 * is safe within a memory page; the bytes beyond are masked off.
 */
static inline uint64
load_bytes(const char *data, uint32 len)
{
	uint64		word = 0;

	/* An empty string may have no address. */
	if (len == 0)
		return 0;
#if !defined(WORDS_BIGENDIAN) && !defined(__SANITIZE_ADDRESS__) && !defined(USE_VALGRIND)
	if (likely(((uintptr_t) data & 4095) <= 4096 - sizeof(word)))
	{
		memcpy(&word, data, sizeof(word));
		return word & ((UINT64CONST(1) << (8 * len)) - 1);
	}
#endif
	for (uint32 i = 0; i < len; i++)
		word |= (uint64) (uint8) data[i] << (8 * i);
	return word;
}

static inline uint64
load_word(const char *data)
{
	uint64		word;

	memcpy(&word, data, sizeof(word));
	return word;
}

/* High and low half of the product, folded. */
static inline uint64
fold_multiply(uint64 a, uint64 b)
{
	unsigned __int128 product = (unsigned __int128) a * b;

	return (uint64) product ^ (uint64) (product >> 64);
}

/* A hash of at least 8 bytes; the last word may overlap the one before. */
static uint64
hash_string(const char *data, uint32 len)
{
	uint64		hash = len * UINT64CONST(0x9E3779B97F4A7C15);
	const char *last = data + len - sizeof(uint64);

	for (; data < last; data += sizeof(uint64))
		hash = fold_multiply(hash ^ load_word(data), UINT64CONST(0xE7037ED1A0B428DB));
	return fold_multiply(hash ^ load_word(last), UINT64CONST(0x8EBC6AF09C88C6E3));
}

#define BLANKS UINT64CONST(0x2020202020202020)

/* Length without trailing blanks. */
static inline uint32
true_length(const char *data, uint32 len)
{
	uint64		other;

#ifndef WORDS_BIGENDIAN
	while (len >= sizeof(uint64))
	{
		other = load_word(data + len - sizeof(uint64)) ^ BLANKS;
		if (other != 0)
			return len - __builtin_clzll(other) / 8;
		len -= sizeof(uint64);
	}
	other = load_bytes(data, len) ^ (BLANKS & ((UINT64CONST(1) << (8 * len)) - 1));
	return other == 0 ? 0 : 8 - __builtin_clzll(other) / 8;
#else
	(void) other;
	while (len > 0 && data[len - 1] == ' ')
		len--;
	return len;
#endif
}

static inline uint64
string_lane(VexecString value, bool bpchar)
{
	uint32		len = value.len;

	if (bpchar)
		len = true_length(value.data, len);
	if (len <= VEXEC_LANE_STRING_BYTES)
		return load_bytes(value.data, len) | ((uint64) len << 56);
	return (hash_string(value.data, len) >> 8) | VEXEC_LANE_STRING_LONG;
}

static bool
string_lanes(VexecTicketKey *key, const VexecVector *vec, const uint16 *sel, int n,
			 uint8 *verify)
{
	uint64	   *lanes = key->lanes;
	uint64		all = 0;

	if (key->bpchar)
		EACH_LANE(VexecString, string_lane(value, true));
	else
		EACH_LANE(VexecString, string_lane(value, false));

	/* The string at a null row is empty: its lane is exact. */
	for (int i = 0; i < n; i++)
		all |= lanes[i];
	if (all >> 63 != 0)
		for (int i = 0; i < n; i++)
			verify[i] |= lanes[i] >> 63;
	if (vec->has_nulls)
		null_lanes(key, vec, sel, n);
	return all >> 63 != 0;
}

/* --- hashes ------------------------------------------------------------------- */

#define HASH_STEP(hash, lane) \
	((((hash) ^ ((hash) >> 32)) * UINT64CONST(0x9E3779B97F4A7C15)) + (lane))

static void
hash_rows(VexecTicketTable *table, int n)
{
	uint64	   *hashes = table->hashes;
	const uint64 *first = table->keys[0].lanes;

	if (table->nkeys == 1)
	{
		for (int i = 0; i < n; i++)
			hashes[i] = vexec_mix64(first[i]);
		return;
	}
	if (table->nkeys == 2)
	{
		const uint64 *second = table->keys[1].lanes;

		for (int i = 0; i < n; i++)
			hashes[i] = vexec_mix64(HASH_STEP(first[i], second[i]));
		return;
	}

	memcpy(hashes, first, n * sizeof(uint64));
	for (int k = 1; k < table->nkeys; k++)
	{
		const uint64 *lanes = table->keys[k].lanes;

		for (int i = 0; i < n; i++)
			hashes[i] = HASH_STEP(hashes[i], lanes[i]);
	}
	for (int i = 0; i < n; i++)
		hashes[i] = vexec_mix64(hashes[i]);
}

static void
hash_groups(const VexecTicketTable *table, uint32 first, int n, uint64 *hashes)
{
	int			nkeys = table->nkeys;
	const uint64 *lanes = table->groups + (Size) first * nkeys;

	for (int i = 0; i < n; i++, lanes += nkeys)
	{
		uint64		hash = lanes[0];

		for (int k = 1; k < nkeys; k++)
			hash = HASH_STEP(hash, lanes[k]);
		hashes[i] = vexec_mix64(hash);
	}
}

/* --- probing -------------------------------------------------------------------- */

/* nkeys is a constant 1 or 2, or 0 for the table's number. */
static pg_attribute_always_inline void
resolve_rows(VexecTicketTable *table, const uint16 *sel, int begin, int end, int nkeys,
			 bool verify, uint32 *tickets)
{
	VexecTicketSlot *slots = table->slots;
	uint64		mask = table->nslots - 1;
	int			shift = table->shift;
	const uint64 *hashes = table->hashes;
	uint64	   *groups = table->groups;
	const uint64 *lanes0 = table->keys[0].lanes;
	const uint64 *lanes1 = nkeys == 2 ? table->keys[1].lanes : NULL;
	uint32		ngroups = table->ngroups;
	uint32		max_groups = table->max_groups;

	for (int i = begin; i < end; i++)
	{
		int			row = sel ? sel[i] : i;
		uint64		hash = hashes[i];
		uint64		position = hash >> shift;
		uint32		tag = (uint32) hash | 1;
		int			probes = 0;

		for (;;)
		{
			VexecTicketSlot slot = slots[position];

			if (slot.tag == tag)
			{
				bool		same;

				if (nkeys == 1)
					same = groups[slot.ticket] == lanes0[i];
				else if (nkeys == 2)
					same = ((groups[2 * (Size) slot.ticket] ^ lanes0[i]) |
							(groups[2 * (Size) slot.ticket + 1] ^ lanes1[i])) == 0;
				else
				{
					const uint64 *group = groups + (Size) slot.ticket * table->nkeys;
					uint64		different = 0;

					for (int k = 0; k < table->nkeys; k++)
						different |= group[k] ^ table->keys[k].lanes[i];
					same = different == 0;
				}
				if (likely(same) &&
					(!verify || !table->verify[i] ||
					 vexec_tickets_verify(table, i, row, slot.ticket)))
				{
					tickets[row] = slot.ticket;
					break;
				}
			}
			else if (slot.tag == 0)
			{
				uint64	   *group;

				if (unlikely(ngroups >= max_groups))
				{
					tickets[row] = VEXEC_NO_TICKET;
					table->nmissed++;
					break;
				}
				if (nkeys == 1)
					groups[ngroups] = lanes0[i];
				else if (nkeys == 2)
				{
					groups[2 * (Size) ngroups] = lanes0[i];
					groups[2 * (Size) ngroups + 1] = lanes1[i];
				}
				else
				{
					group = groups + (Size) ngroups * table->nkeys;
					for (int k = 0; k < table->nkeys; k++)
						group[k] = table->keys[k].lanes[i];
				}
				slots[position].tag = tag;
				slots[position].ticket = ngroups;
				tickets[row] = ngroups;
				if (table->has_originals)
				{
					vexec_tickets_keep(table, row, ngroups);
					max_groups = table->max_groups;
				}
				ngroups++;
				break;
			}
			position = (position + 1) & mask;
			if (unlikely(++probes % LONG_PROBE == 0))
				vexec_tickets_long_probe();
		}
	}
	table->ngroups = ngroups;
}

static pg_attribute_always_inline void
resolve_batch(VexecTicketTable *table, const uint16 *sel, int n, int nkeys, bool verify,
			  uint32 *tickets)
{
	const VexecTicketSlot *slots = table->slots;
	const uint64 *hashes = table->hashes;
	int			shift = table->shift;
	Size		group_lanes = nkeys > 0 ? nkeys : table->nkeys;

	if (table->nslots * sizeof(VexecTicketSlot) <= PREFETCH_BYTES)
	{
		resolve_rows(table, sel, 0, n, nkeys, verify, tickets);
		return;
	}

	for (int i = 0; i < Min(2 * PREFETCH_ROWS, n); i++)
		__builtin_prefetch(&slots[hashes[i] >> shift]);
	for (int begin = 0; begin < n; begin += PREFETCH_ROWS)
	{
		int			end = Min(begin + PREFETCH_ROWS, n);

		for (int i = begin + 2 * PREFETCH_ROWS; i < Min(end + 2 * PREFETCH_ROWS, n); i++)
			__builtin_prefetch(&slots[hashes[i] >> shift], 1);
		/* The ticket of an empty slot is 0: a harmless fetch. */
		for (int i = begin + PREFETCH_ROWS; i < Min(end + PREFETCH_ROWS, n); i++)
			__builtin_prefetch(&table->groups[slots[hashes[i] >> shift].ticket * group_lanes]);
		resolve_rows(table, sel, begin, end, nkeys, verify, tickets);
	}
}

static void
resolve(VexecTicketTable *table, const uint16 *sel, int n, bool verify, uint32 *tickets)
{
	if (table->nkeys == 1)
	{
		if (verify)
			resolve_batch(table, sel, n, 1, true, tickets);
		else
			resolve_batch(table, sel, n, 1, false, tickets);
	}
	else if (table->nkeys == 2)
	{
		if (verify)
			resolve_batch(table, sel, n, 2, true, tickets);
		else
			resolve_batch(table, sel, n, 2, false, tickets);
	}
	else
		resolve_batch(table, sel, n, 0, verify, tickets);
}

const VexecTicketKernels VEXEC_ISA_NAME(vexec_ticket_kernels) = {
	.fixed_lanes = fixed_lanes,
	.string_lanes = string_lanes,
	.hash_rows = hash_rows,
	.hash_groups = hash_groups,
	.resolve = resolve
};
