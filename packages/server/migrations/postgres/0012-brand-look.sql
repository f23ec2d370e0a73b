-- What a brand's clients see of it besides its name: a color as #rrggbb, and a logo. The digest is that of the file that an operator gave;
-- the logo itself is kept apart, for every change of any brand reads the rows of all.
alter table brands add column color text;
alter table brands add column logo_sha256 text;

-- The pixels of a logo as they were decoded, straight RGBA, deflated and in base64.
create table brand_logos (
  brand_no bigint primary key references brands (no),
  width bigint not null,
  height bigint not null,
  pixels text not null
);
