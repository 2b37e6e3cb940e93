-- The key of a person without an account, who gets the match when an account gets the key; else empty.
ALTER TABLE seats ADD COLUMN fingerprint TEXT NOT NULL DEFAULT '';
CREATE INDEX seats_of_key ON seats (fingerprint, ended) WHERE fingerprint <> '';

-- Matches of two people at one terminal count in no statistics, and only their player finds them.
UPDATE matches SET private = TRUE WHERE casual = 'hot-seat';
UPDATE figures SET
    games = figures.games - hot.games, won = figures.won - hot.won, shots = figures.shots - hot.shots, hits = figures.hits - hot.hits,
    reviewed = figures.reviewed - hot.reviewed, accuracy = figures.accuracy - hot.accuracy
FROM (
    SELECT seats.player AS player, matches.rules AS rules, COUNT(*) AS games,
        SUM(CASE WHEN matches.winner = seats.side THEN 1 ELSE 0 END) AS won, SUM(seats.shots) AS shots, SUM(seats.hits) AS hits,
        SUM(CASE WHEN seats.judged > 0 THEN 1 ELSE 0 END) AS reviewed,
        SUM(CASE WHEN seats.judged > 0 THEN seats.accuracy ELSE 0 END) AS accuracy
    FROM seats JOIN matches ON matches.id = seats.match
    WHERE matches.casual = 'hot-seat' AND seats.player IS NOT NULL
    GROUP BY seats.player, matches.rules
) AS hot
WHERE figures.player = hot.player AND figures.rules = hot.rules;
