-- Words that are said in the same company, mined from a sample of what is said on record, to be offered beside those
-- that are searched for (src/services/search/corrections/neighbors.ts).
create table word_neighbor (
  -- As in word_form.
  word text primary key check (is_word(word)),
  -- The likest first.
  neighbors text[] not null
);

-- Whose turn it is to mine them, and when: one row.
create table neighbor_turn (
  is_one boolean primary key default true check (is_one),
  due_at timestamptz not null
);
insert into neighbor_turn (due_at) values ('-infinity');
