-- Types without kernels, in filters, outputs, keys and aggregates: enum, uuid, domain, composite,
-- array, jsonb, bytea, interval, time, inet, money, oid, name, "char", bit, range, xid, tsvector;
-- and types that share a kernel's storage but not its meaning.

-- setup
CREATE TYPE to_mood AS ENUM ('sad', 'ok', 'happy');
ALTER TYPE to_mood ADD VALUE 'angry' BEFORE 'sad';
CREATE DOMAIN to_pos AS int CHECK (VALUE > 0);
CREATE DOMAIN to_name AS text CHECK (length(VALUE) < 20);
CREATE DOMAIN to_price AS numeric(8,2) NOT NULL DEFAULT 0;
CREATE DOMAIN to_flag AS bool;
CREATE TYPE to_pair AS (a int, b text);
CREATE TABLE to_t (
	id int NOT NULL, mood to_mood, u uuid, pos to_pos, nam to_name, price to_price, flag to_flag, pr to_pair, arr int[], by bytea, iv interval, tm time, ttz timetz, ip inet, mac macaddr,
	m money, o oid, nm name, ch "char", bt bit(8), vb varbit, r int4range, x xid, tid tid, tsv tsvector, rc regclass, lsn pg_lsn, js json
);
INSERT INTO to_t
SELECT g, (ARRAY['sad', 'ok', 'happy', 'angry', NULL])[g % 5 + 1]::to_mood, CASE WHEN g % 6 > 0 THEN md5((g % 50)::text)::uuid END, NULLIF(g % 7, 0), CASE WHEN g % 8 > 0 THEN 'nam' || g % 9 END, g / 8.0,
	CASE g % 3 WHEN 0 THEN true WHEN 1 THEN false END, CASE WHEN g % 9 > 0 THEN ROW(g % 4, 'p' || g % 3)::to_pair END, CASE WHEN g % 5 > 0 THEN ARRAY[g % 3, g % 4] END, decode(lpad(to_hex(g % 40), 4, '0'), 'hex'),
	CASE WHEN g % 7 > 0 THEN (g % 30) * interval '1 day' END, time '00:00' + g * interval '1 minute', '12:00+02'::timetz + g * interval '1 minute', ('10.0.' || g % 3 || '.' || g % 200)::inet, ('08:00:2b:01:02:' || lpad(to_hex(g % 100), 2, '0'))::macaddr,
	(g % 100)::money, g % 100 + CASE WHEN g % 2 = 0 THEN 3000000000 ELSE 0 END, 'n' || g % 10, chr(97 + g % 26)::"char", (g % 256)::bit(8), (g % 16)::bit(4)::varbit, CASE WHEN g % 4 > 0 THEN int4range(g % 10, g % 10 + g % 5) END,
	(g % 50)::text::xid, ('(' || g % 9 || ',' || g % 5 || ')')::tid, to_tsvector('simple', 'word' || g % 6), CASE WHEN g % 2 = 0 THEN 'pg_class'::regclass END, ('0/' || to_hex(g))::pg_lsn, CASE WHEN g % 2 = 0 THEN '{"a":1}'::json END
FROM generate_series(1, 2500) g;
ANALYZE to_t;
-- end setup

SET lc_monetary = 'C';

SELECT * FROM to_t WHERE id <= 20;
SELECT count(*), sum(id) FROM to_t WHERE mood = 'ok';
SELECT count(*), sum(id) FROM to_t WHERE mood > 'sad' OR mood = 'angry';
SELECT count(*), sum(id) FROM to_t WHERE mood IN ('sad', 'happy') AND flag;
SELECT mood, count(*), sum(id) FROM to_t GROUP BY mood;
SELECT min(mood), max(mood), count(mood) FROM to_t;
SELECT count(*), sum(id) FROM to_t WHERE u = md5('7')::uuid;
SELECT count(*), sum(id) FROM to_t WHERE u > '80000000-0000-0000-0000-000000000000';
SELECT u, count(*) FROM to_t GROUP BY u;
-- require
SELECT count(*), sum(id) FROM to_t WHERE pos = 3;
-- require
SELECT count(*), sum(id), sum(pos), avg(pos), min(pos), max(pos) FROM to_t WHERE pos > 3;
SELECT pos, count(*), sum(pos) FROM to_t GROUP BY pos;
-- require
SELECT count(*), sum(id) FROM to_t WHERE nam = 'nam3' OR nam LIKE '%5';
SELECT nam, count(*), min(nam), max(nam) FROM to_t GROUP BY nam;
-- require
SELECT count(*), sum(id), sum(price), avg(price), max(price * 2) FROM to_t WHERE price > 100.5;
SELECT price, count(*) FROM to_t WHERE id < 100 GROUP BY price;
-- require
SELECT count(*), sum(id) FROM to_t WHERE flag;
-- require
SELECT count(*), sum(id) FROM to_t WHERE NOT flag OR flag IS NULL;
SELECT flag, count(*) FROM to_t GROUP BY flag;
SELECT id, pos + 1 AS p, (pos - 5)::to_pos AS bad FROM to_t WHERE pos > 5;
SELECT id, (pos - 5)::to_pos AS bad FROM to_t WHERE id > 0;
SELECT id, (nam || repeat('x', id))::to_name AS bad FROM to_t WHERE id > 0;
SELECT id, NULLIF(price, 1)::to_price AS bad FROM to_t WHERE id > 0;
SELECT id, pr, (pr).a, (pr).b || 'x' AS b FROM to_t WHERE (pr).a = 2 AND id < 100;
SELECT pr, count(*) FROM to_t WHERE pr > ROW(1, 'p1')::to_pair GROUP BY pr;
SELECT count(*) FROM to_t WHERE pr IS NULL;
SELECT count(*) FROM to_t WHERE pr IS NOT NULL AND (pr).b = 'p0';
SELECT arr, count(*), max(arr), min(arr) FROM to_t WHERE arr > '{1}' GROUP BY arr;
SELECT "by", count(*) FROM to_t WHERE "by" >= '\x0010' GROUP BY "by";
SELECT iv, count(*), sum(iv), avg(iv) FROM to_t WHERE iv > '20 days' GROUP BY iv;
SELECT min(iv), max(iv), sum(iv), avg(iv) FROM to_t;
SELECT count(*), min(tm), max(tm), sum(tm), avg(tm) FROM to_t WHERE tm BETWEEN '10:00' AND '18:30';
SELECT count(*), min(ttz), max(ttz) FROM to_t WHERE ttz > '14:00+02';
SELECT ip, count(*) FROM to_t WHERE ip << '10.0.1.0/24' AND id < 500 GROUP BY ip;
SELECT count(*), min(ip), max(ip) FROM to_t WHERE ip > '10.0.2.7';
SELECT count(*), sum(id) FROM to_t WHERE mac > '08:00:2b:01:02:50';
SELECT count(*), sum(m), min(m), max(m) FROM to_t WHERE m > 50::money;
SELECT m, sum(m) FROM to_t WHERE m < '$5.00' GROUP BY m;
SELECT count(*), sum(id), min(o), max(o) FROM to_t WHERE o > 2999999999;
SELECT o, count(*) FROM to_t WHERE o < 20 GROUP BY o;
SELECT count(*), sum(id) FROM to_t WHERE nm > 'n5' COLLATE "C";
SELECT ch, count(*) FROM to_t WHERE ch > 'm' GROUP BY ch;
SELECT count(*), sum(id), bit_or(bt), bit_and(vb) FROM to_t WHERE bt > B'10000000';
SELECT count(*), sum(id) FROM to_t WHERE r @> 4;
SELECT r, count(*) FROM to_t WHERE NOT isempty(r) GROUP BY r;
SELECT count(*), sum(id) FROM to_t WHERE x = '7'::xid;
SELECT count(*), sum(id), min(tid), max(tid) FROM to_t WHERE tid > '(4,3)';
SELECT count(*), sum(id) FROM to_t WHERE tsv @@ 'word3'::tsquery;
SELECT tsv, count(*) FROM to_t GROUP BY tsv;
SELECT count(*), sum(id) FROM to_t WHERE rc = 'pg_class'::regclass AND rc IS NOT NULL;
SELECT count(*), sum(id), min(lsn), max(lsn) FROM to_t WHERE lsn > '0/100';
-- error
SELECT js, count(*) FROM to_t GROUP BY js;
SELECT count(*) FROM to_t WHERE js ->> 'a' = '1';
-- require
SELECT count(*), count(mood), count(u), count(pr), count(arr), count(iv), count(js) FROM to_t WHERE id > 5;
SELECT id, mood, u, iv FROM to_t WHERE (mood, u) > ('sad', md5('3')::uuid) AND id % 20 = 1;
SELECT count(*) FROM to_t WHERE mood::text = 'ok' AND u::text LIKE 'a%';
SELECT id FROM to_t WHERE mood = 'unknown mood';
-- serial
SELECT id, ('m' || id)::to_mood FROM to_t WHERE id > 0;
