-- The program declares the languages (values/language.ts). A new one needs no migration.
alter table users drop constraint users_language_check;
