-- Times are microseconds since 1970, and durations are microseconds. The statements run on
-- SQLite and on PostgreSQL.

CREATE TABLE players (
    id       TEXT PRIMARY KEY,
    name     TEXT NOT NULL,
    folded   TEXT NOT NULL UNIQUE, -- the name without regard to case
    kind     TEXT NOT NULL CHECK (kind IN ('person', 'program', 'bot')),
    owner    TEXT REFERENCES players (id), -- of a program
    settings TEXT NOT NULL,        -- JSON
    created  BIGINT NOT NULL
);

CREATE TABLE keys (
    fingerprint TEXT PRIMARY KEY,
    player      TEXT NOT NULL REFERENCES players (id),
    label       TEXT NOT NULL,
    added       BIGINT NOT NULL,
    used        BIGINT NOT NULL
);
CREATE INDEX keys_of_player ON keys (player);

CREATE TABLE matches (
    id      TEXT PRIMARY KEY,
    rules   TEXT NOT NULL,     -- the name of the rule set
    started BIGINT NOT NULL,
    took    BIGINT NOT NULL,
    ended   BIGINT NOT NULL,   -- started + took
    winner  INTEGER NOT NULL CHECK (winner BETWEEN 0 AND 2), -- 2: nobody
    reason  TEXT NOT NULL,
    rated   BOOLEAN NOT NULL,
    details TEXT NOT NULL      -- JSON
);
CREATE INDEX matches_by_end ON matches (ended DESC, id DESC);

-- The two sides of a match.
CREATE TABLE seats (
    match      TEXT NOT NULL REFERENCES matches (id) ON DELETE CASCADE,
    side       INTEGER NOT NULL CHECK (side IN (0, 1)),
    player     TEXT REFERENCES players (id), -- NULL for a guest
    name       TEXT NOT NULL,   -- at the time of the match
    kind       TEXT NOT NULL,
    ended      BIGINT NOT NULL, -- of the match
    shots      INTEGER NOT NULL,
    hits       INTEGER NOT NULL,
    before     DOUBLE PRECISION NOT NULL, -- rating; 0 if the match is not rated
    after      DOUBLE PRECISION NOT NULL,
    commitment TEXT NOT NULL,   -- to the layout
    salt       TEXT NOT NULL,
    PRIMARY KEY (match, side)
);
CREATE INDEX seats_of_player ON seats (player, ended DESC, match DESC);

-- The events of a match, in a table of their own, since lists of matches do not read them.
CREATE TABLE records (
    match  TEXT PRIMARY KEY REFERENCES matches (id) ON DELETE CASCADE,
    events BYTEA NOT NULL -- JSON, compressed by gzip
);

CREATE TABLE ratings (
    player     TEXT NOT NULL REFERENCES players (id),
    rules      TEXT NOT NULL,
    machine    BOOLEAN NOT NULL, -- the player is not a person
    value      DOUBLE PRECISION NOT NULL,
    deviation  DOUBLE PRECISION NOT NULL,
    volatility DOUBLE PRECISION NOT NULL,
    settled    BOOLEAN NOT NULL, -- the deviation is small
    games      INTEGER NOT NULL,
    updated    BIGINT NOT NULL,
    PRIMARY KEY (player, rules)
);
CREATE INDEX ratings_of_all ON ratings (rules, settled DESC, value DESC, player);
CREATE INDEX ratings_of_kind ON ratings (rules, machine, settled DESC, value DESC, player);
