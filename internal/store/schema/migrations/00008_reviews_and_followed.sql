-- The accuracy of a side's shots, from 0 to 1, over the judged ones; judged is 0 until the
-- match is reviewed. costliest is JSON.
ALTER TABLE seats ADD COLUMN judged INTEGER NOT NULL DEFAULT 0;
ALTER TABLE seats ADD COLUMN accuracy DOUBLE PRECISION NOT NULL DEFAULT 0;
ALTER TABLE seats ADD COLUMN costliest TEXT NOT NULL DEFAULT '';

-- The number of reviewed matches and the sum of their accuracies.
ALTER TABLE figures ADD COLUMN reviewed INTEGER NOT NULL DEFAULT 0;
ALTER TABLE figures ADD COLUMN accuracy DOUBLE PRECISION NOT NULL DEFAULT 0;

-- Which players a player follows.
CREATE TABLE followed (
    player TEXT NOT NULL REFERENCES players (id),
    other  TEXT NOT NULL REFERENCES players (id),
    PRIMARY KEY (player, other)
);
