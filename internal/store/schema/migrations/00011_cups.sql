-- Tournaments of the lobby. cup is JSON: settings, entrants and results.
CREATE TABLE cups (
    code    TEXT PRIMARY KEY,
    owner   TEXT NOT NULL REFERENCES players (id),
    over    BOOLEAN NOT NULL,
    created BIGINT NOT NULL,
    cup     TEXT NOT NULL
);
CREATE INDEX cups_by_owner ON cups (owner, created);
