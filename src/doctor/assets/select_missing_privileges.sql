-- What the role lacks in the schema that it works in, as one text; empty when nothing.
SELECT coalesce(string_agg(lacking, ', '), '')
FROM (SELECT 'USAGE on schema ' || current_schema() AS lacking
      WHERE NOT has_schema_privilege(current_schema(), 'USAGE')
      UNION ALL
      SELECT 'CREATE on schema ' || current_schema()
      WHERE NOT has_schema_privilege(current_schema(), 'CREATE') AND to_regclass('schema_migrations') IS NULL
      UNION ALL
      SELECT wanted.privilege || ' on ' || wanted.name
      FROM (VALUES ('orders', 'SELECT'), ('orders', 'INSERT'), ('orders', 'UPDATE'),
                   ('payment_attempts', 'SELECT'), ('payment_attempts', 'INSERT'), ('payment_attempts', 'UPDATE'),
                   ('refunds', 'SELECT'), ('refunds', 'INSERT'), ('refunds', 'UPDATE'),
                   ('captures', 'SELECT'), ('captures', 'INSERT'), ('captures', 'UPDATE'),
                   ('attempt_events', 'SELECT'), ('attempt_events', 'INSERT'),
                   ('archived_orders', 'SELECT'),
                   ('journal', 'SELECT'), ('journal', 'INSERT'),
                   ('event_feed', 'SELECT'), ('event_feed', 'UPDATE'),
                   ('processed_webhook_events', 'SELECT'), ('processed_webhook_events', 'INSERT'),
                   ('processed_webhook_events', 'UPDATE'),
                   ('effects', 'SELECT'), ('effects', 'INSERT'), ('effects', 'UPDATE'),
                   ('api_keys', 'SELECT'), ('api_keys', 'INSERT'), ('api_keys', 'UPDATE'),
                   ('audit_log', 'INSERT'), ('schema_migrations', 'SELECT')) AS wanted (name, privilege)
      WHERE to_regclass(wanted.name) IS NOT NULL AND NOT has_table_privilege(to_regclass(wanted.name), wanted.privilege)
     ) AS lacks
