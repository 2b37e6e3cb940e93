-- The journal replaces the tables running and running_events of single servers.
ALTER TABLE journal ALTER world SET DEFAULT 'main', ALTER epoch SET DEFAULT 0, ALTER at SET DEFAULT now();
INSERT INTO journal (match, seq, body) SELECT id, 0,
	convert_to('{"started":' || started || ',"rules":' || rules || ',"seats":' || seats || ',"details":' || details || '}', 'UTF8')
	FROM running ON CONFLICT DO NOTHING;
INSERT INTO journal (match, seq, body) SELECT match, number + 1, convert_to(events, 'UTF8') FROM running_events ON CONFLICT DO NOTHING;
DROP TABLE running_events;
DROP TABLE running;
