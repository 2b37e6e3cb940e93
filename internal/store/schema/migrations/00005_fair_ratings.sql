-- +goose Up

-- Why a match did not count for ratings: empty for one that did, and for those
-- from before it was written down.
ALTER TABLE matches ADD COLUMN casual TEXT NOT NULL DEFAULT '';

-- When a player aborted a rated match before it counted.
CREATE TABLE aborts (
    match  TEXT PRIMARY KEY, -- its ID
    player TEXT NOT NULL REFERENCES players (id),
    at     BIGINT NOT NULL
);
CREATE INDEX aborts_of_player ON aborts (player, at);

-- The rating after the match is provisional.
ALTER TABLE seats ADD COLUMN provisional BOOLEAN NOT NULL DEFAULT FALSE;

-- Ratings are whole numbers from now on. The scale is a new one, for the bots have
-- fixed ratings: those of all others are uncertain again, and soon find to it.
UPDATE ratings SET value = ROUND(value), settled = FALSE,
    deviation = CASE WHEN deviation < 200 THEN 200 ELSE deviation END;
UPDATE seats SET before = ROUND(before), after = ROUND(after);

-- +goose Down
DROP TABLE aborts;
ALTER TABLE seats DROP COLUMN provisional;
ALTER TABLE matches DROP COLUMN casual;
