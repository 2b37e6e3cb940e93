-- The server itself owns scheduled tournaments, so cups.owner can be empty.
CREATE TABLE scheduled_cups (
    code    TEXT PRIMARY KEY,
    owner   TEXT REFERENCES players (id),
    over    BOOLEAN NOT NULL,
    created BIGINT NOT NULL,
    cup     TEXT NOT NULL,
    world   TEXT NOT NULL DEFAULT 'main'
);
INSERT INTO scheduled_cups (code, owner, over, created, cup, world) SELECT code, owner, over, created, cup, world FROM cups;
DROP TABLE cups;
ALTER TABLE scheduled_cups RENAME TO cups;
CREATE INDEX cups_by_owner ON cups (owner, created);
