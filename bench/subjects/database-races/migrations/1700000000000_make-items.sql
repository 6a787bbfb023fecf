-- Up Migration
CREATE TABLE items (id integer PRIMARY KEY);
INSERT INTO items VALUES (1);
