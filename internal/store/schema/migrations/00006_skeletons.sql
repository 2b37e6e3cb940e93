-- Each name without the differences that are easy to miss: see Skeleton in Go. Of older
-- accounts whose names look alike, the oldest has the row, and the others keep their names.
CREATE TABLE skeletons (
    skeleton TEXT PRIMARY KEY,
    player   TEXT NOT NULL REFERENCES players (id)
);
CREATE INDEX skeletons_player ON skeletons (player);

INSERT INTO skeletons (skeleton, player)
SELECT replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(
    folded, '-', ''), '_', ''), 'rn', 'm'), 'vv', 'w'), 'i', 'l'), '1', 'l'), '0', 'o'), '3', 'e'), '4', 'a'), '5', 's'), id
FROM players WHERE true ORDER BY created, id
ON CONFLICT (skeleton) DO NOTHING;
