-- Each world runs its own tournaments.
ALTER TABLE cups ADD COLUMN world TEXT NOT NULL DEFAULT 'main';
