create table accounts (id integer primary key, balance integer not null, version integer not null);
insert into accounts select id, 100, 0 from generate_series(1, 4) id;
create table claims (key integer primary key, owner integer not null);
create table jobs (id integer primary key, worker integer);
insert into jobs select id from generate_series(1, 4) id;
