CREATE TABLE registers (name text PRIMARY KEY, value integer NOT NULL);
INSERT INTO registers VALUES ('x', 0), ('y', 0);
