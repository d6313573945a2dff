-- Aggregates with ORDER BY and WITHIN GROUP: one sort of all groups' rows, replayed group by group.

-- setup
CREATE TYPE as_color AS ENUM ('red', 'green', 'blue');
CREATE TABLE as_t (
	id int, k int, g int, v int, i2 int2, i8 int8, f4 float4, f8 float8, n numeric(12,3), nu numeric, b bool, d date, ts timestamp, iv interval,
	t text, tc text COLLATE "C", c char(6), e as_color, u uuid, a int[]
);
-- v is unique; group 5 has null values only, group 9 one row.
INSERT INTO as_t
SELECT i, CASE WHEN i = 3000 THEN 9 WHEN i % 8 < 7 THEN i % 8 END, i % 700, (i * 7919) % 3001 - 1500,
	CASE WHEN nn THEN w % 100 - 50 END, CASE WHEN nn THEN CASE WHEN i % 5 = 0 THEN w * 10000000019 ELSE w - 1500 END END,
	CASE WHEN nn THEN CASE w WHEN 5 THEN 'NaN' WHEN 6 THEN '-Infinity' ELSE w / 7.0 - 100 END END,
	CASE WHEN nn THEN CASE w WHEN 5 THEN 'NaN' WHEN 6 THEN '-Infinity' WHEN 7 THEN 'Infinity' ELSE w / 7.0 - 200 END END,
	CASE WHEN nn THEN w / 7.0 - 200 END,
	CASE WHEN nn THEN CASE w WHEN 5 THEN 'NaN' WHEN 6 THEN '-Infinity' WHEN 8 THEN 1e40 WHEN 9 THEN -1e-40 WHEN 10 THEN 12345678901234567.5
		WHEN 11 THEN 12345678901234567.25 ELSE w::numeric / (w % 5 + 1) - 300 END END,
	CASE WHEN nn THEN w % 2 = 0 END, CASE WHEN nn THEN date '2020-01-01' + w END,
	CASE WHEN nn THEN timestamp '2020-01-01' + w * interval '37 minutes' END, CASE WHEN nn THEN w * interval '37 minutes' END,
	CASE WHEN nn THEN CASE WHEN w % 3 = 0 THEN 'Text ' WHEN w % 3 = 1 THEN 'text' ELSE '' END || w END,
	CASE WHEN nn THEN CASE WHEN w % 3 = 0 THEN 'Text ' WHEN w % 3 = 1 THEN 'té' ELSE '' END || w END, CASE WHEN nn THEN 'c' || w END,
	CASE WHEN nn THEN (ARRAY['red', 'green', 'blue'])[w % 3 + 1]::as_color END, CASE WHEN nn THEN md5(w::text)::uuid END,
	CASE WHEN nn THEN ARRAY[w % 10, w] END
FROM (SELECT i, (i * 7919) % 3001 AS w, i % 8 <> 5 AND i % 19 > 0 AS nn FROM generate_series(1, 3000) i) s;
ANALYZE as_t;
CREATE FUNCTION as_step(text, int) RETURNS text LANGUAGE plpgsql IMMUTABLE AS
	'BEGIN IF $2 = 777 THEN RAISE EXCEPTION ''value % after %'', $2, length($1); END IF; RETURN $1 || '','' || coalesce($2::text, ''-''); END';
CREATE AGGREGATE as_list(int) (SFUNC = as_step, STYPE = text, INITCOND = '');
CREATE AGGREGATE as_collect(anycompatible) (SFUNC = array_append, STYPE = anycompatiblearray, INITCOND = '{}');
CREATE AGGREGATE as_concat(text) (SFUNC = textcat, STYPE = text);
-- an ordered-set aggregate of a user's: gets its rows in the order of the table
CREATE FUNCTION as_first_final(anycompatiblearray, int, anycompatible) RETURNS text LANGUAGE sql IMMUTABLE AS
	'SELECT $2 || '' of '' || array_length($1, 1) || '': '' || ($1[$2])::text';
CREATE AGGREGATE as_nth(int ORDER BY anycompatible) (SFUNC = array_append, STYPE = anycompatiblearray, INITCOND = '{}',
	FINALFUNC = as_first_final, FINALFUNC_EXTRA);
-- end setup

-- By a unique column, of every kind of value.
-- require
SELECT array_agg(id ORDER BY v), string_agg(t, ',' ORDER BY v), as_list(id ORDER BY v DESC) FROM as_t WHERE v <> 777 AND id <> 777;
-- require
SELECT k, array_agg(id ORDER BY v), string_agg(t, ',' ORDER BY v DESC) FROM as_t GROUP BY k;
-- require
SELECT g, array_agg(id ORDER BY v), string_agg(tc, ',' ORDER BY v DESC) FROM as_t GROUP BY g;
-- require
SELECT k, array_agg(v ORDER BY v), array_agg(v ORDER BY v DESC), array_agg(n ORDER BY v), array_agg(f8 ORDER BY v) FROM as_t GROUP BY k;
-- require
SELECT k, json_agg(t ORDER BY v), jsonb_object_agg(id, n ORDER BY v), as_concat(t ORDER BY v), as_collect(e ORDER BY v) FROM as_t GROUP BY k;
-- require
SELECT k, json_object_agg(id, n ORDER BY v DESC), array_agg(a ORDER BY v) FROM as_t WHERE a IS NOT NULL GROUP BY k;

-- By a column of every type, ties broken by the second.
-- require
SELECT k, array_agg(id ORDER BY i2, v), array_agg(id ORDER BY i8, v), array_agg(id ORDER BY b, v) FROM as_t GROUP BY k;
-- require
SELECT k, array_agg(id ORDER BY f4, v), array_agg(id ORDER BY f8, v) FROM as_t GROUP BY k;
-- require
SELECT k, array_agg(id ORDER BY n, v), array_agg(id ORDER BY nu, v) FROM as_t GROUP BY k;
-- require
SELECT k, array_agg(id ORDER BY d, v), array_agg(id ORDER BY ts, v), array_agg(id ORDER BY iv, v) FROM as_t GROUP BY k;
-- require
SELECT k, array_agg(id ORDER BY t, v), array_agg(id ORDER BY tc, v), array_agg(id ORDER BY c, v), array_agg(id ORDER BY t COLLATE "C", v) FROM as_t GROUP BY k;
-- require
SELECT k, array_agg(id ORDER BY e, v), array_agg(id ORDER BY u, v), array_agg(id ORDER BY a, v) FROM as_t GROUP BY k;
-- require
SELECT k, array_agg(id ORDER BY i2 DESC, v), array_agg(id ORDER BY i8 DESC, v DESC), array_agg(id ORDER BY f8 DESC, v) FROM as_t GROUP BY k;
-- require
SELECT k, array_agg(id ORDER BY nu DESC, v), array_agg(id ORDER BY d DESC, v), array_agg(id ORDER BY tc DESC, v), array_agg(id ORDER BY e DESC, v) FROM as_t GROUP BY k;
-- require
SELECT k, array_agg(id ORDER BY i2 NULLS FIRST, v), array_agg(id ORDER BY f8 NULLS FIRST, v), array_agg(id ORDER BY tc NULLS FIRST, v) FROM as_t GROUP BY k;
-- require
SELECT k, array_agg(id ORDER BY i2 DESC NULLS LAST, v), array_agg(id ORDER BY nu DESC NULLS LAST, v), array_agg(id ORDER BY t DESC NULLS LAST, v) FROM as_t GROUP BY k;
-- require
SELECT array_agg(id ORDER BY i2, b DESC, e NULLS FIRST, v), array_agg(id ORDER BY nu, v), array_agg(id ORDER BY f8 DESC, v) FROM as_t;
-- require
SELECT k, array_agg(id ORDER BY v % 10, -v), array_agg(id ORDER BY abs(v), v), string_agg(t, ',' ORDER BY length(t), t) FROM as_t GROUP BY k;
-- require
SELECT k, array_agg(t ORDER BY t USING ~>~), array_agg(v ORDER BY v USING >) FROM as_t GROUP BY k;

-- Only the argument is sorted: ties are the same value.
-- require
SELECT k, array_agg(i2 ORDER BY i2), array_agg(b ORDER BY b DESC), array_agg(e ORDER BY e), array_agg(d ORDER BY d DESC NULLS LAST) FROM as_t GROUP BY k;
-- require
SELECT array_agg(i2 ORDER BY i2), array_agg(tc ORDER BY tc), array_agg(i8 ORDER BY i8 NULLS FIRST), string_agg(tc, '' ORDER BY tc DESC) FROM as_t;
-- require
SELECT k, sum(i8 ORDER BY i8), min(v ORDER BY v), count(v ORDER BY v), max(n ORDER BY n), sum(n ORDER BY n), avg(i2 ORDER BY i2 DESC) FROM as_t GROUP BY k;
-- require
SELECT k, sum(f8 ORDER BY f8), sum(f8 ORDER BY v), avg(f4 ORDER BY v DESC), stddev(f8 ORDER BY v), corr(f8, f4 ORDER BY v) FROM as_t WHERE v > -1400 GROUP BY k;
-- require
SELECT k, count(v ORDER BY t), sum(v ORDER BY t DESC), min(t ORDER BY v) FROM as_t GROUP BY k;

-- WITHIN GROUP.
-- require
SELECT percentile_cont(0.5) WITHIN GROUP (ORDER BY v), percentile_disc(0.25) WITHIN GROUP (ORDER BY t), mode() WITHIN GROUP (ORDER BY b) FROM as_t;
-- require
SELECT k, percentile_cont(0.5) WITHIN GROUP (ORDER BY v), percentile_cont(0.9) WITHIN GROUP (ORDER BY f8), percentile_cont(0.3) WITHIN GROUP (ORDER BY iv)
FROM as_t WHERE v > -1400 GROUP BY k;
-- require
SELECT g, percentile_cont(0.5) WITHIN GROUP (ORDER BY n), percentile_disc(0.5) WITHIN GROUP (ORDER BY v DESC) FROM as_t GROUP BY g;
-- require
SELECT k, percentile_disc(0.1) WITHIN GROUP (ORDER BY tc), percentile_disc(0.7) WITHIN GROUP (ORDER BY d DESC), percentile_disc(0) WITHIN GROUP (ORDER BY u) FROM as_t GROUP BY k;
-- require
SELECT k, percentile_cont(ARRAY[0.1, 0.5, NULL, 1]) WITHIN GROUP (ORDER BY v), percentile_disc(ARRAY[[0, 1], [0.5, 0.2]]) WITHIN GROUP (ORDER BY n) FROM as_t GROUP BY k;
-- require
SELECT k, mode() WITHIN GROUP (ORDER BY i2 % 2), mode() WITHIN GROUP (ORDER BY v DESC), mode() WITHIN GROUP (ORDER BY k) FROM as_t GROUP BY k;
-- require
SELECT k, rank(100) WITHIN GROUP (ORDER BY v), dense_rank(0) WITHIN GROUP (ORDER BY i2), percent_rank(5) WITHIN GROUP (ORDER BY v DESC), cume_dist(7.5) WITHIN GROUP (ORDER BY n) FROM as_t GROUP BY k;
-- require
SELECT rank(10, 'x') WITHIN GROUP (ORDER BY i2, t DESC), dense_rank('red', 5) WITHIN GROUP (ORDER BY e, i2), cume_dist(NULL) WITHIN GROUP (ORDER BY v NULLS FIRST) FROM as_t;
-- require
SELECT k, rank(k, 3) WITHIN GROUP (ORDER BY k, i2 % 10), percentile_cont(k / 10.0) WITHIN GROUP (ORDER BY v) FROM as_t WHERE k < 9 GROUP BY k;
-- require
SELECT k, percentile_cont(0.5) WITHIN GROUP (ORDER BY v), percentile_cont(0.25) WITHIN GROUP (ORDER BY v), percentile_disc(0.5) WITHIN GROUP (ORDER BY v), mode() WITHIN GROUP (ORDER BY v) FROM as_t GROUP BY k;
-- require
SELECT k, split_part(as_nth(2) WITHIN GROUP (ORDER BY v), ':', 1), as_nth(1) WITHIN GROUP (ORDER BY k) FROM as_t WHERE id < 2000 GROUP BY k;
-- require
SELECT as_nth(2) WITHIN GROUP (ORDER BY v), as_nth(1999) WITHIN GROUP (ORDER BY n) FROM as_t;

-- With filters, other aggregates, HAVING, expressions.
-- require
SELECT k, array_agg(id ORDER BY v) FILTER (WHERE b), array_agg(id ORDER BY v) FILTER (WHERE v > 5000), percentile_cont(0.5) WITHIN GROUP (ORDER BY v) FILTER (WHERE v > 0) FROM as_t GROUP BY k;
-- require
SELECT k, count(*), sum(v), array_agg(id ORDER BY v DESC), stddev(v), count(DISTINCT i2), percentile_disc(0.5) WITHIN GROUP (ORDER BY v) FROM as_t GROUP BY k;
-- require
SELECT k FROM as_t GROUP BY k HAVING (array_agg(v ORDER BY v))[1] < -1490;
-- require
SELECT k, (array_agg(id ORDER BY v))[1:3] || k, percentile_cont(0.5) WITHIN GROUP (ORDER BY v) * 2 + count(*) FROM as_t GROUP BY k;
-- require
SELECT array_agg(id ORDER BY v), percentile_cont(0.5) WITHIN GROUP (ORDER BY v), rank(3) WITHIN GROUP (ORDER BY v), count(*) FROM as_t WHERE id < 0;
-- require
SELECT k, array_agg(v ORDER BY v) FROM as_t WHERE id < 0 GROUP BY k;
-- require
SELECT array_agg(n ORDER BY v), percentile_cont(0.5) WITHIN GROUP (ORDER BY f8), mode() WITHIN GROUP (ORDER BY t), rank(3) WITHIN GROUP (ORDER BY i2) FROM as_t WHERE k = 5;

-- Strings that hardly fit, and a sort that spills.
SET work_mem = '64kB';
-- require
SELECT k, md5(string_agg(repeat(t, 100), ',' ORDER BY v)), md5(array_agg(id ORDER BY n, v)::text), percentile_cont(0.5) WITHIN GROUP (ORDER BY v) FROM as_t GROUP BY k;
-- require
SELECT g, md5(string_agg(repeat(t, 50), ',' ORDER BY v)), percentile_cont(0.5) WITHIN GROUP (ORDER BY v), count(DISTINCT v) FROM as_t GROUP BY g;
-- require
SELECT md5(string_agg(repeat(t, 100), ',' ORDER BY v)), percentile_disc(0.5) WITHIN GROUP (ORDER BY tc) FROM as_t;
RESET work_mem;

-- Errors come in the order of the sort.
SELECT count(l) FROM (SELECT k, as_list(v ORDER BY v) AS l FROM as_t GROUP BY k) s;
SELECT length(as_list(v ORDER BY v DESC)) FROM as_t;
SELECT array_agg(1 / (id - 1000) ORDER BY v) FROM as_t;
SELECT array_agg(id ORDER BY 1 / (id - 1000)) FROM as_t;
SELECT percentile_cont(1.5) WITHIN GROUP (ORDER BY v) FROM as_t;
SELECT k, percentile_cont(k) WITHIN GROUP (ORDER BY v) FROM as_t WHERE k >= 0 GROUP BY k HAVING k > 1;

-- Rescans and prepared statements.
-- require
SELECT w, (SELECT string_agg(t, ',' ORDER BY v) FROM as_t WHERE id BETWEEN w AND w + 5), (SELECT percentile_cont(0.5) WITHIN GROUP (ORDER BY v) FROM as_t WHERE id % w = 0)
FROM generate_series(1, 5) w;
PREPARE as_p(int) AS SELECT k, array_agg(id + $1 ORDER BY v % $1, v), percentile_disc(0.5) WITHIN GROUP (ORDER BY v % $1) FROM as_t WHERE id < 400 GROUP BY k;
-- require
EXECUTE as_p(7);
-- require
EXECUTE as_p(13);
DEALLOCATE as_p;

-- Ties of a 32-bit value keep the order of the table where no plan of core sorts them either.
-- require
SELECT string_agg(t, ',' ORDER BY k % 1), string_agg(t, ',' ORDER BY (k % 1) DESC NULLS LAST), array_agg(id ORDER BY i2 * 0 NULLS FIRST) FROM as_t WHERE id <= 6;
-- require
SELECT count(*), md5(string_agg(tc, ',' ORDER BY v DESC)), md5(array_agg(n ORDER BY v)::text), md5(array_agg(id ORDER BY -v NULLS FIRST)::text) FROM as_t;
