-- Every transaction that writes events has read this table and holds it until its end.
LOCK TABLE event_feed IN ACCESS EXCLUSIVE MODE
