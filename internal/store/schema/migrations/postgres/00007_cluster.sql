-- The tables by which the nodes of a cluster agree. They exist on PostgreSQL only.
-- A node needs these rights besides those on the other tables: SELECT and UPDATE
-- (epoch, token, timeline, address, since) on world.

-- Each row is a world: a group of nodes of which one is active.
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

-- What has happened in running matches.
CREATE TABLE journal (
	match text NOT NULL,
	seq   int NOT NULL, -- 0: how the match began; else one more than the number of the first event
	world text NOT NULL,
	epoch bigint NOT NULL,
	at    timestamptz NOT NULL,
	body  bytea NOT NULL, -- JSON
	PRIMARY KEY (match, seq)
);
