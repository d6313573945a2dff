-- Rights: tables, columns, functions, aggregates and operators that the role may not use raise the
-- same error with the same name; row security; security-barrier views keep leaky functions behind
-- the barrier; security-definer functions; roles that change within one session and one plan.

-- setup
DO $$
BEGIN
	IF NOT EXISTS (SELECT 1 FROM pg_roles WHERE rolname = 'vexec_case_user') THEN CREATE ROLE vexec_case_user; END IF;
	IF NOT EXISTS (SELECT 1 FROM pg_roles WHERE rolname = 'vexec_case_other') THEN CREATE ROLE vexec_case_other; END IF;
END $$;
GRANT USAGE ON SCHEMA public TO vexec_case_user, vexec_case_other;
CREATE TABLE se_t (id int NOT NULL, k int, secret int, owner text, v int);
INSERT INTO se_t SELECT g, g % 10, g * 7, CASE WHEN g % 3 = 0 THEN 'vexec_case_user' ELSE 'vexec_case_other' END, g % 50 FROM generate_series(1, 3000) g;
CREATE TABLE se_cols (id int NOT NULL, open int, secret int);
INSERT INTO se_cols SELECT g, g % 10, g FROM generate_series(1, 2000) g;
GRANT SELECT (id, open) ON se_cols TO vexec_case_user;
CREATE TABLE se_none (id int NOT NULL, v int);
INSERT INTO se_none SELECT g, g FROM generate_series(1, 2000) g;
CREATE TABLE se_free (id int NOT NULL, v int, t text);
INSERT INTO se_free SELECT g, g % 20, 't' || g FROM generate_series(1, 2000) g;
GRANT SELECT ON se_free TO PUBLIC;
CREATE FUNCTION se_f(int) RETURNS int LANGUAGE plpgsql IMMUTABLE AS $$ BEGIN RETURN $1 + 1; END $$;
CREATE FUNCTION se_sql(int) RETURNS int LANGUAGE sql IMMUTABLE AS 'SELECT $1 + 1';
CREATE FUNCTION se_opf(int, int) RETURNS bool LANGUAGE plpgsql IMMUTABLE AS $$ BEGIN RETURN $1 > $2; END $$;
CREATE OPERATOR >># (LEFTARG = int, RIGHTARG = int, FUNCTION = se_opf);
CREATE FUNCTION se_sfunc(int, int) RETURNS int LANGUAGE sql IMMUTABLE AS 'SELECT coalesce($1, 0) + coalesce($2, 0)';
CREATE AGGREGATE se_agg(int) (SFUNC = se_sfunc, STYPE = int);
CREATE AGGREGATE se_agg2(int) (SFUNC = se_sfunc, STYPE = int);
REVOKE EXECUTE ON FUNCTION se_f(int), se_sql(int), se_opf(int, int), se_agg(int), se_sfunc(int, int) FROM PUBLIC;
-- The built-in functions and aggregates that kernels replace.
REVOKE EXECUTE ON FUNCTION int4mul(int, int), int4gt(int, int), textlike(text, text), abs(int), sum(int), int4_sum(bigint, int), max(text) FROM PUBLIC;
CREATE FUNCTION se_definer() RETURNS bigint LANGUAGE plpgsql SECURITY DEFINER AS $$ BEGIN RETURN (SELECT sum(secret) FROM se_cols WHERE open > 3); END $$;
CREATE FUNCTION se_invoker() RETURNS bigint LANGUAGE plpgsql AS $$ BEGIN RETURN (SELECT sum(id::bigint) FROM se_t WHERE k >= 0); END $$;
CREATE FUNCTION se_leak(int) RETURNS bool LANGUAGE plpgsql COST 0.0001 AS $$ BEGIN IF $1 = 14 THEN RAISE EXCEPTION 'leaked %', $1; END IF; RETURN true; END $$;
CREATE FUNCTION se_leak_i(int) RETURNS bool LANGUAGE plpgsql IMMUTABLE COST 0.0001 AS $$ BEGIN IF $1 = 14 THEN RAISE EXCEPTION 'leaked %', $1; END IF; RETURN true; END $$;
CREATE VIEW se_view AS SELECT id, k, v FROM se_t WHERE k >= 5;
CREATE VIEW se_barrier WITH (security_barrier) AS SELECT id, k, v, secret FROM se_t WHERE k >= 5;
CREATE VIEW se_plain_barrier AS SELECT id, k, v, secret FROM se_t WHERE k >= 5;
CREATE VIEW se_invoker_view WITH (security_invoker) AS SELECT id, v FROM se_none WHERE v >= 6;
CREATE VIEW se_agg_view WITH (security_barrier) AS SELECT k, count(*) AS c, sum(secret::bigint) AS s FROM se_t GROUP BY k;
GRANT SELECT ON se_view, se_barrier, se_plain_barrier, se_invoker_view, se_agg_view TO vexec_case_user;
GRANT SELECT ON se_t TO vexec_case_user, vexec_case_other;
ALTER TABLE se_t ENABLE ROW LEVEL SECURITY;
CREATE POLICY se_own ON se_t FOR SELECT TO vexec_case_user, vexec_case_other USING (owner = current_user);
CREATE POLICY se_small ON se_t AS RESTRICTIVE FOR SELECT TO vexec_case_user USING (v <= 39);
CREATE TABLE se_keys (id int PRIMARY KEY, day date, n int);
INSERT INTO se_keys SELECT g, date '2000-01-01' + g % 5, g % 3 FROM generate_series(1, 200) g;
GRANT SELECT ON se_keys TO PUBLIC;
REVOKE EXECUTE ON FUNCTION date_eq(date, date) FROM PUBLIC;
ANALYZE se_keys;
ANALYZE se_t; ANALYZE se_cols; ANALYZE se_none; ANALYZE se_free;
-- end setup

-- The owner sees all.
-- require
SELECT count(*), sum(secret) FROM se_t WHERE id > 0;
PREPARE se_p AS SELECT count(*), sum(secret::bigint), min(id) FROM se_t WHERE k >= 4;
EXECUTE se_p;
SET ROLE vexec_case_user;
EXECUTE se_p;

-- Tables and columns.
SELECT count(*) FROM se_none;
SELECT id FROM se_none WHERE v > 5;
SELECT v, count(*) FROM se_none GROUP BY v;
SELECT count(*) FROM se_cols WHERE open >= 3;
SELECT open, count(*), max(id) FROM se_cols GROUP BY open;
SELECT id FROM se_cols WHERE secret < 5;
SELECT max(secret) FROM se_cols;
SELECT open, max(secret) FROM se_cols GROUP BY open;
SELECT count(*) FROM se_cols GROUP BY secret;
SELECT * FROM se_cols WHERE open = 1;
SELECT count(se_cols) FROM se_cols;
SELECT id FROM se_cols WHERE open = 1 ORDER BY secret;
SELECT count(*) FROM se_invoker_view;
SELECT se_definer();

-- Functions, operators, aggregates.
SELECT id FROM se_free WHERE se_f(v) = 5;
SELECT se_f(v) FROM se_free WHERE v = 5;
SELECT se_f(v) FROM se_free WHERE id < 0;
SELECT id FROM se_free WHERE v < 0 AND se_f(v) = 5;
SELECT sum(se_f(v)::bigint) FROM se_free;
SELECT se_sql(v) FROM se_free WHERE v = 5;
SELECT id FROM se_free WHERE v >># 5;
SELECT se_agg(v) FROM se_free;
SELECT v, se_agg(id) FROM se_free GROUP BY v;
SELECT se_agg2(v) FROM se_free;
SELECT id FROM se_free WHERE v * 2 = 10;
SELECT sum((v * 2)::bigint) FROM se_free;
SELECT v * 2 AS k, count(*) FROM se_free GROUP BY v * 2;
SELECT id FROM se_free WHERE v > 15;
SELECT id FROM se_free WHERE v < 0 AND v > 15;
SELECT count(*) FROM se_free WHERE v = 3 OR v > 15;
SELECT count(*) FILTER (WHERE v > 15) FROM se_free;
SELECT id FROM se_free WHERE v = 5 AND CASE WHEN v < 0 THEN v > 15 ELSE false END;
SELECT v, count(*) FROM se_free GROUP BY v HAVING v > 15;
SELECT v, count(*) FROM se_free GROUP BY v HAVING count(*) > 15;
-- Comparing grouping keys; a column that depends on them is not compared.
SELECT day, count(*) FROM se_keys GROUP BY day;
SELECT n, day, count(*) FROM se_keys GROUP BY day, n;
SELECT n, count(*) FROM se_keys GROUP BY n, day;
-- require
SELECT id, day, count(*) FROM se_keys GROUP BY id;
SELECT id FROM se_free WHERE t LIKE 't1%';
SELECT id FROM se_free WHERE t NOT LIKE 't1%' AND v = 1 AND id < 50;
SELECT abs(v) FROM se_free WHERE v < 1;
SELECT sum(v) FROM se_free;
SELECT v, sum(id) FROM se_free GROUP BY v;
SELECT sum(id::bigint), avg(v), count(*), max(v) FROM se_free;
SELECT max(t) FROM se_free;
SELECT v * 2 + abs(v) AS x, sum(v) AS s FROM se_free GROUP BY 1;
SELECT sum(v), max(t) FROM se_free WHERE v * 2 > 3;
SELECT id FROM se_free WHERE v BETWEEN 3 AND 4 AND id < 50;
SELECT id FROM se_free WHERE v >= 18 AND v < 19 AND v <> 20 AND id < 50;

-- Row security.
SELECT count(*), min(id), max(v) FROM se_t;
SELECT k, count(*), max(secret) FROM se_t GROUP BY k;
SELECT id, v FROM se_t WHERE k = 3 AND id < 200;
SELECT count(*) FROM se_t WHERE se_leak(v);
SELECT count(*) FROM se_t WHERE se_leak_i(id);
SELECT owner, count(*) FROM se_t WHERE k = 3 GROUP BY owner;
SELECT se_invoker();
SELECT count(*) FROM se_view;
SELECT k, count(*) FROM se_barrier WHERE se_leak_i(id) GROUP BY k;
SELECT count(*) FROM se_barrier WHERE se_leak(id);
SELECT count(*) FROM se_barrier WHERE secret / (k - 4) >= 0 AND se_leak_i(id);
SELECT count(*) FROM se_barrier WHERE secret / (k - 5) >= 0 AND id >= 3;
SELECT k, count(*), max(secret) FROM se_plain_barrier WHERE v <= 20 AND se_leak_i(id) GROUP BY k;
SELECT count(*), sum(s) FROM se_agg_view WHERE se_leak_i(k + 10);
SELECT * FROM se_agg_view WHERE k = 3;
SET ROLE vexec_case_other;
EXECUTE se_p;
SELECT count(*), min(id), max(v) FROM se_t;
SELECT owner, count(*) FROM se_t WHERE k = 3 GROUP BY owner;
SELECT se_invoker();
SELECT count(*) FROM se_view;
RESET ROLE;
EXECUTE se_p;
SELECT count(*) FROM se_barrier WHERE se_leak_i(id);
SELECT count(*) FROM se_plain_barrier WHERE se_leak_i(id);
SELECT count(*) FROM se_barrier WHERE 100 / (k - 4) > 0;
SET row_security = off;
SELECT count(*) FROM se_t WHERE k = 3;
SET ROLE vexec_case_user;
SELECT count(*) FROM se_t WHERE k = 3;
RESET ROLE;
RESET row_security;
SELECT se_invoker(), se_definer();
GRANT EXECUTE ON FUNCTION int4gt(int, int) TO vexec_case_user;
SET ROLE vexec_case_user;
SELECT count(*) FROM se_free WHERE v > 15;
PREPARE se_q AS SELECT count(*) FROM se_free WHERE v > 10;
EXECUTE se_q;
RESET ROLE;
REVOKE EXECUTE ON FUNCTION int4gt(int, int) FROM vexec_case_user;
SET ROLE vexec_case_user;
EXECUTE se_q;
RESET ROLE;
EXECUTE se_q;
DEALLOCATE ALL;
