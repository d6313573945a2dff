/*
 * bench_client.c
 *	  Times queries with pg_vexec off and on in one session, and compares the answers.
 *
 * Each query runs on both sides as a warm-up, then in interleaved pairs: off, on, off, on.  A time
 * is that of PQexec: planning, execution and the transfer of the answer over the local socket.
 * Every answer of a measured or warm-up run is compared with the first one of the off side: column
 * names and types, rows, nulls, bytes, in order.  So a query orders its rows or returns one.
 *
 * The ratio printed is the median of the pairs' ratios.  Its 95 % interval is that of the median's
 * order statistics, which assumes nothing about the distribution; it needs at least six pairs.
 *
 * Exit status: 0 all answers are the same, 1 an answer differs, 2 the benchmark itself failed.
 */
#include <errno.h>
#include <getopt.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <libpq-fe.h>

#define MAX_PAIRS			1000
#define MAX_TITLE			40

#define EXIT_DIFFERENT		1
#define EXIT_FAILED			2

/* Progress on a terminal overwrites its line; elsewhere it takes lines, so it comes less often. */
#define PROGRESS_TERMINAL	0.5
#define PROGRESS_FILE		10.0

static const char switch_off[] = "SET pg_vexec.enabled = off";
static const char switch_on[] = "SET pg_vexec.enabled = on";

typedef struct Query
{
	const char *file;
	char	   *text;			/* owned */
	char		title[MAX_TITLE + 1];
} Query;

/* Times in milliseconds. */
typedef struct Samples
{
	int			count;
	double		off[MAX_PAIRS];
	double		on[MAX_PAIRS];
	bool		same;
	bool		vector;			/* the plan with pg_vexec on has a vector node */
} Samples;

static PGconn *connection;

static double
now_ms(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double) now.tv_sec * 1e3 + (double) now.tv_nsec / 1e6;
}

static void
progress_clear(void)
{
	if (isatty(STDERR_FILENO))
		fprintf(stderr, "\r\033[K");
}

static void
progress(const Query *query, int pair, int pairs)
{
	static double reported = 0;
	bool		terminal = isatty(STDERR_FILENO);
	double		now = now_ms();

	if (reported == 0)
		reported = now;
	if (now - reported < (terminal ? PROGRESS_TERMINAL : PROGRESS_FILE) * 1e3)
		return;
	reported = now;
	fprintf(stderr, "%s  %s: ", terminal ? "\r\033[K" : "", query->title);
	if (pair == 0)
		fprintf(stderr, "warm-up");
	else
		fprintf(stderr, "pair %d of %d", pair, pairs);
	if (!terminal)
		fputc('\n', stderr);
}

static void
fail(const char *what, const char *detail)
{
	progress_clear();
	fprintf(stderr, "bench_client: %s: %s\n", what, detail);
	exit(EXIT_FAILED);
}

/* Runs a statement that is not measured and must succeed. */
static PGresult *
run(const char *sql)
{
	PGresult   *result = PQexec(connection, sql);
	ExecStatusType status = PQresultStatus(result);

	if (status != PGRES_COMMAND_OK && status != PGRES_TUPLES_OK)
		fail(sql, PQresultErrorMessage(result));
	return result;
}

static void
read_query(const char *file, Query *query)
{
	FILE	   *stream = fopen(file, "r");
	size_t		capacity = 0;
	ssize_t		length;

	query->file = file;
	query->text = NULL;
	if (stream == NULL)
		fail(file, strerror(errno));
	length = getdelim(&query->text, &capacity, '\0', stream);
	if (length < 0)
		fail(file, "the file is empty or cannot be read");
	fclose(stream);

	/* The first line of the file is a comment with the title. */
	if (sscanf(query->text, "-- %40[^\n]", query->title) != 1)
		fail(file, "the first line is not a comment with the title");
}

/* Returns the result, owned by the caller; its status is for the caller to look at. */
static PGresult *
timed(const char *sql, double *ms)
{
	double		start = now_ms();
	PGresult   *result = PQexec(connection, sql);

	*ms = now_ms() - start;
	return result;
}

static void
report_difference(const Query *query, const char *what, const char *off, const char *on)
{
	progress_clear();
	fprintf(stderr, "bench_client: %s: %s: off \"%s\", on \"%s\"\n", query->title, what, off, on);
}

/* Compares two answers and reports the first difference. */
static bool
same_answer(const Query *query, const PGresult *off, const PGresult *on)
{
	char		what[64],
				left[32],
				right[32];

	if (PQresultStatus(on) != PGRES_TUPLES_OK)
	{
		report_difference(query, "error", "", PQresultErrorMessage(on));
		return false;
	}
	if (PQnfields(off) != PQnfields(on) || PQntuples(off) != PQntuples(on))
	{
		snprintf(left, sizeof(left), "%d x %d", PQntuples(off), PQnfields(off));
		snprintf(right, sizeof(right), "%d x %d", PQntuples(on), PQnfields(on));
		report_difference(query, "rows and columns", left, right);
		return false;
	}
	for (int column = 0; column < PQnfields(off); column++)
	{
		if (PQftype(off, column) != PQftype(on, column) ||
			PQfmod(off, column) != PQfmod(on, column) ||
			strcmp(PQfname(off, column), PQfname(on, column)) != 0)
		{
			snprintf(what, sizeof(what), "name or type of column %d", column + 1);
			report_difference(query, what, PQfname(off, column), PQfname(on, column));
			return false;
		}
		for (int row = 0; row < PQntuples(off); row++)
		{
			int			length = PQgetlength(off, row, column);

			if (PQgetisnull(off, row, column) != PQgetisnull(on, row, column) ||
				length != PQgetlength(on, row, column) ||
				memcmp(PQgetvalue(off, row, column), PQgetvalue(on, row, column),
					   (size_t) length) != 0)
			{
				snprintf(what, sizeof(what), "row %d, column %d", row + 1, column + 1);
				report_difference(query, what,
								  PQgetisnull(off, row, column) ? "null" :
								  PQgetvalue(off, row, column),
								  PQgetisnull(on, row, column) ? "null" :
								  PQgetvalue(on, row, column));
				return false;
			}
		}
	}
	return true;
}

static bool
plan_has_vector_node(const Query *query)
{
	static const char explain[] = "EXPLAIN (COSTS OFF) ";
	size_t		size = sizeof(explain) + strlen(query->text);
	char	   *sql = malloc(size);
	PGresult   *plan;
	bool		found = false;

	if (sql == NULL)
		fail("explain", strerror(errno));
	snprintf(sql, size, "%s%s", explain, query->text);
	plan = run(sql);
	for (int row = 0; row < PQntuples(plan); row++)
		found |= strstr(PQgetvalue(plan, row, 0), "(Vexec") != NULL;
	PQclear(plan);
	free(sql);
	return found;
}

static void
measure(const Query *query, int warmups, int pairs, Samples *samples)
{
	PGresult   *expected = NULL;

	samples->count = 0;
	samples->same = true;
	for (int i = -warmups; i < pairs && samples->same; i++)
	{
		PGresult   *off,
				   *on;
		double		off_ms,
					on_ms;

		progress(query, i < 0 ? 0 : i + 1, pairs);
		PQclear(run(switch_off));
		off = timed(query->text, &off_ms);
		if (PQresultStatus(off) != PGRES_TUPLES_OK)
			fail(query->title, PQresultErrorMessage(off));
		PQclear(run(switch_on));
		on = timed(query->text, &on_ms);

		if (expected == NULL)
			expected = off;
		samples->same = same_answer(query, expected, off) && same_answer(query, expected, on);
		if (i >= 0)
		{
			samples->off[samples->count] = off_ms;
			samples->on[samples->count] = on_ms;
			samples->count++;
		}
		if (off != expected)
			PQclear(off);
		PQclear(on);
	}
	PQclear(expected);
	samples->vector = plan_has_vector_node(query);
}

static int
compare_doubles(const void *a, const void *b)
{
	double		x = *(const double *) a,
				y = *(const double *) b;

	return (x > y) - (x < y);
}

/* The median of n values, which are sorted by the call. */
static double
median(double *values, int n)
{
	if (n == 0)
		return 0;
	qsort(values, (size_t) n, sizeof(double), compare_doubles);
	return (values[(n - 1) / 2] + values[n / 2]) / 2;
}

/*
 * The rank k, from 1, such that the k-th smallest and k-th largest of n values enclose the median
 * with at least 95 %; 0 when n is too small.  The number of values below the median is binomial
 * with p = 1/2.
 */
static int
interval_rank(int n)
{
	double		probability = 1,
				below = 0;
	int			rank = 0;

	for (int i = 0; i < n; i++)
		probability /= 2;
	while (rank < n)
	{
		below += probability;
		if (2 * below > 0.05)
			break;
		probability *= (double) (n - rank) / (rank + 1);
		rank++;
	}
	return rank;
}

static void
json_text(FILE *json, const char *text)
{
	fputc('"', json);
	for (; *text != '\0'; text++)
	{
		if (*text == '"' || *text == '\\')
			fprintf(json, "\\%c", *text);
		else if ((unsigned char) *text < ' ')
			fprintf(json, "\\u%04x", (unsigned) (unsigned char) *text);
		else
			fputc(*text, json);
	}
	fputc('"', json);
}

static void
json_samples(FILE *json, const char *name, const double *values, int n)
{
	fprintf(json, ", \"%s\": [", name);
	for (int i = 0; i < n; i++)
		fprintf(json, "%s%.3f", i > 0 ? ", " : "", values[i]);
	fputc(']', json);
}

static void
print_header(int pairs)
{
	printf("%-31s %9s %12s %7s  ", "query", "core ms", "pg_vexec ms", "ratio");
	if (interval_rank(pairs) > 0)
		printf("%-17s", "95 % interval");
	printf("%-9s  %s\n", "answers", "plan");
	fflush(stdout);
}

/* Prints one line of the table, and one object of the JSON array when there is one. */
static void
print_query(const Query *query, const Samples *samples, int pairs, FILE *json)
{
	double		off[MAX_PAIRS],
				on[MAX_PAIRS],
				ratios[MAX_PAIRS],
				off_median,
				on_median,
				ratio;
	int			n = samples->count,
				rank = interval_rank(n);
	char		interval[32] = "";

	for (int i = 0; i < n; i++)
	{
		off[i] = samples->off[i];
		on[i] = samples->on[i];
		ratios[i] = off[i] / on[i];
	}
	off_median = median(off, n);
	on_median = median(on, n);
	ratio = median(ratios, n);
	if (rank > 0)
		snprintf(interval, sizeof(interval), "%.2f .. %.2f", ratios[rank - 1], ratios[n - rank]);

	progress_clear();
	printf("%-31s %9.1f %12.1f %7.2f  ", query->title, off_median, on_median, ratio);
	if (interval_rank(pairs) > 0)
		printf("%-17s", interval);
	printf("%-9s  %s\n", samples->same ? "same" : "DIFFERENT", samples->vector ? "vector" : "core");
	fflush(stdout);

	if (json == NULL)
		return;
	fprintf(json, "{\"query\": ");
	json_text(json, strrchr(query->file, '/') ? strrchr(query->file, '/') + 1 : query->file);
	fprintf(json, ", \"title\": ");
	json_text(json, query->title);
	fprintf(json, ", \"core_ms\": %.3f, \"vexec_ms\": %.3f, \"ratio\": %.4f",
			off_median, on_median, ratio);
	if (rank > 0)
		fprintf(json, ", \"ratio_low\": %.4f, \"ratio_high\": %.4f",
				ratios[rank - 1], ratios[n - rank]);
	fprintf(json, ", \"same\": %s, \"vector\": %s",
			samples->same ? "true" : "false", samples->vector ? "true" : "false");
	json_samples(json, "core_samples", samples->off, n);
	json_samples(json, "vexec_samples", samples->on, n);
	fputc('}', json);
}

static void
usage(void)
{
	printf("Times queries with pg_vexec off and on, and compares the answers.\n\n"
		   "Usage: bench_client [OPTION]... FILE...\n\n"
		   "  --connection TEXT  libpq connection string\n"
		   "  --setup SQL        run first in the session; may be given several times\n"
		   "  --warmups N        unmeasured runs of each side (1)\n"
		   "  --pairs N          measured pairs, 1 to %d (15)\n"
		   "  --json FILE        write the figures as a JSON array too\n"
		   "  --help             print this text\n\n"
		   "A FILE holds one SELECT below a comment line that is its title.\n", MAX_PAIRS);
}

static int
parse_count(const char *option, const char *text, int low)
{
	char	   *end;
	long		value;

	errno = 0;
	value = strtol(text, &end, 10);
	if (errno != 0 || end == text || *end != '\0' || value < low || value > MAX_PAIRS)
		fail(option, "not a number in range");
	return (int) value;
}

int
main(int argc, char **argv)
{
	static const struct option options[] = {
		{"connection", required_argument, NULL, 'c'},
		{"setup", required_argument, NULL, 's'},
		{"warmups", required_argument, NULL, 'w'},
		{"pairs", required_argument, NULL, 'p'},
		{"json", required_argument, NULL, 'j'},
		{"help", no_argument, NULL, 'h'},
		{NULL, 0, NULL, 0}
	};
	static Samples samples;
	const char *conninfo = "",
			   *json_file = NULL;
	const char **setup = calloc((size_t) argc, sizeof(char *));
	int			nsetup = 0,
				warmups = 1,
				pairs = 15,
				option;
	bool		all_same = true;
	FILE	   *json = NULL;

	if (setup == NULL)
		fail("start", strerror(errno));
	while ((option = getopt_long(argc, argv, "", options, NULL)) != -1)
	{
		switch (option)
		{
			case 'c':
				conninfo = optarg;
				break;
			case 's':
				setup[nsetup++] = optarg;
				break;
			case 'w':
				warmups = parse_count("--warmups", optarg, 0);
				break;
			case 'p':
				pairs = parse_count("--pairs", optarg, 1);
				break;
			case 'j':
				json_file = optarg;
				break;
			case 'h':
				usage();
				return 0;
			default:
				return EXIT_FAILED;
		}
	}
	if (optind == argc)
		fail("arguments", "no query file given");

	connection = PQconnectdb(conninfo);
	if (PQstatus(connection) != CONNECTION_OK)
		fail("connect", PQerrorMessage(connection));
	for (int i = 0; i < nsetup; i++)
		PQclear(run(setup[i]));
	free(setup);

	if (json_file != NULL)
	{
		json = fopen(json_file, "w");
		if (json == NULL)
			fail(json_file, strerror(errno));
		fputc('[', json);
	}

	print_header(pairs);
	for (int i = optind; i < argc; i++)
	{
		Query		query;

		read_query(argv[i], &query);
		measure(&query, warmups, pairs, &samples);
		if (json != NULL && i > optind)
			fputs(",\n ", json);
		print_query(&query, &samples, pairs, json);
		all_same &= samples.same;
		free(query.text);
	}

	if (json != NULL)
	{
		fputs("]\n", json);
		if (fclose(json) != 0)
			fail(json_file, strerror(errno));
	}
	PQfinish(connection);
	return all_same ? 0 : EXIT_DIFFERENT;
}
