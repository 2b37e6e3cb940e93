-- When an account was last renamed, in microseconds.
ALTER TABLE players ADD COLUMN renamed BIGINT NOT NULL DEFAULT 0;

-- Until when a name is reserved for the account that gave it up. A current name has no end.
ALTER TABLE skeletons ADD COLUMN until BIGINT NOT NULL DEFAULT 9223372036854775807;
