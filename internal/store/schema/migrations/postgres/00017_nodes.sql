-- What each node last reported, for the other nodes and for operators. It is worth nothing
-- after a crash of the database server, and must not wait for its replicas.
-- A node needs all rights on the table.
CREATE UNLOGGED TABLE node (
	id     text PRIMARY KEY,
	world  text NOT NULL,
	seen   timestamptz NOT NULL, -- when it reported
	status jsonb NOT NULL
);

ALTER TABLE world DROP COLUMN timeline;
