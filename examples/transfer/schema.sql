CREATE TABLE accounts (
  name text PRIMARY KEY,
  owner text NOT NULL,
  balance integer NOT NULL
);
INSERT INTO accounts VALUES ('ada', 'ada', 100), ('bob', 'bob', 100), ('bob-savings', 'bob', 0);
