-- People are found by the words of their name, as a search names them (`person:`).
create index person_words on person using gin (to_tsvector('simple', plain));
