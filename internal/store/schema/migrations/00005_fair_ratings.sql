-- Why a match was not rated: empty if it was, or if it is older than this column.
ALTER TABLE matches ADD COLUMN casual TEXT NOT NULL DEFAULT '';

-- When players aborted rated matches.
CREATE TABLE aborts (
    match  TEXT PRIMARY KEY, -- its ID
    player TEXT NOT NULL REFERENCES players (id),
    at     BIGINT NOT NULL
);
CREATE INDEX aborts_of_player ON aborts (player, at);

-- The rating after the match is provisional.
ALTER TABLE seats ADD COLUMN provisional BOOLEAN NOT NULL DEFAULT FALSE;

-- From now on, ratings are whole numbers and bots have fixed ratings. All other ratings
-- become uncertain, so that they soon adapt to the new scale.
UPDATE ratings SET value = ROUND(value), settled = FALSE,
    deviation = CASE WHEN deviation < 200 THEN 200 ELSE deviation END;
UPDATE seats SET before = ROUND(before), after = ROUND(after);
