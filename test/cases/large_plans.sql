-- Size of the statement: long and deep expressions, hundreds of aggregates, output columns and keys,
-- long IN lists, long patterns and strings; many scans in one plan.

-- setup
CREATE TABLE lp_t (id int NOT NULL, a int, b int, n numeric(10,2), t text, f float8);
INSERT INTO lp_t SELECT g, CASE WHEN g % 9 > 0 THEN g % 500 END, g % 17, g / 4.0, 't' || g % 40, g / 8.0 FROM generate_series(1, 2500) g;
ANALYZE lp_t;
-- Runs generated text and returns a digest of the sorted rows, or the error.
CREATE FUNCTION lp_run(q text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE r record; res text[] := '{}';
BEGIN
	FOR r IN EXECUTE q LOOP res := res || r::text; END LOOP;
	RETURN (SELECT count(*) || ' ' || md5(string_agg(x, E'\n' ORDER BY x COLLATE "C")) FROM unnest(res) x);
EXCEPTION WHEN OTHERS THEN
	RETURN SQLSTATE || ' ' || SQLERRM;
END $$;
-- end setup

-- Long lists of alternatives and conditions.
SELECT lp_run('SELECT id FROM lp_t WHERE ' || string_agg(format('a + b = %s', g), ' OR ')) FROM generate_series(1, 400, 3) g;
SELECT lp_run('SELECT id FROM lp_t WHERE ' || string_agg(format('a <> %s', g), ' AND ')) FROM generate_series(1, 400, 2) g;
SELECT lp_run('SELECT count(*), sum(id) FROM lp_t WHERE ' || string_agg(format('(a > %s AND a < %s AND t <> ''t%s'')', g, g + 3, g % 40), ' OR ')) FROM generate_series(1, 500, 7) g;
SELECT lp_run('SELECT count(*), sum(id) FROM lp_t WHERE a IN (' || string_agg((g * 3)::text, ',') || ')') FROM generate_series(1, 2000) g;
SELECT lp_run('SELECT count(*), sum(id) FROM lp_t WHERE a NOT IN (' || string_agg((g * 3)::text, ',') || ', NULL)') FROM generate_series(1, 2000) g;
SELECT lp_run('SELECT count(*), sum(id) FROM lp_t WHERE t IN (' || string_agg(format('''t%s''', g * 2), ',') || ')') FROM generate_series(1, 1500) g;
SELECT lp_run('SELECT count(*), sum(id) FROM lp_t WHERE n IN (' || string_agg((g / 2.0)::text, ',') || ')') FROM generate_series(1, 1500) g;
SELECT lp_run('SELECT count(*), sum(id) FROM lp_t WHERE CASE ' || string_agg(format('WHEN a = %s THEN b > %s', g, g % 17), ' ') || ' ELSE b = 3 END') FROM generate_series(1, 300) g;

-- Deep nesting.
SELECT lp_run('SELECT id, ' || repeat('(', 300) || 'a' || repeat(' + 1)', 300) || ' FROM lp_t WHERE id % 5 = 0');
SELECT lp_run('SELECT id, ' || repeat('(', 100) || 'n' || repeat(' * 1.01)', 100) || ' FROM lp_t WHERE id % 50 = 0');
SELECT lp_run('SELECT id, ' || repeat('(', 200) || 'f' || repeat(' * 1.01 - f)', 200) || ' FROM lp_t WHERE id % 50 = 0');
SELECT lp_run('SELECT id FROM lp_t WHERE ' || repeat('NOT (', 200) || 'a > 250' || repeat(')', 200));
SELECT lp_run('SELECT id FROM lp_t WHERE ' || repeat('(a > 3 AND (b < 16 OR ', 60) || 'a = 7' || repeat('))', 60));
SELECT lp_run('SELECT id, ' || repeat('CASE WHEN b > 3 THEN a + ', 60) || '1' || repeat(' ELSE b END', 60) || ' FROM lp_t WHERE id % 5 = 0');
SELECT lp_run('SELECT id, ' || repeat('coalesce(nullif(a, 5), ', 60) || 'b' || repeat(')', 60) || ' FROM lp_t WHERE id % 5 = 0');
SELECT lp_run('SELECT id, ' || repeat('upper(lower(', 40) || 't' || repeat('))', 40) || ' FROM lp_t WHERE id % 5 = 0');
SELECT lp_run('SELECT id FROM lp_t WHERE ' || repeat('(', 5000) || 'a' || repeat(' + 0)', 5000) || ' = 7') IN ('54001 stack depth limit exceeded', (SELECT lp_run('SELECT id FROM lp_t WHERE a = 7'))) AS fine;

-- Many outputs, aggregates, keys.
SELECT lp_run('SELECT ' || string_agg(format('a + %s', g), ', ') || ' FROM lp_t WHERE id % 50 = 1') FROM generate_series(1, 600) g;
SELECT lp_run('SELECT ' || string_agg('id', ', ') || ' FROM lp_t WHERE id % 500 = 1') FROM generate_series(1, 1600) g;
SELECT lp_run('SELECT ' || string_agg(format('sum(a + %s)', g), ', ') || ' FROM lp_t') FROM generate_series(1, 400) g;
SELECT lp_run('SELECT b, ' || string_agg(format('sum(n * %s), avg(n + %s)', g, g), ', ') || ' FROM lp_t GROUP BY b') FROM generate_series(1, 150) g;
SELECT lp_run('SELECT b, ' || string_agg(format('count(*) FILTER (WHERE a %% %s = 0)', g), ', ') || ' FROM lp_t GROUP BY b') FROM generate_series(1, 300) g;
SELECT lp_run('SELECT ' || string_agg(format('max(t || ''%s'')', g), ', ') || ' FROM lp_t WHERE b > 3') FROM generate_series(1, 200) g;
SELECT lp_run('SELECT count(*), sum(id) FROM lp_t GROUP BY ' || string_agg(format('b %% %s', g), ', ')) FROM generate_series(1, 60) g;
SELECT lp_run('SELECT count(*), sum(id) FROM lp_t GROUP BY ' || string_agg(format('t || ''%s''', g), ', ')) FROM generate_series(1, 60) g;
SELECT lp_run('SELECT ' || string_agg(format('a = %s', g), ', ') || ', count(*) FROM lp_t GROUP BY ' || string_agg(g::text, ', ')) FROM generate_series(1, 120) g;
SELECT lp_run('SELECT b, count(*) FROM lp_t GROUP BY b HAVING ' || string_agg(format('sum(a + %s) <> %s', g, g), ' AND ')) FROM generate_series(1, 100) g;

-- Long values.
SELECT lp_run('SELECT count(*), sum(id) FROM lp_t WHERE repeat(t, 50) LIKE ''' || repeat('%t_', 40) || '%''');
SELECT lp_run('SELECT count(*), sum(id) FROM lp_t WHERE t LIKE ''' || repeat('%', 3000) || '1''');
SELECT lp_run('SELECT count(*), sum(id) FROM lp_t WHERE t = ''' || repeat('x', 200000) || ''' OR t = ''t3''');
SELECT lp_run('SELECT count(*), max(length(t || ''' || repeat('x', 100000) || ''')) FROM lp_t WHERE b = 3');
SELECT lp_run('SELECT t || ''' || repeat('x', 20000) || ''' AS k, count(*) FROM lp_t WHERE b = 3 GROUP BY 1');
SELECT lp_run('SELECT count(*), sum(n * ' || repeat('9', 800) || ') FROM lp_t WHERE n < ' || repeat('9', 1000));

-- Many scans in one plan.
SELECT lp_run(string_agg(format('SELECT %s AS g, count(*), sum(a) FROM lp_t WHERE b = %s', g, g % 17), ' UNION ALL ')) FROM generate_series(1, 100) g;
SELECT lp_run(string_agg(format('SELECT id FROM lp_t WHERE a = %s', g), ' UNION ALL ')) FROM generate_series(1, 150) g;
SELECT lp_run('SELECT ' || string_agg(format('(SELECT sum(n) FROM lp_t WHERE b = %s)', g % 17), ', ')) FROM generate_series(1, 120) g;
SELECT lp_run('SELECT count(*) FROM lp_t WHERE ' || string_agg(format('a <> (SELECT max(a) FROM lp_t WHERE b = %s)', g), ' AND ')) FROM generate_series(0, 16) g;
