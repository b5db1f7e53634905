-- Licensed to the birds.

CREATE SCHEMA IF NOT EXISTS station;
create extension if not exists pgcrypto;

-- What kinds of reading there are.
create type station.kind as enum ('temperature', 'humidity');
create type pair as (low numeric, high numeric);

/* One row a sensor.
   Never deleted. */
CREATE TABLE IF NOT EXISTS station.sensors (
  id bigint PRIMARY KEY, -- never reused
  "label" text NOT NULL DEFAULT 'new',
  kind station.kind NOT NULL,
  created timestamptz DEFAULT now()
);

create table readings (
  sensor bigint references station.sensors (id),
  taken_at timestamp not null,
  value numeric(6, 2),
  primary key (sensor, taken_at)
);

CREATE TABLE `legacy` (
  `id` int NOT NULL AUTO_INCREMENT,
  PRIMARY KEY (`id`)
) ENGINE=InnoDB;

create table yearly as select * from readings where value > 0;

-- Readings by day.
CREATE UNIQUE INDEX idx_readings_day ON readings (sensor, taken_at);
create index on readings (value);
create sequence station.numbers start 100;

create or replace view station.latest as
  select sensor, max(taken_at) as taken_at
  from readings
  group by sensor;
create materialized view averages as select sensor, avg(value) from readings group by sensor;

-- Forgets old readings.
create or replace function station.forget(before timestamp, keep int default 10) returns integer
language plpgsql
as $$
begin
  delete from readings where taken_at < before;
  return keep;
end;
$$;
create function twice(x int) returns int as 'select x * 2' language sql;

create trigger touch before update on readings for each row execute function station.forget();

insert into readings values (1, now(), 3.5);
alter table readings add column note text;

create procedure not_understood(a int) language sql as 'select a';
create tabl broken (;
create table after_the_break (id int);
create table open_end (id int,
