/*
 * calibrate.c
 *	  Fits the settings pg_vexec.*_cost on the machine at hand.
 *
 * The planner's estimate for a plan is linear in these settings.  So their factors need not be
 * known here: with all of them 0 but one, EXPLAIN shows that one's factor.  Whatever settings of
 * that name the library has are fitted, with the planner's own formula.
 *
 * A unit of cost is what core's own plans of the same queries take for one unit of their cost: a
 * geometric mean over the queries.  Core's estimates are off by a factor of three both ways, and
 * the unit decides only where the two sides are close; so a query's weight is the square of the
 * vectorized plan's share of core's time.  All tables are in shared buffers and pages cost nothing,
 * since both sides pay the same for them.
 *
 * With t the time of a vectorized plan, base its cost with all settings 0, f its factors:
 *
 *	  t / unit = base + sum(f * setting)
 *
 * is solved for the settings by least squares of the relative error, none below 0, with a weak pull
 * towards the defaults that decides where queries cannot.  Where vector nodes work on the rows of a
 * plan of core's, "child" is the query of that plan; its time and cost are subtracted on both
 * sides, so that core's errors stay out.
 *
 * Plans are prepared: planning is not part of the times.  The exception are queries over few rows,
 * which show what it takes to plan and start vector nodes: there, child is the query itself with
 * core's plan, and planning counts on both sides.  A time is the least of several runs, since what
 * disturbs them only adds.
 */
#include <getopt.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "measure.h"

#define lengthof(array)		(sizeof(array) / sizeof((array)[0]))

#define MAX_SETTINGS		32
#define MAX_RUNS			1000

/* With such costs core's plans are chosen, and the planner has still looked at the others. */
#define UNAFFORDABLE		1e9

/* A query over few rows is run this much more often. */
#define SHORT_RUNS			10

/* The pull towards a default: like one query that is off by 100 % for each 10 times of distance. */
#define PULL				0.03

/* A difference of two times has at least the error of this share of them. */
#define LEAST_SHARE			0.1

/* Probes of a factor, the largest first that leaves the plan as it is; EXPLAIN has two decimals. */
static const double probes[] = {10, 1, 0.1, 0.01, 1e-3, 1e-4, 1e-5};

typedef struct Sample
{
	const char *sql;
	const char *child;			/* NULL: the vector nodes read the table */
} Sample;

/* As child: the query itself with core's plan, planning included. */
static const char itself[] = "itself";

/* OFFSET takes rows from the node below and does next to nothing with them. */
#define DISCARD				" OFFSET 1000000000"

static const Sample samples[] = {
	/* few rows: what planning and starting take */
	{"SELECT count(*) FROM tiny", itself},
	{"SELECT sum(id) FROM tiny WHERE percent < 50", itself},
	{"SELECT key10, count(*), sum(big) FROM tiny GROUP BY key10", itself},
	{"SELECT id FROM tiny WHERE percent < 10" DISCARD, itself},
	{"SELECT count(*) FROM small", itself},
	{"SELECT key10, sum(money) FROM small WHERE percent < 50 GROUP BY key10", itself},
	{"SELECT sum(id), min(day), max(real8) FROM middle", NULL},
	{"SELECT key1000, count(*), max(day) FROM middle GROUP BY key1000", NULL},
	/* visiting rows, decoding columns */
	{"SELECT count(*) FROM large", NULL},
	{"SELECT sum(id) FROM large", NULL},
	{"SELECT sum(id), sum(percent), sum(key10), sum(key1000) FROM large", NULL},
	{"SELECT max(day), max(real8), min(id) FROM large", NULL},
	{"SELECT sum(money) FROM large", NULL},
	{"SELECT min(word) FROM large", NULL},
	/* conditions */
	{"SELECT count(*) FROM large WHERE percent < 1", NULL},
	{"SELECT count(*) FROM large WHERE percent < 50", NULL},
	{"SELECT count(*) FROM large WHERE percent < 50 AND key10 <> 3 AND key1000 > 100", NULL},
	{"SELECT count(*) FROM large WHERE day >= '2003-01-01' AND day < '2005-01-01'", NULL},
	{"SELECT count(*) FROM large WHERE money > 5000 AND real8 < 60000", NULL},
	{"SELECT count(*) FROM large WHERE fixed = 'code 3'", NULL},
	{"SELECT count(*) FROM large WHERE word = 'word77'", NULL},
	{"SELECT count(*) FROM large WHERE line LIKE '%text 5%'", NULL},
	{"SELECT count(*) FROM large WHERE percent IN (3, 7, 20, 40, 60, 80)", NULL},
	/* expressions */
	{"SELECT sum(id + percent * 2 - key10) FROM large", NULL},
	{"SELECT sum(real8 * 2 + 1), sum(real8 - id) FROM large", NULL},
	{"SELECT sum(money * (1 - money)) FROM large WHERE percent < 30", NULL},
	{"SELECT sum(CASE WHEN percent < 20 THEN id ELSE key10 END) FROM large", NULL},
	/* grouping */
	{"SELECT key10, count(*) FROM large GROUP BY key10", NULL},
	{"SELECT key1000, count(*), sum(big) FROM large GROUP BY key1000", NULL},
	{"SELECT key50000, count(*), sum(big) FROM large GROUP BY key50000", NULL},
	{"SELECT key10, fixed, count(*), sum(money) FROM large GROUP BY key10, fixed", NULL},
	{"SELECT word, count(*), avg(real8) FROM large GROUP BY word", NULL},
	{"SELECT key10, min(day), max(money) FROM large WHERE percent < 30 GROUP BY key10", NULL},
	{"SELECT count(DISTINCT key1000) FROM large", NULL},
	{"SELECT key10, count(DISTINCT key50000) FROM large GROUP BY key10", NULL},
	/* rows handed to core */
	{"SELECT id FROM large WHERE percent < 90" DISCARD, NULL},
	{"SELECT id, big, money, word FROM large WHERE percent < 90" DISCARD, NULL},
	{"SELECT id, key10 FROM large WHERE percent < 10" DISCARD, NULL},
	{"SELECT id, day FROM large WHERE percent < 2" DISCARD, NULL},
	/* rows taken from core */
	{"SELECT sum(n), count(*) FROM generate_series(1, 200000) AS n",
	 "SELECT n FROM generate_series(1, 200000) AS n" DISCARD},
	{"SELECT sum(id), max(day) FROM (SELECT id, day FROM large OFFSET 0) AS s",
	 "SELECT id, day FROM large" DISCARD},
	{"SELECT key10, sum(money), count(*) FROM (SELECT key10, money FROM large OFFSET 0) AS s"
		" GROUP BY key10",
	 "SELECT key10, money FROM large" DISCARD},
	{"SELECT key1000, sum(big), min(day), max(real8)"
		" FROM (SELECT key1000, big, day, real8 FROM large OFFSET 0) AS s GROUP BY key1000",
	 "SELECT key1000, big, day, real8 FROM large" DISCARD},
	{"SELECT key50000, count(*) FROM (SELECT key50000 FROM large OFFSET 0) AS s GROUP BY key50000",
	 "SELECT key50000 FROM large" DISCARD},
	{"SELECT word, count(*) FROM (SELECT word FROM large OFFSET 0) AS s GROUP BY word",
	 "SELECT word FROM large" DISCARD},
	{"SELECT sum(n) FROM generate_series(1, 100) AS n",
	 "SELECT n FROM generate_series(1, 100) AS n" DISCARD},
};

typedef struct Cost
{
	char	   *name;
	double		initial;		/* the built-in default */
	double		current;
	double		fitted;
	bool		used;			/* some query depends on it */
} Cost;

/* What is known of a sample; times are without those of a query that does nothing. */
typedef struct Equation
{
	const Sample *sample;
	double		core_ms;
	double		core_cost;
	double		vector_ms;
	double		child_ms;
	double		child_cost;
	double		base;
	double		factors[MAX_SETTINGS];
} Equation;

static PGconn *core,
		   *vector,
		   *planner;			/* for EXPLAIN: changes of settings would discard prepared plans */
static Cost costs[MAX_SETTINGS];
static int	ncosts;

static void
set_cost(PGconn *connection, int cost, double value)
{
	char	   *sql = measure_printf("SET %s = %.10g", costs[cost].name, value);

	measure_do(connection, sql);
	free(sql);
}

static void
read_costs(void)
{
	PGresult   *result = measure_run(planner,
									 "SELECT name, boot_val, setting FROM pg_settings "
									 "WHERE name LIKE 'pg\\_vexec.%\\_cost' ORDER BY name");

	ncosts = PQntuples(result);
	if (ncosts == 0 || ncosts > MAX_SETTINGS)
		measure_fail("read the settings", "none or too many are named pg_vexec.*_cost");
	for (int i = 0; i < ncosts; i++)
	{
		costs[i].name = measure_printf("%s", PQgetvalue(result, i, 0));
		costs[i].initial = strtod(PQgetvalue(result, i, 1), NULL);
		costs[i].current = strtod(PQgetvalue(result, i, 2), NULL);
	}
	PQclear(result);
}

static double
total_cost(PGconn *connection, const char *sql)
{
	char	   *plan = measure_explain(connection, "COSTS ON", sql);
	const char *found = strstr(plan, "(cost=");
	double		total;

	if (found == NULL || sscanf(found, "(cost=%*f..%lf", &total) != 1)
		measure_fail(sql, "EXPLAIN shows no cost");
	free(plan);
	return total;
}

static void
prepare(PGconn *connection, const char *name, const char *sql)
{
	char	   *prepare = measure_printf("PREPARE %s AS %s", name, sql);

	measure_do(connection, prepare);
	free(prepare);
}

/* One run of a prepared statement; keeps the least time. */
static void
run_once(PGconn *connection, const char *execute, double *least)
{
	double		ms;
	PGresult   *result = measure_timed(connection, execute, &ms);

	if (PQresultStatus(result) != PGRES_TUPLES_OK)
		measure_fail(execute, PQresultErrorMessage(result));
	PQclear(result);
	if (*least == 0 || ms < *least)
		*least = ms;
}

/* Fills the costs of an equation; false when no vectorized plan was chosen that fits it. */
static bool
read_factors(Equation *equation)
{
	const char *sql = equation->sample->sql;
	char	   *plan = measure_explain(planner, "COSTS OFF", sql);
	const char *node = strstr(plan, "(Vexec");
	bool		vectorized = node != NULL;

	/* A child's time is that of core's plan: no other vector node may be below. */
	if (equation->sample->child != NULL && equation->sample->child != itself && vectorized)
		vectorized = strstr(node + 1, "(Vexec") == NULL;

	equation->core_cost = total_cost(core, sql);
	if (equation->sample->child == itself)
		equation->child_cost = equation->core_cost;
	else if (equation->sample->child != NULL)
		equation->child_cost = total_cost(core, equation->sample->child);
	equation->base = total_cost(planner, sql);
	for (int i = 0; vectorized && i < ncosts; i++)
	{
		for (size_t probe = 0; probe < lengthof(probes); probe++)
		{
			char	   *probed;
			bool		same;

			set_cost(planner, i, probes[probe]);
			probed = measure_explain(planner, "COSTS OFF", sql);
			same = strcmp(plan, probed) == 0;
			free(probed);
			if (same)
			{
				equation->factors[i] =
					(total_cost(planner, sql) - equation->base) / probes[probe];
				break;
			}
		}
		set_cost(planner, i, 0);
		costs[i].used |= equation->factors[i] > 0;
	}
	free(plan);
	return vectorized;
}

/* nothing_ms: what a prepared statement takes that has no rows to work on. */
static void
measure_equation(Equation *equation, int runs, double nothing_ms)
{
	const Sample *sample = equation->sample;

	if (sample->child == itself)
	{
		/* One session: processes differ by more than is measured here. */
		for (int i = 0; i < runs * SHORT_RUNS; i++)
		{
			for (int cost = 0; cost < ncosts; cost++)
				set_cost(vector, cost, UNAFFORDABLE);
			run_once(vector, sample->sql, &equation->core_ms);
			for (int cost = 0; cost < ncosts; cost++)
				set_cost(vector, cost, 0);
			run_once(vector, sample->sql, &equation->vector_ms);
		}
		equation->child_ms = equation->core_ms;
		return;
	}
	prepare(core, "sample", sample->sql);
	prepare(vector, "sample", sample->sql);
	if (sample->child != NULL)
		prepare(core, "child", sample->child);
	for (int i = 0; i < runs; i++)
	{
		run_once(core, "EXECUTE sample", &equation->core_ms);
		run_once(vector, "EXECUTE sample", &equation->vector_ms);
		if (sample->child != NULL)
			run_once(core, "EXECUTE child", &equation->child_ms);
	}
	equation->core_ms -= nothing_ms;
	equation->vector_ms -= nothing_ms;
	if (sample->child != NULL)
		equation->child_ms -= nothing_ms;
	measure_do(core, "DEALLOCATE ALL");
	measure_do(vector, "DEALLOCATE ALL");
}

/* Solves a x = b for n unknowns by elimination with pivots; a and b are overwritten. */
static void
solve(double a[MAX_SETTINGS][MAX_SETTINGS], double *b, int n, double *x)
{
	for (int i = 0; i < n; i++)
	{
		int			pivot = i;

		for (int row = i + 1; row < n; row++)
		{
			if (fabs(a[row][i]) > fabs(a[pivot][i]))
				pivot = row;
		}
		for (int column = 0; column < n; column++)
		{
			double		swap = a[i][column];

			a[i][column] = a[pivot][column];
			a[pivot][column] = swap;
		}
		{
			double		swap = b[i];

			b[i] = b[pivot];
			b[pivot] = swap;
		}
		for (int row = i + 1; row < n; row++)
		{
			double		factor = a[row][i] / a[i][i];

			for (int column = i; column < n; column++)
				a[row][column] -= factor * a[i][column];
			b[row] -= factor * b[i];
		}
	}
	for (int i = n - 1; i >= 0; i--)
	{
		x[i] = b[i];
		for (int column = i + 1; column < n; column++)
			x[i] -= a[i][column] * x[column];
		x[i] /= a[i][i];
	}
}

/*
 * Least squares in multiples of the defaults, which brings all unknowns to about 1.  An unknown
 * that comes out below 0 is fixed at 0, the lowest first, and the rest is fitted again.
 */
static void
fit(const Equation *equations, int n, double unit)
{
	bool		fixed[MAX_SETTINGS] = {false};

	for (;;)
	{
		double		a[MAX_SETTINGS][MAX_SETTINGS] = {{0}},
					b[MAX_SETTINGS] = {0},
					x[MAX_SETTINGS];
		int			unknown[MAX_SETTINGS],
					nunknown = 0,
					lowest = -1;

		for (int i = 0; i < ncosts; i++)
		{
			costs[i].fitted = costs[i].used ? 0 : costs[i].current;
			if (costs[i].used && !fixed[i] && costs[i].initial > 0)
				unknown[nunknown++] = i;
		}
		for (int e = 0; e < n; e++)
		{
			double		ms = equations[e].vector_ms - equations[e].child_ms,
						target = ms / unit + equations[e].child_cost - equations[e].base,
						weight = unit / fmax(ms, LEAST_SHARE * equations[e].vector_ms);

			for (int i = 0; i < nunknown; i++)
			{
				int			cost = unknown[i];
				double		left = equations[e].factors[cost] * costs[cost].initial * weight;

				for (int j = 0; j < nunknown; j++)
					a[i][j] += left * equations[e].factors[unknown[j]] *
						costs[unknown[j]].initial * weight;
				b[i] += left * target * weight;
			}
		}
		for (int i = 0; i < nunknown; i++)
		{
			a[i][i] += PULL;
			b[i] += PULL;
		}
		solve(a, b, nunknown, x);
		for (int i = 0; i < nunknown; i++)
		{
			costs[unknown[i]].fitted = x[i] * costs[unknown[i]].initial;
			if (x[i] < 0 && (lowest < 0 || x[i] < x[lowest]))
				lowest = i;
		}
		if (lowest < 0)
			return;
		fixed[unknown[lowest]] = true;
	}
}

/* The estimate of an equation's plan in ms, with the fitted or the current settings. */
static double
estimate(const Equation *equation, double unit, bool fitted)
{
	double		cost = equation->base - equation->child_cost;

	for (int i = 0; i < ncosts; i++)
		cost += equation->factors[i] * (fitted ? costs[i].fitted : costs[i].current);
	return cost * unit + equation->child_ms;
}

static void
print_result(const Equation *equations, int n, double unit, double low, double high)
{
	double		error[2] = {0, 0};

	measure_progress_clear();
	printf("A unit of cost is %.3f us; core's plans take %.2f to %.2f times their estimates.\n\n",
		   unit * 1e3, low, high);
	printf("%-28s %10s %10s %10s %10s\n", "setting", "default", "current", "fitted", "ns");
	for (int i = 0; i < ncosts; i++)
		printf("%-28s %10.5g %10.5g %10.3g %10.3g%s\n", costs[i].name, costs[i].initial,
			   costs[i].current, costs[i].fitted, costs[i].fitted * unit * 1e6,
			   costs[i].used ? "" : "  no query depends on it");

	printf("\n%9s %9s | %8s %8s | %s\n", "core ms", "vector ms", "current", "fitted",
		   "query; current and fitted: the estimate divided by the time");
	for (int e = 0; e < n; e++)
	{
		double		ratio[2];

		for (int fitted = 0; fitted < 2; fitted++)
		{
			ratio[fitted] = estimate(&equations[e], unit, fitted) / equations[e].vector_ms;
			error[fitted] += fabs(log(fmax(ratio[fitted], 0.01)));
		}
		printf("%9.3f %9.3f | %8.2f %8.2f | %s\n", equations[e].core_ms, equations[e].vector_ms,
			   ratio[0], ratio[1], equations[e].sample->sql);
	}
	printf("\nThe estimates are off by a factor of %.2f with the current settings, %.2f with the fitted\n"
		   "ones (geometric means).\n\n", exp(error[0] / n), exp(error[1] / n));
	for (int i = 0; i < ncosts; i++)
	{
		if (costs[i].used)
			printf("ALTER SYSTEM SET %s = %.3g;\n", costs[i].name, costs[i].fitted);
	}
	printf("SELECT pg_reload_conf();\n");
}

int
main(int argc, char **argv)
{
	static const struct option options[] = {
		{"connection", required_argument, NULL, 'c'},
		{"runs", required_argument, NULL, 'r'},
		{NULL, 0, NULL, 0}
	};
	static const char *const setup[] = {
		"LOAD 'pg_vexec'",
		"SET pg_vexec.enabled = on",
		"SET search_path = calibrate",
		"SET max_parallel_workers_per_gather = 0",
		"SET jit = off",
		"SET seq_page_cost = 0",
		"SET random_page_cost = 0",
	};
	static Equation equations[lengthof(samples)];
	const char *conninfo = "";
	double		nothing_ms = 0,
				logs = 0,
				weights = 0,
				low = HUGE_VAL,
				high = 0,
				unit;
	int			runs = 15,
				n = 0,
				option;

	measure_program = "calibrate";
	while ((option = getopt_long(argc, argv, "", options, NULL)) != -1)
	{
		switch (option)
		{
			case 'c':
				conninfo = optarg;
				break;
			case 'r':
				runs = measure_parse_count("--runs", optarg, 1, MAX_RUNS);
				break;
			default:
				return EXIT_FAILED;
		}
	}

	core = measure_connect(conninfo, setup, lengthof(setup));
	vector = measure_connect(conninfo, setup, lengthof(setup));
	planner = measure_connect(conninfo, setup, lengthof(setup));
	read_costs();
	for (int i = 0; i < ncosts; i++)
	{
		set_cost(core, i, UNAFFORDABLE);
		set_cost(vector, i, 0);
		set_cost(planner, i, 0);
	}

	prepare(core, "nothing", "SELECT count(*) FROM nothing");
	for (int i = 0; i < runs * SHORT_RUNS; i++)
		run_once(core, "EXECUTE nothing", &nothing_ms);
	measure_do(core, "DEALLOCATE ALL");

	for (size_t i = 0; i < lengthof(samples); i++)
	{
		Equation   *equation = &equations[n];
		double		core_unit,
					share;

		memset(equation, 0, sizeof(*equation));
		equation->sample = &samples[i];
		measure_progress("%d of %d: %s", (int) i + 1, (int) lengthof(samples), samples[i].sql);
		if (!read_factors(equation))
		{
			measure_progress_clear();
			printf("not vectorized, left out: %s\n", samples[i].sql);
			continue;
		}
		measure_equation(equation, runs, nothing_ms);
		if (equation->vector_ms <= 0 || equation->core_ms <= 0)
		{
			measure_progress_clear();
			printf("too short to be timed, left out: %s\n", samples[i].sql);
			continue;
		}
		n++;
		if (samples[i].child == itself)
			continue;
		core_unit = equation->core_ms / equation->core_cost;
		share = fmin(1, equation->vector_ms / equation->core_ms);
		logs += share * share * log(core_unit);
		weights += share * share;
		low = fmin(low, core_unit);
		high = fmax(high, core_unit);
	}
	if (weights == 0)
		measure_fail("fit", "no query has a vectorized plan");
	unit = exp(logs / weights);
	fit(equations, n, unit);
	print_result(equations, n, unit, low / unit, high / unit);
	PQfinish(core);
	PQfinish(vector);
	PQfinish(planner);
	return 0;
}
