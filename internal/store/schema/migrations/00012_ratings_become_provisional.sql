-- When a settled rating becomes provisional unless its player plays before: package rating computes
-- it. By default never, as for bots.
ALTER TABLE ratings ADD COLUMN settled_until BIGINT NOT NULL DEFAULT 9223372036854775807;
UPDATE ratings SET settled_until = updated
    + CAST(345600000000.0 * (110.0 * 110.0 - deviation * deviation) / (173.7178 * 173.7178 * volatility * volatility) AS BIGINT)
    WHERE settled = TRUE AND games > 0 AND volatility > 0 AND player IN (SELECT id FROM players WHERE kind <> 'bot');

-- The indexes are enough to find the players of a leaderboard.
DROP INDEX ratings_of_all;
DROP INDEX ratings_of_kind;
CREATE INDEX ratings_of_all ON ratings (rules, settled DESC, value DESC, player, settled_until);
CREATE INDEX ratings_of_kind ON ratings (rules, machine, settled DESC, value DESC, player, settled_until);
