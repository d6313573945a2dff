/*
 * tpch_text.c
 *	  Random texts of the TPC-H data set: comments, addresses, phone numbers.
 */
#include "tpch_gen.h"

#include <stdlib.h>

/*
 * Words
 */
static const char *const nouns[] = {
	"packages", "requests", "accounts", "deposits", "foxes", "ideas", "theodolites",
	"pinto beans", "instructions", "dependencies", "excuses", "platelets", "asymptotes", "courts",
	"dolphins", "multipliers", "sauternes", "warthogs", "frets", "dinos", "attainments", "somas",
	"Tiresias", "patterns", "forges", "braids", "hockey players", "frays", "warhorses", "dugouts",
	"notornis", "epitaphs", "pearls", "tithes", "waters", "orbits", "gifts", "sheaves", "depths",
	"sentiments", "decoys", "realms", "pains", "grouches", "escapades"
};
static const char *const verbs[] = {
	"sleep", "wake", "are", "cajole", "haggle", "nag", "use", "boost", "affix", "detect",
	"integrate", "maintain", "nod", "was", "lose", "sublate", "solve", "thrash", "promise",
	"engage", "hinder", "print", "x-ray", "breach", "eat", "grow", "impress", "mold", "poach",
	"serve", "run", "dazzle", "snooze", "doze", "unwind", "kindle", "play", "hang", "believe",
	"doubt"
};
static const char *const adjectives[] = {
	"special", "pending", "unusual", "express", "regular", "final", "ironic", "even", "furious",
	"sly", "careful", "blithe", "quick", "fluffy", "slow", "quiet", "ruthless", "thin", "close",
	"dogged", "daring", "brave", "stealthy", "permanent", "enticing", "idle", "busy", "bold",
	"silent"
};
static const char *const adverbs[] = {
	"sometimes", "always", "never", "furiously", "slyly", "carefully", "blithely", "quickly",
	"fluffily", "slowly", "quietly", "ruthlessly", "thinly", "closely", "doggedly", "daringly",
	"bravely", "stealthily", "permanently", "enticingly", "idly", "busily", "regularly",
	"finally", "ironically", "evenly", "boldly", "silently"
};
static const char *const prepositions[] = {
	"about", "above", "according to", "across", "after", "against", "along", "alongside of",
	"among", "around", "at", "atop", "before", "behind", "beneath", "beside", "besides",
	"between", "beyond", "by", "despite", "during", "except", "for", "from", "in place of",
	"inside", "instead of", "into", "near", "of", "on", "outside", "over", "past", "since",
	"through", "throughout", "to", "toward", "under", "until", "up", "upon", "without", "with",
	"within"
};
static const char *const auxiliaries[] = {
	"do", "may", "might", "shall", "will", "would", "can", "could", "should", "ought to", "must",
	"will have to", "shall have to", "could have to", "should have to", "must have to",
	"need to", "try to"
};
static const char *const terminators[] = {".", ";", ":", "?", "!", "--"};

/*
 * Half of the picks go to the first words of these lists, those that the queries search for.  So
 * between 1 and 2 % of the orders speak of special requests, which Q13 leaves out.
 */
#define FREQUENT_NOUNS		4
#define FREQUENT_ADJECTIVES	8

#define pick_frequent(random, words, frequent) \
	pick_among(random, words, random_bits(random) >> 63 ? (frequent) : lengthof(words))
#define pick_noun(random)	pick_frequent(random, nouns, FREQUENT_NOUNS)
#define pick_adjective(random) pick_frequent(random, adjectives, FREQUENT_ADJECTIVES)

/*
 * Comments
 *
 * The specification draws comments as substrings of a pool of pseudo text made by a grammar
 * (clause 4.2.2.14).  Its pool has 300 MB; ours is smaller so that every call can make it anew.
 * 16 M positions times the possible lengths leave equal comments as rare as chance does.
 */
#define POOL_SIZE			(16 << 20)
#define POOL_SLACK			1024	/* no sentence is longer */

static char *pool;
static size_t pool_used;

static void
pool_add(const char *word)
{
	size_t		length = strlen(word);

	memcpy(pool + pool_used, word, length);
	pool_used += length;
}

static void
pool_word(const char *word)
{
	pool_add(word);
	pool_add(" ");
}

static void
pool_noun_phrase(Random *random)
{
	switch (random_between(random, 0, 3))
	{
		case 0:
			break;
		case 1:
			pool_word(pick_adjective(random));
			break;
		case 2:
			pool_add(pick_adjective(random));
			pool_add(", ");
			pool_word(pick_adjective(random));
			break;
		case 3:
			pool_word(pick(random, adverbs));
			pool_word(pick_adjective(random));
			break;
	}
	pool_word(pick_noun(random));
}

static void
pool_verb_phrase(Random *random)
{
	int64_t		form = random_between(random, 0, 3);

	if (form & 1)
		pool_word(pick(random, auxiliaries));
	pool_word(pick(random, verbs));
	if (form & 2)
		pool_word(pick(random, adverbs));
}

static void
pool_prepositional_phrase(Random *random)
{
	pool_word(pick(random, prepositions));
	pool_word("the");
	pool_noun_phrase(random);
}

static void
pool_sentence(Random *random)
{
	int64_t		form = random_between(random, 0, 4);

	pool_noun_phrase(random);
	if (form >= 3)
		pool_prepositional_phrase(random);
	pool_verb_phrase(random);
	if (form == 1 || form == 4)
		pool_prepositional_phrase(random);
	if (form == 2 || form == 3)
		pool_noun_phrase(random);

	/* The terminator follows the last word directly. */
	pool_used--;
	pool_word(pick(random, terminators));
}

void
pool_make(void)
{
	Random		random = random_for(TABLE_LINEITEM + 3, 0);

	pool = malloc(POOL_SIZE + POOL_SLACK);
	if (pool == NULL)
		fail("could not allocate the text pool");
	while (pool_used < POOL_SIZE)
		pool_sentence(&random);
}

void
put_comment(Random *random, int shortest, int longest)
{
	int64_t		length = random_between(random, shortest, longest);

	put_bytes(pool + random_between(random, 0, POOL_SIZE - length), (size_t) length);
}

void
put_address(Random *random)
{
	static const char alphabet[] =
		"0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ, ";
	int64_t		length = random_between(random, 10, 40);
	uint64_t	bits = 0;

	for (int64_t i = 0; i < length; i++)
	{
		if (i % 10 == 0)
			bits = random_bits(random);
		put_char(alphabet[bits & 63]);
		bits >>= 6;
	}
}

void
put_phone(Random *random, int64_t nation)
{
	put_int(nation + 10);
	put_char('-');
	put_int(random_between(random, 100, 999));
	put_char('-');
	put_int(random_between(random, 100, 999));
	put_char('-');
	put_int(random_between(random, 1000, 9999));
}
