create table test (id integer primary key, value integer not null);
insert into test values (1, 10), (2, 20);
