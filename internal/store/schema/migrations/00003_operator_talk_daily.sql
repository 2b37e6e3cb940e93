-- Bans of keys and networks.
CREATE TABLE bans (
    id          TEXT PRIMARY KEY,
    fingerprint TEXT NOT NULL, -- or empty
    network     TEXT NOT NULL, -- such as 192.0.2.0/24, or empty
    reason      TEXT NOT NULL,
    actor       TEXT NOT NULL, -- the operator
    added       BIGINT NOT NULL,
    expires     BIGINT NOT NULL -- 0: never
);

-- Players who may not use the chat.
CREATE TABLE mutes (
    player  TEXT PRIMARY KEY REFERENCES players (id),
    reason  TEXT NOT NULL,
    actor   TEXT NOT NULL,
    added   BIGINT NOT NULL,
    expires BIGINT NOT NULL -- 0: never
);

-- Players whose messages a player does not see.
CREATE TABLE ignored (
    player TEXT NOT NULL REFERENCES players (id),
    other  TEXT NOT NULL REFERENCES players (id),
    PRIMARY KEY (player, other)
);

-- Players who may sign in during a lockdown.
CREATE TABLE allowed (
    player TEXT PRIMARY KEY REFERENCES players (id),
    actor  TEXT NOT NULL,
    added  BIGINT NOT NULL
);

-- The audit log of operators.
CREATE TABLE acts (
    id      TEXT PRIMARY KEY,
    at      BIGINT NOT NULL,
    actor   TEXT NOT NULL,
    act     TEXT NOT NULL,
    subject TEXT NOT NULL,
    details TEXT NOT NULL
);
CREATE INDEX acts_by_time ON acts (at DESC, id DESC);

-- The results of the daily puzzle.
CREATE TABLE daily (
    day      TEXT NOT NULL, -- 2026-11-21
    player   TEXT NOT NULL REFERENCES players (id),
    shots    INTEGER NOT NULL,
    line     TEXT NOT NULL,
    done     BOOLEAN NOT NULL,
    progress TEXT NOT NULL, -- JSON
    at       BIGINT NOT NULL,
    PRIMARY KEY (day, player)
);
CREATE INDEX daily_table ON daily (day, done, shots, at, player);
CREATE INDEX daily_of_player ON daily (player, done, day);

-- Named values of the server.
CREATE TABLE state (
    name  TEXT PRIMARY KEY,
    value TEXT NOT NULL
);
