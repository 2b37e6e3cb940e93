-- The totals on a profile, updated when a match ends.
CREATE TABLE figures (
    player TEXT NOT NULL REFERENCES players (id),
    rules  TEXT NOT NULL,
    games  INTEGER NOT NULL,
    won    INTEGER NOT NULL,
    shots  INTEGER NOT NULL,
    hits   INTEGER NOT NULL,
    PRIMARY KEY (player, rules)
);
INSERT INTO figures (player, rules, games, won, shots, hits)
    SELECT seats.player, matches.rules, COUNT(*), SUM(CASE WHEN matches.winner = seats.side THEN 1 ELSE 0 END),
        SUM(seats.shots), SUM(seats.hits)
    FROM seats JOIN matches ON matches.id = seats.match
    WHERE seats.player IS NOT NULL AND matches.reason <> 'closed'
    GROUP BY seats.player, matches.rules;

-- In how many matches one of a player's first shots was at a cell.
CREATE TABLE openings (
    player TEXT NOT NULL REFERENCES players (id),
    rules  TEXT NOT NULL,
    cell   TEXT NOT NULL,
    times  INTEGER NOT NULL,
    PRIMARY KEY (player, rules, cell)
);

-- Matches that have not ended, to resume after a restart.
CREATE TABLE running (
    id      TEXT PRIMARY KEY,
    started BIGINT NOT NULL,
    rules   TEXT NOT NULL, -- JSON, as are the next two
    seats   TEXT NOT NULL,
    details TEXT NOT NULL
);
CREATE TABLE running_events (
    match  TEXT NOT NULL REFERENCES running (id) ON DELETE CASCADE,
    number INTEGER NOT NULL, -- of the first of these events, counted from 0
    events TEXT NOT NULL,    -- JSON
    PRIMARY KEY (match, number)
);

-- What a bot remembers of an opponent.
CREATE TABLE models (
    bot      TEXT NOT NULL REFERENCES players (id),
    opponent TEXT NOT NULL REFERENCES players (id),
    rules    TEXT NOT NULL,
    model    TEXT NOT NULL, -- JSON
    updated  BIGINT NOT NULL,
    PRIMARY KEY (bot, opponent, rules)
);

-- The tokens with which external bots sign in.
CREATE TABLE tokens (
    hash   TEXT PRIMARY KEY, -- SHA-256 of the secret, which is not stored
    id     TEXT NOT NULL UNIQUE,
    player TEXT NOT NULL REFERENCES players (id),
    label  TEXT NOT NULL,
    added  BIGINT NOT NULL,
    used   BIGINT NOT NULL   -- 0: never
);
CREATE INDEX tokens_of_player ON tokens (player);
