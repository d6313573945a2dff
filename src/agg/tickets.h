/*-------------------------------------------------------------------------
 *
 * tickets.h
 *	  The inside of the ticket table, shared by its kernels.  Private to this
 *	  folder.
 *
 * Every key value becomes a lane of 64 bits.  Equal values have equal lanes.
 * Most lanes are exact: different values have different lanes too.  The others
 * (inexact lanes) are hashes, and equal ones are verified by comparing values.
 * Which lanes are inexact can be told from the lane:
 *
 *	bool, int2, int4, float4	always exact; null is outside of 32 bits
 *	float8		always exact; null is a NaN other than the canonical one
 *	int8		exact but for VEXEC_LANE_INT64_CLASH, which stands for the two
 *				values that serve as lanes of their own
 *	numeric		exact if the value at the key's scale is an integer in
 *				[-2^62, 2^62); else 01 in the top bits and a hash; null has 10
 *	string		up to 7 bytes and the length in the top byte; else 0x80 there
 *				and a hash; null is 0xFF
 *	datum		always inexact, top bit clear; null has it set
 *
 * A group's lanes are stored densely by ticket.  Where the first row's value
 * cannot be told from its lane (or must be, to verify), it is kept beside, in
 * the key's array of originals.
 *
 *-------------------------------------------------------------------------
 */
#ifndef VEXEC_TICKETS_H
#define VEXEC_TICKETS_H

#include "agg/agg.h"

#include "fmgr.h"

#define VEXEC_LANE_NULL32		UINT64CONST(0x8000000000000000)
#define VEXEC_LANE_NAN64		UINT64CONST(0x7FF8000000000000)
#define VEXEC_LANE_NULL_FLOAT8	UINT64CONST(0x7FF8000000000001)
#define VEXEC_LANE_NULL_INT64	UINT64CONST(0x93B1D4A7E65C20F9)
#define VEXEC_LANE_INT64_CLASH	UINT64CONST(0x93B1D4A7E65C20FB)
#define VEXEC_LANE_NULL_NUMERIC UINT64CONST(0x8000000000000000)
#define VEXEC_LANE_NULL_STRING	UINT64CONST(0xFF00000000000000)
#define VEXEC_LANE_NULL_DATUM	UINT64CONST(0xFFFFFFFFFFFFFFFF)

#define VEXEC_LANE_STRING_LONG	UINT64CONST(0x8000000000000000)
#define VEXEC_LANE_STRING_BYTES 7

/* Whether a numeric's integer is an exact lane: bits 62 and 63 are the same. */
#define VEXEC_LANE_NUMERIC_EXACT(lane) ((int64) ((lane) ^ ((lane) << 1)) >= 0)

/* An original numeric that is the lane's value at this display scale. */
#define VEXEC_ORIGINAL_SCALE	UINT64CONST(0x8000000000000000)

/* Groups of one table; a ticket is a uint32. */
#define VEXEC_MAX_GROUPS ((uint64) 1 << 31)

/* Empty slots have tag 0. */
typedef struct VexecTicketSlot
{
	uint32		tag;
	uint32		ticket;
} VexecTicketSlot;

typedef struct VexecTicketKey
{
	VexecKeyType type;
	bool		bpchar;			/* trailing blanks do not count */
	int16		typlen;			/* DATUM */
	bool		typbyval;
	int			scale;			/* NUMERIC: of the lanes; -1 until known */
	FmgrInfo	hash;			/* DATUM */
	FmgrInfo	equal;
	uint64		null_lane;

	/*
	 * By ticket, or NULL if lanes say all: float bits; varlena pointers of
	 * strings; VEXEC_ORIGINAL_SCALE or Numeric pointers; Datums; int64 values.
	 * Pointers are into key_memory.
	 */
	uint64	   *originals;

	uint64	   *lanes;			/* of the batch, one for each selected row */
} VexecTicketKey;

struct VexecTicketTable
{
	int			nkeys;
	VexecTicketKey *keys;

	VexecTicketSlot *slots;		/* open addressing, linear probing */
	uint64		nslots;			/* a power of two */
	int			shift;			/* slot = hash >> shift */

	uint64	   *groups;			/* nkeys lanes for each ticket */
	uint64		capacity;		/* of groups and originals, in tickets */
	uint32		ngroups;
	uint32		max_groups;		/* no group is added beyond */
	int			nmissed;		/* rows of the batch that got no ticket */
	Size		key_bytes;		/* copies of keys, those to be built included */
	Size		unbuilt_bytes;	/* thereof of numerics that are still lanes */
	Size		max_key_bytes;	/* max_groups becomes ngroups beyond */
	bool		has_originals;

	/* The batch being ticketed. */
	const VexecVector *const *vectors;
	uint64	   *hashes;			/* one for each selected row */
	uint8	   *verify;			/* 1: some lane of the row is inexact */

	const struct VexecTicketKernels *kernels;
	MemoryContext context;		/* owns all but the table itself */
	MemoryContext key_memory;	/* copies of keys; only grows */
	MemoryContext scratch;		/* what hash and equality functions leave */
};

/* The loops, compiled once for each instruction set level. */
typedef struct VexecTicketKernels
{
	/*
	 * Lanes of a fixed-width key with nulls; true if some need another look:
	 * INT64 values that clash, decimals (at the key's scale) beyond 2^62.
	 */
	bool		(*fixed_lanes) (VexecTicketKey *key, const VexecVector *vec, const uint16 *sel,
								int n);
	/* Lanes of strings; rows with inexact ones are marked.  True if there are any. */
	bool		(*string_lanes) (VexecTicketKey *key, const VexecVector *vec, const uint16 *sel,
								 int n, uint8 *verify);
	/* Hashes of the batch's lanes. */
	void		(*hash_rows) (VexecTicketTable *table, int n);
	/* Hashes of the lanes of n groups from a ticket on. */
	void		(*hash_groups) (const VexecTicketTable *table, uint32 first, int n,
								uint64 *hashes);
	/*
	 * Find or make the groups, up to max_groups; counts in nmissed.  There is
	 * room for n new ones, or for max_groups.
	 */
	void		(*resolve) (VexecTicketTable *table, const uint16 *sel, int n, bool verify,
							uint32 *tickets);
} VexecTicketKernels;

extern const VexecTicketKernels vexec_ticket_kernels_base;
extern const VexecTicketKernels vexec_ticket_kernels_v3;
extern const VexecTicketKernels vexec_ticket_kernels_v4;

/* --- keys (ticket_keys.c) ---------------------------------------------------- */

/* Prepare a zeroed key; its memory is in the table's context. */
extern void vexec_ticket_key_init(VexecTicketTable *table, VexecTicketKey *key,
								  const VexecKeyType *type);

/* Whether the key's array of originals grows with the table. */
extern bool vexec_ticket_key_has_originals(const VexecTicketKey *key);

/*
 * Fill the key's lanes from a vector that is not constant (or from row 0 of
 * one that is); true if some are inexact, and then table->verify says which.
 */
extern bool vexec_ticket_lanes(VexecTicketTable *table, VexecTicketKey *key,
							   const VexecVector *vec, const uint16 *sel, int n);

/* Whether the inexact keys of a row are those of a group with the same lanes. */
extern bool vexec_tickets_verify(VexecTicketTable *table, int index, int row, uint32 ticket);

/* Keep the key values of a new group's first row; may lower max_groups to ticket + 1. */
extern void vexec_tickets_keep(VexecTicketTable *table, int row, uint32 ticket);

/* --- the table (tickets.c) ----------------------------------------------------- */

/* Serve cancels while a chain of equal hashes is walked. */
extern void vexec_tickets_long_probe(void);

/* Mixes all bits of x into all bits of the result. */
static inline uint64
vexec_mix64(uint64 x)
{
	x ^= x >> 32;
	x *= UINT64CONST(0xD6E8FEB86659FD93);
	x ^= x >> 29;
	x *= UINT64CONST(0xA0761D6478BD642F);
	x ^= x >> 32;
	return x;
}

#endif							/* VEXEC_TICKETS_H */
