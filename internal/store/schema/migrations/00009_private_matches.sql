-- Whether the match began with a code, so that only its players find it in lists. How older
-- matches began is not known; they stay public.
ALTER TABLE matches ADD COLUMN private BOOLEAN NOT NULL DEFAULT FALSE;
