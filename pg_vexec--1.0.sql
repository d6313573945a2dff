/* pg_vexec--1.0.sql */

\echo Use "CREATE EXTENSION pg_vexec" to load this file. \quit

CREATE FUNCTION pg_vexec_load(at_login boolean DEFAULT false) RETURNS void
LANGUAGE c VOLATILE STRICT PARALLEL RESTRICTED
AS 'MODULE_PATHNAME', 'vexec_load';

COMMENT ON FUNCTION pg_vexec_load(boolean)
IS 'loads the library of pg_vexec in this session';

CREATE FUNCTION pg_vexec_library(
	OUT version text,
	OUT loaded_by text,
	OUT loaded_before boolean,
	OUT preloaded_by text,
	OUT instruction_set text)
LANGUAGE c VOLATILE STRICT PARALLEL RESTRICTED
AS 'MODULE_PATHNAME', 'vexec_library';

COMMENT ON FUNCTION pg_vexec_library()
IS 'version of the library of pg_vexec and how it was loaded; pg_vexec_status() tells more';

-- The function of the login trigger.  A library that cannot be loaded must not refuse the login.
CREATE FUNCTION pg_vexec_login() RETURNS event_trigger
LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
	PERFORM @extschema@.pg_vexec_load(true);
EXCEPTION WHEN OTHERS THEN
	RAISE WARNING 'pg_vexec could not be loaded: %', SQLERRM
		USING HINT = 'The session works without it. SELECT pg_vexec_disable_database() ends the attempts.';
END
$$;

COMMENT ON FUNCTION pg_vexec_login()
IS 'loads the library of pg_vexec at login; the function of event trigger pg_vexec_login';

-- An event trigger needs a superuser as owner: this runs as the extension's owner.
CREATE FUNCTION pg_vexec_enable_database() RETURNS text
LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
	-- Better an error here than a warning at every login.
	PERFORM @extschema@.pg_vexec_load();
	IF NOT EXISTS (SELECT FROM pg_event_trigger
				   WHERE evtname = 'pg_vexec_login' AND
						 evtfoid = '@extschema@.pg_vexec_login()'::regprocedure) THEN
		CREATE EVENT TRIGGER pg_vexec_login ON login
			EXECUTE FUNCTION @extschema@.pg_vexec_login();
		ALTER EXTENSION pg_vexec ADD EVENT TRIGGER pg_vexec_login;
	END IF;
	ALTER EVENT TRIGGER pg_vexec_login ENABLE ALWAYS;
	IF NOT current_setting('event_triggers')::boolean THEN
		RAISE WARNING 'new sessions do not load pg_vexec while event_triggers is off';
	END IF;
	RETURN format('new sessions of database %I load pg_vexec', current_database());
END
$$;

COMMENT ON FUNCTION pg_vexec_enable_database()
IS 'makes new sessions of this database load the library of pg_vexec';

-- Works without the library.
CREATE FUNCTION pg_vexec_disable_database() RETURNS text
LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
	IF EXISTS (SELECT FROM pg_event_trigger
			   WHERE evtname = 'pg_vexec_login' AND
					 evtfoid = '@extschema@.pg_vexec_login()'::regprocedure) THEN
		ALTER EXTENSION pg_vexec DROP EVENT TRIGGER pg_vexec_login;
		DROP EVENT TRIGGER pg_vexec_login;
	END IF;
	RETURN format('database %I does not make new sessions load pg_vexec', current_database());
END
$$;

COMMENT ON FUNCTION pg_vexec_disable_database()
IS 'undoes pg_vexec_enable_database()';

REVOKE ALL ON FUNCTION pg_vexec_enable_database(), pg_vexec_disable_database() FROM PUBLIC;
GRANT EXECUTE ON FUNCTION pg_vexec_enable_database(), pg_vexec_disable_database()
	TO pg_database_owner;

-- Works without the library, so that it can tell why there is none.
CREATE FUNCTION pg_vexec_status(OUT item text, OUT value text, OUT remark text)
RETURNS SETOF record
LANGUAGE plpgsql VOLATILE
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
	library record;
	failure text;
	sql_version text;
	trigger_enabled boolean;
	setting record;
BEGIN
	BEGIN
		SELECT * INTO library FROM @extschema@.pg_vexec_library();
	EXCEPTION WHEN OTHERS THEN
		failure := SQLERRM;
		SELECT NULL::text AS version, NULL::text AS preloaded_by, NULL::text AS instruction_set
		INTO library;
	END;
	SELECT extversion INTO sql_version FROM pg_extension WHERE extname = 'pg_vexec';
	SELECT evtenabled IN ('O', 'A') INTO trigger_enabled FROM pg_event_trigger
	WHERE evtname = 'pg_vexec_login' AND evtfoid = '@extschema@.pg_vexec_login()'::regprocedure;

	item := 'loaded before this call';
	IF failure IS NOT NULL THEN
		value := 'no';
		remark := 'cannot be loaded: ' || failure;
	ELSIF library.loaded_before THEN
		value := 'yes';
		remark := 'by ' || library.loaded_by;
	ELSE
		value := 'no';
		remark := 'loaded by this call, stays loaded in this session';
	END IF;
	RETURN NEXT;

	item := 'new sessions load it';
	IF library.preloaded_by IS NOT NULL THEN
		value := 'yes';
		remark := 'by ' || library.preloaded_by;
	ELSIF trigger_enabled AND failure IS NOT NULL THEN
		value := 'no';
		remark := 'the login trigger of this database fails; SELECT pg_vexec_disable_database() removes it';
	ELSIF trigger_enabled AND current_setting('event_triggers')::boolean THEN
		value := 'yes';
		remark := 'by the login trigger of this database';
	ELSIF trigger_enabled THEN
		value := 'no';
		remark := 'this database has the login trigger, but event_triggers is off';
	ELSE
		value := 'no';
		remark := 'SELECT pg_vexec_enable_database() makes them load it';
	END IF;
	RETURN NEXT;

	item := 'library version';
	value := library.version;
	remark := NULL;
	IF library.version <> sql_version THEN
		remark := 'differs from the SQL version: reconnect, then ALTER EXTENSION pg_vexec UPDATE';
	END IF;
	RETURN NEXT;

	item := 'SQL version';
	value := sql_version;
	remark := NULL;
	RETURN NEXT;

	item := 'instruction set';
	value := library.instruction_set;
	RETURN NEXT;

	FOR setting IN
		SELECT name, s.setting, source
		FROM unnest(ARRAY['pg_vexec.enabled', 'pg_vexec.force', 'pg_vexec.require'])
			 WITH ORDINALITY AS names (name, place)
			 LEFT JOIN pg_settings s USING (name)
		ORDER BY place
	LOOP
		item := setting.name;
		IF failure IS NULL THEN
			value := setting.setting;
			remark := 'source: ' || setting.source;
		ELSE
			value := current_setting(setting.name, true);
			remark := 'without effect: the library is not loaded';
		END IF;
		RETURN NEXT;
	END LOOP;
END
$$;

COMMENT ON FUNCTION pg_vexec_status()
IS 'tells whether pg_vexec is loaded, since when and what is switched on';

-- Settings of this session take effect at once.
SELECT pg_vexec_load();
