/*
 * plan_choice.c
 *	  Finds queries for which the planner chooses the slower plan.
 *
 * Reads lines "label TAB query".  Each query is planned with the extension
 *
 *	  off		core's plan
 *	  on		the planner's choice
 *	  eager		all costs of vector nodes a quarter of what they are
 *	  forced	vector nodes wherever they are possible
 *
 * and each different plan among these is timed, in rounds that take one after the other; planning
 * counts.  Answers are compared with core's.  Two mistakes are listed:
 *
 *	  slower	the choice has vector nodes, and core's plan is faster
 *	  missed	eager or forced planning gives a plan that is faster than the choice
 *
 * A suspected mistake is timed for longer; it counts when both the medians and the least times say
 * so.  A plan that takes much longer than core's is not run to its end.
 */
#include <getopt.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "measure.h"

#define MAX_ROUNDS			60
#define MIN_ROUNDS			3

/* Suspicions are timed for so many times the usual time. */
#define CONFIRM_FACTOR		3

/* What counts as a mistake: the choice's time divided by that of the better plan. */
#define SLOWER_RATIO		1.05
#define MISSED_RATIO		1.10

/* Differences below are those of planning and of the clock. */
#define LEAST_DIFFERENCE_MS	0.02

/* A plan gets this many times core's time, and a constant. */
#define PATIENCE_FACTOR		4
#define PATIENCE_MS			200

#define EAGER_FACTOR		0.25

/* Bytes of a query that are printed; labels and seeds identify it. */
#define MAX_SHOWN			240

typedef enum Mode
{
	MODE_OFF,
	MODE_ON,
	MODE_EAGER,
	MODE_FORCED,
	MODES
} Mode;

static const char *const mode_name[MODES] = {"off", "on", "eager", "forced"};

/* Statements that bring the session into a mode, from whatever mode it is in. */
static char *mode_setup[MODES];

/* A plan, by the first mode that has it. */
typedef struct Timing
{
	bool		distinct;		/* else the times of the mode "same_as" are its */
	Mode		same_as;
	bool		vector;
	bool		ended;			/* was not stopped for taking too long */
	double		times[MAX_ROUNDS];
	double		median;
	double		least;
} Timing;

/* Totals of a run. */
typedef struct Totals
{
	int			queries;
	int			same;			/* all modes have the same plan */
	int			vector;			/* the choice has vector nodes */
	int			core;			/* it has none, though it could */
	int			slower;
	int			missed;
	int			different;		/* answers */
	double		log_gain;		/* of core's time divided by the choice's, where those differ */
	double		log_regret;		/* of the choice's time divided by the best */
	double		ms[MODES];
	double		best_ms;
} Totals;

static PGconn *connection;
static Totals totals;

/* How long a plan of the query at hand may take. */
static double patience_ms;

/* The lines of the mistakes, printed at the end. */
static char *slower_list,
		   *missed_list;

static void
append(char **list, char *line)
{
	char	   *longer = measure_printf("%s%s", *list ? *list : "", line);

	free(*list);
	free(line);
	*list = longer;
}

static void
make_modes(void)
{
	PGresult   *settings = measure_run(connection,
									   "SELECT name, setting FROM pg_settings "
									   "WHERE name LIKE 'pg\\_vexec.%\\_cost' ORDER BY name");
	char	   *normal = NULL,
			   *eager = NULL;

	for (int i = 0; i < PQntuples(settings); i++)
	{
		const char *name = PQgetvalue(settings, i, 0);
		double		value = strtod(PQgetvalue(settings, i, 1), NULL);

		append(&normal, measure_printf("SET %s = %.10g;", name, value));
		append(&eager, measure_printf("SET %s = %.10g;", name, value * EAGER_FACTOR));
	}
	PQclear(settings);
	for (Mode mode = MODE_OFF; mode < MODES; mode++)
		mode_setup[mode] = measure_printf("%sSET pg_vexec.enabled = %s;SET pg_vexec.force = %s",
										  mode == MODE_EAGER ? eager : normal,
										  mode == MODE_OFF ? "off" : "on",
										  mode == MODE_FORCED ? "on" : "off");
	free(normal);
	free(eager);
}

/* Plans the query in all modes; returns the number of different plans. */
static int
read_plans(const char *sql, Timing *timings)
{
	char	   *plans[MODES];
	int			distinct = 0;

	for (Mode mode = MODE_OFF; mode < MODES; mode++)
	{
		measure_do(connection, mode_setup[mode]);
		plans[mode] = measure_explain(connection, "COSTS OFF", sql);
		timings[mode].vector = strstr(plans[mode], "(Vexec") != NULL;
		timings[mode].same_as = mode;
		for (Mode other = MODE_OFF; other < mode; other++)
		{
			if (strcmp(plans[mode], plans[other]) == 0)
			{
				timings[mode].same_as = other;
				break;
			}
		}
		timings[mode].distinct = timings[mode].same_as == mode;
		timings[mode].ended = true;
		distinct += timings[mode].distinct;
	}
	for (Mode mode = MODE_OFF; mode < MODES; mode++)
		free(plans[mode]);
	return distinct;
}

/*
 * Times the different plans for about ms, from round first on; returns the rounds there are then.
 * expected is core's answer, which the first round stores.
 */
static int
time_plans(const char *label, const char *sql, Timing *timings, int first, double ms,
		   PGresult **expected)
{
	double		start = measure_now();
	int			round;

	/* Round -1 is the warm-up. */
	for (round = first == 0 ? -1 : first; round < MAX_ROUNDS; round++)
	{
		if (round >= MIN_ROUNDS && round > first && measure_now() - start > ms)
			break;
		for (Mode mode = MODE_OFF; mode < MODES; mode++)
		{
			PGresult   *result;
			double		time;

			if (!timings[mode].distinct || !timings[mode].ended)
				continue;
			measure_do(connection, mode_setup[mode]);
			result = measure_timed(connection, sql, &time);
			if (mode == MODE_OFF && PQresultStatus(result) != PGRES_TUPLES_OK)
				measure_fail(label, PQresultErrorMessage(result));
			if (round >= 0)
				timings[mode].times[round] = time;
			if (*expected == NULL)
			{
				char	   *timeout;

				patience_ms = PATIENCE_FACTOR * time + PATIENCE_MS;
				timeout = measure_printf("SET statement_timeout = %.0f", patience_ms);
				measure_do(connection, timeout);
				free(timeout);
				*expected = result;
				continue;
			}
			if (PQresultStatus(result) != PGRES_TUPLES_OK &&
				strcmp(PQresultErrorField(result, PG_DIAG_SQLSTATE), "57014") == 0)
				timings[mode].ended = false;
			else if (round < 0 && !measure_same_answer(label, *expected, result))
				totals.different++;
			PQclear(result);
		}
	}
	return round;
}

static void
summarize(Timing *timings, int rounds)
{
	for (Mode mode = MODE_OFF; mode < MODES; mode++)
	{
		Timing	   *timing = &timings[mode];
		double		sorted[MAX_ROUNDS];

		if (!timing->distinct)
		{
			/* same_as is an earlier mode */
			timing->median = timings[timing->same_as].median;
			timing->least = timings[timing->same_as].least;
		}
		else if (!timing->ended)
			timing->median = timing->least = patience_ms;
		else
		{
			memcpy(sorted, timing->times, sizeof(sorted));
			timing->median = measure_median(sorted, rounds);
			timing->least = sorted[0];
		}
	}
}

/* Is the time "worse" longer than "better", by the ratio and by what a clock can tell? */
static bool
is_worse(const Timing *worse, const Timing *better, double ratio)
{
	return worse->median > better->median * ratio && worse->least > better->least * ratio &&
		worse->median - better->median > LEAST_DIFFERENCE_MS;
}

static Mode
fastest(const Timing *timings)
{
	Mode		best = MODE_ON;

	for (Mode mode = MODE_OFF; mode < MODES; mode++)
	{
		if (timings[mode].median < timings[best].median)
			best = mode;
	}
	return best;
}

/* The better of the two ways to get more vector nodes. */
static Mode
alternative(const Timing *timings)
{
	return timings[MODE_FORCED].median < timings[MODE_EAGER].median ? MODE_FORCED : MODE_EAGER;
}

static bool
is_slower(const Timing *timings)
{
	return timings[MODE_ON].vector && is_worse(&timings[MODE_ON], &timings[MODE_OFF], SLOWER_RATIO);
}

static bool
is_missed(const Timing *timings)
{
	return timings[alternative(timings)].vector &&
		is_worse(&timings[MODE_ON], &timings[alternative(timings)], MISSED_RATIO);
}

static char *
mistake_line(const char *label, const char *sql, const Timing *timings, Mode better)
{
	Mode		more = alternative(timings);

	return measure_printf("%5.2f  off %9.2f  on %9.2f  %-6s %9.2f ms  %s: %.*s\n",
						  timings[MODE_ON].median / timings[better].median,
						  timings[MODE_OFF].median, timings[MODE_ON].median, mode_name[more],
						  timings[more].median, label, MAX_SHOWN, sql);
}

static void
judge(const char *label, const char *sql, double ms)
{
	Timing		timings[MODES];
	PGresult   *expected = NULL;
	int			rounds;

	memset(timings, 0, sizeof(timings));
	totals.queries++;
	measure_do(connection, "SET statement_timeout = 0");
	if (read_plans(sql, timings) == 1)
	{
		totals.same++;
		return;
	}
	rounds = time_plans(label, sql, timings, 0, ms, &expected);
	summarize(timings, rounds);
	if (is_slower(timings) || is_missed(timings))
	{
		rounds = time_plans(label, sql, timings, rounds, ms * CONFIRM_FACTOR, &expected);
		summarize(timings, rounds);
	}
	PQclear(expected);
	measure_do(connection, "SET statement_timeout = 0");

	if (timings[MODE_ON].vector)
		totals.vector++;
	else
		totals.core++;
	if (is_slower(timings))
	{
		totals.slower++;
		append(&slower_list, mistake_line(label, sql, timings, MODE_OFF));
	}
	if (is_missed(timings))
	{
		totals.missed++;
		append(&missed_list, mistake_line(label, sql, timings, alternative(timings)));
	}
	if (timings[MODE_ON].vector)
		totals.log_gain += log(timings[MODE_OFF].median / timings[MODE_ON].median);
	totals.log_regret += log(timings[MODE_ON].median / timings[fastest(timings)].median);
	totals.ms[MODE_OFF] += timings[MODE_OFF].median;
	totals.ms[MODE_ON] += timings[MODE_ON].median;
	totals.best_ms += timings[fastest(timings)].median;
}

static void
print_totals(void)
{
	int			judged = totals.vector + totals.core;

	measure_progress_clear();
	printf("%d queries: %d with one plan in all modes; %d where vector nodes were chosen; %d where they\n"
		   "were possible and not chosen\n", totals.queries, totals.same, totals.vector, totals.core);
	if (totals.vector > 0)
		printf("the chosen vectorized plans are %.2f times as fast as core's (geometric mean)\n",
			   exp(totals.log_gain / totals.vector));
	if (judged > 0)
		printf("the choice takes %.3f times as long as the best of the plans (geometric mean); in sum: "
			   "off %.0f ms, on %.0f ms, best %.0f ms\n", exp(totals.log_regret / judged),
			   totals.ms[MODE_OFF], totals.ms[MODE_ON], totals.best_ms);
	printf("\nslower: %d vectorized plans by more than %.0f %% slower than core's\n%s", totals.slower,
		   (SLOWER_RATIO - 1) * 100, slower_list ? slower_list : "");
	printf("\nmissed: %d choices by more than %.0f %% slower than a plan with more vector nodes\n%s",
		   totals.missed, (MISSED_RATIO - 1) * 100, missed_list ? missed_list : "");
	if (totals.different > 0)
		printf("\n%d answers differ\n", totals.different);
}

int
main(int argc, char **argv)
{
	static const struct option options[] = {
		{"connection", required_argument, NULL, 'c'},
		{"setup", required_argument, NULL, 's'},
		{"time", required_argument, NULL, 't'},
		{NULL, 0, NULL, 0}
	};
	const char *conninfo = "";
	const char **setup = measure_alloc((size_t) argc * sizeof(char *));
	char	   *queries,
			   *rest,
			   *line;
	int			nsetup = 0,
				count = 0,
				done = 0,
				ms = 1000,
				option;

	measure_program = "plan_choice";
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
			case 't':
				ms = measure_parse_count("--time", optarg, 1, 3600000);
				break;
			default:
				return EXIT_FAILED;
		}
	}
	if (optind != argc - 1)
		measure_fail("arguments", "give one file of queries");
	queries = measure_read_file(argv[optind]);
	for (const char *c = queries; *c != '\0'; c++)
		count += *c == '\n';

	connection = measure_connect(conninfo, setup, nsetup);
	make_modes();
	rest = queries;
	while ((line = strsep(&rest, "\n")) != NULL)
	{
		char	   *sql = strchr(line, '\t');

		if (*line == '\0')
			continue;
		if (sql == NULL)
			measure_fail(line, "a line is: label TAB query");
		*sql++ = '\0';
		measure_progress("%d of %d: %s", ++done, count, line);
		judge(line, sql, ms);
	}
	print_totals();

	PQfinish(connection);
	for (Mode mode = MODE_OFF; mode < MODES; mode++)
		free(mode_setup[mode]);
	free(queries);
	free(setup);
	free(slower_list);
	free(missed_list);
	return totals.different > 0 ? EXIT_DIFFERENT : 0;
}
