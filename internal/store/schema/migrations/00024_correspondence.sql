-- Correspondence matches that have not ended. Unlike the journal's matches, a starting server does not
-- read them.
CREATE TABLE correspondence (
    match         TEXT PRIMARY KEY,
    world         TEXT NOT NULL,
    first_player  TEXT NOT NULL REFERENCES players (id),
    second_player TEXT NOT NULL REFERENCES players (id),
    pace          BIGINT NOT NULL,  -- time for each turn, in microseconds
    acting        INTEGER NOT NULL, -- the sides that must act: 1 first, 2 second, 3 both
    due           BIGINT NOT NULL   -- when they lose, in microseconds on the clock of the world's servers
);
CREATE INDEX correspondence_due ON correspondence (world, due);
CREATE INDEX correspondence_of_first ON correspondence (first_player);
CREATE INDEX correspondence_of_second ON correspondence (second_player);

-- What has happened in these matches, as in the journal.
CREATE TABLE correspondence_events (
    match TEXT NOT NULL REFERENCES correspondence (match) ON DELETE CASCADE,
    seq   INTEGER NOT NULL,
    body  TEXT NOT NULL, -- JSON
    PRIMARY KEY (match, seq)
);

-- Offers of correspondence matches.
CREATE TABLE correspondence_offers (
    id       TEXT PRIMARY KEY,
    world    TEXT NOT NULL,
    player   TEXT NOT NULL REFERENCES players (id),
    opponent TEXT REFERENCES players (id), -- NULL: anyone
    rules    TEXT NOT NULL,                -- JSON
    rated    BOOLEAN NOT NULL,
    pace     BIGINT NOT NULL,
    expires  BIGINT NOT NULL               -- on the same clock as due
);
CREATE INDEX correspondence_offers_expire ON correspondence_offers (world, expires);
CREATE INDEX correspondence_offers_of_player ON correspondence_offers (player);

-- The tokens of players' private feeds.
CREATE TABLE feeds (
    player TEXT PRIMARY KEY REFERENCES players (id),
    hash   TEXT NOT NULL UNIQUE -- SHA-256 of the token, which is not stored
);
