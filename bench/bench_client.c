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
 * A query file starts with comment lines:
 *
 *	  -- TITLE
 *	  -- SET NAME = VALUE		a setting of this query, on both sides; any number of them
 *	  -- PAIRS N				at most N pairs, for a query that takes long
 *	  -- MEMORY					measure memory too: once more on each side, each time in a session
 *								of its own, the largest growth of the server process' private
 *								memory, and what EXPLAIN ANALYZE says about memory and disk
 *
 * Exit status: 0 all answers are the same, 1 an answer differs, 2 the benchmark itself failed.
 */
#include <errno.h>
#include <getopt.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "measure.h"

#define MAX_PAIRS			1000
#define MAX_TITLE			40
#define MAX_SETTINGS		8

/* How often the memory of a process is looked at. */
#define MEMORY_POLL_MS		1

typedef enum Side
{
	SIDE_OFF,
	SIDE_ON,
	SIDES
} Side;

static const char *const side_switch[SIDES] = {
	"SET pg_vexec.enabled = off",
	"SET pg_vexec.enabled = on"
};
static const char *const side_name[SIDES] = {"core", "pg_vexec"};

typedef struct Setting
{
	char		name[64];
	char		value[128];
} Setting;

typedef struct Query
{
	const char *file;
	char	   *text;			/* owned */
	char		title[MAX_TITLE + 1];
	Setting		settings[MAX_SETTINGS];
	int			nsettings;
	int			pairs;
	bool		memory;
} Query;

/* Times in milliseconds. */
typedef struct Samples
{
	int			count;
	double		times[SIDES][MAX_PAIRS];
	bool		same;
	bool		vector;			/* the plan with pg_vexec on has a vector node */
	double		memory_mb[SIDES];
	char	   *notes[SIDES];	/* lines of EXPLAIN ANALYZE, owned; NULL without MEMORY */
} Samples;

/* A query's median ratio and its interval; the interval is 0 .. 0 when there is none. */
typedef struct Ratio
{
	double		median;
	double		low;
	double		high;
} Ratio;

static const char *conninfo = "";
static const char **setup;
static int	nsetup = 0;
static PGconn *connection;

static void
read_query(const char *file, int pairs, Query *query)
{
	const char *line;
	int			limit;

	memset(query, 0, sizeof(*query));
	query->file = file;
	query->text = measure_read_file(file);
	query->pairs = pairs;
	if (sscanf(query->text, "-- %40[^\n]", query->title) != 1)
		measure_fail(file, "the first line is not a comment with the title");

	line = strchr(query->text, '\n');
	for (; line != NULL && strncmp(line, "\n-- ", 4) == 0; line = strchr(line + 1, '\n'))
	{
		Setting    *setting = &query->settings[query->nsettings];

		if (strncmp(line, "\n-- SET ", 8) == 0)
		{
			if (query->nsettings == MAX_SETTINGS)
				measure_fail(file, "too many settings");
			if (sscanf(line, "\n-- SET %63[a-z_.] = %127[^\n]", setting->name, setting->value) != 2)
				measure_fail(file, "a setting is written: -- SET name = value");
			query->nsettings++;
		}
		else if (sscanf(line, "\n-- PAIRS %d", &limit) == 1)
			query->pairs = limit > 0 && limit < pairs ? limit : pairs;
		else if (strncmp(line, "\n-- MEMORY\n", 11) == 0)
			query->memory = true;
	}
}

static void
set_value(PGconn *session, const char *name, const char *value)
{
	const char *const values[2] = {name, value};
	PGresult   *result = PQexecParams(session, "SELECT set_config($1, $2, false)",
									  2, NULL, values, NULL, NULL, 0);

	if (PQresultStatus(result) != PGRES_TUPLES_OK)
		measure_fail(name, PQresultErrorMessage(result));
	PQclear(result);
}

/* Applies the query's settings; swaps them with the session's, so that a second call restores. */
static void
swap_settings(PGconn *session, Query *query)
{
	for (int i = 0; i < query->nsettings; i++)
	{
		Setting    *setting = &query->settings[i];
		char	   *sql = measure_printf("SHOW %s", setting->name);
		PGresult   *old = measure_run(session, sql);

		set_value(session, setting->name, setting->value);
		snprintf(setting->value, sizeof(setting->value), "%s", PQgetvalue(old, 0, 0));
		PQclear(old);
		free(sql);
	}
}

static bool
plan_has_vector_node(const Query *query)
{
	char	   *plan = measure_explain(connection, "COSTS OFF", query->text);
	bool		found = strstr(plan, "(Vexec") != NULL;

	free(plan);
	return found;
}

/* Private memory of a process in kB: what it alone has, not the shared buffers it has touched. */
static long
private_memory_kb(int pid)
{
	char		file[64],
				line[256];
	FILE	   *status;
	long		kb = 0;

	snprintf(file, sizeof(file), "/proc/%d/status", pid);
	status = fopen(file, "r");
	if (status == NULL)
		return 0;
	while (fgets(line, sizeof(line), status) != NULL)
	{
		if (sscanf(line, "RssAnon: %ld kB", &kb) == 1)
			break;
	}
	fclose(status);
	return kb;
}

/*
 * Runs the query in a new session and returns by how many MB the private memory of its server
 * process grew at most.  EXPLAIN comes first, so that caches are filled before.  Parallel workers
 * are not counted.
 */
static double
peak_memory_mb(Query *query, Side side)
{
	PGconn	   *session = measure_connect(conninfo, setup, nsetup);
	int			pid = PQbackendPID(session);
	long		before,
				peak;
	PGresult   *result;
	struct pollfd socket;

	swap_settings(session, query);
	measure_do(session, side_switch[side]);
	free(measure_explain(session, "COSTS OFF", query->text));

	before = peak = private_memory_kb(pid);
	if (!PQsendQuery(session, query->text))
		measure_fail(query->title, PQerrorMessage(session));
	socket.fd = PQsocket(session);
	socket.events = POLLIN;
	while (PQisBusy(session))
	{
		long		now;

		poll(&socket, 1, MEMORY_POLL_MS);
		now = private_memory_kb(pid);
		if (now > peak)
			peak = now;
		if (!PQconsumeInput(session))
			measure_fail(query->title, PQerrorMessage(session));
	}
	while ((result = PQgetResult(session)) != NULL)
	{
		if (PQresultStatus(result) != PGRES_TUPLES_OK)
			measure_fail(query->title, PQresultErrorMessage(result));
		PQclear(result);
	}
	swap_settings(session, query);
	PQfinish(session);
	return (double) (peak - before) / 1024;
}

/* The lines of EXPLAIN ANALYZE about memory, disk and temporary files, not indented. */
static char *
explain_notes(const Query *query)
{
	char	   *plan = measure_explain(connection,
									   "ANALYZE, COSTS OFF, TIMING OFF, SUMMARY OFF, BUFFERS ON",
									   query->text);
	char	   *notes = measure_alloc(strlen(plan) + 1);
	bool		temp_seen = false;
	char	   *rest = plan,
			   *line;

	notes[0] = '\0';
	while ((line = strsep(&rest, "\n")) != NULL)
	{
		/* The first node's buffers include those of all below. */
		bool		temp = strstr(line, "temp read") != NULL || strstr(line, "temp written") != NULL;

		line += strspn(line, " ");
		if (strstr(line, "Memory") != NULL || strstr(line, "Disk") != NULL || (temp && !temp_seen))
		{
			strcat(notes, line);
			strcat(notes, "\n");
		}
		temp_seen |= temp;
	}
	free(plan);
	return notes;
}

static void
measure(Query *query, int warmups, Samples *samples)
{
	PGresult   *expected = NULL;

	memset(samples, 0, sizeof(*samples));
	samples->same = true;
	swap_settings(connection, query);
	for (int i = -warmups; i < query->pairs && samples->same; i++)
	{
		if (i < 0)
			measure_progress("%s: warm-up", query->title);
		else
			measure_progress("%s: pair %d of %d", query->title, i + 1, query->pairs);

		for (Side side = SIDE_OFF; side < SIDES; side++)
		{
			PGresult   *result;
			double		ms;

			measure_do(connection, side_switch[side]);
			result = measure_timed(connection, query->text, &ms);
			if (side == SIDE_OFF && PQresultStatus(result) != PGRES_TUPLES_OK)
				measure_fail(query->title, PQresultErrorMessage(result));
			if (expected == NULL)
				expected = result;
			samples->same = samples->same && measure_same_answer(query->title, expected, result);
			if (i >= 0)
				samples->times[side][i] = ms;
			if (result != expected)
				PQclear(result);
		}
		if (i >= 0)
			samples->count++;
	}
	PQclear(expected);

	samples->vector = plan_has_vector_node(query);
	for (Side side = SIDE_OFF; query->memory && samples->same && side < SIDES; side++)
	{
		measure_do(connection, side_switch[side]);
		samples->notes[side] = explain_notes(query);
	}
	swap_settings(connection, query);
	for (Side side = SIDE_OFF; query->memory && samples->same && side < SIDES; side++)
		samples->memory_mb[side] = peak_memory_mb(query, side);
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
	if (measure_interval_rank(pairs) > 0)
		printf("%-17s", "95 % interval");
	printf("%-9s  %s\n", "answers", "plan");
	fflush(stdout);
}

static void
print_notes(const Samples *samples)
{
	for (Side side = SIDE_OFF; side < SIDES; side++)
	{
		char	   *rest = samples->notes[side],
				   *line;

		printf("    %-8s  process grew by %.1f MB\n", side_name[side], samples->memory_mb[side]);
		while ((line = strsep(&rest, "\n")) != NULL)
		{
			if (*line != '\0')
				printf("              %s\n", line);
		}
	}
}

/* Prints one line of the table, and one object of the JSON array when there is one. */
static Ratio
print_query(const Query *query, const Samples *samples, int pairs, FILE *json)
{
	double		times[SIDES][MAX_PAIRS],
				ratios[MAX_PAIRS],
				medians[SIDES];
	Ratio		ratio = {0, 0, 0};
	int			n = samples->count,
				rank = measure_interval_rank(n);
	char		interval[32] = "";

	for (int i = 0; i < n; i++)
		ratios[i] = samples->times[SIDE_OFF][i] / samples->times[SIDE_ON][i];
	memcpy(times, samples->times, sizeof(times));
	for (Side side = SIDE_OFF; side < SIDES; side++)
		medians[side] = measure_median(times[side], n);
	ratio.median = measure_median(ratios, n);
	if (rank > 0)
	{
		ratio.low = ratios[rank - 1];
		ratio.high = ratios[n - rank];
		snprintf(interval, sizeof(interval), "%.2f .. %.2f", ratio.low, ratio.high);
	}

	measure_progress_clear();
	printf("%-31s %9.1f %12.1f %7.2f  ", query->title, medians[SIDE_OFF], medians[SIDE_ON],
		   ratio.median);
	if (measure_interval_rank(pairs) > 0)
		printf("%-17s", interval);
	printf("%-9s  %s\n", samples->same ? "same" : "DIFFERENT", samples->vector ? "vector" : "core");

	if (json != NULL)
	{
		fprintf(json, "{\"query\": ");
		json_text(json, strrchr(query->file, '/') ? strrchr(query->file, '/') + 1 : query->file);
		fprintf(json, ", \"title\": ");
		json_text(json, query->title);
		fprintf(json, ", \"core_ms\": %.3f, \"vexec_ms\": %.3f, \"ratio\": %.4f",
				medians[SIDE_OFF], medians[SIDE_ON], ratio.median);
		if (rank > 0)
			fprintf(json, ", \"ratio_low\": %.4f, \"ratio_high\": %.4f", ratio.low, ratio.high);
		fprintf(json, ", \"same\": %s, \"vector\": %s",
				samples->same ? "true" : "false", samples->vector ? "true" : "false");
		if (samples->notes[SIDE_OFF] != NULL)
		{
			fprintf(json, ", \"core_memory_mb\": %.1f, \"vexec_memory_mb\": %.1f, \"core_notes\": ",
					samples->memory_mb[SIDE_OFF], samples->memory_mb[SIDE_ON]);
			json_text(json, samples->notes[SIDE_OFF]);
			fprintf(json, ", \"vexec_notes\": ");
			json_text(json, samples->notes[SIDE_ON]);
		}
		json_samples(json, "core_samples", samples->times[SIDE_OFF], n);
		json_samples(json, "vexec_samples", samples->times[SIDE_ON], n);
		fputc('}', json);
	}

	if (samples->notes[SIDE_OFF] != NULL)
		print_notes(samples);
	fflush(stdout);
	return ratio;
}

/* Lists the queries whose ratio is below floor, the certain ones marked. */
static void
print_losses(const Query *queries, const Ratio *ratios, int n, double floor)
{
	int			losses = 0;

	for (int i = 0; i < n; i++)
	{
		if (ratios[i].median >= floor)
			continue;
		if (losses++ == 0)
			printf("below %.2f:\n", floor);
		printf("  %-31s %7.2f  %s\n", queries[i].title, ratios[i].median,
			   ratios[i].high == 0 ? "" :
			   ratios[i].high < floor ? "the whole interval" : "the interval reaches above");
	}
	if (losses == 0)
		printf("none below %.2f\n", floor);
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
		   "  --floor RATIO      list the queries with a smaller ratio at the end\n"
		   "  --json FILE        write the figures as a JSON array too\n"
		   "  --help             print this text\n\n"
		   "A FILE holds one SELECT below a comment line that is its title; more comment lines can\n"
		   "follow: -- SET name = value, -- PAIRS n, -- MEMORY.\n", MAX_PAIRS);
}

int
main(int argc, char **argv)
{
	static const struct option options[] = {
		{"connection", required_argument, NULL, 'c'},
		{"setup", required_argument, NULL, 's'},
		{"warmups", required_argument, NULL, 'w'},
		{"pairs", required_argument, NULL, 'p'},
		{"floor", required_argument, NULL, 'f'},
		{"json", required_argument, NULL, 'j'},
		{"help", no_argument, NULL, 'h'},
		{NULL, 0, NULL, 0}
	};
	static Samples samples;
	const char *json_file = NULL;
	int			warmups = 1,
				pairs = 15,
				nqueries,
				option;
	double		floor = 0;
	bool		all_same = true;
	FILE	   *json = NULL;
	Query	   *queries;
	Ratio	   *ratios;

	measure_program = "bench_client";
	setup = measure_alloc((size_t) argc * sizeof(char *));
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
				warmups = measure_parse_count("--warmups", optarg, 0, MAX_PAIRS);
				break;
			case 'p':
				pairs = measure_parse_count("--pairs", optarg, 1, MAX_PAIRS);
				break;
			case 'f':
				floor = strtod(optarg, NULL);
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
		measure_fail("arguments", "no query file given");
	nqueries = argc - optind;
	queries = measure_alloc((size_t) nqueries * sizeof(Query));
	ratios = measure_alloc((size_t) nqueries * sizeof(Ratio));
	for (int i = 0; i < nqueries; i++)
		read_query(argv[optind + i], pairs, &queries[i]);

	connection = measure_connect(conninfo, setup, nsetup);
	if (json_file != NULL)
	{
		json = fopen(json_file, "w");
		if (json == NULL)
			measure_fail(json_file, strerror(errno));
		fputc('[', json);
	}

	print_header(pairs);
	for (int i = 0; i < nqueries; i++)
	{
		measure(&queries[i], warmups, &samples);
		if (json != NULL && i > 0)
			fputs(",\n ", json);
		ratios[i] = print_query(&queries[i], &samples, pairs, json);
		all_same &= samples.same;
		for (Side side = SIDE_OFF; side < SIDES; side++)
			free(samples.notes[side]);
	}
	if (floor > 0)
		print_losses(queries, ratios, nqueries, floor);

	if (json != NULL)
	{
		fputs("]\n", json);
		if (fclose(json) != 0)
			measure_fail(json_file, strerror(errno));
	}
	PQfinish(connection);
	for (int i = 0; i < nqueries; i++)
		free(queries[i].text);
	free(queries);
	free(ratios);
	free(setup);
	return all_same ? 0 : EXIT_DIFFERENT;
}
