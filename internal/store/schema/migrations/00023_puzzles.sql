-- Positions in which one shot is clearly best.
CREATE TABLE puzzles (
    number   INTEGER PRIMARY KEY,
    position TEXT NOT NULL, -- JSON
    best     TEXT NOT NULL, -- the best cell
    ratio    DOUBLE PRECISION NOT NULL, -- of its odds to the second best
    day      TEXT NOT NULL, -- 2026-11-27, or empty
    answers  INTEGER NOT NULL, -- of players with an account
    solved   INTEGER NOT NULL -- right answers
);
CREATE INDEX puzzles_by_day ON puzzles (day, number);

-- Each player's first answer to a puzzle.
CREATE TABLE puzzle_answers (
    player TEXT NOT NULL REFERENCES players (id),
    puzzle INTEGER NOT NULL REFERENCES puzzles (number),
    cell   TEXT NOT NULL,
    day    TEXT NOT NULL,
    PRIMARY KEY (player, puzzle)
);
