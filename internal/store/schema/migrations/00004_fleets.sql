-- Saved layouts, as text of a layout file.
CREATE TABLE fleets (
    player TEXT NOT NULL REFERENCES players (id),
    folded TEXT NOT NULL, -- the name without regard to case
    name   TEXT NOT NULL,
    rules  TEXT NOT NULL, -- the name of the rule set that it was saved with
    layout TEXT NOT NULL,
    saved  BIGINT NOT NULL,
    PRIMARY KEY (player, folded)
);
