/*
 * tpch_gen.h
 *	  What the parts of the TPC-H generator share: output, random numbers, random texts.
 *
 * Values are written and drawn by the billion, so these functions are inline.
 */
#ifndef BENCH_TPCH_GEN_H
#define BENCH_TPCH_GEN_H

#include <stdint.h>
#include <string.h>

#define lengthof(array)		(sizeof(array) / sizeof((array)[0]))

/* The tables; each has a stream of random numbers of the same number, texts have those behind. */
typedef enum Table
{
	TABLE_REGION,
	TABLE_NATION,
	TABLE_SUPPLIER,
	TABLE_CUSTOMER,
	TABLE_PART,
	TABLE_PARTSUPP,
	TABLE_ORDERS,
	TABLE_LINEITEM
} Table;

/*
 * Output
 *
 * A row never exceeds ROW_LIMIT bytes (the widest, partsupp, stays below 300), so one check at its
 * start is enough.
 */
#define OUT_SIZE			(1 << 18)
#define ROW_LIMIT			4096

extern char out_buffer[OUT_SIZE];
extern size_t out_used;

/* Ends the program; errno says why. */
extern void fail(const char *what) __attribute__((noreturn));

static inline void
put_char(char c)
{
	out_buffer[out_used++] = c;
}

static inline void
put_bytes(const char *text, size_t length)
{
	memcpy(out_buffer + out_used, text, length);
	out_used += length;
}

static inline void
put_text(const char *text)
{
	put_bytes(text, strlen(text));
}

/* Writes value with at least width digits. */
static inline void
put_padded(int64_t value, int width)
{
	char		digits[20];
	int			n = 0;

	if (value < 0)
	{
		put_char('-');
		value = -value;
	}
	do
	{
		digits[n++] = (char) ('0' + value % 10);
		value /= 10;
	} while (value > 0 || n < width);
	while (n > 0)
		put_char(digits[--n]);
}

static inline void
put_int(int64_t value)
{
	put_padded(value, 1);
}

/* Writes hundredths as a number with two decimals. */
static inline void
put_money(int64_t hundredths)
{
	if (hundredths < 0)
	{
		put_char('-');
		hundredths = -hundredths;
	}
	put_int(hundredths / 100);
	put_char('.');
	put_padded(hundredths % 100, 2);
}

static inline void
field_end(void)
{
	put_char('\t');
}

static inline void
row_end(void)
{
	put_char('\n');
}

/*
 * Random numbers: splitmix64 (Steele, Lea, Flood 2014), seeded by table and row.
 */
typedef struct Random
{
	uint64_t	state;
} Random;

static inline uint64_t
mix(uint64_t z)
{
	z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
	return z ^ (z >> 31);
}

static inline uint64_t
random_bits(Random *random)
{
	random->state += UINT64_C(0x9e3779b97f4a7c15);
	return mix(random->state);
}

static inline Random
random_for(int stream, int64_t row)
{
	Random		random;

	random.state = mix(((uint64_t) (stream + 1) << 56) ^ (uint64_t) row);
	return random;
}

/* Returns a number between low and high, both included. */
static inline int64_t
random_between(Random *random, int64_t low, int64_t high)
{
	uint64_t	span = (uint64_t) (high - low) + 1;

	return low + (int64_t) (((unsigned __int128) random_bits(random) * span) >> 64);
}

#define pick_among(random, words, count) \
	((words)[random_between((random), 0, (int64_t) (count) - 1)])
#define pick(random, words)	pick_among(random, words, lengthof(words))

/*
 * Texts (tpch_text.c)
 */

/* Makes the pool that comments are taken from; to be called first. */
extern void pool_make(void);

/* A comment of so many bytes. */
extern void put_comment(Random *random, int shortest, int longest);

/* A random string of 10 to 40 characters out of 64, as addresses are. */
extern void put_address(Random *random);

/* A phone number; it begins with the nation's code. */
extern void put_phone(Random *random, int64_t nation);

#endif							/* BENCH_TPCH_GEN_H */
