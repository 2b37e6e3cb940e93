-- +goose Up

-- Why a match did not count for ratings: empty for one that did, and for those
-- from before it was written down.
ALTER TABLE matches ADD COLUMN casual TEXT NOT NULL DEFAULT '';

-- +goose Down
ALTER TABLE matches DROP COLUMN casual;
