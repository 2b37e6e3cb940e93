-- The tables that nodes share. A node needs these rights: SELECT and UPDATE (epoch,
-- token, timeline, address, since) on world, and SELECT, INSERT and DELETE on journal.
CREATE TABLE world (
	name     text PRIMARY KEY,
	id       int NOT NULL UNIQUE, -- of the advisory lock
	epoch    bigint NOT NULL DEFAULT 0,
	token    uuid NOT NULL DEFAULT gen_random_uuid(),
	timeline int NOT NULL DEFAULT 0,
	address  text NOT NULL DEFAULT '',
	since    timestamptz NOT NULL DEFAULT '-infinity'
) WITH (fillfactor = 50);
INSERT INTO world (name, id) VALUES ('main', 1);

CREATE TABLE journal (
	match text NOT NULL,
	seq   int NOT NULL,
	world text NOT NULL,
	epoch bigint NOT NULL,
	at    timestamptz NOT NULL,
	body  bytea NOT NULL,
	PRIMARY KEY (match, seq)
);
