-- Matches no longer have commitments to the layouts of kept fleets.
ALTER TABLE seats DROP COLUMN commitment;
ALTER TABLE seats DROP COLUMN salt;
