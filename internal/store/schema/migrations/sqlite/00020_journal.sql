-- What has happened in running matches, as on PostgreSQL. It replaces the tables running and
-- running_events.
CREATE TABLE journal (
    match TEXT NOT NULL,
    seq   INTEGER NOT NULL, -- 0: how the match began; else one more than the number of the first event
    world TEXT NOT NULL DEFAULT 'main',
    body  BLOB NOT NULL,    -- JSON
    PRIMARY KEY (match, seq)
) WITHOUT ROWID;
INSERT INTO journal (match, seq, body) SELECT id, 0,
    CAST('{"started":' || started || ',"rules":' || rules || ',"seats":' || seats || ',"details":' || details || '}' AS BLOB) FROM running;
INSERT INTO journal (match, seq, body) SELECT match, number + 1, CAST(events AS BLOB) FROM running_events;
DROP TABLE running_events;
DROP TABLE running;
