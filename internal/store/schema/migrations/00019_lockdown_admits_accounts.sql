-- A lockdown admits all existing accounts, so there are no lists any more.
DROP TABLE allowed;
DELETE FROM state WHERE name = 'lockdown: connected';
