-- Whether the server paired the match on the ladder.
ALTER TABLE matches ADD COLUMN ladder BOOLEAN NOT NULL DEFAULT FALSE;
CREATE INDEX matches_of_ladder ON matches (ended) WHERE ladder = TRUE;
